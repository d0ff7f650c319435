"""Passes under the classic names of relay, and user passes over functions.

module = tilewright.transform.Sequential([relay.transform.SimplifyInference(), relay.transform.FoldConstant()])(module)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.rewriter import InsertPoint

from ...diagnostics import fail
from ...diagnostics.errors import UnknownNameError
from ...diagnostics.locations import caller_location
from ...dialects.ir_module import IRModule
from ...dialects.target import TARGET_ATTRIBUTE
from ...driver import Target
from ...ir import editor as edit
from ...lazy import unknown_name
from ...passes.framework.base import Level
from ...passes.framework.context import PassContext
from ...passes.framework.custom import pass_name
from ...passes.framework.registry import parse_pipeline
from ...tir.sequences import CallablePass, Sequential
from .expr import Expr
from .functions import Function, function_of, is_graph, view_of
from .pass_names import ARGUMENTS, REFUSED, SAME_AS

NO_PASS = "TW0324"


def _named(name: str, *arguments: Any, **keywords: Any) -> Sequential:
    """Return the pass of a classic name. Raises TW0324 for a parameter that it does not have."""
    known = ARGUMENTS.get(name, ())
    odd = [key for key in keywords if key not in known]
    if odd or len(arguments) > len(known):
        wanted = ", ".join(known) or "no arguments"
        given = ", ".join(odd) or f"{len(arguments)} arguments"
        message = f"relay.transform.{name}: expected {wanted}, but got {given}"
        fail(NO_PASS, message, location=caller_location())
    return Sequential([each for each in SAME_AS[name].split(",") if each], name=name)


_FIRST_LAYOUTS = ("NCW", "NCHW", "NCDHW", "OIW", "OIHW", "OIDHW", "default")


def ConvertLayout(desired_layouts: Mapping[str, Any]) -> Sequential:
    """Return a pass that changes nothing: operators on images have channels first in the graph dialect, whatever a
    program writes, and block-channels gives them the layout of the machine. Raises TW0324 for another layout."""
    for name, layouts in desired_layouts.items():
        for layout in [layouts] if isinstance(layouts, str) else layouts:
            if layout not in _FIRST_LAYOUTS:
                fail(
                    NO_PASS,
                    f"ConvertLayout: expected channels first for {name}, but got {layout!r}",
                    location=caller_location(),
                    help="leave it out: the pass block-channels gives images the layout of the machine",
                )
    return Sequential([], name="ConvertLayout")


def AlterOpLayout() -> CallablePass:
    """Return the pass block-channels for the module's target, else for that of the `with Target(...)` around, else this
    machine."""

    def apply(self: CallablePass, ctx: Context, op: ModuleOp) -> None:
        is_stated = TARGET_ATTRIBUTE in op.attributes
        if not is_stated:
            edit.change(op).attributes[TARGET_ATTRIBUTE] = Target.of(None).attribute()
        for each in parse_pipeline("block-channels"):
            each.apply(ctx, op)
        if not is_stated:
            del edit.change(op).attributes[TARGET_ATTRIBUTE]

    return _made("AlterOpLayout", 2, apply, "Put the channels of images into blocks.")


def function_pass(
    pass_func: Any = None, opt_level: int = 0, name: str | None = None, required: Any = None, traceable: bool = False
) -> Any:
    """Return a pass of a function that is called with each function of a module, the module, and the current context.

    It returns a function of relay, the same or another one. A class instead of a function is one whose instances have a
    method `transform_function`.
    """

    def decorate(given: Any) -> Any:
        if not callable(given):
            fail(NO_PASS, f"expected a function or a class as pass, but got {given!r}", location=caller_location())
        label = name or getattr(given, "__name__", type(given).__name__)
        if isinstance(given, type):
            made: Any = given
            return lambda *arguments, **keywords: _pass_of(
                made(*arguments, **keywords).transform_function, label, opt_level, made.__doc__
            )
        return _pass_of(given, label, opt_level, given.__doc__)

    return decorate if pass_func is None else decorate(pass_func)


def _pass_of(transform: Callable[..., Any], label: str, opt_level: int, doc: str | None) -> CallablePass:
    def apply(self: CallablePass, ctx: Context, op: ModuleOp) -> None:
        for func in [each for each in op.ops if isinstance(each, FuncOp) and is_graph(each)]:
            result = transform(view_of(func), IRModule(op), PassContext.current())
            if not isinstance(result, Expr):
                message = f"pass '{self.name}' returned {type(result).__name__} and no function of relay"
                fail(NO_PASS, message, op=func)
            _replace(func, function_of(result))

    return _made(label, opt_level, apply, doc or f"Call {label}.")


def _made(
    label: str, opt_level: int, apply: Callable[[CallablePass, Context, ModuleOp], None], doc: str
) -> CallablePass:
    """Return an instance of a class of passes on functions of the graph level."""
    said = {"name": pass_name(label), "phase": 0, "levels": (Level.GRAPH,), "opt_level": opt_level, "apply": apply}
    return type(label, (CallablePass,), {**said, "__doc__": doc, "__module__": __name__})()


def _replace(func: FuncOp, result: Function) -> None:
    """Replace a function by another one, under the same name."""
    if result is view_of(func):
        return
    new = result.op.clone()
    new.sym_name = func.sym_name
    if func.sym_visibility is not None:
        new.sym_visibility = func.sym_visibility
    edit.insert(new, InsertPoint.before(func))
    edit.erase(func, safe_erase=False)


def __getattr__(name: str) -> Any:
    if name in SAME_AS:
        return partial(_named, name)
    if name in REFUSED:
        reason, help = REFUSED[name]
        raise UnknownNameError(
            NO_PASS, f"there is no relay.transform.{name}: {reason}", location=caller_location(), help=help
        )
    raise unknown_name(__name__, name, [*SAME_AS, "AlterOpLayout", "ConvertLayout", "function_pass"])


def __dir__() -> list[str]:
    return sorted({*globals(), *SAME_AS})
