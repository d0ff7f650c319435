"""The rule for products that four warps compute together, in the simulator against numpy."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from tilewright import Target, te, topi
from tilewright.backends.cuda import simulator
from tilewright.diagnostics import TilewrightError
from tilewright.dialects.target import TARGET_ATTRIBUTE, CudaTargetAttr
from tilewright.driver.lowering import lower_module
from tilewright.driver.programs import as_module
from tilewright.schedule.rules.cuda import tensor_product as rule
from tilewright.schedule.rules.cuda.tensor_tiles import WarpTile, choose_warp_plan
from tilewright.schedule.tensor_cores import tensor_core, warpgroup_cores
from tilewright.semantics import evaluate

from .gpu import build, draw, source
from .products import close, convolved, matmul

TARGET = "cuda -arch=sm_90a"
TYPES = {"float16": np.float16, "bfloat16": ml_dtypes.bfloat16}
CARD = CudaTargetAttr.get("sm_90a", shared=227 << 10)

Choose = Callable[..., None]


@pytest.fixture
def tile(monkeypatch) -> Choose:
    """Let the rule choose a tile of rows and columns, in so many stages."""

    def let(rows: int, columns: int, stages: int = 2) -> None:
        def choose(m, n, k, batches, divisible, cores, target):
            core = next(core for core in cores if core.warps > 1 and core.columns == columns)
            return WarpTile(rows, columns, core.terms, rows // core.rows, 1, core, stages), 1

        monkeypatch.setattr(rule, "choose_warp_plan", choose)

    return let


def check(m: int, n: int, k: int, dtype: str = "float16", **options: Any) -> Any:
    """Compute a product in the simulator; the program."""
    inputs, c = matmul(m, n, k, dtype, "float32", **options)
    program = build(inputs, c, target=TARGET)
    assert "device.wgmma_m64n" in source(program) and "device.mma" not in source(program)
    x, y = draw((m, k)).astype(TYPES[dtype]), draw((k, n)).astype(TYPES[dtype])
    turned = options.get("turned", "")
    given = (x.T.copy() if "A" in turned else x), (y.T.copy() if "B" in turned else y)
    close(program(*given), x.astype(np.float64) @ y.astype(np.float64))
    return program


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("dtype", "turned"), [*(("float16", turned) for turned in ("", "A", "B", "AB")), ("bfloat16", "AB")]
)
def test_orders_of_operands(tile: Choose, dtype: str, turned: str) -> None:
    tile(64, 128)
    check(64, 128, 192, dtype, turned=turned)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("rows", "columns", "size", "turned"), [(128, 64, (256, 64, 128), "AB"), (64, 256, (64, 512, 128), "")]
)
def test_tiles(tile: Choose, rows: int, columns: int, size: tuple[int, int, int], turned: str) -> None:
    tile(rows, columns)
    check(*size, turned=turned)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("size", "turned"), [((70, 100, 150), "AB"), ((70, 100, 150), ""), ((64, 64, 65), ""), ((65, 80, 128), "")]
)
def test_tiles_that_are_filled_up(tile: Choose, size: tuple[int, int, int], turned: str) -> None:
    """Conditional loads go through registers."""
    tile(64, 64)
    assert "device.cp_async" not in source(check(*size, turned=turned))


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("stages", "steps"), [(2, 2), (2, 3), (3, 3), (3, 5), (4, 3), (4, 5)])
def test_copies_begin_while_products_are_computed(tile: Choose, stages: int, steps: int) -> None:
    tile(64, 64, stages)
    text = source(check(64, 64, 64 * steps))
    assert "device.cp_async16(" in text
    if steps > stages:
        loop = text[text.index(f"in range({stages - 1}, {steps}):") :]
        found = re.findall(
            r"cp_async16|cp_async_wait\(\d\)|syncthreads|fence_async|wgmma_m\w+|wgmma_wait\d+",
            loop[: loop.index("\n    d")],
        )
        wait = f"cp_async_wait({stages - 2})"
        begin = "wgmma_m64n64k64_f16_nn"
        assert found == [wait, "fence_async", "syncthreads", begin, "cp_async16", "cp_async16", "wgmma_wait32"]


@pytest.mark.full
def test_every_wait_and_barrier_is_needed(tile: Choose) -> None:
    """Without one of them the simulator finds a race, or sums that nobody waited for. Where no copies follow, a product
    may go on while the next one begins: of the waits behind the loop only the last one is needed."""
    tile(64, 64, 3)
    lines = source(check(64, 64, 256)).splitlines()
    x, y, z = draw((64 * 256,), "float16"), draw((256 * 64,), "float16"), np.zeros(64 * 64, np.float32)
    messages = {
        "cp_async_wait(": "is copying to",
        "syncthreads": "wrote it|read it",
        "wgmma_wait": "not waited for|is copying to",
    }
    numbers = [(n, said) for n, line in enumerate(lines) for what, said in messages.items() if what in line]
    waits = [n for n, _ in numbers if "wgmma_wait" in lines[n]]
    numbers = [(n, said) for n, said in numbers if n not in waits[1:-1]]
    assert (len(waits), len(numbers)) == (3, 8)
    for n, said in numbers:
        without = "\n".join([*lines[:n], lines[n].replace(lines[n].strip(), "pass"), *lines[n + 1 :]])
        kernel = simulator.parse(without, "kernel.py").function("main_kernel0")
        with pytest.raises(TilewrightError) as raised:
            simulator.launch(kernel, 1, (32, 4, 1), [x, y, z])
        assert re.search(said, "\n".join([raised.value.message, *raised.value.notes])), lines[n]


def test_the_interpreter_computes_the_same(tile: Choose) -> None:
    tile(64, 64)
    for turned in ("", "AB"):
        inputs, c = matmul(64, 64, 128, "float16", "float32", turned=turned)
        module = as_module([*inputs, c], [*inputs, c], "main")
        module.attributes[TARGET_ATTRIBUTE] = Target(TARGET).attribute()
        lowered = lower_module(module)
        assert "wgmma_wait32" in str(lowered)
        x, y = draw((64, 128), "float16"), draw((128, 64), "float16")
        (result,) = evaluate(lowered, *((x.T.copy(), y.T.copy()) if turned else (x, y)))
        close(result, x.astype(np.float64) @ y)


@pytest.mark.parametrize("dtype", TYPES)
def test_the_epilogue_is_part_of_the_kernel(tile: Choose, dtype: str) -> None:
    tile(64, 64)
    inputs, c = matmul(60, 72, 128, dtype, "float32", epilogue=lambda v, j: te.max(v, 0).astype(dtype))
    program = build(inputs, c, target=TARGET)
    assert source(program).count("def ") == 1 and "device.wgmma" in source(program)
    x, y = draw((60, 128)).astype(TYPES[dtype]), draw((128, 72)).astype(TYPES[dtype])
    result = np.asarray(program(x, y)).astype(np.float64)
    close(result, np.maximum(x.astype(np.float64) @ y.astype(np.float64), 0), 1e-2)


def test_batches(tile: Choose) -> None:
    tile(64, 64)
    a, b = te.placeholder((2, 64, 128), "float16", name="A"), te.placeholder((2, 128, 64), "float16", name="B")
    r = te.reduce_axis((0, 128), name="k")
    c = te.compute(
        (2, 64, 64), lambda z, i, j: te.sum(a[z, i, r].astype("float32") * b[z, r, j].astype("float32"), axis=r)
    )
    program = build([a, b], c, target=TARGET)
    assert "device.wgmma" in source(program)
    x, y = draw((2, 64, 128), "float16"), draw((2, 128, 64), "float16")
    close(program(x, y), x.astype(np.float64) @ y)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
def test_convolutions(tile: Choose, layout: str) -> None:
    tile(64, 64)
    x, w = draw((1, 16, 8, 9), "float16"), draw((64, 16, 3, 3), "float16")
    expected = convolved(x, w, (1, 1), (1, 1), (1, 1), 1)
    if layout == "NHWC":
        x, w, expected = x.transpose(0, 2, 3, 1).copy(), w.transpose(2, 3, 1, 0).copy(), expected.transpose(0, 2, 3, 1)
    a, b = te.placeholder(x.shape, "float16", name="X"), te.placeholder(w.shape, "float16", name="W")
    convolve = topi.nn.conv2d_nchw if layout == "NCHW" else topi.nn.conv2d_nhwc
    program = build([a, b], convolve(a, b, 1, 1, out_dtype="float32"), target=TARGET)
    assert "device.wgmma" in source(program)
    close(program(x, w), expected)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("symbolic", ["m", "mnk"])
def test_symbolic_sizes(tile: Choose, symbolic: str) -> None:
    tile(64, 64)
    m, n, k = (te.var(name) if name in symbolic else 128 for name in "mnk")
    inputs, c = matmul(m, n, k, "float16", "float32")
    program = build(inputs, c, target=TARGET)
    assert "device.wgmma" in source(program)
    for size in (1, 64, 90):
        m, n, k = (size if name in symbolic else 128 for name in "mnk")
        x, y = draw((m, k), "float16"), draw((k, n), "float16")
        close(program(x, y), x.astype(np.float64) @ y)


def test_what_is_chosen() -> None:
    """Large products have groups of warps where the target has them, small ones do not."""
    single = tensor_core("float16", CARD)
    assert single is not None and single.warps == 1
    cores = [*warpgroup_cores("float16", CARD), single]
    large, parts = choose_warp_plan(4096, 4096, 4096, 1, 4096, cores, CARD) or (None, 0)
    assert large is not None and (large.rows, large.columns, large.stages, parts) == (128, 256, 4, 1)
    assert large.core.warps == 4 and large.registers <= 255 and large.stages * large.shared_bytes <= CARD.shared
    small, _ = choose_warp_plan(32, 32, 256, 1, 256, cores, CARD) or (None, 0)
    assert small is not None and small.core is single
    for other in ("sm_90", "sm_80", "sm_100"):
        assert not warpgroup_cores("float16", CudaTargetAttr.get(other))
    assert not warpgroup_cores("float32", CARD)
