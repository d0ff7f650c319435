"""schedule/methods.py: the table of the primitives in `schedule/primitives/`, and typed methods for type checkers.

    python -m tilewright.tools.schedule_methods

writes the file. Run it after a primitive is added, renamed or removed there.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from ..schedule import primitives as folder
from ..schedule.primitive_declaration import SUBJECTS, Primitive, registered

OUTPUT = Path(folder.__path__[0]).parent / "methods.py"

_HEADING = '''\
"""The built-in primitives as methods; their declarations stand in `primitives/`, and are imported when they are used.

Written by `python -m tilewright.tools.schedule_methods`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .deferred_methods import deferred
from .views import ViewMethods

PRIMITIVES: dict[str, str] = {
'''
_CLASS = '''
    class DeclaredMethods(ViewMethods):
        """The built-in primitives of every schedule."""
'''
_REST = """
else:
    DeclaredMethods = deferred(ViewMethods, PRIMITIVES, __name__, __package__)
"""


def built_in() -> list[Primitive]:
    """Return the primitives that are declared in `schedule/primitives/`, by subject and name."""
    for entry in iter_modules(folder.__path__):
        import_module(f"{folder.__name__}.{entry.name}")
    found = [p for p in registered().values() if p.function.__module__.startswith(f"{folder.__name__}.")]
    return sorted(found, key=lambda p: (SUBJECTS.index(p.subject), p.name))


def source() -> str:
    """Return the text of schedule/methods.py."""
    modules: dict[str, list[str]] = {}
    for primitive in built_in():
        modules.setdefault(_module(primitive), []).append(primitive.name)
    table = [f'    "{name}": "primitives.{module}:{name}",' for module in sorted(modules) for name in modules[module]]
    names = '"""The modules of the built-in primitives, relative to this folder, by name."""\n\nif TYPE_CHECKING:'
    imports = [_import(module, sorted(names)) for module, names in sorted(modules.items())]
    methods: list[str] = []
    for subject in SUBJECTS:
        found = [primitive.name for primitive in built_in() if primitive.subject == subject]
        if found:
            methods += ["", f"        # {subject}", *(f"        {name} = {name}" for name in found)]
    return "\n".join([_HEADING + "\n".join(sorted(table)), "}", names, *imports, _CLASS + "\n".join(methods) + _REST])


def _module(primitive: Primitive) -> str:
    return primitive.function.__module__.rpartition(".")[2]


def _import(module: str, names: list[str]) -> str:
    line = f"    from .primitives.{module} import {', '.join(names)}"
    if len(line) <= 120:
        return line
    return "\n".join([f"    from .primitives.{module} import (", *(f"        {name}," for name in names), "    )"])


if __name__ == "__main__":
    OUTPUT.write_text(source())
