"""Whole models as C files, compiled without warnings by each compiler and run beside onnxruntime."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
import onnx.parser
import pytest
from tilewright.diagnostics import TilewrightError

from .models import COMPILERS, CModel, onnxruntime_results, written

RNG = np.random.default_rng(3)


def parsed(text: str) -> onnx.ModelProto:
    return onnx.parser.parse_model(f'<ir_version: 10, opset_import: ["" : 21]>\n{text}')


def normal(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape).astype(np.float32)


QUANTISED = """g (float[n, 3, 8, 8] x) => (float[n, 4, 6, 6] y)
<float s = {0.05}, uint8 z = {128}, float ws = {0.02}, int8 wz = {0}, float ys = {0.1}, uint8 yz = {120}> {
  q = QuantizeLinear(x, s, z)
  d = DequantizeLinear(q, s, z)
  flat = Constant<value_floats = FLATS>()
  shape = Constant<value_ints = [4, 3, 3, 3]>()
  f = Reshape(flat, shape)
  wq = QuantizeLinear(f, ws, wz)
  w = DequantizeLinear(wq, ws, wz)
  c = Conv(d, w)
  r = Relu(c)
  o = QuantizeLinear(r, ys, yz)
  y = DequantizeLinear(o, ys, yz)
}""".replace("FLATS", str([round(float(v), 3) for v in RNG.standard_normal(108)]))

MODELS: dict[str, tuple[str, list[dict[str, np.ndarray]]]] = {
    "softmax": (
        "g (float[n, m] x) => (float[n, m] y) { y = Softmax<axis=1>(x) }",
        [{"x": normal(3, 7)}, {"x": normal(1, 1)}, {"x": normal(9, 64)}],
    ),
    "products": (
        """g (float[n, 64] x, float[64, k] w) => (float[n, k] y, float[n] z) <int64[1] one = {1}> {
           a = MatMul(x, w) b = Tanh(a) y = Softmax<axis=1>(b) z = ReduceSum<keepdims=0>(b, one) }""",
        [{"x": normal(n, 64), "w": normal(64, k)} for n, k in ((1, 1), (5, 9), (33, 20))],
    ),
    "take": (
        "g (float[8, 4] x, int64[n] i) => (float[n, 4] y) { y = Gather(x, i) }",
        [{"x": normal(8, 4), "i": np.array([7, 0, -1], np.int64)}, {"x": normal(8, 4), "i": np.zeros(0, np.int64)}],
    ),
    "convolution": (
        "g (float[1, 3, h, w] x, float[8, 3, 3, 3] k) => (float[1, 8, a, b] y) { y = Conv(x, k) }",
        [{"x": normal(1, 3, *hw), "k": normal(8, 3, 3, 3)} for hw in ((3, 3), (9, 12), (16, 5))],
    ),
    "loop": (
        """g (float[4] x) => (float[4] y, float[k, 4] s) <int64 n = {5}> {
           c = Constant<value_int = 1>()
           t = Cast<to = 9>(c)
           y, s = Loop (n, t, x) <body = body (int64 i, bool cin, float[4] a) => (bool cout, float[4] b, float[4] o)
             { cout = Identity(cin) b = Tanh(a) o = Add(a, b) }> }""",
        [{"x": normal(4)}],
    ),
    "halves": (
        "g (float16[n] x) => (float16[n] y, bool[n] z) { y = Add(x, x) z = Greater(y, x) }",
        [{"x": normal(n).astype(np.float16)} for n in (1, 17)],
    ),
    "integers": (
        """g (int64[n] x, uint8[n] b) => (int64[n] y, uint8[n] c)
           <int64[3] k = {-9223372036854775808, 9223372036854775807, 5}, int64[1] one = {1}> {
           m = ReduceMax<keepdims = 1>(k) a = Div(m, x) y = Add(a, x) c = BitShift<direction = "LEFT">(b, b) }""",
        [{"x": np.array([3, -7, 1, 9], np.int64), "b": np.array([1, 2, 7, 3], np.uint8)}],
    ),
    "quantised": (QUANTISED, [{"x": normal(n, 3, 8, 8)} for n in (1, 3)]),
    "recurrent": (
        """g (float[s, 2, 4] x, float[1, 12, 4] w, float[1, 12, 3] r) => (float[s, 1, 2, 3] y, float[1, 2, 3] h)
           { y, h = GRU<hidden_size = 3>(x, w, r) }""",
        [{"x": normal(s, 2, 4), "w": normal(1, 9, 4), "r": normal(1, 9, 3)} for s in (1, 4)],
    ),
}
MODELS["recurrent"] = (MODELS["recurrent"][0].replace("12", "9"), MODELS["recurrent"][1])


def called(program: CModel, inputs: Mapping[str, np.ndarray], expected: list[np.ndarray]) -> list[np.ndarray]:
    """The outputs of a call with inputs in the order of the model's; open sizes are read off by their names."""
    names = [name for name, _ in program.inputs_type._fields_]
    arrays = dict(zip(names, map(np.ascontiguousarray, inputs.values()), strict=False))
    shapes = iter_sizes(program.header, arrays)
    outputs = [np.full(e.shape, 77, e.dtype) for e in expected]
    results = dict(zip([name for name, _ in program.outputs_type._fields_], outputs, strict=False))
    status = program.status({**arrays, **shapes}, results)
    assert status == 0, program.message(status)
    return outputs


def iter_sizes(header: str, arrays: Mapping[str, np.ndarray]) -> dict[str, int]:
    """The open sizes that the comments of a header name as dimensions of inputs."""
    import re

    sizes: dict[str, int] = {}
    for name, array in arrays.items():
        shape = re.search(rf"\*{name};  /\* .*?\[(.*?)\] \*/", header)
        for text, size in zip(shape[1].split(", ") if shape and shape[1] else (), array.shape, strict=True):
            if text.isidentifier():
                sizes[text] = size
    return sizes


@pytest.mark.parametrize("compiler", COMPILERS)
def test_models_beside_onnxruntime(tmp_path: Path, compiler: str) -> None:
    failures: list[str] = []
    for name, (text, calls) in MODELS.items():
        model = parsed(text)
        written(model, tmp_path / f"{name}.c")
        program = CModel(tmp_path / f"{name}.c", compiler, ("-O1",))
        for inputs in calls:
            expected = onnxruntime_results(model, inputs)
            for actual, wanted in zip(called(program, inputs, expected), expected, strict=True):
                if not np.allclose(actual, wanted, rtol=1e-5, atol=1e-5):
                    failures.append(f"{name} {[v.shape for v in inputs.values()]}: {actual} is not {wanted}")
    assert not failures, "\n".join(failures)


@pytest.mark.parametrize(
    "code, text",
    [
        ("TW0676", "g (float[3, 4] x) => (int64[2, r] y) { y = NonZero(x) }"),
    ],
)
def test_refusals(tmp_path: Path, code: str, text: str) -> None:
    with pytest.raises(TilewrightError) as raised:
        written(parsed(text), tmp_path / "model.c")
    assert raised.value.code == code
    assert not [*tmp_path.iterdir()]
