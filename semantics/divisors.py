"""Divisors that are stated to be safe."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.ir import Operation

from ..diagnostics import fail


def check_divisor(op: Operation, divisor: Any) -> None:
    """Raise TW0732 where a divisor that is stated to be safe is 0, or -1 of a type with more bits than one."""
    values = np.asarray(divisor)
    is_signed = op.name.endswith("si") and values.dtype != np.bool_
    if not np.all(values) or (is_signed and np.any(values == -1)):
        fail("TW0732", f"expected a divisor that is neither 0 nor -1, but got {divisor}", op=op)
