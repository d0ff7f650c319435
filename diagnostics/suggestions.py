"""Nearest names for a name that does not exist, found by the runtime."""

from __future__ import annotations

from ..runtime.text import did_you_mean as did_you_mean
