"""schedule/methods.py: the primitives of `schedule/primitives/` as typed methods, for type checkers.

    python -m tilewright.tools.schedule_methods

writes the file. It is needed after a primitive is added, renamed or removed there.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from ..schedule import primitives as folder
from ..schedule.primitive_declaration import SUBJECTS, Primitive, primitives

PLACE = Path(folder.__path__[0]).parent / "methods.py"

_HEADING = '''\
"""The built-in primitives as methods, which type checkers read here; their declarations stand in `primitives/`.

Written by `python -m tilewright.tools.schedule_methods`.
"""

from __future__ import annotations

'''
_CLASS = '''

class DeclaredMethods(ViewMethods):
    """The methods of every schedule."""
'''


def built_in() -> list[Primitive]:
    """The primitives that are declared in `schedule/primitives/`, by subject and name."""
    for entry in iter_modules(folder.__path__):
        import_module(f"{folder.__name__}.{entry.name}")
    found = [p for p in primitives().values() if p.function.__module__.startswith(f"{folder.__name__}.")]
    return sorted(found, key=lambda p: (SUBJECTS.index(p.subject), p.name))


def source() -> str:
    """The text of schedule/methods.py."""
    modules: dict[str, list[str]] = {}
    for primitive in built_in():
        module = primitive.function.__module__.rpartition(".")[2]
        modules.setdefault(module, []).append(primitive.name)
    imports = [_import(module, sorted(names)) for module, names in sorted(modules.items())]
    lines: list[str] = []
    for subject in SUBJECTS:
        names = [primitive.name for primitive in built_in() if primitive.subject == subject]
        if names:
            lines += ["", f"    # {subject}", *(f"    {name} = {name}" for name in names)]
    return _HEADING + "\n".join([*imports, "from .views import ViewMethods"]) + "\n" + _CLASS + "\n".join(lines) + "\n"


def _import(module: str, names: list[str]) -> str:
    line = f"from .primitives.{module} import {', '.join(names)}"
    if len(line) <= 120:
        return line
    return "\n".join([f"from .primitives.{module} import (", *(f"    {name}," for name in names), ")"])


if __name__ == "__main__":
    PLACE.write_text(source())
