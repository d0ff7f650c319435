"""Parsing of semi-affine maps, which mlir-opt prints and xDSL's parser rejects.

Semi-affine expressions multiply two operands, or divide by one. The import of this module replaces the method of xDSL's
affine parser that combines two expressions. `OperandExpressions` parses expressions of operands.
"""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineConstantExpr, AffineExpr, AffineMap
from xdsl.parser import AffineParser, Parser, UnresolvedOperand
from xdsl.utils.mlir_lexer import MLIRToken

_SEMI_AFFINE = {
    "*": AffineBinaryOpKind.Mul,
    "floordiv": AffineBinaryOpKind.FloorDiv,
    "ceildiv": AffineBinaryOpKind.CeilDiv,
    "mod": AffineBinaryOpKind.Mod,
}
"""The operations whose right side may be an operand."""

_combine = AffineParser._create_binop_expr  # pyright: ignore[reportPrivateUsage]


def _create_binop_expr(self: AffineParser, lhs: AffineExpr, rhs: AffineExpr, binop: MLIRToken) -> AffineExpr:
    has_factor = isinstance(rhs, AffineConstantExpr) or (isinstance(lhs, AffineConstantExpr) and binop.text == "*")
    if binop.text in _SEMI_AFFINE and not has_factor:
        return AffineBinaryOpExpr(_SEMI_AFFINE[binop.text], lhs, rhs)
    return _combine(self, lhs, rhs, binop)


AffineParser._create_binop_expr = _create_binop_expr  # pyright: ignore[reportPrivateUsage]


class OperandExpressions:
    """Reads expressions of operands, such as `%i + symbol(%n) * 2` and `%0#1 floordiv 4`.

    All operands become symbols of one map, in the order of their first use.
    """

    def __init__(self, parser: Parser) -> None:
        self._parser = parser
        self._expressions = AffineParser(parser._parser_state)  # pyright: ignore[reportPrivateUsage]
        self._names: list[tuple[str, int]] = []
        self.operands: list[SSAValue[IndexType]] = []
        """The operands of the expressions that were read."""

    def parse(self) -> AffineExpr:
        """Parse one expression. Raises ParseError."""
        return self._expressions._parse_affine_expr(self._parse_value)  # pyright: ignore[reportPrivateUsage]

    def map_of(self, expressions: list[AffineExpr]) -> AffineMap:
        """Return the map that has expressions as results."""
        return AffineMap(0, len(self.operands), tuple(expressions))

    def _parse_value(self) -> AffineExpr | None:
        is_symbol = self._parser._current_token.text == "symbol"  # pyright: ignore[reportPrivateUsage]
        if is_symbol:
            self._parser.parse_keyword("symbol")
            self._parser.parse_punctuation("(")
        operand = self._parser.parse_optional_unresolved_operand()
        if operand is None:
            if is_symbol:
                self._parser.raise_error("Expected a value")
            return None
        if is_symbol:
            self._parser.parse_punctuation(")")
        return AffineExpr.symbol(self._number(operand))

    def _number(self, operand: UnresolvedOperand) -> int:
        name = (operand.operand_name, operand.index)
        if name not in self._names:
            self._names.append(name)
            self.operands.append(self._parser.resolve_operand(operand, IndexType()))
        return self._names.index(name)
