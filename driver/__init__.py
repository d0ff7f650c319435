"""The driver: loads a model or a module, lowers and compiles it, and returns a callable program or its texts.

The driver is the only part that knows both the passes and the backends. Its functions are imported when they are first
used, so a process that only runs compiled programs imports no compiler.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy import exports

if TYPE_CHECKING:
    from .building import build as build
    from .building import compile as compile
    from .building import emit as emit
    from .files import load_module as load_module
    from .lowering import lower as lower
    from .lowering import lower_module as lower_module
    from .models import load_model as load_model
    from .targets import Target as Target

_EXPORTS: dict[str, str] = {
    "Target": "targets:Target",
    "build": "building:build",
    "compile": "building:compile",
    "emit": "building:emit",
    "load_model": "models:load_model",
    "load_module": "files:load_module",
    "lower": "lowering:lower",
    "lower_module": "lowering:lower_module",
}

__all__ = ["Target", "build", "compile", "emit", "load_model", "load_module", "lower", "lower_module"]

__getattr__, __dir__ = exports(__name__, _EXPORTS)
