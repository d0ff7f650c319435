"""Pass `lower-blocks`: replaces blocks by their statements, over the variables of the loops around."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...analysis.init_nests import extents_maybe_zero, init_if_empty, reduction_loops
from ...analysis.ranges import Facts, RangeAnalysis
from ...diagnostics import TilewrightError
from ...dialects.index_expr import Index
from ...dialects.loop import ApplyOp, BlockOp, CombineOp, IfOp, IndexedOp
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...schedule.primitives.decompose_reduction import decompose_block
from ...schedule.unique_names import names_kept
from ...traversal import operations
from ..framework.base import Level, Pass


@dataclass(frozen=True)
class LowerBlocksPass(Pass):
    """Replace every `loop.block` by its body, written over the loops around it.

    ```mlir
    loop.block "C" (%vi = spatial(%io * 4 + %ii) in 10, %vk = reduce(%k) in 8) where (%io * 4 + %ii < 10) {
      loop.init { loop.store %zero, %C[%vi] : memref<10xf32> }
      %a = loop.load %A[%vi, %vk] : memref<10x8xf32>
      …
    }
    // becomes
    loop.if (%io * 4 + %ii < 10) {
      loop.if (%k < 1) { loop.store %zero, %C[%io * 4 + %ii] : memref<10xf32> }
      %a = loop.load %A[%io * 4 + %ii, %k] : memref<10x8xf32>
      …
    }
    ```
    An init gets a separate nest if a symbolic size may leave no terms to reduce, because the reduction loops would not
    run at all. If the init must stay at the first term, a copy of the init before these loops runs when there are no
    terms. Guards that always hold are dropped, and so is the guard of a `loop.init` without reduce variables. An init
    that no iteration of the surrounding loops reaches is removed. An iteration variable that is used as a value becomes
    a `loop.apply`, and a `loop.combine` becomes the operations of its combiner.

    Needs: blocks whose bindings stay within the extents wherever `where` holds, as every schedule leaves them.
    Grants: loop level. Every index is an expression of loop variables, sizes and loaded indices.
    """

    name = "lower-blocks"
    phase = 1
    levels = (Level.BLOCK, Level.LOOP)
    lowers_to = Level.LOOP

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        ranges = RangeAnalysis()
        with names_kept(op):
            for block in [nested for nested in operations(op) if isinstance(nested, BlockOp)]:
                _separate_init(block, ranges)
        ranges = RangeAnalysis()
        for block in [nested for nested in operations(op) if isinstance(nested, BlockOp)]:
            is_left = op.is_ancestor(block)  # not in an init that was dropped
            if is_left and may_rewrite("lower the block", block, is_needed=True):
                _lower(block, ranges.at(block))
        for combine in [nested for nested in operations(op) if isinstance(nested, CombineOp)]:
            if may_rewrite("inline the combiner", combine, is_needed=True):
                _inline(combine)


def _separate_init(block: BlockOp, ranges: RangeAnalysis) -> None:
    """Let an init run even if there is nothing to reduce, where a size may be 0.

    It goes before the loops of the reduction; where it must stay at the first term, a copy that runs if there is none.
    """
    loops = reduction_loops(block)
    if block.init is None or not loops:
        return
    facts = ranges.at(loops[0])  # inside the loops there is something to reduce
    if not extents_maybe_zero(block, facts) or not may_rewrite("decompose the reduction", block, is_needed=True):
        return
    try:
        decompose_block(block, loops[0])
    except TilewrightError:
        if (nest := init_if_empty(block, facts)) is not None:
            edit.insert(nest, InsertPoint.before(loops[0]))


def _inline(op: CombineOp) -> None:
    """Replace a combination by the operations of its combiner."""
    body = op.combiner.block
    last = body.last_op
    assert last is not None
    results = list(last.operands)
    edit.erase(last)
    for each in body.ops:
        each.location = op.location
    edit.inline(body, InsertPoint.before(op), op.operands)
    operands: dict[SSAValue, SSAValue] = dict(zip(body.args, op.operands, strict=True))
    edit.replace(op, [], [operands.get(value, value) for value in results])


def _lower(block: BlockOp, facts: Facts) -> None:
    conditions = unproved(block.conditions, facts)
    inside = facts.where(*conditions)
    # Not simplified by the guard: without it, which relax-guards may decide, the index would be another one.
    bindings: dict[SSAValue, Index] = {v: facts.simplify(binding) for v, _, binding, _ in block.iteration()}
    reduced = [bindings[v] for v, kind, _, _ in block.iteration() if kind == "reduce"]
    init = block.init
    _substitute(block, bindings)
    if init is not None and any(inside.proves(e - 1, exact=False) for e in reduced):
        edit.erase(init)
    elif init is not None:
        inline_under(init, init.body.block, unproved([-e for e in reduced], inside))
    inline_under(block, block.body.block, conditions)


def unproved(guard: Sequence[Index], facts: Facts) -> tuple[Index, ...]:
    """Return the conditions of `guard` that are not known to hold, each once and simplified."""
    left: dict[Index, None] = {}
    for e in guard:
        if not facts.proves(e):
            left[facts.simplify(e)] = None
    return tuple(left)


def _substitute(block: BlockOp, bindings: Mapping[SSAValue, Index]) -> None:
    """Replace the iteration variables, in index expressions directly and elsewhere by a `loop.apply`."""
    for op in operations(block):
        if isinstance(op, IndexedOp) and op is not block:
            op.substitute_indices(bindings)
    for variable, binding in bindings.items():
        if variable.first_use is not None:
            edit.replace_uses(variable, _as_value(binding, variable, block))


def _as_value(binding: Index, variable: SSAValue, block: BlockOp) -> SSAValue:
    values = binding.values()
    if len(values) == 1 and binding == Index.of(values[0]):
        return values[0]
    applied = ApplyOp(binding)
    applied.location = block.location
    edit.rename(applied.res, variable.name_hint)
    body = block.body.block
    assert body.first_op is not None, "expected a user of the iteration variable in the body"
    edit.insert(applied, InsertPoint.before(body.first_op))
    return applied.res


def inline_under(op: Operation, body: Block, conditions: Sequence[Index]) -> None:
    """Replace `op` by the ops of its `body`, under the conditions if there are any."""
    ops = list(body.ops)
    for inner in ops:
        edit.detach(inner)
    if conditions:
        guarded = IfOp(conditions)
        guarded.location = op.location
        edit.append(guarded.then_body.block, *ops)
        ops = [guarded]
    edit.insert(ops, InsertPoint.before(op))
    edit.erase(op)
