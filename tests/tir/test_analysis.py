"""Questions about functions and blocks by their classic names."""

from __future__ import annotations

import pytest
import tilewright
from tilewright import TilewrightError, te, tir
from tilewright.schedule import Schedule
from tilewright.tir import analysis, stmt_functor


def window() -> Schedule:
    A = te.placeholder((10, 4), name="A")
    k = te.reduce_axis((0, 3), name="k")
    B = te.compute((8, 4), lambda i, j: te.sum(A[i + k, j], axis=k), name="B")
    return tir.Schedule(tilewright.IRModule({"main": te.create_prim_func([A, B])}))


def test_the_regions_of_an_instance() -> None:
    sch = window()
    read, written, unknown = analysis.get_block_access_region(sch.get(sch.get_block("B")))
    assert [(r.buffer.name_hint, str(r.region)) for r in read] == [("A", "((i + k, 1), (j, 1))")]
    assert [(r.buffer.name_hint, str(r.region)) for r in written] == [("B", "((i, 1), (j, 1))")]
    assert unknown == []
    assert len(analysis.get_block_read_write_region(sch.get(sch.get_block("B")))) == 2


def test_a_well_formed_function_and_one_that_is_not() -> None:
    sch = window()
    assert analysis.verify_ssa(sch.func)
    assert analysis.verify_well_formed(tir.PrimFunc(sch.func))
    loop = sch.get(sch.get_loops(sch.get_block("B"))[0]).op
    store = next(op for op in loop.walk() if op.name == "loop.store" and "addf" in str(op.operands[0].owner))
    addition = store.operands[0].owner
    addition.detach()
    store.parent.insert_op_after(addition, store)
    assert not analysis.verify_ssa(sch.func)
    assert not analysis.verify_well_formed(sch.func, assert_mode=False)
    with pytest.raises(TilewrightError, match="the program is not well formed") as refused:
        analysis.verify_well_formed(sch.func)
    assert refused.value.code == "TW0255"


def test_memory_is_accessed_by_threads_or_by_none() -> None:
    A = te.placeholder((8,), name="A")
    B = te.compute((8,), lambda i: A[i] * 2, name="B")
    C = te.compute((8,), lambda i: B[i] + 1, name="C")
    sch = tir.Schedule(tilewright.IRModule({"main": te.create_prim_func([A, C])}))
    assert analysis.verify_memory(sch.func)
    sch.bind(sch.get_loops(sch.get_block("C"))[0], "threadIdx.x")
    assert not analysis.verify_memory(sch.func)
    sch.bind(sch.get_loops(sch.get_block("B"))[0], "threadIdx.x")
    assert analysis.verify_memory(sch.func)


def test_variables_without_a_loop() -> None:
    sch = window()
    outer = tir.PrimFunc(sch.func).body.seq[0]
    assert isinstance(outer, tir.For)
    free = te.var("free")
    body = stmt_functor.substitute(outer.body, {outer.loop_var: free + 1})
    assert analysis.undefined_vars(body) == [free]
    assert analysis.undefined_vars(body, (free,)) == []
    assert analysis.undefined_vars(tir.For(free, 0, 7, tir.ForKind.SERIAL, body)) == []


def test_whole_modules_are_looked_at_function_by_function() -> None:
    sch = window()
    assert analysis.verify_well_formed(sch.mod) and analysis.verify_ssa(sch.mod)


def test_expressions_that_are_the_same_operations() -> None:
    n, m = te.var("n"), te.var("m")
    assert analysis.expr_deep_equal(te.exp((n + m) // 4), te.exp((n + m) // 4))
    assert not analysis.expr_deep_equal(n + m, m + n) and not analysis.expr_deep_equal(n, 1)
