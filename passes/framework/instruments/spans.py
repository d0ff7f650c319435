"""The times of a compilation: spans with a name, a start, an end and inner spans.

A `Recorder` records spans. Code states a span by `with span("vectorize", "pass")`, which costs one lookup without a
recorder. Recorders nest; each has a separate clock and separate spans. A thread that works for a recorded thread runs
in a copy of its context (`contextvars.copy_context`), which gives its spans a parent.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

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
    """Keeps spans. Use `recording` as a context manager: what runs inside it is recorded."""

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
