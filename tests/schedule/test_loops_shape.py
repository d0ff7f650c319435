"""tile, bind and the options of split and fuse: what they compute, compiled too, and what they refuse."""

from __future__ import annotations

import pytest
from tilewright import TilewrightError
from tilewright.dialects import loop
from tilewright.schedule import Schedule

from .compiled import check_compiled
from .programs import check, elementwise, in_place, matmul, parse, symbolic
from .test_loops import blocks, guards, refusal


@pytest.mark.parametrize(("n", "m"), [(1, 1), (4, 6), (7, 5)])
def test_tile(n: int, m: int) -> None:
    def transform(s: Schedule) -> None:
        i, j, _ = s.get_loops(s.get_block("C"))
        xo, yo, xi, yi = s.tile(i, j, 4, 3)
        s.parallel(xo)
        s.vectorize(yi)
        assert [h.variable for h in (xo, yo, xi, yi)] == ["io", "jo", "ii", "ji"]

    schedule = check_compiled(matmul(n, m, 3, epilogue=False), transform)
    assert [op.induction_variable.name_hint for op in schedule.func.walk() if isinstance(op, loop.ForOp)] == [
        "io",
        "jo",
        "ii",
        "ji",
        "k",
    ]


def test_tile_symbolic() -> None:
    def transform(s: Schedule) -> None:
        s.tile(*s.get_loops(s.get_block("B")), 4, 2)

    check_compiled(symbolic(), transform, {"A": (5, 3), "B": (5, 3)})


def test_an_illegal_tile_leaves_the_loops_whole() -> None:
    error = refusal(in_place("%vi - 1", "%vj + 1"), "S", lambda s, at: s.tile(*at, 2, 2))
    assert error.code == "TW0401"
    assert "block 'S' is illegal" in error.message


def test_split_that_divides_needs_no_guard() -> None:
    def transform(s: Schedule) -> None:
        i, _ = s.get_loops(s.get_block("B"))
        s.split(i, [None, 4], disable_predication=True)

    assert guards(check(elementwise(8, 3), transform)) == 0
    for text in (elementwise(9, 3), symbolic()):
        error = refusal(text, "B", lambda s, at: s.split(at[0], [None, 4], disable_predication=True))
        assert error.code == "TW0410"
        assert "cannot prove that the factors [None, 4] divide the extent" in error.message
        assert error.help == "choose factors that divide it, or leave out disable_predication"


def test_preserved_unit_iterations() -> None:
    def split(preserve: bool) -> str:
        schedule = Schedule(parse(elementwise(4, 3)))
        i, _ = schedule.get_loops(schedule.get_block("B"))
        schedule.split(i, [1, 4], preserve_unit_iters=preserve)
        return str(blocks(schedule)[0].index_list("bindings")[0])

    assert split(True) == "%io * 4 + %ii"
    assert split(False) == "%ii"

    def fuse(preserve: bool) -> str:
        schedule = Schedule(parse(elementwise(1, 1)))
        schedule.fuse(*schedule.get_loops(schedule.get_block("B")), preserve_unit_iters=preserve)
        return str(blocks(schedule)[0].index_list("bindings")[0])

    assert fuse(True) == "%i_j"
    assert fuse(False) == "0"


def test_bind() -> None:
    class Axis:
        thread_tag = "threadIdx.x"

    def transform(s: Schedule) -> None:
        i, j = s.get_loops(s.get_block("B"))
        s.bind(i, "blockIdx.x")
        s.bind(j, Axis())

    schedule = check(elementwise(4, 3), transform)
    assert 'loop.for %j = 0 to 3 kind thread<"threadIdx.x">' in str(schedule.func)
    assert "sch.bind(l1, 'threadIdx.x')" in schedule.trace.as_python()


def test_bind_refusals() -> None:
    error = refusal(elementwise(4, 3), "B", lambda s, at: s.bind(at[0], "threadIdx.w"))
    assert error.code == "TW0412"
    assert "but got 'threadIdx.w'; did you mean" in error.message
    schedule = Schedule(parse(elementwise(4, 3)))
    i, j = schedule.get_loops(schedule.get_block("B"))
    schedule.bind(j, "threadIdx.x")
    with pytest.raises(TilewrightError, match="cannot both be threadIdx.x") as caught:
        schedule.bind(i, "threadIdx.x")
    assert caught.value.code == "TW0412"


def test_threads_of_a_block_may_share_a_reduction() -> None:
    schedule = Schedule(parse(matmul(4, 4, 2, epilogue=False)))
    schedule.bind(schedule.get_loops(schedule.get_block("C"))[2], "threadIdx.x")
    assert 'loop.for %k = 0 to 2 kind thread<"threadIdx.x">' in str(schedule.func)


@pytest.mark.parametrize("method", ["parallel", "vectorize", "bind"])
def test_a_loop_of_a_reduction_points_to_rfactor(method: str) -> None:
    arguments = ("blockIdx.x",) if method == "bind" else ()
    error = refusal(matmul(4, 4, 2, epilogue=False), "C", lambda s, at: getattr(s, method)(at[2], *arguments))
    assert error.code == "TW0401"
    assert error.message.startswith(f"{method}: ")
    assert "(k=0) must run before (k=1)" in error.message
    assert error.help == "loop %k runs over a reduction: rfactor it first, or choose a loop over the result"
