"""The ops of `math`, and the remainder of floats.

A function for which the machine has an instruction becomes an LLVM intrinsic. All others are called in libm, lane by
lane, which is correct but slow on vectors. `lower-intrinsics` replaces the common functions by polynomials before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import Float64Type
from xdsl.ir import Operation

from .arithmetic import Prepare
from .types import element_of, intrinsic, lanes_of, splat, value_type

if TYPE_CHECKING:
    from .function import FunctionEmitter

Step = Callable[["FunctionEmitter"], None]

_INTRINSICS = {
    "math.absf": "llvm.fabs",
    "math.ceil": "llvm.ceil",
    "math.copysign": "llvm.copysign",
    "math.floor": "llvm.floor",
    "math.fma": "llvm.fma",
    "math.roundeven": "llvm.roundeven",
    "math.round": "llvm.round",
    "math.sqrt": "llvm.sqrt",
    "math.trunc": "llvm.trunc",
}
_INTEGER_INTRINSICS = {
    "math.absi": "llvm.abs",
    "math.ctpop": "llvm.ctpop",
    "math.ctlz": "llvm.ctlz",
    "math.cttz": "llvm.cttz",
}
_LIBM = {
    **{f"math.{name}": name for name in ("acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt")},
    **{f"math.{name}": name for name in ("cos", "cosh", "erf", "exp", "exp2", "expm1", "log", "log10", "log1p")},
    **{f"math.{name}": name for name in ("log2", "sin", "sinh", "tan", "tanh")},
    "math.powf": "pow",
    "arith.remf": "fmod",
}


def _intrinsic(op: Operation) -> Step:
    result, values = op.results[0], tuple(op.operands)
    type_, function = value_type(result.type), _INTRINSICS[op.name]

    def run(emitter: FunctionEmitter) -> None:
        arguments = ", ".join(f"{type_} {emitter.value(v)}" for v in values)
        emitter.define(result, emitter.code.define(f"call {type_} {intrinsic(function, type_)}({arguments})"))

    return run


def _integer_intrinsic(op: Operation) -> Step:
    result, operand = op.results[0], op.operands[0]
    type_, function = value_type(result.type), _INTEGER_INTRINSICS[op.name]
    # The flag would leave the least number's magnitude, and the zeros of 0, undefined.
    flag = "" if op.name == "math.ctpop" else ", i1 false"

    def run(emitter: FunctionEmitter) -> None:
        text = f"call {type_} {intrinsic(function, type_)}({type_} {emitter.value(operand)}{flag})"
        emitter.define(result, emitter.code.define(text))

    return run


def _reciprocal_root(op: Operation) -> Step:
    result, operand = op.results[0], op.operands[0]
    type_ = value_type(result.type)
    one = splat(value_type(element_of(result.type)), "1.0", lanes_of(result.type))

    def run(emitter: FunctionEmitter) -> None:
        name = intrinsic("llvm.sqrt", type_)
        root = emitter.code.define(f"call {type_} {name}({type_} {emitter.value(operand)})")
        emitter.define(result, emitter.code.define(f"fdiv {type_} {one}, {root}"))

    return run


def _library_call(op: Operation) -> Step:
    result, values = op.results[0], tuple(op.operands)
    lanes, element = lanes_of(result.type), element_of(result.type)
    function = _LIBM[op.name]
    double = isinstance(element, Float64Type)
    native = "double" if double else "float"
    symbol = function if double else f"{function}f"
    type_ = value_type(result.type)

    def run(emitter: FunctionEmitter) -> None:
        name = emitter.module.declare(f"{native} @{symbol}({', '.join([native] * len(values))})")
        operands = [emitter.value(v) for v in values]
        if lanes is None:
            emitter.define(result, _call_scalar(emitter, name, native, operands))
            return
        vector = "poison"
        inner = value_type(element)
        for lane in range(lanes):
            each = [emitter.code.define(f"extractelement {type_} {o}, i64 {lane}") for o in operands]
            value = _call_scalar(emitter, name, native, each)
            vector = emitter.code.define(f"insertelement {type_} {vector}, {inner} {value}, i64 {lane}")
        emitter.define(result, vector)

    return run


def _call_scalar(emitter: FunctionEmitter, name: str, native: str, operands: list[str]) -> str:
    return emitter.code.define(f"call {native} {name}({', '.join(f'{native} {o}' for o in operands)})")


MATHEMATICS: dict[str, Prepare] = {
    "math.rsqrt": _reciprocal_root,
    **dict.fromkeys(_INTRINSICS, _intrinsic),
    **dict.fromkeys(_INTEGER_INTRINSICS, _integer_intrinsic),
    **dict.fromkeys(_LIBM, _library_call),
}
"""The function that prepares each operation."""
