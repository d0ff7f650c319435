"""Loops, buffers, calls and foreign code in C."""

from __future__ import annotations

import numpy as np
import pytest
from tilewright.backends.c.module import c_text
from tilewright.diagnostics import TilewrightError

CARRIED = """
func.func @main(%x: memref<20xf32>, %out: memref<2xf32> {tw.output}) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %s, %p = loop.for %i = 0 to 20 iter_args(%a = %zero, %b = %one) -> (f32, f32) {
    %v = loop.load %x[%i] : memref<20xf32>
    %c = arith.addf %b, %v : f32
    loop.yield %c, %a : f32, f32
  }
  loop.store %s, %out[0] : memref<2xf32>
  loop.store %p, %out[1] : memref<2xf32>
  func.return
}"""


def test_carried_values_are_exchanged(compiled):
    """Both next values are computed from the old ones."""
    x = np.arange(20, dtype=np.float32)
    a, b = 0.0, 1.0
    for v in x:
        a, b = b + v, a
    np.testing.assert_array_equal(compiled(CARRIED)(x), np.array([a, b], np.float32))


def test_loads_stay_before_later_stores(compiled):
    """%a is used after its element is overwritten."""
    text = """
    func.func @main(%x: memref<4xf32>, %out: memref<4xf32> {tw.output}) {
      loop.for %i = 0 to 4 {
        %v = loop.load %x[%i] : memref<4xf32>
        loop.store %v, %out[%i] : memref<4xf32>
      }
      %a = loop.load %out[0] : memref<4xf32>
      %b = loop.load %out[1] : memref<4xf32>
      loop.store %b, %out[0] : memref<4xf32>
      loop.store %a, %out[1] : memref<4xf32>
      func.return
    }"""
    np.testing.assert_array_equal(compiled(text)(np.arange(4, dtype=np.float32)), [1, 0, 2, 3])


def test_lanes_do_not_see_each_other(compiled):
    """A vector is read wholly before the next one is written over a part of it."""
    text = """
    func.func @main(%x: memref<9xf32>, %out: memref<9xf32> {tw.output}) {
      loop.for %i = 0 to 9 {
        %v = loop.load %x[%i] : memref<9xf32>
        loop.store %v, %out[%i] : memref<9xf32>
      }
      %a = loop.load %out[lane] : memref<9xf32>, vector<8xf32>
      loop.store %a, %out[lane + 1] : vector<8xf32>, memref<9xf32>
      func.return
    }"""
    x = np.arange(9, dtype=np.float32)
    np.testing.assert_array_equal(compiled(text)(x), [0, *x[:8]])


CALLS = """
func.func private @scale(%a: memref<?xf32>, %b: memref<?xf32>) {
  %n = loop.dim %a, 0 : memref<?xf32>
  %w = loop.constant dense<[2.0, 3.0]> : memref<2xf32>
  loop.for %i = 0 to %n kind parallel {
    %t = loop.alloc (%n) : memref<?xf32>
    %v = loop.load %a[%i] : memref<?xf32>
    loop.store %v, %t[%i] : memref<?xf32>
    %u = loop.load %t[%i] : memref<?xf32>
    %f = loop.load %w[%i mod 2] : memref<2xf32>
    %r = arith.mulf %u, %f : f32
    loop.store %r, %b[%i] : memref<?xf32>
  }
  loop.for %i = 0 to %n kind parallel {
    %t = loop.alloc (%n) : memref<?xf32>
    %v = loop.load %b[%i] : memref<?xf32>
    loop.store %v, %t[0] : memref<?xf32>
    %u = loop.load %t[0] : memref<?xf32>
    loop.store %u, %b[%i] : memref<?xf32>
  }
  func.return
}
func.func @main(%x: memref<?xf32>, %y: memref<?xf32> {tw.output}) {
  %n = loop.dim %x, 0 : memref<?xf32>
  loop.bind %y shape [%n] strides [1] : memref<?xf32>
  %t = loop.alloc (%n) : memref<?xf32>
  func.call @scale(%x, %t) : (memref<?xf32>, memref<?xf32>) -> ()
  func.call @scale(%t, %y) : (memref<?xf32>, memref<?xf32>) -> ()
  func.return
}"""


def test_calls_and_memory(compiled):
    built = compiled(f"builtin.module {{{CALLS}}}")
    x = np.arange(7, dtype=np.float32)
    for threads in (1, 2):
        np.testing.assert_array_equal(built(x, threads=threads), x * np.where(np.arange(7) % 2, 9, 4))


def test_memory_that_cannot_be_had(compiled):
    """Each load reads an element that another iteration stored, so no compiler can remove the memory."""
    text = """
    func.func @main(%x: memref<?xf32>, %y: memref<?xf32> {tw.output}) {
      %n = loop.dim %x, 0 : memref<?xf32>
      loop.bind %y shape [%n] strides [1] : memref<?xf32>
      %a = loop.alloc (%n) : memref<?xf32>
      loop.for %i = 0 to %n {
        %t = loop.alloc (%n * 1099511627776) : memref<?xf32>
        %v = loop.load %x[%i] : memref<?xf32>
        loop.store %v, %a[%i] : memref<?xf32>
        loop.for %j = 0 to %n {
          loop.store %v, %t[%j] : memref<?xf32>
        }
        %w = loop.load %t[%n - 1 - %i] : memref<?xf32>
        loop.store %w, %y[%i] : memref<?xf32>
      }
      func.return
    }"""
    with pytest.raises(TilewrightError) as raised:
        compiled(text)(np.zeros(1 << 16, np.float32))
    assert raised.value.code == "TW0708"


FOREIGN = """
func.func @main(%x: memref<8xf32>, %y: memref<8xf32> {{tw.output}}) attributes {{tw.foreign = [{code}]}} {{
  loop.call_extern "twice"(write %y[0] box [8] : memref<8xf32>, read %x[0] box [8] : memref<8xf32>, index 8 : i32)
  func.return
}}"""


def test_foreign_code_stands_in_the_file(compiled):
    code = "void twice(float *y, const float *x, int n) { for (int i = 0; i < n; ++i) y[i] = 2 * x[i]; }"
    built = compiled(FOREIGN.format(code=f'#loop.foreign<"c", "{code}">'))
    x = np.arange(8, dtype=np.float32)
    np.testing.assert_array_equal(built(x), 2 * x)
    assert code in built.get_source()
    assert "extern" not in built.get_source()


@pytest.mark.parametrize(
    "language, code", [("llvm", "define void @twice() { ret void }"), ("c", 'extern \\"C\\" void twice();')]
)
def test_foreign_code_that_is_not_c(parse, language, code):
    with pytest.raises(TilewrightError) as raised:
        c_text(parse(FOREIGN.format(code=f'#loop.foreign<"{language}", "{code}">')))
    assert raised.value.code == "TW0620"


@pytest.mark.parametrize(
    "text, message",
    [
        ("func.func private @f() { func.return }", "expected a function @main"),
        ('func.func @main(%x: memref<4xf32, "shared">) { %n = loop.dim %x, 0 : memref<4xf32, "shared"> func.return }',
         "buffer of scope global, local or register"),
        ("func.func @main() { loop.for %i = 0 to 4 kind vectorized { } func.return }", "kind serial, parallel"),
        ('func.func @main() { loop.for %i = 0 to 4 kind thread<"blockIdx.x"> { } func.return }', "thread blockIdx.x"),
        ("func.func @main() { func.call @main() : () -> () func.return }", "without recursion"),
        ('func.func @main() { "test.op"() : () -> () func.return }', "that the c backend executes"),
    ],
)  # fmt: skip
def test_not_executable(text, message):
    from tilewright.dialects import context
    from xdsl.dialects.test import Test
    from xdsl.parser import Parser

    known = context()
    known.load_dialect(Test)
    with pytest.raises(TilewrightError, match=message) as raised:
        c_text(Parser(known, f"builtin.module {{{text}}}").parse_module())
    assert raised.value.code == "TW0601"
