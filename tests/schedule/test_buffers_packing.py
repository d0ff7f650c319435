"""A matrix product that reads packed panels of B: caches, layouts and loops of the copy together."""

from __future__ import annotations

import pytest
from tilewright.dialects import loop
from tilewright.dialects.index_expr import LANE
from tilewright.driver import lower
from tilewright.schedule import Schedule
from xdsl.dialects.builtin import ModuleOp, UnitAttr, VectorType

from .compiled import check_compiled
from .programs import matmul, symbolic_matmul


def packed_matmul(s: Schedule, output: str = "C") -> None:
    """Pack panels of 16 columns of B, each by the thread that uses it; keep tiles of C of 4 by 16 in registers."""
    c = s.get_block("C")
    pack = s.cache_read(c, ("read", 1), "global")
    s.transform_layout(pack, ("write", 0), lambda k, j: (j // 16, k, j % 16))
    s.transform_block_layout(pack, lambda k, j: (j // 16, k, j % 16))
    if output == "C":
        write = s.cache_write(c, "C", "register")
    else:
        write = s.get_block(output)
        s.set_scope(c, 0, "register")
    i, j = s.get_loops(write)
    jo, ji = s.split(j, factor=16)
    io, ii = s.split(i, factor=4)
    s.reorder(jo, io, ii, ji)
    s.compute_at(c, io)
    s.compute_at(pack, jo)
    rows, columns, k = s.get_loops(c)[2:]
    ko, ki = s.split(k, factor=8)
    s.reorder(ko, ki, rows, columns)
    init = s.decompose_reduction(c, ko)
    *_, init_rows, init_columns = s.get_loops(init)
    for handle in (columns, ji, init_columns, s.get_loops(pack)[-1]):
        s.vectorize(handle)
    for handle in (rows, ii, init_rows):
        s.unroll(handle)
    s.parallel(jo)


@pytest.mark.parametrize(("n", "m", "k"), [(8, 32, 16), (7, 37, 11)])
def test_packed_panels(n: int, m: int, k: int) -> None:
    s = check_compiled(matmul(n, m, k, epilogue=False), packed_matmul)
    module = s.func.parent_op()
    assert isinstance(module, ModuleOp)
    s.func.attributes["tw.scheduled"] = UnitAttr()
    lowered = lower(module).op
    loops = [op for op in lowered.walk() if isinstance(op, loop.ForOp)]
    assert [op.kind for op in loops].count(loop.PARALLEL) == 1
    panels = [op for op in lowered.walk() if isinstance(op, (loop.LoadOp, loop.StoreOp)) and _is_of(op, "B")]
    assert len(panels) >= 3
    for op in panels:
        type = op.res.type if isinstance(op, loop.LoadOp) else op.value.type
        assert isinstance(type, VectorType) and type.get_shape() == (16,)
        assert _lane_stride(op) == 1
    masked = [op for op in panels if op.conditions]
    assert len(masked) == (0 if m % 16 == 0 else 1), "only the copy of the last panel has a mask"


@pytest.mark.parametrize("m", [16, 21])
def test_packed_panels_of_symbolic_size(m: int) -> None:
    check_compiled(symbolic_matmul(), lambda s: packed_matmul(s, "E"), {"A": (5, 9), "B": (9, m), "E": (5, m)})


def _is_of(op: loop.LoadOp | loop.StoreOp, name: str) -> bool:
    return (op.buffer.name_hint or "").startswith(name)


def _lane_stride(op: loop.LoadOp | loop.StoreOp) -> int:
    return op.index[-1].coefficient(LANE)
