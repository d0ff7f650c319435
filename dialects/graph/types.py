"""
Shapes at graph level, with dynamic dimensions by name.

A size is an `int`, a name, or None. Dimensions with the same name have the same size:
`tensor<?x3xf32, #graph.dims<n, _>>` has n rows, and so has every other tensor with the name n. A name may be an
expression of names, as reshapes and concatenations create it: `"3 * n"`, `"m + n"` (`sizes.py`). A dynamic size without
a name equals only itself, so rules that require equal sizes refuse it. A dynamic size is never assumed to be 1, so it
is never broadcast.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, TypeGuard

from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, NoneAttr, StringAttr, TensorType
from xdsl.ir import Attribute, ParametrizedAttribute, SSAValue
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from .sizes import Dim

Shape: TypeAlias = tuple[Dim, ...]
Tensor: TypeAlias = TensorType[Attribute]


@irdl_attr_definition
class DimsAttr(ParametrizedAttribute):
    """
    Names the dynamic dimensions of a tensor type, in its encoding; `_` at static and at nameless ones.

    ```mlir
    tensor<?x3x?x?xf32, #graph.dims<n, _, h, w>>
    ```
    """

    name = "graph.dims"

    names: ArrayAttr[StringAttr]

    def name_at(self, axis: int) -> str | None:
        return self.names.data[axis].data or None

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        def parse_name() -> StringAttr:
            name = parser.parse_identifier_or_str_literal()
            return StringAttr("" if name == "_" else name)

        names = parser.parse_comma_separated_list(parser.Delimiter.ANGLE, parse_name)
        return (ArrayAttr(names),)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_list(
                self.names.data, lambda name: printer.print_identifier_or_string_literal(name.data or "_")
            )


def tensor_type(value: SSAValue | Attribute) -> Tensor:
    """Return the ranked tensor type of a value; verification fails where it has another type."""
    type_ = value.type if isinstance(value, SSAValue) else value
    if not isinstance(type_, TensorType):
        raise VerifyException(f"expected a ranked tensor, but got {type_}")
    return type_


def shape_of(value: SSAValue | Attribute) -> Shape:
    """Return the sizes of a ranked tensor, dynamic ones by name. Verification fails on an encoding that does not
    fit."""
    type_ = tensor_type(value)
    sizes = type_.get_shape()
    encoding = type_.encoding
    if isinstance(encoding, NoneAttr):
        return tuple(None if size == DYNAMIC_INDEX else size for size in sizes)
    if not isinstance(encoding, DimsAttr):
        raise VerifyException(f"expected #graph.dims as the encoding of {type_}")
    if len(encoding.names.data) != len(sizes):
        raise VerifyException(f"expected {len(sizes)} names in {encoding}, but got {len(encoding.names.data)}")
    for axis, size in enumerate(sizes):
        if size != DYNAMIC_INDEX and (name := encoding.name_at(axis)):
            raise VerifyException(f"expected _ for the static dimension {axis} in {encoding}, but got {name}")
    return tuple(encoding.name_at(axis) if size == DYNAMIC_INDEX else size for axis, size in enumerate(sizes))


def element_of(value: SSAValue | Attribute) -> Attribute:
    """Return the element type of a tensor."""
    return tensor_type(value).element_type


def make_type(shape: Sequence[Dim], element: Attribute) -> Tensor:
    """Return the tensor type of a shape; the encoding is there only when a dimension has a name."""
    sizes = [dim if isinstance(dim, int) else DYNAMIC_INDEX for dim in shape]
    if not any(isinstance(dim, str) for dim in shape):
        return TensorType(element, sizes)
    names = ArrayAttr([StringAttr(dim if isinstance(dim, str) else "") for dim in shape])
    return TensorType(element, sizes, DimsAttr(names))


def format_shape(shape: Sequence[Dim]) -> str:
    """Return a shape as text, with `?` for an unknown size."""
    return "[" + ", ".join("?" if dim is None else str(dim) for dim in shape) + "]"


def static_shape(value: SSAValue | Attribute) -> tuple[int, ...] | None:
    """Return the sizes as numbers, or None where one is dynamic."""
    shape = shape_of(value)
    return shape if is_static(shape) else None


def is_static(shape: Shape) -> TypeGuard[tuple[int, ...]]:
    """Return whether all sizes of a shape are numbers."""
    return all(isinstance(dim, int) for dim in shape)


def is_refinement(precise: Shape, declared: Shape) -> bool:
    """Return whether the shape `precise` equals `declared` except where `declared` leaves a size open."""
    return len(precise) == len(declared) and all(
        stated is None or size == stated for size, stated in zip(precise, declared, strict=True)
    )


def require_rank(value: SSAValue, rank: int, what: str) -> Shape:
    shape = shape_of(value)
    if len(shape) != rank:
        raise VerifyException(f"expected {what} of rank {rank}, but got {format_shape(shape)}")
    return shape


def require_dim(found: Dim, expected: Dim, what: str) -> None:
    """Fail verification unless two sizes are known to be equal."""
    if found != expected or found is None:
        raise unequal(f"expected {what} to be {_text(expected)}, but got {_text(found)}", found, expected)


def _text(dim: Dim) -> str:
    return "?" if dim is None else str(dim)


def normalize_axis(axis: int, rank: int) -> int:
    """Return an axis counted from the front; negative ones count from the back. Verification fails out of range."""
    if not -rank <= axis < rank:
        raise VerifyException(f"expected an axis in [{-rank}, {rank}), but got {axis}")
    return axis % rank if rank else 0


def normalize_axes(axes: Sequence[int], rank: int) -> tuple[int, ...]:
    """Return distinct axes counted from the front, ascending."""
    return tuple(sorted(ordered_axes(axes, rank)))


class UnknownSize(VerifyException):
    """An error: an operator needs a constant size, but the shape has a dynamic one."""


Otherwise: TypeAlias = Literal["none", "stretched", "any"]
"""The unequal sizes that an operator allows: none, one of them 1, or any that some rule admits."""


class UnequalSizes(UnknownSize):
    """An error: two sizes that have to be equal are not known to be equal."""

    def __init__(self, message: str, first: Dim, second: Dim, otherwise: Otherwise = "none") -> None:
        super().__init__(message)
        self.sizes = (first, second)
        self.otherwise: Otherwise = otherwise


def unequal(message: str, first: Dim, second: Dim, otherwise: Otherwise = "none") -> VerifyException:
    """Return the error for two sizes that have to be equal: numbers never will be, others might when the program is
    called."""
    is_known = isinstance(first, int) and isinstance(second, int)
    return VerifyException(message) if is_known else UnequalSizes(message, first, second, otherwise)


def size_error(*dims: Dim) -> type[VerifyException]:
    """Return the exception for sizes that do not fit: numbers never fit, symbolic sizes may when the program is
    called."""
    return VerifyException if all(isinstance(dim, int) for dim in dims) else UnknownSize


def ordered_axes(axes: Sequence[int], rank: int) -> tuple[int, ...]:
    """Return distinct axes counted from the front, in the order in which they are given: something belongs to each of
    them."""
    normal = tuple(normalize_axis(axis, rank) for axis in axes)
    if len(set(normal)) != len(normal):
        raise VerifyException(f"expected distinct axes, but got {list(axes)}")
    return normal


def broadcast_shapes(*shapes: Shape) -> Shape:
    """Return the shape of numpy's broadcasting: shapes are aligned at the end and a static 1 stretches. A dynamic size
    never does."""
    rank = max((len(shape) for shape in shapes), default=0)
    padded = [(1,) * (rank - len(shape)) + shape for shape in shapes]
    return tuple(_broadcast_dims(dims, shapes) for dims in zip(*padded, strict=True))


def _broadcast_dims(dims: tuple[Dim, ...], shapes: Sequence[Shape]) -> Dim:
    stretched = [dim for dim in dims if dim != 1]
    if not stretched:
        return 1
    if len(stretched) > 1 and (None in stretched or len(set(stretched)) > 1):
        got = " and ".join(format_shape(shape) for shape in shapes)
        other = next((dim for dim in stretched if dim != stretched[0]), None)
        raise unequal(f"expected shapes that broadcast, but got {got}", stretched[0], other, "stretched")
    return stretched[0]
