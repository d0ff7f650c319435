"""Search tasks: a workload on a target, the tuning of its default schedules, and the application of the best one."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from typing import Any, Literal

from xdsl.dialects.builtin import ModuleOp

from ...diagnostics import fail
from ...diagnostics.expectations import coded_methods, expect_type
from ...diagnostics.files import FilePath
from ...dialects.ir_module import IRModule
from ...dialects.target import TARGET_ATTRIBUTE
from ...driver import emit
from ...driver.programs import as_module
from ...driver.targets import Target, TargetLike
from ...driver.tensors import tensors_module
from ...hardware import machine_name
from ...passes.framework.context import PassContext
from ...passes.framework.tuning_records import compiler_of_records
from ...passes.phase0.auto_schedule import plain_functions
from ...schedule import Schedule
from ...schedule.canonical import canonical
from ...schedule.decisions import Point
from ...schedule.records import Record, points
from ...schedule.rules.default import scheduled_copy
from ...te import Placeholder, Tensor
from ...te.definition_order import in_dependence_order
from ...tune.measure import measure_for
from ...tune.search import Measure
from ...tune.search.cost_prior import prior_for
from ...tune.session import Session, Settings
from ...tune.tasks import Task, before_schedules, extract_tasks, target_for, tasks_of
from ..autotvm.measure import LocalBuilder
from ..autotvm.task import NO_TEMPLATE
from .measure import LocalRunner
from .policies import PreloadMeasuredStates, SketchPolicy
from .records import NO_RECORD, CallbackStore, MeasureInput, read_lines, result_of, winners
from .workload import make_workload_key, workload_key_to_tensors


class ComputeDAG:
    """The tensors of a workload, each after those that it reads; printed, one a line."""

    def __init__(self, compute: Sequence[Tensor] | str) -> None:
        self.tensors = workload_key_to_tensors(compute) if isinstance(compute, str) else list(compute)

    def __str__(self) -> str:
        outputs = [t for t in self.tensors if not isinstance(t.op, Placeholder)]
        inputs = [t for t in self.tensors if isinstance(t.op, Placeholder)]
        lines = [f"{t.op.name} = PLACEHOLDER {list(t.shape)}" for t in inputs]
        return "\n".join([*lines, *(str(op) for op in in_dependence_order(outputs, inputs))])


@coded_methods
class TuningOptions:
    """The limits of a search, the options of its measurements, and `measure_callbacks` such as `RecordToFile(file)`."""

    def __init__(
        self,
        num_measure_trials: int = 0,
        early_stopping: int | None = None,
        num_measures_per_round: int = 64,
        verbose: int = 1,
        builder: LocalBuilder | Literal["local"] = "local",
        runner: LocalRunner | Literal["local"] = "local",
        measure_callbacks: Sequence[Any] | None = None,
    ) -> None:
        expect_type("num_measure_trials", num_measure_trials, int)
        expect_type("early_stopping", early_stopping, int, type(None))
        self.num_measure_trials = num_measure_trials
        self.early_stopping = early_stopping
        self.builder = LocalBuilder(15) if builder == "local" else builder
        self.runner = LocalRunner() if runner == "local" else runner
        expect_type("builder", self.builder, LocalBuilder)
        expect_type("runner", self.runner, LocalRunner)
        self.measure_callbacks = list(measure_callbacks or ())


class SearchTask:
    """A workload with its arguments on a target.

    `func` is a registered workload, or its name, with `args`; or `workload_key` says both. `hardware_params`,
    `layout_rewrite_option` and the options of inputs change nothing: the target has the facts of the machine, layouts
    are chosen by passes, and inputs are drawn.
    """

    def __init__(
        self,
        func: Callable[..., Any] | str | None = None,
        args: Sequence[Any] | None = None,
        compute_dag: ComputeDAG | None = None,
        workload_key: str | None = None,
        target: TargetLike | None = None,
        target_host: TargetLike | None = None,
        hardware_params: Any = None,
        layout_rewrite_option: Any = None,
        task_inputs: Any = None,
        task_inputs_overwrite: bool = False,
        task_inputs_save_to_file: bool = False,
        desc: str = "",
    ) -> None:
        if (func is None) == (workload_key is None):
            fail(NO_TEMPLATE, "expected either func with args or workload_key")
        key = workload_key if func is None else make_workload_key(func, args or ())
        assert key is not None
        self.workload_key = key
        self.target = Target.of(target)
        self.desc = desc
        self.tensors = (compute_dag or ComputeDAG(key)).tensors
        self.compute_dag: Any = compute_dag or ComputeDAG(self.tensors)
        module = tensors_module(self.tensors, "main")
        attribute = target_for(module, target if target_host is None else self.target.with_host(target_host))
        (self.task,) = tasks_of(module, attribute)
        (function,) = plain_functions(before_schedules(module, attribute))
        self._function = function

    @classmethod
    def of_kernel(cls, task: Task, target: Target) -> SearchTask:
        """Return the search task of a kernel of a model."""
        made = cls.__new__(cls)
        made.workload_key = json.dumps([task.key])
        made.target, made.desc, made.tensors = target, task.name, []
        made.task, made._function = task, task.function
        made.compute_dag = IRModule({task.name: task.function})
        return made

    def tune(self, tuning_options: TuningOptions, search_policy: SketchPolicy | None = None) -> None:
        """Measure up to `num_measure_trials` schedules, in turns with the best so far; callbacks get each.

        Raises TilewrightError TW0634 for a target of GPUs where there is none.
        """
        expect_type("tuning_options", tuning_options, TuningOptions)
        run([self], tuning_options, search_policy or SketchPolicy(self))

    def apply_best(
        self, log_file: FilePath, include_compatible: bool = False, layout_rewrite_option: Any = None
    ) -> tuple[Schedule, list[Tensor] | None]:
        """Return the best schedule that a file has for this task, and the arguments:
        `tilewright.build(*task.apply_best(f))`.

        Raises TilewrightError TW0877 where the file has none of this machine and compiler.
        """
        return self.schedule(self._best(log_file).decisions), self.tensors or None

    def print_best(self, log_file: FilePath, print_mode: str = "schedule") -> str:
        """Return the best schedule as calls in Python ("schedule"), or the kernels that it becomes on a GPU ("cuda").

        Raises TilewrightError TW0877 where the file has no record, TW0209 for another mode or target.
        """
        schedule = self.schedule(self._best(log_file).decisions)
        if print_mode == "schedule":
            return schedule.trace.as_python()
        if print_mode != "cuda" or self.target.kind != "cuda":
            got = f"'{print_mode}' for the target '{self.target}'"
            fail("TW0209", f"expected print_mode to be schedule, or cuda for a target of cuda, but got {got}")
        return emit(as_module(schedule), "cuda-python", self.target)

    @property
    def plain(self) -> IRModule:
        """A copy of the task's function with plain loops, to which the calls that `print_best` prints apply."""
        function = self._function.clone()
        return IRModule(ModuleOp([function], {TARGET_ATTRIBUTE: self.task.target}))

    def schedule(self, point: Point) -> Schedule:
        """Return the function of the task, under its names, scheduled as a point of the task's space says."""
        made = scheduled_copy(self._function, self.task.target, self._renamed(point)).schedule
        made.arguments = tuple(self.tensors)
        ModuleOp([made.func], {TARGET_ATTRIBUTE: self.task.target})
        return made

    def _renamed(self, point: Point) -> Point:
        """Return a point whose decisions are about the blocks of the task's function, not of its canonical form."""
        original = canonical(self._function).names.original
        parts = [(*key.rpartition(":"), value) for key, value in point.items()]
        return {f"{original(block)}{separator}{name}": value for block, separator, name, value in parts}

    def _best(self, log_file: FilePath) -> Record:
        records = [record for _, record in read_lines(log_file) if record.task == self.task.key]
        best = winners(records).best.get(self.task.key)
        if best is None:
            others = f"{len(records)} of another machine or compiler" if records else "none"
            fail(
                NO_RECORD,
                f"expected a record for {self.workload_key} on '{self.target}', but the file has {others}",
                help="measure it here: task.tune(TuningOptions(…, measure_callbacks=[RecordToFile(file)]))",
            )
        return best

    def __repr__(self) -> str:
        return f"SearchTask({self.workload_key}, target='{self.target}')"


def run(
    tasks: Sequence[SearchTask],
    options: TuningOptions,
    policy: SketchPolicy,
    weights: Sequence[float] | None = None,
) -> Session:
    """Tune tasks in one session, whose records callbacks get."""
    keys = {task.task.key: task for task in tasks}

    def on_record(record: Record) -> None:
        task = keys[record.task]
        inp = MeasureInput(task, task.workload_key, record)
        for each in options.measure_callbacks:
            call = each if callable(each) else each.callback
            call(policy, [inp], [result_of(record)])

    known = [record for record in policy.history if record.task in keys]
    pairs = zip(tasks, weights or [1] * len(tasks), strict=True)
    made = [replace(task.task, occurrences=max(1, round(weight))) for task, weight in pairs]
    settings = Settings(
        trials=options.num_measure_trials + _counted(known),
        seed=policy.seed,
        early_stopping=options.early_stopping,
        strategy=policy.strategy,
        options=options.runner.options,
    )
    with ExitStack() as opened:
        measures = _Measures(options, opened)
        session = Session(
            made, CallbackStore(known, on_record), settings, measures, prior=lambda task: prior_for(task.target)
        )
        if options.num_measure_trials > 0:
            session.run()
    return session


def _counted(known: Sequence[Record]) -> int:
    """Return the number of points of this machine and compiler among records: trials that are not made again."""
    maker = (machine_name(), compiler_of_records())
    here = [record for record in known if record.belongs_to(*maker)]
    return sum(len(points(r for r in here if r.task == key)) for key in {record.task for record in here})


class _Measures:
    """The measurements of tasks, by a builder and a runner with classic options."""

    def __init__(self, options: TuningOptions, opened: ExitStack) -> None:
        self._builder, self._opened = options.builder, opened

    def __call__(self, task: Task, known: Sequence[Record]) -> Measure:
        """Return the measure of a task. Raises TilewrightError TW0634 for a target of GPUs where there is none."""
        workload = task.workload()
        seconds = max(1, int(self._builder.timeout))
        made = measure_for(workload, threads=task.threads, workers=self._builder.n_parallel, seconds=seconds)
        return self._opened.enter_context(closing(made))


@coded_methods
class TaskScheduler:
    """Tunes several tasks: trials go to those that take most of the time, by their weights."""

    def __init__(
        self,
        tasks: Sequence[SearchTask],
        task_weights: Sequence[float] | None = None,
        objective_func: Any = None,
        strategy: str = "gradient",
        load_model_file: str | None = None,
        load_log_file: FilePath | None = None,
        alpha: float = 0.2,
        beta: float = 2,
        gamma: float = 0.5,
        backward_window_size: int = 3,
        callbacks: Any = None,
    ) -> None:
        if objective_func is not None or strategy != "gradient" or load_model_file is not None:
            fail(
                "TW0870",
                "expected no objective function, no model file and the strategy 'gradient' of a TaskScheduler",
                help="weigh the tasks by task_weights",
            )
        self.tasks = list(tasks)
        self.task_weights = [float(weight) for weight in task_weights or [1] * len(self.tasks)]
        self._load_log_file = load_log_file
        self.best_costs: list[float] = [1e10] * len(self.tasks)
        """The least seconds of each task so far."""

    def tune(self, tune_option: TuningOptions, search_policy: Any = "default", **options: Any) -> None:
        """Measure up to `num_measure_trials` schedules of all tasks together."""
        expect_type("tune_option", tune_option, TuningOptions)
        loaded = [] if self._load_log_file is None else [PreloadMeasuredStates(self._load_log_file)]
        policy = SketchPolicy(self.tasks[0], init_search_callbacks=loaded)
        session = run(self.tasks, tune_option, policy, self.task_weights)
        self.best_costs = [min(state.best, 1e10) for state in session.states]


def extract_kernels(
    mod: Any,
    params: Mapping[str, Any] | None = None,
    target: TargetLike | None = None,
    target_host: TargetLike | None = None,
    hardware_params: Any = None,
    include_simple_tasks: bool = False,
    dump_workload_to_dag_log: Any = None,
    opt_level: int = 3,
) -> tuple[list[SearchTask], list[int]]:
    """Return the kernels of a model as search tasks, and how often each is called."""
    from ..tvmc.model import TVMCModel

    chosen = Target.of(target)
    module = mod if isinstance(mod, (IRModule, ModuleOp)) else IRModule.from_expr(mod)
    with PassContext(opt_level=opt_level):
        found = extract_tasks(TVMCModel(module, params).source[0], chosen)
    return [SearchTask.of_kernel(task, chosen) for task in found], [task.occurrences for task in found]
