"""Recurrences: tensors whose steps along the first axis are computed from earlier ones."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr, TensorType
from xdsl.ir import Attribute, Block, BlockArgument, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..index_expr import Index
from ..op_syntax import parse_attributes, print_attributes, with_attributes
from .compute import ComputeOp, YieldOp


@irdl_op_definition
class ScanOp(IRDLOperation):
    """Defines states by their first steps, and by the computation of each later step from earlier steps.

    ```mlir
    %S = te.scan "S" (%s = %init) -> tensor<?x4xf32> {
      %u = te.compute "update" [%t to %m, %i to 4] -> tensor<?x4xf32> {
        %before = te.read %s[%t - 1, %i] : tensor<?x4xf32>
        %x = te.read %X[%t, %i] : tensor<?x4xf32>
        %y = arith.addf %before, %x : f32
        te.yield %y : f32
      }
      te.yield %u : tensor<?x4xf32>
    }
    ```
    The first steps are those of `%init`. The later steps are computed in order: each compute is evaluated with its
    first axis at that step, and the yielded elements become that step of the state.
    """

    name = "te.scan"

    inits = var_operand_def(TensorType)
    sym = prop_def(StringAttr)
    res = var_result_def(TensorType)
    body = region_def("single_block")

    traits = traits_def(Pure())

    def __init__(self, label: str, inits: Sequence[SSAValue], result_types: Sequence[Attribute], body: Region):
        properties = {"sym": StringAttr(label)}
        super().__init__(operands=[inits], properties=properties, result_types=[result_types], regions=[body])

    @property
    def label(self) -> str:
        return self.sym.data

    @property
    def states(self) -> tuple[BlockArgument, ...]:
        return self.body.block.args

    @property
    def computes(self) -> list[ComputeOp]:
        """Return the computes that make one step, in order."""
        return [op for op in self.body.block.ops if isinstance(op, ComputeOp)]

    @property
    def updates(self) -> tuple[SSAValue, ...]:
        last = self.body.block.last_op
        assert isinstance(last, YieldOp)
        return tuple(last.values)

    @property
    def steps(self) -> Index:
        """The number of steps, including the first ones."""
        return self.computes[0].spatial_extents[0]

    def verify_(self) -> None:
        types = [r.type for r in self.res]
        block = self.body.block
        if [a.type for a in block.args] != types:
            got = ", ".join(str(a.type) for a in block.args)
            raise VerifyException(f"expected a state of each type {', '.join(map(str, types))}, but got {got}")
        last = block.last_op
        if not isinstance(last, YieldOp) or [v.type for v in last.values] != types:
            raise VerifyException(f"expected the body of scan {self.label!r} to yield {', '.join(map(str, types))}")
        for op in block.ops:
            if op is not last and not (isinstance(op, ComputeOp) and op.rank > 0):
                raise VerifyException(f"expected computes over steps in scan {self.label!r}, but got {op.name}")
        if any(c.spatial_extents[0] != self.steps for c in self.computes) or not self.computes:
            raise VerifyException(f"expected computes of scan {self.label!r} to run over the same steps")
        for init, result in zip(self.inits, self.res, strict=True):
            _verify_init(init.type, result.type)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.label)
        printer.print_string(" (")
        printer.print_list(zip(self.states, self.inits, strict=True), lambda pair: _print_state(printer, *pair))
        printer.print_string(" : ")
        printer.print_list(self.inits, lambda value: printer.print_attribute(value.type))
        printer.print_string(")")
        print_attributes(printer, self)
        printer.print_string(" -> ")
        printer.print_list(self.res, lambda value: printer.print_attribute(value.type))
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)

    @classmethod
    def parse(cls, parser: Parser) -> ScanOp:
        label = parser.parse_str_literal()
        parser.parse_punctuation("(")
        pairs = parser.parse_comma_separated_list(Parser.Delimiter.NONE, lambda: _parse_state(parser))
        parser.parse_punctuation(":")
        start = parser.pos
        init_types = parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_type)
        parser.parse_punctuation(")")
        inits = parser.resolve_operands([operand for _, operand in pairs], init_types, start)
        attributes = parse_attributes(parser)
        parser.parse_punctuation("->")
        types = parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_type)
        if len(types) != len(pairs):
            parser.raise_error(f"expected {len(pairs)} result types, but got {len(types)}")
        arguments = [argument.resolve(type) for (argument, _), type in zip(pairs, types, strict=True)]
        return with_attributes(cls(label, inits, types, parser.parse_region(arguments)), attributes)


def scan_body(types: Sequence[Attribute], name_hints: Sequence[str | None]) -> Block:
    """Return a block with a state of each type."""
    block = Block(arg_types=types)
    for argument, hint in zip(block.args, name_hints, strict=True):
        argument.name_hint = hint
    return block


def _verify_init(init: Attribute, result: Attribute) -> None:
    assert isinstance(init, TensorType) and isinstance(result, TensorType)
    if init.element_type != result.element_type or init.get_shape()[1:] != result.get_shape()[1:]:
        raise VerifyException(f"expected first steps of {result}, but got {init}")


def _print_state(printer: Printer, state: BlockArgument, init: SSAValue) -> None:
    printer.print_block_argument(state, print_type=False)
    printer.print_string(" = ")
    printer.print_ssa_value(init)


def _parse_state(parser: Parser) -> tuple[Parser.UnresolvedArgument, UnresolvedOperand]:
    argument = parser.parse_argument(expect_type=False)
    parser.parse_punctuation("=")
    return argument, parser.parse_unresolved_operand()
