"""Reductions by a combiner that is no single arith operation."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    SameVariadicOperandSize,
    irdl_op_definition,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from ..combiner import parse_combiner, print_combiner, verify_combiner
from ..op_syntax import parse_attributes, print_types, with_attributes


@irdl_op_definition
class CombineOp(IRDLOperation):
    """Combines accumulated values with values that are added to them.

    ```mlir
    %i, %v = loop.combine %ai, %av with %k, %a : i32, f32 identity [-1 : i32, 0.0 : f32] by (%xi, %xv), (%yi, %yv) {
      %later = arith.cmpf ogt, %yv, %xv : f32
      %p = arith.select %later, %yi, %xi : i32
      %m = arith.select %later, %yv, %xv : f32
      loop.yield %p, %m : i32, f32
    }
    ```
    The operation occurs in blocks, whose updates commute unless the combiner violates a law
    (`semantics.combiner_laws`). `lower-blocks` replaces it by the operations of its region.
    """

    name = "loop.combine"

    accumulated = var_operand_def()
    added = var_operand_def()
    identities = prop_def()
    res = var_result_def()
    combiner = region_def("single_block")

    irdl_options = (SameVariadicOperandSize(),)
    traits = traits_def(Pure(), RecursiveMemoryEffect())

    def __init__(
        self, accumulated: Sequence[SSAValue], added: Sequence[SSAValue], identities: Attribute, combiner: Region
    ):
        super().__init__(
            operands=[accumulated, added],
            properties={"identities": identities},
            result_types=[[v.type for v in accumulated]],
            regions=[combiner],
        )

    def verify_(self) -> None:
        types = [v.type for v in self.res]
        verify_combiner(types, self.identities, self.combiner, "loop.yield")
        for values in (self.accumulated, self.added):
            if [v.type for v in values] != types:
                got = ", ".join(str(v.type) for v in values)
                raise VerifyException(f"expected values of types {', '.join(map(str, types))}, but got {got}")

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.accumulated, printer.print_ssa_value)
        printer.print_string(" with ")
        printer.print_list(self.added, printer.print_ssa_value)
        print_types(printer, self, *(v.type for v in self.res))
        print_combiner(printer, self.identities, self.combiner)

    @classmethod
    def parse(cls, parser: Parser) -> CombineOp:
        accumulated = parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_unresolved_operand)
        parser.parse_keyword("with")
        added = parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_unresolved_operand)
        attributes = parse_attributes(parser)
        parser.parse_punctuation(":")
        start = parser.pos
        types = parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_type)
        loaded = parser.resolve_operands(accumulated, types, start)
        terms = parser.resolve_operands(added, types, start)
        return with_attributes(cls(loaded, terms, *parse_combiner(parser, types)), attributes)
