"""Transforming loops: their shape, their order, and how their iterations run."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.utils.exceptions import VerifyException

from ...diagnostics import fail
from ...dialects.loop import LoopKindAttr
from ..engine import Engine
from ..handles import LoopRV
from ..primitives.fuse import fuse
from ..primitives.kinds import set_kind
from ..primitives.merge import merge
from ..primitives.reorder import reorder
from ..primitives.split import split
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
    ) -> tuple[LoopRV, ...]:
        """Split a loop by `factors` (outermost first, at most one None), an inner `factor`, or `nparts` outer parts."""
        op = self.loop(loop)
        given = [x for x in (factors, factor, nparts) if x is not None]
        if len(given) != 1:
            fail(BAD_ARGUMENT, f"split: expected one of factors, factor and nparts, but got {len(given)}", op=op)
        parts = split(op, factors or ([None, factor] if factor is not None else [nparts, None]))
        self._retire(op, "split")
        return tuple(self._loop_handle(part) for part in parts)

    @recorded
    def fuse(self, *loops: LoopRV) -> LoopRV:
        """Fuse nested loops, outermost first, into one."""
        ops = [self.loop(handle) for handle in loops]
        fused = fuse(ops)
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
        self.reassociates |= reorder([self.loop(handle) for handle in loops], assert_legal=assert_legal)

    @recorded
    def set_kind(self, loop: LoopRV, kind: str, *, tag: str = "", assert_legal: bool = False) -> None:
        """Set how iterations run: serial, parallel, vectorized, unrolled, vthread, or thread with a tag."""
        set_kind(self.loop(loop), _kind(kind, tag), assert_legal=assert_legal)

    def parallel(self, loop: LoopRV) -> None:
        """Run the iterations of a loop in parallel."""
        self.set_kind(loop, "parallel")

    def vectorize(self, loop: LoopRV) -> None:
        """Run the iterations of a loop as the lanes of a vector."""
        self.set_kind(loop, "vectorized")

    def unroll(self, loop: LoopRV) -> None:
        """Unroll a loop."""
        self.set_kind(loop, "unrolled")


def _kind(kind: str, tag: str) -> LoopKindAttr:
    try:
        return LoopKindAttr.of(kind, tag)
    except VerifyException as error:
        fail(BAD_ARGUMENT, f"set_kind: {error}")
