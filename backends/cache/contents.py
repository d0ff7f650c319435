"""The size of the cache on disk, and the eviction of the least recently used entries."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ...diagnostics.files import TEMPORARY_SUFFIX
from .folder import KINDS, Kind

_ABANDONED = 3600.0
"""Seconds after which a temporary file is one of a process that ended before it was whole."""


class Usage(NamedTuple):
    """The entries of one kind in the cache: their number and their size."""

    kind: Kind
    files: int
    size: int
    """Bytes."""


class _Entry(NamedTuple):
    used: float
    """The time of its last use."""
    size: int
    path: str


def usage(root: Path) -> list[Usage]:
    """Return the number and the size of the entries in a cache folder, by kind."""
    found = {kind: list(_entries(root, kind)) for kind in KINDS}
    return [Usage(kind, len(entries), sum(e.size for e in entries)) for kind, entries in found.items()]


def clear(root: Path) -> None:
    """Delete all entries of a cache folder. Raises OSError where one cannot be deleted."""
    for kind in KINDS:
        for entry in _entries(root, kind):
            _delete(entry.path)


def prune(root: Path, limit: int) -> None:
    """Delete the entries that were used least recently, as far as all together have more than `limit` bytes."""
    entries = [entry for kind in KINDS for entry in _entries(root, kind)]
    total = 0
    for entry in sorted(entries, reverse=True):
        total += entry.size
        if total > limit or _is_abandoned(entry):
            _delete(entry.path)


def _entries(root: Path, kind: Kind) -> Iterator[_Entry]:
    for path in _files(str(root / kind.folder)):
        if path.endswith((*kind.suffixes, TEMPORARY_SUFFIX)):
            with suppress(FileNotFoundError):  # another process deleted it
                status = os.lstat(path)
                yield _Entry(status.st_mtime, status.st_size, path)


def _files(folder: str, depth: int = 2) -> Iterator[str]:
    """Yield the files of a folder and of those within it, links not followed."""
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_file(follow_symlinks=False):
                    yield entry.path
                elif depth > 1 and entry.is_dir(follow_symlinks=False):
                    yield from _files(entry.path, depth - 1)
    except OSError:
        return


def _is_abandoned(entry: _Entry) -> bool:
    return entry.path.endswith(TEMPORARY_SUFFIX) and entry.used < time.time() - _ABANDONED


def _delete(path: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(path)
