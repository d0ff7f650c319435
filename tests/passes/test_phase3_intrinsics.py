"""Lowering rules: which one is asked, and elementary functions against float64 over every exponent."""

from __future__ import annotations

from collections.abc import Iterator
from math import erf

import numpy as np
import pytest
import tilewright.backends  # noqa: F401  (registers the rules)
from tilewright import TilewrightError
from tilewright.passes.framework import intrinsics
from tilewright.passes.framework.intrinsics import register_lowering, rules_for, unregister_lowering
from tilewright.semantics import run
from xdsl.dialects import arith, math
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter

from .loop_programs import apply_passes, module_of

LANES = 4096
REFERENCES = {
    "acos": np.arccos,
    "asin": np.arcsin,
    "atan": np.arctan,
    "cos": np.cos,
    "erf": np.vectorize(erf, otypes=[np.float64]),
    "exp": np.exp,
    "exp2": np.exp2,
    "log": np.log,
    "log10": np.log10,
    "log2": np.log2,
    "sin": np.sin,
    "tan": np.tan,
    "tanh": np.tanh,
}
TARGETS = {"fma": '"fma"', "no fma": ""}


def every_exponent() -> np.ndarray:
    """Return each sign and exponent with 128 mantissas, the special values among them."""
    rng = np.random.default_rng(0)
    high = np.arange(2**16, dtype=np.uint32) << np.uint32(16)
    low = rng.integers(0, 2**16, 2**16, dtype=np.uint32)
    return np.concatenate([high, high | low]).view(np.float32)


def around(*centres: float) -> np.ndarray:
    """Return numbers around the boundaries of a function's formula."""
    offsets = np.arange(-LANES // 2, LANES // 2, dtype=np.int32)
    return np.concatenate([(np.float32(c).view(np.int32) + offsets).view(np.float32) for c in centres])


QUARTER_TURNS = (0.78539816, 1.5707964, 3.1415927, 4.712389, 6.2831855, 1e9, 2.4061e29, 3.4e38)
IN_F64 = ("acos", "asin", "atan", "exp2", "log10", "log2", "tan")
"""Functions whose polynomials are in f64, without fused products and sums."""
INPUTS = {
    "acos": (0.5, -0.5, 1.0, -1.0),
    "asin": (0.5, -0.5, 1.0, -1.0),
    "atan": (2.4142135, 0.41421356, -1.0, 1e8),
    "cos": QUARTER_TURNS,
    "sin": QUARTER_TURNS,
    "tan": QUARTER_TURNS,
    "exp": (88.72284, -87.33655, -103.97208, 0.34657359),
    "exp2": (128.0, -126.0, -149.0, 0.5),
    "log10": (1.0, 10.0, 1.41421356, 1.17549435e-38),
    "log2": (1.0, 2.0, 1.41421356, 1.17549435e-38),
    "log": (1.0, 0.70710678, 1.41421356, 1.17549435e-38),
    "tanh": (0.625, -0.625, 10.0, 9.01),
    "erf": (0.92, -0.92, 3.93, 1.0),
}


def lowered(function: str, features: str):
    text = f"""builtin.module attributes {{tw.target = #target.cpu<features [{features}], vector_bits 512, caches [1, 1, 1], threads 1>}} {{
  func.func @main(%X: memref<?xf32>, %n: index, %Y: memref<?xf32>) {{
    loop.for %i = 0 to %n {{
      %x = loop.load %X[%i * {LANES} + lane] : memref<?xf32>, vector<{LANES}xf32>
      %y = math.{function} %x : vector<{LANES}xf32>
      loop.store %y, %Y[%i * {LANES} + lane] : vector<{LANES}xf32>, memref<?xf32>
    }}
    func.return
  }}
}}"""  # noqa: E501
    module = apply_passes(module_of(text), "lower-intrinsics,hoist,cse")
    assert f"math.{function}" not in str(module)
    assert ("math.fma" in str(module)) == (bool(features) and function not in IN_F64)
    return module


@pytest.mark.each("features", TARGETS.values(), ids=TARGETS.keys())
@pytest.mark.parametrize("function", REFERENCES)
def test_within_two_ulp_everywhere(function: str, features: str) -> None:
    x = np.concatenate([every_exponent(), around(*INPUTS[function])])
    y = np.empty_like(x)
    run(lowered(function, features), "main", x, x.size // LANES, y)
    with np.errstate(all="ignore"):
        exact = REFERENCES[function](x.astype(np.float64))
        rounded = exact.astype(np.float32)
    np.testing.assert_array_equal(np.isnan(y), np.isnan(exact))
    infinite = np.isinf(rounded)
    np.testing.assert_array_equal(y[infinite], rounded[infinite])
    finite = np.isfinite(rounded)
    ulp = np.spacing(np.maximum(np.abs(rounded[finite]), np.float32(1e-45))).astype(np.float64)
    error = np.abs(y[finite].astype(np.float64) - exact[finite]) / ulp
    worst = int(np.argmax(error))
    assert error[worst] <= 2.0, f"{error[worst]:.2f} ULP at {x[finite][worst]!r}"
    zeros = (x == 0) & (rounded == 0)
    np.testing.assert_array_equal(np.signbit(y[zeros]), np.signbit(rounded[zeros]))


def test_scalars_and_vectors_agree() -> None:
    x = np.concatenate([every_exponent()[::997], around(1.0)[::97]])
    text = """func.func @main(%X: memref<?xf32>, %n: index, %Y: memref<?xf32>, %Z: memref<?xf32>) {
  loop.for %i = 0 to %n {
    %x = loop.load %X[%i] : memref<?xf32>
    %y = math.exp %x : f32
    loop.store %y, %Y[%i] : memref<?xf32>
    %v = loop.load %X[%i + lane * 0] : memref<?xf32>, vector<2xf32>
    %w = math.exp %v : vector<2xf32>
    loop.store %w, %Z[%i + lane * 0] : vector<2xf32>, memref<?xf32>
  }
  func.return
}
"""
    y, z = np.empty_like(x), np.empty_like(x)
    run(apply_passes(module_of(text), "lower-intrinsics{target=cpu}"), "main", x, x.size, y, z)
    np.testing.assert_array_equal(y.view(np.int32), z.view(np.int32))


@pytest.fixture
def rule_table(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Remove the rules that the test registers afterwards."""
    monkeypatch.setattr(intrinsics, "_rules", {key: dict(levels) for key, levels in intrinsics._rules.items()})
    yield


def doubled(op: Operation, rewriter: PatternRewriter) -> bool:
    rewriter.replace(op, arith.AddfOp(op.operands[0], op.operands[0]))
    return True


def declining(op: Operation, rewriter: PatternRewriter) -> bool:
    return False


HYPERBOLIC = """func.func @main(%X: memref<1xf32>, %Y: memref<1xf32>) {
  %x = loop.load %X[0] : memref<1xf32>
  %y = math.acosh %x : f32
  loop.store %y, %Y[0] : memref<1xf32>
  func.return
}
"""


def result(pipeline: str) -> float:
    y = np.zeros(1, np.float32)
    run(apply_passes(module_of(HYPERBOLIC), pipeline), "main", np.full(1, 3, np.float32), y)
    return float(y[0])


@pytest.mark.usefixtures("rule_table")
def test_highest_level_wins_and_may_decline() -> None:
    register_lowering("math.acosh", target="cpu")(doubled)
    assert result("lower-intrinsics{target=cpu}") == 6.0

    @register_lowering("math.acosh", target="cpu", level=99)
    def negated(op: Operation, rewriter: PatternRewriter) -> bool:
        rewriter.replace(op, arith.NegfOp(op.operands[0]))
        return True

    assert result("lower-intrinsics{target=cpu}") == -3.0
    unregister_lowering("math.acosh", target="cpu", level=99)
    register_lowering("math.acosh", target="cpu", level=99)(declining)
    assert result("lower-intrinsics{target=cpu}") == 6.0
    assert rules_for("math.acosh", "cpu") == [declining, doubled]


@pytest.mark.usefixtures("rule_table")
def test_default_rules_come_last() -> None:
    register_lowering("math.acosh", level=50)(doubled)
    assert result("lower-intrinsics{target=cpu}") == 6.0
    assert result("lower-intrinsics") == 6.0
    register_lowering("math.acosh", target="cpu")(declining)
    assert rules_for("math.acosh", "cpu") == [declining, doubled]
    assert rules_for("math.acosh", "cuda") == [doubled]


@pytest.mark.usefixtures("rule_table")
def test_result_is_visited_again() -> None:
    @register_lowering("math.acosh", target="cpu")
    def as_asinh(op: Operation, rewriter: PatternRewriter) -> bool:
        rewriter.replace(op, math.AsinhOp(op.operands[0]))
        return True

    register_lowering("math.asinh", target="cpu")(doubled)
    assert result("lower-intrinsics{target=cpu}") == 6.0


@pytest.mark.usefixtures("rule_table")
def test_equal_levels_are_an_error() -> None:
    register_lowering("math.acosh", target="cpu")(doubled)
    register_lowering("math.acosh", target="cpu")(doubled)  # the same again, as when a module is reloaded
    with pytest.raises(TilewrightError, match="TW0215"):
        register_lowering("math.acosh", target="cpu")(declining)
    with pytest.raises(TilewrightError, match="a rule of level 10 for 'math.exp' on target 'cpu'"):
        register_lowering("math.exp", target="cpu")(doubled)
