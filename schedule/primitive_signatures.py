"""Parameters and results of a primitive, from the annotations of its declaration; arguments are checked against
them."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Union, get_args, get_origin, get_type_hints

from xdsl.ir import SSAValue

from ..diagnostics import fail
from ..dialects.schedule import Parameter, PrimitiveSignature
from .handles import BlockRV, LoopRV, ValueRV
from .index_map import IndexMap
from .refusal import BAD_ARGUMENT
from .tensor_intrinsics import TensorIntrin
from .trace_arguments import kind_of_argument

_KINDS: dict[Any, tuple[str, ...]] = {
    bool: ("boolean",),
    int: ("integer",),
    float: ("float", "integer"),
    str: ("string",),
    types.NoneType: ("nothing",),
    BlockRV: ("block",),
    LoopRV: ("loop",),
    SSAValue: ("string",),  # a buffer by its name
    IndexMap: ("string",),
    Callable: ("string",),  # the function of an index map
    TensorIntrin: ("string",),
}
_RESULTS: dict[Any, str] = {BlockRV: "block", LoopRV: "loop", ValueRV: "value"}
_ALIASED = {"Any": Any, "Callable": Callable, "IndexMap": IndexMap, "Sequence": Sequence, "SSAValue": SSAValue}
"""The names that annotations use through an alias of another file."""

_LISTS = (list, tuple, Sequence)


def signature_of(function: Callable[..., Any]) -> PrimitiveSignature:
    """Return the signature of a primitive, out of its annotations. Raises TypeError for results that are no handles."""
    name = function.__name__
    hints = get_type_hints(function, localns=_ALIASED)
    _, *parameters = inspect.signature(function).parameters.values()
    if "return" not in hints:
        raise TypeError(f"expected {name} to say what it returns, None or handles")
    results, varies = _results(name, hints["return"])
    described = tuple(_parameter(p, hints.get(p.name, Any)) for p in parameters)
    return PrimitiveSignature(name, described, results, varies, inspect.getdoc(function) or "")


def _parameter(parameter: inspect.Parameter, hint: Any) -> Parameter:
    variadic = parameter.kind is parameter.VAR_POSITIONAL
    required = parameter.default is parameter.empty and not variadic
    return Parameter(parameter.name, required, variadic, _accepted(hint))


def _accepted(hint: Any) -> frozenset[str]:
    """Return the kinds of arguments that an annotation admits; empty where any will do."""
    kinds: set[str] = set()
    for one in get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,):
        origin = get_origin(one) or one
        if origin in _KINDS:
            kinds.update(_KINDS[origin])
        elif origin in _LISTS:
            kinds.add("list")
        elif hasattr(origin, "thread_tag"):  # an axis of threads by its tag
            kinds.add("string")
        else:
            return frozenset()
    return frozenset(kinds)


def _results(name: str, hint: Any) -> tuple[tuple[str, ...], bool]:
    """Return the kinds of results, and whether their number varies."""
    if hint is types.NoneType or hint is None:
        return (), False
    parts = get_args(hint) if get_origin(hint) is tuple else (hint,)
    varies = len(parts) == 2 and parts[1] is Ellipsis
    kinds = tuple(_RESULTS[part] for part in parts if part is not Ellipsis and part in _RESULTS)
    if len(kinds) != len(parts) - varies:
        raise TypeError(f"expected {name} to return handles, values or None, but its annotation is {hint}")
    return kinds, varies


def check_arguments(signature: PrimitiveSignature, arguments: Mapping[str, Any]) -> None:
    """Check that each argument of a call is of a kind that its parameter takes. Raises TilewrightError TW0403."""
    for parameter in signature.parameters:
        if parameter.name not in arguments or not parameter.accepts:
            continue
        given = arguments[parameter.name]
        for argument in given if parameter.variadic else (given,):
            if kind_of_argument(argument) not in parameter.accepts:
                fail(
                    BAD_ARGUMENT,
                    f"{signature.name}: expected {parameter.expected} for '{parameter.name}', but got {argument!r}",
                )
