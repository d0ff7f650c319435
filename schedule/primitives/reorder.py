"""reorder: permute nested loops."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...analysis.dependence import permutes_reduction, reversed_by
from ...diagnostics import fail
from ...dialects import loop
from ...ir import editor as edit
from ..engine import Engine
from ..handles import LoopRV
from ..loop_rewriting import nest, only_op
from ..primitive_declaration import LOOPS, register_primitive
from ..refusal import BAD_ARGUMENT, NOT_NESTED, UNSUITABLE, loop_name, loop_names, refuse_conflict


@register_primitive(LOOPS)
def reorder(sch: Engine, *loops: LoopRV, assert_legal: bool = False) -> None:
    """Permute nested loops: the positions of the given loops are filled in the given order. Other loops stay.

    Every dependence must keep its direction. The terms of a reduction may be combined in another order, which changes
    the rounding of floats; its init must still run first.

    before:
    ```mlir
    loop.for %i = 0 to 64 {
      loop.for %j = 0 to 64 {
        loop.block "B" (%vi = spatial(%i) in 64, %vj = spatial(%j) in 64) { … }
      }
    }
    ```
    after `reorder(j, i)`:
    ```mlir
    loop.for %j = 0 to 64 {
      loop.for %i = 0 to 64 {
        loop.block "B" (%vi = spatial(%i) in 64, %vj = spatial(%j) in 64) { … }
      }
    }
    ```
    """
    sch.note_algebra(reassociates=reorder_loops([sch.loop(handle) for handle in loops], assert_legal=assert_legal))


def reorder_loops(loops: Sequence[loop.ForOp], *, assert_legal: bool = False) -> bool:
    """Apply the primitive `reorder` to operations."""
    old = _band(loops)
    listed = iter(loops)
    new = [next(listed) if op in loops else op for op in old]
    if new == old:
        return False
    _check_bounds(new)
    conflict = reversed_by(old, new)
    if conflict is not None and not (assert_legal and conflict.unknown is not None):
        refuse_conflict("reorder", f"the order {loop_names(new)}", conflict, old)
    reassociates = permutes_reduction(old, new)
    _permute(old, new)
    return reassociates


def _band(loops: Sequence[loop.ForOp]) -> list[loop.ForOp]:
    """Return the chain of loops from the outermost of `loops` to the innermost."""
    if len(set(loops)) != len(loops) or not loops:
        fail(
            BAD_ARGUMENT, f"reorder: expected different loops, but got {loop_names(loops)}", op=next(iter(loops), None)
        )
    remaining = set(loops)
    current = next(op for op in loops if not any(other is not op and other.is_ancestor(op) for other in loops))
    band = [current]
    remaining.discard(current)
    while remaining:
        inner = only_op(current)
        if not isinstance(inner, loop.ForOp):
            missing = next(op for op in loops if op in remaining)
            fail(
                NOT_NESTED,
                f"reorder: expected loop {loop_name(current)} to hold nothing but one loop on the way to loop "
                f"{loop_name(missing)}",
                op=current,
            )
        current = inner
        band.append(current)
        remaining.discard(current)
    for op in band:
        if op.iter_args:
            fail(UNSUITABLE, f"reorder: loop {loop_name(op)} carries values from one iteration to the next", op=op)
    return band


def _check_bounds(new: Sequence[loop.ForOp]) -> None:
    for position, op in enumerate(new):
        inside: dict[SSAValue, loop.ForOp] = {inner.induction_variable: inner for inner in new[position:]}
        for value in (v for e in (*op.lowers, *op.uppers) for v in e.values()):
            if value in inside:
                fail(
                    NOT_NESTED,
                    f"reorder: the bounds of loop {loop_name(op)} depend on loop {loop_name(inside[value])}, "
                    "which would be inside it",
                    op=op,
                )


def _permute(old: Sequence[loop.ForOp], new: Sequence[loop.ForOp]) -> None:
    parent = old[0].parent
    assert parent is not None
    marker = old[0].next_op
    body = list(old[-1].body.block.ops)
    for op in (*old, *body):
        edit.detach(op)
    nest(new)
    edit.append(new[-1].body.block, *body)
    _insert(new[0], parent, marker)


def _insert(op: loop.ForOp, parent: Block, before: Operation | None) -> None:
    point = InsertPoint.at_end(parent) if before is None else InsertPoint.before(before)
    edit.insert(op, point)
