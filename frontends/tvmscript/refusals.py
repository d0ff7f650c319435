"""Who is told of scripts that are refused, before the error is raised."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from ...diagnostics import TilewrightError

P = ParamSpec("P")
T = TypeVar("T")

Observer = Callable[[TilewrightError], object]
_observers: list[Observer] = []


def set_observer(observer: Observer | None) -> None:
    """Tell a function of each refusal from here on; None: nobody."""
    _observers[:] = [] if observer is None else [observer]


def told(read: Callable[P, T]) -> Callable[P, T]:
    """A function that reads scripts, whose refusals the observer is told of."""

    @wraps(read)
    def reading(*arguments: P.args, **keywords: P.kwargs) -> T:
        try:
            return read(*arguments, **keywords)
        except TilewrightError as error:
            for observer in _observers:
                observer(error)
            raise

    return reading
