"""Two revisions beside one another: the working tree and BASE, row by row in turns, without peers.

    python benchmarks/compare.py BASE [--rows matmul-f32-1024 memory] [--threads 1 2] [--quick] [--list]

The rows, and what counts as a right result, are those of the working tree; both revisions run them with the same
interpreter and the same dependencies, each with a separate cache. A ratio is BASE's time over the working tree's:
above 1 the working tree is faster. The last lines give the geometric mean of each family, with the interval of the
means pair by pair, and the rows that are more than 8 % slower. The exit status is 1 if a row failed or gave a wrong
result in the working tree, and 0 otherwise.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from harness import changes, report
from harness.machine import describe
from harness.pairing import PAIRS, QUICK, SAMPLE_SECONDS, Effort
from harness.revisions import checked_out, commit, linked
from rows import all_rows
from suite import chosen

ROOT = Path(__file__).resolve().parents[1]


def main(argv: Sequence[str] | None = None) -> int:
    arguments = parse(argv)
    rows = [row for row in chosen(all_rows(arguments.module), arguments.rows) if row.subject in row.systems]
    if arguments.list:
        print("\n".join(f"{row.family:12} {row.name}" for row in rows))
        return 0
    effort = QUICK if arguments.quick else Effort(arguments.pairs, SAMPLE_SECONDS)
    base = commit(arguments.repository, arguments.base)
    found: list[changes.Change] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sides = (
            linked(arguments.repository, folder / "tree"),
            checked_out(arguments.repository, base, folder / "base"),
        )
        print(f"the working tree beside {base[:12]}: BASE's time / the working tree's", flush=True)
        for row in rows:
            for threads in (count for count in arguments.threads if count in row.threads):
                found.append(changes.measure(row, threads, effort, sides, folder, tuple(arguments.module)))
                print(changes.line(found[-1]), flush=True)
    print("\n".join(changes.closing(found)))
    if arguments.output:
        arguments.output.mkdir(parents=True, exist_ok=True)
        (arguments.output / f"{base[:12]}.md").write_text(changes.markdown(base, report.describe(describe()), found))
    return int(any(change.failed for change in found))


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", metavar="BASE", help="a revision, as git names them")
    parser.add_argument("--rows", nargs="+", default=[], metavar="ROW", help="names, families or patterns")
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2], metavar="N", help="default: 1 2")
    parser.add_argument("--pairs", type=int, default=PAIRS, metavar="N", help=f"of samples (default: {PAIRS})")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK.pairs} short pairs, to see that all runs")
    parser.add_argument("--list", action="store_true", help="list the rows")
    parser.add_argument("--output", type=Path, metavar="FOLDER", help="also write the table there, as Markdown")
    parser.add_argument("--repository", type=Path, default=ROOT, metavar="FOLDER", help="default: this one")
    parser.add_argument("--module", nargs="+", default=[], metavar="FILE", help="rows of these files instead")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())
