"""The times of a compilation: spans with a name, a start, an end and inner spans, and their traces for Perfetto.

A `Recorder` records spans. Code states a span by `with span("vectorize", "pass")`, which costs one lookup without a
recorder. Recorders nest; each has a separate clock and separate spans. A thread that works for a recorded thread runs
in a copy of its context (`contextvars.copy_context`), which gives its spans a parent.

A trace, for Perfetto and chrome://tracing, has the format of Chrome's trace events in JSON: a complete event (`ph` X)
for each span, times in microseconds, and metadata events that name the process and the threads. Events of one thread
nest by their times.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Kind: TypeAlias = Literal[
    "compile", "run", "phase", "pass", "verification", "instruments", "locations", "rewriting", "llvm"
]
"""The kind of a span: a stage of a compilation; one run of a manager, and inside it a phase, a pass, the verification
after one, what watches, the locations given at the end; inside passes the rewriting by patterns; LLVM's work on a
function.
"""


@dataclass(eq=False)
class Span:
    """A stretch of time in one thread, in seconds of the recorder's clock."""

    name: str
    kind: Kind
    parent: Span | None
    thread: int
    start: float
    end: float = 0.0
    arguments: Mapping[str, str] = field(default_factory=dict[str, str])
    children: list[Span] = field(default_factory=list["Span"])

    @property
    def seconds(self) -> float:
        return self.end - self.start

    @property
    def self_seconds(self) -> float:
        """The time less that of the children in the same thread."""
        return self.seconds - sum(child.seconds for child in self.children if child.thread == self.thread)

    def walk(self) -> Iterator[Span]:
        """Yield this span and those inside it, in the order in which they started."""
        yield self
        for child in self.children:
            yield from child.walk()


class Recorder:
    """A list of spans. The context manager `recording` records the spans of the code inside its `with`."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self.roots: list[Span] = []
        """The outermost spans, in the order in which they started."""
        self._clock = clock

    @contextmanager
    def recording(self) -> Generator[Recorder]:
        """Record the spans opened inside the `with`."""
        token = _open.set((*_open.get(), (self, None)))
        try:
            yield self
        finally:
            _open.reset(token)

    def walk(self) -> Iterator[Span]:
        """Yield all spans, parents before their children."""
        for root in self.roots:
            yield from root.walk()

    def begin(self, name: str, kind: Kind, arguments: Mapping[str, str], parent: Span | None) -> Span:
        """Open a span inside `parent`."""
        opened = Span(name, kind, parent, threading.get_native_id(), self._clock(), arguments=arguments)
        (self.roots if parent is None else parent.children).append(opened)  # one bytecode: threads may do it at once
        return opened

    def finish(self, opened: Span) -> None:
        """Close a span."""
        opened.end = self._clock()


_open: ContextVar[tuple[tuple[Recorder, Span | None], ...]] = ContextVar("open_spans", default=())
"""Each active recorder with the innermost open span."""

_NOBODY: AbstractContextManager[None] = nullcontext()


def span(name: str | Callable[[], str], kind: Kind, **arguments: str) -> AbstractContextManager[None]:
    """Record the time of a `with` block under this name. A function that gives the name is called only while a recorder
    is open."""
    recorders = _open.get()
    if not recorders:
        return _NOBODY
    return _recorded(name if isinstance(name, str) else name(), kind, arguments)


@contextmanager
def _recorded(name: str, kind: Kind, arguments: Mapping[str, str]) -> Generator[None]:
    opened = tuple((r, r.begin(name, kind, arguments, parent)) for r, parent in _open.get())
    token = _open.set(opened)
    try:
        yield
    finally:
        _open.reset(token)
        for recorder, inner in opened:
            recorder.finish(inner)


def chrome_trace(recorder: Recorder, title: str = "tilewright") -> dict[str, Any]:
    """Return the trace of the recorded spans, with times from the first span's start."""
    spans = list(recorder.walk())
    start = min((span.start for span in spans), default=0.0)
    threads = list(dict.fromkeys(span.thread for span in spans))
    process = os.getpid()
    events: list[dict[str, Any]] = [_metadata("process_name", process, 0, title)]
    for number, thread in enumerate(threads):
        events.append(_metadata("thread_name", process, thread, f"worker {number}" if number else "main"))
    events += [_complete(span, process, start) for span in spans]
    return {"displayTimeUnit": "ms", "traceEvents": events}


def chrome_trace_text(recorder: Recorder, title: str = "tilewright") -> str:
    """Return `chrome_trace` as JSON, one event a line."""
    trace = chrome_trace(recorder, title)
    events = ",\n".join(json.dumps(event) for event in trace["traceEvents"])
    return f'{{"displayTimeUnit": "ms", "traceEvents": [\n{events}\n]}}\n'


def _metadata(name: str, process: int, thread: int, value: str) -> dict[str, Any]:
    return {"ph": "M", "name": name, "pid": process, "tid": thread, "args": {"name": value}}


def _complete(span: Span, process: int, start: float) -> dict[str, Any]:
    # Whole nanoseconds, so that rounding leaves children inside their parents.
    begin, end = round(1e9 * (span.start - start)), round(1e9 * (span.end - start))
    return {
        "ph": "X",
        "name": f"{span.name} @{function}" if (function := span.arguments.get("function")) else span.name,
        "cat": span.kind,
        "ts": begin / 1000,
        "dur": (end - begin) / 1000,
        "pid": process,
        "tid": span.thread,
        "args": dict(span.arguments),
    }
