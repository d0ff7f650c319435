"""Folding gives the same bits on every host: functions of elementary arithmetic, products term by term, no BLAS."""

from __future__ import annotations

import math
from decimal import Context, Decimal
from hashlib import sha256
from typing import Any

import numpy as np
import pytest
from operator_case import Case, build
from operator_cases import CASES
from tilewright.dialects import context, graph
from tilewright.operators import deferred, get_operator
from tilewright.passes.phase0.fold_constant import FoldConstantPass
from tilewright.semantics import portable
from tilewright.semantics.host_independent import HostIndependent, NotPortable, independent
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

ERF = np.vectorize(math.erf, otypes=[np.float64])
DOMAINS = {"arccos": (-1, 1), "arcsin": (-1, 1), "arctanh": (-1, 1), "arccosh": (1, 50), "log1p": (-1, 10)}
EXACT = Context(prec=50)


def plain(name: str) -> Any:
    return ERF if name == "erf" else getattr(np, name)


def inputs(name: str) -> list[np.ndarray]:
    """Return ordinary numbers and tiny ones; for functions of two operands as many again."""
    rng = np.random.default_rng(1)
    low, high = DOMAINS.get(name, (0 if name.startswith("log") or "power" in name else -40, 40))
    count = plain(name).nin if isinstance(plain(name), np.ufunc) else 1
    found: list[np.ndarray] = []
    for _ in range(count):
        tiny = np.ldexp(rng.uniform(-1, 1, 300), rng.integers(-60, 0, 300))
        numbers = np.concatenate([rng.uniform(low, high, 700), tiny, rng.uniform(-1e6, 1e6, 100)])
        found.append(numbers if count > 1 else numbers[(numbers > low) & (numbers < high)])
    return [np.abs(found[0]), *found[1:]] if "power" in name else found


def test_functions_differ_from_numpy_in_few_last_bits() -> None:
    wrong: list[str] = []
    for name in portable.FUNCTIONS:
        operands = inputs(name)
        with np.errstate(all="ignore"):
            expected = plain(name)(*operands)
        found = portable.evaluate(name, plain(name), *operands)
        known = np.isfinite(expected) & (np.abs(expected) > 1e-300)
        off = np.abs(found[known] - expected[known]) / np.spacing(np.abs(expected[known]))
        if not (off.max() <= 6 and np.array_equal(np.isnan(found), np.isnan(expected))):
            wrong.append(f"{name}: {off.max()}")
    assert wrong == []


def test_exponentials_and_logarithms_are_rounded_once() -> None:
    """Beside `decimal`, whose functions are rounded correctly; the last digit of one in a thousand may differ."""
    rng = np.random.default_rng(2)
    numbers = np.concatenate([rng.uniform(-700, 700, 200), np.ldexp(rng.uniform(1, 2, 100), rng.integers(-40, 3, 100))])
    exponentials = [float(EXACT.exp(Decimal(x))) for x in numbers.tolist()]
    assert (portable.evaluate("exp", np.exp, numbers) == exponentials).mean() > 0.995
    positive = np.abs(numbers)
    logarithms = [float(EXACT.ln(Decimal(x))) for x in positive.tolist()]
    assert (portable.evaluate("log", np.log, positive) == logarithms).mean() > 0.995
    powers = [float(EXACT.power(Decimal(x), Decimal("1.75"))) for x in positive.tolist()]
    assert (portable.evaluate("power", np.power, positive, 1.75) == powers).mean() > 0.995


SPECIAL = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    2.0,
    -2.0,
    3.0,
    math.inf,
    -math.inf,
    math.nan,
    5e-324,
    1e308,
    -1e308,
    710.0,
    -746.0,
]


def test_special_operands_give_what_the_standard_says() -> None:
    wrong: list[str] = []
    for name in portable.FUNCTIONS:
        single = np.array(SPECIAL)
        two = not isinstance(plain(name), np.vectorize) and plain(name).nin == 2
        operands = np.meshgrid(single, single) if two else [single]
        with np.errstate(all="ignore"):
            expected = plain(name)(*operands)
        found = portable.evaluate(name, plain(name), *operands)
        if not np.allclose(found, expected, rtol=1e-14, atol=0, equal_nan=True):
            at = ~np.isclose(found, expected, rtol=1e-14, atol=0, equal_nan=True)
            wrong.append(f"{name}{[each[at].tolist() for each in operands]}: {found[at]} for {expected[at]}")
        zeros = (expected == 0) & (found == 0)
        if not np.array_equal(np.signbit(found)[zeros], np.signbit(expected)[zeros]):
            wrong.append(f"{name}: signs of zeros")
    assert wrong == []


def test_large_angles_are_reduced_exactly() -> None:
    """To a quarter of a turn; the sine of 10**22 is a known test of it (K. C. Ng, "Good to the Last Bit", 1992)."""
    assert float(portable.evaluate("sin", np.sin, 1e22)) == -0.8522008497671888
    for x in (1e300, -3.5e200, 2.0**1000):
        sine, cosine = (float(portable.evaluate(name, plain(name), x)) for name in ("sin", "cos"))
        assert math.isclose(sine**2 + cosine**2, 1, rel_tol=1e-14)
        assert math.isclose(sine, math.sin(x), rel_tol=1e-12) and math.isclose(cosine, math.cos(x), rel_tol=1e-12)


BITS = {
    "arccos": "e3ad2e8f1434",
    "arccosh": "60fb462348b5",
    "arcsin": "28a75b387eab",
    "arcsinh": "a65361ca046e",
    "arctan": "9be947c41669",
    "arctan2": "53faeacd1011",
    "arctanh": "e14cb3e18728",
    "cbrt": "9bfbdeffa8ee",
    "cos": "c95559733746",
    "cosh": "9143237d5997",
    "erf": "d7424f1e020b",
    "exp": "f173fdf76747",
    "exp2": "681f6c7548ed",
    "expm1": "d53728aa815d",
    "float_power": "942d8d82215c",
    "hypot": "8e7d501ab307",
    "log": "aa21741775e6",
    "log10": "ea8602699870",
    "log1p": "5c548e8d5f0f",
    "log2": "5c32cb951361",
    "logaddexp": "7f05152c8f24",
    "power": "942d8d82215c",
    "sin": "422a2928218f",
    "sinh": "e8698ef40db9",
    "tan": "d5f0610669ec",
    "tanh": "001f7981adb1",
}


def test_the_bits_are_those_of_every_host() -> None:
    """Digests of the results of all functions, as other processors and versions of numpy computed them."""
    found: dict[str, str] = {}
    for name in portable.FUNCTIONS:
        operands = inputs(name)
        regular = portable.FUNCTIONS[name][1](*operands)
        results = portable.evaluate(name, plain(name), *(each[regular] for each in operands))
        found[name] = sha256(results.tobytes()).hexdigest()[:12]
    assert found == BITS


def test_products_add_up_term_by_term() -> None:
    rng = np.random.default_rng(3)

    def draw(*shape: int) -> np.ndarray:
        return rng.standard_normal(shape).astype(np.float32)

    a, b, square = draw(3, 4, 5), draw(3, 5, 6), draw(3, 3, 2)
    cases = [
        (independent(a) @ b, a @ b),
        (a @ independent(b), a @ b),
        (independent(a[0]) @ independent(b[0, :, 0]), a[0] @ b[0, :, 0]),
        (independent(a[0, 0]) @ b[0], a[0, 0] @ b[0]),
        (np.dot(independent(a[0]), b[0]), np.dot(a[0], b[0])),
        (np.dot(independent(a), b[0]), np.dot(a, b[0])),
        (np.einsum("abc,acd->bd", independent(a), b), np.einsum("abc,acd->bd", a, b)),
        (np.einsum("ab,ab->", independent(a[0]), a[1]), np.einsum("ab,ab->", a[0], a[1])),
        (np.einsum("aab->ba", independent(square)), np.einsum("aab->ba", square)),
        (np.einsum("ar,bs,cs->abc", independent(a[0]), a[1], a[2]), np.einsum("ar,bs,cs->abc", a[0], a[1], a[2])),
        (np.einsum("...a,ab->...b", independent(a), b[0]), np.einsum("...a,ab->...b", a, b[0])),
        (np.einsum("a...,...b", independent(a), b[0]), np.einsum("a...,...b", a, b[0])),
        (np.einsum("ba", independent(a[0])), np.einsum("ba", a[0])),
        (np.tensordot(independent(a), b, ([2, 0], [1, 0])), np.tensordot(a, b, ([2, 0], [1, 0]))),
        (np.tensordot(independent(a), b[0], 1), np.tensordot(a, b[0], 1)),
    ]
    for found, expected in cases:
        assert isinstance(found, HostIndependent) and found.dtype == expected.dtype and found.shape == expected.shape
        assert np.allclose(found, expected, rtol=1e-5, atol=1e-6)
    # Terms in order: the first cancels the second, and the third is left. Another order loses it.
    row = np.array([1e16, -1e16, 1.0])
    assert float(independent(row) @ np.ones(3)) == 1.0
    integers = np.arange(6).reshape(2, 3)
    assert np.array_equal(independent(integers) @ integers.T, integers @ integers.T)
    with pytest.raises(ValueError, match="expected matrices that multiply"):
        independent(a[0]) @ a[0]
    for refused in (lambda: np.linalg.det(independent(a[0, :4, :4])), lambda: np.exp(independent(a + 1j))):
        with pytest.raises(NotPortable):
            refused()


NOT_FOLDED = {"det"}
"""Operators that no portable computation serves."""
HOST_DEPENDENT = [name for name in portable.FUNCTIONS if name != "erf"]


def test_every_operator_folds_to_what_it_evaluates_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """And asks numpy for no function of the host on the way."""

    def checked(name: str) -> Any:
        def call(*operands: Any, **options: Any) -> Any:
            arrays = [o for o in operands if isinstance(o, (np.ndarray, np.generic)) and o.dtype.kind in "fV"]
            assert not arrays or any(isinstance(o, HostIndependent) for o in operands), f"numpy computes {name}"
            return plain(name)(*operands, **options)

        return call

    wrong: list[str] = []
    for case in CASES:
        record = get_operator(case.operator)
        if record.operation is None:
            continue
        op = next(op for op in build(case).walk() if isinstance(op, graph.GraphOp))
        expected = record.evaluate(op, *case.arrays())
        with monkeypatch.context() as patch:
            for name in HOST_DEPENDENT:
                patch.setattr(deferred.np, name, checked(name), raising=False)
            try:
                found = record.fold(op, *case.arrays())
            except AssertionError as error:
                wrong.append(f"{case}: {error}")
                continue
        if found is None:
            wrong += [] if case.operator in NOT_FOLDED else [f"{case}: not folded"]
        elif case.operator in NOT_FOLDED:
            wrong.append(f"{case}: folded")
        else:
            wrong += [f"{case}: {problem}" for problem in differences(found, expected)]
    assert wrong == []


def differences(found: tuple[np.ndarray, ...], expected: tuple[np.ndarray, ...]) -> list[str]:
    wrong: list[str] = []
    for one, other in zip(found, expected, strict=True):
        if type(one) is not np.ndarray or one.dtype != other.dtype or one.shape != other.shape:
            wrong.append(f"{type(one).__name__} {one.dtype} {one.shape} for {other.dtype} {other.shape}")
        elif not np.allclose(one.astype(np.float64), other.astype(np.float64), rtol=1e-4, atol=1e-5, equal_nan=True):
            wrong.append("other values")
    return wrong


def folded(text: str) -> ModuleOp:
    module = Parser(context(), text).parse_module()
    FoldConstantPass().apply(context(), module)
    return module


def test_constants_are_folded_and_a_determinant_is_left_alone() -> None:
    module = folded(
        "func.func @main() -> (tensor<2xf32>, tensor<f32>) {\n"
        "  %a = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>\n"
        "  %y = graph.exp %a : tensor<2xf32>\n"
        "  %m = graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>\n"
        "  %d = graph.det %m : tensor<f32>\n"
        "  func.return %y, %d : tensor<2xf32>, tensor<f32>\n}"
    )
    assert "graph.exp" not in str(module) and "2.71828" in str(module)
    assert "graph.det" in str(module)


def test_all_cases_have_operands() -> None:
    assert len(CASES) > 100 and all(isinstance(case, Case) for case in CASES)
