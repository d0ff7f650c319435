"""make_unsigned: signed integers as unsigned ones, for instructions that take an operand without a sign."""

from __future__ import annotations

from functools import partial
from typing import NoReturn

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, IntegerType, Signedness
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...ir import editor as edit
from ..buffer_argument import BufferLike
from ..engine import Engine
from ..handles import BlockRV
from ..primitive_declaration import BUFFERS, register_primitive
from .retyping import retyped, single_accesses
from .storage_layout import allocated_in_memory

_NAME = "make_unsigned"
UNFIT = "TW0747"


@register_primitive(BUFFERS)
def make_unsigned(sch: Engine, block: BlockRV, buffer: BufferLike) -> None:
    """Store signed integers as unsigned integers plus half the range in an allocated buffer.

    Readers that extended an element with its sign extend it without sign and subtract the offset, so that values stay.
    A reader that uses an element in another way is refused.

    before:
    ```mlir
    %B = loop.alloc : memref<8xi8>
    loop.for %i = 0 to 8 {
      loop.block "B" (%vi = spatial(%i) in 8) {
        %a = loop.load %A[%vi] : memref<8xi8>
        loop.store %a, %B[%vi] : memref<8xi8>
      }
    }
    loop.for %x = 0 to 8 {
      loop.block "C" (%vx = spatial(%x) in 8) {
        %b = loop.load %B[%vx] : memref<8xi8>
        %c = arith.extsi %b : i8 to i32
        loop.store %c, %C[%vx] : memref<8xi32>
      }
    }
    ```
    after `make_unsigned(B, "B")`:
    ```mlir
    %B = loop.alloc : memref<8xui8>
    loop.for %i = 0 to 8 {
      loop.block "B" (%vi = spatial(%i) in 8) {
        %a = loop.load %A[%vi] : memref<8xi8>
        %0 = arith.constant -128 : i8
        %1 = arith.addi %a, %0 : i8
        %2 = arith.bitcast %1 : i8 to ui8
        loop.store %2, %B[%vi] : memref<8xui8>
      }
    }
    loop.for %x = 0 to 8 {
      loop.block "C" (%vx = spatial(%x) in 8) {
        %b = loop.load %B[%vx] : memref<8xui8>
        %3 = arith.bitcast %b : ui8 to i8
        %4 = arith.extui %3 : i8 to i32
        %5 = arith.constant 128 : i32
        %c = arith.subi %4, %5 : i32
        loop.store %c, %C[%vx] : memref<8xi32>
      }
    }
    ```
    """
    op = sch.block(block)
    _make_unsigned(op, sch.buffer_of("make_unsigned", op, buffer, "write"))


def _make_unsigned(block: loop.BlockOp, buffer: SSAValue) -> loop.AllocOp:
    alloc = allocated_in_memory(_NAME, block, buffer)
    signed = alloc.res.type.get_element_type()
    if not isinstance(signed, IntegerType) or signed.signedness.data != Signedness.SIGNLESS or signed.width.data == 1:
        _refuse(block, buffer, f"whose elements are of type {signed}")
    loads, stores = single_accesses(alloc, partial(_refuse, block, buffer))
    for reader in (use.operation for load in loads for use in load.res.uses):
        if not isinstance(reader, arith.ExtSIOp):
            _refuse(block, buffer, f"whose elements {reader.name} uses as they are")
    unsigned = IntegerType(signed.width.data, Signedness.UNSIGNED)
    fresh = retyped(alloc, unsigned)
    for store in stores:
        _store_unsigned(store, signed, unsigned)
    edit.insert(fresh, InsertPoint.before(alloc))
    edit.replace_uses(alloc.res, fresh.res)
    for load in loads:
        _read_unsigned(load, signed)
    edit.erase(alloc)
    return fresh


def _store_unsigned(store: loop.StoreOp, signed: IntegerType, unsigned: IntegerType) -> None:
    half = arith.ConstantOp(IntegerAttr(-(1 << (signed.width.data - 1)), signed))  # wraps around as half would
    moved = arith.AddiOp(store.value, half)
    stored = arith.BitcastOp(moved, unsigned)
    _insert_before(store, half, moved, stored)
    edit.change(store).operands[0] = stored.result


def _read_unsigned(load: loop.LoadOp, signed: IntegerType) -> None:
    fresh = loop.LoadOp(load.buffer, load.index)
    edit.rename(fresh.res, load.res.name_hint)
    _insert_before(load, fresh)
    for extension in [use.operation for use in load.res.uses]:
        wide = extension.results[0].type
        assert isinstance(wide, IntegerType)
        plain = arith.BitcastOp(fresh.res, signed)
        extended = arith.ExtUIOp(plain, wide)
        half = arith.ConstantOp(IntegerAttr(1 << (signed.width.data - 1), wide))
        value = arith.SubiOp(extended, half)
        edit.rename(value.result, extension.results[0].name_hint)
        _insert_before(extension, plain, extended, half)
        value.location = extension.location
        edit.replace(extension, value)
    edit.erase(load)


def _insert_before(successor: Operation, *made: Operation) -> None:
    for op in made:
        op.location = successor.location
    edit.insert(made, InsertPoint.before(successor))


def _refuse(block: loop.BlockOp, buffer: SSAValue, reason: str) -> NoReturn:
    fail(
        UNFIT,
        f"{_NAME}: block {block.label!r}: expected signed integers that readers extend in {name_of(buffer)}, {reason}",
        op=block,
    )
