"""A count of rewrites and a limit on them, for the search for a wrong rewrite.

A rewrite is one application of a pattern, or one change of a pass that asks `may_rewrite` before it makes it. They are
numbered from 1 over all passes in order of execution. A number always means the same rewrite, because the rewrites
before it do not depend on the limit.

`passes.framework.rewriting` applies and counts the patterns of this compiler. A pass that was written for xDSL uses a
`PatternRewriteWalker`, which has no counter. While a counter is active in any thread, the method of the walker is
replaced: in that thread the walker gets counted patterns, in other threads nothing changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TypeAlias

from xdsl.ir import Operation, Region
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
)

from ..diagnostics.locations import location_of, source_position


@dataclass
class RewriteCounter:
    """Counts rewrites and stops after `limit` of them; without a limit it only counts."""

    limit: int | None = None
    counts_passes: bool = False
    """True if a pass that changes a module and counts nothing is one rewrite, which costs a copy of each module."""
    limits_needed: bool = False
    """True if the limit also holds for rewrites that later passes need, because there are no later passes."""
    count: int = 0
    last: str = ""
    """The last rewrite that was made: its name and its operation."""
    by_name: Counter[str] = field(default_factory=Counter[str])
    """The number of rewrites, by their names."""

    @property
    def is_spent(self) -> bool:
        return self.limit is not None and self.count >= self.limit

    def made(self, rewrite: str, where: str) -> None:
        """Count a rewrite."""
        self.count += 1
        self.by_name[rewrite] += 1
        if self.count == self.limit:
            self.last = f"{rewrite} on {where}"


_Walk: TypeAlias = Callable[[PatternRewriteWalker, Region], bool]
_METHOD = "rewrite_region"


class _CountingWalkers:
    """Replaces the method of xDSL's walker while at least one counter is active."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._active = 0
        self._original: _Walk | None = None
        self._replacement: _Walk | None = None

    def __enter__(self) -> None:
        with self._lock:
            self._active += 1
            if self._active == 1:
                self._original = PatternRewriteWalker.rewrite_region
                self._replacement = _counted_walk(self._original)
                setattr(PatternRewriteWalker, _METHOD, self._replacement)

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._active -= 1
            # If another library replaced the method in between, its replacement stays and calls the original through
            # this one.
            if self._active == 0 and PatternRewriteWalker.rewrite_region is self._replacement:
                assert self._original is not None
                setattr(PatternRewriteWalker, _METHOD, self._original)


_counting_walkers = _CountingWalkers()
_counter: ContextVar[RewriteCounter | None] = ContextVar("rewrites", default=None)


@contextmanager
def count_rewrites(
    limit: int | None = None, *, counts_passes: bool = False, limits_needed: bool = False
) -> Generator[RewriteCounter]:
    """Count rewrites inside the `with`, and make no more than `limit`; see `RewriteCounter`."""
    counter = RewriteCounter(limit, counts_passes, limits_needed)
    token = _counter.set(counter)
    try:
        with _counting_walkers:
            yield counter
    finally:
        _counter.reset(token)


def active_counter() -> RewriteCounter | None:
    """Return the active counter of rewrites, if any."""
    return _counter.get()


def may_rewrite(rewrite: str, op: Operation, *, is_needed: bool = False) -> bool:
    """Return whether a pass may change `op`, and count the change. `rewrite` names the change in a word or two.

    `is_needed`: later passes need the change, as for conversions. It is omitted only where the pass runs alone.
    """
    counter = _counter.get()
    if counter is None:
        return True
    if counter.is_spent and (counter.limits_needed or not is_needed):
        return False
    counter.made(rewrite, describe(op))
    return True


def describe(op: Operation) -> str:
    """Return the name of an op and its source position."""
    position = source_position(location_of(op))
    return f"{op.name} ({position})" if position else op.name


def _counted_walk(
    walk: Callable[[PatternRewriteWalker, Region], bool],
) -> Callable[[PatternRewriteWalker, Region], bool]:
    """Return `walk` with counted patterns where a counter is active and the walker does not count itself."""

    def rewrite_region(self: PatternRewriteWalker, region: Region) -> bool:
        counter = active_counter()
        if counter is None or getattr(self, "counts_rewrites", False):
            return walk(self, region)
        given = self.pattern
        self.pattern = _counted(given, counter)
        try:
            return walk(self, region)
        finally:
            self.pattern = given

    return rewrite_region


def _counted(pattern: RewritePattern, counter: RewriteCounter) -> RewritePattern:
    """Return `pattern`, counted. The members of a pattern applier are counted separately, by name."""
    if isinstance(pattern, GreedyRewritePatternApplier):
        inner = [_counted(each, counter) for each in pattern.rewrite_patterns]
        return _Counted(replace(pattern, rewrite_patterns=inner), counter, "fold or erase")
    return _Counted(pattern, counter, type(pattern).__name__)


@dataclass
class _Counted(RewritePattern):
    """A pattern that is tried only if the counter allows it, and is counted when it fires."""

    pattern: RewritePattern
    counter: RewriteCounter
    name: str

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if self.counter.is_spent:
            return
        matched, before = describe(op), self.counter.count
        self.pattern.match_and_rewrite(op, rewriter)
        if rewriter.has_done_action and self.counter.count == before:  # otherwise a pattern inside counted it
            self.counter.made(self.name, matched)
