"""Methods of a class that are imported at the first access."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..lazy import load


class _Deferred:
    """A descriptor that imports a function at the first access, and replaces itself in the class by that function."""

    def __init__(self, reference: str, package: str) -> None:
        self.reference = reference
        self.package = package
        self.owner: type[Any] | None = None

    def __set_name__(self, owner: type[Any], name: str) -> None:
        self.owner, self.name = owner, name

    def __get__(self, instance: object, owner: type[Any]) -> Any:
        function: Callable[..., Any] = load(self.reference, self.package)
        setattr(self.owner, self.name, function)
        return function.__get__(instance, owner)


def deferred(base: type[Any], methods: Mapping[str, str], module: str, package: str) -> type[Any]:
    """Make the class of `module` that adds `methods`, functions as `"module:name"` relative to `package`, to `base`."""
    members = {name: _Deferred(reference, package) for name, reference in methods.items()}
    documented = {"__doc__": "The built-in primitives of every schedule.", "__module__": module}
    return type("DeclaredMethods", (base,), {**members, **documented})
