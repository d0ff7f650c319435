"""References on numpy arrays, with which tests of TVM's topi compare results.

For an operator with a record it is the reference of the record; the others are a few lines of numpy.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ....operators import get_operator
from ....topi.nn.windows import read_padding, with_overhang
from ....topi.vision.rcnn import MODES

Ints = Any


def _record(name: str, *arrays: np.ndarray, **properties: Any) -> np.ndarray:
    return get_operator(name).reference(*arrays, **properties)  # pyright: ignore[reportReturnType]


def _each(value: Any, rank: int) -> tuple[int, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * rank


# Convolutions


def dilate_python(
    input_np: np.ndarray, strides: Ints, dilation_value: float = 0.0, out_dtype: Any = None
) -> np.ndarray:
    """Return elements `strides` steps from one to the next, with `dilation_value` between them."""
    result = _record("dilate", input_np, strides=tuple(strides), dilation_value=dilation_value)
    return result if out_dtype is None else result.astype(out_dtype)


def _convolved(x: np.ndarray, w: np.ndarray, stride: Ints, padding: Any, groups: int = 1) -> np.ndarray:
    rank = w.ndim - 2
    ones = (1,) * rank
    wide = [each.astype(np.float64) if each.dtype == np.float16 else each for each in (x, w)]
    result = _record(
        "conv2d",
        *wide,
        strides=_each(stride, rank),
        padding=read_padding(padding, w.shape[2:], ones),
        dilations=ones,
        groups=groups,
    )
    return result.astype(x.dtype)


def conv1d_ncw_python(
    a_np: np.ndarray, w_np: np.ndarray, stride: Ints, padding: Any, dilation: Ints, groups: int = 1
) -> np.ndarray:
    """Return the convolution of an NCW image with OIW weights."""
    spread = dilate_python(w_np, (1, 1, *_each(dilation, 1)))
    return _convolved(a_np, spread, stride, padding, groups)


def conv2d_nchw_python(a_np: np.ndarray, w_np: np.ndarray, stride: Ints, padding: Any, groups: int = 1) -> np.ndarray:
    """Return the convolution of NCHW images with OIHW weights."""
    return _convolved(a_np, w_np, stride, padding, groups)


def conv2d_nhwc_python(a_np: np.ndarray, w_np: np.ndarray, stride: Ints, padding: Any, groups: int = 1) -> np.ndarray:
    """Return the convolution of NHWC images with HWIO weights."""
    image, weight = a_np.transpose(0, 3, 1, 2), w_np.transpose(3, 2, 0, 1)
    return _convolved(image, weight, stride, padding, groups).transpose(0, 2, 3, 1)


def conv2d_hwcn_python(a_np: np.ndarray, w_np: np.ndarray, stride: Ints, padding: Any) -> np.ndarray:
    """Return the convolution of HWCN images with HWIO weights."""
    image, weight = a_np.transpose(3, 2, 0, 1), w_np.transpose(3, 2, 0, 1)
    return _convolved(image, weight, stride, padding).transpose(2, 3, 1, 0)


def conv3d_ncdhw_python(a_np: np.ndarray, w_np: np.ndarray, stride: Ints, padding: Any, groups: int = 1) -> np.ndarray:
    """Return the convolution of NCDHW volumes with OIDHW weights."""
    return _convolved(a_np, w_np, stride, padding, groups)


def conv3d_ndhwc_python(a_np: np.ndarray, w_np: np.ndarray, stride: Ints, padding: Any, groups: int = 1) -> np.ndarray:
    """Return the convolution of NDHWC volumes with DHWIO weights."""
    image, weight = np.moveaxis(a_np, -1, 1), w_np.transpose(4, 3, 0, 1, 2)
    return np.moveaxis(_convolved(image, weight, stride, padding, groups), 1, -1)


def _transposed(a: np.ndarray, w: np.ndarray, stride: Ints, padding: Any, more: Ints, groups: int = 1) -> np.ndarray:
    rank = w.ndim - 2
    ones = (1,) * rank
    return _record(
        f"conv{rank}d_transpose",
        a,
        w,
        strides=_each(stride, rank),
        padding=read_padding(padding, w.shape[2:], ones),
        output_padding=_each(more, rank),
        dilations=ones,
        groups=groups,
    )


def conv1d_transpose_ncw_python(
    a_np: np.ndarray, w_np: np.ndarray, stride: Ints, padding: Any, output_padding: Ints
) -> np.ndarray:
    """Return the transposed convolution of an NCW image."""
    return _transposed(a_np, w_np, stride, padding, output_padding)


def conv2d_transpose_nchw_python(
    a_np: np.ndarray, w_np: np.ndarray, stride: Ints, padding: Any, output_padding: Ints, groups: int = 1
) -> np.ndarray:
    """Return the transposed convolution of an NCHW image."""
    return _transposed(a_np, w_np, stride, padding, output_padding, groups)


def conv3d_transpose_ncdhw_python(
    a_np: np.ndarray, w_np: np.ndarray, stride: Ints, padding: Any, output_padding: Ints
) -> np.ndarray:
    """Return the transposed convolution of an NCDHW volume."""
    return _transposed(a_np, w_np, stride, padding, output_padding)


def depthwise_conv2d_python_nchw(input_np: np.ndarray, filter_np: np.ndarray, stride: Ints, padding: Any) -> np.ndarray:
    """Return the depthwise convolution of NCHW images with filters [channels, filters a channel, height,
    width]."""
    filters = filter_np.reshape(-1, 1, *filter_np.shape[2:])
    return _convolved(input_np, filters, stride, padding, input_np.shape[1])


def depthwise_conv2d_python_nhwc(input_np: np.ndarray, filter_np: np.ndarray, stride: Ints, padding: Any) -> np.ndarray:
    """Return the depthwise convolution of NHWC images with filters [height, width, channels, filters a
    channel]."""
    result = depthwise_conv2d_python_nchw(
        input_np.transpose(0, 3, 1, 2), filter_np.transpose(2, 3, 0, 1), stride, padding
    )
    return result.transpose(0, 2, 3, 1)


def depthwise_conv2d_python_nchwc(
    input_np: np.ndarray, filter_np: np.ndarray, stride: Ints, padding: Any
) -> np.ndarray:
    """Return the depthwise convolution of images, both images and filters with channels in blocks."""
    n, blocks, h, w, size = input_np.shape
    image = input_np.transpose(0, 1, 4, 2, 3).reshape(n, blocks * size, h, w)
    outer, multiplier, kh, kw, _, block = filter_np.shape
    filters = filter_np.transpose(0, 5, 1, 4, 2, 3).reshape(outer * block, multiplier, kh, kw)
    result = depthwise_conv2d_python_nchw(image, filters, stride, padding)
    return result.reshape(n, outer, block, *result.shape[2:]).transpose(0, 1, 3, 4, 2)


# Products and functions


def dense(
    x: np.ndarray, y: np.ndarray, bias: np.ndarray | None = None, use_relu: bool = False, out_dtype: Any = None
) -> np.ndarray:
    """Return x times y transposed, plus a bias; negative elements become 0 where `use_relu`."""
    kind = out_dtype or x.dtype
    result = x.astype(kind) @ y.astype(kind).T + (0 if bias is None else bias)
    return np.maximum(result, 0) if use_relu else result


def batch_matmul(
    x: np.ndarray, y: np.ndarray, out_dtype: Any = None, trans_x: bool = False, trans_y: bool = True
) -> np.ndarray:
    """Return the products of two batches."""
    kind = out_dtype or x.dtype
    left = (x.swapaxes(1, 2) if trans_x else x).astype(kind)
    right = (y.swapaxes(1, 2) if trans_y else y).astype(kind)
    return (left @ right).astype(kind)


def softmax_python(a_np: np.ndarray, axis: int = 1) -> np.ndarray:
    """Return softmax along an axis: e to the elements over their sum."""
    power = np.exp(a_np - a_np.max(axis, keepdims=True))
    return power / power.sum(axis, keepdims=True)


def log_softmax_python(a_np: np.ndarray, axis: int = 1) -> np.ndarray:
    """Return the logarithm of softmax along an axis."""
    shifted = a_np - a_np.max(axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis, keepdims=True))


def lrn_python(a_np: np.ndarray, size: int, axis: int, bias: float, alpha: float, beta: float) -> np.ndarray:
    """Divide elements by a power of the sum of squares of their neighbours along an axis."""
    moved = np.moveaxis(a_np.astype(np.float64), axis, 1)
    sums = np.zeros_like(moved)
    for c in range(moved.shape[1]):
        sums[:, c] = (moved[:, max(0, c - size // 2) : c + size // 2 + 1] ** 2).sum(1)
    return np.moveaxis(moved / (bias + alpha / size * sums) ** beta, 1, axis).astype(a_np.dtype)


def l2_normalize_python(a_np: np.ndarray, eps: float, axis: Ints = None) -> np.ndarray:
    """Divide elements by the root of the sum of their squares."""
    axes = tuple(axis) if isinstance(axis, (tuple, list)) else axis
    return a_np / np.sqrt(np.maximum((a_np**2).sum(axes, keepdims=True), eps))


# Pooling


def poolnd_python(
    np_data: np.ndarray,
    kernel: Ints,
    strides: Ints,
    dilation: Ints,
    padding_before: Ints,
    padding_after: Ints,
    pool_type: str,
    count_include_pad: bool = True,
    ceil_mode: bool = False,
    dtype: str = "float32",
    layout: str = "",
) -> np.ndarray:
    """Return the pooling of images of any rank; the letter C of the layout states the axis of channels, after N by
    default."""
    if layout and layout.index("C") != 1:
        channels = layout.index("C")
        given = (kernel, strides, dilation, padding_before, padding_after, pool_type, count_include_pad, ceil_mode)
        return np.moveaxis(poolnd_python(np.moveaxis(np_data, channels, 1), *given, dtype), 1, channels)
    rank = np_data.ndim - 2
    steps = _each(strides, rank)
    window: dict[str, Any] = {
        "kernel": _each(kernel, rank),
        "strides": steps,
        "padding": with_overhang((*_each(padding_before, rank), *_each(padding_after, rank)), steps, ceil_mode),
        "dilations": _each(dilation, rank),
        "ceil_mode": False,
    }
    if pool_type == "max":
        # TVM's reference returns 0 for a window of padding alone, where padding counts.
        has_elements = _record("max_pool3d", np.ones_like(np_data), **window) == 1
        result = _record("max_pool3d", np_data, **window)
        return (np.where(has_elements, result, 0) if count_include_pad else result).astype(dtype)
    return _record("avg_pool3d", np_data, **window, count_include_pad=count_include_pad).astype(dtype)


def adaptive_pool(np_data: np.ndarray, out_size: Ints, pool_type: str, layout: str) -> np.ndarray:
    """Return the pooling to a size."""
    last = layout[-1] == "C"
    image = np.moveaxis(np_data, -1, 1) if last else np_data
    result = _record(f"adaptive_{pool_type}_pool", image, output_size=_each(out_size, image.ndim - 2))
    return np.moveaxis(result, 1, -1) if last else result


def pool_grad_nchw(
    a_np: np.ndarray,
    out_grad_np: np.ndarray,
    pool_size: Ints,
    strides: Ints,
    padding: Ints,
    pool_type: str,
    ceil_mode: bool,
    count_include_pad: bool = True,
) -> np.ndarray:
    """Return the gradient of pooling of NCHW images."""
    window: dict[str, Any] = {
        "kernel": _each(pool_size, 2),
        "strides": _each(strides, 2),
        "padding": with_overhang(tuple(padding), _each(strides, 2), ceil_mode),
        "dilations": (1, 1),
        "ceil_mode": False,
    }
    more: dict[str, Any] = {"count_include_pad": count_include_pad} if pool_type == "avg" else {}
    return _record(f"{pool_type}_pool2d_grad", out_grad_np, a_np, **window, **more)


# Elements moved


def space_to_depth_python(data: np.ndarray, block_size: int) -> np.ndarray:
    """Return blocks of pixels as channels."""
    return _record("space_to_depth", data, block=block_size)


def depth_to_space_python(data: np.ndarray, block_size: int, mode: str = "DCR") -> np.ndarray:
    """Return channels as blocks of pixels."""
    return _record("depth_to_space", data, block=block_size, mode="DCR" if mode == "DCR" else "CRD")


def space_to_batch_nd_python(
    data: np.ndarray, block_shape: Ints, pad_before: Ints, pad_after: Ints, pad_value: float = 0
) -> np.ndarray:
    """Move blocks of the dimensions after the batch into the batch."""
    rest = {"pad_before": pad_before, "pad_after": pad_after, "pad_value": pad_value}
    return _record("space_to_batch_nd", data, block_shape=block_shape, **rest)


def batch_to_space_nd_python(
    data: np.ndarray, block_shape: Ints, crop_begin_list: Ints, crop_end_list: Ints
) -> np.ndarray:
    """Move the outer part of the batch into blocks of the dimensions after it."""
    return _record(
        "batch_to_space_nd", data, block_shape=block_shape, crop_begin=crop_begin_list, crop_end=crop_end_list
    )


def sequence_mask(data: np.ndarray, valid_length: np.ndarray, mask_value: float, axis: int) -> np.ndarray:
    """Return sequences with a value from a length on."""
    return _record("sequence_mask", data, valid_length, mask_value=mask_value, axis=axis)


def one_hot(indices: np.ndarray, on_value: float, off_value: float, depth: int, axis: int, dtype: str) -> np.ndarray:
    """Return one value at the position that an index names, another one elsewhere."""
    rank = indices.ndim + 1
    return _record("one_hot", indices, depth=depth, on=on_value, off=off_value, axis=axis % rank, dtype=dtype)


def gather_python(data: np.ndarray, axis: int, indices: np.ndarray) -> np.ndarray:
    """Gather elements along an axis."""
    return _record("gather_elements", data, indices, axis=axis)


def gather_nd_python(a_np: np.ndarray, indices_np: np.ndarray) -> np.ndarray:
    """Gather slices at points, whose coordinates come first."""
    return a_np[tuple(indices_np.astype(np.int64))]


def searchsorted_ref(sorted_sequence: np.ndarray, values: np.ndarray, right: bool, out_dtype: str) -> np.ndarray:
    """Return the insertion points of values among sorted elements; one vector serves all rows."""
    side = "right" if right else "left"
    rows = np.broadcast_to(sorted_sequence, (*values.shape[:-1], sorted_sequence.shape[-1]))
    result = np.empty(values.shape, out_dtype)
    for row in np.ndindex(*values.shape[:-1]):
        result[row] = np.searchsorted(rows[row], values[row], side=side)
    return result


def _slices(
    shape: Sequence[int], begin: Ints, end: Ints, strides: Ints, mode: str = "end", axes: Ints = None
) -> tuple[slice, ...]:
    steps = list(strides) if strides else []
    begin, end = list(begin), list(end)
    result = [slice(None)] * len(shape)
    for n, first in enumerate(begin):
        axis = axes[n] if axes is not None else n
        step = steps[n] if n < len(steps) and mode == "end" else 1
        last = end[n] if n < len(end) else None
        if mode == "size" and last is not None:
            last = None if last < 0 else first + last
        result[axis] = slice(first, last, step)
    return tuple(result)


def strided_slice_python(
    data: np.ndarray, begin: Ints, end: Ints, strides: Ints = None, slice_mode: str = "end", axes: Ints = None
) -> np.ndarray:
    """Return Python's slice of each axis."""
    return data[_slices(data.shape, begin, end, strides, slice_mode, axes)]


def strided_set_python(data: np.ndarray, v: np.ndarray, begin: Ints, end: Ints, strides: Ints = None) -> np.ndarray:
    """Replace a slice."""
    result = data.copy()
    result[_slices(data.shape, begin, end, strides)] = v
    return result


def slice_axis_python(data: np.ndarray, axis: int, begin: int, end: int | None = None) -> np.ndarray:
    """Return a slice of one axis."""
    return data[(*[slice(None)] * (axis % data.ndim), slice(begin, end))]


def matrix_set_diag(input_np: np.ndarray, diagonal: np.ndarray, k: Any = 0, align: str = "RIGHT_LEFT") -> np.ndarray:
    """Return matrices with other diagonals."""
    low, high = k if isinstance(k, (tuple, list)) else (k, k)
    result = input_np.copy()
    rows, columns = input_np.shape[-2:]
    lengths = {n: min(rows + min(n, 0), columns - max(n, 0)) for n in range(low, high + 1)}
    longest = max(lengths.values())
    above, below = (side == "RIGHT" for side in align.split("_"))
    for number, size in lengths.items():
        row = diagonal[..., high - number, :] if isinstance(k, (tuple, list)) else diagonal
        shift = longest - size if (above if number >= 0 else below) and isinstance(k, (tuple, list)) else 0
        for element in range(size):
            result[..., element - min(number, 0), element + max(number, 0)] = row[..., element + shift]
    return result


def reorg_python(a_np: np.ndarray, stride: int) -> np.ndarray:
    """Return channels as blocks of pixels of a larger image, read as one of smaller height and width."""
    n, c, h, w = a_np.shape
    return depth_to_space_python(a_np, stride).reshape(n, c * stride**2, h // stride, w // stride)


# Images


def _resized(rank: int, data: np.ndarray, scale: Ints, layout: str, method: str, coordinates: str) -> np.ndarray:
    last = layout[-1] == "C"
    image = np.moveaxis(data, -1, 1) if last else data
    method = "linear" if method.endswith("linear") else "nearest" if method.startswith("nearest") else method
    result = _record(
        "resize",
        image,
        axes=tuple(range(2, 2 + rank)),
        sizes=[int(math.floor(size * by + 0.5)) for size, by in zip(image.shape[2 : 2 + rank], scale, strict=True)],
        method=method,
        coordinates=coordinates,
        rounding="round_prefer_ceil" if coordinates == "align_corners" else "floor",
    )
    return np.moveaxis(result, 1, -1) if last else result


def resize1d_python(
    data: np.ndarray,
    scale: Ints,
    layout: str = "NCW",
    method: str = "linear",
    coordinate_transformation_mode: str = "align_corners",
) -> np.ndarray:
    """Return a signal at another length."""
    return _resized(1, data, scale, layout, method, coordinate_transformation_mode)


def resize2d_python(
    data: np.ndarray,
    scale: Ints,
    layout: str = "NCHW",
    method: str = "linear",
    coordinate_transformation_mode: str = "align_corners",
) -> np.ndarray:
    """Return an image at another size."""
    return _resized(2, data, scale, layout, method, coordinate_transformation_mode)


def resize3d_python(
    data: np.ndarray,
    scale: Ints,
    layout: str = "NCDHW",
    method: str = "linear",
    coordinate_transformation_mode: str = "align_corners",
) -> np.ndarray:
    """Return a volume at another size."""
    return _resized(3, data, scale, layout, method, coordinate_transformation_mode)


def _of_rois(name: str, a: np.ndarray, rois: np.ndarray, size: Ints, **more: Any) -> np.ndarray:
    properties = {"output_size": _each(size, 2), **more}
    return _record(name, a, rois[:, 1:], rois[:, 0].astype(np.int64), **properties)


def roi_align_nchw_python(
    a_np: np.ndarray, rois_np: np.ndarray, pooled_size: Ints, spatial_scale: float, sample_ratio: int, mode: Any = "avg"
) -> np.ndarray:
    """Return samples of regions of NCHW images."""
    kind = mode.decode() if isinstance(mode, bytes) else mode
    mode = MODES.get(kind, kind)
    more = {"spatial_scale": spatial_scale, "sampling_ratio": max(0, sample_ratio), "mode": mode, "half_pixel": False}
    return _of_rois("roi_align", a_np, rois_np, pooled_size, **more)


def roi_align_nhwc_python(
    a_np: np.ndarray, rois_np: np.ndarray, pooled_size: Ints, spatial_scale: float, sample_ratio: int, mode: Any = "avg"
) -> np.ndarray:
    """Return samples of regions of NHWC images."""
    image = a_np.transpose(0, 3, 1, 2)
    return roi_align_nchw_python(image, rois_np, pooled_size, spatial_scale, sample_ratio, mode).transpose(0, 2, 3, 1)


def roi_pool_nchw_python(a_np: np.ndarray, rois_np: np.ndarray, pooled_size: Ints, spatial_scale: float) -> np.ndarray:
    """Return the greatest pixels of the parts of regions."""
    return _of_rois("roi_pool", a_np, rois_np, pooled_size, spatial_scale=spatial_scale)


def affine_grid_python(data: np.ndarray, target_shape: Sequence[int]) -> np.ndarray:
    """Return positions to which matrices move the elements of an image."""
    height, width = (np.linspace(-1, 1, size) if size > 1 else np.zeros(1) for size in target_shape)
    y, x = np.meshgrid(height, width, indexing="ij")
    positions = np.stack([x, y, np.ones_like(x)])
    return np.einsum("ndk,khw->ndhw", data.astype(np.float64), positions).astype(data.dtype)


def grid_sample_nchw_python(data: np.ndarray, grid: np.ndarray, method: str = "bilinear") -> np.ndarray:
    """Return NCHW images read at the positions of a grid, zeros beyond them."""
    mode = {"bilinear": "linear"}.get(method, method)
    more = {"mode": mode, "padding": "zeros", "align_corners": True}
    return _record("grid_sample", data, grid.transpose(0, 2, 3, 1), **more)


def nll_loss(
    predictions: np.ndarray, targets: np.ndarray, weights: np.ndarray, reduction: str = "mean", ignore_index: int = -100
) -> np.ndarray:
    """Return the negated predictions for the targets, multiplied by the weights."""
    kept = targets != ignore_index
    chosen = np.where(kept, targets, 0)
    share = np.where(kept, weights[chosen], 0)
    losses = -np.take_along_axis(predictions, chosen[:, None], 1)[:, 0] * share
    if reduction == "none":
        return losses
    total = losses.sum() if reduction == "sum" else losses.sum() / share.sum()
    return np.asarray(total, predictions.dtype)


def crop_and_resize_python(
    image: np.ndarray,
    boxes: np.ndarray,
    box_indices: np.ndarray,
    crop_size: Ints,
    layout: str,
    method: str = "bilinear",
    extrapolation_value: float = 0,
) -> np.ndarray:
    """Return boxes of images at one size."""
    last = layout == "NHWC"
    result = _record(
        "crop_and_resize",
        np.moveaxis(image, -1, 1) if last else image,
        boxes,
        box_indices,
        crop_size=tuple(crop_size),
        method="linear" if method == "bilinear" else "nearest",
        extrapolation_value=extrapolation_value,
    )
    return np.moveaxis(result, 1, -1) if last else result
