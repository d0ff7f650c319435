"""AutoTVM's interface of measurements: inputs, results, and the options of builders and runners."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Any, NamedTuple, NoReturn

from ...diagnostics import fail
from ...diagnostics.errors import UnknownNameError
from ...diagnostics.expectations import coded_methods, expect_type
from ...driver.targets import Target
from ...tune.measure.protocol import Failure, Measured, Options
from .configs import ConfigEntity
from .task import Task

FAILED_COST = 1e9
"""The cost of a failed measurement, in record lines."""


class MeasureErrorNo(IntEnum):
    """The causes of failures in record lines."""

    NO_ERROR = 0
    INSTANTIATION_ERROR = 1
    COMPILE_HOST = 2
    COMPILE_DEVICE = 3
    RUNTIME_DEVICE = 4
    WRONG_ANSWER = 5
    BUILD_TIMEOUT = 6
    RUN_TIMEOUT = 7
    UNKNOWN_ERROR = 8


ERRORS: Mapping[Failure | None, MeasureErrorNo] = {
    None: MeasureErrorNo.NO_ERROR,
    Failure.REFUSED: MeasureErrorNo.INSTANTIATION_ERROR,
    Failure.COMPILE: MeasureErrorNo.COMPILE_HOST,
    Failure.COMPILE_TIME: MeasureErrorNo.BUILD_TIMEOUT,
    Failure.CRASH: MeasureErrorNo.RUNTIME_DEVICE,
    Failure.MEMORY: MeasureErrorNo.RUNTIME_DEVICE,
    Failure.TIME: MeasureErrorNo.RUN_TIMEOUT,
    Failure.WRONG: MeasureErrorNo.WRONG_ANSWER,
}


class MeasureInput(NamedTuple):
    """A configuration of a task, to be measured."""

    target: Target
    task: Task
    config: ConfigEntity


class MeasureResult(NamedTuple):
    """Seconds of a run by sample, or the cause of a failure."""

    costs: tuple[Any, ...]
    """Seconds; of a failure one line about it."""
    error_no: int
    all_cost: float
    """Seconds of the whole measurement."""
    timestamp: float
    """When it ended, in seconds since the epoch."""

    @property
    def mean(self) -> float:
        """The mean of the samples; infinity for a failure."""
        return sum(self.costs) / len(self.costs) if self.error_no == 0 and self.costs else float("inf")


def result_of(measured: Measured, all_cost: float = 0.0) -> MeasureResult:
    """Return the classic result of a measurement."""
    error = ERRORS[measured.failure]
    costs = measured.samples if error == 0 else (measured.detail,)
    return MeasureResult(tuple(costs), int(error), all_cost or sum(measured.samples), time.time())


@coded_methods
class LocalBuilder:
    """Compiles candidates on this machine: `timeout` seconds at most for each, `n_parallel` at once.

    `build_func` and `do_fork` have no effect: this compiler builds objects, in separate processes.
    """

    def __init__(
        self,
        timeout: float = 10,
        n_parallel: int | None = None,
        build_kwargs: Mapping[str, Any] | None = None,
        build_func: str | Callable[..., Any] = "default",
        do_fork: bool = False,
        runtime: Any = None,
    ) -> None:
        expect_type("timeout", timeout, int, float)
        expect_type("n_parallel", n_parallel, int, type(None))
        if build_func != "default":
            fail("TW0870", f"expected the build function 'default', which this package has, but got {build_func!r}")
        self.timeout = float(timeout)
        self.n_parallel = n_parallel


@coded_methods
class LocalRunner:
    """Runs candidates on this machine, one at a time, in turns with the best so far.

    `number` runs make a sample, as many as take `min_repeat_ms` milliseconds where it is larger; `repeat` is the number
    of samples, `timeout` the limit of seconds. `enable_cpu_cache_flush` clears the caches before each run.
    `check_correctness` changes nothing, as each result is compared; `cooldown_interval` and `module_loader` neither.
    """

    def __init__(
        self,
        timeout: float = 10,
        number: int = 4,
        repeat: int = 3,
        min_repeat_ms: int = 0,
        cooldown_interval: float = 0.1,
        enable_cpu_cache_flush: bool = False,
        module_loader: Any = None,
        check_correctness: bool = True,
        max_converge_cv: float | None = None,
    ) -> None:
        expect_type("timeout", timeout, int, float)
        for name, value in (("number", number), ("repeat", repeat), ("min_repeat_ms", min_repeat_ms)):
            expect_type(name, value, int)
        expect_type("enable_cpu_cache_flush", enable_cpu_cache_flush, bool)
        self.options = Options(
            number=0 if min_repeat_ms else number,
            repeat=repeat,
            timeout=float(timeout),
            least_time=min_repeat_ms / 1000 or Options.least_time,
            cold=enable_cpu_cache_flush,
        )


class RPCRunner:
    """TVM's runner for remote machines of a tracker: refused with TW0251."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        refuse_remote("autotvm.RPCRunner")


def refuse_remote(name: str) -> NoReturn:
    """Refuse a runner on other machines (TW0251)."""
    raise UnknownNameError(
        "TW0251",
        f"'{name}' is not part of this package: there is no tracker of devices",
        help="measure here with LocalRunner, or on a cluster: tilewright.tune.measure.ClusterRunner",
    )


class MeasureOption(NamedTuple):
    """A builder and a runner."""

    builder: LocalBuilder
    runner: LocalRunner


def measure_option(builder: LocalBuilder | str, runner: LocalRunner | str) -> MeasureOption:
    """Return the way to compile and run candidates; "local" stands for `LocalBuilder()` and `LocalRunner()`."""
    made = LocalBuilder() if builder == "local" else builder
    ran = LocalRunner() if runner == "local" else runner
    expect_type("builder", made, LocalBuilder)
    expect_type("runner", ran, LocalRunner)
    assert isinstance(made, LocalBuilder) and isinstance(ran, LocalRunner)
    return MeasureOption(made, ran)
