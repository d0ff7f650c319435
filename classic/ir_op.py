"""User-defined operations by TVM's attributes: an operation with an effect and lowering rules becomes an intrinsic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ..diagnostics import fail
from ..diagnostics.expectations import WRONG_TYPE, expect_type
from ..passes.framework.intrinsics import BUILTIN_LEVEL, register_lowering
from ..semantics.intrinsics import (
    DEFINED,
    OPERATIONS,
    PURE,
    find_intrinsic,
    plain_name,
    register_intrinsic,
)
from ..tir.effects import CallEffectKind

_EFFECT = "TCallEffectKind"
_LOWERING = ".FLowerIntrinsic"
_HARMLESS = ("TVectorizable",)
"""Attributes that are true of every intrinsic, and thus ignored."""

F = TypeVar("F", bound="Callable[..., Any]")


def register_op_attr(op_name: str, attr_key: str, value: Any = None, level: int = BUILTIN_LEVEL) -> Any:
    """State an attribute of the operation `op_name`; without a value, a decorator that takes it.

    "TCallEffectKind" makes a name known as an intrinsic; its value is `CallEffectKind.Pure`. "cpu.FLowerIntrinsic" is a
    lowering rule for a target, see `register_intrin_lowering`. "TVectorizable" is true of every intrinsic.

    Raises TilewrightError TW0532 for other attributes and effects.
    """

    expect_type("op_name", op_name, str)
    expect_type("attr_key", attr_key, str)

    def register(given: F) -> F:
        if attr_key == _EFFECT:
            _register_effect(op_name, given)
        elif attr_key.endswith(_LOWERING):
            register_lowering(op_name, attr_key.removesuffix(_LOWERING), level)(given)
        elif attr_key not in _HARMLESS:
            known = ", ".join((_EFFECT, f"<target>{_LOWERING}", *_HARMLESS))
            fail("TW0532", f"expected an attribute of '{op_name}' among {known}, but got '{attr_key}'")
        return given

    return register if value is None else register(value)


def register_intrin_lowering(
    op_name: str, target: str, *, f: Callable[..., Any] | None = None, level: int = BUILTIN_LEVEL
) -> Any:
    """Make `f` the rule that lowers `op_name` on `target`; without `f`, a decorator.

    `f(op)` sees `op.dtype` and `op.args`, and returns an expression, or `op` itself to decline. The rule of the highest
    level is asked first; those of the compiler have level 10. See `register_lowering`.
    """
    expect_type("op_name", op_name, str)
    expect_type("target", target, str)
    if f is not None and not callable(f):  # pyright: ignore[reportUnnecessaryComparison]
        fail(WRONG_TYPE, f"expected a function that lowers '{op_name}', but got {f!r}")
    register = register_lowering(op_name, target, level)
    return register if f is None else register(f)


def _register_effect(op_name: str, effect: Any) -> None:
    pure = effect in (CallEffectKind.Pure, CallEffectKind.ExprAnnotation)
    if plain_name(op_name) in (*OPERATIONS, *DEFINED) or (pure and find_intrinsic(op_name) is not None):
        return
    register_intrinsic(op_name, PURE if pure else getattr(effect, "name", str(effect)))
