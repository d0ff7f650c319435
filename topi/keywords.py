"""Keywords of classic calls: the same argument under the name that another version of topi has for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from .arguments import refuse

P = ParamSpec("P")
R = TypeVar("R")


def accepts(*ignored: str, **names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that accepts keywords that stand for others, and those of the `ignored` ones that have no
    meaning here."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def call(*given: Any, **keywords: Any) -> Any:
            for name in names.keys() & keywords.keys():
                if names[name] in keywords:
                    refuse("TW0447", f"expected {names[name]!r} or {name!r} of {function.__name__}, but got both")
                keywords[names[name]] = keywords.pop(name)
            for name in ignored:
                keywords.pop(name, None)
            return function(*given, **keywords)

        return call

    return decorate
