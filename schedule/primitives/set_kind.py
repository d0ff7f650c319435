"""set_kind: the execution of a loop: serial, parallel, vectorized, unrolled or by threads."""

from __future__ import annotations

from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException

from ...analysis.access import Access, accesses_of
from ...analysis.block_reductions import reduction_of
from ...analysis.coverage import is_private
from ...analysis.dependence import Conflict, carried
from ...analysis.domain import resolve
from ...analysis.ranges import RangeAnalysis
from ...diagnostics import fail
from ...dialects import loop
from ...dialects.loop import PARALLEL, UNROLLED, VECTORIZED
from ...ir import editor as edit
from ..engine import Engine
from ..handles import LoopRV
from ..primitive_declaration import LOOPS, register_primitive
from ..refusal import BAD_ARGUMENT, UNSUITABLE, loop_name, refuse_conflict

_ACTIVITY = {
    "parallel": "parallelizing",
    "vectorized": "vectorizing",
    "vthread": "interleaving",
    "thread": "binding",
}
_COUNTED = ("vectorized", "unrolled", "vthread")


@register_primitive(LOOPS)
def set_kind(sch: Engine, loop: LoopRV, kind: str, *, tag: str = "", assert_legal: bool = False) -> None:
    """Set how the iterations of a loop run: serial, parallel, vectorized, unrolled, vthread, or thread with a `tag`.

    No iteration of a parallel, vectorized, vthread or thread loop may access an element that another iteration writes.
    So a loop over a reduction is refused; `rfactor` gives each iteration a separate partial result. Exceptions are made
    for the threads of a block: they may share a reduction, and a shared buffer that each iteration fills before reading
    it. Vectorized, unrolled and vthread loops need a constant number of iterations.

    before:
    ```mlir
    loop.for %i = 0 to 64 {
      loop.block "B" (%vi = spatial(%i) in 64) { … }
    }
    ```
    after `set_kind(i, "parallel")`:
    ```mlir
    loop.for %i = 0 to 64 kind parallel {
      loop.block "B" (%vi = spatial(%i) in 64) { … }
    }
    ```
    """
    set_loop_kind(sch.loop(loop), _kind(kind, tag), assert_legal=assert_legal)


@register_primitive(LOOPS)
def parallel(sch: Engine, loop: LoopRV, *, assert_legal: bool = False) -> None:
    """Run the iterations of a loop in parallel, as `set_kind(loop, "parallel")` does.

    before:
    ```mlir
    loop.for %i = 0 to 64 {
      loop.block "B" (%vi = spatial(%i) in 64) { … }
    }
    ```
    after `parallel(i)`:
    ```mlir
    loop.for %i = 0 to 64 kind parallel {
      loop.block "B" (%vi = spatial(%i) in 64) { … }
    }
    ```
    """
    set_loop_kind(sch.loop(loop), PARALLEL, assert_legal=assert_legal, primitive="parallel")


@register_primitive(LOOPS)
def vectorize(sch: Engine, loop: LoopRV, *, assert_legal: bool = False) -> None:
    """Run the iterations of a loop as lanes of a vector, as `set_kind(loop, "vectorized")` does.

    before:
    ```mlir
    loop.for %i = 0 to 64 {
      loop.block "B" (%vi = spatial(%i) in 64) { … }
    }
    ```
    after `vectorize(i)`:
    ```mlir
    loop.for %i = 0 to 64 kind vectorized {
      loop.block "B" (%vi = spatial(%i) in 64) { … }
    }
    ```
    """
    set_loop_kind(sch.loop(loop), VECTORIZED, assert_legal=assert_legal, primitive="vectorize")


@register_primitive(LOOPS)
def unroll(sch: Engine, loop: LoopRV) -> None:
    """Unroll a loop, as `set_kind(loop, "unrolled")` does.

    before:
    ```mlir
    loop.for %i = 0 to 64 {
      loop.block "B" (%vi = spatial(%i) in 64) { … }
    }
    ```
    after `unroll(i)`:
    ```mlir
    loop.for %i = 0 to 64 kind unrolled {
      loop.block "B" (%vi = spatial(%i) in 64) { … }
    }
    ```
    """
    set_loop_kind(sch.loop(loop), UNROLLED, primitive="unroll")


def _kind(kind: str, tag: str) -> loop.LoopKindAttr:
    try:
        return loop.LoopKindAttr.of(kind, tag)
    except VerifyException as error:
        fail(BAD_ARGUMENT, f"set_kind: {error}")


def set_loop_kind(
    op: loop.ForOp, kind: loop.LoopKindAttr, *, assert_legal: bool = False, primitive: str = "set_kind"
) -> None:
    """Apply the primitive `set_kind` to operations."""
    name = kind.kind.data
    if kind == op.kind:
        return
    if op.iter_args and name not in ("serial", "unrolled"):
        fail(UNSUITABLE, f"{primitive}: loop {loop_name(op)} carries values from one iteration to the next", op=op)
    if name in _COUNTED and op.constant_trip_count is None:
        fail(
            BAD_ARGUMENT,
            f"{primitive}: a loop that is {name} needs a constant number of iterations, but that of loop "
            f"{loop_name(op)} is symbolic",
            op=op,
            help="split it by a constant factor first",
        )
    if name in _ACTIVITY:
        conflict = carried(op, _ThreadsShare(op)) if kind.tag.data.startswith("threadIdx") else carried(op)
        if conflict is not None and not (assert_legal and conflict.unknown is not None):
            claim = f"{_ACTIVITY[name]} loop {loop_name(op)}"
            refuse_conflict(primitive, claim, conflict, (op,), help=_remedy(op, conflict))
    edit.change(op).kind = kind


class _ThreadsShare:
    """A predicate on conflicts between iterations of a loop that its threads resolve.

    `lower-cross-thread-reduction` combines the terms that threads add to one result; `insert-barriers` lets threads
    fill a shared buffer together.
    """

    def __init__(self, op: loop.ForOp) -> None:
        self._op = op
        self._private: dict[SSAValue, bool] = {}

    def __call__(self, source: Access, sink: Access) -> bool:
        return _is_update(source, sink, self._op) or self._is_private(source.buffer)

    def _is_private(self, buffer: SSAValue) -> bool:
        if loop.scope_of(buffer.type) != loop.SHARED:
            return False
        if buffer not in self._private:
            accesses = accesses_of(buffer)
            inside = all(self._op.is_ancestor(access.op) for access in accesses)
            self._private[buffer] = inside and is_private(self._op, accesses, RangeAnalysis())
        return self._private[buffer]


def _is_update(source: Access, sink: Access, op: loop.ForOp) -> bool:
    """Return whether both belong to one reduction, init included, that the loop runs over."""
    block = source.block
    if block is None or block is not sink.block or (reduction := reduction_of(block)) is None:
        return False
    reduced = {v for _, kind, e, _ in block.iteration() if kind == "reduce" for v in resolve(e).values()}
    results = {a.buffer for a in reduction.accumulators}
    return op.induction_variable in reduced and {source.buffer, sink.buffer} <= results


def _remedy(op: loop.ForOp, conflict: Conflict) -> str | None:
    """Return the remedy for iterations that meet in the result of a reduction."""
    block = conflict.source.block
    if block is None or block is not conflict.sink.block:
        return None
    bindings = [(kind, binding.values()) for _, kind, binding, _ in block.iteration()]
    if not any(kind == "reduce" and op.induction_variable in values for kind, values in bindings):
        return None
    return f"loop {loop_name(op)} runs over a reduction: rfactor it first, or choose a loop over the result"
