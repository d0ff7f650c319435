"""The machine of the cost model: issue rates of a core and the levels of its caches, derived from a target's facts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import inf

from ...dialects.target import CpuTargetAttr
from .coefficients import ISSUED, NEAR_PAGE_CYCLES, NEAR_PAGES, PAGE_CYCLES


@dataclass(frozen=True)
class Level:
    """A cache or a level of the TLB, with the cost of transfers from the next level."""

    name: str
    bytes: int
    """Capacity; the reach, for page addresses."""
    line: int
    """Bytes of the unit in which data comes."""
    cycles: float
    """Cycles for each unit that comes from the next level, in a stream."""
    sets: int = 0
    """Sets that addresses choose among; 0 where they are physical ones."""
    most: float = inf
    """Threads from which on more of them bring no more, as they share the way to it."""


@dataclass(frozen=True)
class Machine:
    """Rates of a core, for vectors of full width, and the caches around it."""

    vector_bits: int
    registers: int
    has_fma: bool
    threads: int
    arithmetic: float
    """Vector operations a cycle."""
    loads: float
    stores: float
    issue: float
    """Instructions a cycle."""
    latency: float
    """Cycles of a dependent multiply-add or addition."""
    hertz: float
    line: int
    """Bytes of a cache line."""
    levels: tuple[Level, ...]
    """From the first cache on, then page addresses."""
    fork: float
    """Cycles to start and to join the threads of a parallel loop."""

    def lanes(self, element_bits: int) -> int:
        """Return elements of a vector; at least 1."""
        return max(1, self.vector_bits // element_bits)

    def rate(self, ports: float, bits: float) -> float:
        """Return instructions a cycle on ports that take so many vectors of full width: two halves pass where one whole
        does.

        Narrower ones are no faster: units have at least 128 bits, and most of them 256.
        """
        return ports * (2.0 if ports <= 1 and self.vector_bits >= 512 and bits <= self.vector_bits / 2 else 1.0)

    @property
    def caches(self) -> tuple[Level, ...]:
        """The caches without the buffers of page addresses."""
        return tuple(level for level in self.levels if level.line == self.line)


@lru_cache(maxsize=64)
def machine_of(target: CpuTargetAttr) -> Machine:
    """Return the machine that a target describes, by its facts: those that it states, and the defaults of the
    others."""
    sizes, shared = target.caches, target.number_of("memory_bandwidth")
    line, page = int(target.number_of("line")), int(target.number_of("page"))
    second, third, memory = (line / bandwidth for bandwidth in target.numbers_of("bandwidths"))
    ways = max(1, sizes[0] // page)
    caches = (
        Level("L1", sizes[0], line, second, sets=max(1, sizes[0] // ways // line)),
        Level("L2", sizes[1], line, third),
        Level("L3", sizes[2] // target.threads, line, memory, most=shared * memory / line),
    )
    pages = (
        Level("near pages", NEAR_PAGES * page, page, NEAR_PAGE_CYCLES),
        Level("pages", int(target.number_of("page_reach")) * page, page, PAGE_CYCLES),
    )
    return Machine(
        target.vector_bits,
        target.vector_registers,
        target.has_fma,
        target.threads,
        target.number_of("multiply_adds"),
        target.number_of("loads"),
        target.number_of("stores"),
        ISSUED,
        target.number_of("multiply_add_latency"),
        1e9 * target.number_of("clock"),
        line,
        (*(level for level, size in zip(caches, sizes, strict=True) if size), *pages),
        target.number_of("fork"),
    )
