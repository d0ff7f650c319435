"""Is each fault that was found noticed when it is planted again?

    python tests/mutation/planted.py [--of engine ...] [--jobs 2] [--only WORDS]

The rows of `faults/` are tried one at a time, each in a copy of the package with the tests that it names. The tests
pass without the fault, and one of them has to fail with it. The exit status says whether every fault was noticed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from faults import FAULTS, Fault
from workplace import Workplace, Workplaces


def attempt(workplace: Workplace, number: int, fault: Fault) -> bool:
    """Return whether the tests of a row pass without the fault, and one of them fails with it."""
    source = (workplace.package / fault.file).read_text()
    if source.count(fault.mended) != 1:
        verdict = f"STALE: {fault.file} holds the text to replace {source.count(fault.mended)} times"
    elif (failing := workplace.failing(fault.tests)) is not None:
        verdict = f"NO WITNESS: {failing} fails without the fault"
    else:
        with workplace.replaced(fault.file, source.replace(fault.mended, fault.planted)):
            found = workplace.failing(fault.tests)
        verdict = found or "SURVIVED"
    print(f"{number:4}  {fault.name}\n{'':6}{verdict}", flush=True)
    return not verdict.startswith(("STALE", "NO WITNESS", "SURVIVED"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--of", choices=FAULTS, nargs="+", default=list(FAULTS), help="whose faults (default: all)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="at once (default: 2)")
    parser.add_argument("--only", default="", metavar="WORDS", help="those with these words in the name")
    arguments = parser.parse_args()
    rows = [fault for part in arguments.of for fault in FAULTS[part] if arguments.only in fault.name]
    with tempfile.TemporaryDirectory() as folder:
        workplaces = Workplaces(Path(folder), min(arguments.jobs, max(len(rows), 1)))
        noticed = workplaces.map(attempt, list(enumerate(rows)))
    print(f"\n{sum(noticed)} of {len(rows)} planted faults noticed")
    return 0 if all(noticed) and rows else 1


if __name__ == "__main__":
    sys.exit(main())
