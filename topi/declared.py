"""Functions generated from operator records: `topi.soft_cap(x, cap=30.0)` from `graph.soft_cap`.

A function takes the operation's operands in order and its properties by name, checks them as the operation's verifier
does, and returns a tensor, or a tuple where the operation has several results. An optional operand is None by default,
and a variadic operand is a list of tensors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import Parameter, Signature
from typing import Any

from xdsl.ir import Block
from xdsl.irdl import OpDef, OptOperandDef, OptPropertyDef, VarOperandDef
from xdsl.utils.exceptions import VerifyException

from ..diagnostics import TilewrightError
from ..diagnostics.text import on_one_line
from ..dialects.graph import GraphOp
from ..operators import Operator, get_operator
from ..te import Tensor
from ..te.build import size_names, tensor_type
from .arguments import a_tensor, refuse


def declared_function(operator: Operator) -> Callable[..., Any]:
    """Return the function of an operator that has an operation."""
    name, operation = operator.name, operator.operation
    assert operation is not None
    definition = operation.get_irdl_definition()
    signature = _signature(operation, definition)

    def function(*given: Any, **options: Any) -> Any:
        try:
            bound = signature.bind(*given, **options)
        except TypeError as error:
            refuse("TW0447", f"{name}: {error}")
        bound.apply_defaults()
        tensors = _tensors(name, definition, bound.arguments)
        values = {key: bound.arguments[key] for key in definition.properties}
        results = operator.express(*tensors, **_checked(operation, tensors, values))
        return results[0] if len(results) == 1 else results

    function.__name__ = function.__qualname__ = name
    function.__doc__ = operation.__doc__
    function.__signature__ = signature  # pyright: ignore[reportFunctionMemberAccess]
    return function


def checked(name: str, *tensors: Tensor, out_dtype: str | None = None, **values: Any) -> Any:
    """Return the result of an operator, or its results, after the checks that its operation makes; summed in
    `out_dtype`."""
    operator = get_operator(name)
    assert operator.operation is not None
    properties = _checked(operator.operation, list(tensors), values)
    more: dict[str, Any] = {} if out_dtype is None else {"out_dtype": out_dtype}
    results = operator.express(*tensors, **properties, **more)
    return results[0] if len(results) == 1 else results


def _signature(operation: type[GraphOp], definition: OpDef) -> Signature:
    parameters: list[Parameter] = []
    for name, operand in definition.operands:
        absent = None if isinstance(operand, OptOperandDef) else Parameter.empty
        parameters.append(Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=absent))
    for name, property_ in definition.properties.items():
        codec, default = operation.codec(name), property_.default_value
        value: Any = Parameter.empty if default is None else codec.to_python(default)
        if isinstance(property_, OptPropertyDef) and default is None:
            value = False if codec.is_flag else None
        parameters.append(Parameter(name, Parameter.KEYWORD_ONLY, default=value))
    return Signature(parameters)


def _tensors(name: str, definition: OpDef, arguments: Mapping[str, Any]) -> list[Tensor]:
    """Return the operands one after another."""
    tensors: list[Tensor] = []
    for operand, kind in definition.operands:
        given = arguments[operand]
        if isinstance(kind, OptOperandDef):
            given = [] if given is None else [given]
        elif not (isinstance(kind, VarOperandDef) and isinstance(given, (list, tuple))):
            given = [given]
        tensors += [a_tensor(tensor, f"{operand} of {name}") for tensor in given]
    return tensors


def _checked(operation: type[GraphOp], tensors: list[Tensor], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the properties as the operation has them. Raises TilewrightError TW0447 at the user's line where the
    operation would not verify."""
    names = size_names(tensors)
    arguments = Block(arg_types=[tensor_type(tensor, names) for tensor in tensors]).args
    try:
        return operation.of(*arguments, **values).values
    except TilewrightError:
        raise
    except (VerifyException, TypeError, ValueError, AttributeError) as error:
        refuse("TW0447", f"{operation.name.removeprefix('graph.')}: {on_one_line(error)}")
