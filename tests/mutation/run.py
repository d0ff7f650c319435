"""Do the tests notice faults in the engine? Each mutant is tried in a copy of the package of its own.

    python tests/mutation/run.py [--count 100] [--seed 1] [--jobs 2] [--limit 600] [--only N ...]

A mutant is caught when a test fails, or hangs beyond the limit. The survivors are listed with the changed place;
`equivalent.txt` beside this file lists those that a person has found to change nothing that could be observed, with
the reason, and they do not count. The exit status says whether nine tenths of the others were caught.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from mutants import Mutant, draw

ROOT = Path(__file__).resolve().parents[2]
SUITES = ("tests/schedule", "tests/analysis", "tests/schedule_stages", "tests/passes/test_phase0_schedules.py")
SKIPPED = shutil.ignore_patterns(".git", ".venv", "*.egg-info", "__pycache__", ".hypothesis", "build", ".pytest_cache")
BAR = 0.9


@dataclass(frozen=True)
class Outcome:
    mutant: Mutant
    caught_by: str | None
    seconds: float


def attempt(number: int, mutant: Mutant, limit: float) -> Outcome:
    """Run the tests on one mutant, those most likely to notice first."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "tilewright"
        shutil.copytree(ROOT, package, ignore=SKIPPED)
        (package / mutant.file).write_text(mutant.source)
        caught_by = _caught_by(package, limit)
    outcome = Outcome(mutant, caught_by, time.monotonic() - start)
    print(f"{number:4} {outcome.seconds:6.0f} s  {caught_by or 'SURVIVED':50}  {mutant}", flush=True)
    return outcome


def _caught_by(package: Path, limit: float) -> str | None:
    environment = {
        **os.environ,
        "PYTHONPATH": str(package.parent),
        "PYTHONDONTWRITEBYTECODE": "1",
        "TILEWRIGHT_CACHE_DIR": str(package / ".object_cache"),
    }
    command = [sys.executable, "-m", "pytest", "-q", "-x", "--no-header", "--tb=no"]
    command += ["-c", "tests/pytest.ini", *(suite for suite in SUITES if (package / suite).exists())]
    try:
        run = subprocess.run(
            command, cwd=package, env=environment, timeout=limit, capture_output=True, text=True, check=False
        )
    except subprocess.TimeoutExpired:
        return f"more than {limit:.0f} seconds"
    if run.returncode == 0:
        return None
    failed = [line for line in run.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    if not failed:
        raise RuntimeError(f"pytest ended with status {run.returncode}: {run.stdout}{run.stderr}")
    return failed[0].split(" - ")[0]


def equivalents() -> dict[str, str]:
    """Mutants that a person has judged, by their description, with the reason."""
    lines = (Path(__file__).parent / "equivalent.txt").read_text().splitlines()
    return dict(line.split(" # ", 1) for line in lines if line.strip())


def report(outcomes: list[Outcome]) -> bool:
    known = equivalents()
    survivors = [o for o in outcomes if o.caught_by is None]
    equivalent = [o for o in survivors if str(o.mutant) in known]
    counted = len(outcomes) - len(equivalent)
    caught = len(outcomes) - len(survivors)
    print(f"\n{caught} of {counted} caught ({caught / max(counted, 1):.0%}), {len(equivalent)} equivalent")
    for outcome in survivors:
        print(f"survived: {outcome.mutant}{_reason(known, outcome)}")
    return caught >= BAR * counted


def _reason(known: dict[str, str], outcome: Outcome) -> str:
    reason = known.get(str(outcome.mutant))
    return f"  (equivalent: {reason})" if reason else ""


def _selected(mutants: list[Mutant], only: list[int] | None) -> Iterator[tuple[int, Mutant]]:
    return ((n, m) for n, m in enumerate(mutants) if only is None or n in only)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100, metavar="N", help="how many mutants (default: 100)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="which ones (default: 1)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="at once (default: 2)")
    parser.add_argument("--limit", type=float, default=600, metavar="SECONDS", help="for one mutant (default: 600)")
    parser.add_argument("--only", type=int, nargs="+", metavar="N", help="of those, only these numbers")
    arguments = parser.parse_args()
    chosen = list(_selected(draw(ROOT, arguments.count, arguments.seed), arguments.only))
    unchanged = (ROOT / chosen[0][1].file).read_text()
    if (
        failing := attempt(-1, Mutant(chosen[0][1].file, 0, "nothing", unchanged), arguments.limit).caught_by
    ) is not None:
        print(f"expected the tests to pass without a fault, but got {failing}", file=sys.stderr)
        return 1
    with ThreadPoolExecutor(arguments.jobs) as pool:
        outcomes = list(pool.map(lambda each: attempt(*each, arguments.limit), chosen))
    return 0 if report(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
