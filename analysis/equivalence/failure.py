"""Failures: the two terms that were found to differ."""

from __future__ import annotations

from dataclasses import dataclass

from ..integer_set.relation import Relation
from .terms import Term


@dataclass(frozen=True)
class Failure:
    """Two heads that differ, or two multisets."""

    instances: Relation | None
    """At which pairs of instances of the terms compared; None where a widened claim failed outside of those asked."""
    left: Term
    right: Term
    """The heads."""
    reason: str | None = None
    """Why nothing follows from it, where nothing does."""
