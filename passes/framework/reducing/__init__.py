"""Making IR smaller while something stays true of it."""

from __future__ import annotations

from .reducer import Reducer as Reducer
from .reducer import count_ops as count_ops

__all__ = ["Reducer", "count_ops"]
