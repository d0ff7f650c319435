"""`tir.print`: an expression whose value the program prints each time that it is computed.

C = te.compute((n,), lambda i: tir.print(A[i] * 2) + 1)    # t.py:3: i = 0: 4
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xdsl.ir import Attribute, Block, Operation, SSAValue

from ..diagnostics.locations import source_position
from ..dialects import loop
from ..dialects.index_expr import Index
from ..dialects.te import ComputeOp
from .dtypes import dtype_info, dtype_of_ir
from .expr import Expr, as_expr
from .scalar_operations import emit_cast


@dataclass(frozen=True, eq=False, repr=False)
class Printed(Expr):
    """The value of the operand, which the program also prints on a line."""

    operand: Expr
    label: str
    dtype: str

    @property
    def operands(self) -> tuple[Expr, ...]:
        return (self.operand,)


def print(value: Any, label: str = "") -> Expr:
    """Print a value each time that the program computes it, with the line of this call and where it is, and return it.

    A line says the file and the line of the call, the label where there is one, the variables of the loops around, and
    the value: `t.py:3: i = 0, k = 2: 1.5`. Lines of parallel loops are whole and stand in any order. On a GPU nothing
    prints (TW0690); the simulator does. A loop whose body prints is not vectorized.
    """
    expr = as_expr(value)
    return Printed(expr, label, expr.dtype)


def position_text(location: Attribute | None) -> str:
    """Return the file and the line of a location, as messages of lines begin: `t.py:3: `; empty where it is not
    known."""
    position = source_position(location)
    return "" if position is None else f"{Path(position.file).name}:{position.line}: ".replace("{}", "{ }")


def print_operation(
    emit: Callable[[Operation], SSAValue],
    value: SSAValue,
    label: str,
    location: Attribute | None,
    block: Block | None,
    guard: Sequence[Index] = (),
) -> loop.PrintOp:
    """Return the operation that prints a value, for a position in a block; its operands are emitted."""
    around = variables_around(block)
    iteration = ", ".join(f"{variable.name_hint or 'i'} = {{}}" for variable in around)
    parts = [*([label.replace("{}", "{ }")] if label else []), *([iteration] if iteration else []), "{}"]
    return loop.PrintOp(position_text(location) + ": ".join(parts), around, printable(emit, value), guard)


def printable(emit: Callable[[Operation], SSAValue], value: SSAValue) -> SSAValue:
    """Return a number in a type that can be printed: narrow floats are widened."""
    info = dtype_info(dtype_of_ir(value.type))
    if not info.is_storage and (not info.is_float or info.bits >= dtype_info("float32").bits):
        return value
    return emit_cast(emit, value, info.name, "float32" if info.is_float else "int32")


def variables_around(block: Block | None) -> list[SSAValue]:
    """Return the variables that distinguish the runs of a block: of the loops, the block or the compute around it."""
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
