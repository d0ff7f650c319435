"""Tasks: the functions of a model that can be tuned, each once, with what it is worth to the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp, FuncOp

from ..analysis.work import work_of
from ..diagnostics import fail
from ..dialects import context
from ..dialects.target import TARGET_ATTRIBUTE, CpuTargetAttr, TargetAttr
from ..driver.models import Specialise, load_model
from ..driver.targets import Target, TargetLike
from ..ir import editor as edit
from ..passes.base import level_of
from ..passes.manager import PassManager
from ..passes.phase0.auto_schedule import AutoSchedulePass, plain_functions
from ..passes.pipeline import default_pipeline
from ..schedule.canonical import canonical
from ..schedule.records import KERNEL
from ..schedule.replay import open_sizes
from ..schedule.rules.default import has_default_schedules
from ..traversal import operations
from .rule_space import RuleSpace
from .space import Space

NO_SCHEDULES = "TW0824"


@dataclass(frozen=True)
class Task:
    """A function in canonical form, on a target, whose schedules can be measured."""

    key: str
    """The digest of the function and the target, by which records are found."""
    name: str
    """The name of the function in the model; the first one of those that are equal."""
    function: FuncOp
    """Plain loops with blocks, without source locations, in a module of the target."""
    target: TargetAttr
    occurrences: int = 1
    """Calls of the function in one run of the model."""
    flops: float = 0.0
    """Arithmetic operations of a call; 0 where they depend on open sizes."""
    bytes: float = 0.0
    """The size of the arguments and results; 0 where it depends on open sizes."""
    open_sizes: tuple[str, ...] = ()

    kind: ClassVar[str] = KERNEL
    """The kind of its records."""

    @property
    def threads(self) -> int:
        """The threads that its parallel loops use."""
        return self.target.core.threads if self.target.core is not None else 1

    @property
    def space(self) -> Space:
        """The schedules that rules can make of it."""
        return RuleSpace(self.function, self.target)


def extract_tasks(
    model: Any,
    target: TargetLike | None = None,
    threads: int | None = None,
    *,
    shapes: Mapping[str, Sequence[int | str] | None] | None = None,
    sizes: Mapping[str, int] | None = None,
    specialise: Specialise = None,
    allow_foreign: bool = False,
) -> list[Task]:
    """The tasks of a model, in the order of its functions. Equal functions are one task.

    `model`, `target`, `shapes`, `sizes`, `specialise` and `allow_foreign` are as for `tilewright.compile`. `threads`
    takes the place of the number of threads that the target says: records hold for that number. The model goes through
    the passes before auto-schedule, with the settings of the current `PassContext`.

    Raises TilewrightError TW0824 for a target without default schedules, and what loading the model raises.
    """
    module = load_model(model, shapes=shapes, sizes=sizes, specialise=specialise, allow_foreign=allow_foreign)
    return tasks_of(module, target_for(module, target, threads))


def target_for(module: ModuleOp, target: TargetLike | None, threads: int | None = None) -> TargetAttr:
    """The target that a module is compiled for: its own one gives way to one with options only.

    Raises TilewrightError TW0824 where there are no default schedules for it.
    """
    chosen, stated = Target.of(target), module.attributes.get(TARGET_ATTRIBUTE)
    found = stated if isinstance(stated, TargetAttr) and not chosen.has_options else chosen.attribute()
    if not has_default_schedules(found):
        fail(NO_SCHEDULES, f"expected a target with default schedules, but '{chosen}' has none")
    if threads is None:
        return found
    if not isinstance(found, CpuTargetAttr):
        fail(NO_SCHEDULES, f"expected a CPU where a number of threads is given, but got '{chosen}'")
    return found.with_threads(threads)


def tasks_of(module: ModuleOp, target: TargetAttr) -> list[Task]:
    """The tasks of a module of any level for a target."""
    module = before_schedules(module, target)
    calls, found = _calls_in_a_run(module), dict[str, Task]()
    for function in plain_functions(module):
        form = canonical(function, located=False)
        key, count = form.key(target), calls[function.sym_name.data]
        if (known := found.get(key)) is not None:
            found[key] = replace(known, occurrences=known.occurrences + count)
            continue
        ModuleOp([form.function], {TARGET_ATTRIBUTE: target})
        work = work_of(form.function)
        found[key] = Task(
            key,
            function.sym_name.data,
            form.function,
            target,
            count,
            float(work.flops or 0),
            float(work.bytes or 0),
            open_sizes(form.function),
        )
    return list(found.values())


def before_schedules(module: ModuleOp, target: TargetAttr) -> ModuleOp:
    """A copy of a module after the passes before auto-schedule for a target, whose functions have plain loops."""
    module = module.clone()
    edit.change(module).attributes[TARGET_ATTRIBUTE] = target
    PassManager(_passes_before_schedules(module), verify_each=False).run(context(), module)
    return module


def _passes_before_schedules(module: ModuleOp) -> list[Any]:
    passes = default_pipeline(level_of(module), 0)
    names = [pass_.name for pass_ in passes]
    return passes[: names.index(AutoSchedulePass.name)] if AutoSchedulePass.name in names else passes


def _calls_in_a_run(module: ModuleOp) -> dict[str, int]:
    """The calls of each function in one run of the public ones, those within loops counted once."""
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, FuncOp)}
    callers: dict[str, list[str]] = {name: [] for name in functions}
    for name, function in functions.items():
        for op in operations(function):
            if isinstance(op, CallOp) and (callee := op.callee.string_value()) in callers:
                callers[callee].append(name)
    counts: dict[str, int] = {}

    def count(name: str, above: tuple[str, ...] = ()) -> int:
        if name not in counts:
            visibility = functions[name].sym_visibility
            entered = 1 if visibility is None or visibility.data != "private" else 0
            counts[name] = entered + sum(count(each, (*above, name)) for each in callers[name] if each not in above)
        return counts[name]

    return {name: max(1, count(name)) for name in functions}
