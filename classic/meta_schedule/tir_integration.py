"""Tuning and compilation of loop functions: `tune_tir` and `compile_tir`."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from xdsl.dialects.builtin import ModuleOp, UnknownLoc
from xdsl.dialects.func import FuncOp

from ...analysis.work import work_of
from ...diagnostics import fail
from ...diagnostics.expectations import expect_type
from ...dialects.ir_module import IRModule
from ...dialects.target import TARGET_ATTRIBUTE
from ...driver.targets import TargetLike
from ...ir import editor as edit
from ...traversal import operations
from ...tune.search.cost_prior import prior_for
from ...tune.session import LocalMeasures, Session, Settings
from ...tune.tasks import target_for
from ..schedule import Schedule
from .database import JSONDatabase
from .space_generator import DrawnTask, ScheduleFn

RULES = ("post-order-apply", "default")
"""Names of the space of the default rules."""


def tune_tir(
    mod: Any,
    target: TargetLike,
    work_dir: str | Path,
    max_trials_global: int,
    *,
    max_trials_per_task: int | None = None,
    num_trials_per_iter: int = 64,
    builder: str = "local",
    runner: str = "local",
    database: JSONDatabase | str = "json",
    cost_model: str = "xgb",
    space: ScheduleFn | str = RULES[0],
    strategy: str = "evolutionary",
    num_tuning_cores: Any = "physical",
    seed: int | None = None,
) -> JSONDatabase:
    """Tune the function of a module, and return the records, which are in the folder `work_dir`.

    `space` is `ms.space_generator.ScheduleFn(program)`, or the default rules. At most `max_trials_global` schedules are
    measured, those of earlier runs in the folder among them. Sizes of rounds, cost models and strategies of the
    original change nothing. Raises TilewrightError TW0870 for another space, builder or runner, TW0634 for a target of
    GPUs where there is none.
    """
    expect_type("max_trials_global", max_trials_global, int)
    if (builder, runner) != ("local", "local") or not (isinstance(space, ScheduleFn) or space in RULES):
        fail(
            "TW0870",
            f"expected the space {RULES[0]} or a ScheduleFn, and 'local' builders and runners, but got {space!r}, "
            f"{builder!r} and {runner!r}",
        )
    found = JSONDatabase(work_dir) if isinstance(database, str) else database
    task = _task(mod, target, space)
    trials = max_trials_global if max_trials_per_task is None else min(max_trials_global, max_trials_per_task)
    with LocalMeasures() as measures:
        Session(
            [task], found.store, Settings(trials, seed=seed or 0), measures, prior=lambda task: prior_for(task.target)
        ).run()
    return found


def compile_tir(database: JSONDatabase, mod: Any, target: TargetLike, space: Any = RULES[0]) -> Schedule | None:
    """Return the fastest schedule that a database has for the function of a module; None where it has none of this
    machine.

    The `space` of `tune_tir` is not needed: any schedule of the function counts.
    """
    keys = [_task(mod, target, each).key for each in (ScheduleFn(_nothing), RULES[0])]
    records = [record for record in map(database.best, keys) if record is not None]
    return database.schedule(min(records, key=lambda record: record.seconds), mod) if records else None


def _nothing(sch: Schedule) -> None:
    """Schedule nothing."""


def _task(mod: Any, target: TargetLike, space: ScheduleFn | str) -> DrawnTask:
    module = (mod if isinstance(mod, IRModule) else IRModule(mod)).clone().op
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    for op in operations(function):
        edit.change(op).location = UnknownLoc()
    attribute = target_for(module, target)
    edit.detach(function)
    ModuleOp([function], {TARGET_ATTRIBUTE: attribute})
    name = function.sym_name.data
    kind = "program" if isinstance(space, ScheduleFn) else "rules"
    key = hashlib.sha256(f"{function}\0{attribute}\0{kind}".encode()).hexdigest()
    program = space.program if isinstance(space, ScheduleFn) else None
    flops = float(work_of(function).flops or 0)
    return DrawnTask(key, name, function, attribute, flops=flops, program=program)
