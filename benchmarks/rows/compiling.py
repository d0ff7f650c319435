"""Compile times in wall-clock seconds. Each sample is a separate process, because a process remembers answers.

A sample begins when all modules are imported and ends with a callable. Cold ones find an empty object cache, warm ones
one that holds the program.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable

import numpy as np
from harness.fresh import in_fresh_process
from harness.row import Arrays, Case, Limit, Row, Setup

SIZE = 1024
COLD_LIMIT, WARM_LIMIT, MATMUL_LIMIT = 10.0, 1.0, 0.3
CACHE = "TILEWRIGHT_CACHE_DIR"


def rows() -> list[Row]:
    return [
        _row("compile-resnet50-cold", {"tilewright": cold(resnet50), "onnxruntime": cold(session)}, COLD_LIMIT),
        _row("compile-resnet50-warm", {"tilewright": warm(resnet50)}, WARM_LIMIT),
        _row("compile-matmul-1024", {"tilewright": cold(matmul), "numba": cold(numba_matmul)}, MATMUL_LIMIT),
        _row("compile-softmax", {"tilewright": cold(softmax), "torch.compile": cold(torch_softmax)}, None),
    ]


def _row(name: str, systems: dict[str, Setup], limit: float | None) -> Row:
    return Row(name, "compiling", systems, bars=(Limit(limit),) if limit else (), threads=(2,))


def cold(compile_: Callable[[], float]) -> Setup:
    """Compile in fresh processes with an empty cache each."""

    def set_up(inputs: Arrays, out: np.ndarray, threads: int) -> Case:
        def once() -> float:
            with tempfile.TemporaryDirectory() as cache:
                return in_fresh_process(compile_, {**os.environ, CACHE: cache, "TORCHINDUCTOR_CACHE_DIR": cache})

        return Case(once, lambda count: once(), checked=False)

    return set_up


def warm(compile_: Callable[[], float]) -> Setup:
    """Compile in fresh processes with a cache that all share."""

    def set_up(inputs: Arrays, out: np.ndarray, threads: int) -> Case:
        cache = tempfile.TemporaryDirectory()
        environment = {**os.environ, CACHE: cache.name}

        def once() -> float:
            assert os.path.isdir(cache.name)
            return in_fresh_process(compile_, environment)

        once()
        return Case(once, lambda count: once(), checked=False)

    return set_up


def matmul() -> float:
    """Measure from te to a callable, in a process that has compiled something else."""
    compile_product(8)
    start = time.perf_counter()
    compile_product(SIZE)
    return time.perf_counter() - start


def compile_product(n: int) -> object:
    import tilewright
    from tilewright import te

    a, b = te.placeholder((n, n), name="A"), te.placeholder((n, n), name="B")
    k = te.reduce_axis((0, n), "k")
    c = te.compute((n, n), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")
    return tilewright.build([a, b, c], [a, b, c])


def softmax() -> float:
    import tilewright
    from tilewright import te, topi

    compile_product(8)
    start = time.perf_counter()
    x = te.placeholder((SIZE, SIZE), name="x")
    y = topi.nn.softmax(x)
    tilewright.build([x, y], [x, y])
    return time.perf_counter() - start


def resnet50() -> float:
    """Measure from an ONNX model in memory to a callable."""
    import tilewright
    from tilewright.frontends.onnx import import_model
    from tilewright.frontends.onnx.light_models import light_model

    model = light_model("resnet50")
    compile_product(8)
    start = time.perf_counter()
    tilewright.compile(import_model(model))
    return time.perf_counter() - start


def session() -> float:
    """Measure how long onnxruntime loads the same model."""
    import onnxruntime  # noqa: F401 (importing is not timed)
    from systems.ort import open_session
    from tilewright.frontends.onnx.light_models import light_model

    model = light_model("resnet50")
    start = time.perf_counter()
    open_session(model, 2)
    return time.perf_counter() - start


def numba_matmul() -> float:
    """Measure how long numba compiles one function, its caches being off."""
    from systems import numba_kernels

    arrays = [np.ones((8, 8), np.float32) for _ in range(3)]
    numba_kernels.sum_rows(arrays[0], arrays[1][0])
    start = time.perf_counter()
    numba_kernels.matmul(*arrays)
    return time.perf_counter() - start


def torch_softmax() -> float:
    """Measure torch.compile on one softmax, up to its first result."""
    import torch

    x = torch.ones(SIZE, SIZE)
    start = time.perf_counter()
    torch.compile(lambda x: torch.softmax(x, 1), dynamic=False)(x)
    return time.perf_counter() - start
