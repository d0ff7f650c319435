"""An observer of scripts that are refused, called before the error is raised."""

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
    """Call `observer` with each refusal from here on; None removes the observer."""
    _observers[:] = [] if observer is None else [observer]


def observed(read: Callable[P, T]) -> Callable[P, T]:
    """Decorate a function that reads scripts: the observer is called with each refusal."""

    @wraps(read)
    def reading(*arguments: P.args, **keywords: P.kwargs) -> T:
        try:
            return read(*arguments, **keywords)
        except TilewrightError as error:
            for observer in _observers:
                observer(error)
            raise

    return reading
