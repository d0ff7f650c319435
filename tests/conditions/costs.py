"""Memory and time that each test takes: figures of the closing lines, which decide nothing.

Memory is the peak of the test's process above what that held before, or its largest child's.
"""

from __future__ import annotations

import os
import resource
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import each
import pytest

PEAK, PROCESSOR, LISTED = "peak MiB", "processor seconds", "listed"
"""Properties of reports; a test's text of the last one stands in the closing lines."""
SHOWN = 8
"""The number of tests that each list has."""

_KIB = 1 << 10


class Meter:
    """Measures from its construction on."""

    def __init__(self) -> None:
        _forget_peak()
        self._before = _peak(resource.RUSAGE_SELF)
        self._children = _peak(resource.RUSAGE_CHILDREN)
        self._seconds = _processor_seconds()

    def properties(self) -> list[tuple[str, object]]:
        """Return the costs so far, as properties of a report."""
        return [(PEAK, self.taken() >> 20), (PROCESSOR, round(_processor_seconds() - self._seconds, 2))]

    def taken(self) -> int:
        """Return the bytes by which the peak has grown, or those of a child where one was larger than all before it.

        A child begins as a copy of this process: one that is not larger has taken nothing.
        """
        process, children = _peak(resource.RUSAGE_SELF), _peak(resource.RUSAGE_CHILDREN)
        return max(process - self._before, children if children > max(process, self._children) else 0)


def closing(reports: Iterable[pytest.TestReport]) -> list[str]:
    """Return lines on the tests that took most memory and most time, in the reports of all phases and workers, and on
    the inputs."""
    inputs, skipped = Counter[str](), Counter[str]()
    peaks, seconds, processor = dict[str, int](), dict[str, float](), dict[str, float]()
    listed = list[str]()
    for report in reports:
        seconds[report.nodeid] = seconds.get(report.nodeid, 0) + report.duration
        found = dict(report.user_properties)
        if PEAK in found:
            peaks[report.nodeid] = int(str(found[PEAK]))
            processor[report.nodeid] = float(str(found[PROCESSOR]))
        if LISTED in found and report.when == "call":
            listed.append(f"{report.nodeid}: {found[LISTED]}")
        if each.INPUTS in found and report.when == "call":
            inputs[report.nodeid] = int(str(found[each.INPUTS]))
            skipped.update({s[0]: s[1] for name, s in report.user_properties if name == each.SKIPPED})
    lines = ["the most memory:"]
    lines += [f"{peaks[name]:7} MiB  {name}" for name in _most(peaks)]
    lines += ["the longest, with the processor time in it:"]
    lines += [f"{seconds[name]:7.1f} s {processor.get(name, 0):7.1f} s  {name}" for name in _most(seconds)]
    lines.append(f"{sum(processor.values()):.0f} s of processor time in all")
    lines += listed
    if inputs:
        lines.append(f"{len(inputs)} tests went through {inputs.total()} inputs")
    return [*lines, *(f"{count:5} inputs skipped: {reason}" for reason, count in skipped.most_common())]


def _most(costs: dict[str, int] | dict[str, float]) -> list[str]:
    return sorted(costs, key=lambda name: (-costs[name], name))[:SHOWN]


def _peak(who: int) -> int:
    return resource.getrusage(who).ru_maxrss * _KIB


def _processor_seconds() -> float:
    """Return the processor seconds of this process and of its children that have ended."""
    return sum(os.times()[:4])


def _forget_peak() -> None:
    """Let the peak of this process start at what it holds, where the system can do so; else it never falls."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return
