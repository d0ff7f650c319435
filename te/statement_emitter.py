"""Expressions as operations of the loop dialect, for statements that Python writes."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from xdsl.dialects.builtin import i32
from xdsl.ir import Operation

from ..dialects import loop
from .body import BodyEmitter
from .expr import Expr


class StatementEmitter(BodyEmitter):
    """Emits expressions over buffers, whose elements are loaded where the statement stands."""

    read_operation: ClassVar[Callable[..., Operation]] = loop.LoadOp
    apply_operation: ClassVar[Callable[..., Operation]] = loop.ApplyOp
    test_operation: ClassVar[Callable[..., Operation]] = loop.TestOp

    def passed(self, given: Expr) -> loop.Argument:
        """Return the expression as an argument of a foreign call."""
        if given.dtype == "index":
            return loop.IndexArgument(self.index(given), i32)
        return loop.ValueArgument(self.scalar(given))
