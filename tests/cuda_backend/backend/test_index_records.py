"""Kernels tell of an index out of bounds by a record in the memory of the device, read when a call is waited for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright import TilewrightError, te, topi

X = np.arange(24, dtype=np.float32).reshape(6, 4)
RIGHT, WRONG = np.array([0, -1, 3, 5, 2]), np.array([0, -1, 3, 6, 2])


def rows() -> list[te.Tensor]:
    a, i = te.placeholder((6, 4), name="A"), te.placeholder((5,), name="I", dtype="int64")
    return [a, i, topi.take(a, i, axis=0, mode="wrap_negative")]


def on_device(drivers: Any, driver: Any, *arrays: np.ndarray) -> list[Any]:
    return [drivers.CudaArray(driver, array) for array in arrays]


def test_a_wrong_index_is_reported_when_the_call_is_waited_for(driver: Any, drivers: Any) -> None:
    take = tilewright.build(rows(), target="cuda")
    out = np.full((5, 4), -1, np.float32)
    take(*on_device(drivers, driver, X, WRONG.copy(), out))  # nothing waits
    with pytest.raises(TilewrightError, match=r"TW0730.*within \[6, 4\], but A\[6, 0\] is read"):
        take["main"].synchronize()
    np.testing.assert_array_equal(out[[0, 1, 2, 4]], X[WRONG[[0, 1, 2, 4]]])
    take["main"].synchronize()  # it is told once
    take(*on_device(drivers, driver, X, RIGHT.copy(), out))
    take["main"].synchronize()
    np.testing.assert_array_equal(out, X[RIGHT])


def test_calls_that_copy_wait_and_report(driver: Any) -> None:
    take = tilewright.build(rows(), target="cuda", copy=True)
    for _ in range(2):
        with pytest.raises(TilewrightError, match=r"A\[6, 0\] is read"):
            take(X, WRONG)
        np.testing.assert_array_equal(take(X, RIGHT), X[RIGHT])


@pytest.mark.parametrize("options", [{"copy": True}, {"device": "simulator"}], ids=["gpu", "simulator"])
def test_saved_kernels_report_too(driver: Any, tmp_path: Path, options: dict[str, Any]) -> None:
    path = tmp_path / "take.ptx"
    tilewright.build(rows(), target="cuda").save(path)
    take = tilewright.load_module(path, **options)
    np.testing.assert_array_equal(take(X, RIGHT), X[RIGHT])
    with pytest.raises(TilewrightError, match=r"A\[6, 0\] is read"):
        take(X, WRONG)


def test_threads_go_on_to_their_barriers() -> None:
    """Elements that a block shares: one of its threads finds a wrong index, and all reach the barrier."""
    a, i = te.placeholder((6, 32), name="A"), te.placeholder((32,), name="I", dtype="int32")
    shared = te.compute((32,), lambda k: a[i[k], k], name="picked")
    total = te.compute((32,), lambda k: shared[k] + shared[31 - k], name="C")
    schedule = te.create_schedule(total.op)
    schedule[shared].set_scope("shared")
    thread = te.thread_axis((0, 32), "threadIdx.x")
    block, inner = schedule[total].split(total.op.axis[0], factor=32)
    schedule[total].bind(block, te.thread_axis("blockIdx.x"))
    schedule[total].bind(inner, thread)
    schedule[shared].compute_at(schedule[total], block)
    schedule[shared].bind(shared.op.axis[0], thread)
    add = tilewright.build(schedule, [a, i, total], target="cuda", device="simulator")
    assert "syncthreads" in add.imported_modules[0].get_source()
    x, numbers = np.arange(192, dtype=np.float32).reshape(6, 32), (np.arange(32) % 6).astype(np.int32)
    picked = x[numbers, np.arange(32)]
    np.testing.assert_array_equal(add(x, numbers), picked + picked[::-1])
    numbers[17] = -3
    with pytest.raises(TilewrightError, match=r"TW0730.*A\[-3, 17\] is read"):
        add(x, numbers)


def test_programs_without_checks_keep_no_record(driver: Any) -> None:
    a = te.placeholder((8,), name="A")
    double = tilewright.build([a, te.compute((8,), lambda k: a[k] * 2, name="B")], target="cuda", copy=True)
    double(np.ones(8, np.float32))
    assert [size for _, size, _ in driver.asked("upload")] == [32, 32]  # the arguments
