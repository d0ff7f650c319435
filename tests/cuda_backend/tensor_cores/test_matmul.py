"""Products on tensor cores: values in the simulator and in the interpreter, instructions in PTX."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import tilewright
from tilewright.semantics import evaluate

from .programs import matmul

TYPES = {"float16": np.float16, "bfloat16": ml_dtypes.bfloat16, "float32": np.float32}
TOLERANCE = {"float16": 1e-6, "bfloat16": 1e-6, "float32": 2e-3}
"""Of the output's scale. Products of 16 bits are exact in float32; tf32 has 10 bits after the point."""
ORDERS = [(False, False), (False, True), (True, False), (True, True)]
INSTRUCTIONS = {
    "float16": r"mma\.sync\.aligned\.m16n8k16\.row\.col\.f32\.f16\.f16\.f32",
    "bfloat16": r"mma\.sync\.aligned\.m16n8k16\.row\.col\.f32\.bf16\.bf16\.f32",
    "float32": r"mma\.sync\.aligned\.m16n8k8\.row\.col\.f32\.tf32\.tf32\.f32",
}


def operands(arguments: list, dtype: str) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    return [rng.standard_normal(x.shape).astype(TYPES[dtype]) for x in arguments[:2]]


def expected(x: np.ndarray, y: np.ndarray, left_t: bool, right_t: bool) -> np.ndarray:
    left, right = x.astype(np.float64), y.astype(np.float64)
    return (left.T if left_t else left) @ (right.T if right_t else right)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("left_t", "right_t"), ORDERS)
@pytest.mark.parametrize("dtype", TYPES)
def test_simulator(dtype: str, left_t: bool, right_t: bool) -> None:
    s, arguments = matmul(64, 64, 32, dtype, left_t, right_t)
    x, y = operands(arguments, dtype)
    wanted = expected(x, y, left_t, right_t)
    module = tilewright.build(s, arguments, "cuda", device="simulator")
    assert np.abs(module(x, y) - wanted).max() <= TOLERANCE[dtype] * np.abs(wanted).max()


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_interpreter(dtype: str) -> None:
    """The meaning of the last loop module, lanes one by one from barrier to barrier."""
    s, arguments = matmul(32, 32, 32, dtype)
    lowered = tilewright.lower(s, arguments)
    x, y = operands(arguments, dtype)
    (c,) = evaluate(lowered.op, x, y)
    wanted = expected(x, y, False, False)
    assert np.abs(c - wanted).max() <= TOLERANCE[dtype] * np.abs(wanted).max()


def test_lanes_and_barriers_stand_in_the_ir() -> None:
    s, arguments = matmul(32, 32, 64, "float16")
    text = str(tilewright.lower(s, arguments))
    assert 'loop.for %lane = 0 to 32 kind thread<"threadIdx.x">' in text
    assert text.count('loop.barrier <"warp">') >= 1 and text.count('loop.barrier <"shared">') == 2
    assert 'loop.call_extern "mma_m16n8k16_f16"(update %C_warp.mma_c' in text
    assert 'memref<2x2x16x16xf32, "warp.mma_c">' in text  # a part for each warp


def test_rows_are_padded_against_bank_conflicts() -> None:
    """storage_align shows in the kernel: 32 rows of 40 halves."""
    source = tilewright.build(*matmul(32, 32, 64, "float16"), "cuda", device="simulator").get_source()
    assert source.count("cuda.shared.array(1280, float16, alignment=16)") == 2
    source = tilewright.build(*matmul(32, 32, 64, "float16", aligned=False), "cuda", device="simulator").get_source()
    assert source.count("cuda.shared.array(1024, float16, alignment=16)") == 2


@pytest.mark.parametrize("dtype", TYPES)
def test_ptx(vectors_of_shared: None, dtype: str) -> None:
    """Everything that a warp holds is in registers, and fragments of 16 bits come by ldmatrix."""
    ptx = tilewright.build(*matmul(64, 64, 64, dtype), "cuda -arch=sm_80").get_source("ptx")
    steps = 8 if dtype == "float32" else 4
    assert len(re.findall(INSTRUCTIONS[dtype], ptx)) == 2 * steps
    assert not re.search(r"\.local\b|\.f64\b", ptx)
    loads = re.findall(r"ldmatrix\.sync\.aligned\.m8n8\.x4(\.trans)?\.shared\.b16", ptx)
    assert len(loads) == (0 if dtype == "float32" else 2 * steps)
    assert len(re.findall(r"cvt\.rna\.tf32\.f32", ptx)) == (8 * steps if dtype == "float32" else 0)


def pipelined(n: int, stages: int, dtype: str = "float16") -> tuple[Any, list[Any]]:
    """Return the product with its operands copied to shared memory some steps ahead."""
    s, arguments = matmul(n, n, 96, dtype)
    sums = next(stage for stage in s.stages if stage.name.endswith("mma_c"))
    outer = next(axis for axis in sums.leaf_iter_vars if axis.kind == "reduce")
    sums.pragma(outer, "num_stages", stages)
    sums.pragma(outer, "software_pipeline_async_stages", [0])
    return s, arguments


@pytest.mark.parametrize("stages", [2, 3])
def test_pipelines(stages: int) -> None:
    """Copies go on while tensor cores work: a group of them a step, and one barrier."""
    s, arguments = pipelined(32, stages)
    x, y = operands(arguments, "float16")
    module = tilewright.build(s, arguments, "cuda", device="simulator")
    wanted = expected(x, y, False, False)
    assert np.abs(module(x, y) - wanted).max() <= 1e-6 * np.abs(wanted).max()
    source = module.get_source()
    assert source.count("device.cp_async_commit()") == source.count("cuda.syncthreads()") == stages


@pytest.mark.parametrize("arch", ["sm_80", "sm_90"])
def test_machine_code(assembled: Callable[[Any], Any], arch: str) -> None:
    cubin = assembled(tilewright.build(*pipelined(64, 3), f"cuda -arch={arch}"))
    (usage,), (instructions,) = cubin.kernels.values(), cubin.instructions.values()
    assert usage.spill_stores == usage.spill_loads == usage.stack == 0
    assert usage.registers <= 128
    found = {name.split(".")[0] for name in instructions}
    assert {"HMMA", "LDSM", "LDGSTS"} <= found and not found & {"DFMA", "DADD", "DMUL", "LDL", "STL"}
