"""Loading of shared libraries of compiled programs, which stay mapped while any part of them is in use.

For a path that is open already, the system's loader returns the library that it loaded before, even if the file has
been replaced since. So each path is spelled differently each time it is opened. The loader still maps an unchanged file
only once, because it compares files by inode.
"""

from __future__ import annotations

import _ctypes
import ctypes
import os
import tempfile
import weakref
from collections.abc import Generator
from contextlib import contextmanager
from mmap import mmap
from pathlib import Path

from .openmp import keep_runtimes

_opened: dict[str, int] = {}
"""The number of times that each path was opened."""


def open_library(path: str | Path) -> ctypes.CDLL:
    """Open a shared library, unmapped when this object dies. Raises OSError where the system cannot load the file.

    OpenMP runtimes that come with it stay: their threads do.
    """
    library = ctypes.CDLL(_spelled(os.path.abspath(path)))
    keep_runtimes()
    weakref.finalize(library, _ctypes.dlclose, library._handle).atexit = False
    return library


def _spelled(path: str) -> str:
    """Return a path of the same file that the loader has not seen: the binary digits of a number, as slashes and
    dots."""
    times = _opened[path] = _opened.get(path, 0) + 1
    folder, name = os.path.split(path)
    return path if times == 1 else folder + "".join("/." if bit == "1" else "/" for bit in f"{times:b}") + f"/{name}"


@contextmanager
def in_memory(content: bytes | memoryview | mmap, name: str) -> Generator[Path, None, None]:
    """Yield a file with that content for as long as the `with` lasts: in memory where the system has such files, else
    in a folder for temporary files."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create(name)
        path = Path(f"/proc/self/fd/{descriptor}")
    else:
        descriptor, found = tempfile.mkstemp(suffix=name)
        path = Path(found)
    try:
        with os.fdopen(descriptor, "wb", closefd=False) as file:
            file.write(content)
        yield path
    finally:
        os.close(descriptor)
        if not hasattr(os, "memfd_create"):
            path.unlink()
