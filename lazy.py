"""Objects named by `"module:Name"` strings, imported when they are first asked for.

Every registry (dialects, passes, operators, the front door) is a table of such strings: naming a thing costs
nothing, and `opt-tool --help` starts without importing a single pass.
"""

from __future__ import annotations

import sys
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


class _Elsewhere:
    """Finds modules and names of a package that a table places elsewhere in it.

    A key is a path below the package. Its value is the module that has that path too, with all modules below it, or an
    object as `"module:Name"`. A module is found under both paths and exists once.
    """

    def __init__(self) -> None:
        self.root = ""
        self.table: Mapping[str, str] = {}

    def find_spec(self: Any, fullname: str, path: object = None, target: object = None) -> Any:
        """What imports `fullname` where the table places it: the protocol of `sys.meta_path`."""
        root, _, below = fullname.partition(".")
        if root != self.root or not below:
            return None
        place = below
        while place not in self.table:
            place, _, _ = place.rpartition(".")
            if not place:
                return None
        from importlib.machinery import ModuleSpec

        return ModuleSpec(fullname, self, origin=self.table[place] + below[len(place) :])

    def create_module(self, spec: Any) -> Any:
        """The module itself; what a part of the table that is no module has, by its name."""
        module, _, names = spec.origin.partition(":")
        found = import_module(f"{self.root}.{module}")
        for name in names.split(".") if names else ():
            found = getattr(found, name)
        spec.loader_state = found.__spec__
        return found

    def exec_module(self, module: ModuleType) -> None:
        """It ran under its own name; here it gets back the specification of that name."""
        module.__spec__ = module.__spec__ and module.__spec__.loader_state


_elsewhere = _Elsewhere()


def place_elsewhere(root: str, table: Mapping[str, str]) -> None:
    """Let the modules and names that `table` lists be found in the package `root`; see `_Elsewhere`."""
    _elsewhere.root, _elsewhere.table = root, table
    if _elsewhere not in sys.meta_path:
        sys.meta_path.insert(0, _elsewhere)


def found_elsewhere(module: str, name: str) -> Any:
    """The module or object that the table has for a name of a module. Raises KeyError where it has none."""
    _, _, path = f"{module}.{name}".partition(".")
    place = _elsewhere.table[path]
    return load(place, _elsewhere.root) if ":" in place else import_module(f"{module}.{name}")


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
            try:
                return found_elsewhere(module, name)
            except KeyError:
                raise unknown_name(module, name, names()) from None
        return load(table[name], package or module)

    def names() -> list[str]:
        return sorted({*vars(import_module(module)), *table})

    return get, names
