"""Now and then a module is taken to the end and run as machine code, from LLVM and from C."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from tilewright.diagnostics import TilewrightError
from tilewright.dialects import loop
from tilewright.dialects.target import TARGET_ATTRIBUTE
from tilewright.driver import compile as compile_module
from tilewright.passes.framework.validation.execution import draw_inputs, functions_of
from tilewright.semantics.calls import prepare_call
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.dialects.func import FuncOp

from .trial import DIFFERENT, FAILED, REFUSED, Trial, difference, run_all

TARGETS = ("cpu", "c")


def compare_compiled(trial: Trial) -> None:
    """Compile the module of a draw by the default pipeline and compare; what went wrong is noted in its verdict."""
    if not is_compilable(trial.module):
        return
    for target in TARGETS:
        module = trial.module.clone()
        module.attributes.pop(TARGET_ATTRIBUTE, None)
        try:
            found = _compare(module, target)
        except TilewrightError as error:
            if not trial.verdict.is_bad:
                trial.verdict.outcome, trial.verdict.detail = REFUSED, f"{error.code}: {error.message}"
                trial.verdict.pass_ = f"target {target}"
            continue
        except Exception as error:
            trial.verdict.outcome, trial.verdict.detail = FAILED, f"{type(error).__name__}: {error}"
            trial.verdict.pass_ = f"target {target}"
            return
        if found is not None:
            trial.verdict.outcome, trial.verdict.detail = DIFFERENT, found
            trial.verdict.pass_, trial.verdict.before = f"target {target}", trial.module
            return


def is_compilable(module: ModuleOp) -> bool:
    """Return whether machine code can be compared: no interpreter functions, no threads of a card, no index data."""
    for op in module.walk():
        if isinstance(op, (loop.CallExternOp, loop.BarrierOp)):
            return False
        if isinstance(op, loop.ForOp) and op.kind.kind.data in ("thread", "vthread"):
            return False
        if isinstance(op, FuncOp) and any(_holds_indices(a.type) for a in op.body.block.args):
            return False
    return True


def _holds_indices(type_: Any) -> bool:
    return isinstance(type_, IndexType) or isinstance(getattr(type_, "element_type", None), IndexType)


def _compare(module: ModuleOp, target: str) -> str | None:
    expected = {key: outputs for key, outputs in run_all(module).items() if key[0] == "main"}
    native = compile_module(module.clone(), target=target)
    (main,) = (op for op in functions_of(module) if op.sym_name.data == "main")
    actual = {key: _called(main, native, draw_inputs(module, *key), key[1]) for key in expected}
    return difference(expected, actual, exact=False)


def _called(main: FuncOp, native: Any, inputs: Sequence[Any], trial: int) -> list[Any]:
    """Return results, outputs and the arrays given as they are afterwards, as the interpreter gives them; output
    buffers hold before the call what they hold for the interpreter."""
    call = prepare_call(main, inputs, trial)
    results = native(*call.values)
    listed = list(results) if isinstance(results, (list, tuple)) else [] if results is None else [results]
    return call.outcome([*map(np.asarray, listed)]).values
