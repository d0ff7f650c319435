"""Helpers around programs: temporary folders, compilers of the system, random numbers and sorting."""

from __future__ import annotations

from ...lazy import exports

__getattr__, __dir__ = exports(__name__, {})
