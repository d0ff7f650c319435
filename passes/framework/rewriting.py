"""The driver of rewrite patterns: limits and counts rewrites, keeps source locations, and uses the editor.

xDSL's walker does not terminate if patterns undo each other, drops locations, and prints the whole module into any
error of a pattern. `rewrite` stops at a budget, sets locations, and leaves errors unchanged. Local rewrites
(identities, folds, expansions, contraction) are patterns on this driver. A pass that moves, merges or splits regions
visits the regions itself and uses `ir.editor`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import UNKNOWN_LOC, LocationAttr, ModuleOp
from xdsl.ir import Block, Operation, Region
from xdsl.pattern_rewriter import (
    PatternRewriter,
    PatternRewriterListener,
    PatternRewriteWalker,
    RewritePattern,
)

from ...diagnostics import fail
from ...diagnostics.locations import location_of, set_missing_locations
from ...ir.editing_rewriter import EditingRewriter
from ...ir.rewrites import active_counter, describe
from ...traversal import operations
from .context import PassContext
from .instruments.spans import span

_REMEMBERED = 8
"""The number of recent patterns that an error names."""


def rewrite(
    root: ModuleOp | Region,
    patterns: Sequence[RewritePattern],
    *,
    recursive: bool = True,
    reverse: bool = False,
    regions_first: bool = False,
    in_order: bool = False,
    budget: int | None = None,
) -> bool:
    """Apply `patterns` to the ops inside `root`, and return whether anything changed.

    `recursive`: revisit ops that rewrites insert or modify, until no pattern matches; otherwise visit each op once.
    `reverse`: visit ops from the last to the first, uses before definitions.
    `regions_first`: visit the ops inside an op before the op.
    `in_order`: visit each op once in program order, an op before the ops inside it. All patterns are tried on an op
    until a pattern replaces it; the replacing ops are visited next. Patterns can rely on all enclosing and preceding
    ops being rewritten. A pattern with a tuple of classes in `matches` is tried on ops of these classes only. The three
    options above do not apply.
    `budget`: the limit of rewrites, by default in proportion to the number of ops.

    Each rewrite is counted under the name of its pattern (`ir.rewrites`). An op that a pattern inserts gets the
    location of the matched op. Raises TilewrightError TW0206 if the budget is exceeded.
    """
    region = root.body if isinstance(root, ModuleOp) else root
    if budget is None:
        size = sum(len(operations(op)) for block in region.blocks for op in block.ops)
        budget = PassContext.current().value("rewrite_budget", int) * (size + 100)
    applied = _Patterns(patterns, budget)
    with span("rewriting", "rewriting"):
        if in_order:
            return _InOrder(applied).rewrite_region(region)
        walker = _Walker(applied, walk_regions_first=regions_first, apply_recursively=recursive, walk_reverse=reverse)
        walker.listener.operation_insertion_handler.append(applied.locate)
        return walker.rewrite_region(region)


class _Patterns(RewritePattern):
    """A pattern that tries patterns in order until one changes the IR, and counts rewrites."""

    def __init__(self, patterns: Sequence[RewritePattern], budget: int) -> None:
        self.patterns = patterns
        self.budget = budget
        self.counter = active_counter()
        self.fired: deque[str] = deque(maxlen=_REMEMBERED)
        self._matched: Operation | None = None
        self._location: LocationAttr | None = None

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if self.is_spent():
            return
        described = self.start(op)
        before = rewriter.insertion_point
        for pattern in self.patterns:
            rewriter.insertion_point = before
            pattern.match_and_rewrite(op, rewriter)
            if rewriter.has_done_action:
                self.count(pattern, described)
                return

    def start(self, op: Operation) -> str:
        """Make `op` the matched op, and return its description if rewrites are counted."""
        self._matched, self._location = op, None
        return "" if self.counter is None else describe(op)

    def is_spent(self) -> bool:
        """Return whether the limit on rewrites is reached."""
        return self.counter is not None and self.counter.is_spent

    def locate(self, op: Operation) -> None:
        """Give a new op the location of the matched op."""
        set_missing_locations(op, self.location)

    @property
    def location(self) -> LocationAttr:
        """The location of the matched op."""
        if self._location is None:
            self._location = (location_of(self._matched) if self._matched is not None else None) or UNKNOWN_LOC
        return self._location

    def that_match(self, kind: type[Operation]) -> tuple[RewritePattern, ...]:
        """Return the patterns that may match ops of a class."""
        return tuple(p for p in self.patterns if issubclass(kind, getattr(p, "matches", Operation)))

    def count(self, pattern: RewritePattern, described: str) -> None:
        """Count a rewrite under the name of its pattern. Raises TilewrightError TW0206 beyond the budget."""
        name = type(pattern).__name__
        if self.counter is not None:
            self.counter.made(name, described)
        self.fired.append(name)
        self.budget -= 1
        if self.budget < 0:
            names = ", ".join(dict.fromkeys(self.fired))
            fail(
                "TW0206",
                f"expected rewriting to end, but patterns still change the module; the last to fire: {names}",
                location=self.location,
            )


class _Walker(PatternRewriteWalker):
    """xDSL's walker over a worklist, without its change of the errors of patterns."""

    counts_rewrites: ClassVar[bool] = True
    """True because the pattern counts rewrites, so that `ir.rewrites` does not count them again."""

    def _process_worklist(self, listener: PatternRewriterListener) -> bool:
        changed = False
        while self._worklist:
            op = self._worklist.pop()
            rewriter = EditingRewriter(op)
            rewriter.extend_from_listener(listener)
            self.pattern.match_and_rewrite(op, rewriter)
            changed |= rewriter.has_done_action
        return changed


class _InOrder:
    """Applies patterns to each op once, in the order of the program."""

    def __init__(self, patterns: _Patterns) -> None:
        self._patterns = patterns
        self._by_type: dict[type[Operation], tuple[RewritePattern, ...]] = {}
        self._rewriter: EditingRewriter | None = None
        self._changed = False

    def rewrite_region(self, region: Region) -> bool:
        """Rewrite the ops inside a region, and return whether anything changed."""
        for block in region.blocks:
            self._rewrite_block(block)
        return self._changed

    def _rewrite_block(self, block: Block) -> None:
        op = block.first_op
        while op is not None and not self._patterns.is_spent():
            patterns = self._by_type.get(type(op))
            if patterns is None:
                patterns = self._by_type[type(op)] = self._patterns.that_match(type(op))
            before = op.prev_op
            if patterns and self._rewrite(op, patterns):  # the ops that replaced it are next
                op = block.first_op if before is None else before.next_op
                continue
            for region in op.regions:
                self.rewrite_region(region)
            op = op.next_op

    def _rewrite(self, op: Operation, patterns: Sequence[RewritePattern]) -> bool:
        """Try patterns on an op until one replaces it, and return whether one did."""
        applied, block = self._patterns, op.parent
        if (rewriter := self._rewriter) is None:  # one for all ops: to make one takes as long as to match an op
            rewriter = self._rewriter = EditingRewriter(op)
            rewriter.operation_insertion_handler.append(applied.locate)
        rewriter.start(op)
        for pattern in patterns:
            described = applied.start(op)
            pattern.match_and_rewrite(op, rewriter)
            if not rewriter.has_done_action:
                continue
            self._changed = True
            applied.count(pattern, described)
            if op.parent is not block:
                return True
            if applied.is_spent():
                return False
            rewriter.start(op)
        return False
