"""Algorithms on whole tensors: joined and cut, selected, sorted, suppressed, pooled; operands of 64 KB, 2 MB and 64 MB.

Results whose sizes are data are summed up, so that each row has one output of a known shape.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from harness.row import Arrays, Row, Work, gaussians
from systems import ort, ours
from systems.onnx_text import NAMES

SIZES = {"64K": 1 << 14, "2M": 1 << 19, "64M": 1 << 24}
"""Elements of float32 for the bytes that rows are named after. Distinct ones of 64 MB are left out: onnxruntime takes
half a minute for a run."""
PARTS = 27
VOCABULARY, CHOSEN = 50257, 50
BOXES, KEPT = 8400, 100

Sizes = tuple[Sequence[int], str]


def rows() -> list[Row]:
    made = [
        row(name, count) for row in BY_SIZE for name, count in SIZES.items() if row is not distinct or name != "64M"
    ]
    return [*made, best_of_vocabulary(), *(suppressed(classes) for classes in (1, 80)), contracted()]


def _row(
    name: str,
    body: str,
    inputs: Callable[[], Arrays],
    expected: Callable[[Arrays], np.ndarray],
    output: Sizes,
    moved: float = 0,
) -> Row:
    systems = {"tilewright": ours.graph(body), "onnxruntime": ort.graph(body)}
    return Row(name, "whole", systems, inputs, expected, output, work=Work(read=moved, written=moved))


def joined(name: str, count: int) -> Row:
    length = count // PARTS // 64
    body = f"y = Concat <axis = 0> ({', '.join(NAMES[:PARTS])})"
    inputs = partial(gaussians, *[(length, 64)] * PARTS)
    shape = (length * PARTS, 64)
    return _row(f"concat-27-{name}", body, inputs, lambda x: np.concatenate(x), (shape, "float32"), 4 * count)


def cut(name: str, count: int) -> Row:
    """Return the row of parts of columns that are put together in another order."""
    rows, columns = count // PARTS // 64, PARTS * 64
    parts = ", ".join(f"p{n}" for n in range(PARTS))
    body = f"{parts} = Split <axis = 1, num_outputs = {PARTS}> (a) y = Concat <axis = 0> ({parts})"

    def expected(x: Arrays) -> np.ndarray:
        return np.concatenate(np.split(x[0], PARTS, 1))

    shape = (rows * PARTS, 64)
    return _row(f"split-27-{name}", body, partial(gaussians, (rows, columns)), expected, (shape, "float32"), 4 * count)


def best(name: str, count: int) -> Row:
    rows, length, k = max(1, count // 65536), min(count, 65536), 32
    body = f"k = Constant <value = int64[1] {{{k}}}> () y, places = TopK (a, k)"

    def expected(x: Arrays) -> np.ndarray:
        return -np.sort(-x[0], 1)[:, :k]

    return _row(f"topk-32-{name}", body, partial(gaussians, (rows, length)), expected, ((rows, k), "float32"))


def ordered(name: str, count: int) -> Row:
    rows, length = max(1, count // 65536), min(count, 65536)
    body = f"k = Constant <value = int64[1] {{{length}}}> () y, places = TopK <largest = 0> (a, k)"
    shape = (rows, length)
    return _row(f"topk-all-{name}", body, partial(gaussians, shape), lambda x: np.sort(x[0], 1), (shape, "float32"))


def distinct(name: str, count: int) -> Row:
    body = "u, places, y, counts = Unique <sorted = 1> (a)"

    def expected(x: Arrays) -> np.ndarray:
        return np.unique(x[0], return_inverse=True)[1].reshape(-1)

    return _row(f"unique-{name}", body, partial(_numbers, count, count // 4), expected, ((count,), "int64"))


def positions(name: str, count: int) -> Row:
    body = "p = NonZero (a) y = ReduceSum (p)"

    def expected(x: Arrays) -> np.ndarray:
        return np.array([[sum(int(each.sum()) for each in np.nonzero(x[0]))]])

    def inputs() -> Arrays:
        return [(_numbers(count, 4)[0] == 0).astype(np.float32).reshape(-1, 64)]

    return _row(f"nonzero-{name}", body, inputs, expected, ((1, 1), "int64"), 2 * count)


def power(exponent: int, name: str, count: int) -> Row:
    body = f"k = Constant <value = float {{{exponent}.0}}> () y = Pow (a, k)"

    def expected(x: Arrays) -> np.ndarray:
        return x[0].astype(np.float64) ** exponent

    return _row(
        f"pow-{exponent}-{name}", body, partial(gaussians, (count,)), expected, ((count,), "float32"), 4 * count
    )


def pooled(window: int, stride: int, name: str, count: int) -> Row:
    channels, side = max(1, count // 4096), 64
    half = window // 2
    body = (
        f"y = MaxPool <kernel_shape = [{window}, {window}], strides = [{stride}, {stride}], "
        f"pads = [{half}, {half}, {half}, {half}]> (a)"
    )

    def expected(x: Arrays) -> np.ndarray:
        edges = [(0, 0), (0, 0), (half, half), (half, half)]
        padded = np.pad(x[0], edges, constant_values=-np.inf)
        view = np.lib.stride_tricks.sliding_window_view(padded, (window, window), (2, 3))
        return view[:, :, ::stride, ::stride].max((-1, -2))

    shape = (1, channels, side // stride, side // stride)
    inputs = partial(gaussians, (1, channels, side, side))
    return _row(f"max-pool-{window}s{stride}-{name}", body, inputs, expected, (shape, "float32"), 2 * count)


BY_SIZE: tuple[Callable[[str, int], Row], ...] = (
    joined,
    cut,
    best,
    ordered,
    distinct,
    positions,
    partial(power, 2),
    partial(power, 3),
    partial(pooled, 3, 1),
    partial(pooled, 3, 2),
    partial(pooled, 5, 1),
)


def best_of_vocabulary() -> Row:
    body = f"k = Constant <value = int64[1] {{{CHOSEN}}}> () y, places = TopK (a, k)"

    def expected(x: Arrays) -> np.ndarray:
        return -np.sort(-x[0], 1)[:, :CHOSEN]

    return _row("topk-50-of-50257", body, partial(gaussians, (1, VOCABULARY)), expected, ((1, CHOSEN), "float32"))


def suppressed(classes: int) -> Row:
    """Return the row of boxes of a detector, of which a fiftieth is above the threshold."""
    body = (
        f"most = Constant <value = int64[1] {{{KEPT}}}> () overlap = Constant <value = float[1] {{0.5}}> () "
        "least = Constant <value = float[1] {0.98}> () "
        "kept = NonMaxSuppression (a, b, most, overlap, least) y = ReduceSum (kept)"
    )
    return _row(f"nms-{classes}x8400", body, partial(_boxes, classes), _sum_of_kept, ((1, 1), "int64"))


def contracted() -> Row:
    side = 256
    body = 'y = Einsum <equation = "ij,jk,kl->il"> (a, b, c)'

    def expected(x: Arrays) -> np.ndarray:
        first, second, third = (each.astype(np.float64) for each in x)
        return first @ second @ third

    return _row("einsum-of-three", body, partial(gaussians, *[(side, side)] * 3), expected, ((side, side), "float32"))


def _numbers(count: int, kinds: int) -> Arrays:
    return [np.random.default_rng(0).integers(0, kinds, count).astype(np.float32)]


def _boxes(classes: int) -> Arrays:
    rng = np.random.default_rng(0)
    corners, sizes = rng.random((1, BOXES, 2)) * 600, rng.random((1, BOXES, 2)) * 40 + 4
    scores = rng.random((1, classes, BOXES))
    return [np.concatenate([corners, corners + sizes], 2).astype(np.float32), scores.astype(np.float32)]


def _sum_of_kept(inputs: Arrays) -> np.ndarray:
    """Return the sum of all rows (batch, class, box) that a plain search in the order of scores keeps."""
    boxes, scores = inputs[0][0], inputs[1][0]
    areas = np.prod(boxes[:, 2:] - boxes[:, :2], 1)
    total = 0
    for kind, row in enumerate(scores):
        kept: list[int] = []
        for box in np.argsort(-row, kind="stable"):
            if not row[box] > np.float32(0.98) or len(kept) == KEPT:
                break
            others = boxes[kept]
            sides = np.minimum(others[:, 2:], boxes[box, 2:]) - np.maximum(others[:, :2], boxes[box, :2])
            shared = np.prod(np.maximum(sides, 0), 1)
            if not (shared / (areas[kept] + areas[box] - shared) > 0.5).any():
                kept.append(int(box))
        total += sum(kept) + kind * len(kept)
    return np.array([[total]])
