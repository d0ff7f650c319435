"""Walkers of patterns: the one of `passes.framework.rewriting`, and xDSL's; both count and limit rewrites.

A pass written for xDSL makes a `PatternRewriteWalker` itself and knows of no counter. While rewrites are counted, the
walker gets patterns that ask the counter before they are tried and tell it when they fired.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from xdsl.ir import Operation, Region
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriterListener,
    PatternRewriteWalker,
    RewritePattern,
)

from .rewrites import RewriteCounter, active_counter, describe


@dataclass(eq=False, repr=False)
class CountingWalker(PatternRewriteWalker):
    """xDSL's walker, which leaves the errors of patterns as they are. Its pattern counts what it does."""

    def _process_worklist(self, listener: PatternRewriterListener) -> bool:
        changed = False
        while self._worklist:
            op = self._worklist.pop()
            rewriter = PatternRewriter(op)
            rewriter.extend_from_listener(listener)
            self.pattern.match_and_rewrite(op, rewriter)
            changed |= rewriter.has_done_action
        return changed


@cache
def count_in_upstream_walker() -> None:
    """Let xDSL's walker count where a counter is active. It stays so for the process, and costs a question a walk."""
    walk = PatternRewriteWalker.rewrite_region

    def rewrite_region(self: PatternRewriteWalker, region: Region) -> bool:
        counter = active_counter()
        if counter is None or isinstance(self, CountingWalker):
            return walk(self, region)
        given = self.pattern
        self.pattern = _counted(given, counter)
        try:
            return walk(self, region)
        finally:
            self.pattern = given

    PatternRewriteWalker.rewrite_region = rewrite_region


def _counted(pattern: RewritePattern, counter: RewriteCounter) -> RewritePattern:
    """`pattern`, counted; of several that are tried in turn each by its own name."""
    if isinstance(pattern, GreedyRewritePatternApplier):
        inner = [_counted(each, counter) for each in pattern.rewrite_patterns]
        return _Counted(replace(pattern, rewrite_patterns=inner), counter, "fold or erase")
    return _Counted(pattern, counter, type(pattern).__name__)


@dataclass
class _Counted(RewritePattern):
    pattern: RewritePattern
    counter: RewriteCounter
    name: str

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if self.counter.is_spent:
            return
        matched, before = describe(op), self.counter.count
        self.pattern.match_and_rewrite(op, rewriter)
        if rewriter.has_done_action and self.counter.count == before:  # no pattern inside told of it
            self.counter.made(self.name, matched)
