"""References of the foreign functions of backends, as import paths: the table imports no backend."""

from __future__ import annotations

from typing import Any

from ..lazy import load

_builtin: list[tuple[str, str]] = []


def register_builtin_references(spec: str, package: str) -> None:
    """Make a table from symbols to references known: "module:TABLE", the module relative to `package`."""
    _builtin.append((package, spec))


def builtin_reference(symbol: str) -> Any:
    """Return the reference that a backend registers for a function; None without one."""
    tables = (load(spec, package) for package, spec in _builtin)
    return next((table[symbol] for table in tables if symbol in table), None)
