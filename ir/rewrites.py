"""A limit on rewrites, for finding the one that goes wrong.

A rewrite is one application of a pattern, or one change of a pass that asks `may_rewrite` before it makes it. They are
numbered from 1 over all passes in the order in which they happen, so that the same number always means the same one:
what comes before a rewrite does not depend on whether it is made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from xdsl.ir import Operation

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
    """The last rewrite that was made: what it does and where."""
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


_counter: ContextVar[RewriteCounter | None] = ContextVar("rewrites", default=None)


@contextmanager
def count_rewrites(
    limit: int | None = None, *, counts_passes: bool = False, limits_needed: bool = False
) -> Generator[RewriteCounter]:
    """Count rewrites inside the `with`, and make no more than `limit`; see `RewriteCounter`."""
    from .walkers import count_in_upstream_walker

    count_in_upstream_walker()
    counter = RewriteCounter(limit, counts_passes, limits_needed)
    token = _counter.set(counter)
    try:
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
    """An op by its name and where it comes from."""
    position = source_position(location_of(op))
    return f"{op.name} ({position})" if position else op.name
