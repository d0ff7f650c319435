"""Calls whose kernels run in the simulator, on numpy arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...diagnostics import TilewrightError
from ...hardware import THREAD_ACCESS_BYTES
from ...runtime.buffers import ArenaPool, Array, address_of, aligned, aligned_empty
from ...runtime.checked_call import CheckedCall
from ...runtime.kernels.layout import arena_layout, flat
from ...runtime.kernels.program import LAUNCHES_KERNELS, Buffer, Entry, LaunchProgram, launches

_NOTHING = 0xFF
"""The bytes of a temporary that nothing was written to: NaN in every float."""


class SimulatedCall(CheckedCall):
    """Calls whose kernels run in the simulator."""

    serial = LAUNCHES_KERNELS
    device_kinds = ("cpu", "cuda", "simulator")

    def __init__(self, entry: Entry, program: LaunchProgram) -> None:
        super().__init__(entry.signature)
        self._entry = entry
        self._program = program
        self._constants = [aligned(constant) for constant in program.constants]
        self._arenas: dict[int, ArenaPool] = {}

    def _invoke(self, arrays: list[Array], threads: int) -> int:
        from .simulator import launch
        from .simulator.source import parse

        program, entry = self._program, self._entry
        sizes = entry.sizes_of(arrays)
        given = [_where_vectors_want_it(flat(array)) for array in arrays]
        offsets, size = arena_layout(entry, sizes)
        pool = self._arenas.setdefault(size, ArenaPool(size))
        arena = pool.take()
        if arena is not None:
            arena.fill(_NOTHING)
        record = program.record.new_record()
        buffers: list[Array] = []
        for number, buffer in enumerate(entry.buffers):
            count = buffer.count(sizes)
            match buffer.kind:
                case "argument":
                    array = given[buffer.number]
                case "constant":
                    array = self._constants[buffer.number]
                case "temporary":
                    assert arena is not None
                    array = _part(arena, buffer, offsets[number], count)
                case "record":
                    array = record
                case "view":
                    array = _part(buffers[buffer.number].view(np.uint8), buffer, buffer.offset, count)
            buffers.append(array)
        kernels = parse(program.source, str(program.path))
        try:
            for step, blocks, block in launches(entry, sizes, program.max_threads):
                passed = [sizes[p] if isinstance(p, str) else buffers[p] for p in step.parameters]
                launch(kernels.function(step.kernel), blocks, block, passed, shared_bytes=step.dynamic_shared)
                program.record.report(record)
        except TilewrightError:
            program.record.report(record)  # a fault after a failed check is a consequence of the check's failure
            raise
        finally:
            pool.give_back(arena)
            _copy_back(arrays, given, len(self.signature.inputs))
        return 0


def _part(memory: Array, buffer: Buffer, first: int, count: int) -> Any:
    """Return `count` elements of a buffer that begin at a byte."""
    return memory[first : first + count * buffer.dtype.itemsize].view(buffer.dtype)


def _where_vectors_want_it(array: Array) -> Array:
    """Return the array itself, where it begins as vectors want it, or a copy that does."""
    if address_of(array) % THREAD_ACCESS_BYTES == 0:
        return array
    copy = aligned_empty(array.shape, array.dtype)
    copy[...] = array
    return copy


def _copy_back(arrays: Sequence[Array], given: Sequence[Array], first: int) -> None:
    """Bring results that were computed elsewhere, because vectors want them so, to where they belong."""
    for array, computed in zip(arrays[first:], given[first:], strict=True):
        elements = flat(array)
        if not np.shares_memory(elements, computed):
            elements[...] = computed
