"""Differential testing of compiled models against unoptimised code.

Each kernel of a model is compiled twice: by the default pipeline, and by a pipeline that only lowers. Both run on the
same random inputs. The optimised code writes into buffers of random contents, so that an element without a store
differs. Equal kernels have been merged into one function, so a network of hundreds of layers has tens of kernels.
Finally the whole model is compared in the same way; its unoptimised version has one kernel for each operator.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp, FuncOp

from ..diagnostics import TilewrightError, fail
from ..dialects import context
from ..dialects.target import TARGET_ATTRIBUTE
from ..ir import editor as edit
from ..passes.framework.base import Level, level_of
from ..passes.framework.manager import PassManager
from ..passes.pipeline import conversion, default_pipeline
from ..traversal import operations
from .lowering import legalize, lower_module

if TYPE_CHECKING:
    from ..runtime import Module


@dataclass(frozen=True)
class Agreement:
    """The kernels and functions whose results agreed."""

    kernels: tuple[str, ...]
    entries: tuple[str, ...]

    def __str__(self) -> str:
        return f"{len(self.kernels)} kernels and {len(self.entries)} whole functions agree with unoptimised code"


def compare_with_plain(module: ModuleOp, trials: int = 1) -> Agreement:
    """Compile and run `module` optimised and plain, kernel by kernel and as a whole, on `trials` sets of inputs.

    Raises TilewrightError TW0552 for the first function whose results differ by more than its dtypes allow.
    """
    kernels: list[str] = []
    for name, kernel in _kernels(module):
        _compare(kernel, name, trials)
        kernels.append(name)
    entries = [f.sym_name.data for f in _functions(module) if _is_public(f)]
    for name in entries:
        _compare(module, name, trials)
    return Agreement(tuple(kernels), tuple(entries))


def lower_plainly(module: ModuleOp) -> ModuleOp:
    """Lower a copy of `module` at loop level by conversions and the passes of its backend only."""
    module = module.clone()
    PassManager(conversion(level_of(module), Level.LOOP), verify_each=False).run(context(), module)
    return legalize(module)


def _kernels(module: ModuleOp) -> Iterator[tuple[str, ModuleOp]]:
    """Yield each kernel of the default pipeline in a separate module."""
    outlined = module.clone()
    passes = default_pipeline(level_of(module), 0)
    end = next((index for index, pass_ in enumerate(passes) if pass_.name == "outline"), -1)
    PassManager(passes[: end + 1], verify_each=False).run(context(), outlined)
    for function in _functions(outlined):
        if not _is_public(function) and not any(isinstance(op, CallOp) for op in operations(function)):
            alone = function.clone()
            edit.change(alone).sym_visibility = None
            attributes = {k: v for k, v in module.attributes.items() if k == TARGET_ATTRIBUTE}
            yield function.sym_name.data, ModuleOp([alone], attributes)


def _compare(module: ModuleOp, name: str, trials: int) -> None:
    from ..semantics import first_difference
    from ..semantics.calls import initial_contents

    plain, optimised = _build(lower_plainly(module)), _build(lower_module(module))
    for trial in range(trials):
        stated = plain[name].signature.inputs
        drawn = _inputs(module, name, trial)
        inputs = [a.array if a.value is not None else given for a, given in zip(stated, drawn, strict=True)]
        try:
            returned = _results(optimised[name](*inputs))
        except TilewrightError as error:
            if error.code != "TW0730":
                raise
            continue  # a check refuses drawn inputs, as an index out of range; plain code has no checks
        outputs = [initial_contents(value, trial, number) for number, value in enumerate(returned)]
        actual = _results(optimised[name](*inputs, out=outputs))
        difference = first_difference(_results(plain[name](*inputs)), actual, exact=False)
        if difference is not None:
            fail(
                "TW0552",
                f"compiled @{name} computes something else than without optimisation: {difference}",
                notes=[f"on random inputs of seed {trial}"],
                help="opt-tool --validate --phase 3 names the pass",
            )


def _inputs(module: ModuleOp, name: str, trial: int) -> list[Any]:
    from .. import operators as _operators  # noqa: F401  # pyright: ignore[reportUnusedImport]
    from ..semantics.drawn_inputs import random_inputs

    return random_inputs(module, name, seed=trial)


def _results(returned: Any) -> list[Any]:
    if returned is None:
        return []
    return list(returned) if isinstance(returned, (list, tuple)) else [returned]


def _build(lowered: ModuleOp) -> Module:
    from ..backends.cpu.module import build

    return build(lowered)


def _functions(module: ModuleOp) -> list[FuncOp]:
    return [op for op in module.ops if isinstance(op, FuncOp) and op.body.blocks]


def _is_public(function: FuncOp) -> bool:
    return function.sym_visibility is None or function.sym_visibility.data != "private"
