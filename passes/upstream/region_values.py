"""Values in buffers that loops carry and conditions give, taken out of the operations that passed them on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

from xdsl.dialects import affine, scf
from xdsl.dialects.builtin import DenseArrayBase, UnrealizedConversionCastOp, i32
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects.upstream.affine import IfOp
from ...ir import editor as edit
from .refusal import refuse_form

Held = TypeVar("Held")

LOOPS = (scf.ForOp, affine.ForOp)
CONDITIONS = (scf.IfOp, IfOp)


class RegionValues(ABC, Generic[Held]):
    """Takes values of a kind, vectors or tensors, out of operations with regions: buffers hold them.

    An operation stands in for each such value until its users are converted.
    """

    what: str
    """The kind of values, for messages."""

    def __init__(self, body: Callable[[Block], None]) -> None:
        self.body = body
        """Converts the operations of a block."""
        self.made: list[Operation] = []
        """Operations that stand in for values, to be erased when nothing uses them."""

    @abstractmethod
    def is_held(self, type: Attribute) -> bool:
        """Return if values of a type are taken out."""

    @abstractmethod
    def begin(self, op: Operation, position: int, init: SSAValue) -> Held:
        """A buffer before a loop, with the value that the loop begins with."""

    @abstractmethod
    def room(self, op: Operation, position: int) -> Held:
        """A buffer before a condition, for a result."""

    @abstractmethod
    def write(self, last: Operation, targets: Mapping[int, Held]) -> None:
        """Write operands of a yield to buffers; all are read before the first is written."""

    @abstractmethod
    def note(self, value: SSAValue, held: Held) -> None:
        """Remember that a buffer holds a value."""

    def passes(self, op: Operation) -> bool:
        """Return if an operation with regions gives or takes such values."""
        arguments = [argument for region in op.regions for block in region.blocks for argument in block.args]
        return any(self.is_held(value.type) for value in (*op.operands, *op.results, *arguments))

    def convert(self, op: Operation) -> None:
        """Convert an operation that passes values on, and what its regions hold. Raises TilewrightError TW0571."""
        if isinstance(op, LOOPS):
            self._loop(op)
        elif isinstance(op, CONDITIONS):
            self._condition(op)
        else:
            refuse_form(
                op,
                f"expected {self.what} that loops carry or conditions give, but '{op.name}' passes them on",
                help="write the loop as scf.for",
            )

    def stand_in(self, type: Attribute, held: Held, point: InsertPoint, of: Operation) -> SSAValue:
        """A value of a type that a buffer holds, for users that are still to be converted."""
        made = UnrealizedConversionCastOp.create(operands=[], result_types=[type])
        edit.insert(made, point, of=of)
        self.note(made.results[0], held)
        self.made.append(made)
        return made.results[0]

    def _loop(self, op: scf.ForOp | affine.ForOp) -> None:
        inits = list(op.iter_args if isinstance(op, scf.ForOp) else op.inits)
        block = op.body.block
        carried = {k: self.begin(op, k, value) for k, value in enumerate(inits) if self.is_held(value.type)}
        for k in reversed(carried):
            self.replace_argument(block, k + 1, carried[k])
        self.body(block)
        self._leave(block, carried)
        self._without(op, carried, [value for k, value in enumerate(inits) if k not in carried])

    def _condition(self, op: scf.IfOp | IfOp) -> None:
        given = {k: self.room(op, k) for k, result in enumerate(op.results) if self.is_held(result.type)}
        for region in op.regions:
            for block in region.blocks:
                self.body(block)
                self._leave(block, given)
        self._without(op, given, [])

    def replace_argument(self, block: Block, position: int, held: Held) -> None:
        """Let users of a block's argument use what a buffer holds."""
        argument = block.args[position]
        parent = block.parent_op()
        assert parent is not None
        value = self.stand_in(argument.type, held, InsertPoint.at_start(block), parent)
        edit.replace_uses(argument, value)
        edit.erase_argument(argument)

    def _leave(self, block: Block, targets: Mapping[int, Held]) -> None:
        last = block.last_op
        if not targets:
            return
        assert isinstance(last, (scf.YieldOp, affine.YieldOp))
        self.write(last, targets)
        edit.change(last).operands = [value for k, value in enumerate(last.operands) if k not in targets]

    def _without(self, op: Operation, gone: Mapping[int, Held], inits: Sequence[SSAValue]) -> None:
        """Replace an operation by one without some results; what used them reads buffers."""
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
            results[k] = self.stand_in(op.results[k].type, held, InsertPoint.before(op), op)
        edit.replace(op, [], results)
