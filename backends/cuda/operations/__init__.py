"""The device operations of kernels: `from tilewright.backends.cuda import operations as device`.

In a kernel that numba.cuda compiles, operations such as `device.load4` are intrinsics, which are created at their first
use. The simulator implements the operations by their names (`table.py`). The import needs neither numba nor CUDA.
"""

from __future__ import annotations

from typing import Any

from ....lazy import unknown_name
from .table import OPERATIONS

__all__ = ["OPERATIONS"]


def __getattr__(name: str) -> Any:
    if name not in OPERATIONS:
        raise unknown_name(__name__, name, OPERATIONS)
    from .intrinsics import intrinsic_of

    return intrinsic_of(name)
