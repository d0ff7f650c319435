"""Functions of the C library and functions on bits, with the types of the classic language.

They are symbols of the process, or declared in the headers of a C program, so that only programs for a CPU can call
them.
"""

from __future__ import annotations

from typing import Any

from ..te import functions
from ..te.calls import call_pure_extern
from ..te.dtypes import dtype_info
from ..te.expr import Expr, as_expr, cast, common
from ..te.te_errors import te_error

_SUFFIXES = {"float32": "f", "float64": ""}


def exp10(x: Any) -> Expr:
    """Return 10 to the power x. An integer is turned into float32 first."""
    operand = as_expr(x)
    power = operand if dtype_info(operand.dtype).is_float else cast("float32", operand)
    return functions.pow(as_expr(10.0, power.dtype), power)


def hypot(x: Any, y: Any) -> Expr:
    """Return the length of the hypotenuse, without overflow on the way. Raises TW0451 but for float32 and float64."""
    return _called("hypot", *common(x, y))


def copysign(x: Any, y: Any) -> Expr:
    """Return the magnitude of x with the sign of y, that of -0 too. Raises TW0451 but for float32 and float64."""
    return _called("copysign", *common(x, y))


def nextafter(x: Any, y: Any) -> Expr:
    """Return the neighbour of x in the direction of y. Raises TW0451 but for float32 and float64."""
    return _called("nextafter", *common(x, y))


def ldexp(x: Any, n: Any) -> Expr:
    """Return x * 2**n, rounded once. Raises TW0451 for an x but of float32 and float64, and for an n that is no
    integer."""
    power = as_expr(n, "int32")
    if not dtype_info(power.dtype).is_integer:
        te_error("TW0451", f"expected an integer as power of `ldexp`, but got {power.dtype}")
    return _called("ldexp", as_expr(x), cast("int32", power))


def clz(x: Any) -> Expr:
    """Return the number of leading zeros of an integer, as int32; `te.clz` has the type of its operand."""
    return cast("int32", functions.clz(x))


def _called(name: str, x: Expr, y: Expr) -> Expr:
    if x.dtype not in _SUFFIXES:
        te_error(
            "TW0451",
            f"expected float32 or float64 as operand of `{name}`, but got {x.dtype}",
            help='convert with astype("float32")',
        )
    return call_pure_extern(x.dtype, name + _SUFFIXES[x.dtype], x, y)
