"""Fields of functions and modules as classic programs read them.

    mod["main"].body.block.body.extent
    mod["main"].params, mod["main"].attrs
    mod.astext(), mod.get_global_vars(), mod.same_as(other)

Fields of functions come before those of the operation. The view of a body is made once for each function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from xdsl.dialects.builtin import BoolAttr, FloatAttr, IntegerAttr, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from ..diagnostics import fail
from ..diagnostics.errors import UnknownNameError
from ..diagnostics.expectations import WRONG_TYPE
from ..dialects.ir_module import Function, IRModule, view_of
from ..lazy import missing_field
from .bodies import EXPRESSION, BodyView, parameters_of, plain_value

GLOBAL_SYMBOL = "global_symbol"

_NOT_HERE: Mapping[str, str] = {
    "preflattened_buffer_map": "buffers keep their shapes: function.buffer_map",
    "ret_type": "results are in the type of the operation: function.function_type",
    "span": "the source location is that of each operation: function.location",
}
"""Fields of the classic function that look into its tree, and the equivalent fields here."""
_OF_EXPRESSIONS = ("checked_type", "ret_type")
"""Fields that a function of the graph dialect has as an expression of relay."""


def function_field(function: Function, name: str) -> Any:
    """Return a field that the class of a function has not. Raises TW0251, an AttributeError, where there is none."""
    if name in MADE:
        return MADE[name](function)
    if name in _OF_EXPRESSIONS and (view := EXPRESSION.value(function)) is not None:
        return getattr(view, name)
    if not hasattr(function.op, name):
        if name in _NOT_HERE:
            raise UnknownNameError("TW0251", f"a function has no {name!r}: {_NOT_HERE[name]}")
        raise missing_field(function, "a function", name)
    return getattr(function.op, name)


def attributes_of(op: FuncOp) -> dict[str, object]:
    """Return the attributes by name, as numbers and texts; a function that is not private has its "global_symbol"."""
    is_private = op.sym_visibility is not None and op.sym_visibility.data == "private"
    named = {} if is_private else {GLOBAL_SYMBOL: op.sym_name.data}
    return {**named, **{key: plain_value(given) for key, given in op.attributes.items()}}


def with_attributes(op: FuncOp, given: Mapping[str, object]) -> FuncOp:
    """Return a copy with attributes, whose values are truth values, numbers and texts; "global_symbol" is the name."""
    copy = op.clone()
    for key, value in given.items():
        if key == GLOBAL_SYMBOL:
            copy.sym_name = StringAttr(str(value))
        else:
            copy.attributes[key] = _attribute(key, value)
    return copy


def _attribute(key: str, value: object) -> Attribute:
    match value:
        case bool():
            return BoolAttr.from_bool(value)
        case int():
            return IntegerAttr(value, 64)
        case float():
            return FloatAttr(value, 64)
        case str():
            return StringAttr(value)
        case Attribute():
            return value
        case _:
            fail(WRONG_TYPE, f"expected a number, a text or a truth value as attribute {key!r}, but got {value!r}")


def _with_attr(function: Function) -> Callable[..., Function]:
    def with_attr(name: str | Mapping[str, object], value: object = None) -> Function:
        return view_of(with_attributes(function.op, name if isinstance(name, Mapping) else {name: value}))

    return with_attr


def _without_attr(function: Function) -> Callable[[str], Function]:
    def without_attr(name: str) -> Function:
        copy = function.op.clone()
        copy.attributes.pop(name, None)
        return view_of(copy)

    return without_attr


def _body(function: Function) -> BodyView:
    body = function.kept.get("body")
    if body is None or body.held is not function.op.body:
        function.kept["body"] = body = BodyView(function.op.body)
    return body


def _buffer_map(function: Function) -> dict[Any, Any]:
    """Return the buffers of the arguments that are in memory, by their variables; tensors have none."""
    return {variable: buffer for variable, buffer in parameters_of(function.op) if buffer.is_in_memory}


def _params(function: Function) -> list[Any]:
    """Return a variable for each argument. For a function of the graph dialect these are variables of relay."""
    view = EXPRESSION.value(function)
    return [variable for variable, _ in parameters_of(function.op)] if view is None else view.params


MADE: Mapping[str, Callable[[Function], Any]] = {
    "attrs": lambda function: attributes_of(function.op),
    "body": _body,
    "buffer_map": _buffer_map,
    "params": _params,
    "same_as": lambda function: lambda other: function is other,
    "with_attr": _with_attr,
    "without_attr": _without_attr,
}


def module_field(module: IRModule, name: str) -> Any:
    """Return a field that the class of a module has not. Raises TW0251, an AttributeError, where there is none."""
    if name in OF_MODULES:
        return partial(OF_MODULES[name], module)
    raise missing_field(module, "a module", name)


def _is_same(module: IRModule, other: object) -> bool:
    return isinstance(other, IRModule) and other.op is module.op


def _as_text(module: IRModule, show_meta_data: bool = True, annotate: object = None) -> str:
    return module.script()


OF_MODULES: Mapping[str, Callable[..., Any]] = {
    "astext": _as_text,
    "get_global_vars": list,
    "same_as": _is_same,
}

LOOKS = frozenset(
    ("black_format", "buffer_dtype", "float_dtype", "indent_spaces", "int_dtype", "show_meta", "style", "syntax_sugar",
     "verbose_expr")
)  # fmt: skip
"""Options of the classic printer for the looks of a text."""
