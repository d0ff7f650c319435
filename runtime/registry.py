"""The registry of Python functions by name, which compiled code and user programs call.

register("mine.scale", scale)
find("mine.scale")(x, y, 2.0)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .errors import fail
from .slots import FUNCTIONS
from .text import did_you_mean

_FUNCTIONS: dict[str, Callable[..., Any]] = {}


def register(name: str, function: Callable[..., Any], *, replaces: bool = False) -> None:
    """Make a function known under a name for this process.

    Raises TilewrightError TW0253 where the name has another function, which is not to be replaced.
    """
    if name in _FUNCTIONS and not replaces:
        fail("TW0253", f"a function is registered as '{name}' already")
    _FUNCTIONS[name] = function


def is_registered(name: str) -> bool:
    """Return whether a name has a function."""
    return name in _FUNCTIONS or name in FUNCTIONS.value


def find(name: str) -> Callable[..., Any]:
    """Return the function of that name. Raises TilewrightError TW0252 where there is none."""
    found = _FUNCTIONS[name] if name in _FUNCTIONS else FUNCTIONS.value.get(name)
    if found is None:
        fail("TW0252", f"no function is registered as '{name}'{did_you_mean(name, _FUNCTIONS)}")
    return found


def names() -> list[str]:
    """Return the names that functions are registered under, sorted."""
    return sorted(_FUNCTIONS)


def unregister(name: str) -> None:
    """Forget the function of that name. Raises TilewrightError TW0252 where there is none."""
    if name not in _FUNCTIONS:
        fail("TW0252", f"no function is registered as '{name}'{did_you_mean(name, _FUNCTIONS)}")
    del _FUNCTIONS[name]
