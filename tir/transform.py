"""Passes under classic names: `prim_func_pass`, and those of this compiler that do what a classic pass did.

@tir.transform.prim_func_pass(opt_level=0)
def my_pass(f, mod, ctx):
    return f.with_body(tir.stmt_functor.ir_transform(f.body, None, rewrite, ["tir.For"]))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..diagnostics import fail
from ..dialects.ir_module import IRModule
from ..passes.base import Level
from ..passes.context import PassContext
from ..passes.custom import pass_name
from ..passes.sequences import CallablePass
from .statements import BAD_STATEMENT, PrimFunc

FunctionOfFunctions = Callable[[PrimFunc, IRModule, PassContext], PrimFunc]


def prim_func_pass(
    pass_func: FunctionOfFunctions | type | None = None,
    opt_level: int = 0,
    name: str | None = None,
    required: object = None,
    traceable: bool = False,
) -> Any:
    """A pass of a function that is called with each function of a module, the module, and the current context.

    It returns the function itself or `f.with_body(...)`. A class instead of a function is one whose instances have a
    method `transform_function`. The pass runs in a `PassContext`, and on a module that it is called with.
    """

    def decorate(given: Any) -> Any:
        label = name or given.__name__
        if isinstance(given, type):
            made = given
            return lambda *arguments, **keywords: _pass_of(
                made(*arguments, **keywords).transform_function, label, opt_level, made.__doc__
            )
        return _pass_of(given, label, opt_level, given.__doc__)

    return decorate if pass_func is None else decorate(pass_func)


def _pass_of(function: FunctionOfFunctions, name: str, opt_level: int, doc: str | None) -> CallablePass:
    def apply(self: CallablePass, ctx: Context, op: ModuleOp) -> None:
        module = IRModule(op)
        for func in [f for f in op.ops if isinstance(f, FuncOp) and not f.is_declaration]:
            result = function(PrimFunc(func), module, PassContext.current())
            if not isinstance(result, PrimFunc) or result.op is not func:  # pyright: ignore[reportUnnecessaryIsInstance]
                fail(BAD_STATEMENT, f"pass '{self.name}' returned no function; return f or f.with_body(...)", op=func)
            result.settle()

    said = {
        "name": pass_name(name),
        "phase": 2,
        "levels": (Level.BLOCK, Level.LOOP),
        "opt_level": opt_level,
        "apply": apply,
        "__doc__": doc or f"Call {name}.",
        "__module__": getattr(function, "__module__", __name__),
    }
    return type(name, (CallablePass,), said)()
