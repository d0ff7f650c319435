"""Calls of every affine primitive that a schedule has places for: most are accepted, some refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tilewright import TilewrightError
from tilewright.analysis.equivalence import EXACT
from tilewright.dialects import loop
from tilewright.schedule import BlockRV, LoopRV, Schedule

from .steps import Step


@dataclass(frozen=True)
class Attempt:
    """A call to be made on a copy of a schedule."""

    primitive: str
    text: str
    make: Callable[[Schedule], Any]

    def step(self, schedule: Schedule) -> Step | None:
        """Apply the call to the function and return the step; None if the engine refuses it or nothing changes."""
        copy = schedule.copy()
        copy.algebra = EXACT
        try:
            self.make(copy)
        except TilewrightError as error:
            assert error.code.startswith("TW04"), error
            return None
        if str(copy.func) == str(schedule.func):
            return None
        return Step(f"{self.primitive} {self.text}", schedule.func.clone(), copy.func.clone(), copy.algebra)


def attempts(schedule: Schedule) -> Iterator[Attempt]:
    """Yield calls at every loop, every pair of neighbours, every block, and every buffer of a block."""
    blocks = list(schedule.get_child_blocks())
    loops = list(dict.fromkeys(h for b in blocks for h in schedule.get_loops(b)))
    for one in loops:
        yield from _of_loop(schedule, one)
    for nest in dict.fromkeys(schedule.get_loops(b) for b in blocks):
        yield from _of_nest(nest)
    roots = list(schedule.get_child_loops())
    for first, second in pairwise(roots):
        yield Attempt("merge", f"{first} {second}", lambda s, a=first, b=second: s.merge(a, b))
    for block in blocks:
        yield from _of_block(schedule, block, loops)
        yield from _of_buffers(schedule, block)


def _of_loop(schedule: Schedule, one: LoopRV) -> Iterator[Attempt]:
    op = schedule.loop(one)
    text = str(op.induction_variable.name_hint)
    yield Attempt("split", f"{text} by 4", lambda s: s.split(one, [None, 4]))
    yield Attempt("split", f"{text} into 3", lambda s: s.split(one, [3, None]))
    yield Attempt("split, parallel", f"{text} into 3", lambda s: s.parallel(s.split(one, [3, None])[0]))
    yield Attempt("split, reorder", f"{text} into 3", lambda s: s.reorder(*s.split(one, [3, None])[::-1]))
    yield Attempt("split", f"{text} by 3 and 5", lambda s: s.split(one, [None, 3, 5]))
    yield Attempt("loop_partition", text, lambda s: s.loop_partition(one, points=[2]))
    yield Attempt("add_unit_loop", text, lambda s: s.add_unit_loop(one))
    yield Attempt("unroll", text, lambda s: s.unroll(one))
    yield Attempt("parallel", text, lambda s: s.parallel(one))
    yield Attempt("vectorize", text, lambda s: s.vectorize(one))
    yield Attempt("bind", text, lambda s: s.bind(one, "vthread"))
    yield Attempt("rfactor", text, lambda s: s.rfactor(one))
    yield Attempt("blockize", text, lambda s: s.blockize(one))
    yield Attempt("split, rfactor", text, lambda s: s.rfactor(s.split(one, [None, 4])[1]))


def _of_nest(nest: Sequence[LoopRV]) -> Iterator[Attempt]:
    for a, b in pairwise(nest):
        text = f"{a} {b}"
        yield Attempt("fuse", text, lambda s, a=a, b=b: s.fuse(a, b))
        yield Attempt("fuse, split", text, lambda s, a=a, b=b: s.split(s.fuse(a, b), [None, 4]))
        yield Attempt("reorder", text, lambda s, a=a, b=b: s.reorder(b, a))
        yield Attempt("tile", text, lambda s, a=a, b=b: s.tile(a, b, 4, 3))


def _of_block(schedule: Schedule, block: BlockRV, loops: Sequence[LoopRV]) -> Iterator[Attempt]:
    op = schedule.block(block)
    label, count = op.label, len(op.kinds)
    letters = "abcdefgh"[:count]
    names, turned = ", ".join(letters), ", ".join(reversed(letters))
    yield Attempt("compute_inline", label, lambda s: s.compute_inline(block))
    yield Attempt("reverse_compute_inline", label, lambda s: s.reverse_compute_inline(block))
    yield Attempt("compute_root", label, lambda s: s.compute_root(block))
    yield Attempt("add_unit_loop", label, lambda s: s.add_unit_loop(block))
    yield Attempt(
        "transform_block_layout", label, lambda s: s.transform_block_layout(block, f"({names}) -> ({turned})")
    )
    yield Attempt(
        "reorder_block_iter_var", label, lambda s: s.reorder_block_iter_var(block, list(reversed(range(count))))
    )
    yield Attempt("pad_einsum", label, lambda s: s.pad_einsum(block, [3] * count))
    enclosing = set(schedule.get_loops(block))
    for one in loops:
        text = f"{label} {schedule.loop(one).induction_variable.name_hint}"
        if one in enclosing:
            yield Attempt("decompose_reduction", text, lambda s, one=one: s.decompose_reduction(block, one))
            yield Attempt("decompose_padding", text, lambda s, one=one: s.decompose_padding(block, one))
        else:
            yield Attempt("compute_at", text, lambda s, one=one: s.compute_at(block, one))
            yield Attempt("reverse_compute_at", text, lambda s, one=one: s.reverse_compute_at(block, one))
            yield Attempt("split, compute_at", text, lambda s, one=one: s.compute_at(block, s.split(one, [None, 4])[0]))


def _of_buffers(schedule: Schedule, block: BlockRV) -> Iterator[Attempt]:
    op = schedule.block(block)
    label = op.label
    accesses = [n for n in op.walk() if isinstance(n, (loop.LoadOp, loop.StoreOp))]
    read = dict.fromkeys(n.buffer.name_hint or "" for n in accesses if isinstance(n, loop.LoadOp))
    written = dict.fromkeys(n.buffer.name_hint or "" for n in accesses if isinstance(n, loop.StoreOp))
    ranks = {n.buffer.name_hint or "": len(n.index) for n in accesses}
    for name in read:
        yield Attempt("cache_read", f"{label} {name}", lambda s, name=name: s.cache_read(block, name, "local"))
    for name in written:
        yield Attempt("cache_write", f"{label} {name}", lambda s, name=name: s.cache_write(block, name, "local"))
        yield Attempt("double_buffer", f"{label} {name}", lambda s, name=name: s.double_buffer(block, name))
        yield Attempt("rolling_buffer", f"{label} {name}", lambda s, name=name: s.rolling_buffer(block, name))
        yield Attempt("set_scope", f"{label} {name}", lambda s, name=name: s.set_scope(block, name, "local"))
        yield Attempt("storage_align", f"{label} {name}", lambda s, name=name: s.storage_align(block, name, 0, 8, 1))
    for name in {**read, **written}:
        letters = "abcdefgh"[: ranks[name]]
        parts = [*letters[1:], f"{letters[0]} floordiv 4", f"{letters[0]} mod 4"]
        map_ = f"({', '.join(letters)}) -> ({', '.join(parts)})"
        yield Attempt("reindex", f"{label} {name}", lambda s, name=name: s.reindex(block, name))
        yield Attempt(
            "transform_layout",
            f"{label} {name}",
            lambda s, name=name, map_=map_: s.transform_layout(block, name, map_),
        )
