"""Fourier transforms as products with constant matrices, and the weights of mel filters."""

from __future__ import annotations

import math

import numpy as np

from ....dialects import graph
from ....dialects.dtypes import numpy_dtype
from ....semantics.host_independent import independent
from ..node import Node, Value, dtype, rank, shape, static_dim
from ..tensors import dtype_of

LARGEST_MATRIX = 1 << 24
"""The largest number of elements of a transform's matrix."""


def dft(node: Node) -> Value:
    """Convert DFT along an axis, an attribute before opset 20; the last dimension has real, or real and imaginary
    parts."""
    x = node.input(0)
    given = node.constant_ints(2, "the axis")[0] if node.has(2) else -2
    axis, parts = node.axis(node.attr("axis", given), rank(x)), _parts(node, x)
    if axis == rank(x) - 1:
        node.fail("TW0303", "expected an axis other than that of real and imaginary parts")
    inverse, onesided = node.flag("inverse"), node.flag("onesided")
    size = static_dim(node, shape(x)[axis], "the size of the transform")
    length = 2 * (size - 1) if inverse and onesided else size
    if node.has(1):
        length = node.constant_ints(1, "the length of the transform")[0]
    last = rank(x) - 2
    order = [*(d for d in range(rank(x) - 1) if d != axis), axis, rank(x) - 1]
    moved = x if axis == last else node.emit(graph.TransposeOp, x, permutation=order)
    result = _transformed(node, moved, _matrix(node, min(size, length), parts, length, inverse, onesided))
    if axis == last:
        return result
    back = [order.index(d) for d in range(rank(x))]
    return node.emit(graph.TransposeOp, result, permutation=back)


def stft(node: Node) -> Value:
    """Convert STFT: transforms of frames of a signal, each times the window."""
    x = node.input(0)
    if rank(x) != 3:
        node.fail("TW0303", f"expected signals of rank 3, but got {rank(x)}")
    parts, total = _parts(node, x), static_dim(node, shape(x)[1], "the length of the signal")
    (step,) = node.constant_ints(1, "the step between frames")
    window = node.optional(2)
    length = total if window is None else static_dim(node, shape(window)[0], "the window's length")
    if node.has(3):
        (length,) = node.constant_ints(3, "the length of a frame")
    if step < 1 or not 1 <= length <= total:
        node.fail("TW0303", f"expected frames of 1 to {total} elements, but got {length} every {step}")
    starts = np.arange(0, total - length + 1, step)
    frames = node.emit(graph.GatherOp, x, starts[:, None] + np.arange(length), axis=1)
    if window is not None:
        weights = node.emit(graph.ReshapeOp, window, shape=(length, 1))
        frames = node.emit(graph.MulOp, frames, weights)
    return _transformed(node, frames, _matrix(node, length, parts, length, False, node.flag("onesided")))


def _parts(node: Node, x: Value) -> int:
    parts = shape(x)[-1] if rank(x) > 1 else None
    if parts not in (1, 2):
        node.fail("TW0303", f"expected one or two parts in the last dimension, but got {parts}")
    return int(parts)


def _matrix(node: Node, size: int, parts: int, length: int, inverse: bool, onesided: bool) -> np.ndarray:
    """Return a matrix [size, parts, results, parts of a result]: the contribution of each element to each result."""
    if onesided and not inverse and parts == 2:
        node.fail("TW0303", "expected a real signal where one side of the transform is asked for")
    if length < 1:
        node.fail("TW0317", f"expected a length of at least 1, but got {length}")
    results = length // 2 + 1 if onesided and not inverse else length
    if 4 * size * results > LARGEST_MATRIX:
        node.fail("TW0306", f"a transform of length {length} is not supported: its matrix is too large")
    whole = np.outer(np.arange(size), np.arange(results)) % length
    angle = independent((2 if inverse else -2) * math.pi / length * whole)
    cos, sin = np.asarray(np.cos(angle)), np.asarray(np.sin(angle))
    if inverse and onesided:
        # The part of the spectrum that is not given mirrors the one that is.
        known = length // 2 + 1
        rows = np.arange(size)[:, None]
        twice = np.where(rows >= known, 0, np.where((rows == 0) | (2 * rows == length), 1, 2)) / length
        return np.stack([twice * cos, -twice * sin], 1)[:, :parts, :, None]
    both = np.stack([np.stack([cos, sin], -1), np.stack([-sin, cos], -1)], 1)[:, :parts]
    return both / length if inverse else both


def _transformed(node: Node, x: Value, matrix: np.ndarray) -> Value:
    """Multiply the last two dimensions, elements and their parts, by the matrix. Elements behind it do not count.
    Results near zero are differences of large numbers, so the sums are taken in float64.
    """
    size, parts, results, out = matrix.shape
    sizes = shape(x)
    if sizes[-2] != size:
        kept = {"starts": (0,) * rank(x), "sizes": (*(-1,) * (rank(x) - 2), size, parts), "steps": (1,) * rank(x)}
        x = node.emit(graph.SliceOp, x, **kept)
    lead = (0,) * (rank(x) - 2)
    flat = node.emit(graph.ReshapeOp, x, shape=(*lead, size * parts))
    wide = flat if dtype(x) == "float64" else node.emit(graph.CastOp, flat, to="float64")
    product = node.emit(graph.MatmulOp, wide, matrix.reshape(size * parts, results * out))
    result = product if dtype(x) == "float64" else node.emit(graph.CastOp, product, to=dtype(x))
    return node.emit(graph.ReshapeOp, result, shape=(*lead, results, out))


def mel_weights(node: Node) -> Value:
    """Convert MelWeightMatrix: triangles on the mel scale, one a column, over the lines of a spectrum; all of it is
    known while importing."""
    bins, length, rate = (int(node.numbers(k, "the numbers of the filters").item()) for k in range(3))
    low, high = (float(node.numbers(k, "the edges of the filters").item()) for k in (3, 4))
    lines = length // 2 + 1
    mel_low, mel_high = (2595 * np.log10(independent(np.float64(1 + edge / 700))) for edge in (low, high))
    mel = mel_low + np.arange(bins + 2) * (mel_high - mel_low) / (bins + 2)
    hertz = np.asarray(700 * (10 ** (mel / 2595) - 1))
    edges = ((length + 1) * hertz // rate).astype(int)
    if not 0 <= edges[0] <= edges[-1] <= lines:
        node.fail("TW0303", f"expected filters within {lines} lines, but got lines {edges[0]} to {edges[-1]}")
    weights = np.zeros((lines + 1, bins))
    for k, (left, centre, right) in enumerate(zip(edges, edges[1:], edges[2:], strict=False)):
        if left == centre:
            weights[centre, k] = 1
        else:
            weights[left : centre + 1, k] = (np.arange(left, centre + 1) - left) / (centre - left)
        if right > centre:
            weights[centre:right, k] = (right - np.arange(centre, right)) / (right - centre)
    name = dtype_of(node.attr("output_datatype"), "the result")
    return weights[:lines].astype(numpy_dtype(name))
