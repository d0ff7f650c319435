"""Checks of operators' arguments, with errors at the user's line, and keywords of classic calls."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any, NoReturn, ParamSpec, TypeAlias, TypeVar

from ..diagnostics import fail
from ..diagnostics.locations import caller_location
from ..diagnostics.text import did_you_mean
from ..operators import get_operator
from ..operators.broadcasting import broadcast_shape
from ..operators.sizes import is_one, same_size
from ..te import Expr, Tensor
from ..te.dtypes import dtype_info
from ..te.expr import Axis, Read, walk
from ..te.shapes import format_shape

P = ParamSpec("P")
R = TypeVar("R")
Number: TypeAlias = "Expr | bool | int | float"
Operand: TypeAlias = "Tensor | Expr | bool | int | float"


def apply(name: str, *operands: Any, **properties: Any) -> Tensor:
    """Return the result of the operator of this name, which has one."""
    (result,) = get_operator(name).express(*operands, **properties)
    return result


def refuse(code: str, message: str, *, help: str | None = None, notes: Sequence[str] = ()) -> NoReturn:
    """Raise a TilewrightError at the user's line."""
    fail(code, message, location=caller_location(), notes=notes, help=help)


def a_tensor(value: Any, what: str, rank: int | None = None) -> Tensor:
    """Return `value`, which must be a tensor, of so many dimensions where `rank` is given."""
    if not isinstance(value, Tensor):
        refuse("TW0447", f"expected a tensor as {what}, but got {value!r} of type {type(value).__name__}")
    if rank is not None and value.ndim != rank:
        refuse(
            "TW0444",
            f"expected {what} to have {rank} dimensions, but got {value.name!r} of shape {format_shape(value.shape)}",
        )
    return value


def an_operand(value: Any) -> Operand:
    """Return `value` as an operand of an elementwise operator: a tensor, a number, or an expression of sizes."""
    if isinstance(value, Tensor):
        return value
    if isinstance(value, Expr):
        if any(isinstance(node, (Axis, Read)) for node in walk(value)):
            refuse(
                "TW0451",
                f"expected a tensor or a number beside a whole tensor, but got `{value}`",
                help="index the tensor to read one element of it",
            )
        return value
    if isinstance(value, (bool, int, float)) or getattr(value, "shape", None) == ():
        return value
    refuse(
        "TW0447",
        f"expected a tensor or a number, but got {value!r} of type {type(value).__name__}",
        help="an array is an argument of the program: give it a te.placeholder",
    )


def integers(value: Tensor, what: str) -> Tensor:
    """Return `value`, which must be a tensor of integers."""
    if not dtype_info(value.dtype).is_integer:
        refuse("TW0447", f"expected {what} of integers, but got {value.name!r} of {value.dtype}")
    return value


def floats(value: Tensor, what: str) -> Tensor:
    """Return `value`, which must be a tensor of floating-point numbers."""
    if not dtype_info(value.dtype).is_float:
        refuse("TW0447", f"expected {what} of floating-point numbers, but got {value.name!r} of {value.dtype}")
    return value


def an_integer(value: Any, what: str, least: int | None = None, code: str = "TW0446") -> int:
    """Return `value` as a Python integer, not below `least`."""
    try:
        number = operator.index(value)
    except TypeError:
        refuse(code, f"expected an integer as {what}, but got {value!r}")
    if least is not None and number < least:
        refuse(code, f"expected {what} to be at least {least}, but got {number}")
    return number


def a_number(value: Any, what: str) -> float:
    """Return `value`, a number or a constant of te, as a Python number."""
    number = getattr(value, "value", value)
    if isinstance(number, (int, float)) or (getattr(number, "shape", None) == () and hasattr(number, "item")):
        return float(number)
    refuse("TW0447", f"expected a number as {what}, but got {value!r}")


def a_list(value: Any, what: str) -> list[Any]:
    """Return `value`, some items in order, as a list."""
    if isinstance(value, (str, Tensor, Expr)) or not isinstance(value, Iterable):
        refuse("TW0447", f"expected a list of {what}, but got {value!r} of type {type(value).__name__}")
    return list(value)


def an_axis(value: Any, rank: int, what: str = "an axis") -> int:
    """Return an axis counted from the front."""
    axis = an_integer(value, what, code="TW0441")
    if not -rank <= axis < rank:
        refuse("TW0441", f"expected {what} from {-rank} to {rank - 1}, but got {axis}")
    return axis % rank


def some_axes(value: Any, rank: int, what: str = "an axis") -> tuple[int, ...]:
    """Return axes counted from the front; None means all of them."""
    if value is None:
        return tuple(range(rank))
    given = value if isinstance(value, (tuple, list)) else (value,)
    axes = tuple(an_axis(axis, rank, what) for axis in given)
    if len(set(axes)) != len(axes):
        refuse("TW0441", f"expected axes that differ, but got {list(given)}")
    return axes


def one_of(value: Any, allowed: Sequence[str], what: str) -> str:
    """Return `value`, which must be one of a fixed set of names."""
    if value not in allowed:
        guess = did_you_mean(str(value), allowed)
        refuse("TW0443", f"unknown {what} {value!r}{guess}", help=f"expected one of {', '.join(allowed)}")
    return value


def require_size(actual: Any, expected: Any, what: str) -> None:
    """Require one size to be another one."""
    if not same_size(actual, expected):
        refuse("TW0444", f"expected {what} to be {expected}, but got {actual}")


def broadcast(*operands: Any) -> tuple[Any, ...]:
    """Return the shape that tensors stretch to; numbers stretch to anything."""
    return broadcast_shapes(*(operand.shape for operand in operands if isinstance(operand, Tensor)))


def broadcast_shapes(*shapes: Sequence[Any]) -> tuple[Any, ...]:
    """Return the shape that these stretch to."""
    rank = max((len(shape) for shape in shapes), default=0)
    for axis in range(1, rank + 1):
        sizes = [shape[-axis] for shape in shapes if axis <= len(shape) and not is_one(shape[-axis])]
        for size in sizes[1:]:
            if not same_size(size, sizes[0]):
                _refuse_broadcast(shapes, sizes[0], size, rank - axis)
    return broadcast_shape(*shapes) if shapes else ()


def _refuse_broadcast(shapes: Sequence[Any], a: Any, b: Any, axis: int) -> NoReturn:
    listed = " and ".join(format_shape(shape) for shape in shapes)
    known = isinstance(a, int) and isinstance(b, int)
    refuse(
        "TW0440",
        f"expected shapes that broadcast, but got {listed}",
        notes=[f"dimension {axis} of the result would be {a} and {b}"],
        help=None if known else "sizes are equal where they are made of the same te.var",
    )


def accepts(*ignored: str, **names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that accepts keywords under which another version of topi has the same argument, and those of
    the `ignored` ones that have no meaning here."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def call(*given: Any, **keywords: Any) -> Any:
            for name in names.keys() & keywords.keys():
                if names[name] in keywords:
                    refuse("TW0447", f"expected {names[name]!r} or {name!r} of {function.__name__}, but got both")
                keywords[names[name]] = keywords.pop(name)
            for name in ignored:
                keywords.pop(name, None)
            return function(*given, **keywords)

        return call

    return decorate
