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
from ..refusal import BAD_ARGUMENT, UNSUITABLE, loop_name, loop_names, refuse_conflict


def merge(first: loop.ForOp, second: loop.ForOp, *, assert_legal: bool = False) -> loop.ForOp:
    """Run each iteration of the second of two neighbouring loops right after that of the first.

    The loops are serial and have the same bounds; between them stands nothing but allocations and values, which move
    before them. No iteration of the second may touch what a later one of the first touches, one of the two writing:
    it would come first.

    before:
    ```mlir
    func.func @main(%A: memref<64xf32>, %C: memref<64xf32> {tw.output}) {
      %B = loop.alloc : memref<64xf32>
      loop.for %i = 0 to 64 {
        loop.block "B" (%vi = spatial(%i) in 64) {
          %a = loop.load %A[%vi] : memref<64xf32>
          %b = arith.addf %a, %a : f32
          loop.store %b, %B[%vi] : memref<64xf32>
        }
      }
      loop.for %j = 0 to 64 {
        loop.block "C" (%vj = spatial(%j) in 64) {
          %x = loop.load %B[%vj] : memref<64xf32>
          loop.store %x, %C[%vj] : memref<64xf32>
        }
      }
      func.return
    }
    ```
    after `merge(i, j)`:
    ```mlir
    func.func @main(%A: memref<64xf32>, %C: memref<64xf32> {tw.output}) {
      %B = loop.alloc : memref<64xf32>
      loop.for %i = 0 to 64 {
        loop.block "B" (%vi = spatial(%i) in 64) {
          %a = loop.load %A[%vi] : memref<64xf32>
          %b = arith.addf %a, %a : f32
          loop.store %b, %B[%vi] : memref<64xf32>
        }
        loop.block "C" (%vj = spatial(%i) in 64) {
          %x = loop.load %B[%vj] : memref<64xf32>
          loop.store %x, %C[%vj] : memref<64xf32>
        }
      }
      func.return
    }
    ```
    """
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
    return first


def has_equal_bounds(first: loop.ForOp, second: loop.ForOp) -> bool:
    """Whether two loops run over the same iterations, as far as their bounds show."""
    bounds = [({resolve(e) for e in op.lowers}, {resolve(e) for e in op.uppers}) for op in (first, second)]
    return bounds[0] == bounds[1]


def is_movable(op: Operation) -> bool:
    """Whether an operation between two loops may move before the first."""
    return isinstance(op, loop.AllocOp) or is_side_effect_free(op)


def _check(first: loop.ForOp, second: loop.ForOp) -> list[Operation]:
    """Refuse loops that are no neighbours alike; what stands between them."""
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
