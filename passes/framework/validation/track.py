"""The functions of a module during a pipeline, with the last results of each.

A function is executed again only if its text changed. A function that cannot be executed, exceeds the limit of work, or
has no observable outputs is kept with the reason, and with the pass after which the reason applies.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from io import StringIO
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.printer import Printer

from .... import operators as _operators  # noqa: F401  # pyright: ignore[reportUnusedImport]  (their references)
from ....diagnostics import TilewrightError
from ....dialects.loop.overlap import MAY_OVERLAP
from ....semantics import Program
from ....semantics.calls import Outcome, differences, run_function
from ....traversal import operations
from .execution import GRID_BUDGET, LOOP_BUDGET, draw_inputs, functions_of, grid_work
from .findings import Finding

TOO_LARGE = "too large"
NOT_A_NUMBER = "all that it computes is NaN"
NOTHING_VISIBLE = "its caller sees nothing of it: no result, no output, no buffer that it writes"


@dataclass
class Trial:
    """A run of a function on one set of inputs."""

    number: int
    inputs: list[Any]
    outcome: Outcome


@dataclass
class Record:
    """The record of a function: its last text and its outcomes, or the reason why it was not run."""

    text: str
    trials: list[Trial] = field(default_factory=list)
    reason: str | None = None
    is_rounded: bool = False
    """True if the outcomes are from before its callees were rounded differently."""
    uncompared: list[str] = field(default_factory=list[str])
    """The passes that changed the function with no comparison, because it took other inputs afterwards."""

    @property
    def blank(self) -> list[int]:
        """The outputs that are NaN everywhere in every trial, so that nothing is known of them."""
        outcomes = [trial.outcome for trial in self.trials]
        return sorted(set.intersection(*(set(outcome.blank) for outcome in outcomes))) if outcomes else []


class Track:
    """The functions of `module`, run on `trials` sets of inputs each."""

    def __init__(self, module: ModuleOp, trials: int) -> None:
        self.module = module
        self.trials = trials
        self.runs = 0
        self._records: dict[str, Record] = {}

    @property
    def unvalidated(self) -> dict[str, str]:
        """The functions that are not run, with the reason."""
        return {name: record.reason for name, record in self._records.items() if record.reason is not None}

    @property
    def validated(self) -> list[str]:
        """The functions that are run."""
        return [name for name, record in self._records.items() if record.reason is None]

    @property
    def limits(self) -> dict[str, str]:
        """The limits of runs, by function."""
        found: dict[str, list[str]] = {}
        for name in self.validated:
            record = self._records[name]
            found[name] = [f"not compared after '{pass_}', which gave it other inputs" for pass_ in record.uncompared]
            found[name] += [f"output {number} is NaN everywhere" for number in record.blank]
            if len(record.trials) < self.trials:
                found[name].append(f"{len(record.trials)} of {self.trials} sets of inputs suit it")
        return {name: "; ".join(lines) for name, lines in found.items() if lines}

    def trials_of(self, name: str) -> list[Trial]:
        """Return the runs of a function that is validated, as the module is now."""
        return self._records[name].trials

    def forget(self) -> None:
        """Forget all runs, as where passes changed functions in between."""
        self._records.clear()

    def observe(self, names: Collection[str] | None = None) -> None:
        """Run the functions that are unknown or have another text, of `names` if they are given. Passes have to
        preserve their results."""
        program: Program | None = None
        for name, text in texts_of(self.module).items():
            if names is not None and name not in names:
                continue
            record = self._records.get(name)
            if record is None or record.text != text:
                program = program or Program(self.module, LOOP_BUDGET)
                self._records[name] = self._first_record(program, name, text)

    def check(self, pass_: str, *, exact: bool, names: Collection[str] | None = None) -> Finding | None:
        """Run the functions that `pass_` changed, of `names` if they are given, and compare; the first that computes
        something else."""
        program = Program(self.module, 8 * LOOP_BUDGET)
        texts = texts_of(self.module)
        for gone in self._records.keys() - texts.keys():
            del self._records[gone]
        changed = {name for name, text in texts.items() if name in self._records and self._records[name].text != text}
        for name in sorted(changed, key=list(texts).index):
            record = self._records[name]
            record.text = texts[name]
            finding = self._recheck(program, name, record, pass_, exact=exact) if record.reason is None else None
            if finding is not None:
                return finding
        if changed and not exact:
            self._mark_callers(changed)
        self.observe(names)
        return None

    def _mark_callers(self, changed: set[str]) -> None:
        """Mark the functions that were not run again although their callees round differently."""
        for name in self._records.keys() - changed:
            self._records[name].is_rounded = True

    def _recheck(self, program: Program, name: str, record: Record, pass_: str, *, exact: bool) -> Finding | None:
        if self._is_large(program, name):
            record.reason = f"{TOO_LARGE} after '{pass_}'"
            return None
        for trial in record.trials:
            try:
                self.runs += 1
                outcome = run_function(program, name, trial.inputs, trial.number)
            except TilewrightError as error:
                if error.code in _OTHER_CONVENTION:
                    self._records[name] = self._first_record(program, name, record.text)
                    self._records[name].uncompared = [*record.uncompared, pass_]
                    return None
                if error.code in _NO_VERDICT:
                    record.reason = f"{_reason(error)} after '{pass_}'"
                    return None
                return Finding(name, f"it fails: {error.message}", trial.number, tuple(trial.inputs))
            is_exact = exact and not record.is_rounded
            difference = differences(trial.outcome.values, outcome.values, exact=is_exact)
            if difference is not None:
                return Finding(name, str(difference), trial.number, tuple(trial.inputs))
            trial.outcome = outcome
        record.is_rounded = False
        return None

    def _first_record(self, program: Program, name: str, text: str) -> Record:
        record = Record(text)
        if self._is_large(program, name):
            record.reason = TOO_LARGE
            return record
        for number in range(self.trials):
            try:
                self.runs += 1
                inputs = draw_inputs(self.module, name, number)
                record.trials.append(Trial(number, inputs, run_function(program, name, inputs, number)))
            except (TilewrightError, MemoryError) as error:
                record.reason = _reason(error)
                if record.reason == TOO_LARGE:
                    return record
        if record.trials:  # some sizes or inputs do not suit a function
            is_visible = any(trial.outcome.is_visible(trial.inputs) for trial in record.trials)
            record.reason = None if is_visible else NOT_A_NUMBER if record.blank else NOTHING_VISIBLE
        return record

    def _is_large(self, program: Program, name: str) -> bool:
        functions = {f.sym_name.data: f for f in functions_of(self.module)}
        return grid_work(program.definition(name), functions) > GRID_BUDGET


def texts_of(module: ModuleOp) -> dict[str, str]:
    """Return a digest of the text of every function, with the signatures and promises of those that it calls."""
    functions = {f.sym_name.data: f for f in functions_of(module)}
    return {name: _digest(function, functions) for name, function in functions.items()}


_NO_VERDICT = {"TW0720", "TW0724", "TW0705"}
"""Errors that say something about the interpreter, not about the function."""


_OTHER_CONVENTION = {"TW0701", "TW0704"}
"""Errors of a private function that takes its inputs in a form which those before cannot be brought into."""


def _reason(error: TilewrightError | MemoryError) -> str:
    if isinstance(error, MemoryError) or error.code == "TW0724":
        return TOO_LARGE
    return f"{error.message} [{error.code}]"


def _digest(function: FuncOp, functions: Mapping[str, FuncOp]) -> str:
    stream = StringIO()
    Printer(stream=stream).print_op(function)
    for call in (op for op in operations(function) if isinstance(op, CallOp)):
        callee = functions.get(call.callee.string_value())
        stream.write(f"{callee.function_type} {callee.attributes.get(MAY_OVERLAP)}" if callee is not None else "")
    return blake2b(stream.getvalue().encode()).hexdigest()
