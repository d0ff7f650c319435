"""Tuners: AutoTVM's interface of the strategies of the search (`tilewright.tune.search`).

    tuner = autotvm.tuner.XGBTuner(task)
    tuner.tune(n_trial=20, measure_option=option, callbacks=[autotvm.callback.log_to_file("matmul.log")])

Equal seeds and records give equal proposals. The parameters of TVM's methods (populations, mutation rates, losses of
models) have no equivalent in this search; they are accepted and ignored.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any, ClassVar

from ...diagnostics import TilewrightError, fail
from ...diagnostics.expectations import coded_methods, expect_type
from ...schedule.decisions import Point
from .callback import Callback, takes_updates
from .configs import ConfigEntity
from .measure import MeasureInput, MeasureOption, MeasureResult, result_of
from .record import best_of_each
from .task import Task

if TYPE_CHECKING:
    from ...tune.search import Measure, Trial

STARTS = 8
"""So many configurations of a history are measured first."""


class Tuner:
    """Searches the configurations of a task."""

    strategy: ClassVar[str] = "default"
    """The name of the strategy of `tilewright.tune.search.search`."""
    start: Point = {}
    """The configuration that the search begins with; knobs that it does not name have their first candidate."""

    def __init__(self, task: Task, *, seed: int = 0) -> None:
        expect_type("task", task, Task)
        expect_type("seed", seed, int)
        self.task = task
        self.seed = seed
        self.reset()

    def reset(self) -> None:
        """Drop all measurements, and the records of `load_history`."""
        self.best_config: ConfigEntity | None = None
        """The fastest configuration, None where none has run."""
        self.best_flops = 0.0
        """Its operations a second."""
        self.best_measure_pair: tuple[MeasureInput, MeasureResult] | None = None
        self.best_iter = 0
        """The number of the measurement that found it."""
        self.history: list[tuple[MeasureInput, MeasureResult]] = []

    def load_history(self, data_set: Iterable[tuple[MeasureInput, MeasureResult]], min_seed_records: int = 500) -> None:
        """Let the search begin with the fastest configurations of records, which are measured again: a record says not
        on which machine it was made.

        Records of other tasks, and of values that are no candidates any more, are left out. `min_seed_records` changes
        nothing: a few are enough.
        """
        task = (self.task.target.target, self.task.workload)
        self.history += [pair for pair in data_set if (pair[0].target.target, pair[0].task.workload) == task]

    def tune(
        self,
        n_trial: int,
        measure_option: MeasureOption,
        early_stopping: int | None = None,
        callbacks: Sequence[Callback] = (),
        si_prefix: str = "G",
    ) -> None:
        """Measure up to `n_trial` configurations, fewer where the space ends or `early_stopping` of them bring nothing.

        `callbacks` are called with the tuner, a list of one input and a list of one result after each. Raises
        TilewrightError TW0634 for a target of GPUs where there is none.
        """
        expect_type("n_trial", n_trial, int)
        expect_type("measure_option", measure_option, MeasureOption)
        expect_type("early_stopping", early_stopping, int, type(None))
        from ...tune.measure import measure_for
        from ...tune.search import search

        builder, seconds = measure_option.builder, max(1, int(measure_option.builder.timeout))
        made = measure_for(
            self.task.measurable(), threads=self.task.threads, workers=builder.n_parallel, seconds=seconds
        )
        with closing(made) as measure:
            self.search_with(search, measure, n_trial, measure_option, early_stopping, callbacks)

    def search_with(
        self,
        search: Any,
        measure: Measure,
        n_trial: int,
        measure_option: MeasureOption,
        early_stopping: int | None,
        callbacks: Sequence[Callback],
    ) -> None:
        """Run the search on this task with a function that measures its candidates."""
        space = self.task.search_space(self.start)
        seen: set[int] = set()

        def on_trial(trial: Trial) -> None:
            is_new = trial.number not in seen
            seen.add(trial.number)
            self._note(len(seen), space, trial, [each for each in callbacks if is_new or takes_updates(each)])

        search(
            space,
            measure,
            trials=n_trial,
            seed=self.seed,
            starts=self._starts(),
            early_stopping=early_stopping,
            strategy=self.strategy,
            options=measure_option.runner.options,
            on_trial=on_trial,
        )

    def _note(self, count: int, space: Any, trial: Trial, callbacks: Sequence[Callback]) -> None:
        """Keep the fastest configuration, and call the callbacks."""
        config = space.config(trial.point)
        inp, result = MeasureInput(self.task.target, self.task, config), result_of(trial.measured)
        best = self.best_measure_pair
        if result.error_no == 0 and (best is None or best[0].config == config or result.mean < best[1].mean):
            if best is None or best[0].config != config:
                self.best_config, self.best_iter = config, count
            self.best_measure_pair, self.best_flops = (inp, result), self.task.flop / result.mean
        for callback in callbacks:
            callback(self, [inp], [result])

    def _starts(self) -> list[Point]:
        """Return the fastest configurations of the history."""
        pairs = sorted(best_of_each(self.history), key=lambda pair: pair[1].mean)
        points: list[Point] = []
        for inp, result in pairs:
            with suppress(TilewrightError):  # a configuration of a space that the template has not any more
                if result.error_no == 0 and len(points) < STARTS:
                    points.append(self.task.config_space.with_values(inp.config.values).values)
        return points


@coded_methods
class RandomTuner(Tuner):
    """Draws configurations at random."""

    strategy = "random"

    def __init__(self, task: Task, range_idx: tuple[int, int] | None = None, *, seed: int = 0) -> None:
        super().__init__(task, seed=seed)
        _expect_no_range(range_idx)


@coded_methods
class GridSearchTuner(Tuner):
    """Enumerates configurations in the order of their indices."""

    strategy = "gridsearch"

    def __init__(self, task: Task, range_idx: tuple[int, int] | None = None, *, seed: int = 0) -> None:
        super().__init__(task, seed=seed)
        _expect_no_range(range_idx)


@coded_methods
class GATuner(Tuner):
    """Draws configurations at random, and mutates fast ones."""

    strategy = "ga"

    def __init__(
        self, task: Task, pop_size: int = 100, elite_num: int = 3, mutation_prob: float = 0.1, *, seed: int = 0
    ) -> None:
        super().__init__(task, seed=seed)


@coded_methods
class XGBTuner(Tuner):
    """Selects configurations by the search's model, which learns the residuals of measured times."""

    strategy = "model"

    def __init__(
        self,
        task: Task,
        plan_size: int = 64,
        feature_type: str = "itervar",
        loss_type: str = "reg",
        num_threads: int | None = None,
        optimizer: Any = "sa",
        diversity_filter_ratio: float | None = None,
        log_interval: int = 50,
        *,
        seed: int = 0,
    ) -> None:
        super().__init__(task, seed=seed)
        for name, value, known in (
            ("feature_type", feature_type, ("itervar", "knob", "curve")),
            ("loss_type", loss_type, ("reg", "rank", "rank-binary")),
        ):
            if value not in known:
                fail("TW0870", f"expected {name} to be {', '.join(known)}, but got {value!r}")


@coded_methods
class DropletTuner(Tuner):
    """Coordinate descent: measures the neighbours of the fastest configuration."""

    strategy = "droplet"

    def __init__(
        self, task: Task, start_position: Sequence[int] | None = None, pvalue: float = 0.05, *, seed: int = 0
    ) -> None:
        super().__init__(task, seed=seed)
        if start_position is not None:
            space = task.config_space
            self.start = space.get(space.knob2point(start_position)).values


def _expect_no_range(range_idx: tuple[int, int] | None) -> None:
    if range_idx is not None:
        fail(
            "TW0870",
            f"expected no range of indices, but got {range_idx}",
            help="leave configurations out by a filter: cfg.multi_filter, or `filter` of define_split",
        )
