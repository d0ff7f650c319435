"""pad_einsum: a contraction over extents that divide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NoReturn

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import AnyFloat, IndexType, MemRefType
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ...analysis.access import accesses_in
from ...analysis.block_reductions import Reduction, reduction_of
from ...analysis.domain import loops_around
from ...analysis.equivalence import Axiom
from ...analysis.ranges import facts_at
from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...dialects.index_expr import Index
from ...ir import editor as edit
from ...te.scalar_operations import appender, emit_constant
from ..allocation import allocate
from ..block_moves import exclusive_nest
from ..engine import Engine
from ..forms import check_always_stored, check_reads_of_results, single_store, unsuitable
from ..handles import BlockRV
from ..loop_rewriting import function_of, unique_label
from ..primitive_declaration import BUFFERS, register_primitive
from ..refusal import BAD_ARGUMENT, loop_name
from ..regions import nest_over
from .domain_guard import check_padding

_NAME = "pad_einsum"
CHANGES_RESULT = "TW0422"

_WIDENING = (arith.BitcastOp, arith.ExtFOp, arith.ExtSIOp, arith.ExtUIOp, arith.SIToFPOp, arith.UIToFPOp)
"""Operations that map zero to zero; a cast of bits stands between numbers with and without sign."""


@register_primitive(BUFFERS)
def pad_einsum(sch: Engine, block: BlockRV, padding: Sequence[int]) -> None:
    """Round the extents of a block's iteration variables up to multiples, with zero-padded copies of its inputs.

    `padding` has one number for each iteration variable; 1 leaves its extent. Inputs are copied to padded buffers
    before the block. The result is computed in a padded buffer and copied back after the block where its dimensions
    grow. Each index must be an iteration variable. A reduction over a padded variable must be a sum of products of
    elements that it indexes.

    before:
    ```mlir
    loop.for %i = 0 to 5 {
      loop.for %k = 0 to 7 {
        loop.block "B" (%vi = spatial(%i) in 5, %vk = reduce(%k) in 7) {
          loop.init {
            loop.store %zero, %B[%vi] : memref<5xf32>
          }
          %a = loop.load %A[%vi, %vk] : memref<5x7xf32>
          %b = loop.load %B[%vi] : memref<5xf32>
          %s = arith.addf %b, %a : f32
          loop.store %s, %B[%vi] : memref<5xf32>
        }
      }
    }
    ```
    after `pad_einsum(B, [1, 4])`:
    ```mlir
    %A_pad = loop.alloc : memref<5x8xf32>
    loop.for %i = 0 to 5 {
      loop.for %k = 0 to 8 {
        loop.block "A_pad" (%vi = spatial(%i) in 5, %vk = spatial(%k) in 8) {
          %pad = arith.constant 0.000000e+00 : f32
          %a = loop.load %A[%vi, %vk] where (%vk < 7) else %pad : memref<5x7xf32>
          loop.store %a, %A_pad[%vi, %vk] : memref<5x8xf32>
        }
      }
    }
    loop.for %i = 0 to 5 {
      loop.for %k = 0 to 8 {
        loop.block "B" (%vi = spatial(%i) in 5, %vk = reduce(%k) in 8) {
          loop.init {
            loop.store %zero, %B[%vi] : memref<5xf32>
          }
          %a = loop.load %A_pad[%vi, %vk] : memref<5x8xf32>
          %b = loop.load %B[%vi] : memref<5xf32>
          %s = arith.addf %b, %a : f32
          loop.store %s, %B[%vi] : memref<5xf32>
        }
      }
    }
    ```
    """
    _pad_einsum(sch.block(block), padding)
    sch.note_algebra(Axiom.ADD_ZERO, Axiom.MULTIPLY_ZERO)


def _pad_einsum(block: loop.BlockOp, padding: Sequence[int]) -> None:
    store = single_store(_NAME, block)
    _check_padding(block, padding)
    old = {v: n for v, _, _, n in block.iteration()}
    padded = {v: n.ceildiv(p) * p for (v, n), p in zip(old.items(), padding, strict=True) if n.ceildiv(p) * p != n}
    loops = _plain_loops(block)
    inputs = _inputs(block, store)
    written = _variables(block, store)
    read = {buffer: _variables(block, load) for buffer, load in inputs.items()}
    _check_sum(block, padded, inputs)
    if not padded:
        return
    for variable, kind, _, _ in block.iteration():
        if variable in padded and variable not in written and kind == "spatial":
            unsuitable(_NAME, block, f"has a spatial variable {name_of(variable)} that does not index its result")
        if variable in padded and variable not in written and loops[variable].kind not in (loop.SERIAL, loop.UNROLLED):
            op = loops[variable]
            unsuitable(_NAME, block, f"reduces in loop {loop_name(op)}, which is {op.kind.kind.data}; pad before that")
    if padded.keys() & set(written):
        check_reads_of_results(_NAME, block, [store])
        check_always_stored(_NAME, block, [store])
    top, facts = exclusive_nest(block), facts_at(exclusive_nest(block))
    new = {**old, **padded}
    for buffer, variables in read.items():
        if padded.keys() & set(variables):
            copy = _padded_copy(block, inputs[buffer], buffer, variables, old, new, top)
            nest_over(copy, [(Index.of(0), new[v]) for v in variables], InsertPoint.before(top), facts, unit_loops=True)
    if padded.keys() & set(written):
        crop = _cropped_result(block, store, written, old, new, top)
        nest_over(crop, [(Index.of(0), old[v]) for v in written], InsertPoint.after(top), facts, unit_loops=True)
    block.set_index_lists(extents=[new[v] for v in old])
    for variable, op in loops.items():
        op.set_index_lists(upper=[new[variable]])


def _check_padding(block: loop.BlockOp, padding: Sequence[int]) -> None:
    count = len(block.variables)
    if len(padding) != count or any(type(p) is not int or p < 1 for p in padding):
        fail(
            BAD_ARGUMENT,
            f"{_NAME}: expected {count} numbers of at least 1, one for each iteration variable of block "
            f"{block.label!r}, but got {list(padding)}",
            op=block,
        )
    check_padding(_NAME, block)


def _plain_loops(block: loop.BlockOp) -> dict[BlockArgument, loop.ForOp]:
    """Return the loop of each iteration variable, which runs over its extent and drives nothing else."""
    top = exclusive_nest(block)
    inside = {Index.of(op.induction_variable): op for op in loops_around(block) if op is top or top.is_ancestor(op)}
    found: dict[BlockArgument, loop.ForOp] = {}
    for variable, _, binding, extent in block.iteration():
        op = inside.pop(binding, None)
        if op is None or op.lowers != (Index.of(0),) or op.uppers != (extent,):
            unsuitable(_NAME, block, f"should have a loop over %{variable.name_hint} alone; pad before loops are split")
        found[variable] = op
    if inside or block.conditions or any(isinstance(p, loop.IfOp) for p in loop.enclosing(block, loop.IfOp)):
        unsuitable(_NAME, block, "should run in loops over its iteration variables only, without a condition")
    return found


def _inputs(block: loop.BlockOp, store: loop.StoreOp) -> dict[SSAValue, loop.LoadOp]:
    """Return the load of each buffer that the block reads and does not write."""
    found: dict[SSAValue, loop.LoadOp] = {}
    for access in accesses_in(block):
        op = access.op
        if not isinstance(op, (loop.LoadOp, loop.StoreOp)) or op.conditions or op.buffer is not access.buffer:
            unsuitable(_NAME, block, f"should access {name_of(access.buffer)} by loads and stores without a guard")
        if isinstance(op, loop.StoreOp) or op.buffer is store.buffer:
            if op.index != store.index:
                unsuitable(_NAME, block, f"should access {name_of(op.buffer)} at one index")
            continue
        if op.buffer in found and found[op.buffer].index != op.index:
            unsuitable(_NAME, block, f"should read {name_of(op.buffer)} at one index")
        found[op.buffer] = op
    return found


def _variables(block: loop.BlockOp, op: loop.LoadOp | loop.StoreOp) -> list[BlockArgument]:
    """Return the iteration variables that index an access, one a dimension."""
    values = [e.single_value for e in op.index]
    found = [v for v in values if isinstance(v, BlockArgument) and v in block.variables]
    if len(found) != len(op.index) or len(set(found)) != len(found):
        unsuitable(_NAME, block, f"should index {name_of(op.buffer)} by a separate iteration variable a dimension")
    return found


def _check_sum(
    block: loop.BlockOp, padded: Mapping[BlockArgument, Index], inputs: Mapping[SSAValue, loop.LoadOp]
) -> None:
    """Refuse unless zeros in the padding add nothing: a sum of products of elements that padded reduce variables
    index."""
    reduce = [v for v, kind, _, _ in block.iteration() if kind == "reduce" and v in padded]
    if not reduce:
        return
    reduction = reduction_of(block)
    if reduction is None or not isinstance(reduction.combine, (arith.AddfOp, arith.AddiOp, math.FmaOp)):
        _refuse(block, "is not a sum", reduce)
    factors = [leaf for term in _terms(reduction) for leaf in _factors(term)]
    loads = [leaf for leaf in factors if isinstance(leaf, loop.LoadOp) and leaf.buffer in inputs]
    if len(loads) != len(factors):
        _refuse(block, "does not add products of elements", reduce)
    for load in loads:
        element = load.res.type
        enough = all(v in _variables(block, load) for v in reduce)
        if not enough and isinstance(element, AnyFloat):
            # Zero times an infinite or undefined element is not zero.
            _refuse(block, f"multiplies by elements of {name_of(load.buffer)}, which it does not index", reduce)
    if not any(all(v in _variables(block, load) for v in reduce) for load in loads):
        _refuse(block, "has no factor that it indexes", reduce)


def _terms(reduction: Reduction) -> Sequence[SSAValue]:
    """Return the factors of the product that is added, or the one value that is added."""
    return reduction.combine.operands[:2] if isinstance(reduction.combine, math.FmaOp) else reduction.values


def _factors(value: SSAValue) -> list[Operation | SSAValue]:
    owner = value.owner
    if isinstance(owner, (arith.MulfOp, arith.MuliOp, *_WIDENING)):
        return [factor for operand in owner.operands for factor in _factors(operand)]
    return [owner if isinstance(owner, Operation) else value]


def _refuse(block: loop.BlockOp, reason: str, variables: Sequence[BlockArgument]) -> NoReturn:
    names = ", ".join(name_of(v) for v in variables)
    fail(
        CHANGES_RESULT,
        f"{_NAME}: padding {names} with zeros would change the result: block {block.label!r} {reason}",
        op=block,
        help="give 1 for the reduce variables, whose extents then stay",
    )


def _padded_copy(
    block: loop.BlockOp,
    read: loop.LoadOp,
    buffer: SSAValue,
    variables: Sequence[BlockArgument],
    old: Mapping[BlockArgument, Index],
    new: Mapping[BlockArgument, Index],
    top: Operation,
) -> loop.BlockOp:
    """Copy an input to a larger buffer, with zeros in the padding, and let the block read that."""
    shape = [new[v] for v in variables]
    alloc = allocate(f"{buffer.name_hint or 'buffer'}_pad", buffer, shape, top, loop.GLOBAL)
    body = _body_over(variables)
    index = [Index.of(v) for v in body.args]
    guard = [old[v] - e - 1 for v, e in zip(variables, index, strict=True) if new[v] != old[v]]
    assert isinstance(buffer.type, MemRefType)
    zero = emit_constant(appender(body), 0, buffer.type.element_type)
    edit.rename(zero, "pad")
    load = loop.LoadOp(buffer, index, guard, zero)
    edit.rename(load.res, read.res.name_hint)
    edit.append(body, load, loop.StoreOp(load.res, alloc.res, index))
    for access in accesses_in(block):
        if access.buffer is buffer:
            edit.change(access.op).operands[0] = alloc.res
    return _block(block, alloc.res.name_hint or "pad", body, shape)


def _cropped_result(
    block: loop.BlockOp,
    store: loop.StoreOp,
    variables: Sequence[BlockArgument],
    old: Mapping[BlockArgument, Index],
    new: Mapping[BlockArgument, Index],
    top: Operation,
) -> loop.BlockOp:
    """Let the block write a larger buffer, and copy the part without padding back."""
    buffer = store.buffer
    name = f"{buffer.name_hint or 'buffer'}_pad"
    alloc = allocate(name, buffer, [new[v] for v in variables], top, loop.GLOBAL)
    for access in accesses_in(block):
        if access.buffer is buffer:
            edit.change(access.op).operands[1 if access.is_write else 0] = alloc.res
    body = _body_over(variables)
    index = [Index.of(v) for v in body.args]
    load = loop.LoadOp(alloc.res, index)
    edit.append(body, load, loop.StoreOp(load.res, buffer, index))
    return _block(block, f"{buffer.name_hint or 'buffer'}_crop", body, [old[v] for v in variables])


def _body_over(variables: Sequence[BlockArgument]) -> Block:
    body = Block(arg_types=[IndexType()] * len(variables))
    for argument, variable in zip(body.args, variables, strict=True):
        edit.rename(argument, variable.name_hint)
    return body


def _block(block: loop.BlockOp, label: str, body: Block, extents: Sequence[Index]) -> loop.BlockOp:
    label = unique_label(function_of(block), label)
    zeros = [Index.of(0)] * len(extents)
    made = loop.BlockOp(label, ["spatial"] * len(extents), zeros, extents, (), Region(body))
    for op in (made, *body.ops):
        op.location = block.location
    return made
