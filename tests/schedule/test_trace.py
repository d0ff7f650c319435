"""Traces: their text, their JSON, and replays that do not fit."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tilewright import TilewrightError
from tilewright.diagnostics.locations import source_position
from tilewright.schedule import Schedule, Trace

from .programs import elementwise, matmul, parse


def tiled() -> Schedule:
    schedule = Schedule(parse(elementwise(8, 8)))
    i, j = schedule.get_loops(schedule.get_block("B"))
    io, ii = schedule.split(i, factor=4)
    schedule.reorder(j, io, ii)
    schedule.parallel(schedule.fuse(j, io))
    return schedule


def test_trace_as_python() -> None:
    assert tiled().trace.as_python() == (
        "b0 = sch.get_block('B')\n"
        "l0, l1 = sch.get_loops(b0)\n"
        "l2, l3 = sch.split(l0, factor=4)\n"
        "sch.reorder(l1, l2, l3)\n"
        "l4 = sch.fuse(l1, l2)\n"
        "sch.parallel(l4)\n"
    )


def test_trace_as_json() -> None:
    steps = json.loads(tiled().trace.as_json())
    assert steps[2] == {
        "method": "split",
        "positional": [{"handle": "l0"}],
        "keywords": {"factor": 4},
        "results": [{"name": "l2", "loop": "io"}, {"name": "l3", "loop": "ii"}],
        "single": False,
    }


NO_ARGUMENTS = '[{"method": "split", "positional": [], "keywords": {}, "results": [], "single": false}]'


@pytest.mark.parametrize("text", ["", "{}", "[1]", '[{"method": "split"}]', "[[]]", NO_ARGUMENTS])
def test_damaged_json_is_refused(text: str) -> None:
    with pytest.raises(TilewrightError, match="expected a trace in JSON") as error:
        Trace.from_json(text)
    assert error.value.code == "TW0408"


def test_unknown_method_is_refused() -> None:
    text = '[{"method": "__init__", "positional": [], "keywords": {}, "results": [], "single": false}]'
    with pytest.raises(TilewrightError, match="expected a primitive of a schedule, but got '__init__'") as error:
        Trace.from_json(text)
    assert error.value.code == "TW0408"


def test_trace_of_another_function_is_refused() -> None:
    schedule = Schedule(parse(matmul(4, 4, 4, epilogue=False)))
    c = schedule.get_block("C")
    schedule.get_loops(c)
    with pytest.raises(TilewrightError, match="expected one block 'C'"):
        schedule.trace.apply_to(Schedule(parse(elementwise(4, 4))))
    renamed = parse(elementwise(4, 4).replace('"B"', '"C"'))
    with pytest.raises(TilewrightError, match="get_loops: expected 3 results as in the trace, but got 2") as error:
        schedule.trace.apply_to(Schedule(renamed))
    assert error.value.code == "TW0408"


def test_function_to_schedule() -> None:
    module = parse(elementwise(4, 4) + elementwise(2, 2).replace("@k", "@other"))
    with pytest.raises(TilewrightError, match="expected one function with blocks, but the functions are @k, @other"):
        Schedule(module)
    assert Schedule(module, "other").func.sym_name.data == "other"
    with pytest.raises(TilewrightError, match="expected a function @none") as error:
        Schedule(module, "none")
    assert error.value.code == "TW0407"


STEPS = json.loads(tiled().trace.as_json())


def without(*path: str | int) -> list[Any]:
    """Return the steps of a trace with one entry left out."""
    steps = json.loads(json.dumps(STEPS))
    *outer, last = path
    holder: Any = steps
    for key in outer:
        holder = holder[key]
    del holder[last]
    return steps


def changed(value: Any, *path: str | int) -> list[Any]:
    """Return the steps of a trace with one entry replaced."""
    steps = json.loads(json.dumps(STEPS))
    *outer, last = path
    holder: Any = steps
    for key in outer:
        holder = holder[key]
    holder[last] = value
    return steps


DAMAGED = {
    "a handle that no step returns": (changed({"handle": "l9"}, 2, "positional", 0), "TW0472", "split: .* got 'l9'"),
    "a handle in a list": (changed([[{"handle": "l9"}], 2], 2, "positional"), "TW0472", "got 'l9'"),
    "a handle that comes later": ([STEPS[2], *STEPS[:2], *STEPS[3:]], "TW0472", "split: .* got 'l0'"),
    "its step left out": (without(1), "TW0472", "split: .* got 'l0'"),
    "no results": (without(1, "results"), "TW0408", "KeyError"),
    "keywords in a list": (changed([], 2, "keywords"), "TW0408", "AttributeError"),
    "a step that is a number": (changed(3, 2), "TW0408", "TypeError"),
    "a name for a loop": (changed("i", 2, "positional", 0), "TW0103", "expected a loop for 'loop', but got a string"),
    "a block for a loop": (
        changed({"handle": "b0"}, 2, "positional", 0),
        "TW0103",
        "a loop for 'loop', but got a block",
    ),
    "a factor of 71 bits": (changed(1 << 70, 2, "keywords", "factor"), "TW0408", "out of range"),
    "a loop among factors": (
        changed({"factors": [{"handle": "l1"}, 4]}, 2, "keywords"),
        "TW0403",
        "expected positive integers as factors",
    ),
    "half a factor": (
        changed({"factors": [None, 1.5]}, 2, "keywords"),
        "TW0403",
        "expected positive integers as factors",
    ),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_damaged_steps_are_refused_before_they_run(case: str) -> None:
    steps, code, words = DAMAGED[case]
    schedule = Schedule(parse(elementwise(8, 8)))
    with pytest.raises(TilewrightError, match=words) as caught:
        Trace.from_json(json.dumps(steps)).apply_to(schedule)
    assert caught.value.code == code


def test_a_trace_made_by_hand_knows_its_handles() -> None:
    steps = tiled().trace.instructions
    with pytest.raises(TilewrightError, match="split: expected a handle that an instruction before") as caught:
        Trace(steps[2:]).apply_to(Schedule(parse(elementwise(8, 8))))
    assert caught.value.code == "TW0472"


def test_a_handle_is_used_after_the_operation_that_makes_it() -> None:
    text = """schedule.sequence @main {
      %B = schedule.get_block "B"
      schedule.vectorize %j
      %i, %j = schedule.get_loops %B
    }"""
    with pytest.raises(TilewrightError, match="vectorize: .* but got %j") as caught:
        Trace.from_mlir(text, "later.schedule")
    assert caught.value.code == "TW0472"
    position = source_position(caught.value.location)
    assert position is not None and position.line == 3
