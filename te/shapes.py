"""Sizes and shapes: a Python integer for a static size, an expression of `te.var` for a dynamic one."""

from __future__ import annotations

import json
import operator
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, cast

from ..diagnostics.expectations import expect_type
from ..lazy import missing_field
from .dtypes import dtype_info
from .expr import Const, Expr, Var
from .te_errors import te_error

Size: TypeAlias = "int | Expr"


class Extent(int):
    """A size that is a number. Like a constant expression, it has a `value`, which is the number."""

    @property
    def value(self) -> int:
        return int(self)


class Text(str):
    """A constant text. Like a constant expression, it has a `value`, which is the text."""

    __slots__ = ()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            raise missing_field(self, "a text", name)

    @property
    def value(self) -> str:
        return str(self)


class Attributes(dict[str, Any]):
    """The attributes of a definition (`attrs=`); the text is JSON where JSON can represent them."""

    def __str__(self) -> str:
        try:
            return json.dumps(self)
        except TypeError:
            return super().__str__()


def attributes_of(given: Mapping[str, Any] | None) -> Attributes:
    """Return the attributes of a definition (`attrs=`), with numbers and texts as constants, those in lists too."""
    return Attributes({key: _constant(value) for key, value in (given or {}).items()})


def _constant(value: Any) -> Any:
    kinds = {int: Extent, str: Text}
    if isinstance(value, list):
        return [_constant(item) for item in cast("list[Any]", value)]
    return kinds[type(value)](value) if type(value) in kinds else value


def var(name: str = "n", dtype: Any = "int32") -> Var:
    """Return a number that is known only at run time.

    One of type int32 or int64 may stand in shapes, domains and bodies; where it is a dimension of an argument, its
    value comes from there, and in the IR it is an index. Any other one stands in bodies alone and is an argument of
    the program, which callers pass as a number.
    """
    expect_type("name", name, str)
    return Var(name, "int64" if dtype == "index" else dtype_info(dtype).name)


def size_var(name: str = "n", dtype: Any = "int32") -> Var:
    """Return a size: the same as `var`, as no size is negative. Raises TW0461 for a type other than int32 and int64."""
    size = var(name, dtype)
    if size.dtype != "index":
        te_error(
            "TW0461",
            f"expected a size of type int32 or int64, but got {name!r} of type {size.dtype}",
            help=f"te.var({name!r}, {size.dtype!r}) is a number that callers pass",
        )
    return size


def as_size(value: Any, what: str, *, may_be_negative: bool = False) -> Size:
    """Return `value` as a size; `what` names it in the error. A fraction without remainder, as of `32 / 4`, is its
    integer."""
    if isinstance(value, Const) and dtype_info(value.dtype).is_integer:
        value = value.value
    if isinstance(value, Expr):
        if not dtype_info(value.dtype).is_integer or (isinstance(value, Var) and value.dtype != "index"):
            te_error("TW0457", f"expected an integer expression as {what}, but got `{value}` of type {value.dtype}")
        return value
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        value = int(value)
    whole: Any = value
    try:
        size = operator.index(whole)
    except TypeError:
        te_error("TW0457", f"expected an integer or a size as {what}, but got {value!r}")
    if size < 0 and not may_be_negative:
        te_error("TW0457", f"expected {what} not to be negative, but got {size}")
    return Extent(size)


def as_shape(shape: Any, name: str) -> tuple[Size, ...]:
    """Return a shape from a sequence of sizes, or from a single one."""
    if isinstance(shape, Expr) or not isinstance(shape, Sequence):
        shape = (shape,)
    return tuple(as_size(size, f"dimension {d} of {name!r}") for d, size in enumerate(shape))


def same_size(a: Size, b: Size) -> bool:
    """Return whether two sizes are written alike: equal numbers, or the same expression of the same variables."""
    if a is b or isinstance(a, int) or isinstance(b, int):
        return isinstance(a, int) == isinstance(b, int) and (a is b or (isinstance(a, int) and a == b))
    if isinstance(a, Const) and isinstance(b, Const):
        return a.value == b.value
    if type(a) is not type(b) or getattr(a, "op", None) != getattr(b, "op", None):
        return False
    return bool(a.operands) and all(same_size(x, y) for x, y in zip(a.operands, b.operands, strict=True))


def format_shape(shape: Sequence[Size]) -> str:
    return f"({', '.join(str(size) for size in shape)}{',' if len(shape) == 1 else ''})"
