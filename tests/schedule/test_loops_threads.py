"""Virtual threads on the CPU, and what becomes of real ones there."""

from __future__ import annotations

import pytest
from tilewright import TilewrightError
from tilewright.dialects import context, loop
from tilewright.passes.phase1.lower_prefetch import LowerPrefetchPass
from tilewright.schedule import Schedule
from xdsl.dialects.builtin import ModuleOp

from .compiled import check_compiled, run_compiled
from .programs import elementwise, matmul, parse, replay_equals, symbolic
from .test_loops import refusal


@pytest.mark.parametrize("n", [4, 7])
@pytest.mark.parametrize("vectorize", [True, False])
def test_vthreads_of_a_tiled_matmul(n: int, vectorize: bool) -> None:
    def transform(s: Schedule) -> None:
        x, y = s.get_loops(s.get_block("E"))
        xo, xi = s.split(x, nparts=2)
        yo, yi = s.split(y, factor=4)
        s.reorder(xo, yo, xi, yi)
        s.bind(xo, "vthread")
        s.compute_at(s.get_block("C"), yo)
        if vectorize:
            s.vectorize(yi)

    check_compiled(matmul(n, 8, 3), transform)


def test_vthreads_with_private_accumulators() -> None:
    def transform(s: Schedule) -> None:
        x, y = s.get_loops(s.get_block("E"))
        vx, xi = s.split(x, factor=3)
        c = s.get_block("C")
        s.compute_at(c, vx)
        s.set_scope("C", "local")
        s.bind(vx, "vthread")
        vy, _ = s.split(y, nparts=2)
        s.bind(vy, "vthread.y")

    check_compiled(matmul(6, 4, 3), transform)


def test_a_vthread_may_not_carry_a_dependence() -> None:
    error = refusal(matmul(4, 4, 4, epilogue=False), "C", lambda s, at: s.bind(at[2], "vthread"))
    assert error.code == "TW0401"
    assert error.message.startswith("bind: interleaving loop %k")


def test_real_threads_have_no_meaning_on_the_cpu() -> None:
    schedule = Schedule(parse(elementwise(4, 3)))
    i, _ = schedule.get_loops(schedule.get_block("B"))
    schedule.bind(i, "threadIdx.x")
    with pytest.raises(TilewrightError) as error:
        run_compiled(schedule.func.parent_op())
    assert error.value.code == "TW0601"
    assert "but got thread threadIdx.x" in error.value.message
    assert error.value.help == "a cpu has no threadIdx.x: bind the loop for a GPU target only, or make it parallel"
    assert schedule.loop(i).kind == loop.LoopKindAttr.of("thread", "threadIdx.x")


# Prefetches


def named(schedule: Schedule) -> list[list[str]]:
    """Return the elements that the schedule's prefetches name."""
    module = ModuleOp([schedule.func.clone()])
    LowerPrefetchPass().apply(context(), module)
    return [[str(e) for e in op.index] for op in module.walk() if isinstance(op, loop.PrefetchOp)]


@pytest.mark.parametrize("offset", [1, 3])
def test_prefetch_of_rows(offset: int) -> None:
    def transform(s: Schedule) -> None:
        i, j, k = s.get_loops(s.get_block("C"))
        io, ii = s.split(i, factor=2)
        s.prefetch("A", io, offset)
        s.prefetch(s.buffer("B"), k, offset)
        s.vectorize(s.get_loops(s.get_block("E"))[1])

    schedule = check_compiled(matmul(5, 9, 3), transform)
    assert named(schedule) == [
        [f"%io * 2 + %ahead0 + {2 * offset}", "0"],
        [f"%k + {offset}", "%j"],
    ]


def test_prefetch_shared_out_among_the_iterations_of_loops_inside() -> None:
    def transform(s: Schedule) -> None:
        i, j, k = s.get_loops(s.get_block("C"))
        io, ii = s.split(i, factor=3)
        s.reorder(io, j, k, ii)
        s.prefetch("A", io, 1, within=k, cache=2)

    schedule = check_compiled(matmul(6, 9, 3), transform)
    assert named(schedule) == [["%io * 3 + (%j mod 3) + 3", "%k"]]
    replay_equals(matmul(6, 9, 3), schedule)


def test_prefetch_of_symbolic_rows_names_each_line() -> None:
    def transform(s: Schedule) -> None:
        i, _ = s.get_loops(s.get_block("B"))
        s.prefetch("A", i, 1)
        s.parallel(i)

    schedule = check_compiled(symbolic(), transform, {"A": (5, 19), "B": (5, 19)})
    assert named(schedule) == [["%i + 1", "%line * 8"]]


def test_prefetch_refusals() -> None:
    text = matmul(4, 4, 4)
    for attempt, code, message in [
        (lambda s, at: s.prefetch("A", at[1], 1), "TW0406", "%A are the same in all iterations of loop %j"),
        (lambda s, at: s.prefetch("D", at[1], 1), "TW0406", "loop %j reads no known part of %D"),
        (lambda s, at: s.prefetch("A", at[0], 0), "TW0403", "expected an offset of at least 1, but got 0"),
        (lambda s, at: s.prefetch("A", at[0], 1, cache=3), "TW0403", "expected cache 1 or 2, but got 3"),
        (lambda s, at: s.prefetch("A", at[1], 1, within=at[0]), "TW0403", "loop %i is not inside loop %j"),
        (lambda s, at: s.prefetch("B", at[0], 1, within=at[1]), "TW0406", "%B are the same in all iterations of"),
    ]:
        error = refusal(text, "C", attempt)
        assert error.code == code
        assert message in error.message
