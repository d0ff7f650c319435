"""Printed scripts, which parse back."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.frontends.tvmscript import syntax
from tilewright.frontends.tvmscript.calls import known_names
from tilewright.script import from_source
from tilewright.script import tir as T

from .campaign import RIGHT, round_trip
from .modules import draw_module
from .mutations import mutated, outcome_of

MATMUL = """\
from tilewright.script import ir as I
from tilewright.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(var_A: T.handle, B: T.Buffer((64, 32), "float32"), var_C: T.handle):
        n = T.int32()
        A = T.match_buffer(var_A, (n, 64), "float32")
        C = T.match_buffer(var_C, (n, 32), "float32")
        for i, j, k in T.grid(n, 32, 64):
            with T.block("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0.0)
                v = A[vi, vk] * B[vk, vj]
                C[vi, vj] = C[vi, vj] + v
"""


def _matmul() -> tvm.IRModule:
    n = te.var("n")
    a, b = te.placeholder((n, 64), name="A"), te.placeholder((64, 32), name="B")
    k = te.reduce_axis((0, 64), "k")
    c = te.compute((n, 32), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")
    return tvm.IRModule({"main": te.create_prim_func([a, b, c])})


def test_blocks_in_the_classic_syntax() -> None:
    module = _matmul()
    assert module.script(dialect="tvmscript") == MATMUL
    assert from_source(MATMUL).op.is_structurally_equivalent(module.op)
    assert module.script() == str(module.op)


def test_a_printed_module_is_a_program() -> None:
    """A file with the text is one that Python runs."""
    a, b = np.ones((3, 64), np.float32), np.ones((64, 32), np.float32)
    np.testing.assert_array_equal(tvm.build(from_source(MATMUL))(a, b), a @ b)


def test_lowered_modules_in_the_extension() -> None:
    @T.prim_func
    def tail(A: T.Buffer((20,), "float32"), B: T.Buffer((20,), "float32")):
        for i in range(20):
            with T.block("B"):
                vi = T.axis.spatial(20, i)
                B[vi] = A[vi] * 2.0

    lowered = tvm.lower(tail)
    text = lowered.script(dialect="tvmscript")
    assert "* 8 + T.tw.lane,)" in text and "lanes=8)" in text and "where=[T.tw.lane < 4]" in text
    assert from_source(text).op.is_structurally_equivalent(lowered.op)


EXTENSION = """\
func.func private @helper(%X: memref<4xf32>, %n: index) {
  func.return
}
func.func @main(%A: memref<?x?xf32>, %B: memref<16xf32>, %F: index) attributes {tw.note = [1, "two"]} {
  %n = loop.dim %A, 0 : memref<?x?xf32>
  %m = loop.dim %A, 1 : memref<?x?xf32>
  loop.bind %A shape [%n, %m] strides [%m * 2, 1] : memref<?x?xf32>
  %w = loop.constant dense<[1.0, 2.0]> : memref<2xf32>
  %r = loop.alloc attributes {tw.double_buffer} : memref<4x4xf32, "register">
  %t = loop.alloc (%n) : memref<?x4xui8>
  %v = loop.view %B[32] : memref<16xf32> to memref<2x4xf32>
  %zero = arith.constant 0.0 : f32
  %nan = arith.constant 0x7fc00001 : f32
  %i, %j = loop.delinearize %F into (%n, %m)
  %x = loop.load %A[%i, %j] where (%i < %n, %j - 1 >= 0) else %zero : memref<?x?xf32>
  %y = loop.load %B[lane * 2] where (lane < 7) else %x : memref<16xf32>, vector<8xf32>
  loop.store %y, %B[lane + 8] where (lane < 7) : vector<8xf32>, memref<16xf32>
  loop.for %k = max(0, %i - 3) to min(%n, %i + 4) attributes {pragma.unroll_explicit = true} {
    loop.if (%k mod 4 >= 1) attributes {tw.some} {
      loop.prefetch %B[%k + 4] into 2 : memref<16xf32>
    } else {
      loop.prefetch_ahead %B, 1 of %k : memref<16xf32>
    }
  }
  %s, %p = loop.for %k = 0 to 8 kind unrolled iter_args(%a = %zero, %b = %x) -> (f32, f32) {
    %c, %d = loop.combine %a, %b with %x, %zero : f32, f32 identity [0.0 : f32, 1.0 : f32] by (%e, %f), (%g, %h) {
      %o = arith.maxnumf %e, %g : f32
      %q = arith.mulf %f, %h fastmath<contract> : f32
      loop.yield %o, %q : f32, f32
    }
    loop.yield %c, %d : f32, f32
  }
  loop.store %s, %B[0] : memref<16xf32>
  loop.store %p, %v[0, 1] attributes {tw.async} : memref<2x4xf32>
  loop.async_commit
  loop.async_wait <1>
  loop.for %th = 0 to 32 kind thread<"threadIdx.x"> {
    loop.for %vt = 0 to 2 kind vthread {
      loop.for %pa = 0 to 2 kind parallel {
        %c = loop.test (%th < %n, %vt >= 1) : i1
        %ap = loop.apply (%th * 2 + %pa) : index
        %z = arith.muli %ap, %n : index
        %l = arith.select %c, %z, %ap : index
        loop.assert (%l >= 0, %l < %n), "expected {} below {}" (%l, %n)
      }
    }
    loop.barrier <"shared">
  }
  %q = loop.call_extern "f"(update %A[%i, %j] box [1, 16 by 2 + 4 by 1] : memref<?x?xf32>, index 64 : i32,
      stride %A 0 of memref<?x?xf32> : i32, %x : f32) -> i32
  %u = loop.call_intrin "mine"(%x) : (f32) -> f32
  %o = loop.call_pure_extern "cbrtf"(%u) : (f32) -> f32
  loop.block "empty" () {
    loop.store %o, %r[0, 0] : memref<4x4xf32, "register">
  }
  loop.block "axes" (%vi = spatial(%i * 2) in %n, %vk = reduce(%F floordiv 4) in 4) where (%i < 7) attributes {a = 1} {
    loop.init attributes {b} {
      loop.store %zero, %B[%vi] : memref<16xf32>
    }
  }
  func.return
}
"""


def test_what_the_classic_syntax_has_no_word_for() -> None:
    module = parse(context(), EXTENSION, "extension.mlir")
    text = tvm.IRModule(module).script(dialect="tvmscript")
    again = from_source(text).op
    assert str(again).count("\n") == str(module).count("\n")
    assert again.is_structurally_equivalent(module), text


@pytest.mark.sampled(3)
@pytest.mark.each("number", range(100), shards=3)
def test_round_trips(number: int) -> None:
    assert round_trip(3, number) == RIGHT


@pytest.mark.sampled(2)
@pytest.mark.each("number", range(60), shards=2)
def test_faults_are_errors_with_a_location(number: int) -> None:
    module = tvm.IRModule(draw_module(3, number % 10))
    outcome_of(mutated(module.script(dialect="tvmscript"), 3, number))


def test_the_table_is_read_by_both_sides() -> None:
    """Each name of a row is one that the parser knows, and no operation has two rows."""
    assert set(syntax.CALL_NAMED) | set(syntax.FUNCTIONS) <= set(known_names())
    assert len(syntax.CALL_OF) == len(syntax.CALL_NAMED) == len(syntax.CALLS)
