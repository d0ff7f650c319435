"""Operators on operands that are drawn: the cases of `operator_cases` with other element types, sizes and numbers.

A draw takes one of a record's cases and changes its element type, a size wherever it stands, and the numbers: sizes
become 0, 1 and odd ones, floats get NaN, infinities and both zeros, integers the limits of their type. What the
operation's verifier refuses is drawn anew; what it takes is what the record declares.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import tilewright
from operator_case import Case, module_of
from operator_cases import CASES
from tilewright import te
from tilewright.diagnostics import TilewrightError
from tilewright.dialects.dtypes import element_type, numpy_dtype
from tilewright.dialects.graph import GraphOp, make_type
from tilewright.operators import get_operator
from topi_operator_cases import CASES as OF_TOPI
from xdsl.ir import Block
from xdsl.utils.exceptions import VerifyException

FLOATS = ("float16", "bfloat16", "float32", "float64")
INTEGERS = tuple(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))
NUMBERS = (*FLOATS, *INTEGERS)
DTYPES = (*NUMBERS, "bool")
SIZES = (0, 1, 3, 5, 7, 9)
ATTEMPTS = 60

BY_NAME: dict[str, list[Case]] = {}
for _case in (*CASES, *OF_TOPI):
    BY_NAME.setdefault(_case.operator, []).append(_case)


@dataclass(frozen=True)
class Draw:
    """A record on operands, with all properties that its operation has."""

    operator: str
    arrays: tuple[np.ndarray, ...]
    given: Mapping[str, Any]
    """The properties that the case states."""
    values: Mapping[str, Any]

    def __str__(self) -> str:
        operands = ", ".join(f"{array.dtype.name}{list(array.shape)}" for array in self.arrays)
        return f"{self.operator}({operands}) {dict(self.given)}"


def draw(operator: str, seed: int) -> Draw | None:
    """Return a record on drawn operands; None where none were found that it takes."""
    chance = random.Random(f"{operator}/{seed}")
    for attempt in range(ATTEMPTS):
        case = chance.choice(BY_NAME[operator])
        found = _operands(case, chance, is_changed=attempt < ATTEMPTS - 10)
        if found is not None and (values := all_values(case, found)) is not None:
            return Draw(operator, tuple(found), case.values, values)
    return None


def all_values(case: Case, arrays: list[np.ndarray]) -> Mapping[str, Any] | None:
    """Return all properties on these operands; None where the record does not take them."""
    record = get_operator(case.operator)
    try:
        if record.operation is None:
            record.compute(*arrays, **case.values)
            return case.values
        block = Block(arg_types=[make_type(array.shape, element_type(array.dtype.name)) for array in arrays])
        op: GraphOp = record.operation.of(*block.args, **case.values)
        op.infer_types()
        op.verify()
    except (VerifyException, TilewrightError, ValueError, IndexError, TypeError, ZeroDivisionError):
        return None
    return op.values


def _operands(case: Case, chance: random.Random, is_changed: bool) -> list[np.ndarray] | None:
    numbers = np.random.default_rng(chance.getrandbits(32))
    names = operand_names(case.operator)
    if case.given is not None:
        dtype = chance.choice(FLOATS)
        return [_cast(array, dtype) for array in case.given()]
    dtypes = list(case.dtypes or (case.dtype,) * len(case.shapes))
    main = next((each for each in dtypes if each != "bool"), "bool")
    other = chance.choice(ELEMENTS.get(case.operator, DTYPES)) if is_changed or chance.random() < 0.5 else main
    shapes = _shapes(case, chance) if is_changed else case.shapes
    found: list[np.ndarray] = []
    for position, (shape, dtype) in enumerate(zip(shapes, dtypes, strict=True)):
        name = names[min(position, len(names) - 1)] if names else ""
        kind = POSITIONS.get(name)
        if kind is not None and dtype.startswith("int"):
            limit = min(shapes[0], default=1)
            if limit == 0 and 0 not in shape:
                return None
            low = -limit if kind == "index" else kind
            found.append(numbers.integers(low, max(limit, low + 1), shape).astype(chance.choice(("int32", "int64"))))
        else:
            found.append(_numbers(numbers, shape, other if dtype == main else dtype, case, name))
    return found


POSITIONS: dict[str, Any] = {"indices": "index", "positions": 0, "lengths": 1, "valid_length": 0, "queries": None}
"""Operands that are positions in the first operand: counted from either end, or from a number on."""

ELEMENTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("hard_sigmoid", "silu", "true_div", "trunc"), FLOATS),
    **dict.fromkeys(("exp2", "expm1", "log10", "log1p", "log2", "rsqrt"), FLOATS),
    **dict.fromkeys(("conv1d", "conv1d_channels_last", "conv2d_channels_last", "conv3d_channels_last"), NUMBERS),
    **dict.fromkeys(("depthwise_conv2d", "depthwise_conv2d_channels_last", "prelu", "tensordot"), NUMBERS),
    "floor_div": INTEGERS,
}
"""The element types of records that have no operation whose verifier states them."""

FINITE: dict[str, str] = {
    "det": "elimination subtracts multiples of rows",
    **dict.fromkeys(
        ("conv1d_transpose", "conv2d_transpose", "conv3d_transpose"), "zeros between elements are multiplied too"
    ),
    "quantize": "a NaN is no integer",
    "winograd_conv2d": "its sums add and take away the same elements",
    "grid": "places in an image",
    "offset": "places in an image",
    "count": "a number of elements",
}
"""Records and operands whose floats are finite, and why."""


def operand_names(operator: str) -> list[str]:
    operation = get_operator(operator).operation
    return [] if operation is None else [name for name, _ in operation.get_irdl_definition().operands]


def _shapes(case: Case, chance: random.Random) -> tuple[tuple[int, ...], ...]:
    """Return the case's shapes with one size, or two of them, changed wherever they stand."""
    known = sorted({size for shape in case.shapes for size in shape})
    changed = {
        size: chance.choice(SIZES) for size in chance.sample(known, min(len(known), chance.choice((0, 1, 1, 2))))
    }
    return tuple(tuple(changed.get(size, size) for size in shape) for shape in case.shapes)


def _cast(array: np.ndarray, dtype: str) -> np.ndarray:
    return array.astype(numpy_dtype(dtype)) if np.issubdtype(array.dtype, np.floating) else array


def _numbers(numbers: np.random.Generator, shape: tuple[int, ...], dtype: str, case: Case, name: str) -> np.ndarray:
    if dtype == "bool":
        return numbers.integers(0, 2, shape).astype(bool)
    if dtype in INTEGERS:
        return _integers(numbers, shape, dtype, case)
    array = np.asarray(numbers.uniform(0.1, 2, shape) if case.positive else numbers.standard_normal(shape) * 2)
    is_finite = case.operator in FINITE or name in FINITE or _makes_integers(case)
    if array.size and not is_finite and numbers.random() < 0.5:
        odd = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0]
        count = numbers.integers(1, max(2, array.size // 4), endpoint=True)
        array.reshape(-1)[numbers.integers(0, array.size, count)] = numbers.choice(odd, count)
    return _sorted(array.astype(numpy_dtype(dtype)), case, name)


def _integers(numbers: np.random.Generator, shape: tuple[int, ...], dtype: str, case: Case) -> np.ndarray:
    """Return small numbers and, in half of the draws, the limits of the type. Divisors are above 0."""
    info = np.iinfo(dtype)
    low = 1 if case.positive or case.offset else max(-9, int(info.min))
    array = numbers.integers(low, 10, shape).astype(dtype)
    if array.size and numbers.random() < 0.5 and case.operator != "pow":
        limits = np.array([info.max, low if low > 0 else info.min, info.max - 1, 1], dtype)
        count = max(1, array.size // 4)
        array.reshape(-1)[numbers.integers(0, array.size, count)] = numbers.choice(limits, count)
    return _sorted(array, case, "x" if case.operator == "searchsorted" else "")


def _sorted(array: np.ndarray, case: Case, name: str) -> np.ndarray:
    return np.sort(array, -1) if case.operator == "searchsorted" and name == "x" else array


def _makes_integers(case: Case) -> bool:
    """Return whether floats are made integers, of which some have none."""
    return case.operator == "cast" and "float" not in case.values["to"]


def tolerance(dtype: np.dtype) -> float:
    """Return the tolerance of results, relative to them and to 1: the sum of the rounding steps of their type."""
    return {"float16": 4e-3, "bfloat16": 3e-2, "float32": 3e-5, "float64": 1e-9}[dtype.name]


def check(found: Draw) -> None:
    """Compare what is compiled, from tensor expressions and from the graph, with the reference in numpy."""
    record = get_operator(found.operator)
    expected = record.compute(*found.arrays, **found.values)
    compare(_by_expressions(found), expected)
    if record.operation is not None:
        program = tilewright.compile(module_of(found.operator, found.arrays, found.given), threads=1)
        compare(_as_tuple(program(*found.arrays)), expected)


def _by_expressions(found: Draw) -> tuple[np.ndarray, ...]:
    operands = [te.placeholder(x.shape, x.dtype.name, f"x{k}") for k, x in enumerate(found.arrays)]
    results = get_operator(found.operator).express(*operands, **found.values)
    return _as_tuple(tilewright.build([*operands, *results])(*found.arrays))


def _as_tuple(results: Any) -> tuple[np.ndarray, ...]:
    return results if isinstance(results, tuple) else (results,)


def compare(results: Sequence[np.ndarray], expected: Sequence[np.ndarray]) -> None:
    for actual, wanted in zip(results, expected, strict=True):
        assert (actual.dtype, actual.shape) == (wanted.dtype, wanted.shape)
        if wanted.dtype.name in FLOATS:
            limit = tolerance(wanted.dtype)
            actual, wanted = (np.asarray(each).astype(np.float64) for each in (actual, wanted))
            np.testing.assert_allclose(actual, wanted, rtol=limit, atol=limit, equal_nan=True)
        else:
            np.testing.assert_array_equal(actual, wanted)
