"""Scratch that several iterations fill again, and blocks that read their own buffer: what may be moved or copied."""

from __future__ import annotations

import numpy as np
import pytest
from tilewright import TilewrightError
from tilewright.schedule import Schedule

from .calls import call
from .compiled import check_compiled
from .programs import parse, run


def refilled(*, extra: int = 3, store: str = "%T[%vx]", sum_of: int | None = None, inside: bool = False) -> str:
    """Return a program in which each of `extra` rows fills the scratch T anew and is then written out, backwards."""
    alloc = "%T = loop.alloc : memref<5xf64>"
    copy = f"""%a = loop.load %A[%vr, %vx] : memref<{extra}x5xf64>
        loop.store %a, {store} : memref<5xf64>"""
    add = f"""loop.init {{ loop.store %z, {store} : memref<5xf64> }}
        %a = loop.load %A[%vr, %vk] : memref<{extra}x5xf64>
        %t = loop.load {store} : memref<5xf64>
        %s = arith.addf %t, %a : f64
        loop.store %s, {store} : memref<5xf64>"""
    reduce = "" if sum_of is None else f", %vk = reduce(%k) in {sum_of}"
    begin, end = ("", "") if sum_of is None else (f"loop.for %k = 0 to {sum_of} {{", "}")
    return f"""
func.func @k(%A: memref<{extra}x5xf64>, %C: memref<{extra}x5xf64> {{tw.output}}) {{
  %z = arith.constant 0.0 : f64
  {"" if inside else alloc}
  loop.for %r = 0 to {extra} {{
    {alloc if inside else ""}
    loop.for %x = 0 to 5 {{ {begin}
      loop.block "T" (%vr = spatial(%r) in {extra}, %vx = spatial(%x) in 5{reduce}) {{
        {copy if sum_of is None else add}
      }} }} {end}
    loop.for %y = 0 to 5 {{
      loop.block "C" (%vr = spatial(%r) in {extra}, %vy = spatial(%y) in 5) {{
        %t = loop.load %T[4 - %vy] : memref<5xf64>
        loop.store %t, %C[%vr, %vy] : memref<{extra}x5xf64>
      }} }}
  }}
  func.return
}}"""


def refused(text: str, calls: str, reason: str, code: str = "TW0406") -> None:
    """Check that the last of the calls is refused and leaves the program as it was."""
    schedule = Schedule(parse(text))
    *earlier, last = calls.split("; ")
    for each in earlier:
        call(schedule, each)
    before = str(schedule.func)
    with pytest.raises(TilewrightError) as error:
        call(schedule, last)
    assert (error.value.code, reason in error.value.message) == (code, True), error.value.message
    assert str(schedule.func) == before


MOVES = (
    "compute_root(T)",
    "compute_at(T, y)",
    "split(r, [None, 2]); compute_at(T, y)",
    "add_unit_loop(T); compute_root(T)",
    'cache_write(T, 0, "local"); compute_root(T)',
)


@pytest.mark.parametrize("inside", [False, True], ids=["outside", "inside"])
@pytest.mark.parametrize("sum_of", [None, 5], ids=["copy", "sum"])
@pytest.mark.each("calls", MOVES)
def test_refilled_scratch_is_not_filled_ahead(calls: str, sum_of: int | None, inside: bool) -> None:
    refused(refilled(sum_of=sum_of, inside=inside), calls, "has a spatial variable %vr that does not index its result")


@pytest.mark.parametrize("calls", ("compute_root(T)", "compute_at(T, y)"))
def test_scratch_of_one_row_moves(calls: str) -> None:
    check_compiled(refilled(extra=1), lambda s: call(s, calls))


def scan(read: str = "%T[%vx - 1]", init: str = "", store: str = "%T[%vx]") -> str:
    """Return T[x] = T[x - 1] + A[x], a running sum, and its copy."""
    return f"""
func.func @k(%A: memref<6xf64>, %C: memref<6xf64> {{tw.output}}) {{
  %z = arith.constant 0.0 : f64
  %T = loop.alloc : memref<6xf64>
  loop.for %w = 0 to 6 {{ loop.block "Z" (%vw = spatial(%w) in 6) {{ loop.store %z, %T[%vw] : memref<6xf64> }} }}
  loop.for %x = 1 to 6 {{
    loop.block "T" (%vx = spatial(%x) in 6) {{
      {init}
      %a = loop.load %A[%vx] : memref<6xf64>
      %t = loop.load {read} : memref<6xf64>
      %s = arith.addf %t, %a : f64
      loop.store %s, {store} : memref<6xf64>
    }} }}
  loop.for %y = 0 to 6 {{ loop.block "C" (%vy = spatial(%y) in 6) {{
    %t = loop.load %T[%vy] : memref<6xf64>
    loop.store %t, %C[%vy] : memref<6xf64> }} }}
  func.return
}}"""


@pytest.mark.parametrize("calls", ['cache_write(T, 0, "local")', 'reindex(T, ("write", 0))'])
def test_running_sum_is_not_started_in_another_buffer(calls: str) -> None:
    refused(scan(), calls, "should access %T at one index" if "reindex" in calls else "reads %T before it writes it")


def reduction(read: str, *, init_reads: bool = False) -> str:
    """Return C[i] += A[i, k] + C[read]."""
    start = "%z" if not init_reads else "%c0"
    first = "" if not init_reads else "%c0 = loop.load %C[%vi] : memref<8xf64>"
    return f"""
func.func @k(%A: memref<4x3xf64>, %C: memref<8xf64> {{tw.output}}) {{
  %z = arith.constant 0.0 : f64
  loop.for %i = 0 to 4 {{ loop.for %k = 0 to 3 {{
    loop.block "C" (%vi = spatial(%i) in 4, %vk = reduce(%k) in 3) {{
      loop.init {{
        {first}
        loop.store {start}, %C[%vi] : memref<8xf64>
      }}
      %a = loop.load %A[%vi, %vk] : memref<4x3xf64>
      %o = loop.load %C[{read}] : memref<8xf64>
      %t = arith.addf %a, %o : f64
      %c = loop.load %C[%vi] : memref<8xf64>
      %s = arith.addf %c, %t : f64
      loop.store %s, %C[%vi] : memref<8xf64>
    }} }} }}
  func.return
}}"""


COPIES = ('cache_write(C, 0, "local")', 'reindex(C, ("write", 0))')


@pytest.mark.parametrize("calls", COPIES)
@pytest.mark.parametrize("read", ["%vi + 1", "%vi + 4", "7", "(%vi + 3) mod 4", "6 - %vk"])
def test_reductions_that_read_other_results_keep_their_buffer(read: str, calls: str) -> None:
    several = "should access %C at one index" if "reindex" in calls else "reads elements of %C that other instances"
    refused(reduction(read), calls, several)


@pytest.mark.parametrize("calls", COPIES)
def test_an_init_that_reads_the_result_keeps_its_buffer(calls: str) -> None:
    refused(reduction("%vi", init_reads=True), calls, "reads %C before it writes it")


@pytest.mark.parametrize("calls", COPIES)
def test_the_stored_element_may_be_read_twice(calls: str) -> None:
    """The value of the init is in the new buffer too."""
    check_compiled(reduction("%vi").replace("memref<8xf64>", "memref<4xf64>"), lambda s: call(s, calls))


def scanned_consumer() -> str:
    """Return E[i, j] = E[i - 1, j + 1] + T[i, j], along diagonals, after T = A."""
    return """
func.func @k(%A: memref<4x4xf64>, %E: memref<5x5xf64> {tw.output}) {
  %z = arith.constant 0.0 : f64
  %T = loop.alloc : memref<4x4xf64>
  loop.for %p = 0 to 5 { loop.for %q = 0 to 5 { loop.block "Z" (%vp = spatial(%p) in 5, %vq = spatial(%q) in 5) {
    loop.store %z, %E[%vp, %vq] : memref<5x5xf64> } } }
  loop.for %x = 0 to 4 { loop.for %y = 0 to 4 {
    loop.block "T" (%vy = spatial(%y) in 4, %vx = spatial(%x) in 4) {
      %a = loop.load %A[%vy, %vx] : memref<4x4xf64>
      loop.store %a, %T[%vy, %vx] : memref<4x4xf64>
    } } }
  loop.for %i = 0 to 4 { loop.for %j = 0 to 4 {
    loop.block "E" (%vi = spatial(%i) in 4, %vj = spatial(%j) in 4) {
      %t = loop.load %T[%vi, %vj] : memref<4x4xf64>
      %e = loop.load %E[%vi, %vj + 1] : memref<5x5xf64>
      %s = arith.addf %e, %t : f64
      loop.store %s, %E[%vi + 1, %vj] : memref<5x5xf64>
    } } }
  func.return
}"""


@pytest.mark.parametrize("calls", ["reverse_compute_at(E, x)", "reverse_compute_inline(E)"])
def test_a_consumer_that_reads_its_results_keeps_its_order(calls: str) -> None:
    """By columns, E[i, j + 1] would be read before it is written."""
    refused(scanned_consumer(), calls, "reads %E before it writes it")


def test_an_element_that_counts_its_iterations_is_not_inlined() -> None:
    counted = scan("%T[%vx]")
    single = counted.replace("loop.for %w = 0 to 6", "loop.for %w = 0 to 0").replace(
        'loop.block "Z" (%vw = spatial(%w) in 6) { loop.store %z, %T[%vw] : memref<6xf64> }', ""
    )
    refused(single, "compute_inline(T)", "reads %T before it writes it")


def test_padding_that_is_written_over_an_element_is_no_fill() -> None:
    """P[p] is 0 where the last of the two rows is outside; a fill first and copies afterwards leave the first row."""
    text = """
func.func @k(%A: memref<2x4xf64>, %P: memref<4xf64> {tw.output}) {
  %z = arith.constant 0.0 : f64
  loop.for %r = 0 to 2 { loop.for %p = 0 to 4 {
    loop.block "P" (%vr = spatial(%r) in 2, %vp = spatial(%p) in 4) {
      %a = loop.load %A[%vr, %vp] where (%vr < 1) else %z : memref<2x4xf64>
      loop.store %a, %P[%vp] : memref<4xf64>
    } } }
  func.return
}"""
    refused(text, "decompose_padding(P, r)", "has a spatial variable %vr that does not index its result")


def test_iterations_over_one_element_are_not_padded() -> None:
    """The padding's zeros would be the last that is written."""
    text = """
func.func @k(%A: memref<3x5xf64>, %T: memref<5xf64> {tw.output}) {
  loop.for %r = 0 to 3 { loop.for %x = 0 to 5 {
    loop.block "T" (%vr = spatial(%r) in 3, %vx = spatial(%x) in 5) {
      %a = loop.load %A[%vr, %vx] : memref<3x5xf64>
      loop.store %a, %T[%vx] : memref<5xf64>
    } } }
  func.return
}"""
    refused(text, "pad_einsum(T, [4, 1])", "has a spatial variable %vr that does not index its result")


def test_a_result_read_under_a_condition_is_no_plain_sum() -> None:
    """D sees partial sums, so their order matters."""
    text = """
func.func @k(%A: memref<4x6xf64>, %C: memref<4xf64> {tw.output}, %D: memref<4x6xf64> {tw.output}) {
  %z = arith.constant 0.0 : f64
  loop.for %i = 0 to 4 { loop.for %k = 0 to 6 {
    loop.block "C" (%vi = spatial(%i) in 4, %vk = reduce(%k) in 6) {
      loop.init { loop.store %z, %C[%vi] : memref<4xf64> }
      %a = loop.load %A[%vi, %vk] : memref<4x6xf64>
      %c = loop.load %C[%vi] : memref<4xf64>
      %s = arith.addf %c, %a : f64
      loop.store %s, %C[%vi] : memref<4xf64>
      loop.if (%vk >= 0) {
        %p = loop.load %C[%vi] : memref<4xf64>
        loop.store %p, %D[%vi, %vk] : memref<4x6xf64>
      }
    } } }
  func.return
}"""
    refused(text, "rfactor(k)", "block 'C' is no reduction by a known operator", "TW0411")
    refused(text, "split(k, [None, 2]); reorder(ki, ko)", "reorder", "TW0401")


def seen_sums(first: str, second: str) -> str:
    """Return S[i] = 1.5 S[i] + A[i, k, l], by loops over k and l in the given order: the order of the terms matters."""
    extents = {"k": 3, "l": 2}
    return f"""
func.func @k(%A: memref<4x3x2xf64>, %D: memref<4xf64> {{tw.output}}) {{
  %z = arith.constant 2.0 : f64
  %half = arith.constant 0.5 : f64
  %S = loop.alloc : memref<4xf64>
  loop.for %i = 0 to 4 {{ loop.for %{first} = 0 to {extents[first]} {{ loop.for %{second} = 0 to {extents[second]} {{
    loop.block "S" (%vi = spatial(%i) in 4, %vk = reduce(%k) in 3, %vl = reduce(%l) in 2) {{
      loop.init {{ loop.store %z, %S[%vi] : memref<4xf64> }}
      %a = loop.load %A[%vi, %vk, %vl] : memref<4x3x2xf64>
      %c = loop.load %S[%vi] : memref<4xf64>
      %s = arith.addf %c, %a : f64
      %h = arith.mulf %c, %half : f64
      %t = arith.addf %s, %h : f64
      loop.store %t, %S[%vi] : memref<4xf64>
    }} }} }} }}
  loop.for %j = 0 to 4 {{ loop.block "D" (%vj = spatial(%j) in 4) {{
    %s = loop.load %S[%vj] : memref<4xf64>
    loop.store %s, %D[%vj] : memref<4xf64> }} }}
  func.return
}}"""


def test_terms_whose_order_matters_keep_it() -> None:
    refused(seen_sums("l", "k"), "compute_at(S, j)", "adds its terms in another order", "TW0401")
    check_compiled(seen_sums("k", "l"), lambda s: call(s, "compute_at(S, j)"))


@pytest.mark.parametrize(("other", "conflicts"), [("3", True), ("%vi", False)])
def test_the_inits_of_a_tile_do_not_overtake_what_reads_other_results(other: str, conflicts: bool) -> None:
    text = f"""
func.func @k(%A: memref<4x3xf64>, %D: memref<4xf64> {{tw.output}}) {{
  %half = arith.constant 0.5 : f64
  loop.for %i = 0 to 4 {{ loop.block "Z" (%vi = spatial(%i) in 4) {{ loop.store %half, %D[%vi] : memref<4xf64> }} }}
  loop.for %k = 0 to 3 {{ loop.for %x = 0 to 4 {{
    loop.block "D" (%vi = spatial(%x) in 4, %vk = reduce(%k) in 3) {{
      loop.init {{ %two = arith.constant 2.0 : f64
        loop.store %two, %D[%vi] : memref<4xf64> }}
      %a = loop.load %A[%vi, %vk] : memref<4x3xf64>
      %o = loop.load %D[{other}] : memref<4xf64>
      %d = loop.load %D[%vi] : memref<4xf64>
      %s = arith.addf %d, %o : f64
      %t = arith.addf %s, %a : f64
      loop.store %t, %D[%vi] : memref<4xf64>
    }} }} }}
  func.return
}}"""
    if conflicts:
        refused(text, "blockize(x)", "running the init before loop %x", "TW0401")
    else:
        check_compiled(text, lambda s: call(s, "blockize(x)"))


@pytest.mark.parametrize("inside", [True, False])
@pytest.mark.parametrize("calls", ["compute_inline(P)", "compute_at(P, j)"])
def test_scratch_of_an_iteration_is_not_read_in_later_ones(inside: bool, calls: str) -> None:
    """P keeps what scratch held in the iteration before; the scratch itself has been filled again, or is another."""
    alloc = "%S = loop.alloc : memref<1xf64>"
    text = f"""
func.func @k(%A: memref<6xf64>, %B: memref<6xf64> {{tw.output}}) {{
  %P = loop.alloc : memref<6xf64>
  {"" if inside else alloc}
  loop.for %i = 0 to 6 {{
    {alloc if inside else ""}
    loop.block "S" (%vi = spatial(%i) in 6) {{
      %a = loop.load %A[%vi] : memref<6xf64>
      loop.store %a, %S[0] : memref<1xf64>
    }}
    loop.block "P" (%vi = spatial(%i) in 6) {{
      %a = loop.load %S[0] : memref<1xf64>
      loop.store %a, %P[%vi] : memref<6xf64>
    }}
    loop.for %j = 0 to 1 {{
      loop.block "B" (%vi = spatial(%i + %j) in 6) {{
        %a = loop.load %P[%vi] : memref<6xf64>
        loop.store %a, %B[%vi] : memref<6xf64>
      }} }} }}
  func.return
}}"""
    call(Schedule(parse(text)), calls)
    with pytest.raises(TilewrightError, match="%S|must run before") as error:
        call(Schedule(parse(text.replace("load %P[%vi]", "load %P[(%vi + 5) mod 6]"))), calls)
    assert error.value.code in ("TW0401", "TW0402")


@pytest.mark.parametrize("fill", ["%i", "5 - %i"])
def test_a_result_is_not_stored_before_what_fills_it(fill: str) -> None:
    """Inlined into T, the results would come before their fill."""
    text = f"""
func.func @k(%A: memref<6xf64>, %B: memref<6xf64> {{tw.output}}) {{
  %z = arith.constant 9.0 : f64
  %T = loop.alloc : memref<6xf64>
  loop.for %t = 0 to 6 {{
    loop.block "T" (%vt = spatial(%t) in 6) {{
      %a = loop.load %A[%vt] : memref<6xf64>
      loop.store %a, %T[%vt] : memref<6xf64>
    }} }}
  loop.for %i = 0 to 6 {{
    loop.block "Z" (%vi = spatial({fill}) in 6) {{ loop.store %z, %B[%vi] : memref<6xf64> }}
    loop.block "B" (%vi = spatial(%i) in 6) {{
      %a = loop.load %T[%vi] : memref<6xf64>
      loop.store %a, %B[%vi] : memref<6xf64>
    }} }}
  func.return
}}"""
    with pytest.raises(TilewrightError, match="shares %B with block 'Z', which it would overtake") as error:
        call(Schedule(parse(text)), "reverse_compute_inline(B)")
    assert error.value.code == "TW0406"


def test_a_result_is_stored_before_what_changes_it_later() -> None:
    text = """
func.func @k(%A: memref<6xf64>, %B: memref<7xf64> {tw.output}) {
  %z = arith.constant 9.0 : f64
  %T = loop.alloc : memref<6xf64>
  loop.for %t = 0 to 6 {
    loop.block "T" (%vt = spatial(%t) in 6) {
      %a = loop.load %A[%vt] : memref<6xf64>
      loop.store %a, %T[%vt] : memref<6xf64>
    } }
  loop.for %i = 0 to 6 {
    loop.block "B" (%vi = spatial(%i) in 6) {
      %a = loop.load %T[%vi] : memref<6xf64>
      loop.store %a, %B[%vi] : memref<7xf64>
    }
    loop.block "Z" (%vi = spatial(%i) in 6) where (%i mod 2 >= 1) { loop.store %z, %B[%vi] : memref<7xf64> } }
  func.return
}"""
    schedule = Schedule(parse(text))
    call(schedule, "reverse_compute_inline(B)")
    a, out = np.arange(6.0), np.full(7, 55.0)
    run(schedule.func, [a, out])
    np.testing.assert_array_equal(out, [0, 9, 2, 9, 4, 9, 55])
