"""Traces as MLIR, Python and JSON: every kind of argument has a form in each, and mistakes in a text have a place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tilewright import TilewrightError
from tilewright.diagnostics.locations import file_location, source_position
from tilewright.dialects import context as base_context
from tilewright.dialects.schedule import PrimitiveOp
from tilewright.schedule import BlockRV, Instruction, LoopRV, Schedule, Trace
from tilewright.schedule.primitive_declaration import primitives
from tilewright.schedule.primitive_signatures import signature_of
from tilewright.schedule.trace_mlir import schedule_dialect
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError

from .programs import elementwise, matmul, parse, replay_equals

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.text(max_size=8),
)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3), max_leaves=6)


def annotated(value: Any) -> Trace:
    """Return a trace that passes a value; `split` takes any list, and what is in it is not looked at before it runs."""
    found, loop = BlockRV("b0", "B"), LoopRV("l0", "i")
    parts = (LoopRV("l1", "io"), LoopRV("l2", "ii"))
    return Trace(
        [
            Instruction("get_block", ["B"], {}, (found,), True),
            Instruction("get_loops", [found], {}, (loop,), False),
            Instruction("split", [loop], {"factors": [value, loop]}, parts, False),
        ]
    )


def arguments(trace: Trace) -> Any:
    return trace.instructions[2].keywords["factors"]


@settings(max_examples=60, deadline=None)
@given(VALUES)
def test_values_in_every_text(value: Any) -> None:
    trace = annotated(value)
    for again in (Trace.from_mlir(trace.as_mlir()), Trace.from_json(trace.as_json())):
        passed, handle = arguments(again)
        assert passed == value and type(passed) is type(value)
        assert handle.name == "l0"
        assert again.as_python() == trace.as_python()
        assert again.as_mlir() == trace.as_mlir()
    seen: list[Any] = []
    exec(trace.as_python(), {"sch": Spy(seen)})
    assert seen == [[value, "loop"]]


class Spy:
    """Takes the calls of a trace and notes the factors."""

    def __init__(self, seen: list[Any]) -> None:
        self.seen = seen

    def get_block(self, name: str) -> str:
        return name

    def get_loops(self, block: str) -> tuple[str]:
        return ("loop",)

    def split(self, loop: str, *, factors: Any) -> tuple[str, str]:
        self.seen.append(factors)
        return "outer", "inner"


def test_what_users_pass_is_recorded_as_what_it_stands_for() -> None:
    schedule = Schedule(parse(matmul(4, 4, 4)))
    c = schedule.get_block("C")
    i, *_ = schedule.get_loops(c)
    schedule.split(i, [None, np.int64(2)])
    schedule.set_scope(schedule.buffer("C"), "local")
    schedule.transform_layout(c, "C", lambda i, j: (j, i))
    assert schedule.trace.as_python().splitlines()[2:] == [
        "l3, l4 = sch.split(l0, factors=[None, 2])",
        "sch.set_scope('C', 'local')",
        "sch.transform_layout(b0, 'C', '(i, j) -> (j, i)')",
    ]
    replay_equals(matmul(4, 4, 4), schedule)


def test_a_range_is_recorded_as_a_list() -> None:
    schedule = Schedule(parse(matmul(4, 4, 4)))
    i, *_ = schedule.get_loops(schedule.get_block("C"))
    schedule.loop_partition(i, points=range(1, 3))
    assert schedule.trace.as_python().splitlines()[-1] == "l3, l4, l5 = sch.loop_partition(l0, points=[1, 2])"
    replay_equals(matmul(4, 4, 4), schedule)


def test_a_value_without_a_text_is_refused() -> None:
    with pytest.raises(TilewrightError, match="no form for an argument of type object") as error:
        annotated(object()).as_mlir()
    assert error.value.code == "TW0436"
    with pytest.raises(TilewrightError, match="no form for an argument of type object") as error:
        annotated(object()).as_json()
    assert error.value.code == "TW0436"


def test_every_primitive_is_an_operation() -> None:
    operations = {op.name: op for op in schedule_dialect().operations if issubclass(op, PrimitiveOp)}
    assert set(operations) == {f"schedule.{name}" for name in primitives()}
    for name, primitive in primitives().items():
        signature = operations[f"schedule.{name}"].SIGNATURE
        assert [p.name for p in signature.parameters] == list(primitive.parameters.parameters)
        assert all(p.accepts for p in signature.parameters if p.name not in ("value", "pad_value", "ann_val")), name


@pytest.mark.parametrize("name", ["get_block", "split", "fuse", "get_child_blocks"])
def test_signatures_come_from_annotations(name: str) -> None:
    signature = primitives()[name].signature
    described = [(p.name, p.required, p.variadic, sorted(p.accepts)) for p in signature.parameters]
    expected = {
        "get_block": (
            [("name", True, False, ["string"]), ("func_name", False, False, ["nothing", "string"])],
            ("block",),
            False,
        ),
        "split": (
            [
                ("loop", True, False, ["loop"]),
                ("factors", False, False, ["list", "nothing"]),
                ("factor", False, False, ["integer", "nothing"]),
                ("nparts", False, False, ["integer", "nothing"]),
                ("preserve_unit_iters", False, False, ["boolean"]),
                ("disable_predication", False, False, ["boolean"]),
            ],
            ("loop",),
            True,
        ),
        "fuse": (
            [("loops", False, True, ["loop"]), ("preserve_unit_iters", False, False, ["boolean"])],
            ("loop",),
            False,
        ),
        "get_child_blocks": ([("parent", False, False, ["block", "loop", "nothing"])], ("block",), True),
    }
    assert (described, signature.results, signature.varies) == expected[name]


def test_primitives_must_return_handles() -> None:
    def count(self: object) -> int:
        return 0

    with pytest.raises(TypeError, match="expected count to return handles, values or None"):
        signature_of(count)


def test_mlir_of_a_schedule() -> None:
    schedule = Schedule(parse(elementwise(8, 4)))
    i, j = schedule.get_loops(schedule.get_block("B"))
    io, ii = schedule.split(i, factor=4)
    schedule.reorder(io, j, ii, assert_legal=True)
    schedule.parallel(io)
    assert schedule.trace.as_mlir("k") == (
        "schedule.sequence @k {\n"
        '  %B = schedule.get_block "B"\n'
        "  %i, %j = schedule.get_loops %B\n"
        "  %io, %ii = schedule.split %i factor 4\n"
        "  schedule.reorder %io, %j, %ii assert_legal true\n"
        "  schedule.parallel %io\n"
        "}\n"
    )


def test_one_sequence_is_a_trace() -> None:
    for text, found in [
        ("schedule.sequence {\n}\nschedule.sequence {\n}", "2"),
        ("func.func private @f()", "'func.func'"),
    ]:
        with pytest.raises(TilewrightError, match=f"expected .*schedule.sequence.*, but got {found}") as error:
            Trace.from_mlir(text)
        assert error.value.code == "TW0435"


def test_refusals_point_into_the_text() -> None:
    text = 'schedule.sequence {\n  %i = schedule.get_loop "i"\n  %a, %b = schedule.split %i factors [2, 2]\n}'
    trace = Trace.from_mlir(text, "tiles.mlir")
    with pytest.raises(TilewrightError) as error:
        trace.apply_to(Schedule(parse(elementwise(8, 4))))
    assert str(error.value).splitlines()[:3] == [
        "tiles.mlir:3:12: error[TW0403]: split: the factors [2, 2] give 4 iterations, too few for the 8 of loop %i",
        "  %a, %b = schedule.split %i factors [2, 2]",
        "           ^",
    ]
    assert error.value.notes == ["the program there: loop.for %i = 0 to 8 {"]


def test_replay_notices_another_number_of_loops() -> None:
    trace = Trace.from_mlir('schedule.sequence {\n  %B = schedule.get_block "B"\n  %i = schedule.get_loops %B\n}')
    with pytest.raises(TilewrightError, match="get_loops: expected 1 results as in the trace, but got 2") as error:
        trace.apply_to(Schedule(parse(elementwise(8, 4))))
    position = source_position(error.value.location)
    assert position is not None and (position.file, position.line) == ("<schedule>", 3)


def test_calls_can_be_moved_elsewhere() -> None:
    schedule = Schedule(parse(elementwise(8, 4)))
    with pytest.raises(TilewrightError) as error, schedule.calls_at(file_location("notes.txt", 7, 3)):
        schedule.get_block("C")
    assert str(error.value).startswith("notes.txt:7:3: error[TW0407]: expected one block 'C'")
    assert schedule.call_location is None


def test_results_that_nobody_names() -> None:
    text = (
        'schedule.sequence {\n  %i = schedule.get_loop "i"\n  schedule.split %i factor 4\n  schedule.get_child_loops\n}'
    )
    schedule = Schedule(parse(elementwise(8, 4)))
    Trace.from_mlir(text).apply_to(schedule)
    assert schedule.trace.as_python().splitlines()[1] == "l1, l2 = sch.split(l0, factor=4)"


def test_other_parsers_read_the_generic_form() -> None:
    ctx = base_context()
    ctx.register_dialect("schedule", schedule_dialect)
    text = 'schedule.sequence {\n  %B = schedule.get_block "B"\n  %i, %j = schedule.get_loops %B\n}'
    with pytest.raises(ParseError, match="get_loops returns as many values as it has names: use the generic form"):
        Parser(ctx, text).parse_module()
    only = Parser(ctx, 'schedule.sequence {\n  %B = schedule.get_block "B"\n}').parse_module()
    assert '%B = schedule.get_block "B"' in str(only)
