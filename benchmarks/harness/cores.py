"""The processors that a worker may use: one core for each of its threads."""

from __future__ import annotations

import os
from pathlib import Path

TOPOLOGY = Path("/sys/devices/system/cpu")


def physical_cores() -> list[int]:
    """Return one processor of each core that this process may use, by number."""
    cores: dict[str, int] = {}
    for cpu in sorted(os.sched_getaffinity(0)):
        cores.setdefault(_siblings(cpu), cpu)
    return list(cores.values())


def pinned_cores(threads: int) -> set[int]:
    """Return the processors for so many threads; all there are where there are fewer cores."""
    cores = physical_cores()
    return set(cores[:threads]) if threads <= len(cores) else os.sched_getaffinity(0)


def _siblings(cpu: int) -> str:
    """Return the processors that share a core with this one, as the system writes them."""
    try:
        return (TOPOLOGY / f"cpu{cpu}" / "topology" / "thread_siblings_list").read_text().strip()
    except OSError:
        return str(cpu)
