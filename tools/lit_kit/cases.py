"""The cases that lit files of passes announce, and their comparison with the effect of the RUN lines.

A comment before a function announces a case: `// CASE fires: a reason`, `leaves alone`, `errs` or `remarks`. While RUN
lines run, an instrument records the IR right before and right after the pass, for each part of the file.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.printer import Printer

from ...diagnostics import TilewrightError
from ...diagnostics.remarks import collected_remarks
from ...ir.rewrites import active_counter, count_rewrites
from ...passes.framework.context import PassContext
from ...passes.framework.instruments import Instrument
from ...passes.framework.registry import pass_names
from .. import files
from ..observing import observed

FIRES = "fires"
LEAVES_ALONE = "leaves alone"
ERRS = "errs"
REMARKS = "remarks"

_CASE = re.compile(rf"^\s*// CASE (?P<kind>{FIRES}|{LEAVES_ALONE}|{ERRS}|{REMARKS}): \S")
_ANY_CASE = re.compile(r"//\s*CASE\b")
_FUNCTION = re.compile(r"^\s*func\.func (?:private )?@(?P<name>\w+)")
_PREFIX = re.compile(r"--check-prefix[ =](\w+)")
_NOTE = re.compile(r" attributes \{tw\.scheduled\}")
"""The attribute that schedules add to functions that they looked at, whether or not they changed them."""


class LitFailure(AssertionError):
    """Raised for a lit file whose runs differ from its announced cases."""


Texts = dict[str, str]
"""The functions of a module as text, by name; the whole module under the empty name."""


class Case(NamedTuple):
    """One announced case."""

    kind: str
    line: int
    part: int
    """The number of the part of the file, from 0."""
    function: str
    """The function below the comment; empty for the whole part."""
    is_checked: bool
    """True if a directive stands between this case and the next one."""


class Run(NamedTuple):
    """One run of a pass on a module."""

    name: str
    before: Texts
    after: Texts
    is_counted: bool
    """True if the pass counted its rewrites or changed nothing."""
    remarks: frozenset[str]
    """The codes of the remarks of the pass up to its end."""


@dataclass
class Outcome(Instrument):
    """The effect of one command on one part of a file: the runs of passes that the file may be about, and the error."""

    stem: str
    """The file's name, which begins with that of the pass."""
    part: int | None
    """The number of the part of the file; None where the command takes the file as a whole, or it has one part."""
    runs: list[Run] = field(default_factory=list)
    error: TilewrightError | None = None
    _before: Texts = field(default_factory=dict)
    _count: int = 0

    def before_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        if _may_be_about(self.stem, pass_.name):
            self._before, self._count = texts(module), _rewrites()

    def after_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        if _may_be_about(self.stem, pass_.name):
            after = texts(module)
            is_counted = _rewrites() != self._count or self._before == after
            codes = frozenset(remark.code for remark in collected_remarks() or () if remark.pass_name == pass_.name)
            self.runs.append(Run(pass_.name, self._before, after, is_counted, codes))

    def runs_of(self, name: str) -> list[Run]:
        """Return the runs of one pass."""
        return [run for run in self.runs if run.name == name]


def _may_be_about(stem: str, name: str) -> bool:
    return f"{stem}-".startswith(f"{name}-")


def _rewrites() -> int:
    counter = active_counter()
    assert counter is not None
    return counter.count


class Recording:
    """A recorder of the opt-tool commands on a file, not on standard input, for the passes that the file may be
    about."""

    def __init__(self, path: Path) -> None:
        self.stem = path.stem
        self.outcomes: list[Outcome] = []

    @contextmanager
    def processing(self, file: str, part: int | None) -> Generator[None]:
        """Record the runs on a part of a file."""
        if file == files.STDIN:
            yield
            return
        outcome = Outcome(self.stem, part)
        self.outcomes.append(outcome)
        try:
            with count_rewrites(), PassContext.current().derived({}, instruments=[outcome]):
                yield
        except TilewrightError as error:
            outcome.error = error
            raise

    @contextmanager
    def command(self) -> Generator[None]:
        """Keep the error of a command that processes nothing, as where an option is wrong."""
        try:
            yield
        except TilewrightError as error:
            if not any(outcome.error is error for outcome in self.outcomes):
                self.outcomes.append(Outcome(self.stem, None, error=error))
            raise


@contextmanager
def recording(path: Path) -> Generator[list[Outcome]]:
    """Record the opt-tool commands inside the `with` on parts of files, for the lit file `path`."""
    found = Recording(path)
    with observed(found):
        yield found.outcomes


def texts(module: ModuleOp) -> Texts:
    """Return the text of each function and of the module."""
    functions = [op for op in module.walk() if isinstance(op, func.FuncOp)]
    return {"": _text(module), **{op.sym_name.data: _text(op) for op in functions}}


def _text(op: ModuleOp | func.FuncOp) -> str:
    stream = StringIO()
    Printer(stream=stream).print_op(op)
    return _NOTE.sub("", stream.getvalue())


def pass_of(path: Path, names: Collection[str] | None = None) -> str | None:
    """Return the pass that a lit file is about: its name's longest beginning that is a pass, of `names` or of all."""
    words = path.stem.split("-")
    beginnings = ("-".join(words[:count]) for count in range(len(words), 0, -1))
    known = pass_names() if names is None else names
    return next((name for name in beginnings if name in known), None)


def malformed_cases(text: str) -> list[str]:
    """Return lines that look like the announcement of a case and are none."""
    return [line for line in text.splitlines() if _ANY_CASE.search(line) and not _CASE.match(line)]


def prefixes_of(text: str) -> list[str]:
    """Return the prefixes of the directives that RUN lines check."""
    return sorted({"CHECK", *_PREFIX.findall(text)})


def cases_of(text: str) -> list[Case]:
    """Return the cases that a file announces."""
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


def has_cases(text: str) -> bool:
    """Return whether a file announces cases."""
    return any(_CASE.match(line) for line in text.splitlines())


def check_cases(path: Path, outcomes: list[Outcome]) -> None:
    """Raise LitFailure where the RUN lines did something else with a file of a pass than its cases announce."""
    text = path.read_text(encoding="utf-8")
    malformed = malformed_cases(text)
    _expect(not malformed, f"{path.name}: expected '// CASE {FIRES}: ...' or another kind, but got {malformed}")
    name = pass_of(path)
    if name is None:
        raise LitFailure(f"{path.name}: expected a file with cases to begin with the name of the pass that it is about")
    for case in cases_of(text):
        of_part = [outcome for outcome in outcomes if outcome.part in (None, case.part)]
        _CHECKS[case.kind](f"{path.name}:{case.line}: ", name, case, text, of_part)


def _expect(is_so: bool, message: str) -> None:
    if not is_so:
        raise LitFailure(message)


def _check_fires(where: str, name: str, case: Case, text: str, outcomes: list[Outcome]) -> None:
    _expect(any(_changed(name, case, outcome) for outcome in outcomes), f"{where}expected '{name}' to change it")
    _expect(case.is_checked, f"{where}expected CHECK lines that say what it becomes")


def _check_leaves_alone(where: str, name: str, case: Case, text: str, outcomes: list[Outcome]) -> None:
    _expect(any(outcome.runs_of(name) for outcome in outcomes), f"{where}expected '{name}' to run")
    is_changed = any(_changed(name, case, outcome) for outcome in outcomes)
    _expect(not is_changed, f"{where}expected '{name}' to leave it alone")


def _check_errs(where: str, name: str, case: Case, text: str, outcomes: list[Outcome]) -> None:
    errors = [outcome.error for outcome in outcomes if outcome.error is not None]
    said = ["\n".join([error.message, *error.notes]) for error in errors]
    _expect(any(f"pass '{name}" in words for words in said), f"{where}expected an error of '{name}', but got {said}")


def _check_remarks(where: str, name: str, case: Case, text: str, outcomes: list[Outcome]) -> None:
    said = {code for outcome in outcomes for run in outcome.runs_of(name) for code in run.remarks}
    prefixes = "|".join(prefixes_of(text))
    expected = set(re.findall(rf"^\s*// (?:{prefixes})[A-Z-]*: .*remark\[(TW\d+)\]", text, re.MULTILINE))
    _expect(bool(said & expected), f"{where}expected a remark of {sorted(expected)}, but got {sorted(said)}")


_CHECKS = {FIRES: _check_fires, LEAVES_ALONE: _check_leaves_alone, ERRS: _check_errs, REMARKS: _check_remarks}


def _changed(name: str, case: Case, outcome: Outcome) -> bool:
    return any(run.before.get(case.function) != run.after.get(case.function) for run in outcome.runs_of(name))
