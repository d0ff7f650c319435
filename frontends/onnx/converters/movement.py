"""Data movement: operators that change shapes or the order of elements; gathers, concatenations and scatters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from xdsl.ir import SSAValue

from ....dialects import graph
from ....dialects.dtypes import numpy_dtype
from ....dialects.graph import Dim, Shape
from ....dialects.graph.sizes import element_count, product_of, smaller_of
from ....dialects.graph.types import UnequalSizes, UnknownSize
from ..node import Node, Value, as_type, dtype, rank, scalar, shape, static_dim
from ..stated_sizes import is_symbolic


def reshape(node: Node) -> Value:
    x = node.input(0)
    wanted = node.sizes(1, "the shape")
    if node.attr("allowzero", 0) and 0 in wanted:
        if 0 not in shape(x) or -1 in wanted:
            node.fail("TW0303", f"expected as many elements as the operand has, but got shape {wanted}")
        if all(isinstance(item, int) for item in wanted):
            return np.zeros([int(item or 0) for item in wanted], numpy_dtype(dtype(x)))
    return _reshaped(node, x, wanted)


def reshape_like(node: Node, x: Value, target: Shape) -> Value:
    """Return `x` with the sizes of another value that has as many elements."""
    return _reshaped(node, x, list(target))


def _reshaped(node: Node, x: Value, wanted: Sequence[Dim]) -> Value:
    """Emit a reshape; where several sizes stand at new positions, all of them are stated."""
    relative = _relative_shape(shape(x), wanted)
    if relative is not None:
        return node.emit(graph.ReshapeOp, x, shape=relative)
    stated = _complete_shape(shape(x), wanted)
    if stated is None:
        node.fail("TW0304", f"expected a shape with one size left open, but got {list(wanted)}")
    return node.emit_stated(graph.RegroupOp, x, dims={"shape": stated})


def _complete_shape(source: Shape, wanted: Sequence[Dim]) -> list[Dim] | None:
    """Return all sizes of a reshape's result, -1 as the remaining size; None where that is no size."""
    sizes = [source[axis] if size == 0 and axis < len(source) else size for axis, size in enumerate(wanted)]
    if -1 not in sizes:
        return sizes
    number, names = element_count(source)
    divisor, taken = element_count([size for size in sizes if size != -1])
    left = Counter(names)
    left.subtract(taken)
    for axis, (size, given) in enumerate(zip(sizes, source, strict=False)):
        if isinstance(size, str) and left[size] < 0 and sizes[:axis] == list(source[:axis]):
            raise UnequalSizes(f"expected size {axis} to be {given}, but got {size}", given, size, "any")
    if None in left or min(left.values(), default=0) < 0 or divisor == 0 or number % divisor:
        return None
    rest = product_of(number // divisor, [str(name) for name in left.elements()])
    return [rest if size == -1 else size for size in sizes]


def _relative_shape(source: Shape, wanted: Sequence[Dim]) -> list[int] | None:
    """Return named sizes written as `graph.reshape` has them: 0 for the operand's size at the same position, once -1.
    None where more are open.
    """
    result: list[int] = []
    for axis, size in enumerate(wanted):
        if isinstance(size, int):
            result.append(size)
        elif axis < len(source) and source[axis] == size:
            result.append(0)
        elif -1 not in wanted and -1 not in result:
            result.append(-1)
        else:
            return None
    return result


def flatten(node: Node) -> Value:
    return node.emit(graph.FlattenOp, node.input(0), axis=node.attr("axis"))


def transpose(node: Node) -> Value:
    x = node.input(0)
    permutation = node.attr("perm") or range(rank(x) - 1, -1, -1)
    return node.emit(graph.TransposeOp, x, permutation=tuple(permutation))


def squeeze(node: Node) -> Value:
    """Convert Squeeze: axes are an input since opset 13; without any, every dimension of size 1 goes."""
    x = node.input(0)
    axes = node.ints("axes", 1, "the axes")
    if axes is None:
        axes = [axis for axis, size in enumerate(shape(x)) if size == 1]
    return node.emit(graph.SqueezeOp, x, axes=axes)


def unsqueeze(node: Node) -> Value:
    axes = node.ints("axes", 1, "the axes")
    if axes is None:
        node.fail("TW0303", "expected axes")
    return node.emit(graph.UnsqueezeOp, node.input(0), axes=axes)


def concat(node: Node) -> Value:
    inputs = node.inputs()
    # An empty operand joins nothing; exporters leave them in.
    axis = node.axis(node.attr("axis"), rank(inputs[0]))
    kept = [value for value in inputs if shape(value)[axis] != 0] or inputs[:1]
    if any(isinstance(value, np.ndarray) and value.dtype == object for value in kept):
        kept = [value.astype(object) if isinstance(value, np.ndarray) else value for value in kept]
    return kept[0] if len(kept) == 1 else node.emit(graph.ConcatOp, *kept, axis=axis)


def expand(node: Node) -> Value:
    """Convert Expand: a size of 1 keeps the operand's; the operand may have the larger size or rank. Other sizes must
    be equal."""
    x = node.input(0)
    wanted = node.sizes(1, "the shape")
    lead = max(rank(x), len(wanted))
    sizes = (1,) * (lead - rank(x)) + shape(x)
    target = [1] * (lead - len(wanted)) + wanted
    result = [
        -1 if axis >= lead - rank(x) and (want == 1 or want == size) else want
        for axis, (size, want) in enumerate(zip(sizes, target, strict=True))
    ]
    if not any(isinstance(size, str) for size in result):
        return node.emit(graph.BroadcastToOp, x, shape=result)
    stated = [size if want == -1 else want for size, want in zip(sizes, result, strict=True)]
    return node.emit_stated(graph.StretchOp, x, dims={"shape": stated})


def gather(node: Node) -> Value:
    """Convert Gather: parts from 0 on, as many as a size, are a slice, and an error names the size where there are
    fewer."""
    x, indices, axis = node.input(0), node.input(1), node.attr("axis")
    count, along = _count_from_zero(indices), node.axis(axis, rank(x))
    if count is None or shape(x)[along] is None:
        return node.emit(graph.GatherOp, x, indices, axis=axis)
    try:
        part = node.matched(node.cut(x, along, 0, smaller_of(count, shape(x)[along])), along, count)
    except UnknownSize:
        return node.emit(graph.GatherOp, x, indices, axis=axis)
    added = [along + axis for axis, size in enumerate(shape(indices)) if size == 1]
    return node.emit(graph.UnsqueezeOp, part, axes=added) if added else part


def _count_from_zero(indices: Value) -> str | None:
    """Return the symbolic size of indices that are 0, 1, 2 and so on along one axis; None of others."""
    while isinstance(indices, SSAValue) and isinstance(owner := indices.owner, graph.UnsqueezeOp):
        indices = owner.x
    if not isinstance(indices, SSAValue) or not isinstance(indices.owner, graph.IotaOp):
        return None
    (size,) = shape(indices)
    return size if isinstance(size, str) else None


def gather_elements(node: Node) -> Value:
    x, indices = node.input(0), node.input(1)
    return node.emit(graph.GatherElementsOp, x, indices, axis=node.axis(node.attr("axis"), rank(x)))


def tile(node: Node) -> Value:
    """Convert Tile: the whole value so many times along each dimension."""
    x, repeats = node.input(0), node.sizes(1, "the repeats")
    if not is_symbolic({"repeats": repeats}):
        return node.emit(graph.TileOp, x, repeats=repeats)
    if len(repeats) != rank(x):
        node.fail("TW0303", f"expected {rank(x)} repeats, but got {repeats}")
    regrouped, stretched = list[Dim](), list[Dim]()
    for size, count in zip(shape(x), repeats, strict=True):
        regrouped += [size] if count == 1 else [1, size]
        stretched += [size] if count == 1 else [count, size]
    whole = [product_of(1, [str(size), str(count)]) for size, count in zip(shape(x), repeats, strict=True)]
    for op, sizes in ((graph.RegroupOp, regrouped), (graph.StretchOp, stretched), (graph.RegroupOp, whole)):
        x = node.emit_stated(op, x, dims={"shape": sizes})
    return x


def trilu(node: Node) -> Value:
    """Convert Trilu: a diagonal that is known only when the program is called is compared with the positions of
    elements."""
    x, upper = node.input(0), node.flag("upper")
    k = node.input(1) if node.has(1) else np.array(0)
    if isinstance(k, np.ndarray) and k.dtype != object:
        return node.emit(graph.TriluOp, x, upper=upper, k=int(k.item()))
    if rank(x) < 2:
        node.fail("TW0303", f"expected matrices, but got rank {rank(x)}")
    rows, columns = (node.positions(size) for size in shape(x)[-2:])
    diagonal = node.emit(graph.AddOp, node.emit(graph.UnsqueezeOp, rows, axes=(1,)), k)
    kept = node.emit(graph.GreaterEqualOp if upper else graph.LessEqualOp, columns, diagonal)
    return node.emit(graph.WhereOp, kept, x, scalar(np.array(0), x))


def one_hot(node: Node) -> Value:
    """Convert OneHot: the second of two values where the position along a new axis equals the given index, counted from
    either end, and the first value elsewhere."""
    indices, values = node.input(0), node.input(2)
    (depth,) = node.sizes(1, "the depth")
    if dtype(indices) not in ("int32", "int64") or isinstance(depth, str):
        indices = as_type(node, indices, "int64")
    axis = node.axis(node.attr("axis"), rank(indices) + 1)
    size = node.extent(depth) if isinstance(depth, str) else scalar(np.array(depth), indices)
    negative = node.emit(graph.LessOp, indices, scalar(np.array(0), indices))
    chosen = node.emit(graph.WhereOp, negative, node.emit(graph.AddOp, indices, size), indices)
    positions = node.positions(depth) if isinstance(depth, str) else scalar(np.arange(depth), indices)
    around = tuple(d for d in range(rank(indices) + 1) if d != axis)
    positions = node.emit(graph.UnsqueezeOp, positions, axes=around) if around else positions
    hot = node.emit(graph.EqualOp, node.emit(graph.UnsqueezeOp, chosen, axes=(axis,)), positions)
    off, on = (node.emit(graph.SliceOp, values, starts=(k,), sizes=(1,), steps=(1,)) for k in range(2))
    return node.emit(graph.WhereOp, hot, on, off)


def gather_nd(node: Node) -> Value:
    """Convert GatherND: the last dimension of ONNX's indices has the coordinates, which `graph.gather_nd` has first."""
    x, indices = node.input(0), node.input(1)
    last = rank(indices) - 1
    turned = node.emit(graph.TransposeOp, indices, permutation=(last, *range(last)))
    return node.emit(graph.GatherNdOp, x, turned, batch=node.attr("batch_dims", 0))


def scatter_elements(node: Node) -> Value:
    """Convert ScatterElements, which has no reduction before opset 16; `Scatter` is its older name."""
    return _scattered(node, graph.ScatterElementsOp, axis=node.axis(node.attr("axis"), rank(node.input(0))))


def scatter_nd(node: Node) -> Value:
    return _scattered(node, graph.ScatterNdOp)


def _scattered(node: Node, op: type[graph.GraphOp], **properties: int) -> Value:
    """Emit a scatter; a sum of truths is their greatest one, and a product their least one."""
    x, indices, updates = node.inputs()
    reduction = node.attr("reduction", "none")
    if dtype(x) != "bool" or reduction == "none":
        return node.emit(op, x, indices, updates, reduction=reduction, **properties)
    numbers = [node.emit(graph.CastOp, each, to="uint8") for each in (x, updates)]
    reduction = {"add": "max", "mul": "min"}.get(reduction, reduction)
    result = node.emit(op, numbers[0], indices, numbers[1], reduction=reduction, **properties)
    return node.emit(graph.CastOp, result, to="bool")


def topk(node: Node) -> Sequence[Value]:
    """Convert TopK: k is an attribute before opset 10; results that need not be sorted are sorted too."""
    x = node.input(0)
    (k,) = [node.attr("k")] if node.opset < 10 else node.sizes(1, "k")
    node.attr("sorted")
    axis, smallest = node.axis(node.attr("axis"), rank(x)), not node.attr("largest", 1)
    size = shape(x)[axis]
    if isinstance(k, int) and isinstance(size, int):
        return node.emit_all(graph.TopkOp, x, k=k, axis=axis, smallest=smallest)
    order = node.emit(graph.ArgsortOp, x, axis=axis, descending=not smallest)
    kept = smaller_of(k, size)
    indices = node.matched(node.cut(order, axis, 0, kept), axis, k)
    return node.emit(graph.GatherElementsOp, x, indices, axis=axis), indices


def reverse_sequence(node: Node) -> Value:
    """Convert ReverseSequence: each row read backwards as far as its length, and behind that as it is."""
    x, lengths = node.input(0), node.input(1)
    batch, time = node.axis(node.attr("batch_axis"), rank(x)), node.axis(node.attr("time_axis"), rank(x))
    if {batch, time} != {0, 1}:
        node.fail("TW0303", f"expected the batch and the time to be axes 0 and 1, but got {batch} and {time}")
    steps = scalar(np.arange(static_dim(node, shape(x)[time], "the length of the sequences"))[None], lengths)
    ends = node.emit(graph.UnsqueezeOp, lengths, axes=(1,))
    backwards = node.emit(graph.SubOp, node.emit(graph.SubOp, ends, scalar(np.array(1), lengths)), steps)
    inside = node.emit(graph.LessOp, steps, ends)
    return _read_rows(node, x, node.emit(graph.WhereOp, inside, backwards, steps), time)


def _read_rows(node: Node, x: Value, positions: Value, axis: int) -> Value:
    """Return the elements of each row, dimension 0, or 1 where `axis` is 0, at its positions [rows, count] along an
    axis."""
    rows = 1 if axis == 0 else 0
    order = [rows, axis, *(d for d in range(rank(x)) if d not in (rows, axis))]
    moved = node.emit(graph.TransposeOp, x, permutation=order)
    taken = node.emit(graph.GatherNdOp, moved, node.emit(graph.UnsqueezeOp, positions, axes=(0,)), batch=1)
    return node.emit(graph.TransposeOp, taken, permutation=[order.index(d) for d in range(rank(x))])


def tensor_scatter(node: Node) -> Value:
    """Convert TensorScatter: a cache with an update over the elements from a row's start on; around its end if
    `circular`."""
    cache, update, mode = node.input(0), node.input(1), node.attr("mode")
    axis = node.axis(node.attr("axis"), rank(cache))
    if mode not in ("linear", "circular") or axis == 0:
        node.fail("TW0303", f"expected mode linear or circular along an axis behind the batch, but got {mode}, {axis}")
    length, count = (static_dim(node, shape(value)[axis], "a length") for value in (cache, update))
    starts = node.optional(2)
    starts = np.zeros(1, np.int64) if starts is None else starts
    steps = scalar(np.arange(length)[None], starts)
    since = node.emit(graph.SubOp, steps, node.emit(graph.UnsqueezeOp, starts, axes=(1,)))
    if mode == "circular":
        since = node.emit(graph.FloorModOp, since, scalar(np.array(length), starts))
    zero, end = (scalar(np.array(number), starts) for number in (0, count))
    covered = node.emit(graph.AndOp, node.emit(graph.GreaterEqualOp, since, zero), node.emit(graph.LessOp, since, end))
    positions = node.emit(graph.WhereOp, covered, since, zero)
    if shape(positions)[0] != shape(cache)[0]:
        rows = static_dim(node, shape(cache)[0], "the batch")
        positions = node.emit(graph.BroadcastToOp, positions, shape=(rows, length))
    written = _read_rows(node, update, positions, axis)
    wide = (0 if d == 0 else -1 if d == axis else 1 for d in range(rank(cache)))
    covered = node.emit(graph.ReshapeOp, covered, shape=tuple(wide))
    return node.emit(graph.WhereOp, covered, written, cache)
