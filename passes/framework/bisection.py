"""Bisection: the search for the first wrong pass and its first wrong rewrite.

Validation after every pass finds the wrong pass in one run. Bisection then repeats this pass on the same input with a
limit on rewrites, and halves the interval of limits. Rewrites are assumed correct up to the wrong one. A conversion
rebuilds all operations in one step, so the conversion runs on single operations, each in a separate module.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp
from xdsl.passes import ModulePass

from ...diagnostics import TilewrightError, fail
from ...dialects import context
from ...ir.rewrites import RewriteCounter, count_rewrites, describe
from .instruments import Instrument
from .isolation import isolable, isolated
from .manager import PassManager
from .options import spec_of
from .validation import Mode, Validation


@dataclass(frozen=True)
class WrongRewrite:
    """The first wrong rewrite of a pass: rewrites up to `number` - 1 are correct."""

    number: int
    total: int
    description: str
    before: int | None
    """The number of rewrites by earlier passes. None for a rewrite that was found on a smaller version of the module,
    and for a pass that counts no rewrites; `number` and `total` then count the operations that the pass converts."""
    is_counted: bool = True


@dataclass(frozen=True)
class Bisection:
    """The first pass of a pipeline that fails, and its failure."""

    position: int
    pass_: ModulePass
    error: Exception
    module: ModuleOp
    """The module on which the pass fails."""
    rewrite: WrongRewrite | None
    """None if the pass fails without any counted rewrite, and on no single operation."""

    def report(self) -> str:
        """Return the result as a few lines of text."""
        lines = [f"the first bad pass is number {self.position}, '{spec_of(self.pass_)}'", str(self.error)]
        if self.rewrite is None:
            return "\n".join([*lines, "no single rewrite is to blame: the pass counts none that it fails without"])
        number, total = self.rewrite.number, self.rewrite.total
        if not self.rewrite.is_counted:
            what = f"what it makes of {self.rewrite.description}, operation {number} of {total}, is wrong by itself"
            return "\n".join([*lines, what])
        lines.append(f"the first bad rewrite is number {number} of {total} in this pass: {self.rewrite.description}")
        if self.rewrite.before is not None and getattr(self.pass_, "lowers_to", None) is None:
            lines.append(f"--rewrite-limit {self.rewrite.before + number} makes it the last one of the pipeline")
        return "\n".join(lines)


def bisect(module: ModuleOp, passes: Sequence[ModulePass], trials: int, mode: Mode = "sampled") -> Bisection:
    """Find the first wrong pass when `passes` run on `module`, which is changed.

    Raises TilewrightError TW0554 if no pass is wrong.
    """
    validation = Validation(trials, mode=mode)
    return find_wrong_pass(module, passes, validation) or fail_unfound(passes, validation)


def find_wrong_pass(module: ModuleOp, passes: Sequence[ModulePass], validation: Validation) -> Bisection | None:
    """Run `passes` on `module` under `validation`, and bisect the first failure; return None without a failure. The
    module is changed."""
    with count_rewrites(counts_passes=True) as counter:
        keeper = _Keeper(counter)
        try:
            PassManager(passes, [keeper, validation]).run(context(), module)
        except Exception as error:
            small = validation.failed_small
            culprit, before = keeper.pass_, small if small is not None else keeper.module
            if culprit is None or before is None:
                raise
            rewrite = _bisect_rewrites(before, culprit, validation, None if small is not None else keeper.rewrites)
            rewrite = rewrite or _wrong_operation(before, culprit, validation, error)
            return Bisection(keeper.position, culprit, error, before, rewrite)
    return None


def fail_unfound(passes: Sequence[ModulePass], validation: Validation, *notes: str) -> NoReturn:
    """Raise TW0554 for passes without a failure; `notes` are added to the error."""
    message = f"all {len(passes)} passes keep what the module computes"
    fail("TW0554", message, notes=[*validation.summary().splitlines(), *notes])


def fails(module: ModuleOp, passes: Sequence[ModulePass], validation: Validation) -> bool:
    """Return whether `passes` fail on a copy of `module` under a fresh `validation`."""
    try:
        PassManager(passes, [validation.fresh()]).run(context(), module.clone())
    except Exception:
        return True
    return False


class _Keeper(Instrument):
    """An instrument that keeps a copy of the module before the current pass."""

    def __init__(self, counter: RewriteCounter) -> None:
        self.position = 0
        self.rewrites = 0
        self.pass_: ModulePass | None = None
        self.module: ModuleOp | None = None
        self._counter = counter

    def before_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        self.position += 1
        self.rewrites = self._counter.count
        self.pass_, self.module = pass_, module.clone()


def _bisect_rewrites(
    module: ModuleOp, pass_: ModulePass, validation: Validation, before: int | None
) -> WrongRewrite | None:
    with count_rewrites(counts_passes=True) as counter:
        fails(module, [pass_], validation)
    right, wrong = 0, counter.count
    if wrong == 0 or _fails_after(module, pass_, validation, 0)[0]:
        return None
    while wrong - right > 1:
        middle = (right + wrong) // 2
        if _fails_after(module, pass_, validation, middle)[0]:
            wrong = middle
        else:
            right = middle
    return WrongRewrite(wrong, counter.count, _fails_after(module, pass_, validation, wrong)[1], before)


def _wrong_operation(
    module: ModuleOp, pass_: ModulePass, validation: Validation, error: Exception
) -> WrongRewrite | None:
    """Return the first operation on which the pass fails in the same way in a separate module.

    Calls are tried last, because the called function contains further operations.
    """
    candidates = isolable(module)
    for number, op in sorted(enumerate(candidates, 1), key=lambda item: isinstance(item[1], CallOp)):
        try:
            PassManager([pass_], [validation.fresh()]).run(context(), isolated(module, op))
        except Exception as other:
            if _kind(other) == _kind(error):
                return WrongRewrite(number, len(candidates), describe(op), None, is_counted=False)
    return None


def _kind(error: Exception) -> str:
    return error.code if isinstance(error, TilewrightError) else type(error).__name__


def _fails_after(module: ModuleOp, pass_: ModulePass, validation: Validation, limit: int) -> tuple[bool, str]:
    """Return whether the pass fails after at most `limit` rewrites, and the last of these rewrites."""
    with count_rewrites(limit, counts_passes=True, limits_needed=True) as counter:
        return fails(module, [pass_], validation), counter.last
