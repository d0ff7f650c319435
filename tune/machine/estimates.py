"""Facts of a machine, derived from the times of the microbenchmarks.

All times are divided by that of an addition of integers, which takes one cycle, so that a fact does not depend on the
clock. An implausible fact, such as one measured while another program ran, is left out: its default holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from ...dialects.target_facts import CPU_FACTS, MEASURED, SYSTEM, FactAttr

LATENCY_CHAINS = 1
BORDER = 0.5
"""The part of the way from one plateau of latencies to the next from where on it counts as the next."""


@dataclass(frozen=True)
class Samples:
    """Seconds of one instruction, access or byte, each the minimum of several measurements."""

    addition: float
    multiply_adds: Mapping[int, float]
    """Chains -> seconds of a multiply-add."""
    load: float
    store: float
    chases: Sequence[float]
    """Latencies of dependent loads, from each level of caches and from memory."""
    streams: Sequence[float]
    """Of a byte that is read in a stream, from the second level on, and from memory."""
    memory: float
    """Of a byte that all threads read from memory together."""
    pages: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    """A number of cache lines -> seconds of a load from one of them: each in a separate page, and side by side."""
    line: int = 0
    """Bytes, as the system reports them; 0 where it does not."""
    page: int = 0
    fork: float = 0.0
    """Of a parallel loop without work; 0 where there is one thread."""


def facts_of(samples: Samples) -> list[FactAttr]:
    """Return the facts that the samples show."""
    cycle = samples.addition
    latency = samples.multiply_adds[LATENCY_CHAINS] / cycle
    found: dict[str, tuple[Sequence[float], str]] = {
        "clock": ([1e-9 / cycle], MEASURED),
        "multiply_adds": ([cycle / min(samples.multiply_adds.values())], MEASURED),
        "multiply_add_latency": ([latency], MEASURED),
        "loads": ([cycle / samples.load], MEASURED),
        "stores": ([cycle / samples.store], MEASURED),
        "latencies": ([seconds / cycle for seconds in _nearer_first(samples.chases)], MEASURED),
        "bandwidths": ([cycle / seconds for seconds in _nearer_first(samples.streams)], MEASURED),
        "memory_bandwidth": ([cycle / samples.memory], MEASURED),
        "line": ([samples.line], SYSTEM),
        "page": ([samples.page], SYSTEM),
    }
    if reach := page_reach({pages: (spread - dense) / cycle for pages, (spread, dense) in samples.pages.items()}):
        found["page_reach"] = [reach], MEASURED
    if samples.fork:
        found["fork"] = [samples.fork / cycle], MEASURED
    facts: list[FactAttr] = []
    for name, (numbers, source) in found.items():
        kind = CPU_FACTS[name]
        rounded = [float(round(number)) if kind.whole else float(f"{number:.3g}") for number in numbers]
        if kind.fits(rounded):
            facts.append(FactAttr.get(kind, rounded, source))
    return facts


def _nearer_first(seconds: Sequence[float]) -> list[float]:
    """Return the seconds of levels, lowered so that a nearer level takes no longer than the levels beyond it.

    A last-level cache that other programs fill during the measurement is as slow as memory; a smaller buffer is never
    slower than a larger one.
    """
    return [min(seconds[level:]) for level in range(len(seconds))]


def page_reach(cycles: Mapping[int, float]) -> int | None:
    """Return the most pages whose addresses the processor keeps; None where no number of pages costs more than fewer
    do.

    `cycles` maps a number of pages to the extra cost of a load beyond one from as many lines side by side. It has up to
    three plateaus: addresses in the first table, in the second, and in neither. The last one begins behind the reach.
    """
    counts = sorted(cycles)
    if len(counts) < 3:
        return None
    smooth = {
        count: median(cycles[near] for near in counts[max(0, at - 1) : at + 2]) for at, count in enumerate(counts)
    }
    least, most = min(smooth.values()), max(smooth.values())
    if most - least < 1:  # less than a cycle
        return None
    border = least + BORDER * (most - least)
    below = [count for count in counts if smooth[count] < border]
    return max(below) if max(below) < counts[-1] else None
