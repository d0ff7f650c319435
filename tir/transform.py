"""Passes under classic names: `prim_func_pass`, and passes of this compiler that replace a classic one.

@tir.transform.prim_func_pass(opt_level=0)
def my_pass(f, mod, ctx):
    return f.with_body(tir.stmt_functor.ir_transform(f.body, None, rewrite, ["tir.For"]))
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from enum import IntFlag
from functools import partial
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Region
from xdsl.rewriter import InsertPoint

from ..diagnostics import fail
from ..diagnostics.errors import UnknownNameError
from ..diagnostics.locations import caller_location
from ..dialects import loop
from ..dialects.index_expr import Index
from ..dialects.ir_module import IRModule
from ..ir import editor as edit
from ..lazy import be_face, found_elsewhere, unknown_name
from ..passes.framework.base import Level
from ..passes.framework.context import PassContext
from ..passes.framework.custom import pass_name
from .analysis import verify_memory, verify_ssa
from .pass_names import ARGUMENTS, HAS_NO_MEANING, SAME_AS
from .sequences import CallablePass, Sequential
from .statements import BAD_STATEMENT, PrimFunc

FunctionOfFunctions = Callable[[PrimFunc, IRModule, PassContext], PrimFunc]


def prim_func_pass(
    pass_func: FunctionOfFunctions | type | None = None,
    opt_level: int = 0,
    name: str | None = None,
    required: object = None,
    traceable: bool = False,
) -> Any:
    """Return a pass of a function that is called with each function of a module, the module, and the current context.

    It returns the function itself or `f.with_body(...)`. A class instead of a function is one whose instances have a
    method `transform_function`. The pass runs in a `PassContext`, and on a module that it is called with.
    """

    def decorate(given: Any) -> Any:
        if not callable(given):
            fail(BAD_STATEMENT, f"expected a function or a class as pass, but got {given!r}")
        label = name or getattr(given, "__name__", type(given).__name__)
        if isinstance(given, type):
            made = given
            return lambda *arguments, **keywords: _pass_of(
                made(*arguments, **keywords).transform_function, label, opt_level, made.__doc__
            )
        return _pass_of(cast("FunctionOfFunctions", given), label, opt_level, given.__doc__)

    return decorate if pass_func is None else decorate(pass_func)


def _pass_of(function: FunctionOfFunctions, name: str, opt_level: int, doc: str | None) -> CallablePass:
    def apply(self: CallablePass, ctx: Context, op: ModuleOp) -> None:
        module = IRModule(op)
        for func in [f for f in op.ops if isinstance(f, FuncOp) and not f.is_declaration]:
            result = function(PrimFunc(func), module, PassContext.current())
            if type(result) is not PrimFunc:
                fail(BAD_STATEMENT, f"pass '{self.name}' returned no function; return f or f.with_body(...)", op=func)
            result.materialize()
            if result.op is not func:
                edit.insert(result.op if result.op.parent is None else result.op.clone(), InsertPoint.before(func))
                edit.erase(func, safe_erase=False)

    return _made(name, opt_level, apply, doc or f"Call {name}.", getattr(function, "__module__", __name__))


def _made(
    name: str, opt_level: int, apply: Callable[[CallablePass, Context, ModuleOp], None], doc: str, module: str
) -> CallablePass:
    """Return an instance of a class of passes."""
    said = {"name": pass_name(name), "phase": 2, "levels": (Level.BLOCK, Level.LOOP), "opt_level": opt_level}
    return type(name, (CallablePass,), {**said, "apply": apply, "__doc__": doc, "__module__": module})()


def _named(name: str, *arguments: object, **keywords: object) -> Sequential:
    """Return the pass of a classic name. Raises TilewrightError TW0255 for an argument that has no meaning here."""
    known = ARGUMENTS.get(name, ())
    given = (*arguments, *keywords.values())
    odd = [argument for argument in given if argument not in known]
    if odd or len(given) > 1:
        wanted = f"no argument but {', '.join(map(repr, known))}" if known else "no arguments"
        fail(BAD_STATEMENT, f"tir.transform.{name}: expected {wanted}, but got {', '.join(map(repr, given))}")
    return Sequential([each for each in SAME_AS[name].split(",") if each], name=name)


def LowerInitBlock() -> CallablePass:
    """Return a pass that makes the init of a block a condition in its body: that every reduce axis is at its first
    index."""

    def apply(self: CallablePass, ctx: Context, op: ModuleOp) -> None:
        for block in [each for each in op.walk() if isinstance(each, loop.BlockOp) and each.init is not None]:
            init = block.init
            assert init is not None
            reduced = [variable for variable, kind, *_ in block.iteration() if kind == "reduce"]
            body = Region(Block())
            edit.append(body.block, *edit.detach_all(init.body.block))
            first = loop.IfOp([Index.of(variable) * -1 for variable in reduced], body)
            edit.insert([first] if reduced else edit.detach_all(body.block), InsertPoint.before(init))
            edit.erase(init)

    return _made("LowerInitBlock", 0, apply, "Make the init of each block a condition in its body.", __name__)


def ConvertForLoopsToSerial() -> CallablePass:
    """Return a pass that runs the iterations of parallel loops one after the other."""

    def apply(self: CallablePass, ctx: Context, op: ModuleOp) -> None:
        for each in op.walk():
            if isinstance(each, loop.ForOp) and each.kind == loop.PARALLEL:
                edit.change(each).kind = loop.SERIAL

    return _made("ConvertForLoopsToSerial", 0, apply, "Make parallel loops serial.", __name__)


class HoistedConditionals(IntFlag):
    """Kinds of conditions that the original's `HoistExpression` moves; `hoist` moves loop-invariant operations of all
    kinds."""

    Never = 0
    IfElseStmt = 1
    IfElseExpr = 2
    BooleanExpression = 4
    UsingBlockVar = 8
    All = 15


class HoistedLetBindings(IntFlag):
    """Kinds of values that the original's `HoistExpression` moves."""

    Never = 0
    RequiredByConditional = 1
    LetStmt = 2
    LetExpr = 4
    All = 7


def BindTarget(target: object) -> CallablePass:
    """Return a pass that changes nothing: the target is an argument of `build`."""
    return _made("BindTarget", 0, lambda self, ctx, op: None, "Change nothing.", __name__)


def VerifyMemory() -> CallablePass:
    """Return a pass that raises TW0255 where a function with loops bound to threads accesses memory outside of them."""

    def apply(self: CallablePass, ctx: Context, op: ModuleOp) -> None:
        for func in [f for f in op.ops if isinstance(f, FuncOp) and not f.is_declaration]:
            if not verify_memory(func):
                fail(BAD_STATEMENT, "expected accesses to memory inside of the loops bound to threads", op=func)

    return _made("VerifyMemory", 0, apply, "Refuse accesses to memory outside of threads.", __name__)


def VerifySSA() -> CallablePass:
    """Return a pass that raises TW0255 where a value is used before it is defined."""

    def apply(self: CallablePass, ctx: Context, op: ModuleOp) -> None:
        if not verify_ssa(IRModule(op)):
            fail(BAD_STATEMENT, "expected values to be defined before their uses", op=op)

    return _made("VerifySSA", 0, apply, "Refuse uses of values that are not defined.", __name__)


def Filter(fcond: Callable[[PrimFunc], bool]) -> CallablePass:
    """Return a pass that removes the functions for which the condition does not hold."""

    def apply(self: CallablePass, ctx: Context, op: ModuleOp) -> None:
        for func in [f for f in op.ops if isinstance(f, FuncOp)]:
            if not fcond(PrimFunc(func)):
                edit.erase(func, safe_erase=False)

    return _made("Filter", 0, apply, "Remove functions for which a condition does not hold.", __name__)


def Apply(ftransform: Callable[[PrimFunc], PrimFunc]) -> CallablePass:
    """Return a pass of a function that is called with each function of a module alone."""
    return _pass_of(lambda f, mod, ctx: ftransform(f), "Apply", 0, None)


def __getattr__(name: str) -> Any:
    if name in SAME_AS:
        return partial(_named, name)
    if name in HAS_NO_MEANING:
        raise UnknownNameError(
            BAD_STATEMENT,
            f"there is no tir.transform.{name}: {HAS_NO_MEANING[name]}",
            location=caller_location("tir"),
        )
    try:
        return found_elsewhere(__name__, name)
    except KeyError:
        raise unknown_name(__name__, name, [*globals(), *SAME_AS]) from None


def __dir__() -> list[str]:
    return sorted([*globals(), *SAME_AS])


be_face(sys.modules[__name__])
