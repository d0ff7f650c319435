"""`T`: functions in TVMScript.

Every name of the language is an attribute of this module, without an implementation: the parser reads the names from
the source text.
"""

from __future__ import annotations

import inspect
import linecache
from collections.abc import Callable
from itertools import takewhile
from typing import TYPE_CHECKING, Any, overload

from ..diagnostics import TilewrightError, fail
from ..diagnostics.locations import caller_location
from .markers import Marker

if TYPE_CHECKING:
    from ..dialects.ir_module import Function


@overload
def prim_func(func: Callable[..., Any], *, private: bool = False, check_well_formed: bool = True) -> Function: ...
@overload
def prim_func(
    func: None = None, *, private: bool = False, check_well_formed: bool = True
) -> Callable[[Callable[..., Any]], Function]: ...
def prim_func(func: Callable[..., Any] | None = None, *, private: bool = False, check_well_formed: bool = True) -> Any:
    """Read a function in TVMScript. `build`, `lower`, `IRModule` and `tir.Schedule` take the result.

    Functions of a class that `I.ir_module` decorates are read with the class, and stay unchanged until then. Functions
    of another class are read at once; an error in one is raised where it is first used, because the class has others.
    `private` makes a function that only others of its module call; every function is checked, whatever
    `check_well_formed` says.
    """
    if func is None:
        return lambda f: prim_func(f, private=private)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    around = func.__qualname__.split(".")[:-1]
    is_in_class = bool(around) and around[-1] != "<locals>"
    if is_in_class and _is_in_module(func, around[-1]):
        return func
    from ..frontends.tvmscript.functions import read_function

    try:
        return read_function(func, private=private)
    except TilewrightError as error:
        if not is_in_class:
            raise
        return _Refused(error)


prim_func.__tvmscript__ = "prim_func"  # pyright: ignore[reportFunctionMemberAccess]


class _Refused:
    """A function of a class that could not be parsed. Each use raises the error."""

    def __init__(self, error: TilewrightError) -> None:
        self._error = error

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in ("_fixture_function", "_pytestfixturefunction"):
            raise AttributeError(name)
        raise self._error

    def __repr__(self) -> str:
        """Raise the error too: a message that would name the function states the reason."""
        raise self._error


def _is_in_module(func: Callable[..., Any], name: str) -> bool:
    """Return whether `ir_module` decorates the class that a function is being defined in; True as well without its
    source."""
    frame = inspect.currentframe()
    while frame is not None and frame.f_code.co_name != name:
        frame = frame.f_back
    if frame is None:
        return True
    lines = linecache.getlines(frame.f_code.co_filename, frame.f_globals)[frame.f_code.co_firstlineno - 1 :]
    header = takewhile(lambda line: not line.lstrip().startswith("class "), lines)
    return not lines or any("ir_module" in line for line in header)


def macro(func: Callable[..., Any] | None = None, *, hygienic: bool = True) -> Any:
    """Make a function a helper, whose calls in a script are replaced by its body.

    Its free names are resolved where it is defined. Raises TilewrightError TW0314 for `hygienic=False`, which resolves
    them in its callers.
    """
    if not hygienic:
        fail(
            "TW0314",
            "expected a macro whose free names are resolved where it is defined",
            location=caller_location("script"),
            help="pass what it uses as arguments",
        )
    return (lambda given: given) if func is None else func  # pyright: ignore[reportUnknownLambdaType]


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return Marker(name)
