"""
The activations of recurrent networks: their syntax with constants, such as `leaky_relu(0.01)`, and their definitions.

Each is defined once, for scalar expressions of te and for numpy arrays: both have functions of the same names.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from xdsl.utils.exceptions import VerifyException


@dataclass(frozen=True)
class Activation:
    """A function by name, and its constants."""

    name: str
    alpha: float
    beta: float

    def __str__(self) -> str:
        count = COUNTS[self.name]
        return f"{self.name}({', '.join(map(repr, (self.alpha, self.beta)[:count]))})" if count else self.name


def _where(lib: Any, condition: Any, a: Any, b: Any) -> Any:
    return lib.Select(condition, a, b) if hasattr(lib, "Select") else lib.where(condition, a, b)


def _sigmoid(x: Any, lib: Any) -> Any:
    power = lib.exp(-abs(x))
    near = _where(lib, x >= 0, 1 + 0 * power, power)
    return near / (1 + power)


def _softplus(x: Any, lib: Any) -> Any:
    return lib.maximum(x, 0) + lib.log1p(lib.exp(-abs(x)))


_FUNCTIONS: dict[str, Callable[[Any, Activation, Any], Any]] = {
    "relu": lambda x, a, lib: lib.maximum(x, 0),
    "tanh": lambda x, a, lib: lib.tanh(x),
    "sigmoid": lambda x, a, lib: _sigmoid(x, lib),
    "affine": lambda x, a, lib: a.alpha * x + a.beta,
    "leaky_relu": lambda x, a, lib: _where(lib, x < 0, a.alpha * x, x),
    "thresholded_relu": lambda x, a, lib: _where(lib, x >= a.alpha, x, 0 * x),
    "scaled_tanh": lambda x, a, lib: a.alpha * lib.tanh(a.beta * x),
    "hard_sigmoid": lambda x, a, lib: lib.minimum(lib.maximum(a.alpha * x + a.beta, 0), 1),
    "elu": lambda x, a, lib: _where(lib, x < 0, a.alpha * lib.expm1(lib.minimum(x, 0)), x),
    "softsign": lambda x, a, lib: x / (1 + abs(x)),
    "softplus": lambda x, a, lib: _softplus(x, lib),
}

COUNTS: dict[str, int] = {
    **dict.fromkeys(_FUNCTIONS, 0),
    **dict.fromkeys(("leaky_relu", "thresholded_relu", "elu"), 1),
    **dict.fromkeys(("affine", "scaled_tanh", "hard_sigmoid"), 2),
}
"""The number of constants that each function takes."""

_TEXT = re.compile(r"\s*([a-z_]+)\s*(?:\(([^()]*)\))?\s*(?:,|$)")


def activation(function: Activation, x: Any, lib: Any) -> Any:
    """Return the function of an expression of te, or of an array, as `lib` says."""
    return _FUNCTIONS[function.name](x, function, lib)


def read_activations(text: str) -> list[Activation]:
    """Return the functions that a text lists: `sigmoid, leaky_relu(0.01)`. Raises VerifyException for another text."""
    found: list[Activation] = []
    position = 0
    while position < len(text):
        match = _TEXT.match(text, position)
        if match is None or match[1] not in COUNTS:
            raise VerifyException(f"expected activations of {', '.join(COUNTS)}, but got '{text}'")
        found.append(_with_constants(match[1], match[2] or ""))
        position = match.end()
    return found


def _with_constants(name: str, text: str) -> Activation:
    try:
        constants = [float(part) for part in text.split(",")] if text.strip() else []
    except ValueError:
        constants = []
    if len(constants) != COUNTS[name]:
        raise VerifyException(f"expected {COUNTS[name]} constants of activation {name}, but got '{text}'")
    return Activation(name, *constants, *(0.0,) * (2 - len(constants)))
