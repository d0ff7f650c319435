"""Targets: `tilewright.target.Target("llvm -mcpu=x86-64-v3")`."""

from ...driver.targets import Target

__all__ = ["Target"]
