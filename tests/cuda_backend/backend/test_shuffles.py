"""Reductions across threads: by shuffles within a warp, through shared memory between warps, else in a tree."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright import te
from tilewright.diagnostics import TilewrightError
from tilewright.dialects.loop import BarrierOp
from tilewright.dialects.target import TARGET_ATTRIBUTE, CudaTargetAttr
from tilewright.driver import lower_module
from tilewright.driver.programs import as_module
from tilewright.semantics import evaluate

RANDOM = np.random.default_rng(0)


def rows(
    m: int, k: int, threads: int, beside: int = 1, dtype: str = "float32", reduce: Callable[..., Any] = te.sum
) -> tuple[Any, list[Any]]:
    """Return a reduction of each row by so many threads along it, several rows in a block."""
    a, r = te.placeholder((m, k), dtype, "A"), te.reduce_axis((0, k), name="k")
    b = te.compute((m,), lambda i: reduce(a[i, r], axis=r), name="B")
    s = te.create_schedule(b.op)
    outer, row = s[b].split(b.op.axis[0], factor=beside)
    s[b].bind(outer, te.thread_axis("blockIdx.x"))
    s[b].bind(row, te.thread_axis("threadIdx.y"))
    s[b].bind(s[b].split(b.op.reduce_axis[0], factor=threads)[1], te.thread_axis("threadIdx.x"))
    return s, [a, b]


def simulated(program: tuple[Any, list[Any]]) -> Any:
    return tilewright.build(*program, "cuda", device="simulator")


@pytest.mark.parametrize(
    ("m", "k", "threads", "beside", "shuffles", "barriers"),
    [
        (4, 64, 32, 1, 5, 0),
        (4, 100, 32, 1, 5, 0),  # the last step is not done by all lanes
        (3, 64, 8, 1, 3, 0),  # fewer lanes than a warp has
        (8, 64, 8, 4, 3, 0),  # four rows in a warp
        (6, 64, 32, 4, 5, 0),  # the last block has rows that are none
        (6, 256, 128, 2, 5, 1),  # four warps a row
        (2, 192, 96, 1, 5, 1),  # three warps
        (7, 64, 8, 4, 0, 3),  # a row that is none would leave lanes away: a tree
        (4, 64, 24, 1, 0, 4),  # no groups that fit into warps
        (4, 96, 48, 1, 0, 5),
    ],
)
def test_sums(m: int, k: int, threads: int, beside: int, shuffles: int, barriers: int) -> None:
    module = simulated(rows(m, k, threads, beside))
    source = module.get_source()
    assert source.count("shfl_xor_sync(") == shuffles
    assert source.count("syncthreads()") in (barriers, barriers + 1)
    x = RANDOM.integers(-8, 9, (m, k)).astype(np.float32)
    np.testing.assert_array_equal(module(x), x.sum(1))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("dtype", ["float64", "float16", "int32", "int64", "int8", "uint8"])
@pytest.mark.parametrize("reduce", [te.sum, te.max])
def test_types(dtype: str, reduce: Callable[..., Any]) -> None:
    module = simulated(rows(3, 70, 64, dtype=dtype, reduce=reduce))
    assert "shfl_xor_sync(" in module.get_source()
    x = RANDOM.integers(0, 3, (3, 70)).astype(dtype)
    wanted = x.sum(1, dtype=dtype) if reduce is te.sum else x.max(1)
    np.testing.assert_array_equal(module(x), wanted)


def test_tuples() -> None:
    """The place of the greatest element: both values of a lane are exchanged."""
    m, k = 3, 70
    a, r = te.placeholder((m, k), name="A"), te.reduce_axis((0, k), name="k")

    def combine(left: Any, right: Any) -> Any:
        takes_left = te.any(left[1] > right[1], te.all(left[1] == right[1], left[0] < right[0]))
        return te.if_then_else(takes_left, left[0], right[0]), te.if_then_else(takes_left, left[1], right[1])

    argmax = te.comm_reducer(
        combine, lambda index, value: (te.const(1 << 30, index), te.min_value(value)), name="argmax"
    )
    indices, values = te.compute((m,), lambda i: argmax((r, a[i, r]), axis=r), name="B")
    s = te.create_schedule(indices.op)
    s[indices].bind(indices.op.axis[0], te.thread_axis("blockIdx.x"))
    s[indices].bind(s[indices].split(indices.op.reduce_axis[0], factor=32)[1], te.thread_axis("threadIdx.x"))
    module = simulated((s, [a, indices, values]))
    assert module.get_source().count("shfl_xor_sync(") == 10
    x = RANDOM.integers(0, 9, (m, k)).astype(np.float32)
    found, greatest = module(x)
    np.testing.assert_array_equal(found, x.argmax(1))
    np.testing.assert_array_equal(greatest, x.max(1))


def test_meaning_stays() -> None:
    """The interpreter agrees with what the shuffles do: lanes wait for one another, and nobody else."""
    lowered = as_module(*rows(4, 100, 32), "main")
    lowered.attributes[TARGET_ATTRIBUTE] = CudaTargetAttr.get()
    lowered = lower_module(lowered)
    barriers = [op.scope.data for op in lowered.walk() if isinstance(op, BarrierOp)]
    assert barriers and set(barriers) == {"warp"}
    x = RANDOM.integers(-8, 9, (4, 100)).astype(np.float32)
    np.testing.assert_array_equal(evaluate(lowered, x)[0], x.sum(1))


def test_other_targets_keep_the_tree() -> None:
    s, arguments = rows(4, 64, 32)
    assert '"warp"' not in str(tilewright.lower(s, arguments))


def exchanged(index: Callable[[Any], Any], threads: int = 32, part: Any = None) -> tuple[Any, list[Any]]:
    """Schedule B[i] = A[index(i)], by way of memory of the warp."""
    a = te.placeholder((threads,), name="A")
    b = te.compute(
        (threads,), lambda i: a[index(i)] if part is None else te.if_then_else(part(i), a[index(i)], 0.0), name="B"
    )
    s = te.create_schedule(b.op)
    lanes = te.thread_axis("threadIdx.x")
    copy = s.cache_read(a, "warp", [b])
    one, i = s[b].split(b.op.axis[0], factor=threads)
    s[b].bind(one, te.thread_axis("blockIdx.x"))
    s[b].bind(i, lanes)
    s[copy].compute_at(s[b], one)
    s[copy].bind(copy.op.axis[0], lanes)
    return s, [a, b]


def test_any_lane_can_be_asked() -> None:
    module = simulated(exchanged(lambda i: (i * 5 + 3) % 32))
    assert "cuda.shfl_sync(0xffffffff" in module.get_source()
    x = RANDOM.random(32, np.float32)
    np.testing.assert_array_equal(module(x), x[(np.arange(32) * 5 + 3) % 32])


def test_lanes_that_stay_away_are_refused() -> None:
    with pytest.raises(
        TilewrightError, match="while all of a warp have to answer|not all lanes of a warp come"
    ) as caught:
        simulated(exchanged(lambda i: 31 - i, part=lambda i: i < 5))
    assert caught.value.code == "TW0661"


def test_ptx(nvvm: None) -> None:
    ptx = tilewright.build(*rows(4, 128, 128), "cuda -arch=sm_80").get_source("ptx")
    assert len(re.findall(r"shfl\.sync\.bfly\.b32", ptx)) == 5
    assert ptx.count("bar.sync") == 1 and not re.search(r"\.local\b|\.f64\b", ptx)
