"""The operations of kernels for devices: intrinsics of numba.cuda, made when they are first used.

Each is written in LLVM IR, calls of libdevice or inline PTX. They hold for numba's own CUDA target and for numba-cuda;
tests/cuda_backend/operations/ looks for the instructions in PTX where NVVM is at hand. Under numba's simulator
(NUMBA_ENABLE_CUDASIM=1) nothing is compiled: loads, stores and functions of single values are Python's there.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from ..table import OPERATIONS


@cache
def intrinsic_of(name: str) -> Any:
    """Return the function that kernels call by the name `name` of the table of operations."""
    from numba import config

    if getattr(config, "ENABLE_CUDASIM", False):
        from ..reference.host import host_function

        return host_function(name)
    from . import copies, matrix, scalars, vectors, warpgroup

    operation = OPERATIONS[name]
    match operation.kind:
        case "load" | "store":
            return vectors.make(name, operation)
        case "scalar":
            return scalars.make(name, operation)
        case "collective":
            return matrix.make(name, operation)
        case "warpgroup":
            return warpgroup.make(name, operation)
        case _:
            return copies.make(name, operation)
