"""Runs of a foreign optimizer such as `mlir-opt` or `iree-opt`, with the IR after each of its passes.

The tool runs once, on one thread, and prints the whole module after each pass (`--mlir-print-ir-after-all`). So the
compared modules are those of one run: the pipeline is not split, and the tool parses no text between two passes.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..diagnostics import fail
from .judging import mlir_tools

PRINTING = ("--mlir-print-ir-after-all", "--mlir-print-ir-module-scope", "--mlir-disable-threading")

_HEADER = re.compile(
    r"^// -----// IR Dump After (?P<name>\S+?)(?P<failed> Failed)?"
    r"(?:: (?P<spec>\S.*?)| \((?P<argument>[^)']*)\))?(?: \('(?P<anchor>[^']*)' operation(?:: (?P<symbol>@.*?))?\))?"
    r" //----- //$",
    re.MULTILINE,
)
_END = re.compile(r"^\}.*$", re.MULTILINE)
_RESOURCES = re.compile(r"\s*\{-#.*?^#-\}", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Step:
    """The module after one pass."""

    name: str
    """The pass as command lines call it; its class where it has no such name."""
    spec: str
    """The same with its options, as far as the tool prints them or the command line gives them."""
    anchor: str
    """The name of the operation that the pass ran on."""
    symbol: str
    """The symbol of that operation with its `@`; empty where it has none."""
    text: str

    def __str__(self) -> str:
        return f"{self.name} on {self.symbol}" if self.symbol else self.name


@dataclass(frozen=True)
class ForeignRun:
    """A run of a tool."""

    command: tuple[str, ...]
    steps: tuple[Step, ...]
    output: str
    """The module that it printed at its end."""
    failure: str
    """The reason of the failure, in a clause; empty where it did not fail."""


@dataclass(frozen=True)
class Tool:
    """A foreign optimizer and the options that it is called with."""

    words: tuple[str, ...]
    """As on the command line."""
    path: str

    @classmethod
    def of(cls, command: str) -> Tool:
        """Return the tool of a command line. Raises TilewrightError TW0249 where there is none of that name."""
        try:
            words = tuple(shlex.split(command))
        except ValueError as error:
            fail("TW0209", f"--opt: expected a command as a shell takes it, but {error} in '{command}'")
        if not words:
            fail("TW0209", "--opt: expected a command, but it is empty")
        path = shutil.which(words[0]) or mlir_tools.find(words[0])
        if path is None:
            fail("TW0249", f"the tool '{words[0]}' is not found")
        return cls(words, path)

    @property
    def name(self) -> str:
        return self.words[0].rpartition("/")[2]

    def run(self, file: str, seconds: float) -> ForeignRun:
        """Run the tool on a file, and split its output by pass.

        A tool that does not know how to print between passes is run without: then there is one step, for all of them.
        Raises TilewrightError TW0249 where the tool fails before it has printed anything.
        """
        ended = self._ended([*PRINTING, file], seconds)
        steps = tuple(self._steps(ended.err))
        if ended.status != 0 and not steps:
            ended = self._ended([file], seconds)
            if ended.status != 0:
                where = "" if ended.status is None else f": {_first_error(ended)}"
                what = f"does not end in {seconds:g} s" if ended.status is None else "fails"
                fail("TW0249", f"{self.name} {what} on '{file}'{where}")
        failure = "" if ended.status == 0 else _first_error(ended)
        output = ended.out.decode(errors="replace")
        return ForeignRun((*self.words, file), steps, output, failure)

    def one_pass(self, step: Step, file: str, seconds: float) -> tuple[str, ...] | None:
        """Return a command that runs the pass of a step alone on a file; None where it does not give the text of the
        step."""
        pipeline = step.spec if step.anchor == "builtin.module" else f"{step.anchor}({step.spec})"
        words = (self.words[0], f"--pass-pipeline=builtin.module({pipeline})")
        ended = mlir_tools.run([self.path, *words[1:], file], seconds=seconds)
        is_same = ended.status == 0 and ended.out.decode(errors="replace").strip() == step.text.strip()
        return (*words, file) if is_same else None

    def _ended(self, more: Sequence[str], seconds: float) -> mlir_tools.Ended:
        try:
            return mlir_tools.run([self.path, *self.words[1:], *more], seconds=seconds)
        except OSError as error:
            fail("TW0249", f"{self.name} cannot be started: {error.strerror or error}")

    def _steps(self, printed: str) -> Iterator[Step]:
        headers = list(_HEADER.finditer(printed))
        ends = [*(header.start() for header in headers[1:]), len(printed)]
        for header, end in zip(headers, ends, strict=False):  # without headers there is an end alone
            if header["failed"]:
                continue
            section = printed[header.end() : end]
            name, _, options = (header["spec"] or header["argument"] or header["name"]).partition("{")
            spec = f"{name}{{{options}" if options else self._with_options(name)
            yield Step(name, spec, header["anchor"] or "builtin.module", header["symbol"] or "", _module(section))

    def _with_options(self, name: str) -> str:
        """Return a pass with the options that the command line gives it, as `--NAME=OPTIONS` or within a pipeline."""
        for word in self.words[1:]:
            plain, equals, value = word.lstrip("-").partition("=")
            if equals and plain == name:
                return f"{name}{{{value}}}"
        found = re.search(rf"(?<![\w-]){re.escape(name)}(\{{[^}}]*\}})", " ".join(self.words[1:]))
        return name + (found[1] if found else "")


def _module(section: str) -> str:
    """Return the module at the beginning of a section: up to the brace that closes it, and resources after that.
    Diagnostics that the next pass prints come behind."""
    section = section.lstrip("\n")
    end = _END.search(section)
    if end is None:
        return section
    resources = _RESOURCES.match(section, end.end())
    return section[: resources.end() if resources is not None else end.end()] + "\n"


def _first_error(ended: mlir_tools.Ended) -> str:
    """Return the first line of a tool's output that is no part of printed IR, or how the tool ended."""
    lines = [line.strip() for line in ended.err.splitlines()]
    found = next((line for line in lines if re.search(r"error:|[Aa]ssertion|Unknown command line", line)), None)
    return found or ended.reason
