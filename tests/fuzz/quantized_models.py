"""
Random quantised models: one operator or a short chain between integers, with results that are known to the quantum.

The forms are onnxruntime's: QuantizeLinear and DequantizeLinear around operators of floats, operators on quantised
numbers, and activations that are quantised by their range. `exact` computes a model in float64 on the numbers that the
integers stand for, up to where it is quantised.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import onnx
from onnx import helper

from .quantized_draw import (
    LOOSE,
    MICROSOFT,
    OF_SEVERAL_STEPS,
    Drawn,
    Model,
    Quantized,
    between,
    finish,
    finish_integers,
    one_node,
    parameters,
    quantized,
)


def draw(seed: int, number: int) -> Drawn:
    """Return the model of a number."""
    chance = np.random.default_rng([seed, number])
    kinds = list(KINDS)
    kind = kinds[number % len(kinds)]
    turn = number // len(kinds)
    return KINDS[kind](Model(chance, turn=turn, has_ties=(turn + number % len(kinds)) % 5 == 0), kind)


# The operators in float64


def _convolved(x: np.ndarray, w: np.ndarray, attributes: dict[str, Any]) -> np.ndarray:
    rank = x.ndim - 2
    pads, strides = attributes["pads"], attributes["strides"]
    dilations, groups = attributes["dilations"], attributes["group"]
    padded = np.pad(x, [(0, 0), (0, 0), *zip(pads[:rank], pads[rank:], strict=True)])
    reach = tuple((size - 1) * step + 1 for size, step in zip(w.shape[2:], dilations, strict=True))
    views = np.lib.stride_tricks.sliding_window_view(padded, reach, axis=tuple(range(2, x.ndim)))
    steps = [slice(None), slice(None), *(slice(None, None, step) for step in (*strides, *dilations))]
    views = views[tuple(steps)]
    n, c, sizes = views.shape[0], views.shape[1], views.shape[2 : x.ndim]
    parts = views.reshape(n, groups, c // groups, *sizes, *w.shape[2:])
    kernels = w.reshape(groups, w.shape[0] // groups, *w.shape[1:])
    of_image, of_kernel = "xyz"[:rank], "ijk"[:rank]
    terms = f"ngc{of_image}{of_kernel},goc{of_kernel}->ngo{of_image}"
    return np.einsum(terms, parts, kernels).reshape(n, w.shape[0], *sizes)


def _window(model: Model, rank: int) -> tuple[dict[str, Any], list[int], list[int]]:
    """Return attributes of a convolution, the sizes of its kernel, and the shape of an image."""
    kernel = [int(model.pick(1, 2, 3)), int(model.pick(1, 3)), 2][:rank]
    attributes = {
        "pads": [int(model.pick(0, 1)) for _ in range(2 * rank)],
        "strides": [int(model.pick(1, 1, 2)) for _ in range(rank)],
        "dilations": [int(model.pick(1, 1, 1, 2)) for _ in range(rank)],
        "group": 1,
    }
    sizes = [int(model.pick(5, 6, 8)), int(model.pick(6, 7)), 4][:rank]
    model.corners.add(f"convolution of {rank} dimensions")
    for name in ("strides", "dilations"):
        if max(attributes[name]) > 1:
            model.corners.add(f"convolution with {name}")
    return attributes, kernel, [int(model.pick(1, 2)), 0, *sizes]


def _channels(model: Model, attributes: dict[str, Any]) -> tuple[int, int, int]:
    """Return groups, channels of the image, and output channels."""
    match chosen := model.pick("one group", "one group", "blocks of channels", "groups", "depthwise", "wide depthwise"):
        case "one group":
            inputs, outputs = int(model.pick(1, 3, 4, 16)), int(model.pick(1, 4, 5, 8))
        case "blocks of channels":
            inputs, outputs = int(model.pick(16, 32)), int(model.pick(16, 32))
        case "groups":
            attributes["group"], inputs, outputs = 2, 4, 6
        case "wide depthwise":
            attributes["group"] = inputs = outputs = int(model.pick(16, 32))
        case _:
            attributes["group"], inputs, outputs = 4, 4, int(model.pick(4, 8))
    model.corners.add(f"convolution: {chosen}")
    return attributes["group"], inputs, outputs


def _convolution(model: Model, is_data: bool = False) -> tuple[Quantized, Quantized, np.ndarray, dict[str, Any]]:
    attributes, kernel, sizes = _window(model, int(model.pick(1, 2, 2, 2, 2, 2, 3)))
    groups, inputs, outputs = _channels(model, attributes)
    sizes[1] = inputs
    model.may_be_open()
    x, w = model.activation(sizes, is_data=is_data), model.weight([outputs, inputs // groups, *kernel], 0)
    _note_padding(model, attributes, x.zero)
    return x, w, _convolved(x.numbers, w.numbers, attributes), attributes


def _note_padding(model: Model, attributes: dict[str, Any], zero: np.ndarray) -> None:
    if any(attributes["pads"]):
        model.corners.add(f"padding with {'a zero point other than 0' if zero.any() else '0'}")


def _bias(model: Model, x: Quantized, w: Quantized, count: int, exact: np.ndarray) -> tuple[Quantized, np.ndarray]:
    """Return a bias of int32 with the scale of the product, as large as the result."""
    model.corners.add("bias of integers")
    scale = np.asarray(np.multiply(x.scale, w.scale, dtype=np.float32))
    size = max(int(np.abs(exact).max(initial=1) / float(scale.min())), 1)
    integers = model.chance.integers(-size, size, count, endpoint=True).astype(np.int32)
    zero = np.zeros(scale.shape, np.int32)
    names = [model.constant(integers), model.constant(scale), model.constant(zero)]
    bias = Quantized(names, integers, scale, zero, 0)
    # The products of the scales in float64 are what the sum of products has; the rounded one is the bias's own.
    return bias, integers * (np.float64(x.scale) * np.float64(w.scale))


def _of_channels(numbers: np.ndarray, image: np.ndarray) -> np.ndarray:
    """Return one number for each channel of an image."""
    return numbers.reshape(-1, *(1,) * (image.ndim - 2)) if numbers.ndim else numbers


def _behind(model: Model, name: str, exact: np.ndarray, channels: int = -1) -> tuple[str, np.ndarray]:
    """Return products by constants and additions of them, one or one for each index of the axis `channels`, then relu
    or clip: each in some draws."""
    if model.pick(0, 0, 1):
        name, exact = _with_constants(model, name, exact, channels)
    match model.pick("", "", "relu", "clip"):
        case "relu":
            model.corners.add("relu behind")
            return model.node("Relu", [name]), np.maximum(exact, 0)
        case "clip":
            model.corners.add("clip behind")
            low, high = np.float32(0), np.float32(np.abs(exact).max(initial=1) / 2)
            names = [name, model.constant(np.asarray(low)), model.constant(np.asarray(high))]
            return model.node("Clip", names), np.clip(exact, np.float64(low), np.float64(high))
        case _:
            return name, exact


def _with_constants(model: Model, name: str, exact: np.ndarray, channels: int) -> tuple[str, np.ndarray]:
    """Return a multiplication or division by constants and an addition or subtraction of others, or one of these."""
    shape: list[int] = [1] * exact.ndim
    if model.pick(0, 1):
        shape[channels] = exact.shape[channels]
    shape = shape[channels:] if channels < 0 or model.pick(0, 1) else shape
    chosen = model.pick("Mul", "Div", "Add", "Sub", "both")
    model.corners.add(f"constants behind: {chosen}")
    if chosen in ("Mul", "Div", "both"):
        factor = np.exp2(model.chance.integers(-2, 2, shape)) if model.has_ties else model.chance.uniform(0.3, 2, shape)
        factor = (factor * model.chance.choice([-1, 1], shape)).astype(np.float32)
        name = model.node("Div" if chosen == "Div" else "Mul", [name, model.constant(factor)])
        exact = exact / factor.astype(np.float64) if chosen == "Div" else exact * factor.astype(np.float64)
    if chosen in ("Add", "Sub", "both"):
        addend = (model.chance.standard_normal(shape) * exact.std()).astype(np.float32)
        name = model.node("Sub" if chosen == "Sub" else "Add", [name, model.constant(addend)])
        exact = exact - addend.astype(np.float64) if chosen == "Sub" else exact + addend.astype(np.float64)
    return name, exact


# Forms with QuantizeLinear and DequantizeLinear


def _qdq_conv(model: Model, kind: str) -> Drawn:
    x, w, exact, attributes = _convolution(model)
    names = [model.dequantize(x), model.dequantize(w)]
    match model.pick("none", "integers", "integers", "floats"):
        case "integers":
            bias, numbers = _bias(model, x, w, w.integers.shape[0], exact)
            names.append(model.dequantize(bias))
            exact = exact + _of_channels(numbers, exact)
        case "floats":
            model.corners.add("bias of floats")
            array = (model.chance.standard_normal(w.integers.shape[0]) * exact.std()).astype(np.float32)
            names.append(model.constant(array))
            exact = exact + _of_channels(array.astype(np.float64), exact)
        case _:
            pass
    return quantized(model, kind, *_behind(model, model.node("Conv", names, **attributes), exact, 1))


def _qdq_matmul(model: Model, kind: str) -> Drawn:
    rows, terms, columns = int(model.pick(1, 3, 7, 13)), int(model.pick(1, 5, 33, 64)), int(model.pick(1, 4, 16, 40))
    batch = model.pick((), (), (2,), (2, 3))
    is_known, has_rows = model.chance.random() < 0.5, not batch and bool(model.pick(0, 0, 1))
    if is_known and not has_rows:
        model.may_be_open()
    a = model.activation([*batch, rows, terms], axis=0 if has_rows else None)
    b = model.weight([terms, columns], 1) if is_known else model.activation([*batch, terms, columns])
    result = model.node("MatMul", [model.dequantize(a), model.dequantize(b)])
    exact = a.numbers @ b.numbers
    if kind == "matmul to floats":
        return finish(model, kind, result, exact, None, np.float32)
    return quantized(model, kind, *_behind(model, result, exact))


def _qdq_blocks(model: Model, kind: str) -> Drawn:
    """Return a product by weights that have a scale for each block of terms: it is left on floats."""
    terms, columns, block = 24, int(model.pick(1, 4, 16)), int(model.pick(4, 8, 12))
    a = model.activation([3, terms])
    dtype = model.pick("int8", "uint8")
    integers, sizes = model.integers([terms, columns], dtype), (terms // block, columns)
    scale, zero = model.scale(*sizes), model.zero(dtype, *sizes)
    model.note_zero("weight", zero)
    model.corners.add("weight per block")
    names = [model.constant(array) for array in (integers, scale, zero)]
    b = model.node("DequantizeLinear", names, axis=0, block_size=block)
    along = [np.repeat(array.astype(np.float64), block, 0) for array in (scale, zero)]
    model.tie = LOOSE
    result = model.node("MatMul", [model.dequantize(a), b])
    return quantized(model, kind, result, a.numbers @ ((integers.astype(np.float64) - along[1]) * along[0]))


def _qdq_16_bits(model: Model, kind: str) -> Drawn:
    """Return activations of 16 bits, weights of 8."""
    dtype = model.pick("uint16", "int16")
    if model.pick(0, 1):
        x, w = model.activation([3, 12], dtype), model.weight([12, 5], 1)
        result = model.node("MatMul", [model.dequantize(x), model.dequantize(w)])
        exact = x.numbers @ w.numbers
    else:
        attributes, kernel, sizes = _window(model, 2)
        sizes[1] = 3
        x, w = model.activation(sizes, dtype), model.weight([4, 3, *kernel], 0)
        _note_padding(model, attributes, x.zero)
        result = model.node("Conv", [model.dequantize(x), model.dequantize(w)], **attributes)
        exact = _convolved(x.numbers, w.numbers, attributes)
    return quantized(model, kind, result, exact, model.pick("uint8", "int8", dtype))


def _qdq_gemm(model: Model, kind: str) -> Drawn:
    rows, terms, columns = int(model.pick(1, 3)), int(model.pick(5, 40)), int(model.pick(4, 10))
    transposed = bool(model.pick(0, 1, 1))
    model.may_be_open()
    x = model.activation([rows, terms])
    w = model.weight([columns, terms] if transposed else [terms, columns], 0 if transposed else 1)
    exact = x.numbers @ (w.numbers.T if transposed else w.numbers)
    names = [model.dequantize(x), model.dequantize(w)]
    if model.pick(0, 1):
        bias, numbers = _bias(model, x, w, columns, exact)
        names.append(model.dequantize(bias))
        exact = exact + numbers
    return quantized(model, kind, *_behind(model, model.node("Gemm", names, transB=int(transposed)), exact))


def _short(model: Model) -> list[int]:
    return [int(model.pick(1, 2)), int(model.pick(3, 4)), int(model.pick(1, 5)), 6]


def _qdq_binary(model: Model, kind: str) -> Drawn:
    shape = _short(model)
    dtype = model.pick(None, None, "int16")
    a, b = model.activation(shape, dtype), model.activation(model.pick(shape, shape, [shape[1], 1, 1]), dtype)
    functions: dict[str, Callable[..., np.ndarray]] = {
        "Add": np.add,
        "Mul": np.multiply,
        "Sub": np.subtract,
        "Max": np.maximum,
        "Min": np.minimum,
    }
    operator = model.in_turn(*functions)
    result = model.node(operator, [model.dequantize(a), model.dequantize(b)])
    return quantized(model, kind, *_behind(model, result, functions[operator](a.numbers, b.numbers)))


def _qdq_unary(model: Model, kind: str) -> Drawn:
    x = model.activation(_short(model))
    numbers, name = x.numbers, model.dequantize(x)
    match operator := model.in_turn(
        "Sigmoid", "Tanh", "LeakyRelu", "HardSwish", "Relu", "Exp", "Abs", "square", "swish"
    ):
        case "Sigmoid":
            exact, result = 1 / (1 + np.exp(-numbers)), model.node(operator, [name])
        case "Tanh":
            exact, result = np.tanh(numbers), model.node(operator, [name])
        case "LeakyRelu":
            exact = np.where(numbers < 0, numbers * np.float64(np.float32(0.1)), numbers)
            result = model.node(operator, [name], alpha=0.1)
        case "HardSwish":
            exact, result = numbers * np.clip(numbers / 6 + 0.5, 0, 1), model.node(operator, [name])
        case "Relu":
            exact, result = np.maximum(numbers, 0), model.node(operator, [name])
        case "Abs":
            exact, result = np.abs(numbers), model.node(operator, [name])
        case "square":
            exact, result = numbers * numbers, model.node("Mul", [name, name])
        case "Exp":
            numbers = numbers / (np.abs(numbers).max(initial=0) or 1)
            ratio = np.float32(1 / (np.abs(x.numbers).max(initial=0) or 1))
            numbers = x.numbers * np.float64(ratio)
            exact = np.exp(numbers)
            result = model.node(operator, [model.node("Mul", [name, model.constant(np.asarray(ratio))])])
        case _:
            exact = numbers / (1 + np.exp(-numbers))
            result = model.node("Mul", [name, model.node("Sigmoid", [name])])
    return quantized(model, kind, result, exact)


def _qdq_move(model: Model, kind: str) -> Drawn:
    """Return a move of elements, to other parameters than before or to the same ones."""
    x = model.activation([1, 4, 4, 6])
    name, numbers = model.dequantize(x), x.numbers
    operators = ("Transpose", "Reshape", "MaxPool", "Concat", "Slice", "Pad", "Flatten", "Split", "Gather", "Resize")
    match model.in_turn(*operators):
        case "Transpose":
            result, exact = model.node("Transpose", [name], perm=[0, 2, 3, 1]), numbers.transpose(0, 2, 3, 1)
        case "Reshape":
            result = model.node("Reshape", [name, model.constant(np.array([1, 8, 12]))])
            exact = numbers.reshape(1, 8, 12)
        case "MaxPool":
            result = model.node("MaxPool", [name], kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[2, 1])
            padded = np.pad(numbers, [(0, 0), (0, 0), (1, 1), (1, 1)], constant_values=-np.inf)
            views = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))[:, :, ::2]
            exact = views.max((-1, -2))
        case "Concat":
            other = model.activation([1, 2, 4, 6])
            result = model.node("Concat", [name, model.dequantize(other)], axis=1)
            exact = np.concatenate([numbers, other.numbers], 1)
        case "Slice":
            ends = [model.constant(np.array(each)) for each in ([1], [3], [2])]
            result, exact = model.node("Slice", [name, *ends]), numbers[:, :, 1:3]
        case "Pad":
            value = np.float32(model.pick(0, 1.7, -1000) * float(x.scale))
            result = model.node(
                "Pad", [name, model.constant(np.array([0, 0, 1, 1, 0, 0, 0, 2])), model.constant(value)]
            )
            exact = np.pad(numbers, [(0, 0), (0, 0), (1, 0), (1, 2)], constant_values=np.float64(value))
        case "Split":
            results = [model.name("part") for _ in range(2)]
            model.nodes.append(helper.make_node("Split", [name], results, name=results[0], axis=3, num_outputs=2))
            result, exact = results[1], numbers[..., 3:]
        case "Gather":
            chosen = np.array([[3, 0], [-1, 2]])
            result, exact = model.node("Gather", [name, model.constant(chosen)], axis=2), numbers[:, :, chosen]
        case "Resize":
            scales = model.constant(np.array([1, 1, 2, 3], np.float32))
            result = model.node(
                "Resize",
                [name, "", scales],
                mode="nearest",
                nearest_mode="floor",
                coordinate_transformation_mode="asymmetric",
            )
            exact = numbers.repeat(2, 2).repeat(3, 3)
        case _:
            result, exact = model.node("Flatten", [name]), numbers.reshape(1, -1)
    if model.pick(0, 1):
        model.corners.add("moved to the same parameters")
        same = model.node("QuantizeLinear", [result, *x.names[1:]])
        return finish_integers(model, kind, same, exact, x.scale, x.zero)
    return quantized(model, kind, result, exact)


def _pooled(model: Model, numbers: np.ndarray) -> tuple[np.ndarray, dict[str, Any]]:
    """Return the mean of each window, of elements of the image alone or of all."""
    counts_all = int(model.pick(0, 1))
    pads, strides = [int(model.pick(0, 1)) for _ in range(4)], [int(model.pick(1, 2)) for _ in range(2)]
    if counts_all and any(pads):
        model.corners.add("means of padding too")
    attributes = {"kernel_shape": [2, 3], "pads": pads, "strides": strides, "count_include_pad": counts_all}

    def sums(array: np.ndarray) -> np.ndarray:
        padded = np.pad(array, [(0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])])
        views = np.lib.stride_tricks.sliding_window_view(padded, (2, 3), axis=(2, 3))
        return views[:, :, :: strides[0], :: strides[1]].sum((-1, -2))

    return sums(numbers) / (6 if counts_all else sums(np.ones_like(numbers))), attributes


def _qdq_pool(model: Model, kind: str) -> Drawn:
    x = model.activation([1, int(model.pick(1, 4)), 5, 7])
    name, numbers = model.dequantize(x), x.numbers
    match operator := model.in_turn("AveragePool", "GlobalAveragePool", "ReduceMean", "ReduceSum", "Resize"):
        case "AveragePool":
            exact, attributes = _pooled(model, numbers)
            result = model.node(operator, [name], **attributes)
        case "GlobalAveragePool":
            exact, result = numbers.mean((2, 3), keepdims=True), model.node(operator, [name])
        case "Resize":
            scales = model.constant(np.array([1, 1, 1, 2], np.float32))
            result = model.node(
                operator, [name, "", scales], mode="linear", coordinate_transformation_mode="asymmetric"
            )
            after = np.concatenate([numbers[..., 1:], numbers[..., -1:]], 3)
            exact = np.stack([numbers, (numbers + after) / 2], 4).reshape(*numbers.shape[:3], -1)
        case _:
            axes = model.constant(np.array([2, 3]))
            exact = numbers.mean((2, 3)) if operator == "ReduceMean" else numbers.sum((2, 3))
            result = model.node(operator, [name, axes], keepdims=0)
    return quantized(model, kind, result, exact)


def _qdq_residual(model: Model, kind: str) -> Drawn:
    """Return a convolution whose result is not quantised before another image is added."""
    x, w, exact, attributes = _convolution(model)
    other = model.activation(exact.shape)
    conv = model.node("Conv", [model.dequantize(x), model.dequantize(w)], **attributes)
    result = model.node("Relu", [model.node("Add", [conv, model.dequantize(other)])])
    return quantized(model, kind, result, np.maximum(exact + other.numbers, 0))


def _qdq_choice(model: Model, kind: str) -> Drawn:
    """Return a choice between two quantised tensors by `Where`."""
    shape = _short(model)
    a, b = model.activation(shape), model.activation(model.pick(shape, [shape[1], 1, 1]))
    condition = model.name("x")
    model.inputs[condition] = chosen = model.chance.random(shape[1:]) < 0.5
    result = model.node("Where", [condition, model.dequantize(a), model.dequantize(b)])
    return quantized(model, kind, result, np.where(chosen, a.numbers, b.numbers))


def _qdq_transposed(model: Model, kind: str) -> Drawn:
    """Return a transposed convolution, with zeros between the elements of its image in half of the draws."""
    height, width, step, outputs = 3, 5, int(model.pick(1, 2)), int(model.pick(1, 3, 16))
    x = model.activation([2, 4, height, width])
    w = model.weight([4, outputs, 2, 3], 1)
    exact = np.zeros([2, outputs, (height - 1) * step + 2, (width - 1) * step + 3])
    for i, j in np.ndindex(2, 3):
        part = np.einsum("nchw,co->nohw", x.numbers, w.numbers[:, :, i, j])
        exact[:, :, i : i + (height - 1) * step + 1 : step, j : j + (width - 1) * step + 1 : step] += part
    result = model.node("ConvTranspose", [model.dequantize(x), model.dequantize(w)], strides=[step, step])
    return quantized(model, kind, *_behind(model, result, exact, 1))


def _qdq_again(model: Model, kind: str) -> Drawn:
    """Return numbers that are quantised again, by another scale, with constants and bounds between."""
    x = model.activation(_short(model), model.pick(None, None, "int16", "uint16"))
    return quantized(model, kind, *_behind(model, model.dequantize(x), x.numbers, 1), model.pick(None, None, "int16"))


def _qdq_moved_weights(model: Model, kind: str) -> Drawn:
    """Return a product by weights that are moved after they were quantised, which may have a scale for each column."""
    a = model.activation([3, 12])
    match moved := model.in_turn("Transpose", "Reshape", "Slice", "Squeeze"):
        case "Transpose":
            w = model.weight([8, 12], 0)
            b, numbers = model.node(moved, [model.dequantize(w)], perm=[1, 0]), w.numbers.T
        case "Reshape":
            w = model.weight([3, 4, 8], 2)
            b = model.node(moved, [model.dequantize(w), model.constant(np.array([12, 8]))])
            numbers = w.numbers.reshape(12, 8)
        case "Slice":
            w = model.weight([16, 8], 1)
            ends = [model.constant(np.array(each)) for each in ([2], [14], [0])]
            b, numbers = model.node(moved, [model.dequantize(w), *ends]), w.numbers[2:14]
        case _:
            w = model.weight([1, 12, 8], 2)
            b, numbers = model.node(moved, [model.dequantize(w), model.constant(np.array([0]))]), w.numbers[0]
    result = model.node("MatMul", [model.dequantize(a), b])
    return quantized(model, kind, *_behind(model, result, a.numbers @ numbers))


def _qdq_floats(model: Model, kind: str) -> Drawn:
    """Return operators that have no form on integers."""
    x = model.activation([2, 4, 3, 5])
    name, numbers = model.dequantize(x), x.numbers
    model.tie = LOOSE
    match operator := model.in_turn("Softmax", "LayerNormalization", "InstanceNormalization", "CumSum"):
        case "Softmax":
            exact, result = _softmax(numbers), model.node(operator, [name], axis=-1)
        case "LayerNormalization" | "InstanceNormalization":
            axes, size = ((3,), 5) if operator.startswith("L") else ((2, 3), 4)
            ratio, shift = (model.chance.uniform(0.5, 2, size).astype(np.float32) for _ in range(2))
            centred = numbers - numbers.mean(axes, keepdims=True)
            normal = centred / np.sqrt((centred**2).mean(axes, keepdims=True) + np.float64(np.float32(1e-2)))
            factors = [each.astype(np.float64).reshape((-1, 1, 1) if size == 4 else -1) for each in (ratio, shift)]
            exact = normal * factors[0] + factors[1]
            result = model.node(operator, [name, model.constant(ratio), model.constant(shift)], epsilon=1e-2)
        case _:
            exact, result = numbers.cumsum(3), model.node(operator, [name, model.constant(np.array(3))])
    return quantized(model, kind, result, exact)


def _softmax(numbers: np.ndarray) -> np.ndarray:
    powers = np.exp(numbers - numbers.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def _layers(model: Model, kind: str) -> Drawn:
    """Return two convolutions or products with integers between them, in either form."""
    while True:
        attempt = Model(model.chance, turn=model.turn)
        first, second = _layer(attempt, kind, None), None
        if first is not None:
            second = _layer(attempt, kind, first)
        if isinstance(second, Drawn):
            return second


def _layer(model: Model, kind: str, before: Quantized | None) -> Any:
    """Return a convolution of an image: the integers behind it, or the model after the second one; None next to a
    tie."""
    is_plain = kind == "layers of quantised numbers"
    channels = int(model.pick(4, 16))
    x = model.activation([1, channels, 5, 6]) if before is None else before
    inputs = x.integers.shape[1]
    kernel = [int(model.pick(1, 3)), int(model.pick(1, 2, 3))]
    attributes: dict[str, Any] = {"pads": [int(model.pick(0, 1)) for _ in range(4)], "group": 1}
    attributes |= {"strides": [1, 1], "dilations": [1, 1]}
    w = model.weight([int(model.pick(4, 16)), inputs, *kernel], 0)
    _note_padding(model, attributes, x.zero)
    exact = _convolved(x.numbers, w.numbers, attributes)
    dtype = x.integers.dtype.name
    if before is not None:
        if is_plain:
            return one_node(model, kind, "QLinearConv", [*x.names, *w.names], exact, dtype, "", **attributes)
        result = model.node("Conv", [model.dequantize(x), model.dequantize(w)], **attributes)
        return quantized(model, kind, *_behind(model, result, exact, 1))
    if is_plain:
        if (found := between(model, exact, dtype)) is not None:
            found.names[0] = model.node("QLinearConv", [*x.names, *w.names, *found.names[1:]], **attributes)
        return found
    result = model.node("Conv", [model.dequantize(x), model.dequantize(w)], **attributes)
    result, exact = _behind(model, result, exact, 1)
    if (found := between(model, exact, dtype)) is not None:
        found.names[0] = model.node("QuantizeLinear", [result, *found.names[1:]])
    return found


def _large(model: Model, kind: str) -> Drawn:
    """Return products that are worth several threads."""
    attributes: dict[str, Any] = {"pads": [1, 1, 1, 1], "strides": [1, 1], "dilations": [1, 1], "group": 1}
    match model.in_turn("conv", "matmul", "depthwise", "dynamic"):
        case "conv":
            x, w = model.activation([1, 32, 20, 24]), model.weight([64, 32, 3, 3], 0)
            result = model.node("Conv", [model.dequantize(x), model.dequantize(w)], **attributes)
            return quantized(model, kind, *_behind(model, result, _convolved(x.numbers, w.numbers, attributes), 1))
        case "matmul":
            a, b = model.activation([96, 256]), model.weight([256, 192], 1)
            result = model.node("MatMul", [model.dequantize(a), model.dequantize(b)])
            return quantized(model, kind, *_behind(model, result, a.numbers @ b.numbers))
        case "depthwise":
            attributes["group"] = 64
            x, w = model.activation([1, 64, 40, 40]), model.weight([64, 1, 3, 3], 0)
            exact, names = _convolved(x.numbers, w.numbers, attributes), [*x.names, *w.names]
            return one_node(model, kind, "QLinearConv", names, exact, x.integers.dtype.name, "", **attributes)
        case _:
            names, integers, _ = _dynamic(model, [64, 256])
            w = model.weight([256, 256], 1)
            factors = w.integers.astype(np.int64) - w.zero.astype(np.int64)
            result = model.node("MatMulInteger", [names[0], w.names[0], names[2], w.names[2]])
            return finish(model, kind, result, (integers @ factors).astype(np.float64), _INT32, np.int32)


# Operators on quantised numbers


def _q_conv(model: Model, kind: str) -> Drawn:
    x, w, exact, attributes = _convolution(model, is_data=bool(model.pick(0, 0, 0, 1)))
    after: list[str] = []
    if model.pick(0, 1):
        bias, numbers = _bias(model, x, w, w.integers.shape[0], exact)
        after, exact = [bias.names[0]], exact + _of_channels(numbers, exact)
    dtype = x.integers.dtype.name
    return one_node(model, kind, "QLinearConv", [*x.names, *w.names], exact, dtype, "", after=after, **attributes)


def _q_matmul(model: Model, kind: str) -> Drawn:
    rows = int(model.pick(1, 6, 13))
    has_rows = rows > 1 and bool(model.pick(0, 0, 1))
    if not has_rows:
        model.may_be_open()
    is_data = not has_rows and bool(model.pick(0, 0, 1))
    a = model.activation([rows, int(model.pick(3, 40, 64))], axis=0 if has_rows else None, is_data=is_data)
    b = model.weight([a.integers.shape[1], int(model.pick(1, 8, 32))], 1)
    exact = a.numbers @ b.numbers
    return one_node(model, kind, "QLinearMatMul", [*a.names, *b.names], exact, a.integers.dtype.name, "")


def _q_gemm(model: Model, kind: str) -> Drawn:
    model.may_be_open()
    a = model.activation([int(model.pick(1, 6)), int(model.pick(3, 40))])
    transposed, columns = int(model.pick(0, 1)), int(model.pick(2, 8, 32))
    sizes = [columns, a.integers.shape[1]]
    b = model.weight(sizes if transposed else sizes[::-1], 1 - transposed)
    alpha = float(model.pick(1.0, 1.0, 0.5))
    exact = alpha * (a.numbers @ (b.numbers.T if transposed else b.numbers))
    bias, numbers = _bias(model, a, b, columns, exact)
    names, dtype, exact = [*a.names, *b.names, bias.names[0]], a.integers.dtype.name, exact + alpha * numbers
    rest = {"transB": transposed, "alpha": alpha}
    if model.pick(0, 0, 1):
        return finish(model, kind, model.node("QGemm", names, MICROSOFT, **rest), exact, None, np.float32)
    return one_node(model, kind, "QGemm", names, exact, dtype, MICROSOFT, **rest)


def _q_binary(model: Model, kind: str) -> Drawn:
    shape, dtype = _short(model), model.pick("uint8", "int8")
    a, b = model.activation(shape, dtype), model.activation(model.pick(shape, [shape[1], 1, 1]), dtype)
    operator = model.in_turn("Add", "Mul")
    exact = a.numbers + b.numbers if operator == "Add" else a.numbers * b.numbers
    return one_node(model, kind, f"QLinear{operator}", [*a.names, *b.names], exact, dtype, MICROSOFT)


def _q_unary(model: Model, kind: str) -> Drawn:
    x = model.activation(_short(model))
    numbers, dtype = x.numbers, x.integers.dtype.name
    match model.in_turn("LeakyRelu", "Sigmoid", "Softmax"):
        case "LeakyRelu":
            exact = np.where(numbers < 0, numbers * np.float64(np.float32(0.2)), numbers)
            return one_node(model, kind, "QLinearLeakyRelu", x.names, exact, dtype, MICROSOFT, alpha=0.2)
        case "Sigmoid":
            exact = 1 / (1 + np.exp(-numbers))
            return one_node(model, kind, "QLinearSigmoid", x.names, exact, dtype, MICROSOFT)
        case _:
            model.tie = OF_SEVERAL_STEPS
            rest = {"axis": -1, "opset": 21}
            return one_node(model, kind, "QLinearSoftmax", x.names, _softmax(numbers), dtype, MICROSOFT, **rest)


def _q_choice(model: Model, kind: str) -> Drawn:
    shape, dtype = _short(model), model.pick("uint8", "int8")
    a, b = model.activation(shape, dtype), model.activation(shape, dtype)
    condition = model.name("x")
    model.inputs[condition] = chosen = model.chance.random(shape) < 0.5
    names = [condition, *a.names, *b.names]
    return one_node(model, kind, "QLinearWhere", names, np.where(chosen, a.numbers, b.numbers), dtype, MICROSOFT)


def _q_move(model: Model, kind: str) -> Drawn:
    """Return an operator that chooses or moves the integers behind an addition, as onnxruntime's quantiser leaves
    it."""
    dtype = model.pick("uint8", "int8")
    a, b = model.activation([1, 4, 4, 6], dtype), model.activation([4, 1, 1], dtype)
    exact = a.numbers + b.numbers
    scale, zero = parameters(model, exact, dtype)
    given = model.node("QLinearAdd", [*a.names, *b.names, model.constant(scale), model.constant(zero)], MICROSOFT)
    operators = ("MaxPool", "Transpose", "Reshape", "Pad", "Resize", "Split", "Gather", "Squeeze", "NhwcMaxPool")
    match operator := model.in_turn(*operators):
        case "MaxPool":
            result = model.node(operator, [given], kernel_shape=[2, 2], strides=[2, 2])
            exact = exact.reshape(1, 4, 2, 2, 3, 2).max((3, 5))
        case "NhwcMaxPool":
            result = model.node(operator, [given], MICROSOFT, kernel_shape=[2, 2], strides=[2, 2])
            exact = exact.reshape(1, 2, 2, 2, 2, 6).max((2, 4))
        case "Transpose":
            result, exact = model.node(operator, [given], perm=[0, 2, 3, 1]), exact.transpose(0, 2, 3, 1)
        case "Reshape":
            result, exact = model.node(operator, [given, model.constant(np.array([4, -1]))]), exact.reshape(4, -1)
        case "Pad":
            names = [given, model.constant(np.array([0, 0, 1, 0, 0, 0, 0, 2])), model.constant(zero)]
            result, exact = model.node(operator, names), np.pad(exact, [(0, 0), (0, 0), (1, 0), (0, 2)])
        case "Resize":
            names = [given, "", model.constant(np.array([1, 1, 2, 2], np.float32))]
            result = model.node(operator, names, mode="nearest", coordinate_transformation_mode="asymmetric")
            exact = exact.repeat(2, 2).repeat(2, 3)
        case "Split":
            results = [model.name("part") for _ in range(2)]
            model.nodes.append(helper.make_node(operator, [given], results, name=results[0], axis=1, num_outputs=2))
            result, exact = results[0], exact[:, :2]
        case "Gather":
            chosen = np.array([2, 0, -1])
            result, exact = model.node(operator, [given, model.constant(chosen)], axis=3), exact[..., chosen]
        case _:
            result, exact = model.node(operator, [given, model.constant(np.array([0]))]), exact[0]
    return finish_integers(model, kind, result, exact, scale, zero)


def _q_pool(model: Model, kind: str) -> Drawn:
    is_last = int(model.pick(0, 0, 1))
    shape = [1, int(model.pick(1, 4)), 5, 7]
    x = model.activation([shape[0], *shape[2:], shape[1]] if is_last else shape)
    numbers, dtype = x.numbers.transpose(0, 3, 1, 2) if is_last else x.numbers, x.integers.dtype.name
    if is_last:
        model.corners.add("channels last")

    def finished(operator: str, exact: np.ndarray, **rest: Any) -> Drawn:
        exact = exact.transpose(0, 2, 3, 1) if is_last else exact
        return one_node(model, kind, operator, x.names, exact, dtype, MICROSOFT, channels_last=is_last, **rest)

    if model.in_turn(0, 1):
        return finished("QLinearGlobalAveragePool", numbers.mean((2, 3), keepdims=True))
    exact, attributes = _pooled(model, numbers)
    return finished("QLinearAveragePool", exact, **attributes)


def _q_mean(model: Model, kind: str) -> Drawn:
    x, keeps = model.activation(_short(model)), int(model.pick(0, 1))
    exact = x.numbers.mean((2, 3), keepdims=bool(keeps))
    rest: dict[str, Any] = {"axes": [2, 3], "keepdims": keeps}
    return one_node(model, kind, "QLinearReduceMean", x.names, exact, x.integers.dtype.name, MICROSOFT, **rest)


def _q_concat(model: Model, kind: str) -> Drawn:
    dtype = model.pick("uint8", "int8")
    parts = [model.activation([1, count, 2, 5], dtype) for count in (2, 3, 1)]
    exact = np.concatenate([part.numbers for part in parts], 1)
    scale, zero = parameters(model, exact, dtype)
    names = [model.constant(scale), model.constant(zero), *(name for part in parts for name in part.names)]
    return finish_integers(model, kind, model.node("QLinearConcat", names, MICROSOFT, axis=1), exact, scale, zero)


# Activations that are quantised by their range


def _matmul_integer(model: Model, kind: str) -> Drawn:
    dtypes = model.pick(("uint8", "int8"), ("uint8", "uint8"), ("int8", "int8"))
    shape = model.pick([3, 33], [2, 3, 7], [13, 64])
    is_known, columns = bool(model.pick(0, 1, 1)), int(model.pick(1, 8, 32))
    has_rows = len(shape) == 2 and bool(model.pick(0, 0, 1))
    if is_known and not has_rows:
        model.may_be_open()
    a = model.activation(shape, dtypes[0], axis=0 if has_rows else None)
    sizes = [shape[-1], columns]
    b = model.weight(sizes, 1, dtypes[1]) if is_known else model.activation(sizes, dtypes[1])
    left, right = a.zero.astype(np.int64).reshape((-1, 1) if has_rows else ()), b.zero.astype(np.int64)
    exact = (a.integers.astype(np.int64) - left) @ (b.integers.astype(np.int64) - right)
    result = model.node("MatMulInteger", [a.names[0], b.names[0], a.names[2], b.names[2]])
    return finish(model, kind, result, exact.astype(np.float64), _INT32, np.int32)


_INT32 = (-(2**31), 2**31 - 1)


def _real(model: Model, shape: Sequence[int]) -> tuple[str, np.ndarray]:
    """Return activations of float32 on either side of 0, or nearly all on one."""
    shift = model.pick(0, 0, 5, -5)
    model.corners.add("activations of one sign" if shift else "activations of both signs")
    x = (model.chance.standard_normal(shape) * 3 + shift).astype(np.float32)
    if model.pick(0, 0, 0, 0, 0, 0, 0, 1):
        model.corners.add("activations of 0 alone")
        x[:] = 0
    name = model.name("x")
    model.inputs[name] = x
    return name, x


def _range(x: np.ndarray) -> tuple[np.float32, np.float32, np.ndarray]:
    """Return the scale and zero point of DynamicQuantizeLinear, and its result in quanta."""
    high, low = np.maximum(x.max(), np.float32(0)), np.minimum(x.min(), np.float32(0))
    scale = np.float32(1) if high == low else (high - low) / np.float32(255)
    zero = np.clip(np.rint(-low / scale), 0, 255)
    return scale, zero, np.rint(x / scale) + zero


def _dynamic(model: Model, shape: Sequence[int]) -> tuple[list[str], np.ndarray, np.float64]:
    """Return DynamicQuantizeLinear of an input: its results, the integers less their zero point, and the scale."""
    given, x = _real(model, shape)
    names = [model.name("q") for _ in range(3)]
    model.nodes.append(helper.make_node("DynamicQuantizeLinear", [given], names, name=names[0]))
    scale, zero, found = _range(x)
    return names, np.clip(found, 0, 255).astype(np.int64) - int(zero), np.float64(scale)


def _dynamic_integers(model: Model, kind: str) -> Drawn:
    """Return the integers of DynamicQuantizeLinear."""
    model.may_be_open()
    names, x, _ = _dynamic(model, [int(model.pick(1, 4)), 9])
    (array,) = model.inputs.values()
    _, zero, _ = _range(array)
    return finish(model, kind, names[0], x + np.float64(zero), (0, 255), np.uint8)


def _dynamic_conv(model: Model, kind: str) -> Drawn:
    """Return ConvInteger of quantised activations, times both scales with a bias in two of three."""
    attributes, kernel, sizes = _window(model, 2)
    groups, sizes[1], outputs = _channels(model, attributes)
    model.may_be_open()
    names, x, scale = _dynamic(model, sizes)
    dtype = model.pick("uint8", "int8")
    w = model.weight([outputs, sizes[1] // groups, *kernel], 0, dtype, (0,))
    _note_padding(model, attributes, np.array(128))
    factors = w.integers.astype(np.float64) - np.float64(w.zero)
    exact = _convolved(x.astype(np.float64), factors, attributes)
    result = model.node("ConvInteger", [names[0], w.names[0], names[2], w.names[2]], **attributes)
    if model.pick(0, 1, 1):
        factor = model.node("Mul", [names[1], w.names[1]])
        bias = (model.chance.standard_normal(outputs) * exact.std()).astype(np.float32).reshape(-1, 1, 1)
        result = model.node("Mul", [model.node("Cast", [result], to=onnx.TensorProto.FLOAT), factor])
        result = model.node("Add", [result, model.constant(bias)])
        exact = exact * scale * np.float64(w.scale) + bias.astype(np.float64)
        return finish(model, kind, result, exact, None, np.float32)
    return finish(model, kind, result, exact, _INT32, np.int32)


def _dynamic_product(model: Model, kind: str) -> Drawn:
    """Return DynamicQuantizeLinear, MatMulInteger and a multiplication by scales; or one operator for all."""
    shape, columns = model.pick([4, 33], [2, 3, 8], [1, 64]), int(model.pick(1, 6, 32))
    model.may_be_open()
    names, x, scale = _dynamic(model, shape)
    w = model.weight([shape[-1], columns], 1)
    exact = (x * scale) @ w.numbers
    has_bias = bool(model.pick(0, 1))
    bias = (model.chance.standard_normal(columns) * (exact.std() or 1)).astype(np.float32)
    exact = exact + bias.astype(np.float64) if has_bias else exact
    if model.in_turn(0, 1):
        total = model.node("MatMulInteger", [names[0], w.names[0], names[2], w.names[2]])
        factor = model.node("Mul", [names[1], w.names[1]])
        result = model.node("Mul", [model.node("Cast", [total], to=onnx.TensorProto.FLOAT), factor])
        result = model.node("Add", [result, model.constant(bias)]) if has_bias else result
    else:
        model.nodes.pop()
        (given,) = model.inputs
        inputs = [given, *w.names, *([model.constant(bias)] if has_bias else [])]
        result = model.node("DynamicQuantizeMatMul", inputs, MICROSOFT)
    return finish(model, kind, result, exact, None, np.float32)


def _to_float(model: Model, kind: str) -> Drawn:
    model.may_be_open()
    a = model.activation([3, 20], "uint8")
    b = model.weight([20, int(model.pick(6, 32))], 1)
    names = [a.names[0], b.names[0], a.names[1], b.names[1], a.names[2], b.names[2]]
    exact = a.numbers @ b.numbers
    if model.pick(0, 1):
        bias = (model.chance.standard_normal(exact.shape[1]) * exact.std()).astype(np.float32)
        names, exact = [*names, model.constant(bias)], exact + bias.astype(np.float64)
    result = model.node("MatMulIntegerToFloat", names, MICROSOFT)
    return finish(model, kind, result, exact, None, np.float32)


KINDS: dict[str, Callable[[Model, str], Drawn]] = {
    "conv": _qdq_conv,
    "matmul": _qdq_matmul,
    "gemm": _qdq_gemm,
    "16 bits": _qdq_16_bits,
    "weights in blocks": _qdq_blocks,
    "add, mul or sub": _qdq_binary,
    "function": _qdq_unary,
    "move": _qdq_move,
    "mean": _qdq_pool,
    "residual": _qdq_residual,
    "where": _qdq_choice,
    "transposed conv": _qdq_transposed,
    "quantised again": _qdq_again,
    "moved weights": _qdq_moved_weights,
    "on floats": _qdq_floats,
    "matmul to floats": _qdq_matmul,
    "layers": _layers,
    "large": _large,
    "QLinearConv": _q_conv,
    "QLinearMatMul": _q_matmul,
    "QGemm": _q_gemm,
    "QLinearAdd or QLinearMul": _q_binary,
    "QLinearLeakyRelu, QLinearSigmoid or QLinearSoftmax": _q_unary,
    "QLinearAveragePool": _q_pool,
    "QLinearReduceMean": _q_mean,
    "QLinearConcat": _q_concat,
    "QLinearWhere": _q_choice,
    "move of quantised numbers": _q_move,
    "layers of quantised numbers": _layers,
    "MatMulInteger": _matmul_integer,
    "ConvInteger": _dynamic_conv,
    "DynamicQuantizeLinear": _dynamic_integers,
    "DynamicQuantizeMatMul": _dynamic_product,
    "MatMulIntegerToFloat": _to_float,
}
"""The kinds of models; the numbers of draws go through them."""
