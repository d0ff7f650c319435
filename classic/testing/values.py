"""Comparisons of arrays, expressions and gradients."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, NoReturn, TypeVar

import numpy as np
import numpy.typing as npt
from numpy.testing import assert_array_equal as assert_array_equal

from ...te.expr import as_expr
from ...te.index_forms import IndexForms
from ..structural import structural_equal

Value = TypeVar("Value")


def assert_allclose(actual: Any, desired: Any, rtol: float = 1e-7, atol: float = 1e-7) -> None:
    """Raise AssertionError where shapes differ, or elements by more than `atol + rtol * |desired|`."""
    actual, desired = np.asanyarray(actual), np.asanyarray(desired)
    if actual.shape != desired.shape:
        raise AssertionError(f"expected an array of shape {desired.shape}, but got one of {actual.shape}")
    np.testing.assert_allclose(actual, desired, rtol=rtol, atol=atol)


def assert_prim_expr_equal(lhs: Any, rhs: Any) -> None:
    """Raise ValueError where two expressions have neither one structure nor one normal form as indices."""
    a, b = as_expr(lhs), as_expr(rhs)
    if structural_equal(a, b):
        return
    forms = IndexForms()
    difference = forms.simplified(forms.index(a) - forms.index(b))
    if not difference.is_constant or difference.constant:
        raise ValueError(f"expected equal expressions, but got {a} and {b}")


def check_numerical_grads(
    function: Callable[..., Any],
    input_values: Mapping[str, npt.NDArray[Any]] | Sequence[npt.NDArray[Any]],
    grad_values: Mapping[str, npt.NDArray[Any]] | Sequence[npt.NDArray[Any]],
    function_value: float | None = None,
    delta: float = 1e-3,
    atol: float = 1e-2,
    rtol: float = 0.1,
) -> None:
    """Raise AssertionError where gradients are not those of differences of a function of arrays to a number.

    Inputs and gradients are in order, or by name. Differences are central, over `delta` and half of it, extrapolated
    (Richardson). The norm of the error of a gradient is at most `atol * sqrt(size) + rtol * norm`. `function_value` is
    not needed: no difference has the value itself. Raises ValueError where a gradient or a difference is not finite.
    """
    by_name = isinstance(input_values, Mapping)
    inputs, grads = _by_key(input_values), _by_key(grad_values)

    def value_at(changed: Any, array: npt.NDArray[Any]) -> float:
        given: dict[Any, Any] = {**inputs, changed: array}
        return float(function(**given) if by_name else function(*given.values()))

    for name, grad in grads.items():
        point = inputs[name]
        if grad.shape != point.shape:
            raise AssertionError(f"expected a gradient of shape {point.shape} for {name}, but got {grad.shape}")

        def slope(index: Any, step: float, name: Any = name, point: npt.NDArray[Any] = point) -> float:
            above, below = point.copy(), point.copy()
            above[index] += step
            below[index] -= step
            return (value_at(name, above) - value_at(name, below)) / (2 * step)

        numbers = np.zeros(grad.shape)
        for index in np.ndindex(*grad.shape):
            numbers[index] = (4 * slope(index, delta / 2) - slope(index, delta)) / 3
        _compare(name, grad, numbers, atol, rtol)


def _by_key(arrays: Mapping[str, npt.NDArray[Any]] | Sequence[npt.NDArray[Any]]) -> dict[Any, npt.NDArray[Any]]:
    return dict(arrays) if isinstance(arrays, Mapping) else dict(enumerate(arrays))


def _compare(name: Any, grad: npt.NDArray[Any], numbers: npt.NDArray[Any], atol: float, rtol: float) -> None:
    error, norm = float(np.linalg.norm(numbers - grad)), float(np.linalg.norm(grad))
    if not (np.isfinite(error) and np.isfinite(norm)):
        raise ValueError(f"the gradient for {name}, or a difference, is not finite:\n{grad}\n{numbers}")
    if error > atol * grad.size**0.5 + rtol * norm:
        raise AssertionError(
            f"the gradient for {name} is off by {error}:\n{grad}\nexpected, by differences:\n{numbers}"
        )


def identity_after(x: Value, sleep: float) -> Value:
    """Return the same value, after that many seconds."""
    if sleep:
        time.sleep(sleep)
    return x


def terminate_self() -> NoReturn:
    """End the process with an error."""
    sys.exit(-1)


def main() -> NoReturn:
    """Run the tests of the file that is run, with the arguments of the command line."""
    sys.exit(import_module("pytest").main([sys.argv[0], *sys.argv[1:]]))
