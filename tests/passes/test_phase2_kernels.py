"""vectorize, partition-loops and their neighbours on the kernels that they are made for, against numpy."""

from __future__ import annotations

import numpy as np
import pytest
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.locations import source_position
from tilewright.diagnostics.remarks import collect_remarks
from tilewright.dialects import loop
from tilewright.semantics import run

from .loop_programs import apply_passes, module_of

SHAPES = [(1, 1, 1), (1, 7, 3), (5, 16, 4), (3, 17, 8), (4, 31, 5), (2, 33, 1)]
TAILS = (
    "vectorize{width=16}",
    "vectorize{width=16},partition-loops,simplify",
    "vectorize{width=5},partition-loops,unroll,simplify,hoist,cse,remove-no-op",
)


def matmul(m: int, n: int, k: int, kind: str = "") -> str:
    return f"""func.func @main(%A: memref<{m}x{k}xf32>, %B: memref<{k}x{n}xf32>, %C: memref<{m}x{n}xf32>) {{
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to {m} {{
    loop.for %j = 0 to {n}{kind} {{
      loop.store %zero, %C[%i, %j] : memref<{m}x{n}xf32>
      loop.for %k = 0 to {k} {{
        %a = loop.load %A[%i, %k] : memref<{m}x{k}xf32>
        %b = loop.load %B[%k, %j] : memref<{k}x{n}xf32>
        %c = loop.load %C[%i, %j] : memref<{m}x{n}xf32>
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        loop.store %s, %C[%i, %j] : memref<{m}x{n}xf32>
      }}
    }}
  }}
  func.return
}}
"""


def padded_convolution(height: int, width: int) -> str:
    x, y = f"memref<{height}x{width}xf32>", f"memref<{height}x{width}xf32>"
    guard = f"%i + %k >= 1, %i + %k < {height + 1}, %j + %l >= 1, %j + %l < {width + 1}"
    return f"""func.func @main(%X: {x}, %W: memref<3x3xf32>, %Y: {y}) {{
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to {height} kind parallel {{
    loop.for %j = 0 to {width} {{
      %y = loop.for %k = 0 to 3 iter_args(%outer = %zero) -> (f32) {{
        %r = loop.for %l = 0 to 3 iter_args(%acc = %outer) -> (f32) {{
          %x = loop.load %X[%i + %k - 1, %j + %l - 1] where ({guard}) else %zero : {x}
          %w = loop.load %W[%k, %l] : memref<3x3xf32>
          %p = arith.mulf %x, %w : f32
          %s = arith.addf %acc, %p : f32
          loop.yield %s : f32
        }}
        loop.yield %r : f32
      }}
      loop.store %y, %Y[%i, %j] : {y}
    }}
  }}
  func.return
}}
"""


def integers(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).integers(-4, 5, shape).astype(np.float32)


@pytest.mark.parametrize("pipeline", TAILS)
@pytest.mark.parametrize("shape", SHAPES)
def test_matmul(shape: tuple[int, int, int], pipeline: str) -> None:
    m, n, k = shape
    module = apply_passes(module_of(matmul(m, n, k)), pipeline)
    assert ("vector<" in str(module)) == (n > 1)
    a, b, c = integers(m, k), integers(k, n), np.full((m, n), np.nan, np.float32)
    run(module, "main", a, b, c)
    np.testing.assert_array_equal(c, a @ b)


@pytest.mark.parametrize("pipeline", TAILS)
@pytest.mark.parametrize("shape", [(1, 1), (2, 5), (6, 16), (5, 33), (7, 40)])
def test_padded_convolution(shape: tuple[int, int], pipeline: str) -> None:
    module = apply_passes(module_of(padded_convolution(*shape)), pipeline)
    x, w, y = integers(*shape), integers(3, 3), np.full(shape, np.nan, np.float32)
    run(module, "main", x, w, y)
    padded = np.pad(x, 1)
    expected = sum(w[r, s] * padded[r : r + shape[0], s : s + shape[1]] for r in range(3) for s in range(3))
    np.testing.assert_array_equal(y, expected)


def test_partitioned_main_part_has_no_guard() -> None:
    module = apply_passes(module_of(padded_convolution(20, 100)), "vectorize{width=16},partition-loops,simplify")
    plain = [op for op in module.walk() if isinstance(op, loop.LoadOp) and op.lanes == 16 and not op.conditions]
    assert len(plain) == 2, "in the rows of the main part, and in the rows at the border between their ends"


def test_locations_and_name_hints_are_kept() -> None:
    text = matmul(4, 20, 3)
    module = apply_passes(module_of(text), "vectorize{width=16},partition-loops,unroll,simplify,hoist,cse")
    lines = text.split("\n")
    named = 0
    for op in module.walk():
        if op.name.startswith(("loop.", "arith.")):
            position = source_position(op.location)
            assert position is not None, op
            if op.name in ("loop.load", "arith.mulf") and op.results[0].name_hint in ("a", "p"):
                assert f"%{op.results[0].name_hint} = {op.name}" in lines[position.line - 1]
                named += 1
    assert named >= 2


def test_remark_says_why() -> None:
    text = """func.func @main(%A: memref<9xf32>) {
  loop.for %i = 1 to 9 kind vectorized {
    %a = loop.load %A[%i - 1] : memref<9xf32>
    loop.store %a, %A[%i] : memref<9xf32>
  }
  func.return
}
"""
    with collect_remarks() as remarks:
        apply_passes(module_of(text), "vectorize")
    (only,) = remarks
    assert only.code == "TW0510"
    assert only.message == "loop %i is not vectorised: its iterations depend on one another through %A"
    assert str(only).startswith("random.mlir:2:3: remark[TW0510]: ")
    with pytest.raises(TilewrightError, match="TW0510"):
        apply_passes(module_of(text), "vectorize{strict}")


@pytest.mark.parametrize(("bits", "lanes"), [(128, 4), (512, 16)])
def test_long_loops_are_split_by_the_target(bits: int, lanes: int) -> None:
    target = f'#target.cpu<features ["avx2"], vector_bits {bits}, caches [1, 1, 1], threads 1>'
    body = matmul(2, 100, 2, " kind vectorized")
    module = module_of(f"builtin.module attributes {{tw.target = {target}}} {{\n{body}\n}}")
    rewritten = apply_passes(module, "vectorize")
    assert {op.lanes for op in rewritten.walk() if isinstance(op, loop.StoreOp)} == {lanes}


def test_symbolic_sizes() -> None:
    text = """func.func @main(%n: index, %A: memref<?xf32>, %C: memref<?xf32>) {
  loop.for %i = 0 to %n {
    %a = loop.load %A[%i] : memref<?xf32>
    %s = arith.addf %a, %a : f32
    loop.store %s, %C[%i] : memref<?xf32>
  }
  func.return
}
"""
    for pipeline in TAILS:
        module = apply_passes(module_of(text), pipeline)
        assert "vector<" in str(module)
        for n in (0, 1, 15, 16, 17, 32, 47):
            a, c = integers(n), np.zeros(n, np.float32)
            run(module, "main", n, a, c)
            np.testing.assert_array_equal(c, a + a)


def test_width_must_be_sensible() -> None:
    with pytest.raises(TilewrightError, match="expected a width of at least 2, but got 1"):
        apply_passes(module_of(matmul(1, 1, 1)), "vectorize{width=1}")


def test_contraction_rounds_once() -> None:
    text = """builtin.module attributes {tw.target = #target.cpu<features ["fma"], vector_bits 256, caches [1, 1, 1], threads 1>} {
  func.func @main(%X: memref<3xf32>, %C: memref<1xf32>) {
    %a = loop.load %X[0] : memref<3xf32>
    %b = loop.load %X[1] : memref<3xf32>
    %c = loop.load %X[2] : memref<3xf32>
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %p, %c : f32
    loop.store %s, %C[0] : memref<1xf32>
    func.return
  }
}
"""  # noqa: E501
    x = np.array([1 + 2**-12, 1 + 2**-12, -1 - 2**-11], np.float32)
    results = []
    for pipeline in ("simplify", "contract-fma"):
        c = np.zeros(1, np.float32)
        run(apply_passes(module_of(text), pipeline), "main", x, c)
        results.append(float(c[0]))
    assert results == [0.0, 2.0**-24]
