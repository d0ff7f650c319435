"""Entries on disk, each under a key.

    8 bytes   TILECACH
    32 bytes  HMAC-SHA-256, with the folder's secret, of kind, key, length and body
    uint64    bytes of the body
    ... to 64 bytes
    the body

An entry that was damaged, was moved to another key, or was written without the secret has a wrong digest. Such an entry
is not used; its input is compiled again, and the new entry replaces it. Writers fill a temporary file and rename it,
which is atomic, so readers need no lock; concurrent writers of one key write equal data.
"""

from __future__ import annotations

import hmac
import os
import struct
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from ...diagnostics.files import open_file, reason, written_whole
from ...passes.framework.context import PassContext
from ...runtime.buffers import ALIGNMENT, Array, aligned_empty
from .contents import prune
from .folder import CacheFolder, Kind, make_private, report_once

_MARK = b"TILECACH"
_HEAD = struct.Struct("<8s32sQ16x")
assert _HEAD.size == ALIGNMENT

_PART_OF_LIMIT = 32
"""After writing this part of the limit a process measures the size of the whole cache again."""

_unpruned: dict[Path, int] = {}
"""Bytes that this process wrote since it measured the size of a folder. A folder that was never measured is absent."""

Bytes = bytes | bytearray | memoryview


class Cache:
    """The entries of one kind. If `folder` is None there is no cache: nothing is found and nothing stored."""

    def __init__(self, kind: Kind, folder: CacheFolder | None) -> None:
        self.kind = kind
        self.folder = folder

    @staticmethod
    def of(kind: Kind) -> Cache:
        """Return the entries of that kind in the cache of the current settings."""
        return Cache(kind, CacheFolder.current())

    def path(self, key: str) -> Path | None:
        """Return the path of the entry of a key, whether it exists or not; None without a cache folder."""
        if self.folder is None:
            return None
        return self.folder.root / self.kind.folder / key[:2] / f"{key[2:]}{self.kind.suffixes[0]}"

    def load(self, key: str) -> Array | None:
        """Return the bytes of an entry, read-only and aligned to 64 bytes; None where there is none that may be
        used."""
        path = self.path(key)
        if path is None:
            return None
        try:
            data = _read(path)
            os.utime(path)
        except OSError:
            return None
        if data is None or not self._is_genuine(key, data):
            report_once(path, f"the cached {self.kind.what} {path} is damaged and is compiled again")
            return None
        data.flags.writeable = False
        return data[_HEAD.size :]

    def store(self, key: str, parts: Sequence[Bytes]) -> None:
        """Keep an entry. A cache that cannot be written to is reported once a process and does no harm."""
        path = self.path(key)
        if path is None or self.folder is None:
            return
        size = sum(map(len, parts))
        limit = PassContext.current().value("cache_size", int) << 20
        if size > limit:
            return
        try:
            self.folder.subfolder(self.kind.folder)
            make_private(path.parent)
            with written_whole(path, 0o600) as temporary, temporary.open("wb") as file:
                file.write(_HEAD.pack(_MARK, self._digest(key, size, parts), size))
                file.writelines(parts)
            self._note(size, limit)
        except OSError as error:
            report_once(self.folder.root, f"nothing is cached in {self.folder.root}: {reason(error)}")

    def _note(self, size: int, limit: int) -> None:
        """Keep the whole cache below its limit: measure its size at the first entry that is written, and then now and
        then."""
        assert self.folder is not None
        root = self.folder.root
        written = _unpruned.get(root)
        if written is None or written + size > limit // _PART_OF_LIMIT:
            prune(root, limit)
            _unpruned[root] = 0
        else:
            _unpruned[root] = written + size

    def _is_genuine(self, key: str, data: Array) -> bool:
        if data.size < _HEAD.size:
            return False
        mark, digest, size = _HEAD.unpack_from(data.data)
        body = data[_HEAD.size :]
        return mark == _MARK and size == body.size and hmac.compare_digest(digest, self._digest(key, size, [body.data]))

    def _digest(self, key: str, size: int, parts: Sequence[Bytes]) -> bytes:
        assert self.folder is not None
        digest = hmac.new(self.folder.secret, f"{self.kind.folder}\0{key}\0{size}\0".encode(), "sha256")
        for part in parts:
            digest.update(part)
        return digest.digest()


def _read(path: Path) -> Array | None:
    """Return the content of a file of this user; None for the file of another. Raises OSError where it cannot be
    read."""
    with open_file(path) as file:
        status = os.fstat(file.fileno())
        if status.st_uid != os.geteuid():
            return None
        with suppress(MemoryError):
            data = aligned_empty((status.st_size,), np.dtype(np.uint8))
            return data[: file.readinto(data.data)]
    return None
