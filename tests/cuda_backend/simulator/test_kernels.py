"""Kernels without fault give numpy's results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from tilewright.backends.cuda import simulator

FOLDER = Path(__file__).parent / "kernels"
PLAIN = simulator.load(FOLDER / "plain.py")
TENSOR_CORES = simulator.load(FOLDER / "tensor_cores.py")


def floats(*shape: int, dtype: Any = np.float32) -> np.ndarray:
    return np.random.default_rng(list(shape)).standard_normal(shape).astype(dtype)


def close(result: np.ndarray, expected: np.ndarray, tolerance: float = 1e-5) -> None:
    expected = np.asarray(expected, np.float64)
    assert np.abs(result.astype(np.float64) - expected).max() <= tolerance * np.abs(expected).max()


def test_vector_add_leaves_what_its_guard_excludes() -> None:
    A, B, C = floats(100), floats(1, 100)[0], np.full(128, 7, np.float32)
    simulator.launch(PLAIN.function("vector_add"), 2, 64, [A, B, C, np.int32(100)])
    assert np.array_equal(C[:100], A + B)
    assert (C[100:] == 7).all()


def test_tiled_matmul() -> None:
    A, B, C = floats(64, 64), floats(1, 64, 64)[0], np.zeros((64, 64), np.float32)
    simulator.launch(PLAIN.function("tiled_matmul"), (4, 4), (16, 16), [A, B, C, np.int32(64)])
    close(C, A.astype(np.float64) @ B)


def test_register_matmul() -> None:
    A, B, C = floats(64, 64), floats(1, 64, 64)[0], np.zeros((64, 64), np.float32)
    simulator.launch(PLAIN.function("register_matmul"), 1, 64, [A, B, C])
    close(C, A.astype(np.float64) @ B)


def test_shuffles() -> None:
    A, C = floats(4, 32), np.zeros(4, np.float32)
    simulator.launch(PLAIN.function("warp_sum"), 4, 32, [A, C])
    close(C, A.astype(np.float64).sum(1))


def test_tree_and_atomics() -> None:
    A, C = floats(200), np.zeros(1, np.float32)
    simulator.launch(PLAIN.function("block_sum"), 4, 64, [A, C, np.int32(200)])
    close(C, A.astype(np.float64).sum(keepdims=True), 1e-5)


def test_histogram() -> None:
    A, C = np.random.default_rng(0).integers(0, 5, 256).astype(np.int32), np.zeros(5, np.int32)
    simulator.launch(PLAIN.function("histogram"), 4, 64, [A, C])
    assert np.array_equal(C, np.bincount(A, minlength=5))


def test_softmax() -> None:
    A, C = floats(4, 32), np.zeros((4, 32), np.float32)
    simulator.launch(PLAIN.function("softmax_row"), 1, 4, [A, C, np.int32(32)])
    e = np.exp(A.astype(np.float64) - A.max(1, keepdims=True))
    close(C, e / e.sum(1, keepdims=True))


def test_integers_wrap_as_on_a_device() -> None:
    a, b = np.array([3, -7, 2**62, -5]), np.array([5, 2, 3, -3])
    C = np.zeros((4, 8), np.int64)
    simulator.launch(PLAIN.function("integers"), 1, 4, [a, b, C])
    with np.errstate(over="ignore"):
        assert np.array_equal(C[:, 0], (a - b).astype(np.uint32).astype(np.int64))
        assert np.array_equal(C[:, 1], (a * b).astype(np.int32).astype(np.int64))
        assert np.array_equal(C[:, 2], a // b)
        assert np.array_equal(C[:, 3], a % b)
        assert np.array_equal(C[:, 4], a.astype(np.uint8).astype(np.int64) + (a >> 3))
        assert (C[:, 5] == 0).all()  # 3 - 5 is 2**64 - 2
        assert np.array_equal(C[:, 6], a * b * a * b * a * b * a)
    # float32 times the literal 1e9 is float64; out of range, the largest integer
    quotient = (a.astype(np.float32) / b.astype(np.float32)).astype(np.float64) * 1e9
    assert C[:, 7].tolist() == [int(quotient[0]), int(quotient[1]), 2**63 - 1, int(quotient[3])]


@pytest.mark.parametrize(
    ("name", "dtype"),
    [("matmul_f16", np.float16), ("matmul_bf16", ml_dtypes.bfloat16), ("matmul_tf32", np.float32)],
)
def test_tensor_cores(name: str, dtype: Any) -> None:
    m, n, k = 32, 16, 48
    A, B, C = floats(m, k, dtype=dtype), floats(1, k, n, dtype=dtype)[0], np.zeros((m, n), np.float32)
    arguments = [A, B, C, np.int32(n), np.int32(k)]
    simulator.launch(TENSOR_CORES.function(name), (n // 8, m // 16), 32, arguments)
    close(C, A.astype(np.float64) @ B.astype(np.float64), 1e-3 if name == "matmul_tf32" else 1e-6)


def test_asynchronous_copies() -> None:
    A, B, C = floats(64, 48), floats(1, 48, 64)[0], np.zeros((64, 64), np.float32)
    simulator.launch(TENSOR_CORES.function("double_buffered"), 1, 256, [A, B, C, np.int32(48)])
    close(C, A.astype(np.float64) @ B)


def test_halves() -> None:
    A, B, C = floats(32, dtype=np.float16), floats(1, 32, dtype=ml_dtypes.bfloat16)[0], np.zeros(32, np.float16)
    simulator.launch(TENSOR_CORES.function("halves"), 1, 32, [A, B, C])
    assert np.array_equal(C, (A.astype(np.float32) + B.astype(np.float32)).astype(np.float16))


def test_dynamic_shared_memory_of_two_types() -> None:
    A, C = floats(32), np.zeros(32, np.float32)
    simulator.launch(TENSOR_CORES.function("dynamic"), 1, 32, [A, C, np.int32(32)], shared_bytes=2 * 32 + 4 * 32)
    assert np.array_equal(C, (A.astype(ml_dtypes.bfloat16).astype(np.float32) + A)[::-1])


def test_dynamic_arrays_overlap() -> None:
    from tilewright.diagnostics import TilewrightError

    A, C = floats(32), np.zeros(32, np.float32)
    with pytest.raises(TilewrightError, match="TW0654.*'narrow', shared memory, races"):
        simulator.launch(TENSOR_CORES.function("dynamic"), 1, 32, [A, C, np.int32(16)], shared_bytes=192)


def test_what_is_undefined_may_be_computed_on() -> None:
    A, B, C, D = floats(20) * 8, np.zeros(20, np.float32), np.zeros(20, np.int32), np.zeros(20, np.bool_)
    simulator.launch(PLAIN.function("undefined_where_nothing_is_stored"), 1, 32, [A, B, C, D])
    largest, index = np.maximum(A * 2 + 1, A), np.trunc(A)
    better = (largest > 0) & (index >= 0)
    close(B, np.sqrt(np.where(better, largest, 0)))
    np.testing.assert_array_equal(C, index + 1)
    np.testing.assert_array_equal(D, ~better)
