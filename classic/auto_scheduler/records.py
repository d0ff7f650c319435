"""Record lines in TVM's format, which contain this compiler's record.

    {"i": [["[\"matmul\", 64]", "llvm", [], "", 0, []], [[], []]], "r": [[0.001], 0, 0.003, 0], "v": "v0.6",
     "tilewright": {"version": 1, "task": "…", "decisions": {…}, …}}

The steps of TVM's sketches have no equivalent in this compiler's rules, so the list of steps is empty and the decisions
are in the record. A line written by TVM has steps alone: it is skipped, with remark TW0876.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from ...diagnostics import fail
from ...diagnostics.files import FilePath, read_text, shown
from ...diagnostics.remarks import remark
from ...hardware import machine_name
from ...passes.framework.tuning_records import Tuned, compiler_of_records, records_kept
from ...schedule.records import Record, RecordFile, Winners, parse_record
from ..autotvm.measure import ERRORS, FAILED_COST, MeasureErrorNo
from ..autotvm.record import append_lines

BAD_RECORD, FOREIGN_STEPS, NO_RECORD = "TW0873", "TW0876", "TW0877"
LOG_VERSION = "v0.6"
_OURS = "tilewright"


class MeasureInput(NamedTuple):
    """A schedule that was measured."""

    task: Any
    """The search task; None where it was read from a file."""
    workload_key: str
    record: Record


class MeasureResult(NamedTuple):
    """Seconds of a run by sample, or the number of the error."""

    costs: tuple[float, ...]
    error_no: int
    error_msg: str
    all_cost: float
    timestamp: float


def result_of(record: Record) -> MeasureResult:
    """Return the classic result that a record states."""
    by_text = {None: MeasureErrorNo.NO_ERROR, **{f.value: number for f, number in ERRORS.items() if f is not None}}
    error = by_text.get(record.error, MeasureErrorNo.UNKNOWN_ERROR)
    costs = record.samples if error == 0 else (FAILED_COST,)
    return MeasureResult(costs, int(error), record.detail, sum(record.samples), 0.0)


def line_of(inp: MeasureInput) -> str:
    """Return the line of an input, without its end."""
    key, record = inp.workload_key, inp.record
    target = record.target if inp.task is None else inp.task.target.target
    costs, error, _, all_cost, timestamp = result_of(record)
    line = {
        "i": [[key, target, [], "", 0, []], [[], []]],
        "r": [costs, error, all_cost, timestamp],
        "v": LOG_VERSION,
        _OURS: json.loads(record.as_line()),
    }
    return json.dumps(line)


class RecordToFile:
    """The callback that appends a line for each measurement to a file."""

    def __init__(self, filename: FilePath) -> None:
        self.filename = filename

    def callback(self, policy: Any, inputs: Sequence[MeasureInput], results: Sequence[MeasureResult]) -> None:
        """Append the lines of inputs."""
        append_lines(self.filename, map(line_of, inputs))


def read_lines(path: FilePath) -> list[tuple[str, Record]]:
    """Return the workload keys and records of a file, records of `tilewright tune` among them, whose key is that of the
    task.

    Lines of the original (remark TW0876) and damaged ones (TW0873) are passed over. Raises TilewrightError TW0873 where
    there are lines and none is left, TW0204 where the file cannot be read.
    """
    found: list[tuple[str, Record]] = []
    rows = [
        (number, row)
        for number, row in enumerate(read_text(path).splitlines(), 1)
        if row.strip() and not row.startswith("#")
    ]
    for number, row in rows:
        try:
            line = cast("Mapping[str, Any]", json.loads(row))
            if "task" in line:
                found.append((line["task"], parse_record(row)))
            elif _OURS in line:
                found.append((str(line["i"][0][0]), parse_record(json.dumps(line[_OURS]))))
            else:
                key, steps = line["i"][0][0], line["i"][1][1]
                reason = f"line {number} of '{shown(path)}' has {len(steps)} steps of sketches for {key}"
                remark(FOREIGN_STEPS, f"{reason}: it is passed over")
        except (ValueError, KeyError, TypeError, IndexError, RecursionError) as error:
            remark(BAD_RECORD, f"line {number} of '{shown(path)}' is passed over: {type(error).__name__}: {error}")
    if rows and not found:
        fail(
            BAD_RECORD,
            f"expected records of this compiler in '{shown(path)}', but there is none",
            help="write them with auto_scheduler.RecordToFile; steps of the original are none: tune again",
        )
    return found


def load_records(filename: FilePath) -> list[tuple[MeasureInput, MeasureResult]]:
    """Return the inputs and results of a file."""
    return [(MeasureInput(None, key, record), result_of(record)) for key, record in read_lines(filename)]


def save_records(filename: FilePath, inputs: Iterable[MeasureInput], results: Iterable[MeasureResult]) -> None:
    """Append the lines of inputs to a file; results are those that their records state."""
    append_lines(filename, map(line_of, inputs))


def load_best_record(
    filename: FilePath, workload_key: str | None = None, target: Any = None, include_compatible: bool = False
) -> tuple[MeasureInput | None, MeasureResult | None]:
    """Return the fastest input of a file and its result, of one workload if it is given; None and None where there is
    none."""
    pairs = [pair for pair in load_records(filename) if workload_key in (None, pair[0].workload_key)]
    valid = [pair for pair in pairs if pair[0].record.is_valid]
    return min(valid, key=lambda pair: pair[0].record.seconds, default=(None, None))


class RecordReader:
    """The records of a file, one after the other."""

    def __init__(self, filename: FilePath) -> None:
        self._pairs = load_records(filename)

    def read_lines(self, max_lines: int | None = None, skip_lines: int = 0) -> Any:
        """Return the inputs and the results of some lines, as two lists."""
        pairs = self._pairs[skip_lines : None if max_lines is None else skip_lines + max_lines]
        return [inp for inp, _ in pairs], [result for _, result in pairs]

    def __iter__(self) -> Any:
        return iter(self._pairs)


@dataclass(frozen=True)
class CallbackStore:
    """The store of a tuning run that passes each record to callbacks, and has some initial records."""

    known: Sequence[Record]
    on_record: Callable[[Record], None]

    def append(self, record: Record) -> None:
        """Hand out a record."""
        self.on_record(record)

    def read(self) -> RecordFile:
        """Return the records to begin with."""
        return as_file(self.known)


def as_file(records: Sequence[Record], path: str = "<records>") -> RecordFile:
    """Return records as those of a file."""
    return RecordFile(path, tuple(records), tuple(range(1, len(records) + 1)))


def winners(records: Sequence[Record]) -> Winners:
    """Return the best records of this machine and this compiler."""
    return Winners.of(records, machine_name(), compiler_of_records())


class ApplyHistoryBest:
    """The context in which compilations take the best schedules that a file has for this machine and compiler.

    `records` is the path of a file, or several, of `RecordToFile` or of `tilewright tune`.
    """

    def __init__(self, records: Any, n_lines: int | None = None, include_compatible: bool = False) -> None:
        paths: list[Any] = list(records) if isinstance(records, (list, tuple)) else [records]
        found = [record for path in paths for _, record in read_lines(path)[:n_lines]]
        self._tuned = Tuned(as_file(found, str(paths[0])), winners(found))

    def __enter__(self) -> ApplyHistoryBest:
        self._kept = records_kept(self._tuned)
        self._kept.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._kept.__exit__(*error)
