"""Names of TVM's search policies: their parameters give the initial records of a search, and its seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...diagnostics.expectations import coded_methods
from ...diagnostics.files import FilePath
from ...schedule.records import Record
from .records import read_lines

if TYPE_CHECKING:
    from .task import SearchTask


class RandomModel:
    """No cost model: points of the search space are drawn at random."""

    strategy = "random"


class XGBModel:
    """The model of the search, which learns the ratio of measured to predicted times during the search."""

    strategy = "default"

    def __init__(self, verbose_eval: int = 25, num_warmup_sample: int = 100, **options: Any) -> None:
        self.history: list[Record] = []

    def update_from_file(self, file_name: FilePath, n_lines: int | None = None) -> None:
        """Let the search begin with the records of a file."""
        self.history += [record for _, record in read_lines(file_name)[:n_lines]]


class PreloadMeasuredStates:
    """Continues a search from the records of a file: schedules measured by this machine and compiler are skipped."""

    def __init__(self, filename: FilePath) -> None:
        self.history = [record for _, record in read_lines(filename)]


class PreloadCustomSketchRule:
    """A rule for TVM's sketches, which this search does not have; `register_schedule_rule` registers schedule rules."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        from ...diagnostics.errors import UnknownNameError

        raise UnknownNameError(
            "TW0251",
            "'auto_scheduler.PreloadCustomSketchRule' is not part of this package: there are no sketches",
            help="register a rule of schedules, whose decisions are searched: tilewright.register_schedule_rule",
        )


@coded_methods
class SketchPolicy:
    """A search of a task, with a model and initial records. TVM's other parameters are accepted and ignored."""

    def __init__(
        self,
        task: SearchTask,
        program_cost_model: Any = None,
        params: Mapping[str, Any] | None = None,
        seed: int | None = None,
        verbose: int = 1,
        init_search_callbacks: Sequence[PreloadMeasuredStates] | None = None,
    ) -> None:
        self.task = task
        self.seed = seed or 0
        self.strategy: str = "default" if program_cost_model is None else program_cost_model.strategy
        sources = [program_cost_model, *(init_search_callbacks or ())]
        self.history: list[Record] = [record for each in sources for record in getattr(each, "history", ())]
