"""Does validation find faults in passes that change values, and does bisection pin the rewrite?

    python tests/mutation/attribution.py [--count 100] [--seed 1] [--jobs 2] [--only N ...]

The faults are those of `run.py --over passes`. Each is tried on the modules of the lit files that reach it, with the
passes that those files name, until the values at the end are not those at the start. Where that happens, validation
has to name the pass that holds the fault, or one that imports it, and bisection a rewrite of that pass. First,
a pass leaves out stores of copies, concatenations, relu and clip, or lets them read too early
(tests/proof/planted_stores.py): bisection has to name the very rewrite. The exit status says whether each changed value
was attributed.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from campaigns import CAMPAIGNS
from mutants import Mutant, draw
from workplace import HERE, ROOT, Baseline, Workplace, Workplaces

sys.path.insert(0, str(ROOT / "tests"))

SUITE = "tests/proof/test_lit_values.py"
LIMIT = 300.0
"""Seconds for one fault; some make a pass endless, which is no changed value."""


class Proof(NamedTuple):
    """The findings about a fault that changes a value."""

    mutant: Mutant
    found: dict[str, str | None]

    def is_named(self, package: Path) -> bool:
        """Return whether validation, and not a crash, named a pass that has the fault in what it runs."""
        module = self.found.get("pass")
        return (
            module is not None
            and self.found.get("code") == "TW0550"
            and self.mutant.file in imported_files(package, module)
        )

    @property
    def is_pinned(self) -> bool:
        return self.found.get("rewrite") is not None


def imported_files(package: Path, module: str) -> set[str]:
    """Return the files of passes/ that a module of the package runs, itself included."""
    found: set[str] = set()
    waiting = _files_of(Path(module.removeprefix("tilewright.").replace(".", "/")))
    while waiting:
        file = waiting.pop()
        if file in found or not (package / file).is_file():
            continue
        found.add(file)
        for node in ast.walk(ast.parse((package / file).read_text())):
            if isinstance(node, ast.ImportFrom) and node.level:
                folder = Path(file).parents[node.level - 1] / (node.module or "").replace(".", "/")
                names = [folder, *(folder / alias.name for alias in node.names)]
                waiting += [path for name in names if name.parts[:1] == ("passes",) for path in _files_of(name)]
    return found


def _files_of(name: Path) -> list[str]:
    """Return the files that a module may stand in: a package's is its `__init__.py`."""
    return [f"{name}.py", f"{name}/__init__.py"]


def attempt(
    workplace: Workplace, number: int, mutant: Mutant, baseline: Baseline, numbers: Mapping[str, int]
) -> Proof | None:
    """Try a fault on the modules that reach it; None where it changes no value of theirs."""
    names = [re.search(r"\[(.*)\]$", test) for test in baseline.tests_of(mutant)]
    cases = [str(numbers[name[1]]) for name in names if name is not None and name[1] in numbers]
    with workplace.changed(mutant):
        found = _prove(workplace, cases) if cases else None
    said = "no value changed" if found is None else json.dumps(found)
    print(f"{number:4} {len(cases):4} modules  {mutant}\n{'':23}{said}", flush=True)
    return None if found is None else Proof(mutant, found)


def _numbers() -> dict[str, int]:
    from proof.lit_modules import lit_modules

    return {str(case): number for number, case in enumerate(lit_modules())}


def _prove(workplace: Workplace, cases: list[str]) -> dict[str, str | None] | None:
    command = [sys.executable, str(HERE / "prove.py"), *cases]
    paths = (workplace.folder, workplace.package / "tests")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths)), "PYTHONSAFEPATH": "1"}
    try:
        run = subprocess.run(
            command, cwd=workplace.folder, env=environment, capture_output=True, text=True, timeout=LIMIT, check=False
        )
    except subprocess.TimeoutExpired:
        return None
    # programs that print values write before the line of the answer
    return json.loads(run.stdout.splitlines()[-1]) if run.returncode == 0 else None


def unfound_stores() -> list[str]:
    """Return the faults of stores that are not attributed to their pass and rewrite."""
    from proof.planted_stores import planted_stores

    planted = list(planted_stores(optimised=True))
    found = [f"{each}: {problem}" for each in planted if (problem := each.problem()) is not None]
    print(f"{len(planted) - len(found)} of {len(planted)} missing and early-read stores found and pinned", flush=True)
    for problem in found:
        print(f"not attributed: {problem}", flush=True)
    return found


def report(proofs: list[Proof], tried: int) -> bool:
    """Print what was found; whether every changed value was attributed to a pass and a rewrite."""
    named = [proof for proof in proofs if proof.is_named(ROOT)]
    pinned = [proof for proof in named if proof.is_pinned]
    print(f"\n{len(proofs)} of {tried} change a value; the pass is named for {len(named)}, pinned for {len(pinned)}")
    for proof in proofs:
        if proof not in named:
            print(f"not named: {proof.mutant}: {json.dumps(proof.found)}")
        elif proof not in pinned:
            print(f"not pinned: {proof.mutant}: {json.dumps(proof.found)}")
    return len(pinned) == len(proofs)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100, metavar="N", help="how many faults (default: 100)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="which ones (default: 1)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="at once (default: 2)")
    parser.add_argument("--only", type=int, nargs="+", metavar="N", help="of those, only these numbers")
    arguments = parser.parse_args()
    unfound = unfound_stores()
    with tempfile.TemporaryDirectory() as folder:
        workplaces = Workplaces(Path(folder), arguments.jobs)
        baseline = Baseline.record(workplaces.all[:1], (SUITE,), CAMPAIGNS["passes"].folders)
        drawn = draw(workplaces.all[0].package, CAMPAIGNS["passes"].folders, arguments.count, arguments.seed)
        chosen = [(n, m) for n, m in enumerate(drawn) if arguments.only is None or n in arguments.only]
        work = partial(attempt, baseline=baseline, numbers=_numbers())
        proofs = [proof for proof in workplaces.map(work, chosen) if proof is not None]
    return 0 if report(proofs, len(chosen)) and not unfound else 1


if __name__ == "__main__":
    sys.exit(main())
