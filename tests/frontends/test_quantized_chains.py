"""Operators between DequantizeLinear and QuantizeLinear: values of those that stay on integers, reasons of others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import helper
from tilewright.diagnostics.remarks import collect_remarks
from tilewright.dialects import context, graph
from tilewright.frontends.onnx import import_model
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.passes.phase0.integer_products.numbers import Reason
from tilewright.semantics import evaluate
from xdsl.dialects.builtin import ModuleOp

from .models import model_of

_rng = np.random.default_rng(0)
SHAPE = (1, 4, 6, 6)
INPUTS = {"x": SHAPE, "y": SHAPE, "b": (4, 1, 1)}
PARAMETERS = {"x": (0.05, 3), "y": (0.031, 100), "b": (0.02, 0)}
RESULT = (np.float32(0.043), 7)
TIE = 1e-4
"""The distance to a tie, in quanta, within which float32 may round to either side."""

Step = tuple[str, str, dict[str, Any]]
"""An operator, its inputs but for the step before it, and attributes. The input "=name" is a constant, "-" is none."""


def real(*shape: int) -> np.ndarray:
    return (_rng.random(shape) - 0.4).astype(np.float32)


def ints(*values: int) -> np.ndarray:
    return np.array(values)


def reals(*values: float) -> np.ndarray:
    return np.array(values if len(values) > 1 else values[0], np.float32)


CONSTANTS: dict[str, np.ndarray] = {
    "zero": reals(0), "six": reals(6), "two": reals(2), "slope": real(4, 1, 1), "axes": ints(2, 3), "channel": ints(1),
    "twice": reals(1, 1, 2, 2), "margin": ints(0, 0, 1, 1, 0, 0, 1, 1), "small": reals(0.37), "flat": ints(1, -1),
    "one": ints(1), "three": ints(3), "order": ints(1, 0), "sizes": ints(1, 4, 6, 6), "copies": ints(1, 1, 2, 2),
    "sliced": real(1, 2, 6, 6), "bias": real(5), "row": real(6), "channels": real(4),
}  # fmt: skip
QUANTIZED = {
    "q_zero": (reals(0), None), "q_six": (reals(6), None), "q_vector": (real(4, 1, 1) + 1, None),
    "q_value": (reals(0.37), None), "q_square": (real(4, 4, 1, 1), 0), "q_kernel": (real(4, 3, 2, 2), None),
    "q_channels": (real(4, 3, 2, 2), 1), "q_matrix": (real(144, 5), None), "q_turned": (real(5, 144), 0),
    "q_column": (real(4, 5), None),
}  # fmt: skip
"""Weights, and the axis that has scales of its own."""

UNARY = [
    *(
        (name, {})
        for name in [
            "Abs",
            "Elu",
            "Erf",
            "Exp",
            "Gelu",
            "HardSigmoid",
            "HardSwish",
            "LeakyRelu",
            "Neg",
            "Relu",
            "Sigmoid",
        ]
    ),
    *((name, {}) for name in ["Softplus", "Tanh", "GlobalAveragePool", "GlobalMaxPool", "Flatten"]),
    ("Transpose", {"perm": [0, 2, 3, 1]}),
    ("DepthToSpace", {"blocksize": 2}),
    ("MaxPool", {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1], "strides": [2, 2]}),
    *(
        ("AveragePool", {"kernel_shape": [3, 3], "strides": [2, 2], **rest})
        for rest in ({}, {"pads": [1] * 4}, {"pads": [1] * 4, "count_include_pad": 1}, {"ceil_mode": 1})
    ),
]

BINARY = ("Add", "Sub", "Mul", "Max", "Min")

CHAINS: list[list[Step]] = [
    *([(name, "x", rest)] for name, rest in UNARY),
    *([(name, inputs, {})] for name in BINARY for inputs in ("x y", "b x", "x x", "x =slope", "x q_vector")),
    [("Div", "x =slope", {})],
    [("Div", "x q_vector", {})],
    [("HardSigmoid", "x", {}), ("QDQ", "", {}), ("Mul", "x", {})],
    [("Sigmoid", "x", {}), ("QDQ", "", {}), ("Mul", "x", {})],
    [("Add", "x y", {}), ("Relu", "", {})],
    [("Mul", "x =slope", {}), ("Add", "=slope", {}), ("Clip", "=zero =six", {})],
    [("PRelu", "x =small", {})],
    [("Pow", "x =two", {})],
    *([("Clip", f"x {bounds}", {})] for bounds in ("=zero =six", "q_zero q_six", "=zero", "- =six")),
    *([("Concat", inputs, {"axis": 1})] for inputs in ("x y", "x y x", "x =sliced")),
    *([(f"Reduce{name}", "x =axes", {"keepdims": name != "Max"})] for name in ("Max", "Min", "Mean", "Sum")),
    *([("Resize", "x - =twice", {"mode": mode})] for mode in ("nearest", "linear")),
    *([("Pad", f"x =margin {value}", {})] for value in ("", "=small", "q_value")),
    *([("Pad", "x =margin", {"mode": mode})] for mode in ("reflect", "edge")),
    [("Reshape", "x =flat", {})],
    [("Slice", "x =one =three =channel", {})],
    [("Split", "x", {"axis": 1, "num_outputs": 2})],
    [("Gather", "x =order", {"axis": 1})],
    [("Where", "t x y", {})],
    [("Where", "t x =zero", {})],
    [("Expand", "b =sizes", {})],
    [("Tile", "x =copies", {})],
    [("TopK", "x =channel", {"axis": 1})],
    [("Conv", "x q_square", {"pads": [1, 1, 0, 0]})],
    [("Conv", "x q_square", {}), ("Mul", "=slope", {}), ("Relu", "", {})],
    *([("ConvTranspose", f"x {kernel}", {"strides": [2, 2]})] for kernel in ("q_kernel", "q_channels")),
    [("Flatten", "x", {}), ("Gemm", "q_matrix =bias", {"alpha": 0.5})],
    [("Flatten", "x", {}), ("Gemm", "q_turned =bias", {"beta": 0.5, "transB": 1})],
    [("Flatten", "x", {"axis": 2}), ("Gemm", "q_column", {"transA": 1})],
    [("MatMul", "x y", {})],
    [("Relu", "x", {}), ("QDQ", "", {}), ("Add", "x", {})],
]  # fmt: skip

LEFT: list[tuple[list[Step], Reason]] = [
    ([("Softmax", "x", {"axis": 1})], Reason.NO_FORM),
    ([("LayerNormalization", "x =row", {})], Reason.NO_FORM),
    ([("Div", "x y", {})], Reason.NO_FORM),
    ([("Einsum", "x y", {"equation": "nchw,nchv->ncwv"})], Reason.NO_FORM),
    ([("Cast", "x", {"to": onnx.TensorProto.FLOAT16}), ("Relu", "", {}), ("Cast", "", {"to": 1})], Reason.MOVED),
]


class _Chain:
    """The model of a chain between conversions."""

    def __init__(self, dtype: str) -> None:
        self.dtype = dtype
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, np.ndarray] = {}
        self.known: set[str] = set()

    def parameters(self, name: str, scale: float, zero: int, dtype: str) -> list[str]:
        self.constants |= {f"{name}_s": np.asarray(scale, np.float32), f"{name}_z": np.asarray(zero, dtype)}
        return [f"{name}_s", f"{name}_z"]

    def add(self, operator: str, names: Sequence[str], result: str, **attributes: Any) -> str:
        results = [result, f"{result}_second"] if operator in ("Split", "TopK") else [result]
        self.nodes.append(helper.make_node(operator, list(names), results, **attributes))
        return result

    def value(self, name: str) -> str:
        """Return the name of an input of a step."""
        if name == "-":
            return ""
        if name.startswith("="):
            self.constants[name] = CONSTANTS[name[1:]]
        elif name in INPUTS and name not in self.known:
            self.add("DequantizeLinear", [f"{name}_q", *self.parameters(name, *PARAMETERS[name], self.dtype)], name)
        elif name in QUANTIZED and name not in self.known:
            self._weight(name, *QUANTIZED[name])
        self.known.add(name)
        return name

    def _weight(self, name: str, array: np.ndarray, axis: int | None) -> None:
        around = None if axis is None else tuple(d for d in range(array.ndim) if d != axis)
        scale = np.maximum(np.abs(array).max(around, keepdims=axis is not None), 1e-3) / 127
        self.constants[f"{name}_q"] = np.rint(array / scale).astype(np.int8)
        flat = scale.reshape(-1) if axis is not None else scale
        names = self.parameters(name, flat, np.zeros(flat.shape), "int8")  # pyright: ignore[reportArgumentType]
        self.add("DequantizeLinear", [f"{name}_q", *names], name, **({} if axis is None else {"axis": axis}))

    def model(self, steps: Sequence[Step], with_end: bool) -> onnx.ModelProto:
        last, result = "", self.parameters("r", *RESULT, self.dtype)
        for number, (operator, inputs, attributes) in enumerate(steps):
            if operator == "QDQ":
                between = self.add("QuantizeLinear", [last, *result], f"q{number}")
                last = self.add("DequantizeLinear", [between, *result], f"d{number}")
                continue
            names = [self.value(name) for name in inputs.split()]
            last = self.add(operator, [*([last] if last else []), *names], f"t{number}", **attributes)
        if with_end:
            last = self.add("QuantizeLinear", [last, *result], "end")
        inputs: dict[str, Any] = {f"{k}_q": (self.dtype, INPUTS[k]) for k in INPUTS if k in self.known}
        inputs |= {"t": ("bool", SHAPE)} if "t" in self.known else {}
        return model_of(self.nodes, inputs, [last], self.constants, opset=22, ir_version=10)


def arrays_of(model: onnx.ModelProto, dtype: str) -> list[np.ndarray]:
    rng, info = np.random.default_rng(1), np.iinfo(dtype)
    shapes = [[d.dim_value for d in value.type.tensor_type.shape.dim] for value in model.graph.input]
    names = [value.name for value in model.graph.input]
    return [
        rng.random(shape) > 0.5 if name == "t" else rng.integers(info.min, info.max + 1, shape).astype(dtype)
        for name, shape in zip(names, shapes, strict=True)
    ]


def on_integers(model: onnx.ModelProto) -> tuple[ModuleOp, list[str]]:
    """Return the module of a model after the pass, and the messages about what it left."""
    module = import_model(model)
    with collect_remarks() as remarks:
        PassManager(parse_pipeline("infer-types,integer-products,fold-constant,dead-code")).run(context(), module)
    return module, [r.message for r in remarks if r.code == "TW0793"]


def _named(steps: Sequence[Step]) -> str:
    return " ".join(f"{operator}({inputs})" for operator, inputs, _ in steps)


@pytest.mark.each("steps", CHAINS, ids=map(_named, CHAINS))
def test_chains_stay_on_integers(steps: list[Step]) -> None:
    for dtype in ("uint8", "int8"):
        model = _Chain(dtype).model(steps, with_end=True)
        arrays, (module, left) = arrays_of(model, dtype), on_integers(model)
        assert not left and not [op for op in module.walk() if isinstance(op, graph.DequantizeOp)], left
        (result,) = evaluate(module, *arrays)
        floats = import_model(_Chain(dtype).model(steps, with_end=False))
        quanta = evaluate(floats, *arrays)[0].astype(np.float64) / np.float64(RESULT[0])
        info = np.iinfo(dtype)
        low, high = ((np.rint(quanta + tie) + RESULT[1]).clip(info.min, info.max) for tie in (-TIE, TIE))
        assert result.dtype == dtype and ((result == low) | (result == high)).all()


@pytest.mark.each(("steps", "reason"), LEFT, ids=[_named(steps) for steps, _ in LEFT])
def test_others_have_a_reason(steps: list[Step], reason: Reason) -> None:
    _, left = on_integers(_Chain("uint8").model(steps, with_end=True))
    assert [text.partition(": ")[2] for text in left] == [reason]


def test_the_greatest_is_found_among_integers() -> None:
    for name in ("ArgMax", "ArgMin"):
        chain = _Chain("int8")
        model = chain.model([(name, "x", {"axis": 1})], with_end=False)
        module, left = on_integers(model)
        (x,) = arrays_of(model, "int8")
        (result,) = evaluate(module, x)
        found = x.argmax(1) if name == "ArgMax" else x.argmin(1)
        np.testing.assert_array_equal(result.squeeze(1), found)
        assert not left and not [op for op in module.walk() if isinstance(op, graph.DequantizeOp)]
