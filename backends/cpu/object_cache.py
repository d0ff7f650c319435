"""Object files on disk, under the hash of everything that determines them.

An entry is a digest followed by the object file, so a torn or damaged one is recognised and compiled again.
Writers fill a temporary file and rename it, which is atomic: readers need no lock, and two writers of one key
write the same bytes.
"""

from __future__ import annotations

import hashlib
import logging
import os
import tempfile
from pathlib import Path

from .llvm import CodeOptions, llvm_version

_log = logging.getLogger("tilewright.object_cache")

_DIGEST_SIZE = 32
CACHE_VARIABLE = "TILEWRIGHT_CACHE_DIR"
"""The environment variable that moves the cache. Empty: no cache."""


class ObjectCache:
    """Object files by key. `root` None is no cache: nothing is found and nothing kept."""

    def __init__(self, root: Path | None) -> None:
        self.root = root

    @staticmethod
    def default() -> ObjectCache:
        """The cache in TILEWRIGHT_CACHE_DIR, else in the user's cache folder."""
        configured = os.environ.get(CACHE_VARIABLE)
        if configured is not None:
            return ObjectCache(Path(configured) / "objects" if configured else None)
        import platformdirs

        return ObjectCache(Path(platformdirs.user_cache_dir("tilewright")) / "objects")

    def load(self, key: str) -> bytes | None:
        """The object file, or None where it is absent or damaged."""
        path = self._path(key)
        if path is None:
            return None
        try:
            entry = path.read_bytes()
        except OSError:
            return None
        digest, data = entry[:_DIGEST_SIZE], entry[_DIGEST_SIZE:]
        if digest != hashlib.sha256(data).digest():
            _log.warning("the cached object %s is damaged and is compiled again", path)
            return None
        return data

    def store(self, key: str, data: bytes) -> None:
        """Keep an object file. A cache that cannot be written to is reported once a process and does no harm."""
        path = self._path(key)
        if path is None:
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(hashlib.sha256(data).digest() + data)
                os.replace(temporary, path)
            except OSError:
                os.unlink(temporary)
                raise
        except OSError as error:
            _log.warning("objects cannot be cached in %s: %s", self.root, error)
            self.root = None

    def _path(self, key: str) -> Path | None:
        return None if self.root is None else self.root / key[:2] / f"{key[2:]}.o"


def object_key(text: str, options: CodeOptions) -> str:
    """The hash of what determines an object file: the text, the options, LLVM's version and ours."""
    from ... import __version__

    digest = hashlib.sha256()
    for part in (__version__, llvm_version(), str(options), text):
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()
