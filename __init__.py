"""tilewright: a tensor compiler on xDSL.

The names below are the front door. Each is imported on first use: `import tilewright` costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .lazy import load

if TYPE_CHECKING:
    from .diagnostics import TilewrightError as TilewrightError
    from .driver import compile as compile
    from .driver import load_module as load_module
    from .passes.base import Pass as Pass
    from .passes.context import PassContext as PassContext
    from .passes.intrinsics import register_lowering as register_lowering
    from .passes.manager import PassManager as PassManager
    from .passes.registry import register_pass as register_pass
    from .schedule import Schedule as Schedule

__version__ = "0.1.0"

_EXPORTS: dict[str, str] = {
    "Pass": "passes.base:Pass",
    "PassContext": "passes.context:PassContext",
    "PassManager": "passes.manager:PassManager",
    "Schedule": "schedule:Schedule",
    "TilewrightError": "diagnostics:TilewrightError",
    "compile": "driver:compile",
    "load_module": "driver:load_module",
    "register_lowering": "passes.intrinsics:register_lowering",
    "register_pass": "passes.registry:register_pass",
}

__all__ = [
    "Pass",
    "PassContext",
    "PassManager",
    "Schedule",
    "TilewrightError",
    "__version__",
    "compile",
    "load_module",
    "register_lowering",
    "register_pass",
]


def __getattr__(name: str) -> Any:
    if name not in _EXPORTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = load(_EXPORTS[name], __name__)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_EXPORTS])
