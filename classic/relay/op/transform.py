"""Data movement: reshapes, transpositions, slices, copies and gathers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ....diagnostics.expectations import coded_names
from ....dialects.dtypes import numpy_dtype
from ....te.dtypes import dtype_info
from ..building import apply, cast_to, permuted, rank, refuse, reshaped, static, tensor, type_
from ..expr import Constant, Expr, Tuple, const, expression
from ..types import dims_of
from .tensor import filled, filled_like, not_equal, several, stack

__all__ = [
    "adv_index",
    "arange",
    "broadcast_to",
    "broadcast_to_like",
    "cast",
    "cast_like",
    "collapse_sum_like",
    "collapse_sum_to",
    "cumprod",
    "cumsum",
    "embedding",
    "expand_dims",
    "flip",
    "full",
    "full_like",
    "gather",
    "gather_nd",
    "invert_permutation",
    "layout_transform",
    "matrix_set_diag",
    "meshgrid",
    "one_hot",
    "reinterpret",
    "repeat",
    "reshape",
    "reshape_like",
    "reverse",
    "reverse_reshape",
    "reverse_sequence",
    "scatter",
    "scatter_add",
    "scatter_elements",
    "scatter_nd",
    "sequence_mask",
    "slice_like",
    "sparse_to_dense",
    "split",
    "squeeze",
    "strided_set",
    "strided_slice",
    "take",
    "tile",
    "transpose",
    "trilu",
    "unique",
    "unravel_index",
    "where",
]


def cast(data: Any, dtype: str) -> Expr:
    """Convert elements to another type: fractions are cut off, a number is true unless it is 0."""
    return apply("cast", tensor(data), to=dtype_info(dtype).name)


def cast_like(data: Any, dtype_like: Any) -> Expr:
    """Convert elements to the type of another tensor's elements."""
    return cast(data, type_(tensor(dtype_like)).dtype)


def reinterpret(data: Any, dtype: str) -> Expr:
    """Return the same bits as elements of another type of that size."""
    return apply("bitcast", tensor(data), to=dtype_info(dtype).name)


def an_axis(axis: Any, count: int, what: str = "an axis") -> int:
    """Return an axis counted from the front."""
    if not isinstance(axis, (int, np.integer)) or not -count <= axis < count:
        refuse(f"expected {what} from {-count} to {count - 1}, but got {axis!r}")
    return int(axis) % count


def numbers(given: Any, what: str) -> list[int]:
    """Return integers that a program states, as a list, a number or a constant. Raises TW0320 for those of a call."""
    if isinstance(given, Constant):
        return [int(each) for each in np.asarray(given.data).reshape(-1)]
    if isinstance(given, Expr):
        refuse(
            f"expected {what} to be known while compiling, but got an expression of type {given.checked_type}",
            help="import the model from ONNX, whose programs may depend on values: tilewright.compile('model.onnx')",
        )
    listed = list(given) if isinstance(given, (list, tuple, np.ndarray)) else [given]
    return [int(getattr(each, "value", each)) for each in listed]


def expand_dims(data: Any, axis: int, num_newaxis: int = 1) -> Expr:
    """Insert dimensions of size 1, the first of them at `axis` of the result."""
    x = tensor(data)
    first = an_axis(axis, rank(x) + 1)
    return apply("unsqueeze", x, axes=tuple(range(first, first + num_newaxis)))


def squeeze(data: Any, axis: Any = None) -> Expr:
    """Drop dimensions of size 1: all of them, or those given."""
    x = tensor(data)
    if axis is None:
        axes = [d for d, size in enumerate(type_(x).shape) if size == 1]
    else:
        axes = [an_axis(each, rank(x)) for each in numbers(axis, "axes")]
    return apply("squeeze", x, axes=tuple(axes)) if axes else x


def transpose(data: Any, axes: Sequence[int] | None = None) -> Expr:
    """Permute dimensions; without `axes` their order is reversed."""
    x = tensor(data)
    order = reversed(range(rank(x))) if axes is None else [an_axis(each, rank(x)) for each in axes]
    return apply("transpose", x, permutation=tuple(order))


def reshape(data: Any, newshape: Any, allowzero: bool = False) -> Expr:
    """Return the same elements under another shape.

    0 keeps the size at its position, -1 stands for the remaining elements, -2 for all remaining sizes, -3 for the
    product of two sizes; -4 splits a size into the two following numbers, one of which may be -1.
    """
    x = tensor(data)
    codes = numbers(newshape, "a shape")
    if all(code >= -1 for code in codes) and not allowzero:
        return reshaped(x, codes)
    return reshaped(x, _decoded(list(type_(x).shape), codes, allowzero))


def _decoded(sizes: list[Any], codes: Sequence[int], allowzero: bool) -> list[int]:
    """Return the sizes that codes stand for; -1 stays."""
    result: list[int] = []
    position, rest = 0, list(codes)

    def size(at: int) -> int:
        if at >= len(sizes):
            refuse(f"reshape: expected a shape for {len(sizes)} sizes, but got {list(codes)}")
        return static(sizes[at], "a size")

    while rest:
        match rest.pop(0):
            case -2:
                result += [size(at) for at in range(position, len(sizes))]
                position = len(sizes)
            case -3:
                result.append(size(position) * size(position + 1))
                position += 2
            case -4:
                parts, whole = [rest.pop(0), rest.pop(0)], size(position)
                known = max(parts) if -1 in parts else parts[0]
                result += [whole // known if part == -1 else part for part in parts]
                position += 1
            case 0 if not allowzero:
                result.append(size(position))
                position += 1
            case code:
                result.append(code)
                position += 1
    return result


def reverse_reshape(data: Any, newshape: Any) -> Expr:
    """Return the same elements under another shape, whose codes are read from the right."""
    x = tensor(data)
    codes = numbers(newshape, "a shape")[::-1]
    return reshaped(x, _decoded(list(type_(x).shape)[::-1], codes, False)[::-1])


def reshape_like(
    data: Any, shape_like: Any, lhs_begin: int = 0, lhs_end: int | None = None, rhs_begin: int = 0,
    rhs_end: int | None = None,
) -> Expr:  # fmt: skip
    """Return the same elements under the shape of another tensor, or with a range of sizes replaced by a range of its
    sizes."""
    x, like = tensor(data), tensor(shape_like)
    sizes_of_x, other = list(type_(x).shape), list(type_(like).shape)
    first, last = _range(len(sizes_of_x), lhs_begin, lhs_end)
    sizes = sizes_of_x[:first] + other[slice(*_range(len(other), rhs_begin, rhs_end))] + sizes_of_x[last:]
    return reshaped(x, [static(size, "a size") for size in sizes])


def _range(count: int, begin: int, end: int | None) -> tuple[int, int]:
    last = count if end is None else end
    return begin % count if begin < 0 else begin, last + count if last < 0 else last


def broadcast_to(data: Any, shape: Any) -> Expr:
    """Return the operand stretched to a shape, as a binary operator would."""
    given = numbers(shape, "a shape") if isinstance(shape, Constant) else [*dims_of(shape)]
    return apply("broadcast_to", tensor(data), shape=tuple(static(size, "a size") for size in given))


def broadcast_to_like(data: Any, broadcast_type: Any) -> Expr:
    """Return the operand stretched to the shape of another tensor."""
    x, like = tensor(data), tensor(broadcast_type)
    sizes = type_(like).shape
    if all(isinstance(size, int) for size in sizes):
        return apply("broadcast_to", x, shape=sizes)
    return apply("stretch", x, like, shape=tuple(f"#1.{axis}" for axis in range(len(sizes))))


def collapse_sum_like(data: Any, collapse_type: Any) -> Expr:
    """Return the sums that undo stretching to the operand's shape from that of another tensor."""
    return collapse_sum_to(data, type_(tensor(collapse_type)).shape)


def collapse_sum_to(data: Any, shape: Any) -> Expr:
    """Return the sums that undo stretching to the operand's shape from another one."""
    x = tensor(data)
    wanted, sizes_of_x = list(dims_of(shape)), type_(x).shape
    more = len(sizes_of_x) - len(wanted)
    stretched = [d for d, size in enumerate(wanted) if size == 1 and sizes_of_x[more + d] != 1]
    if stretched:
        x = apply("reduce_sum", x, axes=tuple(more + d for d in stretched), keepdims=True)
    return apply("reduce_sum", x, axes=tuple(range(more))) if more else x


def full(fill_value: Any, shape: Any = (), dtype: str = "") -> Expr:
    """Return a tensor of one value."""
    value = expression(fill_value) if isinstance(fill_value, Expr) else const(fill_value)
    return filled(value, shape, dtype or type_(value).dtype)


def full_like(data: Any, fill_value: Any) -> Expr:
    """Return a tensor of one value, of the type of another one."""
    return filled_like(fill_value if isinstance(fill_value, Expr) else const(fill_value), data)


def arange(start: Any, stop: Any = None, step: Any = None, dtype: str = "float32") -> Constant:
    """Return the numbers from `start`, 0 by default, up to `stop` in steps of `step`."""
    bounds = [_number(each) for each in (start, stop, step) if each is not None]
    if stop is None and step is not None:
        bounds = [0, bounds[0], bounds[1]]
    return const(np.arange(*bounds).astype(numpy_dtype(dtype_info(dtype).name)))


def _number(given: Any) -> Any:
    if isinstance(given, Constant):
        return np.asarray(given.data).item()
    if isinstance(given, Expr):
        refuse("arange: expected bounds that are known while compiling, but got an expression")
    return given


def meshgrid(data: Any, indexing: str = "ij") -> Any:
    """Return a grid of the coordinates that vectors have, one result a vector."""
    vectors = [each if rank(each) else apply("unsqueeze", each, axes=(0,)) for each in several(data)]
    return apply("meshgrid", *vectors, indexing=indexing)


def repeat(data: Any, repeats: int, axis: int) -> Expr:
    """Repeat each element along an axis."""
    x = tensor(data)
    along = an_axis(axis, rank(x))
    sizes = [static(size, "a size") for size in type_(x).shape]
    wide = apply("unsqueeze", x, axes=(along + 1,))
    wide = apply("broadcast_to", wide, shape=(*sizes[: along + 1], repeats, *sizes[along + 1 :]))
    return reshaped(wide, [*sizes[:along], sizes[along] * repeats, *sizes[along + 1 :]])


def tile(data: Any, reps: Any) -> Expr:
    """Repeat the whole tensor along each axis, aligned at the last one."""
    x, counts = tensor(data), numbers(reps, "counts of repeats")
    if len(counts) > rank(x):
        x = apply("unsqueeze", x, axes=tuple(range(len(counts) - rank(x))))
    return apply("tile", x, repeats=tuple([1] * (rank(x) - len(counts)) + counts))


def reverse(data: Any, axis: Any) -> Expr:
    """Return elements in the opposite order along an axis."""
    x = tensor(data)
    axes = {an_axis(each, rank(x)) for each in numbers(axis, "an axis")}
    sizes = type_(x).shape
    starts = [static(size, "a size") - 1 if d in axes else 0 for d, size in enumerate(sizes)]
    steps = tuple(-1 if d in axes else 1 for d in range(len(sizes)))
    whole = tuple(size if d in axes else -1 for d, size in enumerate(sizes))
    return apply("slice", x, starts=tuple(starts), sizes=whole, steps=steps)


flip = reverse


def reverse_sequence(data: Any, seq_lengths: Any, seq_axis: int = 1, batch_axis: int = 0) -> Expr:
    """Reverse the first elements of sequences, as many as `seq_lengths` states."""
    x = tensor(data)
    axes = {"seq_axis": an_axis(seq_axis, rank(x)), "batch_axis": an_axis(batch_axis, rank(x))}
    return apply("reverse_sequence", x, tensor(seq_lengths), **axes)


def where(condition: Any, x: Any, y: Any) -> Expr:
    """Return x where the condition holds, otherwise y; all three broadcast. A number holds unless it is 0."""
    holds = tensor(condition)
    holds = holds if type_(holds).dtype == "bool" else not_equal(holds, 0)
    first = expression(x) if isinstance(x, Expr) else expression(x, tensor(y))
    return apply("where", holds, first, expression(y, first))


def split(data: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    """Split along an axis: into so many equal pieces, or in front of the indices given."""
    x = tensor(data)
    along = an_axis(axis, rank(x))
    size = static(type_(x).shape[along], f"the size of axis {along}")
    if isinstance(indices_or_sections, int):
        if indices_or_sections < 1 or size % indices_or_sections:
            refuse(f"split: expected sections that divide {size}, but got {indices_or_sections}")
        sizes = [size // indices_or_sections] * indices_or_sections
    else:
        bounds = [0, *numbers(indices_or_sections, "positions to split at"), size]
        if bounds != sorted(bounds):
            refuse(f"split: expected rising positions of at most {size}, but got {list(indices_or_sections)}")
        sizes = [end - begin for begin, end in zip(bounds, bounds[1:], strict=False)]
    return apply("split", x, axis=along, sizes=tuple(sizes))


def strided_slice(
    data: Any, begin: Any, end: Any, strides: Any = None, axes: Any = None, slice_mode: str = "end"
) -> Expr:
    """Return Python's slice of each axis, or of those given. With `slice_mode` "size", `end` is how many elements to
    take, all where it is negative."""
    x = tensor(data)
    first, last = numbers(begin, "bounds"), numbers(end, "bounds")
    steps = [1] * len(first) if strides is None else numbers(strides, "strides")
    steps = steps * len(first) if len(steps) == 1 else steps
    along = list(range(len(first))) if axes is None else [an_axis(each, rank(x)) for each in numbers(axes, "axes")]
    if slice_mode not in ("end", "size") or not len(first) == len(last) == len(steps) == len(along) <= rank(x):
        refuse(f"strided_slice: expected bounds of {len(along)} axes, but got {first}, {last} and {steps}")
    if slice_mode == "size":
        last = [_whole if count < 0 else at + count for at, count in zip(first, last, strict=True)]
        steps = [1] * len(first)
    parts = [(0, -1, 1)] * rank(x)
    for axis, start, stop, step in zip(along, first, last, steps, strict=True):
        parts[axis] = _part(type_(x).shape[axis], start, stop, step)
    starts, sizes, strides_of_all = zip(*parts, strict=True)
    return apply("slice", x, starts=starts, sizes=sizes, steps=strides_of_all)


_whole = (1 << 63) - 1


def _part(size: Any, begin: int, end: int, step: int) -> tuple[int, int, int]:
    """Return (first index, number of elements, step) of a slice of one axis; -1 elements are the whole of it."""
    if step == 0:
        refuse("strided_slice: expected a stride other than 0")
    if not isinstance(size, int) and begin == 0 and end >= 1 << 31 and step == 1:
        return 0, -1, 1
    extent = static(size, "the size of an axis that is sliced")
    taken = range(extent)[slice(begin, None if step < 0 and end < -extent else end, step)]
    return (taken.start if taken else 0), len(taken), step


def slice_like(data: Any, shape_like: Any, axes: Any = None) -> Expr:
    """Return the first elements along axes, as many as another tensor has."""
    x, like = tensor(data), tensor(shape_like)
    along = range(rank(like)) if not axes else [an_axis(each, rank(x)) for each in axes]
    sizes: list[Any] = [-1] * rank(x)
    for axis in along:
        sizes[axis] = static(type_(like).shape[axis], "a size")
    return apply("slice", x, starts=(0,) * rank(x), sizes=tuple(sizes), steps=(1,) * rank(x))


def layout_transform(data: Any, src_layout: str, dst_layout: str) -> Expr:
    """Return the elements in another layout: "NCHW" to "NHWC", or to "NCHW16c" with channels in blocks of 16."""
    return apply("layout_transform", tensor(data), src_layout=src_layout, dst_layout=dst_layout)


def take(data: Any, indices: Any, axis: int | None = None, batch_dims: int = 0, mode: str = "clip") -> Expr:
    """Return slices along an axis, or elements of the flattened operand where it is None.

    An index out of range is clipped, or counted around with `mode="wrap"`; with "fast" a negative one counts from the
    end, and one that is out of range ends the call with TW0730.
    """
    x, chosen = tensor(data), tensor(expression(indices, const(0, "int32")))
    if batch_dims:
        refuse(f"take: expected no dimensions of a batch, but got {batch_dims}", help="gather_nd has batch_dims")
    if mode not in ("clip", "wrap", "fast"):
        refuse(f"take: expected mode 'clip', 'wrap' or 'fast', but got {mode!r}")
    if axis is None:
        x, axis = reshaped(x, (-1,)), 0
    along = an_axis(axis, rank(x))
    if mode != "fast":
        size = static(type_(x).shape[along], f"the size of axis {along}")
        limit = [const(each, type_(chosen).dtype) for each in (0, size - 1, size)]
        if mode == "clip":
            chosen = apply("minimum", apply("maximum", chosen, limit[0]), limit[1])
        else:
            chosen = apply("floor_mod", chosen, limit[2])
    return apply("gather", x, chosen, axis=along)


def embedding(table: Any, indices: Any) -> Expr:
    """Return the rows of a table at indices."""
    return take(table, indices, axis=0)


def gather(data: Any, axis: int, indices: Any) -> Expr:
    """Return elements along an axis, chosen at each position of the indices, which have as many dimensions as the
    operand."""
    x = tensor(data)
    return apply("gather_elements", x, tensor(indices), axis=an_axis(axis, rank(x)))


def gather_nd(data: Any, indices: Any, batch_dims: int = 0, index_rank: int | None = None) -> Expr:
    """Return slices at points: the first dimension of the indices runs over the operand's dimensions behind its
    batch."""
    return apply("gather_nd", tensor(data), tensor(indices), batch=batch_dims)


def adv_index(inputs: Any) -> Expr:
    """Return elements at points: the first tensor, and one of integers for each of its first dimensions, which
    broadcast."""
    x, *positions = several(inputs)
    shape = np.broadcast_shapes(*[type_(each).concrete_shape for each in positions])
    return apply("gather_nd", x, stack([apply("broadcast_to", each, shape=shape) for each in positions]))


_REDUCTIONS = {"update": "none", "add": "add", "mul": "mul", "min": "min", "max": "max"}


def _reduction(mode: str) -> str:
    if mode not in _REDUCTIONS:
        refuse(f"expected one of {', '.join(_REDUCTIONS)} as reduction, but got {mode!r}")
    return _REDUCTIONS[mode]


def scatter_elements(data: Any, indices: Any, updates: Any, axis: int = 0, reduction: str = "update") -> Expr:
    """Return the operand with each update written at its index along an axis, or combined with the element there."""
    x = tensor(data)
    rest = {"axis": an_axis(axis, rank(x)), "reduction": _reduction(reduction)}
    return apply("scatter_elements", x, tensor(indices), tensor(updates), **rest)


def scatter(data: Any, indices: Any, updates: Any, axis: int) -> Expr:
    """Return the operand with each update at the index that it has along an axis."""
    return scatter_elements(data, indices, updates, axis)


def scatter_add(data: Any, indices: Any, updates: Any, axis: int) -> Expr:
    """Return the operand with each update added at the index that it has along an axis."""
    return scatter_elements(data, indices, updates, axis, "add")


def scatter_nd(data: Any, indices: Any, updates: Any, mode: str = "update") -> Expr:
    """Return the operand with slices written at points, whose coordinates are the first dimension of the indices."""
    positions = tensor(indices)
    positions = permuted(positions, [*range(1, rank(positions)), 0])
    return apply("scatter_nd", tensor(data), positions, tensor(updates), reduction=_reduction(mode))


def sparse_to_dense(sparse_indices: Any, output_shape: Any, sparse_values: Any, default_value: Any = 0) -> Expr:
    """Return a tensor of one value, with other values at positions: rows of coordinates, a vector of positions, or
    one."""
    positions, values = tensor(sparse_indices), tensor(sparse_values)
    first = filled(default_value, output_shape, type_(values).dtype)
    positions = positions if rank(positions) else reshaped(positions, (1,))
    positions = positions if rank(positions) == 2 else apply("unsqueeze", positions, axes=(1,))
    count = static(type_(positions).shape[0], "the number of positions")
    return apply("scatter_nd", first, positions, apply("broadcast_to", values, shape=(count,)))


def one_hot(indices: Any, on_value: Any, off_value: Any, depth: int, axis: int, dtype: str) -> Expr:
    """Return `on_value` at the index along a new axis of `depth` elements, `off_value` elsewhere."""
    x = tensor(indices)
    position = an_axis(axis, rank(x) + 1)
    shape = [1] * (rank(x) + 1)
    shape[position] = depth
    numbered = const(np.arange(depth).reshape(shape).astype(numpy_dtype(type_(x).dtype)))
    is_here = apply("equal", apply("unsqueeze", x, axes=(position,)), numbered)
    values = [cast_to(each if isinstance(each, Expr) else const(each), dtype) for each in (on_value, off_value)]
    return apply("where", is_here, *values)


def sequence_mask(data: Any, valid_length: Any, mask_value: float = 0, axis: int = 0) -> Expr:
    """Return sequences along `axis`, 0 or 1, with `mask_value` from a length on, one length a sequence of the other
    axis."""
    x, lengths = tensor(data), tensor(valid_length)
    lengths = lengths if dtype_info(type_(lengths).dtype).is_integer else cast_to(lengths, "int32")
    return apply("sequence_mask", x, lengths, mask_value=float(mask_value), axis=an_axis(axis, rank(x)))


def unravel_index(indices: Any, shape: Any) -> Expr:
    """Return the index in a shape of each element that is given by its number in row-major order; coordinates come
    first."""
    rest, sizes = tensor(indices), numbers(shape, "a shape")
    parts: list[Expr] = []
    for size in reversed(sizes[1:]):
        extent = const(size, type_(rest).dtype)
        parts.insert(0, apply("mod", rest, extent))
        rest = apply("div", rest, extent)
    return stack([rest, *parts])


def strided_set(data: Any, v: Any, begin: Any, end: Any, strides: Any = None) -> Expr:
    """Return the operand with the elements of Python's slice of each axis replaced by those of `v`."""
    x, values = tensor(data), tensor(v)
    sizes = type_(x).concrete_shape
    first, last = numbers(begin, "bounds"), numbers(end, "bounds")
    steps = [1] * len(first) if strides is None else numbers(strides, "strides")
    if not len(first) == len(last) == len(steps) <= len(sizes):
        refuse(f"strided_set: expected bounds of as many axes, but got {first}, {last} and {steps}")
    taken = [slice(*_ends(size, *part)) for size, *part in zip(sizes, first, last, steps, strict=False)]
    chosen = np.arange(math.prod(sizes)).reshape(sizes)[tuple(taken)]
    if type_(values).shape != chosen.shape:
        refuse(f"strided_set: expected new elements of shape {list(chosen.shape)}, but got {type_(values)}")
    flat = [reshaped(each, (-1,)) for each in (x, values)]
    written = apply("scatter_elements", flat[0], const(chosen.reshape(-1)), flat[1], axis=0)
    return reshaped(written, sizes)


def _ends(size: int, begin: int, end: int, step: int) -> tuple[int, int | None, int]:
    return begin, None if step < 0 and end < -size else end, step


def matrix_set_diag(data: Any, diagonal: Any, k: Any = 0, align: str = "RIGHT_LEFT") -> Expr:
    """Return matrices with another diagonal, or with those from k[0] to k[1], which are rows of `diagonal`, from the
    last on.

    Shorter ones lie at the side that `align` names: of those above the main one, and of those below.
    """
    x, values = tensor(data), tensor(diagonal)
    bounds = numbers(k, "the numbers of diagonals")
    low, high = bounds[0], bounds[-1]
    if align not in ("RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT") or low > high:
        refuse(f"matrix_set_diag: expected rising diagonals and their sides, but got {bounds} and {align!r}")
    rows, columns = type_(x).concrete_shape[-2:]
    i, j = np.indices((rows, columns))
    number = j - i
    length = np.minimum(rows + np.minimum(number, 0), columns - np.maximum(number, 0))
    longest = max(min(rows + min(n, 0), columns - max(n, 0)) for n in range(low, high + 1))
    above, below = (side == "RIGHT" for side in align.split("_"))
    shift = np.where(number >= 0, above, below) * (longest - length)
    several_ = len(bounds) > 1 and low != high
    inside = (number >= low) & (number <= high)
    element = np.minimum(i, j) + (shift + (high - number) * longest if several_ else 0)
    flat = reshaped(values, (*type_(values).concrete_shape[:-2], -1)) if several_ else values
    spread = apply("gather", flat, const(np.where(inside, element, 0)), axis=rank(flat) - 1)
    return apply("where", const(inside), spread, x)


def invert_permutation(data: Any) -> Expr:
    """Return the position of each number of a permutation."""
    x = tensor(data)
    return cast_to(apply("argsort", x, axis=0), type_(x).dtype)


def trilu(data: Any, k: Any, upper: bool = True) -> Expr:
    """Return matrices with zeros below diagonal `k`, or above it."""
    (diagonal,) = numbers(k, "the number of a diagonal")
    return apply("trilu", tensor(data), k=diagonal, upper=bool(upper))


def _running(name: str, data: Any, axis: int | None, dtype: str | None, exclusive: Any) -> Expr:
    x = tensor(data)
    x = cast_to(x, dtype_info(dtype).name) if dtype else x
    if axis is None:
        x, axis = reshaped(x, (-1,)), 0
    return apply(name, x, axis=an_axis(axis, rank(x)), exclusive=bool(exclusive))


def cumsum(data: Any, axis: int | None = None, dtype: str | None = None, exclusive: Any = None) -> Expr:
    """Return the sums of the elements up to each one along an axis; of the flattened operand where the axis is None."""
    return _running("cumsum", data, axis, dtype, exclusive)


def cumprod(data: Any, axis: int | None = None, dtype: str | None = None, exclusive: Any = None) -> Expr:
    """Return the products of the elements up to each one along an axis; of the flattened operand where the axis is
    None."""
    return _running("cumprod", data, axis, dtype, exclusive)


def unique(data: Any, is_sorted: bool = True, return_counts: bool = False) -> Tuple:
    """Return the distinct elements of a vector, where each appears first, the number of each element's kind, how many
    kinds there are, and how often each is there. Results have room for all elements."""
    distinct, positions, inverse, counts, count = apply("unique", tensor(data), by_appearance=not is_sorted)
    more = [counts] if return_counts else []
    return Tuple([distinct, *(cast_to(each, "int32") for each in (positions, inverse, count, *more))])


coded_names(globals(), __all__)
