"""Loop nests that replace an upstream operation over several loops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import arith
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import loop
from ...dialects.index_expr import Index
from ...ir import editor as edit
from .control import Emit, emitter, extreme, is_in_parallel, largest_of, least_of, trips
from .indices import index_of


@dataclass(frozen=True)
class Bounds:
    """The bounds of one loop: the largest of the lower bounds and the least of the upper bounds apply."""

    lowers: Sequence[Index]
    uppers: Sequence[Index]
    step: int | SSAValue


Combine = Callable[[Sequence[SSAValue], InsertPoint], Sequence[SSAValue]]
"""Gives the values that the innermost loop yields from those that it carries, with operations at a point."""


@dataclass
class Nest:
    """A loop nest that replaces `op`, around the operations of its body.

    All loops carry `inits`. Without `inits` the outermost loop is parallel, unless it is inside a parallel loop: then
    all loops are serial.
    """

    op: Operation
    bounds: Sequence[Bounds]
    inits: Sequence[SSAValue] = ()
    loops: list[loop.ForOp] = field(default_factory=list)

    def build(self, body: Block, end: Operation, combine: Combine = lambda carried, _: carried) -> Sequence[SSAValue]:
        """Put the loops before the operation and move the body's operations but its `end` there; the results."""
        point, carried = InsertPoint.before(self.op), self.inits
        is_parallel = not self.inits and not is_in_parallel(self.op)
        variables: list[SSAValue] = []
        for bounds in self.bounds:
            kind = loop.PARALLEL if is_parallel and not self.loops else loop.SERIAL
            new, first = self._loop(bounds, kind, carried, emitter(point, self.op))
            edit.insert(new, point, of=self.op)
            point = InsertPoint.at_end(new.body.block)
            variables.append(_variable(new.induction_variable, first, bounds.step, emitter(point, self.op)))
            self.loops.append(new)
            carried = new.body.block.args[1:]
        for argument, variable in zip(list(body.args), variables, strict=False):
            edit.replace_uses(argument, variable)
        edit.move([each for each in body.ops if each is not end], point)
        yielded = combine(carried, point)
        for each in reversed(self.loops):
            if self.inits:
                edit.append(each.body.block, loop.YieldOp(*yielded))
            yielded = each.res
        return yielded

    def _loop(
        self, bounds: Bounds, kind: loop.LoopKindAttr, carried: Sequence[SSAValue], emit: Emit
    ) -> tuple[loop.ForOp, Index]:
        """Return a loop that counts from 0 where its step is not 1, and the value of its variable at 0."""
        lowers = [e for lower in bounds.lowers for e in largest_of(lower)]
        uppers = [e for upper in bounds.uppers for e in least_of(upper)]
        if bounds.step == 1:
            return loop.ForOp(lowers, uppers, None, kind, carried, name_hint="i"), Index.of(0)
        first = lowers[0] if len(lowers) == 1 else index_of(extreme(lowers, arith.MaxSIOp, emit))
        counts = [trips(first, upper, bounds.step, emit) for upper in uppers]
        return loop.ForOp(0, counts, None, kind, carried, name_hint="i"), first


def _variable(count: SSAValue, first: Index, step: int | SSAValue, emit: Emit) -> SSAValue:
    if step == 1:
        return count
    if isinstance(step, int):
        return emit(loop.ApplyOp(first + Index.of(count) * step))
    return emit(loop.ApplyOp(first + emit(arith.MuliOp(count, step))))
