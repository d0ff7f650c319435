"""What a compiled program needs to run: calling convention, checked arguments, memory, threads. Imports no xdsl."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..lazy import load

if TYPE_CHECKING:
    from .arguments import Argument as Argument
    from .arguments import Signature as Signature
    from .extent import Extent as Extent
    from .module import Executable as Executable
    from .module import Module as Module

_EXPORTS: dict[str, str] = {
    "Argument": "arguments:Argument",
    "Executable": "module:Executable",
    "Extent": "extent:Extent",
    "Module": "module:Module",
    "Signature": "arguments:Signature",
}

__all__ = ["Argument", "Executable", "Extent", "Module", "Signature"]


def __getattr__(name: str) -> Any:
    if name not in _EXPORTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return load(_EXPORTS[name], __name__)
