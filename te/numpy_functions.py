"""Dispatch of numpy functions on te expressions, such as `np.exp(A[i, j])`, and of operators on numpy scalars.

The result types are those of te: an integer becomes float32 where numpy would make it float64.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import expr, functions
from .te_errors import te_error
from .whole_tensors import WholeTensor

UNSUITABLE = "TW0451"

_BINARY = {
    "add": "add", "subtract": "sub", "multiply": "mul", "divide": "div", "true_divide": "div",
    "floor_divide": "floordiv", "remainder": "floormod", "mod": "floormod", "power": "pow", "maximum": "max",
    "minimum": "min", "bitwise_and": "and", "bitwise_or": "or", "bitwise_xor": "xor", "left_shift": "shl",
    "right_shift": "shr",
}  # fmt: skip
"""numpy's operator -> te's."""
_COMPARISONS = {
    "less": "<", "less_equal": "<=", "greater": ">", "greater_equal": ">=", "equal": "==", "not_equal": "!=",
}  # fmt: skip
_UNARY = {
    **{
        name: name
        for name in (
            "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "sin", "cos", "tan", "sinh", "cosh",
            "tanh", "floor", "ceil", "trunc", "isnan", "isinf", "isfinite",
        )
    },
    "absolute": "abs", "fabs": "abs", "rint": "round", "arcsin": "asin", "arccos": "acos", "arctan": "atan",
    "arcsinh": "asinh", "arccosh": "acosh", "arctanh": "atanh",
}  # fmt: skip
"""numpy's function of one number -> te's."""


def _clipped(x: Any, low: Any = None, high: Any = None) -> Any:
    bounded = x if low is None else functions.maximum(x, low)
    return bounded if high is None else functions.minimum(bounded, high)


def _rounded(x: Any, decimals: int = 0) -> Any:
    if decimals != 0:
        te_error(
            UNSUITABLE, f"expected rounding to integers, but got {decimals} decimals", help="te.round(x * 10) / 10"
        )
    return functions.round(x)


_OTHERS: Mapping[str, Callable[..., Any]] = {
    "negative": lambda x: expr.unary("neg", x),
    "positive": lambda x: x,
    "conjugate": lambda x: x,
    "invert": lambda x: expr.unary("not", x),
    "square": lambda x: x * x,
    "reciprocal": lambda x: 1 / x,
    "fmod": functions.fmod,
    "arctan2": functions.atan2,
    "logical_and": functions.all,
    "logical_or": functions.any,
    "logical_not": lambda x: ~expr.condition(x),
    "clip": _clipped,
    "where": functions.Select,
    "round": _rounded,
    "around": _rounded,
}


def apply_ufunc(ufunc: Any, method: str, inputs: Sequence[Any], options: Mapping[str, Any]) -> Any:
    """Return the expression that a function of numbers of numpy's gives. Raises TW0451 where te has none like it."""
    if method != "__call__" or options:
        _refuse(f"{ufunc.__name__}.{method}" if method != "__call__" else f"{ufunc.__name__} with {', '.join(options)}")
    return _apply(ufunc.__name__, inputs, {})


def apply_function(function: Any, inputs: Sequence[Any], options: Mapping[str, Any]) -> Any:
    """Return the expression that a function of arrays of numpy's gives where its operands are numbers: where, clip,
    round."""
    return _apply(function.__name__, inputs, options)


def _apply(name: str, inputs: Sequence[Any], options: Mapping[str, Any]) -> Any:
    if name in _BINARY and not options:
        return expr.binary(_BINARY[name], *inputs)
    if name in _COMPARISONS and not options:
        return expr.compare(_COMPARISONS[name], *inputs)
    if any(isinstance(each, WholeTensor) for each in inputs):
        te_error(UNSUITABLE, f"expected elements of tensors for numpy.{name}, but got a whole tensor", help=_WHOLE)
    if name in _UNARY and not options:
        return getattr(functions, _UNARY[name])(*inputs)
    if name not in _OTHERS or len(inputs) == 1 and name == "where":
        _refuse(name)
    try:
        return _OTHERS[name](*inputs, **options)
    except TypeError:
        _refuse(f"{name} with {', '.join(options)}" if options else name)


_WHOLE = "topi has functions of whole tensors: topi.exp(A); te.compute makes a tensor of expressions of elements"


def _refuse(name: str) -> Any:
    te_error(
        UNSUITABLE,
        f"expected numpy's functions of expressions to be among te's, but got numpy.{name}",
        help="te.exp, te.sqrt, te.max, te.Select and others are functions of expressions, te.sum reduces over an axis",
    )
