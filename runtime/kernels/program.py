"""A compiled program of kernels: functions as lists of launches, over buffers and sizes.

The program is plain data, which can be saved in a file, and does not depend on the device that runs the kernels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ..arguments import Signature
from ..buffers import Array
from ..checks import Check, Checks
from ..errors import fail
from ..extent import Dimension
from ..hardware import (
    BLOCK_INDEX,
    GRID_AXES,
    MOST_BLOCKS_ALONG_AXES,
    MOST_THREADS_ALONG_AXES,
    STATIC_SHARED_BYTES,
    THREAD_INDEX,
)

Shape = tuple[Dimension, Dimension, Dimension]
"""Along x, y and z."""
Numbers = tuple[int, int, int]

LAUNCHES_KERNELS = "the host launches kernels and runs no loops"
"""The reason why calls have no threads on the host."""
TOO_MANY_THREADS, BAD_LAUNCH = "TW0636", "TW0639"


@dataclass(frozen=True)
class Buffer:
    """A flat array that is a parameter of kernels."""

    kind: Literal["argument", "temporary", "constant", "view", "record"]
    """A record is the buffer to which kernels write the first failed check; see `runtime.checks`."""
    dtype: np.dtype[Any]
    """The dtype of the elements in kernels."""
    number: int = 0
    """Of the argument or constant; of the buffer that a view is taken from."""
    extents: tuple[Dimension, ...] = ()
    """The extents of a temporary or a view, whose product is its number of elements."""
    offset: int = 0
    """Bytes from the start of the buffer that a view is taken from."""

    def count(self, sizes: Mapping[str, int]) -> int:
        """Return the number of elements, at least one: no array of a device is empty."""
        return max(1, prod(evaluated(e, sizes) for e in self.extents))


@dataclass(frozen=True)
class Launch:
    """A kernel that a function launches."""

    kernel: str
    """The name of the function in the program's source and PTX."""
    label: str
    """The name of the kernel in messages."""
    parameters: tuple[int | str, ...]
    """Numbers of the function's buffers, and names of its sizes."""
    blocks: Shape
    threads: Shape
    shared: int = 0
    """The bytes that its shared buffers take."""
    location: Any = field(default=None, compare=False, repr=False)
    """The source location, for messages of programs that were built in this process."""

    @property
    def dynamic_shared(self) -> int:
        """The bytes of dynamic shared memory; 0 where the kernel declares its shared memory statically."""
        return self.shared if self.shared > STATIC_SHARED_BYTES else 0


@dataclass(frozen=True)
class Entry:
    """A function that callers enter."""

    name: str
    signature: Signature
    sizes: tuple[tuple[str, int, int], ...]
    """Name, argument, dimension; strides have the dimension -1, in the order of the strides that callers choose."""
    buffers: tuple[Buffer, ...]
    launches: tuple[Launch, ...]
    alignments: tuple[int, ...]
    """Bytes that the data of each argument has to be aligned to."""

    def sizes_of(self, arrays: Sequence[Any]) -> dict[str, int]:
        """Return the values of the sizes for the arrays of a call, strides among them, in elements."""
        strides = iter(
            array.strides[d] // argument.dtype.itemsize
            for argument, array in zip(self.signature.arguments, arrays)
            for d, stride in enumerate(argument.strides or ())
            if stride is None
        )
        return {name: next(strides) if d < 0 else arrays[n].shape[d] for name, n, d in self.sizes}

    @cached_property
    def temporaries(self) -> tuple[int, ...]:
        """The numbers of the buffers that exist during a call only."""
        return tuple(n for n, buffer in enumerate(self.buffers) if buffer.kind == "temporary")


@dataclass(frozen=True)
class LaunchProgram:
    """Functions and the kernels that they launch."""

    entries: tuple[Entry, ...]
    source: str = field(repr=False)
    """The kernels as Python."""
    path: Path
    """The path of the source in messages."""
    arch: str
    """The oldest architecture that the kernels run on, as in "sm_90", or the only one, as in "sm_90a"."""
    max_threads: int
    constants: tuple[Array, ...] = field(repr=False)
    """Flat."""
    checks: tuple[Check, ...] = ()
    """The checks of its kernels, by their numbers."""

    @property
    def record(self) -> Checks:
        """The records of calls."""
        return Checks(self.checks, ())

    @property
    def capability(self) -> tuple[int, int]:
        """The compute capability of the architecture: (9, 0) for sm_90 and sm_90a."""
        number = int(self.arch.removeprefix("sm_").removesuffix("a"))
        return number // 10, number % 10

    def runs_on(self, capability: tuple[int, int]) -> bool:
        """Return whether a device of a compute capability has the instructions of the kernels."""
        return capability == self.capability if self.arch.endswith("a") else capability >= self.capability


def evaluated(dimension: Dimension, sizes: Mapping[str, int]) -> int:
    """Return the value of a size."""
    return dimension if isinstance(dimension, int) else dimension.evaluate(sizes)


def launches(entry: Entry, sizes: Mapping[str, int], max_threads: int) -> list[tuple[Launch, Numbers, Numbers]]:
    """Return the launches of a call with the numbers of blocks and of threads in each; empty launches are left out.

    Raises TW0636 and TW0639 for numbers that no GPU has.
    """
    found: list[tuple[Launch, Numbers, Numbers]] = []
    for launch in entry.launches:
        blocks, threads = _numbers(launch.blocks, sizes), _numbers(launch.threads, sizes)
        if prod(blocks) * prod(threads) > 0:
            check_launch(launch.label, blocks, threads, max_threads, launch.location)
            found.append((launch, blocks, threads))
    return found


def _numbers(shape: Shape, sizes: Mapping[str, int]) -> Numbers:
    x, y, z = shape
    return evaluated(x, sizes), evaluated(y, sizes), evaluated(z, sizes)


def check_launch(label: str, blocks: Sequence[int], threads: Sequence[int], most: int, location: Any = None) -> None:
    """Raise TW0636 for more threads in a block than `most`, TW0639 for more along one axis than there are."""
    count = prod(threads)
    if count > most:
        fail(
            TOO_MANY_THREADS,
            f"expected at most {most} threads in a block of kernel {label}, but got {count}: "
            f"{THREAD_INDEX} of {' x '.join(map(str, threads))}",
            location=location,
            help=f"split the loop and bind the outer one to {BLOCK_INDEX}",
        )
    for space, numbers, limits in (
        (BLOCK_INDEX, blocks, MOST_BLOCKS_ALONG_AXES),
        (THREAD_INDEX, threads, MOST_THREADS_ALONG_AXES),
    ):
        for axis, number, limit in zip(GRID_AXES, numbers, limits):
            if number > limit:
                fail(
                    BAD_LAUNCH,
                    f"expected at most {limit} along {space}.{axis} of kernel {label}, but got {number}",
                    location=location,
                    help=f"bind {'the longest loop' if space == BLOCK_INDEX else 'it'} to {space}.x",
                )
