"""Schedules that were accepted once and gave wrong numbers, rebuilt with the check that refuses them switched off."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from itertools import product
from typing import Any

import pytest
from tilewright.dialects import context
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.schedule import Schedule
from xdsl.dialects.builtin import ModuleOp

from ..calls import Names
from ..programs import parse
from ..test_empty_reductions import TWO, fixed, row_sums
from ..test_fused_sizes import chained
from ..test_scratch import reduction, refilled, scan, scanned_consumer
from .steps import Step, functions

_PRIMITIVES = "tilewright.schedule.primitives."


def _accept(*arguments: Any, **options: Any) -> None:
    """Accept anything, instead of a check."""


def _as_given(domain: Any, *others: Any) -> Any:
    return domain


CHECKS: dict[str, tuple[str, str, Callable[..., Any]]] = {
    "parts of a fused index take all their values": ("tilewright.analysis.instances", "with_free_parts", _as_given),
    "a part that runs no term begins no result": ("tilewright.analysis.instances", "_without", _as_given),
    "compute_root: written once": (_PRIMITIVES + "compute_root", "check_written_once", _accept),
    "compute_at: written once": (_PRIMITIVES + "compute_at", "check_written_once", _accept),
    "cache_write: own reads": (_PRIMITIVES + "cache_read_write", "check_reads_of_results", _accept),
    "reverse_compute_at: own reads": (_PRIMITIVES + "reverse_compute_at", "check_reads_of_results", _accept),
    "decompose_reduction: shared loops": (_PRIMITIVES + "decompose_reduction", "_check_shared_loops", _accept),
    "lower-blocks: init of no terms": ("tilewright.passes.phase1.lower_blocks", "init_if_empty", _accept),
}
"""Checks of the engine by name: module, function, and what stands in its place."""


@dataclass(frozen=True)
class Wrong:
    """A wrong schedule: a program, the calls, and the checks that have to be off for them to be accepted."""

    name: str
    text: str
    calls: str
    off: tuple[str, ...]
    passes: str = ""
    """The pass that shows the fault, where the scheduled program still means the same."""

    def step(self) -> Step:
        """Return the program before and after."""
        module = parse(self.text)
        with _without_checks(self.off):
            before = functions(module)[0].clone()
            schedule = Schedule(module)
            schedule_by(schedule, self.calls)
            module.verify()
            if self.passes:
                before = schedule.func.clone()
                PassManager(parse_pipeline(self.passes)).run(context(), module)
        assert isinstance(module, ModuleOp)
        return Step(self.name, before, functions(module)[0].clone(), schedule.algebra)


def rows_and_columns(rows: int | None, columns: int | None) -> str:
    """Return Q = A * A and R = Q + A, where a size that is given is a number."""
    type_ = f"memref<{rows or '?'}x{columns or '?'}xf64>"
    lines = chained().replace("memref<?x?xf64>", type_).splitlines()
    given = [(name, size) for name, size in (("%n", rows), ("%m", columns)) if size is not None]
    for name, size in given:
        lines = [line for line in lines if not line.startswith(f"  {name} = ")]
        dynamic = "%m" if name == "%n" else "%n"
        lines = [
            line.replace("loop.alloc (%n, %m)", f"loop.alloc ({dynamic})").replace(name, str(size)) for line in lines
        ]
    return "\n".join(lines)


def schedule_by(schedule: Schedule, calls: str) -> None:
    """Make the calls of a text, separated by semicolons; after `loop_partition` in them, `part` is the last loop of
    those that it made, and `block` the block in that."""
    handles: dict[str, Any] = {}
    for each in filter(None, calls.split("; ")):
        made = eval(each, {"__builtins__": {}}, ChainMap(handles, Names(schedule)))  # pyright: ignore
        if each.startswith("loop_partition"):
            handles = {"part": made[-1], "block": schedule.get_child_blocks(made[-1])[0]}


@contextmanager
def _without_checks(names: tuple[str, ...]) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name in names:
            module, function, instead = CHECKS[name]
            assert hasattr(import_module(module), function)
            patch.setattr(f"{module}.{function}", instead)
        yield


_FUSED = ("parts of a fused index take all their values",)
_ROOT, _AT = ("compute_root: written once",), ("compute_at: written once",)
_READS, _PARTS = ("cache_write: own reads",), ("a part that runs no term begins no result",)
_EMPTY = ("lower-blocks: init of no terms",)


def _fused() -> Iterator[Wrong]:
    for rows, columns in ((None, None), (5, None)):
        for last in ('cache_write(R, 0, "local")', 'reindex(R, ("write", 0))'):
            name = f"{last.split('(')[0]} of a part of a fused nest, {rows or 'n'} x {columns or 'm'}"
            calls = f"fuse(p, q); split(p_q, [None, 4]); compute_at(Q, p_qo); {last}"
            yield Wrong(name, rows_and_columns(rows, columns), calls, _FUSED)


def _refilled() -> Iterator[Wrong]:
    for inside, terms in product((False, True), (None, 5)):
        text = refilled(sum_of=terms, inside=inside)
        for calls, off in (
            ("compute_root(T)", _ROOT),
            ("compute_at(T, y)", _AT),
            ("split(r, [None, 2]); compute_at(T, y)", _AT),
            ("add_unit_loop(T); compute_root(T)", _ROOT),
            ('cache_write(T, 0, "local"); compute_root(T)', _ROOT),
        ):
            position, kind = "inside" if inside else "outside", "copy" if terms is None else "sum"
            yield Wrong(f"{calls} of a {kind} into scratch {position}", text, calls, off)


def _neighbours() -> Iterator[Wrong]:
    for read in ("%vi + 1", "%vi + 4", "7", "(%vi + 3) mod 4", "6 - %vk"):
        yield Wrong(f"cache_write of a sum that reads C[{read}]", reduction(read), 'cache_write(C, 0, "local")', _READS)


def _no_terms() -> Iterator[Wrong]:
    for calls in (
        "fuse(i, k)",
        "loop_partition(k, points=[3])",
        "split(k, [None, 4]); fuse(i, ko)",
        "reorder(k, i); fuse(k, i)",
    ):
        yield Wrong(f"no terms after {calls}", row_sums(), calls, _EMPTY, "lower-blocks")
    yield Wrong("no terms after fuse(i, l, k)", TWO, "fuse(i, l, k)", _EMPTY, "lower-blocks")
    calls = "reorder(k, i); fuse(k, i); decompose_reduction(S, k_i)"
    yield Wrong("no terms after decompose_reduction", row_sums(), calls, ("decompose_reduction: shared loops",))


def _parts() -> Iterator[Wrong]:
    for terms, calls in (
        (7, "split(k, [None, 8]); loop_partition(ki, points=[7])"),
        (7, "split(k, [None, 16]); loop_partition(ki, points=[3, 9])"),
        (12, "split(k, [None, 16]); loop_partition(ki, points=[13])"),
    ):
        yield Wrong(f"{calls}; rfactor of {terms} terms", fixed(terms), f"{calls}; rfactor(part)", _PARTS)


def _private_reads() -> Iterator[Wrong]:
    yield Wrong("a running sum in another buffer", scan(), 'cache_write(T, 0, "local")', _READS)
    off = ("reverse_compute_at: own reads",)
    yield Wrong("a consumer that reads its results", scanned_consumer(), "reverse_compute_at(E, x)", off)


WRONG = [*_fused(), *_refilled(), *_neighbours(), *_no_terms(), *_parts(), *_private_reads()]
