"""Rearrangements: layout transforms by letters, space to batch and back, mesh grids, reversed sequences."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from xdsl.irdl import operand_def, result_def, var_operand_def, var_result_def
from xdsl.utils.exceptions import VerifyException

from ..dialects.graph.base import GraphOp, require_same_element
from ..dialects.graph.families import Elements, MoveOp, require_held
from ..dialects.graph.properties import float_prop, int_prop, ints_prop, string_prop
from ..dialects.graph.sizes import times
from ..dialects.graph.types import (
    Dim,
    Shape,
    Tensor,
    element_of,
    format_shape,
    make_type,
    normalize_axis,
    require_dim,
    require_rank,
    shape_of,
    size_error,
    tensor_type,
)
from ..dialects.graph.windows import require_ints
from .declaration import register_operator
from .deferred import np, te
from .record import FusionKind


class Letter(NamedTuple):
    """A dimension of a layout: a letter in upper case, or the part of one within blocks of `factor`, in lower case."""

    name: str
    factor: int


def read_layout(text: str) -> list[Letter]:
    """Return the dimensions that a layout such as "NCHW" or "NCHW16c" names. Raises ValueError for another text."""
    if not re.fullmatch(r"([A-Z]|[1-9][0-9]*[a-z])+", text):
        raise ValueError(f"expected a layout such as NCHW or NCHW16c, but got '{text}'")
    letters = [Letter(name, int(factor or 0)) for factor, name in re.findall(r"([0-9]*)([A-Za-z])", text)]
    names = [letter.name for letter in letters]
    if len({*names}) != len(names) or not all(name.upper() in names for name in names):
        raise ValueError(f"expected each letter once, and in upper case where it has blocks, but got '{text}'")
    return letters


def _factors(letters: Sequence[Letter]) -> dict[str, int]:
    """Return the size of the blocks of a dimension in upper case, 1 where there are none."""
    blocks = {letter.name.upper(): letter.factor for letter in letters if letter.factor}
    return {letter.name: blocks.get(letter.name, 1) for letter in letters if not letter.factor}


def transformed_shape(shape: Sequence[Any], src: str, dst: str) -> list[Any]:
    """Return a shape in another layout. Raises ValueError where the layouts or the sizes do not fit."""
    source, target = read_layout(src), read_layout(dst)
    before, after = _factors(source), _factors(target)
    if before.keys() != after.keys() or len(shape) != len(source):
        raise ValueError(f"expected layouts of the same letters for rank {len(shape)}, but got '{src}' and '{dst}'")
    sizes: dict[str, Any] = {}
    for letter, size in zip(source, shape, strict=True):
        if letter.factor and size != letter.factor:
            raise ValueError(f"expected {letter.factor} elements along '{letter.name}', but got {size}")
        if not letter.factor:
            sizes[letter.name] = size if before[letter.name] == 1 else times(size, before[letter.name])
    result: list[Any] = []
    for name, factor in target:
        size = sizes[name.upper()]
        if not factor and after[name] > 1:
            if not isinstance(size, int) or size % after[name]:
                raise ValueError(f"expected {after[name]} to divide the size of '{name}', but got {size}")
            size //= after[name]
        result.append(factor or size)
    return result


def _layout_te(x: te.Tensor, *, src_layout: str, dst_layout: str) -> te.Tensor:
    source, target = read_layout(src_layout), read_layout(dst_layout)
    before, after = _factors(source), _factors(target)
    shape = _te_shape(x.shape, source, target, before, after)

    def element(*index: Any) -> te.Expr:
        at = {letter.name: i for letter, i in zip(target, index, strict=True)}
        whole = {n: at[n] if f == 1 else at[n] * f + at[n.lower()] for n, f in after.items()}

        def position(letter: Letter) -> Any:
            whole_index = whole[letter.name.upper()]
            if letter.factor:
                return whole_index % letter.factor
            return whole_index // before[letter.name] if before[letter.name] > 1 else whole_index

        return x(*map(position, source))

    return te.compute(shape, element, name="layout_transform")


def _te_shape(
    shape: Sequence[Any],
    source: Sequence[Letter],
    target: Sequence[Letter],
    before: dict[str, int],
    after: dict[str, int],
) -> list[Any]:
    sizes = {
        letter.name: size * before[letter.name] for letter, size in zip(source, shape, strict=True) if not letter.factor
    }
    return [f or (sizes[name] if after[name] == 1 else sizes[name] // after[name]) for name, f in target]


def _layout_reference(x: np.ndarray, *, src_layout: str, dst_layout: str) -> np.ndarray:
    source, target = read_layout(src_layout), read_layout(dst_layout)
    outer = sorted(letter.name for letter in source if not letter.factor)
    names = [letter.name for letter in source]
    order = [names.index(n) for name in outer for n in (name, name.lower()) if n in names]
    before, after = _factors(source), _factors(target)
    sizes = [x.shape[names.index(name)] * before[name] for name in outer]
    plain = x.transpose(order).reshape(sizes)
    split = [n for size, name in zip(sizes, outer, strict=True) for n in _parts(size, after[name])]
    there = [n for name in outer for n in ((name, name.lower()) if after[name] > 1 else (name,))]
    return plain.reshape(split).transpose([there.index(letter.name) for letter in target])


def _parts(size: int, factor: int) -> tuple[int, ...]:
    return (size // factor, factor) if factor > 1 else (size,)


@register_operator(kind=FusionKind.INJECTIVE, reference=_layout_reference, te=_layout_te)
class LayoutTransformOp(MoveOp):
    """
    The elements in another layout. A letter in upper case is a dimension; one in lower case, with a number before it,
    is the position within blocks of that size, which the dimension of the letter then counts.

    ```mlir
    %y = graph.layout_transform %x src_layout "NCHW" dst_layout "NCHW4c" : tensor<1x2x7x7x4xf32>
    ```
    """

    name = "graph.layout_transform"

    src_layout = string_prop("NCHW")
    dst_layout = string_prop("NCHW")

    def infer_shape(self, shape: Shape) -> Sequence[Dim]:
        try:
            return transformed_shape(shape, self.src_layout.data, self.dst_layout.data)
        except ValueError as error:
            raise size_error(*shape)(str(error)) from error


def _to_batch_te(
    x: te.Tensor, *, block_shape: Sequence[int], pad_before: Sequence[int], pad_after: Sequence[int], pad_value: float
) -> te.Tensor:
    count = len(block_shape)
    batch = x.shape[0]
    sizes = _batched_sizes(x.shape[1 : 1 + count], block_shape, pad_before, pad_after)

    def element(*index: Any) -> te.Expr:
        position, rest = index[0] // batch, index[1 + count :]
        at: list[Any] = []
        for n in reversed(range(count)):
            step = position if n == 0 else position % block_shape[n]
            at.insert(0, index[1 + n] * block_shape[n] + step - pad_before[n])
            position = position // block_shape[n]
        conditions = [c for n, a in enumerate(at) for c in _inside(a, x.shape[1 + n], pad_before[n], pad_after[n])]
        value = x(index[0] % batch, *at, *rest)
        return te.if_then_else(te.all(*conditions), value, te.const(pad_value, x.dtype)) if conditions else value

    shape = (batch * math.prod(block_shape), *sizes, *x.shape[1 + count :])
    return te.compute(shape, element, name="space_to_batch")


def _inside(at: Any, size: Any, before: int, after: int) -> list[Any]:
    return ([at >= 0] if before else []) + ([at < size] if after else [])


def _batched_sizes(
    sizes: Sequence[Any], block_shape: Sequence[int], before: Sequence[int], after: Sequence[int]
) -> list[Any]:
    return [(size + a + b) // n for size, n, a, b in zip(sizes, block_shape, before, after, strict=True)]


def _to_batch_reference(
    x: np.ndarray, *, block_shape: Sequence[int], pad_before: Sequence[int], pad_after: Sequence[int], pad_value: float
) -> np.ndarray:
    count = len(block_shape)
    amounts = [(0, 0), *zip(pad_before, pad_after, strict=True), *[(0, 0)] * (x.ndim - 1 - count)]
    padded = np.pad(x, amounts, constant_values=np.asarray(pad_value, x.dtype))
    sizes = [size // n for size, n in zip(padded.shape[1:], block_shape, strict=False)]
    split = [n for pair in zip(sizes, block_shape, strict=True) for n in pair]
    rest = padded.shape[1 + count :]
    parts = padded.reshape(x.shape[0], *split, *rest)
    inner, outer = range(2, 2 + 2 * count, 2), range(1, 1 + 2 * count, 2)
    turned = parts.transpose(*inner, 0, *outer, *range(1 + 2 * count, parts.ndim))
    return turned.reshape(x.shape[0] * math.prod(block_shape), *sizes, *rest)


@register_operator(kind=FusionKind.INJECTIVE, reference=_to_batch_reference, te=_to_batch_te)
class SpaceToBatchNdOp(MoveOp):
    """
    Blocks of the dimensions after the batch moved into the batch, after margins of `pad_value` around them: the
    position in a block is the outer part of the batch.

    ```mlir
    %y = graph.space_to_batch_nd %x block_shape [2, 2] pad_before [0, 0] pad_after [1, 0] : tensor<8x3x2x5xf32>
    ```
    """

    name = "graph.space_to_batch_nd"

    block_shape = ints_prop()
    pad_before = ints_prop()
    pad_after = ints_prop()
    pad_value = float_prop(0.0)

    def infer_shape(self, shape: Shape) -> Sequence[Dim]:
        require_held(Elements.NUMBER.check(element_of(self.x)), self.pad_value.value.data, "a pad_value")
        blocks = _blocks(self.block_shape.get_values(), shape)
        before = require_ints(self.pad_before.get_values(), len(blocks), 0, "pad_before")
        after = require_ints(self.pad_after.get_values(), len(blocks), 0, "pad_after")
        sizes: list[Dim] = []
        for size, n, low, high in zip(shape[1:], blocks, before, after, strict=False):
            if not isinstance(size, int) or (size + low + high) % n:
                raise size_error(size)(f"expected a block that divides {size or '?'} and its margins, but got {n}")
            sizes.append((size + low + high) // n)
        return (times(shape[0], math.prod(blocks)), *sizes, *shape[1 + len(blocks) :])


def _blocks(values: Sequence[int], shape: Shape) -> tuple[int, ...]:
    if not 0 < len(values) < len(shape):
        raise VerifyException(f"expected blocks of 1 to {len(shape) - 1} dimensions, but got {list(values)}")
    return require_ints(values, len(values), 1, "block_shape")


def _from_batch_te(
    x: te.Tensor, *, block_shape: Sequence[int], crop_begin: Sequence[int], crop_end: Sequence[int]
) -> te.Tensor:
    count, batch = len(block_shape), x.shape[0] // math.prod(block_shape)
    rows = zip(x.shape[1:], block_shape, crop_begin, crop_end, strict=False)
    sizes = [size * n - low - high for size, n, low, high in rows]

    def element(*index: Any) -> te.Expr:
        whole = [i + low for i, low in zip(index[1:], crop_begin, strict=False)]
        position: Any = 0
        for i, n in zip(whole, block_shape, strict=True):
            position = position * n + i % n
        at = [i // n for i, n in zip(whole, block_shape, strict=True)]
        return x(position * batch + index[0], *at, *index[1 + count :])

    return te.compute((batch, *sizes, *x.shape[1 + count :]), element, name="batch_to_space")


def _from_batch_reference(
    x: np.ndarray, *, block_shape: Sequence[int], crop_begin: Sequence[int], crop_end: Sequence[int]
) -> np.ndarray:
    count, batch = len(block_shape), x.shape[0] // math.prod(block_shape)
    parts = x.reshape(*block_shape, batch, *x.shape[1:])
    order = [count, *(d for n in range(count) for d in (count + 1 + n, n)), *range(2 * count + 1, parts.ndim)]
    sizes = [size * n for size, n in zip(x.shape[1:], block_shape, strict=False)]
    whole = parts.transpose(order).reshape(batch, *sizes, *x.shape[1 + count :])
    kept = (slice(low, size - high) for size, low, high in zip(sizes, crop_begin, crop_end, strict=True))
    return whole[(slice(None), *kept)]


@register_operator(kind=FusionKind.INJECTIVE, reference=_from_batch_reference, te=_from_batch_te)
class BatchToSpaceNdOp(MoveOp):
    """
    The outer part of the batch moved into blocks of the dimensions after it, the inverse of `graph.space_to_batch_nd`,
    whose margins are then cut off.

    ```mlir
    %y = graph.batch_to_space_nd %x block_shape [2, 2] crop_begin [0, 0] crop_end [1, 0] : tensor<2x5x4x5xf32>
    ```
    """

    name = "graph.batch_to_space_nd"

    block_shape = ints_prop()
    crop_begin = ints_prop()
    crop_end = ints_prop()

    def infer_shape(self, shape: Shape) -> Sequence[Dim]:
        blocks = _blocks(self.block_shape.get_values(), shape)
        begin = require_ints(self.crop_begin.get_values(), len(blocks), 0, "crop_begin")
        end = require_ints(self.crop_end.get_values(), len(blocks), 0, "crop_end")
        batch, area = shape[0], math.prod(blocks)
        if not isinstance(batch, int) or batch % area:
            raise size_error(batch)(f"expected a batch that {area} divides, but got {batch or '?'}")
        sizes: list[Dim] = []
        for size, n, low, high in zip(shape[1:], blocks, begin, end, strict=False):
            if not isinstance(size, int) or size * n < low + high:
                raise size_error(size)(f"expected to cut at most {size or '?'} * {n} elements, but got {low + high}")
            sizes.append(size * n - low - high)
        return (batch // area, *sizes, *shape[1 + len(blocks) :])


def _meshgrid_te(*inputs: te.Tensor, indexing: str) -> list[te.Tensor]:
    shape = _mesh([x.shape[0] for x in inputs], indexing)

    def grid(number: int, x: te.Tensor) -> te.Tensor:
        along = _mesh(list(range(len(inputs))), indexing).index(number)
        return te.compute(shape, lambda *i: x(i[along]), name="meshgrid")

    return [grid(number, x) for number, x in enumerate(inputs)]


def _mesh(sizes: Sequence[Any], indexing: str) -> list[Any]:
    """Exchange the first two sizes where indexing is that of a plane."""
    order = list(sizes)
    if indexing == "xy" and len(order) > 1:
        order[:2] = order[1], order[0]
    return order


@register_operator(
    kind=FusionKind.INJECTIVE,
    reference=lambda *inputs, indexing: list(np.meshgrid(*inputs, indexing=indexing)),
    te=_meshgrid_te,
)
class MeshgridOp(GraphOp):
    """
    A grid of the coordinates that vectors have, one result a vector. `indexing` "ij" takes the vectors along the
    dimensions in order, "xy" the first two of them exchanged.

    ```mlir
    %a, %b = graph.meshgrid %x, %y indexing "ij" : tensor<3x5xf32>, tensor<3x5xf32>
    ```
    """

    name = "graph.meshgrid"

    inputs = var_operand_def()
    grids = var_result_def()

    indexing = string_prop("ij")

    def infer_types(self) -> tuple[Tensor, ...]:
        if not self.inputs or self.indexing.data not in ("ij", "xy"):
            raise VerifyException(f"expected vectors and indexing ij or xy, but got '{self.indexing.data}'")
        element = Elements.ANY.check(require_same_element(self.inputs))
        sizes = [require_rank(x, 1, "a vector")[0] for x in self.inputs]
        return (make_type(_mesh(sizes, self.indexing.data), element),) * len(sizes)


def _reverse_te(x: te.Tensor, lengths: te.Tensor, *, seq_axis: int, batch_axis: int) -> te.Tensor:
    along, batch = seq_axis % x.ndim, batch_axis % x.ndim

    def element(*index: Any) -> te.Expr:
        i, size = index[along].astype("int64"), x.shape[along]
        length = te.minimum(lengths(index[batch]).astype("int64"), size)
        position = te.Select(i < length, length - 1 - i, i)
        return x(*index[:along], te.minimum(te.maximum(position, 0), size - 1), *index[along + 1 :])

    return te.compute(x.shape, element, name="reverse_sequence")


def _reverse_reference(x: np.ndarray, lengths: np.ndarray, *, seq_axis: int, batch_axis: int) -> np.ndarray:
    moved = np.moveaxis(x, (batch_axis, seq_axis), (0, 1)).copy()
    for row, length in zip(moved, lengths, strict=True):
        count = min(max(int(length), 0), len(row))
        row[:count] = row[:count][::-1].copy()
    return np.moveaxis(moved, (0, 1), (batch_axis, seq_axis))


@register_operator(kind=FusionKind.INJECTIVE, reference=_reverse_reference, te=_reverse_te)
class ReverseSequenceOp(GraphOp):
    """
    Sequences along `seq_axis`, one for each element of `batch_axis`, whose first `lengths` elements are in the opposite
    order.

    ```mlir
    %y = graph.reverse_sequence %x, %lengths seq_axis 1 batch_axis 0 : tensor<2x5x3xf32>
    ```
    """

    name = "graph.reverse_sequence"

    x = operand_def()
    lengths = operand_def()
    y = result_def()

    seq_axis = int_prop(1)
    batch_axis = int_prop(0)

    def infer_types(self) -> tuple[Tensor, ...]:
        Elements.INTEGER.check(element_of(self.lengths))
        shape = shape_of(self.x)
        along, batch = (normalize_axis(each.value.data, len(shape)) for each in (self.seq_axis, self.batch_axis))
        if along == batch:
            raise VerifyException(f"expected two axes of {format_shape(shape)}, but got {along} twice")
        (count,) = require_rank(self.lengths, 1, "lengths")
        require_dim(count, shape[batch], "number of lengths")
        return (tensor_type(self.x),)
