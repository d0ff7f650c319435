"""Pass `auto-schedule`: default schedules for functions without a schedule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.dialects.func import FuncOp
from xdsl.rewriter import InsertPoint

from ....analysis.access import blocks_in
from ....analysis.cost import predict
from ....analysis.cost.reasons import ROOFLINE_SHARE, reasons
from ....analysis.domain import loops_around
from ....diagnostics import TilewrightError, fail
from ....diagnostics.files import shown
from ....diagnostics.remarks import remark, remarks_wanted
from ....dialects import loop
from ....dialects.target import CpuTargetAttr, TargetAttr, target_of
from ....ir import editor as edit
from ....ir.rewrites import may_rewrite
from ....schedule.canonical import canonical
from ....schedule.open_sizes import OpenSize, holds_for_all, open_sizes
from ....schedule.records import Record
from ....schedule.replay import replay
from ....schedule.rules.block_structure import why_no_vector
from ....schedule.rules.default import has_default_schedules, scheduled_copy, versions_by_default
from ...framework.base import Level, Pass
from ...framework.context import PassContext
from ...framework.tuning_records import NOT_APPLIED, Tuned, tuned
from ...shared.scheduling import SCHEDULED
from .size_versions import Version, choosing

UNTUNED = "TW0823"

_KINDS = (loop.PARALLEL, loop.VECTORIZED, loop.UNROLLED)


@dataclass(frozen=True)
class AutoSchedulePass(Pass):
    """Schedule every function with blocks by the default rules, unless a schedule has arranged it.

    ```mlir
    loop.for %i = 0 to 64 { loop.for %j = 0 to 64 { loop.for %k = 0 to 64 { loop.block "C" … } } }
    ```
    becomes a nest of tiles whose accumulators are in registers, its outer loops parallel, its lanes vectorized.
    Needs a module with `tw.target`; without a target nothing is done. Rules assume that symbolic sizes are large.
    Grants loop kinds for phase 2. For a GPU every nest is bound to blocks and threads, because the host runs no loops.
    If remarks are collected, TW0840 to TW0845 state why functions are slow, for every kind of schedule. If the engine
    refuses a rule, the next rule that fits the block is applied, with a remark.
    A function for which the setting `records` has a schedule gets that one: see `schedule.records`. If that schedule
    cannot be replayed, the function gets the default schedule, with a remark. Schedules for ranges of symbolic sizes
    become separate functions: see `size_versions`. Recurrent steps of an open batch have one for a batch of one.
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
            sizes, default = open_sizes(function), None
            versions = [] if records is None else _recorded(function, sizes, target, records, without)
            if versions and holds_for_all(versions[-1][0], sizes):
                _, default = versions.pop()
            while versions and versions[-1][1] is None:
                versions.pop()
            if default is None:
                default = scheduled_copy(function, target).schedule.func
                versions = versions or _versions_by_default(function, target)
            if may_rewrite("schedule", function):
                _replace(function, sizes, versions, default, target)
        if functions and remarks_wanted():
            _report_untuned(len(functions), without, records)
        if remarks_wanted() and target.core is not None:
            for function in op.ops:
                if isinstance(function, FuncOp) and blocks_in(function):
                    remark_on_schedule(function, target.core)


def plain_functions(module: ModuleOp) -> list[FuncOp]:
    """Return the functions with blocks that no schedule has arranged."""
    return [
        function
        for function in module.ops
        if isinstance(function, FuncOp) and SCHEDULED not in function.attributes and blocks_in(function)
    ]


def _recorded(
    function: FuncOp, sizes: Sequence[OpenSize], target: TargetAttr, records: Tuned, without: list[str]
) -> list[Version]:
    """Return the function, scheduled as its best records say, each with the ranges of open sizes that it is for.

    Where there is no record, the key of the function is added to `without`.
    """
    found = records.winners.versions.get(key := canonical(function).key(target), ())
    if not found:
        without.append(key)
    versions: list[Version] = []
    for record in found if not all(each.is_default for each in found) else ():
        try:
            _check_ranges(function, sizes, record)
            versions.append((record.sizes, _replayed(function, record, target)))
        except TilewrightError as error:
            name, reason = function.sym_name.data, error.message
            message = f"@{name} has its default schedule, as its tuning record is refused: {reason}"
            remark(NOT_APPLIED, message, op=function)
        if versions and holds_for_all(versions[-1][0], sizes):
            break
    return versions


def _versions_by_default(function: FuncOp, target: TargetAttr) -> list[Version]:
    return [] if function.function_type.outputs.data else [*versions_by_default(function, target)]


def _check_ranges(function: FuncOp, sizes: Sequence[OpenSize], record: Record) -> None:
    """Refuse a record (TW0822) for a function that cannot choose by the ranges that it says."""
    if missing := [size.name for size in sizes if size.key not in record.sizes]:
        fail(NOT_APPLIED, f"it says no range of the size {missing[0]}, which only a call knows")
    if function.function_type.outputs.data and not holds_for_all(record.sizes, sizes):
        fail(NOT_APPLIED, "it is for a range of sizes, and the function returns values")


def _replayed(function: FuncOp, record: Record, target: TargetAttr) -> FuncOp | None:
    """Return the function, scheduled as a record says; None for the default schedule."""
    if record.is_default:
        return None
    may_be_foreign = PassContext.current().value("allow_foreign", bool)
    return replay(canonical(function), record, target, allow_foreign=may_be_foreign)


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


def _replace(
    function: FuncOp, sizes: Sequence[OpenSize], versions: Sequence[Version], default: FuncOp, target: TargetAttr
) -> None:
    if remarks_wanted() and target.core is not None:
        for attempt in (*(each for _, each in versions if each is not None), default):
            _remark_scheduled(function, attempt, target.core)
    block, module = function.parent, function.parent_op()
    assert block is not None and isinstance(module, ModuleOp)
    edit.change(default).attributes[SCHEDULED] = UnitAttr()
    made = [default]
    if versions:
        symbols = [op.sym_name.data for op in module.ops if isinstance(op, FuncOp)]
        made = choosing(function, sizes, versions, default, symbols)
    for each in made:
        edit.insert(each, InsertPoint.before(function))
    edit.erase(function)


def _remark_scheduled(before: FuncOp, after: FuncOp, target: CpuTargetAttr) -> None:
    """Report for each block the kinds of its loops, and the reason if none is vectorized."""
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


def remark_on_schedule(function: FuncOp, target: CpuTargetAttr) -> None:
    """Emit a remark for each reason why a function is slow (TW0841 to TW0845), behind its share of the roofline.

    A function without such a reason gets no remark.
    """
    cost = predict(function, target)
    found = reasons(cost)
    if not found:
        return
    if cost.is_whole and cost.roofline_share < ROOFLINE_SHARE:
        remark(
            "TW0840",
            f"@{function.sym_name.data} is predicted to reach {cost.roofline_share:.0%} of the roofline",
            op=function,
            kind="analysis",
        )
    for reason in found:
        share = reason.cycles / cost.cycles
        remark(
            reason.code,
            f"{reason.message}; predicted to cost {min(share, 1):.0%} of the time",
            op=reason.op,
            notes=(f"remedy: {reason.remedy}",),
        )
