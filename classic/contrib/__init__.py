"""Helpers around programs: temporary folders, compilers of the system, random numbers, sorting, products by numpy's
BLAS, sparse matrices."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ...lazy import be_face, exports

_MODULES = ("cblas", "cc", "clang", "nvcc", "pickle_memoize", "random", "sort", "sparse", "utils")

_get, __dir__ = exports(__name__, {})


def __getattr__(name: str) -> Any:
    return be_face(import_module(f".{name}", __name__)) if name in _MODULES else _get(name)
