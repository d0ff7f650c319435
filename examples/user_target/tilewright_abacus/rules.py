"""Lowering rules for operations that the machine has no instruction for."""

from __future__ import annotations

from typing import Any

from tilewright import te


def lower_exp(call: Any) -> te.Expr:
    """Return exp(x) = (1 + x / 1024 + (x / 1024)^2 / 2)^1024, by ten squarings."""
    step = call.args[0] / 1024
    power = 1 + step + step * step / 2
    for _ in range(10):
        power = power * power
    return power
