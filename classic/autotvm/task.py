"""Templates and tasks: a schedule with knobs, and its instance for some arguments and a target.

@autotvm.template("matmul")
def matmul(N, L, M, dtype):
    ...
    cfg = autotvm.get_config()
    cfg.define_split("tile_y", y, num_outputs=2)
    yo, yi = cfg["tile_y"].apply(s, C, y)
    return s, [A, B, C]

task = autotvm.task.create("matmul", args=(512, 512, 512, "float32"), target="llvm")
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ...analysis.work import work_of
from ...diagnostics import fail
from ...diagnostics.expectations import coded_methods, expect_type
from ...diagnostics.text import did_you_mean
from ...driver.targets import Target, TargetLike
from ...schedule.decisions import Point
from ...te import Tensor, Var
from .configs import ConfigSpace
from .dispatcher import ApplyConfig, Workload, current_context

if TYPE_CHECKING:
    from ...tune.measure.protocol import Workload as Measurable

F = TypeVar("F", bound=Callable[..., Any])

_templates: dict[str, Callable[..., Any]] = {}
NO_TEMPLATE, NOT_A_SCHEDULE = "TW0871", "TW0874"

KERNEL = "tilewright.kernel"
"""The name of the tasks that are kernels of models."""


def template(task_name: str, func: Callable[..., Any] | None = None) -> Any:
    """Register a function of arguments that returns a schedule and its tensors; decorates it, or takes it as `func`.

    Called inside `apply_history_best` or another context, the function gets the configuration for its arguments from
    `get_config`.
    """
    expect_type("task_name", task_name, str)

    def decorate(function: F) -> F:
        @functools.wraps(function)
        def dispatched(*args: Any, **kwargs: Any) -> Any:
            if kwargs:
                fail(NO_TEMPLATE, f"expected the arguments of template '{task_name}' by position, as records have them")
            workload = args_to_workload(args, task_name)
            with ApplyConfig(current_context().query(Target.current(), workload)):
                return function(*args)

        _templates[task_name] = function
        return cast(F, dispatched)

    return decorate if func is None else decorate(func)


def register_customized_task(name: str, func: Callable[..., Any] | None = None) -> Any:
    """Register a template: `template`, under its name of older programs."""
    return template(name, func)


def get_config() -> ConfigSpace:
    """Return the configuration of the template that is running: a space that collects knobs, or their values."""
    return current_context().query(Target.current(), ("template",))


def args_to_workload(args: Sequence[Any], task_name: str | None = None) -> Workload:
    """Return the name of a template and its arguments as plain data that can be compared; tensors by shape and type."""
    workload = tuple(map(_plain, args))
    return workload if task_name is None else (task_name, *workload)


def _plain(argument: Any) -> Any:
    match argument:
        case Tensor():
            return ("TENSOR", tuple(map(_plain, argument.shape)), argument.dtype)
        case list() | tuple():
            return tuple(map(_plain, argument))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        case Var():
            return argument.name
        case None | bool() | int() | float() | str():
            return argument
        case _:
            value = getattr(argument, "value", None)
            if isinstance(value, (bool, int, float, str)):
                return value
    fail(
        NO_TEMPLATE,
        f"expected numbers, texts, tensors or lists of them as arguments of a template, but got {argument!r}",
        help="records state arguments as JSON: pass the numbers that the template needs",
    )


def serialize_args(args: Sequence[Any]) -> tuple[Any, ...]:
    """Return the arguments of a task as records have them."""
    return args_to_workload(args)


@coded_methods
class Task:
    """A template with its arguments and its target."""

    def __init__(self, name: str, args: Sequence[Any], target: Target) -> None:
        self.name = name
        self.args = tuple(args)
        self.kwargs: dict[str, Any] = {}
        self.target = target
        self.target_host = target.host
        self.config_space = ConfigSpace()

    @property
    def workload(self) -> Workload:
        """The name and the arguments, by which contexts find configurations."""
        return args_to_workload(self.args, self.name)

    @property
    def func(self) -> Callable[..., Any]:
        """The template. Raises TilewrightError TW0871 where none of the name is registered."""
        found = _templates.get(self.name)
        if found is None:
            fail(
                NO_TEMPLATE,
                f"expected the name of a template, but got '{self.name}'{did_you_mean(self.name, _templates)}",
                help=f"register it before the task is created: @autotvm.template('{self.name}')",
            )
        return found

    @functools.cached_property
    def flop(self) -> float:
        """The operations of a run: those that the template states with `add_flop`, else those of its tensors."""
        if self.config_space.flop:
            return self.config_space.flop
        from .template_space import definition_of

        return float(work_of(definition_of(self)).flops or 0)

    def instantiate(self, config: ConfigSpace) -> tuple[Any, list[Any]]:
        """Return the schedule and the arguments that the template makes with a configuration.

        Raises what the template raises, and TilewrightError TW0874 where it returns something else.
        """
        with self.target, ApplyConfig(config):
            made = self.func(*self.args)
        if not isinstance(made, (tuple, list)) or len(cast("Sequence[Any]", made)) != 2:
            fail(
                NOT_A_SCHEDULE,
                f"expected template '{self.name}' to return a schedule and its tensors, but got {type(made).__name__}",
                help="end the template with `return s, [A, B, C]`",
            )
        schedule, tensors = cast("Sequence[Any]", made)
        return schedule, [*tensors]

    @property
    def threads(self) -> int | None:
        """The threads of its parallel loops; None for all that there are."""
        return None

    def search_space(self, start: Point) -> Any:
        """Return the space that tuners search, beginning at a configuration."""
        from .template_space import TemplateSpace

        return TemplateSpace(self, start)

    def measurable(self) -> Measurable:
        """Return the arguments and the reference for measuring it."""
        from ...tune.measure import workload_of
        from .template_space import definition_of

        return workload_of(definition_of(self), self.target.attribute())

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the call that makes the task again from a pickle, where its template is registered."""
        return create, (self.name, self.args, self.target)

    def __repr__(self) -> str:
        return f"Task(func_name={self.name}, args={self.args}, kwargs={self.kwargs}, workload={self.workload})"


def create(
    task_name: str, args: Iterable[Any], target: TargetLike | None = None, target_host: TargetLike | None = None
) -> Task:
    """Return the task of a template for arguments and a target; `task.config_space` has the knobs.

    Raises TilewrightError TW0871 for an unknown template.
    """
    expect_type("task_name", task_name, str)
    chosen = Target.of(target)
    task = Task(task_name, tuple(args), chosen if target_host is None else chosen.with_host(target_host))
    task.instantiate(task.config_space)
    return task


def extract_from_program(*arguments: Any, **named: Any) -> list[Any]:
    """Return the kernels of a model as tasks: see `kernels.extract_from_program`."""
    from .kernels import extract_from_program

    return list(extract_from_program(*arguments, **named))


def extract_from_multiple_program(*arguments: Any, **named: Any) -> list[Any]:
    """Return the kernels of several models as tasks: see `kernels.extract_from_multiple_program`."""
    from .kernels import extract_from_multiple_program

    return list(extract_from_multiple_program(*arguments, **named))
