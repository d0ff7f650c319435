"""Reduction of IR: smaller modules for which a test still holds."""

from __future__ import annotations

from .reducer import Reducer as Reducer
from .reducer import count_ops as count_ops

__all__ = ["Reducer", "count_ops"]
