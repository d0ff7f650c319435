"""Loops, conditions, buffers and index expressions in kernels, against the interpreter."""

from __future__ import annotations

import random

import numpy as np
import pytest
from legal import legal
from tilewright.backends.cuda.module import build, cuda_python_text
from tilewright.backends.interpreter import build as interpret
from tilewright.diagnostics import TilewrightError
from tilewright.dialects import context
from xdsl.parser import Parser

RANDOM = np.random.default_rng(0)


def agree(parse, text: str, *arrays: np.ndarray) -> str:
    """Run a program in the simulator and in the interpreter; the source of its kernels."""
    module = build(legal(parse(text), "cuda"), device="simulator")
    expected = interpret(parse(text))(*arrays)
    np.testing.assert_array_equal(module(*arrays), expected)
    np.testing.assert_array_equal(interpret(legal(parse(text), "cuda"))(*arrays), expected)
    return module.get_source()


def in_one_thread(body: str, inputs: str = "%x: memref<20xf32>", output: str = "memref<20xf32>") -> str:
    return f"""
    func.func @main({inputs}, %out: {output} {{tw.output}}) {{
      loop.for %t = 0 to 1 kind thread<"threadIdx.x"> {{ {body} }}
      func.return
    }}"""


X = RANDOM.normal(size=20).astype(np.float32)


def test_carried_values_are_exchanged(parse) -> None:
    """Both next values are computed from the old ones."""
    body = """
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %s, %p = loop.for %i = 0 to 20 iter_args(%a = %zero, %b = %one) -> (f32, f32) {
      %v = loop.load %x[%i] : memref<20xf32>
      %c = arith.addf %b, %v : f32
      loop.yield %c, %a : f32, f32
    }
    loop.store %s, %out[0] : memref<2xf32>
    loop.store %p, %out[1] : memref<2xf32>"""
    source = agree(parse, in_one_thread(body, output="memref<2xf32>"), X)
    assert "a, b = b + x[uint64(i)], a" in source


def test_carried_vectors(parse) -> None:
    body = """
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %s = loop.for %i = 0 to 5 iter_args(%a = %zero) -> (vector<4xf32>) {
      %v = loop.load %x[%i * 4 + lane] : memref<20xf32>, vector<4xf32>
      %b = arith.addf %a, %v : vector<4xf32>
      loop.yield %b : vector<4xf32>
    }
    loop.store %s, %out[lane] : vector<4xf32>, memref<4xf32>"""
    agree(parse, in_one_thread(body, output="memref<4xf32>"), X)


def test_loads_stay_before_later_stores(parse) -> None:
    """%a and %v are used after their elements are overwritten."""
    body = """
    loop.for %i = 0 to 20 {
      %v = loop.load %x[%i] : memref<20xf32>
      loop.store %v, %out[%i] : memref<20xf32>
    }
    %a = loop.load %out[0] : memref<20xf32>
    %b = loop.load %out[1] : memref<20xf32>
    loop.store %b, %out[0] : memref<20xf32>
    loop.store %a, %out[1] : memref<20xf32>
    %v = loop.load %out[lane + 4] : memref<20xf32>, vector<4xf32>
    %w = loop.load %out[lane + 8] : memref<20xf32>, vector<4xf32>
    loop.store %w, %out[lane + 4] : vector<4xf32>, memref<20xf32>
    loop.store %v, %out[lane + 8] : vector<4xf32>, memref<20xf32>"""
    agree(parse, in_one_thread(body), X)


@pytest.mark.parametrize("shift", [1, 4])
def test_lanes_do_not_see_each_other(parse, shift: int) -> None:
    """A vector is read wholly before the next one is written over a part of it."""
    body = f"""
    loop.for %i = 0 to 20 {{
      %v = loop.load %x[%i] : memref<20xf32>
      loop.store %v, %out[%i] : memref<20xf32>
    }}
    %a = loop.load %out[lane] : memref<20xf32>, vector<8xf32>
    loop.store %a, %out[lane + {shift}] : vector<8xf32>, memref<20xf32>"""
    agree(parse, in_one_thread(body), X)


def test_masked_vectors(parse) -> None:
    body = """
    %zero = arith.constant 0.0 : f32
    loop.for %i = 0 to 6 {
      %v = loop.load %x[%i * 4 + lane - 2] where (%i * 4 + lane >= 2, %i * 4 + lane < 22) else %zero
        : memref<20xf32>, vector<4xf32>
      %w = arith.addf %v, %v : vector<4xf32>
      loop.store %w, %out[%i * 4 + lane] where (%i * 4 + lane < 20) : vector<4xf32>, memref<20xf32>
    }"""
    agree(parse, in_one_thread(body), X)


def test_strided_and_misaligned_vectors(parse) -> None:
    """Every second element, the order turned round, and starts that no vector can have."""
    body = """
    loop.for %i = 0 to 2 {
      %a = loop.load %x[%i * 8 + lane * 2] : memref<20xf32>, vector<4xf32>
      %b = loop.load %x[-lane + 3 + %i] : memref<20xf32>, vector<4xf32>
      %c = loop.load %x[%i + lane] : memref<20xf32>, vector<4xf32>
      %ab = arith.addf %a, %b : vector<4xf32>
      %abc = arith.addf %ab, %c : vector<4xf32>
      loop.store %abc, %out[%i * 4 + lane] : vector<4xf32>, memref<8xf32>
    }"""
    source = agree(parse, in_one_thread(body, output="memref<8xf32>"), X)
    assert source.count("device.load") == 0
    assert source.count("device.store4") == 1


def test_conditions_and_lanes_as_values(parse) -> None:
    body = """
    loop.for %i = 0 to 5 {
      %m = loop.test (%i * 4 + lane >= 7, %i < 4) : vector<4xi1>
      %a = loop.load %x[%i * 4 + lane] : memref<20xf32>, vector<4xf32>
      %n = arith.negf %a : vector<4xf32>
      %r = arith.select %m, %a, %n : vector<4xi1>, vector<4xf32>
      loop.store %r, %out[%i * 4 + lane] : vector<4xf32>, memref<20xf32>
    }"""
    agree(parse, in_one_thread(body), X)


def test_bounds_with_several_parts_and_branches(parse) -> None:
    body = """
    %one = arith.constant 1.0 : f32
    loop.for %i = 0 to 20 { loop.store %one, %out[%i] : memref<20xf32> }
    loop.for %i = 0 to 5 {
      loop.for %j = max(%i * 2 - 3, 1) to min(%i * 3 + 2, 13 - %i) {
        loop.if (%i + %j < 9, %j mod 3 >= 1) {
          %v = loop.load %x[%j] : memref<20xf32>
          %o = loop.load %out[%i + %j] : memref<20xf32>
          %s = arith.addf %v, %o : f32
          loop.store %s, %out[%i + %j] : memref<20xf32>
        } else {
          loop.if (%i < 7) {
            %o = loop.load %out[%j] : memref<20xf32>
            %s = arith.addf %o, %o : f32
            loop.store %s, %out[%j] : memref<20xf32>
          }
        }
      }
    }"""
    agree(parse, in_one_thread(body), X)


def test_private_elements_behind_a_bound_that_varies(parse) -> None:
    """The loop ends at a constant, so that the array can be registers; the bound becomes a condition."""
    body = """
    %zero = arith.constant 0.0 : f32
    loop.for %i = 0 to 5 {
      %own = loop.alloc : memref<4xf32, "register">
      loop.for %j = 0 to 4 kind unrolled { loop.store %zero, %own[%j] : memref<4xf32, "register"> }
      loop.for %j = 0 to min(4, 18 - %i * 4) {
        %v = loop.load %x[%i * 4 + %j] : memref<20xf32>
        loop.store %v, %own[%j] : memref<4xf32, "register">
      }
      loop.for %j = 0 to 4 kind unrolled {
        %v = loop.load %own[%j] : memref<4xf32, "register">
        loop.store %v, %out[%i * 4 + %j] : memref<20xf32>
      }
    }"""
    source = agree(parse, in_one_thread(body), X)
    assert "range(4)" in source and "min(" not in source


def test_delinearised_indices(parse) -> None:
    text = """
    func.func @main(%x: memref<?x?xf32>, %out: memref<?x?xf32> {tw.output}) {
      %n = loop.dim %x, 0 : memref<?x?xf32>
      %m = loop.dim %x, 1 : memref<?x?xf32>
      loop.bind %out shape [%m, %n] strides [%n, 1] : memref<?x?xf32>
      loop.for %b = 0 to ((%n + 3) floordiv 4) kind thread<"blockIdx.x"> {
        loop.for %t = 0 to 4 kind thread<"threadIdx.x"> {
          loop.for %j = 0 to %m {
            loop.if (%b * 4 + %t < %n) {
              %v = loop.load %x[%b * 4 + %t, %j] : memref<?x?xf32>
              loop.store %v, %out[%j, %b * 4 + %t] : memref<?x?xf32>
            }
          }
        }
      }
      func.return
    }"""
    for shape in ((1, 1), (5, 3), (8, 7)):
        agree(parse, text, RANDOM.normal(size=shape).astype(np.float32))


@pytest.mark.parametrize("element", ["i1", "i8", "f16", "bf16", "f64"])
@pytest.mark.parametrize("scope", ["local", "shared"])
def test_buffers_of_every_type(parse, element: str, scope: str) -> None:
    import ml_dtypes

    dtypes = {"i1": bool, "i8": np.int8, "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f64": np.float64}
    text = f"""
    func.func @main(%x: memref<8x{element}>, %out: memref<8x{element}> {{tw.output}}) {{
      loop.for %b = 0 to 1 kind thread<"blockIdx.x"> {{
        %s = loop.alloc : memref<8x{element}, "{scope}">
        loop.for %t = 0 to 1 kind thread<"threadIdx.x"> {{
          loop.for %i = 0 to 8 {{
            %v = loop.load %x[%i] : memref<8x{element}>
            loop.store %v, %s[7 - %i] : memref<8x{element}, "{scope}">
          }}
          loop.for %i = 0 to 8 {{
            %v = loop.load %s[%i] : memref<8x{element}, "{scope}">
            loop.store %v, %out[%i] : memref<8x{element}>
          }}
        }}
      }}
      func.return
    }}"""
    x = (np.arange(8) % 3).astype(dtypes[element])
    module = build(legal(parse(text), "cuda"), device="simulator")
    np.testing.assert_array_equal(module(x).astype(np.float64), x[::-1].astype(np.float64))


def expression(depth: int) -> str:
    """Return a quasi-affine expression over %i and %j, of any sign."""
    if depth == 0:
        return random.choice(["%i", "%j", "%i", str(random.randint(-9, 9))])
    match random.randrange(4):
        case 0:
            return f"({expression(depth - 1)} + {expression(depth - 1)})"
        case 1:
            return f"({expression(depth - 1)} * {random.choice([-3, -1, 2, 5, 8])})"
        case 2:
            return f"({expression(depth - 1)} floordiv {random.choice([2, 3, 7, 8, 16])})"
        case _:
            return f"({expression(depth - 1)} mod {random.choice([2, 3, 4, 7, 16])})"


@pytest.mark.parametrize("seed", range(4))
def test_index_expressions(parse, seed: int) -> None:
    """Sums, quotients and remainders of both signs, as values and as conditions."""
    random.seed(seed)
    count = 12
    lines: list[str] = []
    for n in range(count):
        lines += [
            f"%e{n} = loop.apply {expression(3)} : index",
            f"%v{n} = arith.index_cast %e{n} : index to i64",
            f"loop.store %v{n}, %out[%i, %j, {2 * n}] : memref<8x5x{2 * count}xi64>",
            f"%c{n} = loop.test ({expression(2)} < {expression(2)}) : i1",
            f"%w{n} = arith.extui %c{n} : i1 to i64",
            f"loop.store %w{n}, %out[%i, %j, {2 * n + 1}] : memref<8x5x{2 * count}xi64>",
        ]
    text = f"""
    func.func @main(%x: memref<1xf32>, %out: memref<8x5x{2 * count}xi64> {{tw.output}}) {{
      loop.for %i = 0 to 8 kind thread<"threadIdx.x"> {{
        loop.for %j = 0 to 5 {{ {" ".join(lines)} }}
      }}
      func.return
    }}"""
    agree(parse, text, np.zeros(1, np.float32))


@pytest.mark.parametrize(
    "text, code, message",
    [
        ("func.func private @f() { func.return }", "TW0601", "expected a function @main"),
        ('func.func @main(%x: memref<4xf32, "user">) { %n = loop.dim %x, 0 : memref<4xf32, "user"> func.return }',
         "TW0601", "buffer of scope global, local, register, shared or warp"),
        ('func.func @main() { loop.for %t = 0 to 4 kind thread<"threadIdx.x"> { '
         "loop.for %i = 0 to 4 kind vectorized { } } func.return }", "TW0601", "kind serial, unrolled, thread"),
        ("func.func @main() { func.call @main() : () -> () func.return }", "TW0601", "without recursion"),
        ("func.func @main() { func.call @f() : () -> () func.return } func.func private @f()",
         "TW0601", "expected a definition of function @f"),
        ('func.func @main() { "test.op"() : () -> () func.return }', "TW0601", "that the cuda backend executes"),
        ('func.func @main(%x: memref<4xf32>) { loop.for %t = 0 to 4 kind thread<"threadIdx.x"> { '
         "%a = loop.alloc (%t) : memref<?xf32> } func.return }", "TW0631", "constant extents"),
    ],
)  # fmt: skip
def test_not_executable(text: str, code: str, message: str) -> None:
    from xdsl.dialects.test import Test

    known = context()
    known.load_dialect(Test)
    with pytest.raises(TilewrightError, match=message) as raised:
        cuda_python_text(legal(Parser(known, f"builtin.module {{{text}}}").parse_module(), "cuda"))
    assert raised.value.code == code
