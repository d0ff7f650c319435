"""The kernels of a program as one Python file, whose name is the hash of its content."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ...diagnostics import fail

CACHE_VARIABLE = "TILEWRIGHT_CACHE_DIR"
"""The environment variable that moves the cache of this package."""
_TYPES = (
    *("boolean", "float32", "float64", "int16", "int32", "int64", "int8"),
    *("uint16", "uint32", "uint64", "uint8"),
)


def program_text(title: str, kernels: Sequence[str]) -> str:
    """A file of kernels, with what they import."""
    body = "\n\n\n".join(kernels)
    words = set(re.findall(r"\b\w+\b", body))
    imports = ["import math\n"] if "math" in words else []
    imports.append(f"from numba import {', '.join(['cuda', *(t for t in _TYPES if t in words)])}")
    if "float16" in words:
        imports.append("from numba.types import float16")
    if "device" in words:
        imports.append("from tilewright.backends.cuda import operations as device")
    header = "\n".join(imports)
    return f'"""Kernels of {title}."""\n\n{header}\n\n\n{body}\n'


def source_file(text: str) -> Path:
    """The file that holds a program's kernels, written whole or not at all. Raises TW0204 where it cannot be written.

    Tracebacks, `inspect.getsource` and numba's own cache want a real file; equal programs share one.
    """
    folder = cache_folder()
    path = folder / f"kernels_{hashlib.sha256(text.encode()).hexdigest()[:24]}.py"
    try:
        if path.exists() and path.read_text(encoding="utf-8") == text:
            return path
        folder.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=folder, suffix=".tmp")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, path)
    except OSError as error:
        fail("TW0204", f"cannot write '{path}': {error.strerror}", help=f"{CACHE_VARIABLE} moves the cache")
    return path


def cache_folder() -> Path:
    """Where kernels are kept: under TILEWRIGHT_CACHE_DIR, else in the user's cache folder; a temporary folder where the
    variable is empty, which means no cache."""
    configured = os.environ.get(CACHE_VARIABLE)
    if configured == "":
        return Path(tempfile.gettempdir()) / f"tilewright-{os.getuid()}" / "cuda"
    if configured is not None:
        return Path(configured) / "cuda"
    import platformdirs

    return Path(platformdirs.user_cache_dir("tilewright")) / "cuda"
