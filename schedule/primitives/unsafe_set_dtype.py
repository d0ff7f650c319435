"""unsafe_set_dtype: a buffer of another element type, converted where it is filled and where it is read."""

from __future__ import annotations

from functools import partial
from typing import NoReturn

from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...ir import editor as edit
from ...te.dtypes import dtype_info, dtype_of_ir
from ...te.scalar_operations import emit_cast
from ..buffer_argument import BufferLike
from ..engine import Engine
from ..handles import BlockRV
from ..primitive_declaration import BUFFERS, register_primitive
from ..refusal import BAD_ARGUMENT, UNSUITABLE
from .retyping import retyped, single_accesses
from .storage_layout import allocated_in_memory

_NAME = "unsafe_set_dtype"


@register_primitive(BUFFERS)
def unsafe_set_dtype(sch: Engine, block: BlockRV, buffer: BufferLike, dtype: str) -> None:
    """Change the element type of an allocated buffer that a block writes. Values are rounded to it, or wrap around.

    Each store converts to the type and each load converts back. Results are those of the old type only where every
    stored value is one of the new type, which nothing checks; `widen` and `make_unsigned` keep all values.

    before:
    ```mlir
    %B = loop.alloc : memref<8xf32>
    loop.for %i = 0 to 8 {
      loop.block "B" (%vi = spatial(%i) in 8) {
        %a = loop.load %A[%vi] : memref<8xf32>
        loop.store %a, %B[%vi] : memref<8xf32>
      }
    }
    loop.for %x = 0 to 8 {
      loop.block "C" (%vx = spatial(%x) in 8) {
        %b = loop.load %B[%vx] : memref<8xf32>
        loop.store %b, %C[%vx] : memref<8xf32>
      }
    }
    ```
    after `unsafe_set_dtype(B, "B", "float16")`:
    ```mlir
    %B = loop.alloc : memref<8xf16>
    loop.for %i = 0 to 8 {
      loop.block "B" (%vi = spatial(%i) in 8) {
        %a = loop.load %A[%vi] : memref<8xf32>
        %0 = arith.truncf %a : f32 to f16
        loop.store %0, %B[%vi] : memref<8xf16>
      }
    }
    loop.for %x = 0 to 8 {
      loop.block "C" (%vx = spatial(%x) in 8) {
        %b = loop.load %B[%vx] : memref<8xf16>
        %b = arith.extf %b : f16 to f32
        loop.store %b, %C[%vx] : memref<8xf32>
      }
    }
    ```
    """
    op = sch.block(block)
    _set_dtype(op, sch.buffer_of(_NAME, op, buffer, "write"), dtype)


def _set_dtype(block: loop.BlockOp, buffer: SSAValue, dtype: str) -> None:
    alloc = allocated_in_memory(_NAME, block, buffer)
    old = dtype_of_ir(alloc.res.type.get_element_type())
    if dtype_info(dtype).is_bool != dtype_info(old).is_bool:
        fail(BAD_ARGUMENT, f"{_NAME}: expected numbers for numbers, but got {dtype} for elements of {old}", op=block)
    loads, stores = single_accesses(alloc, partial(_refuse, block, buffer))
    fresh = retyped(alloc, dtype_info(dtype).ir)
    for store in stores:
        edit.change(store).operands[0] = _converted(store.value, old, dtype, store)
    edit.insert(fresh, InsertPoint.before(alloc))
    edit.replace_uses(alloc.res, fresh.res)
    for load in loads:
        again = loop.LoadOp(load.buffer, load.index)
        edit.rename(again.res, load.res.name_hint)
        edit.insert(again, InsertPoint.before(load), of=load)
        edit.replace_uses(load.res, _converted(again.res, dtype, old, load))
        edit.erase(load)
    edit.erase(alloc)


def _converted(value: SSAValue, source: str, target: str, before: loop.LoadOp | loop.StoreOp) -> SSAValue:
    """Convert a value to another type, in front of an access."""
    made: list[Operation] = []

    def emit(op: Operation) -> SSAValue:
        made.append(op)
        return op.results[0]

    result = emit_cast(emit, value, source, target)
    edit.insert(made, InsertPoint.before(before), of=before)
    return result


def _refuse(block: loop.BlockOp, buffer: SSAValue, reason: str) -> NoReturn:
    fail(
        UNSUITABLE, f"{_NAME}: block {block.label!r}: expected plain accesses of {name_of(buffer)}, {reason}", op=block
    )
