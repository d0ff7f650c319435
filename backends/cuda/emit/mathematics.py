"""The operations of `math`, and the remainder of floats, as functions of numba.cuda: libdevice's, but for the simplest.

The result of a call is cast to its type: on the device this has no effect, but under the simulator Python's functions
return doubles. Powers with integer exponents take several statements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from xdsl.ir import Operation

from ....diagnostics import fail
from ....dialects.loop import CallPureExternOp
from ...written.arithmetic import Rule
from ...written.text import PRIMARY, Expression, binary, call
from .arithmetic import as_integer
from .text import RELATION, conditional, negated
from .types import literal, value_type

if TYPE_CHECKING:
    from .function import KernelWriter

_FUNCTIONS = (
    *("acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "ceil", "copysign", "cos", "cosh", "erf", "erfc"),
    *("exp", "expm1", "fabs", "floor", "fmod", "hypot", "log", "log10", "log1p", "log2", "pow", "remainder"),
    *("sin", "sinh", "sqrt", "tan", "tanh", "trunc"),
)
"""The functions that Python's `math` and numba.cuda have in common."""
_LIBRARY = {
    **{f"math.{name}": name for name in _FUNCTIONS if name not in ("fabs", "fmod", "hypot", "pow", "remainder")},
    "arith.remf": "fmod",
    "math.absf": "fabs",
    "math.powf": "pow",
}
_OTHERS = {"math.cbrt": "cbrt", "math.exp2": "exp2", "math.round": "round_away", "math.roundeven": "rint"}
"""The functions that Python's `math` or numba lacks: operations of `backends.cuda.operations`."""
_EXTERN = {
    **{name: name for name in _FUNCTIONS},
    **{f"{name}f": name for name in _FUNCTIONS},
    **{f"__{name}f": name for name in ("exp", "log", "log2", "log10", "sin", "cos", "tan", "pow")},
}
"""Functions of CUDA C++ -> their names here."""


def _call(name: str, operands: Sequence[Expression], type_: str) -> Expression:
    return call(type_, call(name, *operands))


def _library(op: Operation, operands: Sequence[Expression]) -> Expression:
    return _call(f"math.{_LIBRARY[op.name]}", operands, value_type(op.results[0].type))


def _other(op: Operation, operands: Sequence[Expression]) -> Expression:
    return _call(f"device.{_OTHERS[op.name]}", operands, value_type(op.results[0].type))


def _fused(op: Operation, operands: Sequence[Expression]) -> Expression:
    return call("device.fma", *operands)


def _reciprocal_root(op: Operation, operands: Sequence[Expression]) -> Expression:
    return call("device.rsqrt", *operands)


def _absolute(op: Operation, operands: Sequence[Expression]) -> Expression:
    type_, (value,) = op.results[0].type, operands
    opposite = as_integer(negated(value), type_)
    return conditional(binary("<", RELATION, value, literal(0, type_)), opposite, value)


def _pure_extern(op: Operation, operands: Sequence[Expression]) -> Expression:
    """Return a function of CUDA's mathematics by its name in C: `logf`, `log`, `__logf`."""
    assert isinstance(op, CallPureExternOp)
    if op.symbol not in _EXTERN:
        help_ = f"functions that kernels can call: {', '.join(sorted(_FUNCTIONS))}, with an f at the end for float32"
        fail("TW0632", f"expected a function of CUDA's mathematics, but got '{op.symbol}'", op=op, help=help_)
    return _call(f"math.{_EXTERN[op.symbol]}", operands, value_type(op.res.type))


MATHEMATICS: dict[str, Rule] = {
    "loop.call_pure_extern": _pure_extern,
    "math.absi": _absolute,
    "math.fma": _fused,
    "math.rsqrt": _reciprocal_root,
    **dict.fromkeys(_LIBRARY, _library),
    **dict.fromkeys(_OTHERS, _other),
}
"""The function that writes each operation."""


def _integer_power(writer: KernelWriter, op: Operation, operands: Sequence[Expression]) -> Expression:
    """Compute an integer power by squaring; a negative exponent leaves 1, -1 or 0."""
    base, exponent, result = (writer.names.fresh(name) for name in ("base", "exponent", "power"))
    line = writer.lines.line
    line(f"{base} = int64({operands[0]})")
    line(f"{exponent} = int64({operands[1]})")
    line(f"{result} = int64(1)")
    writer.lines.open(f"if {exponent} < 0:")
    line(f"{result} = {base} if {base} == 1 or {base} == -1 and {exponent} & 1 != 0 else int64({base} == -1)")
    writer.lines.close()
    writer.lines.open(f"while {exponent} > 0:")
    line(f"{result} = int64({result} * {base}) if {exponent} & 1 != 0 else {result}")
    line(f"{base} = int64({base} * {base})")
    line(f"{exponent} = int64({exponent} >> 1)")
    writer.lines.close()
    return as_integer(Expression(result, PRIMARY), op.results[0].type)


STEPS: dict[str, Callable[[KernelWriter, Operation, Sequence[Expression]], Expression]] = {
    "math.ipowi": _integer_power,
}
"""The function that writes each operation that takes several statements."""
