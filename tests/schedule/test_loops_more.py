"""Annotations, pragmas, unit loops, orders of iteration variables and partitions of loops."""

from __future__ import annotations

from typing import Any

import pytest
from tilewright import TilewrightError
from tilewright.dialects import loop
from tilewright.driver.lowering import lower_module
from tilewright.schedule import LoopRV, Schedule, Trace
from xdsl.dialects.builtin import ModuleOp, StringAttr, UnitAttr

from .compiled import check_compiled
from .programs import check, conv, elementwise, in_place, matmul, parse, replay_equals, symbolic, symbolic_matmul
from .test_loops import blocks, guards, refusal


def trips(schedule: Schedule) -> list[int | None]:
    return [op.constant_trip_count for op in schedule.func.walk() if isinstance(op, loop.ForOp)]


# Annotations and pragmas


def test_annotations_print_and_parse() -> None:
    def transform(s: Schedule) -> None:
        b = s.get_block("B")
        i, j = s.get_loops(b)
        for key, value in {"n": 3, "x": 0.5, "name": "left", "flag": True, "mark": None, "all": [1, 2]}.items():
            s.annotate(i, key, value)
        s.annotate(b, "why", "because")
        s.annotate(j, "gone", 1)
        s.unannotate(j, "gone")

    text = str(check(elementwise(4, 3), transform).func)
    attributes = 'n = 3 : i64, x = 5.000000e-01 : f64, name = "left", flag = true, mark, all = [1 : i64, 2 : i64]'
    assert f"loop.for %i = 0 to 4 attributes {{{attributes}}}" in text
    assert 'attributes {why = "because"}' in text
    assert "gone" not in text


def test_annotation_refusals() -> None:
    text = elementwise(4, 3)
    for attempt, code, message in [
        (lambda s, at: s.annotate(at[0], "tw.scheduled"), "TW0403", "does not begin with 'tw.' as key"),
        (lambda s, at: s.annotate(at[0], "two words"), "TW0403", "but got 'two words'"),
        (lambda s, at: s.annotate(at[0], "k", {1: 2}), "TW0403", "for 'k', but got {1: 2}"),
        (lambda s, at: s.unannotate(at[0], "k"), "TW0415", "loop %i has no annotation 'k'; it has none"),
        (lambda s, at: s.unannotate(s.get_block("B"), "k"), "TW0415", "block 'B' has no annotation 'k'"),
        (lambda s, at: s.pragma(at[0], "auto_unrol_max_step", 4), "TW0413", "did you mean 'auto_unroll_max_step'?"),
        (lambda s, at: s.pragma(at[0], "auto_unroll_max_step", -4), "TW0403", "a number of at least 0"),
        (lambda s, at: s.pragma(at[0], "unroll_explicit", 4), "TW0403", "a truth value for unroll_explicit, but got 4"),
    ]:
        error = refusal(text, "B", attempt)
        assert error.code == code
        assert message in error.message
    assert "with annotate" in (refusal(text, "B", lambda s, at: s.pragma(at[0], "colour")).help or "")


def test_pragmas_reach_the_loops_that_are_emitted() -> None:
    def kinds(key: str, value: Any) -> list[str]:
        module = parse(matmul(32, 3, 5, epilogue=False))
        schedule = Schedule(module)
        i, *_ = schedule.get_loops(schedule.get_block("C"))
        schedule.pragma(i, key, value)
        schedule.func.attributes["tw.scheduled"] = UnitAttr()
        schedule.func.properties["sym_name"] = StringAttr("main")
        return [op.kind.kind.data for op in lower_module(module).walk() if isinstance(op, loop.ForOp)]

    assert kinds("auto_unroll_max_step", 15) == ["serial", "unrolled", "unrolled"]
    assert kinds("auto_unroll_max_step", 5) == ["serial", "serial", "unrolled"]
    assert kinds("auto_unroll_max_step", 0) == ["serial", "serial", "serial"]


def test_pragmas_keep_the_values() -> None:
    def transform(s: Schedule) -> None:
        i, _, k = s.get_loops(s.get_block("C"))
        s.split(k, factor=4)
        s.pragma(i, "auto_unroll_max_step", 16)
        s.pragma(i, "unroll_explicit", True)

    check_compiled(matmul(3, 4, 6), transform)


# Unit loops and orders


def test_remove_unit_loops() -> None:
    """All of them, or those that are given and no others."""

    def transform(s: Schedule) -> None:
        b = s.get_block("B")
        inner = s.add_unit_loop(b)
        outer = s.add_unit_loop(inner)
        s.remove_unit_loops(inner)
        assert s.loop(s.get_loops(b)[-1]) is s.loop(outer) and len(s.get_loops(b)) == 3
        s.remove_unit_loops()
        assert len(s.get_loops(b)) == 2

    assert trips(check_compiled(elementwise(4, 3), transform)) == [4, 3]
    error = refusal(elementwise(4, 3), "B", lambda s, at: s.remove_unit_loops(at[0]))
    assert error.code == "TW0406" and "expected a serial loop that runs once" in error.message


def test_add_unit_loop() -> None:
    def transform(s: Schedule) -> None:
        b = s.get_block("B")
        i, j = s.get_loops(b)
        u = s.add_unit_loop(b)
        v = s.add_unit_loop(i)
        s.parallel(s.fuse(v, i))
        s.fuse(j, u)

    assert trips(check_compiled(elementwise(4, 3), transform)) == [4, 3]


def test_reorder_block_iter_var() -> None:
    def transform(s: Schedule) -> None:
        c = s.get_block("C")
        s.reorder_block_iter_var(c, [2, 0, 1])
        _, _, k = s.get_loops(c)
        s.decompose_reduction(c, k)

    schedule = check_compiled(matmul(3, 4, 5), transform)
    assert blocks(schedule)[1].kinds == ("reduce", "spatial", "spatial")
    error = refusal(matmul(3, 4, 5), "C", lambda s, at: s.reorder_block_iter_var(s.get_block("C"), [0, 0, 1]))
    assert error.code == "TW0403"
    assert "expected the positions 0 to 2 of the variables of block 'C', each once, but got [0, 0, 1]" in error.message


# Partitions


@pytest.mark.parametrize("n", [5, 8, 13])
def test_partition_where_a_guard_ends(n: int) -> None:
    def transform(s: Schedule) -> None:
        i, _ = s.get_loops(s.get_block("B"))
        io, _ = s.split(i, factor=4)
        if n % 4:
            main, rest = s.loop_partition(io)
            s.parallel(main)

    schedule = check_compiled(elementwise(n, 3), transform)
    assert guards(schedule) == (1 if n % 4 else 0)


def test_partition_of_the_borders_of_a_padding() -> None:
    def transform(s: Schedule) -> None:
        _, y, _ = s.get_loops(s.get_block("P"))
        parts = s.loop_partition(y)
        assert [s.loop(p).constant_bounds for p in parts] == [(0, 1), (1, 6), (6, 7)]
        _, x = s.get_loops(s.get_block("P"))[1:]
        s.loop_partition(x)

    check_compiled(conv(2, 5, 2, 3, 1, 1), transform)


@pytest.mark.parametrize("n", [0, 1, 3, 4, 9, 12])
def test_partition_where_a_guard_over_a_size_ends(n: int) -> None:
    def transform(s: Schedule) -> None:
        i, _ = s.get_loops(s.get_block("B"))
        io, _ = s.split(i, [None, 4])
        whole, rest = s.loop_partition(io)
        assert str(s.loop(whole).uppers[0]).endswith("floordiv 4)")
        assert s.loop(rest).lowers[0].constant == 0, "counted from there on"

    assert guards(check_compiled(symbolic(), transform, {"A": (n, 2), "B": (n, 2)})) == 1


@pytest.mark.parametrize("n", [0, 2, 3, 4, 6, 9])
def test_partition_where_a_guard_may_hold_nowhere(n: int) -> None:
    """All but the last two: for few of them the end of the first part is before its beginning."""

    def transform(s: Schedule) -> None:
        io = s.get_loops(s.get_block("B"))[0]
        s.loop_partition(io)

    text = """
    func.func @k(%A: memref<?xf64>, %B: memref<?xf64> {tw.output}) {
      %n = loop.dim %A, 0 : memref<?xf64>
      loop.bind %B shape [%n] strides [1] : memref<?xf64>
      loop.for %i = 0 to %n {
        loop.block "Z" (%u = spatial(%i) in %n) {
          %z = arith.constant 0.0 : f64
          loop.store %z, %B[%u] : memref<?xf64>
        }
      }
      loop.for %io = 0 to %n {
        loop.for %ii = 0 to 3 {
          loop.block "B" (%v = spatial(%io * 3 + %ii) in %n) where (%io * 3 + %ii < %n - 2) {
            %a = loop.load %A[%v] : memref<?xf64>
            loop.store %a, %B[%v] : memref<?xf64>
          }
        }
      }
      func.return
    }
    """
    check_compiled(text, transform, {"A": (n,), "B": (n,)})


@pytest.mark.parametrize("points", [[2, 3], [4]])
def test_partition_at_points(points: list[int]) -> None:
    def transform(s: Schedule) -> None:
        _, _, k = s.get_loops(s.get_block("C"))
        s.loop_partition(k, points=points)

    schedule = check_compiled(matmul(3, 4, 5), transform)
    assert [b.label for b in blocks(schedule)] == ["C", *(f"C{k}" for k in range(2, len(points) + 2)), "E"]


def ranges(schedule: Schedule, parts: tuple[LoopRV, ...]) -> list[tuple[int, int]]:
    """Return the bounds of the parts of a loop."""
    ops = [schedule.get(part) for part in parts]
    return [(op.lowers[0].constant, op.uppers[0].constant) for op in ops if isinstance(op, loop.ForOp)]


FACTORS = [
    ([2, 64], [(0, 2), (2, 66), (66, 128)]),
    ([2, None], [(0, 2), (2, 128)]),
    ([None, 28], [(0, 100), (100, 128)]),
    ([8, None, 20], [(0, 8), (8, 108), (108, 128)]),
    ([64, 64], [(0, 64), (64, 128)]),
    ([127], [(0, 127), (127, 128)]),
    ([128], [(0, 128)]),
    ([None], [(0, 128)]),
]


def test_partition_by_factors() -> None:
    """The first parts have these numbers of iterations, the last one has the rest; None is inferred."""
    for factors, expected in FACTORS:
        schedule = Schedule(parse(elementwise(128, 2)))
        i, _ = schedule.get_loops(schedule.get_block("B"))
        assert ranges(schedule, schedule.loop_partition(i, factors)) == expected
        replay_equals(elementwise(128, 2), schedule)
        check(elementwise(128, 2), lambda s, f=factors: s.loop_partition(s.get_loops(s.get_block("B"))[0], f))


def test_partition_by_factors_is_refused() -> None:
    for factors in ([2, 64, 63], [0], [-1, 4], [None, None], [], [128, None], [64, 64, None]):
        error = refusal(elementwise(128, 2), "B", lambda s, at, f=factors: s.loop_partition(at[0], f))
        assert error.code == "TW0414"
        assert f"but got {factors}" in error.message
        assert error.help is not None
    error = refusal(elementwise(128, 2), "B", lambda s, at: s.loop_partition(at[0], [2], points=[2]))
    assert (error.code, "factors or points" in error.message) == ("TW0414", True)
    error = refusal(symbolic(), "B", lambda s, at: s.loop_partition(at[0], [None, 2]))
    assert error.code == "TW0414"


@pytest.mark.parametrize("n", [1, 4, 9])
def test_partition_symbolic_by_factors(n: int) -> None:
    for factors in ([3, 2], [3, None]):

        def transform(s: Schedule, factors: list[int | None] = factors) -> None:
            s.loop_partition(s.get_loops(s.get_block("B"))[0], factors)

        check_compiled(symbolic(), transform, {"A": (n, 2), "B": (n, 2)})


@pytest.mark.parametrize("n", [1, 4, 9])
def test_partition_symbolic(n: int) -> None:
    def transform(s: Schedule) -> None:
        i, _ = s.get_loops(s.get_block("B"))
        s.loop_partition(i, points=[3, 5])

    check_compiled(symbolic(), transform, {"A": (n, 2), "B": (n, 2)})


def test_partition_keeps_the_order_of_dependent_iterations() -> None:
    def transform(s: Schedule) -> None:
        i, _ = s.get_loops(s.get_block("S"))
        s.loop_partition(i, points=[4])

    check(in_place("%vi - 1", "%vj"), transform)


def test_partition_refusals() -> None:
    for points, message in [
        (None, "no condition in loop %i begins or ceases to hold"),
        ([0], "expected increasing points between 0 and 8 for loop %i, but got [0]"),
        ([8], "but got [8]"),
        ([3, 3], "but got [3, 3]"),
        ([], "but got []"),
    ]:
        error = refusal(elementwise(8, 2), "B", lambda s, at, points=points: s.loop_partition(at[0], points=points))
        assert error.code == "TW0414"
        assert message in error.message
    schedule = Schedule(parse(elementwise(8, 2)))
    i, _ = schedule.get_loops(schedule.get_block("B"))
    schedule.parallel(i)
    with pytest.raises(TilewrightError, match="loop %i is parallel; partition it before its kind is set"):
        schedule.loop_partition(i, points=[2])


SAVED = {
    "python": """
b0 = sch.get_block("C")
l0, l1, l2 = sch.get_loops(b0)
l3, l4 = sch.loop_partition(l2, points=[3])
""",
    "json": """[
{"method": "get_block", "positional": ["C"], "keywords": {}, "results": [{"name": "b0", "block": "C"}], "single": true},
{"method": "get_loops", "positional": [{"handle": "b0"}], "keywords": {}, "single": false,
 "results": [{"name": "l0", "loop": "i"}, {"name": "l1", "loop": "j"}, {"name": "l2", "loop": "k"}]},
{"method": "loop_partition", "positional": [{"handle": "l2"}], "keywords": {"points": [3]}, "single": false,
 "results": [{"name": "l3", "loop": "k"}, {"name": "l4", "loop": "k"}]}
]""",
    "mlir": """
schedule.sequence {
  %C = schedule.get_block "C"
  %i, %j, %k = schedule.get_loops %C
  %k_1, %k_2 = schedule.loop_partition %k points [3]
}
""",
}


@pytest.mark.parametrize("form", SAVED)
def test_saved_traces_with_points_replay(form: str) -> None:
    schedule, again = Schedule(parse(matmul(4, 4, 8))), Schedule(parse(matmul(4, 4, 8)))
    schedule.loop_partition(schedule.get_loops(schedule.get_block("C"))[2], points=[3])
    if form == "python":
        exec(SAVED[form], {"sch": again})
    else:
        trace = Trace.from_json(SAVED[form]) if form == "json" else Trace.from_mlir(SAVED[form])
        trace.apply_to(again)
    assert str(again.func) == str(schedule.func)


def test_partition_replays() -> None:
    schedule = Schedule(parse(symbolic_matmul()))
    i, *_ = schedule.get_loops(schedule.get_block("C"))
    schedule.loop_partition(i, points=[2])
    replay_equals(symbolic_matmul(), schedule)
    with pytest.raises(TilewrightError, match="it was partitioned by an earlier primitive"):
        schedule.split(i, factor=2)
    assert isinstance(schedule.func.parent_op(), ModuleOp)
