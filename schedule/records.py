"""Tuning records: the file format of measured schedules, and the choice of the best schedule for each function.

A file has one JSON record per line, and is only appended to. A record belongs to a task, the key of a function in
canonical form (`canonical`) on a target, and is valid for the machine and the compiler that the record names. Records
of another machine or of another compiler may start a search, but are never applied.

A line that is damaged, or of a version that this compiler does not know, is reported with its number and skipped.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from math import isfinite
from pathlib import Path
from statistics import median
from types import MappingProxyType
from typing import Any, NamedTuple, cast

from ..diagnostics.files import FilePath, check_file, read_bytes, shown
from ..diagnostics.remarks import remark
from .decisions import Point, Value
from .open_sizes import Range, Ranges, width

VERSION = 1
"""The version of the form of records that this compiler writes."""

DAMAGED, UNKNOWN_VERSION = "TW0820", "TW0821"

TRIAL, AGAIN, VERDICT = "trial", "again", "verdict"
ROLES = (TRIAL, AGAIN, VERDICT)
"""The roles of records: the first samples of a point, further ones, and the schedule that a search chose at its end,
with the samples of its last comparison."""

KERNEL, GRAPH = "kernel", "graph"
KINDS = (KERNEL, GRAPH)
"""The kinds of tasks: schedules of a function of loops, and choices of phase 0 for a graph of a few operators.

The decisions of the latter name operators and shapes, and hold for each graph that has these; there is no trace."""

DEFAULT_TRIAL = 0
"""The number of the trial that is the default schedule."""

_log = logging.getLogger("tilewright.records")


@dataclass(frozen=True)
class Record:
    """The measurement of one schedule of a task."""

    task: str
    """The key of the function and the target."""
    name: str
    """The function, in words, for readers."""
    target: str
    """The text of the target, threads included."""
    decisions: Point
    """The values of all decisions of the schedule."""
    trace: tuple[Any, ...] | None = None
    """The instructions of the schedule on the canonical form, as JSON has them; None where building failed, for graphs,
    and for further samples, whose schedule the first record of the point has."""
    samples: tuple[float, ...] = ()
    """Seconds of a run, sample by sample; empty where the measurement failed."""
    paired: tuple[float, ...] = ()
    """Seconds of the program `beside` in turns with the samples; empty where there was none."""
    beside: str = ""
    """The digest of the machine code that the samples were paired with."""
    error: str | None = None
    """The cause of a failure, a value of `tune.measure.Failure`."""
    detail: str = ""
    kind: str = KERNEL
    role: str = TRIAL
    trial: int = 0
    """The number of the point in the searches of its task; 0 is the default schedule."""
    seed: int = 0
    """The seed of the search."""
    predicted: float | None = None
    """Seconds that the cost model predicted."""
    machine: str = ""
    compiler: str = ""
    code: str = ""
    """The digest of the machine code; empty where there is none."""
    flops: float = 0.0
    """Arithmetic operations of a run."""
    sizes: Ranges = field(default_factory=lambda: MappingProxyType({}))
    """Open sizes of the function and the range of each that the record holds for; None is no upper limit."""
    version: int = VERSION

    @property
    def seconds(self) -> float:
        """The median of the samples."""
        return median(self.samples)

    @property
    def is_valid(self) -> bool:
        """True where a program ran, and gave right results."""
        return self.error is None and bool(self.samples)

    @property
    def is_default(self) -> bool:
        """True for the default schedule."""
        return self.trial == DEFAULT_TRIAL

    @property
    def ratio(self) -> float:
        """The median time beside that of the program that it was paired with."""
        return median(mine / other for mine, other in zip(self.samples, self.paired, strict=True))

    def belongs_to(self, machine: str, compiler: str) -> bool:
        """Return whether it was measured on this machine, and made by this compiler."""
        return (self.machine, self.compiler) == (machine, compiler)

    def as_line(self) -> str:
        """Return the record as a line of a file, its end included. Fields that have their default are left out."""
        data: dict[str, Any] = {"version": self.version}
        for each in fields(self):
            value = getattr(self, each.name)
            if each.name in _ALWAYS or (each.name != "version" and value != _default(each.name)):
                data[each.name] = dict(value) if isinstance(value, Mapping) else value  # pyright: ignore
        return json.dumps(data, separators=(",", ":"), allow_nan=False) + "\n"


_ALWAYS = ("task", "name", "target", "trace", "decisions", "samples", "error", "seed", "machine", "compiler")


class Problem(NamedTuple):
    """A line of a file that is not a valid record."""

    line: int
    """From 1 on."""
    code: str
    message: str


@dataclass(frozen=True)
class RecordFile:
    """The lines of a file: records with the numbers of their lines, and problems."""

    path: str
    records: tuple[Record, ...]
    lines: tuple[int, ...]
    problems: tuple[Problem, ...] = ()

    def report(self) -> None:
        """Emit a remark for each line that is no record."""
        for problem in self.problems:
            remark(problem.code, f"{shown(self.path)}:{problem.line}: {problem.message}; the line is skipped")


def read_records(path: FilePath) -> RecordFile:
    """Read a file of records; the log gets a warning for each line that is none, once for each state of the file.

    Raises TilewrightError TW0204 where the file cannot be read.
    """
    return _read(str(Path(path).absolute()), state_of(path))


def state_of(path: FilePath) -> tuple[int, ...]:
    """Return a value that differs after a file has been written to. Raises TilewrightError TW0204 where it cannot be
    read."""
    check_file(path)
    status = os.stat(path)
    return status.st_ino, status.st_size, status.st_mtime_ns


@lru_cache(maxsize=4)
def _read(path: str, state: tuple[int, ...]) -> RecordFile:
    found = parse_records(read_bytes(path), path)
    for problem in found.problems:
        _log.warning("%s:%s: %s; the line is skipped", shown(path), problem.line, problem.message)
    return found


def parse_records(data: bytes, path: str = "<records>") -> RecordFile:
    """Return the records of a file's content."""
    records: list[Record] = []
    lines: list[int] = []
    problems: list[Problem] = []
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            record = parse_record(line)
        except UnknownVersionError as error:
            problems.append(Problem(number, UNKNOWN_VERSION, str(error)))
        except (ValueError, TypeError, RecursionError) as error:
            problems.append(Problem(number, DAMAGED, f"expected a tuning record, but {error}"))
        else:
            records.append(record)
            lines.append(number)
    return RecordFile(path, tuple(records), tuple(lines), tuple(problems))


class UnknownVersionError(ValueError):
    """An error for a line whose version differs from that of this compiler's records."""


def parse_record(line: bytes | str) -> Record:
    """Return the record of a line. Raises ValueError or TypeError where it is none, UnknownVersionError for other
    versions."""
    try:
        data = json.loads(line, parse_constant=_no_number)
    except UnicodeDecodeError as error:
        raise ValueError(f"the line is no UTF-8: byte 0x{error.object[error.start]:02x}") from error
    except json.JSONDecodeError as error:
        raise ValueError(f"the line is no JSON: {error.msg} at column {error.colno}") from error
    if not isinstance(data, dict):
        raise TypeError(f"got {type(data).__name__}")
    given = cast("dict[str, Any]", data)
    version = given.get("version")
    if isinstance(version, bool) or version != VERSION:
        raise UnknownVersionError(f"expected a record of version {VERSION}, but got version {version!r}")
    if missing := [name for name in _ALWAYS if name not in given]:
        raise ValueError(f"it has no {', '.join(missing)}")
    record = Record(**{name: _READERS[name](name, given[name]) for name in _READERS if name in given})
    if record.paired and len(record.paired) != len(record.samples):
        raise ValueError(f"it has {len(record.samples)} samples, but {len(record.paired)} times beside them")
    return record


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number of JSON")


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name} is no text: {value!r}")
    return value


def _optional_text(name: str, value: object) -> str | None:
    return None if value is None else _text(name, value)


def _one_of(*known: str) -> Callable[[str, object], str]:
    def read(name: str, value: object) -> str:
        if value not in known:
            raise ValueError(f"{name} is none of {', '.join(known)}: {value!r}")
        return cast(str, value)

    return read


def _count(name: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name} is no whole number: {value!r}")
    return value


def _number(name: str, value: object) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not isfinite(value) or value < 0:
        raise TypeError(f"{name} is no number from 0 on: {value!r}")
    return float(value)


def _optional_number(name: str, value: object) -> float | None:
    return None if value is None else _number(name, value)


def _times(name: str, value: object) -> tuple[float, ...]:
    if not isinstance(value, list):
        raise TypeError(f"{name} is no list: {value!r}")
    times = tuple(_number(name, each) for each in cast("list[object]", value))
    if 0.0 in times:
        raise ValueError(f"{name} has a time of 0 seconds")
    return times


def _trace(name: str, value: object) -> tuple[Any, ...] | None:
    if value is not None and not isinstance(value, list):
        raise TypeError(f"{name} is no list of instructions")
    return None if value is None else tuple(cast("list[Any]", value))


def _decisions(name: str, value: object) -> Point:
    if not isinstance(value, dict):
        raise TypeError(f"{name} is no dictionary: {value!r}")
    return {key: _value(key, each) for key, each in cast("dict[str, object]", value).items()}


def _value(name: str, value: object) -> Value:
    if isinstance(value, list):
        return tuple(_value(name, each) for each in cast("list[object]", value))
    if value is None or isinstance(value, (bool, int, str)):
        return value
    raise TypeError(f"decision {name} has the value {value!r}")


def _sizes(name: str, value: object) -> Ranges:
    if not isinstance(value, dict):
        raise TypeError(f"{name} is no dictionary: {value!r}")
    return {key: _range(f"{name} of {key}", each) for key, each in cast("dict[str, object]", value).items()}


def _range(name: str, value: object) -> Range:
    if not isinstance(value, list) or len(cast("list[object]", value)) != 2:
        raise TypeError(f"{name} is no pair of limits: {value!r}")
    low, high = cast("list[object]", value)
    return _count(name, low), None if high is None else _count(name, high)


_READERS: Mapping[str, Callable[[str, object], Any]] = {
    "task": _text,
    "name": _text,
    "target": _text,
    "decisions": _decisions,
    "trace": _trace,
    "samples": _times,
    "paired": _times,
    "beside": _text,
    "error": _optional_text,
    "detail": _text,
    "kind": _one_of(*KINDS),
    "role": _one_of(*ROLES),
    "trial": _count,
    "seed": _count,
    "predicted": _optional_number,
    "machine": _text,
    "compiler": _text,
    "code": _text,
    "flops": _number,
    "sizes": _sizes,
}
"""The fields of a record, and the functions that check and read them."""

_DEFAULTS = Record("", "", "", {})


def _default(name: str) -> Any:
    return getattr(_DEFAULTS, name)


@dataclass(frozen=True)
class Winners:
    """The best records of each task, among those of one machine and compiler."""

    versions: Mapping[str, tuple[Record, ...]]
    """By the key of the task, one for each range of open sizes, the narrowest first. The record of a default schedule
    says that nothing was faster."""

    @staticmethod
    def of(records: Iterable[Record], machine: str, compiler: str) -> Winners:
        """Choose among the records of this machine and this compiler.

        The last verdict of a search of the task decides. Without a verdict, because no search has finished, the ratio
        to the default schedule decides: of samples that were taken beside it, else of the medians.
        """
        tasks: dict[str, dict[str, list[Record]]] = {}
        for record in records:
            if record.belongs_to(machine, compiler):
                tasks.setdefault(record.task, {}).setdefault(_ranges_text(record), []).append(record)
        found: dict[str, tuple[Record, ...]] = {}
        for key, by_range in tasks.items():
            best = [record for ranges in sorted(by_range) if (record := _best(by_range[ranges])) is not None]
            if best:
                found[key] = tuple(sorted(best, key=lambda record: width(record.sizes)))
        return Winners(found)

    @property
    def best(self) -> Mapping[str, Record]:
        """The best record of each task; of one with several ranges, that of the narrowest."""
        return {key: versions[0] for key, versions in self.versions.items()}

    def digest(self, target: str) -> str:
        """Return the digest of the schedules that these make of functions for a target; empty where all are the
        default."""
        found = [
            [
                key,
                [[record.is_default, record.trace, dict(record.decisions), dict(record.sizes)] for record in versions],
            ]
            for key, versions in sorted(self.versions.items())
            if (versions[0].target, versions[0].kind) == (target, KERNEL) and not all(r.is_default for r in versions)
        ]
        answers = self.answers(target)
        if not found and not answers:
            return ""
        digest = hashlib.sha256()
        for part in (*found, dict(answers)):
            digest.update(json.dumps(part, sort_keys=True).encode() + b"\0")
        return digest.hexdigest()

    def answers(self, target: str) -> dict[str, Value]:
        """Return the decisions of phase 0 for a target, of all graphs for which others than the default ones are
        faster.

        Where two graphs have an operator in common and answer differently, the one that gained more decides.
        """
        graphs = [r for r in self.best.values() if (r.target, r.kind) == (target, GRAPH) and not r.is_default]
        graphs.sort(key=lambda record: (record.ratio if record.paired else 1.0, record.task), reverse=True)
        return {key: value for record in graphs for key, value in record.decisions.items()}


def points(records: Iterable[Record]) -> list[Record]:
    """Return the records of one task with all samples of a point as one, in the order of their first ones.

    A point has failed where any of its records says so. Pairs are kept where all are with the same program.
    """
    found: dict[str, Record] = {}
    for record in records:
        if record.role == VERDICT:
            continue
        key = json.dumps(dict(record.decisions), sort_keys=True) + _ranges_text(record)
        first = found.get(key)
        found[key] = record if first is None else _joined(first, record)
    return list(found.values())


def _ranges_text(record: Record) -> str:
    """Return the ranges of a record as text, which identifies them."""
    return json.dumps(dict(record.sizes), sort_keys=True)


def _joined(first: Record, later: Record) -> Record:
    """Return a point's first record with the samples of a later one."""
    if first.error is not None or later.error is not None:
        return later if first.error is None else first
    is_paired = first.beside == later.beside and first.paired and later.paired
    return replace(
        first,
        samples=first.samples + later.samples,
        paired=first.paired + later.paired if is_paired else (),
        beside=first.beside if is_paired else "",
    )


def _best(records: Sequence[Record]) -> Record | None:
    """Return the best record of a task."""
    if verdicts := [record for record in records if record.role == VERDICT and record.is_valid]:
        return verdicts[-1]
    found = [point for point in points(records) if point.is_valid]
    default = next((point for point in found if point.is_default), None)
    if default is None:
        return min(found, key=lambda point: point.seconds, default=None)

    def relative(point: Record) -> float:
        return point.ratio if point.paired and point.beside == default.code else point.seconds / default.seconds

    best = min(found, key=relative)
    return best if relative(best) < 1 and best.code != default.code else default
