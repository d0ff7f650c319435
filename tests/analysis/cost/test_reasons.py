"""Planted slow schedules: each is named with its line and its remedy, and a schedule without the mistake is not."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tilewright
from tilewright import te
from tilewright.diagnostics.remarks import Remark, collect_remarks
from tilewright.dialects.target import TARGET_ATTRIBUTE, CpuTargetAttr
from tilewright.driver.lowering import lower_module
from tilewright.driver.programs import as_module

TARGET = CpuTargetAttr.get(["avx2", "fma"], 256, (32 << 10, 512 << 10, 8 << 20), 2)
"""16 registers of 8 lanes."""
CODES = ("TW0840", "TW0841", "TW0842", "TW0843", "TW0844", "TW0845")


def product(m: int = 384, n: int = 512, k: int = 512) -> list[te.Tensor]:
    a, b = te.placeholder((m, k), name="A"), te.placeholder((k, n), name="B")
    r = te.reduce_axis((0, k), "r")
    return [a, b, te.compute((m, n), lambda i, j: te.sum(a[i, r] * b[r, j], axis=r), name="C")]


LINE = next(
    number for number, line in enumerate(Path(__file__).read_text(encoding="utf-8").splitlines(), 1) if '"C")]' in line
)
"""The line of C's definition."""


def remarks_of(
    arrange: Callable[[Any], None], columns: int = 512, rows: int = 384, target: CpuTargetAttr = TARGET
) -> list[Remark]:
    """Return the remarks of the cost model about a schedule of the product."""
    schedule = tilewright.Schedule(tilewright.IRModule({"main": te.create_prim_func(product(rows, columns))}))
    arrange(schedule)
    module = as_module(schedule, None, "main")
    module.attributes[TARGET_ATTRIBUTE] = target
    with collect_remarks() as found:
        lower_module(module, 0)
    return [remark for remark in found if remark.code in CODES]


def tile(
    sch: Any,
    rows: int,
    vectors: int,
    lanes: int = 8,
    *,
    registers: bool = True,
    parallel: bool = True,
    written: bool = True,
) -> None:
    """Tile the product by rows x vectors, with the reduction around the tile."""
    block = sch.get_block("C")
    result = sch.cache_write(block, 0, "register") if registers else None
    i, j, k = sch.get_loops(block)
    io, ii = sch.split(i, [None, rows])
    jo, jv, jl = sch.split(j, [None, vectors, lanes])
    sch.reorder(io, jo, k, ii, jv, jl)
    if parallel:
        sch.parallel(io)
    if result is not None:
        sch.reverse_compute_at(result, jo)
        row, column = sch.get_loops(result)[-2:]
        _, vector, lane = sch.split(column, [1, vectors, lanes])
        sch.vectorize(lane)
        sch.unroll(vector)
        sch.unroll(row)
    init = sch.decompose_reduction(block, k)
    sch.vectorize(sch.get_loops(init)[-1])
    sch.vectorize(jl)
    if written:
        sch.unroll(ii)
        sch.unroll(jv)
        for handle in sch.get_loops(init)[2:-1]:
            sch.unroll(handle)


def accumulators_in_memory(sch: Any) -> None:
    tile(sch, 6, 2, registers=False, written=False)


def many_accumulators_in_memory(sch: Any) -> None:
    """Use more accumulators than find registers: the code generator leaves them in memory."""
    tile(sch, 6, 3, registers=False)


def strided_lanes(sch: Any) -> None:
    i, j, k = sch.get_loops(sch.get_block("C"))
    io, ii = sch.split(i, [None, 8])
    sch.reorder(io, j, k, ii)
    sch.parallel(io)
    sch.decompose_reduction(sch.get_block("C"), k)
    sch.vectorize(ii)


def strided_scalars(sch: Any) -> None:
    sch.parallel(sch.get_loops(sch.get_block("C"))[0])


REGISTERS = (
    'cache_write(block, 0, "register"), with the loops over terms outside of the tile, and those of the tile '
    "unrolled and vectorized"
)
PLANTED = {
    "accumulators in memory": (
        accumulators_in_memory,
        512,
        "TW0841",
        "block 'C' adds to %C in memory: each iteration of loop %ii loads and stores 2 vectors of it; predicted to "
        "cost N% of the time",
        REGISTERS,
    ),
    "many accumulators in memory": (
        many_accumulators_in_memory,
        528,
        "TW0841",
        "block 'C' adds to %C in memory: each iteration of loop %r loads and stores 18 vectors of it; predicted to "
        "cost N% of the time",
        REGISTERS,
    ),
    "strided lanes": (
        strided_lanes,
        512,
        "TW0842",
        "block 'C' loads %A with a lane stride of 2048 bytes: loop %ii is vectorized, and moves another dimension than "
        "the last one; predicted to cost N% of the time",
        "vectorize a loop along the last dimension, or copy the operand with its dimensions in the order of the loops: "
        "cache_read, transform_layout",
    ),
    "strided innermost loop": (
        strided_scalars,
        512,
        "TW0842",
        "block 'C' loads %B in steps of 2048 bytes: loop %r is innermost, and moves another dimension than the last "
        "one; "
        "predicted to cost N% of the time",
        "reorder the loops so that the innermost one moves the last dimension, and vectorize it",
    ),
    "spill": (
        lambda sch: tile(sch, 8, 3),
        528,
        "TW0843",
        "block 'C' keeps 28 vectors in registers, of which the target has 16: 12 go through the stack in each "
        "iteration of "
        "loop %r; predicted to cost N% of the time",
        "take a smaller tile: split the unrolled loops by smaller factors",
    ),
    "short vectors": (
        lambda sch: tile(sch, 6, 2, lanes=4),
        512,
        "TW0844",
        "block 'C' computes vectors of 4 elements, where registers hold 8; predicted to cost N% of the time",
        "split the vectorized loop by 8, or by a multiple",
    ),
    "scalar tail": (
        lambda sch: tile(sch, 6, 2, registers=False),
        28,
        "TW0844",
        "block 'C' stores vectors under conditions: its tiles reach beyond the results; predicted to cost N% of "
        "the time",
        "split by a factor that divides the extent, or keep the results in registers and store them once: "
        'cache_write(block, 0, "register")',
    ),
    "no parallel loop": (
        lambda sch: tile(sch, 6, 2, parallel=False),
        512,
        "TW0845",
        "no loop around block 'C' is parallel: one of 2 threads does the work; predicted to cost N% of the time",
        "mark an outer loop that moves the result, such as %io: parallel(loop)",
    ),
}


@pytest.mark.each("mistake", list(PLANTED))
def test_planted_slow_schedules_are_named_with_line_and_remedy(mistake: str) -> None:
    arrange, columns, code, message, remedy = PLANTED[mistake]
    share, *found = remarks_of(arrange, columns)
    assert share.code == "TW0840" and share.kind == "analysis"
    messages = [(each.code, re.sub(r"cost [1-9][0-9]?%", "cost N%", each.message), each.notes) for each in found]
    assert messages == [(code, message, (f"remedy: {remedy}",))]
    assert f"{Path(__file__).name}:{LINE}:" in str(found[0])


@pytest.mark.each(
    "rows,vectors,columns,registers", [(6, 2, 512, True), (4, 3, 528, True), (4, 2, 512, False), (6, 2, 500, True)]
)
def test_schedules_without_the_mistakes_get_no_remark(rows: int, vectors: int, columns: int, registers: bool) -> None:
    """Also where few results are added up in memory, which the code generator keeps in registers."""
    assert remarks_of(lambda sch: tile(sch, rows, vectors, registers=registers), columns) == []


def test_one_thread_needs_no_parallel_loop_and_short_functions_neither() -> None:
    alone = CpuTargetAttr.get(["avx2", "fma"], 256, (32 << 10, 512 << 10, 8 << 20), 1)
    assert remarks_of(lambda sch: tile(sch, 6, 2, parallel=False), target=alone) == []
    assert remarks_of(lambda sch: tile(sch, 6, 2, parallel=False), columns=16, rows=96) == []


def test_the_share_of_the_roofline_is_that_of_the_function() -> None:
    share, _ = remarks_of(strided_scalars)
    assert share.message == "@main is predicted to reach 1% of the roofline"


def test_default_plans_get_no_remark() -> None:
    module = te.to_module(product())
    module.attributes[TARGET_ATTRIBUTE] = TARGET
    with collect_remarks() as found:
        lower_module(module, 0)
    assert [remark for remark in found if remark.code in CODES] == []
