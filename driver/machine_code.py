"""Validation of machine code against the interpreter, the last step of translation validation.

The final loop IR of each function runs twice on the same inputs and the same initial contents of the outputs: in the
interpreter, and as LLVM compiled it. Each function is compiled with its callees in a separate module.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..backends import backend_of
from ..diagnostics import TilewrightError, fail
from ..diagnostics.remarks import remark
from ..dialects import loop
from ..dialects.names import STRIDES_ATTRIBUTE
from ..dialects.target import TARGET_ATTRIBUTE
from ..passes.framework.base import Level, level_of
from ..passes.framework.context import PassContext
from ..passes.framework.validation import Validation
from ..passes.framework.validation.execution import LOOP_BUDGET
from ..passes.framework.validation.findings import Finding
from ..passes.framework.validation.track import Trial
from ..semantics import Program
from ..semantics.calls import differences, prepare_call, run_function
from ..toolchain.forks import Ended, run_forked
from ..traversal import operations
from .functions import alone, callees_of
from .lowering import legalize

if TYPE_CHECKING:
    from ..backends.cpu.llvm_bisection import WrongLlvmPass
    from ..passes.framework.validation import Track
    from ..runtime import Module

SECONDS = 60
"""The time limit of code that the interpreter takes a second for."""

_REFUSED = ("TW0601", "TW0612", "TW0724")
"""Errors for a function that the backend does not support, that this machine cannot run, or whose loops would take the
interpreter too long."""
_PARTLY_LOWERED = "TW0728"
"""The error for registers at indices that vary: passes of phase 1, which may not have run, make them constants."""


@dataclass
class Comparison:
    """The functions whose machine code was compared."""

    compared: list[str] = field(default_factory=list[str])
    left_out: dict[str, str] = field(default_factory=dict[str, str])
    """Functions that were not, with the reason; where none could be, the reason stands under the empty name."""

    def __str__(self) -> str:
        lines = [f"machine code of {len(self.compared)} functions compared; not compared: {len(self.left_out)}"]
        lines += [f"  {f'@{name}: ' if name else ''}{reason}" for name, reason in self.left_out.items()]
        return "\n".join(lines)


@dataclass(frozen=True)
class WrongCode:
    """A function whose machine code computes something else than the interpreter."""

    finding: Finding
    module: ModuleOp
    """The function and its callees."""
    trials: Sequence[Trial]
    forked: bool
    """True if code runs in a separate process."""

    def error(self, directory: Path | None = None) -> TilewrightError:
        """Return the error TW0552; the inputs are saved in `directory`, by default that of temporary files."""
        name, problem = self.finding.function, self.finding.problem
        return TilewrightError(
            "TW0552",
            f"the machine code of @{name} computes something else than the interpreter: {problem}",
            notes=[self.finding.saved(directory)],
            help="opt-tool --bisect names the pass of LLVM",
        )

    def wrong_pass(self) -> WrongLlvmPass | None:
        """Return the first pass of LLVM behind which the function is wrong; None where it is wrong without any too."""
        from ..backends.cpu.llvm_bisection import find_wrong_pass
        from ..backends.cpu.module import load_units, units_of

        def is_wrong(objects: list[bytes]) -> bool:
            code = load_units(self.module, objects)
            return _first_finding(self.module, self.finding.function, self.trials, code, self.forked) is not None

        return find_wrong_pass(units_of(self.module), is_wrong)


def compare_machine_code(validation: Validation, module: ModuleOp, *, forked: bool = False) -> Comparison | WrongCode:
    """Compile the functions that `validation` runs, of `module` and of the small versions that went through the passes
    with it, and run them on the same inputs. Private functions that a public one calls run with it.

    `forked`: run them in forks of this process, which has no other threads then; code that crashes, or does not end, is
    wrong code and no end of this process.

    Raises TilewrightError: TW0603 where LLVM rejects the code.
    """
    result = Comparison()
    obstacle = _obstacle(module)
    if obstacle is not None:
        result.left_out[""] = obstacle
        return result
    for number, track in enumerate(validation.tracks_of(module)):
        for name in _entered(track):
            label = name if number == 0 else f"{name}, small"
            try:
                wrong = _compare(track, name, forked)
            except TilewrightError as error:
                if error.code not in (*_REFUSED, _PARTLY_LOWERED):
                    raise
                further = "; --phase 3 takes it down" if error.code == _PARTLY_LOWERED else ""
                result.left_out[label] = f"{error.message}{further}"
                continue
            if wrong is not None:
                return wrong
            result.compared.append(label)
    return result


def check_machine_code(module: ModuleOp) -> None:
    """Compare the machine code of a lowered module where the current context validates. Raises TW0552 where it computes
    something else; remarks TW0551 name the functions that were not compared."""
    for instrument in PassContext.current().instruments:
        if isinstance(instrument, Validation):
            found = compare_machine_code(instrument, module)
            if isinstance(found, WrongCode):
                raise found.error(instrument.directory)
            for name, reason in found.left_out.items():
                what = f"of @{name} " if name else ""
                remark("TW0551", f"machine code {what}is not validated: {reason}", kind="analysis")


def _obstacle(module: ModuleOp) -> str | None:
    """Return the reason why no function of a module has machine code that this machine runs."""
    from ..backends.cpu.host import obstacle_here
    from ..backends.cpu.module import target_of

    level = level_of(module)
    if level != Level.LOOP:
        return f"the module is at level {level}; --phase 3 takes it down"
    backend = backend_of(module.attributes.get(TARGET_ATTRIBUTE))
    if TARGET_ATTRIBUTE in module.attributes and (backend is None or not backend.keeps_machine_code):
        return "its target is none that LLVM compiles for"
    return obstacle_here(target_of(module))


def _entered(track: Track) -> list[str]:
    """Return the functions that a validation runs, without the private ones that others of them call."""
    functions = {op.sym_name.data: op for op in track.module.ops if isinstance(op, FuncOp)}
    run = [name for name in track.validated if name in functions]
    called = {callee for name in run for callee in callees_of(functions, name) if callee != name}
    return [name for name in run if functions[name].sym_visibility is None or name not in called]


def _compare(track: Track, name: str, forked: bool) -> WrongCode | None:
    """Compare the code of a function with the interpreter. Raises TW0601 for operations that the backend does not
    support, TW0612 for code that this machine cannot run."""
    from ..backends.cpu.module import build

    module = alone(track.module, name)
    # The results that validation recorded may be older than the last change of a callee, so they are computed again.
    program = Program(module, 8 * LOOP_BUDGET)
    trials = [Trial(t.number, t.inputs, run_function(program, name, t.inputs, t.number)) for t in track.trials_of(name)]
    function = next(op for op in module.ops if isinstance(op, FuncOp) and op.sym_name.data == name)
    if any(STRIDES_ATTRIBUTE in attributes.data for attributes in function.arg_attrs or ()):
        fail("TW0601", "its caller states strides, which the interpreter takes as numbers beside the arrays")
    finding = _first_finding(module, name, trials, build(legalize(module)), forked)
    return None if finding is None else WrongCode(finding, module, trials, forked)


def _first_finding(module: ModuleOp, name: str, trials: Sequence[Trial], code: Module, forked: bool) -> Finding | None:
    """Return the first trial in which code computes something else."""
    if not forked:
        return _finding_here(module, name, trials, code)
    ended = run_forked(lambda: _finding_here(module, name, trials, code), SECONDS)
    if isinstance(ended, Ended):
        return Finding(name, f"it fails: {ended}", trials[0].number, tuple(trials[0].inputs))
    return ended


def _finding_here(module: ModuleOp, name: str, trials: Sequence[Trial], code: Module) -> Finding | None:
    function = next(op for op in module.ops if isinstance(op, FuncOp) and op.sym_name.data == name)
    # Foreign code may be interpreted by a reference that rounds in another way.
    is_exact = not any(isinstance(op, loop.CallExternOp) for op in operations(module))
    run = code[name]
    inputs, outputs = ({a.name for a in arguments} for arguments in (run.signature.inputs, run.signature.outputs))
    for trial in trials:
        call = prepare_call(function, trial.inputs, trial.number)
        values = dict(zip((a.name for a in call.arguments), call.values, strict=True))
        try:
            run.run({n: v for n, v in values.items() if n in inputs}, {n: v for n, v in values.items() if n in outputs})
        except TilewrightError as error:
            return Finding(name, f"it fails: {error.message}", trial.number, tuple(trial.inputs))
        difference = differences(trial.outcome.values, call.outcome(()).values, exact=is_exact)
        if difference is not None:
            return Finding(name, str(difference), trial.number, tuple(trial.inputs))
    return None
