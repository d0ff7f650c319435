"""`tvm.ir.container`: what programs test by isinstance where the original gives tables and lists."""

from __future__ import annotations

from collections.abc import Mapping as Map
from collections.abc import Sequence as Array

__all__ = ["Array", "Map"]
