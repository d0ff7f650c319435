"""All benchmarks beside their peers in one run; writes a table, JSON and a plot.

    python benchmarks/suite.py [--rows matmul-f32-1024 memory] [--threads 1 2] [--quick] [--list]

A row is named by its name, its family, or a pattern such as "conv-*". Results go to benchmarks/results/, those of
chosen rows to benchmarks/results/partial/. The exit status is 0 if every result was right and no bar fell short, and 1
otherwise; peers that are not installed are reported and change nothing.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path

from harness import plot, report
from harness.machine import describe
from harness.pairing import PAIRS, QUICK, SAMPLE_SECONDS, Effort, Result, measure_row
from harness.processes import Request, Worker, WorkerError
from harness.row import Row
from rows import all_rows

RESULTS = Path(__file__).resolve().parent / "results"


def main(argv: Sequence[str] | None = None) -> int:
    arguments = parse(argv)
    rows = chosen(all_rows(arguments.module), arguments.rows)
    if arguments.list:
        for row in rows:
            print(f"{row.family:12} {row.name:34} {', '.join(row.systems)}   {'; '.join(map(str, row.bars))}")
        return 0
    effort = QUICK if arguments.quick else Effort(arguments.pairs, SAMPLE_SECONDS)
    folder = arguments.output or (RESULTS / "partial" if arguments.rows else RESULTS)
    machine = describe()
    print("\n".join(report.describe(machine)), flush=True)
    results: list[Result] = []
    for result in measure(rows, arguments.threads, effort, tuple(arguments.module)):
        print(report.table_line(report.cells(result)).replace("<br>", "; "), flush=True)
        results.append(result)
        write(folder, machine, results, effort.pairs)  # after each row: a run that is cut off keeps what it has
    print(report.summary(results))
    print(f"written to {folder}")
    return 1 if any(result.failed or result.short for result in results) else 0


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", nargs="+", default=[], metavar="ROW", help="names, families or patterns")
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2], metavar="N", help="default: 1 2")
    parser.add_argument("--pairs", type=int, default=PAIRS, metavar="N", help=f"for each peer (default: {PAIRS})")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK.pairs} short pairs, to see that all runs")
    parser.add_argument("--list", action="store_true", help="list the rows, their systems and bars")
    parser.add_argument("--output", type=Path, metavar="FOLDER", help="where the results go")
    parser.add_argument("--module", nargs="+", default=[], metavar="FILE", help="rows of these files instead")
    return parser.parse_args(argv)


def chosen(rows: Sequence[Row], patterns: Sequence[str]) -> list[Row]:
    """Return the rows that a pattern names; all without patterns. Ends the program where a pattern names none."""
    for pattern in patterns:
        if not any(_matches(row, pattern) for row in rows):
            sys.exit(f"error: no row or family matches '{pattern}'; --list shows them")
    return [row for row in rows if not patterns or any(_matches(row, pattern) for pattern in patterns)]


def _matches(row: Row, pattern: str) -> bool:
    return row.family == pattern or fnmatch(row.name, pattern)


def measure(rows: Sequence[Row], threads: Sequence[int], effort: Effort, modules: tuple[str, ...]) -> Iterator[Result]:
    """Yield the results, row by row. The expected result of a row is computed once, whatever the number of threads."""
    with tempfile.TemporaryDirectory() as folder:
        for row in rows:
            counts = [count for count in threads if count in row.threads]
            expected = str(Path(folder) / "expected.npy")
            Path(expected).unlink(missing_ok=True)
            if row.expected is not None and counts:
                try:
                    Worker(Request(row.name, None, max(counts), expected, modules)).close()
                except WorkerError as error:
                    yield Result(row, counts[0], problems={row.subject: (error.kind, f"reference: {error}")})
                    continue
            for count in counts:
                yield measure_row(row, count, effort, expected, modules)


def write(folder: Path, machine: dict[str, object], results: Sequence[Result], pairs: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "results.md").write_text(report.markdown(machine, results, pairs))
    (folder / "results.json").write_text(report.as_json(machine, results, pairs))
    (folder / "results.svg").write_text(plot.svg(results, f"{machine['processor']}, {machine['date']}"))


if __name__ == "__main__":
    sys.exit(main())
