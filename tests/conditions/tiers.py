"""The two tiers of tests: `make test` leaves out what is marked `full`, `make test-all` runs everything.

What `make test` runs shows that every part works. Marked `full` are further inputs of a kind that it has. Of a test
that is marked `sampled(n)` it runs every n-th set of parameters, the first one among them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

OPTION = "--tier"
QUICK, REST, ALL = "quick", "rest", "all"
MARK, SAMPLED = "full", "sampled"

_left_out = pytest.StashKey[Counter[str]]()
_OUTPUT = "left out"
"""The name of a worker's output in xdist: the folders of the tests that it left out."""


def add_option(parser: pytest.Parser) -> None:
    text = f"run what is not marked '{MARK}' ({QUICK}), what is ({REST}), or both"
    parser.addoption(OPTION, choices=(QUICK, REST, ALL), default=ALL, help=text)


def select(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the tests that are not of the chosen tier."""
    tier = config.getoption(OPTION)
    if tier == ALL:
        return
    full = _full(items)
    others = [item for item in items if (item in full) == (tier == QUICK)]
    items[:] = [item for item in items if (item in full) == (tier == REST)]
    config.stash[_left_out] = Counter("/".join(item.nodeid.split("::")[0].split("/")[1:-1][:1]) for item in others)
    config.hook.pytest_deselected(items=others)


def _full(items: Sequence[pytest.Item]) -> set[pytest.Item]:
    """Return the tests that the quick tier leaves out."""
    found, seen = set[pytest.Item](), Counter[str]()
    for item in items:
        sampled, name = item.get_closest_marker(SAMPLED), item.nodeid.split("[")[0]
        if item.get_closest_marker(MARK) is not None or (sampled is not None and seen[name] % sampled.args[0]):
            found.add(item)
        seen[name] += 1
    return found


def hand_over(config: pytest.Config) -> None:
    """Let a worker of xdist say what it left out: the same as all others."""
    output = getattr(config, "workeroutput", None)
    if output is not None:
        output[_OUTPUT] = dict(config.stash.get(_left_out, {}))


def take_over(config: pytest.Config, output: dict[str, object]) -> None:
    """Keep the output of a worker of xdist: all workers leave out the same."""
    config.stash[_left_out] = Counter(output.get(_OUTPUT, {}))  # type: ignore[arg-type]


def closing(config: pytest.Config) -> list[str]:
    """Return the tests that the quick tier left out, by folder, and the command for them."""
    found = config.stash.get(_left_out, Counter[str]())
    if config.getoption(OPTION) != QUICK or not found:
        return []
    folders = ", ".join(f"{folder or 'tests'} {count}" for folder, count in sorted(found.items()))
    return [f"left out, {found.total()} tests: {folders}", "`make test-all` runs them too"]
