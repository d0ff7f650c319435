"""The rows, at the sizes of a card or at tiny ones for the simulator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from .row import Row

EPSILON = 1e-5
HALF, BRAIN = 2.0**-10, 2.0**-7
"""The error of rounding a result to these types, relative to the largest magnitude, with room for inputs near it."""


def rows(tiny: bool = False) -> list[Row]:
    """Return all rows in the order of the table."""
    return [
        *(matmul(dtype, 24 if tiny else 4096) for dtype in ("float32", "float16", "bfloat16")),
        multiply_add_relu(100 if tiny else 1 << 26),
        softmax(6 if tiny else 8192),
        layer_norm(6 if tiny else 8192),
        *(sum_of(axis, 7 if tiny else 8192) for axis in (None, 1, 0)),
        transpose(9 if tiny else 8192),
        *(convolution(problem) for problem in (TINY if tiny else PROBLEMS)),
        network(tiny),
    ]


def matmul(dtype: str, n: int) -> Row:
    """Return the row of a product with sums in float32, rounded to the type of the operands."""

    def define(a: Any, b: Any) -> Any:
        from tilewright import te, topi

        if dtype == "float32":
            return topi.matmul(a, b)
        k = te.reduce_axis((0, n), name="k")
        wide = te.compute(
            (n, n), lambda i, j: te.sum(a[i, k].astype("float32") * b[k, j].astype("float32"), axis=k), name="wide"
        )
        return te.compute((n, n), lambda i, j: wide[i, j].astype(dtype), name="C")

    def into(torch: Any, out: Any, a: Any, b: Any) -> None:
        torch.mm(a, b, out=out)

    short = {"float32": "f32", "float16": "f16", "bfloat16": "bf16"}[dtype]
    return Row(
        f"matmul-{short}-{n}",
        inputs=(((n, n), dtype), ((n, n), dtype)),
        output=((n, n), dtype),
        define=define,
        torch=lambda torch, a, b: torch.mm(a, b),
        numpy=lambda a, b: a @ b,
        torch_into=into,
        operations=2.0 * n**3,
        tolerance={"float32": 1e-5, "float16": HALF, "bfloat16": BRAIN}[dtype],
        bars={"torch": 0.9 if dtype == "float32" else 0.6},
    )


def multiply_add_relu(n: int) -> Row:
    def define(a: Any, b: Any, c: Any) -> Any:
        from tilewright import topi

        return topi.nn.relu(a * b + c)

    return Row(
        f"relu-a*b+c-{_size(n)}",
        inputs=(((n,), "float32"),) * 3,
        output=((n,), "float32"),
        define=define,
        torch=lambda torch, a, b, c: torch.relu(a * b + c),
        numpy=lambda a, b, c: np.maximum(a * b + c, 0),
        torch_into=lambda torch, out, a, b, c: torch.addcmul(c, a, b, out=out).relu_(),
        compiled=True,
        **_copying(),
    )


def softmax(n: int) -> Row:
    def define(x: Any) -> Any:
        from tilewright import topi

        return topi.nn.softmax(x)

    def exact(x: np.ndarray) -> np.ndarray:
        powers = np.exp(x - x.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True)

    return Row(
        f"softmax-{n}",
        inputs=(((n, n), "float32"),),
        output=((n, n), "float32"),
        define=define,
        torch=lambda torch, x: torch.softmax(x, 1),
        numpy=exact,
        torch_into=lambda torch, out, x: torch.ops.aten._softmax.out(x, 1, False, out=out),
        compiled=True,
        **_copying(),
    )


def layer_norm(n: int) -> Row:
    def define(x: Any, gamma: Any, beta: Any) -> Any:
        from tilewright import topi

        return topi.nn.layer_norm(x, gamma, beta, epsilon=EPSILON)

    def exact(x: np.ndarray, gamma: np.ndarray, beta: np.ndarray) -> np.ndarray:
        centred = x - x.mean(axis=1, keepdims=True)
        return centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + EPSILON) * gamma + beta

    def in_torch(torch: Any, x: Any, gamma: Any, beta: Any) -> Any:
        return torch.nn.functional.layer_norm(x, (n,), gamma, beta, EPSILON)

    return Row(
        f"layer-norm-{n}",
        inputs=(((n, n), "float32"), ((n,), "float32"), ((n,), "float32")),
        output=((n, n), "float32"),
        define=define,
        torch=in_torch,
        numpy=exact,
        compiled=True,
        **_copying(),
    )


def sum_of(axis: int | None, n: int) -> Row:
    """Return the row of a sum along rows, along columns, or of the whole matrix."""

    def define(x: Any) -> Any:
        from tilewright import topi

        return topi.sum(x, axis=axis)

    def into(torch: Any, out: Any, x: Any) -> None:
        torch.sum(x, axis, out=out)

    return Row(
        f"sum-{n}" if axis is None else f"sum-axis{axis}-{n}",
        inputs=(((n, n), "float32"),),
        output=((), "float32") if axis is None else ((n,), "float32"),
        define=define,
        torch=lambda torch, x: torch.sum(x) if axis is None else torch.sum(x, axis),
        numpy=lambda x: np.asarray(x.sum(axis)),
        torch_into=None if axis is None else into,
        # Sums of numbers of both signs are small: their errors are those of n numbers, not of the sum.
        tolerance=1e-4,
        **_copying(),
    )


def transpose(n: int) -> Row:
    def define(x: Any) -> Any:
        from tilewright import topi

        return topi.transpose(x)

    return Row(
        f"transpose-{n}",
        inputs=(((n, n), "float32"),),
        output=((n, n), "float32"),
        define=define,
        torch=lambda torch, x: x.t().contiguous(),
        numpy=lambda x: x.T,
        torch_into=lambda torch, out, x: out.copy_(x.t()),
        **_copying(),
    )


def _copying() -> dict[str, Any]:
    return {"is_copying": True, "bars": {"torch": 1.0, "copy": 0.85}}


def _size(n: int) -> str:
    return f"{n >> 20}M" if n >= 1 << 20 else str(n)


@dataclass(frozen=True)
class Problem:
    """A convolution of NCHW images that pads half of its window on each side."""

    name: str
    batch: int
    inputs: int
    outputs: int
    size: int
    window: int
    stride: int = 1
    groups: int = 1

    @property
    def padding(self) -> int:
        return self.window // 2

    @property
    def result(self) -> tuple[int, ...]:
        size = (self.size + 2 * self.padding - self.window) // self.stride + 1
        return self.batch, self.outputs, size, size


PROBLEMS = (
    Problem("64ch-56-3x3", 1, 64, 64, 56, 3),
    Problem("64ch-56-3x3-b32", 32, 64, 64, 56, 3),
    Problem("256ch-14-3x3-b32", 32, 256, 256, 14, 3),
    Problem("3ch-224-7x7s2-b32", 32, 3, 64, 224, 7, stride=2),
    Problem("64-256ch-56-1x1-b32", 32, 64, 256, 56, 1),
    Problem("depthwise-32ch-112-3x3-b32", 32, 32, 32, 112, 3, groups=32),
)
TINY = (
    Problem("4ch-6-3x3", 1, 4, 4, 6, 3),
    Problem("3ch-8-7x7s2-b2", 2, 3, 4, 8, 7, stride=2),
    Problem("4-8ch-4-1x1", 1, 4, 8, 4, 1),
    Problem("depthwise-4ch-6-3x3", 1, 4, 4, 6, 3, groups=4),
)


def convolution(problem: Problem) -> Row:
    """Return the row of a convolution, against cuDNN in float32, TF32 being off."""
    p = problem
    terms = p.inputs // p.groups * p.window**2

    def define(x: Any, weight: Any) -> Any:
        from tilewright import topi

        return topi.nn.conv2d(x, weight, p.stride, p.padding, groups=p.groups)

    return Row(
        f"conv2d-{p.name}",
        inputs=(
            ((p.batch, p.inputs, p.size, p.size), "float32"),
            ((p.outputs, p.inputs // p.groups, p.window, p.window), "float32"),
        ),
        output=(p.result, "float32"),
        define=define,
        torch=lambda torch, x, weight: torch.conv2d(x, weight, None, p.stride, p.padding, 1, p.groups),
        numpy=partial(_exact_convolution, p),
        operations=2.0 * terms * float(np.prod(p.result)),
        bars={"torch": 0.8},
    )


def _exact_convolution(p: Problem, x: np.ndarray, weight: np.ndarray) -> np.ndarray:
    around = np.pad(x, ((0, 0), (0, 0), *[(p.padding, p.padding)] * 2))
    windows = np.lib.stride_tricks.sliding_window_view(around, (p.window, p.window), (2, 3))
    windows = windows[:, :, :: p.stride, :: p.stride]
    windows = windows.reshape(p.batch, p.groups, -1, *windows.shape[2:])
    kernels = weight.reshape(p.groups, -1, *weight.shape[1:])
    return np.einsum("ngchwij,gocij->ngohw", windows, kernels).reshape(p.result)


def network(tiny: bool) -> Row:
    """Return the light ResNet-50 of the onnx wheel, with random weights; in the simulator a network of three layers."""

    def resnet() -> Any:
        from tilewright.frontends.onnx.light_models import light_model

        return light_model("resnet50")

    def in_torch(load: Callable[[], Any], torch: Any, x: Any) -> Any:
        from systems.torch_network import network as torch_network

        key = (x.dtype, str(x.device))
        if key not in networks:
            networks[key] = torch_network(load()).to(x.device, x.dtype)
        return networks[key](x)

    def exact(load: Callable[[], Any], x: np.ndarray) -> np.ndarray:
        from systems.onnx_reference import in_float64

        return in_float64(load(), x.astype(np.float32))

    networks: dict[Any, Any] = {}
    load = _small_network if tiny else resnet
    shape, classes = ((1, 3, 8, 8), 5) if tiny else ((1, 3, 224, 224), 1000)
    return Row(
        "network-small" if tiny else "resnet50",
        inputs=((shape, "float32"),),
        output=((1, classes), "float32"),
        define=load,
        torch=partial(in_torch, load),
        numpy=partial(exact, load),
        operations=0.0 if tiny else 8.2e9,
        tolerance=1e-4,
        bars={"torch": 1.0},
        is_network=True,
    )


def _small_network() -> Any:
    """Return a convolution, its bias and rectifier, a pooling and a linear layer, of opset 9 as the light models
    are."""
    import onnx
    from onnx import numpy_helper, parser

    rng = np.random.default_rng(3)
    model = parser.parse_model(
        '<ir_version: 8, opset_import: ["" : 9]>\n'
        "small (float[1, 3, 8, 8] x) => (float[1, 5] y) {"
        " c = Conv <pads = [1, 1, 1, 1], strides = [2, 2], kernel_shape = [3, 3]> (x, w, b)"
        " r = Relu (c)"
        " p = GlobalAveragePool (r)"
        " f = Reshape (p, s)"
        " y = Gemm <transB = 1> (f, v, a) }"
    )
    for name, shape in (("w", (4, 3, 3, 3)), ("b", (4,)), ("v", (5, 4)), ("a", (5,))):
        values = rng.standard_normal(shape).astype(np.float32)
        model.graph.initializer.append(numpy_helper.from_array(values, name))
    model.graph.initializer.append(numpy_helper.from_array(np.array([1, 4]), "s"))
    onnx.checker.check_model(model)
    return model
