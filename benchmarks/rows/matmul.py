"""Products of float32 matrices that arrive row-major: square, batched, and of a matrix and a vector."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from harness.row import Arrays, Bar, Case, Row, Work, gaussians
from systems import blas, loops, ort, ours, torch_cpu

SIZES = (256, 512, 1023, 1024, 1025, 2048)
ODD = (1023, 1025)
EVEN = 1024
BATCH, BATCHED = 64, 128
VECTOR = 4096


def rows() -> list[Row]:
    return [*(square(n) for n in SIZES), gemv(VECTOR), batched(BATCH, BATCHED)]


def product(a: Any, b: Any) -> Any:
    from tilewright import topi

    return topi.matmul(a, b)


def exact_product(inputs: Arrays) -> np.ndarray:
    a, b = (x.astype(np.float64) for x in inputs)
    return a @ b


def square(n: int) -> Row:
    """Return a row in which both operands are packed, where a system packs, in every run."""
    systems = {
        "tilewright": ours.tensors(product),
        "torch": torch_cpu.eager(lambda torch, out, a, b: torch.mm(a, b, out=out)),
        "numpy": blas.with_numpy(lambda out, a, b: np.matmul(a, b, out=out)),
        "scipy": blas.with_scipy(transposed_gemm),
        "onnxruntime": ort.graph("y = MatMul(a, b)"),
        "numba": loops.with_numba("matmul"),
    }
    bars = [Bar(1.05, ("torch", "numpy"))]
    if n in ODD:
        systems[f"tilewright {EVEN}"] = even_neighbour
        bars.append(Bar(0.9, (f"tilewright {EVEN}",)))
    return Row(
        f"matmul-f32-{n}",
        "matmul",
        systems,
        inputs=partial(gaussians, (n, n), (n, n)),
        expected=exact_product,
        output=((n, n), "float32"),
        work=Work(2 * n**3, read=8 * n * n, written=4 * n * n),
        bars=tuple(bars),
    )


def transposed_gemm(blas_functions: Any, out: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    """Multiply the transposes: a product of row-major matrices is one of column-major ones, and no copies are made."""
    result = blas_functions.sgemm(1.0, b.T, a.T, c=out.T, overwrite_c=1)
    assert result.base is out or np.shares_memory(result, out)


def even_neighbour(inputs: Arrays, out: np.ndarray, threads: int) -> Case:
    """Multiply matrices of an even size, the time scaled to as many operations as the row's."""
    n = out.shape[0]
    even = gaussians((EVEN, EVEN), (EVEN, EVEN))
    case = ours.tensors(product)(even, np.empty((EVEN, EVEN), np.float32), threads)

    def sample(count: int) -> float:
        from harness.worker import sample

        return sample(case, count, warm=True) * (n / EVEN) ** 3

    return Case(case.run, sample, checked=False)


def gemv(n: int) -> Row:
    def define(a: Any, x: Any) -> Any:
        from tilewright import topi

        return topi.matmul(a, x)

    return Row(
        f"gemv-f32-{n}",
        "matmul",
        {
            "tilewright": ours.tensors(define),
            "torch": torch_cpu.eager(lambda torch, out, a, x: torch.mv(a, x, out=out)),
            "numpy": blas.with_numpy(lambda out, a, x: np.matmul(a, x, out=out)),
            "scipy": blas.with_scipy(
                lambda functions, out, a, x: functions.sgemv(1.0, a.T, x, y=out, trans=1, overwrite_y=1)
            ),
            "onnxruntime": ort.graph("y = MatMul(a, b)"),
            "numba": loops.with_numba("gemv"),
        },
        inputs=partial(gaussians, (n, n), (n,)),
        expected=exact_product,
        output=((n,), "float32"),
        work=Work(2 * n * n, read=4 * n * n + 4 * n, written=4 * n),
        bars=(Bar(1.0, ("torch", "numpy", "scipy", "onnxruntime", "numba")),),
    )


def batched(count: int, n: int) -> Row:
    return Row(
        f"matmul-f32-{count}x{n}",
        "matmul",
        {
            "tilewright": ours.tensors(product),
            "torch": torch_cpu.eager(lambda torch, out, a, b: torch.bmm(a, b, out=out)),
            "numpy": blas.with_numpy(lambda out, a, b: np.matmul(a, b, out=out)),
            "onnxruntime": ort.graph("y = MatMul(a, b)"),
            "numba": loops.with_numba("batched_matmul"),
        },
        inputs=partial(gaussians, (count, n, n), (count, n, n)),
        expected=exact_product,
        output=((count, n, n), "float32"),
        work=Work(2 * count * n**3, read=8 * count * n * n, written=4 * count * n * n),
        bars=(Bar(1.0, ("torch", "numpy", "onnxruntime")),),
    )
