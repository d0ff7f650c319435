"""Registry of scalar intrinsics, each with the reference by which the interpreter executes it.

An intrinsic is a function of scalars that a program calls by name (`loop.call_intrin`) and that each target replaces by
its lowering rules. The functions of `te` are intrinsics too, such as `tir.exp`; these also exist as operations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from ..diagnostics import fail
from ..dialects.dtypes import element_type
from ..plugins import load_plugins

if TYPE_CHECKING:
    from xdsl.ir import Operation
    from xdsl.pattern_rewriter import PatternRewriter

    Rule: TypeAlias = Callable[[Operation, PatternRewriter], bool]

BAD_REGISTRATION = "TW0532"
PURE = "pure"

_UNARY = ("acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "erf", "exp", "exp2", "expm1")
_MORE = ("floor", "log", "log10", "log1p", "log2", "rsqrt", "sin", "sinh", "sqrt", "tan", "tanh", "trunc")
FLOAT_FUNCTIONS: dict[str, str] = {
    **{name: f"math.{name}" for name in (*_UNARY, *_MORE)},
    "abs": "math.absf",
    "fabs": "math.absf",
    "nearbyint": "math.roundeven",
    "round": "math.roundeven",
}
"""Functions of one float, by name, and their operations in the IR."""
BIT_COUNTS = {"clz": "math.ctlz", "popcount": "math.ctpop"}
"""Functions of the bits of one integer, by name, and their operations in the IR."""
OPERATIONS: dict[str, str] = {
    **FLOAT_FUNCTIONS,
    **BIT_COUNTS,
    "atan2": "math.atan2",
    "fma": "math.fma",
    "fmod": "arith.remf",
    "pow": "math.powf",
    "power": "math.powf",
}
"""The operations that scalar functions are in the IR, by the functions' names."""
DEFINED = ("isfinite", "isinf", "isnan", "sigmoid")
"""Scalar functions that are expressions of others, and calls by name where a target has a rule for the name."""

EXPANDED = (
    *("Select", "all", "any", "cast", "div", "floordiv", "floormod", "if_then_else", "indexdiv", "indexmod", "likely"),
    *("max", "max_value", "maximum", "min", "min_value", "minimum", "truncdiv", "truncmod"),
    *("bitwise_and", "bitwise_not", "bitwise_or", "bitwise_xor", "ceildiv", "infinity", "shift_left", "shift_right"),
)
"""Functions of expressions that have no name in the IR: they have no lowering rules."""


@dataclass(frozen=True)
class Intrinsic:
    """A user or builtin intrinsic. None for `dtypes` or `arity` means any."""

    name: str
    dtypes: tuple[str, ...] | None = None
    arity: int | None = None
    reference: Callable[..., Any] | None = None


_INTRINSICS: dict[str, Intrinsic] = {}
_rules: Callable[[str, str], Sequence[Rule]] | None = None
_has_rules: Callable[[str], bool] | None = None


def register_intrinsic(
    name: str,
    effect: str = PURE,
    dtypes: Sequence[str] | None = None,
    reference: Callable[..., Any] | None = None,
    *,
    arity: int | None = None,
) -> Intrinsic:
    """Register a scalar function that programs call by `name` ("mylog" and "tir.mylog" are the same name).

    `effect` is "pure", the only effect of an expression. `dtypes` are the element types of results and `arity` is the
    number of operands, by default any. `reference` computes the function on numpy scalars and arrays; without a
    reference, the interpreter uses a rule for the target "interpreter". A registration may be repeated with another
    reference.

    Raises TilewrightError TW0532.
    """
    plain = plain_name(name)
    if not plain or plain in OPERATIONS or plain in DEFINED or plain in builtin_intrinsics():
        reason = f"'{plain}' is a function of te" if plain else "got an empty name"
        reason = f"'{plain}' is an intrinsic of the compiler" if plain in builtin_intrinsics() else reason
        fail(BAD_REGISTRATION, f"expected a name of no other function for an intrinsic, but {reason}")
    if effect != PURE:
        fail(
            BAD_REGISTRATION,
            f"expected an intrinsic of effect 'pure', but got {effect!r} for '{plain}'",
            help="what reads or writes memory is a call of foreign code: tir.call_extern in te.extern",
        )
    made = Intrinsic(plain, _dtype_names(plain, dtypes), arity, reference)
    known = _INTRINSICS.get(plain)
    if known is not None and (known.dtypes, known.arity) != (made.dtypes, made.arity):
        fail(BAD_REGISTRATION, f"intrinsic '{plain}' is registered already, for other element types or operands")
    _INTRINSICS[plain] = made
    return made


def unregister_intrinsic(name: str) -> None:
    """Forget an intrinsic."""
    _INTRINSICS.pop(plain_name(name), None)


def find_intrinsic(name: str) -> Intrinsic | None:
    """Return the intrinsic of that name, None where nobody registered one."""
    plain = plain_name(name)
    if plain in builtin_intrinsics():
        return builtin_intrinsics()[plain]
    if plain not in _INTRINSICS and plain not in OPERATIONS:
        load_plugins()
    return _INTRINSICS.get(plain)


@cache
def builtin_intrinsics() -> dict[str, Intrinsic]:
    """Return the compiler's intrinsics by name: sums of products of bytes, and instructions for them."""
    from .byte_products import DOT4, INSTRUCTIONS, OF_BYTES

    made = (*DOT4.items(), *INSTRUCTIONS.items())
    dtypes = {True: ("int8",), False: ("int32",)}
    return {name: Intrinsic(name, dtypes[name in OF_BYTES], arity, reference) for name, (arity, reference) in made}


def intrinsic_names() -> tuple[str, ...]:
    """Return the names that calls may have: the users', the compiler's and those of `te`'s functions."""
    load_plugins()
    return (*_INTRINSICS, *builtin_intrinsics(), *OPERATIONS, *DEFINED)


def plain_name(name: str) -> str:
    """Return an intrinsic's name without the prefix of its level: "tir.mylog" is "mylog"."""
    return name.removeprefix("tir.")


def provide_rules(rules: Callable[[str, str], Sequence[Rule]], has_rules: Callable[[str], bool]) -> None:
    """State who knows the lowering rules of the interpreter, `rules(name, dtype)`, and whether any target has one that
    is no definition, `has_rules(name)`."""
    global _rules, _has_rules
    _rules, _has_rules = rules, has_rules


def has_rules_of_users(name: str) -> bool:
    """Return whether any target has a rule for one of the functions in `DEFINED`, beside its definition."""
    return _has_rules is not None and _has_rules(name)


def interpreter_rules(name: str, dtype: str) -> Sequence[Rule]:
    """Return the rules by which the interpreter may replace a call."""
    return _rules(name, dtype) if _rules is not None else ()


def _dtype_names(name: str, dtypes: Sequence[str] | None) -> tuple[str, ...] | None:
    if dtypes is None:
        return None
    for dtype in dtypes:
        try:
            element_type(dtype)
        except KeyError:
            fail(BAD_REGISTRATION, f"expected element types for intrinsic '{name}', but got {dtype!r}")
    return tuple(dtypes)
