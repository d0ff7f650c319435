"""scf: xDSL's dialect, with `scf.forall`, and `scf.parallel` and `scf.reduce` in the syntax of mlir-opt.

`scf.parallel` and `scf.reduce` stay classes of xDSL; their parsers and printers are set once, when this module is
imported. The same holds for `scf.for`, which accepts `scf.for unsigned`, and `scf.if`: both accept a single result type
without parentheses.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType, UnitAttr, i1
from xdsl.ir import Attribute, Block, Dialect, Region, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from ...ir import editor as edit
from .forall import ForallOp, InParallelOp

Scf = Dialect("scf", [*scf.Scf.operations, ForallOp, InParallelOp], [*scf.Scf.attributes])


def _parse_parallel(parser: Parser) -> scf.ParallelOp:
    arguments = parser.parse_comma_separated_list(
        Parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False).resolve(IndexType())
    )
    parser.parse_punctuation("=")
    lowers = _parse_indices(parser)
    parser.parse_keyword("to")
    uppers = _parse_indices(parser)
    parser.parse_keyword("step")
    steps = _parse_indices(parser)
    names: list[object] = []
    start = parser.pos
    if parser.parse_optional_keyword("init"):
        names = list(parser.parse_comma_separated_list(Parser.Delimiter.PAREN, parser.parse_unresolved_operand))
    types = _parse_result_types(parser) if parser.parse_optional_punctuation("->") else []
    inits = parser.resolve_operands(names, types, start)  # pyright: ignore[reportArgumentType]
    body = parser.parse_region(arguments)
    if not isinstance(body.block.last_op, scf.ReduceOp):
        edit.append(body.block, scf.ReduceOp())
    attributes = parser.parse_optional_attr_dict()
    return scf.ParallelOp.build(
        operands=[lowers, uppers, steps, inits], result_types=[types], regions=[body], attributes=attributes
    )


def _parse_result_types(parser: Parser) -> list[Attribute]:
    """Parse the types behind an arrow: a list in parentheses, or a single type without them."""
    listed = parser.parse_optional_comma_separated_list(Parser.Delimiter.PAREN, parser.parse_type)
    return [*listed] if listed is not None else [parser.parse_type()]


def _parse_indices(parser: Parser) -> list[SSAValue]:
    return parser.parse_comma_separated_list(
        Parser.Delimiter.PAREN, lambda: parser.resolve_operand(parser.parse_unresolved_operand(), IndexType())
    )


def _print_parallel(op: scf.ParallelOp, printer: Printer) -> None:
    def print_values(values: Sequence[SSAValue]) -> None:
        printer.print_string("(")
        printer.print_list(values, printer.print_ssa_value)
        printer.print_string(")")

    printer.print_string(" (")
    printer.print_list(op.body.block.args, lambda a: printer.print_block_argument(a, print_type=False))
    printer.print_string(")")
    for word, values in (("=", op.lowerBound), ("to", op.upperBound), ("step", op.step), ("init", op.initVals)):
        if values or word != "init":
            printer.print_string(f" {word} ")
            print_values(values)
    if op.res:
        printer.print_string(" -> (")
        printer.print_list(op.res, lambda value: printer.print_attribute(value.type))
        printer.print_string(")")
    printer.print_string(" ")
    printer.print_region(op.body, print_entry_block_args=False)
    printer.print_op_attributes(op.attributes)


def _parse_reduce(parser: Parser) -> scf.ReduceOp:
    """Parse `scf.reduce(%a, %b : f32, f32) { … }, { … }`."""
    names: list[object] = []
    types: Sequence[Attribute] = ()
    start = parser.pos
    if parser.parse_optional_punctuation("("):
        names = list(parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_unresolved_operand))
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_type)
        parser.parse_punctuation(")")
    values = parser.resolve_operands(names, types, start)  # pyright: ignore[reportArgumentType]
    regions: list[Region] = []
    if names:
        regions = [parser.parse_region()]
        while parser.parse_optional_punctuation(","):
            regions.append(parser.parse_region())
    attributes = parser.parse_optional_attr_dict()
    op = scf.ReduceOp(values, regions)
    op.attributes |= attributes
    return op


def _print_reduce(op: scf.ReduceOp, printer: Printer) -> None:
    if op.args:
        printer.print_string("(")
        printer.print_list(op.args, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_list(op.args, lambda value: printer.print_attribute(value.type))
        printer.print_string(") ")
        printer.print_list(op.reductions, printer.print_region)
    printer.print_op_attributes(op.attributes)


def _parse_for(parser: Parser) -> scf.ForOp:
    is_unsigned = parser.parse_optional_keyword("unsigned") is not None
    variable = parser.parse_argument(expect_type=False)
    parser.parse_punctuation("=")
    names = [parser.parse_unresolved_operand()]
    for word in ("to", "step"):
        parser.parse_keyword(word)
        names.append(parser.parse_unresolved_operand())
    start = parser.pos
    carried: list[tuple[Parser.UnresolvedArgument, UnresolvedOperand]] = []
    types: list[Attribute] = []
    if parser.parse_optional_keyword("iter_args"):
        carried = parser.parse_comma_separated_list(Parser.Delimiter.PAREN, lambda: _parse_assignment(parser))
        parser.parse_punctuation("->")
        types = _parse_result_types(parser)
    inits = parser.resolve_operands([init for _, init in carried], types, start)
    index = parser.parse_type() if parser.parse_optional_punctuation(":") else IndexType()
    arguments = [variable.resolve(index), *(a.resolve(type_) for (a, _), type_ in zip(carried, types, strict=True))]
    body = parser.parse_region(arguments)
    lower, upper, step = (parser.resolve_operand(name, index) for name in names)
    op = scf.ForOp(lower, upper, step, inits, body)
    op.attributes |= parser.parse_optional_attr_dict()
    if not carried and not isinstance(body.block.last_op, scf.YieldOp):
        edit.append(body.block, scf.YieldOp())
    if is_unsigned:
        op.attributes["unsignedCmp"] = UnitAttr()
    return op


def _parse_assignment(parser: Parser) -> tuple[Parser.UnresolvedArgument, UnresolvedOperand]:
    argument = parser.parse_argument(expect_type=False)
    parser.parse_punctuation("=")
    return argument, parser.parse_unresolved_operand()


def _parse_if(parser: Parser) -> scf.IfOp:
    condition = parser.parse_operand(i1)
    types = _parse_result_types(parser) if parser.parse_optional_punctuation("->") else []
    then = scf.IfOp.parse_region_with_yield(parser)
    otherwise = scf.IfOp.parse_region_with_yield(parser) if parser.parse_optional_keyword("else") else Region()
    return scf.IfOp(condition, types, then, otherwise, parser.parse_optional_attr_dict())


_parse_cases = scf.IndexSwitchOp.parse


def _parse_switch(parser: Parser) -> scf.IndexSwitchOp:
    """Parse a switch. A region that yields nothing may be empty."""
    op = _parse_cases(parser)
    for region in op.regions:
        if not region.blocks:
            edit.append_block(region, Block())
        if not isinstance(region.block.last_op, scf.YieldOp):
            edit.append(region.block, scf.YieldOp())
    return op


scf.IndexSwitchOp.parse = staticmethod(_parse_switch)  # pyright: ignore[reportAttributeAccessIssue]
scf.IfOp.parse = staticmethod(_parse_if)  # pyright: ignore[reportAttributeAccessIssue]
scf.ForOp.parse = staticmethod(_parse_for)  # pyright: ignore[reportAttributeAccessIssue]
scf.ReduceOp.parse = staticmethod(_parse_reduce)  # pyright: ignore[reportAttributeAccessIssue]
scf.ReduceOp.print = _print_reduce  # pyright: ignore[reportAttributeAccessIssue]
scf.ParallelOp.parse = staticmethod(_parse_parallel)
scf.ParallelOp.print = _print_parallel  # pyright: ignore[reportAttributeAccessIssue]
