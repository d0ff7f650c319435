"""`tilewright prove --opt`: the passes of a foreign tool, each compared with the module before it."""

from __future__ import annotations

import json
import re
import shlex
import sys
import tempfile
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..analysis.equivalence import Proved, Refuted
from ..diagnostics import TilewrightError, fail
from ..diagnostics.files import check_file
from ..diagnostics.locations import location_of
from ..semantics.proving import account, expressions
from . import files
from .common import UNDECIDED
from .foreign_passes import ForeignRun, Step, Tool
from .prove import Compared, algebra_of, compare, file_of


@dataclass(frozen=True)
class Compares:
    """One or several consecutive passes, and the comparison of the module after them with the module before."""

    steps: tuple[Step, ...]
    """Several where the module between them cannot be read."""
    number: int
    """The position of the last one among all steps, from 1."""
    before: str
    """The text of the module before."""
    functions: tuple[Compared, ...] = ()
    """The functions that changed."""
    reason: str = ""
    """The reason why nothing is compared; empty where something is, or nothing changed."""
    saved: tuple[str, ...] = field(default=(), compare=False)
    """The files of a refutation: before, after, command."""

    @property
    def name(self) -> str:
        """The passes, as a reader calls them."""
        return ", ".join(map(str, self.steps))

    @property
    def refuted(self) -> Compared | None:
        """The first function that is refuted."""
        return next((each for each in self.functions if isinstance(each.judgement.verdict, Refuted)), None)

    @property
    def verdict(self) -> str:
        """`unchanged`, `unknown` without functions, else the worst word of the functions."""
        if not self.functions:
            return "unknown" if self.reason else "unchanged"
        words = [each.judgement.word for each in self.functions]
        return max(words, key=("proved", "bounded", "unknown", "refuted").index)

    def __str__(self) -> str:
        if not self.functions:
            return f"{self.name}: {self.verdict}{f': {self.reason}' if self.reason else ''}"
        lines = [line for each in self.functions for line in str(each).splitlines()]
        saved = [f"saved as {', '.join(self.saved)}"] if self.saved else []
        return "\n".join([f"{self.name}: {self.verdict}", *(f"  {line}" for line in (*lines, *saved))])

    def as_json(self) -> dict[str, Any]:
        """Return the comparison as a record."""
        record: dict[str, Any] = {
            "passes": [step.spec for step in self.steps],
            "verdict": self.verdict,
            "functions": [each.as_json() for each in self.functions],
        }
        if self.reason:
            record["reason"] = self.reason
        if self.saved:
            record["reproducer"] = dict(zip(("before", "after", "command"), self.saved, strict=True))
        return record

    def error(self, tool: str) -> TilewrightError:
        """Return the error TW0250: a pass changed the results of a function."""
        compared = self.refuted
        assert compared is not None and isinstance(compared.judgement.verdict, Refuted)
        verdict = compared.judgement.verdict
        location = location_of(verdict.after.op) if verdict.after.op is not None else None
        numbers = [line for line in (compared.judgement.evidence, compared.executed) if line]
        message = f"{self.name} of {tool} changed what {compared.name} computes: {account(verdict, compared.before)}"
        saved = [f"saved: {', '.join(self.saved)}"]
        return TilewrightError("TW0250", message, notes=[*expressions(verdict), *numbers, *saved], location=location)


def prove_passes(args: Namespace) -> int:
    """Run a foreign tool on a file and compare after each of its passes; return the exit status, as for two files.

    Raises TilewrightError: TW0249 where the tool fails or prints no module, TW0250 for the first pass that is
    refuted.
    """
    tool = Tool.of(args.opt)
    text, name = _input(args.before)
    with tempfile.TemporaryDirectory(prefix="tilewright-prove-") as folder:
        path = args.before
        if path == files.STDIN:
            path = str(Path(folder) / "input.mlir")
            Path(path).write_text(text, encoding="utf-8")
        run = tool.run(path, args.opt_seconds)
        found = [_saved(each, tool, run, args) for each in _compared(run, (name, text), args)]
    _report(found, run, args)
    for each in found:
        if each.refuted is not None:
            raise each.error(tool.name)
    if run.failure:
        last = f" after {run.steps[-1].name}" if run.steps else ""
        fail("TW0249", f"{tool.name} fails on '{name}'{last}: {run.failure}")
    verdicts = [each.judgement.verdict for step in found for each in step.functions]
    is_whole = all(isinstance(verdict, Proved) for verdict in verdicts) and not any(each.reason for each in found)
    return 0 if is_whole else UNDECIDED


def _input(path: str) -> tuple[str, str]:
    if path != files.STDIN:
        check_file(path)
    return files.read(path)


def _compared(run: ForeignRun, given: tuple[str, str], args: Namespace) -> Iterator[Compares]:
    """Compare the passes that the tool ran, in turn. Raises the errors of reading the input."""
    before, text = file_of(given[1], given[0], args.before), given[1]
    number, reason, waiting = 0, "", list[Step]()
    for number, step in enumerate(_steps(run), start=1):
        waiting.append(step)
        if _plain(step.text) == _plain(text):
            yield Compares(tuple(waiting), number, text)
            waiting = []
            continue
        name = f"{number}-{_file_name(step.name)}.mlir"
        try:
            after = file_of(step.text, name)
            functions = compare(before, after, args, algebra_of(args), only_changed=True)
        except TilewrightError as error:
            reason = f"{error.message} [{error.code}]"
            continue
        yield Compares(tuple(waiting), number, text, tuple(functions))
        before, text, waiting = after, step.text, []
    if waiting:
        yield Compares(tuple(waiting), number, text, reason=reason)


def _steps(run: ForeignRun) -> Sequence[Step]:
    """Return the steps of a run, the output as a last one where it is another module than that after the last pass."""
    if not run.output.strip() and not run.steps:
        fail("TW0249", f"'{shlex.join(run.command)}' prints no module")
    if not run.steps:
        print(f"note: '{run.command[0]}' prints no module between passes; its output is compared as one step",
            file=sys.stderr)  # fmt: skip
        return [Step(shlex.join(run.command[:-1]), "", "", "", run.output)]
    last = run.steps[-1].text
    if run.failure or not run.output.strip() or _plain(run.output) == _plain(last):
        return run.steps
    return [*run.steps, Step("output", "", "", "", run.output)]


def _plain(text: str) -> str:
    """Return a text without blank lines and comments of whole lines."""
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip() and not line.startswith("//"))


def _saved(compares: Compares, tool: Tool, run: ForeignRun, args: Namespace) -> Compares:
    """Save the files of a refutation: the module before, that after, and a command; return the comparison with them."""
    refuted = compares.refuted
    if refuted is None:
        return compares
    folder = Path(args.save) if args.save is not None else Path(tempfile.mkdtemp(prefix="tilewright-prove-"))
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{compares.number}-{_file_name(compares.steps[-1].name)}"
    before, after, command = (folder / f"{stem}.{kind}" for kind in ("before.mlir", "after.mlir", "sh"))
    files.write(str(before), compares.before)
    files.write(str(after), compares.steps[-1].text)
    files.write(str(command), _script(compares, tool, run, before, args))
    command.chmod(0o755)
    return replace(compares, saved=(str(before), str(after), str(command)))


def _script(compares: Compares, tool: Tool, run: ForeignRun, before: Path, args: Namespace) -> str:
    """Return the lines of a shell that repeat a refutation: the pass alone where that gives the same module."""
    alone = tool.one_pass(compares.steps[0], str(before), args.opt_seconds) if len(compares.steps) == 1 else None
    words = [*alone[:-1], before.name] if alone is not None else list(run.command)
    flags = {"--reassociates": args.reassociates, "--contracts": args.contracts, "--may-alias": args.may_alias}
    options = [flag for flag, is_given in flags.items() if is_given]
    options += [word for axiom in args.axiom for word in ("--axiom", axiom)]
    proof = shlex.join(["tilewright", "prove", before.name, f"{before.name.removesuffix('.before.mlir')}.after.mlir"])
    refuted = compares.refuted
    assert refuted is not None and isinstance(refuted.judgement.verdict, Refuted)
    lines = [
        "#!/bin/sh",
        f"# {compares.name} changes what {refuted.name} computes: {account(refuted.judgement.verdict, refuted.before)}",
        'cd "$(dirname "$0")"' if alone is not None else "# All passes, since the last one alone gives another module:",
        shlex.join(words),
        " ".join([proof, *options]),
    ]
    return "\n".join(lines) + "\n"


def _file_name(name: str) -> str:
    return re.sub(r"[^\w.-]+", "-", name).strip("-")[:60] or "pass"


def _report(found: Sequence[Compares], run: ForeignRun, args: Namespace) -> None:
    if args.json:
        print(json.dumps({"command": list(run.command), "steps": [each.as_json() for each in found]}, indent=1))
    else:
        for each in found:
            print(each)
    sys.stdout.flush()
