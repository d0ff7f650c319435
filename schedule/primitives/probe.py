"""probe: a block prints the elements that it stores."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...diagnostics.locations import location_of
from ...dialects import loop
from ...ir import editor as edit
from ...te.printing import position_text, printable
from ..engine import Engine
from ..forms import unsuitable
from ..handles import BlockRV
from ..primitive_declaration import NOTES, register_primitive

_NAME = "probe"


@register_primitive(NOTES)
def probe(sch: Engine, block: BlockRV) -> None:
    """Let a block print each element that it stores, with its index and the line that the block comes from.

    A reduction prints each partial result, but not its initial value. Apply it last: a block that prints is not
    inlined, and its loops are not vectorized. On a GPU nothing prints (TW0690); the simulator does.

    before:
    ```mlir
    loop.for %i = 0 to 8 {
      loop.block "B" (%vi = spatial(%i) in 8) {
        %a = loop.load %A[%vi] : memref<8xf32>
        loop.store %a, %B[%vi] : memref<8xf32>
      }
    }
    ```
    after `probe(B)`:
    ```mlir
    loop.for %i = 0 to 8 {
      loop.block "B" (%vi = spatial(%i) in 8) {
        %a = loop.load %A[%vi] : memref<8xf32>
        loop.store %a, %B[%vi] : memref<8xf32>
        loop.print "B[{}] = {}" (%vi) %a : f32
      }
    }
    ```
    """
    op = sch.block(block)
    stores = stores_of(op)
    if not stores:
        unsuitable(_NAME, op, "should store numbers one by one, outside of its init")
    for store in stores:
        print_stored(store)


def stores_of(block: loop.BlockOp) -> list[loop.StoreOp]:
    """Return the stores of single elements in a block, without those of its init and of blocks in it."""
    inside = (op for op in block.walk() if isinstance(op, loop.StoreOp) and op.lanes is None)
    return [op for op in inside if next(loop.enclosing(op, (loop.BlockOp, loop.InitOp))) is block]


def print_stored(store: loop.StoreOp) -> None:
    """Print the stored value after a store."""
    index, made = ", ".join(["{}"] * len(store.index)), list[Operation]()

    def emit(op: Operation) -> SSAValue:
        made.append(op)
        return op.results[0]

    message = f"{position_text(location_of(store))}{store.buffer.name_hint or 'buffer'}[{index}] = {{}}"
    made.append(loop.PrintOp(message, store.index, printable(emit, store.value), store.conditions))
    edit.insert(made, InsertPoint.after(store), of=store)
