"""`tvm.ir.container`: classes of arrays and maps, for programs that test them by `isinstance`."""

from __future__ import annotations

from collections.abc import Mapping as Map
from collections.abc import Sequence as Array

__all__ = ["Array", "Map"]
