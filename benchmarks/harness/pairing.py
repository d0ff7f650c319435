"""A row measured: the subject and each of its peers in turns.

A pair is one sample of the subject and one of a peer, the one right after the other, and gives one ratio. Every peer
has a sample of the subject beside it, and which of the two comes first changes from round to round, so that neither a
drift of the machine's speed nor the order favours anybody.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace

from tilewright.tune.estimate import Estimate

from .processes import Request, Worker, WorkerError
from .row import ROOFLINE, Bar, Limit, Row

PAIRS = 15
SAMPLE_SECONDS = 0.02
"""The least duration of a sample."""
WARM_BELOW = 0.1
"""A run shorter than so many seconds is preceded by one that is not counted: caches hold data of another system."""


@dataclass(frozen=True)
class Effort:
    """The extent of the measurements."""

    pairs: int = PAIRS
    sample_seconds: float = SAMPLE_SECONDS


QUICK = Effort(pairs=5, sample_seconds=0.002)

PEAK_SHARE = 0.93
"""The share of the measured peak from which on a bar over peers holds: no program can be many times as fast as one that
runs at the peak too."""


@dataclass(frozen=True)
class Peer:
    """One peer of a row: the subject's speedup over it, and its own seconds."""

    ratio: Estimate
    seconds: Estimate
    error: float


@dataclass(frozen=True)
class Verdict:
    """The outcome for a bar; `holds` is None where a peer was missing."""

    bar: str
    holds: bool | None
    found: str
    by: str = ""
    """The measurement that makes it hold: the ratio to the peers, the share of the peak, the seconds."""


@dataclass(frozen=True)
class Result:
    """A row that was measured with so many threads."""

    row: Row
    threads: int
    seconds: Estimate | None = None
    """Of the subject; None where it failed."""
    error: float = 0.0
    peers: dict[str, Peer] = field(default_factory=dict)
    roofline: Estimate | None = None
    """The seconds of the least work over the subject's."""
    problems: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Systems that could not be measured: the kind (absent, wrong, failed) and the message."""
    verdicts: tuple[Verdict, ...] = ()

    @property
    def failed(self) -> bool:
        """True where a result was wrong or a system broke; a system that is not installed is no failure."""
        return self.seconds is None or any(kind != "absent" for kind, _ in self.problems.values())

    @property
    def short(self) -> bool:
        """True where a bar does not hold."""
        return any(verdict.holds is False for verdict in self.verdicts)


def measure_row(row: Row, threads: int, effort: Effort, expected: str, modules: tuple[str, ...] = ()) -> Result:
    """Start the row's systems, check them, and measure them in turns. `expected` is the file of the right result."""
    problems: dict[str, tuple[str, str]] = {}
    with ExitStack() as running:
        workers: dict[str, Worker] = {}
        for system in row.systems:
            try:
                workers[system] = running.enter_context(Worker(Request(row.name, system, threads, expected, modules)))
            except WorkerError as error:
                problems[system] = (error.kind, str(error))
        subject = workers.pop(row.subject, None)
        if subject is None:
            return judge(Result(row, threads, problems=problems))
        try:
            found = measure_pairs(subject, workers, effort)
        except WorkerError as error:
            problems[row.subject] = (error.kind, str(error))
            return judge(Result(row, threads, problems=problems))
        errors = {system: worker.error for system, worker in workers.items()}
        return judge(summarize(row, threads, found, errors, subject.error, problems))


Pairs = list[tuple[float, float]]
"""Seconds of the subject and of a peer, pair by pair."""


def measure_pairs(subject: Worker, peers: dict[str, Worker], effort: Effort) -> dict[str, Pairs]:
    """Return the pairs of each peer; a subject without peers is measured by itself, under no name."""
    take_subject = sampler(subject, effort)
    takes = {system: sampler(worker, effort) for system, worker in peers.items()}
    pairs: dict[str, Pairs] = {system: [] for system in takes or ("",)}
    for number in range(effort.pairs):
        for system, found in pairs.items():
            take = takes.get(system)
            if take is None:
                seconds = take_subject()
                found.append((seconds, seconds))
            elif number % 2:
                theirs = take()
                found.append((take_subject(), theirs))
            else:
                found.append((take_subject(), take()))
    return pairs


def sampler(worker: Worker, effort: Effort) -> Callable[[], float]:
    """Return a function that takes a sample of a worker: as many runs as fill the time."""
    count = max(1, math.ceil(effort.sample_seconds / max(worker.seconds, 1e-9)))
    warm = worker.seconds < WARM_BELOW
    return lambda: worker.sample(count, warm)


def summarize(
    row: Row,
    threads: int,
    pairs: dict[str, Pairs],
    errors: dict[str, float],
    error: float,
    problems: dict[str, tuple[str, str]],
) -> Result:
    """Return the estimates from the pairs. Seconds of the subject are those of all its samples."""
    ours = Estimate.of([pair[0] for found in pairs.values() for pair in found])
    peers = {
        system: Peer(
            Estimate.of([theirs / subject_seconds for subject_seconds, theirs in found]),
            Estimate.of([theirs for _, theirs in found]),
            errors[system],
        )
        for system, found in pairs.items()
        if system
    }
    bound = peers.pop(ROOFLINE, None)
    return Result(row, threads, ours, error, peers, bound and bound.ratio, problems)


def judge(result: Result) -> Result:
    """Return the result with a verdict for each of its row's bars."""
    return replace(result, verdicts=tuple(_verdict(bar, result) for bar in result.row.bars))


def _verdict(bar: Bar | Limit, result: Result) -> Verdict:
    if result.seconds is None:
        return Verdict(str(bar), False, "no result")
    if isinstance(bar, Limit):
        holds = result.seconds.median <= bar.seconds
        return Verdict(str(bar), holds, f"{result.seconds} s", "seconds" if holds else "")
    by_ratio, found = _against_peers(bar, result)
    if by_ratio:
        return Verdict(str(bar), True, found, "ratio")
    if result.row.work.is_least and result.roofline is not None and result.roofline.median >= PEAK_SHARE:
        return Verdict(str(bar), True, found, f"{100 * result.roofline.median:.0f} % of the peak")
    return Verdict(str(bar), by_ratio, found)


def _against_peers(bar: Bar, result: Result) -> tuple[bool | None, str]:
    """Return verdicts of the ratios to a bar's peers, None where a peer is missing, and the worst ratio as text."""
    measured = {peer: result.peers[peer].ratio for peer in bar.peers if peer in result.peers}
    worst = min(measured, key=lambda peer: measured[peer].median, default=None)
    if worst is None:
        return None, "no peer was measured"
    holds = measured[worst].median >= bar.times
    missing = [peer for peer in bar.peers if peer not in measured]
    found = f"{measured[worst]} x {worst}" + (f"; {', '.join(missing)} not measured" if missing else "")
    return (None if holds and missing else holds), found
