"""Operations that take several statements of Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from xdsl.ir import Operation

from ...written.text import PRIMARY, Expression
from .arithmetic import as_integer

if TYPE_CHECKING:
    from .function import KernelWriter


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
