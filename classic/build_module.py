"""`driver.build_module`: building and lowering, and the class of what is built."""

from __future__ import annotations

from ..driver import build, lower
from ..runtime.module import Module as OperatorModule

__all__ = ["OperatorModule", "build", "lower"]
