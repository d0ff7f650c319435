"""Rearrangements: tiling, depth to space and back, triangular matrices, dilation, stacking and similar operators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.utils.exceptions import VerifyException

from ..dialects.graph.families import MoveOp, require_held
from ..dialects.graph.properties import flag_prop, float_prop, int_prop, ints_prop, string_prop
from ..dialects.graph.sizes import difference_of, larger_of, times
from ..dialects.graph.types import Dim, Shape, element_of, require_rank, size_error
from ..dialects.graph.windows import require_ints
from .declaration import register_for_topi, register_operator
from .deferred import np, te
from .movement import read_pieces
from .record import FusionKind, Operator
from .windows import Layout


def _tile_te(x: te.Tensor, *, repeats: Sequence[Any]) -> te.Tensor:
    rank = max(x.ndim, len(repeats))
    times = [1] * (rank - len(repeats)) + list(repeats)
    sizes = [1] * (rank - x.ndim) + list(x.shape)

    def element(*index: Any) -> te.Expr:
        aligned = zip(index[rank - x.ndim :], x.shape, times[rank - x.ndim :], strict=True)
        return x(*(i if count == 1 else i % size for i, size, count in aligned))

    return te.compute([size * count for size, count in zip(sizes, times, strict=True)], element, name="tile")


def _repeat_te(x: te.Tensor, *, repeats: int, axis: int) -> te.Tensor:
    axis %= x.ndim
    shape = (*x.shape[:axis], x.shape[axis] * repeats, *x.shape[axis + 1 :])
    return te.compute(shape, lambda *i: x(*i[:axis], i[axis] // repeats, *i[axis + 1 :]), name="repeat")


def _flip_te(x: te.Tensor, *, axes: Sequence[int]) -> te.Tensor:
    turned = {axis % x.ndim for axis in axes}

    def element(*index: Any) -> te.Expr:
        return x(*(x.shape[d] - 1 - i if d in turned else i for d, i in enumerate(index)))

    return te.compute(x.shape, element, name="flip")


def _stack_te(*inputs: te.Tensor, axis: int) -> te.Tensor:
    axis %= inputs[0].ndim + 1

    def element(*index: Any) -> te.Expr:
        within = (*index[:axis], *index[axis + 1 :])
        return read_pieces(index[axis], range(1, len(inputs) + 1), lambda k: inputs[k](*within))

    shape = inputs[0].shape
    return te.compute((*shape[:axis], len(inputs), *shape[axis:]), element, name="stack")


def _depth_to_space_te(x: te.Tensor, *, block: int, mode: str = "DCR", layout: Layout | None = None) -> te.Tensor:
    """Turn channels into blocks of pixels; the position in a block is the outer (DCR) or inner (CRD) part of the
    channel."""
    layout = layout or Layout()
    height, width = layout.spatial(x.shape)
    depth = layout.channels(x.shape) // (block * block)

    def element(n: Any, c: Any, at: Sequence[Any]) -> te.Expr:
        h, w = at
        position = h % block * block + w % block
        channel = position * depth + c if mode == "DCR" else c * (block * block) + position
        return x(*layout.index(n, channel, (h // block, w // block)))

    shape = layout.index(x.shape[0], depth, (height * block, width * block))
    return te.compute(shape, layout.element(2, element), name="depth_to_space")


def _depth_to_space_reference(x: np.ndarray, *, block: int, mode: str = "DCR") -> np.ndarray:
    n, c, h, w = x.shape
    depth = c // (block * block)
    if mode == "DCR":
        split = x.reshape(n, block, block, depth, h, w).transpose(0, 3, 4, 1, 5, 2)
    else:
        split = x.reshape(n, depth, block, block, h, w).transpose(0, 1, 4, 2, 5, 3)
    return split.reshape(n, depth, h * block, w * block)


def _space_to_depth_te(x: te.Tensor, *, block: int, mode: str = "DCR", layout: Layout | None = None) -> te.Tensor:
    """Turn blocks of pixels into channels; the position in a block is the outer (DCR) or inner (CRD) part of the
    channel."""
    layout = layout or Layout()
    height, width = layout.spatial(x.shape)
    depth = layout.channels(x.shape)

    def element(n: Any, c: Any, at: Sequence[Any]) -> te.Expr:
        area = block * block
        position, channel = (c // depth, c % depth) if mode == "DCR" else (c % area, c // area)
        pixel = (at[0] * block + position // block, at[1] * block + position % block)
        return x(*layout.index(n, channel, pixel))

    shape = layout.index(x.shape[0], depth * (block * block), (height // block, width // block))
    return te.compute(shape, layout.element(2, element), name="space_to_depth")


def _space_to_depth_reference(x: np.ndarray, *, block: int, mode: str = "DCR") -> np.ndarray:
    n, c, h, w = x.shape
    order = (0, 3, 5, 1, 2, 4) if mode == "DCR" else (0, 1, 3, 5, 2, 4)
    split = x.reshape(n, c, h // block, block, w // block, block).transpose(order)
    return split.reshape(n, c * block * block, h // block, w // block)


def _dilate_te(x: te.Tensor, *, strides: Sequence[int], dilation_value: float = 0.0) -> te.Tensor:
    def element(*index: Any) -> te.Expr:
        steps = list(zip(index, strides, strict=True))
        hits = [i % step == 0 for i, step in steps if step > 1]
        value = x(*(i // step for i, step in steps))
        return te.if_then_else(te.all(*hits), value, te.const(dilation_value, x.dtype)) if hits else value

    shape = [_dilated(size, step) for size, step in zip(x.shape, strides, strict=True)]
    return te.compute(shape, element, name="dilate")


def _dilated(size: Any, step: int) -> Any:
    """Return the number of elements and of the gaps between them."""
    if step == 1:
        return size
    length = (size - 1) * step + 1
    return max(length, 0) if isinstance(size, int) else te.maximum(length, 0)


def _dilate_reference(x: np.ndarray, *, strides: Sequence[int], dilation_value: float = 0.0) -> np.ndarray:
    shape = [_dilated(size, step) for size, step in zip(x.shape, strides, strict=True)]
    result = np.full(shape, dilation_value, x.dtype)
    result[tuple(slice(None, None, step) for step in strides)] = x
    return result


def _trilu_te(x: te.Tensor, *, upper: bool, k: int) -> te.Tensor:
    def element(*index: Any) -> te.Expr:
        row, column = index[-2:]
        kept = column - row >= k if upper else column - row <= k
        return te.Select(kept, x(*index), te.const(0, x.dtype))

    return te.compute(x.shape, element, name="trilu")


def _trilu_reference(x: np.ndarray, *, upper: bool, k: int) -> np.ndarray:
    rows, columns = np.indices(x.shape[-2:])
    return np.where(columns - rows >= k if upper else columns - rows <= k, x, x.dtype.type(0))


def _full_te(*, shape: Sequence[Any], value: Any, dtype: str) -> te.Tensor:
    number = te.cast(dtype, value) if isinstance(value, te.Expr) else te.const(value, dtype)
    return te.compute(shape, lambda *i: number, name="full")


def _arange_te(*, start: Any, step: Any, count: Any, dtype: str) -> te.Tensor:
    """Return start + i * step, the product taken in the element type."""
    first, stride = (te.cast(dtype, x) if isinstance(x, te.Expr) else te.const(x, dtype) for x in (start, step))
    return te.compute((count,), lambda i: first + i.astype(dtype) * stride, name="arange")


def _arange_reference(*, start: float, step: float, count: int, dtype: str) -> np.ndarray:
    kind = np.dtype(dtype).type
    return kind(start) + np.arange(count).astype(dtype) * kind(step)


@register_operator(kind=FusionKind.INJECTIVE, reference=lambda x, repeats: np.tile(x, tuple(repeats)), te=_tile_te)
class TileOp(MoveOp):
    """
    The whole operand repeated so many times along each dimension.

    ```mlir
    %y = graph.tile %x repeats [1, 3] : tensor<2x12xf32>
    ```
    """

    name = "graph.tile"

    repeats = ints_prop()

    def infer_shape(self, shape: Shape) -> Sequence[Dim]:
        repeats = require_ints(self.repeats.get_values(), len(shape), 0, "repeats")
        return [times(size, n) for size, n in zip(shape, repeats, strict=True)]


def _require_mode(mode: str) -> None:
    if mode not in ("DCR", "CRD"):
        raise VerifyException(f"expected mode DCR or CRD, but got {mode}")


@register_operator(kind=FusionKind.INJECTIVE, reference=_depth_to_space_reference, te=_depth_to_space_te)
class DepthToSpaceOp(MoveOp):
    """
    Channels of an NCHW image as blocks of pixels. The position in the block is the outer part of the channel in mode
    DCR, the inner part in mode CRD.

    ```mlir
    %y = graph.depth_to_space %x block 2 mode "CRD" : tensor<1x3x224x224xf32>
    ```
    """

    name = "graph.depth_to_space"

    block = int_prop()
    mode = string_prop("DCR")

    def infer_shape(self, shape: Shape) -> Sequence[Dim]:
        batch, channels, *sizes = require_rank(self.x, 4, "an NCHW image")
        block = self.block.value.data
        _require_mode(self.mode.data)
        if block < 1 or not isinstance(channels, int) or channels % (block * block):
            raise size_error(channels)(
                f"expected a block whose square divides {channels or '?'} channels, but got {block}"
            )
        return (batch, channels // (block * block), *(times(size, block) for size in sizes))


@register_operator(kind=FusionKind.INJECTIVE, reference=_space_to_depth_reference, te=_space_to_depth_te)
class SpaceToDepthOp(MoveOp):
    """
    Blocks of pixels of an NCHW image as channels, the inverse of `graph.depth_to_space`: the position in the block is
    the outer part of the channel in mode DCR, the inner part in mode CRD.

    ```mlir
    %y = graph.space_to_depth %x block 2 mode "CRD" : tensor<1x12x112x112xf32>
    ```
    """

    name = "graph.space_to_depth"

    block = int_prop()
    mode = string_prop("DCR")

    def infer_shape(self, shape: Shape) -> Sequence[Dim]:
        batch, channels, *sizes = require_rank(self.x, 4, "an NCHW image")
        block = self.block.value.data
        _require_mode(self.mode.data)
        for size in sizes:
            if block < 1 or not isinstance(size, int) or size % block:
                raise size_error(size)(f"expected a block that divides height and width, but got {block}")
        smaller = [size // block for size in sizes if isinstance(size, int)]
        return (batch, times(channels, block * block), *smaller)


def _for_topi(name: str, reference: Callable[..., Any], body: Callable[..., te.Tensor]) -> None:
    register_for_topi(Operator(name, FusionKind.INJECTIVE, reference, body))


_for_topi("repeat", lambda x, repeats, axis: np.repeat(x, repeats, axis), _repeat_te)
_for_topi("flip", lambda x, axes: np.flip(x, tuple(axes)), _flip_te)
_for_topi("stack", lambda *inputs, axis: np.stack(inputs, axis), _stack_te)
_for_topi("full", lambda shape, value, dtype: np.full(shape, value, dtype), _full_te)
_for_topi("arange", _arange_reference, _arange_te)


@register_operator(kind=FusionKind.ELEMENTWISE, reference=_trilu_reference, te=_trilu_te)
class TriluOp(MoveOp):
    """
    Matrices with zeros below diagonal `k`, where `upper`, or above it. Diagonal 1 lies above the main one.

    ```mlir
    %y = graph.trilu %x upper k 1 : tensor<2x5x7xf32>
    ```
    """

    name = "graph.trilu"

    upper = flag_prop()
    k = int_prop(0)

    def infer_shape(self, shape: Shape) -> Sequence[Dim]:
        if len(shape) < 2:
            raise VerifyException(f"expected matrices, but got rank {len(shape)}")
        return shape


@register_operator(kind=FusionKind.INJECTIVE, reference=_dilate_reference, te=_dilate_te)
class DilateOp(MoveOp):
    """
    The elements spread: `strides` steps from one to the next along each axis, and `dilation_value` between them.

    ```mlir
    %y = graph.dilate %x strides [1, 1, 2, 2] : tensor<1x8x13x13xf32>
    ```
    """

    name = "graph.dilate"

    strides = ints_prop()
    dilation_value = float_prop(0.0)

    def infer_shape(self, shape: Shape) -> Sequence[Dim]:
        strides = require_ints(self.strides.get_values(), len(shape), 1, "strides")
        require_held(element_of(self.x), self.dilation_value.value.data, "a dilation_value")
        steps = zip(shape, strides, strict=True)
        return [size if step == 1 else larger_of(difference_of(times(size, step), step - 1), 0) for size, step in steps]
