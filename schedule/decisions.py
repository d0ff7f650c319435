"""Decisions: the choices of schedule rules and of passes, which a search can vary and a record can fix.

A rule that chooses a number or one of several schedules calls `decide(name, candidates, default)`. Outside of
`deciding`, the answer is the default, and the candidates are not computed. Inside `deciding(answers)` the answers come
from a point of a search space or from a record, and `Decisions.asked` lists the decisions in order.

The key of a decision consists of the label of the block and the name of the decision, `"C:panels.tile"`. A rule may ask
twice for one block, in the test whether the rule fits and in the scheduling: both get the same answer. If the
candidates differ, because a rule has changed the block in between, the key gets a number, `"C:panels.tile#2"`.

An answer that is not among the candidates is refused (TW0801), never replaced by a similar one, because a record means
exactly the program that was measured.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar, cast

from ..diagnostics import fail
from ..dialects import loop
from .handles import BlockRV

MISFIT = "TW0801"

Value: TypeAlias = "None | bool | int | str | tuple[Value, ...]"
"""The values of decisions, as JSON has them, with tuples for lists."""

V = TypeVar("V", bound=Value)

Point = Mapping[str, Value]
"""Answers by key; decisions that it does not name have their defaults."""


@dataclass(frozen=True)
class Decision:
    """A decision with its candidates, its default and its answer."""

    key: str
    candidates: tuple[Value, ...]
    """In the order in which the rule lists them; the default is among them."""
    default: Value
    value: Value
    changes_sums: bool = False
    """True where candidates differ in the order in which a reduction combines its terms, and results in their last
    bits."""

    @property
    def block(self) -> str:
        """The label of the block that the decision is about; empty where it is about none."""
        return self.key.rpartition(":")[0]

    @property
    def name(self) -> str:
        """The name that the rule gave, with its number where the key has one."""
        return self.key.rpartition(":")[2]


@dataclass
class Decisions:
    """The answers to decisions, and the decisions that have been asked."""

    answers: Point = field(default_factory=dict[str, Value])
    asked: dict[str, Decision] = field(default_factory=dict[str, Decision])
    """By key, in the order of the first questions."""

    @property
    def point(self) -> dict[str, Value]:
        """The values of all decisions that were asked."""
        return {key: decision.value for key, decision in self.asked.items()}

    def check_all_asked(self) -> None:
        """Raise TilewrightError TW0801 where an answer has found no question."""
        for key, value in self.answers.items():
            if key not in self.asked:
                fail(MISFIT, f"expected a decision of the schedule, but '{key}' = {value!r} is asked by no rule")

    def answer(self, key: str, candidates: tuple[Value, ...], default: Value, changes_sums: bool) -> Value:
        """Return the value of a decision. Raises TilewrightError TW0801 for an answer that is no candidate."""
        if default not in candidates:
            candidates = (default, *candidates)
        if len(candidates) == 1 and key not in self.answers:
            return default
        unique, number = key, 1
        while (known := self.asked.get(unique)) is not None:
            if (known.candidates, known.default) == (candidates, default):
                return known.value
            number += 1
            unique = f"{key}#{number}"
        value = self.answers.get(unique, default)
        if not any(type(each) is type(value) and each == value for each in candidates):  # True equals 1
            fail(
                MISFIT,
                f"expected one of the {len(candidates)} candidates of decision '{unique}', but got {value!r}",
            )
        self.asked[unique] = Decision(unique, candidates, default, value, changes_sums)
        return value


_current: ContextVar[Decisions | None] = ContextVar("decisions", default=None)


@contextmanager
def deciding(answers: Point | None = None) -> Generator[Decisions, None, None]:
    """Let decisions inside the `with` have these answers, others their defaults; gives the decisions asked
    meanwhile."""
    with answered_by(Decisions(dict(answers or {}))) as decisions:
        yield decisions


@contextmanager
def answered_by(decisions: Decisions) -> Generator[Decisions, None, None]:
    """Let these answer all decisions inside the `with`."""
    token = _current.set(decisions)
    try:
        yield decisions
    finally:
        _current.reset(token)


def decide(
    name: str,
    candidates: Iterable[V],
    default: V,
    *,
    block: loop.BlockOp | BlockRV | str = "",
    changes_sums: bool = False,
) -> V:
    """Return the value of a decision: `default`, unless a point of the search space or a record has another value.

    `name` is the name of the rule and of the decision, "panels.tile". `block` is the subject: a block, its handle or
    its label. `candidates` are only read while points are built or decisions recorded, so a generator costs nothing
    otherwise. The default is added if it is no candidate; a single candidate is no decision. `changes_sums` states that
    the order of sums depends on the value.

    Raises TilewrightError TW0801 if a given value is no candidate.
    """
    current = _current.get()
    if current is None:
        return default
    label = block if isinstance(block, str) else block.label
    key = f"{label}:{name}" if label else name
    return cast(V, current.answer(key, tuple(dict.fromkeys(candidates)), default, changes_sums))


def is_deciding() -> bool:
    """Return whether answers are given or recorded; otherwise, nothing needs to be computed for candidates."""
    return _current.get() is not None


@contextmanager
def undecided() -> Generator[None, None, None]:
    """Let decisions inside the `with` have their defaults unrecorded, as in a trial whose result is thrown away."""
    token = _current.set(None)
    try:
        yield
    finally:
        _current.reset(token)
