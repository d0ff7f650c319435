"""Loops fused from symbolic extents, split and left whole: what is copied of a part, at sizes from 0 up."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import tilewright
from tilewright import TilewrightError, te
from tilewright.schedule import Schedule

from .calls import call
from .compiled import run_on
from .programs import parse, run

SIZES = ((0, 0), (0, 3), (1, 0), (1, 1), (2, 3), (3, 5), (4, 4))


def chained(lower: str = "0", upper_i: str = "%n", upper_j: str = "%m") -> str:
    """Return Q = A * A and R = Q + A over symbolic rows and columns, or over the part of them between bounds."""
    t = "memref<?x?xf64>"
    block = f"%vp = spatial(%p) in {upper_i}, %vq = spatial(%q) in {upper_j}"
    return f"""
func.func @k(%A: {t}, %R: {t} {{tw.output}}) {{
  %n = loop.dim %A, 0 : {t}
  %m = loop.dim %A, 1 : {t}
  loop.bind %A shape [%n, %m] strides [%m, 1] : {t}
  loop.bind %R shape [%n, %m] strides [%m, 1] : {t}
  %Q = loop.alloc (%n, %m) : {t}
  loop.for %x = {lower} to {upper_i} {{ loop.for %y = {lower} to {upper_j} {{
    loop.block "Q" (%vx = spatial(%x) in {upper_i}, %vy = spatial(%y) in {upper_j}) {{
      %a = loop.load %A[%vx, %vy] : {t}
      %b = arith.mulf %a, %a : f64
      loop.store %b, %Q[%vx, %vy] : {t}
    }} }} }}
  loop.for %p = {lower} to {upper_i} {{ loop.for %q = {lower} to {upper_j} {{
    loop.block "R" ({block}) {{
      %a = loop.load %A[%vp, %vq] : {t}
      %b = loop.load %Q[%vp, %vq] : {t}
      %c = arith.addf %a, %b : f64
      loop.store %c, %R[%vp, %vq] : {t}
    }} }} }}
  func.return
}}"""


def check_sizes(
    text: str, calls: str, want: Callable[[np.ndarray], np.ndarray], sizes: tuple[tuple[int, int], ...] = SIZES
) -> None:
    """Compare the program, interpreted and compiled, with `want` at every size."""
    schedule = Schedule(module := parse(text))
    for each in calls.split("; "):
        call(schedule, each)
    module.verify()
    for n, m in sizes:
        a = np.random.default_rng(n + 7 * m).integers(-4, 5, (n, m)).astype(np.float64)
        out = np.full((n, m), 55.0)
        run(schedule.func, [a, out])
        np.testing.assert_array_equal(out, want(a), err_msg=f"interpreted at {(n, m)}")
        (got,) = run_on([a], module)
        np.testing.assert_array_equal(got, want(a), err_msg=f"compiled at {(n, m)}")


@pytest.mark.parametrize(
    "last", ['cache_write(R, 0, "local")', 'reindex(R, ("write", 0))', 'cache_write(R, "R", "global")']
)
@pytest.mark.parametrize("factor", [2, 3])
def test_a_part_of_a_fused_nest_is_not_copied_as_all_of_it(factor: int, last: str) -> None:
    """The outer part of the split stays outside: Q is computed in it."""
    schedule = Schedule(parse(chained()))
    call(schedule, "fuse(p, q)")
    call(schedule, f"split(p_q, [None, {factor}])")
    call(schedule, "compute_at(Q, p_qo)")
    with pytest.raises(TilewrightError, match="cannot prove that block 'R'") as error:
        call(schedule, last)
    assert error.value.code == "TW0402"


@pytest.mark.parametrize(
    "calls",
    [
        'fuse(p, q); cache_write(R, 0, "local")',
        'fuse(p, q); split(p_q, [None, 4]); cache_write(R, 0, "local")',
        'fuse(p, q); split(p_q, [None, 4]); reindex(R, ("write", 0))',
        "fuse(x, y); split(x_y, [None, 3]); compute_root(Q)",
        'fuse(p, q); split(p_q, [None, 3]); split(p_qi, [None, 2]); cache_write(R, 0, "global")',
    ],
)
def test_all_of_a_fused_nest_is_copied(calls: str) -> None:
    check_sizes(chained(), calls, lambda a: a * a + a)


@pytest.mark.parametrize("calls", ["fuse(p, q)", "fuse(p, q); split(p_q, [None, 2])"])
def test_two_negative_extents_are_no_iterations(calls: str) -> None:
    """Both loops run from 3: below, neither has an iteration, and the product of their extents is positive."""

    def want(a: np.ndarray) -> np.ndarray:
        out = np.full(a.shape, 55.0)
        out[3:, 3:] = (a * a + a)[3:, 3:]
        return out

    schedule = Schedule(parse(chained("3")))
    for each in calls.split("; "):
        call(schedule, each)
    for n, m in ((1, 1), (2, 0), (2, 7), (4, 5), (6, 3)):
        a, out = np.random.default_rng(n).integers(-4, 5, (n, m)).astype(np.float64), np.full((n, m), 55.0)
        run(schedule.func, [a, out])
        np.testing.assert_array_equal(out, want(a), err_msg=str((n, m)))


def test_a_negative_constant_extent_is_none() -> None:
    text = chained("3").replace("%q = 3 to %m", "%q = 3 to 1")
    schedule = Schedule(parse(text))
    call(schedule, "fuse(p, q)")
    a, out = np.zeros((1, 2)), np.full((1, 2), 55.0)
    run(schedule.func, [a, out])
    assert (out == 55).all()


def test_sizes_are_multiplied_as_they_are() -> None:
    """A size is never negative."""
    schedule = Schedule(parse(chained()))
    call(schedule, "fuse(p, q)")
    assert "arith.muli %n, %m" in str(schedule.func) and "maxsi" not in str(schedule.func)


def rows_in_two_parts() -> str:
    """Return R = A * A in the rows before 2 and in those from 2 on, of 5, each in a nest of its own."""
    t = "memref<5x?xf64>"

    def part(name: str, first: int, last: int) -> str:
        return f"""loop.for %{name}i = {first} to {last} {{ loop.for %{name}j = 0 to %m {{
    loop.block "{name}" (%vi = spatial(%{name}i) in 5, %vj = spatial(%{name}j) in %m) {{
      %a = loop.load %A[%vi, %vj] : {t}
      %b = arith.mulf %a, %a : f64
      loop.store %b, %R[%vi, %vj] : {t}
    }} }} }}"""

    return f"""
func.func @k(%A: {t}, %R: {t} {{tw.output}}) {{
  %m = loop.dim %A, 1 : {t}
  loop.bind %A shape [5, %m] strides [%m, 1] : {t}
  loop.bind %R shape [5, %m] strides [%m, 1] : {t}
  {part("P", 0, 2)}
  {part("Q", 2, 5)}
  func.return
}}"""


@pytest.mark.parametrize("last", ['cache_write(Q, 0, "local")', 'reindex(Q, ("write", 0))', "rename_block(Q, 'Z')"])
def test_parts_of_a_fused_loop_stay_within_their_sizes(last: str) -> None:
    """The rows before 2 are not those of the second nest: they are not copied with its results."""
    check_sizes(rows_in_two_parts(), f"fuse(Qi, Qj); {last}", lambda a: a * a, ((5, 0), (5, 1), (5, 4)))


def test_a_copy_for_one_block_is_made_where_the_block_runs() -> None:
    """The padding guards the block, whose reads would leave A elsewhere."""
    text = """
func.func @k(%A: memref<3x4xf64>, %R: memref<5x6xf64> {tw.output}) {
  %z = arith.constant 0.0 : f64
  loop.for %p = 0 to 30 {
    loop.block "Z" (%vi = spatial(%p floordiv 6) in 5, %vj = spatial(%p mod 6) in 6) {
      loop.store %z, %R[%vi, %vj] : memref<5x6xf64>
    }
    loop.block "P" (%vi = spatial(%p floordiv 6) in 5, %vj = spatial(%p mod 6) in 6)
        where (%p floordiv 6 >= 1, %p floordiv 6 < 4, %p mod 6 >= 1, %p mod 6 < 5) {
      %a = loop.load %A[%vi - 1, %vj - 1] : memref<3x4xf64>
      loop.store %a, %R[%vi, %vj] : memref<5x6xf64>
    }
  }
  func.return
}"""
    schedule = Schedule(module := parse(text))
    call(schedule, 'reindex(P, ("read", 0))')
    a, out = np.arange(12.0).reshape(3, 4), np.full((5, 6), 55.0)
    run(schedule.func, [a, out])
    np.testing.assert_array_equal(out, np.pad(a, 1))
    (got,) = run_on([a], module)
    np.testing.assert_array_equal(got, np.pad(a, 1))


@pytest.mark.parametrize("calls", ["fuse(Qi, Qj)", "fuse(Qi, Qj); split(Qi_Qj, [None, 2])"])
@pytest.mark.parametrize("target", ["Pi", "Pj"])
def test_rows_outside_of_a_fused_part_are_not_computed_elsewhere(calls: str, target: str) -> None:
    """Q has results for the rows from 2 on; where P computes each row, it would get those before 2."""
    t = "memref<5x?xf64>"
    text = f"""
func.func @k(%A: {t}, %R: {t} {{tw.output}}) {{
  %m = loop.dim %A, 1 : {t}
  loop.bind %A shape [5, %m] strides [%m, 1] : {t}
  loop.bind %R shape [5, %m] strides [%m, 1] : {t}
  %T = loop.alloc (%m) : {t}
  loop.for %Pi = 0 to 5 {{ loop.for %Pj = 0 to %m {{
    loop.block "P" (%vi = spatial(%Pi) in 5, %vj = spatial(%Pj) in %m) {{
      %a = loop.load %A[%vi, %vj] : {t}
      %b = arith.mulf %a, %a : f64
      loop.store %b, %T[%vi, %vj] : {t}
    }} }} }}
  loop.for %Qi = 2 to 5 {{ loop.for %Qj = 0 to %m {{
    loop.block "Q" (%vi = spatial(%Qi) in 5, %vj = spatial(%Qj) in %m) {{
      %a = loop.load %T[%vi, %vj] : {t}
      loop.store %a, %R[%vi, %vj] : {t}
    }} }} }}
  func.return
}}"""
    schedule = Schedule(parse(text))
    for each in calls.split("; "):
        call(schedule, each)
    with pytest.raises(TilewrightError, match="not certain to run all of its domain") as error:
        call(schedule, f"reverse_compute_at(Q, {target})")
    assert error.value.code == "TW0406"


def test_parts_of_a_fused_loop_begin_before_the_guard_that_asks_for_them() -> None:
    """Elements from n0 * 8 split into two parts: where the second begins is a product, which the guard needs."""
    n = te.var("n")
    a = te.placeholder((n, 8), name="A")
    k = te.reduce_axis((0, n), name="k")
    c = te.compute((8,), lambda i: te.max(a[k, i], axis=k), name="C")
    s = te.create_schedule(c.op)
    fused = s[c].fuse(c.op.axis[0], c.op.reduce_axis[0])
    s[c].split(fused, nparts=2)
    for target in ("interpreter", "cpu"):
        program = tilewright.build(s, [a, c], target)
        for size in (1, 4, 7):
            x = np.random.default_rng(size).normal(size=(size, 8)).astype(np.float32)
            np.testing.assert_array_equal(program(x), x.max(axis=0))
