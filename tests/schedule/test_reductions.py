"""rfactor: what it computes, compiled too, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest
from tilewright import TilewrightError, semantics
from tilewright.analysis.block_reductions import reduction_of
from tilewright.dialects import loop
from tilewright.schedule import Schedule
from xdsl.dialects.func import FuncOp

from .compiled import check_compiled, run_on
from .programs import interpret, matmul, parse, symbolic_matmul, verify
from .test_loops import blocks, refusal


def row_sum(n: int, k: int, combine: str = "addf", identity: str = "0.0") -> str:
    """Return B[i] = combine over k of A[i, k], from an init that is no identity: D[i]."""
    return f"""
func.func @k(%A: memref<{n}x{k}xf64>, %D: memref<{n}xf64>, %B: memref<{n}xf64> {{tw.output}}) {{
  loop.for %i = 0 to {n} {{ loop.for %k = 0 to {k} {{
    loop.block "B" (%vi = spatial(%i) in {n}, %vk = reduce(%k) in {k}) {{
      loop.init {{
        %d = loop.load %D[%vi] : memref<{n}xf64>
        loop.store %d, %B[%vi] : memref<{n}xf64>
      }}
      %a = loop.load %A[%vi, %vk] : memref<{n}x{k}xf64>
      %b = loop.load %B[%vi] : memref<{n}xf64>
      %s = arith.{combine} %b, %a : f64
      loop.store %s, %B[%vi] : memref<{n}xf64>
    }} }} }}
  func.return
}}"""


@pytest.mark.parametrize(("combine", "k"), [("addf", 1), ("maximumf", 3), ("addf", 8), ("maximumf", 13)])
@pytest.mark.parametrize("outer", [True, False])
def test_rfactor_of_a_split_reduction(k: int, outer: bool, combine: str) -> None:
    def transform(s: Schedule) -> None:
        b = s.get_block("B")
        i, k = s.get_loops(b)
        ko, ki = s.split(k, factor=4)
        rf = s.rfactor(ko if outer else ki)
        s.parallel(ko if outer else ki)
        assert [h.variable for h in s.get_loops(b)] == ["i", "ko" if outer else "ki"]
        assert [h.variable for h in s.get_loops(rf)] == ["i", "ko", "ki"]

    schedule = check_compiled(row_sum(3, k, combine), transform)
    assert [b.label for b in blocks(schedule)] == ["B_rf", "B"]
    assert all(reduction_of(b) is not None for b in blocks(schedule))
    assert schedule.reassociates


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_factor_axis(axis: int) -> None:
    def transform(s: Schedule) -> None:
        _, _, k = s.get_loops(s.get_block("C"))
        ko, ki = s.split(k, factor=2)
        rf = s.rfactor(ki, axis)
        i, j, _, _ = s.get_loops(rf)
        s.reorder(ko, ki, i, j)
        s.vectorize(j)

    schedule = check_compiled(matmul(3, 4, 5), transform)
    shape = [3, 4]
    shape.insert(axis % 3, 2)
    (alloc,) = (op for op in schedule.func.walk() if isinstance(op, loop.AllocOp) and op.res.name_hint == "C_rf")
    assert list(alloc.res.type.get_shape()) == shape


def test_rfactor_of_a_whole_reduction_leaves_a_product() -> None:
    def transform(s: Schedule) -> None:
        _, _, k = s.get_loops(s.get_block("C"))
        rf = s.rfactor(k)
        s.reorder(k, *s.get_loops(rf)[:2])
        s.parallel(k)

    check_compiled(matmul(3, 4, 5), transform)


def test_rfactor_of_a_tiled_nest() -> None:
    def transform(s: Schedule) -> None:
        c = s.get_block("C")
        i, j, k = s.get_loops(c)
        io, jo, ii, ji = s.tile(i, j, 2, 3)
        ko, ki = s.split(k, factor=4)
        s.reorder(io, jo, ko, ki, ii, ji)
        s.rfactor(ko)
        s.parallel(ko)
        s.vectorize(ji)
        assert [h.variable for h in s.get_loops(c)] == ["io", "jo", "ko", "ii", "ji"]

    check_compiled(matmul(5, 7, 6), transform)


def test_rfactor_of_a_fused_reduction() -> None:
    """The sum over a plane: both reduce loops fused, split and factored."""
    text = """
func.func @k(%A: memref<5x3x4xf64>, %B: memref<5xf64> {tw.output}) {
  %zero = arith.constant 0.0 : f64
  loop.for %i = 0 to 5 { loop.for %y = 0 to 3 { loop.for %x = 0 to 4 {
    loop.block "B" (%vi = spatial(%i) in 5, %vy = reduce(%y) in 3, %vx = reduce(%x) in 4) {
      loop.init { loop.store %zero, %B[%vi] : memref<5xf64> }
      %a = loop.load %A[%vi, %vy, %vx] : memref<5x3x4xf64>
      %b = loop.load %B[%vi] : memref<5xf64>
      %s = arith.addf %b, %a : f64
      loop.store %s, %B[%vi] : memref<5xf64>
    } } } }
  func.return
}"""

    def transform(s: Schedule) -> None:
        _, y, x = s.get_loops(s.get_block("B"))
        outer, inner = s.split(s.fuse(y, x), factor=5)
        rf = s.rfactor(inner, 1)
        i, *_ = s.get_loops(rf)
        s.reorder(outer, inner, i)

    check_compiled(text, transform)


@pytest.mark.parametrize(("n", "d", "m"), [(1, 2, 1), (3, 9, 3)])
@pytest.mark.parametrize("outer", [True, False])
def test_rfactor_symbolic(n: int, d: int, m: int, outer: bool) -> None:
    def transform(s: Schedule) -> None:
        _, _, k = s.get_loops(s.get_block("C"))
        ko, ki = s.split(k, factor=4)
        s.rfactor(ko if outer else ki)
        s.parallel(ko if outer else ki)

    check_compiled(symbolic_matmul(), transform, {"A": (n, d), "B": (d, m), "E": (n, m)})


@pytest.mark.parametrize("outer", [True, False])
def test_parts_of_a_symbolic_reduction_are_refused_with_the_reason_and_what_helps(outer: bool) -> None:
    schedule = Schedule(parse(symbolic_matmul()))
    _, _, k = schedule.get_loops(schedule.get_block("C"))
    parts = schedule.split(k, nparts=4)
    before = str(schedule.func)
    with pytest.raises(TilewrightError) as error:
        schedule.rfactor(parts[0 if outer else 1])
    assert error.value.code == "TW0411"
    assert "where one begins, %k_first, is a product" in error.value.message
    assert error.value.help is not None and error.value.help.startswith("split it by a factor")
    assert str(schedule.func) == before


def test_rfactor_of_symbolic_fused_results() -> None:
    def transform(s: Schedule) -> None:
        i, j, _ = s.get_loops(s.get_block("C"))
        s.fuse(i, j)
        _, k = s.get_loops(s.get_block("C"))
        s.rfactor(s.split(k, factor=2)[1])

    check_compiled(symbolic_matmul(), transform, {"A": (3, 5), "B": (5, 2), "E": (3, 2)})


def test_a_partial_result_without_terms_is_the_identity() -> None:
    schedule = Schedule(parse(row_sum(3, 3)))
    _, k = schedule.get_loops(schedule.get_block("B"))
    _, ki = schedule.split(k, factor=4)
    schedule.rfactor(ki)
    partial, final = blocks(schedule)
    assert partial.conditions == ()
    assert [str(e) for op in partial.walk() if isinstance(op, loop.IfOp) for e in op.conditions] == ["-%vki + 2"]
    assert final.conditions == ()


def test_refusals() -> None:
    text = matmul(4, 4, 4)
    for attempt, message in [
        (lambda s, at: s.rfactor(at[0]), "loop %i: no reduce variable of block 'C' depends on it"),
        (lambda s, at: (s.decompose_reduction(s.get_block("C"), at[2]), s.rfactor(at[2])), "with its init"),
        (lambda s, at: s.rfactor(s.get_loops(s.get_block("E"))[0]), "block 'E' is no reduction by a known operator"),
        (lambda s, at: s.rfactor(s.fuse(at[1], at[2])), "runs over the reduction and over the result at once"),
    ]:
        schedule = Schedule(parse(text))
        with pytest.raises(TilewrightError) as error:
            attempt(schedule, schedule.get_loops(schedule.get_block("C")))
        assert error.value.code == "TW0411"
        assert message in error.value.message
    error = refusal(text, "C", lambda s, at: s.rfactor(at[2], 3))
    assert error.code == "TW0403"
    assert "expected a factor axis from -3 to 2 for %C, but got 3" in error.message


def tiled_rows(*, low: int, count: int, binding: str = "%k", guard: str = "") -> str:
    """Return row sums in a loop that also fills their input, so that it is no part of the reduction's own nest."""
    tile = "0" if count == 1 else f"%o - {low}"
    return f"""
func.func @k(%A: memref<4x6xf64>, %B: memref<4x{count}xf64> {{tw.output}}) {{
  %z = arith.constant 0.0 : f64
  %T = loop.alloc : memref<4x6xf64>
  loop.for %i = 0 to 4 {{ loop.for %o = {low} to {low + count} {{
    loop.for %x = 0 to 6 {{ loop.block "T" (%vi = spatial(%i) in 4, %vx = spatial(%x) in 6) {{
      %a = loop.load %A[%vi, %vx] : memref<4x6xf64>
      loop.store %a, %T[%vi, %vx] : memref<4x6xf64>
    }} }}
    loop.for %k = 0 to 3 {{
      loop.block "B" (
        %vi = spatial(%i) in 4, %vo = spatial({tile}) in {count}, %vk = reduce({binding}) in 3
      ) {guard} {{
        loop.init {{ loop.store %z, %B[%vi, %vo] : memref<4x{count}xf64> }}
        %a = loop.load %T[%vi, %vk] : memref<4x6xf64>
        %b = loop.load %B[%vi, %vo] : memref<4x{count}xf64>
        %s = arith.addf %b, %a : f64
        loop.store %s, %B[%vi, %vo] : memref<4x{count}xf64>
      }} }} }} }}
  func.return
}}"""


def _factor(s: Schedule) -> None:
    s.rfactor(s.get_loops(s.get_block("B"))[-1])


@pytest.mark.parametrize(
    ("low", "count", "binding", "guard"),
    [
        (0, 1, "%o * 3 + %k", ""),
        (1, 1, "%o * 3 + %k - 3", ""),
        (1, 1, "%k", "where (%k + %o < 3)"),
        (0, 2, "%k", ""),
    ],
)
def test_the_value_of_an_outer_loop_of_one_iteration_is_known(low: int, count: int, binding: str, guard: str) -> None:
    check_compiled(tiled_rows(low=low, count=count, binding=binding, guard=guard), _factor)


def test_partial_results_do_not_use_the_loops_around_their_block() -> None:
    text = tiled_rows(low=0, count=2, binding="%k - %o", guard="where (%k < 3)")
    schedule = Schedule(parse(text.replace("%k = 0 to 3", "%k = %o to %o + 3")))
    before = str(schedule.func)
    with pytest.raises(TilewrightError) as error:
        _factor(schedule)
    assert error.value.code == "TW0411"
    assert "the reduction also depends on loop %o, which is not part of it" in error.value.message
    assert str(schedule.func) == before


def test_a_subtraction_has_no_partial_results() -> None:
    error = refusal(row_sum(3, 4, "subf"), "B", lambda s, at: s.rfactor(at[1]))
    assert error.code == "TW0411"


def test_two_blocks_in_the_loop() -> None:
    def attempt(s: Schedule, at) -> None:
        c, e = s.get_block("C"), s.get_block("E")
        s.compute_at(c, s.get_loops(e)[0])
        s.rfactor(s.get_loops(e)[0])

    schedule = Schedule(parse(matmul(4, 4, 4)))
    with pytest.raises(TilewrightError, match="it holds 2 blocks"):
        attempt(schedule, ())


def argmax(n: int, k: int) -> str:
    """Return (I[i], V[i]) = the first largest element of row i, and where it is."""
    return f"""
func.func @k(%A: memref<{n}x{k}xf32>, %I: memref<{n}xi32> {{tw.output}}, %V: memref<{n}xf32> {{tw.output}}) {{
  %none = arith.constant -1 : i32
  %least = arith.constant 0xff800000 : f32
  loop.for %i = 0 to {n} {{ loop.for %k = 0 to {k} {{
    loop.block "M" (%vi = spatial(%i) in {n}, %vk = reduce(%k) in {k}) {{
      loop.init {{
        loop.store %none, %I[%vi] : memref<{n}xi32>
        loop.store %least, %V[%vi] : memref<{n}xf32>
      }}
      %a = loop.load %A[%vi, %vk] : memref<{n}x{k}xf32>
      %at = arith.index_cast %vk : index to i32
      %i0 = loop.load %I[%vi] : memref<{n}xi32>
      %v0 = loop.load %V[%vi] : memref<{n}xf32>
      %p, %m = loop.combine %i0, %v0 with %at, %a : i32, f32 identity [-1 : i32, 0xff800000 : f32]
          by (%xi, %xv), (%yi, %yv) {{
        %more = arith.cmpf ogt, %xv, %yv : f32
        %same = arith.cmpf oeq, %xv, %yv : f32
        %before = arith.cmpi ule, %xi, %yi : i32
        %tie = arith.andi %same, %before : i1
        %left = arith.ori %more, %tie : i1
        %ri = arith.select %left, %xi, %yi : i32
        %rv = arith.select %left, %xv, %yv : f32
        loop.yield %ri, %rv : i32, f32
      }}
      loop.store %p, %I[%vi] : memref<{n}xi32>
      loop.store %m, %V[%vi] : memref<{n}xf32>
    }} }} }}
  func.return
}}"""


@pytest.mark.parametrize("k", [3, 13])
@pytest.mark.parametrize("outer", [True, False])
def test_rfactor_of_an_argmax(k: int, outer: bool) -> None:
    rows = np.random.default_rng(0).integers(-3, 4, (3, k)).astype(np.float32)
    module = parse(argmax(3, k))
    schedule = Schedule(module)
    block = schedule.get_block("M")
    _, reduced = schedule.get_loops(block)
    parts = schedule.split(reduced, factor=4)
    schedule.rfactor(parts[0 if outer else 1])
    schedule.parallel(parts[0 if outer else 1])
    verify(module)
    indices, values = np.full(3, 77, np.int32), np.full(3, 77, np.float32)
    semantics.run(module, "k", rows, indices, values)
    for found, largest in ((indices, values), run_on([rows], module)):
        np.testing.assert_array_equal(found, rows.argmax(1))
        np.testing.assert_array_equal(largest, rows.max(1))
    assert [b.label for b in blocks(schedule)] == ["M_rf", "M"]


@pytest.mark.parametrize(
    ("used", "given"),
    [("%t = arith.maximumf %a, %v0 : f32", "%at, %t"), ("%t = arith.maxsi %at, %i0 : i32", "%t, %a")],
    ids=["value", "place"],
)
def test_terms_that_depend_on_what_was_accumulated_are_no_reduction(used: str, given: str) -> None:
    """Partial results would be computed from other terms. One of the two accumulators is enough for that."""
    text = argmax(3, 4).replace("%p, %m = loop.combine", f"{used}\n      %p, %m = loop.combine")
    error = refusal(text.replace("with %at, %a :", f"with {given} :"), "M", lambda s, at: s.rfactor(at[1]))
    assert error.code == "TW0411" and "is no reduction by a known operator" in error.message


@pytest.mark.parametrize("primitive", ["compute_at", "reverse_compute_at", "rfactor", "compute_root"])
def test_placing_an_argmax(primitive: str) -> None:
    """Both results of the reduction are copied by one block, elsewhere."""
    n, k = 5, 7
    copies = f"""
  loop.for %q = 0 to {n} {{ loop.block "R" (%vq = spatial(%q) in {n}) {{
    %p = loop.load %I[%vq] : memref<{n}xi32>
    loop.store %p, %P[%vq] : memref<{n}xi32>
    %m = loop.load %V[%vq] : memref<{n}xf32>
    loop.store %m, %M[%vq] : memref<{n}xf32>
  }} }}
  func.return"""
    text = argmax(n, k).replace("%I: m", "%P: m").replace("%V: m", "%M: m").replace("  func.return", copies)
    text = text.replace("  %none", f"  %I = loop.alloc : memref<{n}xi32>\n  %V = loop.alloc : memref<{n}xf32>\n  %none")
    module = parse(text)
    schedule = Schedule(module)
    block, reader = schedule.get_block("M"), schedule.get_block("R")
    if primitive == "reverse_compute_at":
        schedule.reverse_compute_at(reader, schedule.get_loops(block)[0])
    else:
        outer, _ = schedule.split(schedule.get_loops(reader)[0], factor=2)
        schedule.compute_at(block, outer)
        reduced = schedule.get_loops(block)[-1]
        if primitive == "compute_at":
            schedule.decompose_reduction(block, reduced)
            schedule.parallel(outer)
        elif primitive == "rfactor":
            schedule.rfactor(schedule.split(reduced, factor=3)[1])
        else:
            schedule.compute_root(block)
    verify(module)
    rows = np.random.default_rng(1).integers(-3, 4, (n, k)).astype(np.float32)
    indices, values = run_on([rows], module)
    np.testing.assert_array_equal(indices, rows.argmax(1))
    np.testing.assert_array_equal(values, rows.max(1))


PARTS = {
    "rfactor": lambda s, b: s.rfactor(s.get_loops(b)[-1]),
    "decompose_reduction": lambda s, b: s.decompose_reduction(b, s.get_loops(b)[-1]),
    "cache_write": lambda s, b: s.cache_write(b, "B", "local"),
    "reindex": lambda s, b: s.reindex(b, "B"),
}


def test_rfactor_of_the_first_part_of_a_reduction() -> None:
    def transform(s: Schedule) -> None:
        s.loop_partition(s.get_loops(s.get_block("B"))[1], points=[5])
        s.rfactor(s.get_loops(s.get_block("B"))[1])

    check_compiled(row_sum(3, 8), transform)


@pytest.mark.parametrize(("name", "cut"), [*((name, 5) for name in PARTS), ("cache_write", 7)])
def test_the_second_part_of_a_reduction_has_no_init(name: str, cut: int) -> None:
    """Its init never runs: a primitive that counted on it would start from nothing."""
    schedule = Schedule(parse(row_sum(3, 8)))
    schedule.loop_partition(schedule.get_loops(schedule.get_block("B"))[1], points=[cut])
    schedule.remove_unit_loops()
    before = str(schedule.func)
    with pytest.raises(TilewrightError, match="goes on with a reduction that another block starts") as error:
        PARTS[name](schedule, schedule.get_block("B2"))
    assert error.value.code == "TW0401"
    assert str(schedule.func) == before


def test_inits_that_share_an_element_stay_with_their_updates() -> None:
    """Each i starts B[0] over: all inits before all updates would add the updates up."""
    text = row_sum(3, 4).replace("%B[%vi]", "%B[0]")
    schedule = Schedule(parse(text))
    i, k = schedule.get_loops(schedule.get_block("B"))
    with pytest.raises(TilewrightError, match="running the init before loop %i of block 'B' is illegal") as error:
        schedule.decompose_reduction(schedule.get_block("B"), i)
    assert error.value.code == "TW0401"
    schedule.decompose_reduction(schedule.get_block("B"), k)


def test_an_init_leaves_a_guard_that_always_holds_at_the_first_term() -> None:
    """A guard over results and terms at once, true of every first term: the init runs for all results."""
    text = """
func.func @k(%A: memref<6x12xf64>, %B: memref<6x4xf64> {tw.output}) {
  loop.for %i = 0 to 6 { loop.for %l = 0 to 4 { loop.for %k = 0 to 4 {
    loop.block "B" (%vi = spatial(%i) in 6, %vl = spatial(%l) in 4, %vk = reduce(%k) in 4) where (%k * 4 + %l < 11) {
      loop.init {
        %z = arith.constant 0.0 : f64
        loop.store %z, %B[%vi, %vl] : memref<6x4xf64>
      }
      %a = loop.load %A[%vi, %vk * 3] : memref<6x12xf64>
      %b = loop.load %B[%vi, %vl] : memref<6x4xf64>
      %s = arith.addf %b, %a : f64
      loop.store %s, %B[%vi, %vl] : memref<6x4xf64>
    }
  } } }
  func.return
}"""
    before, after = parse(text), parse(text)
    sch = Schedule(next(op for op in after.ops if isinstance(op, FuncOp)))
    block = sch.get_block("B")
    init = sch.decompose_reduction(block, sch.get_loops(block)[2])
    assert not sch.block(init).conditions
    np.testing.assert_array_equal(interpret(after)[0], interpret(before)[0])
