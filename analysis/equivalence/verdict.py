"""The verdicts of the prover.

| verdict | meaning |
|---|---|
| `Proved` | equal outputs for all sizes and all inputs, under the algebra that was asked about |
| `Proved`, with a condition | the same at the sizes of the condition; the program before is undefined at others |
| `Bounded` | proved with some sizes fixed at each of the listed values, the other sizes arbitrary |
| `Refuted` | at these sizes and this element the two programs compute different expressions |
| `Unknown` | not decided, and why |

`Refuted` is about expressions: two different expressions may still have equal values, by an equation of arithmetic
that the algebra lacks. So both programs are run at the sizes of a refutation before it is reported to a user.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from xdsl.ir import Operation


@dataclass(frozen=True)
class UndefinedElements:
    """Elements of an output that the program before leaves undefined, so that the program after may write any value."""

    output: int
    """The number of the argument that is written."""
    sizes: Mapping[str, int]
    """Sizes at which there are such elements; empty where all are known."""
    count: int
    """The number of such elements at these sizes."""


@dataclass(frozen=True)
class Computed:
    """The expression that a program computes at a point, for messages."""

    text: str
    """The expression, with the instances that its parts belong to."""
    op: Operation | None = field(default=None, repr=False)
    """The operation that computes it, for its source location; None for the contents of an argument."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The fields of all verdicts."""

    seconds: float = 0.0
    undefined: tuple[UndefinedElements, ...] = ()
    """Elements that are not compared."""
    condition: str | None = None
    """Of a proof of refinement: the sizes that it is about, the largest case first, as in "n <= m; or k = 0". None for
    all sizes that the program before takes."""
    assumptions: tuple[str, ...] = ()
    """The assumptions of a verdict, a clause each."""
    shared: tuple[tuple[int, ...], ...] = ()
    """Arguments that are one buffer in the case that the verdict is about, by position; none where all are disjoint."""

    @property
    def undefined_count(self) -> int:
        """The undefined elements of all outputs together, at the sizes that each count is for."""
        return sum(part.count for part in self.undefined)


@dataclass(frozen=True)
class Proved(Answer):
    """The outputs are equal for all sizes and all inputs."""


@dataclass(frozen=True)
class Bounded(Answer):
    """The outputs are equal at each of `sizes`; sizes that an entry does not name are arbitrary."""

    sizes: tuple[Mapping[str, int], ...]


class Fault(Enum):
    """The kinds of faults of the program after, as clauses of messages."""

    VALUE = "expressions differ"
    OUTSIDE = "an access leaves its buffer"
    RACE = "iterations of a parallel loop meet"
    DIVISION = "a division may be undefined"


@dataclass(frozen=True)
class Refuted(Answer):
    """At `element` of argument `output` the programs compute different expressions, or the one after does something
    that is undefined."""

    sizes: Mapping[str, int]
    """A value for every size, by the name of the model's parameter; nothing for static programs."""
    output: int | None
    """The number of the argument; None where the fault is no value."""
    element: tuple[int, ...]
    """A position within the argument's shape; the values of the loops' variables where the fault is no value."""
    before: Computed
    after: Computed
    fault: Fault = Fault.VALUE
    runs_all: bool = field(default=True, compare=False, repr=False)
    """True where as many statements have instances at these sizes as at any other sizes that were looked at. A sum
    without terms hides differences: 0 * 2 is 0 * 3."""
    further: Callable[[], Iterable[Refuted]] = field(default=tuple, compare=False, repr=False)
    """Searches for the refutations at all sizes that are looked at, these ones among them."""

    @property
    def has_other_sizes(self) -> bool:
        """True where values differ at some sizes and may differ at others; of other faults isl named sizes itself."""
        return bool(self.sizes) and self.fault is Fault.VALUE


@dataclass(frozen=True)
class Unknown(Answer):
    """Not decided."""

    reason: str
    """One clause that names the operation or the limit."""
    op: Operation | None = field(default=None, compare=False, repr=False)
    """The operation that the reason is about, if it is about one."""
    is_about_nothing: bool = field(default=False, compare=False, repr=False)
    """True where no sizes were left to compare."""


Verdict: TypeAlias = "Proved | Bounded | Refuted | Unknown"
