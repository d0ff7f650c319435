"""Copies of arrays for which there is memory, made by the runtime."""

from __future__ import annotations

from ..runtime.memory import contiguous_copy as contiguous_copy
from ..runtime.memory import expect_memory as expect_memory
