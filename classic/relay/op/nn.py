"""Operators of neural networks under their classic names and keywords.

Operations of the graph dialect have channels first; operands in other layouts are transposed, and so are the results.
Weights, biases and scales that are variables without a type get their type from the operator.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....diagnostics.expectations import coded_names
from ....te.dtypes import dtype_info
from ..building import apply, cast_to, imply, permuted, rank, refuse, reshaped, static, tensor, type_
from ..expr import Constant, Expr, Tuple, const
from .reduce import chosen
from .tensor import ones_like, several, zeros_like
from .transform import an_axis, numbers
from .windows import FIRST, KERNELS, flat_padding, flat_window, laid_out, one_each, read_padding, with_overhang

__all__ = [
    "adaptive_avg_pool1d",
    "adaptive_avg_pool2d",
    "adaptive_avg_pool3d",
    "adaptive_max_pool1d",
    "adaptive_max_pool2d",
    "adaptive_max_pool3d",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool2d_grad",
    "avg_pool3d",
    "batch_flatten",
    "batch_matmul",
    "batch_norm",
    "batch_to_space_nd",
    "bias_add",
    "conv1d",
    "conv1d_transpose",
    "conv2d",
    "conv2d_transpose",
    "conv3d",
    "conv3d_transpose",
    "cross_entropy",
    "cross_entropy_with_logits",
    "dense",
    "depth_to_space",
    "dilate",
    "dropout",
    "dropout_raw",
    "fast_softmax",
    "fifo_buffer",
    "global_avg_pool1d",
    "global_avg_pool2d",
    "global_avg_pool3d",
    "global_max_pool1d",
    "global_max_pool2d",
    "global_max_pool3d",
    "group_norm",
    "instance_norm",
    "l2_normalize",
    "layer_norm",
    "leaky_relu",
    "log_softmax",
    "lrn",
    "matmul",
    "max_pool1d",
    "max_pool2d",
    "max_pool2d_grad",
    "max_pool3d",
    "mirror_pad",
    "nll_loss",
    "pad",
    "prelu",
    "relu",
    "softmax",
    "space_to_batch_nd",
    "space_to_depth",
    "sparse_dense",
    "sparse_transpose",
    "upsampling",
    "upsampling3d",
]


def conv1d(
    data: Any, weight: Any, strides: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1,
    channels: int | None = None, kernel_size: Any = None, data_layout: str = "NCW", kernel_layout: str = "OIW",
    out_layout: str = "", out_dtype: str = "",
) -> Expr:  # fmt: skip
    """Return a convolution along one dimension."""
    return _convolve(1, data, weight, strides, padding, dilation, groups, channels, kernel_size,
                     (data_layout, kernel_layout, out_layout), out_dtype)  # fmt: skip


def conv2d(
    data: Any, weight: Any, strides: Any = (1, 1), padding: Any = (0, 0), dilation: Any = (1, 1), groups: int = 1,
    channels: int | None = None, kernel_size: Any = None, data_layout: str = "NCHW", kernel_layout: str = "OIHW",
    out_layout: str = "", out_dtype: str = "",
) -> Expr:  # fmt: skip
    """Return a convolution of images. Padding is one number, [height, width], or [top, left, bottom, right]."""
    return _convolve(2, data, weight, strides, padding, dilation, groups, channels, kernel_size,
                     (data_layout, kernel_layout, out_layout), out_dtype)  # fmt: skip


def conv3d(
    data: Any, weight: Any, strides: Any = (1, 1, 1), padding: Any = (0, 0, 0), dilation: Any = (1, 1, 1),
    groups: int = 1, channels: int | None = None, kernel_size: Any = None, data_layout: str = "NCDHW",
    kernel_layout: str = "OIDHW", out_layout: str = "", out_dtype: str = "",
) -> Expr:  # fmt: skip
    """Return a convolution of volumes."""
    return _convolve(3, data, weight, strides, padding, dilation, groups, channels, kernel_size,
                     (data_layout, kernel_layout, out_layout), out_dtype)  # fmt: skip


def _convolve(
    spatial: int, data: Any, weight: Any, strides: Any, padding: Any, dilation: Any, groups: int,
    channels: int | None, kernel_size: Any, layouts: tuple[str, str, str], out_dtype: str,
) -> Expr:  # fmt: skip
    data_layout, kernel_layout, out_layout = layouts
    x = laid_out(_image(data, data_layout), data_layout, FIRST[spatial])
    inputs = type_(x).shape[1]
    extent = None if kernel_size is None else one_each(kernel_size, spatial, "kernel_size")
    implied = None
    if extent is not None and channels is not None and isinstance(inputs, int):
        implied = _weight_shape(kernel_layout, spatial, channels, inputs // max(groups, 1), extent)
    w = laid_out(_weights(weight, implied, type_(x).dtype), kernel_layout, KERNELS[spatial])
    w = _one_filter_a_group(w, inputs, groups)
    _check_stated(w, channels, extent)
    x, w = _accumulated(x, w, out_dtype)
    steps, gaps = one_each(strides, spatial, "strides"), one_each(dilation, spatial, "dilation")
    around = read_padding(padding, type_(w).concrete_shape[2:], gaps)
    window: dict[str, Any] = {"strides": steps, "padding": around, "dilations": gaps, "groups": int(groups)}
    if spatial == 1:
        x, w = (apply("unsqueeze", each, axes=(2,)) for each in (x, w))
        window |= {"strides": flat_window(steps), "padding": flat_padding(around), "dilations": flat_window(gaps)}
    result = apply("conv3d" if spatial == 3 else "conv2d", x, w, **window)
    result = apply("squeeze", result, axes=(2,)) if spatial == 1 else result
    return laid_out(result, FIRST[spatial], out_layout or data_layout)


def _image(data: Any, layout: str) -> Expr:
    x, count = tensor(data), sum(letter.isalpha() for letter in layout)
    if rank(x) != count:
        refuse(f"expected an image of layout {layout}, but got {type_(x)}")
    return x


def _weight_shape(layout: str, spatial: int, channels: int, inputs: int, extent: Sequence[int]) -> list[int] | None:
    sizes = {"O": channels, "I": inputs, **dict(zip("DHW"[-spatial:], extent, strict=True))}
    return [sizes[letter] for letter in layout] if set(layout) == set(sizes) else None


def _weights(weight: Any, shape: Sequence[int] | None, dtype: str) -> Expr:
    return imply(weight, "the weights", shape, dtype)


def _one_filter_a_group(w: Expr, inputs: Any, groups: int) -> Expr:
    """Return weights of a depthwise convolution as [channels, filters of each, ...], in the order of its output
    channels."""
    outputs, filters, *extent = type_(w).concrete_shape
    if groups > 1 and groups == inputs == outputs and filters > 1:
        return reshaped(w, (outputs * filters, 1, *extent))
    return w


def _check_stated(w: Expr, channels: int | None, extent: Sequence[int] | None) -> None:
    outputs, _, *sizes = type_(w).shape
    if channels is not None and channels != outputs:
        refuse(f"expected weights of {channels} output channels, as channels says, but got {outputs}")
    if extent is not None and tuple(extent) != tuple(sizes):
        refuse(f"expected weights of a window of {list(extent)}, as kernel_size says, but got {sizes}")


def _accumulated(x: Expr, w: Expr, out_dtype: str) -> tuple[Expr, Expr]:
    """Return operands in the type in which products are made and summed."""
    wanted = dtype_info(out_dtype).name if out_dtype else type_(x).dtype
    return cast_to(x, wanted), cast_to(w, wanted)


def conv1d_transpose(
    data: Any, weight: Any, strides: Any = (1,), padding: Any = (0,), dilation: Any = (1,), groups: int = 1,
    channels: int | None = None, kernel_size: Any = None, data_layout: str = "NCW", kernel_layout: str = "IOW",
    out_layout: str = "", output_padding: Any = (0,), out_dtype: str = "",
) -> Expr:  # fmt: skip
    """Return a transposed convolution along one dimension; weights are [inputs, outputs of a group, width]."""
    return _transposed(1, data, weight, strides, padding, dilation, groups, channels, kernel_size,
                       (data_layout, kernel_layout, out_layout), output_padding, out_dtype)  # fmt: skip


def conv2d_transpose(
    data: Any, weight: Any, strides: Any = (1, 1), padding: Any = (0, 0), dilation: Any = (1, 1), groups: int = 1,
    channels: int | None = None, kernel_size: Any = None, data_layout: str = "NCHW", kernel_layout: str = "IOHW",
    out_layout: str = "", output_padding: Any = (0, 0), out_dtype: str = "",
) -> Expr:  # fmt: skip
    """Return a transposed convolution of images; weights are [inputs, outputs of a group, height, width]."""
    return _transposed(2, data, weight, strides, padding, dilation, groups, channels, kernel_size,
                       (data_layout, kernel_layout, out_layout), output_padding, out_dtype)  # fmt: skip


def conv3d_transpose(
    data: Any, weight: Any, strides: Any = (1, 1, 1), padding: Any = (0, 0, 0), dilation: Any = (1, 1, 1),
    groups: int = 1, channels: int | None = None, kernel_size: Any = None, data_layout: str = "NCDHW",
    kernel_layout: str = "IODHW", out_layout: str = "", output_padding: Any = (0, 0, 0), out_dtype: str = "",
) -> Expr:  # fmt: skip
    """Return a transposed convolution of volumes; weights are [inputs, outputs of a group, depth, height, width]."""
    return _transposed(3, data, weight, strides, padding, dilation, groups, channels, kernel_size,
                       (data_layout, kernel_layout, out_layout), output_padding, out_dtype)  # fmt: skip


def _transposed(
    spatial: int, data: Any, weight: Any, strides: Any, padding: Any, dilation: Any, groups: int,
    channels: int | None, kernel_size: Any, layouts: tuple[str, str, str], output_padding: Any, out_dtype: str,
) -> Expr:  # fmt: skip
    data_layout, kernel_layout, out_layout = layouts
    x = laid_out(_image(data, data_layout), data_layout, FIRST[spatial])
    extent = None if kernel_size is None else one_each(kernel_size, spatial, "kernel_size")
    inputs, implied = type_(x).shape[1], None
    if extent is not None and channels is not None and isinstance(inputs, int):
        implied = _weight_shape(kernel_layout, spatial, channels // max(groups, 1), inputs, extent)
    w = laid_out(_weights(weight, implied, type_(x).dtype), kernel_layout, f"IO{KERNELS[spatial][2:]}")
    if channels is not None and channels != type_(w).concrete_shape[1] * groups:
        refuse(f"expected weights of {channels // groups} output channels a group, but got {type_(w)}")
    x, w = _accumulated(x, w, out_dtype)
    gaps = one_each(dilation, spatial, "dilation")
    result = apply(
        f"conv{spatial}d_transpose",
        x,
        w,
        strides=one_each(strides, spatial, "strides"),
        padding=read_padding(padding, type_(w).concrete_shape[2:], gaps),
        output_padding=one_each(output_padding, spatial, "output_padding", 0),
        dilations=gaps,
        groups=int(groups),
    )
    return laid_out(result, FIRST[spatial], out_layout or data_layout)


def dense(data: Any, weight: Any, units: int | None = None, out_dtype: str = "") -> Expr:
    """Return data [..., k] times weight [units, k] transposed."""
    x = tensor(data)
    depth = type_(x).shape[-1] if rank(x) else refuse("dense: expected a matrix, but got a scalar")
    implied = None if units is None or not isinstance(depth, int) else (units, depth)
    w = _weights(weight, implied, type_(x).dtype)
    if units is not None and type_(w).shape[0] != units:
        refuse(f"dense: expected weights of {units} units, but got {type_(w)}")
    x, w = _accumulated(x, w, out_dtype)
    return apply("dense", x, w) if rank(x) == 2 else apply("matmul", x, w, transpose_b=True)


def matmul(
    tensor_a: Any, tensor_b: Any, units: int | None = None, out_dtype: str = "", transpose_a: bool = False,
    transpose_b: bool = False,
) -> Expr:  # fmt: skip
    """Return the matrix product of the last two dimensions, either of them transposed first."""
    a = tensor(tensor_a)
    depth = type_(a).shape[-2 if transpose_a else -1] if rank(a) > 1 else None
    implied = None
    if units is not None and isinstance(depth, int):
        implied = (units, depth) if transpose_b else (depth, units)
    b = _weights(tensor_b, implied, type_(a).dtype)
    a, b = _accumulated(a, b, out_dtype)
    return apply("matmul", a, b, transpose_a=bool(transpose_a), transpose_b=bool(transpose_b))


def batch_matmul(
    tensor_a: Any, tensor_b: Any, out_dtype: str = "", transpose_a: bool = False, transpose_b: bool = True
) -> Expr:
    """Return the matrix products of two batches; b holds its matrices transposed by default."""
    a, b = tensor(tensor_a), tensor(tensor_b)
    if rank(a) != 3 or rank(b) != 3:
        refuse(f"batch_matmul: expected two batches of matrices, but got {type_(a)} and {type_(b)}")
    a, b = _accumulated(a, b, out_dtype)
    return apply("matmul", a, b, transpose_a=bool(transpose_a), transpose_b=bool(transpose_b))


def sparse_dense(dense_mat: Any, sparse_mat: Any, sparse_lhs: bool = False) -> Expr:
    """Return a matrix times one of compressed rows, (data, indices, indptr), transposed."""
    if sparse_lhs:
        refuse("sparse_dense: expected the sparse matrix as the second operand")
    return apply("sparse_dense", tensor(dense_mat), *several(sparse_mat))


def sparse_transpose(x: Any) -> Expr:
    """Return a square matrix of compressed rows, (data, indices, indptr), transposed."""
    return apply("sparse_transpose", *several(x))


def bias_add(data: Any, bias: Any, axis: int = 1) -> Expr:
    """Return a vector added along an axis."""
    x = tensor(data)
    along = an_axis(axis, rank(x))
    vector = imply(bias, "the bias", _known([type_(x).shape[along]]), type_(x).dtype)
    if type_(vector).shape != (type_(x).shape[along],):
        refuse(f"bias_add: expected a bias of {type_(x).shape[along]} elements, but got {type_(vector)}")
    return apply("add", x, _along(vector, x, along))


def _known(shape: Sequence[Any]) -> Sequence[int] | None:
    return list(shape) if all(isinstance(size, int) for size in shape) else None


def _along(vector: Expr, x: Expr, axis: int) -> Expr:
    """Return a vector as it broadcasts along an axis."""
    more = rank(x) - axis - 1
    return apply("unsqueeze", vector, axes=tuple(range(1, more + 1))) if more else vector


def relu(data: Any) -> Expr:
    """Return max(x, 0) of each element."""
    return apply("relu", tensor(data))


def leaky_relu(data: Any, alpha: float = 0.01) -> Expr:
    """Return x where x > 0, otherwise alpha * x."""
    return apply("leaky_relu", tensor(data), alpha=float(alpha))


def prelu(data: Any, alpha: Any, axis: int = 1) -> Expr:
    """Return x where x > 0, otherwise the alpha of its channel times x."""
    x = tensor(data)
    along = an_axis(axis, rank(x))
    factors = imply(alpha, "alpha", _known([type_(x).shape[along]]), type_(x).dtype)
    scaled = apply("mul", x, _along(factors, x, along))
    return apply("where", apply("greater", x, const(0, type_(x).dtype)), x, scaled)


def softmax(data: Any, axis: int = -1) -> Expr:
    """Return exp(x - max) / sum of exp(x - max) along an axis."""
    x = tensor(data)
    return apply("softmax", x, axis=an_axis(axis, rank(x)))


fast_softmax = softmax


def log_softmax(data: Any, axis: int = -1) -> Expr:
    """Return the logarithm of softmax along an axis."""
    x = tensor(data)
    return apply("log_softmax", x, axis=an_axis(axis, rank(x)))


def dropout(data: Any, rate: float = 0.5) -> Expr:
    """Return the operand: programs infer."""
    return apply("dropout", tensor(data), ratio=float(rate))


def dropout_raw(data: Any, rate: float = 0.5) -> Tuple:
    """Return the operand, and a mask of ones."""
    return Tuple([dropout(data, rate), ones_like(data)])


def _vectors(x: Expr, size: Any, **given: Any) -> list[Expr]:
    """Return vectors of one number a channel, of the operand's type."""
    return [imply(each, name, _known([size]), type_(x).dtype) for name, each in given.items()]


def _with_axis_first(x: Expr, axis: int) -> tuple[Expr, list[int] | None]:
    """Return the operand with an axis as its second one, and the order that moves it back."""
    along = an_axis(axis, rank(x))
    if along == 1:
        return x, None
    order = [d for d in range(rank(x)) if d != along]
    order.insert(1, along)
    return permuted(x, order), [order.index(d) for d in range(rank(x))]


def batch_norm(
    data: Any, gamma: Any, beta: Any, moving_mean: Any, moving_var: Any, axis: int = 1, epsilon: float = 1e-5,
    center: bool = True, scale: bool = True,
) -> Tuple:  # fmt: skip
    """Return the batch normalisation with known statistics, the mean and the variance."""
    x, back = _with_axis_first(tensor(data), axis)
    size = type_(x).shape[1]
    vectors = _vectors(x, size, gamma=gamma, beta=beta, moving_mean=moving_mean, moving_var=moving_var)
    mean, variance = vectors[2:]
    scale_, shift = _affine(vectors[0], vectors[1], scale, center)
    result: Expr = apply("batch_norm", x, scale_, shift, mean, variance, epsilon=float(epsilon))
    return Tuple([result if back is None else permuted(result, back), mean, variance])


def _affine(gamma: Expr, beta: Expr, scale: bool, center: bool) -> tuple[Expr, Expr]:
    """Scale and shift, one of which may be left out."""
    return (gamma if scale else ones_like(gamma)), (beta if center else zeros_like(beta))


def layer_norm(
    data: Any, gamma: Any, beta: Any, axis: int = -1, epsilon: float = 1e-5, center: bool = True, scale: bool = True
) -> Expr:
    """Return (x - mean) / sqrt(variance + epsilon) * gamma + beta, with the statistics along an axis."""
    x = tensor(data)
    along = an_axis(axis, rank(x))
    gamma_, beta_ = _vectors(x, type_(x).shape[along], gamma=gamma, beta=beta)
    affine = _affine(gamma_, beta_, scale, center)
    return apply("layer_norm", x, *affine, axes=(along,), epsilon=float(epsilon))


def instance_norm(
    data: Any, gamma: Any, beta: Any, axis: int = 1, epsilon: float = 1e-5, center: bool = True, scale: bool = True
) -> Expr:
    """Normalise each channel of each image by its mean and variance; one gamma and beta a channel."""
    x, back = _with_axis_first(tensor(data), axis)
    gamma_, beta_ = _vectors(x, type_(x).shape[1], gamma=gamma, beta=beta)
    affine = _affine(gamma_, beta_, scale, center)
    result = apply("instance_norm", x, *affine, epsilon=float(epsilon))
    return result if back is None else permuted(result, back)


def group_norm(
    data: Any, gamma: Any, beta: Any, num_groups: int, axis: int = 1, epsilon: float = 1e-5, center: bool = True,
    scale: bool = True,
) -> Expr:  # fmt: skip
    """Normalise each group of channels of each image by its mean and variance; one gamma and beta a channel."""
    x, back = _with_axis_first(tensor(data), axis)
    gamma_, beta_ = _vectors(x, type_(x).shape[1], gamma=gamma, beta=beta)
    affine = _affine(gamma_, beta_, scale, center)
    result = apply("group_norm", x, *affine, groups=int(num_groups), epsilon=float(epsilon))
    return result if back is None else permuted(result, back)


def lrn(data: Any, size: int = 5, axis: int = 1, bias: float = 2, alpha: float = 1e-05, beta: float = 0.75) -> Expr:
    """Return x / (bias + alpha / size * sum of squares of the `size` channels around it) ^ beta."""
    x, back = _with_axis_first(tensor(data), axis)
    result = apply("lrn", x, size=int(size), alpha=float(alpha), beta=float(beta), bias=float(bias))
    return result if back is None else permuted(result, back)


def l2_normalize(data: Any, eps: float, axis: Any = None) -> Expr:
    """Divide elements by the root of the sum of their squares along axes, which counts as `eps` at least."""
    x = tensor(data)
    squares = apply("reduce_sum", apply("mul", x, x), axes=chosen(x, axis), keepdims=True)
    return apply("div", x, apply("sqrt", apply("maximum", squares, const(float(eps), type_(x).dtype))))


def batch_flatten(data: Any) -> Expr:
    """Fuse all dimensions after the first into one."""
    return apply("flatten", tensor(data), axis=1)


def pad(data: Any, pad_width: Any, pad_value: Any = 0, pad_mode: str = "constant") -> Expr:
    """Pad each dimension with so many elements before and after it: of one value, of the border, or mirrored about
    it."""
    value = pad_value
    if isinstance(pad_value, Constant):
        value = pad_value.data.numpy().item()
    elif isinstance(pad_value, Expr):
        refuse("pad: expected a value that is known while compiling, but got an expression")
    before, after = _margins(pad_width)
    return apply("pad", tensor(data), before=before, after=after, value=float(value), mode=pad_mode)


def mirror_pad(data: Any, pad_width: Any, mode: str = "SYMMETRIC") -> Expr:
    """Add margins of the operand's elements, mirrored about its border (SYMMETRIC) or about the last one (REFLECT)."""
    before, after = _margins(pad_width)
    return apply("pad", tensor(data), before=before, after=after, mode=mode.lower())


def _margins(pad_width: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    pairs = [numbers(each, "margins") for each in (pad_width if isinstance(pad_width, (list, tuple)) else [])]
    if not pairs or any(len(pair) != 2 for pair in pairs):
        refuse(f"expected a pair of margins for each dimension, but got {pad_width!r}")
    return tuple(pair[0] for pair in pairs), tuple(pair[1] for pair in pairs)


def dilate(data: Any, strides: Sequence[int], dilation_value: float = 0.0) -> Expr:
    """Return elements `strides` steps from one to the next, with `dilation_value` between them."""
    return apply("dilate", tensor(data), strides=tuple(strides), dilation_value=float(dilation_value))


def fifo_buffer(data: Any, buffer: Any, axis: int) -> Expr:
    """Return a buffer with new data at its end along an axis, and as much less at its beginning."""
    x, kept = tensor(data), tensor(buffer)
    along = an_axis(axis, rank(kept))
    joined = apply("concat", kept, x, axis=along)
    taken = static(type_(x).shape[along], "the size of the data")
    starts = tuple(taken if d == along else 0 for d in range(rank(kept)))
    sizes = tuple(static(type_(kept).shape[d], "a size") if d == along else -1 for d in range(rank(kept)))
    return apply("slice", joined, starts=starts, sizes=sizes, steps=(1,) * rank(kept))


def space_to_batch_nd(data: Any, block_shape: Any, paddings: Any, pad_value: float = 0) -> Expr:
    """Move blocks of the dimensions after the batch into the batch, once margins are added around them."""
    before, after = _margins(paddings)
    blocks = tuple(numbers(block_shape, "blocks"))
    margins = {"pad_before": before, "pad_after": after, "pad_value": float(pad_value)}
    return apply("space_to_batch_nd", tensor(data), block_shape=blocks, **margins)


def batch_to_space_nd(data: Any, block_shape: Any, crops: Any) -> Expr:
    """Move the outer part of the batch into blocks of the dimensions after it, whose margins are then cut off."""
    before, after = _margins(crops)
    blocks = tuple(numbers(block_shape, "blocks"))
    return apply("batch_to_space_nd", tensor(data), block_shape=blocks, crop_begin=before, crop_end=after)


def depth_to_space(data: Any, block_size: int, layout: str = "NCHW", mode: str = "DCR") -> Expr:
    """Return channels as blocks of pixels; the position in the block is the outer (DCR) or inner (CRD) part of the
    channel."""
    order = "CRD" if mode == "CDR" else mode
    result = apply("depth_to_space", laid_out(data, layout, "NCHW"), block=int(block_size), mode=order)
    return laid_out(result, "NCHW", layout)


def space_to_depth(data: Any, block_size: int, layout: str = "NCHW") -> Expr:
    """Return blocks of pixels as channels, the position within the block the outer part of the channel."""
    return laid_out(apply("space_to_depth", laid_out(data, layout, "NCHW"), block=int(block_size)), "NCHW", layout)


def cross_entropy(predictions: Any, targets: Any) -> Expr:
    """Return minus the mean over rows of the sum of targets times logarithms of predictions."""
    return cross_entropy_with_logits(apply("log", tensor(predictions)), targets)


def cross_entropy_with_logits(predictions: Any, targets: Any) -> Expr:
    """Return minus the mean over rows of the sum of targets times predictions, which are logarithms."""
    x, wanted = tensor(predictions), tensor(targets)
    rows = static(type_(x).shape[0], "the number of rows")
    total = apply("reduce_sum", apply("mul", x, wanted), axes=tuple(range(rank(x))))
    return apply("mul", total, const(-1 / rows, type_(x).dtype))


def nll_loss(predictions: Any, targets: Any, weights: Any, reduction: str = "mean", ignore_index: int = -100) -> Expr:
    """Return minus the prediction [n, classes, ...] for each target [n, ...], times the weight of its class, and 0
    where the target is `ignore_index`: each, their "sum", or the "mean" by weight."""
    x, labels, weight = tensor(predictions), tensor(targets), tensor(weights)
    if reduction not in ("none", "mean", "sum"):
        refuse(f"nll_loss: expected 'none', 'mean' or 'sum' as reduction, but got {reduction!r}")
    classes, dtype = static(type_(x).shape[1], "the number of classes"), type_(labels).dtype
    inside = apply("minimum", apply("maximum", labels, const(0, dtype)), const(classes - 1, dtype))
    counts = apply("not", apply("equal", labels, const(int(ignore_index), dtype)))
    share = apply("where", counts, apply("gather", weight, inside), const(0, type_(weight).dtype))
    chosen_ = apply("gather_elements", x, apply("unsqueeze", inside, axes=(1,)), axis=1)
    losses = apply("neg", apply("mul", apply("squeeze", chosen_, axes=(1,)), share))
    if reduction == "none":
        return losses
    axes = tuple(range(rank(losses)))
    total = apply("reduce_sum", losses, axes=axes)
    return total if reduction == "sum" else apply("div", total, apply("reduce_sum", share, axes=axes))


# Pooling


def _pool(
    kind: str, spatial: int, data: Any, pool_size: Any, strides: Any, dilation: Any, padding: Any, layout: str,
    out_layout: str, ceil_mode: bool, **counts: bool,
) -> Expr:  # fmt: skip
    x = laid_out(_image(data, layout), layout, FIRST[spatial])
    extent, steps = one_each(pool_size, spatial, "pool_size"), one_each(strides, spatial, "strides")
    gaps = one_each(dilation, spatial, "dilation")
    around = with_overhang(read_padding(padding, extent, gaps), steps, ceil_mode)
    window: dict[str, Any] = {"kernel": extent, "strides": steps, "padding": around, "dilations": gaps}
    if spatial == 1:
        x = apply("unsqueeze", x, axes=(2,))
        window = {name: flat_window(value) for name, value in window.items()} | {"padding": flat_padding(around)}
    result = apply(f"{kind}_pool{max(spatial, 2)}d", x, **window, **counts)
    result = apply("squeeze", result, axes=(2,)) if spatial == 1 else result
    return laid_out(result, FIRST[spatial], out_layout or layout)


def _pool_gradient(
    kind: str, out_grad: Any, data: Any, pool_size: Any, strides: Any, padding: Any, layout: str, ceil_mode: bool,
    **counts: bool,
) -> Expr:  # fmt: skip
    grads, x = (laid_out(_image(each, layout), layout, "NCHW") for each in (out_grad, data))
    extent, steps = one_each(pool_size, 2, "pool_size"), one_each(strides, 2, "strides")
    around = with_overhang(read_padding(padding, extent, (1, 1)), steps, ceil_mode)
    window: dict[str, Any] = {"kernel": extent, "strides": steps, "padding": around}
    return laid_out(apply(f"{kind}_pool2d_grad", grads, x, **window, **counts), "NCHW", layout)


def max_pool2d_grad(
    out_grad: Any, data: Any, pool_size: Any = (1, 1), strides: Any = (1, 1), padding: Any = (0, 0),
    layout: str = "NCHW", out_layout: str = "", ceil_mode: bool = False,
) -> Expr:  # fmt: skip
    """Return the gradient of `max_pool2d` by its image, from that of its result."""
    return _pool_gradient("max", out_grad, data, pool_size, strides, padding, layout, ceil_mode)


def avg_pool2d_grad(
    out_grad: Any, data: Any, pool_size: Any = (1, 1), strides: Any = (1, 1), padding: Any = (0, 0),
    layout: str = "NCHW", out_layout: str = "", ceil_mode: bool = False, count_include_pad: bool = False,
) -> Expr:  # fmt: skip
    """Return the gradient of `avg_pool2d` by its image, from that of its result."""
    counts = {"count_include_pad": bool(count_include_pad)}
    return _pool_gradient("avg", out_grad, data, pool_size, strides, padding, layout, ceil_mode, **counts)


def max_pool1d(
    data: Any, pool_size: Any = (1,), strides: Any = (1,), dilation: Any = (1,), padding: Any = (0,),
    layout: str = "NCW", out_layout: str = "", ceil_mode: bool = False,
) -> Expr:  # fmt: skip
    """Return the greatest element of each window along one dimension."""
    return _pool("max", 1, data, pool_size, strides, dilation, padding, layout, out_layout, ceil_mode)


def max_pool2d(
    data: Any, pool_size: Any = (1, 1), strides: Any = (1, 1), dilation: Any = (1, 1), padding: Any = (0, 0),
    layout: str = "NCHW", out_layout: str = "", ceil_mode: bool = False,
) -> Expr:  # fmt: skip
    """Return the greatest element of each window of an image. Padding never is the greatest."""
    return _pool("max", 2, data, pool_size, strides, dilation, padding, layout, out_layout, ceil_mode)


def max_pool3d(
    data: Any, pool_size: Any = (1, 1, 1), strides: Any = (1, 1, 1), dilation: Any = (1, 1, 1),
    padding: Any = (0, 0, 0), layout: str = "NCDHW", out_layout: str = "", ceil_mode: bool = False,
) -> Expr:  # fmt: skip
    """Return the greatest element of each window of a volume."""
    return _pool("max", 3, data, pool_size, strides, dilation, padding, layout, out_layout, ceil_mode)


def avg_pool1d(
    data: Any, pool_size: Any = (1,), strides: Any = (1,), dilation: Any = (1,), padding: Any = (0,),
    layout: str = "NCW", out_layout: str = "", ceil_mode: bool = False, count_include_pad: bool = False,
) -> Expr:  # fmt: skip
    """Return the mean of each window along one dimension."""
    counts = {"count_include_pad": bool(count_include_pad)}
    return _pool("avg", 1, data, pool_size, strides, dilation, padding, layout, out_layout, ceil_mode, **counts)


def avg_pool2d(
    data: Any, pool_size: Any = (1, 1), strides: Any = (1, 1), dilation: Any = (1, 1), padding: Any = (0, 0),
    layout: str = "NCHW", out_layout: str = "", ceil_mode: bool = False, count_include_pad: bool = False,
) -> Expr:  # fmt: skip
    """Return the mean of each window of an image; padding counts as zeros with `count_include_pad`."""
    counts = {"count_include_pad": bool(count_include_pad)}
    return _pool("avg", 2, data, pool_size, strides, dilation, padding, layout, out_layout, ceil_mode, **counts)


def avg_pool3d(
    data: Any, pool_size: Any = (1, 1, 1), strides: Any = (1, 1, 1), dilation: Any = (1, 1, 1),
    padding: Any = (0, 0, 0), layout: str = "NCDHW", out_layout: str = "", ceil_mode: bool = False,
    count_include_pad: bool = False,
) -> Expr:  # fmt: skip
    """Return the mean of each window of a volume."""
    counts = {"count_include_pad": bool(count_include_pad)}
    return _pool("avg", 3, data, pool_size, strides, dilation, padding, layout, out_layout, ceil_mode, **counts)


def _global(kind: str, spatial: int, data: Any, layout: str, out_layout: str) -> Expr:
    x = laid_out(_image(data, layout), layout, FIRST[spatial])
    if kind == "avg" and spatial == 2:
        result = apply("global_avg_pool", x)
    else:
        name = "reduce_mean" if kind == "avg" else "reduce_max"
        result = apply(name, x, axes=tuple(range(2, 2 + spatial)), keepdims=True)
    return laid_out(result, FIRST[spatial], out_layout or layout)


def global_max_pool1d(data: Any, layout: str = "NCW", out_layout: str = "") -> Expr:
    """Return the greatest element of each channel."""
    return _global("max", 1, data, layout, out_layout)


def global_max_pool2d(data: Any, layout: str = "NCHW", out_layout: str = "") -> Expr:
    """Return the greatest element of each channel of an image."""
    return _global("max", 2, data, layout, out_layout)


def global_max_pool3d(data: Any, layout: str = "NCDHW", out_layout: str = "") -> Expr:
    """Return the greatest element of each channel of a volume."""
    return _global("max", 3, data, layout, out_layout)


def global_avg_pool1d(data: Any, layout: str = "NCW", out_layout: str = "") -> Expr:
    """Return the mean of each channel."""
    return _global("avg", 1, data, layout, out_layout)


def global_avg_pool2d(data: Any, layout: str = "NCHW", out_layout: str = "") -> Expr:
    """Return the mean of each channel of an image."""
    return _global("avg", 2, data, layout, out_layout)


def global_avg_pool3d(data: Any, layout: str = "NCDHW", out_layout: str = "") -> Expr:
    """Return the mean of each channel of a volume."""
    return _global("avg", 3, data, layout, out_layout)


def _adaptive(kind: str, spatial: int, data: Any, output_size: Any, layout: str, out_layout: str) -> Expr:
    x = laid_out(_image(data, layout), layout, FIRST[spatial])
    extents = type_(x).shape[2:]
    given = list(output_size) if isinstance(output_size, (list, tuple)) else [output_size] * spatial
    sizes = [
        static(size, "a size of the image") if each is None else each for each, size in zip(given, extents, strict=True)
    ]
    result = apply(f"adaptive_{kind}_pool", x, output_size=tuple(sizes))
    return laid_out(result, FIRST[spatial], out_layout or layout)


def adaptive_max_pool1d(data: Any, output_size: Any = None, layout: str = "NCW", out_layout: str = "") -> Expr:
    """Return the greatest element of each of so many windows along one dimension."""
    return _adaptive("max", 1, data, output_size, layout, out_layout)


def adaptive_max_pool2d(data: Any, output_size: Any = None, layout: str = "NCHW", out_layout: str = "") -> Expr:
    """Return the greatest element of each of so many windows of an image."""
    return _adaptive("max", 2, data, output_size, layout, out_layout)


def adaptive_max_pool3d(data: Any, output_size: Any = None, layout: str = "NCDHW", out_layout: str = "") -> Expr:
    """Return the greatest element of each of so many windows of a volume."""
    return _adaptive("max", 3, data, output_size, layout, out_layout)


def adaptive_avg_pool1d(data: Any, output_size: Any = None, layout: str = "NCW", out_layout: str = "") -> Expr:
    """Return the mean of each of so many windows along one dimension."""
    return _adaptive("avg", 1, data, output_size, layout, out_layout)


def adaptive_avg_pool2d(data: Any, output_size: Any = None, layout: str = "NCHW", out_layout: str = "") -> Expr:
    """Return the mean of each of so many windows of an image."""
    return _adaptive("avg", 2, data, output_size, layout, out_layout)


def adaptive_avg_pool3d(data: Any, output_size: Any = None, layout: str = "NCDHW", out_layout: str = "") -> Expr:
    """Return the mean of each of so many windows of a volume."""
    return _adaptive("avg", 3, data, output_size, layout, out_layout)


def upsampling(
    data: Any, scale_h: float = 1, scale_w: float = 1, layout: str = "NCHW", method: str = "nearest_neighbor",
    align_corners: bool = False,
) -> Expr:  # fmt: skip
    """Return an image enlarged by factors, nearest_neighbor or bilinear."""
    from .image import resized

    coordinates = "align_corners" if align_corners else "asymmetric"
    return resized(data, _enlarged(data, layout, "HW", (scale_h, scale_w)), layout, method, coordinates)


def upsampling3d(
    data: Any, scale_d: float = 1, scale_h: float = 1, scale_w: float = 1, layout: str = "NCDHW",
    method: str = "nearest_neighbor", coordinate_transformation_mode: str = "half_pixel",
) -> Expr:  # fmt: skip
    """Return a volume enlarged by factors, nearest_neighbor or trilinear."""
    from .image import resized

    sizes = _enlarged(data, layout, "DHW", (scale_d, scale_h, scale_w))
    return resized(data, sizes, layout, method, coordinate_transformation_mode)


def _enlarged(data: Any, layout: str, letters: str, scales: Sequence[float]) -> list[int]:
    sizes = type_(_image(data, layout)).shape
    pairs = zip(letters, scales, strict=True)
    return [round(static(sizes[layout.index(letter)], "a size of the image") * scale) for letter, scale in pairs]


coded_names(globals(), __all__)
