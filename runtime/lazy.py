"""Lazy imports: objects named by `"module:Name"` strings, and modules named by `"module"`, imported at their first
use."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from importlib.machinery import PathFinder
from typing import Any, NoReturn

from .slots import MISSING_NAME


def load(spec: str, package: str) -> Any:
    """Import the object or the module that `spec` names, its module taken relative to `package`.

    `load("te:TE", "tilewright.dialects")` is `tilewright.dialects.te.TE`; `load("te", ...)` is the module.
    """
    module, _, name = spec.partition(":")
    found = import_module(f"{package}.{module}")
    return getattr(found, name) if name else found


def exports(
    module: str, table: Mapping[str, str], package: str | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a module whose names stand in a table, relative to `package` or to the
    module."""
    vars(sys.modules[module]).setdefault("__path__", [])

    def get(name: str) -> Any:
        if name not in table:
            if PathFinder.find_spec(f"{module}.{name}", vars(sys.modules[module])["__path__"]) is not None:
                return import_module(f"{module}.{name}")  # `from package import module` asks for the name first
            return MISSING_NAME.value(module, name, names())
        from .calls import public

        return public(load(table[name], package or module))

    def names() -> list[str]:
        return sorted({*vars(import_module(module)), *table})

    return get, names


def unknown_name(module: str, name: str, known: Iterable[str]) -> AttributeError:
    """Return the error for a name that a module does not have, which is an AttributeError too: TW0225 with the nearest
    names. For names that begin with two underscores, which Python itself looks up, the error is a plain
    AttributeError."""
    if name.startswith("__"):
        return AttributeError(f"module {module!r} has no attribute {name!r}")
    from .errors import UnknownNameError
    from .text import did_you_mean

    near = did_you_mean(name, [each for each in known if not each.startswith("_")])
    return UnknownNameError("TW0225", f"module {module!r} has no attribute {name!r}{near}")


def refuse_name(module: str, name: str, known: Iterable[str]) -> NoReturn:
    """Raise the error of `unknown_name`."""
    raise unknown_name(module, name, known)
