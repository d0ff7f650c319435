"""Elements of tensor cores' operands that the lanes of a warp copy one by one, in the simulator."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest
import tilewright
from tilewright import te
from tilewright.schedule import Schedule
from tilewright.schedule.tensor_cores import share_among_lanes, tensor_core

from .gpu import draw


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_lanes_copy_their_elements_of_an_operand(dtype: str, side: Literal["left", "right"], transposed: bool) -> None:
    """A lane reaches no others: TW0661 would say so."""
    core = tensor_core(dtype)
    assert core is not None
    rows, columns = (core.rows, core.terms) if side == "left" else (core.terms, core.columns)
    if transposed:
        rows, columns = columns, rows
    a = te.placeholder((2 * rows, columns), dtype, name="A")
    b = te.compute(a.shape, lambda i, j: a[i, j] + a[i, j], name="B")
    sch = Schedule(tilewright.IRModule({"main": te.create_prim_func([a, b])}))
    block = sch.get_block("B")
    tile, _ = sch.split(sch.get_loops(block)[0], [None, rows])
    sch.bind(tile, "blockIdx.x")
    copy = sch.cache_read(block, 0, core.scope(side, transposed))
    sch.compute_at(copy, tile)
    for each in (copy, block):
        *_, i, j = sch.get_loops(each)
        share_among_lanes(sch, i, j, core.lane_elements(side, transposed))
    program = tilewright.build(sch, target="cuda", device="simulator")
    x = np.round(4 * draw((2 * rows, columns))).astype(dtype)  # which tf32 holds exactly
    np.testing.assert_array_equal(program(x), x + x)
