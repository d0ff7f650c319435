"""Pass `materialize-region-results`: each value that a branch or a loop yields is computed inside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import graph
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...operators.unary import IdentityOp
from ...traversal import operations
from ..framework.base import Level, Pass
from ..shared.nests.te_regions import is_free, origin


@dataclass(frozen=True)
class MaterializeRegionResultsPass(Pass):
    """Insert identities where a branch or a loop yields, or starts with, a value that is not computed in that region.

    ```mlir
    %y = graph.if %c -> (tensor<8xf32>) {
      %0 = graph.relu %x : tensor<8xf32>
      graph.yield %0
    } else {
      graph.yield %x
    }
    ```
    becomes
    ```mlir
    %y = graph.if %c -> (tensor<8xf32>) {
      %0 = graph.relu %x : tensor<8xf32>
      graph.yield %0
    } else {
      %1 = graph.identity %x : tensor<8xf32>
      graph.yield %1
    }
    ```
    Each result and each value that a loop carries has one buffer. A yielded value is computed in that buffer if an
    operation of the region computes it, it is yielded once, and, if a loop carries it, no later operation of the region
    uses the old value. All other values are copied by an identity, which becomes a kernel.

    Needs exact types, and groups that are fused. Grants: each value that a region yields is computed in it, and yielded
    once.
    """

    name = "materialize-region-results"
    phase = 0
    levels = (Level.GRAPH,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for member in reversed(operations(op)):
            if isinstance(member, graph.IfOp) and may_rewrite("materialize", member):
                for region in member.regions:
                    _materialize(region.block, range(len(member.results)))
                    _part(region.block, range(len(member.results)))
            elif isinstance(member, graph.LoopOp) and may_rewrite("materialize", member):
                _materialize_in_loop(member)


def _materialize_in_loop(op: graph.LoopOp) -> None:
    for k, init in enumerate(op.inits):
        if not _is_computed(init, op.parent) or not init.has_one_use():
            position = list(op.operands).index(init, len(op.operands) - len(op.sources) - len(op.inits) + k)
            copied = _identity(init, op)
            edit.change(op).operands[position] = copied
    first = len(op.yielded.operands) - len(op.handed_on) - len(op.collected)
    carried = range(first, first + len(op.inits))
    others = [*range(first), *range(carried.stop, len(op.yielded.operands))]
    # Readers of a carried value come before all operations that may overwrite it.
    for k in carried:
        argument, value = op.carried[k - first], op.yielded.operands[k]
        if value is not argument and origin(value).owner is op.body.block:
            _copy(op.yielded, k)
    _materialize(op.body.block, others)
    seen = set[SSAValue]()
    for k in carried:
        argument, value = op.carried[k - first], op.yielded.operands[k]
        if value is argument:
            continue
        if not _is_computed(value, op.body.block) or origin(value) in seen or not is_free(argument, value):
            _copy(op.yielded, k)
        seen.add(origin(op.yielded.operands[k]))
    _part(op.body.block, others)


def _materialize(block: Block, positions: Sequence[int]) -> None:
    """Let a block compute the values that it yields at these positions."""
    last = block.last_op
    assert last is not None
    for k in positions:
        if not _is_computed(last.operands[k], block):
            _copy(last, k)


def _part(block: Block, positions: Sequence[int]) -> None:
    """Let no value be yielded twice, in another shape neither, where it is yielded at one of these positions."""
    last = block.last_op
    assert last is not None
    for k in positions:
        value = last.operands[k]
        if _lies_with(value, [other for j, other in enumerate(last.operands) if j != k]):
            _copy(last, k)


def _lies_with(value: SSAValue, others: Sequence[SSAValue]) -> bool:
    """Return whether one of the others is the same value, maybe in another shape."""
    return any(origin(other) is origin(value) for other in others)


def _is_computed(value: SSAValue, block: Block | None) -> bool:
    """Return whether a kernel, a branch or a loop of this block computes a value, maybe in another static shape."""
    source = origin(value)
    owner = source.owner
    if not isinstance(owner, Operation) or owner.parent is not block or isinstance(owner, graph.ConstantOp):
        return False
    reshaped = source is not value
    return not reshaped or (graph.static_shape(source) is not None and graph.static_shape(value) is not None)


def _copy(op: Operation, position: int) -> None:
    copied = _identity(op.operands[position], op)
    edit.change(op).operands[position] = copied


def _identity(value: SSAValue, before: Operation) -> SSAValue:
    copy = IdentityOp.of(value, location=before.location)
    edit.insert(copy, InsertPoint.before(before))
    return copy.results[0]
