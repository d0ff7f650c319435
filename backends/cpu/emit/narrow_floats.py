"""bfloat16 as the upper half of a float's bits."""

from __future__ import annotations

from .code import Code
from .types import splat, with_lanes


def to_float(code: Code, value: str, lanes: int | None) -> str:
    """The float of the bits `value`; exact."""
    wide, single = with_lanes("i32", lanes), with_lanes("float", lanes)
    extended = code.define(f"zext {with_lanes('i16', lanes)} {value} to {wide}")
    shifted = code.define(f"shl {wide} {extended}, {splat('i32', '16', lanes)}")
    return code.define(f"bitcast {wide} {shifted} to {single}")


def from_float(code: Code, value: str, lanes: int | None) -> str:
    """The bits of a float rounded to nearest even; NaN stays NaN."""
    wide, single, bits = with_lanes("i32", lanes), with_lanes("float", lanes), with_lanes("i1", lanes)
    number = code.define(f"bitcast {single} {value} to {wide}")
    upper = code.define(f"lshr {wide} {number}, {splat('i32', '16', lanes)}")
    odd = code.define(f"and {wide} {upper}, {splat('i32', '1', lanes)}")
    half = code.define(f"add {wide} {odd}, {splat('i32', '32767', lanes)}")
    sum_ = code.define(f"add {wide} {number}, {half}")
    rounded = code.define(f"lshr {wide} {sum_}, {splat('i32', '16', lanes)}")
    nan = code.define(f"fcmp uno {single} {value}, {value}")
    quiet = splat("i32", "32704", lanes)
    result = code.define(f"select {bits} {nan}, {wide} {quiet}, {wide} {rounded}")
    return code.define(f"trunc {wide} {result} to {with_lanes('i16', lanes)}")
