"""Registry of user frontends, which import models of other systems.

A frontend has a predicate for the objects that it accepts, and a function that imports one as a module. A model is a
path, bytes, or any object.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from ..diagnostics import fail
from ..dialects.ir_module import IRModule
from ..plugins import load_plugins, origin

BAD_FRONTEND = "TW0236"


@dataclass(frozen=True)
class Frontend:
    """A registered importer: its name, the predicate for models that it accepts, and the function that imports one."""

    name: str
    predicate: Callable[[Any], bool]
    load: Callable[..., Any]

    def __call__(self, model: Any, options: Mapping[str, Any]) -> ModuleOp:
        """Return the module of a model. Raises TilewrightError TW0236 where the frontend gives something else."""
        module = self.load(model, **options)
        module = module.op if isinstance(module, IRModule) else module
        if not isinstance(module, ModuleOp):
            kind = type(module).__name__
            fail(BAD_FRONTEND, f"expected frontend '{self.name}' to give a ModuleOp or an IRModule, but got {kind}")
        return module


_frontends: dict[str, Frontend] = {}


def register_frontend(
    predicate: Callable[[Any], bool], load: Callable[..., ModuleOp | IRModule], *, name: str | None = None
) -> None:
    """Register a frontend, by which `tilewright.compile` and the command lines read another kind of model.

    ```python
    tilewright.register_frontend(lambda model: str(model).endswith(".toy"), load_toy)
    ```
    `predicate(model)` returns whether the frontend reads this model: a path, bytes, or any object. `load(model)`
    returns a module of any level, whose `@main` is the program. If the caller gives `shapes` (by input) or `sizes` (by
    name), `load` gets these as keywords. The frontend that was registered last is tried first, and users' frontends
    before the builtin ones for ONNX, IR and tensors. `name` is by default the name of the function `load`.

    Raises TilewrightError TW0236 for a name that is taken. The same function of a reloaded module may be registered
    again.
    """
    name = name or str(getattr(load, "__qualname__", type(load).__qualname__))
    known = _frontends.get(name)
    if known is not None and origin(known.load) != origin(load):
        fail(
            BAD_FRONTEND,
            f"a frontend named '{name}' is registered already, by {getattr(known.load, '__module__', '?')}",
            help=f"give yours another name, or forget that one with tilewright.unregister_frontend('{name}')",
        )
    for argument, value in (("predicate", predicate), ("load", load)):
        if not callable(value):
            fail(BAD_FRONTEND, f"expected {argument} of frontend '{name}' to be a function, but got {value!r}")
    _frontends.pop(name, None)
    _frontends[name] = Frontend(name, predicate, load)


def unregister_frontend(name: str) -> None:
    """Forget a frontend. Raises TilewrightError TW0236 where there is none of that name."""
    if _frontends.pop(name, None) is None:
        fail(BAD_FRONTEND, f"expected the name of a registered frontend, but '{name}' is not registered")


def find_frontend(model: Any) -> Frontend | None:
    """Return the frontend of a user that reads a model; None where none does."""
    load_plugins()
    return next((frontend for frontend in reversed(_frontends.values()) if frontend.predicate(model)), None)
