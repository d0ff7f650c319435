"""Generic functions: they have a body for each kind of target, selected by the keys of the current target.

@tvm.target.generic_func
def tile_size():
    return 8

@tile_size.register("gpu")
def _():
    return 32

with tvm.target.Target("cuda"):
    tile_size()    # 32
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import update_wrapper
from typing import Any

from ...diagnostics import fail
from ...diagnostics.expectations import WRONG_TYPE, expect_type
from ...driver.targets import Target


class GenericFunc:
    """A function with a body for each target key: the first key of the current target with a body selects it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._bodies: dict[str, Callable[..., Any]] = {}
        self._default: Callable[..., Any] | None = None

    def set_default(self, function: Callable[..., Any], allow_override: bool = False) -> Callable[..., Any]:
        """State the body for targets that no other is for. Raises TW0253 where there is one."""
        if self._default is not None and not allow_override:
            fail("TW0253", f"generic function '{self.name}' has a default already")
        self._default = function
        update_wrapper(self, function)
        return function

    def register(self, function: Any, key_list: str | Sequence[str] | None = None, allow_override: bool = False) -> Any:
        """State the body for targets of these keys; with keys alone, a decorator. Raises TW0253 for a taken key."""
        if key_list is None:
            return lambda body: self.register(body, function, allow_override)
        for key in [key_list] if isinstance(key_list, str) else key_list:
            if key in self._bodies and not allow_override:
                fail("TW0253", f"generic function '{self.name}' has a body for '{key}' already")
            self._bodies[key] = function
        return function

    def get_packed_func(self) -> Callable[..., Any]:
        """Return the body for the current target."""
        target = Target.current()
        keys = () if target is None else target.keys
        body = next((self._bodies[key] for key in keys if key in self._bodies), self._default)
        if body is None:
            known = ", ".join(self._bodies) or "none"
            fail("TW0252", f"generic function '{self.name}' has no body for target '{target}'; it has some for {known}")
        return body

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        return self.get_packed_func()(*arguments, **keywords)


_FUNCTIONS: dict[str, GenericFunc] = {}


def generic_func(default: Callable[..., Any]) -> GenericFunc:
    """Make a function, as its decorator, the default body of a `GenericFunc`."""
    if not callable(default):  # pyright: ignore[reportUnnecessaryComparison]
        fail(WRONG_TYPE, f"expected a function as default body, but got {default!r}")
    made = GenericFunc(getattr(default, "__name__", type(default).__name__))
    made.set_default(default)
    return made


def get_native_generic_func(name: str) -> GenericFunc:
    """Return the function of that name, which all callers share."""
    expect_type("name", name, str)
    return _FUNCTIONS.setdefault(name, GenericFunc(name))


def override_native_generic_func(name: str) -> Callable[[Callable[..., Any]], GenericFunc]:
    """Return a decorator that makes a function the default body of the shared function of that name."""

    def decorate(default: Callable[..., Any]) -> GenericFunc:
        shared = get_native_generic_func(name)
        shared.set_default(default, allow_override=True)
        return shared

    return decorate
