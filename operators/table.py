"""The table of operators: each by its name, filled by the files of this package and by `register_operator`."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from threading import RLock

from .record import Operator

OPERATORS: dict[str, Operator] = {}
"""
Name of the operator -> its record. Where the record has an operation, it is the meaning of `graph.<name>`; the other
records serve topi alone. Ask `load_operators` for the table with all of the compiler's own in it.
"""

_lock = RLock()
_loaded: list[str] = []


def load_operators() -> dict[str, Operator]:
    """Return the table, after every file of this package has been imported once; no list names the files."""
    if not _loaded:
        with _lock:
            names = [module.name for module in iter_modules(import_module(__package__ or "").__path__)]
            for name in names:
                import_module(f"{__package__}.{name}")
            _loaded[:] = names
    return OPERATORS


def get_operator(name: str) -> Operator:
    """Return the record of the operator `graph.<name>`. Raises KeyError where there is none."""
    return load_operators()[name]
