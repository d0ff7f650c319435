"""What tests of classic topi take from `topi.testing`: references on numpy arrays, and what serves a target."""

from __future__ import annotations

from ....lazy import exports

_EXPORTS: dict[str, str] = {}

__getattr__, __dir__ = exports(__name__, _EXPORTS)
