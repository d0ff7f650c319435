"""Loops, blocks, conditionals and calls."""

from __future__ import annotations

import numpy as np
import pytest
from tilewright.diagnostics import TilewrightError
from tilewright.semantics import evaluate, run
from tilewright.semantics.program import Program

from .running import assert_identical, main, parse

MATMUL = """
func.func {visibility} @{name}(%A: memref<16x16xf32>, %B: memref<16x16xf32>, %C: memref<16x16xf32> {{tw.output}}) {{
  %zero = arith.constant 0.0 : f32
  loop.for %io = 0 to 3 kind parallel {{ loop.for %ii = 0 to 6 {{ loop.for %j = 0 to 16 {{ loop.for %k = 0 to 16 {{
    loop.block "C" (%vi = spatial(%io * 6 + %ii) in 16, %vj = spatial(%j) in 16, %vk = reduce(%k) in 16)
        where (%io * 6 + %ii < 16) {{
      loop.init {{ loop.store %zero, %C[%vi, %vj] : memref<16x16xf32> }}
      %a = loop.load %A[%vi, %vk] : memref<16x16xf32>
      %b = loop.load %B[%vk, %vj] : memref<16x16xf32>
      %p = arith.mulf %a, %b : f32
      %c = loop.load %C[%vi, %vj] : memref<16x16xf32>
      %s = arith.addf %c, %p : f32
      loop.store %s, %C[%vi, %vj] : memref<16x16xf32>
    }}
  }} }} }} }}
  func.return
}}
"""


def matrices(dtype: type = np.float32) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((16, 16)).astype(dtype) for _ in range(2))
    return a, b


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the matrix product, summed in the order of k with every step rounded."""
    total = np.zeros((len(a), b.shape[1]), a.dtype)
    for k in range(len(b)):
        total = total + a[:, k : k + 1] * b[k]
    return total


def test_blocked_matmul() -> None:
    """Six rows at a time, the last block cut off by its guard."""
    program = Program(parse("builtin.module {" + MATMUL.format(visibility="", name="main") + "}"))
    a, b = matrices()
    for _ in range(2):  # the second time by what the first one prepared
        (c,) = program.evaluate("main", a, b)
        assert_identical(c, product(a, b))


def test_call_in_destination_passing_style() -> None:
    module = parse(
        "builtin.module {"
        + MATMUL.format(visibility="private", name="matmul")
        + """
        func.func @main(%A: memref<16x16xf32>, %B: memref<16x16xf32>, %C: memref<16x16xf32> {tw.output}) {
          %t = loop.alloc : memref<16x16xf32>
          func.call @matmul(%A, %B, %t) : (memref<16x16xf32>, memref<16x16xf32>, memref<16x16xf32>) -> ()
          func.call @matmul(%t, %B, %C) : (memref<16x16xf32>, memref<16x16xf32>, memref<16x16xf32>) -> ()
          func.return
        } }"""
    )
    a, b = matrices()
    assert_identical(evaluate(module, a, b)[0], product(product(a, b), b))
    c = np.zeros((16, 16), np.float32)
    assert run(module, "main", a, b, c) == ()
    assert_identical(c, product(product(a, b), b))


@pytest.mark.parametrize("kind", ["", "kind parallel", "kind vectorized", "kind unrolled", "kind vthread"])
def test_every_kind_runs_its_iterations_in_order(kind: str) -> None:
    module = main(
        "%y: memref<4xindex> {tw.output}",
        f"""
        %n = loop.alloc : memref<1xindex>
        %zero = arith.constant 0 : index
        loop.store %zero, %n[0] : memref<1xindex>
        loop.for %i = 3 to 7 {kind} {{
          %k = loop.load %n[0] : memref<1xindex>
          loop.store %i, %y[%k] : memref<4xindex>
          %next = loop.apply (%k + 1) : index
          loop.store %next, %n[0] : memref<1xindex>
        }}""",
    )
    assert_identical(evaluate(module)[0], np.array([3, 4, 5, 6]))


def test_thread_kind() -> None:
    module = main(
        "%y: memref<2x3xindex> {tw.output}",
        """
        loop.for %i = 0 to 2 kind thread<"blockIdx.x"> { loop.for %j = 0 to 3 kind thread<"threadIdx.x"> {
          %k = loop.apply (%i * 3 + %j) : index
          loop.store %k, %y[%i, %j] : memref<2x3xindex>
        } }""",
    )
    assert_identical(evaluate(module)[0], np.arange(6).reshape(2, 3))


@pytest.mark.parametrize("n", [0, 1, 4, 9])
def test_bounds_are_extremes(n: int) -> None:
    module = main(
        "%n: index, %y: memref<12xi32> {tw.output}",
        """
        %zero = arith.constant 0 : i32
        %one = arith.constant 1 : i32
        loop.for %i = 0 to 12 { loop.store %zero, %y[%i] : memref<12xi32> }
        loop.for %i = max(2, %n - 3) to min(%n + 2, 10) { loop.store %one, %y[%i] : memref<12xi32> }""",
    )
    expected = np.zeros(12, np.int32)
    expected[max(2, n - 3) : max(0, min(n + 2, 10))] = 1
    assert_identical(evaluate(module, n)[0], expected)


@pytest.mark.parametrize("n", [0, 1, 7])
def test_carried_values(n: int) -> None:
    """Fibonacci: both values change at once; without an iteration the initial ones remain."""
    module = main(
        "%n: index, %y: memref<2xi64> {tw.output}",
        """
        %zero = arith.constant 0 : i64
        %one = arith.constant 1 : i64
        %a, %b = loop.for %i = 0 to %n iter_args(%x = %zero, %y1 = %one) -> (i64, i64) {
          %z = arith.addi %x, %y1 : i64
          loop.yield %y1, %z : i64, i64
        }
        loop.store %a, %y[0] : memref<2xi64>
        loop.store %b, %y[1] : memref<2xi64>""",
    )
    fibonacci = [0, 1, 1, 2, 3, 5, 8, 13, 21]
    assert_identical(evaluate(module, n)[0], np.array(fibonacci[n : n + 2]))


def test_conditionals() -> None:
    module = main(
        "%y: memref<6xi32> {tw.output}",
        """
        %a = arith.constant 1 : i32
        %b = arith.constant 2 : i32
        %c = arith.constant 3 : i32
        loop.for %i = 0 to 6 {
          loop.store %a, %y[%i] : memref<6xi32>
          loop.if (%i >= 2, %i < 5) {
            loop.store %b, %y[%i] : memref<6xi32>
          } else {
            loop.if (%i >= 5) { loop.store %c, %y[%i] : memref<6xi32> }
          }
        }""",
    )
    assert_identical(evaluate(module)[0], np.array([1, 1, 2, 2, 2, 3], np.int32))


def test_init_where_all_reduce_variables_are_zero() -> None:
    module = main(
        "%y: memref<3xi32> {tw.output}",
        """
        %ten = arith.constant 10 : i32
        %one = arith.constant 1 : i32
        loop.for %i = 0 to 3 { loop.for %j = 0 to 2 { loop.for %k = 0 to 2 {
          loop.block "count" (%vi = spatial(%i) in 3, %vj = reduce(%j) in 2, %vk = reduce(-%k + 1) in 2) {
            loop.init { loop.store %ten, %y[%vi] : memref<3xi32> }
            %o = loop.load %y[%vi] : memref<3xi32>
            %s = arith.addi %o, %one : i32
            loop.store %s, %y[%vi] : memref<3xi32>
          }
        } } }""",
    )
    # The second instance resets the count of the first: 10, then three times one more.
    assert_identical(evaluate(module)[0], np.full(3, 13, np.int32))


def test_block_bound_outside_of_its_domain() -> None:
    module = main(
        "%y: memref<8xindex> {tw.output}",
        """
        loop.for %i = 0 to 6 {
          loop.block "B" (%v = spatial(%i * 2) in 9) { loop.store %v, %y[0] : memref<8xindex> }
        }""",
    )
    with pytest.raises(TilewrightError) as caught:
        evaluate(module)
    assert (caught.value.code, caught.value.message) == (
        "TW0722",
        "expected iteration variable %v within [0, 9), but it is bound to 10",
    )


def test_delinearize() -> None:
    module = main(
        "%n: index, %m: index, %y: memref<12x2xindex> {tw.output}",
        """
        loop.for %f = 0 to 12 {
          %i, %j = loop.delinearize %f into (%n, %m)
          loop.store %i, %y[%f, 0] : memref<12x2xindex>
          loop.store %j, %y[%f, 1] : memref<12x2xindex>
        }""",
    )
    expected = np.stack(np.unravel_index(np.arange(12), (3, 4)), axis=1)
    assert_identical(evaluate(module, 3, 4)[0], expected)
    with pytest.raises(TilewrightError, match="below the product of \\[3, 3\\], but got 9"):
        evaluate(module, 3, 3)


def test_index_expressions_floor() -> None:
    module = main(
        "%y: memref<9x3xindex> {tw.output}",
        """
        loop.for %i = 0 to 9 {
          %a = loop.apply ((%i - 4) floordiv 3) : index
          %b = loop.apply ((%i - 4) mod 3 - %i * 2 + 7) : index
          %c = loop.apply (-((%i * 2) floordiv 5) * 3) : index
          loop.store %a, %y[%i, 0] : memref<9x3xindex>
          loop.store %b, %y[%i, 1] : memref<9x3xindex>
          loop.store %c, %y[%i, 2] : memref<9x3xindex>
        }""",
    )
    i = np.arange(9)
    assert_identical(evaluate(module)[0], np.stack([(i - 4) // 3, (i - 4) % 3 - i * 2 + 7, -(i * 2 // 5) * 3], axis=1))


def test_test_is_an_i1() -> None:
    module = main(
        "%y: memref<5xi32> {tw.output}, %z: memref<5xi1> {tw.output}",
        """
        loop.for %i = 0 to 5 {
          %t = loop.test (%i >= 1, %i < 4) : i1
          %e = arith.extsi %t : i1 to i32
          loop.store %e, %y[%i] : memref<5xi32>
          loop.store %t, %z[%i] : memref<5xi1>
        }""",
    )
    y, z = evaluate(module)
    assert_identical(y, np.array([0, -1, -1, -1, 0], np.int32))
    assert_identical(z, np.array([False, True, True, True, False]))


@pytest.mark.parametrize("depth", [15, 16, 40])
def test_deep_nests(depth: int) -> None:
    """Python takes 20 nested loops in a function; values cross the functions that they are divided into."""
    opening = "\n".join(f"loop.for %i{d} = 0 to {2 if d in (3, 20) else 1} {{" for d in range(depth))
    module = main(
        "%y: memref<1xi32> {tw.output}",
        f"""
        %zero = arith.constant 0 : i32
        %one = arith.constant 1 : i32
        loop.store %zero, %y[0] : memref<1xi32>
        {opening}
          %s = loop.for %k = 0 to 3 iter_args(%acc = %zero) -> (i32) {{
            %n = arith.addi %acc, %one : i32
            loop.yield %n : i32
          }}
          %o = loop.load %y[0] : memref<1xi32>
          %r = arith.addi %o, %s : i32
          loop.store %r, %y[0] : memref<1xi32>
        {"}" * depth}""",
    )
    assert_identical(evaluate(module)[0], np.array([3 * 2 * (2 if depth > 20 else 1)], np.int32))


def test_nest_too_deep() -> None:
    opening = "\n".join(f"loop.for %i{d} = 0 to 1 {{" for d in range(100))
    with pytest.raises(TilewrightError) as caught:
        evaluate(main("", opening + "}" * 100))
    assert caught.value.code == "TW0105"


def test_scalar_results_and_calls() -> None:
    module = parse("""builtin.module {
        func.func private @square(%x: f32) -> (f32, index) {
          %c = arith.constant 7 : index
          %y = arith.mulf %x, %x : f32
          func.return %y, %c : f32, index
        }
        func.func @main(%x: f32) -> (index, f32) {
          %a, %n = func.call @square(%x) : (f32) -> (f32, index)
          %b, %m = func.call @square(%a) : (f32) -> (f32, index)
          func.return %m, %b : index, f32
        } }""")
    n, value = run(module, "main", 1.1)
    assert n == 7
    assert_identical(value, np.float32(np.float32(1.1) * np.float32(1.1)) ** 2)


def test_step_budget() -> None:
    module = main("", "loop.for %i = 0 to 10 { loop.for %j = 0 to 10 { %k = loop.apply (%i + %j) : index } }")
    evaluate(module, step_budget=110)
    with pytest.raises(TilewrightError) as caught:
        evaluate(module, step_budget=109)
    assert caught.value.code == "TW0724"
    endless = main("", "loop.for %i = 0 to 1000000000000 { %k = loop.apply (%i + 1) : index }")
    with pytest.raises(TilewrightError, match="expected at most 1000 operations"):
        evaluate(endless, step_budget=1000)


def test_unknown_operation_is_refused() -> None:
    body = "%c = arith.constant 0 : index\n%y = memref.load %x[%c] : memref<4xf32>"
    with pytest.raises(TilewrightError, match="expected an operation with reference semantics, but got memref.load"):
        run(main("%x: memref<4xf32>", body), "main", np.zeros(4, np.float32))
