"""The rule for products of matrices, in the simulator against numpy."""

from __future__ import annotations

import re

import numpy as np
import pytest
from tilewright import te
from tilewright.dialects.target import CudaTargetAttr
from tilewright.schedule.rules.cuda.product_tiles import choose_plan, choose_tile

from .gpu import build, draw, messages_of, source
from .products import close, exact, matmul, tiles

SMALL_TILE = (16, 32, 8, 4, 4)
"""Two blocks along each axis, several steps and several threads along each axis, in small products."""


def product_remarks(program) -> str:
    return next(message for message in messages_of(program) if "is a product of" in message)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("m", "n", "k"),
    [(4, 4, 2), (5, 7, 9), (15, 31, 7), (16, 32, 8), (17, 33, 9), (37, 29, 23), (32, 64, 16), (33, 4, 40), (6, 66, 3)],
)
def test_sizes(monkeypatch, m: int, n: int, k: int) -> None:
    inputs, c = matmul(m, n, k)
    x, y = draw((m, k)), draw((k, n))
    expected = exact(x) @ exact(y)
    chosen = build(inputs, c)
    assert product_remarks(chosen)
    close(chosen(x, y), expected)
    with tiles(monkeypatch, *SMALL_TILE):
        close(build(inputs, c)(x, y), expected)


def test_outer_products_have_nothing_to_share() -> None:
    inputs, c = matmul(9, 12, 1)
    x, y = draw((9, 1)), draw((1, 12))
    close(build(inputs, c)(x, y), exact(x) @ exact(y))


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("turned", "size"), [("A", (19, 35, 11)), ("B", (19, 35, 11)), ("AB", (19, 35, 11)), ("AB", (20, 36, 12))]
)
def test_transposed_operands(monkeypatch, turned: str, size: tuple[int, int, int]) -> None:
    m, n, k = size
    inputs, c = matmul(m, n, k, turned=turned)
    x, y = draw((m, k)), draw((k, n))
    with tiles(monkeypatch, *SMALL_TILE):
        program = build(inputs, c)
    given = (x.T.copy() if "A" in turned else x), (y.T.copy() if "B" in turned else y)
    close(program(*given), exact(x) @ exact(y))


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("dtype", "sums"),
    [("float64", None), ("int32", None), ("float16", "float32"), ("bfloat16", "float32"), ("int8", "int32")],
)
@pytest.mark.parametrize("size", [(20, 36, 16), (17, 11, 10)])
def test_types(monkeypatch, dtype: str, sums: str | None, size: tuple[int, int, int]) -> None:
    m, n, k = size
    inputs, c = matmul(m, n, k, dtype, sums)
    if dtype == "bfloat16":
        ml_dtypes = pytest.importorskip("ml_dtypes")
        x, y = draw((m, k)).astype(ml_dtypes.bfloat16), draw((k, n)).astype(ml_dtypes.bfloat16)
    else:
        x, y = draw((m, k), dtype), draw((k, n), dtype)
    expected = x.astype(np.float64) @ y.astype(np.float64)
    with tiles(monkeypatch, *SMALL_TILE):
        close(build(inputs, c)(x, y), expected, 1e-12 if dtype == "float64" else 1e-5)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("symbolic", ["m", "n", "k", "mnk"])
def test_symbolic_sizes(symbolic: str) -> None:
    sizes = {"m": 12, "n": 20, "k": 16}
    m, n, k = (te.var(name) if name in symbolic else sizes[name] for name in "mnk")
    inputs, c = matmul(m, n, k)
    program = build(inputs, c)
    assert product_remarks(program)
    for size in (1, 16, 70):
        m, n, k = (size if name in symbolic else sizes[name] for name in "mnk")
        x, y = draw((m, k)), draw((k, n))
        close(program(x, y), exact(x) @ exact(y))


@pytest.mark.parametrize("size", [(2, 9, 10, 11), (3, 16, 32, 8)])
def test_batches(monkeypatch, size: tuple[int, int, int, int]) -> None:
    batch, m, n, k = size
    a, b = te.placeholder((batch, m, k), name="A"), te.placeholder((batch, k, n), name="B")
    r = te.reduce_axis((0, k), name="k")
    c = te.compute((batch, m, n), lambda z, i, j: te.sum(a[z, i, r] * b[z, r, j], axis=r), name="C")
    x, y = draw((batch, m, k)), draw((batch, k, n))
    with tiles(monkeypatch, *SMALL_TILE):
        program = build([a, b], c)
    assert "cuda.blockIdx.z" in source(program)
    close(program(x, y), exact(x) @ exact(y))


def test_several_axes_of_one_role() -> None:
    """Heads of attention: rows of two axes, columns of one, and terms of two."""
    a, b = te.placeholder((3, 5, 4, 6), name="A"), te.placeholder((6, 4, 9), name="B")
    r, s = te.reduce_axis((0, 4), name="r"), te.reduce_axis((0, 6), name="s")
    c = te.compute((5, 3, 9), lambda i, h, j: te.sum(a[h, i, r, s] * b[s, r, j], axis=[r, s]), name="C")
    program = build([a, b], c)
    assert "1 x 15 x 9 x 24" in product_remarks(program)
    x, y = draw((3, 5, 4, 6)), draw((6, 4, 9))
    close(program(x, y), np.einsum("hirs,srj->ihj", exact(x), exact(y)))


def test_the_epilogue_is_part_of_the_kernel(monkeypatch) -> None:
    m, n, k = 20, 37, 16
    bias, other = te.placeholder((n,), name="bias"), te.placeholder((m, n), name="other")
    inputs, c = matmul(m, n, k)
    d = te.compute((m, n), lambda i, j: te.max(c[i, j] + bias[j], 0) + other[i, j], name="D")
    with tiles(monkeypatch, *SMALL_TILE):
        program = build([*inputs, bias, other], d)
    assert source(program).count("def ") == 1
    x, y, v, w = draw((m, k)), draw((k, n)), draw((n,)), draw((m, n))
    close(program(x, y, v, w), np.maximum(exact(x) @ exact(y) + v, 0) + w)


@pytest.mark.parametrize("size", [(16, 16, 512), (9, 20, 24)])
def test_few_results_of_many_terms_are_summed_in_parts(monkeypatch, size: tuple[int, int, int]) -> None:
    """Parts have blocks of their own; a second kernel adds their sums, and has the epilogue."""
    m, n, k = size
    inputs, d = matmul(m, n, k, epilogue=lambda v, j: te.max(v, 0))
    x, y = draw((m, k)), draw((k, n))
    with tiles(monkeypatch, *SMALL_TILE, divided=4):
        program = build(inputs, d)
    assert f"is a product of 4 x {m} x {n} x {k // 4}" in product_remarks(program)
    assert source(program).count("def ") == 2
    close(program(x, y), np.maximum(exact(x) @ exact(y), 0))


def test_a_result_that_several_read(monkeypatch) -> None:
    inputs, c = matmul(20, 20, 8)
    d = te.compute((20, 20), lambda i, j: c[i, j] + c[j, i], name="D")
    with tiles(monkeypatch, *SMALL_TILE):
        program = build(inputs, d)
    x, y = draw((20, 8)), draw((8, 20))
    product = exact(x) @ exact(y)
    close(program(x, y), product + product.T)


def test_a_matrix_by_itself() -> None:
    """One buffer that is read in two ways is no operand of the rule's, and right all the same."""
    a, r = te.placeholder((12, 20), name="A"), te.reduce_axis((0, 20), name="k")
    c = te.compute((12, 12), lambda i, j: te.sum(a[i, r] * a[j, r], axis=r), name="C")
    program = build([a], c)
    assert not [message for message in messages_of(program) if "is a product of" in message]
    x = draw((12, 20))
    close(program(x), exact(x) @ exact(x).T)


def test_products_with_vectors_have_no_tiles() -> None:
    for m, n in ((1, 40), (40, 1)):
        inputs, c = matmul(m, n, 24)
        program = build(inputs, c)
        assert not [message for message in messages_of(program) if "is a product of" in message]
        x, y = draw((m, 24)), draw((24, n))
        close(program(x, y), exact(x) @ exact(y))


def test_large_loads_and_stores(monkeypatch) -> None:
    """Whole vectors where extents are multiples of four; guarded elements where they are not."""
    with tiles(monkeypatch, *SMALL_TILE):
        whole, ragged = (source(build(*matmul(m, n, k))) for m, n, k in [(32, 64, 16), (31, 63, 15)])
    assert "device.load4(A," in whole and "device.load4(B," in whole and "device.store4(C," in whole
    assert "device.load4(A," not in ragged and "device.store4(C," not in ragged
    for text in (whole, ragged):
        assert "device.load4(A_reindex" in text and "device.load4(B_reindex" in text


@pytest.mark.parametrize("dtype", ["float32", "float16", "int8"])
def test_guarded_vectors(monkeypatch, dtype: str) -> None:
    """Neighbours that are in bounds together become one load or store under one condition."""
    m, n, k = 30, 44, 20
    inputs, c = matmul(m, n, k, dtype, {"float32": None, "float16": "float32", "int8": "int32"}[dtype])
    with tiles(monkeypatch, *SMALL_TILE):
        program = build(inputs, c)
    lines = [line for line in source(program).splitlines() if "device.load4(A," in line or "device.load4(B," in line]
    assert lines and all(" if " in line for line in lines)
    assert "device.store4(C," in source(program)
    x, y = draw((m, k), dtype), draw((k, n), dtype)
    close(program(x, y), exact(x) @ exact(y))


def test_fetching_ahead(monkeypatch) -> None:
    """The next tiles are on their way to registers while a tile is used."""
    with tiles(monkeypatch, *SMALL_TILE):
        text = source(build(*matmul(16, 32, 32)))
    loop = text[text.index("in range(1, 4):") :]
    fetch, use, store = loop.index("device.load4(A,"), loop.index("device.fma("), loop.index("A_reindex[")
    assert fetch < use < store
    assert loop[:store].count("cuda.syncthreads()") == 2


def test_long_products_have_two_tiles_in_shared_memory(monkeypatch) -> None:
    """One barrier a step: a tile is stored beside the one that is used."""
    inputs, c = matmul(16, 32, 160)
    with tiles(monkeypatch, *SMALL_TILE):
        program = build(inputs, c)
    text = source(program)
    loop = text[text.index("in range(2, 20):") :]
    use, store, fetch = loop.index("device.fma("), loop.index("\n        A_reindex["), loop.index("device.load4(A,")
    assert use < store < fetch
    assert loop[:fetch].count("cuda.syncthreads()") == 1
    x, y = draw((16, 160)), draw((160, 32))
    close(program(x, y), exact(x) @ exact(y))


# Which tile


@pytest.mark.parametrize("size", [(4096, 4096, 4096), (8192, 8192, 1024), (2048, 2048, 2048)])
def test_large_products_have_large_tiles(size: tuple[int, int, int]) -> None:
    tile = choose_tile(*size, 1, 4, CudaTargetAttr.get())
    assert tile is not None and tile.thread_rows * tile.thread_columns == 128
    assert min(tile.rows, tile.columns) >= 64 and 128 <= tile.threads <= 256


@pytest.mark.parametrize("size", [(5, 7, 9), (16, 16, 16), (12, 9, 1000)])
def test_small_products_have_small_tiles(size: tuple[int, int, int]) -> None:
    tile = choose_tile(*size, 1, 4, CudaTargetAttr.get())
    assert tile is not None and tile.rows <= 32 and tile.columns <= 32


def test_parts_of_the_terms() -> None:
    """Results that fill the GPU, results that do not, and short sums."""
    target = CudaTargetAttr.get()
    for size, expected in (((4096, 4096, 4096), 1), ((512, 49, 4608), 2), ((64, 64, 64), 1)):
        plan = choose_plan(*size, 1, size[2], 4, target)
        assert plan is not None
        assert plan[1] == 1 if expected == 1 else plan[1] >= expected


def test_few_rows_have_tiles_of_few_rows() -> None:
    tile = choose_tile(4, 4096, 4096, 1, 4, CudaTargetAttr.get())
    assert tile is not None and tile.rows <= 16


def test_wide_results_take_fewer_registers() -> None:
    tile = choose_tile(1024, 1024, 1024, 1, 8, CudaTargetAttr.get())
    assert tile is not None and tile.thread_rows * tile.thread_columns <= 32


@pytest.mark.sampled(3)
@pytest.mark.parametrize("size", [128, 1024, 4096])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_tiles_fit_shared_memory(dtype: str, size: int) -> None:
    inputs, c = matmul(size, size, size, dtype)
    text = source(build(inputs, c))
    shared = [int(n) for n in re.findall(r"cuda\.shared\.array\((\d+), float", text)]
    assert len(shared) == 2 and sum(shared) * np.dtype(dtype).itemsize <= 48 << 10


def test_targets_with_little_shared_memory_have_small_tiles() -> None:
    tile = choose_tile(4096, 4096, 4096, 1, 4, CudaTargetAttr.get(shared=8192))
    assert tile is not None and tile.shared_bytes(4) <= 4096
    few = choose_tile(4096, 4096, 4096, 1, 4, CudaTargetAttr.get(max_threads=64))
    assert few is not None and few.threads <= 64


def test_schedules_replay_to_identical_loops() -> None:
    from tilewright.dialects import context
    from tilewright.passes.framework.manager import PassManager
    from tilewright.passes.framework.registry import parse_pipeline
    from tilewright.schedule import Schedule
    from tilewright.schedule.rules.cuda import schedule_for_cuda
    from xdsl.dialects.func import FuncOp

    inputs, c = matmul(20, 36, 30, epilogue=lambda v, j: te.max(v, 0))
    module = te.to_module([*inputs, c])
    PassManager(parse_pipeline("lower-te")).run(context(), module)
    (function,) = [op for op in module.ops if isinstance(op, FuncOp)]
    scheduled, replayed = function.clone(), function.clone()
    trace = schedule_for_cuda(scheduled, CudaTargetAttr.get()).trace
    trace.apply_to(Schedule(replayed))
    assert str(replayed) == str(scheduled)
    scheduled.verify()
