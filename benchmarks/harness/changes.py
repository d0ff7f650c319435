"""Changes between two revisions: a row's ratio with its interval, means of families, rows that are slower."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from math import exp, log
from pathlib import Path
from statistics import fmean

from tilewright.tune.estimate import Estimate

from .pairing import Effort, Pairs, measure_pairs
from .processes import Request, Worker, WorkerError
from .report import duration, table_line
from .revisions import Revision
from .row import Row

SLOWER = 1.08
"""A row that takes more than so many times as long is listed."""


@dataclass(frozen=True)
class Change:
    """A row measured in two revisions with so many threads."""

    row: Row
    threads: int
    pairs: Pairs
    """Seconds of the working tree and of BASE; none where one of them could not be measured."""
    problem: str = ""
    failed: bool = False
    """True where the working tree could not be measured, or was wrong."""

    @property
    def ratios(self) -> list[float]:
        return [base / tree for tree, base in self.pairs]

    @property
    def name(self) -> str:
        return f"{self.row.name}, {self.threads} threads"

    @property
    def is_slower(self) -> bool:
        return bool(self.pairs) and Estimate.of(self.ratios).median < 1 / SLOWER


def measure(
    row: Row, threads: int, effort: Effort, sides: tuple[Revision, Revision], folder: Path, modules: tuple[str, ...]
) -> Change:
    """Start a row in both revisions, the working tree first, check the results, and measure them in turns."""
    expected = str(folder / "expected.npy")
    Path(expected).unlink(missing_ok=True)
    tree, base = sides
    with ExitStack() as running:
        workers: list[Worker] = []
        for side, system in ((tree, None), (tree, row.subject), (base, row.subject)):
            try:
                request = Request(row.name, system, threads, expected, modules)
                workers.append(running.enter_context(Worker(request, side.variables)))
            except WorkerError as error:
                where = "BASE" if side is base else "the working tree"
                problem = f"{error.kind} in {where}: {str(error).splitlines()[-1]}"
                return Change(row, threads, [], problem, side is tree and error.kind != "absent")
        _, subject, other = workers
        try:
            (pairs,) = measure_pairs(subject, {"base": other}, effort).values()
        except WorkerError as error:
            return Change(row, threads, [], str(error), failed=True)
    return Change(row, threads, pairs)


def line(change: Change) -> str:
    """Return a row of the table."""
    if not change.pairs:
        return table_line([change.row.name, str(change.threads), "", "", change.problem])
    tree, base = (Estimate.of(seconds) for seconds in zip(*change.pairs, strict=True))
    ratio = Estimate.of(change.ratios)
    return table_line(
        [change.row.name, str(change.threads), duration(tree.median), duration(base.median), f"{ratio:.3f}"]
    )


def closing(changes: Sequence[Change]) -> list[str]:
    """Return the geometric means by family, and the rows that are slower."""
    families = dict.fromkeys(change.row.family for change in changes)
    lines: list[str] = []
    for family in families:
        measured = [change for change in changes if change.row.family == family and change.pairs]
        if measured:
            lines.append(f"{family}: {_mean(measured):.3f} over {len(measured)} rows")
    slower = [change for change in changes if change.is_slower]
    lines.append(f"{len(slower)} rows are more than {SLOWER - 1:.0%} slower")
    lines += [f"  {change.name}: {Estimate.of(change.ratios):.3f}" for change in slower]
    missing = [change for change in changes if not change.pairs]
    return lines + [f"  not measured: {change.name}: {change.problem}" for change in missing]


def _mean(changes: Sequence[Change]) -> Estimate:
    """Return the geometric mean of several rows' ratios, pair by pair: the first pairs of all rows, the second ones,
    ..."""
    by_pair = zip(*(change.ratios for change in changes), strict=True)
    return Estimate.of([exp(fmean(map(log, ratios))) for ratios in by_pair])


def markdown(base: str, machine: Sequence[str], changes: Sequence[Change]) -> str:
    """Return the whole table."""
    header = ("row", "threads", "working tree", "BASE", "BASE / working tree, median [95 % interval]")
    lines = [f"# The working tree beside {base}", "", *machine]
    family = None
    for change in changes:
        if change.row.family != family:
            family = change.row.family
            lines += ["", f"## {family}", "", table_line(header), table_line(["---"] * len(header))]
        lines.append(line(change))
    return "\n".join([*lines, "", *(f"- {text.strip()}" for text in closing(changes))]) + "\n"
