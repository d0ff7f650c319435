"""Flags of arith operations that LLVM 22 and later print and xDSL does not know.

They are `exact` of divisions and shifts to the right, `nneg` of extensions and conversions of unsigned integers,
`overflow<nsw>` of truncations, and rounding modes of operations on floats. A flag is a property that makes the result
poison if its condition does not hold. The operations stay the classes of xDSL; properties, parsers and printers are
added to them once, when this module is imported.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, UnitAttr, i32
from xdsl.ir import Attribute
from xdsl.irdl import BaseAttr, IRDLOperation, OptPropertyDef
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

EXACT, NONNEGATIVE, OVERFLOW, FAST_MATH, ROUNDING = "isExact", "nonNeg", "overflowFlags", "fastmath", "roundingmode"

_WORDS = {"exact": EXACT, "nneg": NONNEGATIVE}
_ROUNDINGS = ("to_nearest_even", "downward", "upward", "toward_zero", "to_nearest_away")
"""The rounding modes by their numbers."""

FLAGS: dict[type[IRDLOperation], tuple[str, ...]] = {
    **dict.fromkeys((arith.DivSIOp, arith.DivUIOp, arith.ShRSIOp, arith.ShRUIOp), (EXACT,)),
    **dict.fromkeys((arith.ExtUIOp, arith.UIToFPOp), (NONNEGATIVE,)),
    arith.TruncIOp: (OVERFLOW,),
    arith.TruncFOp: (FAST_MATH, ROUNDING),
    arith.ExtFOp: (FAST_MATH,),
    **dict.fromkeys((arith.AddfOp, arith.SubfOp, arith.MulfOp, arith.DivfOp), (ROUNDING,)),
    arith.SIToFPOp: (ROUNDING,),
}
"""The properties that operations have beyond those of xDSL."""

_TYPES: dict[str, type[Attribute]] = {
    EXACT: UnitAttr,
    NONNEGATIVE: UnitAttr,
    OVERFLOW: arith.IntegerOverflowAttr,
    FAST_MATH: arith.FastMathFlagsAttr,
    ROUNDING: IntegerAttr,
}


def parse_flags(parser: Parser) -> dict[str, Attribute]:
    """Parse the flags that stand behind the operands of an operation."""
    found: dict[str, Attribute] = {}
    while True:
        if word := parser.parse_optional_keyword_in((*_WORDS, *_ROUNDINGS, "overflow", "fastmath")):
            if word == "overflow":
                found[OVERFLOW] = arith.IntegerOverflowAttr(arith.IntegerOverflowAttr.parse_parameter(parser))
            elif word == "fastmath":
                found[FAST_MATH] = arith.FastMathFlagsAttr(arith.FastMathFlagsAttr.parse_parameter(parser))
            elif word in _WORDS:
                found[_WORDS[word]] = UnitAttr()
            else:
                found[ROUNDING] = IntegerAttr(_ROUNDINGS.index(word), i32)
        else:
            return found


def print_flags(printer: Printer, op: IRDLOperation) -> None:
    """Print the flags of an operation that are not the default."""
    for name, value in op.properties.items():
        match value:
            case arith.IntegerOverflowAttr() | arith.FastMathFlagsAttr() if value.data:
                printer.print_string(" overflow" if name == OVERFLOW else " fastmath")
                value.print_parameter(printer)
            case UnitAttr():
                printer.print_string(f" {next(word for word, known in _WORDS.items() if known == name)}")
            case IntegerAttr() if name == ROUNDING:
                printer.print_string(f" {_ROUNDINGS[value.value.data]}")
            case _:
                pass


def _binary_parser(op_class: type[IRDLOperation]) -> Callable[..., IRDLOperation]:
    def parse(cls: type[IRDLOperation], parser: Parser) -> IRDLOperation:
        start = parser.pos
        operands = [parser.parse_unresolved_operand()]
        parser.parse_punctuation(",")
        operands.append(parser.parse_unresolved_operand())
        flags = parse_flags(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type_ = parser.parse_type()
        values = parser.resolve_operands(operands, [type_, type_], start)
        known = op_class.get_irdl_definition().properties
        defaults = {FAST_MATH: arith.FastMathFlagsAttr("none")} if FAST_MATH in known else {}
        op = cls.create(operands=values, result_types=[type_], properties={**defaults, **flags}, attributes=attributes)
        op.verify(verify_nested_ops=False)
        return op

    return parse


def _print_binary(op: IRDLOperation, printer: Printer) -> None:
    printer.print_string(" ")
    printer.print_list(op.operands, printer.print_ssa_value)
    print_flags(printer, op)
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(op.results[0].type)


def print_conversion(op: IRDLOperation, printer: Printer) -> None:
    """Print a conversion with its flags."""
    printer.print_string(" ")
    printer.print_ssa_value(op.operands[0])
    print_flags(printer, op)
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(op.operands[0].type)
    printer.print_string(" to ")
    printer.print_attribute(op.results[0].type)


def _verify_rounding(op_class: type[IRDLOperation]) -> None:
    verify = op_class.verify_

    def verify_(self: IRDLOperation) -> None:
        verify(self)
        mode = self.properties.get(ROUNDING)
        if isinstance(mode, IntegerAttr) and mode.value.data != 0:
            raise VerifyException("expected rounding to the nearest number, the even one of two")

    op_class.verify_ = verify_


def _widen() -> None:
    for op_class, names in FLAGS.items():
        known = op_class.get_irdl_definition().properties
        for name in names:
            known[name] = OptPropertyDef(BaseAttr(_TYPES[name]))
        if ROUNDING in names:
            _verify_rounding(op_class)
        if len(op_class.get_irdl_definition().operands) == 2:
            op_class.parse = classmethod(_binary_parser(op_class))  # pyright: ignore[reportAttributeAccessIssue]
            op_class.print = _print_binary  # pyright: ignore[reportAttributeAccessIssue]
        else:
            op_class.print = print_conversion  # pyright: ignore[reportAttributeAccessIssue]


_widen()
