"""Objects named by `"module:Name"` strings, imported when they are first asked for.

Every registry (dialects, passes, operators, the front door) is a table of such strings: naming a thing costs
nothing, and `opt-tool --help` starts without importing a single pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any


def load(spec: str, package: str) -> Any:
    """Import the object that `spec` names, its module taken relative to `package`.

    `load("te:TE", "tilewright.dialects")` is `tilewright.dialects.te.TE`.
    """
    module, _, name = spec.partition(":")
    return getattr(import_module(f"{package}.{module}"), name)


class Deferred(ModuleType):
    """A module that is imported when a name of it is first asked for; each name is then looked up once."""

    def __getattr__(self, name: str) -> Any:
        value = getattr(import_module(self.__name__), name)
        setattr(self, name, value)
        return value


_PROVIDERS: dict[str, tuple[str, str]] = {}


def provide(what: str, spec: str, package: str) -> None:
    """State where a part finds what stands above it: `provided(what)` then loads `spec`, relative to `package`.

    The front door does so for parts that must not name those above them.
    """
    _PROVIDERS[what] = (spec, package)


def provided(what: str) -> Any:
    """What was provided under that name."""
    return load(*_PROVIDERS[what])


def unknown_name(module: str, name: str, known: Iterable[str]) -> AttributeError:
    """The error for a name that a module does not have: TW0225 with the nearest names, and an AttributeError."""
    if name.startswith("_"):
        return AttributeError(f"module {module!r} has no attribute {name!r}")
    from .diagnostics.errors import UnknownNameError
    from .diagnostics.suggestions import did_you_mean

    near = did_you_mean(name, [each for each in known if not each.startswith("_")])
    return UnknownNameError("TW0225", f"module {module!r} has no attribute {name!r}{near}")


def exports(
    module: str, table: Mapping[str, str], package: str | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a module whose names stand in a table, relative to `package` or to the module."""

    def get(name: str) -> Any:
        if name not in table:
            raise unknown_name(module, name, names())
        return load(table[name], package or module)

    def names() -> list[str]:
        return sorted({*vars(import_module(module)), *table})

    return get, names
