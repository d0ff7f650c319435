"""
Random quantised models: one operator or a short chain between integers, with results that are known to the quantum.

The forms are onnxruntime's: QuantizeLinear and DequantizeLinear around operators of floats, operators on quantised
numbers, and activations that are quantised by their range. Integers are drawn from the whole type, its ends among
them; zero points lie at both ends; scales are powers of two or any; results saturate. `exact` computes a model in
float64 on the numbers that the integers stand for, up to where it is quantised.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
from onnx import helper, numpy_helper

TIE = 1e-5
"""The distance to a tie, in quanta, within which an exact result may be rounded to either side."""

MICROSOFT = "com.microsoft"


@dataclass
class Quantized:
    """A tensor of integers in a model: the names of its integers, scale and zero point, and what they are."""

    names: list[str]
    integers: np.ndarray
    scale: np.ndarray
    zero: np.ndarray
    axis: int = 0

    @property
    def numbers(self) -> np.ndarray:
        """The numbers that the integers stand for, in float64."""
        return (self.integers.astype(np.float64) - self._along(self.zero)) * self._along(self.scale)

    def _along(self, parameter: np.ndarray) -> np.ndarray:
        shape = [-1 if axis == self.axis else 1 for axis in range(self.integers.ndim)]
        return parameter.astype(np.float64).reshape(shape if parameter.ndim else ())


@dataclass
class Model:
    """A model while it is drawn."""

    chance: np.random.Generator
    nodes: list[onnx.NodeProto] = field(default_factory=list[onnx.NodeProto])
    constants: list[onnx.TensorProto] = field(default_factory=list[onnx.TensorProto])
    inputs: dict[str, np.ndarray] = field(default_factory=dict[str, np.ndarray])
    count: int = 0

    def name(self, what: str = "t") -> str:
        self.count += 1
        return f"{what}{self.count}"

    def constant(self, array: np.ndarray) -> str:
        name = self.name("c")
        self.constants.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def node(self, operator: str, inputs: Sequence[str], domain: str = "", **attributes: Any) -> str:
        name = self.name()
        self.nodes.append(helper.make_node(operator, list(inputs), [name], name=name, domain=domain, **attributes))
        return name

    def pick(self, *choices: Any) -> Any:
        return choices[int(self.chance.integers(len(choices)))]

    def integers(self, shape: Sequence[int], dtype: str) -> np.ndarray:
        """Integers of the whole type; in half of the draws some are at its ends, in a few all are."""
        info, chance = np.iinfo(dtype), self.chance
        array = chance.integers(info.min, info.max, shape, endpoint=True).astype(dtype)
        share = self.pick(0.0, 0.0, 0.3, 0.3, 1.0)
        ends = chance.choice(np.array([info.min, info.max], dtype), size=array.shape)
        return np.where(chance.random(array.shape) < share, ends, array)

    def zero(self, dtype: str, *shape: int) -> np.ndarray:
        """Zero points: in the middle, at the ends, or anywhere."""
        info = np.iinfo(dtype)
        if self.chance.random() < 0.7:
            middle = (int(info.min) + int(info.max) + 1) // 2
            return np.full(shape, self.pick(info.min, info.max, middle, middle), dtype)
        return np.asarray(self.chance.integers(info.min, info.max, shape, endpoint=True)).astype(dtype)

    def scale(self, *shape: int) -> np.ndarray:
        if self.chance.random() < 0.2:
            return np.asarray(2.0 ** self.chance.integers(-8, 1, shape)).astype(np.float32)
        return np.asarray(10 ** self.chance.uniform(-3, 0, shape)).astype(np.float32)

    def activation(self, shape: Sequence[int], dtype: str | None = None) -> Quantized:
        """Quantised numbers that are an input of the model."""
        dtype = dtype or self.pick("uint8", "uint8", "int8")
        name = self.name("x")
        self.inputs[name] = integers = self.integers(shape, dtype)
        return self._quantized(name, integers, self.scale(), self.zero(dtype), 0)

    def weight(self, shape: Sequence[int], axis: int, dtype: str | None = None) -> Quantized:
        """Constant quantised numbers with one scale, or one for each index of an axis."""
        dtype = dtype or self.pick("int8", "int8", "uint8")
        integers = self.integers(shape, dtype)
        sizes = self.pick((), (shape[axis],))
        zero = self.zero(dtype, *sizes) if self.chance.random() < 0.4 else _middle(dtype, sizes)
        return self._quantized(self.constant(integers), integers, self.scale(*sizes), zero, axis)

    def _quantized(self, name: str, integers: np.ndarray, scale: np.ndarray, zero: np.ndarray, axis: int) -> Quantized:
        return Quantized([name, self.constant(scale), self.constant(zero)], integers, scale, zero, axis)

    def dequantize(self, given: Quantized) -> str:
        axis = {"axis": given.axis} if given.scale.ndim else {}
        return self.node("DequantizeLinear", given.names, **axis)


def _middle(dtype: str, shape: Sequence[int]) -> np.ndarray:
    return np.full(shape, 128 if dtype == "uint8" else 0, dtype)


@dataclass
class Drawn:
    """A model with its inputs, and how its one result is judged."""

    kind: str
    model: onnx.ModelProto
    inputs: dict[str, np.ndarray]
    exact: np.ndarray
    """The result in float64 quanta, before it is rounded, the zero point in it; a float result as it is."""
    limits: tuple[int, int] | None
    """The least and the largest integer; None of a float result."""

    def wrong(self, result: np.ndarray) -> str | None:
        """Return what is wrong with a result: integers have to be those of the exact one, either of two near a tie."""
        if result.shape != self.exact.shape:
            return f"expected shape {self.exact.shape}, but got {result.shape}"
        if self.limits is None:
            spread = np.abs(self.exact).max(initial=0) or 1.0
            is_wrong = np.abs(result - self.exact) > 2e-6 * spread
        else:
            low, high = (np.clip(np.rint(self.exact + end), *self.limits) for end in (-TIE, TIE))
            is_wrong = (result != low) & (result != high)
        if not is_wrong.any():
            return None
        at = tuple(int(each) for each in np.argwhere(is_wrong)[0])
        count = f"{is_wrong.sum()} of {result.size} elements"
        return f"{count}, at {at}: {result[at]}, but the exact result is {float(self.exact[at])}"


def draw(seed: int, number: int) -> Drawn:
    """The model of a number."""
    chance = np.random.default_rng([seed, number])
    model = Model(chance)
    kinds = list(KINDS)
    kind = kinds[number % len(kinds)]
    return KINDS[kind](model, kind)


# Results


def _finish(
    model: Model, kind: str, result: str, exact: np.ndarray, limits: tuple[int, int] | None, dtype: Any
) -> Drawn:
    inputs = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
        for name, array in model.inputs.items()
    ]
    output = helper.make_tensor_value_info(result, helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), exact.shape)
    graph = helper.make_graph(model.nodes, kind, inputs, [output], model.constants)
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid(MICROSOFT, 1)]
    proto = helper.make_model(graph, opset_imports=opsets, ir_version=10)
    return Drawn(kind, proto, model.inputs, exact, limits)


def _parameters(model: Model, exact: np.ndarray, dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """A scale and zero point for a result, by which some of it saturates or much of it."""
    spread = max(float(np.abs(exact).max(initial=0)), 1e-20)
    steps = (1 << (8 if dtype.endswith("8") else 16)) - 1
    scale = np.float32(spread / steps * 10 ** model.chance.uniform(-0.7, 0.5))
    if model.chance.random() < 0.15:
        scale = np.float32(2.0 ** np.round(np.log2(scale)))
    return np.asarray(scale), model.zero(dtype)


def _quanta(exact: np.ndarray, scale: np.ndarray, zero: np.ndarray) -> np.ndarray:
    return exact / np.float64(scale) + np.float64(zero)


def _quantized(model: Model, kind: str, result: str, exact: np.ndarray, dtype: str | None = None) -> Drawn:
    """A float result that QuantizeLinear follows."""
    dtype = dtype or model.pick("uint8", "int8")
    scale, zero = _parameters(model, exact, dtype)
    name = model.node("QuantizeLinear", [result, model.constant(scale), model.constant(zero)])
    info = np.iinfo(dtype)
    return _finish(model, kind, name, _quanta(exact, scale, zero), (int(info.min), int(info.max)), dtype)


def _one_node(
    model: Model,
    kind: str,
    operator: str,
    inputs: Sequence[str],
    exact: np.ndarray,
    dtype: str,
    domain: str,
    **rest: Any,
) -> Drawn:
    """An operator that quantises its result itself: scale and zero point are its next inputs."""
    scale, zero = _parameters(model, exact, dtype)
    after = rest.pop("after", [])
    names = [*inputs, model.constant(scale), model.constant(zero), *after]
    name = model.node(operator, names, domain, **rest)
    info = np.iinfo(dtype)
    return _finish(model, kind, name, _quanta(exact, scale, zero), (int(info.min), int(info.max)), dtype)


# The operators in float64


def _convolved(x: np.ndarray, w: np.ndarray, attributes: dict[str, Any]) -> np.ndarray:
    pads, strides = attributes["pads"], attributes["strides"]
    dilations, groups = attributes["dilations"], attributes["group"]
    padded = np.pad(x, [(0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])])
    reach = [(size - 1) * step + 1 for size, step in zip(w.shape[2:], dilations, strict=True)]
    views = np.lib.stride_tricks.sliding_window_view(padded, reach, axis=(2, 3))
    views = views[:, :, :: strides[0], :: strides[1], :: dilations[0], :: dilations[1]]
    n, c, h, v = views.shape[:4]
    parts = views.reshape(n, groups, c // groups, h, v, *w.shape[2:])
    kernels = w.reshape(groups, w.shape[0] // groups, *w.shape[1:])
    return np.einsum("ngchvij,gocij->ngohv", parts, kernels).reshape(n, w.shape[0], h, v)


def _window(model: Model) -> tuple[dict[str, Any], tuple[int, int], list[int]]:
    """Attributes of a convolution, the sizes of its kernel, and the shape of an image."""
    kernel = (int(model.pick(1, 2, 3)), int(model.pick(1, 3)))
    attributes = {
        "pads": [int(model.pick(0, 1)) for _ in range(4)],
        "strides": [int(model.pick(1, 1, 2)) for _ in range(2)],
        "dilations": [int(model.pick(1, 1, 1, 2)) for _ in range(2)],
        "group": 1,
    }
    return attributes, kernel, [int(model.pick(1, 2)), 0, int(model.pick(5, 6, 8)), int(model.pick(6, 7))]


def _channels(model: Model, attributes: dict[str, Any]) -> tuple[int, int, int]:
    """Groups, channels of the image, and output channels."""
    match model.pick("one", "one", "groups", "depthwise"):
        case "one":
            inputs, outputs = int(model.pick(1, 3, 4, 16)), int(model.pick(1, 4, 5, 8))
        case "groups":
            attributes["group"], inputs, outputs = 2, 4, 6
        case _:
            attributes["group"], inputs, outputs = 4, 4, int(model.pick(4, 8))
    return attributes["group"], inputs, outputs


def _convolution(model: Model) -> tuple[Quantized, Quantized, np.ndarray, dict[str, Any]]:
    attributes, kernel, sizes = _window(model)
    groups, inputs, outputs = _channels(model, attributes)
    sizes[1] = inputs
    x, w = model.activation(sizes), model.weight([outputs, inputs // groups, *kernel], 0)
    return x, w, _convolved(x.numbers, w.numbers, attributes), attributes


def _bias(model: Model, x: Quantized, w: Quantized, count: int, exact: np.ndarray) -> tuple[Quantized, np.ndarray]:
    """A bias of int32 with the scale of the product, as large as the result."""
    scale = np.asarray(np.multiply(x.scale, w.scale, dtype=np.float32))
    size = max(int(np.abs(exact).max(initial=1) / float(scale.min())), 1)
    integers = model.chance.integers(-size, size, count, endpoint=True).astype(np.int32)
    zero = np.zeros(scale.shape, np.int32)
    names = [model.constant(integers), model.constant(scale), model.constant(zero)]
    bias = Quantized(names, integers, scale, zero, 0)
    # The products of the scales in float64 are what the sum of products has; the rounded one is the bias's own.
    return bias, integers * (np.float64(x.scale) * np.float64(w.scale))


def _behind(model: Model, name: str, exact: np.ndarray) -> tuple[str, np.ndarray]:
    """Relu or Clip, or nothing."""
    match model.pick("", "", "relu", "clip"):
        case "relu":
            return model.node("Relu", [name]), np.maximum(exact, 0)
        case "clip":
            low, high = np.float32(0), np.float32(np.abs(exact).max(initial=1) / 2)
            names = [name, model.constant(np.asarray(low)), model.constant(np.asarray(high))]
            return model.node("Clip", names), np.clip(exact, np.float64(low), np.float64(high))
        case _:
            return name, exact


# Forms with QuantizeLinear and DequantizeLinear


def _qdq_conv(model: Model, kind: str) -> Drawn:
    x, w, exact, attributes = _convolution(model)
    names = [model.dequantize(x), model.dequantize(w)]
    match model.pick("none", "integers", "integers", "floats"):
        case "integers":
            bias, numbers = _bias(model, x, w, w.integers.shape[0], exact)
            names.append(model.dequantize(bias))
            exact = exact + numbers.reshape(-1, 1, 1)
        case "floats":
            array = (model.chance.standard_normal(w.integers.shape[0]) * exact.std()).astype(np.float32)
            names.append(model.constant(array))
            exact = exact + array.astype(np.float64).reshape(-1, 1, 1)
        case _:
            pass
    return _quantized(model, kind, *_behind(model, model.node("Conv", names, **attributes), exact))


def _qdq_matmul(model: Model, kind: str) -> Drawn:
    rows, terms, columns = int(model.pick(1, 3, 7)), int(model.pick(1, 5, 33, 64)), int(model.pick(1, 4, 16))
    batch = model.pick((), (), (2,), (2, 3))
    a = model.activation([*batch, rows, terms])
    is_known = model.chance.random() < 0.5
    b = model.weight([terms, columns], 1) if is_known else model.activation([*batch, terms, columns])
    result = model.node("MatMul", [model.dequantize(a), model.dequantize(b)])
    exact = a.numbers @ b.numbers
    if kind == "matmul to floats":
        return _finish(model, kind, result, exact, None, np.float32)
    return _quantized(model, kind, *_behind(model, result, exact))


def _qdq_gemm(model: Model, kind: str) -> Drawn:
    rows, terms, columns = int(model.pick(1, 3)), int(model.pick(5, 40)), int(model.pick(4, 10))
    transposed = bool(model.pick(0, 1, 1))
    x = model.activation([rows, terms])
    w = model.weight([columns, terms] if transposed else [terms, columns], 0 if transposed else 1)
    exact = x.numbers @ (w.numbers.T if transposed else w.numbers)
    names = [model.dequantize(x), model.dequantize(w)]
    if model.pick(0, 1):
        bias, numbers = _bias(model, x, w, columns, exact)
        names.append(model.dequantize(bias))
        exact = exact + numbers
    return _quantized(model, kind, *_behind(model, model.node("Gemm", names, transB=int(transposed)), exact))


def _short(model: Model) -> list[int]:
    return [int(model.pick(1, 2)), int(model.pick(3, 4)), int(model.pick(1, 5)), 6]


def _qdq_binary(model: Model, kind: str) -> Drawn:
    shape = _short(model)
    dtype = model.pick(None, None, "int16")
    a, b = model.activation(shape, dtype), model.activation(model.pick(shape, shape, [shape[1], 1, 1]), dtype)
    operator = model.pick("Add", "Mul", "Sub")
    function: Callable[..., np.ndarray] = {"Add": np.add, "Mul": np.multiply, "Sub": np.subtract}[operator]
    result = model.node(operator, [model.dequantize(a), model.dequantize(b)])
    return _quantized(model, kind, *_behind(model, result, function(a.numbers, b.numbers)))


def _qdq_unary(model: Model, kind: str) -> Drawn:
    x = model.activation(_short(model))
    numbers, name = x.numbers, model.dequantize(x)
    match operator := model.pick("Sigmoid", "Tanh", "LeakyRelu", "HardSwish", "Relu", "Exp", "twice"):
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
        case "Exp":
            numbers = numbers / (np.abs(numbers).max(initial=0) or 1)
            ratio = np.float32(1 / (np.abs(x.numbers).max(initial=0) or 1))
            numbers = x.numbers * np.float64(ratio)
            exact = np.exp(numbers)
            result = model.node(operator, [model.node("Mul", [name, model.constant(np.asarray(ratio))])])
        case _:
            exact = numbers / (1 + np.exp(-numbers))
            result = model.node("Mul", [name, model.node("Sigmoid", [name])])
    return _quantized(model, kind, result, exact)


def _qdq_move(model: Model, kind: str) -> Drawn:
    """A move of elements, to other parameters than before or to the same ones."""
    x = model.activation([1, 4, 4, 6])
    name, numbers = model.dequantize(x), x.numbers
    match model.pick("Transpose", "Reshape", "MaxPool", "Concat", "Slice", "Pad", "Flatten"):
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
            other = model.activation([1, 2, 4, 6], x.integers.dtype.name)
            result = model.node("Concat", [name, model.dequantize(other)], axis=1)
            exact = np.concatenate([numbers, other.numbers], 1)
        case "Slice":
            ends = [model.constant(np.array(each)) for each in ([1], [3], [2])]
            result, exact = model.node("Slice", [name, *ends]), numbers[:, :, 1:3]
        case "Pad":
            result = model.node("Pad", [name, model.constant(np.array([0, 0, 1, 1, 0, 0, 0, 2]))])
            exact = np.pad(numbers, [(0, 0), (0, 0), (1, 0), (1, 2)])
        case _:
            result, exact = model.node("Flatten", [name]), numbers.reshape(1, -1)
    if model.pick(0, 1):
        info = np.iinfo(x.integers.dtype)
        quantized = model.node("QuantizeLinear", [result, *x.names[1:]])
        quanta = _quanta(exact, x.scale, x.zero)
        return _finish(model, kind, quantized, quanta, (int(info.min), int(info.max)), x.integers.dtype)
    return _quantized(model, kind, result, exact)


def _pooled(model: Model, numbers: np.ndarray) -> tuple[np.ndarray, dict[str, Any]]:
    """The mean of each window, of elements of the image alone or of all."""
    counts_all = int(model.pick(0, 1))
    pads, strides = [int(model.pick(0, 1)) for _ in range(4)], [int(model.pick(1, 2)) for _ in range(2)]
    attributes = {"kernel_shape": [2, 3], "pads": pads, "strides": strides, "count_include_pad": counts_all}

    def sums(array: np.ndarray) -> np.ndarray:
        padded = np.pad(array, [(0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])])
        views = np.lib.stride_tricks.sliding_window_view(padded, (2, 3), axis=(2, 3))
        return views[:, :, :: strides[0], :: strides[1]].sum((-1, -2))

    return sums(numbers) / (6 if counts_all else sums(np.ones_like(numbers))), attributes


def _qdq_pool(model: Model, kind: str) -> Drawn:
    x = model.activation([1, int(model.pick(1, 4)), 5, 7])
    name, numbers = model.dequantize(x), x.numbers
    match operator := model.pick("AveragePool", "GlobalAveragePool", "ReduceMean"):
        case "AveragePool":
            exact, attributes = _pooled(model, numbers)
            result = model.node(operator, [name], **attributes)
        case "GlobalAveragePool":
            exact, result = numbers.mean((2, 3), keepdims=True), model.node(operator, [name])
        case _:
            axes = model.constant(np.array([2, 3]))
            exact, result = numbers.mean((2, 3)), model.node(operator, [name, axes], keepdims=0)
    return _quantized(model, kind, result, exact)


def _qdq_residual(model: Model, kind: str) -> Drawn:
    """A convolution whose result is not quantised before another image is added."""
    x, w, exact, attributes = _convolution(model)
    other = model.activation(exact.shape)
    conv = model.node("Conv", [model.dequantize(x), model.dequantize(w)], **attributes)
    result = model.node("Relu", [model.node("Add", [conv, model.dequantize(other)])])
    return _quantized(model, kind, result, np.maximum(exact + other.numbers, 0))


# Operators on quantised numbers


def _q_conv(model: Model, kind: str) -> Drawn:
    x, w, exact, attributes = _convolution(model)
    after: list[str] = []
    if model.pick(0, 1):
        bias, numbers = _bias(model, x, w, w.integers.shape[0], exact)
        after, exact = [bias.names[0]], exact + numbers.reshape(-1, 1, 1)
    dtype = x.integers.dtype.name
    return _one_node(model, kind, "QLinearConv", [*x.names, *w.names], exact, dtype, "", after=after, **attributes)


def _q_matmul(model: Model, kind: str) -> Drawn:
    a = model.activation([int(model.pick(1, 6)), int(model.pick(3, 40))])
    b = model.weight([a.integers.shape[1], int(model.pick(1, 8))], 1)
    exact = a.numbers @ b.numbers
    return _one_node(model, kind, "QLinearMatMul", [*a.names, *b.names], exact, a.integers.dtype.name, "")


def _q_gemm(model: Model, kind: str) -> Drawn:
    a = model.activation([int(model.pick(1, 6)), int(model.pick(3, 40))])
    transposed, columns = int(model.pick(0, 1)), int(model.pick(2, 8))
    sizes = [columns, a.integers.shape[1]]
    b = model.weight(sizes if transposed else sizes[::-1], 1 - transposed)
    exact = a.numbers @ (b.numbers.T if transposed else b.numbers)
    bias, numbers = _bias(model, a, b, columns, exact)
    names, dtype = [*a.names, *b.names, bias.names[0]], a.integers.dtype.name
    return _one_node(model, kind, "QGemm", names, exact + numbers, dtype, MICROSOFT, transB=transposed)


def _q_binary(model: Model, kind: str) -> Drawn:
    shape, dtype = _short(model), model.pick("uint8", "int8")
    a, b = model.activation(shape, dtype), model.activation(model.pick(shape, [shape[1], 1, 1]), dtype)
    operator = model.pick("Add", "Mul")
    exact = a.numbers + b.numbers if operator == "Add" else a.numbers * b.numbers
    return _one_node(model, kind, f"QLinear{operator}", [*a.names, *b.names], exact, dtype, MICROSOFT)


def _q_unary(model: Model, kind: str) -> Drawn:
    x = model.activation(_short(model))
    numbers, dtype = x.numbers, x.integers.dtype.name
    if model.pick(0, 1):
        exact = np.where(numbers < 0, numbers * np.float64(np.float32(0.2)), numbers)
        return _one_node(model, kind, "QLinearLeakyRelu", x.names, exact, dtype, MICROSOFT, alpha=0.2)
    return _one_node(model, kind, "QLinearSigmoid", x.names, 1 / (1 + np.exp(-numbers)), dtype, MICROSOFT)


def _q_pool(model: Model, kind: str) -> Drawn:
    x = model.activation([1, int(model.pick(1, 4)), 5, 7])
    dtype = x.integers.dtype.name
    if model.pick(0, 1):
        exact = x.numbers.mean((2, 3), keepdims=True)
        return _one_node(model, kind, "QLinearGlobalAveragePool", x.names, exact, dtype, MICROSOFT, channels_last=0)
    exact, attributes = _pooled(model, x.numbers)
    return _one_node(model, kind, "QLinearAveragePool", x.names, exact, dtype, MICROSOFT, **attributes)


def _q_concat(model: Model, kind: str) -> Drawn:
    dtype = model.pick("uint8", "int8")
    parts = [model.activation([1, count, 2, 5], dtype) for count in (2, 3, 1)]
    exact = np.concatenate([part.numbers for part in parts], 1)
    scale, zero = _parameters(model, exact, dtype)
    names = [model.constant(scale), model.constant(zero), *(name for part in parts for name in part.names)]
    result = model.node("QLinearConcat", names, MICROSOFT, axis=1)
    info = np.iinfo(dtype)
    return _finish(model, kind, result, _quanta(exact, scale, zero), (int(info.min), int(info.max)), dtype)


# Activations that are quantised by their range


def _matmul_integer(model: Model, kind: str) -> Drawn:
    dtypes = model.pick(("uint8", "int8"), ("uint8", "uint8"), ("int8", "int8"))
    shape = model.pick([3, 33], [2, 3, 7])
    a = model.activation(shape, dtypes[0])
    columns = int(model.pick(1, 8))
    is_known = bool(model.pick(0, 1, 1))
    b = (
        model.weight([shape[-1], columns], 1, dtypes[1])
        if is_known
        else model.activation([shape[-1], columns], dtypes[1])
    )
    zeros = [each.integers.astype(np.int64) - each.zero.astype(np.int64) for each in (a, b)]
    result = model.node("MatMulInteger", [a.names[0], b.names[0], a.names[2], b.names[2]])
    return _finish(model, kind, result, (zeros[0] @ zeros[1]).astype(np.float64), _INT32, np.int32)


_INT32 = (-(2**31), 2**31 - 1)


def _dynamic(model: Model, kind: str, shape: Sequence[int]) -> tuple[list[str], np.ndarray, np.float64]:
    """DynamicQuantizeLinear of an input: its results, the integers less their zero point, and the scale."""
    x = (model.chance.standard_normal(shape) * 3 + model.pick(0, 0, 5, -5)).astype(np.float32)
    name = model.name("x")
    model.inputs[name] = x
    names = [model.name("q") for _ in range(3)]
    model.nodes.append(helper.make_node("DynamicQuantizeLinear", [name], names, name=names[0]))
    high, low = np.maximum(x.max(), np.float32(0)), np.minimum(x.min(), np.float32(0))
    scale = (high - low) / np.float32(255)
    zero = np.clip(np.rint(-low / scale), 0, 255)
    return names, np.clip(np.rint(x / scale) + zero, 0, 255).astype(np.int64) - int(zero), np.float64(scale)


def _dynamic_conv(model: Model, kind: str) -> Drawn:
    attributes, kernel, sizes = _window(model)
    groups, sizes[1], outputs = _channels(model, attributes)
    names, x, _ = _dynamic(model, kind, sizes)
    dtype = "uint8"
    w = model.weight([outputs, sizes[1] // groups, *kernel], 0, dtype)
    zero = np.asarray(w.zero.reshape(-1)[0])
    exact = _convolved(x.astype(np.float64), w.integers.astype(np.float64) - np.float64(zero), attributes)
    result = model.node("ConvInteger", [names[0], w.names[0], names[2], model.constant(zero)], **attributes)
    return _finish(model, kind, result, exact, _INT32, np.int32)


def _dynamic_product(model: Model, kind: str) -> Drawn:
    """DynamicQuantizeLinear, MatMulInteger and a multiplication by scales; or one operator for all."""
    shape, columns = model.pick([4, 33], [2, 3, 8]), int(model.pick(1, 6))
    if model.pick(0, 1):
        names, x, scale = _dynamic(model, kind, shape)
        w = model.weight([shape[-1], columns], 1)
        total = model.node("MatMulInteger", [names[0], w.names[0], names[2], w.names[2]])
        factor = model.node("Mul", [names[1], w.names[1]])
        result = model.node("Mul", [model.node("Cast", [total], to=onnx.TensorProto.FLOAT), factor])
    else:
        names, x, scale = _dynamic(model, kind, shape)
        model.nodes.pop()
        w = model.weight([shape[-1], columns], 1)
        given = next(iter(name for name in model.inputs))
        result = model.node("DynamicQuantizeMatMul", [given, *w.names], MICROSOFT)
    return _finish(model, kind, result, (x * scale) @ w.numbers, None, np.float32)


def _to_float(model: Model, kind: str) -> Drawn:
    a = model.activation([3, 20], "uint8")
    b = model.weight([20, 6], 1)
    names = [a.names[0], b.names[0], a.names[1], b.names[1], a.names[2], b.names[2]]
    result = model.node("MatMulIntegerToFloat", names, MICROSOFT)
    return _finish(model, kind, result, a.numbers @ b.numbers, None, np.float32)


KINDS: dict[str, Callable[[Model, str], Drawn]] = {
    "conv": _qdq_conv,
    "matmul": _qdq_matmul,
    "gemm": _qdq_gemm,
    "add, mul or sub": _qdq_binary,
    "function": _qdq_unary,
    "move": _qdq_move,
    "mean": _qdq_pool,
    "residual": _qdq_residual,
    "matmul to floats": _qdq_matmul,
    "QLinearConv": _q_conv,
    "QLinearMatMul": _q_matmul,
    "QGemm": _q_gemm,
    "QLinearAdd or QLinearMul": _q_binary,
    "QLinearLeakyRelu or QLinearSigmoid": _q_unary,
    "QLinearAveragePool": _q_pool,
    "QLinearConcat": _q_concat,
    "MatMulInteger": _matmul_integer,
    "ConvInteger": _dynamic_conv,
    "DynamicQuantizeMatMul": _dynamic_product,
    "MatMulIntegerToFloat": _to_float,
}
"""The kinds of models; the numbers of draws go through them."""
