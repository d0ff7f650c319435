"""A primitive that is declared outside of the library: its declaration is all that each of its faces needs."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import tilewright
from tilewright import TilewrightError
from tilewright.diagnostics.locations import source_position
from tilewright.dialects import context, loop
from tilewright.ir.rewrites import count_rewrites
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.schedule import BlockRV, LoopRV, Schedule, Trace
from tilewright.schedule.primitive_declaration import USER, primitives
from tilewright.tools import opt
from tilewright.tools.schedule_docs import section

from .programs import elementwise, parse, replay_equals, verify

Halve = Callable[..., tuple[LoopRV, LoopRV]]

DECLARED = '''
import tilewright
from tilewright.schedule import LoopRV, Schedule

@tilewright.register_primitive()
def halve(sch: Schedule, loop: LoopRV, *, note: str = "half") -> tuple[LoopRV, LoopRV]:
    """Split a loop into two halves and annotate the outer one."""
    outer, inner = sch.split(loop, factors=[2, None])
    sch.annotate(outer, "note", note)
    return outer, inner
'''
PROGRAM = elementwise(8, 4)


@pytest.fixture
def halve() -> Iterator[Halve]:
    @tilewright.register_primitive()
    def halve(sch: Schedule, loop: LoopRV, *, note: str = "half") -> tuple[LoopRV, LoopRV]:
        """Split a loop into two halves and annotate the outer one.

        `note` must not be empty.
        """
        outer, inner = sch.split(loop, factors=[2, None])
        if not note:
            tilewright.diagnostics.fail("TW0403", "halve: expected a note, but got ''", op=sch.loop(outer))
        sch.annotate(outer, "note", note)
        return outer, inner

    yield halve
    tilewright.unregister_primitive("halve")


def scheduled() -> Schedule:
    """Return a schedule that called `halve`, beside other primitives."""
    schedule = Schedule(parse(PROGRAM))
    i, j = schedule.get_loops(schedule.get_block("B"))
    outer, inner = schedule.halve(i, note="first")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType]
    schedule.reorder(outer, inner, j)
    return schedule


def test_it_is_a_method_and_a_function(halve: Halve) -> None:
    schedule = scheduled()
    assert [str(h) for h in schedule.get_loops(schedule.get_block("B"))] == ["<loop %io>", "<loop %ii>", "<loop %j>"]
    (outer, *_) = schedule.get_loops(schedule.get_block("B"))
    assert str(schedule.loop(outer).attributes["note"]) == '"first"'
    other = Schedule(parse(PROGRAM))
    halve(other, other.get_loop("i"), note="first")
    assert str(other.func) == str(schedule.func)
    assert "halve" in dir(schedule) and not hasattr(schedule, "quarter")


def test_its_arguments_are_checked(halve: Halve) -> None:
    schedule = Schedule(parse(PROGRAM))
    block = schedule.get_block("B")
    for wrong, message in (
        (lambda: halve(schedule, block), "halve: expected a loop for 'loop', but got <block 'B'>"),
        (lambda: halve(schedule, schedule.get_loop("i"), note=3), "halve: expected a string for 'note', but got 3"),
    ):
        with pytest.raises(TilewrightError) as raised:
            wrong()
        assert (raised.value.code, raised.value.message) == ("TW0403", message)
        position = source_position(raised.value.location)
        assert position is not None and Path(position.file).name == Path(__file__).name
    with pytest.raises(TypeError, match="TW0725.*halve: missing a required argument: 'loop'") as given:
        halve(schedule)
    assert isinstance(given.value, TilewrightError) and given.value.help == "`halve` takes (loop, note)"
    position = source_position(given.value.location)
    assert position is not None and Path(position.file).name == Path(__file__).name
    for call in (lambda: schedule.blockize(block, nonsense=1), lambda: schedule.get_output_blocks(block, 1, 2)):
        with pytest.raises(TilewrightError, match="TW0725"):
            call()


def test_it_replays_from_every_form_of_its_trace(halve: Halve) -> None:
    schedule = scheduled()
    verify(schedule.func.parent_op() or schedule.func)
    assert [step.method for step in schedule.trace.instructions] == ["get_block", "get_loops", "halve", "reorder"]
    assert "l2, l3 = sch.halve(l0, note='first')\n" in schedule.trace.as_python()
    assert '  %io, %ii = schedule.halve %i note "first"\n' in schedule.trace.as_mlir()
    assert '"method": "halve"' in schedule.trace.as_json()
    replay_equals(PROGRAM, schedule)


def test_a_text_is_checked_too(halve: Halve) -> None:
    def text(call: str) -> str:
        return f'schedule.sequence {{\n  %i = schedule.get_loop "i"\n  %o, %n = {call}\n}}\n'

    for call, message in (
        ("schedule.halve %i note 3", "expected a string for 'note', but got an integer"),
        ("schedule.halve %i remark 3", "halve takes loop, note, but got 'remark'"),
    ):
        with pytest.raises(TilewrightError) as raised:
            Trace.from_mlir(text(call))
        assert message in raised.value.message
    assert Trace.from_mlir(text("halve %i")).instructions[1].method == "halve"


def test_it_is_taken_back_where_it_refuses(halve: Halve) -> None:
    schedule = Schedule(parse(PROGRAM))
    i = schedule.get_loop("i")
    before = str(schedule.func)
    with pytest.raises(TilewrightError, match="halve: expected a note, but got ''"):
        halve(schedule, i, note="")
    assert str(schedule.func) == before
    assert [step.method for step in schedule.trace.instructions] == ["get_loop"]


def test_opt_tool_knows_it_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "declared.py").write_text(DECLARED)
    (tmp_path / "program.mlir").write_text(PROGRAM)
    (tmp_path / "calls.schedule").write_text(
        'schedule.sequence {\n  %i = get_loop "i"\n  %o, %n = halve %i\n  parallel %o\n}\n'
    )
    try:
        arguments = ["--load", "declared.py", "--schedule", "calls.schedule", "program.mlir"]
        given = [a if a.startswith("--") else str(tmp_path / a) for a in arguments]
        assert opt.main(given) == 0
        assert 'loop.for %io = 0 to 2 kind parallel attributes {note = "half"} {' in capsys.readouterr().out
    finally:
        tilewright.unregister_primitive("halve")


def test_it_counts_as_one_rewrite(halve: Halve, tmp_path: Path) -> None:
    path = tmp_path / "calls.schedule"
    path.write_text(scheduled().trace.as_mlir())
    for limit, loops in ((0, ["i", "j"]), (1, ["io", "ii", "j"])):
        module = parse(PROGRAM)
        with count_rewrites(limit) as counted:
            PassManager(parse_pipeline(f'apply-schedule{{file="{path}"}}')).run(context(), module)
        found = [op.induction_variable.name_hint for op in module.walk() if isinstance(op, loop.ForOp)]
        assert found == loops
        assert counted.by_name == ({"halve": 1} if limit else {})


def test_its_entry_in_the_documentation(halve: Halve) -> None:
    declared = primitives()["halve"]
    assert declared.subject == USER
    assert section(declared) == (
        "`halve(loop, *, note='half')`\n\n"
        "Split a loop into two halves and annotate the outer one.\n\n"
        "`note` must not be empty."
    )
    assert inspect.getdoc(halve) == declared.documentation


def test_what_can_be_no_primitive() -> None:
    def split(sch: Schedule, loop: LoopRV) -> None:
        """Split in another way."""

    def copy(sch: Schedule) -> None:
        """Copy: a method that schedules have."""

    def silent(sch: Schedule) -> None: ...

    def nothing() -> None:
        """Take no schedule."""

    def counted(sch: Schedule) -> int:
        """Return a number."""
        return 0

    def unsaid(sch: Schedule):  # pyright: ignore[reportUnknownParameterType]
        """Have no annotation."""

    def _hidden(sch: Schedule) -> None:
        """Hide from users."""

    for function, reason in (
        (split, "a primitive of that name is registered already, by the compiler"),
        (copy, "a schedule has an attribute 'copy' that is no primitive"),
        (silent, "expected a docstring, which the reference and `help` show"),
        (nothing, "expected a function whose first parameter is the schedule, but it has none"),
        (counted, "its annotations cannot be read: expected counted to return handles, values or None"),
        (unsaid, "its annotations cannot be read: expected unsaid to say what it returns, None or handles"),
        (_hidden, "expected a function with a name that does not begin with '_'"),
    ):
        with pytest.raises(TilewrightError) as raised:
            tilewright.register_primitive()(function)
        assert raised.value.code == "TW0476"
        assert raised.value.message.startswith(f"primitive '{function.__name__}' cannot be registered: {reason}")
    for name, reason in (("copy", "is not registered"), ("split", "is one of the compiler's")):
        with pytest.raises(TilewrightError, match=f"of a registered primitive, but '{name}' {reason}") as raised:
            tilewright.unregister_primitive(name)
        assert raised.value.code == "TW0476"


def test_foreign_code_needs_to_be_allowed() -> None:
    @tilewright.register_primitive(brings_foreign_code=lambda arguments: arguments["language"] == "c")
    def call_kernel(sch: Schedule, block: BlockRV, language: str) -> None:
        """Annotate a block."""
        sch.annotate(block, "language", language)

    try:
        texts: dict[str, str] = {}
        for language in ("c", "none"):
            schedule = Schedule(parse(PROGRAM))
            call_kernel(schedule, schedule.get_block("B"), language)
            texts[language] = schedule.trace.as_mlir()
        with pytest.raises(TilewrightError) as raised:
            Trace.from_mlir(texts["c"])
        assert raised.value.code == "TW0670"
        assert len(Trace.from_mlir(texts["c"], allow_foreign=True).instructions) == 2
        assert len(Trace.from_mlir(texts["none"]).instructions) == 2
    finally:
        tilewright.unregister_primitive("call_kernel")
