"""The tuning records of the current `PassContext`, whose schedules replace default schedules."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache, wraps
from pathlib import Path
from typing import Any, TypeVar, cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...diagnostics import TilewrightError
from ...diagnostics.remarks import remark
from ...dialects.target import target_of
from ...hardware import machine_name
from ...lazy import Slot
from ...schedule.canonical import target_in_records
from ...schedule.decisions import Decisions, Value, answered_by, is_deciding
from ...schedule.records import RecordFile, Winners, read_records, state_of
from .context import PassContext

NOT_APPLIED = "TW0822"


@dataclass(frozen=True)
class Tuned:
    """The records of a file as they were when it was read."""

    file: RecordFile
    winners: Winners
    """Of this machine and this compiler."""


_kept: ContextVar[tuple[Tuned | None] | None] = ContextVar("tuning_records", default=None)


def tuned() -> Tuned | None:
    """Return the records that the setting `records` names; None for none. Raises TilewrightError TW0204 for an
    unreadable file."""
    kept = _kept.get()
    if kept is not None:
        return kept[0]
    path = PassContext.current().value("records", str)
    return _tuned(str(Path(path).absolute()), state_of(path), compiler_of_records()) if path else None


@contextmanager
def records_kept(records: Tuned | None) -> Generator[None]:
    """Let compilations inside the `with` see these records, even if the file changes in between."""
    token = _kept.set((records,))
    try:
        yield
    finally:
        _kept.reset(token)


@lru_cache(maxsize=4)
def _tuned(path: str, state: tuple[int, ...], compiler: str) -> Tuned:
    file = read_records(path)
    return Tuned(file, Winners.of(file.records, machine_name(), compiler))


ApplyT = TypeVar("ApplyT", bound=Callable[..., None])


def decides_by_records(apply: ApplyT) -> ApplyT:
    """Let the tuning records answer the decisions of a pass of phase 0 about operators: decorates its `apply`.

    An answer that does not fit leaves the default, with a remark (TW0822). Answers of a search take precedence.
    """

    @wraps(apply)
    def answered(self: Any, ctx: Context, op: ModuleOp) -> None:
        target, records = target_of(op), None if is_deciding() else tuned()
        answers = {} if target is None or records is None else records.winners.answers(target_in_records(target))
        if not answers:
            apply(self, ctx, op)
            return
        with answered_by(_Recorded(answers)):
            apply(self, ctx, op)

    return cast(ApplyT, answered)


@dataclass
class _Recorded(Decisions):
    """Decisions of records. Operators without a record get their defaults."""

    refused: set[str] = field(default_factory=set[str])
    """The keys of answers that do not fit, of which a remark is made once."""

    def answer(self, key: str, candidates: tuple[Value, ...], default: Value, changes_sums: bool) -> Value:
        try:
            return super().answer(key, candidates, default, changes_sums)
        except TilewrightError as error:
            if key not in self.refused:
                message = f"a tuning record of operators is refused, and {default!r} is chosen: {error.message}"
                remark(NOT_APPLIED, message)
            self.refused.add(key)
            return default


COMPILER: Slot[Callable[[], str]] = Slot("passes.framework.tuning_records:COMPILER")
"""Returns the name that records have for this compiler."""


def compiler_of_records() -> str:
    """Return the name that records have for this compiler."""
    return COMPILER.value()
