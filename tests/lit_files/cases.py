"""The cases that lit files of passes announce, as lit/README.md describes, and what their RUN lines do.

Commands run as opt-tool runs them, part by part, with an instrument that keeps the IR right before and right after the
pass.
"""

from __future__ import annotations

import re
import shlex
from argparse import Namespace
from contextlib import redirect_stderr
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from tilewright.diagnostics import TilewrightError
from tilewright.passes.context import PassContext
from tilewright.passes.instruments import Instrument
from tilewright.passes.registry import BUILTIN
from tilewright.tools import files
from tilewright.tools.expectations import check, expectations
from tilewright.tools.opt import argument_parser
from tilewright.tools.process import Processor
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.printer import Printer

FIRES = "fires"
LEAVES_ALONE = "leaves alone"
ERRS = "errs"
REMARKS = "remarks"

_CASE = re.compile(rf"^\s*// CASE (?P<kind>{FIRES}|{LEAVES_ALONE}|{ERRS}|{REMARKS}): \S")
_ANY_CASE = re.compile(r"//\s*CASE\b")
_FUNCTION = re.compile(r"^\s*func\.func (?:private )?@(?P<name>\w+)")
_PREFIX = re.compile(r"--check-prefix[ =](\w+)")
_NOTE = re.compile(r" attributes \{tw\.scheduled\}")
"""What schedules leave on functions that they looked at, whether or not they changed them."""
_RUN_OPT_TOOL = re.compile(r"^(?P<negated>not )?(?P<command>opt-tool .*)$")

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
class Recorder(Instrument):
    """Keeps the functions before and after each run of a pass."""

    name: str
    changes: list[tuple[Texts, Texts]] = field(default_factory=list)
    _before: Texts = field(default_factory=dict)

    def before_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        if pass_.name == self.name:
            self._before = texts(module)

    def after_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        if pass_.name == self.name:
            self.changes.append((self._before, texts(module)))


class Outcome(NamedTuple):
    """What one command did to one part."""

    changes: list[tuple[Texts, Texts]]
    error: TilewrightError | None
    is_announced: bool
    """Whether the file says that this error comes."""
    stderr: str


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


def outcomes(line: str, path: Path, name: str) -> list[Outcome]:
    """What a RUN line's opt-tool does with each part of the file; nothing, where the pass `name` is not in it."""
    match = _RUN_OPT_TOOL.match(line.partition("|")[0].replace("2>&1", "").strip())
    if match is None or not re.search(rf"\b{name}\b(?!-)", match["command"]):
        return []
    text = path.read_text(encoding="utf-8")
    args = argument_parser().parse_args(shlex.split(match["command"])[1:])
    parts = files.split(text) if args.split_input_file else [text]
    return [
        _outcome(args, part, number, path, name, negated=bool(match["negated"])) for number, part in enumerate(parts)
    ]


def _outcome(args: Namespace, part: str, number: int, path: Path, name: str, *, negated: bool) -> Outcome:
    recorder = Recorder(name)
    error = None
    stderr = StringIO()
    try:
        with redirect_stderr(stderr), PassContext(instruments=[recorder]):
            processor = Processor(args)
            processor.begin_part(number)
            with processor.watch.reporting():
                processor.process(part, str(path))
    except TilewrightError as raised:
        error = raised
    announced = negated or (bool(expectations(part)) and not check(part, str(path), error))
    return Outcome(recorder.changes, error, announced, stderr.getvalue())
