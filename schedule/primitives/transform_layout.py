"""transform_layout: another layout of an allocated buffer."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, AnyFloat, IndexType, MemRefType
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ...analysis.integer_set import PROVED, Refuted
from ...analysis.ranges import RangeAnalysis, facts_at
from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...dialects.index_expr import Index
from ...dialects.loop.storage import ALIGNMENT
from ...ir import editor as edit
from ...te.scalar_operations import appender, emit_constant
from ..buffer_argument import BufferLike
from ..engine import Engine
from ..forms import unsuitable
from ..handles import BlockRV
from ..index_map import BAD_MAP, IndexMap, MapLike
from ..loop_rewriting import function_of, unique_label
from ..primitive_declaration import BUFFERS, register_primitive
from ..refusal import BAD_ARGUMENT, UNPROVED
from ..regions import nest_over

_NAME = "transform_layout"
VISIBLE = "TW0419"


@register_primitive(BUFFERS)
def transform_layout(
    sch: Engine,
    block: BlockRV,
    buffer: BufferLike,
    index_map: MapLike,
    pad_value: float | None = None,
    *,
    assume_injective_transform: bool = False,
) -> None:
    """Change the layout of an allocated buffer by an index map, in every access.

    `index_map` is a function such as `lambda i, j: (j // 8, i, j % 8)`, its text, or an `IndexMap`. The shape becomes
    the range of the map. If a size does not divide, the buffer gets padding that nothing reads; `pad_value` fills it in
    a separate block before the buffer is written, so `compute_at` of the block that writes the buffer comes first. The
    loops stay. It is proved that no two elements get one position: `assume_injective_transform` changes nothing.

    before:
    ```mlir
    %B = loop.alloc : memref<8x12xf32>
    loop.for %i = 0 to 8 {
      loop.for %j = 0 to 12 {
        loop.block "B" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 12) {
          %a = loop.load %A[%vi, %vj] : memref<8x12xf32>
          loop.store %a, %B[%vi, %vj] : memref<8x12xf32>
        }
      }
    }
    loop.for %x = 0 to 8 {
      loop.for %y = 0 to 12 {
        loop.block "C" (%vx = spatial(%x) in 8, %vy = spatial(%y) in 12) {
          %b = loop.load %B[%vx, %vy] : memref<8x12xf32>
          loop.store %b, %C[%vx, %vy] : memref<8x12xf32>
        }
      }
    }
    ```
    after `transform_layout(B, "B", lambda i, j: (j // 4, i, j % 4))`:
    ```mlir
    %B = loop.alloc : memref<3x8x4xf32>
    loop.for %i = 0 to 8 {
      loop.for %j = 0 to 12 {
        loop.block "B" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 12) {
          %a = loop.load %A[%vi, %vj] : memref<8x12xf32>
          loop.store %a, %B[(%vj floordiv 4), %vi, (%vj mod 4)] : memref<3x8x4xf32>
        }
      }
    }
    loop.for %x = 0 to 8 {
      loop.for %y = 0 to 12 {
        loop.block "C" (%vx = spatial(%x) in 8, %vy = spatial(%y) in 12) {
          %b = loop.load %B[(%vy floordiv 4), %vx, (%vy mod 4)] : memref<3x8x4xf32>
          loop.store %b, %C[%vx, %vy] : memref<8x12xf32>
        }
      }
    }
    ```
    """
    op = sch.block(block)
    found = sch.buffer_of("transform_layout", op, buffer, "write")
    _transform_layout(op, found, IndexMap.of(index_map), pad_value)


def _transform_layout(
    block: loop.BlockOp, buffer: SSAValue, index_map: IndexMap, pad_value: float | None = None
) -> loop.AllocOp:
    alloc = _allocation(block, buffer)
    extents = alloc.shape
    shape = mapped_extents(_NAME, block, index_map, extents, f"buffer {name_of(buffer)}")
    _check_injective(block, buffer, index_map, extents)
    inverse = None if pad_value is None else _inverse_for_padding(block, buffer, index_map, extents)
    if pad_value is not None:
        _check_pad_value(block, alloc.res.type, pad_value)
    fresh = _replace(alloc, shape, index_map)
    if inverse is not None and pad_value is not None:
        _fill_padding(block, fresh, inverse, extents, pad_value)
    return fresh


def mapped_extents(
    primitive: str, block: loop.BlockOp, index_map: IndexMap, extents: Sequence[Index], of: str
) -> tuple[Index, ...]:
    """Return the extents of a map's results, for parameters that run over `extents`."""
    if len(index_map.names) != len(extents):
        fail(
            BAD_MAP,
            f"{primitive}: expected an index map of {len(extents)} parameters, as {of} has dimensions, but got "
            f"{index_map} for block {block.label!r}",
            op=block,
        )
    shape = index_map.extents(extents)
    if shape is None:
        fail(
            BAD_MAP,
            f"{primitive}: expected results that are never negative, but got {index_map} for block {block.label!r}",
            op=block,
            help="add a constant to the results that can be negative",
        )
    return shape


def _allocation(block: loop.BlockOp, buffer: SSAValue) -> loop.AllocOp:
    """Return the allocation of a buffer that single loads and stores of this function alone use."""
    if not isinstance(buffer.owner, loop.AllocOp):
        fail(
            VISIBLE,
            f"{_NAME}: {name_of(buffer)}, used by block {block.label!r}, is not allocated in this function, so its "
            "layout belongs to the caller that passes it",
            op=block,
            help=f"give the block a separate buffer first: cache_read(block, {_quoted(buffer)}, 'global') where it "
            f"reads, cache_write(block, {_quoted(buffer)}, 'global') where it writes",
        )
    for use in buffer.uses:
        if not isinstance(use.operation, (loop.LoadOp, loop.StoreOp, loop.DimOp)):
            unsuitable(_NAME, block, f"shares {name_of(buffer)} with a {use.operation.name}, which knows its layout")
    if ALIGNMENT in buffer.owner.attributes:
        unsuitable(_NAME, block, f"has {name_of(buffer)} aligned already; transform_layout comes before storage_align")
    return buffer.owner


def _quoted(buffer: SSAValue) -> str:
    return repr(buffer.name_hint or "?")


def _check_injective(block: loop.BlockOp, buffer: SSAValue, index_map: IndexMap, extents: Sequence[Index]) -> None:
    verdict = index_map.is_injective(extents)
    if verdict == PROVED:
        return
    if isinstance(verdict, Refuted):
        first = ", ".join(str(verdict.point.get(s, 0)) for s in index_map.symbols)
        values = {s: verdict.point.get(s, 0) for s in index_map.symbols}
        values |= {v: n for v, n in verdict.point.items() if v not in values}
        position = ", ".join(str(e.evaluate(values)) for e in index_map.results)
        fail(
            BAD_MAP,
            f"{_NAME}: expected an injective map of the elements of {name_of(buffer)}, but {index_map} maps [{first}] "
            f"and another element of block {block.label!r} to [{position}]",
            op=block,
        )
    fail(
        UNPROVED,
        f"{_NAME}: cannot prove that {index_map} is injective on the elements of {name_of(buffer)}, for block "
        f"{block.label!r}",
        op=block,
    )


def _inverse_for_padding(
    block: loop.BlockOp, buffer: SSAValue, index_map: IndexMap, extents: Sequence[Index]
) -> IndexMap:
    inverse = index_map.inverse(extents)
    if inverse is None:
        fail(
            BAD_MAP,
            f"{_NAME}: padding of {name_of(buffer)} cannot be distinguished from elements for block {block.label!r}: "
            f"{index_map} has no inverse that quotients and remainders express",
            op=block,
            help="leave pad_value out, or write the map with quotients and remainders by one factor for each dimension",
        )
    return inverse


def _replace(alloc: loop.AllocOp, shape: Sequence[Index], index_map: IndexMap) -> loop.AllocOp:
    old, ranges = alloc.shape, RangeAnalysis()
    type = alloc.res.type
    extents = [n.constant if n.is_constant else DYNAMIC_INDEX for n in shape]
    scope = loop.scope_of(type)
    fresh = loop.AllocOp(
        loop.buffer_type(extents, type.element_type, scope),
        [n for n in shape if not n.is_constant],
        alloc.res.name_hint,
    )
    edit.change(fresh).attributes |= alloc.attributes
    fresh.location = alloc.location
    for use in list(alloc.res.uses):
        op = use.operation
        if isinstance(op, loop.DimOp):
            edit.replace(op, loop.ApplyOp(old[op.dimension.value.data]))
            continue
        assert isinstance(op, (loop.LoadOp, loop.StoreOp))
        facts = ranges.at(op)
        op.set_index_lists(indices=[facts.simplify(e) for e in index_map(*op.index)])
    edit.insert(fresh, InsertPoint.before(alloc))
    edit.replace_uses(alloc.res, fresh.res)
    edit.erase(alloc)
    return fresh


def _fill_padding(
    block: loop.BlockOp, alloc: loop.AllocOp, inverse: IndexMap, extents: Sequence[Index], pad_value: float
) -> None:
    """Store `pad_value` wherever no element lies: in a nest for each dimension that the padding runs over."""
    point: Operation = alloc
    for dimension, extent in enumerate(extents):
        fill = _fill_block(block, alloc, pad_value)
        beyond = inverse(*fill.variables)[dimension] - extent
        inside = [e for v, n in zip(fill.variables, alloc.shape, strict=True) for e in (Index.of(v), n - v - 1)]
        if facts_at(alloc).where(*inside).proves(-beyond - 1):
            edit.erase(fill)
            continue
        spans = [(Index.of(0), n) for n in alloc.shape]
        loops = nest_over(fill, spans, InsertPoint.after(point), facts_at(alloc), unit_loops=True)
        bindings = {v: binding for v, _, binding, _ in fill.iteration()}
        facts = facts_at(fill)
        fill.set_index_lists(guard=[*fill.conditions, facts.simplify(beyond.substitute(bindings))])
        point = loops[0]


def _fill_block(block: loop.BlockOp, alloc: loop.AllocOp, value: float) -> loop.BlockOp:
    body = Block(arg_types=[IndexType()] * len(alloc.shape))
    for dimension, argument in enumerate(body.args):
        edit.rename(argument, f"vd{dimension}")
    constant = emit_constant(appender(body), value, alloc.res.type.element_type)
    edit.append(body, loop.StoreOp(constant, alloc.res, [Index.of(v) for v in body.args]))
    label = unique_label(function_of(block), f"{alloc.res.name_hint or 'buffer'}_pad")
    fill = loop.BlockOp(label, ["spatial"] * len(alloc.shape), [0] * len(alloc.shape), alloc.shape, (), Region(body))
    for op in (fill, *body.ops):
        op.location = block.location
    return fill


def _check_pad_value(block: loop.BlockOp, type: MemRefType, value: float) -> None:
    if not isinstance(type.element_type, AnyFloat) and value != int(value):
        fail(
            BAD_ARGUMENT,
            f"{_NAME}: expected an integer to pad elements of type {type.element_type} with, but got {value}, for "
            f"block {block.label!r}",
            op=block,
        )
