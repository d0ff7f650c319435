"""Stamps: the thread, the time and the source line of a memory access, encoded in one integer.

From the high bits down: the epoch (incremented at every barrier and at the start of every block), the synchronisations
of the thread's warp since then, a bit for atomic accesses, the thread, and the line of the kernel's source. So stamps
of an earlier epoch compare less than stamps of a later one, and two stamps are of one thread when the `THREAD` bits of
their exclusive or are zero.
"""

from __future__ import annotations

from typing import NamedTuple

LINE_BITS = 20
LINE = (1 << LINE_BITS) - 1
_THREAD_SHIFT = LINE_BITS
THREAD = 0x7FF << _THREAD_SHIFT
ATOMIC = 1 << (_THREAD_SHIFT + 11)
_SYNC_SHIFT = _THREAD_SHIFT + 12
_SYNC_BITS = 20
_EPOCH_SHIFT = _SYNC_SHIFT + _SYNC_BITS

SEVERAL = 0x7FF << _THREAD_SHIFT
"""The value of the thread's bits for atomic accesses of several threads."""

COPYING = 0x400 << _THREAD_SHIFT
"""A bit in addition to the thread: an asynchronous copy that this thread started."""

IN_FLIGHT = 1 << 200
"""Added while an asynchronous copy is under way: later than every epoch."""

INITIALISED = 1
"""The stamp of cells that were written before the launch; 0 means never written."""


def epoch_stamp(epoch: int) -> int:
    """Return the least stamp of an epoch; epochs count from 1."""
    return epoch << _EPOCH_SHIFT


def thread_stamp(epoch: int, synchronisations: int, thread: int) -> int:
    """Return the stamp of a thread, to which the number of a line is added."""
    return (
        (epoch << _EPOCH_SHIFT) + (min(synchronisations, (1 << _SYNC_BITS) - 1) << _SYNC_SHIFT) + (thread << LINE_BITS)
    )


class Access(NamedTuple):
    """The fields of a stamp."""

    epoch: int
    synchronisations: int
    thread: int | None
    line: int
    copying: bool


def access_of(stamp: int) -> Access:
    """Return the access that a stamp encodes; its thread is None where there are several."""
    in_flight, stamp = stamp >= IN_FLIGHT, stamp % IN_FLIGHT
    thread = (stamp & THREAD) >> _THREAD_SHIFT
    synchronisations = stamp >> _SYNC_SHIFT & ((1 << _SYNC_BITS) - 1)
    known = None if thread == 0x7FF and not in_flight else thread & 0x3FF
    return Access(stamp >> _EPOCH_SHIFT, synchronisations, known, stamp & LINE, in_flight)
