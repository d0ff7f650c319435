"""widen: a buffer of wider elements, so that the conversion is done once where it is filled and not at each read."""

from __future__ import annotations

from functools import partial
from typing import NoReturn

from xdsl.dialects import arith
from xdsl.dialects.builtin import Float32Type, Float64Type, IntegerType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...ir import editor as edit
from ...te.dtypes import dtype_info, dtype_of_ir
from ..buffer_argument import BufferLike
from ..engine import Engine
from ..handles import BlockRV
from ..primitive_declaration import BUFFERS, register_primitive
from .retyping import retyped, single_accesses
from .storage_layout import allocated_in_memory

_NAME = "widen"
UNFIT = "TW0745"

_Extension = arith.ExtSIOp | arith.ExtUIOp | arith.ExtFOp
_EXTENSIONS = (arith.ExtSIOp, arith.ExtUIOp, arith.ExtFOp)


@register_primitive(BUFFERS)
def widen(sch: Engine, block: BlockRV, buffer: BufferLike, dtype: str) -> None:
    """Change the element type of an allocated buffer to a wider type to which all its readers convert the elements.

    Integers become wider integers and floats become wider floats, extended as the readers extend them, so that values
    stay. A reader that uses an element in another way is refused.

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
    after `widen(B, "B", "int16")`:
    ```mlir
    %B = loop.alloc : memref<8xi16>
    loop.for %i = 0 to 8 {
      loop.block "B" (%vi = spatial(%i) in 8) {
        %a = loop.load %A[%vi] : memref<8xi8>
        %0 = arith.extsi %a : i8 to i16
        loop.store %0, %B[%vi] : memref<8xi16>
      }
    }
    loop.for %x = 0 to 8 {
      loop.block "C" (%vx = spatial(%x) in 8) {
        %b = loop.load %B[%vx] : memref<8xi16>
        %c = arith.extsi %b : i16 to i32
        loop.store %c, %C[%vx] : memref<8xi32>
      }
    }
    ```
    """
    op = sch.block(block)
    _widen(op, sch.buffer_of("widen", op, buffer, "write"), dtype)


def _widen(block: loop.BlockOp, buffer: SSAValue, dtype: str) -> loop.AllocOp:
    alloc = allocated_in_memory(_NAME, block, buffer)
    wide = dtype_info(dtype).ir
    loads, stores = single_accesses(alloc, partial(_refuse, block, buffer))
    extensions = [op for load in loads for op in _extensions(block, load)]
    kinds = {type(op) for op in extensions}
    if len(kinds) != 1:
        _refuse(block, buffer, "which is not read, or converted in different ways")
    (kind,) = kinds
    _check_type(block, buffer, wide, extensions)
    fresh = retyped(alloc, wide)
    for store in stores:
        _convert_before(store, kind, wide)
    edit.insert(fresh, InsertPoint.before(alloc))
    edit.replace_uses(alloc.res, fresh.res)
    for load in loads:
        _read_wide(load, kind, wide)
    edit.erase(alloc)
    return fresh


def _extensions(block: loop.BlockOp, load: loop.LoadOp) -> list[_Extension]:
    """Return the operations that extend a loaded element; it may change from an unsigned type to one without sign
    before."""
    found: list[_Extension] = []
    for value in (load.res, *_bitcasts(load)):
        for use in value.uses:
            op = use.operation
            if isinstance(op, _EXTENSIONS):
                found.append(op)
            elif not isinstance(op, arith.BitcastOp) or value is not load.res:
                _refuse(block, load.buffer, f"whose elements {op.name} uses as they are")
    return found


def _bitcasts(load: loop.LoadOp) -> list[SSAValue]:
    return [use.operation.results[0] for use in load.res.uses if isinstance(use.operation, arith.BitcastOp)]


def _check_type(block: loop.BlockOp, buffer: SSAValue, wide: Attribute, extensions: list[_Extension]) -> None:
    narrow, results = extensions[0].input.type, [op.results[0].type for op in extensions]
    if isinstance(narrow, IntegerType):
        fits = isinstance(wide, IntegerType)
    else:
        fits = isinstance(wide, (Float32Type, Float64Type))
    if not fits or not _bits(narrow) < _bits(wide) <= min(map(_bits, results)):
        targets = ", ".join(dict.fromkeys(map(str, results)))
        _refuse(block, buffer, f"whose elements of type {narrow} become {targets}, with no {wide} on the way")


def _bits(type: Attribute) -> int:
    return dtype_info(dtype_of_ir(type)).bits


def _convert_before(store: loop.StoreOp, kind: type[_Extension], wide: Attribute) -> None:
    value = store.value
    made: list[Operation] = []
    if isinstance(value.type, IntegerType) and (plain := IntegerType(value.type.width.data)) != value.type:
        made.append(arith.BitcastOp(value, plain))
        value = made[-1].results[0]
    made.append(kind(value, wide))  # pyright: ignore[reportArgumentType]
    for op in made:
        op.location = store.location
    edit.insert(made, InsertPoint.before(store))
    edit.change(store).operands[0] = made[-1].results[0]


def _read_wide(load: loop.LoadOp, kind: type[_Extension], wide: Attribute) -> None:
    """Load the wide element instead of the narrow one and its extension.

    A number that was extended without sign is not negative in the wide type, so that its sign extends it further.
    """
    fresh = loop.LoadOp(load.buffer, load.index)
    edit.rename(fresh.res, load.res.name_hint)
    edit.insert(fresh, InsertPoint.before(load), of=load)
    bitcasts = [use.operation for use in load.res.uses if isinstance(use.operation, arith.BitcastOp)]
    for value in (load.res, *(op.results[0] for op in bitcasts)):
        for op in [use.operation for use in value.uses if isinstance(use.operation, _EXTENSIONS)]:
            _extend_further(op, fresh.res, kind, wide)
    for op in (*bitcasts, load):
        edit.erase(op)


def _extend_further(op: Operation, value: SSAValue, kind: type[_Extension], wide: Attribute) -> None:
    result = op.results[0]
    if result.type == wide:
        edit.replace_uses(result, value)
        edit.erase(op)
        return
    further = arith.ExtFOp if kind is arith.ExtFOp else arith.ExtSIOp
    new = further(value, result.type)  # pyright: ignore[reportArgumentType]
    edit.rename(new.results[0], result.name_hint)
    new.location = op.location
    edit.replace(op, new)


def _refuse(block: loop.BlockOp, buffer: SSAValue, reason: str) -> NoReturn:
    fail(UNFIT, f"{_NAME}: block {block.label!r}: expected readers that widen {name_of(buffer)}, {reason}", op=block)
