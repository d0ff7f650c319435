"""Output of instruments: diffs, dumps, statistics, times and traces of small passes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import pytest
from tilewright.diagnostics import TilewrightError
from tilewright.dialects import context
from tilewright.driver import lower_module
from tilewright.ir.rewrites import count_rewrites, may_rewrite
from tilewright.passes.framework import registry
from tilewright.passes.framework.base import Pass
from tilewright.passes.framework.context import PassContext
from tilewright.passes.framework.instruments import DumpIR, Instrument, PrintIR, Statistics, Timing, print_ir, statistic
from tilewright.passes.framework.instruments.overhead import manager_overhead
from tilewright.passes.framework.instruments.parts import Part, print_parts
from tilewright.passes.framework.instruments.printing import diff_lines, has_colour
from tilewright.passes.framework.instruments.spans import Recorder, Span, chrome_trace, chrome_trace_text, span
from tilewright.passes.framework.manager import PassManager
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser

TWO = "func.func @one() {\n  func.return\n}\nfunc.func @two() {\n  func.return\n}\n"


@dataclass(frozen=True)
class Mark(Pass):
    """Sets an attribute of a function."""

    name = "test-mark"
    phase = 1
    function: str = "one"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, FuncOp) and function.sym_name.data == self.function:
                count = function.attributes.get("marks")
                value = count.value.data if isinstance(count, IntegerAttr) else 0
                if may_rewrite("mark", function):
                    function.attributes["marks"] = IntegerAttr(value + 1, i64)
        statistic("functions looked at", 2)


@dataclass(frozen=True)
class Nests(Pass):
    """Runs a manager."""

    name = "test-nests"
    phase = 2

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        PassManager([Mark("two")]).run(ctx, op)


@dataclass(frozen=True)
class Fails(Pass):
    """Changes the module and fails."""

    name = "test-fails"
    phase = 3

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        op.attributes["touched"] = IntegerAttr(1, i64)
        raise TilewrightError("TW0214", "no")


@dataclass(frozen=True)
class Tries(Pass):
    """Runs two passes, of which the second fails, and goes on."""

    name = "test-tries"
    phase = 2

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        with pytest.raises(TilewrightError):
            PassManager([Mark("two"), Fails()]).run(ctx, op)


@pytest.fixture(autouse=True)
def passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_user", {})


def two() -> ModuleOp:
    return Parser(context(), TWO).parse_module()


def run(passes: list[Pass], *instruments: Instrument) -> ModuleOp:
    module = two()
    with PassContext(instruments=list(instruments)):
        PassManager(passes).run(context(), module)
    return module


def test_diffs_are_of_the_functions_that_changed() -> None:
    before = [Part("a", "x\ny"), Part("b", "z"), Part("gone", "g")]
    after = [Part("a", "x\nw"), Part("b", "z"), Part("made", "m")]
    assert list(diff_lines(before, after)) == [
        *("--- a before", "+++ a after", "@@ -1,2 +1,2 @@", " x", "-y", "+w"),
        *("--- made before", "+++ made after", "@@ -0,0 +1 @@", "+m"),
        *("--- gone before", "+++ gone after", "@@ -1 +0,0 @@", "-g"),
    ]


def test_parts_make_up_the_module() -> None:
    module = two()
    text, parts = print_parts(module)
    assert text == print_ir(module)
    assert parts == [
        Part("one", "func.func @one() {\n  func.return\n}"),
        Part("two", "func.func @two() {\n  func.return\n}"),
        Part("(module)", "builtin.module {\n}"),
    ]


def test_diff_of_a_pass_that_runs_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    stream = StringIO()
    run([Mark(), Nests(), Mark("none")], PrintIR(after_change=True, diff=True, stream=stream))
    assert stream.getvalue().splitlines() == [
        "// ----- IR after test-mark ----- //",
        *("--- one before", "+++ one after", "@@ -1,3 +1,3 @@"),
        *("-func.func @one() {", "+func.func @one() attributes {marks = 1 : i64} {", "   func.return", " }"),
        "// ----- IR after test-mark{function=two} ----- //",
        *("--- two before", "+++ two after", "@@ -1,3 +1,3 @@"),
        *("-func.func @two() {", "+func.func @two() attributes {marks = 1 : i64} {", "   func.return", " }"),
        "// ----- IR after test-nests ----- //",
        *("--- two before", "+++ two after", "@@ -1,3 +1,3 @@"),
        *("-func.func @two() {", "+func.func @two() attributes {marks = 1 : i64} {", "   func.return", " }"),
        "// ----- IR after test-mark{function=none}: no change ----- //",
    ]


def test_diff_of_a_pass_that_survives_the_failure_of_another() -> None:
    stream = StringIO()
    run([Tries(), Mark("none")], PrintIR(after_change=True, diff=True, stream=stream))
    marked = ("-func.func @two() {", "+func.func @two() attributes {marks = 1 : i64} {", "   func.return", " }")
    assert stream.getvalue().splitlines() == [
        "// ----- IR after test-mark{function=two} ----- //",
        *("--- two before", "+++ two after", "@@ -1,3 +1,3 @@", *marked),
        "// ----- IR after test-tries ----- //",
        *("--- two before", "+++ two after", "@@ -1,3 +1,3 @@", *marked),
        *("--- (module) before", "+++ (module) after", "@@ -1,2 +1,2 @@"),
        *("-builtin.module {", "+builtin.module attributes {touched = 1 : i64} {", " }"),
        "// ----- IR after test-mark{function=none}: no change ----- //",
    ]


def test_diffs_are_coloured_unless_the_user_wants_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    stream = StringIO()
    run([Mark()], PrintIR(after_change=True, diff=True, stream=stream))
    assert "\x1b[31m-func.func @one() {\x1b[0m" in stream.getvalue()
    assert "\x1b[32m+func.func @one() attributes" in stream.getvalue()
    monkeypatch.setenv("NO_COLOR", "1")
    assert not has_colour(stream)
    monkeypatch.delenv("FORCE_COLOR")
    monkeypatch.delenv("NO_COLOR")
    assert not has_colour(stream)  # no terminal


def test_dump_has_a_file_for_every_pass(tmp_path: Path) -> None:
    module = run([Mark(), Nests(), Mark()], DumpIR(tmp_path / "dump"))
    found = sorted(str(path.relative_to(tmp_path / "dump")) for path in tmp_path.rglob("*.mlir"))
    assert found == [
        "000-input.mlir",
        "001-phase1-test-mark.mlir",
        "002-phase2-test-nests.mlir",
        "002-phase2-test-nests/000-input.mlir",
        "002-phase2-test-nests/001-phase1-test-mark.mlir",
        "003-phase1-test-mark.mlir",
    ]
    read = (tmp_path / "dump" / "003-phase1-test-mark.mlir").read_text()
    assert read == "// after test-mark\n" + print_ir(module)
    assert (tmp_path / "dump" / "000-input.mlir").read_text() == print_ir(two())


def test_dump_deletes_what_it_wrote_earlier_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "notes.mlir").write_text("mine")
    (tmp_path / "sub").mkdir()
    run([Mark(), Nests(), Mark()], DumpIR(tmp_path))
    (tmp_path / "000-input.mlir").write_text("edited")
    run([Mark()], DumpIR(tmp_path))
    assert sorted(path.name for path in tmp_path.rglob("*.mlir")) == [
        "000-input.mlir",
        "001-phase1-test-mark.mlir",
        "notes.mlir",
    ]
    assert (tmp_path / "000-input.mlir").read_text() == print_ir(two())
    assert not list(tmp_path.glob(".*.part"))


def test_dump_keeps_files_that_its_list_names_outside(tmp_path: Path) -> None:
    (tmp_path / "outside.mlir").write_text("mine")
    folder = tmp_path / "dump"
    folder.mkdir()
    (folder / ".dumped").write_text("../outside.mlir\n")
    DumpIR(folder)
    assert (tmp_path / "outside.mlir").read_text() == "mine"


def test_dump_shows_what_a_failed_pass_left(tmp_path: Path) -> None:
    with pytest.raises(TilewrightError, match="TW0214"):
        run([Mark(), Fails()], DumpIR(tmp_path))
    failed = tmp_path / "002-phase3-test-fails-failed.mlir"
    assert failed.read_text().startswith("// test-fails failed\nbuiltin.module attributes {touched = 1 : i64}")


def test_dump_refuses_a_file_for_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(TilewrightError, match="TW0204.*cannot write"):
        DumpIR(tmp_path / "file")


def test_statistics_count_rewrites_operations_and_figures() -> None:
    statistics = Statistics()
    run([Mark(), Nests()], statistics)
    assert json.loads(statistics.as_json()) == [
        {
            "pass": name,
            "ops": {"before": {"func": 4}, "after": {"func": 4}},
            "rewrites": {"mark": 1},
            "statistics": figures,
        }
        for name, figures in [
            ("test-mark", {"functions looked at": 2}),
            ("test-nests", {}),
            ("test-mark{function=two}", {"functions looked at": 2}),
        ]
    ]
    assert statistics.report().splitlines()[-3:] == [
        "total",
        "  rewrites mark        3",
        "  functions looked at  4",
    ]


def test_statistics_use_the_counter_that_limits_rewrites() -> None:
    statistics = Statistics()
    with count_rewrites(1) as counter:
        run([Mark(), Mark("two")], statistics)
    assert [dict(entry.rewrites) for entry in statistics.passes] == [{"mark": 1}, {}]
    assert counter.by_name == {"mark": 1}


def test_nobody_counts_without_statistics() -> None:
    statistic("lost", 3)
    statistics = Statistics()
    with pytest.raises(TilewrightError):
        run([Fails()], statistics)
    run([Mark()], statistics)
    assert [entry.pass_name for entry in statistics.passes] == ["test-fails", "test-mark"]
    assert statistics.passes[1].figures == {"functions looked at": 2}


class Clock:
    """Each look at it takes a second."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


def test_times_are_a_tree_with_counts() -> None:
    timing = Timing(Clock())
    run([Mark(), Mark(), Nests()], timing)
    tree = [re.sub(r"^.*? %  ", "", line) for line in timing.report().splitlines()[1:]]
    assert tree == [
        "passes",
        "  phase 1",
        "    test-mark ×2",
        "    instruments ×6",
        "    verification ×2",
        "  phase 2",
        "    test-nests",
        "      passes",
        "        phase 1",
        "          test-mark{function=two}",
        "          instruments ×3",
        "          verification",
        "        locations",
        "    instruments ×3",
        "    verification",
        "  locations",
        "total",
    ]
    assert [name for name, _ in timing.seconds] == ["test-mark", "test-mark", "test-nests", "test-mark{function=two}"]


def test_instruments_that_started_end_where_another_one_does_not_start() -> None:
    class Refuses(Instrument):
        def before_run(self, module: ModuleOp) -> None:
            raise TilewrightError("TW0214", "no")

    timing, statistics = Timing(Clock()), Statistics()
    with pytest.raises(TilewrightError):
        run([Mark()], timing, statistics, Refuses())
    statistic("lost")
    run([Mark()], timing, statistics)
    assert [name for name, _ in timing.seconds] == ["test-mark"]
    assert statistics.passes[0].figures == {"functions looked at": 2}


def test_self_times_add_up_to_the_total() -> None:
    recorder = Recorder(Clock())
    with recorder.recording():
        run([Mark(), Nests()])
    (top,) = recorder.roots
    assert sum(span.self_seconds for span in recorder.walk()) == top.seconds
    assert all(inner.start >= outer.start and inner.end <= outer.end for outer, inner in pairs(recorder.roots))


def pairs(spans: list[Span]) -> Iterator[tuple[Span, Span]]:
    for outer in spans:
        for inner in outer.children:
            yield outer, inner
        yield from pairs(outer.children)


def test_recorders_have_separate_trees() -> None:
    outer, inner = Recorder(Clock()), Recorder(Clock())
    with outer.recording(), span("a", "compile"):
        with inner.recording(), span("b", "compile"):
            pass
        with span("c", "compile"):
            pass
    assert [s.name for s in outer.walk()] == ["a", "b", "c"]
    assert [s.name for s in inner.walk()] == ["b"]


def test_a_name_is_not_asked_for_where_nobody_records() -> None:
    def name() -> str:
        raise AssertionError

    with span(name, "pass"):
        pass


def test_instruments_do_not_watch_what_they_run_themselves(tmp_path: Path) -> None:
    class RunsPasses(Instrument):
        def after_pass(self, pass_: object, module: ModuleOp) -> None:
            PassManager([Mark("two")]).run(context(), module.clone())

    dump = DumpIR(tmp_path)
    run([Mark()], dump, RunsPasses())
    assert len(list(tmp_path.rglob("*.mlir"))) == 2


def test_overhead_of_the_manager_is_what_is_nobody_elses() -> None:
    recorder = Recorder(Clock())
    with recorder.recording():
        run([Mark(), Nests()], Instrument())
    overhead = manager_overhead(recorder)
    (top,) = recorder.roots
    assert overhead.passes + overhead.verification + overhead.instruments + overhead.manager == top.seconds
    assert overhead.passes == sum(s.seconds for s in recorder.walk() if s.name in ("test-mark", "test-nests"))
    assert "of the passes" in str(overhead)


MATMUL = """\
func.func @main(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %y = graph.matmul %x, %w : tensor<8x8xf32>
  func.return %y : tensor<8x8xf32>
}
"""


def test_trace_events_nest_and_add_up() -> None:
    recorder = Recorder()
    module = Parser(context(), MATMUL).parse_module()
    with recorder.recording():
        lower_module(module)
    trace = chrome_trace(recorder)
    assert json.loads(chrome_trace_text(recorder)) == trace
    events = [event for event in trace["traceEvents"] if event["ph"] == "X"]
    assert {event["cat"] for event in events} >= {"run", "phase", "pass", "verification", "rewriting"}
    assert all(event["dur"] >= 0 and event["ts"] >= 0 for event in events)
    (top,) = [event for event in events if event["cat"] == "run"]
    phases = [event for event in events if event["cat"] == "phase"]
    assert [event["name"] for event in phases] == ["phase 0", "phase 1", "phase 2", "phase 3"]
    assert sum(event["dur"] for event in phases) <= top["dur"]
    stack: list[dict[str, float]] = []
    for event in sorted(events, key=lambda event: (event["ts"], -event["dur"])):
        while stack and event["ts"] >= stack[-1]["ts"] + stack[-1]["dur"]:
            stack.pop()
        if stack:
            assert event["ts"] + event["dur"] <= stack[-1]["ts"] + stack[-1]["dur"] + 1e-6
        stack.append(event)
    names = {event["args"]["name"] for event in trace["traceEvents"] if event["ph"] == "M"}
    assert names == {"tilewright", "main"}
