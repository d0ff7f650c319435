"""Calls of functions that launch kernels: in the simulator on arrays of numpy, on a GPU on arrays of the device."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path

import numpy as np

from ...dialects.target import STATIC_SHARED, CudaTargetAttr
from ...runtime.arguments import Signature
from ...runtime.buffers import Array
from ...runtime.checked_call import CheckedCall
from ..kernels import HostFunction, Kernel, launch_shape, sizes_of_call
from .arrays import Buffers, HostMemory, Kept, flat
from .checks import check_launch


@dataclass(frozen=True)
class Plan:
    """A function's kernels and what launching them takes."""

    host: HostFunction
    target: CudaTargetAttr
    path: Path
    """The file of the kernels."""
    names: tuple[str, ...]
    """Of the function in the file that each kernel is."""
    shared: tuple[int, ...]
    """The bytes that the shared buffers of each kernel take."""

    def launches(self, sizes: dict[str, int]) -> list[tuple[int, Kernel, list[int], list[int]]]:
        """The kernels with the numbers of their blocks and of the threads in each, those of nothing left out.

        Raises TW0636 and TW0639 for numbers that no GPU has.
        """
        found: list[tuple[int, Kernel, list[int], list[int]]] = []
        for number, kernel in enumerate(self.host.kernels):
            blocks, threads = launch_shape(kernel.extents, sizes)
            if prod(blocks) * prod(threads) == 0:
                continue
            check_launch(kernel, blocks, threads, self.target)
            found.append((number, kernel, blocks, threads))
        return found

    def dynamic_shared(self, number: int) -> int:
        """The bytes of shared memory that a kernel gets at launch; it declares what any block may have itself."""
        return self.shared[number] if self.shared[number] > STATIC_SHARED else 0


class SimulatedCall(CheckedCall):
    """Calls whose kernels the simulator runs."""

    def __init__(self, plan: Plan, signature: Signature) -> None:
        super().__init__(signature)
        self._plan = plan
        self._memory = HostMemory()
        self._kept = Kept(plan.host, self._memory)

    def _invoke(self, arrays: list[Array], threads: int) -> int:
        from . import simulator

        plan = self._plan
        sizes = sizes_of_call(plan.host, self.signature.arguments, arrays)
        given = [self._memory.upload(flat(array)) for array in arrays]
        temporaries = self._kept.take()
        buffers = Buffers(plan.host, given, sizes, self._memory, self._kept, temporaries)
        module = simulator.load(plan.path)
        for number, kernel, blocks, block in plan.launches(sizes):
            passed = [sizes[p.name] if p.buffer is None else buffers[p.buffer] for p in kernel.parameters]
            function = module.function(plan.names[number])
            simulator.launch(function, tuple(blocks), tuple(block), passed, shared_bytes=plan.dynamic_shared(number))
        self._kept.give_back(temporaries)
        _copy_back(arrays, given, len(self.signature.inputs))
        return 0


def _copy_back(arrays: Sequence[Array], given: Sequence[Array], first: int) -> None:
    """Bring results that were computed elsewhere, because vectors want them so, to where they belong."""
    for array, computed in zip(arrays[first:], given[first:], strict=True):
        elements = flat(array)
        if not np.shares_memory(elements, computed):
            elements[...] = computed
