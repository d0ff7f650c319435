"""Expressions as operations of the loop dialect: what statements that Python writes are made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from xdsl.ir import Operation

from ..dialects import loop
from ..dialects.index_expr import Index
from ..te.body import BodyEmitter


class StatementEmitter(BodyEmitter):
    """Emits expressions over buffers, whose elements are loaded where the statement stands."""

    read_operation: ClassVar[Callable[..., Operation]] = loop.LoadOp
    apply_operation: ClassVar[Callable[[Index], Operation]] = loop.ApplyOp
    test_operation: ClassVar[Callable[[tuple[Index, ...]], Operation]] = loop.TestOp
