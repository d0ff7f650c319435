"""Public names: functions, classes and their methods, with signatures and docstrings."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

from .entry import Entry, Kind, documentation, first_sentence, joined

MODULES = (
    "tilewright",
    "tilewright.te",
    "tilewright.topi",
    "tilewright.topi.nn",
    "tilewright.tir",
    "tilewright.runtime",
)
"""The modules whose names are public: `__all__`, or all names of `dir` where there is none."""


def api_entries() -> Iterator[Entry]:
    """Every public function and class, once, by the first of the modules that have it."""
    seen = set[int]()
    for module_name in MODULES:
        module = import_module(module_name)
        for name in sorted(getattr(module, "__all__", None) or dir(module)):
            if name.startswith("_") or isinstance(item := getattr(module, name), ModuleType):
                continue
            if id(item) in seen:
                continue
            seen.add(id(item))
            yield _entry(module_name, name, item)


def _entry(module: str, name: str, item: Any) -> Entry:
    text = documentation(item) if callable(item) else f"`{item!r}`"
    parts = [signature_of(name, item), text]
    if isinstance(item, type):
        parts += [f"**`{signature}`**\n\n{about}" for signature, about in _methods(item)]
    return Entry(Kind.NAME, f"{module}.{name}", module, first_sentence(text), joined(parts))


def signature_of(name: str, item: Any) -> str:
    """A call as a fenced block; empty for what takes no arguments that Python knows of."""
    if not callable(item):
        return ""
    try:
        return f"```python\n{name}{inspect.signature(item)}\n```"
    except (TypeError, ValueError):
        return ""


def _methods(cls: type[Any]) -> Iterator[tuple[str, str]]:
    for name, member in inspect.getmembers(cls):
        if name.startswith("_") or not inspect.isfunction(member):
            continue
        about = inspect.getdoc(member)
        if about:
            parameters = str(inspect.signature(member)).replace("(self, ", "(").replace("(self)", "()")
            yield f"{name}{parameters}", about
