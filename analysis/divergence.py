"""Uniform and varying values in a loop whose iterations become the lanes of one vector.

The loop's variable is `start + lane`. A value is uniform where every lane computes the same one; otherwise it varies.
The analysis runs before anything is rewritten. It raises `CannotVectorize` for code without a vector form: an index
that is not affine in the lane, a bound that differs between lanes, an operation that is not elementwise.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, VectorType
from xdsl.ir import Block, Operation, SSAValue

from ..diagnostics.locations import name_of
from ..dialects import loop
from ..dialects.index_expr import LANE, Index
from .access import root_buffer

DIVISIONS: tuple[type[Operation], ...] = (
    arith.DivSIOp,
    arith.DivUIOp,
    arith.RemSIOp,
    arith.RemUIOp,
    arith.FloorDivSIOp,
    arith.CeilDivSIOp,
    arith.CeilDivUIOp,
)
"""Integer operations that are undefined for a divisor of zero, so that a lane which does not run must not see one."""


Masks: TypeAlias = "tuple[Index, ...] | None"
"""The conditions on the lane, all of which must hold for an operation to run; None where they are no conjunction."""


class CannotVectorize(Exception):
    """The reason why a loop cannot be vectorized, and the operation that causes it."""

    def __init__(self, reason: str, op: Operation) -> None:
        super().__init__(reason)
        self.reason = reason
        self.op = op


class Divergence:
    """The varying values of a loop whose variable is `start + lane`. Raises CannotVectorize."""

    def __init__(self, op: loop.ForOp, start: Index) -> None:
        variable = op.induction_variable
        self.varying: set[SSAValue] = {variable}
        self.private: set[SSAValue] = set()
        """Buffers allocated inside the loop: each lane has a private copy."""
        self._expressions: dict[SSAValue, Index] = {variable: start + LANE}
        if op.iter_args:
            raise CannotVectorize("it carries values from one iteration to the next", op)
        known = 0
        while known != len(self.varying):  # values carried by inner loops feed back
            known = len(self.varying)
            self._visit_block(op.body.block, ())

    def resolve(self, e: Index, op: Operation) -> Index:
        """Return `e`, of an operation inside the loop, over uniform values and the lane."""
        resolved = e.substitute(self._expressions)
        for value in resolved.values():
            if value in self.varying:
                raise CannotVectorize(f"index {name_of(value)} is not an affine expression of the loop's variable", op)
        return resolved

    def splits_lanes(self, conditions: Iterable[Index], op: Operation) -> bool:
        """Return whether a condition of `op` holds for some lanes only."""
        resolved = [self.resolve(e, op) for e in conditions]
        return any(e.uses_lane for e in resolved)

    def _visit_block(self, block: Block, masks: Masks) -> None:
        for op in block.ops:
            self._visit(op, masks)

    def _visit(self, op: Operation, masks: Masks) -> None:
        match op:
            case loop.LoadOp() | loop.StoreOp():
                self._visit_access(op, masks)
            case loop.ApplyOp():
                self._expressions[op.res] = e = self.resolve(op.index, op)
                self._mark(op, e.uses_lane)
            case loop.TestOp():
                self._mark(op, self.splits_lanes(op.conditions, op))
            case loop.IfOp():
                self._visit_conditional(op, masks)
            case loop.ForOp():
                self._visit_loop(op, masks)
            case loop.AssertOp():
                self._visit_assertion(op, masks)
            case loop.PrintOp():
                raise CannotVectorize("it prints a line for each iteration", op)
            case loop.AllocOp():
                if self.splits_lanes(op.dynamic_sizes, op):
                    raise CannotVectorize("an allocation's size differs between iterations", op)
                self.private.add(op.res)
            case loop.YieldOp() | loop.ConstantOp():
                pass
            case _:
                self._visit_value(op, masks)

    def _visit_assertion(self, op: loop.AssertOp, masks: Masks) -> None:
        """Check that lanes agree on an assertion: one replaces those of all lanes; its message has the values of the
        first lane."""
        if masks != () or self.splits_lanes(op.conditions, op):
            raise CannotVectorize("an assertion differs between iterations", op)
        for e in op.message_values:
            self.resolve(e, op)

    def _visit_conditional(self, op: loop.IfOp, masks: Masks) -> None:
        varying = [e for e in (self.resolve(e, op) for e in op.conditions) if e.uses_lane]
        self._visit_block(op.then_body.block, None if masks is None else (*masks, *varying))
        if op.else_body.blocks:
            negated = () if not varying else (-varying[0] - 1,)
            self._visit_block(op.else_body.block, None if masks is None or len(varying) > 1 else (*masks, *negated))

    def _visit_access(self, op: loop.LoadOp | loop.StoreOp, masks: Masks) -> None:
        if op.lanes is not None:
            raise CannotVectorize("its body holds vectors", op)
        varies = self.splits_lanes((*op.index, *op.conditions), op) or root_buffer(op.buffer) in self.private
        if isinstance(op, loop.LoadOp):
            self._mark(op, varies or leading_end(masks) is None or op.otherwise in self.varying)

    def _visit_loop(self, op: loop.ForOp, masks: Masks) -> None:
        if op.kind not in (loop.SERIAL, loop.UNROLLED):
            raise CannotVectorize(f"a loop of kind {op.kind.kind.data} is inside", op)
        if self.splits_lanes((*op.lowers, *op.uppers), op):
            raise CannotVectorize("an inner loop's bounds differ between iterations", op)
        arguments = op.body.block.args[1:]
        for argument, initial in zip(arguments, op.iter_args, strict=True):
            if initial in self.varying:
                self.varying.add(argument)
        self._visit_block(op.body.block, masks)
        last = op.body.block.last_op
        for argument, value, result in zip(arguments, last.operands if arguments and last else (), op.res, strict=True):
            if value in self.varying:
                self.varying.add(argument)
            if argument in self.varying:
                self.varying.add(result)

    def _visit_value(self, op: Operation, masks: Masks) -> None:
        if any(isinstance(v.type, VectorType) for v in (*op.operands, *op.results)):
            raise CannotVectorize("its body holds vectors", op)
        if isinstance(op, (loop.ViewOp, loop.DimOp)):
            if op.buffer in self.private or any(v in self.varying for v in op.operands):
                raise CannotVectorize("a view differs between iterations", op)
        elif not isinstance(op, loop.ScalarCallOp) and (op.dialect_name() not in ("arith", "math") or op.regions):
            raise CannotVectorize(f"'{op.name}' has no vector form", op)
        divides = masks != () and isinstance(op, DIVISIONS) and not is_nonzero_constant(op.operands[1])
        self._mark(op, divides or any(v in self.varying for v in op.operands))

    def _mark(self, op: Operation, varies: bool) -> None:
        if varies:
            self.varying.update(op.results)


def leading_end(masks: Masks) -> Literal["first", "last"] | None:
    """Return the lane that runs if any does, where every condition falls, or every one rises, with the lane."""
    if masks is None or any((e - Index.of(LANE) * e.coefficient(LANE)).uses_lane for e in masks):
        return None
    slopes = [e.coefficient(LANE) for e in masks]
    if all(slope < 0 for slope in slopes):
        return "first"
    return "last" if all(slope > 0 for slope in slopes) else None


def is_nonzero_constant(value: SSAValue) -> bool:
    """Return whether every integer may be divided by `value`: a constant other than 0 and -1.

    Division of the least integer by -1 overflows.
    """
    owner = value.owner
    return isinstance(owner, arith.ConstantOp) and (
        isinstance(owner.value, IntegerAttr) and owner.value.value.data not in (0, -1)
    )
