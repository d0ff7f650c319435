"""`tilewright records`: summarizes files of tuning records, extracts their best records, and merges files."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ..diagnostics import fail
from ..diagnostics.files import shown
from ..hardware import machine_name
from ..passes.framework.tuning_records import compiler_of_records
from ..schedule.open_sizes import Range, range_text
from ..schedule.records import Record, RecordFile, Winners, points, read_records
from ..tune.records import best_records, merged, write_records
from . import files
from .terminal import aligned, time_text


def records_command(action: str, paths: Sequence[str], output: str | None) -> None:
    """Carry out `show`, `best` or `merge`; a line on standard error for each line of the files that is no record."""
    found = [read_records(path) for path in paths]
    for file in found:
        for problem in file.problems:
            position = f"{shown(file.path)}:{problem.line}"
            print(f"{position}: warning[{problem.code}]: {problem.message}; the line is skipped", file=sys.stderr)
    if action == "show":
        if output is not None:
            fail("TW0209", "expected -o for best and merge only", help="redirect the output of show")
        print("\n".join(table(found)))
        return
    records = merged(found)
    chosen = best_records(records) if action == "best" else records
    if output is None:
        sys.stdout.write("".join(record.as_line() for record in chosen))
    else:
        files.check_writable(output)
        write_records(output, chosen)


def table(found: Sequence[RecordFile]) -> list[str]:
    """Return a line for each task, machine and compiler: its trials, the times of the default and of the best
    schedule."""
    records = merged(found)
    makers = dict.fromkeys((record.machine, record.compiler) for record in records)
    here = (machine_name(), compiler_of_records())
    lines: list[str] = []
    for maker in sorted(makers, key=lambda each: each != here):
        what = "" if maker == here else "; not applied here: " + _difference(maker, here)
        lines += [*([""] if lines else []), f"{maker[0]}, compiler {maker[1]}{what}"]
        rows = _rows([r for r in records if r.belongs_to(*maker)], Winners.of(records, *maker))
        lines += aligned(rows, right=(2, 3, 4, 5, 6))
    return lines or ["no records"]


def _difference(maker: tuple[str, str], here: tuple[str, str]) -> str:
    return "another machine" if maker[0] != here[0] else f"this compiler is {here[1]}"


def _rows(records: Sequence[Record], winners: Winners) -> list[tuple[str, ...]]:
    rows = [("task", "kernel", "points", "failed", "default", "best", "gain", "chosen")]
    groups: dict[tuple[str, tuple[tuple[str, Range], ...]], list[Record]] = {}
    for record in records:
        groups.setdefault((record.task, tuple(record.sizes.items())), []).append(record)
    for (key, ranges), group in groups.items():
        tried = points(group)
        default = next((point for point in tried if point.is_default and point.is_valid), None)
        best = next((each for each in winners.versions.get(key, ()) if tuple(each.sizes.items()) == ranges), None)
        gain = _gain(best, default)
        rows.append(
            (
                key[:8],
                " ".join([group[0].name, *(f"{size}={range_text(limits)}" for size, limits in ranges)]),
                str(len(tried)),
                str(sum(not point.is_valid for point in tried)),
                "-" if default is None else time_text(default.seconds),
                "-" if best is None else time_text(best.seconds),
                "-" if gain is None else f"{gain:.2f} x",
                "-" if best is None else "the default" if best.is_default else f"trial {best.trial}",
            )
        )
    return rows


def _gain(best: Record | None, default: Record | None) -> float | None:
    """Return the time of the default schedule over that of the best one, from pairs where there are some."""
    if best is None or default is None:
        return None
    if best.is_default:
        return 1.0
    return 1 / best.ratio if best.paired and best.beside == default.code else default.seconds / best.seconds
