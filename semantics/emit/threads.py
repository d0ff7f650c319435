"""Translation of loops over the threads of a GPU's block with barriers: one Python generator for each thread.

Inside the generator a loop over threads runs a single iteration: that of the thread. Buffers in shared memory are
allocated once, before the threads start; other buffers inside are local variables of the generator, one for each
thread. `run_block` resumes the generators in turn from barrier to barrier, so that one operating system thread runs
them all in a deterministic order.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from itertools import product
from typing import TypeAlias

from xdsl.ir import Operation

from ...analysis.domain import is_inside
from ...diagnostics import fail
from ...dialects.loop import AllocOp, BarrierOp, ForOp, is_of_threads, is_over_threads
from ...traversal import operations
from ..races import Races
from .function import Emit, FunctionEmitter
from .text import tuple_text

Thread: TypeAlias = Generator[Operation, None, None]
"""The operations of one thread; it yields the barrier at which it waits."""


def runs_at_once(emitter: FunctionEmitter, op: ForOp) -> bool:
    """Return whether the iterations of an outermost loop over threads run at once, not one after the other."""
    return is_over_threads(op) and (emitter.program.races is not None or holds_barrier(op))


def holds_barrier(op: Operation) -> bool:
    return any(isinstance(nested, BarrierOp) for nested in operations(op))


def emit_block_of_threads(emitter: FunctionEmitter, op: ForOp) -> None:
    """Emit all threads of the nest `op`."""
    extents = _extents(emitter, op)
    for nested in op.walk():
        if isinstance(nested, AllocOp) and is_of_threads(nested.res.type):
            _check_known_before(nested, op)
            emitter.emit(nested)
            emitter.made_before.add(nested)
    emitter.threads = {tag: emitter.fresh(tag) for tag in extents}
    function = emitter.fresh("thread")
    outer_depth, emitter.loop_depth = emitter.loop_depth, 0
    with emitter.lines.block(f"def {function}({', '.join(emitter.threads.values())}):"):
        emitter.add("yield from ()")
        emit_iteration_of_thread(emitter, op)
    emitter.loop_depth = outer_depth
    emitter.threads = None
    races = "" if emitter.program.races is None else f", {emitter.bind(emitter.program.races, 'races')}"
    run = emitter.bind(run_block, "run_block")
    emitter.add(f"{run}({emitter.op(op)}, {function}, {tuple_text(list(extents.values()))}{races})")


def emit_iteration_of_thread(emitter: FunctionEmitter, op: ForOp) -> None:
    """Emit the iteration of a loop over threads that the thread runs, if there is one."""
    assert emitter.threads is not None
    number = emitter.threads[op.kind.tag.data]
    emitter.alias(op.induction_variable, number)
    bounds = [f"{emitter.index(e)} <= {number}" for e in op.lowers]
    bounds += [f"{number} < {emitter.index(e)}" for e in op.uppers]
    with emitter.lines.block(f"if {' and '.join(bounds)}:"):
        if emitter.program.counts_steps:
            spend = emitter.bind(emitter.program.spend, "spend")
            emitter.add(f"{spend}({sum(1 for _ in op.body.block.ops)}, {emitter.op(op)})")
        emitter.emit_block(op.body.block)


def _extents(emitter: FunctionEmitter, nest: ForOp) -> dict[str, str]:
    """Return the number of threads along each axis, as text: the greatest trip count of the loops over it."""
    found: dict[str, dict[str, None]] = {}
    for op in nest.walk():
        if isinstance(op, ForOp) and is_over_threads(op):
            if op.iter_args:
                fail("TW0536", "expected loops over threads to carry no values from one to the next", op=op)
            _check_known_before(op, nest)
            uppers = [emitter.index(e) for e in op.uppers]
            text = uppers[0] if len(uppers) == 1 else f"min({', '.join(uppers)})"
            found.setdefault(op.kind.tag.data, {})[text] = None
    return {tag: next(iter(t)) if len(t) == 1 else f"max({', '.join(t)})" for tag, t in found.items()}


def _check_known_before(op: ForOp | AllocOp, nest: ForOp) -> None:
    sizes = op.dims if isinstance(op, ForOp) else op.operands
    if any(is_inside(value, nest) for value in sizes):
        what = "how many threads there are" if isinstance(op, ForOp) else "the size of a shared buffer"
        fail("TW0536", f"expected {what} to be known before the threads start", op=op)


def _emit_barrier(emitter: FunctionEmitter, op: BarrierOp) -> None:
    if emitter.threads is None:
        fail("TW0535", "expected a barrier inside a loop over threadIdx, but there is none around it", op=op)
    emitter.add(f"yield {emitter.op(op)}")


def _emit_nothing(emitter: FunctionEmitter, op: Operation) -> None:
    """Emit nothing: asynchronous copies are made at once."""


def run_block(op: Operation, thread: Callable[..., Thread], extents: Sequence[int], races: Races | None = None) -> None:
    """Run a block of so many threads along each axis. Raises TW0535 where they do not meet at the same barrier."""
    threads = [thread(*numbers) for numbers in product(*map(range, extents))]
    if races is not None:
        races.start(op)
    while threads:
        waiting: list[Operation | None] = []
        for number, each in enumerate(threads):
            if races is not None:
                races.thread = number
            waiting.append(next(each, None))
        barrier = waiting[0]
        if any(other is not barrier for other in waiting):
            _fail_divergent(waiting)
        if races is not None:
            races.meet(barrier)
        if barrier is None:
            return


def _fail_divergent(waiting: Sequence[Operation | None]) -> None:
    barrier = next(op for op in waiting if op is not None)
    here = waiting.count(barrier)
    fail(
        "TW0535",
        f"expected all {len(waiting)} threads of a block at the barrier, but only {here} reach it",
        op=barrier,
        help="no condition and no loop bound around a barrier may depend on the thread",
    )


EMIT: dict[str, Emit] = {
    "loop.async_commit": _emit_nothing,
    "loop.async_wait": _emit_nothing,
    "loop.barrier": _emit_barrier,
}
