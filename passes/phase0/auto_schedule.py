"""Default schedules for every function that nobody scheduled."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.dialects.func import FuncOp
from xdsl.rewriter import InsertPoint

from ...analysis.access import blocks_in
from ...analysis.domain import loops_around
from ...diagnostics import TilewrightError, fail
from ...diagnostics.files import shown
from ...diagnostics.remarks import remark, remarks_wanted
from ...dialects import loop
from ...dialects.target import CpuTargetAttr, TargetAttr, target_of
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...schedule.canonical import canonical
from ...schedule.replay import open_sizes, replay
from ...schedule.rules.default import has_default_schedules, scheduled_copy
from ...schedule.rules.reasons import why_no_vector
from ..base import Level, Pass
from ..context import PassContext
from ..schedule_remarks import remark_on_schedule
from ..scheduling import SCHEDULED
from ..tuned import NOT_APPLIED, Tuned, tuned

UNTUNED = "TW0823"

_KINDS = (loop.PARALLEL, loop.VECTORIZED, loop.UNROLLED)


@dataclass(frozen=True)
class AutoSchedulePass(Pass):
    """Schedule every function with blocks by the default rules, unless a schedule has arranged it.

    ```mlir
    loop.for %i = 0 to 64 { loop.for %j = 0 to 64 { loop.for %k = 0 to 64 { loop.block "C" … } } }
    ```
    becomes a nest of tiles whose accumulators are in registers, its outer loops parallel, its lanes vectorized.
    Needs a module with `tw.target`; without a target nothing is done. Sizes that are known only when the program is
    called are taken to be long. Grants loop kinds for phase 2.
    For a GPU, loops are bound to its blocks and threads, all of them: its host runs none.
    Where remarks are wanted, functions are told why they are slow, whatever scheduled them (TW0840 to TW0845).
    In the place of a rule that the engine refuses comes the next one that fits the block, with a remark.
    A function for which the setting `records` has a schedule gets that one: see `schedule.records`. One that cannot be
    made again gives way to the default schedule, with a remark.
    """

    name = "auto-schedule"
    phase = 0
    levels = (Level.BLOCK,)
    asks_target = True
    reassociates = True
    axioms = ("add-zero", "multiply-zero")  # of pad_einsum

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = target_of(op)
        if target is None or not has_default_schedules(target):
            return
        records, functions = tuned(), plain_functions(op)
        if records is not None:
            records.file.report()
        without: list[str] = []
        for function in functions:
            attempt = None if records is None else _recorded(function, target, records, without)
            if attempt is None:
                attempt = scheduled_copy(function, target).schedule.func
            if may_rewrite("schedule", function):
                _replace(function, attempt, target)
        if functions and remarks_wanted():
            _report_untuned(len(functions), without, records)
        if remarks_wanted() and target.core is not None:
            for function in op.ops:
                if isinstance(function, FuncOp) and blocks_in(function):
                    remark_on_schedule(function, target.core)


def plain_functions(module: ModuleOp) -> list[FuncOp]:
    """The functions with blocks that no schedule has arranged."""
    return [
        function
        for function in module.ops
        if isinstance(function, FuncOp) and SCHEDULED not in function.attributes and blocks_in(function)
    ]


def _recorded(function: FuncOp, target: TargetAttr, records: Tuned, without: list[str]) -> FuncOp | None:
    """The function, scheduled as its best record says; None for the default schedule.

    Where there is no record, the key of the function is added to `without`.
    """
    form = canonical(function)
    record = records.winners.best.get(key := form.key(target))
    if record is None:
        without.append(key)
    if record is None or record.is_default:
        return None
    sizes = open_sizes(function)
    try:
        if not record.holds_for_all(sizes):
            fail(NOT_APPLIED, f"it was measured for some of the sizes {', '.join(sizes)} that a call can have")
        return replay(form, record, target, allow_foreign=PassContext.current().value("allow_foreign", bool))
    except TilewrightError as error:
        message = (
            f"@{function.sym_name.data} has its default schedule, as its tuning record is refused: {error.message}"
        )
        remark(NOT_APPLIED, message, op=function)
        return None


def _report_untuned(count: int, without: list[str], records: Tuned | None) -> None:
    """Say how many of the functions are not tuned, and the command that does it."""
    if records is None:
        command = "'tilewright tune MODEL -o records.jsonl' measures others, '--records records.jsonl' applies the best"
        remark(UNTUNED, f"default schedules for {_kernels(count)}, none of them tuned: {command}", kind="analysis")
    elif without:
        elsewhere = len({record.task for record in records.file.records}.intersection(without))
        note = f"{_kernels(elsewhere)} of them with records of another machine or compiler, where tuning starts from"
        remark(
            UNTUNED,
            f"no tuning record in '{shown(records.file.path)}' for {len(without)} of {_kernels(count)}: "
            f"'tilewright tune MODEL -o {shown(records.file.path)} --resume' measures them",
            kind="analysis",
            notes=[note] if elsewhere else [],
        )


def _kernels(count: int) -> str:
    return f"{count} kernel{'' if count == 1 else 's'}"


def _replace(function: FuncOp, attempt: FuncOp, target: TargetAttr) -> None:
    if remarks_wanted() and target.core is not None:
        _tell(function, attempt, target.core)
    edit.change(attempt).attributes[SCHEDULED] = UnitAttr()
    block = function.parent
    assert block is not None
    edit.insert(attempt, InsertPoint.before(function))
    edit.erase(function)


def _tell(before: FuncOp, after: FuncOp, target: CpuTargetAttr) -> None:
    """Say of each block what its loops are to become, and why none is a vector."""
    scheduled = {block.label: block for block in blocks_in(after)}
    for block in blocks_in(before):
        loops = loops_around(scheduled[block.label]) if block.label in scheduled else []
        kinds = [kind for kind in _KINDS if any(op.kind == kind for op in loops)]
        if kinds:
            words = ", ".join(kind.kind.data for kind in kinds)
            remark("TW0220", f"block '{block.label}' gets loops of the kinds {words}", op=block, kind="passed")
        if loop.VECTORIZED not in kinds:
            reason = why_no_vector(block, target)
            remark("TW0510", f"no loop of block '{block.label}' is to be vectorised: {reason}", op=block)
