"""`I`: modules in TVMScript."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .names import Marker

if TYPE_CHECKING:
    from ..dialects.ir_module import IRModule


def ir_module(thing: type) -> IRModule:
    """Read the functions of a class as a module."""
    from ..frontends.tvmscript.functions import read_module

    return read_module(thing)


ir_module.__tvmscript__ = "I.ir_module"  # pyright: ignore[reportFunctionMemberAccess]


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return Marker(f"I.{name}")
