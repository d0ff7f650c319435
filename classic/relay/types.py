"""Relay's types of expressions, such as `TensorType((1, 3), "float32")`, converted to and from MLIR types."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import TensorType as RankedType
from xdsl.ir import Attribute

from ...diagnostics import fail
from ...diagnostics.locations import caller_location
from ...dialects.dtypes import dtype_name, element_type
from ...dialects.graph import Tensor, make_type, shape_of
from ...dialects.graph.sizes import Dim
from ...te.dtypes import dtype_info
from ...te.expr import Const, Var

BAD_TYPE = "TW0321"


class Any_:
    """A dynamic size: `relay.Any()`."""

    def __repr__(self) -> str:
        return "?"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Any_)

    def __hash__(self) -> int:
        return hash(Any_)


class Type:
    """The base of the types of expressions."""


@dataclass(frozen=True, init=False)
class TensorType(Type):
    """Sizes and element type of a tensor. A size is a number, the name of one, or `Any()`."""

    shape: tuple[Any, ...]
    dtype: str

    def __init__(self, shape: Any = (), dtype: str = "float32") -> None:
        """Make the type of tensors; sizes may be numbers, `te.var`s, names, and `Any()`. Raises TW0321 for an
        invalid size or dtype."""
        object.__setattr__(self, "shape", tuple(_shown(dim) for dim in dims_of(shape)))
        object.__setattr__(self, "dtype", dtype_info(dtype).name)

    @property
    def concrete_shape(self) -> tuple[int, ...]:
        """The sizes, all of which are numbers. Raises TW0321 where one is not."""
        if not all(isinstance(dim, int) for dim in self.shape):
            fail(BAD_TYPE, f"expected a shape of numbers, but got {self}", location=caller_location())
        return self.shape

    @property
    def attribute(self) -> Tensor:
        """The type in the IR."""
        return make_type(dims_of(self.shape), element_type(self.dtype))

    def __str__(self) -> str:
        return f"Tensor[({', '.join(map(str, self.shape))}), {self.dtype}]"


@dataclass(frozen=True, init=False)
class TupleType(Type):
    """The types of several values together."""

    fields: tuple[Type, ...]

    def __init__(self, fields: Iterable[Type] = ()) -> None:
        object.__setattr__(self, "fields", tuple(fields))

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.fields))})"


@dataclass(frozen=True, init=False)
class FuncType(Type):
    """The types of a function's parameters and of its result."""

    arg_types: tuple[Type, ...]
    ret_type: Type

    def __init__(self, arg_types: Iterable[Type], ret_type: Type) -> None:
        object.__setattr__(self, "arg_types", tuple(arg_types))
        object.__setattr__(self, "ret_type", ret_type)

    def __str__(self) -> str:
        return f"fn ({', '.join(map(str, self.arg_types))}) -> {self.ret_type}"


def scalar_type(dtype: str) -> TensorType:
    """Return the type of a single number."""
    return TensorType((), dtype)


def type_of(attribute: Attribute) -> TensorType:
    """Return the classic type of a type of the IR. Raises TW0321 where it is not known yet."""
    if not isinstance(attribute, RankedType):
        fail(BAD_TYPE, "the type of this expression is not known yet", location=caller_location(), help=_HELP)
    element: Any = attribute.element_type
    shape = tuple(Any_() if dim is None else dim for dim in shape_of(attribute))
    return TensorType(shape, dtype_name(element))


_HELP = "give the variable a shape and a dtype: relay.var(name, shape=(1, 3), dtype='float32')"


def result_type(types: Sequence[Type]) -> Type:
    """Return the type of a result of one part, or of several."""
    return types[0] if len(types) == 1 else TupleType(types)


def dims_of(shape: Any) -> tuple[Dim, ...]:
    """Return the sizes that a program states, as the IR has them. Raises TW0321 for an invalid size."""
    if isinstance(shape, (str, bytes)) or not isinstance(shape, Iterable):
        shape = (shape,)
    return tuple(_dim(each) for each in shape)


def _dim(given: Any) -> Dim:
    value = given.value if isinstance(given, Const) else given.item() if hasattr(given, "item") else given
    match value:
        case bool():
            pass
        case int() if value >= 0:
            return value
        case str() if value:
            return value
        case Var():
            return value.name
        case Any_():
            return None
        case _:
            pass
    fail(
        BAD_TYPE,
        f"expected sizes that are numbers, te.var or relay.Any(), but got {given!r}",
        location=caller_location(),
    )


def _shown(dim: Dim) -> Any:
    return Any_() if dim is None else dim
