"""
Base classes of the operations of the graph dialect, which define operands and result types.

An operation derived from one of these classes adds a name, properties and, if the base class requires them, the
accepted element types.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import ClassVar

from xdsl.dialects.builtin import IntegerType, Signedness, i1
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..constant_data import has_data
from ..dtypes import has_dtype, is_bool, is_float, is_integer
from .base import GraphOp, require_same_element
from .properties import flag_prop, ints_prop
from .structure import ConstantOp
from .types import (
    Dim,
    Shape,
    Tensor,
    broadcast_shapes,
    element_of,
    make_type,
    normalize_axes,
    require_rank,
    shape_of,
    tensor_type,
)


class ElementTypeError(VerifyException):
    """An error for an operation on elements of a type that it does not accept."""


class Elements(Enum):
    """The element types that an op accepts; the value is their name in error messages."""

    FLOAT = "floating-point elements"
    INTEGER = "integer elements"
    NUMBER = "integer or floating-point elements"
    BOOL = "i1 elements"
    ANY = "elements with data"

    def accepts(self, element: Attribute) -> bool:
        return _ACCEPTS[self](element)

    def check(self, element: Attribute) -> Attribute:
        if not self.accepts(element):
            raise ElementTypeError(f"expected {self.value}, but got {element}")
        return element


_ACCEPTS: dict[Elements, Callable[[Attribute], bool]] = {
    Elements.FLOAT: is_float,
    Elements.INTEGER: is_integer,
    Elements.NUMBER: lambda element: is_float(element) or is_integer(element),
    Elements.BOOL: is_bool,
    Elements.ANY: has_dtype,
}


class UnaryOp(GraphOp):
    """One operand, a result of the same type."""

    ELEMENTS: ClassVar[Elements]

    x = operand_def()
    y = result_def()

    def infer_types(self) -> tuple[Tensor, ...]:
        self.ELEMENTS.check(element_of(self.x))
        return (tensor_type(self.x),)


class BinaryOp(GraphOp):
    """Two operands of one element type that broadcast."""

    ELEMENTS: ClassVar[Elements]

    a = operand_def()
    b = operand_def()
    y = result_def()

    def infer_types(self) -> tuple[Tensor, ...]:
        element = self.ELEMENTS.check(require_same_element(self.operands))
        return (make_type(broadcast_shapes(shape_of(self.a), shape_of(self.b)), element),)


class CompareOp(BinaryOp):
    """Two operands of one element type that broadcast; the result is `i1`. Comparisons with NaN are false."""

    def infer_types(self) -> tuple[Tensor, ...]:
        (operands,) = super().infer_types()
        return (make_type(shape_of(operands), i1),)


class ReduceOp(UnaryOp):
    """Combines all elements along `axes`; `keepdims` leaves them as dimensions of size 1."""

    axes = ints_prop()
    keepdims = flag_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        return (reduced_type(self.x, self.axes.get_values(), self.keepdims is not None, self.ELEMENTS),)


def reduced_type(x: SSAValue, axes: Sequence[int], keepdims: bool, elements: Elements) -> Tensor:
    """Return the result type of a reduction of a tensor along axes."""
    element, shape = elements.check(element_of(x)), shape_of(x)
    axes = normalize_axes(axes, len(shape))
    kept = [1 if axis in axes else dim for axis, dim in enumerate(shape)]
    if not keepdims:
        kept = [dim for axis, dim in enumerate(shape) if axis not in axes]
    return make_type(kept, element)


class MoveOp(GraphOp):
    """One operand, one result, elements of any type."""

    x = operand_def()
    y = result_def()

    def infer_types(self) -> tuple[Tensor, ...]:
        return (make_type(self.infer_shape(shape_of(self.x)), element_of(self.x)),)

    def infer_shape(self, shape: Shape) -> Sequence[Dim]:
        """Return the shape of the result."""
        raise NotImplementedError


def product_element(
    factors: Sequence[SSAValue], out_dtype: Attribute | None, bias: SSAValue | None = None
) -> Attribute:
    """Return the element type of a sum of products of `factors`: their common one, or `out_dtype`, with which they may
    be of different types. A bias has the type of the result.
    """
    for factor in factors:
        Elements.NUMBER.check(element_of(factor))
    if out_dtype is None:
        return require_same_element([*factors, *([] if bias is None else [bias])])
    element = Elements.NUMBER.check(out_dtype)
    if bias is not None and element_of(bias) != element:
        raise VerifyException(f"expected a bias of {element} as the result, but got {element_of(bias)}")
    return element


def require_vector(value: SSAValue, size: object, what: str) -> None:
    (length,) = require_rank(value, 1, what)
    if length != size:
        raise VerifyException(f"expected {what} of {size} elements, but got {length}")


def require_held(element: Attribute, value: float, what: str) -> None:
    """Require that a number that fills elements is one that their type holds; floats hold any."""
    if not isinstance(element, IntegerType):
        return
    is_unsigned, bits = is_bool(element) or element.signedness.data is Signedness.UNSIGNED, element.width.data
    low, high = (0, 2**bits - 1) if is_unsigned else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    if not low <= value <= high:
        raise VerifyException(f"expected {what} from {low} to {high}, as {element} has, but got {value}")


def require_constants_inside(indices: SSAValue, size: Dim) -> None:
    """Require that indices which are a constant of known values lie within a dimension, counted from either end."""
    owner = indices.owner
    if not isinstance(owner, ConstantOp) or not isinstance(size, int) or not has_data(owner.value):
        return
    values = owner.array
    wrong = values[(values < -size) | (values >= size)]
    if wrong.size:
        raise VerifyException(f"expected indices from {-size} to {size - 1}, but got {wrong[0]}")
