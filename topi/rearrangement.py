"""Layout transforms, meshes, sequences and diagonals, and shapes as tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import te
from ..te import Tensor
from ..te.dtypes import dtype_info
from ..te.shapes import as_shape
from .arguments import a_list, a_number, a_tensor, an_axis, an_integer, apply, integers, one_of, refuse, require_size
from .declared import checked
from .loaded_slices import set_slice_at
from .math import cast


def layout_transform(array: Tensor, src_layout: str, dst_layout: str) -> Tensor:
    """Return the elements in another layout: "NCHW" to "NHWC", or to "NCHW16c" with channels in blocks of 16."""
    return checked("layout_transform", a_tensor(array, "the operand"), src_layout=src_layout, dst_layout=dst_layout)


def meshgrid(a_tuple: Sequence[Tensor], indexing: str = "ij") -> list[Tensor]:
    """Return a grid of the coordinates that vectors have, one result a vector; scalars are vectors of one element."""
    vectors = [a_tensor(x, "a vector") for x in a_list(a_tuple, "vectors")]
    vectors = [apply("unsqueeze", x, axes=(0,)) if x.ndim == 0 else x for x in vectors]
    result = checked("meshgrid", *vectors, indexing=one_of(indexing, ("ij", "xy"), "indexing"))
    return [result] if isinstance(result, Tensor) else list(result)


def reverse_sequence(a: Tensor, seq_lengths: Tensor, seq_axis: int = 1, batch_axis: int = 0) -> Tensor:
    """Return sequences whose first `seq_lengths` elements are in the opposite order."""
    x, lengths = a_tensor(a, "the operand"), integers(a_tensor(seq_lengths, "the lengths", 1), "lengths")
    return checked(
        "reverse_sequence", x, lengths, seq_axis=an_axis(seq_axis, x.ndim), batch_axis=an_axis(batch_axis, x.ndim)
    )


def sequence_mask(data: Tensor, valid_length: Tensor, mask_value: float = 0, axis: int = 0) -> Tensor:
    """Return sequences along `axis`, 0 or 1, with `mask_value` from a length on, one length a sequence of the other
    axis."""
    x = a_tensor(data, "the operand")
    lengths = a_tensor(valid_length, "the lengths", 1)
    if not dtype_info(lengths.dtype).is_integer:
        lengths = cast(lengths, "int32")
    return checked(
        "sequence_mask", x, lengths, mask_value=a_number(mask_value, "mask_value"), axis=an_axis(axis, x.ndim)
    )


def matrix_set_diag(data: Tensor, diagonal: Tensor, k: Any = 0, align: str = "RIGHT_LEFT") -> Tensor:
    """Return matrices with their diagonal k replaced, or the diagonals k[0] to k[1], which are rows of `diagonal`, the
    last diagonal first. `align` gives the side at which shorter diagonals are aligned in their rows: first for those
    above the main diagonal, then for those below.
    """
    x, values = a_tensor(data, "the matrices"), a_tensor(diagonal, "the diagonals")
    bounds = [an_integer(each, "a diagonal") for each in (k if isinstance(k, (tuple, list)) else (k, k))]
    require_size(len(bounds), 2, "the number of bounds of diagonals")
    low, high = bounds
    one_of(align, ("RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT"), "alignment")
    if x.ndim < 2 or low > high:
        refuse("TW0446", f"expected matrices and rising diagonals, but got rank {x.ndim} and {low} to {high}")
    rows, columns = x.shape[-2:]
    longest = _longest(rows, columns, low, high)
    above, below = (side == "RIGHT" for side in align.split("_"))
    several = isinstance(k, (tuple, list)) and low != high

    def element(*index: Any) -> te.Expr:
        *batch, i, j = index
        number = j - i
        first = te.Select(number >= 0, i, j)
        size = te.minimum(rows + te.minimum(number, 0), columns - te.maximum(number, 0))
        shift = longest - size
        moved = te.Select(number >= 0, shift if above else 0 * shift, shift if below else 0 * shift)
        position = te.minimum(te.maximum(first + moved, 0), longest - 1) if several else first
        at = [te.minimum(te.maximum(high - number, 0), high - low), position] if several else [position]
        inside = te.all(number >= low, number <= high)
        return te.if_then_else(inside, values(*batch, *at), x(*index))

    return te.compute(x.shape, element, name="matrix_set_diag")


def _longest(rows: Any, columns: Any, low: int, high: int) -> int:
    """Return the length of the longest of some diagonals."""
    if not (isinstance(rows, int) and isinstance(columns, int)):
        refuse("TW0446", f"expected matrices of known sizes, but got {rows} x {columns}")
    return max(min(rows + min(n, 0), columns - max(n, 0)) for n in range(low, high + 1))


def strided_set(
    a: Tensor,
    v: Tensor,
    begin: Sequence[int] | Tensor,
    end: Sequence[int] | Tensor,
    strides: Sequence[int] | Tensor | None = None,
) -> Tensor:
    """Return the operand with the elements of Python's slice of each axis replaced by those of `v`. Bounds may be
    vectors."""
    x, values = a_tensor(a, "the operand"), a_tensor(v, "the new elements")
    if values.ndim != x.ndim:
        refuse("TW0444", f"expected new elements of rank {x.ndim}, but got {values.ndim}")
    if any(isinstance(each, Tensor) for each in (begin, end, strides)):
        return set_slice_at(x, values, begin, end, strides)
    bounds = [[an_integer(_value(each), "a bound") for each in a_list(side, "bounds")] for side in (begin, end)]
    steps = [an_integer(_value(each), "a stride") for each in a_list(strides or [], "strides")]
    steps += [1] * (x.ndim - len(steps))
    ranges: list[range] = []
    for axis, (size, step) in enumerate(zip(x.shape, steps, strict=True)):
        if not isinstance(size, int):
            refuse("TW0446", f"expected known sizes to set a slice of, but got {size}")
        parts = [side[axis] if axis < len(side) else None for side in bounds]
        stop = None if step < 0 and parts[1] is not None and parts[1] < -size else parts[1]
        ranges.append(range(size)[slice(parts[0], stop, step)])
    for axis, chosen in enumerate(ranges):
        require_size(values.shape[axis], len(chosen), f"dimension {axis} of the new elements")

    def element(*index: Any) -> te.Expr:
        conditions: list[Any] = []
        at: list[Any] = []
        for i, chosen in zip(index, ranges, strict=True):
            step = abs(chosen.step)
            away = i - chosen.start if chosen.step > 0 else chosen.start - i
            conditions += [away >= 0, away < len(chosen) * step, *([away % step == 0] if step > 1 else [])]
            at.append(away // step)
        return te.if_then_else(te.all(*conditions), values(*at), x(*index))

    return te.compute(x.shape, element, name="strided_set")


def _value(given: Any) -> Any:
    return getattr(given, "value", given)


def expand_like(a: Tensor, shape_like: Tensor, axis: int | Sequence[int]) -> Tensor:
    """Return the operand with new dimensions at some axes, stretched to the shape of another tensor."""
    x, like = a_tensor(a, "the operand"), a_tensor(shape_like, "the model")
    axes = sorted(an_axis(each, like.ndim) for each in (axis if isinstance(axis, (tuple, list)) else (axis,)))
    if x.ndim + len(axes) != like.ndim:
        axes = list(range(like.ndim - x.ndim)) if x.ndim == 1 == like.ndim - len(axes) else axes
    if x.ndim + len(axes) != like.ndim:
        refuse("TW0441", f"expected {like.ndim - x.ndim} new axes, but got {axes}")
    return apply("broadcast_to", apply("unsqueeze", x, axes=axes), shape=like.shape)


def unravel_index(indices: Tensor, shape: Any) -> Tensor:
    """Return the index in a shape of each element that is given by its number in row-major order; coordinates come
    first."""
    numbers = integers(a_tensor(indices, "the indices"), "indices")
    if isinstance(shape, Tensor):
        (rank,) = a_tensor(shape, "the shape", 1).shape
        if not isinstance(rank, int):
            refuse("TW0446", f"expected a shape of known rank, but got {rank} sizes")
        sizes: list[Any] = [shape(d).astype(numbers.dtype) for d in range(rank)]
    else:
        sizes = [te.const(size, numbers.dtype) for size in as_shape(shape, "unravel_index")]

    def element(*index: Any) -> te.Expr:
        rest: Any = numbers(*index[1:])
        parts: list[Any] = []
        for size in reversed(sizes[1:]):
            parts.insert(0, rest % size)
            rest = rest // size
        parts.insert(0, rest)
        value: Any = parts[-1]
        for position in reversed(range(len(parts) - 1)):
            value = te.Select(index[0] == position, parts[position], value)
        return value

    return te.compute((len(sizes), *numbers.shape), element, name="unravel_index")


def shape(array: Tensor, dtype: str = "int32") -> Tensor:
    """Return the sizes of a tensor, as a vector."""
    x = a_tensor(array, "the operand")
    sizes = [_size(size, dtype) for size in x.shape]
    if not sizes:
        return apply("full", shape=(0,), value=0, dtype=dtype_info(dtype).name)

    def element(i: Any) -> te.Expr:
        value = sizes[-1]
        for position in reversed(range(len(sizes) - 1)):
            value = te.Select(i == position, sizes[position], value)
        return value

    return te.compute((len(sizes),), element, name="shape")


def ndarray_size(array: Tensor, dtype: str = "int32") -> Tensor:
    """Return the number of elements of a tensor, as a scalar."""
    x = a_tensor(array, "the operand")
    count: Any = te.const(1, dtype)
    for size in x.shape:
        count = count * _size(size, dtype)
    return te.compute((), lambda: count, name="ndarray_size")


def _size(size: Any, dtype: str) -> te.Expr:
    return size.astype(dtype) if isinstance(size, te.Expr) else te.const(size, dtype)


def sparse_to_dense(
    sparse_indices: Tensor, output_shape: Any, sparse_values: Tensor, default_value: Any = None
) -> Tensor:
    """Return a tensor of one value, with other values at some positions: rows of coordinates, a vector of positions, or
    one."""
    positions, values = (
        integers(a_tensor(sparse_indices, "the indices"), "indices"),
        a_tensor(sparse_values, "the values"),
    )
    sizes = as_shape(output_shape, "sparse_to_dense")
    base = 0 if default_value is None else default_value
    first = _filled(sizes, base, values.dtype)
    if positions.ndim == 0:
        positions, values = (apply("unsqueeze", each, axes=(0,)) for each in (positions, values))
    if positions.ndim == 1:
        positions = apply("unsqueeze", positions, axes=(1,))
    count = positions.shape[0]
    if values.ndim == 0:
        values = apply("broadcast_to", values, shape=(count,))
    return checked("scatter_nd", first, positions, values)


def _filled(sizes: Sequence[Any], value: Any, dtype: str) -> Tensor:
    if isinstance(value, Tensor):
        return te.compute(sizes, lambda *_: value(*[0] * value.ndim), name="filled")
    return apply("full", shape=sizes, value=value, dtype=dtype)


def adv_index(data: Tensor, indices: Sequence[Tensor]) -> Tensor:
    """Return elements at points: one tensor of integers for each of the first dimensions, which broadcast."""
    from .arguments import broadcast

    x = a_tensor(data, "the operand")
    positions = [integers(a_tensor(each, "the indices"), "indices") for each in a_list(indices, "tensors")]
    if not 0 < len(positions) <= x.ndim:
        refuse("TW0444", f"expected 1 to {x.ndim} tensors of indices, but got {len(positions)}")
    common = broadcast(*positions)
    stretched = [apply("broadcast_to", each, shape=common) for each in positions]
    kinds = {each.dtype for each in stretched}
    if len(kinds) > 1 or not kinds <= {"int32", "int64"}:
        stretched = [cast(each, "int64") for each in stretched]
    return apply("gather_nd", x, apply("stack", *stretched, axis=0))


def invert_permutation(data: Tensor) -> Tensor:
    """Invert a permutation: element i of the result is the position of i in the permutation."""
    x = integers(a_tensor(data, "the permutation", 1), "a permutation")
    (size,) = x.shape
    if not isinstance(size, int):
        refuse("TW0446", f"expected a permutation of known size, but got {size}")
    zeros = apply("full", shape=(size,), value=0, dtype=x.dtype)
    positions = apply("arange", start=0, step=1, count=size, dtype=x.dtype)
    return checked("scatter_elements", zeros, x, positions, axis=0)
