"""Every operation of arith and math, on scalars and vectors, against numpy."""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np
import pytest

pytestmark = pytest.mark.hosts

FLOATS = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "bf16": ml_dtypes.bfloat16}
INTEGERS = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64}
N = 64


def run(main, op: str, dtypes: list[str], result: str, arrays: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Apply `op`, a format of its operands and of its types with the given lanes, to scalars and to vectors."""
    names = [f"%x{k}" for k in range(len(dtypes))]
    arguments = [f"{n}: memref<{N}x{d}>" for n, d in zip(names, dtypes, strict=True)]
    arguments += [f"%{n}: memref<{N}x{result}> {{tw.output}}" for n in ("scalar", "vector")]

    def loop(extent: int, index: str, out: str, lanes: str) -> str:
        def typed(d: str) -> str:
            return f"vector<8x{d}>" if lanes else d

        loads = [
            f"%v{k} = loop.load {n}[{index}] : memref<{N}x{d}>" + (f", {typed(d)}" if lanes else "")
            for k, (n, d) in enumerate(zip(names, dtypes, strict=True))
        ]
        values = [f"%v{k}" for k in range(len(dtypes))]
        text = op.format(*values, **{d: typed(d) for d in [*dtypes, result]}, t=typed(dtypes[0]))
        types = f"{typed(result)}, " if lanes else ""
        store = f"loop.store %r, {out}[{index}] : {types}memref<{N}x{result}>"
        return f"loop.for %i = 0 to {extent} {{\n" + "\n".join([*loads, f"%r = {text}", store]) + "\n}"

    body = loop(N, "%i", "%scalar", "") + "\n" + loop(N // 8, "%i * 8 + lane", "%vector", "8")
    return main(", ".join(arguments), body)(*arrays)


def check(main, op: str, dtypes: list[str], result: str, arrays: list[np.ndarray], expected: np.ndarray, **tolerance):
    for value in run(main, op, dtypes, result, arrays):
        assert value.dtype == expected.dtype
        if tolerance:
            np.testing.assert_allclose(value.astype(np.float64), expected.astype(np.float64), **tolerance)
        elif value.dtype == ml_dtypes.bfloat16:
            np.testing.assert_array_equal(value.astype(np.float32), expected.astype(np.float32))
        else:
            np.testing.assert_array_equal(value, expected)


def floats(dtype: str, seed: int = 0, special: bool = True) -> np.ndarray:
    values = np.random.default_rng(seed).normal(0, 3, N)
    if special:
        values[:9] = np.roll([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 0.5, np.nan], seed * 2)
    return values.astype(FLOATS[dtype])


def integers(dtype: str, seed: int = 0) -> np.ndarray:
    info = np.iinfo(INTEGERS[dtype])
    values = np.random.default_rng(seed).integers(info.min, info.max, N, INTEGERS[dtype], endpoint=True)
    values[:8] = np.roll(np.array([info.min, info.max, 0, -1, 1, 2, -7, 5], values.dtype), seed)
    return values


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(
    "op, reference", [("addf", np.add), ("subf", np.subtract), ("mulf", np.multiply), ("divf", np.divide)]
)
def test_float_arithmetic(main, op, reference, dtype):
    a, b = floats(dtype), floats(dtype, 1)
    with np.errstate(all="ignore"):
        check(main, f"arith.{op} {{0}}, {{1}} : {{t}}", [dtype] * 2, dtype, [a, b], reference(a, b))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(
    "op, reference", [("maximumf", np.maximum), ("minimumf", np.minimum), ("maxnumf", np.fmax), ("minnumf", np.fmin)]
)
def test_float_extremes(main, op, reference, dtype):
    a, b = floats(dtype), floats(dtype, 1)
    with np.errstate(all="ignore"):
        expected = reference(a, b)
    check(main, f"arith.{op} {{0}}, {{1}} : {{t}}", [dtype] * 2, dtype, [a, b], expected)


def test_maximum_with_a_constant_keeps_nan(main):
    module = main(
        "%x: memref<8xf32>, %y: memref<8xf32> {tw.output}, %z: memref<8xf32> {tw.output}",
        """
        %zero = arith.constant dense<0.0> : vector<8xf32>
        %v = loop.load %x[lane] : memref<8xf32>, vector<8xf32>
        %a = arith.maximumf %v, %zero : vector<8xf32>
        %b = arith.maximumf %zero, %v : vector<8xf32>
        loop.store %a, %y[lane] : vector<8xf32>, memref<8xf32>
        loop.store %b, %z[lane] : vector<8xf32>, memref<8xf32>""",
    )
    x = np.array([np.nan, -1, 2, np.inf, -np.inf, 0, 3, -np.nan], np.float32)
    for result in module(x):
        np.testing.assert_array_equal(result, np.maximum(x, 0))


@pytest.mark.each("dtype", INTEGERS)
@pytest.mark.parametrize(
    "op, reference",
    [
        ("addi", np.add), ("subi", np.subtract), ("muli", np.multiply), ("andi", np.bitwise_and),
        ("ori", np.bitwise_or), ("xori", np.bitwise_xor), ("minsi", np.minimum), ("maxsi", np.maximum),
    ],
)  # fmt: skip
def test_integer_arithmetic(main, op, reference, dtype):
    a, b = integers(dtype), integers(dtype, 1)
    check(main, f"arith.{op} {{0}}, {{1}} : {{t}}", [dtype] * 2, dtype, [a, b], reference(a, b))


@pytest.mark.parametrize("dtype", ["i8", "i32"])
@pytest.mark.parametrize("op, reference", [("minui", np.minimum), ("maxui", np.maximum)])
def test_unsigned_extremes(main, op, reference, dtype):
    a, b = integers(dtype), integers(dtype, 1)
    unsigned = np.dtype(f"u{a.dtype.name}")
    expected = reference(a.view(unsigned), b.view(unsigned)).view(a.dtype)
    check(main, f"arith.{op} {{0}}, {{1}} : {{t}}", [dtype] * 2, dtype, [a, b], expected)


def _divide(kind: str, a: int, b: int, low: int) -> int:
    """Divide Python integers by the operations' definitions."""
    if b == 0:
        return 0
    if kind == "divsi":
        return (
            low
            if (a, b) == (low, -1)
            else math.trunc(a / b)
            if abs(a) < 2**50
            else int(abs(a) // abs(b)) * (1 if a * b >= 0 else -1)
        )
    if kind == "remsi":
        return 0 if b == -1 else a - b * _divide("divsi", a, b, low)
    raise AssertionError(kind)


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("op", ["divsi", "remsi"])
def test_signed_division(main, op, dtype):
    a, b = integers(dtype), integers(dtype, 1)
    b[20:40] = np.arange(-10, 10)
    low = np.iinfo(a.dtype).min
    expected = np.array([_divide(op, int(x), int(y), low) for x, y in zip(a, b, strict=True)], a.dtype)
    check(main, f"arith.{op} {{0}}, {{1}} : {{t}}", [dtype] * 2, dtype, [a, b], expected)


@pytest.mark.parametrize("op", ["divui", "remui", "ceildivui"])
def test_unsigned_division(main, op):
    a, b = integers("i32"), integers("i32", 1)
    x, y = a.view(np.uint32).astype(object), b.view(np.uint32).astype(object)
    functions = {"divui": lambda p, q: p // q, "remui": lambda p, q: p % q, "ceildivui": lambda p, q: -(-p // q)}
    expected = np.array([functions[op](p, q) if q else 0 for p, q in zip(x, y, strict=True)], np.uint32)
    check(main, f"arith.{op} {{0}}, {{1}} : {{t}}", ["i32"] * 2, "i32", [a, b], expected.view(np.int32))


@pytest.mark.parametrize("op, up", [("floordivsi", False), ("ceildivsi", True)])
def test_rounded_division(main, op, up):
    a = np.random.default_rng(0).integers(-100, 100, N).astype(np.int32)
    b = np.where(np.arange(N) % 2, 7, -5).astype(np.int32) * (1 + np.arange(N, dtype=np.int32) % 3)
    check(main, f"arith.{op} {{0}}, {{1}} : {{t}}", ["i32"] * 2, "i32", [a, b], -(-a // b) if up else a // b)


@pytest.mark.parametrize("op, reference", [("shli", np.left_shift), ("shrsi", np.right_shift), ("shrui", None)])
def test_shifts(main, op, reference):
    a, b = integers("i32"), np.arange(N, dtype=np.int32) % 32
    expected = (a.view(np.uint32) >> b.view(np.uint32)).view(np.int32) if reference is None else reference(a, b)
    check(main, f"arith.{op} {{0}}, {{1}} : {{t}}", ["i32"] * 2, "i32", [a, b], expected)


INTEGER_COMPARISONS = {
    "eq": np.equal, "ne": np.not_equal, "slt": np.less, "sle": np.less_equal, "sgt": np.greater,
    "sge": np.greater_equal, "ult": np.less, "ule": np.less_equal, "ugt": np.greater, "uge": np.greater_equal,
}  # fmt: skip


@pytest.mark.parametrize("predicate", INTEGER_COMPARISONS)
def test_integer_comparison(main, predicate):
    a, b = integers("i16"), integers("i16", 1)
    b[::3] = a[::3]
    x, y = (a.view(np.uint16), b.view(np.uint16)) if predicate.startswith("u") else (a, b)
    expected = INTEGER_COMPARISONS[predicate](x, y)
    check(main, f"arith.cmpi {predicate}, {{0}}, {{1}} : {{t}}", ["i16"] * 2, "i1", [a, b], expected)


@pytest.mark.parametrize("dtype", ["f32", "bf16"])
@pytest.mark.parametrize("unordered", [False, True])
@pytest.mark.each("predicate", ["eq", "ne", "lt", "le", "gt", "ge"])
def test_float_comparison(main, predicate, unordered, dtype):
    a, b = floats(dtype), floats(dtype, 1)
    b[::3] = a[::3]
    nan = np.isnan(a) | np.isnan(b)
    compare = {
        "eq": np.equal,
        "ne": np.not_equal,
        "lt": np.less,
        "le": np.less_equal,
        "gt": np.greater,
        "ge": np.greater_equal,
    }
    with np.errstate(all="ignore"):
        expected = np.where(nan, unordered, compare[predicate](a, b))
    name = ("u" if unordered else "o") + predicate
    check(main, f"arith.cmpf {name}, {{0}}, {{1}} : {{t}}", [dtype] * 2, "i1", [a, b], expected)


def test_select(main):
    c = np.random.default_rng(0).random(N) < 0.5
    a, b = floats("f32"), floats("f32", 1)
    op = "arith.select {0}, {1}, {2} : {i1}, {f32}"
    for value in run(main, op, ["i1", "f32", "f32"], "f32", [c, a, b]):
        np.testing.assert_array_equal(value, np.where(c, a, b))


CASTS = [
    ("sitofp", "i32", "f32"), ("sitofp", "i64", "f64"), ("sitofp", "i8", "bf16"), ("sitofp", "i8", "f16"),
    ("extf", "f32", "f64"), ("extf", "f16", "f32"), ("extf", "bf16", "f32"), ("truncf", "f64", "f32"),
    ("truncf", "f32", "f16"), ("truncf", "f32", "bf16"), ("truncf", "f64", "f16"),
    ("truncf", "f64", "bf16"), ("extsi", "i8", "i32"),
    ("extsi", "i32", "i64"), ("trunci", "i32", "i8"), ("trunci", "i64", "i32"),
]  # fmt: skip


@pytest.mark.parametrize("op, source, target", CASTS)
def test_casts(main, op, source, target):
    dtypes = {**FLOATS, **INTEGERS}
    x = floats(source) if source in FLOATS else integers(source)
    with np.errstate(all="ignore"):
        expected = x.astype(dtypes[target])
    check(main, f"arith.{op} {{0}} : {{{source}}} to {{{target}}}", [source], target, [x], expected)


@pytest.mark.parametrize("source, target", [("f32", "i32"), ("f64", "i64"), ("f32", "i8"), ("bf16", "i32")])
def test_float_to_integer(main, source, target):
    x = np.random.default_rng(0).uniform(-100, 100, N).astype(FLOATS[source])
    expected = x.astype(INTEGERS[target])
    check(main, f"arith.fptosi {{0}} : {{{source}}} to {{{target}}}", [source], target, [x], expected)


def test_booleans_extend(main):
    x = np.random.default_rng(0).random(N) < 0.5
    check(main, "arith.extui {0} : {i1} to {i32}", ["i1"], "i32", [x], x.astype(np.int32))
    check(main, "arith.uitofp {0} : {i1} to {f32}", ["i1"], "f32", [x], x.astype(np.float32))


def test_unsigned_to_float(main):
    x = integers("i8")
    check(main, "arith.uitofp {0} : {i8} to {f32}", ["i8"], "f32", [x], x.view(np.uint8).astype(np.float32))


def test_bitcast(main):
    x = floats("f32")
    check(main, "arith.bitcast {0} : {f32} to {i32}", ["f32"], "i32", [x], x.view(np.int32))


def test_negate(main):
    for dtype in FLOATS:
        x = floats(dtype)
        check(main, "arith.negf {0} : {t}", [dtype], dtype, [x], -x)


EXACT = {
    "absf": np.abs, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "roundeven": np.rint, "sqrt": np.sqrt,
}  # fmt: skip


@pytest.mark.each("dtype", FLOATS)
@pytest.mark.parametrize("op", EXACT)
def test_exact_functions(main, op, dtype):
    x = floats(dtype)
    with np.errstate(all="ignore"):
        check(main, f"math.{op} {{0}} : {{t}}", [dtype], dtype, [x], EXACT[op](x))


def test_round_half_away_from_zero(main):
    x = (np.arange(N, dtype=np.float32) - 32) / 2
    check(
        main, "math.round {0} : {t}", ["f32"], "f32", [x], (np.sign(x) * np.floor(np.abs(x) + 0.5)).astype(np.float32)
    )


TRANSCENDENTAL = {
    "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1, "log": np.log, "log2": np.log2, "log10": np.log10,
    "log1p": np.log1p, "sin": np.sin, "cos": np.cos, "tan": np.tan, "tanh": np.tanh, "sinh": np.sinh, "cosh": np.cosh,
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "asinh": np.arcsinh, "acosh": np.arccosh,
    "atanh": np.arctanh, "cbrt": np.cbrt,
    "erf": lambda x: np.array([math.erf(v) for v in x]), "rsqrt": lambda x: 1 / np.sqrt(x),
}  # fmt: skip


@pytest.mark.parametrize("dtype, tolerance", [("f32", 3e-7), ("f64", 1e-15)])
@pytest.mark.each("op", TRANSCENDENTAL)
def test_transcendental_functions(main, op, dtype, tolerance):
    x = floats(dtype)
    with np.errstate(all="ignore"):
        expected = TRANSCENDENTAL[op](x.astype(np.float64)).astype(x.dtype)
    check(main, f"math.{op} {{0}} : {{t}}", [dtype], dtype, [x], expected, rtol=tolerance)


@pytest.mark.parametrize("dtype, tolerance", [("f16", 2e-3), ("bf16", 2e-2)])
def test_narrow_transcendental(main, dtype, tolerance):
    x = floats(dtype)
    expected = np.tanh(x.astype(np.float32)).astype(x.dtype)
    check(main, "math.tanh {0} : {t}", [dtype], dtype, [x], expected, rtol=tolerance)


def test_two_operand_functions(main):
    a, b = np.abs(floats("f32", special=False)), floats("f32", 1, special=False)
    check(main, "math.powf {0}, {1} : {t}", ["f32"] * 2, "f32", [a, b], np.power(a, b), rtol=1e-6)
    check(main, "math.atan2 {0}, {1} : {t}", ["f32"] * 2, "f32", [a, b], np.arctan2(a, b), rtol=1e-6)
    check(main, "math.copysign {0}, {1} : {t}", ["f32"] * 2, "f32", [a, b], np.copysign(a, b))


def test_fma_rounds_once(main):
    a, b, c = (floats("f32", seed, special=False) for seed in range(3))
    exact = a.astype(np.float64) * b.astype(np.float64) + c.astype(np.float64)
    check(main, "math.fma {0}, {1}, {2} : {t}", ["f32"] * 3, "f32", [a, b, c], exact.astype(np.float32))
    check(
        main, "math.fma {0}, {1}, {2} : {t}", ["bf16"] * 3, "bf16",
        [v.astype(ml_dtypes.bfloat16) for v in (a, b, c)],
        np.multiply(a.astype(ml_dtypes.bfloat16), 1).astype(np.float64).__mul__(
            b.astype(ml_dtypes.bfloat16).astype(np.float64)
        ).__add__(c.astype(ml_dtypes.bfloat16).astype(np.float64)).astype(np.float32).astype(ml_dtypes.bfloat16),
    )  # fmt: skip


def test_absolute_integer(main):
    x = integers("i32")
    with np.errstate(all="ignore"):
        check(main, "math.absi {0} : {t}", ["i32"], "i32", [x], np.abs(x))


def test_index_arithmetic(main):
    module = main(
        "%x: memref<20xi64>, %y: memref<20xi64> {tw.output}, %z: memref<20xi32> {tw.output}",
        """
        %c3 = arith.constant 3 : index
        loop.for %i = 0 to 20 {
          %a = arith.muli %i, %c3 : index
          %b = loop.apply (%a + %i floordiv 2 - 1) : index
          %c = arith.index_cast %b : index to i64
          %d = arith.index_cast %b : index to i32
          %l = loop.load %x[%i] : memref<20xi64>
          %m = arith.index_cast %l : i64 to index
          %v = loop.load %x[%m] : memref<20xi64>
          %s = arith.addi %c, %v : i64
          loop.store %s, %y[%i] : memref<20xi64>
          loop.store %d, %z[%i] : memref<20xi32>
        }""",
    )
    x = np.random.default_rng(0).permutation(20)
    i = np.arange(20)
    y, z = module(x)
    np.testing.assert_array_equal(y, i * 3 + i // 2 - 1 + x[x])
    np.testing.assert_array_equal(z, i * 3 + i // 2 - 1)


def test_apply_and_test_vectors(main):
    module = main(
        "%y: memref<5x8xindex> {tw.output}, %t: memref<5x8xi1> {tw.output}, %s: memref<5xi1> {tw.output}",
        """
        loop.for %i = 0 to 5 {
          %v = loop.apply (%i * 8 + lane * 3) : vector<8xindex>
          loop.store %v, %y[%i, lane] : vector<8xindex>, memref<5x8xindex>
          %m = loop.test (%i * 8 + lane < 21, lane >= 1) : vector<8xi1>
          loop.store %m, %t[%i, lane] : vector<8xi1>, memref<5x8xi1>
          %c = loop.test (%i >= 1, %i < 3) : i1
          loop.store %c, %s[%i] : memref<5xi1>
        }""",
    )
    i, lane = np.meshgrid(np.arange(5), np.arange(8), indexing="ij")
    y, t, s = module()
    np.testing.assert_array_equal(y, i * 8 + lane * 3)
    np.testing.assert_array_equal(t, (i * 8 + lane < 21) & (lane >= 1))
    np.testing.assert_array_equal(s, [False, True, True, False, False])


@pytest.mark.parametrize("target", ["f16", "bf16"])
def test_narrowing_doubles_rounds_once(main, target):
    """Halfway between two narrow floats, give or take less than an f32 can tell."""
    dtype = FLOATS[target]
    low = np.linspace(-4, 4, N).astype(dtype)
    high = np.nextafter(low, dtype(np.inf))
    middle = (low.astype(np.float64) + high.astype(np.float64)) / 2
    for nudge in (0.0, 1e-12, -1e-12):
        x = middle + nudge
        nearer = np.abs(x - low.astype(np.float64)) < np.abs(high.astype(np.float64) - x)
        even = (low.view(np.uint16) & 1) == 0
        expected = np.where(even if nudge == 0.0 else nearer, low, high)
        check(main, f"arith.truncf {{0}} : {{f64}} to {{{target}}}", ["f64"], target, [x], expected)
