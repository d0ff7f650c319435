"""Saved programs with inputs, and what the compiler's process computes and says of them: for processes without it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import onnx.parser
import tilewright
from small_network import network
from tilewright import te
from tilewright.frontends.onnx.light_models import light_model
from tilewright.passes.framework.context import PassContext
from tilewright.runtime import Module

Program = tuple[Module, dict[str, np.ndarray[Any, Any]]]
RANDOM = np.random.default_rng(0)

RESHAPED = """<ir_version: 10, opset_import: ["" : 21]>
g (float[6, 4] x, int64[2] shape) => (y) { y = Reshape(x, shape) }"""
PICKED = """<ir_version: 10, opset_import: ["" : 21]>
g (float[rows, columns] x, int64[k] at) => (float[k, columns] y) { y = Gather<axis = 0>(x, at) }"""


def drawn(*shape: int) -> np.ndarray[Any, Any]:
    return RANDOM.standard_normal(shape, np.float32)


def matmul() -> Program:
    """Return a program with a symbolic size and a parallel loop."""
    n = te.var("n")
    A, B = te.placeholder((n, 64), name="A"), te.placeholder((64, 48), name="B")
    k = te.reduce_axis((0, 64), "k")
    C = te.compute((n, 48), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="C")
    schedule = te.create_schedule(C.op)
    schedule[C].parallel(C.op.axis[0])
    return tilewright.build(schedule, [A, B, C], threads=2), {"A": drawn(100, 64), "B": drawn(64, 48)}


def small_image_network() -> Program:
    """Return a program with constants, several kernels and an arena."""
    return tilewright.compile(network()), {"data": drawn(1, 3, 16, 16)}


def narrow() -> Program:
    """Return a program with arguments of types that numpy does not have."""
    A = te.placeholder((33,), "bfloat16", name="A")
    B = te.placeholder((33,), "float8_e4m3fn", name="B")
    C = te.compute((33,), lambda i: A[i] + B[i].astype("bfloat16"), name="C")
    values = drawn(2, 33)
    given = {"A": values[0].astype(ml_dtypes.bfloat16), "B": values[1].astype(ml_dtypes.float8_e4m3fn)}
    return tilewright.build([A, B, C]), given


def picked() -> Program:
    """Return a program with a check that fails for some inputs."""
    program = tilewright.compile(onnx.parser.parse_model(PICKED))
    return program, {"x": drawn(7, 5), "at": np.array([6, 0, 2], np.int64)}


def by_value() -> Program:
    """Return a program for one value of an input."""
    program = tilewright.compile(onnx.parser.parse_model(RESHAPED))
    inputs = {"x": drawn(6, 4), "shape": np.array([8, 3], np.int64)}
    program.run(inputs)
    return program, inputs


def resnet50() -> Program:
    return tilewright.compile(light_model("resnet50", seed=0)), {"gpu_0/data_0": drawn(1, 3, 224, 224)}


PROGRAMS: Mapping[str, Callable[[], Program]] = {
    each.__name__: each for each in (matmul, small_image_network, narrow, picked, by_value)
}
MISTAKES: Mapping[str, tuple[str, dict[str, np.ndarray[Any, Any]]]] = {
    "shape": ("small_image_network", {"data": np.zeros((1, 3, 16, 17), np.float32)}),
    "type": ("small_image_network", {"data": np.zeros((1, 3, 16, 16), np.float64)}),
    "name": ("small_image_network", {"date": np.zeros((1, 3, 16, 16), np.float32)}),
    "value": ("by_value", {"x": np.zeros((6, 4), np.float32), "shape": np.array([2, 12], np.int64)}),
    "check": ("picked", {"x": np.zeros((7, 5), np.float32), "at": np.array([7], np.int64)}),
}
"""Calls that a program refuses."""


def bits(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return an array with elements of types that numpy has."""
    return array.view(f"u{array.itemsize}") if array.dtype.isbuiltin == 2 else array


def write_all(folder: Path, programs: Mapping[str, Callable[[], Program]] = PROGRAMS) -> None:
    """Save programs, and beside each its inputs and outputs; then the texts of mistakes, and a file of kernels."""
    for name, make in programs.items():
        program, inputs = make()
        for suffix in ("so", "tar"):
            program.save(folder / f"{name}.{suffix}")
        arrays = {f"in {key}": bits(value) for key, value in inputs.items()}
        arrays |= {f"out {key}": bits(value) for key, value in program.run(inputs).items()}
        np.savez(folder / f"{name}.npz", **arrays)
    mistakes = {name: _text(folder, *mistake) for name, mistake in MISTAKES.items() if mistake[0] in programs}
    for name, (_, inputs) in MISTAKES.items():
        np.savez(folder / f"{name}.mistake.npz", **inputs)
    (folder / "mistakes.json").write_text(json.dumps(mistakes))


def _text(folder: Path, name: str, inputs: Mapping[str, object]) -> tuple[str, str]:
    """Return the program of a mistake, and the text of the error."""
    try:
        tilewright.load_module(folder / f"{name}.so").run(inputs)
    except tilewright.TilewrightError as error:
        return name, str(error)
    raise AssertionError(f"expected {name} to refuse a call")


def kernels(folder: Path) -> None:
    """Write a program for a GPU."""
    A = te.placeholder((64,), name="A")
    B = te.compute((64,), lambda i: A[i] * 2.0, name="B")
    schedule = te.create_schedule(B.op)
    schedule[B].bind(B.op.axis[0], te.thread_axis("threadIdx.x"))
    with PassContext():
        tilewright.build(schedule, [A, B], "cuda").save(folder / "kernels.ptx")


def names_of(folder: Path) -> Iterator[str]:
    """Yield the programs in a folder."""
    yield from sorted(path.name for path in folder.iterdir() if path.suffix in (".so", ".tar"))
