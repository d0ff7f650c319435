"""Buffers: accesses of every form, their bounds, views, allocation."""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np
import pytest
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.parsing import parse as parse_with_locations
from tilewright.dialects import context
from tilewright.semantics import evaluate

from .running import assert_identical, main

N = 64
# name -> (index of the read, the same over numpy integers)
FORMS = {
    "contiguous": ("%i * 8 + lane + 3", lambda i, lane: i * 8 + lane + 3),
    "stride_2": ("%i * 3 + lane * 2", lambda i, lane: i * 3 + lane * 2),
    "reversed": ("%i * 8 - lane + 7", lambda i, lane: i * 8 - lane + 7),
    "broadcast": ("%i * 2 + 1", lambda i, lane: i * 2 + 1 + 0 * lane),
    "divided": ("(%i * 8 + lane) floordiv 3", lambda i, lane: (i * 8 + lane) // 3),
    "wrapped": ("(%i * 5 + lane) mod 7", lambda i, lane: (i * 5 + lane) % 7),
    "both": ("lane + (lane * 3) mod 2 + %i", lambda i, lane: lane + lane * 3 % 2 + i),
}
GUARDS = {
    "uniform": ("%i >= 2", lambda i, lane: i + 0 * lane >= 2),
    "tail": ("%i * 8 + lane < 35", lambda i, lane: i * 8 + lane < 35),
    "both": ("%i < 4, lane * 3 - %i >= 4", lambda i, lane: (i < 4) & (lane * 3 - i >= 4)),
    "never": ("lane >= 8", lambda i, lane: lane + 0 * i >= 8),
}
ROW, LANE = np.meshgrid(np.arange(5), np.arange(8), indexing="ij")


@pytest.mark.parametrize("guard", [None, *GUARDS])
@pytest.mark.each("form", FORMS)
def test_vector_load(form: str, guard: str | None) -> None:
    where = f"where ({GUARDS[guard][0]}) else %pad" if guard else ""
    module = main(
        f"%x: memref<{N}xi32>, %y: memref<5x8xi32> {{tw.output}}",
        f"""
        %pad = arith.constant -3 : i32
        loop.for %i = 0 to 5 {{
          %v = loop.load %x[{FORMS[form][0]}] {where} : memref<{N}xi32>, vector<8xi32>
          loop.store %v, %y[%i, lane] : vector<8xi32>, memref<5x8xi32>
        }}""",
    )
    x = np.random.default_rng(0).integers(0, 100, N).astype(np.int32)
    read = x[FORMS[form][1](ROW, LANE)]
    expected = np.where(GUARDS[guard][1](ROW, LANE), read, np.int32(-3)) if guard else read
    assert_identical(evaluate(module, x)[0], expected)


@pytest.mark.parametrize("guard", [None, *GUARDS])
@pytest.mark.each("form", FORMS)
def test_vector_store_keeps_the_last_lane(form: str, guard: str | None) -> None:
    where = f"where ({GUARDS[guard][0]})" if guard else ""
    module = main(
        f"%x: memref<5x8xi32>, %y: memref<{N}xi32> {{tw.output}}",
        f"""
        %z = arith.constant 0 : i32
        loop.for %i = 0 to {N} {{ loop.store %z, %y[%i] : memref<{N}xi32> }}
        loop.for %i = 0 to 5 {{
          %v = loop.load %x[%i, lane] : memref<5x8xi32>, vector<8xi32>
          loop.store %v, %y[{FORMS[form][0]}] {where} : vector<8xi32>, memref<{N}xi32>
        }}""",
    )
    x = np.random.default_rng(1).integers(1, 100, (5, 8)).astype(np.int32)
    expected = np.zeros(N, np.int32)
    for i in range(5):
        for lane in range(8):
            if guard is None or GUARDS[guard][1](np.int64(i), np.int64(lane)):
                expected[FORMS[form][1](i, lane)] = x[i, lane]
    assert_identical(evaluate(module, x)[0], expected)


def test_a_loaded_vector_is_no_alias() -> None:
    module = main(
        "%y: memref<8xf32> {tw.output}",
        """
        %a = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf32>
        loop.store %a, %y[lane] : vector<4xf32>, memref<8xf32>
        %v = loop.load %y[lane] : memref<8xf32>, vector<4xf32>
        %two = arith.addf %v, %v : vector<4xf32>
        loop.store %two, %y[lane] : vector<4xf32>, memref<8xf32>
        loop.store %v, %y[lane + 4] : vector<4xf32>, memref<8xf32>""",
    )
    assert_identical(evaluate(module)[0], np.array([2, 4, 6, 8, 1, 2, 3, 4], np.float32))


def test_scalar_guards_do_not_touch_memory() -> None:
    module = main(
        "%x: memref<10xf32>, %y: memref<14xf32> {tw.output}",
        """
        %pad = arith.constant 7.0 : f32
        loop.for %i = 0 to 20 {
          %v = loop.load %x[%i - 2] where (%i >= 2, %i < 12) else %pad : memref<10xf32>
          loop.store %v, %y[%i] where (%i < 14) : memref<14xf32>
        }""",
    )
    x = np.arange(10, dtype=np.float32)
    assert_identical(evaluate(module, x)[0], np.pad(x, 2, constant_values=7))


def test_buffers_of_rank_zero() -> None:
    module = main(
        "%x: memref<f32>, %y: memref<f32> {tw.output}, %z: memref<4xf32> {tw.output}, %w: memref<f32> {tw.output}",
        """
        %v = loop.load %x[] : memref<f32>
        loop.store %v, %y[] : memref<f32>
        %b = loop.load %x[] : memref<f32>, vector<4xf32>
        loop.store %b, %z[lane] : vector<4xf32>, memref<4xf32>
        %d = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf32>
        loop.store %d, %w[] where (lane < 3) : vector<4xf32>, memref<f32>""",
    )
    y, z, w = evaluate(module, np.array(3.5, np.float32))
    assert_identical(y, np.array(3.5, np.float32))
    assert_identical(z, np.full(4, 3.5, np.float32))
    assert_identical(w, np.array(3.0, np.float32))


OUTSIDE = {
    "%v = loop.load %x[%i] : memref<4xf32>": "loop.load accesses %x[4]",
    "%v = loop.load %x[%i - 1] : memref<4xf32>": "loop.load accesses %x[-1]",
    "loop.store %c, %x[-%i] : memref<4xf32>": "loop.store accesses %x[-1]",
    "%v = loop.load %x[%i * 2] where (%i < 3) else %c : memref<4xf32>": "loop.load accesses %x[4]",
    "%v = loop.load %x[%i + lane] : memref<4xf32>, vector<4xf32>": "loop.load accesses %x[[1 2 3 4]]",
    "%v = loop.load %x[%i * 2 + lane] where (lane < 2) else %c : memref<4xf32>, vector<4xf32>": "accesses %x[4]",
    "loop.store %d, %x[-lane + 2] : vector<4xf32>, memref<4xf32>": "loop.store accesses %x[-1]",
}


@pytest.mark.parametrize("access", OUTSIDE)
def test_accesses_outside_are_errors(access: str) -> None:
    text = f"""builtin.module {{
func.func @main(%x: memref<4xf32>) {{
%c = arith.constant 1.0 : f32
%d = arith.constant dense<1.0> : vector<4xf32>
loop.for %i = 0 to 6 {{
  {access}
}}
func.return
}}
}}"""
    module = parse_with_locations(context(), text, "input.mlir")
    with pytest.raises(TilewrightError) as caught:
        evaluate(module, np.zeros(4, np.float32))
    assert caught.value.code == "TW0721"
    assert caught.value.message.startswith("expected an index within [4], but ")
    assert caught.value.message.endswith(OUTSIDE[access])
    assert "input.mlir:6:" in str(caught.value)


POISON = {
    "f16": lambda x: np.isnan(x),
    "bf16": lambda x: np.isnan(x),
    "f32": lambda x: np.isnan(x),
    "f64": lambda x: np.isnan(x),
    "i8": lambda x: x == -1,
    "i16": lambda x: x == np.int16(0xDEAD - 0x10000),
    "i32": lambda x: x == np.int32(0xDEADBEEF - 0x1_0000_0000),
    "i64": lambda x: x.view(np.uint64) == np.uint64(0xDEADBEEF_DEADBEEF),
    "i1": lambda x: x,
}


@pytest.mark.each("type", POISON)
@pytest.mark.parametrize("scope", ["", ', "local"', ', "register"', ', "shared"'])
def test_nothing_written_is_poison(type: str, scope: str) -> None:
    module = main(
        f"%y: memref<3x{type}> {{tw.output}}",
        f"""
        %b = loop.alloc : memref<3x{type}{scope}>
        loop.for %i = 0 to 3 {{
          %v = loop.load %b[%i] : memref<3x{type}{scope}>
          loop.store %v, %y[%i] : memref<3x{type}>
        }}""",
    )
    (y,) = evaluate(module)
    assert np.all(POISON[type](y))


def test_an_allocation_in_a_loop_is_fresh() -> None:
    module = main(
        "%y: memref<2xf32> {tw.output}",
        """
        %one = arith.constant 1.0 : f32
        loop.for %i = 0 to 2 {
          %b = loop.alloc : memref<1xf32>
          %v = loop.load %b[0] : memref<1xf32>
          loop.store %v, %y[%i] : memref<2xf32>
          loop.store %one, %b[0] : memref<1xf32>
        }""",
    )
    assert np.isnan(evaluate(module)[0]).all()


def test_constants() -> None:
    module = main(
        "%y: memref<2x2xf32> {tw.output}, %z: memref<3xi1> {tw.output}, %h: memref<2xbf16> {tw.output}",
        """
        %w = loop.constant dense<[[1.0, -0.0], [1.0e-3, 1.0e-45]]> : memref<2x2xf32>
        %m = loop.constant dense<[true, false, true]> : memref<3xi1>
        %b = loop.constant dense<1.5> : memref<2xbf16>
        loop.for %i = 0 to 2 {
          loop.for %j = 0 to 2 {
            %v = loop.load %w[%i, %j] : memref<2x2xf32>
            loop.store %v, %y[%i, %j] : memref<2x2xf32>
          }
          %c = loop.load %b[%i] : memref<2xbf16>
          loop.store %c, %h[%i] : memref<2xbf16>
        }
        loop.for %i = 0 to 3 {
          %v = loop.load %m[%i] : memref<3xi1>
          loop.store %v, %z[%i] : memref<3xi1>
        }""",
    )
    y, z, h = evaluate(module)
    assert_identical(y, np.array([[1.0, -0.0], [1e-3, 1e-45]], np.float32))
    assert_identical(z, np.array([True, False, True]))
    assert_identical(h, np.full(2, 1.5).astype(ml_dtypes.bfloat16))


def test_a_constant_cannot_be_written() -> None:
    module = main(
        "",
        """
        %w = loop.constant dense<1.0> : memref<2xf32>
        %v = loop.load %w[0] : memref<2xf32>
        loop.store %v, %w[1] : memref<2xf32>""",
    )
    with pytest.raises(TilewrightError, match="expected a buffer that can be written, but got a constant"):
        evaluate(module)


def test_views_share_memory() -> None:
    """Two views of an arena overlap in four bytes."""
    module = main(
        "%x: memref<4xf32>, %y: memref<2x2xf32> {tw.output}, %b: memref<16xi8> {tw.output}",
        """
        loop.for %s = 1 to 2 {
          %arena = loop.alloc : memref<64xi8>
          %p = loop.view %arena[%s * 16] : memref<64xi8> to memref<4xf32>
          %q = loop.view %arena[%s * 16 + 4] : memref<64xi8> to memref<2x2xf32>
          loop.for %i = 0 to 4 {
            %v = loop.load %x[%i] : memref<4xf32>
            loop.store %v, %p[%i] : memref<4xf32>
          }
          loop.for %i = 0 to 2 { loop.for %j = 0 to 2 {
            %v = loop.load %q[%i, %j] : memref<2x2xf32>
            loop.store %v, %y[%i, %j] : memref<2x2xf32>
          } }
          loop.for %i = 0 to 16 {
            %v = loop.load %arena[%i + 16] : memref<64xi8>
            loop.store %v, %b[%i] : memref<16xi8>
          }
        }""",
    )
    x = np.array([1.0, 2.0, 3.0, 4.0], np.float32)
    y, b = evaluate(module, x)
    assert_identical(y, np.array([[2.0, 3.0], [4.0, math.nan]], np.float32))
    assert_identical(b, x.view(np.int8))


def test_view_outside() -> None:
    module = main(
        "%n: index", "%a = loop.alloc : memref<16xi8>\n%v = loop.view %a[%n] : memref<16xi8> to memref<2xf32>"
    )
    evaluate(module, 8)
    for offset in (9, -1):
        with pytest.raises(TilewrightError, match=f"within 16 bytes, but got bytes {offset} to {offset + 8}"):
            evaluate(module, offset)


@pytest.mark.parametrize("shape", [(1, 1), (3, 5)])
def test_dynamic_extents(shape: tuple[int, int]) -> None:
    """A transposition through a buffer of the inputs' size and a view that flattens it."""
    module = main(
        "%x: memref<?x?xf32>, %y: memref<?x?xf32> {tw.output}, %z: memref<?xf32> {tw.output}",
        """
        %n = loop.dim %x, 0 : memref<?x?xf32>
        %m = loop.dim %x, 1 : memref<?x?xf32>
        %size = arith.muli %n, %m : index
        %total = loop.apply (%n + %m) : index
        loop.bind %x shape [%n, %m] strides [%m, 1] : memref<?x?xf32>
        loop.bind %y shape [%m, %n] strides [%n, 1] : memref<?x?xf32>
        loop.bind %z shape [%total] strides [1] : memref<?xf32>
        %t = loop.alloc (%m, %n) : memref<?x?xf32>
        %flat = loop.view %t[0] : memref<?x?xf32> to memref<?xf32>
        loop.bind %flat shape [%size] strides [1] : memref<?xf32>
        loop.for %i = 0 to %n { loop.for %j = 0 to %m {
          %v = loop.load %x[%i, %j] : memref<?x?xf32>
          loop.store %v, %t[%j, %i] : memref<?x?xf32>
        } }
        loop.for %i = 0 to %m { loop.for %j = 0 to %n {
          %v = loop.load %t[%i, %j] : memref<?x?xf32>
          loop.store %v, %y[%i, %j] : memref<?x?xf32>
        } }
        loop.for %i = 0 to min(%total, %size) {
          %v = loop.load %flat[%i] : memref<?xf32>
          loop.store %v, %z[%i] : memref<?xf32>
        }""",
    )
    x = np.random.default_rng(0).random(shape, np.float32)
    y, z = evaluate(module, x)
    assert_identical(y, np.ascontiguousarray(x.T))
    count = min(sum(shape), x.size)
    assert_identical(z[:count], x.T.reshape(-1)[:count])


@pytest.mark.parametrize("shape", [(4, 4, 4), (4, 5, 5)])
def test_a_disagreeing_argument_is_an_error(shape: tuple[int, int, int]) -> None:
    module = main(
        "%x: memref<?xf32>, %y: memref<?xf32>, %n: index",
        """
        loop.bind %x shape [%n] strides [1] : memref<?xf32>
        loop.bind %y shape [%n] strides [1] : memref<?xf32>""",
    )
    arrays = [np.zeros(n, np.float32) for n in shape[:2]]
    if len(set(shape)) == 1:
        evaluate(module, *arrays, shape[2])
        return
    with pytest.raises(TilewrightError) as caught:
        evaluate(module, *arrays, shape[2])
    assert (caught.value.code, caught.value.message) == ("TW0704", "expected %x to have shape [5], but got [4]")


def test_vectors_of_indices_and_conditions() -> None:
    module = main(
        "%y: memref<4xindex> {tw.output}, %z: memref<4xi1> {tw.output}, %w: memref<4xf32> {tw.output}",
        """
        loop.for %i = 3 to 4 {
          %a = loop.apply (%i * 2 + lane * 5) : vector<4xindex>
          %b = loop.apply (%i) : vector<4xindex>
          %s = arith.addi %a, %b : vector<4xindex>
          %t = loop.test (%i * 2 + lane * 5 < 17) : vector<4xi1>
          %u = loop.test (%i < 4) : vector<4xi1>
          %m = arith.andi %t, %u : vector<4xi1>
          loop.store %s, %y[lane] : vector<4xindex>, memref<4xindex>
          loop.store %m, %z[lane] : vector<4xi1>, memref<4xi1>
          %h = arith.constant 2.5 : f32
          %f = vector.broadcast %h : f32 to vector<4xf32>
          loop.store %f, %w[lane] : vector<4xf32>, memref<4xf32>
        }""",
    )
    y, z, w = evaluate(module)
    assert_identical(y, np.arange(4) * 5 + 9)
    assert_identical(z, np.array([True, True, True, False]))
    assert_identical(w, np.full(4, 2.5, np.float32))


def test_masked_lanes_may_compute_anything() -> None:
    """Lanes that are never stored divide by zero and convert NaN."""
    module = main(
        "%x: memref<4xf32>, %y: memref<4xi32> {tw.output}",
        """
        %zero = arith.constant 0.0 : f32
        %v = loop.load %x[lane] where (lane < 2) else %zero : memref<4xf32>, vector<4xf32>
        %q = arith.divf %v, %v : vector<4xf32>
        %i = arith.fptosi %q : vector<4xf32> to vector<4xi32>
        %j = arith.divsi %i, %i : vector<4xi32>
        loop.store %j, %y[lane] where (lane < 2) : vector<4xi32>, memref<4xi32>""",
    )
    assert_identical(evaluate(module, np.array([1, 2, 3, 4], np.float32))[0][:2], np.array([1, 1], np.int32))
