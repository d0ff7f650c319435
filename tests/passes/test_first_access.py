"""The insertion point of allocations: before the first of the operations that use the buffer."""

from __future__ import annotations

from types import SimpleNamespace

from tilewright.passes.phase1.sink_allocations import _first_op  # pyright: ignore[reportPrivateUsage]
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Block


def test_neighbours_at_the_end_of_a_body() -> None:
    """The order of a set is by address: many bodies see both orders of the last two."""
    for count in range(2, 40):
        ops = [ConstantOp(IntegerAttr(k, IndexType())) for k in range(count)]
        block = Block(ops)
        accesses = [SimpleNamespace(op=op) for op in ops]
        assert _first_op(block, accesses) is ops[0]  # pyright: ignore[reportArgumentType]
        assert _first_op(block, accesses[count // 2 :]) is ops[count // 2]  # pyright: ignore[reportArgumentType]
