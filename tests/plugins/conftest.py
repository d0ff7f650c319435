"""Fixtures of the tests of plugins."""

from __future__ import annotations

from .installed import examples_site as examples_site
