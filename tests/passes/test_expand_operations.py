"""Operations that a target has not, as ones that it has: bit for bit, by rules that users replace."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
import tilewright
from tilewright import TilewrightError
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.ir.rewrites import count_rewrites
from tilewright.passes.framework.bisection import bisect
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.passes.phase3.expand_operations import ExpandOperationsPass
from tilewright.semantics import evaluate
from tilewright.traversal import operations
from xdsl.dialects import arith
from xdsl.dialects.builtin import BFloat16Type, Float16Type, IntegerAttr, ModuleOp, VectorType, f32, i32
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter

DTYPES = {"f16": np.dtype(np.float16), "bf16": np.dtype(ml_dtypes.bfloat16)}
TARGETS = {
    "without": "#target.cpu<features [], vector_bits 128, caches [32768, 0, 0], threads 1>",
    "f16c": '#target.cpu<features ["avx", "f16c", "sse4.1"], vector_bits 256, caches [32768, 0, 0], threads 1>',
}
EVERY = np.arange(1 << 16, dtype=np.uint16)
SPECIAL = np.array(
    [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, 2.0**-24, 2.0**-14, 65504.0, 65520.0, 3.4e38], np.float64
)

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
"""numpy tells of NaN and infinity."""


def kernel(body: str, *types: str, target: str = "without", n: int = 1 << 16) -> ModuleOp:
    """Return a loop over arrays of `types`, the last of which is computed by `body` as %r of %x0, %x1 and so on."""
    names = [f"%X{k}" for k in range(len(types) - 1)]
    arguments = ", ".join(f"{name}: memref<{n}x{type_}>" for name, type_ in zip(names, types, strict=False))
    loads = "\n".join(f"    %x{k} = loop.load {name}[%i] : memref<{n}x{types[k]}>" for k, name in enumerate(names))
    text = f"""
builtin.module attributes {{tw.target = {TARGETS[target]}}} {{
  func.func @main({arguments}, %Y: memref<{n}x{types[-1]}> {{tw.output}}) {{
    loop.for %i = 0 to {n} {{
{loads}
      {body}
      loop.store %r, %Y[%i] : memref<{n}x{types[-1]}>
    }}
    func.return
  }}
}}"""
    return parse(context(), text, "kernel.mlir")


def expanded(module: ModuleOp) -> ModuleOp:
    PassManager(parse_pipeline("expand-operations")).run(context(), module)
    return module


def computed(module: ModuleOp, *inputs: np.ndarray) -> np.ndarray:
    """Return the results of the expanded module, compiled; the interpreter agrees on the first elements."""
    result = tilewright.compile(module.clone(), threads=1)(*inputs)
    few = 64
    small = parse(
        context(),
        str(expanded(module)).replace(f"<{len(result)}x", f"<{few}x").replace(f"to {len(result)} ", f"to {few} "),
        "small.mlir",
    )
    (interpreted,) = evaluate(small, *(x[-few:] for x in inputs))
    assert_same(interpreted, result[-few:])
    return result


def assert_same(found: np.ndarray, expected: np.ndarray) -> None:
    """Check that the bits are the same, or NaN in both."""
    assert found.dtype == expected.dtype
    both_nan = np.isnan(found.astype(np.float64)) & np.isnan(expected.astype(np.float64))
    unsigned = np.dtype(f"u{found.dtype.itemsize}")
    differ = (found.view(unsigned) != expected.view(unsigned)) & ~both_nan
    assert not differ.any(), (np.flatnonzero(differ)[:5], found[differ][:5], expected[differ][:5])


def narrow_operations(module: ModuleOp) -> set[str]:
    """Return the operations that compute with floats of 16 bits."""

    def is_narrow(type_: object) -> bool:
        element = type_.element_type if isinstance(type_, VectorType) else type_
        return isinstance(element, (Float16Type, BFloat16Type))

    moves = ("loop.", "func.", "arith.constant", "arith.bitcast", "vector.broadcast", "builtin.")
    return {
        op.name
        for op in operations(module)
        if any(is_narrow(v.type) for v in (*op.operands, *op.results)) and not op.name.startswith(moves)
    }


@pytest.fixture(params=DTYPES)
def narrow(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.mark.parametrize("target", TARGETS)
def test_every_value_is_widened(narrow: str, target: str) -> None:
    module = kernel(f"%r = arith.extf %x0 : {narrow} to f32", narrow, "f32", target=target)
    x = EVERY.view(DTYPES[narrow])
    assert_same(computed(module, x), x.astype(np.float32))
    assert narrow_operations(module) <= ({"arith.extf"} if (narrow, target) == ("f16", "f16c") else set())


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("source", ["f32", "f64"])
def test_floats_are_rounded_to_nearest_even(narrow: str, source: str, target: str) -> None:
    """Every narrow value, what lies half way to the next, and one bit to each side of that."""
    wide, dtype = np.dtype(f"f{int(source[1:]) // 8}"), DTYPES[narrow]
    exact = EVERY.view(dtype).astype(wide)
    half = (exact + np.append(exact[1:], exact[-1:])) / 2
    for x in (half, np.nextafter(half, wide.type(np.inf)), np.nextafter(half, wide.type(-np.inf))):
        x[: len(SPECIAL)] = SPECIAL.astype(wide)
        module = kernel(f"%r = arith.truncf %x0 : {source} to {narrow}", source, narrow, target=target)
        assert_same(computed(module, x), rounded(x, dtype))


def rounded(values: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Round to nearest, ties to even, once: ml_dtypes goes from float64 to bfloat16 by way of float32."""
    if dtype == np.float16 or values.dtype == np.float32:
        return values.astype(dtype)
    single = values.astype(np.float32)
    bits = single.view(np.uint32)
    inexact = np.isfinite(single) & (single.astype(np.float64) != values)
    over = np.abs(single.astype(np.float64)) > np.abs(values)
    odd = np.where(inexact, (bits - over.astype(np.uint32)) | np.uint32(1), bits)
    return odd.astype(np.uint32).view(np.float32).astype(dtype)


@pytest.mark.parametrize("name", ["addf", "subf", "mulf", "divf", "maximumf", "minnumf"])
def test_arithmetic_is_that_of_the_type(narrow: str, name: str) -> None:
    dtype = DTYPES[narrow]
    functions = {
        "addf": np.add, "subf": np.subtract, "mulf": np.multiply, "divf": np.divide, "maximumf": np.maximum,
        "minnumf": np.fmin,
    }  # fmt: skip
    a = EVERY.view(dtype)
    b = np.random.default_rng(7).permutation(EVERY).view(dtype)
    b[: len(SPECIAL)] = SPECIAL.astype(dtype)
    module = kernel(f"%r = arith.{name} %x0, %x1 : {narrow}", narrow, narrow, narrow)
    with np.errstate(all="ignore"):
        expected = functions[name](a, b).astype(dtype)
    found = computed(module, a, b)
    zeros = (found == 0) & (expected == 0) if name in ("maximumf", "minnumf") else np.zeros(len(a), bool)
    assert_same(np.where(zeros, dtype.type(0), found), np.where(zeros, dtype.type(0), expected))


def test_comparisons_see_every_difference(narrow: str) -> None:
    dtype = DTYPES[narrow]
    a, b = EVERY.view(dtype), np.roll(EVERY, 1).view(dtype)
    module = kernel(f"%r = arith.cmpf olt, %x0, %x1 : {narrow}", narrow, narrow, "i1")
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(computed(module, a, b), a < b)


def test_a_product_and_a_sum_round_once(narrow: str) -> None:
    dtype, n = DTYPES[narrow], 4096
    rng = np.random.default_rng(3)
    a, b, c = (rng.integers(0, 1 << 16, n, np.uint16).view(dtype) for _ in range(3))
    # Products that are ties, and addends that break them from far below.
    steps = np.float64(ml_dtypes.finfo(dtype).eps)
    a[: n // 2] = (1 + steps * rng.integers(0, 64, n // 2)).astype(dtype)
    b[: n // 2] = (1 + steps * rng.integers(0, 64, n // 2)).astype(dtype)
    c[: n // 2] = np.ldexp(rng.choice([-1.0, 0.0, 1.0], n // 2), -rng.integers(10, 24, n // 2)).astype(dtype)
    module = kernel(f"%r = math.fma %x0, %x1, %x2 : {narrow}", narrow, narrow, narrow, narrow, n=n)
    found = computed(module, a, b, c)
    for k in range(n):
        x, y, z = (float(v[k]) for v in (a, b, c))
        if not all(map(np.isfinite, (x, y, z))):
            continue
        exact = Fraction(x) * Fraction(y) + Fraction(z)
        assert float(found[k]) == nearest(exact, dtype), (x, y, z)


def nearest(exact: Fraction, dtype: np.dtype) -> float:
    """Return the value of a narrow type that is nearest to a number, of two the even one."""
    info = ml_dtypes.finfo(dtype)
    if exact == 0:
        return 0.0
    exponent = max(len(bin(abs(exact).numerator)) - len(bin(abs(exact).denominator)), int(info.minexp))
    while Fraction(2) ** exponent > abs(exact) and exponent > int(info.minexp):
        exponent -= 1
    while Fraction(2) ** (exponent + 1) <= abs(exact):
        exponent += 1
    unit = Fraction(2) ** (exponent - int(info.nmant))
    result = round(exact / unit) * unit
    if abs(result) > Fraction(float(info.max)):
        return float(np.copysign(np.inf, float(exact > 0) - 0.5))
    return float(result)


@pytest.mark.parametrize("source", ["i8", "i16", "i32", "i64"])
@pytest.mark.parametrize("cast", ["sitofp", "uitofp"])
def test_integers_are_rounded_once(narrow: str, source: str, cast: str) -> None:
    bits, n = int(source[1:]), 4096
    dtype = DTYPES[narrow]
    rng = np.random.default_rng(bits)
    x = rng.integers(-(1 << (bits - 1)), 1 << (bits - 1), n, np.dtype(f"i{bits // 8}"))
    # Around ties of both types, far enough up that a float32, or a float64, cannot hold the last bit.
    for k, shift in enumerate(range(bits - 2)):
        x[3 * k : 3 * k + 3] = [((1 << shift) | (1 << max(shift - 8, 0))) + d for d in (-1, 0, 1)]
    module = kernel(f"%r = arith.{cast} %x0 : {source} to {narrow}", source, narrow, n=n)
    found = computed(module, x)
    values = x if cast == "sitofp" else x.view(np.dtype(f"u{bits // 8}"))
    expected = [nearest(Fraction(int(v)), dtype) for v in values]
    np.testing.assert_array_equal(found.astype(np.float64), np.array(expected))


@pytest.mark.parametrize("type_", ["f32", "f64"])
@pytest.mark.parametrize("name", ["floor", "ceil", "trunc", "roundeven", "round"])
def test_floats_are_rounded_to_integers(type_: str, name: str) -> None:
    dtype, n = np.dtype(f"f{int(type_[1:]) // 8}"), 4096
    x = np.random.default_rng(5).normal(0, 100, n).astype(dtype)
    x[:512] = np.arange(-256, 256) / 2
    x[512 : 512 + len(SPECIAL)] = SPECIAL.astype(dtype)
    x[600:640] = np.ldexp(np.arange(1, 41) + 0.5, 20).astype(dtype)
    functions = {"floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "roundeven": np.rint}
    expected = (
        functions[name](x) if name != "round" else np.copysign(np.floor(np.abs(x.astype(np.longdouble)) + 0.5), x)
    )
    module = kernel(f"%r = math.{name} %x0 : {type_}", type_, type_, n=n)
    found = computed(module, x)
    assert not any(op.name == f"math.{name}" for op in operations(module))
    assert_same(found, expected.astype(dtype))


@pytest.mark.parametrize("name", ["floordivsi", "ceildivsi", "ceildivui"])
def test_quotients_are_rounded(name: str) -> None:
    values = np.array([-128, -127, -2, -1, 0, 1, 2, 3, 7, 126, 127], np.int8)
    a, b = (v.ravel() for v in np.meshgrid(values, values))
    module = kernel(f"%r = arith.{name} %x0, %x1 : i8", "i8", "i8", "i8", n=len(a))
    found = tilewright.compile(module.clone(), threads=1)(a, b)
    (reference,) = evaluate(module, a, b)
    np.testing.assert_array_equal(found, reference)
    for x, y, r in zip(a.astype(int), b.astype(int), found, strict=True):
        if name.endswith("ui"):
            x, y = x & 255, y & 255
        if y and (x, y) != (-128, -1):
            expected = x // y if name == "floordivsi" else -(-x // y)
            assert (int(r) - expected) % 256 == 0, (x, y, r)


@pytest.fixture
def wrong_rule() -> Iterator[None]:
    """Cut sums of bfloat16 off instead of rounding them."""

    @tilewright.register_lowering("arith.addf", target="cpu", level=99, dtypes=["bfloat16"], exact=True)
    def cut_off(op: Operation, rewriter: PatternRewriter) -> bool:  # pyright: ignore[reportUnusedFunction]
        if not isinstance(op.results[0].type, BFloat16Type):
            return False
        a, b = (arith.ExtFOp(v, f32) for v in op.operands)
        total = arith.AddfOp(a.result, b.result)
        bits = arith.BitcastOp(total.result, i32)
        mask = arith.ConstantOp(IntegerAttr(-(1 << 16), i32))
        kept = arith.AndIOp(bits.result, mask.result)
        whole = arith.BitcastOp(kept.result, f32)
        rewriter.replace(op, [a, b, total, bits, mask, kept, whole, arith.TruncFOp(whole.result, BFloat16Type())])
        return True

    yield
    tilewright.unregister_lowering("arith.addf", "cpu", 99)


@pytest.mark.usefixtures("wrong_rule")
def test_validation_names_the_step_and_bisection_the_rewrite() -> None:
    body = "%p = arith.mulf %x0, %x0 : bf16\n%r = arith.addf %p, %x0 : bf16"
    module = kernel(body, "bf16", "bf16", n=64)
    passes = parse_pipeline("simplify,expand-operations,cse")
    found = bisect(module, passes, 1)
    assert found.position == 2
    assert found.rewrite is not None and "arith.addf" in str(found.rewrite)
    assert isinstance(found.error, TilewrightError)


@pytest.mark.usefixtures("wrong_rule")
def test_rules_of_a_higher_level_come_first() -> None:
    module = kernel("%r = arith.addf %x0, %x0 : bf16", "bf16", "bf16", n=4)
    with count_rewrites() as counter:
        ExpandOperationsPass().apply(context(), module)
    assert any(op.name == "arith.andi" for op in operations(module)) and counter.count > 1


def test_functions_of_narrow_floats_have_the_rules_of_f32() -> None:
    """On vectors a function of f32 is a polynomial, where a library would be called lane by lane."""
    x = np.linspace(-4, 4, 256).astype(np.float16)
    module = kernel("%r = math.exp %x0 : f16", "f16", "f16", n=256)
    program = tilewright.compile(module, threads=1)
    np.testing.assert_allclose(program(x).astype(np.float32), np.exp(x.astype(np.float32)), rtol=1e-3)
    assert "expf" not in program.get_source("llvm")
