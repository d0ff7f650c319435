"""Conversion of loops and conditions that yield vectors to loops and conditions that write buffers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects import affine, scf
from xdsl.dialects.builtin import DenseArrayBase, UnrealizedConversionCastOp, VectorType, i32
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import loop
from ...dialects.index_expr import Index
from ...dialects.upstream.affine import IfOp
from ...ir import editor as edit
from .control import emitter
from .refusal import refuse_form
from .vector_values import Elements, VectorValues, store, vector_type

LOOPS = (scf.ForOp, affine.ForOp)
CONDITIONS = (scf.IfOp, IfOp)


class VectorControl:
    """Replaces vectors that loops carry and conditions yield by buffers.

    A placeholder operation represents each such vector until its users are converted.
    """

    def __init__(self, values: VectorValues, body: Callable[[Block], None]) -> None:
        self.values = values
        self.body = body
        """Converts the operations of a block."""
        self.made: list[Operation] = []
        """Operations that stand in for vectors, to be erased when nothing uses them."""

    def _begin(self, op: Operation, position: int, init: SSAValue) -> Elements:
        """Fill a buffer before a loop with the vector that the loop begins with."""
        made = self._room(op, position)
        store(made, op, self.values.of(init, op).read)
        return made

    def _room(self, op: Operation, position: int) -> Elements:
        """Allocate a buffer before an operation, for a result."""
        result = op.results[position]
        return self.values.allocate(vector_type(result, op), emitter(InsertPoint.before(op), op), result.name_hint)

    def _write(self, last: Operation, targets: Mapping[int, Elements]) -> None:
        """Write operands of a yield to buffers; all are read before the first is written."""
        buffers = {each.buffer for each in targets.values()}
        sources: dict[int, Elements] = {}
        for k, target in targets.items():
            source = self.values.keep(last.operands[k], last)
            if source.buffer in buffers and source.buffer is not target.buffer:
                source = self.values.fill(source.type, last, source.read)
            sources[k] = source
        for k, target in targets.items():
            is_only = list(last.operands).count(last.operands[k]) == 1
            if sources[k].buffer is not target.buffer and not (is_only and _fill_instead(sources[k], target, last)):
                store(target, last, sources[k].read)

    def passes(self, op: Operation) -> bool:
        """Return if an operation with regions gives or takes vectors."""
        arguments = [argument for region in op.regions for block in region.blocks for argument in block.args]
        return any(isinstance(value.type, VectorType) for value in (*op.operands, *op.results, *arguments))

    def convert(self, op: Operation) -> None:
        """Convert an operation that yields values, and the operations in its regions. Raises TilewrightError TW0571."""
        if isinstance(op, LOOPS):
            self._loop(op)
        elif isinstance(op, CONDITIONS):
            self._condition(op)
        else:
            refuse_form(
                op,
                f"expected vectors that loops carry or conditions give, but '{op.name}' passes them on",
                help="write the loop as scf.for",
            )

    def stand_in(self, held: Elements, point: InsertPoint, of: Operation) -> SSAValue:
        """Insert a vector with these elements, for users that are still to be converted."""
        made = UnrealizedConversionCastOp.create(operands=[], result_types=[held.type])
        edit.insert(made, point, of=of)
        self.values.elements[made.results[0]] = held
        self.made.append(made)
        return made.results[0]

    def _loop(self, op: scf.ForOp | affine.ForOp) -> None:
        inits = list(op.iter_args if isinstance(op, scf.ForOp) else op.inits)
        block = op.body.block
        carried = {k: self._begin(op, k, value) for k, value in enumerate(inits) if isinstance(value.type, VectorType)}
        for k in reversed(carried):
            self._replace_argument(block, k + 1, carried[k])
        self.body(block)
        self._leave(block, carried)
        self._without(op, carried, [value for k, value in enumerate(inits) if k not in carried])

    def _condition(self, op: scf.IfOp | IfOp) -> None:
        given = {k: self._room(op, k) for k, result in enumerate(op.results) if isinstance(result.type, VectorType)}
        for region in op.regions:
            for block in region.blocks:
                self.body(block)
                self._leave(block, given)
        self._without(op, given, [])

    def _replace_argument(self, block: Block, position: int, held: Elements) -> None:
        """Let users of a block's argument read a buffer."""
        argument = block.args[position]
        parent = block.parent_op()
        assert parent is not None
        value = self.stand_in(held, InsertPoint.at_start(block), parent)
        edit.replace_uses(argument, value)
        edit.erase_argument(argument)

    def _leave(self, block: Block, targets: Mapping[int, Elements]) -> None:
        last = block.last_op
        if not targets:
            return
        assert isinstance(last, (scf.YieldOp, affine.YieldOp))
        self._write(last, targets)
        edit.change(last).operands = [value for k, value in enumerate(last.operands) if k not in targets]

    def _without(self, op: Operation, gone: Mapping[int, Elements], inits: Sequence[SSAValue]) -> None:
        """Replace an operation by one without some results, whose users read buffers."""
        kept = [k for k in range(len(op.results)) if k not in gone]
        count = len(op.operands) - len(op.results) if isinstance(op, LOOPS) else len(op.operands)
        properties: dict[str, Attribute] = dict(op.properties)
        if isinstance(op, affine.ForOp):
            sizes = [len(op.lowerBoundOperands), len(op.upperBoundOperands), len(inits)]
            properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, sizes)
        new = type(op).create(
            operands=[*op.operands[:count], *inits],
            result_types=[op.results[k].type for k in kept],
            properties=properties,
            attributes=op.attributes,
            regions=[edit.change(op).detach_region(region) for region in list(op.regions)],
        )
        edit.insert(new, InsertPoint.before(op), of=op)
        results: list[SSAValue | None] = [None] * len(op.results)
        for position, k in enumerate(kept):
            results[k] = new.results[position]
        for k, held in gone.items():
            results[k] = self.stand_in(held, InsertPoint.before(op), op)
        edit.replace(op, [], results)


def _fill_instead(source: Elements, target: Elements, last: Operation) -> bool:
    """Let the loops that fill one buffer fill another one, which nothing in their block uses behind them.

    False where the other one is used behind them, or by them at an element other than the written one.
    """
    made, block = source.buffer, last.parent
    if made is None or target.buffer is None or block is None or made.owner.parent is not block:
        return False
    uses = [use.operation for use in made.uses]
    if len(uses) != 1 or not isinstance(write := uses[0], loop.StoreOp):
        return False
    nest = block.find_ancestor_op_in_block(write)
    if not _writes_each_once(write, block):
        return False
    behind = set[Operation]()
    following = nest.next_op if nest is not None else None
    while following is not None:
        behind.add(following)
        following = following.next_op
    for use in target.buffer.uses:
        at = block.find_ancestor_op_in_block(use.operation)
        is_same_element = isinstance(use.operation, loop.LoadOp) and use.operation.index == write.index
        if at in behind or (at is nest and not is_same_element):
            return False
    owner = made.owner
    assert isinstance(owner, Operation)
    edit.replace_uses(made, target.buffer)
    edit.erase(owner)
    return True


def _writes_each_once(write: loop.StoreOp, block: Block) -> bool:
    """Return whether each iteration of all loops between a block and a store writes another element."""
    op = write.parent_op()
    while op is not None and op is not block.parent_op():
        if not isinstance(op, loop.ForOp) or Index.of(op.induction_variable) not in write.index:
            return False
        op = op.parent_op()
    return True
