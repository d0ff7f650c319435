"""Convolutions of NCHW images in float32, batch 1: with weights as they arrive, and with weights packed beforehand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from harness.row import Arrays, Bar, Row, Work, gaussians
from systems import ort, ours, torch_cpu

WEIGHT = (1,)
"""The number of the input that is constant in a prepacked row."""


@dataclass(frozen=True)
class Problem:
    """A convolution that pads half of its window on each side."""

    name: str
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
    def result(self) -> tuple[int, int, int, int]:
        size = (self.size + 2 * self.padding - self.window) // self.stride + 1
        return 1, self.outputs, size, size

    @property
    def image(self) -> tuple[int, int, int, int]:
        return 1, self.inputs, self.size, self.size

    @property
    def weight(self) -> tuple[int, int, int, int]:
        return self.outputs, self.inputs // self.groups, self.window, self.window

    @property
    def work(self) -> Work:
        image, weight, result = (4 * float(np.prod(shape)) for shape in (self.image, self.weight, self.result))
        terms = self.inputs // self.groups * self.window**2
        fewer = self.window == 3 and self.stride == 1 and self.groups == 1  # Winograd's algorithm
        return Work(2 * terms * result / 4, read=image + weight, written=result, is_least=not fewer)

    @property
    def text(self) -> str:
        """The node in ONNX's text."""
        pads = ", ".join([str(self.padding)] * 4)
        strides = f"{self.stride}, {self.stride}"
        return f"y = Conv <pads = [{pads}], strides = [{strides}], group = {self.groups}> (a, b)"


PROBLEMS = (
    Problem("64ch-56-3x3", 64, 64, 56, 3),
    Problem("128ch-28-3x3", 128, 128, 28, 3),
    Problem("3ch-224-7x7s2", 3, 64, 224, 7, stride=2),
    Problem("depthwise-32ch-112-3x3", 32, 32, 112, 3, groups=32),
)


def rows() -> list[Row]:
    return [row for problem in PROBLEMS for row in (packing(problem), prepacked(problem))]


def packing(problem: Problem) -> Row:
    """Return the row of a convolution whose weights are arguments: a system that packs them does so in every run."""
    systems = {
        "tilewright": ours.tensors(partial(define, problem)),
        "torch": torch_cpu.prepared(partial(convolve, problem)),
        "onnxruntime": ort.graph(problem.text),
    }
    return _row(problem, f"conv-{problem.name}", systems)


def prepacked(problem: Problem) -> Row:
    """Return the row of a convolution whose weights are known beforehand, as in a network."""
    systems = {
        "tilewright": ours.graph(problem.text, constants=WEIGHT),
        "torch": torch_cpu.prepared(partial(packed_by_onednn, problem)),
        "onnxruntime": ort.graph(problem.text, constants=WEIGHT),
    }
    return _row(problem, f"conv-{problem.name}-prepacked", systems)


def _row(problem: Problem, name: str, systems: dict[str, Any]) -> Row:
    return Row(
        name,
        "convolution",
        systems,
        inputs=partial(gaussians, problem.image, problem.weight),
        expected=partial(exact_convolution, problem),
        output=(problem.result, "float32"),
        work=problem.work,
        bars=(Bar(1.0, ("torch", "onnxruntime")),),
    )


def define(problem: Problem, x: Any, weight: Any) -> Any:
    from tilewright import topi

    return topi.nn.conv2d(x, weight, problem.stride, problem.padding, groups=problem.groups)


def convolve(problem: Problem, torch: Any, x: Any, weight: Any) -> Callable[[], Any]:
    """Return torch's convolution, which packs the weights in every run and takes no output."""
    return partial(torch.conv2d, x, weight, None, problem.stride, problem.padding, 1, problem.groups)


def packed_by_onednn(problem: Problem, torch: Any, x: Any, weight: Any) -> Callable[[], Any]:
    """Return the call that torch.compile generates for a convolution of a frozen network."""
    both = [[value, value] for value in (problem.padding, problem.stride, 1)]
    operations = torch.ops.mkldnn
    packed = operations._reorder_convolution_weight(weight, *both, problem.groups, list(x.shape))
    arguments = (x, packed, None, *both, problem.groups, "none", [], "")
    return partial(operations._convolution_pointwise, *arguments)


def exact_convolution(problem: Problem, inputs: Arrays) -> np.ndarray:
    """Convolve in float64, window position by window position."""
    x, weight = (array.astype(np.float64) for array in inputs)
    p, s, groups = problem.padding, problem.stride, problem.groups
    padded = np.pad(x[0], ((0, 0), (p, p), (p, p)))
    _, outputs, height, width = problem.result
    grouped = padded.reshape(groups, -1, *padded.shape[1:])
    kernels = weight.reshape(groups, outputs // groups, *weight.shape[1:])
    result = np.zeros((groups, outputs // groups, height, width))
    for i in range(problem.window):
        for j in range(problem.window):
            pixels = grouped[:, :, i : i + s * height : s, j : j + s * width : s]
            result += np.einsum("goc,gchw->gohw", kernels[..., i, j], pixels, optimize=True)
    return result.reshape(problem.result)
