"""Gradient of a model's values, beside differences of what onnx's reference evaluator gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
import tilewright
from onnx import parser
from onnx.reference import ReferenceEvaluator
from tilewright.diagnostics import TilewrightError

_HEADER = '<ir_version: 8, opset_import: ["" : 17, "ai.onnx.preview.training" : 1]>\n'
_STEP = 1e-6


def _differentiated(body: str, shapes: dict[str, str], by: list[str], zs: list[str]) -> onnx.ModelProto:
    """Return a model of `y` and of its derivatives."""
    inputs = ", ".join(f"double[{shape}] {name}" for name, shape in shapes.items())
    outputs = ", ".join(f"double[{shapes[name]}] d{name}" for name in by)
    listed = ", ".join(f'"{name}"' for name in by)
    others = f", zs = [{', '.join(chr(34) + z + chr(34) for z in zs)}]" if zs else ""
    results = ", ".join(f"d{name}" for name in by)
    operator = f'ai.onnx.preview.training.Gradient <xs = [{listed}], y = "y"{others}> ({", ".join(by + zs)})'
    return parser.parse_model(f"{_HEADER}main ({inputs}) => ({outputs}) {{\n{body}\n{results} = {operator}\n}}")


def _function(body: str, shapes: dict[str, str]) -> ReferenceEvaluator:
    inputs = ", ".join(f"double[{shape}] {name}" for name, shape in shapes.items())
    return ReferenceEvaluator(parser.parse_model(f"{_HEADER}main ({inputs}) => (double[?] total) {{\n{body}\n"
                                                 "total = ReduceSum <keepdims = 0> (y)\n}"))  # fmt: skip


def _expected(body: str, shapes: dict[str, str], values: dict[str, np.ndarray], name: str) -> np.ndarray:
    function, result = _function(body, shapes), np.zeros_like(values[name])
    for index in np.ndindex(result.shape):
        ends: list[Any] = []
        for sign in (1, -1):
            moved = values[name].copy()
            moved[index] += sign * _STEP
            ends.append(function.run(None, {**values, name: moved})[0])
        result[index] = (ends[0] - ends[1]) / (2 * _STEP)
    return result


_CASES = {
    "arithmetic": "s = Sub(a, b)\nq = Div(s, c)\nm = Mul(q, a)\nn = Neg(m)\ny = Add(n, b)",
    "broadcast": "p = Mul(a, c)\ny = Add(p, row)",
    "power": "r = Abs(a)\ny = Pow(r, c)",
    "functions": "e = Exp(a)\nl = Log(c)\nt = Tanh(a)\nk = Sigmoid(b)\np = Mul(e, l)\nq = Mul(t, k)\n"
    "r = Sqrt(c)\nu = Reciprocal(c)\nv = Softplus(a)\nw = Sin(a)\nx = Cos(b)\ny = Sum(p, q, r, u, v, w, x)",
    "extremes": "m = Max(a, b)\nn = Min(a, b)\nr = Relu(a)\np = Mul(m, m)\nq = Mul(n, r)\ny = Add(p, q)",
    "products": "t = Transpose <perm = [1, 0]> (b)\np = MatMul(a, t)\nq = Gemm <transA = 1, alpha = 2.0> (a, b)\n"
    "r = Gemm <transB = 1> (a, b)\nu = ReduceSum <keepdims = 0> (q)\ns = Mul(p, r)\ny = Mul(s, u)",
    "reductions": "axes = Constant <value_ints = [1]> ()\ns = ReduceSum <keepdims = 0> (a, axes)\n"
    "m = ReduceMean <axes = [0]> (b)\nt = ReduceMean(c)\np = Mul(m, t)\nd = Unsqueeze(s, axes)\ny = Mul(d, p)",
    "softmax": "s = Softmax <axis = 0> (a)\ny = Mul(s, b)",
    "movement": "j = Concat <axis = 0> (a, b)\nshape = Constant <value_ints = [3, 4]> ()\nr = Reshape(j, shape)\n"
    "big = Greater(r, zero)\nz = Neg(r)\nw = Where(big, r, z)\nf = Flatten(w)\ny = Mul(f, f)",
    "reused": "p = Mul(a, a)\ny = Mul(p, a)",
}


@pytest.mark.parametrize("name", _CASES)
def test_derivatives_are_those_of_differences(name: str) -> None:
    body = _CASES[name].replace("zero", "a0")
    if "a0" in body:
        body = "a0 = Constant <value = double {0.0}> ()\n" + body
    shapes = {"a": "2,3", "b": "2,3", "c": "2,3", "row": "1,3"}
    rng = np.random.default_rng(3)
    values = {key: rng.uniform(0.3, 2, [int(n) for n in shape.split(",")]) for key, shape in shapes.items()}
    values["a"] -= 1
    by = [key for key in shapes if any(key in line.split("(", 1)[-1] for line in body.splitlines())]
    by = [key for key in by if f"({key}" in body or f" {key}" in body.replace(f" {key} =", "")]
    results = tilewright.compile(_differentiated(body, shapes, by, []))(*values.values())
    for key, result in zip(by, results if isinstance(results, tuple) else (results,), strict=True):
        np.testing.assert_allclose(result, _expected(body, shapes, values, key), rtol=1e-6, atol=1e-7)


def test_values_may_lie_within_the_graph_and_be_replaced() -> None:
    """The derivative of y = (2 a) b by 2 a, at other values of it and of b."""
    proto = parser.parse_model(
        _HEADER + "main (float[2] a, float[2] b, float[2] u, float[2] v) => (float[2] d) {\n"
        "m = Add(a, a)\np = Mul(m, m)\ny = Mul(p, b)\n"
        'd = ai.onnx.preview.training.Gradient <xs = ["m"], zs = ["b"], y = "y"> (u, v)\n}'
    )
    a, b, u, v = (np.array(pair, np.float32) for pair in ([1, 2], [3, 4], [5, 6], [7, 8]))
    np.testing.assert_allclose(tilewright.compile(proto)(a, b, u, v), 2 * u * v)


def test_derivative_of_erf() -> None:
    """The reference evaluator's own has too few digits for differences."""
    x = np.array([-0.5, 0.3, 1.4])
    result = tilewright.compile(_differentiated("y = Erf(a)", {"a": "3"}, ["a"], []))(x)
    np.testing.assert_allclose(result, 2 / np.sqrt(np.pi) * np.exp(-x * x), rtol=1e-12)


def test_derivative_by_what_a_value_does_not_depend_on_is_zero() -> None:
    proto = _differentiated("y = Exp(b)", {"a": "2", "b": "2"}, ["a"], [])
    np.testing.assert_array_equal(tilewright.compile(proto)(np.ones(2), np.ones(2)), np.zeros(2))


def test_an_operator_without_a_derivative_is_refused() -> None:
    with pytest.raises(TilewrightError) as error:
        tilewright.compile(_differentiated("y = Floor(a)", {"a": "2"}, ["a"], []))
    assert error.value.code == "TW0302" and "graph.floor" in error.value.message
