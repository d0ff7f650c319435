"""Kernels of models as tasks: their knobs are the decisions of the schedule rules.

Such a task has the template name "tilewright.kernel", and as arguments the kernel's name and the key of its tuning
records. The set of decisions depends on earlier decisions, so `config_space` lists only the knobs of the default
schedule, while tuners search the whole space. A configuration's `code_hash` identifies the machine and the compiler
that measured it: records of other machines or compilers are not applied.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ModuleOp

from ...diagnostics import fail
from ...diagnostics.expectations import expect_type
from ...dialects.ir_module import IRModule
from ...driver.targets import Target, TargetLike
from ...hardware import machine_name
from ...passes.framework.context import PassContext
from ...passes.framework.tuning_records import Tuned, compiler_of_records
from ...schedule.canonical import target_in_records
from ...schedule.decisions import Point, Value
from ...schedule.records import Record, RecordFile, Winners
from ...tune.space import RuleSpace
from ...tune.tasks import Task as TuningTask
from ...tune.tasks import extract_tasks
from .configs import ConfigEntity, ConfigSpace
from .entities import OtherOptionEntity
from .spaces import option_space
from .task import KERNEL, NO_TEMPLATE, Task

if TYPE_CHECKING:
    from ...tune.measure.protocol import Workload as Measurable
    from .measure import MeasureInput, MeasureResult


class KernelConfigSpace(ConfigSpace):
    """The knobs of the default schedule of a kernel; configurations may have others."""

    def with_values(self, values: Mapping[str, Value]) -> ConfigEntity:
        """Return the configuration of values by name."""
        entities = {name: OtherOptionEntity(value) for name, value in values.items()}
        return ConfigEntity(0, _maker(), entities, self.flop)


class KernelSpace(RuleSpace):
    """The schedules that rules can make of a kernel, with their configurations."""

    def __init__(self, task: TuningTask, knobs: ConfigSpace) -> None:
        super().__init__(task.function, task.target)
        self._knobs = knobs

    def config(self, point: Point) -> ConfigEntity:
        """Return the configuration of a full point."""
        return self._knobs.with_values(point)


class KernelTask(Task):
    """A kernel of a model on a target."""

    def __init__(self, kernel: TuningTask, target: Target) -> None:
        super().__init__(KERNEL, (kernel.name, kernel.key), target)
        self.kernel = kernel
        self.config_space = KernelConfigSpace()
        self.config_space.add_flop(kernel.flops)
        for decision in kernel.space.decisions({}):
            others = [value for value in decision.candidates if value != decision.default]
            self.config_space.space_map[decision.key] = option_space([decision.default, *others])

    @property
    def threads(self) -> int:
        """The threads that its parallel loops use."""
        return self.kernel.threads

    def search_space(self, start: Point) -> KernelSpace:
        """Return the space that tuners search."""
        return KernelSpace(self.kernel, self.config_space)

    def measurable(self) -> Measurable:
        """Return the arguments and the reference for measuring it."""
        return self.kernel.workload()

    def instantiate(self, config: ConfigSpace) -> tuple[Any, list[Any]]:
        """Refuse with TW0871: a kernel has no tensors that a template could return."""
        fail(NO_TEMPLATE, f"expected a task of a template, but '{self.kernel.name}' is a kernel of a model")

    def __reduce__(self) -> tuple[Any, ...]:
        return Task, (self.name, self.args, self.target)


def extract_from_program(
    mod: Any,
    params: Mapping[str, Any] | None = None,
    target: TargetLike | None = None,
    target_host: TargetLike | None = None,
    ops: Iterable[Any] | None = None,
    *,
    opt_level: int = 3,
) -> list[KernelTask]:
    """Return the kernels of a model as tasks, equal ones once.

    `ops` are operators, or their names, of which kernels are wanted: those with the operator in their name. Compile
    inside `apply_history_best`, with the same target and `opt_level`. Raises what `tilewright.tune.extract_tasks` does.
    """
    from ..tvmc.model import TVMCModel

    chosen = Target.of(target)
    chosen = chosen if target_host is None else chosen.with_host(target_host)
    expect_type("opt_level", opt_level, int)
    module = mod if isinstance(mod, (IRModule, ModuleOp)) else IRModule.from_expr(mod)
    with PassContext(opt_level=opt_level):
        found = extract_tasks(TVMCModel(module, params).source[0], chosen)
    names = None if ops is None else [str(getattr(op, "name", op)).rpartition(".")[2] for op in ops]
    return [KernelTask(task, chosen) for task in found if names is None or any(name in task.name for name in names)]


def extract_from_multiple_program(
    mods: Sequence[Any],
    params: Sequence[Mapping[str, Any] | None],
    target: TargetLike | None = None,
    target_host: TargetLike | None = None,
    ops: Iterable[Any] | None = None,
) -> list[KernelTask]:
    """Return the kernels of several models, equal ones once."""
    wanted = None if ops is None else list(ops)
    pairs = zip(mods, params, strict=True)
    tasks = [task for mod, given in pairs for task in extract_from_program(mod, given, target, target_host, wanted)]
    return list({task.kernel.key: task for task in tasks}.values())


def _maker() -> str:
    return f"{machine_name()}; compiler {compiler_of_records()}"


def tuned_kernels(best: Iterable[tuple[MeasureInput, MeasureResult]]) -> Tuned | None:
    """Return the records of kernels among the fastest ones of a file, for compilations; None where there is none."""
    here, records = (machine_name(), compiler_of_records()), list[Record]()
    for inp, result in best:
        if inp.task.name != KERNEL or len(inp.task.args) != 2 or inp.config.code_hash != _maker():
            continue
        name, key = map(str, inp.task.args)
        target, samples = target_in_records(inp.target.attribute()), tuple(result.costs)
        record = Record(key, name, target, inp.config.values, samples=samples, trial=1)
        records.append(replace(record, machine=here[0], compiler=here[1]))
    file = RecordFile("<records of autotvm>", tuple(records), tuple(range(1, len(records) + 1)))
    return Tuned(file, Winners.of(records, *here)) if records else None
