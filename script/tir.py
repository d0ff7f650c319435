"""`T`: functions in TVMScript.

Every name of the language is an attribute of this module; the parser reads them from the source text, nothing here
computes anything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, overload

from .names import Marker

if TYPE_CHECKING:
    from ..dialects.ir_module import Function


@overload
def prim_func(func: Callable[..., Any], *, private: bool = False, check_well_formed: bool = True) -> Function: ...
@overload
def prim_func(
    func: None = None, *, private: bool = False, check_well_formed: bool = True
) -> Callable[[Callable[..., Any]], Function]: ...
def prim_func(func: Callable[..., Any] | None = None, *, private: bool = False, check_well_formed: bool = True) -> Any:
    """Read a function in TVMScript. What it gives is what `build`, `lower`, `IRModule` and `tir.Schedule` take.

    Functions of a class are read with it (`I.ir_module`), and stay what they are until then. `private` makes a
    function that only others of its module call; every function is checked, whatever `check_well_formed` says.
    """
    if func is None:
        return lambda f: prim_func(f, private=private)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    around = func.__qualname__.split(".")[:-1]
    if around and around[-1] != "<locals>":
        return func
    from ..frontends.tvmscript.functions import read_function

    return read_function(func, private=private)


prim_func.__tvmscript__ = "prim_func"  # pyright: ignore[reportFunctionMemberAccess]


def macro(func: Callable[..., Any]) -> Callable[..., Any]:
    """A helper: calls of it in a script stand for its body."""
    return func


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return Marker(name)
