"""Files of tuning records that grow: appending, merging, and the best records of tasks."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..diagnostics.files import FilePath, check_file, fail_writing, written_whole
from ..schedule.records import Record, RecordFile, Winners, read_records


class RecordStore:
    """A file that records are appended to, by several processes if need be.

    A line is written by one system call, at the end of the file, under a lock of the file, so concurrent writers do not
    interleave. If a writer was killed within a line, the next record begins on a new line. `append` returns when the
    line is on the disk: neither a crash of the process nor of the machine loses it.
    """

    def __init__(self, path: FilePath) -> None:
        """Open the records in the file `path`, which is made where it is not there. Raises TilewrightError TW0204 for a
        file that cannot be written."""
        self.path = Path(path)
        try:
            os.close(self._open())
        except OSError as error:
            fail_writing(self.path, error)
        check_file(self.path)

    def append(self, record: Record) -> None:
        """Write a record at the end of the file. Raises TilewrightError TW0204 where the disk is full, for one."""
        line = record.as_line().encode()
        try:
            descriptor = self._open()
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX)  # released when the descriptor is closed
                _write(descriptor, line if _ends_with_line(descriptor) else b"\n" + line)
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        except OSError as error:
            fail_writing(self.path, error)

    def read(self) -> RecordFile:
        """Return the records of the file as it is."""
        return read_records(self.path)

    def _open(self) -> int:
        return os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)


def _ends_with_line(descriptor: int) -> bool:
    size = os.fstat(descriptor).st_size
    return size == 0 or os.pread(descriptor, 1, size - 1) == b"\n"


def _write(descriptor: int, data: bytes) -> None:
    """Write all of `data`; the system writes only a part where the disk is full, and then fails at the next call."""
    while data:
        data = data[os.write(descriptor, data) :]


def merged(files: Sequence[RecordFile]) -> list[Record]:
    """Return the records of several files in their order, equal lines once."""
    return list({record.as_line(): record for file in files for record in file.records}.values())


def write_records(path: FilePath, records: Iterable[Record]) -> None:
    """Write records as a new file, whole or not at all. Raises TilewrightError TW0204."""
    try:
        with written_whole(path) as temporary:
            temporary.write_text("".join(record.as_line() for record in records), encoding="utf-8")
    except OSError as error:
        fail_writing(path, error)


def best_records(records: Iterable[Record]) -> list[Record]:
    """Return the best record of each task, range of open sizes, machine and compiler, in the order of the tasks' first
    records."""
    found = list(records)
    makers = dict.fromkeys((record.machine, record.compiler) for record in found)
    winners = [Winners.of(found, machine, compiler) for machine, compiler in makers]
    return [best for each in winners for versions in each.versions.values() for best in versions]
