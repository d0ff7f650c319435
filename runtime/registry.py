"""Functions of Python by name, which compiled code and programs call.

@tvm.register_func("mine.scale")
def scale(x, y, factor): ...

tvm.get_global_func("mine.scale")(x, y, 2.0)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .errors import fail
from .expectations import expect_type
from .slots import FUNCTIONS
from .suggestions import did_you_mean

_BUILTIN = "tvm.contrib."
_FUNCTIONS: dict[str, Callable[..., Any]] = {}


def register_func(func_name: Any, f: Callable[..., Any] | None = None, override: bool = False) -> Any:
    """Make `f` known under a name for this process; without `f`, a decorator, and for a function its own name.

    Raises TilewrightError TW0253 where the name has a function and `override` does not say that it goes.
    """
    if callable(func_name):
        return register_func(func_name.__name__, func_name, override)
    expect_type("func_name", func_name, str)
    if f is None:
        return lambda function: register_func(func_name, function, override)
    if not callable(f):
        expect_type("f", f, type(register_func))
    if func_name in _FUNCTIONS and not override:
        fail("TW0253", f"a function is registered as '{func_name}' already")
    _FUNCTIONS[func_name] = f
    return f


def get_global_func(name: str, allow_missing: bool = False) -> Any:
    """The function of that name. Raises TilewrightError TW0252, or gives None, where there is none."""
    expect_type("name", name, str)
    found = _FUNCTIONS.get(name)
    if found is None and name.startswith(_BUILTIN):
        found = FUNCTIONS.value.get(name)
    if found is None and not allow_missing:
        fail("TW0252", f"no function is registered as '{name}'{did_you_mean(name, _FUNCTIONS)}")
    return found


def list_global_func_names() -> list[str]:
    """The names that functions have."""
    return sorted(_FUNCTIONS)


def remove_global_func(name: str) -> None:
    """Forget the function of that name. Raises TilewrightError TW0252 where there is none."""
    if name not in _FUNCTIONS:
        fail("TW0252", f"no function is registered as '{name}'{did_you_mean(name, _FUNCTIONS)}")
    del _FUNCTIONS[name]
