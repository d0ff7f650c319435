"""Shared libraries of compiled programs: mapped while something of theirs is in use."""

from __future__ import annotations

import _ctypes
import ctypes
import weakref
from pathlib import Path

from .openmp import keep_runtimes


def open_library(path: str | Path) -> ctypes.CDLL:
    """A shared library, unmapped when this object dies. Raises OSError where the system cannot load the file.

    OpenMP runtimes that come with it stay: their threads do.
    """
    library = ctypes.CDLL(str(path))
    keep_runtimes()
    weakref.finalize(library, _ctypes.dlclose, library._handle).atexit = False
    return library
