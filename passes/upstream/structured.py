"""The loops of structured operations, and their scalar bodies with arguments replaced by elements."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr

from ...dialects.index_expr import Index
from ...dialects.upstream.structured_operation import IndexOp, StructuredOp, YieldOp
from .refusal import refuse_form

Emit = Callable[[Operation], SSAValue]


def loop_extents(op: StructuredOp, extent: Callable[[SSAValue, int], Index]) -> list[Index]:
    """Return the extent of each loop: that of a dimension which the loop indexes alone, a number where one is stated.

    Raises TilewrightError TW0571 for a loop that indexes no dimension alone.
    """
    maps = op.maps()
    found: list[Index] = []
    for number in range(maps[0].num_dims):
        extents = [
            extent(operand, d)
            for operand, map in zip(op.operands, maps, strict=True)
            for d, result in enumerate(map.results)
            if isinstance(result, AffineDimExpr) and result.position == number
        ]
        if not extents:
            refuse_form(
                op,
                f"expected an operand whose dimension is loop {number} of {op.name} alone: nothing says its extent",
                help="add an operand that is indexed by the loop, as poolings take their window",
            )
        found.append(next((e for e in extents if e.is_constant), extents[0]))
    return found


@dataclass
class BodyClone:
    """A copy of a scalar body at another insertion point."""

    element: Callable[[int], SSAValue]
    """The element of an operand; asked once, and only where the body uses it."""
    loops: Callable[[int], SSAValue]
    """The number of a loop's iteration."""
    emit: Emit
    outside: Callable[[SSAValue], SSAValue] = field(default=lambda value: value)
    """Maps a value from outside of the operation to the value to use in the copy."""
    special: Callable[[Operation, dict[SSAValue, SSAValue]], SSAValue | None] = field(default=lambda op, values: None)
    """The result of an operation that is not cloned; None for those that are."""

    def run(self, op: StructuredOp, skip: Operation | None = None) -> dict[SSAValue, SSAValue]:
        """Emit the scalar body of `op` except `skip`. Returns the map from its values to the emitted ones."""
        values: dict[SSAValue, SSAValue] = {}
        for number, argument in enumerate(op.body.block.args):
            if any(use.operation is not skip for use in argument.uses):
                values[argument] = self.element(number)
        inside = {result for each in op.body.block.ops for result in each.results} | set(op.body.block.args)
        for each in op.body.block.ops:
            if isinstance(each, YieldOp) or each is skip:
                continue
            for operand in each.operands:
                if operand not in inside and operand not in values:
                    values[operand] = self.outside(operand)
            if isinstance(each, IndexOp):
                values[each.result] = self.loops(each.dim.value.data)
            elif (known := self.special(each, values)) is not None:
                values[each.results[0]] = known
            else:
                copy = each.clone(values)
                self.emit(copy)
                values.update(zip(each.results, copy.results, strict=True))
        return values

    def yielded(self, op: StructuredOp) -> list[SSAValue]:
        """Emit the scalar body of `op`; the values that it yields."""
        values = self.run(op)
        last = op.body.block.last_op
        assert isinstance(last, YieldOp)
        return [values[value] if value in values else self.outside(value) for value in last.operands]
