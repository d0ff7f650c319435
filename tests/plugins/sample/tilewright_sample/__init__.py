"""A plugin: importing it makes a pass, an intrinsic and its lowering rules known."""

from . import intrinsics, passes

__all__ = ["intrinsics", "passes"]
