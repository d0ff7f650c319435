"""`tvm._ffi`: the registry of global functions (`register_func`), and the base of errors, `base.TVMError`.

@tvm.register_func("mine.scale")
def scale(x, y, factor): ...

tvm.get_global_func("mine.scale")(x, y, 2.0)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..diagnostics.expectations import expect_type
from ..runtime import registry
from ..runtime.registry import names as list_global_func_names
from ..runtime.registry import unregister as remove_global_func
from . import error as base

__all__ = ["base", "get_global_func", "list_global_func_names", "register_func", "remove_global_func"]


def register_func(func_name: Any, f: Callable[..., Any] | None = None, override: bool = False) -> Any:
    """Register `f` under a name in this process. Without `f`, return a decorator; without a name, use that of `f`.

    Raises TilewrightError TW0253 where the name has a function and `override` does not say that it goes.
    """
    if callable(func_name):
        return register_func(func_name.__name__, func_name, override)
    expect_type("func_name", func_name, str)
    if f is None:
        return lambda function: register_func(func_name, function, override)
    if not callable(f):
        expect_type("f", f, type(register_func))
    registry.register(func_name, f, replaces=override)
    return f


def get_global_func(name: str, allow_missing: bool = False) -> Any:
    """Return the function of that name. Raises TilewrightError TW0252, or returns None, where there is none."""
    expect_type("name", name, str)
    return None if allow_missing and not registry.is_registered(name) else registry.find(name)
