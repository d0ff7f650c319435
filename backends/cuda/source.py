"""The kernels of a program as one Python file, whose name is the hash of its content."""

from __future__ import annotations

import hashlib
import keyword
import re
from collections.abc import Sequence
from pathlib import Path

from ...diagnostics.files import read_bytes, reason, write_file
from ..cache import KERNELS, CacheFolder, private_folder, report_once
from ..written.fresh_names import Reserved

TYPES = (
    *("boolean", "float32", "float64", "int16", "int32", "int64", "int8"),
    *("uint16", "uint32", "uint64", "uint8"),
)
RESERVED = Reserved(
    frozenset(
        {
            *keyword.kwlist,
            *keyword.softkwlist,
            *TYPES,
            "math",
            "cuda",
            "device",
            "range",
            "min",
            "max",
            "abs",
            "round",
            "float",
            "int",
            "bool",
            "float16",
        }
    )  # fmt: skip
)
"""Words of Python and names that kernels use, which name nothing of the IR."""


def program_text(title: str, kernels: Sequence[str]) -> str:
    """Return a file of kernels, with their imports."""
    body = "\n\n\n".join(kernels)
    words = set(re.findall(r"\b\w+\b", body))
    imports = ["import math\n"] if "math" in words else []
    imports.append(f"from numba import {', '.join(['cuda', *(t for t in TYPES if t in words)])}")
    if "float16" in words:
        imports.append("from numba.types import float16")
    if "device" in words:
        imports.append("from tilewright.backends.cuda import operations as device")
    header = "\n".join(imports)
    return f'"""Kernels of {title}."""\n\n{header}\n\n\n{body}\n'


def source_file(text: str) -> Path:
    """Return the file that holds a program's kernels, written whole or not at all. Raises TW0204 where it cannot be
    written.

    Tracebacks, `inspect.getsource` and numba's cache need a real file; equal programs share one.
    """
    folder = _folder()
    path = folder / f"kernels_{hashlib.sha256(text.encode()).hexdigest()[:24]}.py"
    if not path.exists() or read_bytes(path) != text.encode():
        write_file(path, text.encode())
    return path


def _folder() -> Path:
    """Return the folder for kernels: in the cache, or in a folder of this process where there is no cache."""
    cache = CacheFolder.current()
    if cache is not None:
        try:
            return cache.subfolder(KERNELS.folder)
        except OSError as error:
            report_once(cache.root, f"kernels are not kept in {cache.root}: {reason(error)}")
    return private_folder()
