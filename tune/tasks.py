"""Tasks: the distinct functions of a model that can be tuned, each with its share of the model's time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import SSAValue

from ..analysis.access import root_buffer
from ..analysis.work import work_of
from ..diagnostics import fail
from ..dialects import context, loop
from ..dialects.target import TARGET_ATTRIBUTE, CpuTargetAttr, TargetAttr
from ..driver.models import Specialise, load_model
from ..driver.targets import Target, TargetLike
from ..ir import editor as edit
from ..passes.framework.base import level_of
from ..passes.framework.manager import PassManager
from ..passes.phase0.auto_schedule import AutoSchedulePass, plain_functions
from ..passes.pipeline import default_pipeline
from ..schedule.canonical import canonical
from ..schedule.open_sizes import OpenSize, Ranges, open_sizes
from ..schedule.records import KERNEL
from ..schedule.rules.default import has_default_schedules
from ..semantics.random_streams import Purpose, generator
from ..traversal import operations
from .space import RuleSpace, Space

if TYPE_CHECKING:
    from .measure.protocol import Workload

NO_SCHEDULES, RANGE = "TW0824", "TW0826"

USUAL_RANGE = (64, 256)
"""The default range of an open size for which schedules are searched."""


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
    open_sizes: tuple[OpenSize, ...] = ()
    """Under the names that the model has for them."""
    ranges: Ranges = field(default_factory=lambda: MappingProxyType({}))
    """The range of each open size that schedules are searched for."""
    constants: frozenset[int] = frozenset()
    """The numbers of the arguments that are weights in all calls."""
    at: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """The values of open sizes with which it is measured, by `OpenSize.key`; others are drawn from their range."""

    kind: ClassVar[str] = KERNEL
    """The kind of its records."""

    @property
    def threads(self) -> int:
        """The threads that its parallel loops use."""
        return self.target.core.threads if self.target.core is not None else 1

    @property
    def ends(self) -> tuple[Task, ...]:
        """The task with its open sizes at the ends of their ranges: the least ones, and the largest ones."""
        found = [{key: limits[end] for key, limits in self.ranges.items()} for end in (0, 1)]
        found = [{key: size for key, size in at.items() if size is not None} for at in found]
        return tuple(replace(self, at=at) for at in found if at)

    def workload(self, seed: int = 0) -> Workload:
        """Return the arguments and the reference for measuring it. Raises what `workload_of` raises."""
        from .measure.building import workload_of

        sizes = {**_drawn(self.ranges, seed), **self.at}
        return workload_of(self.function, self.target, seed=seed, sizes=sizes, constants=self.constants)

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
    ranges: Mapping[str, tuple[int, int]] | None = None,
) -> list[Task]:
    """Return the tasks of a model, in the order of its functions. Equal functions are one task.

    `model`, `target`, `shapes`, `sizes`, `specialise` and `allow_foreign` are as for `tilewright.compile`. `threads`
    replaces the target's number of threads: records hold for that number. `ranges` are the ranges of open sizes for
    which schedules are searched, by name, {"n": (1, 512)}, by default 64 to 256. The model goes through the passes
    before auto-schedule, with the settings of the current `PassContext`.

    Raises TilewrightError TW0824 for a target without default schedules, TW0826 for ranges that do not fit, and the
    errors of loading the model.
    """
    module = load_model(model, shapes=shapes, sizes=sizes, specialise=specialise, allow_foreign=allow_foreign)
    return tasks_of(module, target_for(module, target, threads), ranges)


def target_for(module: ModuleOp, target: TargetLike | None, threads: int | None = None) -> TargetAttr:
    """Return the target that a module is compiled for: the one that it states, unless it states none or `target` has
    options.

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


def tasks_of(module: ModuleOp, target: TargetAttr, ranges: Mapping[str, tuple[int, int]] | None = None) -> list[Task]:
    """Return the tasks of a module of any level for a target. `ranges` are as for `extract_tasks`."""
    module = before_schedules(module, target)
    calls, constants, found = _calls_in_a_run(module), _constants(module), dict[str, Task]()
    for function in plain_functions(module):
        name = function.sym_name.data
        form = canonical(function, located=False)
        key, count, weights = form.key(target), calls[name], constants.get(name, frozenset())
        if (known := found.get(key)) is not None:
            weights &= known.constants
            found[key] = replace(known, occurrences=known.occurrences + count, constants=weights)
            continue
        ModuleOp([form.function], {TARGET_ATTRIBUTE: target})
        work, sizes = work_of(form.function), open_sizes(function)
        found[key] = Task(
            key,
            name,
            form.function,
            target,
            count,
            float(work.flops or 0),
            float(work.bytes or 0),
            sizes,
            {size.key: (ranges or {}).get(size.name, USUAL_RANGE) for size in sizes},
            weights,
        )
    tasks = list(found.values())
    _check_ranges(ranges or {}, tasks)
    return tasks


def _check_ranges(ranges: Mapping[str, tuple[int, int]], tasks: Sequence[Task]) -> None:
    """Raise TilewrightError TW0826 for a range that is none, or of a size that no task has."""
    known = dict.fromkeys(size.name for task in tasks for size in task.open_sizes)
    for name, limits in ranges.items():
        if name not in known:
            fail(RANGE, f"expected the name of an open size ({', '.join(known) or 'there are none'}), but got '{name}'")
        low, high = limits
        if not 1 <= low <= high:
            fail(RANGE, f"expected a range of size '{name}' from 1 or more up, but got {low}..{high}")


def _drawn(ranges: Ranges, seed: int) -> dict[str, int]:
    """Return sizes near the middle of their ranges by ratio, seldom a multiple of a tile."""
    rng, found = generator(Purpose.TASK_SIZES, seed, len(ranges)), dict[str, int]()
    for key, (low, high) in ranges.items():
        middle = sqrt(max(low, 1) * (high if high is not None else max(low, USUAL_RANGE[1])))
        first, last = max(low, int(0.75 * middle)), int(1.5 * middle)
        found[key] = int(rng.integers(first, max(first, last if high is None else min(high, last)) + 1))
    return found


def _constants(module: ModuleOp) -> dict[str, frozenset[int]]:
    """Return the arguments of private functions that are constants in each call, by the name of the function."""
    found: dict[str, frozenset[int]] = {}
    for op in operations(module):
        if isinstance(op, CallOp):
            passed = {n for n, value in enumerate(op.operands) if isinstance(_root(value).owner, loop.ConstantOp)}
            name = op.callee.string_value()
            found[name] = found.get(name, frozenset(passed)) & passed
    return found


def _root(value: SSAValue) -> SSAValue:
    """Return the buffer that a value is a part of."""
    return root_buffer(value) if isinstance(value.type, MemRefType) else value


def before_schedules(module: ModuleOp, target: TargetAttr) -> ModuleOp:
    """Return a copy of a module after the passes before auto-schedule for a target, whose functions have plain
    loops."""
    module = module.clone()
    edit.change(module).attributes[TARGET_ATTRIBUTE] = target
    PassManager(_passes_before_schedules(module), verify_each=False).run(context(), module)
    return module


def _passes_before_schedules(module: ModuleOp) -> list[Any]:
    passes = default_pipeline(level_of(module), 0)
    names = [pass_.name for pass_ in passes]
    return passes[: names.index(AutoSchedulePass.name)] if AutoSchedulePass.name in names else passes


def _calls_in_a_run(module: ModuleOp) -> dict[str, int]:
    """Return the number of calls of each function in one run of the public functions; calls within loops count once."""
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
