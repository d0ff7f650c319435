"""merge: neighbouring loops as one. What is accepted computes the same; what is refused would not have."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tilewright import TilewrightError
from tilewright.dialects import loop
from tilewright.schedule import LoopRV, Schedule

from .programs import chain, check, conv, elementwise, matmul, parse, symbolic_matmul

INDICES = ("%i", "%i + 1", "9 - %i", "%i floordiv 2", "%i mod 3", "4")


def two_loops(written: str, read: str, lower: int = 1, upper: int = 8) -> str:
    """Return A[written] = X, then Y = A[read] elementwise, in buffers that hold every index; all of A has values
    before."""

    def nest(label: str, body: str) -> str:
        return f"""
  loop.for %i = {lower} to {upper} {{
    loop.block "{label}" (%v = spatial(%i) in 32) {{ {body.replace("%i", "%v")} }}
  }}"""

    first = nest(
        "A",
        f"%x = loop.load %X[%i] : memref<32xf64>\n loop.store %x, %A[{written}] : memref<32xf64>",
    )
    second = nest(
        "Y",
        f"%x = loop.load %A[{read}] : memref<32xf64>\n loop.store %x, %Y[%i] : memref<32xf64>",
    )
    return f"""
func.func @k(%X: memref<32xf64>, %A: memref<32xf64>, %Y: memref<32xf64> {{tw.output}}) {{{first}{second}
  func.return
}}"""


def merge_outermost(schedule: Schedule) -> LoopRV:
    return schedule.merge(*schedule.get_child_loops())


def element(index: str, i: int) -> int:
    return eval(index.replace("%i", str(i)).replace("floordiv", "//").replace("mod", "%"))


@pytest.mark.each(("written", "read"), list(product(INDICES, INDICES)))
def test_exactly_what_enumeration_allows(written: str, read: str) -> None:
    pairs = [(i, j) for i in range(1, 8) for j in range(1, 8) if element(written, i) == element(read, j)]
    text = two_loops(written, read)
    if all(i <= j for i, j in pairs):
        schedule = check(text, merge_outermost)
        assert sum(isinstance(op, loop.ForOp) for op in schedule.func.walk()) == 1
        return
    with pytest.raises(TilewrightError) as caught:
        merge_outermost(Schedule(parse(text)))
    assert caught.value.code == "TW0401"
    i, j = map(int, re.findall(r"\(i=(\d+)\)", caught.value.message))
    assert (i, j) in pairs and i > j


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 5), st.integers(1, 5), st.integers(1, 4))
def test_matmul_and_its_epilogue(n: int, m: int, k: int) -> None:
    def transform(schedule: Schedule) -> None:
        merged = merge_outermost(schedule)
        schedule.merge(*schedule.get_child_loops(merged))

    schedule = check(matmul(n, m, k), transform)
    assert sum(isinstance(op, loop.ForOp) for op in schedule.func.walk()) == 3


@pytest.mark.parametrize("read", ["%vj", "%vj floordiv 2"])
def test_chain(read: str) -> None:
    check(chain(7, read), merge_outermost)


def test_symbolic_bounds_are_compared_as_values() -> None:
    def transform(schedule: Schedule) -> None:
        merged = merge_outermost(schedule)
        schedule.merge(*schedule.get_child_loops(merged))

    check(symbolic_matmul(), transform, {"A": (3, 4), "B": (4, 5), "E": (3, 5)})


def test_merged_loop_goes_on() -> None:
    def transform(schedule: Schedule) -> None:
        merged = merge_outermost(schedule)
        outer, _ = schedule.split(merged, factor=4)
        schedule.parallel(outer)

    check(matmul(6, 5, 3), transform)


def test_handles_of_both_are_gone() -> None:
    schedule = Schedule(parse(chain(7)))
    first, second = schedule.get_child_loops()
    schedule.merge(first, second)
    for handle in (first, second):
        with pytest.raises(TilewrightError, match="it was merged by an earlier primitive") as caught:
            schedule.loop(handle)
        assert caught.value.code == "TW0404"


def three_loops(last: str) -> str:
    """Return Y = X, then Z = Y, then Y or another buffer at `last`."""

    def nest(label: str, source: str, target: str) -> str:
        return f"""
  loop.for %i = 0 to 8 {{
    loop.block "{label}" (%v = spatial(%i) in 8) {{
      %x = loop.load %{source}[{"%v" if label != "C" else last}] : memref<8xf64>
      loop.store %x, %{target}[%v] : memref<8xf64>
    }}
  }}"""

    body = nest("A", "X", "Y") + nest("B", "Y", "Z") + nest("C", "Z", "W")
    return f"""
func.func @k(%X: memref<8xf64>, %Y: memref<8xf64>, %Z: memref<8xf64>, %W: memref<8xf64> {{tw.output}}) {{{body}
  func.return
}}"""


def test_several_loops() -> None:
    schedule = check(three_loops("%v floordiv 2"), merge_outermost)
    assert sum(isinstance(op, loop.ForOp) for op in schedule.func.walk()) == 1
    replayed = Schedule(parse(three_loops("%v")))
    handles = replayed.get_child_loops()
    replayed.merge(*handles)
    assert "sch.merge(l0, l1, l2)" in replayed.trace.as_python()
    for handle in handles:
        with pytest.raises(TilewrightError, match="it was merged by an earlier primitive"):
            replayed.loop(handle)
    assert "TW0401" in refused(three_loops("7 - %v"))
    assert "TW0403 merge: expected two or more loops" in refused(
        three_loops("%v"), lambda s: s.merge(s.get_child_loops()[0])
    )


def refused(text: str, transform: object = merge_outermost) -> str:
    module = parse(text)
    before = str(module)
    with pytest.raises(TilewrightError) as caught:
        transform(Schedule(module))  # type: ignore[operator]
    assert str(module) == before
    return f"{caught.value.code} {caught.value.message}"


def test_counter_example_names_both_instances() -> None:
    message = refused(chain(7, "6 - %vj"))
    assert message.startswith("TW0401 merge: running loops %i, %j together of block 'B' is illegal: (i=")
    assert ") must run before (j=" in message


def test_loops_of_a_padded_convolution() -> None:
    """All channels of the padded image are read in each iteration."""

    def transform(schedule: Schedule) -> None:
        first, second, _ = schedule.get_child_loops()
        schedule.merge(first, second)

    assert "TW0401" in refused(conv(2, 3, 2, 2), transform)


def test_refusals_of_form() -> None:
    def nested(schedule: Schedule) -> None:
        i, j = schedule.get_loops(schedule.get_block("B"))
        schedule.merge(i, j)

    def backwards(schedule: Schedule) -> None:
        schedule.merge(*reversed(schedule.get_child_loops()))

    def parallel(schedule: Schedule) -> None:
        first, second = schedule.get_child_loops()
        schedule.parallel(second)
        schedule.merge(first, second)

    assert refused(elementwise(3, 4), nested) == (
        "TW0403 merge: expected two loops, one after the other in one body, but got %i, %j"
    )
    assert "TW0403 merge: expected two loops, one after" in refused(chain(7), backwards)
    with pytest.raises(TilewrightError, match="loop %j is parallel; merge it before its kind is set"):
        parallel(Schedule(parse(chain(7))))
    longer = chain(7).replace("loop.for %j = 0 to 7", "loop.for %j = 0 to 6")
    assert refused(longer) == "TW0403 merge: expected loops %i, %j to have the same bounds"


def test_what_stands_between() -> None:
    """Values and allocations move before the first loop; what has an effect stays, and the loops with it."""
    text = chain(7).replace("  loop.for %j", "  %T = loop.alloc : memref<7xf64>\n  loop.for %j")
    schedule = check(text, merge_outermost)
    assert [op.name for op in schedule.func.body.block.ops][-2:] == ["loop.for", "func.return"]
    text = chain(7).replace("  loop.for %j", "  loop.store %two, %B[0] : memref<7xf64>\n  loop.for %j")
    assert refused(text) == "TW0403 merge: expected nothing that runs between loops %i, %j, but got loop.store"


def test_unknown_order_is_refused_and_can_be_asserted() -> None:
    text = """
func.func @k(%X: memref<8xf64>, %P: memref<8xi64>, %A: memref<8xf64>, %Y: memref<8xf64> {tw.output}) {
  loop.for %i = 0 to 8 {
    loop.block "A" (%v = spatial(%i) in 8) {
      %p = loop.load %P[%v] : memref<8xi64>
      %q = arith.index_cast %p : i64 to index
      %x = loop.load %X[%v] : memref<8xf64>
      loop.store %x, %A[%q] : memref<8xf64>
    }
  }
  loop.for %j = 0 to 8 {
    loop.block "Y" (%v = spatial(%j) in 8) {
      %x = loop.load %A[%v] : memref<8xf64>
      loop.store %x, %Y[%v] : memref<8xf64>
    }
  }
  func.return
}"""
    assert refused(text).startswith("TW0402 merge: cannot prove that running loops %i, %j together")
    schedule = Schedule(parse(text))
    schedule.merge(*schedule.get_child_loops(), assert_legal=True)
    assert sum(isinstance(op, loop.ForOp) for op in schedule.func.walk()) == 1
