"""Printer of expressions, in the syntax in which users write them in Python."""

from __future__ import annotations

from collections.abc import Sequence

from .calls import Call, PackedCall, Reinterpreted
from .expr import Axis, Binary, Cast, Choice, Compare, Const, Expr, Parameter, Read, Reduce, Unary, Var
from .printing import Printed

_INFIX = {
    "or": ("|", 1),
    "xor": ("^", 2),
    "and": ("&", 3),
    "shl": ("<<", 4),
    "shr": (">>", 4),
    "add": ("+", 5),
    "sub": ("-", 5),
    "mul": ("*", 6),
    "div": ("/", 6),
    "floordiv": ("//", 6),
    "floormod": ("%", 6),
    "pow": ("**", 8),
}
_COMPARE, _PREFIX, _ATOM = 0, 7, 9


_DEPTH = 10
"""The depth to which the text goes: expressions share operands, so the full text could be exponentially long."""


def format_expr(expr: Expr) -> str:
    """Return the expression as it is written in Python, with `...` for parts that are nested too deeply."""
    return _format(expr, _DEPTH)[0]


def _wrap(expr: Expr, least: int, depth: int) -> str:
    """Return the text of an operand, in parentheses where it binds more weakly than `least`."""
    text, strength = _format(expr, depth)
    return text if strength >= least else f"({text})"


def _call(name: str, arguments: Sequence[Expr], depth: int, *others: str) -> tuple[str, int]:
    return f"{name}({', '.join([*(_format(a, depth)[0] for a in arguments), *others])})", _ATOM


def _format(expr: Expr, depth: int) -> tuple[str, int]:
    """Return the text and how strongly its outermost operator binds."""
    if depth == 0 and expr.operands:
        return "...", _ATOM
    below = depth - 1
    match expr:
        case Const():
            return str(expr.value), _ATOM if expr.value >= 0 else _PREFIX
        case Var() | Axis() | Parameter():
            return expr.name, _ATOM
        case Unary(op="neg" | "not"):
            return ("-" if expr.op == "neg" else "~") + _wrap(expr.operand, _PREFIX, below), _PREFIX
        case Binary() if expr.op in _INFIX:
            symbol, strength = _INFIX[expr.op]
            return f"{_wrap(expr.lhs, strength, below)} {symbol} {_wrap(expr.rhs, strength + 1, below)}", strength
        case Compare():
            lhs, rhs = (_wrap(o, _COMPARE + 1, below) for o in expr.operands)
            return f"{lhs} {expr.op} {rhs}", _COMPARE
        case Unary() | Binary():
            return _call(expr.op, expr.operands, below)
        case Call():
            return _call(expr.symbol, expr.operands, below)
        case Reinterpreted():
            return _call(f"reinterpret_{expr.dtype}", expr.operands, below)
        case Cast():
            return _call(expr.dtype, expr.operands, below)
        case Choice():
            return _call("if_then_else" if expr.guarded else "Select", expr.operands, below)
        case PackedCall():
            return _call(expr.name, expr.operands, below)
        case Printed():
            return _call("print", expr.operands, below)
        case Read():
            return f"{expr.tensor.name}[{', '.join(_format(i, below)[0] for i in expr.indices)}]", _ATOM
        case Reduce():
            axes = f"axis=[{', '.join(a.name for a in expr.axes)}]"
            starts = [] if expr.start is None else [f"init={_format(expr.start, below)[0]}"]
            text, strength = _call(expr.combiner.name, [expr.source], below, axes, *starts)
            return (f"{text}[{expr.value_index}]", _ATOM) if expr.combiner.arity > 1 else (text, strength)
        case _:
            return type(expr).__name__, _ATOM
