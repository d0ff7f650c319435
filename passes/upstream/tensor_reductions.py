"""Recognition of reductions in scalar bodies of structured operations."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, ArrayAttr, FloatAttr, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...dialects import te
from ...dialects.upstream.structured_operation import StructuredOp, YieldOp
from ...ir import editor as edit
from ...te.combiners import identity
from ...te.dtypes import dtype_of_ir

_NAMED: dict[type[Operation], str] = {
    arith.AddfOp: "add",
    arith.AddiOp: "add",
    arith.MulfOp: "mul",
    arith.MuliOp: "mul",
    arith.MaximumfOp: "max",
    arith.MaxSIOp: "max",
    arith.MinimumfOp: "min",
    arith.MinSIOp: "min",
}
"""The operations that te knows as combiners."""

_BITS: dict[type[Operation], int] = {
    arith.MaxUIOp: 0,
    arith.OrIOp: 0,
    arith.XOrIOp: 0,
    arith.MinUIOp: -1,
    arith.AndIOp: -1,
}
"""Other combiners of integers, and their identities."""


@dataclass(frozen=True)
class Update:
    """The combination of an output with the terms of a reduction: `output = combine(output, term)`."""

    combine: Operation
    term: SSAValue
    """A value of the body."""

    def identity(self) -> Attribute:
        """Return the number that leaves the other operand as it is."""
        type_, kind = self.term.type, _NAMED.get(type(self.combine))
        number = identity(kind, dtype_of_ir(type_)) if kind is not None else _BITS.get(type(self.combine), float("nan"))
        return FloatAttr(number, type_) if isinstance(type_, AnyFloat) else IntegerAttr(int(number), type_)  # pyright: ignore

    def combiner(self) -> str | tuple[Attribute, Region]:
        """Return the combiner of the `te.reduce`."""
        kind, type_ = _NAMED.get(type(self.combine)), self.term.type
        if kind is not None and not (isinstance(type_, IntegerType) and type_.width.data == 1):
            return kind
        block = Block(arg_types=[type_, type_])
        copy = type(self.combine).create(
            operands=block.args,
            result_types=[type_],
            properties=self.combine.properties,
            attributes=self.combine.attributes,
        )
        edit.append(block, copy, te.YieldOp(copy.results))
        return ArrayAttr([self.identity()]), Region(block)


def update_of(op: StructuredOp, number: int) -> Update | None:
    """Return the update of the output of that number; None if it is no combination of itself with a term."""
    block = op.body.block
    last = block.last_op
    assert isinstance(last, YieldOp)
    position = len(op.ins) + number
    if position >= len(block.args):
        return None
    output = block.args[position]
    combine = last.operands[number].owner
    known = (*_NAMED, *_BITS, arith.MaxnumfOp, arith.MinnumfOp)
    if not isinstance(combine, known) or len(list(output.uses)) != 1 or len(list(combine.results[0].uses)) != 1:
        return None
    terms = [operand for operand in combine.operands if operand is not output]
    return Update(combine, terms[0]) if len(terms) == 1 else None
