"""Many launches in one call: an array of records with the arguments of cuLaunchKernel.

A launcher is a function of cuLaunchKernel's address, the records and their number. It launches in order until a launch
fails. The upper 32 bits of its result are the number of successful launches; the lower 32 bits are the last status, 0
where all succeeded. The interpreter's lock is released, because the driver blocks where a device's queue is full.
`slots.LAUNCHER` has the launcher of this process.
"""

from __future__ import annotations

import ctypes
from typing import Any

FUNCTION, BLOCKS, THREADS, SHARED, STREAM, PARAMETERS, RECORD = 0, 1, 4, 7, 8, 9, 10
"""Words of a record: the kernel; blocks along x, y and z; threads likewise; bytes of shared memory; the stream; the
address of the addresses of the parameters; how many words there are."""

_NUMBERS = range(BLOCKS, STREAM)
"""The words of a record that are 32-bit numbers; the others are addresses."""
_LAUNCH_KERNEL = ctypes.CFUNCTYPE(
    ctypes.c_int32,
    *(ctypes.c_uint32 if word in _NUMBERS else ctypes.c_void_p for word in range(RECORD)),
    ctypes.c_void_p,
)


def launch_in_python(function: int, records: Any, count: int) -> int:
    """Launch kernels in a process without a compiler. Each launch is a call through ctypes, which costs some
    microseconds more than a loop in machine code."""
    launch = _LAUNCH_KERNEL(function)
    words = ctypes.cast(records, ctypes.POINTER(ctypes.c_uint64))
    for number in range(count):
        record = words[number * RECORD : (number + 1) * RECORD]
        status = launch(*record, None)
        if status:
            return number << 32 | status & 0xFFFFFFFF
    return count << 32
