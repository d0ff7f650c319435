"""Barriers, at which the threads of a block wait for each other.

The threads of a block are the iterations of the loops bound to `threadIdx.*`, all of a nest together. Without a barrier
the threads run one after the other; with a barrier they run concurrently, from barrier to barrier.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from ...hardware import THREAD_INDEX
from ..op_syntax import parse_attributes, print_attributes, with_attributes
from .access import LoadOp
from .block import BlockOp
from .buffers import GLOBAL, SHARED, WARP, is_private
from .control import ForOp, IfOp
from .kinds import SERIAL, UNROLLED

BARRIER_SCOPES = (WARP, SHARED, GLOBAL)
"""The scopes whose memory barriers order, each including the preceding ones."""


@irdl_op_definition
class BarrierOp(IRDLOperation):
    """Waits for all threads of the block, which then see earlier writes of the others to memory of the scope.

    ```mlir
    loop.for %t = 0 to 64 kind thread<"threadIdx.x"> {
      loop.store %x, %s[%t] : memref<64xf32, "shared">
      loop.barrier <"shared">
      %y = loop.load %s[63 - %t] : memref<64xf32, "shared">
      …
    }
    ```
    The scope is `shared`; `global` for shared memory and the block's accesses to global memory; or `warp`, for which
    only the lanes of a warp wait for one another, and which covers only memory of warps. Either all threads of a block
    reach a barrier or none does: no condition and no loop bound around it depends on a thread.
    """

    name = "loop.barrier"

    scope = prop_def(StringAttr)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, scope: str = SHARED):
        super().__init__(properties={"scope": StringAttr(scope)})

    def verify_(self) -> None:
        if self.scope.data not in BARRIER_SCOPES:
            raise VerifyException(f"expected scope {', '.join(BARRIER_SCOPES)}, but got {self.scope.data}")
        around = list(_up_to_threads(self))
        if not around:
            raise VerifyException("expected a barrier inside a loop over threadIdx, but there is none around it")
        for op in around:
            _verify_uniform(op)

    def print(self, printer: Printer) -> None:
        printer.print_string(" <")
        printer.print_string_literal(self.scope.data)
        printer.print_string(">")
        print_attributes(printer, self)

    @classmethod
    def parse(cls, parser: Parser) -> BarrierOp:
        with parser.in_angle_brackets():
            scope = parser.parse_str_literal()
        return with_attributes(cls(scope), parse_attributes(parser))


def separates(barrier: BarrierOp, scope: str) -> bool:
    """Return whether a barrier orders accesses to memory of the scope, one of `BARRIER_SCOPES`."""
    return BARRIER_SCOPES.index(barrier.scope.data) >= BARRIER_SCOPES.index(scope)


def is_over_threads(op: Operation | None) -> bool:
    """Return whether an operation is a loop over the threads of a block."""
    return isinstance(op, ForOp) and op.kind.tag.data.startswith(THREAD_INDEX)


def depends_on_thread(value: SSAValue) -> bool:
    """Return whether a value may differ between the threads of a block.

    A load from an element that is the same for all threads is the same, unless the buffer is private to each thread.
    """
    if isinstance(value, BlockArgument):
        loop = value.block.parent_op()
        if not isinstance(loop, ForOp):
            return isinstance(loop, BlockOp) and any(map(depends_on_thread, loop.operands))
        carried = value is not loop.induction_variable
        return is_over_threads(loop) or (carried and _is_in_threads(loop)) or any(map(depends_on_thread, loop.dims))
    op = value.owner
    assert isinstance(op, Operation)
    if op.regions and _is_in_threads(op):
        return True
    if isinstance(op, LoadOp) and is_private(op.buffer.type) and _is_in_threads(op):
        return True
    return any(depends_on_thread(operand) for operand in op.operands)


def _up_to_threads(op: Operation) -> Iterator[Operation]:
    """Yield the operations around `op` up to the outermost loop over threads; none where there is no such loop."""
    around: list[Operation] = []
    parent = op.parent_op()
    while parent is not None:
        around.append(parent)
        parent = parent.parent_op()
    while around and not is_over_threads(around[-1]):
        around.pop()
    return iter(around)


def _is_in_threads(op: Operation) -> bool:
    return any(True for _ in _up_to_threads(op))


def _verify_uniform(op: Operation) -> None:
    match op:
        case ForOp() if op.kind not in (SERIAL, UNROLLED) and not op.kind.tag.data:
            raise VerifyException(
                f"expected serial and unrolled loops between threads and a barrier, but got kind {op.kind.kind.data}"
            )
        case ForOp() | IfOp():
            what = "conditions" if isinstance(op, IfOp) else "loop bounds"
            if any(depends_on_thread(value) for value in op.dims):
                raise VerifyException(f"expected {what} around a barrier to be the same for all threads")
        case _:
            raise VerifyException(f"expected loops and conditionals around a barrier, but got {op.name}")
