"""`te.schedule.InferBound`, `ScheduleOps` and `AutoInline...`: ranges and loops of a schedule without its program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import tilewright as tvm
from tilewright import te, tir
from tilewright.diagnostics import TilewrightError


def chain(*extents: Any) -> tuple[Any, Any, Any, Any]:
    A = te.placeholder(extents, name="A")
    B = te.compute(extents, lambda *i: A(*i) + 1, name="B")
    C = te.compute(extents, lambda *i: B(*i) * 2, name="C")
    return te.create_schedule(C.op), A, B, C


def test_extents_of_loops_and_of_regions() -> None:
    m, n = te.var("m"), te.var("n")
    s, _, B, C = chain(m, n)
    xo, yo, xi, yi = s[C].tile(*C.op.axis, 8, 4)
    s[B].compute_at(s[C], yo)
    bounds = te.schedule.InferBound(s)
    assert isinstance(bounds, tvm.container.Map)
    assert [bounds[axis].extent.value for axis in (*B.op.axis, xi, yi)] == [8, 4, 8, 4]
    assert bounds[C.op.axis[0]].extent is m and bounds[C.op.axis[1]].extent is n
    assert str(bounds[xo].extent) == "(m + 7) // 8" and bounds[xo].min.value == 0
    with pytest.raises(TilewrightError, match="inside another one") as caught:
        _ = bounds[B.op.axis[0]].min
    assert caught.value.code == "TW0251"
    with pytest.raises(KeyError):
        _ = bounds[te.create_schedule(B.op)[B].leaf_iter_vars[0]]


def test_extents_over_parts_of_sizes() -> None:
    m, n = te.var("m"), te.var("n")
    s, _, _, C = chain(8 * m, n)
    xo, xi = s[C].split(C.op.axis[0], 8)
    bounds = te.schedule.InferBound(s)
    assert bounds[xo].extent is m and bounds[xi].extent == 8


def test_statements_of_a_schedule() -> None:
    s, _, _, C = chain(16)
    s[C].split(C.op.axis[0], 4)
    loops: list[Any] = []
    statements = te.schedule.ScheduleOps(s, te.schedule.InferBound(s))
    tir.stmt_functor.post_order_visit(statements, lambda x: loops.append(x) if isinstance(x, tir.For) else None)
    assert sorted(loop.extent.value for loop in loops) == [4, 4, 16]


def test_a_lowered_function_is_a_prim_func() -> None:
    s, A, _, C = chain(16)
    function = tvm.lower(s, [A, C])["main"]
    assert isinstance(function, tir.PrimFunc) and not isinstance(s, tir.PrimFunc)
    found: list[int] = []
    tir.stmt_functor.post_order_visit(
        te.schedule.ScheduleOps(s, {}),
        lambda x: found.extend(e.value for e in x.extents) if isinstance(x, tir.Allocate) else None,
    )
    assert found == [16]
    with pytest.raises(TilewrightError, match="statements to visit") as caught:
        tir.stmt_functor.post_order_visit([function], print)
    assert caught.value.code == "TW0255"


def test_expressions_are_visited_operands_first() -> None:
    i = te.var("i")
    seen: list[str] = []
    tir.stmt_functor.post_order_visit((i + 1) * 2, lambda x: seen.append(str(x)))
    assert seen.index("i") < seen.index("i + 1") < seen.index("(i + 1) * 2")


@pytest.mark.parametrize(
    ("inline", "inlined"),
    [
        (lambda s: te.schedule.AutoInlineElemWise(s), ["B"]),
        (lambda s: te.schedule.AutoInlineBroadcast(s), ["B", "C"]),
        (lambda s: te.schedule.AutoInlineInjective(s), ["B", "C", "D"]),
    ],
)
def test_stages_that_no_call_arranged_are_inlined(inline: Callable[[Any], None], inlined: list[str]) -> None:
    A = te.placeholder((8, 8), name="A")
    B = te.compute((8, 8), lambda i, j: A[i, j] + 1, name="B")
    C = te.compute((8, 8), lambda i, j: B[i, 0], name="C", tag="broadcast")
    D = te.compute((8, 8), lambda i, j: C[j, i], name="D")
    E = te.compute((8, 8), lambda i, j: D[i, j] * 2, name="E")
    k = te.reduce_axis((0, 8), "k")
    F = te.compute((8,), lambda i: te.sum(E[i, k], axis=k), name="F")
    s = te.create_schedule(F.op)
    s[E].split(E.op.axis[0], 4)
    inline(s)
    assert [stage.name for stage in s.stages if stage.attach_type == 2] == inlined
    assert s[E].attach_type == 1
