"""Traces: their text, their JSON, and replays that do not fit."""

from __future__ import annotations

import json

import pytest
from tilewright import TilewrightError
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
    with pytest.raises(TilewrightError, match="expected a method of a schedule, but got '__init__'") as error:
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
