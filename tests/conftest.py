"""Settings of all tests.

No verdict depends on time, memory, load or caches of the machine. Time and memory of each test are figures of the
closing lines (`conditions/costs.py`), benchmarks judge them. Limits of time end what hangs (`conditions/hangs.py`);
hypothesis and proofs have none. Hypothesis draws the same each time, unless TILEWRIGHT_FUZZ asks for more draws, as
`make fuzz` does: a test that fails fails again. Models are compiled and not taken from the cache of programs: tests are
about what passes do. Objects and kernels are kept for a run, in a folder that begins empty. Tests see a described
machine, not the one at hand (`conditions/described_hosts.py`), and each error that one sees has a remedy
(`conditions/refusals.py`).
"""

from __future__ import annotations

import math
import os
import shutil
import tempfile
from collections.abc import Generator
from typing import Any

import costs
import described_hosts
import each
import needed_tools
import pytest
import refusals
import tiers
from hypothesis import HealthCheck, settings
from tilewright.analysis.equivalence import DEFAULT

settings.register_profile(
    "untimed",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="TILEWRIGHT_FUZZ" not in os.environ,
)
settings.load_profile("untimed")

os.environ["TILEWRIGHT_PROGRAM_CACHE"] = "0"
if "TILEWRIGHT_CACHE_DIR" not in os.environ:  # workers of xdist have that of the process that starts them
    _made = tempfile.mkdtemp(prefix="tilewright-objects-")
    os.environ["TILEWRIGHT_CACHE_DIR"] = _made
else:
    _made = ""
described_hosts.forbid_asking()
refusals.watch()
object.__setattr__(DEFAULT, "seconds", math.inf)  # operations alone bound a proof: the same on a busy machine

_meter = pytest.StashKey[costs.Meter]()


def pytest_configure(config: pytest.Config) -> None:
    needed_tools.required()
    config.pluginmanager.register(needed_tools)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--hosts", action="store_true", help="run what is marked 'hosts', once for each described machine")
    tiers.add_option(parser)
    parser.addoption(each.OPTION, action="store_true", help="a test for each input where one goes through many")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.config.getoption("--hosts") and _is_for_hosts(metafunc.definition):
        metafunc.parametrize("described_host", described_hosts.HOSTS, indirect=True, scope="session")
    each.parametrize(metafunc)


def _is_for_hosts(definition: pytest.Item) -> bool:
    """Return whether a test is marked 'hosts', or one of the sets of values that it runs for."""
    sets = [values for mark in definition.iter_markers("parametrize") for values in mark.args[1]]
    marks = [mark for values in sets for mark in getattr(values, "marks", ())]
    return definition.get_closest_marker("hosts") is not None or any(mark.name == "hosts" for mark in marks)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--hosts"):
        others = [item for item in items if item.get_closest_marker("hosts") is None]
        items[:] = [item for item in items if item.get_closest_marker("hosts") is not None]
        config.hook.pytest_deselected(items=others)
    tiers.select(config, items)


def pytest_unconfigure() -> None:
    """Remove what was kept for the run."""
    if _made:
        shutil.rmtree(_made, ignore_errors=True)


def pytest_sessionfinish(session: pytest.Session) -> None:
    tiers.hand_over(session.config)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take over the results of a worker that is through, where xdist runs the tests."""
    tiers.take_over(node.config, getattr(node, "workeroutput", {}))


@pytest.fixture(scope="session", autouse=True)
def described_host(request: pytest.FixtureRequest) -> str:
    """Return the name of the described machine that a test runs for; empty for the default one."""
    return getattr(request, "param", "")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, None, None]:
    item.stash[_meter] = costs.Meter()
    described_hosts.enter(item)
    refusals.forget()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    try:
        with described_hosts.values_where_they_run():
            result = yield
    finally:
        item.user_properties += item.stash[_meter].properties()
    refusals.check()
    return result


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    return each.call(pyfuncitem) or None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List the tests that took most memory and most time, and the ones that the tier leaves out."""
    reports = [r for found in terminalreporter.stats.values() for r in found if isinstance(r, pytest.TestReport)]
    terminalreporter.write_sep("=", "costs, which decide nothing")
    for line in (*costs.closing(reports), *tiers.closing(terminalreporter.config)):
        terminalreporter.write_line(line)
