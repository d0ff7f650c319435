"""A copy of the package to change, and the tests run in it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib.util import cache_from_source
from itertools import accumulate
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar

from mutants import Mutant

T = TypeVar("T")
Fault = TypeVar("Fault")

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SKIPPED = shutil.ignore_patterns(".git", ".venv", "*.egg-info", "__pycache__", ".hypothesis", "build", ".*_cache")
SLOWER = 3.0
MARGIN = 10.0
"""A test hangs when it takes SLOWER times its processor seconds without a fault, and MARGIN more."""
BUDGET = 60.0
"""Processor seconds, without a fault, of the tests that a mutant is tried with."""
WAITING = 600.0
"""Seconds after which a run that takes no processor time hangs."""
TESTS_FAILED, INTERRUPTED = 1, 2
"""Exit statuses of pytest. A file of tests that cannot be imported interrupts."""


class Workplace:
    """One copy of the package, in which one run of the tests at a time takes place."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.package = folder / "tilewright"
        shutil.copytree(ROOT, self.package, ignore=SKIPPED)

    def record(self, suites: Iterable[str], folders: Iterable[str]) -> Baseline:
        """Run the suites without a fault, and see which lines of the folders they reach."""
        path = self.folder / "record.json"
        run = self._pytest(suites, None, MUTATION_RECORD=str(path), MUTATION_FOLDERS=" ".join(folders))
        if run.returncode not in (0, TESTS_FAILED):
            raise RuntimeError(f"expected the tests to run without a fault, but got {run.stdout}{run.stderr}")
        for line in run.stdout.splitlines():
            if line.startswith("FAILED"):
                print(f"left out, as it fails without a fault: {line.removeprefix('FAILED ')}", flush=True)
        return Baseline(**json.loads(path.read_text()))

    def first_failure(self, tests: dict[str, float], mutant: Mutant | None = None) -> str | None:
        """Return the first of the tests to fail, or how the run ended. The tests come with their limits."""
        if mutant is None:
            return self._first_failure(tests)
        with self.changed(mutant):
            return self._first_failure(tests)

    def changed(self, mutant: Mutant) -> AbstractContextManager[None]:
        """Put the fault into the package inside of the context."""
        return self.replaced(mutant.file, mutant.source(self.package))

    @contextmanager
    def replaced(self, file: str, source: str) -> Generator[None]:
        """Replace the text of a file of the package inside of the context."""
        path = self.package / file
        original = path.read_text()
        try:
            self._write(path, source)
            yield
        finally:
            self._write(path, original)

    def _write(self, path: Path, source: str) -> None:
        """Write a source, without the bytecode of another one that was written in the same second."""
        path.write_text(source)
        Path(cache_from_source(str(path))).unlink(missing_ok=True)

    def failing(self, tests: Iterable[str]) -> str | None:
        """Return the first failure of whole files of tests, or of single ones, as pytest names them."""
        run = self._pytest(("-x", *tests), WAITING)
        if run.returncode == 0:
            return None
        lines = [line for line in run.stdout.splitlines() if line.startswith(("FAILED ", "ERROR "))]
        if run.returncode not in (TESTS_FAILED, INTERRUPTED) or not lines:
            raise RuntimeError(f"pytest ended with status {run.returncode}: {run.stdout}{run.stderr}")
        return lines[0].split(" ", 1)[1]

    def _first_failure(self, tests: dict[str, float]) -> str | None:
        path = self.folder / "tests.json"
        path.write_text(json.dumps(tests))
        files = dict.fromkeys(name.split("::")[0] for name in tests)
        try:
            run = self._pytest(("-x", *files), WAITING, MUTATION_TESTS=str(path))
        except subprocess.TimeoutExpired:
            return f"more than {WAITING:.0f} seconds"
        if run.returncode == 0:
            return None
        if run.returncode < 0:
            return f"ended by {signal.Signals(-run.returncode).name}"
        failed = path.with_suffix(".failed")
        if run.returncode not in (TESTS_FAILED, INTERRUPTED) or not failed.exists():
            raise RuntimeError(f"pytest ended with status {run.returncode}: {run.stdout}{run.stderr}")
        return failed.read_text()

    def _pytest(
        self, arguments: Iterable[str], limit: float | None, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join((str(self.folder), str(HERE))),
            "TILEWRIGHT_CACHE_DIR": str(self.folder / "objects"),
            **variables,
        }
        command = [sys.executable, "-m", "pytest", "-q", "--no-header", "--tb=no", "-p", "pytest_reach", "--each"]
        return subprocess.run(
            [*command, *arguments],
            cwd=self.package,
            env=environment,
            timeout=limit,
            capture_output=True,
            text=True,
            check=False,
        )


class Workplaces:
    """Several of them, for work on several faults at once."""

    def __init__(self, folder: Path, count: int) -> None:
        self.all = [Workplace(folder / str(number)) for number in range(count)]
        self._free: SimpleQueue[Workplace] = SimpleQueue()
        for workplace in self.all:
            self._free.put(workplace)

    def map(self, work: Callable[[Workplace, int, Fault], T], chosen: Sequence[tuple[int, Fault]]) -> list[T]:
        """Return the results of `work` for each numbered fault, each in an exclusive workplace."""

        def alone(each: tuple[int, Fault]) -> T:
            workplace = self._free.get()
            try:
                return work(workplace, *each)
            finally:
                self._free.put(workplace)

        with ThreadPoolExecutor(len(self.all)) as pool:
            return list(pool.map(alone, chosen))


@dataclass(frozen=True)
class Baseline:
    """The results of the tests without a fault."""

    seconds: dict[str, float]
    """Of the processor, by test."""
    reached: dict[str, dict[str, list[str]]]
    """By file and line, the tests that reach it; the empty name stands for the import."""

    @staticmethod
    def record(workplaces: list[Workplace], suites: Iterable[str], folders: Sequence[str]) -> Baseline:
        """Run all suites once, their files dealt out to the workplaces."""
        files = [str(path.relative_to(ROOT)) for suite in suites for path in _tests(ROOT / suite)]
        shares = [files[n :: len(workplaces)] for n in range(len(workplaces))]
        with ThreadPoolExecutor(len(workplaces)) as pool:
            return _merged(pool.map(Workplace.record, workplaces, shares, [folders] * len(shares)))

    @cached_property
    def effort(self) -> dict[str, float]:
        """The seconds of each test times the lines that it reaches: what reaches fewer says more about each."""
        lines = Counter(test for file in self.reached.values() for tests in file.values() for test in tests)
        return {test: seconds * lines[test] for test, seconds in self.seconds.items()}

    def tests_of(self, mutant: Mutant) -> dict[str, float]:
        """Return the tests that reach a mutant, the quick and narrow ones first, with their limits, while BUDGET lasts.

        The lines of an expression are not always traced, those of its statement are. What runs when the module is
        imported, which may be before anything is traced, concerns every test that reaches a function of the module.
        """
        reached = self.reached.get(mutant.file, {})
        names = _at(reached, mutant.lines) or _at(reached, mutant.statement)
        if not mutant.function or not names or "" in names:
            names = names.union(*reached.values())
        chosen = sorted(names - {""}, key=self.effort.__getitem__)
        spent = accumulate(self.seconds[name] for name in chosen)
        return self.with_limits(name for name, total in zip(chosen, spent, strict=True) if total <= BUDGET)

    def with_limits(self, names: Iterable[str]) -> dict[str, float]:
        return {name: SLOWER * self.seconds[name] + MARGIN for name in names}


def _at(reached: dict[str, list[str]], lines: range) -> set[str]:
    return set().union(*(reached.get(str(line), ()) for line in lines))


def _tests(suite: Path) -> list[Path]:
    return sorted(suite.rglob("test_*.py")) if suite.is_dir() else [suite]


def _merged(parts: Iterable[Baseline]) -> Baseline:
    seconds: dict[str, float] = {}
    reached: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for part in parts:
        seconds |= part.seconds
        for file, lines in part.reached.items():
            for line, tests in lines.items():
                reached[file][line] += tests
    return Baseline(seconds, reached)
