"""`Trace`: the instrument that records the changes of every pass and writes the page.

Passes inside a pass belong to the outer pass. The page is written when the outermost run ends, also if a pass failed,
and again after code generation. A trace of several runs shows the runs in order.
"""

from __future__ import annotations

import os
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ....diagnostics import TilewrightError, fail
from ....diagnostics.remarks import Remark, collect_remarks, collected_remarks
from ....ir.rewrites import active_counter, count_rewrites
from ....traversal import operations
from ..instruments import Instrument
from ..instruments.parts import Part, print_parts
from ..options import spec_of
from .page import Step, TextStore, code_parts, render

_FILE = re.compile(r"\d{3,}-[\w.-]*\.(mlir|ll|s|c|cl)")
"""The names of a trace's files."""
_SUFFIXES = {"llvm": "ll", "asm": "s", "c": "c", "cl": "cl"}


class Trace(Instrument):
    """Writes `directory/passes/NNN-name.mlir` after every pass, and `directory/index.html`, which shows them all.

    The page opens from disk. `title` names the compiled program. Files of an earlier trace in that directory are
    deleted. Raises TilewrightError TW0204 where nothing can be written there.
    """

    def __init__(self, directory: str | os.PathLike[str], title: str = "tilewright") -> None:
        self.directory = Path(directory)
        self.title = title
        self.steps: list[Step] = []
        self._store = TextStore()
        self._current: ModulePass | None = None
        """The pass at work, those inside of it left out."""
        self._last: ModulePass | None = None
        self._run = ExitStack()
        self._remarks: list[Remark] = []
        self._remarks_before = 0
        self._rewrites_before: Counter[str] = Counter()
        self._start = 0.0
        self._prepare()

    def before_run(self, module: ModuleOp) -> None:
        if self._current is not None:
            return
        remarks = collected_remarks()
        self._remarks = self._run.enter_context(collect_remarks()) if remarks is None else remarks
        if active_counter() is None:
            self._run.enter_context(count_rewrites())
        self._add_module(Step("input", "input", "input"), module)

    def after_run(self, module: ModuleOp) -> None:
        if self._current is None:
            self._run.close()
            self.write()

    def before_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        if self._current is None:
            self._current = pass_
            self._remarks_before = len(self._remarks)
            self._rewrites_before = _rewrites()
            self._start = time.perf_counter()

    def after_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        if pass_ is self._current:
            self._end(pass_, module)

    def after_failure(self, pass_: ModulePass, module: ModuleOp, error: Exception) -> None:
        text = str(error) if isinstance(error, TilewrightError) else f"{type(error).__name__}: {error}"
        if pass_ is self._current:
            self._end(pass_, module, text)
        elif self._current is None and pass_ is self._last:  # it ran, and its output is wrong
            self.steps[-1].error = text

    def after_build(self, module: ModuleOp, sources: Mapping[str, Callable[[], str]]) -> None:
        for kind, source in sources.items():
            step = Step("code", kind, kind)
            try:
                text = source()
            except TilewrightError as error:
                step.error, text = str(error), ""
            self._add(step, text, code_parts(text), _SUFFIXES[kind])
        self.write()

    def write(self) -> None:
        """Write the page as far as it has come."""
        self._write(self.directory / "index.html", render(self.title, self.steps, self._store))

    def _end(self, pass_: ModulePass, module: ModuleOp, error: str = "") -> None:
        """Add the step of the pass at work, which has ended."""
        seconds = time.perf_counter() - self._start
        self._current, self._last = None, pass_
        remarks = [(remark.kind, str(remark)) for remark in self._remarks[self._remarks_before :]]
        rewrites = dict((_rewrites() - self._rewrites_before).most_common())
        phase = getattr(pass_, "phase", self.steps[-1].phase)
        step = Step("pass", pass_.name, spec_of(pass_), phase, seconds, rewrites, remarks, error)
        self._add_module(step, module)

    def _add_module(self, step: Step, module: ModuleOp) -> None:
        text, parts = print_parts(module)
        step.ops = dict(Counter(op.dialect_name() for op in operations(module)).most_common())
        self._add(step, text, parts, "mlir")

    def _add(self, step: Step, text: str, parts: list[Part], suffix: str) -> None:
        step.parts = [(part.name, self._store.add(part.text)) for part in parts]
        if step.kind == "input" and self.steps and self.steps[-1].parts == step.parts:
            return  # a run that goes on where the last one ended
        name = re.sub(r"[^\w.-]", "_", step.name)
        step.file = f"passes/{len(self.steps):03}-{name}.{suffix}"
        self._write(self.directory / step.file, text)
        self.steps.append(step)

    def _prepare(self) -> None:
        """Make the folders, and room in them."""
        passes = self.directory / "passes"
        try:
            passes.mkdir(parents=True, exist_ok=True)
            for path in passes.iterdir():
                if _FILE.fullmatch(path.name):
                    path.unlink()
        except OSError as error:
            fail("TW0204", f"cannot write a trace to '{self.directory}': {error.strerror}")

    def _write(self, path: Path, text: str) -> None:
        """Write a file whole or not at all."""
        part = path.with_name(f"{path.name}.part")
        try:
            part.write_text(text, encoding="utf-8")
            part.replace(path)
        except OSError as error:
            fail("TW0204", f"cannot write '{path}': {error.strerror}")


def _rewrites() -> Counter[str]:
    counter = active_counter()
    return Counter() if counter is None else counter.by_name.copy()
