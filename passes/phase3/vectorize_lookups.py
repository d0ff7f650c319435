"""Pass `vectorize-lookups`: lookups in a table of 256 bytes become permutations of vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import IntegerAttr, IntegerType, MemRefType, ModuleOp, VectorType, i8
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...analysis.access import root_buffer
from ...diagnostics.remarks import remark
from ...dialects import loop
from ...dialects.index_expr import LANE, Index
from ...dialects.target import target_of
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass

PATTERNS = 256
"""Bit patterns of a byte."""
WIDTH = 64
"""Bytes of a vector."""
PERMUTATION = "x86.vpermi2b"
"""The instruction that chooses each byte of a vector out of two."""

_CASTS = (arith.BitcastOp, arith.ExtUIOp, arith.ExtSIOp, arith.IndexCastOp)


@dataclass(frozen=True)
class VectorizeLookupsPass(Pass):
    """Read a table of 256 bytes by permutations of vectors, 64 bytes at a time, where the target has them.

    ```mlir
    loop.for %i = 0 to 64 {
      %0 = loop.load %x[%i] : memref<64xi8>
      %1 = arith.extui %0 : i8 to i32
      %2 = arith.index_cast %1 : i32 to index
      %3 = loop.load %table[%2] : memref<256xi8>
      loop.store %3, %y[%i] : memref<64xi8>
    }
    // becomes
    %x = loop.load %x[lane] : memref<64xi8>, vector<64xi8>
    %a = loop.load %table[lane] : memref<256xi8>, vector<64xi8>
    %b = loop.load %table[lane + 64] : memref<256xi8>, vector<64xi8>
    …
    %low = loop.call_intrin "x86.vpermi2b"(%a, %x, %b) : …
    %high = loop.call_intrin "x86.vpermi2b"(%c, %x, %d) : …
    %negative = arith.cmpi slt, %x, %zeros : vector<64xi8>
    %chosen = arith.select %negative, %high, %low : vector<64xi1>, vector<64xi8>
    loop.store %chosen, %y[lane] : vector<64xi8>, memref<64xi8>
    ```
    A loop qualifies if it contains only the lookup, for 64 contiguous bytes. Scalar lookups take a cycle for each byte.

    Needs: loop level; `vectorize` has run, since the permutation of a vector is no function of its lanes one by one.
    Grants: nothing that later passes rely on.
    """

    name = "vectorize-lookups"
    phase = 3
    levels = (Level.LOOP,)
    opt_level = 2
    asks_target = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = target_of(op)
        if target is None or target.core is None or not target.core.permutes_bytes:
            return
        loops = [each for each in operations(op) if isinstance(each, loop.ForOp)]
        for each, found in [(each, _lookup_of(each)) for each in loops]:
            if found is not None and may_rewrite("vectorize the lookup of", each):
                _rewrite(each, found)


@dataclass(frozen=True)
class _Lookup:
    """The three accesses of a loop over a table."""

    source: loop.LoadOp
    table: loop.LoadOp
    store: loop.StoreOp


def _lookup_of(op: loop.ForOp) -> _Lookup | None:
    """Return the lookup that a loop does; None where it does something else."""
    if op.kind != loop.SERIAL or op.constant_bounds != (0, WIDTH):
        return None
    body = list(op.body.block.ops)
    loads = [each for each in body if isinstance(each, loop.LoadOp)]
    stores = [each for each in body if isinstance(each, loop.StoreOp)]
    known = (loop.LoadOp, loop.StoreOp, loop.YieldOp, *_CASTS)
    if len(loads) != 2 or len(stores) != 1 or not all(isinstance(each, known) for each in body):
        return None
    (source, table), (store,) = loads, stores
    if any((source.conditions, table.conditions, store.conditions)) or store.value is not table.res:
        return None
    steps = all(_moves_by_one(each.index, op.induction_variable) for each in (source, store))
    if not steps or not _is_table(table, source) or not all(map(_is_of_bytes, (source, table, store))):
        return None
    return _Lookup(source, table, store) if _are_separate(source, table, store) else None


def _moves_by_one(index: Sequence[Index], variable: SSAValue) -> bool:
    """Tell if accesses of neighbouring iterations are neighbours along the last dimension."""
    *rows, last = index
    step = last.substitute({variable: Index.of(variable) + 1}) - last
    return step == Index.of(1) and not any(variable in row.values() for row in rows)


def _is_table(table: loop.LoadOp, source: loop.LoadOp) -> bool:
    """Tell if `table` reads the element of 256 that the bits of `source` number."""
    assert isinstance(table.buffer.type, MemRefType)
    value = table.index[0].single_value if len(table.index) == 1 else None
    if value is None or table.buffer.type.get_shape() != (PATTERNS,):
        return False
    is_unsigned = False
    while isinstance(cast := value.owner, _CASTS):
        # The innermost extension determines the meaning of the highest bit of the byte.
        is_unsigned = isinstance(cast, arith.ExtUIOp) if _extends_byte(cast) else is_unsigned
        value = cast.operands[0]
    return is_unsigned and value is source.res


def _extends_byte(cast: Operation) -> bool:
    return isinstance(cast, (arith.ExtUIOp, arith.ExtSIOp)) and _bits(cast.operands[0].type) == _bits(i8)


def _bits(type_: Attribute) -> int:
    return type_.width.data if isinstance(type_, IntegerType) else 0


def _is_of_bytes(op: loop.LoadOp | loop.StoreOp) -> bool:
    assert isinstance(op.buffer.type, MemRefType)
    return op.lanes is None and _bits(op.buffer.type.element_type) == _bits(i8)


def _are_separate(source: loop.LoadOp, table: loop.LoadOp, store: loop.StoreOp) -> bool:
    """Return whether no iteration writes an element that a later one reads."""
    written, read = root_buffer(store.buffer), root_buffer(source.buffer)
    is_same = store.buffer is source.buffer and store.index == source.index
    return written is not root_buffer(table.buffer) and (written is not read or is_same)


def _rewrite(op: loop.ForOp, found: _Lookup) -> None:
    made: list[Operation] = []

    def add(operation: Operation) -> SSAValue:
        operation.location = op.location
        made.append(operation)
        return operation.results[0]

    def as_bytes(value: SSAValue) -> SSAValue:
        bytes_ = VectorType(i8, [WIDTH])
        return value if value.type == bytes_ else add(arith.BitcastOp(value, bytes_))

    def part(start: int) -> SSAValue:
        return as_bytes(add(loop.LoadOp(found.table.buffer, [Index.of(LANE) + start], lanes=WIDTH)))

    def chosen(low: SSAValue, high: SSAValue) -> SSAValue:
        return add(loop.CallIntrinOp(PERMUTATION, [low, numbers, high], numbers.type))

    along = {op.induction_variable: Index.of(LANE)}
    index = [e.substitute(along) for e in found.source.index]
    numbers = as_bytes(add(loop.LoadOp(found.source.buffer, index, lanes=WIDTH)))
    lower, upper = chosen(part(0), part(WIDTH)), chosen(part(2 * WIDTH), part(3 * WIDTH))
    zeros = add(vector.BroadcastOp(add(arith.ConstantOp(IntegerAttr(0, i8))), VectorType(i8, [WIDTH])))
    result = add(arith.SelectOp(add(arith.CmpiOp(numbers, zeros, "slt")), upper, lower))
    stored = VectorType(found.store.value.type, [WIDTH])
    result = result if result.type == stored else add(arith.BitcastOp(result, stored))
    target = [e.substitute(along) for e in found.store.index]
    store = loop.StoreOp(result, found.store.buffer, target)
    store.location = op.location
    edit.insert([*made, store], InsertPoint.before(op))
    remark("TW0220", f"{WIDTH} bytes are looked up at once by {PERMUTATION}", op=op, kind="passed")
    edit.erase(op)
