"""Pass `apply-schedule`: replays the schedules of a file."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.dialects.func import FuncOp

from ...analysis.access import blocks_in
from ...diagnostics import fail
from ...diagnostics.files import read_text, shown
from ...diagnostics.text import did_you_mean
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...schedule import Schedule
from ...schedule.trace_mlir import ScheduledSequence, parse_sequences
from ..framework.base import Level, Pass
from ..framework.context import PassContext
from ..shared.scheduling import SCHEDULED


@dataclass(frozen=True)
class ApplySchedulePass(Pass):
    """Apply the sequences of a schedule file to the functions that they name.

    ```mlir
    loop.for %i = 0 to 64 { loop.block "B" (%vi = spatial(%i) in 64) …
    ```
    becomes, with a file that holds
    ```mlir
    schedule.sequence @kernel {
      %i = schedule.get_loop "i"
      %io, %ii = schedule.split %i factor 16
      schedule.parallel %io
    }
    ```
    ```mlir
    loop.for %io = 0 to 4 kind parallel { loop.for %ii = 0 to 16 { loop.block "B" …
    ```
    A sequence without a name is for the only function with blocks. Default schedules leave these functions alone.
    Errors point at the line of the file.
    """

    name = "apply-schedule"
    phase = 0
    levels = (Level.BLOCK,)
    reassociates = True
    axioms = ("add-zero", "multiply-zero")  # of pad_einsum

    file: str

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        scheduled: set[FuncOp] = set()
        for sequence in self._sequences():
            function = _function(op, sequence)
            if function in scheduled:
                name = function.sym_name.data
                fail("TW0435", f"expected one sequence for @{name}, but got another", location=sequence.location)
            sequence.trace.apply_to(Schedule(function), lambda step, of=function: may_rewrite(step.method, of))
            edit.change(function).attributes[SCHEDULED] = UnitAttr()
            scheduled.add(function)

    def _sequences(self) -> list[ScheduledSequence]:
        allowed = PassContext.current().value("allow_foreign", bool)
        return parse_sequences(read_text(self.file), shown(self.file), in_file=True, allow_foreign=allowed)


def _function(module: ModuleOp, sequence: ScheduledSequence) -> FuncOp:
    """Return the function that a sequence is for."""
    functions = [op for op in module.ops if isinstance(op, FuncOp) and not op.is_declaration]
    names = [f.sym_name.data for f in functions]
    wanted = sequence.function
    found = [f for f in functions if blocks_in(f)] if wanted is None else [f for f in functions if wanted == _name(f)]
    if len(found) != 1:
        expected = "one function with blocks" if wanted is None else f"a function @{wanted}"
        listed = ", ".join(f"@{name}" for name in names)
        near = "" if wanted is None else did_you_mean(wanted, names)
        fail("TW0407", f"expected {expected}, but the functions are {listed}{near}", location=sequence.location)
    return found[0]


def _name(function: FuncOp) -> str:
    return function.sym_name.data
