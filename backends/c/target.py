"""The target texts `c` and `opencl`, and their attributes."""

from __future__ import annotations

from ...dialects.target import OpenClTargetAttr
from ...dialects.target_text import C_OPTIONS as C_OPTIONS
from ...dialects.target_text import c_target as read_c_target

__all__ = ["C_OPTIONS", "read_c_target", "read_opencl_target"]


def read_opencl_target(text: str) -> OpenClTargetAttr:
    """Read a device of OpenCL, whose text has no options."""
    return OpenClTargetAttr()
