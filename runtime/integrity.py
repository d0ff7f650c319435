"""Comparison of the constants of loaded programs with their digests, at their first use.

Constants may be gigabytes: a process that loads a program only maps them. The first call reads them anyway, and detects
damage.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import NamedTuple

from .buffers import Array
from .errors import fail

_MOST_THREADS = 4
"""Digests are computed without the interpreter's lock."""
_SMALL = 1 << 20
"""Bytes that one thread hashes before others have started."""


class Sealed(NamedTuple):
    """An array and its expected digest."""

    name: str
    array: Array
    digest: str
    """SHA-256 in hexadecimal digits."""

    @property
    def is_whole(self) -> bool:
        """Return if the bytes are unchanged since they were saved."""
        data = self.array.reshape(-1).view("u1").data
        return hashlib.sha256(data).hexdigest() == self.digest


class Integrity:
    """The constants of a program in a file, which are compared with their digests once."""

    def __init__(self, path: str, constants: Sequence[Sealed]) -> None:
        self._path = path
        self._pending = list(constants)
        self._lock = Lock()

    @property
    def is_checked(self) -> bool:
        """Return if all constants have been compared."""
        return not self._pending

    def check(self) -> None:
        """Compare the constants, unless that has been done. Raises TilewrightError TW0711 where one is damaged."""
        if not self._pending:
            return
        with self._lock:
            damaged = self._damaged() if self._pending else None
            if damaged is None:
                self._pending = []
                return
        fail("TW0711", f"expected a program that was saved, but '{self._path}' is damaged: constant {damaged}")

    def _damaged(self) -> str | None:
        if sum(each.array.nbytes for each in self._pending) <= _SMALL:
            return next((each.name for each in self._pending if not each.is_whole), None)
        with ThreadPoolExecutor(_MOST_THREADS) as threads:
            found = threads.map(lambda each: each.is_whole, self._pending)
            return next((each.name for each, is_whole in zip(self._pending, found) if not is_whole), None)
