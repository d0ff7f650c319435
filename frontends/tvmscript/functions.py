"""Functions and modules of a script."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Region

from ...analysis.dominance import verify_dominance
from ...diagnostics import TilewrightError
from ...diagnostics.locations import SourcePosition, source_position
from ...diagnostics.parsing import parse
from ...diagnostics.text import did_you_mean
from ...diagnostics.verification import verify
from ...dialects import context
from ...dialects.ir_module import Function, IRModule, program_of
from ...dialects.names import ORDER_ATTRIBUTE
from ...ir import editor as edit
from ...passes.shared.barriers.shared_memory import separate_in_shared_memory
from . import expressions, rows, statements
from .header import Header, read_header, strides_attribute
from .outputs import default_attributes, set_attributes
from .script_values import Helper, ModuleName, Name, Value
from .source import Source, source_of, source_of_text
from .state import BAD_ARGUMENT, UNKNOWN_NAME, UNSUPPORTED, Scope, State

PRIM_FUNC, IR_MODULE, MODULE_ATTRS, GLOBAL_SYMBOL = "prim_func", "I.ir_module", "I.module_attrs", "global_symbol"
_NO_ALIAS = "tir.noalias"
"""An attribute of TVM without effect here: overlapping arguments are detected at entry."""
_MODULES = (IR_MODULE, "ir_module")
_MLIR = ("builtin.module", "func.func", "module {")
"""The beginnings of MLIR text."""
_MOST_HELPERS = 32
"""The deepest nesting of calls of helpers."""

P = ParamSpec("P")
T = TypeVar("T")

Observer = Callable[[TilewrightError], object]
_observers: list[Observer] = []
"""The observer of scripts that are refused, if there is one."""


def set_observer(observer: Observer | None) -> None:
    """Call `observer` with each refusal of a script from here on, before the error is raised; None removes it."""
    _observers[:] = [] if observer is None else [observer]


def observed(read: Callable[P, T]) -> Callable[P, T]:
    """Decorate a function that reads scripts: the observer is called with each refusal."""

    @wraps(read)
    def reading(*arguments: P.args, **keywords: P.kwargs) -> T:
        try:
            return read(*arguments, **keywords)
        except TilewrightError as error:
            for observer in _observers:
                observer(error)
            raise

    return reading


@observed
def read_function(function: Callable[..., Any], *, private: bool = False) -> Function:
    """Read the function that a Python function says in TVMScript."""
    source = source_of(function, is_being_defined=True)
    node = next((n for n in source.tree.body if isinstance(n, ast.FunctionDef)), None)
    if node is None:
        source.fail(UNSUPPORTED, "expected a function", source.tree)
    return program_of(_finish(_function(source, node, {}, private=private)))


@observed
def read_module(thing: type) -> IRModule:
    """Read the module of a class whose methods are functions in TVMScript."""
    source = source_of(thing, is_being_defined=True)
    node = next((n for n in source.tree.body if isinstance(n, ast.ClassDef)), None)
    if node is None:
        source.fail(UNSUPPORTED, "expected a class", source.tree)
    return _module(source, node)


@observed
def from_source(text: str, extra_vars: Mapping[str, Any] | None = None, *, name: str = "<tvmscript>") -> Any:
    """Return the module of a script with a class, or the function of one with a function alone.

    Text of MLIR is read as such, as `script()` of modules and functions gives it. Nothing of the text is run.
    `extra_vars` has the values of names that the text does not define; `T` and `I` are known, and the text may import
    them and give names to constants. Raises TilewrightError TW0310 to TW0315.
    """
    if text.lstrip().startswith(_MLIR):
        return _mlir(text, name)
    source = source_of_text(text, name, {"T": Name(""), "I": Name("I"), **(extra_vars or {})})
    found: list[ast.ClassDef | ast.FunctionDef] = []
    for node in source.tree.body:
        match node:
            case ast.ImportFrom() | ast.Import():
                source = replace(source, names={**source.names, **_imported(source, node)})
            case ast.Assign(targets=[ast.Name() as target]):
                state = State(source, Block())
                with state.at(node):
                    value = expressions.constant(state, node.value, (int, float, str, tuple, list), "a constant")
                source = replace(source, names={**source.names, target.id: value})
            case ast.FunctionDef() if not _is_decorated(source, node, (PRIM_FUNC,)):
                helper = Helper(node.name, node, source)
                source = replace(source, names={**source.names, node.name: helper})
            case ast.FunctionDef() | ast.ClassDef():
                found.append(node)
            case ast.Expr(value=ast.Constant(value=str())):
                pass
            case _:
                source.fail(UNSUPPORTED, "expected functions and classes of TVMScript", node)
    if len(found) != 1:
        source.fail(UNSUPPORTED, f"expected one function or class, but got {len(found)}", source.tree)
    node = found[0]
    if isinstance(node, ast.ClassDef):
        return _module(source, node)
    return program_of(_finish(_function(source, node, {}, private=_is_private(source, node))))


def _mlir(text: str, name: str) -> IRModule | Function:
    """Parse the module, or the function that stands alone, of a text in MLIR."""
    module = parse(context(), text, name)
    only = module.body.block.first_op
    if text.lstrip().startswith("builtin.module") or not isinstance(only, FuncOp) or only.next_op is not None:
        return IRModule(module)
    only.detach()
    return program_of(only)


def _imported(source: Source, node: ast.Import | ast.ImportFrom) -> dict[str, Name]:
    """Read `from … import tir as T, ir as I`, whatever package it is of."""
    names: dict[str, Name] = {}
    if isinstance(node, ast.ImportFrom) and node.module == "__future__":
        return names
    for alias in node.names:
        stem = alias.name.rpartition(".")[2]
        if not isinstance(node, ast.ImportFrom) or stem not in ("tir", "ir"):
            source.fail(UNSUPPORTED, f"expected no other import than T and I, but got '{alias.name}'", node)
        names[alias.asname or stem] = Name("" if stem == "tir" else "I")
    return names


# Modules


def _module(source: Source, node: ast.ClassDef) -> IRModule:
    functions: dict[str, Any] = {}
    module = ModuleOp([])
    source = replace(source, names={**source.names, **dict.fromkeys((node.name, "cls"), ModuleName(node.name))})
    for item in node.body:
        if isinstance(item, ast.FunctionDef):
            if item.name in functions:
                source.fail(BAD_ARGUMENT, f"expected one function '{item.name}'", item)
            functions[item.name] = item.args.args
    for item in node.body:
        match item:
            case ast.FunctionDef():
                if not _is_decorated(source, item, (PRIM_FUNC,)):
                    source.fail(UNSUPPORTED, "expected functions with @T.prim_func", item)
                private = _is_private(source, item)
                module.body.block.add_op(_function(source, item, functions, private=private))
            case ast.Expr(value=ast.Call() as call):
                _read_module_attributes(source, module, call)
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case _:
                source.fail(UNSUPPORTED, "expected functions in a module", item)
    module.location = source.location(node)
    _finish(module)
    return IRModule(module)


def _read_module_attributes(source: Source, module: ModuleOp, call: ast.Call) -> None:
    state = State(source, Block())
    if expressions.called_name(state, call) != MODULE_ATTRS or len(call.args) != 1:
        source.fail(UNSUPPORTED, "expected functions and I.module_attrs in a module", call)
    module.attributes |= rows.attributes(state, call.args[0])


def _decorators(source: Source, node: ast.FunctionDef | ast.ClassDef) -> list[tuple[str, ast.expr]]:
    """Return the names of the language among the decorators."""
    state = State(source, Block())
    found: list[tuple[str, ast.expr]] = []
    for decorator in node.decorator_list:
        call = (
            decorator if isinstance(decorator, ast.Call) else ast.copy_location(ast.Call(decorator, [], []), decorator)
        )
        name = expressions.called_name(state, call)
        if name is not None:
            found.append((name, decorator))
    return found


def _is_decorated(source: Source, node: ast.FunctionDef | ast.ClassDef, names: Sequence[str]) -> bool:
    return any(name in names for name, _ in _decorators(source, node))


def _is_private(source: Source, node: ast.FunctionDef) -> bool:
    for name, decorator in _decorators(source, node):
        if name == PRIM_FUNC and isinstance(decorator, ast.Call):
            state = State(source, Block())
            given = rows.bound(state, decorator, {"private": False, "check_well_formed": True}, "T.prim_func")
            return "private" in given and expressions.constant(state, given["private"], bool, "True or False")
    return False


# Functions


def _function(source: Source, node: ast.FunctionDef, functions: dict[str, Any], *, private: bool) -> FuncOp:
    block = Block()
    s = State(source, block)
    s.functions, s.run_helper = functions, run_helper
    with s.at(node):
        header, body = read_header(s, node)
        statements.run(s, body)
        s.add(ReturnOp())
        for constant in dict.fromkeys(s.literals):
            if not constant.results[0].uses:
                edit.erase(constant)
        name = header.attributes.pop(GLOBAL_SYMBOL, StringAttr(node.name))
        header.attributes.pop(_NO_ALIAS, None)
        if not isinstance(name, StringAttr) or not name.data:
            s.fail(BAD_ARGUMENT, "expected a text as global_symbol")
        function = FuncOp(name.data, ([a.type for a in block.args], []), Region(block))
        function.location = source.location(node)
        if private:
            function.sym_visibility = StringAttr("private")
        function.attributes |= header.attributes
        separate_in_shared_memory([function])
    _name_arguments(s, function, header)
    return function


def _name_arguments(s: State, function: FuncOp, header: Header) -> None:
    """Set the attributes of arguments, those that the script states and others."""
    arguments = list(function.body.block.args)
    names = [header.names[a] for a in arguments]
    attributes: list[dict[str, Attribute]] = default_attributes(function, names)
    known = {name: k for k, name in enumerate(names)}
    handles = {p.name: b.name for b in header.buffers for k, p in enumerate(header.parameters) if k == b.position}
    for argument, strides in header.strides.items():
        attributes[arguments.index(argument)] |= strides_attribute(strides)  # pyright: ignore
    for argument in header.passed_strides:
        attributes[arguments.index(argument)] = {}  # pyright: ignore[reportArgumentType]
    for name, (node, stated) in header.argument_attributes.items():
        name = handles.get(name, name)
        if name not in known:
            s.fail(UNKNOWN_NAME, f"'{name}' is no argument{did_you_mean(name, list(known))}", node)
        attributes[known[name]] = stated
    set_attributes(function, attributes)
    if header.order is not None:
        function.attributes[ORDER_ATTRIBUTE] = ArrayAttr([StringAttr(name) for name in header.order])


def _finish(op: Any) -> Any:
    """Verify the parsed operations, with errors at the lines of the script."""
    module = op if isinstance(op, ModuleOp) else ModuleOp([op])
    verify(module)
    verify_dominance(module)
    if module is not op:
        op.detach()
    return op


def run_helper(s: State, helper: Helper, arguments: list[Value], node: ast.AST) -> Value:
    """Return the result of a helper: its body is inlined at the call."""
    if s.depth >= _MOST_HELPERS:
        s.fail(UNSUPPORTED, f"expected helpers that call each other at most {_MOST_HELPERS} deep", node)
    args = helper.node.args
    parameters = [a.arg for a in args.args]
    if args.vararg or args.kwarg or args.kwonlyargs or args.posonlyargs:
        s.fail(UNSUPPORTED, f"expected plain parameters of '{helper.name}'", node)
    missing = len(parameters) - len(arguments)
    if not 0 <= missing <= len(args.defaults):
        s.fail(BAD_ARGUMENT, f"expected {len(parameters)} arguments of '{helper.name}', but got {len(arguments)}", node)
    outer = s.source, s.scopes, s.returning, s.depth, s.depth_of_scopes
    position = source_position(s.source.location(node))
    s.source, s.scopes, s.returning = helper.source, [*(helper.scopes or ()), Scope()], None
    s.depth, s.depth_of_scopes = s.depth + 1, len(s.scopes)
    try:
        return _run_body(s, helper, parameters, arguments)
    except TilewrightError as error:
        if position is not None and len(error.notes) < 3:
            error.notes.append(_called(helper.name, position))
        raise
    finally:
        s.source, s.scopes, s.returning, s.depth, s.depth_of_scopes = outer


def _called(name: str, position: SourcePosition) -> str:
    return f"{position}: '{name}' is called here"


def _run_body(s: State, helper: Helper, parameters: list[str], arguments: list[Value]) -> Value:
    names = s.scopes[-1].names
    defaults = helper.node.args.defaults
    given = dict(zip(parameters, arguments, strict=False))
    for parameter, default in zip(parameters[len(parameters) - len(defaults) :], defaults, strict=True):
        if parameter not in given:
            given[parameter] = expressions.evaluate(s, default)
    names |= given
    if isinstance(helper.node, ast.Lambda):
        return expressions.evaluate(s, helper.node.body)
    statements.run(s, helper.node.body)
    return s.returning[0] if s.returning else None
