"""The folder of the cache: its path, the check that it can be trusted, its secret, and the folders of kinds of entries.

Cached code is executed, so the folder is used only if no other user can write to it: it has to belong to the user and
must not be writable by others. It is created with the permissions 0700. If the folder cannot be used, everything is
compiled again, and the log states the reason once a process.

The secret is 32 random bytes in a file with the permissions 0600. Entries carry a message authentication code, which
cannot be computed without the secret. Parent folders may be writable by others: an attacker who replaces the cache's
folder can neither make the new folder belong to the user nor knows the secret.
"""

from __future__ import annotations

import atexit
import logging
import os
import shutil
import stat
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ...diagnostics.files import TEMPORARY_SUFFIX, open_file, reason
from ...passes.framework.config import USER_CACHE
from ...passes.framework.context import PassContext

_log = logging.getLogger("tilewright.cache")

SECRET = "secret"
_SECRET_SIZE = 32
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH

_reported: set[tuple[Path, str]] = set()


class Kind(NamedTuple):
    """A kind of entries."""

    folder: str
    """The name of its folder in the cache's folder."""
    suffixes: tuple[str, ...]
    """The suffixes of its files; new files get the first one. Files with other suffixes are never deleted."""
    what: str
    """A noun for an entry, for messages."""


OBJECTS = Kind("objects", (".o",), "object file")
PROGRAMS = Kind("programs", (".program",), "program")
PTX = Kind("ptx", (".ptx",), "PTX of kernels")
KERNELS = Kind("cuda", (".py", ".ptx"), "source of kernels")
DEBUG = Kind("debug", (".mlir", ".so"), "file for debuggers")

KINDS = (OBJECTS, PROGRAMS, PTX, KERNELS, DEBUG)


@dataclass(frozen=True)
class CacheFolder:
    """A cache folder that passed the checks."""

    root: Path
    secret: bytes = field(repr=False)

    @staticmethod
    def current() -> CacheFolder | None:
        """Return the folder of the setting `cache_dir`; None where it is unset or, as logged, unusable."""
        root = configured_root()
        if root is None:
            return None
        try:
            _ensure(root)
            return CacheFolder(root, _secret_of(root))
        except OSError as error:
            report_once(root, f"the cache folder {root} is not used: {reason(error)}")
            return None

    def subfolder(self, name: str) -> Path:
        """Return a folder in this one, checked as this one is. Raises OSError where it cannot be used."""
        path = self.root / name
        _ensure(path)
        return path


def configured_root() -> Path | None:
    """Return the folder that the setting `cache_dir` names, used or not; None for no cache."""
    configured = PassContext.current().value("cache_dir", str)
    if configured != USER_CACHE:
        return Path(configured).absolute() if configured else None
    import platformdirs

    return Path(platformdirs.user_cache_dir("tilewright"))


def obstacle(folder: Path) -> str | None:
    """Return the reason why a folder may not be used; None where it may. Raises OSError where it is missing."""
    status = folder.stat()
    if not stat.S_ISDIR(status.st_mode):
        return "it is no folder"
    if status.st_uid != os.geteuid():
        return f"it belongs to another user ({status.st_uid})"
    if status.st_mode & _OTHERS_WRITE:
        return f"other users may write to it (chmod go-w '{folder}' forbids that)"
    return None


def make_private(folder: Path) -> None:
    """Make a folder for this user alone, unless it is there."""
    with suppress(FileExistsError):
        folder.mkdir(0o700)
        folder.chmod(0o700)  # whatever the umask takes away


def report_once(root: Path, message: str) -> None:
    """Log a warning, once a process."""
    if (root, message) not in _reported:
        _reported.add((root, message))
        _log.warning("%s", message)


@cache
def private_folder() -> Path:
    """Return a folder of this process alone, for files that must be somewhere where there is no cache."""
    path, owner = Path(tempfile.mkdtemp(prefix="tilewright-")), os.getpid()

    def remove() -> None:
        if os.getpid() == owner:  # children of a fork have the same name for it
            shutil.rmtree(path, ignore_errors=True)

    atexit.register(remove)
    return path


def _ensure(folder: Path) -> None:
    """Make the folder if it is not there. Raises OSError where it may not be used."""
    try:
        problem = obstacle(folder)
    except FileNotFoundError:
        folder.parent.mkdir(parents=True, exist_ok=True)
        make_private(folder)
        problem = obstacle(folder)
    if problem is not None:
        raise OSError(None, problem)


def _secret_of(root: Path) -> bytes:
    path = root / SECRET
    found = _read_secret(path)
    if found is not None:
        return found
    fresh = os.urandom(_SECRET_SIZE)
    temporary = root / f".{os.urandom(8).hex()}{TEMPORARY_SUFFIX}"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(fresh)
        try:
            os.link(temporary, path)  # of threads and processes that do this at once, the first one's stays
        except FileExistsError:
            if (found := _read_secret(path)) is not None:
                return found
            os.replace(temporary, path)  # one that others could read, or that is none
        except OSError:  # a file system without links
            os.replace(temporary, path)
        return _read_secret(path) or fresh
    finally:
        temporary.unlink(missing_ok=True)


def _read_secret(path: Path) -> bytes | None:
    """Return the secret of a file that only this user can read; None where there is none."""
    try:
        with open_file(path) as file:
            status = os.fstat(file.fileno())
            data = file.read(_SECRET_SIZE + 1)
    except FileNotFoundError:
        return None
    is_private = status.st_uid == os.geteuid() and not status.st_mode & 0o077
    return data if is_private and len(data) == _SECRET_SIZE and not path.is_symlink() else None
