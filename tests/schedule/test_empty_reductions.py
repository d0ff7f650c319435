"""Sums over a symbolic range of no terms: the result is the init, whatever a schedule makes of the loops."""

from __future__ import annotations

import numpy as np
import pytest
from tilewright import TilewrightError, semantics
from tilewright.schedule import Schedule

from .calls import call
from .compiled import run_on
from .programs import parse, run

EXTENTS = (0, 1, 2, 5, 0)


def row_sums(rows: int = 5) -> str:
    """Return S[i] = 3 + the sum of A[i, k] over symbolic k; T = S backwards."""
    return f"""
func.func @k(%A: memref<{rows}x?xf64>, %T: memref<{rows}xf64> {{tw.output}}) {{
  %start = arith.constant 3.0 : f64
  %n = loop.dim %A, 1 : memref<{rows}x?xf64>
  loop.bind %A shape [{rows}, %n] strides [%n, 1] : memref<{rows}x?xf64>
  %S = loop.alloc : memref<{rows}xf64>
  loop.for %i = 0 to {rows} {{ loop.for %k = 0 to %n {{
    loop.block "S" (%vi = spatial(%i) in {rows}, %vk = reduce(%k) in %n) {{
      loop.init {{ loop.store %start, %S[%vi] : memref<{rows}xf64> }}
      %a = loop.load %A[%vi, %vk] : memref<{rows}x?xf64>
      %s = loop.load %S[%vi] : memref<{rows}xf64>
      %t = arith.addf %s, %a : f64
      loop.store %t, %S[%vi] : memref<{rows}xf64>
    }} }} }}
  loop.for %j = 0 to {rows} {{
    loop.block "T" (%vj = spatial(%j) in {rows}) {{
      %s = loop.load %S[{rows - 1} - %vj] : memref<{rows}xf64>
      loop.store %s, %T[%vj] : memref<{rows}xf64>
    }} }}
  func.return
}}"""


TWO = """
func.func @k(%A: memref<4x?x3xf64>, %T: memref<4xf64> {tw.output}) {
  %zero = arith.constant 7.0 : f64
  %n = loop.dim %A, 1 : memref<4x?x3xf64>
  loop.bind %A shape [4, %n, 3] strides [%n * 3, 3, 1] : memref<4x?x3xf64>
  loop.for %i = 0 to 4 { loop.for %l = 0 to 3 { loop.for %k = 0 to %n {
    loop.block "S" (%vi = spatial(%i) in 4, %vl = reduce(%l) in 3, %vk = reduce(%k) in %n) {
      loop.init { loop.store %zero, %T[%vi] : memref<4xf64> }
      %a = loop.load %A[%vi, %vk, %vl] : memref<4x?x3xf64>
      %s = loop.load %T[%vi] : memref<4xf64>
      %t = arith.addf %s, %a : f64
      loop.store %t, %T[%vi] : memref<4xf64>
    } } } }
  func.return
}"""


def check(text: str, calls: str) -> None:
    """Compare the program, interpreted in two ways and compiled, with numpy at several extents of the reduction."""
    schedule = Schedule(module := parse(text))
    for each in filter(None, calls.split("; ")):
        call(schedule, each)
    module.verify()
    before = str(module)
    for n in EXTENTS:
        shape = (5, n) if text != TWO else (4, n, 3)
        a = np.random.default_rng(n).integers(-4, 5, shape).astype(np.float64)
        want = 3 + a.sum(1)[::-1] if text != TWO else 7 + a.sum((1, 2))
        for interpreted in (lambda *given: run(schedule.func, [*given]), lambda *g: semantics.run(module, "k", *g)):
            out = np.full(want.shape, 55.0)
            interpreted(a, out)
            np.testing.assert_array_equal(out, want, err_msg=f"interpreted, {n} terms")
        (got,) = run_on([a], module)
        np.testing.assert_array_equal(got, want, err_msg=f"compiled, {n} terms")
    assert str(module) == before, "running changed the program"


@pytest.mark.sampled(3)
@pytest.mark.each(
    "calls",
    [
        "",
        "split(k, [None, 4])",
        "fuse(i, k)",
        "fuse(i, k); split(i_k, [None, 4])",
        "reorder(k, i)",
        "reorder(k, i); parallel(i)",
        "reorder(k, i); vectorize(i)",
        "reorder(k, i); fuse(k, i)",
        "reorder(k, i); fuse(k, i); loop_partition(k_i, points=[3])",
        "reorder(k, i); split(i, [None, 2])",
        "split(i, [None, 2]); reorder(k, io, ii)",
        "split(i, [None, 2]); reorder(io, k, ii)",
        "split(k, [None, 4]); fuse(i, ko)",
        "split(k, [None, 4]); reorder(ko, ki, i); fuse(ki, i)",
        "split(k, [None, 4]); rfactor(ki)",
        "split(k, [None, 4]); rfactor(ko)",
        "rfactor(k)",
        "loop_partition(k, points=[3])",
        "loop_partition(k, points=[1, 2])",
        "loop_partition(i, points=[2])",
        "decompose_reduction(S, k)",
        "decompose_reduction(S, i)",
        'cache_write(S, 0, "local")',
        'reorder(k, i); cache_write(S, 0, "local")',
        'reindex(S, ("write", 0))',
        'fuse(i, k); transform_layout(S, ("write", 0), lambda x: (x // 2, x % 2))',
        'transform_block_layout(S, "(x, y) -> (y, x)")',
        'transform_block_layout(S, "(x, y) -> (x, y // 4, y % 4)")',
        "compute_at(S, j)",
        "compute_at(S, j); split(k, [None, 2])",
        "pad_einsum(S, [2, 1])",
        "split(k, [None, 4]); cache_read(S, 'A', 'local')",
        "add_unit_loop(S); fuse(i, k)",
        "parallel(i)",
        "unroll(i)",
        "reorder(k, i); unroll(i)",
        'cache_read(S, 0, "local")',
    ],
    shards=3,
)
def test_the_result_is_the_init(calls: str) -> None:
    check(row_sums(), calls)


@pytest.mark.parametrize(
    "calls",
    [
        "",
        "reorder(k, l, i)",
        "fuse(l, k)",
        "reorder(l, k, i); fuse(l, k)",
        "fuse(i, l, k)",
        "rfactor(l)",
        "rfactor(k)",
        "loop_partition(l, points=[1])",
        "loop_partition(k, points=[2])",
        'reorder(l, i, k); cache_write(S, 0, "local")',
    ],
)
def test_one_of_two_extents_is_none(calls: str) -> None:
    check(TWO, calls)


@pytest.mark.parametrize(
    "calls", ["", "reorder(l, k, i)", "fuse(l, k)", "fuse(i, l, k)", "rfactor(k)", "rfactor(l)", "split(l, [None, 2])"]
)
def test_either_of_two_extents_is_none(calls: str) -> None:
    text = TWO.replace("x?x3xf64", "x?x?xf64").replace(
        "[4, %n, 3] strides [%n * 3, 3, 1]", "[4, %n, %m] strides [%r, %m, 1]"
    )
    text = text.replace("0 to 3", "0 to %m").replace("reduce(%l) in 3", "reduce(%l) in %m")
    size = "  %m = loop.dim %A, 2 : memref<4x?x?xf64>\n  %r = arith.muli %n, %m : index\n"
    module = parse(text.replace("  loop.bind", f"{size}  loop.bind", 1))
    schedule = Schedule(module)
    for each in filter(None, calls.split("; ")):
        call(schedule, each)
    module.verify()
    for n, m in ((0, 3), (2, 0), (0, 0), (1, 1), (3, 4)):
        a = np.random.default_rng(n + m).integers(-4, 5, (4, n, m)).astype(np.float64)
        out = np.full(4, 55.0)
        run(schedule.func, [a, out])
        np.testing.assert_array_equal(out, 7 + a.sum((1, 2)), err_msg=f"interpreted, {n} x {m} terms")
        (got,) = run_on([a], module)
        np.testing.assert_array_equal(got, 7 + a.sum((1, 2)), err_msg=f"compiled, {n} x {m} terms")


@pytest.mark.parametrize(("order", "outer"), [("ii, k", "ii"), ("k, ii", "k")])
def test_a_part_of_the_results_is_not_fused_with_the_terms(order: str, outer: str) -> None:
    schedule = Schedule(parse(row_sums(6)))
    call(schedule, "split(i, [None, 2])")
    call(schedule, f"reorder(io, {order})")
    with pytest.raises(TilewrightError, match="do not determine which results there are") as error:
        call(schedule, f"fuse({order})")
    assert error.value.code == "TW0406" and f"decompose_reduction at loop %{outer}" in (error.value.help or "")
    call(schedule, f"decompose_reduction(S, {outer})")
    update = schedule.get_loops(schedule.get_block("S"))
    schedule.fuse(*update[1:])


def test_a_loop_of_results_and_terms_is_not_copied_for_the_init() -> None:
    schedule = Schedule(parse(row_sums()))
    call(schedule, "reorder(k, i)")
    call(schedule, "fuse(k, i)")
    with pytest.raises(TilewrightError, match="a reduction that may have no terms in one loop, %k_i") as error:
        call(schedule, "decompose_reduction(S, k_i)")
    assert error.value.code == "TW0406"


def started_from_memory(inside: bool) -> str:
    """Return a program whose init reads P, which is computed before the sums or in their loop."""
    fill = """loop.block "P" (%vp = spatial(%p) in 5) {
        %b = loop.load %B[%vp] : memref<5xf64>
        loop.store %b, %P[%vp] : memref<5xf64> }"""
    text = row_sums().replace("%T: memref", "%B: memref<5xf64>, %T: memref")
    text = text.replace("%S = loop.alloc", "%P = loop.alloc : memref<5xf64>\n  %S = loop.alloc")
    text = text.replace(
        "loop.init { loop.store %start,", "loop.init { %p0 = loop.load %P[%vi] : memref<5xf64>\n loop.store %p0,"
    )
    nest = f"loop.for %p = 0 to 5 {{ {fill} }}"
    if inside:
        nest_in_k = nest
        return text.replace("loop.for %k = 0 to %n {", f"loop.for %k = 0 to %n {{ {nest_in_k}")
    return text.replace("  loop.for %i = 0", f"  {nest}\n  loop.for %i = 0")


@pytest.mark.parametrize(
    ("inside", "attempt", "words"),
    [
        (False, "compute_at(P, k)", "reads %P in its init, which runs before loop %k"),
        (True, "decompose_reduction(S, k)", "reads %P in its init, which block 'P' writes in the loop"),
    ],
)
def test_what_an_init_reads_is_there_before_the_terms(inside: bool, attempt: str, words: str) -> None:
    schedule = Schedule(parse(started_from_memory(inside)))
    with pytest.raises(TilewrightError) as error:
        call(schedule, attempt)
    assert (error.value.code, words in error.value.message) == ("TW0406", True), error.value.message


@pytest.mark.parametrize("attempt", ['cache_read(S, "P", "local")', 'reindex(S, "P")'])
def test_what_an_init_reads_is_not_copied_among_the_terms(attempt: str) -> None:
    text = started_from_memory(inside=False).replace(
        "%S = loop.alloc", "%Q = loop.alloc : memref<f64>\n  %S = loop.alloc"
    )
    other = 'loop.block "Q" () { loop.store %start, %Q[] : memref<f64> }'
    schedule = Schedule(parse(text.replace("loop.for %k = 0 to %n {", f"loop.for %k = 0 to %n {{ {other}")))
    with pytest.raises(TilewrightError) as error:
        call(schedule, attempt)
    assert error.value.code == "TW0406"
    assert "block 'S' reads %P in its init, which runs before loop %k" in error.value.message


def test_an_init_that_needs_the_loops_is_refused() -> None:
    module = parse(started_from_memory(inside=True))
    with pytest.raises(TilewrightError, match="the init of block 'S' reads %P, which is written inside") as error:
        semantics.run(module, "k", np.zeros((5, 0)), np.zeros(5), np.zeros(5))
    assert error.value.code == "TW0556" and error.value.help
    with pytest.raises(TilewrightError) as error:
        run_on([np.zeros((5, 0)), np.zeros(5)], module)
    assert error.value.code == "TW0556"


def fixed(terms: int) -> str:
    """Return the sums over a known number of terms."""
    text = row_sums().replace("x?x", f"x{terms}x")
    text = text.replace(f"%n = loop.dim %A, 1 : memref<5x{terms}xf64>", "")
    text = text.replace(f"loop.bind %A shape [5, %n] strides [%n, 1] : memref<5x{terms}xf64>", "")
    return text.replace("to %n", f"to {terms}").replace("in %n", f"in {terms}")


PARTS = (
    (fixed(7), "split(k, [None, 8])", "loop_partition({ki}, points=[7])"),
    (fixed(7), "split(k, [None, 16])", "loop_partition({ki}, points=[3, 9])"),
    (row_sums(), "split(k, [None, 8])", "loop_partition({ki}, points=[5])"),
    (row_sums(), "reorder(k, i)", "loop_partition({k}, points=[2])"),
)


@pytest.mark.each(("text", "first", "cut"), PARTS)
@pytest.mark.parametrize("last", ["rfactor", "decompose_reduction", "cache_write", "reindex", "compute_at"])
def test_a_part_that_runs_no_term_begins_no_result(text: str, first: str, cut: str, last: str) -> None:
    """The parts before it have begun the results: starting anew would lose what they added up."""
    schedule = Schedule(parse(text))
    call(schedule, first)
    variable = cut[cut.index("{") + 1 : cut.index("}")]
    *_, part = schedule.loop_partition(schedule.get_loop(variable), points=eval(cut[cut.index("[") : -1]))
    (block,) = schedule.get_child_blocks(part)
    attempts = {
        "rfactor": lambda: schedule.rfactor(part),
        "decompose_reduction": lambda: schedule.decompose_reduction(block, part),
        "cache_write": lambda: schedule.cache_write(block, 0, "local"),
        "reindex": lambda: schedule.reindex(block, ("write", 0)),
        "compute_at": lambda: schedule.compute_at(block, schedule.get_loop("j")),
    }
    with pytest.raises(TilewrightError) as error:
        attempts[last]()
    assert error.value.code in ("TW0401", "TW0402", "TW0403", "TW0406", "TW0411")
    if last not in ("compute_at", "decompose_reduction"):
        reasons = (
            "goes on with a reduction that another block starts",
            "no reduce variable",
            "inside the loops of its",
        )
        assert any(words in error.value.message for words in reasons), error.value.message


def test_the_first_part_begins_the_results() -> None:
    schedule = Schedule(module := parse(fixed(7)))
    first, _ = schedule.loop_partition(schedule.get_loop("k"), points=[3])
    schedule.rfactor(first)
    a = np.arange(35.0).reshape(5, 7)
    (got,) = run_on([a], module)
    np.testing.assert_array_equal(got, 3 + a.sum(1)[::-1])


def test_a_part_that_never_runs_has_the_results_that_there_are() -> None:
    """Without terms a part needs no guard on its rows; the init of no terms keeps to those that there are."""
    idle = """loop.for %io = 0 to 3 { loop.for %ii = 0 to 2 { loop.for %q = 4 to 4 {
    loop.block "S2" (%vi = spatial(%io * 2 + %ii) in 5, %vk = reduce(%q) in %n) {
      loop.init { loop.store %start, %S[%vi] : memref<5xf64> }
      %a = loop.load %A[%vi, %vk] : memref<5x?xf64>
      %s = loop.load %S[%vi] : memref<5xf64>
      %t = arith.addf %s, %a : f64
      loop.store %t, %S[%vi] : memref<5xf64>
    } } } }"""
    check(row_sums().replace("  loop.for %j = 0", f"  {idle}\n  loop.for %j = 0"), "")
