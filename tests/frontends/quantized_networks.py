"""Small networks, and their forms as onnxruntime's quantiser writes them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_dynamic, quantize_static


class _Network:
    """Nodes and seeded weights of a network of one input and one output."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def weight(self, *shape: int) -> str:
        terms = int(np.prod(shape[1:])) if len(shape) == 4 else shape[0]
        return self.constant((self.random.standard_normal(shape) / np.sqrt(terms)).astype(np.float32))

    def constant(self, array: Any) -> str:
        name = f"w{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def node(self, operator: str, *inputs: str, **attributes: Any) -> str:
        name = f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, list(inputs), [name], name=name, **attributes))
        return name

    def model(self, shape: list[int], result: str, out: list[int], dtype: int = TensorProto.FLOAT) -> onnx.ModelProto:
        inputs = [helper.make_tensor_value_info("x", dtype, shape)]
        outputs = [helper.make_tensor_value_info(result, TensorProto.FLOAT, out)]
        graph = helper.make_graph(self.nodes, "network", inputs, outputs, self.constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def residual() -> onnx.ModelProto:
    """Return convolutions, pooling, a residual sum and a classifier, as in ResNet."""
    made = _Network(1)
    conv = made.node("Conv", "x", made.weight(8, 3, 3, 3), made.weight(8), pads=[1, 1, 1, 1], strides=[2, 2])
    pooled = made.node("MaxPool", made.node("Relu", conv), kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[2, 2])
    first = made.node("Conv", pooled, made.weight(8, 8, 3, 3), made.weight(8), pads=[1, 1, 1, 1])
    second = made.node("Conv", made.node("Relu", first), made.weight(16, 8, 1, 1), made.weight(16))
    short = made.node("Conv", pooled, made.weight(16, 8, 1, 1))
    total = made.node("Relu", made.node("Add", second, short))
    flat = made.node("Flatten", made.node("GlobalAveragePool", total))
    return made.model([1, 3, 24, 24], made.node("Gemm", flat, made.weight(10, 16), made.weight(10), transB=1), [1, 10])


def mobile() -> onnx.ModelProto:
    """Return depthwise convolutions, squeeze and excitation, and activations bounded by 6, as in MobileNet."""
    made = _Network(2)
    low, high = made.constant(np.float32(0)), made.constant(np.float32(6))
    conv = made.node("Conv", "x", made.weight(8, 3, 3, 3), made.weight(8), pads=[1, 1, 1, 1], strides=[2, 2])
    clipped = made.node("Clip", conv, low, high)
    deep = made.node("Conv", clipped, made.weight(8, 1, 3, 3), made.weight(8), pads=[1, 1, 1, 1], group=8)
    deep = made.node("Clip", deep, low, high)
    mean = made.node("GlobalAveragePool", deep)
    gate = made.node("Sigmoid", made.node("Conv", mean, made.weight(8, 8, 1, 1), made.weight(8)))
    scaled = made.node("Mul", deep, gate)
    joined = made.node("Concat", made.node("Conv", scaled, made.weight(8, 8, 1, 1)), clipped, axis=1)
    pooled = made.node("AveragePool", joined, kernel_shape=[2, 2], strides=[2, 2])
    flat = made.node("Flatten", made.node("GlobalAveragePool", made.node("LeakyRelu", pooled, alpha=0.1)))
    return made.model([1, 3, 16, 16], made.node("Gemm", flat, made.weight(5, 16), made.weight(5), transB=1), [1, 5])


def encoder() -> onnx.ModelProto:
    """Return a layer of attention and one of products with gelu between them, as in BERT."""
    made, heads, width = _Network(3), 2, 16

    def projected(x: str, columns: int, rows: int = width) -> str:
        product = made.node("MatMul", x, made.weight(rows, columns))
        return made.node("Add", product, made.constant(made.random.standard_normal(columns).astype(np.float32)))

    def split(x: str, order: list[int]) -> str:
        return made.node("Transpose", made.node("Reshape", x, sizes), perm=order)

    sizes = made.constant(np.array([1, 6, heads, width // heads]))
    query, key, value = (projected("x", width) for _ in range(3))
    scores = made.node("MatMul", split(query, [0, 2, 1, 3]), split(key, [0, 2, 3, 1]))
    weights = made.node("Softmax", made.node("Div", scores, made.constant(np.float32(8**0.5))), axis=-1)
    read = made.node("Transpose", made.node("MatMul", weights, split(value, [0, 2, 1, 3])), perm=[0, 2, 1, 3])
    total = made.node("Add", "x", projected(made.node("Reshape", read, made.constant(np.array([1, 6, width]))), width))
    ones, zeros = made.constant(np.ones(width, np.float32)), made.constant(np.zeros(width, np.float32))
    normal = made.node("LayerNormalization", total, ones, zeros, axis=-1)
    wide = projected(normal, 2 * width)
    erf = made.node("Erf", made.node("Div", wide, made.constant(np.float32(2**0.5))))
    half = made.node("Mul", wide, made.node("Add", erf, made.constant(np.float32(1))))
    result = projected(made.node("Mul", half, made.constant(np.float32(0.5))), width, 2 * width)
    return made.model([1, 6, width], result, [1, 6, width])


def inverted() -> onnx.ModelProto:
    """Return two inverted residuals of MobileNetV2 as torch exports them: the second one is added to its input."""
    made = _Network(4)
    low, high = made.constant(np.float32(0)), made.constant(np.float32(6))

    def conv(x: str, inputs: int, outputs: int, stride: int = 1, is_deep: bool = False) -> str:
        kernel = 3 if is_deep else 1
        weights = made.weight(outputs, 1 if is_deep else inputs, kernel, kernel)
        attributes = {"group": inputs if is_deep else 1, "pads": [kernel // 2] * 4, "strides": [stride] * 2}
        return made.node("Conv", x, weights, made.weight(outputs), **attributes)

    def block(x: str, inputs: int, outputs: int, stride: int) -> str:
        wide = made.node("Clip", conv(x, inputs, 6 * inputs), low, high)
        deep = made.node("Clip", conv(wide, 6 * inputs, 6 * inputs, stride, is_deep=True), low, high)
        return conv(deep, 6 * inputs, outputs)

    stem = made.node("Conv", "x", made.weight(8, 3, 3, 3), made.weight(8), pads=[1, 1, 1, 1], strides=[2, 2])
    first = block(made.node("Clip", stem, low, high), 8, 12, 2)
    total = made.node("Add", first, block(first, 12, 12, 1))
    last = made.node("Clip", conv(total, 12, 40), low, high)
    mean = made.node("ReduceMean", last, axes=[2, 3], keepdims=0)
    return made.model([1, 3, 20, 20], made.node("Gemm", mean, made.weight(10, 40), made.weight(10), transB=1), [1, 10])


TOKENS = 30


def bert() -> onnx.ModelProto:
    """Return embeddings, a layer of attention with a mask and one of products, and the pooler of BERT, from tokens."""
    made, heads, width, length = _Network(5), 2, 16, 6

    def normal(x: str) -> str:
        scale, shift = (made.constant(made.random.standard_normal(width).astype(np.float32)) for _ in range(2))
        return made.node("LayerNormalization", x, scale, shift, axis=-1, epsilon=1e-12)

    def linear(x: str, columns: int, rows: int = width) -> str:
        bias = made.constant(made.random.standard_normal(columns).astype(np.float32))
        return made.node("Add", made.node("MatMul", x, made.weight(rows, columns)), bias)

    def split(x: str) -> str:
        return made.node("Transpose", made.node("Reshape", x, sizes), perm=[0, 2, 1, 3])

    sizes = made.constant(np.array([0, 0, heads, width // heads]))
    words = made.node("Gather", made.constant(made.random.standard_normal((TOKENS, width)).astype(np.float32)), "x")
    positions = made.constant(made.random.standard_normal((1, length, width)).astype(np.float32))
    x = normal(made.node("Add", words, positions))
    query, key, value = (split(linear(x, width)) for _ in range(3))
    key = made.node("Mul", made.node("Transpose", key, perm=[0, 1, 3, 2]), made.constant(np.float32(8**-0.5)))
    padding = made.node("Equal", "x", made.constant(np.array(0)))
    penalty = made.node("Where", padding, made.constant(np.float32(-1e4)), made.constant(np.float32(0)))
    penalty = made.node("Unsqueeze", penalty, made.constant(np.array([1, 2])))
    weights = made.node("Softmax", made.node("Add", made.node("MatMul", query, key), penalty), axis=-1)
    read = made.node("Transpose", made.node("MatMul", weights, value), perm=[0, 2, 1, 3])
    read = made.node("Reshape", read, made.constant(np.array([0, 0, width])))
    x = normal(made.node("Add", linear(read, width), x))
    wide = linear(x, 4 * width)
    erf = made.node("Erf", made.node("Div", wide, made.constant(np.float32(2**0.5))))
    gelu = made.node("Mul", wide, made.node("Add", erf, made.constant(np.float32(1))))
    gelu = made.node("Mul", gelu, made.constant(np.float32(0.5)))
    x = normal(made.node("Add", linear(gelu, width, 4 * width), x))
    first = made.node("Gather", x, made.constant(np.array(0)), axis=1)
    pooled = made.node("Tanh", made.node("Gemm", first, made.weight(width, width), made.weight(width), transB=1))
    return made.model([2, length], pooled, [2, width], TensorProto.INT64)


NETWORKS = {"residual": residual, "mobile": mobile, "encoder": encoder, "inverted": inverted, "bert": bert}


def drawn(model: onnx.ModelProto, seed: int) -> dict[str, np.ndarray]:
    """Return random numbers, or tokens, for the one input of a network."""
    (given,) = model.graph.input
    shape = [size.dim_value for size in given.type.tensor_type.shape.dim]
    random = np.random.default_rng(seed)
    if given.type.tensor_type.elem_type == TensorProto.INT64:
        return {given.name: random.integers(0, TOKENS, shape)}
    return {given.name: random.standard_normal(shape).astype(np.float32)}


QUANTIZED = "quantized.onnx"


class _Samples(CalibrationDataReader):
    def __init__(self, model: onnx.ModelProto) -> None:
        self.rows: Iterator[dict[str, np.ndarray]] = iter([drawn(model, seed) for seed in range(50, 54)])

    def get_next(self) -> dict[str, np.ndarray] | None:  # pyright: ignore[reportIncompatibleMethodOverride]
        return next(self.rows, None)


def quantized(model: onnx.ModelProto, form: str, folder: Path, **options: Any) -> onnx.ModelProto:
    """Return a network in the form QDQ, QOperator or dynamic, which `folder / QUANTIZED` holds too."""
    source, target = folder / "float.onnx", folder / QUANTIZED
    onnx.save(model, source)
    if form == "dynamic":
        quantize_dynamic(source, target, **options)
    else:
        kind = QuantFormat.QDQ if form == "QDQ" else QuantFormat.QOperator
        options = {"activation_type": QuantType.QUInt8, "weight_type": QuantType.QInt8, **options}
        quantize_static(source, target, _Samples(model), quant_format=kind, **options)
    return onnx.load(target)
