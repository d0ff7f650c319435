"""`tvm.arith`: integer expressions in the normal form of indices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn

from ..diagnostics.errors import UnknownNameError
from ..lazy import unknown_name
from ..te.dtypes import dtype_info
from ..te.expr import Axis, Compare, Const, Expr, Var, as_expr, compare, const
from ..te.index_forms import IndexForms
from ..te.substitution import substitute, typed_value
from ..te.te_errors import te_error

__all__ = ["Analyzer", "ConstIntBound"]

_FORMS = "integers are compared in the normal form of indices", "use Analyzer.simplify, can_prove or const_int_bound"
_MAPS = "maps of iterations are found while loops are made", "read the loops: tilewright.lower(schedule, args)"
_SETS = "regions are found while loops are made", "use Analyzer.const_int_bound for the bounds of an expression"
REASONS: dict[str, tuple[str, str]] = {
    **dict.fromkeys(("IntSet", "IntervalSet", "PresburgerSet", "estimate_region_lower_bound", "deduce_bound"), _SETS),
    **dict.fromkeys(("IterMapExpr", "IterMark", "IterSplitExpr", "IterSumExpr", "detect_iter_map"), _MAPS),
    **dict.fromkeys(("normalize_iter_map_to_expr", "subspace_divide", "inverse_affine_iter_map"), _MAPS),
    **dict.fromkeys(("ModularSet", "detect_clip_bound", "detect_linear_equation", "detect_common_subexpr"), _FORMS),
    **dict.fromkeys(("IntConstraints", "IntConstraintsTransform", "IntGroupBounds", "solve_linear_equations"), _FORMS),
    **dict.fromkeys(("solve_linear_inequalities", "modular_set", "int_set", "update", "constraint_scope"), _FORMS),
}
"""The reasons why names of the module and methods of `Analyzer` are missing, with alternatives."""


def _refused(owner: str, name: str) -> NoReturn:
    reason, help = REASONS[name]
    raise UnknownNameError("TW0251", f"'{owner}.{name}' is not part of this package: {reason}", help=help)


def __getattr__(name: str) -> Any:
    if name in REASONS:
        _refused("arith", name)
    raise unknown_name(__name__, name, __all__)


@dataclass(frozen=True)
class ConstIntBound:
    """The bounds of an integer; `NEG_INF` or `POS_INF` where there is none."""

    POS_INF: ClassVar[int] = (1 << 63) - 1
    NEG_INF: ClassVar[int] = -POS_INF

    min_value: int
    max_value: int


class Analyzer:
    """Simplifies integer expressions, and proves comparisons that hold for all values of axes and sizes.

    Sizes are not negative.
    """

    def __init__(self) -> None:
        self._values: dict[Expr, Expr] = {}

    def bind(self, var: Expr, expr: Any) -> None:
        """Take `var` for a number or an expression."""
        if not isinstance(var, (Var, Axis)):
            te_error("TW0451", f"expected a variable or an axis to bind, but got {var!r}")
        self._values[var] = typed_value(var, expr)

    def simplify(self, expr: Any, steps: int = 2) -> Any:
        """Return an equal integer expression in normal form; a comparison that is proved is a number. Other values
        stay."""
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

    def const_int_bound(self, expr: Any) -> ConstIntBound:
        """Return the numbers between which an integer is, for all values of the axes and sizes in it."""
        given = substitute(as_expr(expr), self._values, {})
        if not dtype_info(given.dtype).is_integer:
            te_error("TW0451", f"expected an integer to bound, but got `{given}` of type {given.dtype}")
        forms = IndexForms()
        low, high = forms.simplified(forms.index(given)).bounds(forms.ranges)
        return ConstIntBound(
            ConstIntBound.NEG_INF if low is None else low, ConstIntBound.POS_INF if high is None else high
        )

    def can_prove(self, expr: Any) -> bool:
        """Return whether a condition is proved for all values of its axes and sizes; False is no disproof."""
        found = self.simplify(expr)
        return isinstance(found, Const) and bool(found.value)

    def can_prove_equal(self, lhs: Any, rhs: Any) -> bool:
        """Return whether two integers are proved to be equal."""
        return self.can_prove(compare("==", lhs, rhs))

    def can_prove_greater_equal(self, expr: Any, lower_bound: int) -> bool:
        """Return whether an integer is proved to be at least `lower_bound`."""
        return self.can_prove(compare(">=", expr, lower_bound))

    def can_prove_less(self, expr: Any, upper_bound: int) -> bool:
        """Return whether an integer is proved to be less than `upper_bound`."""
        return self.can_prove(compare("<", expr, upper_bound))

    def __getattr__(self, name: str) -> NoReturn:
        if name in REASONS:
            _refused("arith.Analyzer", name)
        raise unknown_name("arith.Analyzer", name, dir(type(self)))


def _truth(comparison: Compare) -> bool | None:
    """Return the value of a comparison of integers where bounds of axes and sizes decide it."""
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
