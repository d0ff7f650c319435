"""Problems that memory bounds: chains of elementwise operations, softmax, layer normalisation, sums."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from harness.row import Arrays, Bar, Row, Work, gaussians
from systems import blas, loops, ort, ours, torch_cpu

LONG = 16 << 20
SIDE = 4096
EPSILON = 1e-5


def rows() -> list[Row]:
    return [multiply_add_relu(), triad(), softmax(), layer_norm(), sum_of(1), sum_of(0)]


def _bar(systems: dict[str, Any]) -> tuple[Bar, ...]:
    """Return the bar of a row: at least as fast as every peer."""
    return (Bar(1.0, tuple(name for name in systems if name != "tilewright")),)


def multiply_add_relu() -> Row:
    def define(a: Any, b: Any, c: Any) -> Any:
        from tilewright import topi

        return topi.nn.relu(a * b + c)

    def in_numpy(out: np.ndarray, a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
        np.multiply(a, b, out=out)
        np.add(out, c, out=out)
        np.maximum(out, 0, out=out)

    systems = {
        "tilewright": ours.tensors(define),
        "torch": torch_cpu.eager(lambda torch, out, a, b, c: torch.addcmul(c, a, b, out=out).relu_()),
        "torch.compile": torch_cpu.compiled(lambda torch, out, a, b, c: out.copy_(torch.relu(a * b + c))),
        "numpy": blas.with_numpy(in_numpy),
        "onnxruntime": ort.graph("m = Mul(a, b) s = Add(m, c) y = Relu(s)"),
        "numba": loops.with_numba("multiply_add_relu"),
    }
    return Row(
        "relu-a*b+c-16M",
        "memory",
        systems,
        inputs=partial(gaussians, (LONG,), (LONG,), (LONG,)),
        expected=lambda inputs: np.maximum(_wide(inputs[0]) * inputs[1] + inputs[2], 0),
        output=((LONG,), "float32"),
        work=Work(2 * LONG, read=12 * LONG, written=4 * LONG),
        bars=_bar(systems),
    )


def triad() -> Row:
    def define(a: Any, b: Any) -> Any:
        return a + b * 3.0

    def in_numpy(out: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
        np.multiply(b, np.float32(3), out=out)
        np.add(a, out, out=out)

    systems = {
        "tilewright": ours.tensors(define),
        "torch": torch_cpu.eager(lambda torch, out, a, b: torch.add(a, b, alpha=3.0, out=out)),
        "numpy": blas.with_numpy(in_numpy),
        "numba": loops.with_numba("triad"),
    }
    return Row(
        "triad-16M",
        "memory",
        systems,
        inputs=partial(gaussians, (LONG,), (LONG,)),
        expected=lambda inputs: _wide(inputs[0]) + 3.0 * inputs[1],
        output=((LONG,), "float32"),
        work=Work(2 * LONG, read=8 * LONG, written=4 * LONG),
    )


def softmax() -> Row:
    def define(x: Any) -> Any:
        from tilewright import topi

        return topi.nn.softmax(x)

    def expected(inputs: Arrays) -> np.ndarray:
        x = _wide(inputs[0])
        powers = np.exp(x - x.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True)

    systems = {
        "tilewright": ours.tensors(define),
        "torch": torch_cpu.eager(lambda torch, out, x: torch.ops.aten._softmax.out(x, 1, False, out=out)),
        "torch.compile": torch_cpu.compiled(lambda torch, out, x: out.copy_(torch.softmax(x, 1))),
        "onnxruntime": ort.graph("y = Softmax(a)"),
        "numba": loops.with_numba("softmax"),
    }
    return _square("softmax-4096", systems, 1, expected, (SIDE, SIDE))


def layer_norm() -> Row:
    def define(x: Any, gamma: Any, beta: Any) -> Any:
        from tilewright import topi

        return topi.nn.layer_norm(x, gamma, beta, epsilon=EPSILON)

    def expected(inputs: Arrays) -> np.ndarray:
        x, gamma, beta = map(_wide, inputs)
        centred = x - x.mean(axis=1, keepdims=True)
        return centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + EPSILON) * gamma + beta

    systems = {
        "tilewright": ours.tensors(define),
        "torch": torch_cpu.eager(TorchLayerNorm()),
        "torch.compile": torch_cpu.compiled(
            lambda torch, out, x, g, b: out.copy_(torch.nn.functional.layer_norm(x, (SIDE,), g, b, EPSILON))
        ),
        "onnxruntime": ort.graph(f"y = LayerNormalization <axis = -1, epsilon = {EPSILON:f}> (a, b, c)"),
        "numba": loops.with_numba("layer_norm"),
    }
    row = _square("layer-norm-4096", systems, 1, expected, (SIDE, SIDE))
    return Row(**{**vars(row), "inputs": partial(gaussians, (SIDE, SIDE), (SIDE,), (SIDE,))})


class TorchLayerNorm:
    """torch's kernel that takes outputs: beside the result the statistics of the rows, allocated once."""

    def __init__(self) -> None:
        self._statistics: list[Any] = []

    def __call__(self, torch: Any, out: Any, x: Any, gamma: Any, beta: Any) -> None:
        if not self._statistics:
            self._statistics = [torch.empty(SIDE, 1) for _ in range(2)]
        mean, scale = self._statistics
        torch.ops.aten.native_layer_norm.out(x, [SIDE], gamma, beta, EPSILON, out0=out, out1=mean, out2=scale)


def sum_of(axis: int) -> Row:
    def define(x: Any) -> Any:
        from tilewright import topi

        return topi.sum(x, axis=axis)

    systems = {
        "tilewright": ours.tensors(define),
        "torch": torch_cpu.eager(lambda torch, out, x: torch.sum(x, axis, out=out)),
        "torch.compile": torch_cpu.compiled(lambda torch, out, x: out.copy_(torch.sum(x, axis))),
        "numpy": blas.with_numpy(lambda out, x: np.sum(x, axis=axis, out=out)),
        "onnxruntime": ort.graph(f"i = Constant <value = int64[1] {{{axis}}}> () y = ReduceSum <keepdims = 0> (a, i)"),
        "numba": loops.with_numba("sum_rows" if axis else "sum_columns"),
    }
    return _square(f"sum-axis{axis}-4096", systems, 0, lambda inputs: _wide(inputs[0]).sum(axis=axis), (SIDE,))


def _square(name: str, systems: dict[str, Any], writes: int, expected: Any, output: tuple[int, ...]) -> Row:
    """Return a row on one square matrix, which is written as often as `writes` says."""
    size = 4 * SIDE * SIDE
    return Row(
        name,
        "memory",
        systems,
        inputs=partial(gaussians, (SIDE, SIDE)),
        expected=expected,
        output=(output, "float32"),
        work=Work(read=size, written=writes * size),
        bars=_bar(systems),
    )


def _wide(x: np.ndarray) -> np.ndarray:
    return x.astype(np.float64)
