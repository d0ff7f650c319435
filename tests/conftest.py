"""Settings of all tests.

Nothing that hypothesis draws or runs is timed, so that a loaded machine fails no test. It draws the same each time,
unless TILEWRIGHT_FUZZ asks for more draws, as `make fuzz` does: a test that fails fails again. Models are compiled and
not taken from the cache of programs: tests are about what passes do. Tests see a described machine, not the one at hand
(`conditions/described_hosts.py`), none takes more than 1 GiB (`conditions/memory_meter.py`), and each error that one
sees has a remedy (`conditions/refusals.py`).
"""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence

import described_hosts
import memory_meter
import pytest
import refusals
from hypothesis import HealthCheck, settings

settings.register_profile(
    "untimed",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="TILEWRIGHT_FUZZ" not in os.environ,
)
settings.load_profile("untimed")

os.environ["TILEWRIGHT_PROGRAM_CACHE"] = "0"
described_hosts.forbid_asking()
refusals.watch()

PEAK = "peak MiB"
"""The property of reports that holds how much memory a test took."""
_SHOWN = 5
"""How many of the tests that take most memory are listed."""

_meter = pytest.StashKey[memory_meter.Meter]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--hosts", action="store_true", help="run what is marked 'hosts', once for each described machine")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.config.getoption("--hosts") and _is_for_hosts(metafunc.definition):
        metafunc.parametrize("described_host", described_hosts.HOSTS, indirect=True, scope="session")


def _is_for_hosts(definition: pytest.Item) -> bool:
    """Whether a test is marked 'hosts', or one of the sets of values that it runs for."""
    sets = [values for mark in definition.iter_markers("parametrize") for values in mark.args[1]]
    marks = [mark for values in sets for mark in getattr(values, "marks", ())]
    return definition.get_closest_marker("hosts") is not None or any(mark.name == "hosts" for mark in marks)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--hosts"):
        others = [item for item in items if item.get_closest_marker("hosts") is None]
        items[:] = [item for item in items if item.get_closest_marker("hosts") is not None]
        config.hook.pytest_deselected(items=others)


@pytest.fixture(scope="session", autouse=True)
def described_host(request: pytest.FixtureRequest) -> str:
    """The name of the described machine that a test runs for; empty for the default one."""
    return getattr(request, "param", "")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, None, None]:
    item.stash[_meter] = memory_meter.Meter()
    described_hosts.enter(item)
    refusals.forget()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    with described_hosts.values_where_they_run():
        result = yield
    taken = item.stash[_meter].taken()
    item.user_properties.append((PEAK, taken >> 20))
    memory_meter.check(item.nodeid, taken)
    assert refusals.found() == [], "each refusal has a remedy, and a place where it is about a program"
    return result


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List the tests that took most memory."""
    reports = [r for found in terminalreporter.stats.values() for r in found if isinstance(r, pytest.TestReport)]
    peaks = {r.nodeid: int(value) for r in reports for name, value in r.user_properties if name == PEAK}
    most: Sequence[str] = sorted(peaks, key=lambda name: -peaks[name])[:_SHOWN]
    terminalreporter.write_sep("=", f"memory: the {len(most)} tests that take most")
    for name in most:
        terminalreporter.write_line(f"{peaks[name]:5} MiB  {name}")
