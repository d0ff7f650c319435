"""The rule for products on tensor cores, in the simulator against numpy."""

from __future__ import annotations

import re

import ml_dtypes
import numpy as np
import pytest
from tilewright import te, topi
from tilewright.backends.cuda import simulator
from tilewright.diagnostics import TilewrightError
from tilewright.dialects.target import CudaTargetAttr
from tilewright.schedule.rules.cuda import tensor_product as rule
from tilewright.schedule.rules.cuda.tensor_tiles import OVERLAPPED_STAGES, SPARE_REGISTERS, WarpTile, choose_warp_plan
from tilewright.schedule.tensor_cores import tensor_core

from .gpu import build, draw, messages_of, source
from .products import close, convolved, matmul

TYPES = {"float16": np.float16, "bfloat16": ml_dtypes.bfloat16}
SMALL = (32, 32, 32, 2, 1)
"""Rows, columns and terms of a block, and its warps along rows and columns: each has two tiles along the columns."""


@pytest.fixture
def small_tiles(monkeypatch) -> None:
    def choose(rows, columns, terms, batches, divisible, cores, target):
        return WarpTile(*SMALL, cores[0]), 1

    monkeypatch.setattr(rule, "choose_warp_plan", choose)


def on_tensor_cores(program) -> bool:
    return "device.mma_m16n8k16" in source(program) and "device.ldmatrix_x4" in source(program)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("dtype", "size"),
    [
        *(("float16", size) for size in ((32, 32, 32), (64, 32, 64), (33, 47, 50), (70, 40, 33))),
        ("bfloat16", (33, 47, 50)),
    ],
)
def test_sizes(small_tiles, dtype: str, size: tuple[int, int, int]) -> None:
    m, n, k = size
    inputs, c = matmul(m, n, k, dtype, "float32")
    program = build(inputs, c)
    assert on_tensor_cores(program)
    x, y = draw((m, k)).astype(TYPES[dtype]), draw((k, n)).astype(TYPES[dtype])
    close(program(x, y), x.astype(np.float64) @ y.astype(np.float64))


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("turned", "size"), [("A", (40, 48, 40)), ("B", (40, 48, 40)), ("AB", (40, 48, 40)), ("AB", (32, 64, 32))]
)
def test_transposed_operands(small_tiles, turned: str, size: tuple[int, int, int]) -> None:
    m, n, k = size
    inputs, c = matmul(m, n, k, "float16", "float32", turned=turned)
    program = build(inputs, c)
    assert on_tensor_cores(program)
    x, y = draw((m, k), "float16"), draw((k, n), "float16")
    given = (x.T.copy() if "A" in turned else x), (y.T.copy() if "B" in turned else y)
    close(program(*given), x.astype(np.float64) @ y)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("stages", [2, 3])
def test_copies_go_on_while_tensor_cores_work(monkeypatch, stages: int) -> None:
    """Of whole tiles; what is fetched under conditions goes through registers."""

    def choose(rows, columns, terms, batches, divisible, cores, target):
        return WarpTile(*SMALL, cores[0], stages), 1

    monkeypatch.setattr(rule, "choose_warp_plan", choose)
    for m, n, k, is_direct in ((32, 64, 160, True), (32, 64, 150, False), (32, 64, 64, True), (30, 64, 64, False)):
        inputs, c = matmul(m, n, k, "float16", "float32")
        program = build(inputs, c)
        assert ("device.cp_async16(" in source(program)) == is_direct
        assert not is_direct or f"device.cp_async_wait({stages - 2})" in source(program)
        x, y = draw((m, k), "float16"), draw((k, n), "float16")
        close(program(x, y), x.astype(np.float64) @ y)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("terms", "stages"), [(32, 3), (48, 3), (64, 3), (32, 4)])
def test_operands_of_the_next_step_are_loaded_early(monkeypatch, terms: int, stages: int) -> None:
    """Behind the wait for their copies, and before the last products of this step; each wait is needed."""

    def choose(rows, columns, ending, batches, divisible, cores, target):
        return WarpTile(32, 32, terms, 2, 1, cores[0], stages), 1

    monkeypatch.setattr(rule, "choose_warp_plan", choose)
    for steps in (2, 3, 5) if terms == 32 else (5,):
        k = steps * terms
        inputs, c = matmul(32, 64, k, "float16", "float32")
        program = build(inputs, c)
        x, y = draw((32, k), "float16"), draw((k, 64), "float16")
        close(program(x, y), x.astype(np.float64) @ y)
    text = source(program)
    loop = text[text.index(f"in range({stages - 1}, {steps}):") :]
    wait, products = loop.index(f"device.cp_async_wait({stages - 2})"), loop.index("device.mma_m16n8k16_f16")
    assert products < loop.index("device.cp_async16(") < wait < loop.index("device.ldmatrix_x4(", wait)
    assert loop[:wait].count("cuda.syncthreads()") == 0
    lines = text.splitlines()
    for n in [n for n, line in enumerate(lines) if "cp_async_wait" in line and terms == 32]:
        without = "\n".join([*lines[:n], lines[n].replace(lines[n].strip(), "pass"), *lines[n + 1 :]])
        kernel = simulator.parse(without, "kernel.py").function("main_kernel0")
        with pytest.raises(TilewrightError, match="is copying to"):
            simulator.launch(kernel, (2, 1), (32, 2, 1), [x.ravel(), y.ravel(), np.zeros(32 * 64, np.float32)])


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "tile", [SMALL, (64, 64, 32, 2, 2), (64, 32, 32, 1, 2)], ids=["rows", "rows and columns", "columns"]
)
def test_registers_are_those_of_sums_and_operands(monkeypatch, tile: tuple[int, int, int, int, int]) -> None:
    """A kernel declares registers for sums and operands, those of the next terms among them."""
    counted: list[int] = []

    def choose(rows, columns, ending, batches, divisible, cores, target):
        counted.append(WarpTile(*tile, cores[0], OVERLAPPED_STAGES).registers - SPARE_REGISTERS)
        return WarpTile(*tile, cores[0], OVERLAPPED_STAGES), 1

    monkeypatch.setattr(rule, "choose_warp_plan", choose)
    inputs, c = matmul(64, 64, 160, "float16", "float32")
    declared = re.findall(r"cuda\.local\.array\((\d+), ", source(build(inputs, c)))
    assert len(declared) == 5 and [sum(map(int, declared))] == counted


def test_the_epilogue_is_part_of_the_kernel() -> None:
    inputs, c = matmul(60, 72, 50, "float16", "float32", epilogue=lambda v, j: te.max(v, 0))
    program = build(inputs, c)
    assert on_tensor_cores(program) and source(program).count("def ") == 1
    x, y = draw((60, 50), "float16"), draw((50, 72), "float16")
    close(program(x, y), np.maximum(x.astype(np.float64) @ y, 0))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("size", [(16, 16, 17), (20, 20, 20), (17, 31, 100), (100, 130, 40)])
def test_tiles_that_are_chosen(size: tuple[int, int, int]) -> None:
    m, n, k = size
    inputs, c = matmul(m, n, k, "float16", "float32")
    program = build(inputs, c)
    assert on_tensor_cores(program)
    x, y = draw((m, k), "float16"), draw((k, n), "float16")
    close(program(x, y), x.astype(np.float64) @ y)


@pytest.mark.parametrize("size", [(15, 64, 64), (64, 9, 64), (32, 32, 16)])
def test_what_fills_no_tile_has_no_tensor_cores(size: tuple[int, int, int]) -> None:
    m, n, k = size
    inputs, c = matmul(m, n, k, "float16", "float32")
    program = build(inputs, c)
    assert "device.mma" not in source(program)
    x, y = draw((m, k), "float16"), draw((k, n), "float16")
    close(program(x, y), x.astype(np.float64) @ y)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("dtype", TYPES)
def test_results_that_are_rounded_in_the_kernel(small_tiles, dtype: str) -> None:
    inputs, c = matmul(40, 48, 64, dtype, "float32", epilogue=lambda v, j: v.astype(dtype))
    program = build(inputs, c)
    assert on_tensor_cores(program) and source(program).count("def ") == 1
    x, y = draw((40, 64)).astype(TYPES[dtype]), draw((64, 48)).astype(TYPES[dtype])
    result = program(x, y)
    assert result.dtype == TYPES[dtype]
    close(result.astype(np.float64), x.astype(np.float64) @ y.astype(np.float64), 1e-2)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("symbolic", ["m", "mnk"])
def test_symbolic_sizes(small_tiles, symbolic: str) -> None:
    m, n, k = (te.var(name) if name in symbolic else 32 for name in "mnk")
    inputs, c = matmul(m, n, k, "float16", "float32")
    program = build(inputs, c)
    for size in (1, 32, 45):
        m, n, k = (size if name in symbolic else 32 for name in "mnk")
        x, y = draw((m, k), "float16"), draw((k, n), "float16")
        close(program(x, y), x.astype(np.float64) @ y)


def test_batches(small_tiles) -> None:
    a, b = te.placeholder((2, 32, 32), "float16", name="A"), te.placeholder((2, 32, 48), "float16", name="B")
    r = te.reduce_axis((0, 32), name="k")
    c = te.compute(
        (2, 32, 48), lambda z, i, j: te.sum(a[z, i, r].astype("float32") * b[z, r, j].astype("float32"), axis=r)
    )
    program = build([a, b], c)
    assert on_tensor_cores(program)
    x, y = draw((2, 32, 32), "float16"), draw((2, 32, 48), "float16")
    close(program(x, y), x.astype(np.float64) @ y)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
def test_convolutions(small_tiles, layout: str) -> None:
    x, w = draw((1, 16, 6, 8), "float16"), draw((16, 16, 3, 3), "float16")
    expected = convolved(x, w, (1, 1), (1, 1), (1, 1), 1)
    if layout == "NHWC":
        x, w, expected = x.transpose(0, 2, 3, 1).copy(), w.transpose(2, 3, 1, 0).copy(), expected.transpose(0, 2, 3, 1)
    a, b = te.placeholder(x.shape, "float16", name="X"), te.placeholder(w.shape, "float16", name="W")
    convolve = topi.nn.conv2d_nchw if layout == "NCHW" else topi.nn.conv2d_nhwc
    program = build([a, b], convolve(a, b, 1, 1, out_dtype="float32"))
    assert on_tensor_cores(program)
    close(program(x, w), expected)


def test_few_results_of_many_terms_are_summed_in_parts() -> None:
    inputs, c = matmul(16, 16, 1024, "float16", "float32")
    program = build(inputs, c)
    assert on_tensor_cores(program) and source(program).count("def ") == 2
    x, y = draw((16, 1024), "float16"), draw((1024, 16), "float16")
    close(program(x, y), x.astype(np.float64) @ y)


@pytest.mark.parametrize(("dtype", "sums"), [("float32", None), ("float16", None), ("int8", "int32")])
def test_other_types_have_no_tensor_cores(dtype: str, sums: str | None) -> None:
    """float32 would lose digits as tf32; sums of halves in halves round each time, which tensor cores do not."""
    inputs, c = matmul(32, 32, 32, dtype, sums)
    program = build(inputs, c)
    assert "device.mma" not in source(program)
    assert [message for message in messages_of(program) if "is a product of" in message]


def test_a_gpu_without_them() -> None:
    assert tensor_core("float16", CudaTargetAttr.get("sm_75", shared=49152)) is None


def test_tiles() -> None:
    target = CudaTargetAttr.get()
    core = tensor_core("float16", target)
    assert core is not None
    large, parts = choose_warp_plan(4096, 4096, 4096, 1, 4096, [core], target) or (None, 0)
    assert large is not None and (large.rows, large.columns, parts) == (128, 128, 1)
    assert large.stages * large.shared_bytes <= target.shared
    roomy, _ = choose_warp_plan(4096, 4096, 4096, 1, 4096, [core], CudaTargetAttr.get(shared=200 << 10)) or (None, 0)
    assert roomy is not None and (roomy.rows * roomy.columns, roomy.terms, roomy.stages) == (128 * 256, 64, 3)
    assert roomy.registers <= 255
    assert large.registers <= 255 and large.row_groups * large.column_groups * 4 <= 128, "sums of a lane"
    small, _ = choose_warp_plan(16, 20, 64, 1, 64, [core], target) or (None, 0)
    assert small is not None and (small.rows, small.columns) == (16, 16)
    assert choose_warp_plan(15, 64, 64, 1, 64, [core], target) is None
