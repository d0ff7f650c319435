"""Placeholders for modules and names of TVM that this package does not have, with the reasons of `classic.reasons`.

The modules and names in them can be imported; each use of one raises an error.

from tilewright import relay      # old programs import more than they use
relay.var("x")                    # TW0251 with the reason
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, NoReturn

from ..diagnostics.errors import UnknownNameError
from .reasons import MODULES, reason_of

_ROOT = __name__.partition(".")[0]


class RefusedModule(ModuleType):
    """A placeholder for a module, or for a name that is imported from one: each use raises TilewrightError TW0251.

    The error is an AttributeError too. A name imported from a placeholder is another placeholder: programs import more
    classes and functions than they use.
    """

    def __init__(self, name: str, key: str | None = None) -> None:
        self._key = key or name
        super().__init__(f"{_ROOT}.{name}", f"Not part of this package: {MODULES[self._key][0]}.")
        self.__path__ = []  # `import tilewright.relay.testing` comes here
        self.short_name = name
        self._below = dict[str, RefusedModule]()

    def __below__(self, name: str) -> RefusedModule:
        """Return the module or name below it, which is refused too."""
        if name not in self._below:
            self._below[name] = RefusedModule(f"{self.short_name}.{name}", self._key)
        return self._below[name]

    def __getattr__(self, name: str) -> NoReturn:
        refused(self.short_name, self._key, name)

    def __call__(self, *arguments: Any, **keywords: Any) -> NoReturn:
        raise _refusal(self.short_name, *MODULES[self._key])

    def __mro_entries__(self, bases: tuple[Any, ...]) -> NoReturn:
        raise _refusal(self.short_name, *MODULES[self._key])

    def __instancecheck__(self, instance: object) -> bool:
        return False  # nothing here is made by it


def refused(module: str, key: str, name: str) -> NoReturn:
    """Refuse a name of a module for the reason that the table has under `key`."""
    if name.startswith("__"):
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    raise _refusal(f"{module}.{name}", *MODULES[key])


def refusal(path: str) -> UnknownNameError | None:
    """Return the error for a classic name that is missing, by its path below the package; None for names that have
    none."""
    reason = reason_of(path)
    return None if reason is None else _refusal(path, *reason)


def _refusal(path: str, reason: str, help: str) -> UnknownNameError:
    return UnknownNameError("TW0251", f"'{path}' is not part of this package: {reason}", help=help)


def __getattr__(name: str) -> Any:
    """Return the refused module of that name, dots written as underscores."""
    known = next((each for each in MODULES if each.replace(".", "_") == name), None)
    if known is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = globals()[name] = RefusedModule(known)
    return module
