"""The simulator's rules of types are numba's."""

from __future__ import annotations

import math
import operator
from typing import Any

import pytest
from tilewright.backends.cuda.simulator import types as own

SYMBOLS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}
NAMES = ["boolean", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"]


@pytest.fixture(scope="module")
def context() -> Any:
    descriptor = pytest.importorskip("numba.cuda.descriptor")
    found = descriptor.cuda_target.typing_context
    found.refresh()
    return found


def theirs(context: Any, function: Any, *names: str) -> str | None:
    from numba import types
    from numba.core.errors import NumbaError

    try:
        signature = context.resolve_function_type(function, tuple(getattr(types, name) for name in names), {})
    except NumbaError:
        return None
    return str(signature.return_type)


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_operators(context: Any, symbol: str) -> None:
    for left in NAMES:
        for right in NAMES:
            found = own.binary_type(symbol, own.SCALARS[left], own.SCALARS[right])
            assert (found.name if found else None) == theirs(context, SYMBOLS[symbol], left, right), (left, right)


def test_unification(context: Any) -> None:
    from numba import types

    for left in NAMES:
        for right in NAMES:
            expected = str(context.unify_types(getattr(types, left), getattr(types, right)))
            assert str(own.unified(own.SCALARS[left], own.SCALARS[right])) == expected, (left, right)


def test_ranges(context: Any) -> None:
    for first in NAMES[1:9]:
        for last in NAMES[1:9]:
            expected = theirs(context, range, first, last)
            found = own.range_type([own.SCALARS[first], own.SCALARS[last]])
            assert f"range_state_{found}" == expected, (first, last)


def test_functions_of_math(context: Any) -> None:
    for name in NAMES:
        assert own.promoted_to_float(own.SCALARS[name]).name == theirs(context, math.exp, name)
