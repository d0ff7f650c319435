"""Rows of the operators of networks. Convolution, pooling and resizing are held against loops over windows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np
from tilewright import topi

from .table import Row, row

nn = topi.nn


def _windows(
    size: int, kernel: int, stride: int, dilation: int, before: int, after: int, ceil: bool = False
) -> list[list[int]]:
    """Return, for each window along an axis, the elements it sees; those outside of the image are negative or too
    large."""
    reach = dilation * (kernel - 1) + 1
    last = size + before + after - reach
    count = (-(-last // stride) if ceil else last // stride) + 1
    if ceil and (count - 1) * stride >= size + before:
        count -= 1
    return [[o * stride + k * dilation - before for k in range(kernel)] for o in range(count)]


def convolve(
    x: np.ndarray,
    w: np.ndarray,
    stride: int = 1,
    padding: Sequence[int] = (0, 0, 0, 0),
    dilation: int = 1,
    groups: int = 1,
) -> np.ndarray:
    """Return the convolution of NCHW with OIHW weights, one tap of the kernel after another. Other ranks gain
    dimensions of size 1."""
    n, c, *sizes = x.shape
    outputs, inputs, *kernel = w.shape
    rank = len(sizes)
    rows = [_windows(sizes[d], kernel[d], stride, dilation, padding[d], padding[rank + d]) for d in range(rank)]
    result = np.zeros((n, outputs, *map(len, rows)), np.result_type(x, w))
    border = [(0, 0), (0, 0), *((padding[d], padding[rank + d]) for d in range(rank))]
    padded = np.pad(x, border)
    for o, tap in product(range(outputs), np.ndindex(*kernel)):
        first = o // (outputs // groups) * inputs
        at = np.ix_(*([window[k] + padding[d] for window in rows[d]] for d, k in enumerate(tap)))
        seen = padded[:, first : first + inputs][(slice(None), slice(None), *at)]
        result[:, o] += np.einsum("ni...,i->n...", seen, w[(o, slice(None), *tap)])
    return result


def last(x: np.ndarray) -> np.ndarray:
    return np.moveaxis(x, 1, -1)


def first(x: np.ndarray) -> np.ndarray:
    return np.moveaxis(x, -1, 1)


def oihw(w: np.ndarray) -> np.ndarray:
    """Return HWIO weights as OIHW."""
    return np.moveaxis(w, (-1, -2), (0, 1))


def pool(
    x: np.ndarray,
    kernel: Sequence[int],
    stride: int = 1,
    padding: Sequence[int] = (0, 0, 0, 0),
    *,
    mean: bool = False,
    ceil: bool = False,
    include_pad: bool = True,
    dilation: int = 1,
) -> np.ndarray:
    """Return NCHW pooled, one window after another."""
    sizes, rank = x.shape[2:], len(kernel)
    rows = [_windows(sizes[d], kernel[d], stride, dilation, padding[d], padding[rank + d], ceil) for d in range(rank)]
    result = np.zeros((*x.shape[:2], *map(len, rows)), x.dtype)
    for at in np.ndindex(*map(len, rows)):
        windows = [rows[d][i] for d, i in enumerate(at)]
        inside = [[p for p in w if 0 <= p < sizes[d]] for d, w in enumerate(windows)]
        seen = x[(slice(None), slice(None), *np.ix_(*inside))]
        axes = tuple(range(2, 2 + rank))
        counted = [sum(-padding[d] <= p < sizes[d] + padding[rank + d] for p in w) for d, w in enumerate(windows)]
        result[(..., *at)] = (
            seen.max(axes)
            if not mean
            else seen.sum(axes) / (np.prod(counted) if include_pad else np.prod([len(p) for p in inside]))
        )
    return result


def adaptive(x: np.ndarray, out: Sequence[int], reduce: Any) -> np.ndarray:
    result = np.zeros((*x.shape[:2], *out), x.dtype)
    for at in np.ndindex(*out):
        bounds = [(i * s // o, -(-(i + 1) * s // o)) for i, s, o in zip(at, x.shape[2:], out, strict=True)]
        result[(..., *at)] = reduce(x[(..., *(slice(*b) for b in bounds))], axis=(2, 3))
    return result


def normalize(x: np.ndarray, axes: Sequence[int], epsilon: float = 1e-5) -> np.ndarray:
    return (x - x.mean(tuple(axes), keepdims=True)) / np.sqrt(x.var(tuple(axes), keepdims=True) + epsilon)


def softmax(x: np.ndarray, axis: int) -> np.ndarray:
    powers = np.exp(x - x.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


def interpolate(x: np.ndarray, matrix: Callable[[int, int], np.ndarray], out: Sequence[int]) -> np.ndarray:
    """Return height and width of NCHW times a matrix of weights each."""
    rows, columns = matrix(x.shape[2], out[0]), matrix(x.shape[3], out[1])
    return np.einsum("nchw,yh,xw->ncyx", x, rows, columns)


def linear(coordinate: Callable[[np.ndarray, int, int], np.ndarray]) -> Callable[[int, int], np.ndarray]:
    """Return the weights of linear interpolation at positions of the operand."""

    def matrix(size: int, out: int) -> np.ndarray:
        at = np.clip(coordinate(np.arange(out, dtype=np.float64), size, out), 0, size - 1)
        return np.maximum(0, 1 - np.abs(at[:, None] - np.arange(size)))

    return matrix


def half_pixel(i: np.ndarray, size: int, out: int) -> np.ndarray:
    return (i + 0.5) * size / out - 0.5


def align_corners(i: np.ndarray, size: int, out: int) -> np.ndarray:
    return i * (size - 1) / max(out - 1, 1)


def asymmetric(i: np.ndarray, size: int, out: int) -> np.ndarray:
    return i * size / out


def nearest(coordinate: Callable[..., np.ndarray], rounding: Callable[..., Any]) -> Callable[[int, int], np.ndarray]:
    def matrix(size: int, out: int) -> np.ndarray:
        at = np.clip(rounding(coordinate(np.arange(out, dtype=np.float64), size, out)), 0, size - 1)
        return (at[:, None] == np.arange(size)).astype(np.float64)

    return matrix


_IMAGE = ("n", 4, 7, 9)

CONVOLUTIONS = [
    row("conv2d", nn.conv2d, convolve, _IMAGE, (5, 4, 3, 2)),
    row(
        "conv2d",
        lambda x, w: nn.conv2d(x, w, (2, 2), (1, 0, 2, 1), 1),
        lambda x, w: convolve(x, w, 2, (1, 0, 2, 1)),
        (2, 4, 7, 9),
        (5, 4, 3, 3),
    ),
    row(
        "conv2d",
        lambda x, w: nn.conv2d(x, w, 2, "SAME", data_layout="NHWC"),
        lambda x, w: last(convolve(first(x), oihw(w), 2, (1, 1, 1, 1))),
        ("n", 7, 9, 4),
        (3, 3, 4, 5),
    ),
    row(
        "conv2d_nhwc",
        lambda x, w: nn.conv2d_nhwc(x, w, 1, 1, 2),
        lambda x, w: last(convolve(first(x), oihw(w), 1, (1, 1, 1, 1), 2)),
        (1, 7, 6, 4),
        (3, 2, 4, 5),
    ),
    row(
        "conv2d",
        lambda x, w: nn.conv2d(x, w, 2, data_layout="NHWC", groups=2),
        lambda x, w: last(convolve(first(x), oihw(w), 2, groups=2)),
        (1, 7, 6, 4),
        (1, 1, 2, 6),
    ),
    row("conv2d_nchw", lambda x, w: nn.conv2d_nchw(x, w, 2), lambda x, w: convolve(x, w, 2), _IMAGE, (5, 4, 1, 1)),
    row("conv2d", nn.conv2d, convolve, (1, 1, "m", 8), (2, 1, 3, 3)),
    row(
        "conv2d",
        lambda x, w: nn.conv2d(x, w, 1, 1, out_dtype="int32"),
        lambda x, w: convolve(x.astype(np.int32), w.astype(np.int32), 1, (1, 1, 1, 1)),
        (1, 3, 5, 5),
        (4, 3, 3, 3),
        dtype="int8",
    ),
    row(
        "group_conv2d_nchw",
        lambda x, w: nn.group_conv2d_nchw(x, w, 1, 1, 2, 2),
        lambda x, w: convolve(x, w, 1, (1, 1, 1, 1), 2, 2),
        _IMAGE,
        (6, 2, 3, 3),
        dtype="float64",
    ),
    row(
        "depthwise_conv2d_nchw",
        lambda x, w: nn.depthwise_conv2d_nchw(x, w, 2, 1),
        lambda x, w: convolve(x, w.reshape(8, 1, 3, 3), 2, (1, 1, 1, 1), groups=4),
        _IMAGE,
        (4, 2, 3, 3),
    ),
    row(
        "depthwise_conv2d_nhwc",
        lambda x, w: nn.depthwise_conv2d_nhwc(x, w, 1, 1),
        lambda x, w: last(
            convolve(first(x), w.reshape(3, 3, 4).transpose(2, 0, 1)[:, None], 1, (1, 1, 1, 1), groups=4)
        ),
        ("n", 7, 9, 4),
        (3, 3, 4, 1),
    ),
    row("conv1d", lambda x, w: nn.conv1d(x, w, 2, 1), lambda x, w: convolve(x, w, 2, (1, 1)), ("n", 3, 9), (5, 3, 3)),
    row(
        "conv1d",
        lambda x, w: nn.conv1d(x, w, data_layout="NWC"),
        lambda x, w: last(convolve(first(x), oihw(w), 1, (0, 0))),
        (2, 9, 3),
        (3, 3, 5),
    ),
    row(
        "conv3d",
        lambda x, w: nn.conv3d(x, w, 1, 1),
        lambda x, w: convolve(x, w, 1, (1,) * 6),
        (1, 2, 3, 4, 5),
        (3, 2, 2, 3, 3),
    ),
]


def _pool_row(name: str, shape: tuple[Any, ...], call: dict[str, Any], **expected: Any) -> Row:
    rank = len(call["kernel"])
    function = {1: nn.pool1d, 2: nn.pool2d, 3: nn.pool3d}[rank]
    return row(name, lambda x: function(x, **call), lambda x: pool(x, call["kernel"], **expected), shape)


POOLING = [
    _pool_row("pool2d", _IMAGE, {"kernel": (3, 2), "stride": 2}, stride=2),
    _pool_row(
        "pool2d",
        (1, 2, 7, 6),
        {"kernel": (3, 3), "stride": 2, "padding": (1, 0, 0, 1), "ceil_mode": True},
        stride=2,
        padding=(1, 0, 0, 1),
        ceil=True,
    ),
    _pool_row(
        "pool2d",
        _IMAGE,
        {"kernel": (3, 3), "stride": 2, "padding": 1, "pool_type": "avg", "ceil_mode": True},
        stride=2,
        padding=(1, 1, 1, 1),
        mean=True,
        ceil=True,
    ),
    _pool_row(
        "pool2d",
        _IMAGE,
        {"kernel": (3, 3), "padding": 1, "pool_type": "avg", "count_include_pad": False},
        padding=(1, 1, 1, 1),
        mean=True,
        include_pad=False,
    ),
    _pool_row("pool1d", ("n", 3, 9), {"kernel": (3,), "dilation": 2}, dilation=2, padding=(0, 0)),
    _pool_row("pool3d", (1, 2, 4, 5, 4), {"kernel": (2, 2, 2), "pool_type": "avg"}, padding=(0,) * 6, mean=True),
    row(
        "pool2d",
        lambda x: nn.pool2d(x, 2, 2, pool_type="avg", layout="NHWC"),
        lambda x: last(pool(first(x), (2, 2), 2, mean=True)),
        ("n", 6, 5, 3),
    ),
    row("pool2d", lambda x: nn.pool2d(x, 2), lambda x: pool(x, (2, 2)), (1, 2, 5, 4), dtype="int8"),
    row("pool2d", lambda x: nn.pool2d(x, 3, 2, 1, 1), lambda x: pool(x, (3, 3), 2, (1, 1, 1, 1)), (1, 2, "m", 4)),
    row("global_pool", lambda x: nn.global_pool(x, "avg"), lambda x: x.mean((2, 3), keepdims=True), _IMAGE),
    row(
        "global_pool",
        lambda x: nn.global_pool(x, "max", "NHWC"),
        lambda x: x.max((1, 2), keepdims=True),
        (2, 5, 3, 4),
    ),
    row("adaptive_pool", lambda x: nn.adaptive_pool(x, (3, 2), "avg"), lambda x: adaptive(x, (3, 2), np.mean), _IMAGE),
    row(
        "adaptive_pool",
        lambda x: nn.adaptive_pool(x, (3, 2), "max"),
        lambda x: adaptive(x, (3, 2), np.max),
        (1, 3, 7, 6),
    ),
]


def _group_norm(x: np.ndarray, g: np.ndarray, b: np.ndarray) -> np.ndarray:
    unit = normalize(x.reshape(len(x), 2, -1), (2,)).reshape(x.shape)
    return unit * g[:, None, None] + b[:, None, None]


def _lrn(x: np.ndarray) -> np.ndarray:
    total = sum(np.pad(x * x, ((0, 0), (1, 1), (0, 0)))[:, k : k + x.shape[1]] for k in range(3))
    return x / (2 + 0.1 / 3 * total) ** 0.75


NORMALIZATION = [
    row("softmax", nn.softmax, lambda x: softmax(x, -1), ("n", 17)),
    row("softmax", lambda x: nn.softmax(x, 0), lambda x: softmax(x, 0), (5, 3), dtype="float64"),
    row("softmax", nn.softmax, lambda x: softmax(x, -1), (2, 1), dtype="float16", tolerance=2e-3),
    row("log_softmax", lambda x: nn.log_softmax(x, 1), lambda x: np.log(softmax(x, 1)), ("n", 5, 3)),
    row(
        "layer_norm",
        nn.layer_norm,
        lambda x, g, b: normalize(x, (-1,)) * g + b,
        ("n", 3, 17),
        (17,),
        (17,),
    ),
    row(
        "layer_norm",
        lambda x, g: nn.layer_norm(x, g, None, (1, 2), 1e-3),
        lambda x, g: normalize(x, (1, 2), 1e-3) * g,
        (2, 3, 5),
        (3, 5),
        dtype="float64",
    ),
    row(
        "rms_norm",
        nn.rms_norm,
        lambda x, g: x / np.sqrt(np.mean(x * x, -1, keepdims=True) + 1e-5) * g,
        ("n", 9),
        (9,),
    ),
    row(
        "batch_norm",
        lambda x, *v: nn.batch_norm(x, *v, epsilon=1e-3),
        lambda x, g, b, m, v: (x - m[:, None]) / np.sqrt(v[:, None] + 1e-3) * g[:, None] + b[:, None],
        ("n", 3, 5),
        *[(3,)] * 4,
        positive=True,
    ),
    row(
        "batch_norm",
        lambda x, *v: nn.batch_norm(x, *v, axis=-1),
        lambda x, g, b, m, v: (x - m) / np.sqrt(v + 1e-5) * g + b,
        (2, 5, 3),
        *[(3,)] * 4,
        positive=True,
    ),
    row(
        "instance_norm",
        nn.instance_norm,
        lambda x, g, b: normalize(x, (2, 3)) * g[:, None, None] + b[:, None, None],
        ("n", 3, 5, 4),
        (3,),
        (3,),
    ),
    row("group_norm", lambda x, g, b: nn.group_norm(x, g, b, 2), _group_norm, ("n", 4, 3, 5), (4,), (4,)),
    row("lrn", lambda x: nn.lrn(x, 3, alpha=0.1), _lrn, ("n", 5, 3)),
    row("bias_add", nn.bias_add, lambda x, b: x + b[:, None], ("n", 3, 5), (3,)),
    row("bias_add", lambda x, b: nn.bias_add(x, b, -1), lambda x, b: x + b, ("n", 3), (3,)),
]


def _resize_row(size: tuple[int, int], matrix: Any, *modes: str, layout: str = "NCHW") -> Row:
    nhwc = layout == "NHWC"

    def expected(x: np.ndarray) -> np.ndarray:
        return last(interpolate(first(x), matrix, size)) if nhwc else interpolate(x, matrix, size)

    shape = ("n", 3, 5, 2) if nhwc else ("n", 2, 3, 5)
    return row("resize2d", lambda x: topi.image.resize2d(x, size, layout, *modes), expected, shape)


def _depth_to_space(x: np.ndarray, mode: str) -> np.ndarray:
    result = np.zeros((len(x), 2, 6, 10), x.dtype)
    for c, h, w in np.ndindex(2, 6, 10):
        offset = h % 2 * 2 + w % 2
        result[:, c, h, w] = x[:, offset * 2 + c if mode == "DCR" else c * 4 + offset, h // 2, w // 2]
    return result


def _space_to_depth(x: np.ndarray) -> np.ndarray:
    return np.concatenate([x[:, :, i::2, j::2] for i in (0, 1) for j in (0, 1)], 1)


SPACE = [
    row(
        "pad",
        lambda x: nn.pad(x, (1, 0), (0, 2), 0.5),
        lambda x: np.pad(x, ((1, 0), (0, 2)), constant_values=0.5),
        ("n", 5),
    ),
    row("pad", lambda x: nn.pad(x, (1,), pad_value=3), lambda x: np.pad(x, 1, constant_values=3), (5,), dtype="int32"),
    *(
        row(
            "mirror_pad",
            lambda x, mode=mode: nn.mirror_pad(x, (0, 2), (0, 1), mode.upper()),
            lambda x, mode=mode: np.pad(x, ((0, 0), (2, 1)), mode=mode),
            ("n", 5),
        )
        for mode in ("reflect", "symmetric", "edge")
    ),
    row("flatten", nn.flatten, lambda x: x.reshape(len(x), -1), ("n", 3, 5)),
    row("space_to_depth", lambda x: nn.space_to_depth(x, 2), _space_to_depth, ("n", 2, 6, 4)),
    *(
        row(
            "depth_to_space",
            lambda x, m=m: nn.depth_to_space(x, 2, mode=m),
            lambda x, m=m: _depth_to_space(x, m),
            ("n", 8, 3, 5),
        )
        for m in ("DCR", "CRD")
    ),
    _resize_row((5, 7), linear(half_pixel)),
    _resize_row((2, 10), linear(align_corners), "linear", "align_corners"),
    _resize_row((6, 10), linear(asymmetric), "linear", "asymmetric", layout="NHWC"),
    _resize_row((7, 4), nearest(half_pixel, np.floor), "nearest"),
    _resize_row((7, 4), nearest(half_pixel, lambda p: np.ceil(p - 0.5)), "nearest", "half_pixel", "round_prefer_floor"),
    _resize_row(
        (4, 7), nearest(align_corners, lambda p: np.floor(p + 0.5)), "nearest", "align_corners", "round_prefer_ceil"
    ),
    _resize_row((6, 10), nearest(asymmetric, np.floor), "nearest", "asymmetric", "floor", layout="NHWC"),
    row("upsampling", lambda x: nn.upsampling(x, 2, 3), lambda x: x.repeat(2, 2).repeat(3, 3), ("n", 2, 3, 5)),
    row(
        "upsampling",
        lambda x: nn.upsampling(x, 2, 2, method="bilinear", align_corners=True),
        lambda x: interpolate(x, linear(align_corners), (6, 10)),
        (1, 2, 3, 5),
    ),
]

NETWORKS = [*CONVOLUTIONS, *POOLING, *NORMALIZATION, *SPACE]
