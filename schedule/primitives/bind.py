"""bind: the iterations of a loop as the threads of an axis."""

from __future__ import annotations

from typing import Protocol

from ...analysis.thread_conflicts import is_same_work
from ...diagnostics import fail
from ...diagnostics.text import did_you_mean
from ...dialects import loop
from ...dialects.loop.kinds import THREAD_TAGS
from ...traversal import operations
from ..engine import Engine
from ..handles import LoopRV
from ..primitive_declaration import LOOPS, register_primitive
from ..refusal import BAD_THREAD, loop_name
from .set_kind import set_loop_kind


class ThreadAxis(Protocol):
    """An axis of threads, known by its tag."""

    @property
    def thread_tag(self) -> str: ...


VTHREADS = ("vthread", *(f"vthread.{axis}" for axis in "xyz"))


@register_primitive(LOOPS)
def bind(sch: Engine, loop: LoopRV, thread_axis: str | ThreadAxis, *, assert_legal: bool = False) -> None:
    """Run each iteration of a loop on a GPU thread of an axis, such as "threadIdx.x", or on a virtual thread.

    `thread_axis` is the tag of the axis, or a result of `te.thread_axis`. No iteration may access an element that
    another iteration writes. Only one loop around a statement may be bound to an axis. Exception: a loop may be bound
    inside another loop of the same axis where it does the same work in each iteration of the outer loop, as where all
    threads of a block fill a shared buffer. A loop of virtual threads ("vthread") needs a constant number of
    iterations; the pass `lower-vthread` replicates its statements within one thread.

    before:
    ```mlir
    loop.for %i = 0 to 64 {
      loop.block "B" (%vi = spatial(%i) in 64) { … }
    }
    ```
    after `bind(i, "threadIdx.x")`:
    ```mlir
    loop.for %i = 0 to 64 kind thread<"threadIdx.x"> {
      loop.block "B" (%vi = spatial(%i) in 64) { … }
    }
    ```
    """
    tag = thread_axis if isinstance(thread_axis, str) else thread_axis.thread_tag
    _bind(sch.loop(loop), tag, assert_legal=assert_legal)


def _bind(op: loop.ForOp, tag: str, *, assert_legal: bool = False) -> None:
    if tag in VTHREADS:
        set_loop_kind(op, loop.LoopKindAttr.of("vthread"), assert_legal=assert_legal, primitive="bind")
        return
    if tag not in THREAD_TAGS:
        known = [*THREAD_TAGS, "vthread"]
        fail(
            BAD_THREAD,
            f"bind: expected a thread axis of {', '.join(known)}, but got {tag!r}{did_you_mean(tag, known)}",
            op=op,
        )
    inside = (nested for nested in operations(op) if isinstance(nested, loop.ForOp) and nested is not op)
    for other in (*loop.enclosing(op, loop.ForOp), *inside):
        if isinstance(other, loop.ForOp) and other.kind.tag.data == tag and not _are_same_threads(op, other):
            message = f"bind: loop {loop_name(op)} and loop {loop_name(other)} around or inside it cannot both be {tag}"
            fail(BAD_THREAD, message, op=op, help="bind one of them to another axis, or fuse the two first")
    set_loop_kind(op, loop.LoopKindAttr.of("thread", tag), assert_legal=assert_legal, primitive="bind")


def _are_same_threads(op: loop.ForOp, other: loop.ForOp) -> bool:
    """Return whether the threads of a block can run one loop inside the other together."""
    if not loop.is_over_threads(other):
        return False
    outer, inner = (other, op) if other.is_ancestor(op) else (op, other)
    return is_same_work(inner, outer)
