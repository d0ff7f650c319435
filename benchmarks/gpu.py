"""Kernels on a GPU beside torch, in one run: a table and JSON in benchmarks/results/gpu/.

    python benchmarks/gpu.py                      # on a machine with a card: under 8 minutes
    python benchmarks/gpu.py --rows softmax-8192 "conv2d-*" --pairs 7
    python benchmarks/gpu.py --simulate           # every row at a tiny size in the simulator: does everything run?
    python benchmarks/gpu.py --compile            # every row at the card's size as PTX for sm_90a; no card is needed
    python benchmarks/gpu.py --list

Each row runs in a separate process: a kernel that breaks leaves the card's context unusable. Some are compiled while
another one is measured, which has the card alone. The exit status is 0 if every row was right and no bar fell short, 1
if not, 2 without a card, 3 if the first checks fail.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from gpu.paths import prepare

NO_CARD, FAILED_CHECKS = 2, 3
RESULTS = Path(__file__).resolve().parent / "results" / "gpu"
BUDGET = 450.0
"""Seconds for everything: rows that are not done by then are left out, which the table says."""
AT_ONCE = 4
"""Rows that are compiled at once; one at a time uses the card."""


def main(argv: Sequence[str] | None = None) -> int:
    arguments = parse(argv)
    prepare()
    if arguments.work:
        return work(arguments)
    from gpu import report
    from gpu.machine import missing

    chosen = [row for row in all_rows(arguments.simulate) if matches(row.name, arguments.rows)]
    if not chosen:
        sys.exit("error: no row matches; --list shows them")
    if arguments.list:
        for row in chosen:
            print(f"{row.name:32} {', '.join(f'>= {times:g} x {peer}' for peer, times in row.bars.items())}")
        return 0
    if arguments.compile:
        return compile_rows(chosen)
    if not arguments.simulate and (reason := missing()):
        print(f"error: expected a GPU with CUDA, but {reason}", file=sys.stderr)
        print("help: --simulate runs every row at a tiny size in the simulator", file=sys.stderr)
        return NO_CARD
    start = time.monotonic()
    first = ask("checks", arguments, 120.0)
    machine = first.get("machine", {})
    print("\n".join([*report.head(machine), *first["lines"]]), flush=True)
    if not first.get("holds"):
        print("error: the first checks do not hold; nothing is measured", file=sys.stderr)
        return FAILED_CHECKS
    folder = arguments.output or RESULTS / report.folder_name(str(machine["card"]))
    results: list[dict[str, Any]] = []
    for found in measured(chosen, arguments, start):
        results.append({**found, "bars": {}} if arguments.simulate else found)  # times of a simulator say nothing
        print(report.table_line(report.cells(results[-1])).replace("<br>", "; "), flush=True)
        if arguments.output or not arguments.simulate:  # after each row: a run that is cut off keeps what it has
            report.write(folder, machine, first["lines"], results)
    print(f"{report.summary(results)} in {time.monotonic() - start:.0f} s")
    bad = [r for r in results if "problem" in r]
    short = [r for r in results if False in report.verdicts(r).values()]
    return 1 if bad or short else 0


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", nargs="+", default=[], metavar="ROW", help="names or patterns")
    parser.add_argument("--pairs", type=int, default=15, metavar="N", help="of samples for each peer (default: 15)")
    parser.add_argument("--simulate", action="store_true", help="tiny sizes in the simulator; no card is needed")
    parser.add_argument("--compile", action="store_true", help="PTX of every row, and how long it takes to make")
    parser.add_argument("--output", type=Path, metavar="FOLDER", help="where the results go")
    parser.add_argument("--list", action="store_true", help="list the rows and their bars")
    parser.add_argument("--lock", metavar="FILE", help=argparse.SUPPRESS)
    parser.add_argument("--work", nargs=2, metavar=("ROW", "FILE"), help=argparse.SUPPRESS)
    return parser.parse_args(argv)


def all_rows(tiny: bool) -> list[Any]:
    from gpu.rows import rows

    return rows(tiny)


def matches(name: str, patterns: Sequence[str]) -> bool:
    return not patterns or any(fnmatch(name, pattern) for pattern in patterns)


def compile_rows(rows: Sequence[Any]) -> int:
    """Build each row for a card that is not here."""
    from gpu.row import build

    failed = 0
    for row in rows:
        start = time.perf_counter()
        try:
            module = build(row, "cuda -arch=sm_90a -shared=232448", None)
            built = time.perf_counter() - start
            kernels = module.get_source("ptx").count(".entry")
        except Exception as error:  # the others are of interest, too
            failed += 1
            said = str(error).strip().splitlines() or [""]
            print(f"{row.name:34} {type(error).__name__}: {said[0]}", flush=True)
            continue
        whole = time.perf_counter() - start
        print(f"{row.name:34} {kernels} kernels, built in {built:.1f} s, PTX after {whole:.1f} s", flush=True)
    return 1 if failed else 0


def measured(rows: Sequence[Any], arguments: argparse.Namespace, start: float) -> Iterator[dict[str, Any]]:
    """Yield the results, row by row."""
    if arguments.simulate:  # nothing can break: one process does
        return (one(row.name, arguments) for row in rows)
    return in_processes(rows, arguments, start)


def in_processes(rows: Sequence[Any], arguments: argparse.Namespace, start: float) -> Iterator[dict[str, Any]]:
    """Yield the results of a process for each row, in the order of the rows."""
    # The longest to compile begins first; tables keep the order of the rows.
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(AT_ONCE) as pool:
        arguments.lock = str(Path(folder) / "card.lock")
        ordered = sorted(rows, key=lambda row: not row.is_network)
        running = {row.name: pool.submit(ask_in_time, row.name, arguments, start) for row in ordered}
        for row in rows:
            known = {"row": row.name, "bars": row.bars, "bytes": row.bytes, "operations": row.operations}
            found = running[row.name].result()
            yield found if "row" in found else known | {"problem": ["failed", found["lines"][0]]}


def ask_in_time(name: str, arguments: argparse.Namespace, start: float) -> dict[str, Any]:
    """Return the findings of the process of a row, unless the time for everything is over."""
    left = BUDGET - (time.monotonic() - start)
    return ask(name, arguments, left) if left > 10 else {"lines": [f"the {BUDGET:.0f} s of a run were over"]}


def ask(what: str, arguments: argparse.Namespace, limit: float) -> dict[str, Any]:
    """Return the findings of a separate process. Without an answer, `lines` gives the reason."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        command = [sys.executable, str(Path(__file__).resolve()), "--work", what, file.name]
        command += ["--pairs", str(arguments.pairs), *(["--simulate"] if arguments.simulate else [])]
        command += ["--lock", arguments.lock] if arguments.lock else []
        try:
            done = subprocess.run(command, stderr=subprocess.PIPE, text=True, timeout=limit, check=False)
        except subprocess.TimeoutExpired:
            return {"lines": [f"no answer after {limit:.0f} s"]}
        text = Path(file.name).read_text()
        if text:
            return json.loads(text)
        last = done.stderr.strip().splitlines() or [f"the process ended with status {done.returncode}"]
        return {"lines": [last[-1]]}


def work(arguments: argparse.Namespace) -> int:
    """Find one thing out and write it to a file."""
    what, path = arguments.work
    Path(path).write_text(json.dumps(first_checks(arguments) if what == "checks" else one(what, arguments)))
    return 0


def first_checks(arguments: argparse.Namespace) -> dict[str, Any]:
    from gpu.smoke import checks
    from harness.machine import commit, versions

    machine = the_machine(arguments)
    found = list(checks(machine))
    lines = [f"{name.replace('_', ' ')}: {'' if holds else 'FAILED: '}{said}" for name, holds, said in found]
    installed = ", ".join(f"{name} {version}" for name, version in versions().items())
    described = {**machine.describe(), "commit": commit(), "versions": installed}
    # Where two vectors are added rightly the rows are measured; what else is wrong stands beside them.
    holds = all(holds for name, holds, _ in found if name in ("adds", "takes_arrays_of_torch"))
    return {"machine": described, "lines": lines, "holds": holds}


def one(name: str, arguments: argparse.Namespace) -> dict[str, Any]:
    from gpu.measure import SIMULATED, Effort, measure_row

    row = next(row for row in all_rows(arguments.simulate) if row.name == name)
    effort = SIMULATED if arguments.simulate else Effort(arguments.pairs)
    if arguments.lock is None:
        return measure_row(row, the_machine(arguments), effort)
    from filelock import FileLock

    return measure_row(row, the_machine(arguments), effort, FileLock(arguments.lock))


def the_machine(arguments: argparse.Namespace) -> Any:
    from importlib.util import find_spec

    from gpu.machine import Card, Simulated

    if not arguments.simulate:
        return Card()
    return Card("cpu") if find_spec("torch") else Simulated()


if __name__ == "__main__":
    sys.exit(main())
