"""merge: two loops, one after the other, into one that runs the iterations of both."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint
from xdsl.traits import is_side_effect_free

from ...analysis.dependence import reversed_by_merging
from ...analysis.domain import loops_around, resolve
from ...diagnostics import fail
from ...dialects import loop
from ...ir import editor as edit
from ..engine import Engine
from ..handles import LoopRV
from ..primitive_declaration import LOOPS, register_primitive
from ..refusal import BAD_ARGUMENT, UNSUITABLE, loop_name, loop_names, refuse_conflict


@register_primitive(LOOPS)
def merge(sch: Engine, *loops: LoopRV, assert_legal: bool = False) -> LoopRV:
    """Merge adjacent loops, two or more, into one loop that runs all bodies in each iteration. Returns the merged loop.

    The loops must be serial and have the same bounds. Only allocations and values may stand between them; they move
    before the merged loop. Iteration i of a loop must not depend on an iteration after i of a loop before it, because
    it runs earlier in the merged loop.

    before:
    ```mlir
    loop.for %i = 0 to 64 {
      loop.block "B" (%vi = spatial(%i) in 64) { … }
    }
    loop.for %j = 0 to 64 {
      loop.block "C" (%vj = spatial(%j) in 64) { … }
    }
    ```
    after `merge(i, j)`:
    ```mlir
    loop.for %i = 0 to 64 {
      loop.block "B" (%vi = spatial(%i) in 64) { … }
      loop.block "C" (%vj = spatial(%i) in 64) { … }
    }
    ```
    """
    ops = [sch.loop(handle) for handle in loops]
    if len(ops) < 2:
        at = ops[0] if ops else sch.func
        fail(BAD_ARGUMENT, f"merge: expected two or more loops, but got {loop_names(ops) or 'none'}", op=at)
    merged, *others = ops
    for op in others:
        _merge(merged, op, assert_legal=assert_legal)
    for op in ops:
        sch.retire(op, "merged")
    return sch.handle_of(merged)


def _merge(first: loop.ForOp, second: loop.ForOp, *, assert_legal: bool = False) -> None:
    between = _check(first, second)
    conflict = reversed_by_merging(first, second)
    if conflict is not None and not (assert_legal and conflict.unknown is not None):
        claim = f"running loops {loop_names((first, second))} together"
        refuse_conflict("merge", claim, conflict, loops_around(conflict.source.op), loops_around(conflict.sink.op))
    for op in between:
        edit.move(op, InsertPoint.before(first))
    edit.append(first.body.block, *edit.detach_all(second.body.block))
    edit.replace_uses(second.induction_variable, first.induction_variable)
    edit.erase(second)


def has_equal_bounds(first: loop.ForOp, second: loop.ForOp) -> bool:
    """Return whether two loops run over the same iterations, as far as their bounds show."""
    bounds = [({resolve(e) for e in op.lowers}, {resolve(e) for e in op.uppers}) for op in (first, second)]
    return bounds[0] == bounds[1]


def is_movable(op: Operation) -> bool:
    """Return whether an operation between two loops may move before the first."""
    return isinstance(op, loop.AllocOp) or is_side_effect_free(op)


def _check(first: loop.ForOp, second: loop.ForOp) -> list[Operation]:
    """Refuse loops that are not adjacent or differ in bounds; return the operations between them."""
    names = loop_names((first, second))
    if first is second or first.parent is not second.parent or not first.is_before_in_block(second):
        fail(BAD_ARGUMENT, f"merge: expected two loops, one after the other in one body, but got {names}", op=second)
    between = list(_between(first, second))
    for op in between:
        if not is_movable(op):
            fail(BAD_ARGUMENT, f"merge: expected nothing that runs between loops {names}, but got {op.name}", op=op)
    for op in (first, second):
        if op.iter_args:
            fail(UNSUITABLE, f"merge: loop {loop_name(op)} carries values from one iteration to the next", op=op)
        if op.kind != loop.SERIAL:
            kind = op.kind.kind.data
            fail(BAD_ARGUMENT, f"merge: loop {loop_name(op)} is {kind}; merge it before its kind is set", op=op)
    if not has_equal_bounds(first, second):
        fail(BAD_ARGUMENT, f"merge: expected loops {names} to have the same bounds", op=second)
    return between


def _between(first: Operation, second: Operation) -> Iterator[Operation]:
    op = first.next_op
    while op is not None and op is not second:
        yield op
        op = op.next_op
