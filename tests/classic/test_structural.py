"""Structural equality of programs, and functions with their text."""

from __future__ import annotations

import pytest
import tilewright as tvm
from tilewright import TilewrightError, te, tir
from tilewright.script import from_source
from tilewright.script import tir as T


@T.prim_func
def first(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    C = T.alloc_buffer((8,))
    for i in range(8):
        with T.block("C"):
            vi = T.axis.spatial(8, i)
            C[vi] = A[vi] + T.float32(1)
    for i in range(8):
        with T.block("B"):
            vi = T.axis.spatial(8, i)
            B[vi] = C[vi] * T.float32(2)


@T.prim_func
def renamed(x: T.Buffer((8,), "float32"), y: T.Buffer((8,), "float32")):
    for a in range(8):
        with T.block("p"):
            va = T.axis.spatial(8, a)
            z = T.alloc_buffer((8,))
            z[va] = x[va] + T.float32(1)
            y[va] = z[va] * T.float32(2)


@T.prim_func
def other_constant(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    C = T.alloc_buffer((8,))
    for k in range(8):
        with T.block("one"):
            vk = T.axis.spatial(8, k)
            C[vk] = A[vk] + T.float32(1)
    for k in range(8):
        with T.block("two"):
            vk = T.axis.spatial(8, k)
            B[vk] = C[vk] * T.float32(3)


def test_names_and_positions_of_allocations_are_no_structure() -> None:
    again = first.with_attr("global_symbol", "again")
    assert tvm.ir.structural_equal(first, again)
    assert tvm.ir.structural_hash(first) == tvm.ir.structural_hash(again)
    assert again.script().startswith("func.func @again(")
    tvm.ir.assert_structural_equal(tvm.IRModule({"main": first}), tvm.IRModule({"main": again}))


@pytest.mark.parametrize("other", [renamed, other_constant], ids=["loops", "a constant"])
def test_differences_are_reported(other: object) -> None:
    assert not tvm.ir.structural_equal(first, other)
    with pytest.raises(ValueError, match="TW0256.*structures differ: "):
        tvm.ir.assert_structural_equal(first, other)


def test_a_load_behind_a_store_is_another_value() -> None:
    @T.prim_func
    def before(A: T.Buffer((1,), "float32"), B: T.Buffer((1,), "float32")):
        x = A[0]
        A[0] = T.float32(1)
        B[0] = x

    @T.prim_func
    def behind(A: T.Buffer((1,), "float32"), B: T.Buffer((1,), "float32")):
        A[0] = T.float32(1)
        x = A[0]
        B[0] = x

    assert not tvm.ir.structural_equal(before, behind)


def test_expressions() -> None:
    n, m = te.var("n"), te.var("m")
    assert tvm.ir.structural_equal(n + 1, n + 1)
    assert not tvm.ir.structural_equal(n + 1, m + 1)
    assert tvm.ir.structural_equal(n + m, m + n, map_free_vars=True)
    assert not tvm.ir.structural_equal(n + n, m + n, map_free_vars=True)
    assert tvm.ir.structural_equal([n, 1], [n, 1]) and not tvm.ir.structural_equal([n, 1], [n, 2])


def test_what_has_no_structure_is_refused() -> None:
    with pytest.raises(TilewrightError) as refused:
        tvm.ir.structural_equal(object(), first)
    assert refused.value.code == "TW0725"


def test_attributes_of_functions() -> None:
    noted = first.with_attr({"x": 1, "y": "text", "z": True, "w": 0.5})
    assert 'attributes {x = 1 : i64, y = "text", z = true, w = 5.000000e-01 : f64}' in noted.script()
    assert not tvm.ir.structural_equal(first, noted)
    assert tvm.ir.structural_equal(first, noted.without_attr("x").without_attr("y").without_attr("z").without_attr("w"))
    with pytest.raises(TilewrightError) as refused:
        first.with_attr("x", object())
    assert refused.value.code == "TW0725"


def test_a_schedule_leaves_the_function_of_a_program_as_it_is() -> None:
    before = first.script()
    sch = tir.Schedule(first)
    sch.compute_inline("C")
    assert first.script() == before and list(sch.mod) == ["main"]
    assert "alloc" not in sch.mod["main"].script()


@T.prim_func
def plain(A: T.Buffer((8, 4), "float32"), B: T.Buffer((8,), "float32")):
    for i, k in T.grid(8, 4):
        with T.block("B"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = T.float32(0)
            B[vi] += A[vi, vk]


@T.prim_func
def with_unit_loops(A: T.Buffer((8, 4), "float32"), B: T.Buffer((8,), "float32")):
    for one, i, two, k in T.grid(1, 8, 1, 4):
        with T.block("B"):
            T.where(i + two < 8)
            vk = T.axis.reduce(4, two * 4 + k)
            vone = T.axis.reduce(1, one)
            vi = T.axis.spatial(8, (i + one) % 8)
            with T.init():
                B[vi] = T.float32(0)
            B[vi] += A[vi + vone, vk]


@T.prim_func
def in_another_order(A: T.Buffer((8, 4), "float32"), B: T.Buffer((8,), "float32")):
    for k, i in T.grid(4, 8):
        with T.block("B"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = T.float32(0)
            B[vi] += A[vi, vk]


@T.prim_func
def of_another_kind(A: T.Buffer((8, 4), "float32"), B: T.Buffer((8,), "float32")):
    for i, k in T.grid(8, 4):
        with T.block("B"):
            vi, vk = T.axis.remap("SS", [i, k])
            with T.init():
                B[vi] = T.float32(0)
            B[vi] += A[vi, vk]


@T.prim_func
def with_a_condition(A: T.Buffer((8, 4), "float32"), B: T.Buffer((8,), "float32")):
    for i, k in T.grid(8, 4):
        with T.block("B"):
            T.where(i < 7)
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = T.float32(0)
            B[vi] += A[vi, vk]


@T.prim_func
def bound_in_parts(A: T.Buffer((8, 4), "float32"), B: T.Buffer((8,), "float32")):
    for i, k in T.grid(8, 4):
        with T.block("B"):
            half = T.axis.spatial(4, i // 2)
            rest = T.axis.spatial(2, i % 2)
            vk = T.axis.reduce(4, k)
            with T.init():
                B[half * 2 + rest] = T.float32(0)
            B[half * 2 + rest] += A[half * 2 + rest, vk]


def test_unit_loops_and_spatial_variables_of_blocks_are_no_structure() -> None:
    tvm.ir.assert_structural_equal(plain, with_unit_loops)
    assert tvm.ir.structural_hash(plain) == tvm.ir.structural_hash(with_unit_loops)
    tvm.ir.assert_structural_equal(plain, bound_in_parts)


@pytest.mark.parametrize("other", [in_another_order, of_another_kind, with_a_condition], ids=["order", "kind", "where"])
def test_loops_kinds_and_conditions_are_structure(other: object) -> None:
    assert not tvm.ir.structural_equal(plain, other)


def test_a_parallel_loop_that_runs_once_is_structure() -> None:
    sch = tir.Schedule(plain)
    loop = sch.add_unit_loop(sch.get_block("B"))
    tvm.ir.assert_structural_equal(sch.mod["main"], plain)
    sch.parallel(loop)
    assert not tvm.ir.structural_equal(sch.mod["main"], plain)


MATERIALIZED = """
@T.prim_func
def main(A: T.Buffer((16,), "float32")):
    for i in range(16):
        if i == 5:
            A[{0}] = 1.0
        A[{1}] = 2.0
"""


def test_a_variable_of_which_a_condition_says_the_value() -> None:
    same, other = from_source(MATERIALIZED.format("i", "i")), from_source(MATERIALIZED.format("5", "i"))
    tvm.ir.assert_structural_equal(same, other)
    assert not tvm.ir.structural_equal(same, from_source(MATERIALIZED.format("4", "i")))
    assert not tvm.ir.structural_equal(same, from_source(MATERIALIZED.format("i", "5")))
    assert len({hash(tvm.IRModule({"main": each})) for each in (same, other)}) == 2
