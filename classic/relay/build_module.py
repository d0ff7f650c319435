"""Compilation of functions of relay: `build`, which gives a factory of graph executors, and `create_executor`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ...diagnostics import fail
from ...diagnostics.errors import UnknownNameError
from ...diagnostics.expectations import coded_methods, expect_type
from ...diagnostics.locations import caller_location
from ...diagnostics.text import did_you_mean
from ...dialects import context
from ...dialects.ir_module import Function as ModuleFunction
from ...dialects.ir_module import IRModule
from ...driver import Target, compile
from ...driver.targets import TargetLike
from ...passes.framework.manager import PassManager
from ...passes.framework.registry import parse_pipeline
from ...passes.pipeline import PHASES
from ..executor.factory import GraphExecutorFactoryModule, factory_of
from ..nd import NDArray, array
from .backend import expect_graph_executor
from .expr import Constant, Expr, constant_of
from .functions import Function, bind, function_of, view_of, viewed

UNKNOWN_PARAMETER = "TW0702"


def build(
    ir_mod: Any,
    target: Any = None,
    target_host: TargetLike | None = None,
    executor: Any = None,
    runtime: Any = None,
    workspace_memory_pools: None = None,
    constant_memory_pools: None = None,
    params: Mapping[str, Any] | None = None,
    mod_name: str = "default",
) -> GraphExecutorFactoryModule:
    """Compile a module or a function; the factory gives executors by `["default"](device)`, the graph, the library and
    the parameters. Unpacked it is these three.

    `params` are values of arguments by name: they become constants. The passes are those of the current PassContext.
    Raises TW0702 for a parameter that the function does not have, TW0251 for executors that this package lacks.
    """
    expect_graph_executor(executor, runtime)
    expect_type("mod_name", mod_name, str)
    if workspace_memory_pools is not None or constant_memory_pools is not None:
        raise UnknownNameError(
            "TW0251", "pools of memory are not part of this package", help="`plan-arena` plans one arena for a model"
        )
    chosen = _target(target, target_host)
    module = IRModule(_with_params(as_module(ir_mod), params))
    return factory_of(compile(module, chosen), mod_name, ir_mod=module, target=chosen)


def _target(given: Any, host: TargetLike | None) -> Target:
    """Return the target; classic programs also give a mapping from devices, with one entry."""
    if isinstance(given, Mapping) and "kind" not in given:
        if len(given) != 1:
            fail("TW0612", f"expected one target, but got {dict(given)!r}", location=caller_location())
        (given,) = given.values()
    if isinstance(given, Sequence) and not isinstance(given, str):
        if len(given) != 1:
            fail("TW0612", f"expected one target, but got {given!r}", location=caller_location())
        (given,) = given
    chosen = Target.of(given)
    return chosen if host is None else chosen.with_host(host)


def as_module(given: Any) -> ModuleOp:
    """Return the module of a module, of one of its functions, or of an expression."""
    if isinstance(given, IRModule):
        return given.op
    if isinstance(given, ModuleOp):
        return given
    if isinstance(given, (FuncOp, ModuleFunction)):
        return IRModule({"main": given}).op
    return IRModule({"main": function_of(given).op}).op


def _with_params(module: ModuleOp, params: Mapping[str, Any] | None) -> ModuleOp:
    """Return the module, or a copy whose main function has parameters as constants."""
    if not params:
        return module
    functions = IRModule(module).functions
    if "main" not in functions:
        fail("TW0257", f"expected a function named 'main', but the module has {', '.join(functions) or 'none'}")
    bound = bind_params_by_name(view_of(functions["main"]), params)
    result = IRModule({**functions, "main": bound.op}).op
    result.attributes |= module.attributes
    return result


def bind_params_by_name(func: Any, params: Mapping[str, Any]) -> Function:
    """Return a function whose parameters of these names are constants. Raises TW0702 for a name of none."""
    expect_type("params", params, Mapping)
    found = viewed(func)
    if not isinstance(found, Function):
        expect_type("func", func, Function)
    known = {param.name_hint: param for param in found.params}
    for name in params:
        if name not in known:
            near = did_you_mean(name, list(known))
            message = f"expected a parameter of the function, but it has none named '{name}'{near}"
            fail(UNKNOWN_PARAMETER, message, location=caller_location())
    constants = {known[name]: Constant(constant_of(_numbers(value), name)) for name, value in params.items()}
    return bind(found, constants)


def _numbers(value: Any) -> np.ndarray:
    return np.asarray(value.data if isinstance(value, Constant) else value)


GRAPH_PASSES = PHASES[0][PHASES[0].index("infer-types") : PHASES[0].index("fuse")]
"""The passes of the graph level before operators become kernels."""


def optimize(
    mod: Any, target: Any = None, params: Mapping[str, Any] | None = None
) -> tuple[IRModule, dict[str, NDArray]]:
    """Return the module after the passes of the graph level for a target. Parameters are constants of it, and none is
    left."""
    from ...dialects.target import TARGET_ATTRIBUTE
    from ...ir import editor as edit

    module = _with_params(as_module(mod), params).clone()
    edit.change(module).attributes[TARGET_ATTRIBUTE] = _target(target, None).attribute()
    PassManager(parse_pipeline(",".join(GRAPH_PASSES))).run(context(), module)
    return IRModule(module), {}


@coded_methods
class Executor:
    """Compiles functions of a module and calls them: `create_executor("graph", module).evaluate()(x)`."""

    def __init__(self, kind: str, mod: Any, target: Any) -> None:
        self.kind, self.mod, self.target = kind, mod, target

    def evaluate(self, expr: Any = None, binds: Mapping[Any, Any] | None = None) -> Any:
        """Return a function on arrays: of the module's `main`, or of an expression. An expression without variables
        gives its value. `binds` are values of variables."""
        given = (
            self.mod["main"] if expr is None and isinstance(self.mod, IRModule) else self.mod if expr is None else expr
        )
        function = function_of(given)
        if binds:
            values = {key: value if isinstance(value, Expr) else Constant(value) for key, value in binds.items()}
            function = bind(function, values)
        program = _program(function, self.target)
        is_called = type(viewed(given)) is Function or function.params
        return program if is_called else program()


def _program(function: Function, target: Target) -> Callable[..., Any]:
    names = [param.name_hint for param in function.params]
    copies = "copy" in target.backend.call_options  # a program for a GPU takes arrays of the host
    compiled = compile(IRModule({"main": function.op}), target, copy=copies)

    def call(*arguments: Any, **named: Any) -> Any:
        given = dict(zip(names, arguments, strict=False)) | named
        results: Any = compiled(*[given[name] for name in names if name in given], *arguments[len(names) :])
        if isinstance(results, tuple):
            return [array(each) for each in results]
        return array(results)

    return call


def create_executor(
    kind: str = "debug",
    mod: Any = None,
    device: Any = None,
    target: Any = "llvm",
    params: Mapping[str, Any] | None = None,
) -> Executor:
    """Return an evaluator of functions: "graph" compiles them for the target, "debug" runs the reference semantics.

    Raises TW0251 for "vm" and "aot".
    """
    if kind not in ("graph", "debug"):
        _refuse_executor(kind)
    given: Any = mod
    if mod is not None and params:
        given = IRModule(_with_params(as_module(mod), params))
    return Executor(kind, given, _target("interpreter" if kind == "debug" else target, None))


def _refuse_executor(kind: str) -> NoReturn:
    raise UnknownNameError(
        "TW0251",
        f"executor '{kind}' is not part of this package: one executor calls compiled models",
        help='take "graph"; `tilewright compile MODEL -o x.c` writes a model as C without a runtime',
    )
