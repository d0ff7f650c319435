"""`I`: modules in TVMScript."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, overload

from .markers import Marker

if TYPE_CHECKING:
    from ..dialects.ir_module import IRModule


@overload
def ir_module(thing: type, *, check_well_formed: bool = True) -> IRModule: ...
@overload
def ir_module(thing: None = None, *, check_well_formed: bool = True) -> Callable[[type], IRModule]: ...
def ir_module(thing: type | None = None, *, check_well_formed: bool = True) -> Any:
    """Read the functions of a class as a module. Every one is checked, independent of `check_well_formed`."""
    if thing is None:
        return ir_module
    from ..frontends.tvmscript.functions import read_module

    module = read_module(thing)
    module.__name__ = thing.__name__
    return module


ir_module.__tvmscript__ = "I.ir_module"  # pyright: ignore[reportFunctionMemberAccess]


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return Marker(f"I.{name}")
