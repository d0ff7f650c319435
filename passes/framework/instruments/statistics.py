"""The statistics of each pass: rewrites by name, operations before and after by dialect, and figures of the pass.

Rewrites are those that `ir.rewrites` counts. A pass adds a figure with `statistic("tiles", 3)`, which has no effect
without this instrument.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ....ir.rewrites import active_counter, count_rewrites
from ....traversal import operations
from ..options import spec_of
from .base import Instrument


@dataclass
class PassStatistics:
    """The statistics of one run of a pass."""

    pass_name: str
    """The pass with its options."""
    before: Mapping[str, int]
    """Operations by dialect."""
    after: Mapping[str, int] = field(default_factory=dict[str, int])
    rewrites: Mapping[str, int] = field(default_factory=dict[str, int])
    """The numbers of rewrites by description, including rewrites of passes that run inside this one."""
    figures: Counter[str] = field(default_factory=Counter[str])
    """The figures that the pass reported with `statistic`."""

    def as_json(self) -> dict[str, Any]:
        """Return the statistics as a dictionary with sorted keys."""
        return {
            "pass": self.pass_name,
            "ops": {"before": dict(sorted(self.before.items())), "after": dict(sorted(self.after.items()))},
            "rewrites": dict(sorted(self.rewrites.items())),
            "statistics": dict(sorted(self.figures.items())),
        }

    def rows(self) -> Iterator[tuple[str, str]]:
        """Yield the changes, each as a name and a figure."""
        if self.before != self.after:
            yield "ops", f"{sum(self.before.values())} -> {sum(self.after.values())}"
        for dialect in sorted({*self.before, *self.after}):
            before, after = self.before.get(dialect, 0), self.after.get(dialect, 0)
            if before != after:
                yield f"ops {dialect}", f"{before} -> {after}"
        yield from _rows(self.rewrites, self.figures)


_active: ContextVar[Statistics | None] = ContextVar("statistics", default=None)


def statistic(name: str, count: int = 1) -> None:
    """Add `count` to the figure `name` of the pass that runs."""
    collector = _active.get()
    if collector is not None:
        collector.add(name, count)


class Statistics(Instrument):
    """Counts the rewrites of passes, the operations before and after them, and their figures."""

    def __init__(self) -> None:
        self.passes: list[PassStatistics] = []
        """In the order in which they started."""
        self._runs: list[ExitStack] = []
        self._open: list[tuple[ModulePass, PassStatistics, Counter[str]]] = []

    def before_run(self, module: ModuleOp) -> None:
        run = ExitStack()
        if active_counter() is None:
            run.enter_context(count_rewrites())
        token = _active.set(self)
        run.callback(lambda: _active.reset(token))
        self._runs.append(run)

    def after_run(self, module: ModuleOp) -> None:
        self._runs.pop().close()

    def before_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        opened = PassStatistics(spec_of(pass_), count_ops(module))
        self.passes.append(opened)
        self._open.append((pass_, opened, _rewrites()))

    def after_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        _, finished, earlier = self._open.pop()
        finished.after = count_ops(module)
        finished.rewrites = dict(_rewrites() - earlier)

    def after_failure(self, pass_: ModulePass, module: ModuleOp, error: Exception) -> None:
        if self._open and self._open[-1][0] is pass_:  # otherwise the pass ran, and a later step failed
            self._open.pop()

    def add(self, name: str, count: int) -> None:
        """Add to a figure of the innermost pass that runs."""
        if self._open:
            self._open[-1][1].figures[name] += count

    def as_json(self) -> str:
        """Return the statistics as a JSON list, a pass a line."""
        return "[\n" + ",\n".join(json.dumps(entry.as_json()) for entry in self.passes) + "\n]"

    def report(self) -> str:
        """Return a table: a section for each pass in the order run, and the sums of rewrites and figures."""
        sections = [(entry.pass_name, list(entry.rows())) for entry in self.passes]
        rewrites: Counter[str] = Counter()
        figures: Counter[str] = Counter()
        for entry in self.passes:
            rewrites.update(entry.rewrites)
            figures.update(entry.figures)
        sections.append(("total", list(_rows(rewrites, figures))))
        width = max((len(name) for _, rows in sections for name, _ in rows), default=0)
        return "\n".join(line for title, rows in sections for line in _section(title, rows, width))


def count_ops(module: ModuleOp) -> dict[str, int]:
    """Count the operations of each dialect in a module, itself left out."""
    counts = Counter(op.dialect_name() for op in operations(module))
    counts[module.dialect_name()] -= 1
    return dict(+counts)


def _rewrites() -> Counter[str]:
    counter = active_counter()
    return Counter() if counter is None else Counter(counter.by_name)


def _rows(rewrites: Mapping[str, int], figures: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    yield from ((f"rewrites {name}", str(count)) for name, count in sorted(rewrites.items()))
    yield from ((name, str(count)) for name, count in sorted(figures.items()))


def _section(title: str, rows: Iterable[tuple[str, str]], width: int) -> Iterator[str]:
    rows = list(rows)
    yield title if rows else f"{title}: no change"
    yield from (f"  {name:{width}}  {figure}" for name, figure in rows)
