"""DynamicQuantizeLinear and the products behind it: equal to onnxruntime's integers, for any number of rows."""

from __future__ import annotations

import numpy as np
import onnx
import onnx.parser
import onnxruntime
import pytest
import tilewright
from onnx import numpy_helper
from tilewright.dialects import context, graph
from tilewright.frontends.onnx import import_model
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline

LEVEL_3 = "llvm -mcpu=x86-64-v3 -caches=32K,512K,8M -threads=2"
WEIGHTS = {"int8": (-127, 128), "uint8": (0, 256)}


def quantized_product(rows: str, terms: int, columns: int, weight: str = "int8") -> onnx.ModelProto:
    """Return a matrix of floats, quantised by its range, times a constant one, as onnxruntime's quantiser writes it."""
    shape, result = f"1, {rows}, {terms}", f"1, {rows}, {columns}"
    found = onnx.parser.parse_model(
        f'<ir_version: 8, opset_import: ["" : 17]> g (float[{shape}] x) => '
        f"(uint8[{shape}] q, float s, uint8 z, int32[{result}] p, float[{result}] y) {{"
        "q, s, z = DynamicQuantizeLinear(x) p = MatMulInteger(q, w, z, v) f = Cast<to = 1>(p) "
        "t = Mul(s, c) m = Mul(f, t) y = Add(m, b) }"
    )
    rng = np.random.default_rng(terms)
    low, high = WEIGHTS[weight]
    for name, array in {
        "w": rng.integers(low, high, (terms, columns)).astype(weight),
        "v": np.array(0 if weight == "int8" else 131, weight),
        "c": np.array(0.013, np.float32),
        "b": rng.standard_normal(columns).astype(np.float32),
    }.items():
        found.graph.initializer.append(numpy_helper.from_array(array, name))
    return found


def session_of(model: onnx.ModelProto) -> onnxruntime.InferenceSession:
    """Return a session without the form of 16 bits, which would saturate sums of large weights."""
    options = onnxruntime.SessionOptions()
    options.add_session_config_entry("session.x64quantprecision", "1")
    return onnxruntime.InferenceSession(model.SerializeToString(), options)


def drawn(kind: str, rows: int, terms: int) -> np.ndarray:
    """Return floats of one sign, of both, next to ties of rounding, nothing but zeros."""
    x = np.random.default_rng(rows).standard_normal((1, rows, terms)).astype(np.float32)
    if kind == "positive":
        return np.abs(x) + np.float32(3)
    if kind == "negative":
        return -np.abs(x) - np.float32(0.5)
    if kind == "ties":  # the range is 255 halves, so that every odd number of quarters is one
        whole = np.round(x * 8).astype(np.float32) / np.float32(4)
        whole[0, 0, :2] = -63.75, 63.75
        return whole
    return x if kind == "both" else np.zeros_like(x)


KINDS = ("both", "positive", "negative", "ties", "zeros")


def check(program: object, session: onnxruntime.InferenceSession, x: np.ndarray) -> None:
    wanted = session.run(None, {"x": x})
    results = [np.asarray(each) for each in program(x)]  # pyright: ignore
    for found, expected, name in zip(results[:4], wanted[:4], ("quantised", "scale", "zero", "sums"), strict=True):
        np.testing.assert_array_equal(found, expected, err_msg=name)
    np.testing.assert_allclose(results[4], wanted[4], rtol=1e-6, atol=1e-5)


@pytest.mark.parametrize("threads", [1, 2])
def test_open_rows(threads: int) -> None:
    """Of all remainders of register tiles."""
    for terms, columns, weight in ((64, 48, "int8"), (30, 37, "uint8")):
        model = quantized_product("n", terms, columns, weight)
        program, session = tilewright.compile(model, target=LEVEL_3, threads=threads), session_of(model)
        for rows in (*range(1, 10), 33, 200):
            check(program, session, drawn("both", rows, terms))
        for kind in KINDS:
            check(program, session, drawn(kind, 5, terms))


def test_known_rows() -> None:
    for rows in (1, 5, 64):
        model = quantized_product(str(rows), 64, 48)
        program, session = tilewright.compile(model, target=LEVEL_3), session_of(model)
        for kind in KINDS:
            check(program, session, drawn(kind, rows, 64))


@pytest.mark.each(("rows", "axes"), [("8", (0, 1, 2)), ("n", (2,))])
def test_the_range_is_read_once(rows: str, axes: tuple[int, ...]) -> None:
    module = import_model(quantized_product(rows, 64, 48))
    PassManager(parse_pipeline("infer-types,join-extremes,dead-code")).run(context(), module)
    (range_,) = [op for op in module.walk() if isinstance(op, graph.ReduceRangeOp)]
    assert range_.axes.get_values() == axes
    others = [op for op in module.walk() if isinstance(op, (graph.ReduceMinOp, graph.ReduceMaxOp))]
    assert all(op.x in range_.results for op in others)
