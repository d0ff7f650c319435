"""
Operators whose result sizes are stated in a property: as numbers, and as expressions of the sizes of operands.

In this property, `"#1.0"` is the first size of the second operand, and `"#0.1 + 3 * #1.0"` is an expression of two
sizes. An operand may be used for its sizes alone; its elements are then not read. So a shape that a model computes from
the shapes of its inputs stays an expression, and one program is valid for all of these shapes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from xdsl.dialects.builtin import ArrayAttr, StringAttr, i64
from xdsl.irdl import operand_def, result_def, var_operand_def
from xdsl.utils.exceptions import VerifyException

from ..diagnostics import fail
from ..dialects.graph.base import GraphOp
from ..dialects.graph.families import Elements
from ..dialects.graph.properties import dims_of, dims_prop, ints_prop, string_prop
from ..dialects.graph.sizes import Dim, canonical, evaluate, names_of, substitute
from ..dialects.graph.types import (
    Shape,
    Tensor,
    broadcast_shapes,
    element_of,
    format_shape,
    make_type,
    require_rank,
    shape_of,
    size_error,
)
from .broadcasting import read_broadcast
from .declaration import register_operator
from .deferred import np, te
from .record import FusionKind
from .shape import require_same_count
from .sizes import number


def operand_size(operand: int, axis: int) -> str:
    """Return the text for a size of an operand."""
    return f"#{operand}.{axis}"


def _sizes_of(shapes: Sequence[Sequence[Any]]) -> dict[str, Any]:
    return {operand_size(k, axis): size for k, shape in enumerate(shapes) for axis, size in enumerate(shape)}


def stated_sizes(dims: Sequence[int | str], operands: Sequence[Any]) -> list[Any]:
    """Return stated sizes as numbers, or as expressions over the sizes of tensors."""
    sizes = _sizes_of([operand.shape for operand in operands])

    def choose(kind: str, a: Any, b: Any) -> Any:
        if isinstance(a, int) and isinstance(b, int):
            return max(a, b) if kind == "max" else min(a, b)
        return te.maximum(a, b) if kind == "max" else te.minimum(a, b)

    return [evaluate(dim, sizes, choose) for dim in dims]


class ShapedOp(GraphOp):
    """An operation that states the sizes of its result in terms of the sizes of its operands."""

    def stated(self, dims: ArrayAttr[StringAttr], what: str = "shape") -> list[Dim]:
        """Return stated sizes in terms of the names that the operands' types have."""
        sizes = _sizes_of([shape_of(operand) for operand in self.operands])
        found: list[Dim] = []
        for dim in dims_of(dims):
            unknown = next((name for name in names_of(dim) if name not in sizes), None)
            if unknown is not None:
                raise VerifyException(f"expected {what} of numbers and sizes of operands as #0.1, but got {unknown}")
            found.append(substitute(dim, sizes))
        return found

    def stated_shape(self, dims: ArrayAttr[StringAttr]) -> list[Dim]:
        """Return stated sizes of a result. Raises VerifyException for one below 0."""
        found = self.stated(dims)
        if any(isinstance(size, int) and size < 0 for size in found):
            raise VerifyException(f"expected sizes of at least 0, but got {format_shape(tuple(found))}")
        return found


def _extents_te(*likes: te.Tensor, shape: Sequence[int | str]) -> te.Tensor:
    sizes = [number(size, "int64") for size in stated_sizes(shape, likes)]

    def element(i: Any) -> te.Expr:
        value = sizes[-1] if sizes else te.const(0, "int64")
        for position in range(len(sizes) - 2, -1, -1):
            value = te.Select(i < position + 1, sizes[position], value)
        return value

    return te.compute((len(sizes),), element, name="extents")


@register_operator(
    kind=FusionKind.OPAQUE,
    reference=lambda *likes, shape: np.array(stated_sizes(shape, likes), np.int64),
    te=_extents_te,
)
class ExtentsOp(ShapedOp):
    """
    Sizes as elements of a vector: sizes of operands, and expressions of them.

    ```mlir
    %s = graph.extents %x shape ["#0.0", 3, "2 * #0.1"] : tensor<3xi64>
    ```
    """

    name = "graph.extents"

    likes = var_operand_def()
    y = result_def()

    shape = dims_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        return (make_type((len(self.stated(self.shape)),), i64),)


@register_operator(
    kind=FusionKind.OPAQUE,
    reference=lambda *likes, shape: np.arange(*stated_sizes(shape, likes), dtype=np.int64),
    te=lambda *likes, shape: te.compute(stated_sizes(shape, likes), lambda i: i.astype("int64"), name="iota"),
)
class IotaOp(ShapedOp):
    """
    The numbers from 0 on, as many as the one size that is stated.

    ```mlir
    %y = graph.iota %x shape ["#0.1"] : tensor<4xi64>
    ```
    """

    name = "graph.iota"

    likes = var_operand_def()
    y = result_def()

    shape = dims_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        shape = self.stated_shape(self.shape)
        if len(shape) != 1:
            raise VerifyException(f"expected one size, but got {format_shape(tuple(shape))}")
        return (make_type(shape, i64),)


class StatedOp(ShapedOp):
    """The elements of the first operand in a result of a stated shape."""

    x = operand_def()
    likes = var_operand_def()
    y = result_def()

    shape = dims_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        element = Elements.ANY.check(element_of(self.x))
        shape = tuple(self.stated_shape(self.shape))
        self.check(shape_of(self.x), shape)
        return (make_type(shape, element),)

    def check(self, given: Shape, shape: Shape) -> None:
        """Check that the operand has elements for such a result."""
        raise NotImplementedError


def _stretch_te(x: te.Tensor, *likes: te.Tensor, shape: Sequence[int | str]) -> te.Tensor:
    return te.compute(stated_sizes(shape, (x, *likes)), lambda *i: read_broadcast(x, i), name="stretch")


@register_operator(
    kind=FusionKind.INJECTIVE,
    reference=lambda x, *likes, shape: np.broadcast_to(x, stated_sizes(shape, (x, *likes))),
    te=_stretch_te,
)
class StretchOp(StatedOp):
    """
    The first operand stretched as numpy's broadcasting does, to a stated shape.

    ```mlir
    %y = graph.stretch %x, %z shape ["#1.0", 3, "#0.2"] : tensor<8x3x4xf32>
    ```
    """

    name = "graph.stretch"

    def check(self, given: Shape, shape: Shape) -> None:
        if len(given) > len(shape) or broadcast_shapes(given, shape) != shape:
            raise size_error(*given, *shape)(
                f"expected a shape that {format_shape(given)} broadcasts to, but got {format_shape(shape)}"
            )


def _extend_te(x: te.Tensor, *likes: te.Tensor, shape: Sequence[int | str]) -> te.Tensor:
    (size,) = x.shape
    zero = te.const(0, x.dtype)
    return te.compute(stated_sizes(shape, (x, *likes)), lambda i: te.if_then_else(i < size, x(i), zero), name="extend")


def _extend_reference(x: np.ndarray, *likes: np.ndarray, shape: Sequence[int | str]) -> np.ndarray:
    result = np.zeros(stated_sizes(shape, (x, *likes)), x.dtype)
    result[: len(x)] = x[: len(result)]
    return result


@register_operator(kind=FusionKind.OPAQUE, reference=_extend_reference, te=_extend_te)
class ExtendOp(StatedOp):
    """
    A vector of a stated size: the operand's elements, cut off where there are more, and zeros behind them.

    ```mlir
    %y = graph.extend %x shape [8] : tensor<8xf32>
    ```
    """

    name = "graph.extend"

    def check(self, given: Shape, shape: Shape) -> None:
        if len(given) != 1 or len(shape) != 1:
            raise VerifyException(f"expected vectors, but got {format_shape(given)} and {format_shape(shape)}")


def _regroup_te(x: te.Tensor, *likes: te.Tensor, shape: Sequence[int | str]) -> te.Tensor:
    sizes = stated_sizes(shape, (x, *likes))

    def element(*index: Any) -> te.Expr:
        position: Any = 0
        for i, size in zip(index, sizes, strict=True):
            position = position * size + i
        at: list[Any] = []
        for size in reversed(x.shape):
            at.append(position % size)
            position = position // size
        return x(*reversed(at))

    return te.compute(sizes, element, name="regroup")


@register_operator(
    kind=FusionKind.INJECTIVE,
    reference=lambda x, *likes, shape: x.reshape(stated_sizes(shape, (x, *likes))),
    te=_regroup_te,
)
class RegroupOp(StatedOp):
    """
    The same elements in the same order, in a stated shape.

    ```mlir
    %y = graph.regroup %x, %z shape ["#1.0", "#1.1", 3] : tensor<2x4x3xf32>
    ```
    """

    name = "graph.regroup"
    KEEPS_ORDER: ClassVar[bool] = True

    def check(self, given: Shape, shape: Shape) -> None:
        require_same_count(given, shape)


def _match_reference(x: np.ndarray, *likes: np.ndarray, shape: Sequence[int | str]) -> np.ndarray:
    stated = tuple(stated_sizes(shape, (x, *likes)))
    if x.shape != stated:
        fail("TW0730", f"expected shapes that are equal, but got {list(x.shape)} and {list(stated)}")
    return x


@register_operator(
    kind=FusionKind.OPAQUE,
    reference=_match_reference,
    te=lambda x, *likes, shape: te.compute(stated_sizes(shape, (x, *likes)), lambda *i: x(*i), name="match"),
)
class MatchShapeOp(StatedOp):
    """
    The first operand under a type with the stated sizes: a view. The stated sizes must equal the actual sizes at run
    time; a call where they differ ends with TW0730, which names both.

    ```mlir
    %y = graph.match_shape %x, %z shape ["#1.0", 3] : tensor<8x3xf32>
    ```
    """

    name = "graph.match_shape"
    KEEPS_ORDER: ClassVar[bool] = True

    def check(self, given: Shape, shape: Shape) -> None:
        if len(given) != len(shape):
            raise VerifyException(f"expected rank {len(given)}, but got {format_shape(shape)}")
        for size, stated in zip(given, shape, strict=True):
            if isinstance(size, int) and isinstance(stated, int) and size != stated:
                raise VerifyException(
                    f"expected sizes that may be {format_shape(given)}, but got {format_shape(shape)}"
                )


def _cut_te(
    x: te.Tensor, *likes: te.Tensor, starts: Sequence[int | str], shape: Sequence[int | str], steps: Sequence[int]
) -> te.Tensor:
    first = stated_sizes(starts, (x, *likes))

    def element(*index: Any) -> te.Expr:
        return x(*(start + i * step for start, i, step in zip(first, index, steps, strict=True)))

    return te.compute(stated_sizes(shape, (x, *likes)), element, name="cut")


def _cut_reference(
    x: np.ndarray, *likes: np.ndarray, starts: Sequence[int | str], shape: Sequence[int | str], steps: Sequence[int]
) -> np.ndarray:
    sizes, first = stated_sizes(shape, (x, *likes)), stated_sizes(starts, (x, *likes))
    positions = [start + step * np.arange(size) for start, size, step in zip(first, sizes, steps, strict=True)]
    return x[np.ix_(*positions)] if positions else x


@register_operator(kind=FusionKind.INJECTIVE, reference=_cut_reference, te=_cut_te)
class CutOp(StatedOp):
    """
    A part of the first operand of a stated shape: from `starts` on, which are stated likewise, at distances of `steps`.

    ```mlir
    %y = graph.cut %x, %z starts [0, "#0.1 - #1.0"] shape ["#0.0", "#1.0"] steps [1, 1] : tensor<2x3xf32>
    ```
    """

    name = "graph.cut"

    starts = dims_prop()
    steps = ints_prop()

    def check(self, given: Shape, shape: Shape) -> None:
        starts, steps = self.stated(self.starts, "starts"), self.steps.get_values()
        if not len(given) == len(shape) == len(starts) == len(steps) or 0 in steps:
            raise VerifyException(f"expected {len(given)} starts, sizes and steps other than 0")
        for size, start, extent, step in zip(given, starts, shape, steps, strict=True):
            if isinstance(size, int) and isinstance(start, int) and isinstance(extent, int) and extent:
                last = start + (extent - 1) * step
                if not (0 <= start < size and 0 <= last < size):
                    raise VerifyException(f"expected a part within {size} elements, but got {start} to {last}")


def _prefix_te(x: te.Tensor, count: te.Tensor, *, size: str) -> te.Tensor:
    raise NotImplementedError("a prefix is a view of its operand, which lowering makes")


@register_operator(
    kind=FusionKind.OPAQUE, reference=lambda x, count, size: x[: min(max(int(count[0]), 0), len(x))], te=_prefix_te
)
class PrefixOp(GraphOp):
    """
    The first `count` slices of the operand along the first dimension: a view, whose first size has a new name. A
    `count` below 0 is taken as 0, and a `count` above the number of slices as that number.

    ```mlir
    %y = graph.prefix %x, %count size "found" : tensor<?x3xf32, #graph.dims<found, _>>
    ```
    """

    name = "graph.prefix"
    KEEPS_ORDER: ClassVar[bool] = True

    x = operand_def()
    count = operand_def()
    y = result_def()

    size = string_prop("")

    def infer_types(self) -> tuple[Tensor, ...]:
        shape = shape_of(self.x)
        if not shape:
            raise VerifyException("expected an operand with a dimension")
        if element_of(self.count) != i64 or require_rank(self.count, 1, "a count") != (1,):
            raise VerifyException(f"expected a count of type tensor<1xi64>, but got {self.count.type}")
        name = self.size.data
        if not name or canonical(name) != name or names_of(name) != (name,):
            raise VerifyException(f"expected a name for the size, but got '{name}'")
        return (make_type((name, *shape[1:]), element_of(self.x)),)
