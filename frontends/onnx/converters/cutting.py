"""Operators that slice, crop or pad."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from ....dialects import graph
from ....dialects.graph import Dim
from ....dialects.graph.sizes import difference_of, larger_of, least, product_of, quotient_of, smaller_of, sum_of, times
from ..node import Node, Value, rank, shape


def slice_(node: Node) -> Value:
    """Convert Slice: bounds are attributes before opset 10. Ends are clamped, so INT64_MAX means to the end."""
    x = node.input(0)
    sizes = shape(x)
    if node.opset < 10:
        starts, ends = list(node.attr("starts")), list(node.attr("ends"))
        axes, steps = node.attr("axes"), None
    else:
        starts, ends = node.sizes(1, "starts"), node.sizes(2, "ends")
        axes = node.constant_ints(3, "axes") if node.has(3) else None
        steps = node.constant_ints(4, "steps") if node.has(4) else None
    axes = list(range(len(starts))) if axes is None else [node.axis(axis, len(sizes)) for axis in axes]
    steps = steps or [1] * len(starts)
    whole = [(0, -1, 1)] * len(sizes)
    stated: dict[int, _Part] = {}
    for axis, start, end, step in zip(axes, starts, ends, steps, strict=True):
        if (start, step) == (0, 1) and (end == sizes[axis] or isinstance(end, int) and end >= _END):
            continue
        if step == 0:
            node.fail("TW0303", "expected a step other than 0")
        size = sizes[axis]
        if isinstance(size, int) and isinstance(start, int) and isinstance(end, int):
            whole[axis] = _bounds(start, end, step, size)
        else:
            stated[axis] = _open_bounds(node, start, end, step, size)
    if stated:
        return _cut(node, x, [stated.get(axis, part) for axis, part in enumerate(whole)])
    parts = [list(part) for part in zip(*whole, strict=True)]
    return node.emit(graph.SliceOp, x, starts=parts[0], sizes=parts[1], steps=parts[2])


_END = (1 << 31) - 1
"""Exporters write INT32_MAX or INT64_MAX for the end of a dimension."""


def _bounds(start: int, end: int, step: int, size: int) -> tuple[int, int, int]:
    """Return (first index, number of elements, step) of Python's slice."""
    chosen = range(size)[slice(start, None if step < 0 and end < -size else end, step)]
    return (chosen.start if len(chosen) else 0), len(chosen), step


_Part: TypeAlias = tuple[Dim, Dim, int]
"""The first index, the number of elements, and the step of a slice along an axis."""


def _open_bounds(node: Node, start: int | str, end: int | str, step: int, size: Dim) -> _Part:
    """Return (first index, number of elements, step) for bounds, or a size, that are known when the program is
    called."""
    highest = size if step > 0 else difference_of(size, 1)
    lowest = 0 if step > 0 else -1

    def clamped(bound: int | str) -> Dim:
        if isinstance(bound, int) and abs(bound) >= _END:
            return highest if bound > 0 else lowest
        if least(bound) >= 0:
            return smaller_of(bound, highest)
        is_below = least(difference_of(-1, bound)) >= 0
        below = size if is_below else product_of(1, [str(size), str(_one_where_negative(bound))])
        return smaller_of(larger_of(sum_of(bound, below), lowest), highest)

    first, last = clamped(start), clamped(end)
    if step == 1 and last == size and isinstance(start, int) and start < 0:
        return first, smaller_of(-start, size), 1
    span = difference_of(last, first) if step > 0 else difference_of(first, last)
    return first, quotient_of(sum_of(larger_of(span, 0), abs(step) - 1), abs(step)), step


def _one_where_negative(dim: Dim) -> Dim:
    return smaller_of(larger_of(difference_of(0, dim), 0), 1)


def _cut(node: Node, x: Value, parts: Sequence[_Part]) -> Value:
    """Return a part whose bounds are stated; -1 stands for all elements along an axis."""
    kept = [size if count == -1 else count for size, (_, count, _) in zip(shape(x), parts, strict=True)]
    dims = {"starts": [part[0] for part in parts], "shape": kept}
    return node.emit_stated(graph.CutOp, x, dims=dims, steps=[part[2] for part in parts])


def split(node: Node) -> Sequence[Value]:
    """Convert Split: sizes are an attribute, an input since opset 13, or follow from the number of outputs."""
    x, count = node.input(0), len(node.proto.output)
    axis = node.axis(node.attr("axis"), rank(x))
    given = node.attr("split") if node.has_attr("split") else node.sizes(1, "the sizes") if node.has(1) else None
    if node.attr("num_outputs", count) != count:
        node.fail(
            "TW0303", f"expected num_outputs to be the number of outputs, {count}, but got {node.attr('num_outputs')}"
        )
    total = shape(x)[axis]
    sizes = _even_sizes(total, count) if given is None else list(given)
    if all(isinstance(size, int) for size in sizes):
        return node.emit_all(graph.SplitOp, x, axis=axis, sizes=sizes)
    x = node.matched(x, axis, sum_of(*sizes))
    return [node.cut(x, axis, sum_of(0, *sizes[:number]), size) for number, size in enumerate(sizes)]


def _even_sizes(total: Dim, count: int) -> list[Dim]:
    """Return the sizes of pieces that are equal, but for the last, which may be smaller."""
    if isinstance(total, int):
        piece = -(-total // count)
        return [min(piece, total - piece * index) for index in range(count)]
    piece = quotient_of(sum_of(total, count - 1), count)
    return [*[piece] * (count - 1), difference_of(total, times(piece, count - 1))]


def pad(node: Node) -> Value:
    """Convert Pad: negative amounts take elements away, before margins are made. Amounts are attributes before opset
    11."""
    x = node.input(0)
    if (mode := node.attr("mode", "constant")) not in ("constant", "reflect", "edge", "wrap"):
        node.fail("TW0302", f"padding mode '{mode}' is not supported")
    dims = rank(x)
    if node.opset < 11:
        node.has_attr("value")  # other modes have no use for it
    amounts = list(node.attr("pads")) if node.opset < 11 else node.sizes(1, "the padding")
    axes = [node.axis(axis, dims) for axis in node.constant_ints(3, "the axes")] if node.has(3) else list(range(dims))
    by_axis = (dict(zip(axes, part, strict=True)) for part in (amounts[: len(axes)], amounts[len(axes) :]))
    before, after = ([part.get(axis, 0) for axis in range(dims)] for part in by_axis)
    x, before, after = _cropped(node, x, before, after, mode)
    if any(not isinstance(amount, int) or amount < 0 for amount in (*before, *after)):
        return _stated_pad(node, x, before, after, mode)
    if not any((*before, *after)):
        return x
    value = _fill(node) if mode == "constant" else 0.0
    return node.emit(graph.PadOp, x, before=before, after=after, value=value, mode=mode)


def _stated_pad(node: Node, x: Value, before: Sequence[Dim], after: Sequence[Dim], mode: str) -> Value:
    """Pad by amounts that are computed from shapes."""
    sizes = [sum_of(size, low, high) for size, low, high in zip(shape(x), before, after, strict=True)]
    value = _fill(node) if mode == "constant" else 0.0
    dims = {"before": before, "shape": sizes}
    return node.emit_stated(graph.SurroundOp, x, dims=dims, value=value, mode=mode)


def _fill(node: Node) -> float:
    if node.opset < 11:
        return float(node.attr("value", 0.0))
    return float(node.numbers(2, "the padding's value")[0]) if node.has(2) else 0.0


def _cropped(
    node: Node, x: Value, before: Sequence[Dim], after: Sequence[Dim], mode: str
) -> tuple[Value, list[Dim], list[Dim]]:
    """Take away the elements that amounts known to be negative count; return the value and the amounts that are left.

    Margins of one value may take away more than there is: those are left, as are those of sizes that are not known.
    """
    low, high, parts = [*before], [*after], list[_Part]()
    for axis, size in enumerate(shape(x)):
        first, last = (-amount if isinstance(amount, int) and amount < 0 else 0 for amount in (low[axis], high[axis]))
        count = difference_of(size, first + last)
        leaves = mode == "constant" and not (isinstance(count, int) and count >= 0)
        if leaves or not (first or last):
            parts.append((0, -1, 1))
            continue
        if isinstance(count, int) and count < 0:
            node.fail(
                "TW0303", f"expected to take away at most the {size} elements of axis {axis}, but got {first + last}"
            )
        parts.append((first, count, 1))
        low[axis], high[axis] = (0 if taken else amount for taken, amount in ((first, low[axis]), (last, high[axis])))
    if all(count == -1 for _, count, _ in parts):
        return x, low, high
    if any(isinstance(count, str) for _, count, _ in parts):
        return _cut(node, x, parts), low, high
    starts, sizes, steps = zip(*parts, strict=True)
    return node.emit(graph.SliceOp, x, starts=starts, sizes=sizes, steps=steps), low, high
