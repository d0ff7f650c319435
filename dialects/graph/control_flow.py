"""Branches and loops on tensors, by value: the common part of the graph and the te dialect.

Their regions may use values from outside. Each region ends in the dialect's `yield` of its results.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr, StringAttr, TensorType, i1, i64
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..op_syntax import parse_attributes, print_attributes, resolve_defined, with_attributes
from .types import Dim, Tensor, element_of, is_refinement, make_type, shape_of, tensor_type

TRUTH: Tensor = TensorType(i1, [])
"""The type of conditions."""
COUNT: Tensor = TensorType(i64, [])
"""The type of numbers of iterations."""


class BranchOp(IRDLOperation, ABC):
    """Yields the values of one of two regions."""

    condition = operand_def()
    res = var_result_def(TensorType)
    then_body = region_def("single_block")
    else_body = region_def("single_block")

    traits = traits_def(Pure())

    def __init__(self, condition: SSAValue, types: Sequence[Attribute], then_body: Region, else_body: Region):
        super().__init__(operands=[condition], result_types=[types], regions=[then_body, else_body])

    def verify_(self) -> None:
        _verify_type("a condition", self.condition, TRUTH)
        for region in (self.then_body, self.else_body):
            if region.block.args:
                raise VerifyException(f"expected regions without arguments, but got {len(region.block.args)}")
            _verify_yield(self, region.block, [r.type for r in self.res])

    @classmethod
    def parse(cls, parser: Parser) -> BranchOp:
        condition = resolve_defined(parser, parser.parse_unresolved_operand())
        types = _parse_result_types(parser)
        attributes = parse_attributes(parser)
        then_body = parser.parse_region([])
        parser.parse_keyword("else")
        return with_attributes(cls(condition, types, then_body, parser.parse_region([])), attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.condition)
        _print_result_types(printer, self)
        print_attributes(printer, self)
        printer.print_string(" ")
        printer.print_region(self.then_body, print_entry_block_args=False)
        printer.print_string(" else ")
        printer.print_region(self.else_body, print_entry_block_args=False)


class RepeatOp(IRDLOperation, ABC):
    """Runs a region repeatedly, with loop-carried values."""

    going = opt_operand_def()
    trips = opt_operand_def()
    inits = var_operand_def(TensorType)
    sources = var_operand_def(TensorType)
    count = opt_prop_def()
    res = var_result_def(TensorType)
    body = region_def("single_block")

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())

    def __init__(
        self,
        inits: Sequence[SSAValue],
        sources: Sequence[SSAValue],
        types: Sequence[Attribute],
        body: Region,
        *,
        going: SSAValue | None = None,
        trips: SSAValue | Dim = None,
    ):
        """Make a loop: `trips` is a number, the name of a size or a value; without one the sources say how many
        iterations there are, or `going` ends the loop."""
        value = trips if isinstance(trips, SSAValue) else None
        count = trips if isinstance(trips, (int, str)) else None
        super().__init__(
            operands=[going, value, inits, sources],
            properties={} if count is None else {"count": _count_attribute(count)},
            result_types=[types],
            regions=[body],
        )

    @property
    def iteration(self) -> BlockArgument:
        """The number of the iteration."""
        return self.body.block.args[0]

    @property
    def carried(self) -> Sequence[BlockArgument]:
        """The arguments that hold the values of the previous iteration, in the first iteration the inits."""
        return self.body.block.args[1 : 1 + len(self.inits)]

    @property
    def elements(self) -> Sequence[BlockArgument]:
        """The parts of the sources that are an iteration's."""
        return self.body.block.args[1 + len(self.inits) :]

    @property
    def yielded(self) -> Operation:
        last = self.body.block.last_op
        assert last is not None
        return last

    @property
    def still_going(self) -> SSAValue | None:
        """The condition on which another iteration follows; None for a loop that has no condition."""
        return self.yielded.operands[0] if self.going is not None else None

    @property
    def handed_on(self) -> Sequence[SSAValue]:
        """The yielded values that the next iteration receives."""
        first = 0 if self.going is None else 1
        return self.yielded.operands[first : first + len(self.inits)]

    @property
    def collected(self) -> Sequence[SSAValue]:
        """The yielded values that are stacked into the later results."""
        first = 0 if self.going is None else 1
        return self.yielded.operands[first + len(self.inits) :]

    @property
    def length(self) -> Dim:
        """The greatest number of iterations, if types can state it; otherwise None."""
        if isinstance(self.count, IntegerAttr):
            return self.count.value.data
        if isinstance(self.count, StringAttr):
            return self.count.data
        return shape_of(self.sources[0])[0] if self.sources else None

    def verify_(self) -> None:
        _verify_type("a condition", self.going, TRUTH)
        _verify_type("a number of iterations", self.trips, COUNT)
        self._verify_length()
        elements = [_element_type(source) for source in self.sources]
        expected = [COUNT, *(init.type for init in self.inits), *elements]
        found = [argument.type for argument in self.body.block.args]
        if found != expected:
            raise VerifyException(f"expected a body with arguments {_text(expected)}, but got {_text(found)}")
        carried = [init.type for init in self.inits]
        if [r.type for r in self.res][: len(carried)] != carried:
            raise VerifyException(f"expected results {_text(carried)} first, like the carried values")
        parts = [_element_type(result) for result in self.res[len(carried) :]]
        _verify_yield(self, self.body.block, [*([] if self.going is None else [TRUTH]), *carried, *parts])

    def _verify_length(self) -> None:
        stated = (self.count is not None) + (self.trips is not None) + bool(self.sources)
        if stated > 1:
            raise VerifyException("expected one number of iterations, but got several")
        if not stated and self.going is None:
            raise VerifyException("expected a loop with a number of iterations, a condition, or values to scan")
        if not (self.count is None or isinstance(self.count, (IntegerAttr, StringAttr))) or _is_negative(self.count):
            raise VerifyException(f"expected a number of iterations or the name of a size, but got {self.count}")
        lengths = {shape_of(source)[:1] for source in self.sources}
        if len(lengths) > 1 or () in lengths or (len(self.sources) > 1 and (None,) in lengths):
            raise VerifyException("expected values to scan that have as many parts")
        collected = list(self.res)[len(self.inits) :]
        if collected and self.length is None:
            raise VerifyException("expected a loop that collects values to run a number of times that types can state")
        for result in collected:
            if not shape_of(result) or not is_refinement((self.length,), shape_of(result)[:1]):
                raise VerifyException(f"expected {self.length} collected values, but got {result.type}")

    @classmethod
    def parse(cls, parser: Parser) -> RepeatOp:
        iteration = parser.parse_argument(expect_type=False).resolve(COUNT)
        trips = _parse_trips(parser) if parser.parse_optional_keyword("to") else None
        going = None
        if parser.parse_optional_keyword("while"):
            going = resolve_defined(parser, parser.parse_unresolved_operand())
        carried = _parse_pairs(parser) if parser.parse_optional_keyword("carry") else []
        scanned = _parse_pairs(parser) if parser.parse_optional_keyword("scan") else []
        types = _parse_result_types(parser)
        attributes = parse_attributes(parser)
        arguments = [argument.resolve(value.type) for argument, value in carried]
        arguments += [argument.resolve(_element_type(value)) for argument, value in scanned]
        body = parser.parse_region([iteration, *arguments])
        inits, sources = ([value for _, value in pairs] for pairs in (carried, scanned))
        return with_attributes(cls(inits, sources, types, body, going=going, trips=trips), attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_block_argument(self.iteration, print_type=False)
        if self.trips is not None:
            printer.print_string(" to ")
            printer.print_ssa_value(self.trips)
        elif self.count is not None:
            printer.print_string(" to ")
            _print_count(printer, self.count)
        if self.going is not None:
            printer.print_string(" while ")
            printer.print_ssa_value(self.going)
        _print_pairs(printer, "carry", self.carried, self.inits)
        _print_pairs(printer, "scan", self.elements, self.sources)
        _print_result_types(printer, self)
        print_attributes(printer, self)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)


def repeat_body(inits: Sequence[SSAValue], sources: Sequence[SSAValue]) -> Block:
    """Return an empty body for a loop that carries and scans these values."""
    return Block(arg_types=[COUNT, *(init.type for init in inits), *(_element_type(source) for source in sources)])


def collected_type(part: Attribute, length: Dim) -> Tensor:
    """Return the type of so many values of a type, one behind another."""
    return make_type((length, *shape_of(part)), element_of(part))


def _element_type(value: SSAValue) -> Tensor:
    """Return the type of a part of a tensor, along its first axis."""
    shape = shape_of(value)
    if not shape:
        raise VerifyException(f"expected a tensor with an axis to go along, but got {value.type}")
    return make_type(shape[1:], tensor_type(value).element_type)


def _verify_type(what: str, value: SSAValue | None, expected: Tensor) -> None:
    if value is not None and value.type != expected:
        raise VerifyException(f"expected {what} of type {expected}, but got {value.type}")


def _verify_yield(op: Operation, block: Block, expected: Sequence[Attribute]) -> None:
    last, wanted = block.last_op, f"{op.dialect_name()}.yield"
    if last is None or last.name != wanted:
        raise VerifyException(f"expected {wanted} at the end, but got {last.name if last else 'nothing'}")
    found = [value.type for value in last.operands]
    if found != list(expected):
        raise VerifyException(f"expected to yield {_text(expected)}, but got {_text(found)}")


def _text(types: Sequence[Attribute]) -> str:
    return f"({', '.join(map(str, types))})"


def _is_negative(count: Attribute | None) -> bool:
    return isinstance(count, IntegerAttr) and count.value.data < 0


def _count_attribute(count: int | str) -> Attribute:
    return IntegerAttr(count, i64) if isinstance(count, int) else StringAttr(count)


def _parse_trips(parser: Parser) -> SSAValue | int | str:
    if (operand := parser.parse_optional_unresolved_operand()) is not None:
        return resolve_defined(parser, operand)
    number = parser.parse_optional_integer(allow_boolean=False)
    return parser.parse_identifier_or_str_literal() if number is None else number


def _print_count(printer: Printer, count: Attribute) -> None:
    if isinstance(count, IntegerAttr):
        printer.print_string(str(count.value.data))
    elif isinstance(count, StringAttr):
        printer.print_identifier_or_string_literal(count.data)
    else:
        printer.print_attribute(count)


def _parse_pairs(parser: Parser) -> list[tuple[Parser.UnresolvedArgument, SSAValue]]:
    def parse_pair() -> tuple[Parser.UnresolvedArgument, SSAValue]:
        argument = parser.parse_argument(expect_type=False)
        parser.parse_punctuation("=")
        value = resolve_defined(parser, parser.parse_unresolved_operand())
        parser.parse_punctuation(":")
        start = parser.pos
        type_ = parser.parse_type()
        if type_ != value.type:
            parser.raise_error(f"expected {value.type}, but got {type_}", start, parser.pos)
        return argument, value

    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_pair)


def _print_pairs(
    printer: Printer, keyword: str, arguments: Sequence[BlockArgument], values: Sequence[SSAValue]
) -> None:
    if not values:
        return

    def print_pair(pair: tuple[BlockArgument, SSAValue]) -> None:
        printer.print_block_argument(pair[0], print_type=False)
        printer.print_string(" = ")
        printer.print_ssa_value(pair[1])
        printer.print_string(" : ")
        printer.print_attribute(pair[1].type)

    printer.print_string(f" {keyword} ")
    with printer.in_parens():
        printer.print_list(list(zip(arguments, values, strict=True)), print_pair)


def _parse_result_types(parser: Parser) -> Sequence[Attribute]:
    parser.parse_punctuation("->")
    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)


def _print_result_types(printer: Printer, op: Operation) -> None:
    printer.print_string(" -> ")
    with printer.in_parens():
        printer.print_list(op.result_types, printer.print_attribute)
