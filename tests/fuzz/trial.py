"""One draw: a module, a pipeline, and whether the module computes the same after it."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import StringIO

import numpy as np
from tilewright import dialects
from tilewright import operators as _operators  # noqa: F401  # pyright: ignore[reportUnusedImport]
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.parsing import parse
from tilewright.dialects.target import TARGET_ATTRIBUTE, CpuTargetAttr
from tilewright.passes.framework.base import is_exact, level_of
from tilewright.passes.framework.manager import PassManager, collection_paused, verify_module
from tilewright.passes.framework.options import spec_of
from tilewright.passes.framework.validation.execution import LOOP_BUDGET, draw_inputs, functions_of
from tilewright.semantics import Program
from tilewright.semantics.calls import differences, run_function
from tilewright.semantics.compare import Difference, default_tolerance
from tilewright.traversal import operations
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.printer import Printer

from . import foreign
from .draw import Draw
from .graph_modules import graph_module
from .loop_modules import loop_module
from .pipelines import random_pipeline
from .te_modules import te_module

SAME, REFUSED, DIFFERENT, FAILED, INVALID = "same", "refused", "different", "failed", "invalid"
BAD = (DIFFERENT, FAILED, INVALID)

UNEXPLAINED = {"TW0103", "TW0104", "TW0105", "TW0107", "TW0206", "TW0214", "TW0299"}
"""Refusals that say that a pass is wrong."""

_KINDS = ("graph", "te", "te", "block", "loop", "loop")
_TRIALS = 2
_NO_VERDICT = {"TW0724"}
"""The interpreter's budget is spent: nothing is known."""

Outputs = dict[tuple[str, int], list[np.ndarray]]


@dataclass
class Verdict:
    """The outcome of a draw."""

    seed: int
    number: int
    kind: str
    outcome: str
    detail: str = ""
    pass_: str = ""
    """The pass that refused or failed."""

    before: ModuleOp | None = None
    """The module before that pass."""

    ops: Counter[str] = field(default_factory=Counter[str])
    passes: Counter[str] = field(default_factory=Counter[str])

    @property
    def is_bad(self) -> bool:
        return self.outcome in BAD


def draw_module(seed: int, number: int) -> tuple[Draw, str, bool, ModuleOp]:
    """Return the module of a number; its kind, and whether what rounds differently may follow."""
    foreign.register()
    draw = Draw(seed, number)
    kind = draw.one_of(_KINDS)
    smooth = kind == "graph" or draw.chance(0.5)
    with collection_paused():
        match kind:
            case "graph":
                module = graph_module(draw)
            case "te":
                module = te_module(draw, smooth=smooth)
            case _:
                module = loop_module(draw, smooth=smooth, blocks=kind == "block")
    if draw.chance(0.5):
        features = draw.one_of(((), ("avx2", "fma"), ("avx2", "fma"), ("avx2", "fma", "avx512f", "avx512vl")))
        target = CpuTargetAttr.get(features, draw.one_of((128, 256, 512)), (32768, 524288, 0), draw.between(1, 2))
        module.attributes[TARGET_ATTRIBUTE] = target
    return draw, kind, smooth, module


class Trial:
    """The module of a number and the passes that it goes through."""

    def __init__(self, seed: int, number: int) -> None:
        self.draw, kind, self.smooth, self.module = draw_module(seed, number)
        self.verdict = Verdict(seed, number, kind, SAME)
        self.verdict.ops.update(op.name for op in self.module.walk())
        self.pipeline = random_pipeline(self.draw, level_of(self.module), rounds=self.smooth)
        self.verdict.passes.update(p.name for p in self.pipeline)

    def run(self) -> Verdict:
        """Run the passes; the first difference is sought again pass by pass."""
        try:
            verify_module(self.module)
            expected = run_all(self.module)
        except Exception as error:
            self._end(INVALID, _described(error), "", self.module)
            return self.verdict
        if self.draw.chance(0.25):
            self._round_trip(self.module, "")
        try:
            self._run_passes(expected)
        except Exception as error:
            self._end(FAILED, _described(error), "", self.module)
        return self.verdict

    def _run_passes(self, expected: Outputs) -> None:
        """Run the passes; runs between two passes that round differently have to agree bit by bit."""
        module = self.module.clone()
        pending: list[tuple[ModuleOp, ModulePass]] = []
        for pass_ in self.pipeline:
            rounds = not is_exact(pass_)
            if rounds and pending:
                expected = self._compare(expected, module, pending, exact=True)
                pending = []
            before = module.clone()
            problem = apply(pass_, module)
            if problem is not None:
                self._end(*problem, spec_of(pass_), before)
                module = before
            else:
                pending.append((before, pass_))
            if rounds and pending:
                expected = self._compare(expected, module, pending, exact=False)
                pending = []
            if self.verdict.is_bad:
                return
            if self.draw.chance(0.05):
                self._round_trip(module, spec_of(pass_))
        self._compare(expected, module, pending, exact=True)

    def _compare(
        self, expected: Outputs, module: ModuleOp, steps: Sequence[tuple[ModuleOp, ModulePass]], *, exact: bool
    ) -> Outputs:
        """Run the module after some passes; where it differs, find out which of them it was."""
        try:
            actual = run_all(module, expected)
            found = difference(expected, actual, exact=exact)
        except TilewrightError as error:
            actual, found = expected, str(error)
        if found is not None:
            self._end(DIFFERENT, *self._pin(steps, found))
        return actual

    def _pin(self, steps: Sequence[tuple[ModuleOp, ModulePass]], found: str) -> tuple[str, str, ModuleOp]:
        """Return the first of these passes that changed a value, with the module before it."""
        for before, pass_ in steps:
            change = changes(before, pass_)
            if change is not None:
                return change, spec_of(pass_), before
        return found, "", steps[0][0]

    def _round_trip(self, module: ModuleOp, after: str) -> None:
        problem = round_trip(module)
        if problem is not None:
            self._end(FAILED, f"text: {problem}", after, module)

    def _end(self, outcome: str, detail: str, pass_: str, before: ModuleOp) -> None:
        if not self.verdict.is_bad:
            self.verdict.outcome, self.verdict.detail, self.verdict.pass_ = outcome, detail, pass_
            self.verdict.before = before


def apply(pass_: ModulePass, module: ModuleOp) -> tuple[str, str] | None:
    """Run a pass; the outcome and what it says where it does not end well."""
    try:
        PassManager([pass_], verify_each=True).run(dialects.context(), module)
    except TilewrightError as error:
        outcome = FAILED if error.code in UNEXPLAINED else REFUSED
        return outcome, f"{error.code}: {error.message}"
    except Exception as error:
        return FAILED, _described(error)
    if (stray := stray_user(module)) is not None:
        return FAILED, f"{stray.name} is in no block and still uses a value of the module"
    return None


def stray_user(module: ModuleOp) -> Operation | None:
    """Return an operation outside of the module that uses a value inside: what was taken out was not erased."""
    for op in operations(module):
        values = (
            *op.results,
            *(argument for region in op.regions for block in region.blocks for argument in block.args),
        )
        for user in (use.operation for value in values for use in value.uses):
            if not module.is_ancestor(user):
                return user
    return None


def run_all(module: ModuleOp, like: Outputs | None = None) -> Outputs:
    """Return the results of every public function for each set of inputs; for the inputs of `like` if given."""
    program = Program(module, LOOP_BUDGET * 4)
    outputs: Outputs = {}
    for function in functions_of(module):
        if function.sym_visibility is not None:
            continue
        name = function.sym_name.data
        for number in range(_TRIALS):
            if like is not None and (name, number) not in like:
                continue
            try:
                outputs[name, number] = run_function(program, name, draw_inputs(module, name, number), number).values
            except TilewrightError as error:
                if error.code not in _NO_VERDICT:
                    raise
    return outputs


def changes(before: ModuleOp, pass_: ModulePass) -> str | None:
    """Return the first result of a module that a pass changes; None if it changes none or refuses."""
    after = before.clone()
    try:
        expected = run_all(before)
    except TilewrightError:
        return None
    if apply(pass_, after) is not None:
        return None
    try:
        actual = run_all(after, expected)
    except TilewrightError as error:
        return str(error)
    return difference(expected, actual, exact=is_exact(pass_))


def difference(expected: Outputs, actual: Outputs, *, exact: bool) -> str | None:
    """Return the first difference between two runs."""
    for key, outputs in actual.items():
        found = differences(expected[key], outputs, exact=exact)
        if isinstance(found, Difference) and not exact and _is_small(expected[key], outputs):
            continue
        if found is not None:
            return f"@{key[0]}, inputs {key[1]}: {found}"
    return None


def _is_small(expected: Sequence[np.ndarray], actual: Sequence[np.ndarray]) -> bool:
    """Return whether outputs differ by no more than rounding of inputs near 1 explains; their spread may be smaller."""
    for a, b in zip(map(np.asarray, expected), map(np.asarray, actual), strict=True):
        tolerance = default_tolerance(a.dtype)
        if not tolerance and not np.array_equal(a.reshape(-1), b.reshape(-1)):
            return False
        if tolerance:
            x, y = a.reshape(-1).astype(np.float64), b.reshape(-1).astype(np.float64)
            scale = max(1.0, float(np.abs(x[np.isfinite(x)]).max(initial=0.0)))
            with np.errstate(invalid="ignore"):
                close = (np.abs(x - y) <= tolerance * scale) | (x == y) | (np.isnan(x) & np.isnan(y))
            if not close.all():
                return False
    return True


def round_trip(module: ModuleOp) -> str | None:
    """Return the difference of a module after a round trip through its custom or generic form."""
    text = str(module)
    for form, written in (("custom", text), ("generic", generic_text(module))):
        try:
            again = parse(dialects.context(), written, "module.mlir")
        except TilewrightError as error:
            return f"{form} form is not read back: {error.code}: {error.message}"
        if str(again) != text:
            pairs = zip(text.splitlines(), str(again).splitlines(), strict=False)
            first = next(((a, b) for a, b in pairs if a != b), ("", "another number of lines"))
            return f"{form} form reads as another module: {first[0].strip()} | {first[1].strip()}"
    return None


def generic_text(module: ModuleOp) -> str:
    stream = StringIO()
    Printer(stream=stream, print_generic_format=True).print_op(module)
    return stream.getvalue()


def _described(error: Exception) -> str:
    if isinstance(error, TilewrightError):
        return f"{error.code}: {error.message}"
    frame = traceback.extract_tb(error.__traceback__)[-1]
    name = frame.filename.rpartition("/")[2]
    first = next(iter(str(error).splitlines()), "")
    return f"{type(error).__name__} in {name}:{frame.lineno} {frame.name}: {first}"
