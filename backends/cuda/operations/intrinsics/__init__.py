"""The device operations as intrinsics of numba.cuda, which are created at their first use.

Each emits LLVM IR, calls of libdevice or inline PTX. They work with numba's builtin CUDA target and with numba-cuda;
tests/cuda_backend/operations/ checks the instructions in the PTX where NVVM is available. Under numba's simulator
(NUMBA_ENABLE_CUDASIM=1) nothing is compiled: loads, stores and functions of single values are Python functions there.
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
