"""scf.forall, which xDSL lacks: loops without an order, on memrefs or on shared tensors.

`tensor.parallel_insert_slice` writes an iteration's part of a shared tensor.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, DenseArrayBase, IndexType, TensorType, i64
from xdsl.dialects.utils import DynamicIndexList
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, NoTerminator, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from ...ir import editor as edit

Mixed = list[int | SSAValue]
"""Numbers and values, as bounds are written."""


@irdl_op_definition
class ParallelInsertSliceOp(IRDLOperation):
    """Writes a part of a tensor that iterations share, in the syntax of `tensor.insert_slice` without a result."""

    name = "tensor.parallel_insert_slice"

    source = operand_def(TensorType)
    dest = operand_def(TensorType)
    offsets = var_operand_def(IndexType)
    sizes = var_operand_def(IndexType)
    strides = var_operand_def(IndexType)
    static_offsets = prop_def(DenseArrayBase.constr(i64))
    static_sizes = prop_def(DenseArrayBase.constr(i64))
    static_strides = prop_def(DenseArrayBase.constr(i64))

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    assembly_format = (
        "$source `into` $dest ``"
        "custom<DynamicIndexList>($offsets, $static_offsets)"
        "custom<DynamicIndexList>($sizes, $static_sizes)"
        "custom<DynamicIndexList>($strides, $static_strides)"
        "attr-dict `:` type($source) `into` type($dest)"
    )
    custom_directives: ClassVar = (DynamicIndexList,)  # pyright: ignore[reportIncompatibleVariableOverride]


@irdl_op_definition
class InParallelOp(IRDLOperation):
    """Ends the body of an `scf.forall`: the writes of its iteration to the shared tensors."""

    name = "scf.forall.in_parallel"

    region = region_def("single_block")

    traits = traits_def(IsTerminator(), NoTerminator())

    assembly_format = "attr-dict-with-keyword $region"


@irdl_op_definition
class ForallOp(IRDLOperation):
    """Loops in no order: `scf.forall (%i, %j) in (8, %n) shared_outs(%o = %t) -> (tensor<8x?xf32>) { … }`.

    The form with all bounds is `(%i) = (0) to (%n) step (2)`. The iterations share the tensors of `shared_outs`.
    """

    name = "scf.forall"

    dynamicLowerBound = var_operand_def(IndexType)
    dynamicUpperBound = var_operand_def(IndexType)
    dynamicStep = var_operand_def(IndexType)
    outputs = var_operand_def()
    staticLowerBound = prop_def(DenseArrayBase.constr(i64))
    staticUpperBound = prop_def(DenseArrayBase.constr(i64))
    staticStep = prop_def(DenseArrayBase.constr(i64))
    mapping = opt_prop_def(ArrayAttr)
    res = var_result_def()
    body = region_def("single_block")

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(RecursiveMemoryEffect())

    def bounds(self) -> list[tuple[int | SSAValue, int | SSAValue, int | SSAValue]]:
        """Return the lower bound, the upper bound and the step of each loop."""
        return list(
            zip(
                _mixed(self.staticLowerBound, self.dynamicLowerBound),
                _mixed(self.staticUpperBound, self.dynamicUpperBound),
                _mixed(self.staticStep, self.dynamicStep),
                strict=True,
            )
        )

    def verify_(self) -> None:
        counts = {len(self.staticLowerBound), len(self.staticUpperBound), len(self.staticStep)}
        rank = len(self.body.block.args) - len(self.outputs)
        if counts != {rank}:
            raise VerifyException(f"expected a lower bound, an upper bound and a step for each of {rank} loops")
        if [r.type for r in self.res] != [value.type for value in self.outputs]:
            raise VerifyException("expected a result of its type for each shared tensor")
        if not isinstance(self.body.block.last_op, InParallelOp):
            raise VerifyException("expected a body that ends in scf.forall.in_parallel")

    def print(self, printer: Printer) -> None:
        rank = len(self.staticLowerBound)
        printer.print_string(" (")
        printer.print_list(self.body.block.args[:rank], lambda a: printer.print_block_argument(a, print_type=False))
        printer.print_string(")")
        lowers, uppers, steps = (list(side) for side in zip(*self.bounds(), strict=True))
        for word, values in (("=", lowers), ("to", uppers), ("step", steps)):
            printer.print_string(f" {word} (")
            printer.print_list(values, lambda v: _print_mixed(printer, v))
            printer.print_string(")")
        if self.outputs:
            printer.print_string(" shared_outs(")
            pairs = zip(self.body.block.args[rank:], self.outputs, strict=True)
            printer.print_list(pairs, lambda pair: _print_pair(printer, *pair))
            printer.print_string(") -> (")
            printer.print_list(self.res, lambda value: printer.print_attribute(value.type))
            printer.print_string(")")
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)
        shown = {} if self.mapping is None else {"mapping": self.mapping}
        printer.print_op_attributes({**shown, **self.attributes})

    @classmethod
    def parse(cls, parser: Parser) -> ForallOp:
        variables = parser.parse_comma_separated_list(
            Parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False).resolve(IndexType())
        )
        if parser.parse_optional_keyword("in"):
            uppers = _parse_mixed(parser)
            lowers, steps = Mixed([0] * len(uppers)), Mixed([1] * len(uppers))
        else:
            parser.parse_punctuation("=")
            lowers = _parse_mixed(parser)
            parser.parse_keyword("to")
            uppers = _parse_mixed(parser)
            parser.parse_keyword("step")
            steps = _parse_mixed(parser)
        arguments, outputs = _parse_outputs(parser)
        body = parser.parse_region([*variables, *arguments])
        if not isinstance(body.block.last_op, InParallelOp):
            edit.append(body.block, InParallelOp.build(regions=[Region(Block())]))
        attributes = dict(parser.parse_optional_attr_dict())
        sides = [_split(side) for side in (lowers, uppers, steps)]
        names = ("staticLowerBound", "staticUpperBound", "staticStep")
        return cls.build(
            operands=[*(values for _, values in sides), outputs],
            properties={
                **dict(zip(names, (static for static, _ in sides), strict=True)),
                "mapping": attributes.pop("mapping", None),
            },
            attributes=attributes,
            result_types=[[value.type for value in outputs]],
            regions=[body],
        )


def _mixed(static: DenseArrayBase, dynamic: Sequence[SSAValue]) -> Mixed:
    values = iter(dynamic)
    numbers = [int(n) for n in static.get_values()]  # pyright: ignore[reportAttributeAccessIssue] (of integers)
    return [next(values) if n == DYNAMIC_INDEX else n for n in numbers]


def _split(side: Mixed) -> tuple[Attribute, list[SSAValue]]:
    numbers = [n if isinstance(n, int) else DYNAMIC_INDEX for n in side]
    return DenseArrayBase.from_list(i64, numbers), [n for n in side if not isinstance(n, int)]


def _parse_mixed(parser: Parser) -> Mixed:
    def parse_one() -> int | SSAValue:
        number = parser.parse_optional_integer(allow_boolean=False)
        return parser.parse_operand(type=IndexType()) if number is None else number

    return parser.parse_comma_separated_list(Parser.Delimiter.PAREN, parse_one)


def _print_mixed(printer: Printer, value: int | SSAValue) -> None:
    if isinstance(value, int):
        printer.print_string(str(value))
    else:
        printer.print_ssa_value(value)


def _print_pair(printer: Printer, argument: SSAValue, value: SSAValue) -> None:
    printer.print_ssa_value(argument)
    printer.print_string(" = ")
    printer.print_ssa_value(value)


def _parse_outputs(parser: Parser) -> tuple[list[Parser.Argument], list[SSAValue]]:
    """Parse `shared_outs(%o = %t) -> (tensor<8xf32>)`, which may be left out."""
    if not parser.parse_optional_keyword("shared_outs"):
        return [], []

    def parse_pair():
        argument = parser.parse_argument(expect_type=False)
        parser.parse_punctuation("=")
        return argument, parser.parse_unresolved_operand()

    start = parser.pos
    pairs = parser.parse_comma_separated_list(Parser.Delimiter.PAREN, parse_pair)
    parser.parse_punctuation("->")
    types = parser.parse_comma_separated_list(Parser.Delimiter.PAREN, parser.parse_type)
    values = parser.resolve_operands([operand for _, operand in pairs], types, start)
    return [argument.resolve(type_) for (argument, _), type_ in zip(pairs, types, strict=True)], list(values)
