"""Draws of schedules: decisions are part of instructions, and traces replay them in every form."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te, tir
from tilewright.schedule import Trace
from tilewright.schedule.decisions import deciding
from tilewright.schedule.handles import ValueRV


def module(n: int = 12) -> tvm.IRModule:
    A = te.placeholder((n, 8), name="A")
    B = te.compute((n, 8), lambda i, j: A[i, j] + 1.0, name="B")
    C = te.compute((n, 8), lambda i, j: B[i, j] * 2.0, name="C")
    return tvm.IRModule({"main": te.create_prim_func([A, C])})


def drawn(seed: int) -> tir.Schedule:
    """Return a program that draws tiles, a number and a location."""
    sch = tir.Schedule(module(), seed=seed)
    i, _ = sch.get_loops(sch.get_block("C"))
    outer, *_ = sch.split(i, factors=sch.sample_perfect_tile(i, n=3, max_innermost_factor=4))
    sch.annotate(outer, "unroll", sch.sample_categorical([0, 16, 64], [0.2, 0.3, 0.5]))
    block = sch.get_block("B")
    sch.compute_at(block, sch.sample_compute_location(block))
    return sch


def replayed(sch: tir.Schedule) -> list[tir.Schedule]:
    """Return the schedule made again from each form of its trace."""
    again = [tir.Schedule(module(), seed=99) for _ in range(3)]
    Trace.from_mlir(sch.trace.as_mlir()).apply_to(again[0])
    Trace.from_json(sch.trace.as_json()).apply_to(again[1])
    exec(sch.trace.as_python(), {"sch": again[2]})
    return again


def test_a_trace_of_draws_replays_to_the_same_program_in_each_form() -> None:
    x = np.random.default_rng(0).random((12, 8), np.float32)
    programs: set[str] = set()
    for seed in range(12):
        sch = drawn(seed)
        programs.add(str(sch.func))
        assert str(drawn(seed).func) == str(sch.func)
        for again in replayed(sch):
            assert str(again.func) == str(sch.func)
            assert again.trace.as_python() == sch.trace.as_python()
            assert again.trace.as_mlir() == sch.trace.as_mlir()
            assert again.trace.as_json() == sch.trace.as_json()
        out = np.zeros((12, 8), np.float32)
        tvm.build(sch, target="interpreter")(x, out)
        np.testing.assert_array_equal(out, (x + 1) * 2)
    assert len(programs) > 4


def test_decisions_are_written_into_the_instructions() -> None:
    sch = tir.Schedule(module())
    i, _ = sch.get_loops(sch.get_block("C"))
    a, b = sch.sample_perfect_tile(i, n=2, decision=[3, 4])
    sch.split(i, factors=[a, b])
    sch.sample_categorical([5, 7], decision=1)
    assert isinstance(a, ValueRV) and (a, b) == (3, 4) and sch.get(b) == 4 and type(sch.get(b)) is int
    assert "v0, v1 = sch.sample_perfect_tile(l0, 2, decision=[3, 4])" in sch.trace.as_python()
    assert "sch.split(l0, factors=[v0, v1])" in sch.trace.as_python()
    assert "%v0, %v1 = schedule.sample_perfect_tile %i, 2 decision [3, 4]" in sch.trace.as_mlir()
    assert "%v2 = schedule.sample_categorical [5, 7] decision 1" in sch.trace.as_mlir()
    changed = sch.trace.as_mlir().replace("decision [3, 4]", "decision [6, 2]")
    again = tir.Schedule(module())
    Trace.from_mlir(changed).apply_to(again)
    assert "= 0 to 6" in str(again.func) and "v0, v1 = sch.sample_perfect_tile(l0, 2, decision=[6, 2])" in str(
        again.trace
    )


def test_tiles_are_all_the_ways_to_write_the_extent_as_a_product() -> None:
    sch = tir.Schedule(module())
    loop = sch.get_loops(sch.get_block("C"))[0]
    with deciding({}) as decisions:
        sch.sample_perfect_tile(loop, n=3, max_innermost_factor=4)
        sch.sample_perfect_tile(loop, n=3, max_innermost_factor=4)
    first, second = decisions.asked.values()
    assert (first.key, second.key) == ("sample_perfect_tile.0", "sample_perfect_tile.1")
    expected = {each for each in product(range(1, 13), repeat=3) if np.prod(each) == 12 and each[2] <= 4}
    assert set(first.candidates) == expected and len(first.candidates) == len(expected)
    with deciding({"sample_categorical.2": 1}):
        assert sch.sample_categorical([5, 7]) == 7


def test_probabilities_weigh_what_is_drawn() -> None:
    sch = tir.Schedule(module(), seed=1)
    found = [sch.sample_categorical([3, 5], [0.0, 1.0]) for _ in range(20)]
    assert found == [5] * 20
    both = [sch.sample_categorical([3, 5], [0.5, 0.5]) for _ in range(40)]
    assert set(both) == {3, 5}
    sch.seed(7)
    first = [sch.sample_categorical([*range(100)]) for _ in range(5)]
    sch.seed(7)
    assert [sch.sample_categorical([*range(100)]) for _ in range(5)] == first


def test_locations_are_the_loops_where_a_block_can_be_computed() -> None:
    sch = tir.Schedule(module())
    block = sch.get_block("B")
    text = str(sch.func)
    with deciding({}) as decisions:
        mark = sch.sample_compute_location(block)
    assert next(iter(decisions.asked.values())).candidates == (-1, -2, 0, 1)
    sch.compute_at(block, mark)
    assert str(sch.func) == text and not sch.reassociates  # the first candidate leaves the block where it is
    sch.compute_at(block, sch.sample_compute_location(block, decision=-2))
    assert [each.name_hint for each in map(sch.get, sch.get_child_blocks(sch.get_block("root")))] == ["C"]
    # A producer of a reduction cannot be moved into its consumer's consumer, nor be computed inline.
    A, k = te.placeholder((4, 8), name="A"), te.reduce_axis((0, 8), "k")
    B = te.compute((4,), lambda i: te.sum(A[i, k], axis=k), name="B")
    sums = tir.Schedule(
        tvm.IRModule({"main": te.create_prim_func([A, te.compute((4,), lambda i: B[i] + 1.0, name="C")])})
    )
    with deciding({}) as decisions:
        sums.sample_compute_location(sums.get_block("B"))
    assert next(iter(decisions.asked.values())).candidates == (-1, 0)


def open_loop() -> tuple[tir.Schedule, Any]:
    n = te.var("n")
    A = te.placeholder((n,), name="A")
    sch = tir.Schedule(
        tvm.IRModule({"main": te.create_prim_func([A, te.compute((n,), lambda i: A[i] + 1.0, name="C")])})
    )
    return sch, sch.get_loops(sch.get_block("C"))[0]


@pytest.mark.each(
    ("call", "code", "says"),
    [
        (
            lambda s, i: s.sample_perfect_tile(i, n=2, decision=[5, 2]),
            "TW0801",
            r"that fit, but got \[5, 2\]",
        ),
        (lambda s, i: s.sample_perfect_tile(i, n=2, max_innermost_factor=2, decision=[3, 4]), "TW0801", r"\[3, 4\]"),
        (lambda s, i: s.sample_perfect_tile(i, n=3, decision=[3, 4]), "TW0801", "that fit"),
        (lambda s, i: s.sample_perfect_tile(i, n=0), "TW0403", "at least 1"),
        (lambda s, i: s.sample_perfect_tile(i, n=1, max_innermost_factor=4), "TW0403", "12 is no number up to"),
        (lambda s, i: s.sample_categorical([1, 2], decision=2), "TW0801", "2 decisions that fit, but got 2"),
        (lambda s, i: s.sample_categorical([1, 2], decision=True), "TW0403", "'decision'"),
        (lambda s, i: s.sample_categorical([]), "TW0403", "integers as candidates"),
        (lambda s, i: s.sample_categorical(["a"]), "TW0403", "integers as candidates"),
        (lambda s, i: s.sample_categorical([1, 2], [1.0]), "TW0403", "expected 2 probabilities"),
        (lambda s, i: s.sample_compute_location(s.get_block("B"), decision=4), "TW0801", "that fit, but got 4"),
    ],
)
def test_a_decision_that_does_not_fit_is_refused(call: Callable[..., Any], code: str, says: str) -> None:
    sch = tir.Schedule(module())
    loop = sch.get_loops(sch.get_block("C"))[0]
    length, text = len(sch.trace.instructions), str(sch.func)
    with pytest.raises(tvm.TilewrightError, match=f"{code}.*{says}"):
        call(sch, loop)
    assert str(sch.func) == text and len([s for s in sch.trace.instructions[length:] if "sample" in s.method]) == 0


def test_a_loop_of_open_size_has_no_perfect_tiles() -> None:
    sch, loop = open_loop()
    with pytest.raises(tvm.TilewrightError, match="TW0403.*a loop of known extent"):
        sch.sample_perfect_tile(loop, n=2)


def test_a_trace_whose_value_is_no_number_is_refused() -> None:
    sch = tir.Schedule(module())
    sch.sample_categorical([5, 7], decision=1)
    text = sch.trace.as_json().replace('"value": 7', '"value": "7"')
    with pytest.raises(tvm.TilewrightError, match="TW0408"):
        Trace.from_json(text)
