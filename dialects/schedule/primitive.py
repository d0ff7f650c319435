"""Sequences of primitives, and the base class of primitives: arguments, text and rules.

Each operation of a primitive is the base class with a signature.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FlatSymbolRefAttrConstr, IntAttr, SymbolRefAttr
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    base,
    irdl_op_definition,
    lazy_traits_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import HasParent, IsolatedFromAbove, NoTerminator
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.lexer import Position
from xdsl.utils.mlir_lexer import MLIRTokenKind

from ...diagnostics.parsing import SourceParser
from ..op_syntax import parse_attributes, print_attributes, with_attributes
from .argument_values import DESCRIPTIONS, expect_value, handles_in, kind_of, parse_value, print_value
from .handle_types import BlockType, HandleAttr, LoopType, ValueType
from .primitive_signature import Parameter, PrimitiveSignature

_HANDLE = base(BlockType) | base(LoopType) | base(ValueType)


Arguments = dict[str, Attribute]


@irdl_op_definition
class SequenceOp(IRDLOperation):
    """Primitives that are applied, in order, to the function of that name; without a name, to the only function with
    blocks.

    ```mlir
    schedule.sequence @kernel { … }
    ```
    """

    name = "schedule.sequence"

    function = opt_prop_def(FlatSymbolRefAttrConstr)
    body = region_def("single_block")

    traits = traits_def(NoTerminator(), IsolatedFromAbove())

    def __init__(self, function: str | None = None, body: Region | None = None) -> None:
        properties = {} if function is None else {"function": SymbolRefAttr(function)}
        super().__init__(properties=properties, regions=[body or Region(Block())])

    @property
    def function_name(self) -> str | None:
        return None if self.function is None else self.function.root_reference.data

    def verify_(self) -> None:
        for op in self.body.block.ops:
            if isinstance(op, SequenceOp) or op.dialect_name() != "schedule":
                raise VerifyException(f"expected primitives in a sequence, but got '{op.name}'")

    def print(self, printer: Printer) -> None:
        if self.function_name is not None:
            printer.print_string(" ")
            printer.print_symbol_name(self.function_name)
        print_attributes(printer, self)
        printer.print_string(" ")
        printer.print_region(self.body, print_empty_block=False)

    @classmethod
    def parse(cls, parser: Parser) -> SequenceOp:
        name = parser.parse_optional_symbol_name()
        attributes = parse_attributes(parser)
        body = parser.parse_region([])
        return with_attributes(cls(None if name is None else name.data, body), attributes)


class PrimitiveOp(IRDLOperation):
    """A call of a method of a schedule: `%io, %ii = schedule.split %i factors [?, 32]`.

    `arguments` holds the arguments by the names of their parameters, with an array for a variadic parameter;
    `#schedule.handle<0>` in it means the first operand.
    """

    SIGNATURE: ClassVar[PrimitiveSignature]

    handles = var_operand_def(_HANDLE)
    arguments = prop_def(DictionaryAttr)
    res = var_result_def(_HANDLE)

    def __init__(
        self,
        arguments: Mapping[str, Attribute],
        handles: Sequence[SSAValue] = (),
        result_types: Sequence[Attribute] = (),
    ) -> None:
        super().__init__(
            operands=[handles],
            properties={"arguments": DictionaryAttr(dict(arguments))},
            result_types=[result_types],
        )

    def given(self) -> Iterator[tuple[Parameter, Attribute]]:
        """Yield the given parameters with their arguments, in the order of the signature."""
        for parameter in self.SIGNATURE.parameters:
            if parameter.name in self.arguments.data:
                yield parameter, self.arguments.data[parameter.name]

    def verify_(self) -> None:
        self._verify_names()
        mentioned = [position for _, value in self.given() for position in handles_in(value)]
        expected = list(range(len(self.handles)))
        if mentioned != expected:
            raise VerifyException(f"expected arguments that mention operands {expected} in order, but got {mentioned}")
        for parameter, value in self.given():
            self._verify_kind(parameter, value)
        types, given = list(self.SIGNATURE.result_types(len(self.res))), [r.type for r in self.res]
        if given != types:
            raise VerifyException(f"expected results {_listed(types)}, but got {_listed(given)}")

    def _verify_names(self) -> None:
        for name in self.arguments.data:
            if self.SIGNATURE.parameter(name) is None:
                raise VerifyException(self.SIGNATURE.unknown_parameter(name))
        for parameter in self.SIGNATURE.parameters:
            if parameter.required and parameter.name not in self.arguments.data:
                raise VerifyException(f"expected an argument for '{parameter.name}', but got none")

    def _verify_kind(self, parameter: Parameter, value: Attribute) -> None:
        if parameter.variadic and not isinstance(value, ArrayAttr):
            raise VerifyException(f"expected a list for '{parameter.name}', but got {value}")
        for element in value.data if parameter.variadic and isinstance(value, ArrayAttr) else [value]:
            kind = kind_of(element, self.handles)
            if parameter.accepts and kind not in parameter.accepts:
                raise VerifyException(
                    f"expected {parameter.expected} for '{parameter.name}', but got {DESCRIPTIONS[kind]}"
                )

    def print(self, printer: Printer) -> None:
        given = {parameter.name: value for parameter, value in self.given()}
        leading: list[Attribute] = []
        for parameter in self.SIGNATURE.positional:
            value = given.pop(parameter.name, None)
            if parameter.variadic and isinstance(value, ArrayAttr):
                leading += value.data
            elif value is not None:
                leading.append(value)
        if leading:
            printer.print_string(" ")
            printer.print_list(leading, lambda value: print_value(printer, value, self.handles))
        for name, value in given.items():
            printer.print_string(f" {name} ")
            print_value(printer, value, self.handles)
        print_attributes(printer, self)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        start = parser.pos
        operands: list[SSAValue] = []
        arguments = _parse_positional(parser, cls.SIGNATURE, operands)
        while (name := _parse_name(parser, cls.SIGNATURE)) is not None:
            if name in arguments:
                parser.raise_error(f"expected one argument for '{name}', but got another")
            arguments[name] = expect_value(parser, operands)
        attributes = parse_attributes(parser)
        types = cls.SIGNATURE.result_types(_count_results(parser, cls.SIGNATURE, start))
        return with_attributes(cls(*_in_order(cls.SIGNATURE, arguments, operands), types), attributes)


def _count_results(parser: Parser, signature: PrimitiveSignature, position: Position) -> int:
    """Return the number of results; a variable number is that of the names in the text."""
    if not isinstance(parser, SourceParser):
        if signature.varies:
            parser.raise_error(
                f"{signature.name} returns as many values as it has names: use the generic form", position
            )
        return len(signature.results)
    names, expected = parser.bound_results, len(signature.results)
    if not signature.varies and names not in (0, expected):
        parser.raise_error(f"expected {expected} names for what {signature.name} returns, but got {names}", position)
    return names


def _listed(types: Sequence[Attribute]) -> str:
    return ", ".join(map(str, types)) or "none"


def _parse_positional(parser: Parser, signature: PrimitiveSignature, operands: list[SSAValue]) -> Arguments:
    """Parse the arguments before the first name."""
    arguments: Arguments = {}
    parameters = list(signature.positional)
    more = bool(parameters)
    while more:
        position, value = parser.pos, parse_value(parser, operands)
        if value is None and not arguments:
            break  # all of them may be given by name
        if value is None:
            parser.raise_error("expected an argument", position)
        if not parameters:
            names = ", ".join(p.name for p in signature.positional)
            parser.raise_error(f"{signature.name} takes {names}, but got more arguments", position)
        name = parameters[0].name
        if parameters[0].variadic:
            known = arguments.get(name)
            arguments[name] = ArrayAttr([*(known.data if isinstance(known, ArrayAttr) else ()), value])
        else:
            arguments[name] = value
            del parameters[0]
        more = parser.parse_optional_punctuation(",") is not None
    return arguments


def _parse_name(parser: Parser, signature: PrimitiveSignature) -> str | None:
    """Parse the name of a parameter, where the text does not go on with attributes or with another operation."""
    known = parser.parse_optional_keyword_in([p.name for p in signature.parameters])
    if known is not None:
        return known
    token = parser._current_token  # pyright: ignore[reportPrivateUsage]  (nothing public looks ahead)
    ends = token.kind is not MLIRTokenKind.BARE_IDENT or token.text == "attributes" or "." in token.text
    if not ends and parser.ctx.get_optional_op(f"schedule.{token.text}") is None:
        parser.raise_error(signature.unknown_parameter(token.text), token.span)
    return None


def _in_order(
    signature: PrimitiveSignature, arguments: Arguments, operands: Sequence[SSAValue]
) -> tuple[Arguments, list[SSAValue]]:
    """Return arguments and operands in the order of the signature, independent of the order of the text."""
    handles: list[SSAValue] = []
    ordered = {
        p.name: _renumbered(arguments[p.name], operands, handles) for p in signature.parameters if p.name in arguments
    }
    return ordered, handles


def _renumbered(value: Attribute, operands: Sequence[SSAValue], handles: list[SSAValue]) -> Attribute:
    if isinstance(value, ArrayAttr):
        return ArrayAttr([_renumbered(element, operands, handles) for element in value.data])
    if not isinstance(value, HandleAttr):
        return value
    handles.append(operands[value.position.data])
    return HandleAttr(IntAttr(len(handles) - 1))


def primitive_class(signature: PrimitiveSignature) -> type[PrimitiveOp]:
    """Return the operation of a method."""
    namespace: dict[str, Any] = {
        "name": f"schedule.{signature.name}",
        "SIGNATURE": signature,
        "traits": lazy_traits_def(lambda: (HasParent(SequenceOp),)),
        "__annotations__": {"SIGNATURE": ClassVar[PrimitiveSignature]},
        "__doc__": signature.summary,
    }
    name = "".join(part.capitalize() for part in signature.name.split("_"))
    return irdl_op_definition(type(f"{name}Op", (PrimitiveOp,), namespace))
