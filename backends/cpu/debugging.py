"""Code with debug information for debuggers and profilers, loaded as a shared library from a file.

Each tool has a different interface for code that a JIT links in memory. All of them support shared libraries that the
system's loader maps from a file, line tables included. The files stay in the cache folder, for profiles that are read
after the process has ended; without a cache they are deleted at the end of the process.
"""

from __future__ import annotations

import ctypes
import hashlib
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from ...diagnostics import fail
from ...diagnostics.files import fail_writing, write_file
from ...runtime.library import use_openmp
from ..cache import CacheFolder, private_folder
from ..cache.folder import DEBUG
from ..line_table import LineTable
from ..linking import run_compiler
from .c_interface import OPENMP_SOURCE

TEXT_SUFFIX = ".ir.mlir"
"""The suffix that the file of a saved program's text adds to the program's name."""

_libraries: list[Any] = []


def text_path(text: str) -> Path:
    """Return the path for the text of a module that is not saved."""
    return _folder() / f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.mlir"


def write_text(lines: LineTable) -> None:
    """Write the text that a line table is about. Raises TW0204 where that is impossible."""
    write_file(lines.path, lines.text.encode())


def load_library(objects: Sequence[bytes], exports: Sequence[str], path: Path) -> dict[str, int]:
    """Link object files into a shared library at `path` and load it; the addresses of its exported functions.

    The library stays: debuggers and profilers look at it later.

    Raises TW0613 where the C compiler is missing or fails, TW0603 where a symbol is missing.
    """
    with tempfile.TemporaryDirectory(prefix="tilewright") as name:
        folder = Path(name)
        (folder / "openmp.c").write_text(OPENMP_SOURCE)
        inputs = [f"{number}.o" for number in range(len(objects))]
        for file, data in zip(inputs, objects, strict=True):
            (folder / file).write_bytes(data)
        run_compiler(["-shared", "-fPIC", "-Wl,-Bsymbolic", "-o", "result", "openmp.c", *inputs, "-lm"], folder)
        write_file(path, (folder / "result").read_bytes())
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        fail("TW0603", f"the compiled functions cannot be linked: {error}")
    _libraries.append(library)
    use_openmp(library)
    return {symbol: ctypes.cast(library[symbol], ctypes.c_void_p).value or 0 for symbol in exports}


@cache
def _folder() -> Path:
    cache_folder = CacheFolder.current()
    if cache_folder is None:
        return private_folder()
    try:
        return cache_folder.subfolder(DEBUG.folder)
    except OSError as error:
        fail_writing(cache_folder.root / DEBUG.folder, error)
