"""Applying rewrite patterns until none fires, with a budget and with source locations kept.

xDSL's walker does not end when patterns undo one another, drops locations, and prints the whole module into any
error that a pattern raises. `rewrite` does none of these.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from xdsl.dialects.builtin import UNKNOWN_LOC, LocationAttr, ModuleOp
from xdsl.ir import Operation, Region
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
)

from ...diagnostics import fail
from ...diagnostics.locations import location_of, set_missing_locations
from ...ir.rewrites import active_counter, describe
from ...ir.walkers import CountingWalker
from ...traversal import operations
from .context import PassContext
from .instruments.spans import span

_REMEMBERED = 8
"""The number of the last patterns that an error names."""


class _FirstOf(RewritePattern):
    """Tries patterns in order; the first that changes something wins."""

    def __init__(self, patterns: Sequence[RewritePattern], budget: int) -> None:
        self.patterns = patterns
        self.budget = budget
        self.counter = active_counter()
        self.fired: deque[str] = deque(maxlen=_REMEMBERED)
        self.location: LocationAttr = UNKNOWN_LOC
        """That of the op that is being matched."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if self.counter is not None and self.counter.is_spent:
            return
        self.location = location_of(op) or UNKNOWN_LOC
        matched = "" if self.counter is None else describe(op)
        before = rewriter.insertion_point
        for pattern in self.patterns:
            rewriter.insertion_point = before
            pattern.match_and_rewrite(op, rewriter)
            if rewriter.has_done_action:
                self._count(pattern)
                if self.counter is not None:
                    self.counter.made(type(pattern).__name__, matched)
                return

    def _count(self, pattern: RewritePattern) -> None:
        self.fired.append(type(pattern).__name__)
        self.budget -= 1
        if self.budget < 0:
            names = ", ".join(dict.fromkeys(self.fired))
            fail(
                "TW0206",
                f"expected rewriting to end, but patterns still change the module; the last to fire: {names}",
                location=self.location,
            )


def rewrite(
    root: ModuleOp | Region,
    patterns: Sequence[RewritePattern],
    *,
    recursive: bool = True,
    reverse: bool = False,
    regions_first: bool = False,
    budget: int | None = None,
) -> bool:
    """Apply `patterns` to the ops inside `root`; whether anything changed.

    `recursive`: also to the ops that rewrites make or touch, until nothing fires; otherwise once to each op.
    `reverse`: from the last op to the first, uses before definitions.
    `regions_first`: the ops inside an op before the op.
    `budget`: how many rewrites may fire, by default in proportion to the number of ops.

    An op that a pattern makes gets the location of the op that was matched. Raises TilewrightError TW0206 when the
    budget is spent.
    """
    region = root.body if isinstance(root, ModuleOp) else root
    if budget is None:
        size = sum(len(operations(op)) for block in region.blocks for op in block.ops)
        budget = PassContext.current().value("rewrite_budget", int) * (size + 100)
    pattern = _FirstOf(patterns, budget)
    walker = CountingWalker(
        pattern,
        walk_regions_first=regions_first,
        apply_recursively=recursive,
        walk_reverse=reverse,
    )
    walker.listener.operation_insertion_handler.append(lambda op: set_missing_locations(op, pattern.location))
    with span("rewriting", "rewriting"):
        return walker.rewrite_region(region)
