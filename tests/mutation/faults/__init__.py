"""Faults that were found in the package, to be planted again: one module for each part, with its rows in `FAULTS`.

A new row needs nothing else: `planted.py` takes the rows of every module in this folder.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

from .fault import Fault

__all__ = ["FAULTS", "Fault"]

FAULTS: dict[str, tuple[Fault, ...]] = {
    name: import_module(f"{__name__}.{name}").FAULTS for _, name, _ in pkgutil.iter_modules(__path__) if name != "fault"
}
"""The rows by the name of their module."""
