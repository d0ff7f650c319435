"""The cases that lit files of passes announce, as lit/README.md describes, and what their RUN lines do.

While RUN lines run, an instrument keeps the IR right before and right after the pass, for each part of the file.
"""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pytest
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.remarks import collected_remarks
from tilewright.ir.rewrites import active_counter, count_rewrites
from tilewright.passes.context import PassContext
from tilewright.passes.instruments import Instrument
from tilewright.passes.registry import BUILTIN, get_pass
from tilewright.tools import files, opt
from tilewright.tools.process import Processor
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.printer import Printer

FIRES = "fires"
LEAVES_ALONE = "leaves alone"
ERRS = "errs"
REMARKS = "remarks"

WHOLE = {"infer-types", "lower-te"}
"""Passes that make everything anew at once: they count no rewrites."""

_CASE = re.compile(rf"^\s*// CASE (?P<kind>{FIRES}|{LEAVES_ALONE}|{ERRS}|{REMARKS}): \S")
_ANY_CASE = re.compile(r"//\s*CASE\b")
_FUNCTION = re.compile(r"^\s*func\.func (?:private )?@(?P<name>\w+)")
_PREFIX = re.compile(r"--check-prefix[ =](\w+)")
_NOTE = re.compile(r" attributes \{tw\.scheduled\}")
"""What schedules leave on functions that they looked at, whether or not they changed them."""

Texts = dict[str, str]
"""The functions of a module as text, by name; the whole module under the empty name."""


class Case(NamedTuple):
    """One announced case."""

    kind: str
    line: int
    part: int
    """Which part of the file, counted from 0."""
    function: str
    """The function below the comment; empty for the whole part."""
    is_checked: bool
    """Whether a directive stands between this case and the next one."""


@dataclass
class Outcome(Instrument):
    """What one command did to one part of a file: the functions before and after each run of a pass, remarks, error."""

    name: str
    part: int | None
    """Which part of the file; None where the command takes the file as a whole, or it has one part."""
    changes: list[tuple[Texts, Texts]] = field(default_factory=list)
    remarks: set[str] = field(default_factory=set)
    """The codes of the remarks that the pass made."""
    error: TilewrightError | None = None
    uncounted: list[str] = field(default_factory=list)
    """What the pass made of a module without counting a rewrite."""
    _before: Texts = field(default_factory=dict)
    _count: int = 0

    def before_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        if pass_.name == self.name:
            self._before, self._count = texts(module), _rewrites()

    def after_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        if pass_.name == self.name:
            self.changes.append((self._before, texts(module)))
            if _rewrites() == self._count and self._before != texts(module):
                self.uncounted.append(str(module))
            self.remarks |= {remark.code for remark in collected_remarks() or () if remark.pass_name == self.name}


def _rewrites() -> int:
    counter = active_counter()
    assert counter is not None
    return counter.count


@contextmanager
def recording(name: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Outcome]]:
    """What each opt-tool inside the `with` does with a file, not standard input, as far as the pass `name` goes."""
    found: list[Outcome] = []
    process, whole = Processor.process, opt._run  # pyright: ignore[reportPrivateUsage]

    def recorded(self: Processor, text: str, file: str) -> str:
        if self.args.file == files.STDIN:
            return process(self, text, file)
        found.append(Outcome(name, self.part))
        try:
            with count_rewrites(), PassContext(instruments=[found[-1]]):
                return process(self, text, file)
        except TilewrightError as error:
            found[-1].error = error
            raise

    def run(args: Namespace) -> int:
        try:
            return whole(args)
        except TilewrightError as error:
            if not any(outcome.error is error for outcome in found):  # an option is wrong: nothing was processed
                found.append(Outcome(name, None, error=error))
            raise

    with monkeypatch.context() as patches:
        patches.setattr(opt, "_run", run)
        patches.setattr(Processor, "process", recorded)
        yield found


def texts(module: ModuleOp) -> Texts:
    """The text of each function and of the module."""
    functions = [op for op in module.walk() if isinstance(op, func.FuncOp)]
    return {"": _text(module), **{op.sym_name.data: _text(op) for op in functions}}


def _text(op: ModuleOp | func.FuncOp) -> str:
    stream = StringIO()
    Printer(stream=stream).print_op(op)
    return _NOTE.sub("", stream.getvalue())


def pass_of(path: Path) -> str | None:
    """The pass that a lit file is about: its name's longest beginning that is a pass."""
    words = path.stem.split("-")
    beginnings = ("-".join(words[:count]) for count in range(len(words), 0, -1))
    return next((name for name in beginnings if name in BUILTIN), None)


def pass_announced(path: Path) -> str | None:
    """The pass whose cases a lit file announces, where it does: a file in one of the folders of phases."""
    return pass_of(path) if path.parent.name.startswith("phase") else None


def malformed_cases(text: str) -> list[str]:
    """Lines that look like the announcement of a case and are none."""
    return [line for line in text.splitlines() if _ANY_CASE.search(line) and not _CASE.match(line)]


def prefixes_of(text: str) -> list[str]:
    """The prefixes of the directives that RUN lines check."""
    return sorted({"CHECK", *_PREFIX.findall(text)})


def cases_of(text: str) -> list[Case]:
    """The cases that a file announces."""
    found: list[Case] = []
    directive = re.compile(rf"^\s*// (?:{'|'.join(prefixes_of(text))})(?:-[A-Z]+(?:-\d+)?)?: ")
    part = 0
    for number, line in enumerate(text.splitlines(), start=1):
        if line.rstrip() == files.SEPARATOR.rstrip():
            part += 1
        elif match := _CASE.match(line):
            found.append(Case(match["kind"], number, part, "", False))
        elif found and found[-1].part == part:
            if (match := _FUNCTION.match(line)) and not found[-1].function:
                found[-1] = found[-1]._replace(function=match["name"])
            elif directive.match(line):
                found[-1] = found[-1]._replace(is_checked=True)
    return found


def check_cases(path: Path, name: str, outcomes: list[Outcome]) -> None:
    """Whether what the RUN lines did with a file of the pass `name` is what its cases announce."""
    text = path.read_text(encoding="utf-8")
    assert path.parent.name == f"phase{get_pass(name).phase}"
    assert not malformed_cases(text)
    for case in cases_of(text):
        of_part = [outcome for outcome in outcomes if outcome.part in (None, case.part)]
        _CHECKS[case.kind](f"{path.name}:{case.line}: ", name, case, text, of_part)


def _check_fires(where: str, name: str, case: Case, text: str, outcomes: list[Outcome]) -> None:
    assert any(_changed(case, outcome) for outcome in outcomes), f"{where}expected '{name}' to change it"
    uncounted = [module for outcome in outcomes for module in outcome.uncounted if name not in WHOLE]
    assert not uncounted, f"{where}expected '{name}' to count what it makes: {uncounted[0]}"
    assert case.is_checked, f"{where}expected CHECK lines that say what it becomes"


def _check_leaves_alone(where: str, name: str, case: Case, text: str, outcomes: list[Outcome]) -> None:
    assert any(outcome.changes for outcome in outcomes), f"{where}expected '{name}' to run"
    assert not any(_changed(case, outcome) for outcome in outcomes), f"{where}expected '{name}' to leave it alone"


def _check_errs(where: str, name: str, case: Case, text: str, outcomes: list[Outcome]) -> None:
    errors = [outcome.error for outcome in outcomes if outcome.error is not None]
    said = ["\n".join([error.message, *error.notes]) for error in errors]
    assert any(f"pass '{name}" in words for words in said), f"{where}expected an error of '{name}', but got {said}"


def _check_remarks(where: str, name: str, case: Case, text: str, outcomes: list[Outcome]) -> None:
    said = {code for outcome in outcomes for code in outcome.remarks}
    prefixes = "|".join(prefixes_of(text))
    expected = set(re.findall(rf"^\s*// (?:{prefixes})[A-Z-]*: .*remark\[(TW\d+)\]", text, re.MULTILINE))
    assert said & expected, f"{where}expected a remark of {sorted(expected)}, but got {sorted(said)}"


_CHECKS = {FIRES: _check_fires, LEAVES_ALONE: _check_leaves_alone, ERRS: _check_errs, REMARKS: _check_remarks}


def _changed(case: Case, outcome: Outcome) -> bool:
    return any(before.get(case.function) != after.get(case.function) for before, after in outcome.changes)
