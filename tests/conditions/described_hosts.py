"""The machines that tests run for, described by text, so that what they assert does not depend on the one at hand.

Every test sees DEFAULT as its host. A test with the marker `native(reason)` sees the machine at hand instead. With
`--hosts`, as `make test-hosts` runs it, tests with the marker `hosts` run once for each of HOSTS, and no others run.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tilewright.backends.cpu import host
from tilewright.diagnostics import TilewrightError
from tilewright.dialects.target import CpuTargetAttr

DEFAULT = "llvm -mcpu=x86-64-v3 -caches=32K,512K,8M -threads=2"

# With a triple, what the machine at hand cannot run is compiled nevertheless, and refused when it is called.
_X86_64 = "llvm -mtriple=x86_64-linux-gnu"
MACHINES = {
    "sse2": f"{_X86_64} -mcpu=x86-64 -caches=32K,512K,4M",
    "avx2": f"{_X86_64} -mcpu=x86-64-v3 -caches=32K,512K,8M",
    "avx512": f"{_X86_64} -mcpu=x86-64-v4 -caches=48K,2M",
    "avx512-vnni-bf16": f"{_X86_64} -mcpu=x86-64-v4 -mattr=+avx512vnni,+avx512bf16 -caches=32K,1M",
}
THREADS = (1, 16)
"""DEFAULT, which the same tests run for, has two."""
HOSTS = {f"{name}-{threads}": f"{text} -threads={threads}" for name, text in MACHINES.items() for threads in THREADS}
"""Name -> a described host of `make test-hosts`."""

NOT_RUN = "values are not checked:"
"""The beginning of the reason of a skip on a machine that lacks instructions of a program."""

_CANNOT_RUN = ("TW0612", "TW0750")
"""The codes of programs that this machine does not run, at compilation and at a call."""

_measured = host.measured_target
_asking = "what runs outside of tests"
_may_ask = False


def forbid_asking() -> None:
    """Let only marked tests learn from here on what the machine at hand is, and others fail that try to."""
    os.environ[host.HOST_VARIABLE] = DEFAULT
    host.measured_target = _guarded


def _guarded() -> CpuTargetAttr:
    if not _may_ask:
        raise AssertionError(
            f"{_asking} asks what this machine is, but is not marked to: state the target, as in "
            "'llvm -mcpu=x86-64-v3 -caches=32K,512K,8M -threads=2', or mark the test native(reason)"
        )
    return _measured()


def enter(item: pytest.Item) -> None:
    """Let a test see the host that it is meant to see, until the next one."""
    global _asking, _may_ask
    callspec = getattr(item, "callspec", None)
    chosen = None if callspec is None else callspec.params.get("described_host")
    _asking, _may_ask = item.nodeid, chosen is None and item.get_closest_marker("native") is not None
    if _may_ask:
        os.environ.pop(host.HOST_VARIABLE, None)
    else:
        os.environ[host.HOST_VARIABLE] = DEFAULT if chosen is None else HOSTS[chosen]


@contextmanager
def values_where_they_run() -> Iterator[None]:
    """Skip the rest of a test that calls a program for its host, where the machine at hand lacks what that has.

    What the test asserted before is checked: plans, IR, assembly.
    """
    try:
        yield
    except TilewrightError as error:
        obstacle = host.obstacle_here(host.host_target()) if error.code in _CANNOT_RUN else None
        if obstacle is None or obstacle not in str(error):
            raise
        pytest.skip(f"{NOT_RUN} {obstacle}")
