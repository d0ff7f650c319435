"""Products of four warps at once, scheduled by hand: values, code, and what is refused."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright import te
from tilewright.backends.cuda import simulator
from tilewright.diagnostics import TilewrightError
from tilewright.dialects.target import CudaTargetAttr
from tilewright.schedule.tensor_cores import warpgroup_cores

TARGET = "cuda -arch=sm_90a"
ROWS, COLUMNS, TERMS = 128, 64, 128


def by_hand(warps: int = 4, swizzled: bool = True) -> tuple[Any, list[Any]]:
    """Schedule C = A Bt; blocks of 64 x 64 results by four warps, terms side by side in both operands."""
    core = next(core for core in warpgroup_cores("float16", CudaTargetAttr.get("sm_90a")) if core.columns == COLUMNS)
    a, b = te.placeholder((ROWS, TERMS), "float16", "A"), te.placeholder((COLUMNS, TERMS), "float16", "B")
    k = te.reduce_axis((0, TERMS), name="k")
    c = te.compute(
        (ROWS, COLUMNS), lambda i, j: te.sum(a[i, k].astype("float32") * b[j, k].astype("float32"), axis=k), name="C"
    )
    s = te.create_schedule(c.op)
    staged = [s.cache_read(x, "shared", [c]) for x in (a, b)]
    sums = s.cache_write(c, core.result_scope)
    lanes, group = te.thread_axis((0, 32), "threadIdx.x"), te.thread_axis((0, warps), "threadIdx.y")
    block, rows = s[c].split(c.op.axis[0], factor=warps * core.rows)
    warp, rows = s[c].split(rows, factor=core.rows)
    s[c].bind(block, te.thread_axis("blockIdx.x"))
    s[c].bind(warp, group)
    repeats, eight = s[c].split(rows, factor=8)
    tiles, columns = s[c].split(c.op.axis[1], factor=8)
    positions, pair = s[c].split(columns, factor=2)
    s[c].reorder(eight, positions, tiles, repeats, pair)
    s[c].bind(s[c].fuse(eight, positions), lanes)
    s[c].vectorize(pair)
    s[sums].compute_at(s[c], warp)
    step, terms = s[sums].split(sums.op.reduce_axis[0], factor=core.terms)
    s[sums].reorder(step, *sums.op.axis, terms)
    for x in staged:
        s[x].compute_at(s[sums], step)
        if swizzled:
            s[x].storage_swizzle()
        rest, vector = s[x].split(s[x].fuse(*x.op.axis), factor=8)
        for thread in (lanes, group):
            rest, inner = s[x].split(rest, factor=32 if thread is lanes else warps)
            s[x].bind(inner, thread)
        s[x].vectorize(vector)
    s[sums].tensorize(sums.op.axis[0], core.product(False, True))
    return s, [a, b, c]


def operands() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.standard_normal((ROWS, TERMS)).astype(np.float16), rng.standard_normal((COLUMNS, TERMS)).astype(
        "float16"
    )


def test_simulator() -> None:
    x, y = operands()
    module = tilewright.build(*by_hand(), TARGET, device="simulator")
    wanted = x.astype(np.float64) @ y.T
    assert np.abs(module(x, y) - wanted).max() <= 1e-6 * np.abs(wanted).max()
    text = module.get_source()
    assert "device.wgmma_m64n64k64_f16_nt(" in text and "^" in text
    assert text.count("device.fence_async()") == text.count("cuda.syncthreads()")


@pytest.mark.parametrize(
    ("options", "said"),
    [({"swizzled": False}, "its pieces are not permuted"), ({"warps": 2}, "there are 32 x 2 threads")],
)
def test_operands_in_wrong_positions(options: dict[str, Any], said: str) -> None:
    with pytest.raises(TilewrightError, match="TW0667") as raised:
        tilewright.build(*by_hand(**options), TARGET, device="simulator")
    assert said in raised.value.message and raised.value.help


def test_pairs_of_halves_are_aligned_as_numba_takes_it() -> None:
    """Pairs of halves are aligned to 8 bytes, the least alignment that numba accepts."""
    a, b = te.placeholder((1000, 1990), "float16", "A"), te.placeholder((1000, 1990), "float16", "B")
    k = te.reduce_axis((0, 1000), name="k")
    c = te.compute(
        (1990, 1990), lambda i, j: te.sum(a[k, i].astype("float32") * b[k, j].astype("float32"), axis=k), name="C"
    )
    text = tilewright.build([a, b, c], [a, b, c], TARGET, device="simulator").get_source()
    assert "device.store2(A_reindex" in text
    found = [int(n) for n in re.findall(r"alignment=(\d+)", text)]
    assert found and all(n % 8 == 0 for n in found)


def test_lanes_that_name_different_operands() -> None:
    text = tilewright.build(*by_hand(), TARGET, device="simulator").get_source()
    (found,) = set(re.findall(r"uint64\(threadIdx_y \* 1024\)|uint64\(\w+ \* 1024\)(?=, B_shared)", text))
    kernel = simulator.parse(text.replace(found, f"{found[:-1]} + lane * 1024)"), "kernel.py").function("main_kernel0")
    x, y = operands()
    with pytest.raises(TilewrightError, match="TW0656.*operands that differ between lanes"):
        simulator.launch(kernel, 2, (32, 4), [x.ravel(), y.ravel(), np.zeros(ROWS * COLUMNS, np.float32)])


def test_warps_that_take_no_part() -> None:
    text = tilewright.build(*by_hand(), TARGET, device="simulator").get_source()
    line = next(line for line in text.splitlines() if "device.wgmma_m" in line)
    some = re.sub(r"(\s+)(.*)", r"\1if cuda.threadIdx.y < 3:\n\1    \2", line)
    kernel = simulator.parse(text.replace(line, some), "kernel.py").function("main_kernel0")
    x, y = operands()
    with pytest.raises(TilewrightError, match="TW0656.*warp 0 has started 1 times, and warp 3 0 times"):
        simulator.launch(kernel, 2, (32, 4), [x.ravel(), y.ravel(), np.zeros(ROWS * COLUMNS, np.float32)])


def test_code(assembled) -> None:
    """Four instructions a step and no registers spilled; sm_90a and nothing else."""
    module = tilewright.build(*by_hand(), TARGET)
    assert re.search(r"^\.target sm_90a$", module.get_source("ptx"), re.M)
    cubin = assembled(module)
    found = Counter(name.split(".")[0] for name in cubin.instructions["main_kernel0"])
    assert found["HGMMA"] == 4 * (TERMS // 64) and found["LDL"] == found["STL"] == 0
    assert cubin.kernels["main_kernel0"].spill_stores == 0
