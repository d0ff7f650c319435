"""cache_index: indices that a block computes are computed before it, into buffers of integers."""

from __future__ import annotations

from collections import Counter

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ...analysis.ranges import facts_at
from ...dialects import loop
from ...dialects.index_expr import Index, Range
from ...ir import editor as edit
from ...te.dtypes import dtype_info
from ...te.scalar_operations import emit_cast
from ..allocation import allocate_of
from ..block_moves import exclusive_nest
from ..engine import Engine
from ..handles import BlockRV
from ..loop_rewriting import function_of, unique_label
from ..primitive_declaration import BUFFERS, register_primitive
from ..regions import guard_around, nest_over


@register_primitive(BUFFERS)
def cache_index(sch: Engine, block: BlockRV, scope: str, cse_thresh: int = 0) -> tuple[BlockRV, ...]:
    """Compute the indices that a block loads at before it, into buffers of a scope. Returns the computing blocks.

    An index counts that is an expression of iteration variables of the block, no variable alone, and stands in at least
    `cse_thresh` dimensions of its loads. Its buffer has a dimension for each variable in it, of type int32, or int64
    where its values need that. Loads at indices from memory are opaque to later primitives.

    before:
    ```mlir
    loop.for %i = 0 to 8 {
      loop.for %j = 0 to 8 {
        loop.block "B" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 8) {
          %a = loop.load %A[(%vi floordiv 2), %vj] : memref<4x8xf32>
          loop.store %a, %B[%vi, %vj] : memref<8x8xf32>
        }
      }
    }
    ```
    after `cache_index(B, "local")`:
    ```mlir
    %index_var = loop.alloc : memref<8xi32, "local">
    loop.for %i = 0 to 8 {
      loop.block "index_0" (%vi = spatial(%i) in 8) {
        %0 = loop.apply ((%vi floordiv 2)) : index
        %1 = arith.index_cast %0 : index to i64
        %2 = arith.trunci %1 : i64 to i32
        loop.store %2, %index_var[%vi] : memref<8xi32, "local">
      }
    }
    loop.for %i = 0 to 8 {
      loop.for %j = 0 to 8 {
        loop.block "B" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 8) {
          %3 = loop.load %index_var[%vi] : memref<8xi32, "local">
          %4 = arith.extsi %3 : i32 to i64
          %5 = arith.index_cast %4 : i64 to index
          %a = loop.load %A[%5, %vj] : memref<4x8xf32>
          loop.store %a, %B[%vi, %vj] : memref<8x8xf32>
        }
      }
    }
    ```
    """
    op = sch.block(block)
    loads = [each for each in op.walk() if isinstance(each, loop.LoadOp)]
    counts = Counter(e for load in loads for e in load.index if _is_computed(op, e))
    wanted = [e for e, n in counts.items() if n >= cse_thresh]
    made = [_compute(op, number, e, scope) for number, e in enumerate(wanted)]
    known = {e: (buffer, variables) for e, (_, buffer, variables) in zip(wanted, made, strict=True)}
    for load in loads:
        _load_indices(load, known)
    return tuple(sch.handle_of(computing) for computing, _, _ in made)


def _is_computed(block: loop.BlockOp, e: Index) -> bool:
    """Return whether an index is an expression of iteration variables of the block."""
    is_plain = e.is_constant or e.single_value is not None or e.uses_lane
    return not is_plain and all(v in block.variables for v in e.values())


def _compute(
    block: loop.BlockOp, number: int, e: Index, scope: str
) -> tuple[loop.BlockOp, SSAValue, list[BlockArgument]]:
    """Return a block that computes an index for all values of its variables; its buffer, and those variables."""
    top = exclusive_nest(block)
    rows = [(v, extent) for v, _, _, extent in block.iteration() if v in e.values()]
    shape = [extent for _, extent in rows]
    dtype = _dtype(e, rows)
    alloc = allocate_of(dtype_info(dtype).ir, "index_var", shape, top, scope)
    body = Block(arg_types=[IndexType()] * len(rows))
    renamed: dict[SSAValue, Index] = {}
    for argument, (variable, _) in zip(body.args, rows, strict=True):
        edit.rename(argument, variable.name_hint)
        renamed[variable] = Index.of(argument)
    made: list[Operation] = [loop.ApplyOp(e.substitute(renamed))]

    def emit(op: Operation) -> SSAValue:
        made.append(op)
        return op.results[0]

    value = emit_cast(emit, made[0].results[0], "index", dtype)
    edit.append(body, *made, loop.StoreOp(value, alloc.res, [Index.of(v) for v in body.args]))
    label = unique_label(function_of(block), f"index_{number}")
    computing = loop.BlockOp(label, ["spatial"] * len(rows), [0] * len(rows), shape, (), Region(body))
    for op in (computing, *body.ops):
        op.location = block.location
    spans = [(Index.of(0), extent) for extent in shape]
    nest_over(computing, spans, InsertPoint.before(top), facts_at(top), unit_loops=True, where=guard_around(block, top))
    return computing, alloc.res, [v for v, _ in rows]


def _dtype(e: Index, rows: list[tuple[BlockArgument, Index]]) -> str:
    ranges: dict[SSAValue, Range] = {v: (0, n.constant - 1 if n.is_constant else None) for v, n in rows}
    low, high = e.bounds(ranges)
    return "int32" if low is not None and high is not None and -(2**31) <= low <= high < 2**31 else "int64"


def _load_indices(load: loop.LoadOp, known: dict[Index, tuple[SSAValue, list[BlockArgument]]]) -> None:
    """Let a load take its indices from the buffers."""
    made: list[Operation] = []

    def emit(op: Operation) -> SSAValue:
        made.append(op)
        return op.results[0]

    def loaded(e: Index) -> Index:
        if e not in known:
            return e
        buffer, variables = known[e]
        read = loop.LoadOp(buffer, [Index.of(v) for v in variables])
        return Index.of(emit_cast(emit, emit(read), "int32" if "i32" in str(read.res.type) else "int64", "index"))

    index = [loaded(e) for e in load.index]
    if made:
        edit.insert(made, InsertPoint.before(load), of=load)
        load.set_index_lists(indices=index)
