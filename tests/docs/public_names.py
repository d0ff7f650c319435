"""The stable names of the modules that docs/compatibility.md lists. Run as a program, it writes the list anew."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

from tilewright.dialects import factory
from tilewright.schedule import Schedule
from tilewright.schedule.methods import DeclaredMethods

PAGE = Path(__file__).resolve().parents[2] / "docs" / "compatibility.md"
LIST = Path(__file__).with_name("public_names.txt")
_ROW = re.compile(r"^\| `(tilewright[\w.]*)` \|", re.MULTILINE)
_DIALECTS = "tilewright.dialects."


def is_module(value: object) -> bool:
    """Return if a value is a module, and not an operator too, as modules of classic topi are once they are imported."""
    return isinstance(value, ModuleType) and not callable(value)


def sections() -> tuple[list[str], list[str]]:
    """Return the modules of the page's first table, and the single names of its second."""
    modules, single = PAGE.read_text(encoding="utf-8").split("Of other modules, single names are stable:")
    return _ROW.findall(modules), _ROW.findall(single)


def public_names() -> list[str]:
    """Return all stable names, dotted and sorted."""
    modules, single = sections()
    found = {*single, *(f"{module}.{name}" for module in modules for name in names_of(module))}
    found |= {f"tilewright.Schedule.{name}" for name in vars(DeclaredMethods) if not name.startswith("_")}
    found |= {f"tilewright.Schedule.{name}" for name in dir(Schedule) if name.startswith("get_")}
    return sorted(found)


def names_of(path: str) -> Iterator[str]:
    """Yield the stable names of a module: `__all__`, or else what it loads on first use; of a dialect, its
    operations."""
    module = import_module(path)
    if path.startswith(_DIALECTS):
        yield from (operation.__name__ for operation in factory(path.removeprefix(_DIALECTS))().operations)
        return
    names = getattr(module, "__all__", None) or set(dir(module)) - set(vars(module))
    yield from (name for name in names if not is_module(getattr(module, name)) and name != "__version__")


def find(name: str) -> object:
    """Return the object of a dotted name."""
    parts = name.split(".")
    item: object = import_module(parts[0])
    for end, part in enumerate(parts[1:], start=2):
        item = getattr(item, part) if hasattr(item, part) else import_module(".".join(parts[:end]))
    return item


if __name__ == "__main__":
    LIST.write_text("\n".join(public_names()) + "\n", encoding="utf-8")
