"""`tvm.arith`: integer expressions in the normal form of indices."""

from __future__ import annotations

from typing import Any

from ..te.dtypes import dtype_info
from ..te.expr import Compare, Const, Expr, as_expr, compare, const
from ..te.index_forms import IndexForms
from ..te.substitution import substitute

__all__ = ["Analyzer"]


class Analyzer:
    """Simplifies integer expressions, and proves comparisons that hold for all values of axes and sizes.

    Sizes are not negative.
    """

    def __init__(self) -> None:
        self._values: dict[Expr, Expr] = {}

    def bind(self, var: Expr, expr: Any) -> None:
        """Take `var` for a number or an expression."""
        self._values[var] = as_expr(expr, var.dtype)

    def simplify(self, expr: Any, steps: int = 2) -> Any:
        """An equal integer expression in normal form; a comparison that is proved is a number. Other values stay."""
        if isinstance(expr, int):
            return const(expr)
        if not isinstance(expr, Expr):
            return expr
        given = substitute(expr, self._values, {})
        if isinstance(given, Compare):
            truth = _truth(given)
            return given if truth is None else const(truth)
        if not dtype_info(given.dtype).is_integer:
            return given
        forms = IndexForms()
        index = forms.index(given)
        simple = forms.simplified(index)
        return const(simple.constant, given.dtype) if simple.is_constant else forms.expression(simple)

    rewrite_simplify = canonical_simplify = simplify

    def can_prove(self, expr: Any) -> bool:
        """Whether a condition holds whatever the axes and sizes in it are; False says nothing."""
        found = self.simplify(expr)
        return isinstance(found, Const) and bool(found.value)

    def can_prove_equal(self, lhs: Any, rhs: Any) -> bool:
        """Whether two integers are always equal."""
        return self.can_prove(compare("==", lhs, rhs))

    def can_prove_greater_equal(self, expr: Any, lower_bound: int) -> bool:
        """Whether an integer is never below `lower_bound`."""
        return self.can_prove(compare(">=", expr, lower_bound))

    def can_prove_less(self, expr: Any, upper_bound: int) -> bool:
        """Whether an integer is always below `upper_bound`."""
        return self.can_prove(compare("<", expr, upper_bound))


def _truth(comparison: Compare) -> bool | None:
    """The value of a comparison of integers where bounds of axes and sizes settle it."""
    if not dtype_info(comparison.lhs.dtype).is_integer:
        return None
    forms = IndexForms()
    difference = forms.simplified(forms.index(comparison.lhs) - forms.index(comparison.rhs))
    low, high = difference.bounds(forms.ranges)
    below = (high is not None and high < 0) or (False if low is not None and low >= 0 else None)
    above = (low is not None and low > 0) or (False if high is not None and high <= 0 else None)
    equal = True if low == high == 0 else False if below or above else None
    answers = {
        "<": below,
        ">": above,
        "==": equal,
        ">=": None if below is None else not below,
        "<=": None if above is None else not above,
        "!=": None if equal is None else not equal,
    }
    return answers[comparison.op]
