"""The tuning records of the current `PassContext`, whose schedules take the place of default ones."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ..hardware import machine_name
from ..lazy import provided
from ..schedule.records import RecordFile, Winners, read_records, state_of
from .context import PassContext


@dataclass(frozen=True)
class Tuned:
    """The records of a file as they were when it was read."""

    file: RecordFile
    winners: Winners
    """Of this machine and this compiler."""


_kept: ContextVar[tuple[Tuned | None] | None] = ContextVar("tuning_records", default=None)


def tuned() -> Tuned | None:
    """The records that the setting `records` names; None for none. Raises TilewrightError TW0204 for an unreadable
    file."""
    kept = _kept.get()
    if kept is not None:
        return kept[0]
    path = PassContext.current().value("records", str)
    return _tuned(str(Path(path).absolute()), state_of(path), compiler_of_records()) if path else None


@contextmanager
def records_kept(records: Tuned | None) -> Generator[None]:
    """Let compilations inside the `with` see these records, whatever becomes of the file meanwhile."""
    token = _kept.set((records,))
    try:
        yield
    finally:
        _kept.reset(token)


@lru_cache(maxsize=4)
def _tuned(path: str, state: tuple[int, ...], compiler: str) -> Tuned:
    file = read_records(path)
    return Tuned(file, Winners.of(file.records, machine_name(), compiler))


def compiler_of_records() -> str:
    """The name that records have for this compiler."""
    return provided("compiler of records")()
