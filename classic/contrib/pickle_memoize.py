"""Memoization of reference results in tests: `@memoize("tests.conv2d")` on a function without side effects."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

R = TypeVar("R")

_known: dict[tuple[str, bytes], Any] = {}


def memoize(key: str, save_at_exit: bool = False) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Memoize a function by its arguments and its closure; results live as long as the process.

    `key` names the function. Calls with arguments that cannot be pickled are not memoized. Nothing is written to disk,
    so that `save_at_exit` has no effect.
    """

    def decorate(function: Callable[..., R]) -> Callable[..., R]:
        @wraps(function)
        def call(*arguments: Any, **named: Any) -> R:
            try:
                cells = [cell.cell_contents for cell in function.__closure__ or ()]
                given = pickle.dumps((cells, arguments, sorted(named.items())))
            except (pickle.PicklingError, AttributeError, TypeError, ValueError):
                return function(*arguments, **named)
            call_key = (f"{key}.{function.__qualname__}", given)
            if call_key not in _known:
                _known[call_key] = function(*arguments, **named)
            return _known[call_key]

        return call

    return decorate
