"""A pytest plugin for the runs of the mutation tests: which test reaches which line, and runs of chosen tests.

With MUTATION_RECORD=FILE every test is traced in a context of its own, and FILE gets the tests with their processor
seconds and, for each source line of the folders in MUTATION_FOLDERS, the tests that reach it. With MUTATION_TESTS=FILE
the tests that FILE names run, in its order, each within the processor seconds beside it: the system ends a process
that takes longer, wherever it hangs. In both, random tests draw the same examples each time.
"""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import resource
import signal
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import tilewright

PACKAGE = Path(tilewright.__file__).parent
MEMORY = 8 << 30
"""Bytes of address space: a loop that appends forever ends as a failed test."""

PHASES = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
"""Phases of hypothesis without shrinking, because only the verdict of a test matters."""

hypothesis.settings.register_profile(
    "fixed",
    derandomize=True,
    database=None,
    deadline=None,
    phases=PHASES,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)


class Recorder:
    """Traces each test in a context of its own."""

    def __init__(self, path: Path) -> None:
        import coverage

        self.path = path
        folders = os.environ["MUTATION_FOLDERS"].split()
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()
        self.coverage = coverage.Coverage(
            data_file=None, config_file=False, include=[f"{PACKAGE / folder}/*" for folder in folders]
        )
        self.coverage.start()
        self.caches = [
            each for module in _modules(folders) for each in vars(module).values() if hasattr(each, "cache_clear")
        ]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        for cache in self.caches:  # what one test computes, the next one would find without reaching a line
            cache.cache_clear()
        self.coverage.switch_context(item.nodeid)
        start = time.process_time()
        result = yield
        self.seconds[item.nodeid] = time.process_time() - start
        self.coverage.switch_context("")
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """Leave out tests that fail without a fault."""
        self.coverage.stop()
        data = self.coverage.get_data()
        reached = {
            str(Path(file).relative_to(PACKAGE)): {
                line: [test for test in tests if test not in self.failed]
                for line, tests in data.contexts_by_lineno(file).items()
            }
            for file in data.measured_files()
        }
        for test in self.failed:
            self.seconds.pop(test, None)
        self.path.write_text(json.dumps({"seconds": self.seconds, "reached": reached}))


def _modules(folders: Iterable[str]) -> Iterator[Any]:
    """Yield every module that is changed, imported before the first test: its definitions are no test's doing."""
    for folder in folders:
        root = importlib.import_module(f"tilewright.{folder}")
        yield root
        for found in pkgutil.walk_packages(root.__path__, f"{root.__name__}."):
            yield importlib.import_module(found.name)


class Chosen:
    """Runs the tests of a file in its order and within its limits; the first that fails is named in a file beside."""

    def __init__(self, path: Path) -> None:
        self.failed = path.with_suffix(".failed")
        self.failed.unlink(missing_ok=True)
        self.limits: dict[str, float] = json.loads(path.read_text())
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        signal.signal(signal.SIGPROF, signal.SIG_DFL)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        found = {item.nodeid: item for item in items}
        items[:] = [found[name] for name in self.limits if name in found]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.failed.exists():
            self.failed.write_text(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and not self.failed.exists():
            self.failed.write_text(report.nodeid)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        signal.setitimer(signal.ITIMER_PROF, self.limits[item.nodeid])
        result = yield
        signal.setitimer(signal.ITIMER_PROF, 0)
        return result


def pytest_configure(config: pytest.Config) -> None:
    """Install what the environment asks for."""
    hypothesis.settings.load_profile("fixed")  # after the one of the tests' own
    for variable, plugin in (("MUTATION_RECORD", Recorder), ("MUTATION_TESTS", Chosen)):
        if path := os.environ.get(variable):
            config.pluginmanager.register(plugin(Path(path)))
