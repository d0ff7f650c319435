"""The times of a compilation as a tree of phases, passes and inner spans.

Spans of one name under one parent are one line with their count, so that the report of fifty kernels has no more lines
than the report of two. Times are read from the clock of the spans. Spans of other threads are marked.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp

from ....renamed import with_earlier_members
from .base import Instrument
from .spans import Kind, Recorder, Span

_AROUND: tuple[Kind, ...] = ("verification", "instruments")


class Timing(Instrument):
    """Records the runs of managers. Verification and instruments have lines of their kind beside passes.

    `clock` gives the seconds: wall-clock time, or `time.process_time` for CPU time.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self.recorder = Recorder(clock)
        self._active = ExitStack()
        self._depth = 0

    def before_run(self, module: ModuleOp) -> None:
        if self._depth == 0:
            self._active.enter_context(self.recorder.recording())
        self._depth += 1

    def after_run(self, module: ModuleOp) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._active.close()

    @property
    def seconds(self) -> list[tuple[str, float]]:
        """Passes in the order run, each with its seconds."""
        return [(span.name, span.seconds) for span in self.recorder.walk() if span.kind == "pass"]

    def report(self) -> str:
        """Return the tree as text: `time_report`."""
        return time_report(self.recorder)


@with_earlier_members
@dataclass
class TimeNode:
    """Spans of one name below one parent."""

    name: str
    kind: Kind
    count: int = 0
    seconds: float = 0.0
    self_seconds: float = 0.0
    is_beside: bool = False
    """True if the spans ran in other threads than their parent."""
    children: dict[str, TimeNode] = field(default_factory=dict[str, "TimeNode"])

    def add(self, span: Span) -> None:
        """Count a span and those inside it."""
        self.count += 1
        self.seconds += span.seconds
        self.self_seconds += span.self_seconds
        self.is_beside |= span.parent is not None and span.parent.thread != span.thread
        for child in span.children:
            self.children.setdefault(child.name, TimeNode(child.name, child.kind)).add(child)

    def lines(self, total: float, depth: int) -> Iterator[str]:
        """Yield this node's line and, indented, those of its children. Time outside of passes comes last."""
        times = f" ×{self.count}" if self.count > 1 else ""
        beside = " (beside)" if self.is_beside else ""
        yield _line(self.seconds, self.self_seconds, total, f"{'  ' * depth}{self.name}{times}{beside}")
        for child in sorted(self.children.values(), key=lambda node: node.kind in _AROUND):
            yield from child.lines(total, depth + 1)


def time_tree(roots: Iterable[Span]) -> dict[str, TimeNode]:
    """Return spans joined by name."""
    nodes: dict[str, TimeNode] = {}
    for span in roots:
        nodes.setdefault(span.name, TimeNode(span.name, span.kind)).add(span)
    return nodes


def time_report(recorder: Recorder) -> str:
    """Return the recorded time as lines: total time, self time (without that of the lines below), share of the whole,
    the name of the span, and its count."""
    nodes = time_tree(recorder.roots).values()
    total = sum(node.seconds for node in nodes)
    lines = [f"{'total':>13} {'self':>13}   share"]
    lines += [line for node in nodes for line in node.lines(total, 0)]
    return "\n".join([*lines, _line(total, 0.0, total, "total")])


def _line(seconds: float, exclusive: float, total: float, name: str) -> str:
    share = 100 * seconds / total if total else 0.0
    return f"{1e3 * seconds:10.1f} ms {1e3 * exclusive:10.1f} ms {share:5.1f} %  {name}"
