"""Expressions as text, in the spelling in which they are written in Python."""

from __future__ import annotations

from .expr import Axis, Binary, Cast, Choice, Compare, Const, Expr, Read, Reduce, Unary, Var

_INFIX = {
    "or": ("|", 1),
    "xor": ("^", 2),
    "and": ("&", 3),
    "add": ("+", 5),
    "sub": ("-", 5),
    "mul": ("*", 6),
    "div": ("/", 6),
    "floordiv": ("//", 6),
    "floormod": ("%", 6),
    "pow": ("**", 8),
}
_COMPARE, _PREFIX, _ATOM = 0, 7, 9


def format_expr(expr: Expr) -> str:
    return _format(expr)[0]


def _wrap(expr: Expr, least: int) -> str:
    """The text of an operand, in parentheses where it binds more weakly than `least`."""
    text, strength = _format(expr)
    return text if strength >= least else f"({text})"


def _call(name: str, *arguments: str) -> tuple[str, int]:
    return f"{name}({', '.join(arguments)})", _ATOM


def _format(expr: Expr) -> tuple[str, int]:
    """The text and how strongly its outermost operator binds."""
    match expr:
        case Const():
            return str(expr.value), _ATOM if expr.value >= 0 else _PREFIX
        case Var() | Axis():
            return expr.name, _ATOM
        case Unary(op="neg" | "not"):
            return ("-" if expr.op == "neg" else "~") + _wrap(expr.operand, _PREFIX), _PREFIX
        case Unary():
            return _call(expr.op, format_expr(expr.operand))
        case Binary() if expr.op in _INFIX:
            symbol, strength = _INFIX[expr.op]
            return f"{_wrap(expr.lhs, strength)} {symbol} {_wrap(expr.rhs, strength + 1)}", strength
        case Binary():
            return _call(expr.op, format_expr(expr.lhs), format_expr(expr.rhs))
        case Compare():
            return f"{_wrap(expr.lhs, _COMPARE + 1)} {expr.op} {_wrap(expr.rhs, _COMPARE + 1)}", _COMPARE
        case Cast():
            return _call(expr.dtype, format_expr(expr.operand))
        case Choice():
            return _call("if_then_else" if expr.guarded else "Select", *(format_expr(o) for o in expr.operands))
        case Read():
            return f"{expr.tensor.name}[{', '.join(format_expr(i) for i in expr.indices)}]", _ATOM
        case Reduce():
            axes = ", ".join(a.name for a in expr.axes)
            return _call(expr.combiner.name, format_expr(expr.source), f"axis=[{axes}]")
        case _:
            raise TypeError(f"expected a scalar expression, but got {type(expr).__name__}")
