"""compute_inline: compute an element wherever it is read."""

from __future__ import annotations

from xdsl.dialects.arith import SelectOp
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...analysis.access import Access
from ...analysis.divergence import DIVISIONS
from ...analysis.domain import loops_around, with_facts
from ...analysis.integer_set import PROVED, implies_all
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...dialects.index_expr import Index
from ...ir import editor as edit
from ...te.scalar_operations import emit_constant, inserter
from ..block_moves import hidden_input
from ..consumer_order import change_before_consumers
from ..engine import Engine
from ..forms import (
    StoredElements,
    check_effects,
    check_reads_of_results,
    private_buffer,
    readers,
    single_store,
    stored_elements,
    unsuitable,
)
from ..handles import BlockRV
from ..loop_rewriting import remove_emptied
from ..primitive_declaration import MOTION, register_primitive
from ..refusal import refuse_conflict

_NAME = "compute_inline"


@register_primitive(MOTION)
def compute_inline(sch: Engine, block: BlockRV, *, assert_legal: bool = False) -> None:
    """Replace each read of the buffer that a block writes by the block's body. Erases the block and the buffer.

    A guard of the read becomes a guard of the loads in the body. A block that nothing reads is erased.

    before:
    ```mlir
    %B = loop.alloc : memref<64xf32>
    loop.for %i = 0 to 64 {
      loop.block "B" (%vi = spatial(%i) in 64) {
        %a = loop.load %A[%vi] : memref<64xf32>
        %b = arith.addf %a, %a : f32
        loop.store %b, %B[%vi] : memref<64xf32>
      }
    }
    loop.for %j = 0 to 64 {
      loop.block "C" (%vj = spatial(%j) in 64) {
        %x = loop.load %B[%vj] : memref<64xf32>
        loop.store %x, %C[%vj] : memref<64xf32>
      }
    }
    ```
    after `compute_inline(B)`:
    ```mlir
    loop.for %j = 0 to 64 {
      loop.block "C" (%vj = spatial(%j) in 64) {
        %a = loop.load %A[%vj] : memref<64xf32>
        %b = arith.addf %a, %a : f32
        loop.store %b, %C[%vj] : memref<64xf32>
      }
    }
    ```
    """
    _compute_inline(sch.block(block), assert_legal=assert_legal)


def _compute_inline(block: loop.BlockOp, *, assert_legal: bool = False) -> None:
    store = single_store(_NAME, block)
    alloc = private_buffer(_NAME, block, store.buffer)
    elements = stored_elements(_NAME, store, block, alloc.shape)
    check_reads_of_results(_NAME, block, [store])
    reads = readers(block, store.buffer)
    _check_body(block, elements, reads)
    for access in reads:
        hidden = hidden_input(block, access.op)
        if hidden is not None:
            unsuitable(_NAME, block, f"uses {name_of(hidden)}, which is not known at its consumer")
        conflict = change_before_consumers(block, [access], access.block or access.op, access.op)
        if conflict is not None and not (assert_legal and conflict.unknown is not None):
            source, sink = loops_around(conflict.source.op), loops_around(conflict.sink.op)
            refuse_conflict(_NAME, "computing at its consumers", conflict, source, sink)
    for access in reads:
        assert isinstance(access.op, loop.LoadOp)
        _replace(access.op, block, store, elements)
    emptied = block.parent
    edit.erase(block)
    remove_emptied(emptied)
    if alloc.res.first_use is None:
        edit.erase(alloc)


def _check_body(block: loop.BlockOp, elements: StoredElements, reads: list[Access]) -> None:
    if "reduce" in block.kinds:
        unsuitable(_NAME, block, "is a reduction, which cannot be computed within an expression")
    if any(op.regions for op in block.body.block.ops):
        unsuitable(_NAME, block, "has control flow in its body")
    check_effects(_NAME, block)
    for variable, _, _, extent in block.iteration():
        if variable not in elements.positions and extent != Index.of(1):
            unsuitable(_NAME, block, f"has an iteration variable %{variable.name_hint} that does not index its result")
    traps = any(isinstance(op, DIVISIONS) for op in block.body.block.ops)
    for access in reads:
        if not isinstance(access.op, loop.LoadOp) or access.op.lanes is not None or access.index is None:
            unsuitable(_NAME, block, "is read by something other than scalar loads")
        if access.op.conditions and traps:
            unsuitable(_NAME, block, "divides integers, which a guarded read of it must not do")
        if elements.layout is not None and not _reads_what_is_stored(access, elements):
            unsuitable(_NAME, block, "is not certain to store all that is read of the layout of its result")


def _reads_what_is_stored(access: Access, elements: StoredElements) -> bool:
    """Return whether a read in a layout is proved to access only elements that are stored, no padding."""
    assert access.index is not None
    positions = zip(elements.position(access.index), elements.shape, strict=True)
    return implies_all(with_facts(access.system), [e for p, n in positions for e in (p, n - p - 1)]) == PROVED


def _replace(load: loop.LoadOp, block: loop.BlockOp, store: loop.StoreOp, elements: StoredElements) -> None:
    """Put the body of `block` at `load`, with the element that it reads for the iteration variables."""
    values: dict[SSAValue, Index] = {}
    position = elements.position(load.index)
    for variable in block.variables:
        dimension, shift = elements.positions.get(variable, (None, Index.of(0)))
        values[variable] = Index.of(0) if dimension is None else position[dimension] - shift
    point = InsertPoint.before(load)
    mapping: dict[SSAValue, SSAValue] = {}
    for op in block.body.block.ops:
        if op is store:
            continue
        clone = op.clone(mapping)
        _substitute(clone, values, point)
        if isinstance(clone, loop.LoadOp) and load.conditions:
            clone = _guarded(clone, load, point)
        edit.insert(clone, point)
        mapping.update(zip(op.results, clone.results, strict=True))
    result = mapping.get(store.value, store.value)
    if load.otherwise is not None:
        test = loop.TestOp(load.conditions)
        select = SelectOp(test.res, result, load.otherwise)
        edit.insert([test, select], point)
        result = select.result
    edit.replace_uses(load.res, result)
    edit.erase(load)


def _substitute(op: Operation, values: dict[SSAValue, Index], point: InsertPoint) -> None:
    if isinstance(op, loop.IndexedOp):
        op.substitute_indices(values)
    for position, operand in enumerate(op.operands):
        if operand in values:
            apply = loop.ApplyOp(values[operand])
            edit.insert(apply, point)
            edit.change(op).operands[position] = apply.res


def _guarded(clone: loop.LoadOp, load: loop.LoadOp, point: InsertPoint) -> loop.LoadOp:
    """Return the load under the guard of the read that it serves; its value where the guard fails is not used."""
    otherwise = clone.otherwise
    if otherwise is None:
        assert isinstance(clone.buffer.type, MemRefType)
        otherwise = emit_constant(inserter(point), 0, clone.buffer.type.element_type)
    guarded = loop.LoadOp(clone.buffer, clone.index, (*load.conditions, *clone.conditions), otherwise)
    guarded.location = clone.location
    edit.rename(guarded.res, clone.res.name_hint)
    edit.erase(clone)
    return guarded
