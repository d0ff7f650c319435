"""Observers of opt-tool in the process of tests: contexts around each command, and around each part of a file."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Protocol


class Observer(Protocol):
    """The contexts that are entered around the work of opt-tool."""

    def command(self) -> AbstractContextManager[object]:
        """Return the context that is entered around a whole command, after its options were parsed."""
        ...

    def processing(self, file: str, part: int | None) -> AbstractContextManager[object]:
        """Return the context that is entered around the work on one part of a file; `part` is None where the file has
        one part."""
        ...


_observers: list[Observer] = []


@contextmanager
def observed(observer: Observer) -> Generator[None]:
    """Let `observer` see the commands inside the `with`."""
    _observers.append(observer)
    try:
        yield
    finally:
        _observers.remove(observer)


def around_command() -> ExitStack:
    """Return the context in which a command runs."""
    entered = ExitStack()
    for observer in _observers:
        entered.enter_context(observer.command())
    return entered


def around_part(file: str, part: int | None) -> ExitStack:
    """Return the context in which a part of a file is processed."""
    entered = ExitStack()
    for observer in _observers:
        entered.enter_context(observer.processing(file, part))
    return entered
