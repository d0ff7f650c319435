"""Types that are moved and converted only: every code of them, and all that rounds to them, against ml_dtypes."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
import tilewright
from tilewright import TilewrightError, te
from tilewright.dialects.dtypes import STORAGE_TYPES, numpy_dtype
from tilewright.script import from_source
from tilewright.semantics.casts import CASTS

FLOATS = ("float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu", "float4_e2m1fn")
INTEGERS = {"int4": 4, "uint4": 4, "int2": 2, "uint2": 2}
TARGETS = ("interpreter", "cpu", "c", "cuda")

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
"""numpy tells of NaN and infinity."""


def codes(name: str) -> np.ndarray:
    """Return every number of a type."""
    bits = INTEGERS.get(name, 4 if name == "float4_e2m1fn" else 8)
    return np.arange(1 << bits, dtype=np.uint8).view(getattr(ml_dtypes, name))


def numbers(name: str) -> np.ndarray:
    """Return the finite numbers of a float type in order, as float64."""
    found = codes(name).astype(np.float64)
    return np.unique(found[np.isfinite(found)])


def converted(values: np.ndarray, *dtypes: str, target: str) -> list[np.ndarray]:
    """Return the values converted to each of several types by one program."""
    a = te.placeholder(values.shape, values.dtype.name, "A")
    results = [te.compute(values.shape, lambda i, t=t: a(i).astype(t), name=f"to_{t}") for t in dtypes]
    options = {"device": "simulator"} if target == "cuda" else {}
    program = tilewright.build([a, *results], target=target, **options)
    made = [np.zeros(values.shape, getattr(ml_dtypes, t, t)) for t in dtypes]
    program(values, *made)
    return made


def assert_same(result: np.ndarray, expected: np.ndarray) -> None:
    """Check that the bits are the same, but for those of NaN."""
    kind = np.dtype(f"u{expected.dtype.itemsize}")
    same = (result.view(kind) == expected.view(kind)) | ((result != result) & (expected != expected))
    assert result.dtype == expected.dtype
    assert same.all(), [(n, result[n], expected[n]) for n in np.flatnonzero(~same)[:5]]


def rounding_inputs(name: str, target: str) -> list[np.ndarray]:
    """Return all of float16 and bfloat16, and float32 at, below and above each number and each tie."""
    exact = numbers(name)
    ties = (exact[1:] + exact[:-1]) / 2
    edges = np.concatenate([exact, ties]).astype(np.float32)
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, 2.0**-127, 2.0**-128, 3.4e38]
    single = np.concatenate(
        [
            *(edges, np.nextafter(edges, np.float32(np.inf)), np.nextafter(edges, np.float32(-np.inf))),
            np.array(special, np.float32),
            np.random.default_rng(0).integers(0, 1 << 32, 1000, dtype=np.uint32).view(np.float32),
        ]
    )
    if target == "cuda":  # the simulator takes long
        return [single]
    every = np.arange(1 << 16, dtype=np.uint16)
    return [single, every.view(np.float16), every.view(ml_dtypes.bfloat16)]


@pytest.mark.sampled(4)
@pytest.mark.each("target", TARGETS, shards=4)
@pytest.mark.parametrize("name", (*FLOATS, *INTEGERS))
def test_every_code_is_the_number_that_it_is(name: str, target: str) -> None:
    values = codes(name)
    exact = values.astype(np.float32)
    to = ["float32", "float16", "bfloat16", "float64", *(("int8", "int32", "int64") if name in INTEGERS else ())]
    for result in converted(values, *to, target=target):
        assert_same(result, exact.astype(result.dtype))


@pytest.mark.sampled(4)
@pytest.mark.each("target", TARGETS, shards=4)
@pytest.mark.parametrize("name", FLOATS)
def test_floats_are_rounded_once_to_the_nearest(name: str, target: str) -> None:
    for values in rounding_inputs(name, target):
        (result,) = converted(values, name, target=target)
        expected = values.astype(np.float32).astype(result.dtype)
        if name == "float4_e2m1fn":  # no code is NaN: -0, whatever the sign
            expected = np.where(values != values, np.uint8(8), expected.view(np.uint8)).view(result.dtype)
        assert_same(result, expected)


@pytest.mark.parametrize("target", ("interpreter", "cpu", "c"))
@pytest.mark.parametrize("name", FLOATS)
def test_a_double_beside_a_tie_is_not_rounded_twice(name: str, target: str) -> None:
    exact = numbers(name)[1 if name == "float8_e8m0fnu" else 0 :]
    ties = exact[:-1] * 1.5 if name == "float8_e8m0fnu" else (exact[1:] + exact[:-1]) / 2
    for towards, neighbours in ((np.inf, exact[1:]), (-np.inf, exact[:-1])):
        (result,) = converted(np.nextafter(ties, towards), name, target=target)
        np.testing.assert_array_equal(result.astype(np.float64), neighbours)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", INTEGERS)
def test_integers_keep_their_lowest_bits(name: str, target: str) -> None:
    bits = INTEGERS[name]
    for values in (np.arange(-128, 128, dtype=np.int32), np.arange(-128, 128, dtype=np.int8)):
        (result,) = converted(values, name, target=target)
        np.testing.assert_array_equal(result.view(np.uint8), values.view(f"u{values.itemsize}") & ((1 << bits) - 1))
    fractions = np.linspace(-1.9, 1.9, 39, dtype=np.float32)
    (result,) = converted(fractions, name, target=target)
    np.testing.assert_array_equal(result.view(np.uint8), fractions.astype(np.int8).view(np.uint8) & ((1 << bits) - 1))


@pytest.mark.parametrize("target", ("interpreter", "cpu", "c"))
def test_one_storage_type_becomes_another_by_way_of_a_wider_one(target: str) -> None:
    values = codes("float8_e5m2")
    others = ("float8_e4m3fn", "float4_e2m1fn", "float8_e8m0fnu")
    for name, result in zip(others, converted(values, *others, target=target), strict=True):
        expected = values.astype(np.float32).astype(result.dtype)
        if name == "float4_e2m1fn":
            expected = np.where(values != values, np.uint8(8), expected.view(np.uint8)).view(result.dtype)
        assert_same(result, expected)
    small = codes("int4")
    to_float, to_unsigned, truth = converted(small, "float8_e4m3fn", "uint2", "bool", target=target)
    np.testing.assert_array_equal(to_float.astype(np.float32), small.astype(np.float32))
    np.testing.assert_array_equal(to_unsigned.view(np.uint8), small.view(np.uint8) & 3)
    np.testing.assert_array_equal(truth, small.astype(np.int8) != 0)


@pytest.mark.each("target", TARGETS)
@pytest.mark.parametrize("name", (*FLOATS, *INTEGERS))
def test_elements_are_moved_and_chosen(name: str, target: str) -> None:
    n, fill = 24, 1
    values = np.resize(codes(name), n)
    a = te.placeholder((n,), name, "A")
    padded = te.compute((n + 9,), lambda i: te.if_then_else(i < n, a(n - 1 - i), te.const(fill, name)), name="padded")
    options = {"device": "simulator"} if target == "cuda" else {}
    result = np.zeros(n + 9, values.dtype)
    tilewright.build([a, padded], target=target, **options)(values, result)
    expected = np.concatenate([values[::-1], np.full(9, fill).astype(np.float32).astype(values.dtype)])
    np.testing.assert_array_equal(result.view(np.uint8), expected.view(np.uint8))


@pytest.mark.parametrize("name", ("float8_e4m3fn", "uint4"))
def test_nothing_is_computed_in_them(name: str) -> None:
    a, b = te.placeholder((4,), name, "A"), te.placeholder((4,), "float32", "B")
    k = te.reduce_axis((0, 4), "k")
    makers = (
        lambda: a(0) + a(1),
        lambda: a(0) * 2,
        lambda: a(0) + b(0),
        lambda: -a(0),
        lambda: a(0) < a(1),
        lambda: te.maximum(a(0), a(1)),
        lambda: te.sum(a(k), axis=k),
        lambda: te.if_then_else(b(0) > 0, a(0), b(0)),
    )
    for make in makers:
        with pytest.raises(TilewrightError, match="cast them first") as raised:
            make()
        assert raised.value.code == "TW0451"


def test_constants_are_numbers_of_the_type() -> None:
    assert te.const(-8, "int4").value == -8
    assert te.const(448, "float8_e4m3fn").value == 448.0
    for value, name in ((8, "int4"), (-1, "uint2"), (465, "float8_e4m3fn"), (0, "float8_e8m0fnu")):
        with pytest.raises(TilewrightError, match="that .* can hold") as raised:
            te.const(value, name)
        assert raised.value.code == "TW0451"
    for value, name in ((np.inf, "float8_e4m3fn"), (np.nan, "float4_e2m1fn")):
        with pytest.raises(TilewrightError, match="that .* can hold"):
            te.const(value, name)


def _held_by_te(number: float, name: str) -> float | None:
    try:
        return te.const(number, name).value
    except TilewrightError as error:
        assert error.code == "TW0451"
        return None


def _held_by_a_script(number: float, name: str) -> float | None:
    text = f"""
from tilewright.script import tir as T
@T.prim_func
def f(A: T.Buffer((1,), "float64")):
    A[0] = T.Cast("float64", T.{name}({number!r}))
"""
    try:
        module = from_source(text)
    except TilewrightError as error:
        assert error.code == "TW0313"
        return None
    out = np.zeros(1)
    tilewright.build(module, target="interpreter")(out)
    return out[0]


def test_constants_near_the_largest_number_round_as_numpy_rounds() -> None:
    """float4 and float8_e8m0fnu are left out: numpy's conversion saturates or rounds their ties up."""
    wrong = []
    for name in ("float16", "bfloat16", "float32", *FLOATS[:4]):
        info = ml_dtypes.finfo(numpy_dtype(name))
        largest = float(info.max)
        half = 2.0 ** int(np.frexp(largest)[1] - info.nmant - 2)
        steps = (0, half / 1024, half / 2, half * (1 - 2**-10), half, half * (1 + 2**-10), 1.5 * half, 3 * half)
        for number in (sign * (largest + step) for step in steps for sign in (1, -1)):
            with np.errstate(over="ignore"):
                expected: float | None = float(np.array(number).astype(numpy_dtype(name)))
            expected = expected if np.isfinite(expected) else None
            forms = (_held_by_te,) if name in STORAGE_TYPES else (_held_by_te, _held_by_a_script)
            wrong += [(held.__name__, name, number) for held in forms if held(number, name) != expected]
    assert wrong == []
    assert _held_by_te(10**400, "float64") is _held_by_te(-(10**400), "float32") is None
    assert _held_by_te(6.4, "float4_e2m1fn") == 6 and _held_by_te(7, "float4_e2m1fn") is None
    for name in STORAGE_TYPES:
        assert te.min_value(name).value <= te.max_value(name).value


def test_a_byte_whose_upper_bits_are_set_is_read_by_its_lowest() -> None:
    raw = np.arange(256, dtype=np.uint8).view(ml_dtypes.int4)
    expected = ((np.arange(256) & 15) ^ 8) - 8
    for target in ("interpreter", "cpu", "c"):
        (result,) = converted(raw, "int32", target=target)
        np.testing.assert_array_equal(result, expected)
    np.testing.assert_array_equal(CASTS["arith.extui"](raw, np.dtype(np.int32)), np.arange(256) & 15)
