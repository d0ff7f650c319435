"""Computes against numpy: sums in the order of the reduce axes, guards, sizes, calls."""

from __future__ import annotations

import numpy as np
import pytest
from tilewright.diagnostics import TilewrightError
from tilewright.semantics import evaluate, run

from .running import assert_identical, parse


def function(arguments: str, results: str, body: str) -> str:
    return f"func.func @main({arguments}) -> {results} {{\n{body}\n}}"


def module(arguments: str, results: str, body: str):
    return parse("builtin.module {" + function(arguments, results, body) + "}")


def test_matmul_sums_in_order() -> None:
    text = """
        %C = te.compute "C" [%i to 5, %j to 3] reduce [%k to 100] -> tensor<5x3xf32> {
          %a = te.read %A[%i, %k] : tensor<5x100xf32>
          %b = te.read %B[%k, %j] : tensor<100x3xf32>
          %p = arith.mulf %a, %b : f32
          te.reduce <add> %p : f32
        }
        func.return %C : tensor<5x3xf32>"""
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((5, 100)).astype(np.float32), rng.standard_normal((100, 3)).astype(np.float32)
    expected = np.zeros((5, 3), np.float32)
    for k in range(100):
        expected = expected + a[:, k : k + 1] * b[k]
    program = module("%A: tensor<5x100xf32>, %B: tensor<100x3xf32>", "tensor<5x3xf32>", text)
    assert_identical(evaluate(program, a, b)[0], expected)
    assert_identical(run(program, "main", a, b)[0], expected)


def test_several_reduce_axes_run_the_last_one_fastest() -> None:
    """In 24 bits the sum depends on the order: 2^24 + 1 + 1 is 2^24, and 1 + 1 + 2^24 is 2^24 + 2."""
    text = """
        %s = te.compute "s" [] reduce [%i to 2, %j to 2] -> tensor<f32> {
          %a = te.read %A[%i, %j] : tensor<2x2xf32>
          te.reduce <add> %a : f32
        }
        func.return %s : tensor<f32>"""
    program = module("%A: tensor<2x2xf32>", "tensor<f32>", text)
    for a, expected in (
        ([[2**24, 1], [1, 0]], 2**24),
        ([[1, 1], [2**24, 0]], 2**24 + 2),
        ([[1, 2**24], [1, 0]], 2**24),
    ):
        assert_identical(evaluate(program, np.array(a, np.float32))[0], np.array(expected, np.float32))


COMBINERS = {"add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}
DTYPES = {"f32": np.float32, "f64": np.float64, "i8": np.int8, "i64": np.int64}


@pytest.mark.parametrize("type", DTYPES)
@pytest.mark.parametrize("combiner", COMBINERS)
def test_combiners(combiner: str, type: str) -> None:
    text = f"""
        %s = te.compute "s" [%i to 3] reduce [%k to 4] -> tensor<3x{type}> {{
          %a = te.read %A[%k, %i] : tensor<4x3x{type}>
          te.reduce <{combiner}> %a : {type}
        }}
        func.return %s : tensor<3x{type}>"""
    a = np.random.default_rng(0).integers(-9, 9, (4, 3)).astype(DTYPES[type])
    expected = COMBINERS[combiner].reduce(a, axis=0, dtype=a.dtype)
    assert_identical(evaluate(module(f"%A: tensor<4x3x{type}>", f"tensor<3x{type}>", text), a)[0], expected)


@pytest.mark.parametrize(
    ("combiner", "type", "expected"),
    [
        ("add", "f32", np.float32(0)),
        ("mul", "i32", np.int32(1)),
        ("max", "f32", np.float32(-np.inf)),
        ("min", "f64", np.float64(np.inf)),
        ("max", "i8", np.int8(-128)),
        ("min", "i64", np.int64(2**63 - 1)),
    ],
)
def test_an_empty_reduction_is_the_identity(combiner: str, type: str, expected: np.generic) -> None:
    text = f"""
        %n = te.dim %A, 0 : tensor<?x{type}>
        %s = te.compute "s" [] reduce [%k to %n] -> tensor<{type}> {{
          %a = te.read %A[%k] : tensor<?x{type}>
          te.reduce <{combiner}> %a : {type}
        }}
        func.return %s : tensor<{type}>"""
    assert_identical(
        evaluate(module(f"%A: tensor<?x{type}>", f"tensor<{type}>", text), np.zeros(0, expected.dtype))[0],
        np.array(expected),
    )


def test_a_nan_wins() -> None:
    text = """
        %s = te.compute "s" [] reduce [%k to 3] -> tensor<f32>, tensor<f32> {
          %a = te.read %A[%k] : tensor<3xf32>
          %n = arith.negf %a : f32
          te.reduce <max> %a, %n : f32, f32
        }
        func.return %s#0, %s#1 : tensor<f32>, tensor<f32>"""
    text = text.replace("%s = te.compute", "%s, %t = te.compute").replace("%s#0, %s#1", "%s, %t")
    program = module("%A: tensor<3xf32>", "(tensor<f32>, tensor<f32>)", text)
    for order in ([1, np.nan, 3], [np.nan, 1, 2], [1, 2, np.nan]):
        for result in evaluate(program, np.array(order, np.float32)):
            assert_identical(result, np.array(np.nan, np.float32))
    first, second = evaluate(program, np.array([1, 2, 3], np.float32))
    assert_identical(first, np.array(3, np.float32))
    assert_identical(second, np.array(-1, np.float32))


def test_guarded_reads_pad() -> None:
    text = """
        %pad = arith.constant -1.0 : f32
        %y = te.compute "pad" [%i to 6, %j to 4] -> tensor<6x4xf32> {
          %v = te.read %A[%i - 1, %j - 2] where (%i >= 1, %i < 4, %j >= 2) else %pad : tensor<3x2xf32>
          te.yield %v : f32
        }
        func.return %y : tensor<6x4xf32>"""
    a = np.arange(6, dtype=np.float32).reshape(3, 2)
    expected = np.pad(a, ((1, 2), (2, 0)), constant_values=-1)
    assert_identical(evaluate(module("%A: tensor<3x2xf32>", "tensor<6x4xf32>", text), a)[0], expected)


def test_guards_on_reduce_axes() -> None:
    """A convolution whose border is zero."""
    text = """
        %zero = arith.constant 0.0 : f64
        %y = te.compute "conv" [%i to 5] reduce [%k to 3] -> tensor<5xf64> {
          %v = te.read %A[%i + %k - 1] where (%i + %k >= 1, %i + %k < 6) else %zero : tensor<5xf64>
          %w = te.read %W[%k] : tensor<3xf64>
          %p = arith.mulf %v, %w : f64
          te.reduce <add> %p : f64
        }
        func.return %y : tensor<5xf64>"""
    a, w = np.arange(1.0, 6.0), np.array([1.0, 10.0, 100.0])
    expected = np.correlate(np.pad(a, 1), w)
    assert_identical(evaluate(module("%A: tensor<5xf64>, %W: tensor<3xf64>", "tensor<5xf64>", text), a, w)[0], expected)


def test_a_guard_that_never_holds_reads_nothing() -> None:
    text = """
        %one = arith.constant 1.0 : f32
        %y = te.compute "y" [%i to 3] -> tensor<3xf32> {
          %v = te.read %A[%i] where (%i >= 3) else %one : tensor<0xf32>
          te.yield %v : f32
        }
        func.return %y : tensor<3xf32>"""
    program = module("%A: tensor<0xf32>", "tensor<3xf32>", text)
    assert_identical(evaluate(program, np.zeros(0, np.float32))[0], np.ones(3, np.float32))


def test_a_read_outside_is_an_error() -> None:
    text = """
        %y = te.compute "y" [%i to 3, %j to 2] -> tensor<3x2xf32> {
          %v = te.read %A[%i + %j, 0] : tensor<3x1xf32>
          te.yield %v : f32
        }
        func.return %y : tensor<3x2xf32>"""
    program = module("%A: tensor<3x1xf32>", "tensor<3x2xf32>", text)
    with pytest.raises(TilewrightError) as caught:
        evaluate(program, np.zeros((3, 1), np.float32))
    assert caught.value.code == "TW0721"
    assert caught.value.message == "expected an index within [3, 1], but te.read reads %A[3, 0]"


@pytest.mark.parametrize("shape", [(4, 6), (1, 2)])
def test_symbolic_sizes(shape: tuple[int, int]) -> None:
    text = """
        %n = te.dim %A, 0 : tensor<?x?xi32>
        %m = te.dim %A, 1 : tensor<?x?xi32>
        %h = te.apply (%m floordiv 2) : index
        %y = te.compute "y" [%i to %h, %j to %n] -> tensor<?x?xi32> {
          %v = te.read %A[%j, %i * 2 + 1] : tensor<?x?xi32>
          te.yield %v : i32
        }
        func.return %y : tensor<?x?xi32>"""
    a = np.arange(shape[0] * shape[1], dtype=np.int32).reshape(shape)
    program = module("%A: tensor<?x?xi32>", "tensor<?x?xi32>", text)
    assert_identical(evaluate(program, a)[0], np.ascontiguousarray(a[:, 1::2].T))


def test_index_values_conditions_and_constants() -> None:
    text = """
        %w = te.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
        %y = te.compute "y" [%i to 4, %j to 2] -> tensor<4x2xi32> {
          %a = te.read %w[%i] : tensor<4xi32>
          %x = te.apply (%i * 10 + %j) : index
          %b = arith.index_cast %x : index to i32
          %c = te.test (%i >= 1, %j < 1) : i1
          %d = te.test (%i - %i >= 0) : i1
          %e = arith.andi %c, %d : i1
          %v = arith.select %e, %a, %b : i32
          te.yield %v : i32
        }
        %r = te.reshape %y : tensor<4x2xi32> to tensor<8xi32>
        func.return %r : tensor<8xi32>"""
    assert_identical(evaluate(module("", "tensor<8xi32>", text))[0], np.array([0, 1, 2, 11, 3, 21, 4, 31], np.int32))


def test_calls_and_results() -> None:
    program = parse("""builtin.module {
        func.func private @twice(%A: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
          %y = te.compute "y" [%i to 3] -> tensor<3xf32> {
            %v = te.read %A[%i] : tensor<3xf32>
            %s = arith.addf %v, %v : f32
            te.yield %s : f32
          }
          func.return %A, %y : tensor<3xf32>, tensor<3xf32>
        }
        func.func @main(%A: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
          %a, %b = func.call @twice(%A) : (tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
          func.return %b, %a : tensor<3xf32>, tensor<3xf32>
        } }""")
    a = np.array([1.0, 2.0, 3.0], np.float32)
    twice, same = evaluate(program, a)
    assert_identical(twice, 2 * a)
    assert_identical(same, a)
    assert not np.may_share_memory(same, a)


def test_empty_tensors() -> None:
    text = """
        %y = te.compute "y" [%i to 0, %j to 2] reduce [%k to 3] -> tensor<0x2xf32> {
          %v = te.read %A[%i, %k] : tensor<0x3xf32>
          te.reduce <add> %v : f32
        }
        func.return %y : tensor<0x2xf32>"""
    program = module("%A: tensor<0x3xf32>", "tensor<0x2xf32>", text)
    assert_identical(evaluate(program, np.zeros((0, 3), np.float32))[0], np.zeros((0, 2), np.float32))
