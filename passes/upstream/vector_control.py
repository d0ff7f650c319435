"""Loops and conditions that pass vectors on, as such that write buffers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import affine, scf
from xdsl.dialects.builtin import DenseArrayBase, UnrealizedConversionCastOp, VectorType, i32
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects.upstream.affine import IfOp
from ...ir import editor as edit
from .control import emitter
from .refusal import refuse_form
from .vector_values import Elements, VectorValues, store, vector_type

LOOPS = (scf.ForOp, affine.ForOp)
CONDITIONS = (scf.IfOp, IfOp)


def passes_vectors(op: Operation) -> bool:
    """Whether an operation with regions gives or takes vectors."""
    arguments = [argument for region in op.regions for block in region.blocks for argument in block.args]
    return any(isinstance(value.type, VectorType) for value in (*op.operands, *op.results, *arguments))


def stand_in(values: VectorValues, elements: Elements, point: InsertPoint, of: Operation) -> Operation:
    """An operation whose result is a vector with these elements, for users that are still to be converted."""
    made = UnrealizedConversionCastOp.create(operands=[], result_types=[elements.type])
    edit.insert(made, point, of=of)
    values.elements[made.results[0]] = elements
    return made


class VectorControl:
    """Takes vectors out of what loops carry and conditions give."""

    def __init__(self, values: VectorValues, body: Callable[[Block], None]) -> None:
        self.values = values
        self.body = body
        """Converts the operations of a block."""
        self.made: list[Operation] = []
        """Operations that stand in for vectors, to be erased when nothing uses them."""

    def convert(self, op: Operation) -> None:
        """Convert an operation that passes vectors on, and what its regions hold. Raises TilewrightError TW0571."""
        if isinstance(op, LOOPS):
            self._loop(op)
        elif isinstance(op, CONDITIONS):
            self._condition(op)
        else:
            refuse_form(
                op,
                f"expected vectors that loops carry or conditions give, but '{op.name}' passes them on",
                help="write the loop as scf.for, which carries vectors",
            )

    def _loop(self, op: scf.ForOp | affine.ForOp) -> None:
        inits = list(op.iter_args if isinstance(op, scf.ForOp) else op.inits)
        block = op.body.block
        carried: dict[int, Elements] = {}
        emit = emitter(InsertPoint.before(op), op)
        for k, value in enumerate(inits):
            if isinstance(value.type, VectorType):
                carried[k] = made = self.values.allocate(vector_type(value, op), emit, op.results[k].name_hint)
                store(made, op, self.values.of(value, op).read)
        for k in reversed(carried):
            self._replace_argument(block, k + 1, carried[k])
        self.body(block)
        self._write(block, carried)
        self._without(op, carried, [value for k, value in enumerate(inits) if k not in carried])

    def _condition(self, op: scf.IfOp | IfOp) -> None:
        emit = emitter(InsertPoint.before(op), op)
        given = {
            k: self.values.allocate(vector_type(result, op), emit, result.name_hint)
            for k, result in enumerate(op.results)
            if isinstance(result.type, VectorType)
        }
        for region in op.regions:
            for block in region.blocks:
                self.body(block)
                self._write(block, given)
        self._without(op, given, [])

    def _replace_argument(self, block: Block, position: int, elements: Elements) -> None:
        argument = block.args[position]
        made = stand_in(self.values, elements, InsertPoint.at_start(block), block.parent_op() or block.first_op)  # pyright: ignore
        edit.replace_uses(argument, made.results[0])
        edit.erase_argument(argument)
        self.made.append(made)

    def _write(self, block: Block, targets: dict[int, Elements]) -> None:
        """Write the vectors that a block yields to buffers, all read before the first is written."""
        last = block.last_op
        assert isinstance(last, (scf.YieldOp, affine.YieldOp))
        buffers = {each.buffer for each in targets.values()}
        sources: dict[int, Elements] = {}
        for k, target in targets.items():
            source = self.values.keep(last.operands[k], last)
            if source.buffer in buffers and source.buffer is not target.buffer:
                source = self.values.fill(source.type, last, source.read)
            sources[k] = source
        for k, target in targets.items():
            if sources[k].buffer is not target.buffer:
                store(target, last, sources[k].read)
        edit.change(last).operands = [value for k, value in enumerate(last.operands) if k not in targets]

    def _without(self, op: Operation, gone: dict[int, Elements], inits: Sequence[SSAValue]) -> None:
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
        for k, elements in gone.items():
            made = stand_in(self.values, elements, InsertPoint.before(op), op)
            results[k] = made.results[0]
            self.made.append(made)
        edit.replace(op, [], results)
