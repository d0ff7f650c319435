"""Exact questions about sets of integer points: all decisions about legality are made here.

A `System` is a conjunction of constraints on integer variables, written with `Index` expressions; a
variable is an SSA value or a `Symbol`. Each question has three answers:

- `PROVED`,
- `Refuted(point)`, a counter-example in the system,
- `Unknown(reason)`, where the solver's budget was spent; never guessed.

Interval arithmetic answers most questions in microseconds. The rest go to isl, which is wrapped in
`solver` alone. Sets are built there from integer matrices without any names or text (two sets whose tuple
names differ compare as false, and `-i//2` reads as `-(i//2)` in isl's syntax). Each thread has one context, and
each question one budget of operations. Every isl error means `Unknown` and a fresh context, because a context
whose budget was spent stays poisoned.

Symbolic sizes are variables like any other and their signs are not assumed: a caller who knows that n >=
1 states it as a constraint. Without it an answer covers n <= 0 too, where most domains are empty.
"""

from .box import Span, box_hull
from .questions import (
    PROVED,
    Proved,
    Refuted,
    Unknown,
    Verdict,
    always_equal,
    bounds,
    cover_together,
    covers,
    implies,
    implies_all,
    is_empty,
    none_satisfiable,
)
from .system import Point, System, lexicographically_before

__all__ = [
    "PROVED",
    "Point",
    "Proved",
    "Refuted",
    "Span",
    "System",
    "Unknown",
    "Verdict",
    "always_equal",
    "bounds",
    "box_hull",
    "cover_together",
    "covers",
    "implies",
    "implies_all",
    "is_empty",
    "lexicographically_before",
    "none_satisfiable",
]
