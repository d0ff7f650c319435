"""Parser of IR text that records source locations and raises `TilewrightError`.

xDSL's parser records no positions and reports undefined values at the end of the file. `SourceParser` gives
every op the position of its name, and points at the first use of a value that is never defined. Nesting is
limited to `MAX_NESTING`: parser, printer and rewriters recurse once for each region, and Python's stack is finite.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, Literal, NoReturn, overload

from xdsl.context import Context
from xdsl.dialects.builtin import (
    AnyFloat,
    FileLineColLoc,
    FusedLoc,
    IndexType,
    IntAttr,
    LocationAttr,
    ModuleOp,
    NoneAttr,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Attribute, AttributeInvT, Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.parser import AttrParser, Parser, ParserState, UnresolvedOperand
from xdsl.utils.exceptions import ParseError, VerifyException
from xdsl.utils.lexer import Input, Position, Span
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRToken, MLIRTokenKind, StringLiteral

from .affine_maps import OperandExpressions
from .errors import TilewrightError, fail
from .locations import note_source, source_position
from .rendering import register_source
from .text import did_you_mean, on_one_line

MAX_NESTING = 64
"""The deepest nesting of regions."""


_NAME = re.compile(r'"?[\w.$]+"?')


class _Lexer(MLIRLexer):
    """xDSL's lexer with two fixes for strings: an unterminated string no longer takes exponential time in the rest of
    the line, and the escaped bytes that the printer writes for non-ASCII characters are read as a string again."""

    _unescaped_characters_regex = re.compile(r'"(?:[^"\\\n\v\f]|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"')

    def _lex_string_literal(self, start_pos: Position) -> MLIRToken:
        token = super()._lex_string_literal(start_pos)
        if token.kind is MLIRTokenKind.BYTES_LIT and _is_text(StringLiteral.from_span(token.span)):
            return MLIRToken(MLIRTokenKind.STRING_LIT, token.span)
        return token


def _is_text(literal: StringLiteral) -> bool:
    try:
        literal.bytes_contents.decode()
    except UnicodeDecodeError:
        return False
    return True


class _LiteralElement(Parser._TensorLiteralElement):
    """An element of `dense<…>`. A float written as hexadecimal is its bits, as xDSL prints infinities and NaNs."""

    def to_type(self, parser: AttrParser, type: Attribute) -> Any:
        if isinstance(type, AnyFloat) and self.span.text.lower().startswith("0x"):
            return type.unpack(int(self.value).to_bytes(type.size, "little"), 1)[0]  # pyright: ignore[reportArgumentType]
        return super().to_type(parser, type)  # pyright: ignore[reportArgumentType]


class SourceParser(Parser):
    """xDSL's parser, with `Operation.location` set on every op and errors raised as `TilewrightError`."""

    def __init__(self, ctx: Context, text: str, name: str) -> None:
        note_source(name)
        self._file = StringAttr(name)
        self._line_starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
        self._text = text
        self._op_positions: list[Position] = []
        self.bound_results = 0
        """The number of results in front of the operation that is being parsed, for formats whose results vary in
        number."""
        # For each value used before it is defined: its first use, and the names in scope there.
        self._first_uses: dict[tuple[str, int], tuple[Span, dict[str, tuple[SSAValue, ...]]]] = {}
        super().__init__(ctx, "", name)
        try:
            self._resume_from(ParserState(_Lexer(Input(text, name))))
        except ParseError as error:  # the parser reads its first token at once
            self._fail_at(error.span.start, error.msg)

    def _parse_tensor_literal_element(self) -> Parser._TensorLiteralElement:
        element = super()._parse_tensor_literal_element()
        return _LiteralElement(element.is_negative, element.value, element.span)

    def parse_affine_map_of_ssa_ids(self) -> tuple[AffineMap, Sequence[SSAValue[IndexType]]]:
        expressions = OperandExpressions(self)
        results = self.parse_comma_separated_list(self.Delimiter.SQUARE, expressions.parse)
        return expressions.map_of(results), expressions.operands

    def parse_optional_location(self) -> LocationAttr | None:
        return super().parse_optional_location() if self._current_token.text == "loc" else None

    def _parse_location(self) -> LocationAttr:
        """Parse a location; one whose alias is defined further down, as debug information is printed, counts as
        unknown."""
        if self._current_token.kind is MLIRTokenKind.HASH_IDENT:
            if self._current_token.text not in self.attribute_aliases:
                self._consume_token()
                return UnknownLoc()
        elif self._current_token.text == "fused":
            self._consume_token()
            if self.parse_optional_punctuation("<"):
                self.parse_attribute()
                self.parse_punctuation(">")
            return FusedLoc(
                tuple(self.parse_comma_separated_list(self.Delimiter.SQUARE, self._parse_location)), NoneAttr()
            )
        return super()._parse_location()

    @overload
    def parse_optional_argument(self, expect_type: Literal[True] = True) -> Parser.Argument | None: ...
    @overload
    def parse_optional_argument(self, expect_type: Literal[False]) -> Parser.UnresolvedArgument | None: ...
    @overload
    def parse_optional_argument(
        self, expect_type: bool = True
    ) -> Parser.UnresolvedArgument | Parser.Argument | None: ...
    def parse_optional_argument(self, expect_type: bool = True) -> Parser.UnresolvedArgument | Parser.Argument | None:
        argument = super().parse_optional_argument(expect_type)
        if argument is not None:
            self.parse_optional_location()
        return argument

    def location(self, position: Position) -> FileLineColLoc:
        """Return the location of a character; the end of the text counts as its last visible character."""
        position = min(position, max(len(self._text.rstrip()) - 1, 0))
        line = bisect_right(self._line_starts, position)
        column = position - self._line_starts[line - 1] + 1
        return FileLineColLoc(self._file, IntAttr(line), IntAttr(column))

    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        """Parse the whole text. Raises TilewrightError with codes TW0101 to TW0106."""
        try:
            if self._current_token.kind is MLIRTokenKind.EOF:
                fail("TW0106", "expected an operation, but the input is empty", location=self.location(self.pos))
            return super().parse_module(allow_implicit_module)
        except ParseError as error:
            if self.forward_ssa_references and error.msg.startswith("values used but not defined"):
                self._fail_undefined()
            self._fail_at(error.span.start, self._reworded(error))
        except RecursionError:
            self._fail_too_deep()
        except TilewrightError:
            raise
        except Exception as error:
            self._fail_from(error, self.pos)

    def parse_operation(self) -> Operation:
        depth = len(self._op_positions)
        if depth > MAX_NESTING:
            self._fail_too_deep()
        try:
            op = super().parse_operation()
        except (ParseError, TilewrightError, RecursionError):
            raise
        except Exception as error:
            self._fail_from(error, self._op_positions[depth] if len(self._op_positions) > depth else self.pos)
        position = self._op_positions.pop()
        if isinstance(op.location, UnknownLoc):
            op.location = self.location(position)
        return op

    def resolve_operand(self, operand: UnresolvedOperand, type: AttributeInvT) -> SSAValue[AttributeInvT]:
        if operand.operand_name not in self.ssa_values:
            key = (operand.operand_name, operand.index)
            self._first_uses.setdefault(key, (operand.span, self.ssa_values))
        return super().resolve_operand(operand, type)

    def _parse_op_result_list(self) -> list[tuple[Span, int]]:
        results = super()._parse_op_result_list()
        self.bound_results = sum(count for _, count in results)
        self._op_positions.append(self.pos)  # of the op's name; popped at the end of parse_operation
        return results

    def _get_op_by_name(self, name: str) -> type[Operation]:
        op_type = self.ctx.get_optional_op(name, dialect_stack=self._parser_state.dialect_stack)
        if op_type is None:
            self._fail_at(self._op_positions[-1], self._unknown_op(name))
        return op_type

    def _unknown_op(self, name: str) -> str:
        dialect_name, _, op_name = name.partition(".")
        known = sorted(self.ctx.registered_dialect_names)
        if not op_name:
            return f"expected an operation, but got '{name}'"
        dialect = self.ctx.get_optional_dialect(dialect_name)
        if dialect is None:
            return f"unknown dialect '{dialect_name}'{did_you_mean(dialect_name, known)}"
        names = [op.name for op in dialect.operations]
        return f"unknown operation '{name}'{did_you_mean(name, names)}"

    def _reworded(self, error: ParseError) -> str:
        at_end = self._current_token.kind is MLIRTokenKind.EOF
        found = "the input ends" if at_end else f"got '{self._current_token.text}'"
        match error.msg:
            case "Could not parse entire input!":
                return f"expected an operation, but {found}"
            case " in block definition":
                return f"expected an operation or '}}', but {found}"
            case message:
                return message.strip()

    def _fail_at(self, position: Position, message: str, *, code: str = "TW0101") -> NoReturn:
        fail(code, message, location=self.location(position))

    def _fail_from(self, error: Exception, position: Position) -> NoReturn:
        # Types and attributes that cannot be built raise VerifyException; beside it, the custom formats of
        # upstream ops fail in many ways on text that is not theirs.
        name = _NAME.match(self._text, position)
        code = "TW0103" if isinstance(error, VerifyException) else "TW0101"
        self._fail_at(position, f"'{name[0] if name else ''}' cannot be read: {on_one_line(error)}", code=code)

    def _fail_too_deep(self) -> NoReturn:
        position = self._op_positions[-1] if self._op_positions else self.pos
        fail(
            "TW0105",
            f"expected regions nested at most {MAX_NESTING} deep, but this goes deeper",
            location=self.location(position),
        )

    def _fail_undefined(self) -> NoReturn:
        undefined = [
            (*self._first_uses[name, index], f"%{name}" + (f"#{index}" if index else ""))
            for name, uses in self.forward_ssa_references.items()
            for index in uses
        ]
        undefined.sort(key=lambda entry: entry[0].start)
        span, scope, name = undefined[0]
        others = [
            f"{source_position(self.location(other.start))}: {other_name} is not defined either"
            for other, _, other_name in undefined[1:6]
        ]
        near = did_you_mean(span.text, (f"%{known}" for known in scope if not known.isdigit()))
        fail(
            "TW0102",
            f"value {name} is used but not defined{near}",
            location=self.location(span.start),
            notes=others,
        )


def parse(ctx: Context, text: str, name: str, *, in_file: bool = False) -> ModuleOp:
    """Parse IR text; ops get locations in `name`.

    The text is kept to be quoted in errors, unless it is that of a file called `name`.
    """
    if not in_file:
        register_source(name, text)
    return SourceParser(ctx, text, name).parse_module()


def parse_attribute(ctx: Context, text: str, name: str = "<attribute>") -> Attribute:
    """Parse one attribute or type."""
    register_source(name, text)
    parser = SourceParser(ctx, text, name)
    try:
        return parser.parse_attribute()
    except ParseError as error:
        fail("TW0101", error.msg, location=parser.location(error.span.start))
