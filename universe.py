"""Dialects and passes of tilewright for `xdsl-opt`, through the entry point `xdsl.universe`.

Passes get the prefix `tw-`: `xdsl-opt` fails if two packages register the same name, such as `cse`.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.passes import ModulePass
from xdsl.universe import Universe

from . import backends as _backends  # noqa: F401  # pyright: ignore[reportUnusedImport]  (their lowering rules)
from . import dialects, renamed
from .passes.framework import registry

PREFIX = "tw-"


def _prefixed(name: str) -> Callable[[], type[ModulePass]]:
    def load() -> type[ModulePass]:
        cls = registry.get_pass(name)
        # xdsl-opt checks the name in the pipeline against the name of the class.
        return type(cls.__name__, (cls,), {"name": PREFIX + name, "__doc__": cls.__doc__})

    return load


UNIVERSE = Universe(
    all_dialects={name: dialects.factory(name) for name in dialects.DIALECTS},
    all_passes={PREFIX + name: _prefixed(name) for name in (*registry.BUILTIN, *renamed.PASSES)},
)
