"""The machine as the cost model sees it: what a target states, and a table of what it does not state."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from ...dialects.target import CpuTargetAttr

LINE_BYTES, PAGE_BYTES = 64, 4096


@dataclass(frozen=True)
class Level:
    """A cache, or a level of the buffer of page addresses, and the way to it from the level below."""

    name: str
    bytes: int
    """Capacity; the reach, for page addresses."""
    line: int
    """Bytes of the unit in which data comes."""
    cycles: float
    """Cycles for each unit that comes from the next level, in a stream."""
    sets: int = 0
    """Sets that addresses choose among; 0 where they are physical ones."""
    is_shared: bool = False
    """Whether threads share what lies behind it: more of them bring no more."""


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
    levels: tuple[Level, ...]
    """From the first cache on, then page addresses."""

    def lanes(self, element_bits: int) -> int:
        """Elements of a vector; at least 1."""
        return max(1, self.vector_bits // element_bits)

    def rate(self, ports: float, bits: float) -> float:
        """Instructions a cycle on ports that take so many vectors of full width: two halves pass where one whole does.

        Narrower ones are no faster: units have at least 128 bits, and most of them 256.
        """
        return ports * (2.0 if ports <= 1 and self.vector_bits >= 512 and bits <= self.vector_bits / 2 else 1.0)

    @property
    def caches(self) -> tuple[Level, ...]:
        """The caches without the buffers of page addresses."""
        return tuple(level for level in self.levels if level.line == LINE_BYTES)


@lru_cache(maxsize=64)
def machine_of(target: CpuTargetAttr) -> Machine:
    """The machine that a target describes.

    Where a target says nothing, cores of the last ten years are assumed. Arithmetic of 512 bits is that of machines
    which pair two units of 256 bits. Bandwidths are those of L. Alappat et al., "Understanding HPC Benchmark
    Performance on Intel Broadwell and Cascade Lake Processors", 2020, section 4; latencies and ports: A. Fog,
    "Instruction tables", 2022.
    """
    wide = target.vector_bits >= 512
    first, second, third = target.caches
    sizes = [size or bigger for size, bigger in zip((first, second, third), (32 << 10, first, second), strict=True)]
    ways = max(1, sizes[0] // PAGE_BYTES)
    caches = (
        Level("L1", sizes[0], LINE_BYTES, 2.0, sets=max(1, sizes[0] // ways // LINE_BYTES)),
        Level("L2", sizes[1], LINE_BYTES, 4.0),
        Level("L3", sizes[2] // target.threads, LINE_BYTES, 9.0, is_shared=True),
    )
    pages = (
        Level("pages in the first buffer", 64 * PAGE_BYTES, PAGE_BYTES, 7.0),
        Level("pages in the second buffer", 2048 * PAGE_BYTES, PAGE_BYTES, 25.0),
    )
    return Machine(
        target.vector_bits,
        target.vector_registers,
        target.has_fma,
        target.threads,
        1.0 if wide else 2.0,
        1.0 if wide else 2.0,
        0.5 if wide else 1.0,
        5.0,
        4.0,
        (*(level for level, size in zip(caches, target.caches, strict=True) if size), *pages),
    )
