"""Lazy imports: objects named by `"module:Name"` strings, which are imported on first use.

Every registry (dialects, passes, operators, the public API) is a table of such strings: an entry imports nothing, so
`opt-tool --help` starts without importing a single pass.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any, TypeVar

from . import renamed
from .runtime import lazy as runtime_lazy
from .runtime import slots as runtime_slots
from .runtime.lazy import exports as exports
from .runtime.lazy import load as load


class Deferred(ModuleType):
    """A proxy of a module that is imported on first use of a name; each name is looked up once."""

    def __getattr__(self, name: str) -> Any:
        value = getattr(import_module(self.__name__), name)
        setattr(self, name, value)
        return value


_T = TypeVar("_T")
_ABOVE: dict[str, tuple[str, str]] = {}


class Slot(runtime_slots.Slot[_T]):
    """A value that is defined in a higher layer than the module that declares the slot (dependency inversion).

    `name` is the name of the slot as `"module:NAME"`, a key of a table in the package's root, which maps it to the
    value. The value is imported on first use.
    """

    def __init__(self, name: str) -> None:
        super().__init__(lambda: load(*_ABOVE[name]))
        self.name = name


def fill_slots(package: str, table: Mapping[str, str]) -> None:
    """State the values of slots: `"module:Name"`, relative to `package`, by the names of the slots."""
    _ABOVE.update({name: (spec, package) for name, spec in table.items()})


class _Finder:
    """The import finder of a package: a table maps alias paths to modules, and Python's finders find all others.

    A key is a path below the package. Its value is the module that also has that path, with all modules below it, or an
    object as `"module:Name"`. A module is found under both paths and exists once. An import that no finder resolves
    raises the error of a missing name, with its code and reason.
    """

    def __init__(self) -> None:
        self.root = ""
        self.table: Mapping[str, str] = {}

    def find_spec(self: Any, fullname: str, path: Any = None, target: Any = None) -> Any:
        """Return the specification of a module, as the protocol of `sys.meta_path` has it.

        Raises UnknownModuleError for a module that the package lacks, or a name that is imported from one.
        """
        root, _, below = fullname.partition(".")
        if root != self.root or not below:
            return None
        known = below
        while known and known not in self.table:
            known = known.rpartition(".")[0]
        if not known:
            return self._of_others(fullname, path, target)
        from importlib.machinery import ModuleSpec

        if known in renamed.NAMES:
            _warn_of(known)
        return ModuleSpec(fullname, self, origin=self.table[known] + below[len(known) :])

    def _of_others(self, fullname: str, path: Any, target: Any) -> Any:
        """Return the specification that another finder gives. Raises UnknownModuleError where none does."""
        for finder in sys.meta_path:
            if finder is not self and (spec := finder.find_spec(fullname, path, target)) is not None:
                return spec
        module, _, name = fullname.rpartition(".")
        if module not in sys.modules or name.startswith("__"):
            return None
        be_face(sys.modules[module])
        _member(sys.modules[module], name)
        raise _no_module(fullname)

    def create_module(self, spec: Any) -> Any:
        """Return the module itself; for a part of the table that is no module, the object that has its name."""
        module, _, names = spec.origin.partition(":")
        found = import_module(f"{self.root}.{module}")
        for name in names.split(".") if names else ():
            found = found.__below__(name) if hasattr(type(found), "__below__") else _member(found, name)
        if not isinstance(found, ModuleType):
            raise _no_module(spec.name)
        spec.loader_state = found.__spec__
        be_face(found)
        return found

    def exec_module(self, module: ModuleType) -> None:
        """Give the module back the specification of the name under which it ran."""
        module.__spec__ = module.__spec__ and module.__spec__.loader_state

    def path_of(self, module: str, name: str) -> str:
        """Return the path below the package by which programs import a name of a module."""
        path = module.partition(".")[2]
        faces = [face for face, target in self.table.items() if target == path and target.startswith("classic.")]
        path = min(faces, key=len) if faces else path.removeprefix("classic").lstrip(".")
        return f"{path}.{name}".lstrip(".")


_finder = _Finder()


def redirect_imports(root: str, table: Mapping[str, str]) -> None:
    """Let the modules and names that `table` lists be found in the package `root`; see `_Finder`."""
    _finder.root, _finder.table = root, table
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)


def be_face(module: ModuleType) -> ModuleType:
    """Make the module refuse missing names with a code from here on, also those that are imported from it; return
    it."""
    members = vars(module)
    members.setdefault("__path__", [])  # Python looks for a module where `from module import name` finds no name
    if "__getattr__" not in members and not hasattr(type(module), "__getattr__"):
        members["__getattr__"] = exports(module.__name__, {})[0]
    return module


def _member(module: Any, name: str) -> Any:
    """Return the attribute of a module; raise an import error if the module refuses the name."""
    try:
        return getattr(module, name)
    except AttributeError as error:
        raise _as_module_error(error) from None


def _no_module(fullname: str) -> ImportError:
    """Return the error of a finder that refuses to import a name that is no module."""
    from .diagnostics.errors import UnknownModuleError

    return UnknownModuleError("TW0225", f"'{fullname}' is a name of a module, and no module itself")


def _as_module_error(error: AttributeError) -> ImportError:
    """Return the error of a finder that refuses an import for the reason for which a name is refused."""
    from .diagnostics.errors import TilewrightError, UnknownModuleError

    if not isinstance(error, TilewrightError):  # a special name of Python, such as `__file__`
        return ModuleNotFoundError(str(error))
    return UnknownModuleError(error.code, error.message, location=error.location, notes=error.notes, help=error.help)


def found_elsewhere(module: str, name: str) -> Any:
    """Return the module or object that the table has for a name of a module. Raises KeyError where it has none."""
    _, _, path = f"{module}.{name}".partition(".")
    if path not in _finder.table:
        path = _finder.path_of(module, name)
    target = _finder.table[path]
    if ":" in target:
        if path in renamed.NAMES:
            _warn_of(path)
        from .diagnostics.expectations import public

        return public(load(target, _finder.root))
    return import_module(f"{_finder.root}.{path}")


def _warn_of(path: str) -> None:
    """Warn of the earlier path of a module or an object."""
    root = _finder.root
    renamed.warn_of(f"'{root}.{path}'", f"'{root}.{renamed.NAMES[path].replace(':', '.')}'")


def unknown_name(module: str, name: str, known: Iterable[str]) -> AttributeError:
    """Return the error for a name that a module does not have, which is an AttributeError too.

    TW0251 with the reason for a name of the classic TVM that has one; otherwise TW0225 with the nearest names.
    """
    refusal = None if name.startswith("__") else runtime_slots.REFUSAL.value(_finder.path_of(module, name))
    return runtime_lazy.unknown_name(module, name, known) if refusal is None else refusal


def name_elsewhere(module: str, name: str, known: Iterable[str]) -> Any:
    """Return the module or object of `found_elsewhere`. Raises the error of `unknown_name` where there is none."""
    try:
        return found_elsewhere(module, name)
    except KeyError:
        raise unknown_name(module, name, known) from None


def missing_field(node: object, what: str, name: str) -> AttributeError:
    """Return the error for a field that an object of the classic TVM has and this one has not: TW0251, an
    AttributeError."""
    if name.startswith("__"):
        return AttributeError(f"{type(node).__name__!r} object has no attribute {name!r}")
    from .diagnostics.errors import UnknownNameError

    return UnknownNameError(
        "TW0251",
        f"{what} has no {name!r}: it has the fields that docs/classic.md lists under 'Bodies of functions'",
        help="visit programs with tir.stmt_functor, and read them with mod.script()",
    )
