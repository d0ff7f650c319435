"""The lit files of this package, as tests run them."""

from __future__ import annotations

from pathlib import Path

from tilewright.tools.lit_kit.suite import Suite

LIT_ROOT = Path(__file__).resolve().parents[2] / "lit"
SUITE = Suite(LIT_ROOT)
LIT_FILES = SUITE.files()
