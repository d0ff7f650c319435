"""The cost model reads blocks and the last module alike, counts what code does, and orders plain mistakes."""

from __future__ import annotations

from typing import Any

import pytest
import tilewright
from tilewright import te
from tilewright.analysis.cost import Cost, predict
from tilewright.dialects.target import TARGET_ATTRIBUTE, CpuTargetAttr
from tilewright.driver.lowering import lower_module
from tilewright.driver.programs import as_module
from xdsl.dialects.func import FuncOp

TARGET = CpuTargetAttr.get(["avx2", "fma"], 256, (32 << 10, 512 << 10, 8 << 20), 1)


def product(m: int = 96, n: int = 64, k: int = 128) -> list[te.Tensor]:
    a, b = te.placeholder((m, k), name="A"), te.placeholder((k, n), name="B")
    r = te.reduce_axis((0, k), "r")
    return [a, b, te.compute((m, n), lambda i, j: te.sum(a[i, r] * b[r, j], axis=r), name="C")]


def tiled(rows: int, vectors: int, unrolled: int = 1) -> Any:
    """Return a product in tiles whose accumulators are in registers."""
    sch = tilewright.Schedule(tilewright.IRModule({"main": te.create_prim_func(product())}))
    block = sch.get_block("C")
    result = sch.cache_write(block, 0, "register")
    i, j, k = sch.get_loops(block)
    io, ii = sch.split(i, [None, rows])
    jo, jv, jl = sch.split(j, [None, vectors, 8])
    ko, ku = sch.split(k, [None, unrolled])
    sch.reorder(io, jo, ko, ku, ii, jv, jl)
    sch.reverse_compute_at(result, jo)
    row, column = sch.get_loops(result)[-2:]
    _, vector, lane = sch.split(column, [1, vectors, 8])
    init = sch.decompose_reduction(block, ko)
    for handle in (ku, ii, jv, row, vector, *sch.get_loops(init)[2:-1]):
        sch.unroll(handle)
    for handle in (jl, lane, sch.get_loops(init)[-1]):
        sch.vectorize(handle)
    return sch


def cost_of(sch: Any) -> Cost:
    return predict(sch.func, TARGET)


def reduction(cost: Cost) -> Any:
    return max(cost.bodies, key=lambda body: body.compute_cycles)


@pytest.mark.each("rows,vectors,unrolled", [(6, 2, 1), (4, 2, 2), (2, 1, 1), (12, 1, 4)])
def test_instructions_of_a_tile(rows: int, vectors: int, unrolled: int) -> None:
    """Multiply-adds for each accumulator, a load for each row and for each vector, registers, and one chain."""
    body = reduction(cost_of(tiled(rows, vectors, unrolled)))
    work = body.work
    assert body.times == 96 // rows * (64 // 8 // vectors) * (128 // unrolled)
    assert work.arithmetic == rows * vectors * unrolled / 2
    assert work.loads == (rows + vectors) * unrolled / 2
    assert work.stores == work.strided == work.memory_accumulators == 0
    assert work.accumulators == rows * vectors
    assert work.chain == 4 * unrolled
    assert work.elements == work.arithmetic * 2


def test_a_tile_that_hides_its_chain_is_predicted_faster_than_one_that_does_not() -> None:
    costs = [cost_of(tiled(*tile)).seconds for tile in ((6, 2), (2, 1), (1, 1))]
    assert costs == sorted(costs)
    assert costs[2] > 5 * costs[0]


def last_module(sch: Any) -> FuncOp:
    module = as_module(sch, None, "main")
    module.attributes[TARGET_ATTRIBUTE] = TARGET
    (function,) = (op for op in lower_module(module).ops if isinstance(op, FuncOp))
    return function


@pytest.mark.each("tile", [(6, 2, 1), (4, 2, 2), (2, 1, 1)])
def test_the_last_module_is_read_as_blocks_are(tile: tuple[int, int, int]) -> None:
    """Lanes stand for the vectorized loop, and views for buffers."""
    sch = tiled(*tile)
    before, after = cost_of(sch), predict(last_module(sch), TARGET)
    assert reduction(after).work.arithmetic == reduction(before).work.arithmetic
    assert reduction(after).work.loads == reduction(before).work.loads
    assert after.seconds == pytest.approx(before.seconds, rel=0.1)


def test_open_sizes_have_a_prediction() -> None:
    n = te.var("n")
    a = te.placeholder((n, 64), name="A")
    function = te.create_prim_func([a, te.compute((n, 64), lambda i, j: a[i, j] + 1.0, name="B")])
    sch = tilewright.Schedule(tilewright.IRModule({"main": function}))
    assert cost_of(sch).seconds > 0


def test_a_parallel_loop_is_as_fast_as_its_slowest_thread() -> None:
    target = CpuTargetAttr.get(["avx2", "fma"], 256, (32 << 10, 512 << 10, 8 << 20), 4)

    def time(parts: int) -> float:
        sch = tilewright.Schedule(tilewright.IRModule({"main": te.create_prim_func(product(960, 512, 512))}))
        i = sch.get_loops(sch.get_block("C"))[0]
        sch.parallel(sch.split(i, [parts, None])[0])
        return predict(sch.func, target).seconds

    alone, even, uneven = time(1), time(4), time(5)
    assert even == pytest.approx(alone / 4, rel=0.05)
    assert uneven == pytest.approx(alone * 2 / 5, rel=0.05)


def test_the_table_of_a_cost() -> None:
    head, *rows, total = str(cost_of(tiled(6, 2))).splitlines()
    assert head.split()[:2] == ["loop", "iterations"]
    assert any(row.split()[0] == "%r" or "C" in row for row in rows)
    assert total.endswith("% of the roofline")


def test_elements_without_vectors_count_as_work_for_vectors() -> None:
    """The roofline is that of the operations: it does not depend on how they are scheduled."""
    plain = tilewright.Schedule(tilewright.IRModule({"main": te.create_prim_func(product())}))
    assert cost_of(plain).least_cycles == pytest.approx(cost_of(tiled(6, 2)).least_cycles, rel=0.02)
    assert cost_of(plain).roofline_share < 0.2 < cost_of(tiled(6, 2)).roofline_share
