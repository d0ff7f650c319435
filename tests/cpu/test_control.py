"""Loops, conditionals, loop-carried values and register buffers."""

from __future__ import annotations

import numpy as np
import pytest


def test_bounds_take_the_greatest_lower_and_least_upper(main):
    module = main(
        "%y: memref<10x10xi32> {tw.output}",
        """
        %zero = arith.constant 0 : i32
        %one = arith.constant 1 : i32
        loop.for %i = 0 to 10 {
          loop.for %j = 0 to 10 {
            loop.store %zero, %y[%i, %j] : memref<10x10xi32>
          }
          loop.for %j = max(0, %i - 3, 2) to min(10, %i + 2) {
            loop.store %one, %y[%i, %j] : memref<10x10xi32>
          }
        }""",
    )
    i, j = np.meshgrid(np.arange(10), np.arange(10), indexing="ij")
    np.testing.assert_array_equal(module(), (j >= np.maximum(2, i - 3)) & (j < np.minimum(10, i + 2)))


@pytest.mark.parametrize("n", [0, 1, 2, 9])
def test_loop_carried_values(main, n):
    """Two values that swap: the phis read the values of the iteration before."""
    module = main(
        "%x: memref<?xi64>, %y: memref<3xi64> {tw.output}",
        """
        %n = loop.dim %x, 0 : memref<?xi64>
        loop.bind %x shape [%n] strides [1] : memref<?xi64>
        %a = arith.constant 1 : i64
        %b = arith.constant 2 : i64
        %s = arith.constant 0 : i64
        %p, %q, %sum = loop.for %i = 0 to %n iter_args(%u = %a, %v = %b, %t = %s) -> (i64, i64, i64) {
          %e = loop.load %x[%i] : memref<?xi64>
          %f = arith.muli %e, %u : i64
          %w = arith.addi %t, %f : i64
          loop.yield %v, %u, %w : i64, i64, i64
        }
        loop.store %p, %y[0] : memref<3xi64>
        loop.store %q, %y[1] : memref<3xi64>
        loop.store %sum, %y[2] : memref<3xi64>""",
    )
    x = np.arange(10, 10 + n, dtype=np.int64)
    weights = np.where(np.arange(n) % 2, 2, 1)
    expected = [1, 2] if n % 2 == 0 else [2, 1]
    np.testing.assert_array_equal(module(x), [*expected, (x * weights).sum()])


@pytest.mark.parametrize("kind", ["", "kind unrolled"])
def test_loop_carried_vectors_and_constant_trips(main, kind):
    module = main(
        "%x: memref<5x8xf32>, %y: memref<8xf32> {tw.output}",
        f"""
        %z = arith.constant dense<0.0> : vector<8xf32>
        %r = loop.for %i = 0 to 5 {kind} iter_args(%acc = %z) -> (vector<8xf32>) {{
          %v = loop.load %x[%i, lane] : memref<5x8xf32>, vector<8xf32>
          %s = arith.addf %acc, %v : vector<8xf32>
          loop.yield %s : vector<8xf32>
        }}
        loop.store %r, %y[lane] : vector<8xf32>, memref<8xf32>""",
    )
    x = np.random.default_rng(0).random((5, 8), np.float32)
    expected = np.zeros(8, np.float32)
    for row in x:
        expected += row
    np.testing.assert_array_equal(module(x), expected)


def test_loops_of_zero_and_one_iterations(main):
    module = main(
        "%y: memref<4xi32> {tw.output}",
        """
        %c = arith.constant 5 : i32
        loop.for %i = 0 to 4 { loop.store %c, %y[%i] : memref<4xi32> }
        %d = arith.constant 9 : i32
        loop.for %i = 3 to 3 { loop.store %d, %y[0] : memref<4xi32> }
        loop.for %i = 3 to 1 { loop.store %d, %y[1] : memref<4xi32> }
        loop.for %i = 2 to 3 { loop.store %d, %y[%i] : memref<4xi32> }
        %r = loop.for %i = 0 to 0 iter_args(%a = %c) -> (i32) { loop.yield %d : i32 }
        loop.store %r, %y[3] : memref<4xi32>""",
    )
    np.testing.assert_array_equal(module(), [5, 5, 9, 5])


def test_unrolled_loop_with_moving_bounds(main):
    module = main(
        "%x: memref<24xf32>, %y: memref<24xf32> {tw.output}",
        """
        loop.for %i = 0 to 6 {
          loop.for %j = %i * 4 to %i * 4 + 4 kind unrolled {
            %v = loop.load %x[23 - %j] : memref<24xf32>
            loop.store %v, %y[%j] : memref<24xf32>
          }
        }""",
    )
    x = np.arange(24, dtype=np.float32)
    np.testing.assert_array_equal(module(x), x[::-1])


def test_conditionals(main):
    module = main(
        "%y: memref<12xi32> {tw.output}",
        """
        %a = arith.constant 1 : i32
        %b = arith.constant 2 : i32
        loop.for %i = 0 to 12 {
          loop.if (%i >= 3, %i < 9) {
            loop.if (%i mod 2 < 1) { loop.store %a, %y[%i] : memref<12xi32> }
            else { loop.store %b, %y[%i] : memref<12xi32> }
          } else {
            %z = arith.constant 0 : i32
            loop.store %z, %y[%i] : memref<12xi32>
          }
        }
        loop.if (-1 >= 0) { loop.store %a, %y[0] : memref<12xi32> } else { loop.store %b, %y[0] : memref<12xi32> }
        loop.if (1 >= 0) { loop.store %a, %y[1] : memref<12xi32> }""",
    )
    i = np.arange(12)
    expected = np.where((i >= 3) & (i < 9), np.where(i % 2 == 0, 1, 2), 0)
    expected[:2] = [2, 1]
    np.testing.assert_array_equal(module(), expected)


def test_registers_across_serial_loops(main):
    """A 2x16 tile in registers, accumulated over a loop, initialised by scalars and read by lanes."""
    module = main(
        "%a: memref<2x7xf32>, %b: memref<7x16xf32>, %y: memref<2x16xf32> {tw.output}",
        """
        %z = arith.constant 0.0 : f32
        %acc = loop.alloc : memref<2x16xf32, "register">
        loop.for %i = 0 to 2 kind unrolled {
          loop.for %j = 0 to 16 kind unrolled {
            loop.store %z, %acc[%i, %j] : memref<2x16xf32, "register">
          }
        }
        loop.for %k = 0 to 7 {
          loop.for %i = 0 to 2 kind unrolled {
            loop.for %j = 0 to 2 kind unrolled {
              %x = loop.load %a[%i, %k] : memref<2x7xf32>, vector<8xf32>
              %w = loop.load %b[%k, %j * 8 + lane] : memref<7x16xf32>, vector<8xf32>
              %c = loop.load %acc[%i, %j * 8 + lane] : memref<2x16xf32, "register">, vector<8xf32>
              %d = math.fma %x, %w, %c : vector<8xf32>
              loop.store %d, %acc[%i, %j * 8 + lane] : vector<8xf32>, memref<2x16xf32, "register">
            }
          }
        }
        loop.for %i = 0 to 2 kind unrolled {
          loop.for %j = 0 to 16 kind unrolled {
            %v = loop.load %acc[%i, %j] : memref<2x16xf32, "register">
            loop.store %v, %y[%i, %j] : memref<2x16xf32>
          }
        }""",
    )
    rng = np.random.default_rng(0)
    a, b = rng.random((2, 7), np.float32), rng.random((7, 16), np.float32)
    np.testing.assert_allclose(module(a, b), a @ b, rtol=1e-6)


@pytest.mark.parametrize("n", [0, 1, 5])
def test_registers_across_loops_that_may_not_run(main, n):
    module = main(
        "%x: memref<?xf32>, %y: memref<3xf32> {tw.output}",
        """
        %n = loop.dim %x, 0 : memref<?xf32>
        loop.bind %x shape [%n] strides [1] : memref<?xf32>
        %one = arith.constant 1.0 : f32
        %r = loop.alloc : memref<3xf32, "register">
        loop.for %k = 0 to 3 kind unrolled { loop.store %one, %r[%k] : memref<3xf32, "register"> }
        loop.for %i = 0 to %n {
          loop.for %j = %i to %n {
            %v = loop.load %x[%j] : memref<?xf32>
            %s = loop.load %r[0] : memref<3xf32, "register">
            %t = arith.addf %s, %v : f32
            loop.store %t, %r[0] : memref<3xf32, "register">
            loop.if (%j < 2) { loop.store %v, %r[1] : memref<3xf32, "register"> }
          }
          loop.if (%i >= 3) {
            %s = loop.load %r[0] : memref<3xf32, "register">
            loop.store %s, %r[2] : memref<3xf32, "register">
          } else {
            %s = loop.load %r[2] : memref<3xf32, "register">
            %t = arith.addf %s, %s : f32
            loop.store %t, %r[2] : memref<3xf32, "register">
          }
        }
        loop.for %k = 0 to 3 kind unrolled {
          %v = loop.load %r[%k] : memref<3xf32, "register">
          loop.store %v, %y[%k] : memref<3xf32>
        }""",
    )
    x = np.arange(10, 10 + n, dtype=np.float32)
    r = [1.0, 1.0, 1.0]
    for i in range(n):
        for j in range(i, n):
            r[0] += x[j]
            r[1] = x[j] if j < 2 else r[1]
        r[2] = r[0] if i >= 3 else 2 * r[2]
    np.testing.assert_array_equal(module(x), np.float32(r))


def test_register_allocated_in_a_loop_starts_afresh(main):
    module = main(
        "%y: memref<4xi32> {tw.output}",
        """
        %zero = arith.constant 0 : i32
        %one = arith.constant 1 : i32
        loop.for %i = 0 to 4 {
          %r = loop.alloc : memref<1xi32, "register">
          loop.store %zero, %r[0] : memref<1xi32, "register">
          loop.for %j = 0 to %i {
            %v = loop.load %r[0] : memref<1xi32, "register">
            %w = arith.addi %v, %one : i32
            loop.store %w, %r[0] : memref<1xi32, "register">
          }
          %v = loop.load %r[0] : memref<1xi32, "register">
          loop.store %v, %y[%i] : memref<4xi32>
        }""",
    )
    np.testing.assert_array_equal(module(), [0, 1, 2, 3])


def test_guarded_and_irregular_registers(main):
    module = main(
        "%x: memref<16xf32>, %y: memref<4x8xf32> {tw.output}",
        """
        %pad = arith.constant -1.0 : f32
        %r = loop.alloc : memref<16xf32, "register">
        loop.for %k = 0 to 2 kind unrolled {
          %v = loop.load %x[%k * 8 + lane] : memref<16xf32>, vector<8xf32>
          loop.store %v, %r[%k * 8 + lane] : vector<8xf32>, memref<16xf32, "register">
        }
        loop.for %i = 0 to 4 {
          %a = loop.load %r[lane * 2 + 1] where (%i * 2 + lane < 7) else %pad
               : memref<16xf32, "register">, vector<8xf32>
          loop.store %a, %y[%i, lane] : vector<8xf32>, memref<4x8xf32>
          %b = loop.load %r[3] : memref<16xf32, "register">, vector<8xf32>
          loop.store %b, %r[lane + 5] where (%i >= 2, lane < 3) : vector<8xf32>, memref<16xf32, "register">
        }""",
    )
    x = np.arange(16, dtype=np.float32)
    r, expected = x.copy(), np.empty((4, 8), np.float32)
    lane = np.arange(8)
    for i in range(4):
        expected[i] = np.where(i * 2 + lane < 7, r[lane * 2 + 1], -1)
        if i >= 2:
            r[5:8] = r[3]
    np.testing.assert_array_equal(module(x), expected)


def test_boolean_and_bf16_registers(main):
    module = main(
        "%x: memref<8xbf16>, %y: memref<8xbf16> {tw.output}, %m: memref<8xi1> {tw.output}",
        """
        %b = loop.alloc : memref<8xbf16, "register">
        %c = loop.alloc : memref<8xi1, "register">
        %one = arith.constant dense<1.0> : vector<8xbf16>
        %v = loop.load %x[lane] : memref<8xbf16>, vector<8xbf16>
        loop.store %v, %b[lane] : vector<8xbf16>, memref<8xbf16, "register">
        %t = arith.cmpf ogt, %v, %one : vector<8xbf16>
        loop.store %t, %c[lane] : vector<8xi1>, memref<8xi1, "register">
        loop.for %i = 0 to 3 {
          %u = loop.load %b[lane] : memref<8xbf16, "register">, vector<8xbf16>
          %w = arith.addf %u, %one : vector<8xbf16>
          loop.store %w, %b[lane] : vector<8xbf16>, memref<8xbf16, "register">
        }
        %u = loop.load %b[lane] : memref<8xbf16, "register">, vector<8xbf16>
        loop.store %u, %y[lane] : vector<8xbf16>, memref<8xbf16>
        %s = loop.load %c[lane] : memref<8xi1, "register">, vector<8xi1>
        loop.store %s, %m[lane] : vector<8xi1>, memref<8xi1>""",
    )
    import ml_dtypes

    x = np.arange(8).astype(ml_dtypes.bfloat16) / 2
    y, m = module(x)
    np.testing.assert_array_equal(y.astype(np.float32), x.astype(np.float32) + 3)
    np.testing.assert_array_equal(m, x.astype(np.float32) > 1)


def test_delinearize(main):
    module = main(
        "%x: memref<?x?x?xf32>, %y: memref<?x?x?xf32> {tw.output}",
        """
        %n = loop.dim %x, 0 : memref<?x?x?xf32>
        %m = loop.dim %x, 1 : memref<?x?x?xf32>
        %k = loop.dim %x, 2 : memref<?x?x?xf32>
        %mk = arith.muli %m, %k : index
        %nm = arith.muli %n, %m : index
        %all = arith.muli %nm, %k : index
        loop.bind %x shape [%n, %m, %k] strides [%mk, %k, 1] : memref<?x?x?xf32>
        loop.bind %y shape [%k, %n, %m] strides [%nm, %m, 1] : memref<?x?x?xf32>
        loop.for %f = 0 to %all {
          %a, %b, %c = loop.delinearize %f into (%n, %m, %k)
          %v = loop.load %x[%a, %b, %c] : memref<?x?x?xf32>
          loop.store %v, %y[%c, %a, %b] : memref<?x?x?xf32>
        }""",
    )
    x = np.random.default_rng(0).random((3, 4, 5), np.float32)
    np.testing.assert_array_equal(module(x), x.transpose(2, 0, 1))


def test_names_cannot_collide(main):
    """Hints that end in digits, and hints that look like names of arguments."""
    loops = ["i", "i1", "i11", "c0", "a0", "v", "entry"]
    body = "".join(
        f"loop.for %{n} = 0 to 2 kind {'parallel' if k == 1 else 'serial'} {{\n" for k, n in enumerate(loops)
    )
    total = " + ".join(f"%{n} * {2**k}" for k, n in enumerate(loops))
    module = main(
        f"%a1: memref<{2 ** len(loops)}xi64>, %y: memref<{2 ** len(loops)}xi64> {{tw.output}}",
        f"""{body}
        %c1 = loop.load %a1[{total}] : memref<{2 ** len(loops)}xi64>
        loop.store %c1, %y[{total}] : memref<{2 ** len(loops)}xi64>{"}" * len(loops)}""",
    )
    x = np.arange(2 ** len(loops)) * 3
    np.testing.assert_array_equal(module(x), x)
