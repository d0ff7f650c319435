"""Transforming loops: their shape, their order, and how their iterations run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException

from ...diagnostics import fail
from ...dialects.loop import PARALLEL, UNROLLED, VECTORIZED, BlockOp, ForOp, LoopKindAttr
from ..engine import Engine
from ..handles import BlockRV, LoopRV
from ..primitives.annotate import annotate, pragma, unannotate
from ..primitives.bind import bind
from ..primitives.block_iters import reorder_block_iter_var
from ..primitives.fuse import fuse
from ..primitives.import_foreign import FOREIGN_PRAGMAS, import_foreign
from ..primitives.kinds import set_kind
from ..primitives.merge import merge
from ..primitives.partition import loop_partition
from ..primitives.prefetch import prefetch
from ..primitives.remove_unit_loops import remove_unit_loops
from ..primitives.reorder import reorder
from ..primitives.split import split
from ..primitives.tile import tile
from ..primitives.unit_loop import add_unit_loop
from ..recording import recorded
from ..refusal import BAD_ARGUMENT


class LoopMethods(Engine):
    """split, fuse, merge, reorder, and the loop kinds."""

    @recorded
    def split(
        self,
        loop: LoopRV,
        factors: Sequence[int | None] | None = None,
        *,
        factor: int | None = None,
        nparts: int | None = None,
        preserve_unit_iters: bool = True,
        disable_predication: bool = False,
    ) -> tuple[LoopRV, ...]:
        """Split a loop by `factors` (outermost first, at most one None), an inner `factor`, or `nparts` outer parts.

        `preserve_unit_iters` keeps the variables of parts that run once in the expressions of the body.
        `disable_predication` refuses factors that would need a guard.
        """
        op = self.loop(loop)
        given = [x for x in (factors, factor, nparts) if x is not None]
        if len(given) != 1:
            fail(BAD_ARGUMENT, f"split: expected one of factors, factor and nparts, but got {len(given)}", op=op)
        parts = split(
            op,
            factors or ([None, factor] if factor is not None else [nparts, None]),
            preserve_unit_iters=preserve_unit_iters,
            disable_predication=disable_predication,
        )
        self._retire(op, "split")
        return tuple(self._loop_handle(part) for part in parts)

    @recorded
    def tile(
        self, x: LoopRV, y: LoopRV, x_factor: int, y_factor: int, *, assert_legal: bool = False
    ) -> tuple[LoopRV, ...]:
        """Split two nested loops by factors and reorder: outer x, outer y, inner x, inner y."""
        ops = self.loop(x), self.loop(y)
        parts, reassociates = tile(*ops, x_factor, y_factor, assert_legal=assert_legal)
        self._used(reassociates=reassociates)
        for op in ops:
            self._retire(op, "tiled")
        return tuple(self._loop_handle(part) for part in parts)

    @recorded
    def fuse(self, *loops: LoopRV, preserve_unit_iters: bool = True) -> LoopRV:
        """Fuse nested loops, outermost first, into one."""
        ops = [self.loop(handle) for handle in loops]
        fused = fuse(ops, preserve_unit_iters=preserve_unit_iters)
        for op in ops:
            self._retire(op, "fused")
        return self._loop_handle(fused)

    @recorded
    def merge(self, first: LoopRV, second: LoopRV, *, assert_legal: bool = False) -> LoopRV:
        """Merge two loops, one after the other, into one that runs the iterations of both."""
        ops = self.loop(first), self.loop(second)
        merged = merge(*ops, assert_legal=assert_legal)
        for op in ops:
            self._retire(op, "merged")
        return self._loop_handle(merged)

    @recorded
    def reorder(self, *loops: LoopRV, assert_legal: bool = False) -> None:
        """Permute nested loops into the order given."""
        self._used(reassociates=reorder([self.loop(handle) for handle in loops], assert_legal=assert_legal))

    @recorded
    def set_kind(self, loop: LoopRV, kind: str, *, tag: str = "", assert_legal: bool = False) -> None:
        """Set how iterations run: serial, parallel, vectorized, unrolled, vthread, or thread with a tag."""
        set_kind(self.loop(loop), _kind(kind, tag), assert_legal=assert_legal)

    @recorded
    def parallel(self, loop: LoopRV, *, assert_legal: bool = False) -> None:
        """Run the iterations of a loop in parallel."""
        set_kind(self.loop(loop), PARALLEL, assert_legal=assert_legal, primitive="parallel")

    @recorded
    def vectorize(self, loop: LoopRV, *, assert_legal: bool = False) -> None:
        """Run the iterations of a loop as the lanes of a vector."""
        set_kind(self.loop(loop), VECTORIZED, assert_legal=assert_legal, primitive="vectorize")

    @recorded
    def unroll(self, loop: LoopRV) -> None:
        """Unroll a loop."""
        set_kind(self.loop(loop), UNROLLED, primitive="unroll")

    @recorded
    def bind(self, loop: LoopRV, thread_axis: str | ThreadAxis, *, assert_legal: bool = False) -> None:
        """Run the iterations of a loop by the threads of an axis: "threadIdx.x", or what te.thread_axis returns."""
        tag = thread_axis if isinstance(thread_axis, str) else thread_axis.thread_tag
        bind(self.loop(loop), tag, assert_legal=assert_legal)

    @recorded
    def loop_partition(self, loop: LoopRV, points: Sequence[int] | None = None) -> tuple[LoopRV, ...]:
        """Cut the range of a loop at points, or where conditions in it turn: loops that follow one another."""
        op = self.loop(loop)
        parts = loop_partition(op, points)
        self._retire(op, "partitioned")
        return tuple(self._loop_handle(part) for part in parts)

    @recorded
    def add_unit_loop(self, block_or_loop: BlockRV | LoopRV) -> LoopRV:
        """Put a loop that runs once around a block or a loop."""
        return self._loop_handle(add_unit_loop(self._annotated(block_or_loop)))

    @recorded
    def remove_unit_loops(self, *loops: LoopRV) -> None:
        """Put the bodies of serial loops that run once in the loops' places: of all such loops, or of those given."""
        for op in remove_unit_loops(self.func, [self.loop(handle) for handle in loops]):
            self._retire(op, "removed")

    @recorded
    def reorder_block_iter_var(self, block: BlockRV, new_order: Sequence[int]) -> None:
        """List the iteration variables of a block in another order, given by their old positions."""
        reorder_block_iter_var(self.block(block), new_order)

    @recorded
    def annotate(self, block_or_loop: BlockRV | LoopRV, key: str, value: Any = None) -> None:
        """Put a remark on a block or a loop."""
        annotate(self._annotated(block_or_loop), key, value)

    @recorded
    def unannotate(self, block_or_loop: BlockRV | LoopRV, key: str) -> None:
        """Take a remark off a block or a loop."""
        unannotate(self._annotated(block_or_loop), key)

    @recorded
    def pragma(self, loop: LoopRV, key: str, value: Any = None) -> None:
        """Say how a loop is lowered: "auto_unroll_max_step" or "unroll_explicit".

        "import_c" and "import_llvm" give the function around it foreign code, as `import_foreign` does.
        """
        op = self.loop(loop)
        if key in FOREIGN_PRAGMAS:
            import_foreign(self.func, FOREIGN_PRAGMAS[key], value)
        else:
            pragma(op, key, value)

    @recorded
    def prefetch(
        self, buffer: str | SSAValue, loop: LoopRV, offset: int, within: LoopRV | None = None, cache: int = 1
    ) -> None:
        """Ask in each iteration of a loop for what the iteration `offset` later reads of a buffer.

        With `within`, a loop inside, its iterations share the request out. Lines come into the first cache or into the
        second one, as `cache` says.
        """
        inner = None if within is None else self.loop(within)
        prefetch(self._buffer(buffer), self.loop(loop), offset, inner, cache)

    def _annotated(self, handle: BlockRV | LoopRV) -> BlockOp | ForOp:
        return self.block(handle) if isinstance(handle, BlockRV) else self.loop(handle)


class ThreadAxis(Protocol):
    """An axis of threads, known by its tag."""

    @property
    def thread_tag(self) -> str: ...


def _kind(kind: str, tag: str) -> LoopKindAttr:
    try:
        return LoopKindAttr.of(kind, tag)
    except VerifyException as error:
        fail(BAD_ARGUMENT, f"set_kind: {error}")
