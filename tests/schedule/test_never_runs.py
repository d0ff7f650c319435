"""Claims about what runs, where nothing may run: an empty set proves nothing about a copy that is made anyway."""

from __future__ import annotations

import numpy as np
import pytest
from tilewright import TilewrightError
from tilewright.analysis.initialised import always_stores
from tilewright.dialects import loop
from tilewright.schedule import Schedule

from .calls import call
from .compiled import run_on
from .programs import parse, run


def block_in(loops: str, header: str, body: str, more: str = "") -> str:
    """Return block "D" over %A and a size %n of its own, in the given loops; %D is seen outside."""
    depth = loops.count("{")
    return f"""
func.func @k(%A: memref<4x4xf64>, %N: memref<?xf64>, %D: memref<4xf64> {{tw.output}}) {{
  %z = arith.constant 0.0 : f64
  %n = loop.dim %N, 0 : memref<?xf64>
  {more}
  {loops}
    loop.block "D" ({header}) {{
      {body}
    }} {"}" * depth}
  func.return
}}"""


ROW = "%vi = spatial(%i) in 4"
COPY = """%a = loop.load %A[%vi, 0] : memref<4x4xf64>
      loop.store %a, %D[%vi] : memref<4xf64>"""
ADD = """%a = loop.load %A[%vi, %vk] : memref<4x4xf64>
      %d = loop.load %D[%vi] : memref<4xf64>
      %s = arith.addf %d, %a : f64
      loop.store %s, %D[%vi] : memref<4xf64>"""
INIT = "loop.init { loop.store %z, %D[%vi] : memref<4xf64> }"
CONDITIONAL = """%a = loop.load %A[%vi, 0] : memref<4x4xf64>
      loop.if (%vi mod 2 >= 1) { loop.store %a, %D[%vi] : memref<4xf64> }"""

IDLE = block_in("loop.for %r = 0 to %n { loop.for %i = 0 to 4 {", ROW, COPY)
IDLE_INSIDE = block_in("loop.for %i = 0 to 4 { loop.for %r = 0 to %n {", ROW, COPY)
IDLE_SUM = block_in(
    "loop.for %i = 0 to 4 { loop.for %r = 0 to %n { loop.for %k = 0 to 4 {",
    f"{ROW}, %vk = reduce(%k) in 4",
    f"{INIT}\n{ADD}",
)
SPARSE = block_in("loop.for %i = 0 to 4 {", ROW, CONDITIONAL)
UNIT_SUM = block_in("loop.for %i = 0 to 4 { loop.for %k = 0 to 1 {", f"{ROW}, %vk = reduce(%k) in 1", f"{INIT}\n{ADD}")
UNIT_SPARE = block_in(
    "loop.for %i = 0 to 4 { loop.for %k = 0 to 1 {",
    f"{ROW}, %vk = spatial(%k) in 1",
    COPY.replace("%vi, 0", "%vi, %vk"),
)

NEVER = block_in(
    "loop.for %i = 0 to 1 { loop.for %j = 0 to 1 {",
    "%vi = spatial(%i) in 1, %vj = spatial(%j) in 1) where (2 * %i >= 3",
    CORNER := """%a = loop.load %A[0, 0] : memref<4x4xf64>
      loop.store %a, %D[0] : memref<4xf64>""",
)
NEVER_BARE = block_in("loop.for %i = 0 to 0 {", "", CORNER)


@pytest.mark.parametrize(
    ("text", "calls", "code", "reason"),
    [
        (IDLE, 'cache_write(D, 0, "local")', "TW0402", "cannot prove that block 'D' writes all of a box"),
        (IDLE, 'reindex(D, ("write", 0))', "TW0402", "cannot prove that block 'D' runs all of a box"),
        (IDLE, 'cache_write(D, 0, "global")', "TW0402", "cannot prove that block 'D' writes all of a box"),
        (IDLE_INSIDE, 'cache_write(D, 0, "local")', "TW0402", "cannot prove that block 'D' writes all of a box"),
        (IDLE_INSIDE, 'reindex(D, ("write", 0))', "TW0402", "cannot prove that block 'D' runs all of a box"),
        (IDLE_SUM, 'cache_write(D, 0, "local")', "TW0401", "goes on with a reduction that another block starts"),
        (IDLE_SUM, "decompose_reduction(D, r)", "TW0402", "cannot prove that loop %r runs each instance"),
        (NEVER_BARE, 'cache_write(D, 0, "local")', "TW0402", "cannot prove that block 'D' writes all of a box"),
        (SPARSE, 'cache_write(D, 0, "local")', "TW0402", "cannot prove that block 'D' writes all of a box"),
        (SPARSE, 'reindex(D, ("write", 0))', "TW0406", "should write %D without a guard"),
        (UNIT_SUM, "parallel(k); pad_einsum(D, [1, 4])", "TW0406", "reduces in loop %k, which is parallel"),
        (UNIT_SUM, "vectorize(k); pad_einsum(D, [1, 4])", "TW0406", "reduces in loop %k, which is vectorized"),
        (UNIT_SPARE, "pad_einsum(D, [1, 4])", "TW0406", "%vk that does not index its result"),
    ],
)
def test_what_may_not_run_is_not_taken_for_run(text: str, calls: str, code: str, reason: str) -> None:
    schedule = Schedule(parse(text))
    *earlier, last = calls.split("; ")
    for each in earlier:
        call(schedule, each)
    before = str(schedule.func)
    with pytest.raises(TilewrightError) as error:
        call(schedule, last)
    assert (error.value.code, reason in error.value.message) == (code, True), error.value
    assert str(schedule.func) == before


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        (SPARSE.replace("%vi mod 2 >= 1", "%vi < 3"), 'cache_write(D, 0, "local")'),
        (NEVER, 'cache_write(D, 0, "local")'),
        (SPARSE, 'transform_block_layout(D, "(i) -> (i // 2, i % 2)")'),
        (IDLE, "reorder(i, r); split(i, [None, 2])"),
        (IDLE_SUM, "split(k, [None, 2]); reorder(ki, ko)"),
        (UNIT_SUM, "pad_einsum(D, [1, 4])"),
    ],
)
@pytest.mark.parametrize("n", [0, 1, 3])
def test_what_is_left_alone_stays(text: str, calls: str, n: int) -> None:
    """Elements that the program does not write keep what they held."""
    schedule = Schedule(parse(text))
    for each in calls.split("; "):
        call(schedule, each)
    a = np.random.default_rng(3).integers(-4, 5, (4, 4)).astype(np.float64)
    want, got = np.full(4, 55.0), np.full(4, 55.0)
    run(Schedule(parse(text)).func, [a, np.zeros(n), want])
    run(schedule.func, [a, np.zeros(n), got])
    np.testing.assert_array_equal(got, want)


FILL = """loop.for %r = 0 to %n { loop.for %x = 0 to 4 { loop.block "T" (%vx = spatial(%x) in 4) {
    %b = loop.load %A[%vx, 1] : memref<4x4xf64>
    loop.store %b, %T[%vx] : memref<4xf64> } } }"""
SCALAR = block_in(
    "",
    "",
    """%t = loop.load %T[2] : memref<4xf64>
      loop.store %t, %D[0] : memref<4xf64>""",
    more=f"%T = loop.alloc : memref<4xf64>\n{FILL}",
)


def test_a_block_without_variables_runs_once_for_certain() -> None:
    """Loop %r may have no iteration, in which the block would not run at all."""
    unit = SCALAR.replace("loop.for %x = 0 to 4", "loop.for %x = 2 to 3")
    schedule = Schedule(parse(unit))
    with pytest.raises(TilewrightError, match="leaves instances of block 'D' out") as error:
        call(schedule, "reverse_compute_at(D, r)")
    assert error.value.code == "TW0401"
    once = Schedule(parse(unit.replace("%r = 0 to %n", "%r = 0 to 1")))
    call(once, "reverse_compute_at(D, r)")
    a, out = np.arange(16.0).reshape(4, 4), np.zeros(4)
    run(once.func, [a, np.zeros(0), out])
    assert out[0] == a[2, 1]


def test_an_element_behind_a_condition_is_not_always_stored() -> None:
    for text, is_certain in ((SPARSE, False), (IDLE, True), (UNIT_SUM, True)):
        (block,) = (op for op in parse(text).walk() if isinstance(op, loop.BlockOp))
        store = [op for op in block.walk() if isinstance(op, loop.StoreOp)][-1]
        assert always_stores(block, store) is is_certain


READ_UNDER_A_CONDITION = """
func.func @k(%A: memref<4xf64>, %B: memref<4xf64> {tw.output}, %C: memref<4xf64> {tw.output}) {
  loop.for %i = 0 to 4 { loop.block "B" (%vi = spatial(%i) in 4) {
    %a = loop.load %A[%vi] : memref<4xf64>
    loop.store %a, %B[%vi] : memref<4xf64> } }
  loop.for %j = 0 to 4 { loop.block "C" (%vj = spatial(%j) in 4) {
    loop.if (%vj < 3) {
      %b = loop.load %B[%vj] : memref<4xf64>
      loop.store %b, %C[%vj] : memref<4xf64>
    } } }
  func.return
}"""


def test_what_is_seen_outside_is_computed_where_all_of_it_is_read() -> None:
    """Nobody reads B[3], which has to be written nevertheless."""
    schedule = Schedule(parse(READ_UNDER_A_CONDITION))
    with pytest.raises(TilewrightError, match="no consumer is proved to read all of it") as error:
        call(schedule, "compute_at(B, j)")
    assert error.value.code == "TW0406"


def kept_between_iterations(fills: str, copies: str = "%x < 9") -> str:
    """Return a program in which B is filled in some iterations of the outer loop, kept for the others, and copied to L
    in each."""
    return f"""
func.func @k(%A: memref<4xf64>, %C: memref<4xf64> {{tw.output}}) {{
  %B = loop.alloc : memref<4xf64>
  loop.for %x = 0 to 3 {{
    loop.for %p = 0 to 4 {{ loop.block "B" (%vp = spatial(%p) in 4) where ({fills}) {{
      %a = loop.load %A[%vp] : memref<4xf64>
      loop.store %a, %B[%vp] : memref<4xf64> }} }}
    %L = loop.alloc : memref<4xf64>
    loop.for %q = 0 to 4 {{ loop.block "L" (%vq = spatial(%q) in 4) where ({copies}) {{
      %b = loop.load %B[%vq] : memref<4xf64>
      loop.store %b, %L[%vq] : memref<4xf64> }} }}
    loop.for %y = 0 to 4 {{ loop.block "C" (%vy = spatial(%y) in 4) where ({copies}) {{
      %l = loop.load %L[%vy] : memref<4xf64>
      loop.store %l, %C[%vy] : memref<4xf64> }} }}
  }}
  func.return
}}"""


@pytest.mark.parametrize(
    ("fills", "copies", "attempt", "reason"),
    [
        (
            "%x < 1",
            "%x < 9",
            "reverse_compute_inline(L)",
            "reads elements that block 'B' wrote in an earlier iteration",
        ),
        ("%x < 9", "%x >= 2", "reverse_compute_inline(L)", "does not run in every iteration in which block 'B' does"),
    ],
)
def test_what_an_earlier_iteration_left_is_not_computed_again(
    fills: str, copies: str, attempt: str, reason: str
) -> None:
    schedule = Schedule(parse(kept_between_iterations(fills, copies)))
    with pytest.raises(TilewrightError) as error:
        call(schedule, attempt)
    assert (error.value.code, reason in error.value.message) == ("TW0401", True), error.value.message


@pytest.mark.parametrize("both", ["%x < 9", "%x >= 1"])
def test_what_each_iteration_computes_is_taken_there(both: str) -> None:
    schedule = Schedule(parse(kept_between_iterations(both, both)))
    call(schedule, "reverse_compute_inline(L)")
    a, out = np.arange(4.0), np.zeros(4)
    run(schedule.func, [a, out])
    np.testing.assert_array_equal(out, a)


TERMS_UNDER_A_TEST = """
func.func @k(%A: memref<5x13xf64>, %C: memref<5xf64> {tw.output}) {
  %z = arith.constant 2.0 : f64
  %P = loop.alloc : memref<14x5xf64>
  loop.for %i = 0 to 5 { loop.for %p = 0 to 14 {
    loop.block "P" (%vp = spatial(%p) in 14, %vi = spatial(%i) in 5, %vr = reduce(0) in 1) {
      loop.init { loop.store %z, %P[%vp, %vi] : memref<14x5xf64> }
      loop.if (%vp < 13) {
        %a = loop.load %A[%vi, %vp] : memref<5x13xf64>
        %s = loop.load %P[%vp, %vi] : memref<14x5xf64>
        %t = arith.addf %s, %a : f64
        loop.store %t, %P[%vp, %vi] : memref<14x5xf64>
      }
    } } }
  loop.for %j = 0 to 5 { loop.for %q = 0 to 14 {
    loop.block "C" (%vj = spatial(%j) in 5, %vq = reduce(%q) in 14) {
      loop.init { loop.store %z, %C[%vj] : memref<5xf64> }
      %s = loop.load %C[%vj] : memref<5xf64>
      %a = loop.load %P[%vq, %vj] : memref<14x5xf64>
      %t = arith.addf %s, %a : f64
      loop.store %t, %C[%vj] : memref<5xf64>
    } } }
  func.return
}"""
"""Partial sums, 2 each before their one term, of which the last has none."""


@pytest.mark.parametrize(
    "calls",
    [
        'cache_write(P, 0, "local")',
        'split(p, [None, 4]); cache_write(P, 0, "local")',
        'fuse(i, p); cache_write(P, 0, "local")',
        'compute_at(P, j); cache_write(P, 0, "local")',
        'reindex(P, ("write", 0))',
        "compute_at(P, j)",
        "decompose_reduction(P, p)",
        "loop_partition(p, points=[13])",
        'cache_read(C, "P", "local")',
    ],
)
def test_a_result_that_has_its_init_alone_goes_where_the_others_go(calls: str) -> None:
    schedule = Schedule(module := parse(TERMS_UNDER_A_TEST))
    for each in calls.split("; "):
        call(schedule, each)
    module.verify()
    a, out = np.random.default_rng(0).integers(-4, 5, (5, 13)).astype(np.float64), np.full(5, 55.0)
    run(schedule.func, [a, out])
    np.testing.assert_array_equal(out, a.sum(1) + 15 * 2)
    (got,) = run_on([a], module)
    np.testing.assert_array_equal(got, a.sum(1) + 15 * 2)


@pytest.mark.parametrize("test", ["%vi + %vj < 5", "%vi >= 1", "%vi + %vj >= 5"])
def test_a_copy_reads_where_the_block_does(test: str) -> None:
    """A has five elements; i + j goes up to 7."""
    negated, test = ("else {", "%vi + %vj >= 5") if ">= 5" in test else ("", test)
    load = """%a = loop.load %A[%vi + %vj - 1] : memref<5xf64>
        loop.store %a, %B[%vi, %vj] : memref<4x5xf64>"""
    body = f"{{ }} else {{ {load} }}" if negated else f"{{ {load} }}"
    text = f"""
func.func @k(%A: memref<5xf64>, %B: memref<4x5xf64> {{tw.output}}) {{
  loop.for %i = 0 to 4 {{ loop.for %j = 0 to 5 {{
    loop.block "B" (%vi = spatial(%i) in 4, %vj = spatial(%j) in 5) {{
      loop.if (%vi + %vj >= 1, %vi + %vj < 6) {{
        loop.if ({test}) {body}
      }}
    }} }} }}
  func.return
}}"""
    before, schedule = parse(text), Schedule(module := parse(text))
    call(schedule, 'reindex(B, ("read", 0))')
    module.verify()
    a, want, out = np.arange(5.0), np.full((4, 5), 55.0), np.full((4, 5), 55.0)
    run(Schedule(before).func, [a, want])
    run(schedule.func, [a, out])
    np.testing.assert_array_equal(out, want)
    (got,) = run_on([a], module)
    np.testing.assert_array_equal(np.where(want == 55, 55, got), want)


def test_a_copy_does_not_read_by_tests_that_are_not_about_its_elements() -> None:
    text = """
func.func @k(%A: memref<5xf64>, %B: memref<4x9xf64> {tw.output}) {
  loop.for %i = 0 to 4 { loop.for %j = 0 to 9 {
    loop.block "B" (%vi = spatial(%i) in 4, %vj = spatial(%j) in 9) {
      loop.if (%vi + %vj < 5) {
        %a = loop.load %A[%vj] : memref<5xf64>
        loop.store %a, %B[%vi, %vj] : memref<4x9xf64>
      }
    } } }
  func.return
}"""
    with pytest.raises(TilewrightError, match="by variables that do not index it") as error:
        call(Schedule(parse(text)), 'reindex(B, ("read", 0))')
    assert error.value.code == "TW0406"


def test_tiles_before_the_domain_are_no_instances() -> None:
    """The loop over i starts before the first row; what says so is about the tile, and about a loop in it."""
    text = """
func.func @k(%A: memref<3x4xf64>, %B: memref<3x4xf64> {tw.output}) {
  loop.for %i = 0 to 4 { loop.for %u = 0 to 1 { loop.for %j = 0 to 4 {
    loop.block "B" (%vi = spatial(%i - 1) in 3, %vj = spatial(%j) in 4) where (%i + %u >= 1) {
      %a = loop.load %A[%vi, %vj] : memref<3x4xf64>
      loop.store %a, %B[%vi, %vj] : memref<3x4xf64>
    } } } }
  func.return
}"""
    schedule = Schedule(module := parse(text))
    call(schedule, "blockize(u)")
    module.verify()
    a, out = np.arange(12.0).reshape(3, 4), np.full((3, 4), 55.0)
    run(schedule.func, [a, out])
    np.testing.assert_array_equal(out, a)
    (got,) = run_on([a], module)
    np.testing.assert_array_equal(got, a)
