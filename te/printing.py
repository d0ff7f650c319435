"""Values that a program prints where it computes them.

C = te.compute((n,), lambda i: tir.print(A[i] * 2) + 1)    # t.py:3: i = 0: 4
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xdsl.ir import Block, SSAValue

from ..diagnostics.locations import source_position
from ..dialects import loop
from ..dialects.te import ComputeOp
from .expr import Expr, as_expr


@dataclass(frozen=True, eq=False, repr=False)
class Printed(Expr):
    """The operand, of which a line tells."""

    operand: Expr
    label: str
    dtype: str

    @property
    def operands(self) -> tuple[Expr, ...]:
        return (self.operand,)

    def message(self, names: list[str]) -> str:
        """The line, with a `{}` for each of the variables and one for the value."""
        position = None if self.origin is None else source_position(self.origin.location)
        place = "" if position is None else f"{Path(position.file).name}:{position.line}"
        parts = [part.replace("{}", "{ }") for part in (place, self.label) if part]
        told = ", ".join(f"{name} = {{}}" for name in names)
        return ": ".join([*parts, *([told] if told else []), "{}"])


def print(value: Any, label: str = "") -> Expr:
    """The value, which the program prints each time that it computes it, with the line of this call and where it is.

    A line says the file and the line of the call, the label where there is one, the variables of the loops around, and
    the value: `t.py:3: i = 0, k = 2: 1.5`. Lines of parallel loops are whole and stand in any order. On a GPU nothing
    prints (TW0690); the simulator does. A loop whose body prints is not vectorized.
    """
    expr = as_expr(value)
    return Printed(expr, label, expr.dtype)


def variables_around(block: Block | None) -> list[SSAValue]:
    """What tells the runs of a place apart: variables of the loops around it, or of the block or compute it is in."""
    found: list[SSAValue] = []
    for values in _variables(block):
        found = [*values, *found]
    return found


def _variables(block: Block | None) -> Iterator[tuple[SSAValue, ...]]:
    while block is not None and (op := block.parent_op()) is not None:
        match op:
            case loop.ForOp():
                yield (op.induction_variable,)
            case loop.BlockOp():
                yield tuple(op.variables)
                return
            case ComputeOp():
                yield tuple(op.body.block.args)
                return
            case _:
                pass
        block = op.parent
