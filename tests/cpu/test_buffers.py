"""Allocations in every scope, views, constants, calls between functions."""

from __future__ import annotations

import numpy as np
import pytest
from tilewright.dialects import context
from tilewright.passes.phase3.note_aliases import NoteAliasesPass

ROUND = """
        loop.for %i = 0 to 6 {{
          %t = loop.alloc {sizes} : {type}
          loop.for %j = 0 to {extent} {{
            %v = loop.load %x[(%j + %i) mod 64] : memref<64xf32>
            loop.store %v, %t[%j] : {type}
          }}
          loop.for %j = 0 to 64 {{
            %v = loop.load %t[%j + {extent} - 64] : {type}
            loop.store %v, %y[%i, %j] : memref<6x64xf32>
          }}
        }}"""


@pytest.mark.parametrize("scope", ["", ', "local"'])
@pytest.mark.parametrize("extent", [64, 16 << 10, 64 << 10])
@pytest.mark.parametrize("kind", ["", "kind parallel"])
def test_allocation_in_a_loop(main, scope, extent, kind):
    """On the stack, on the heap, and in the body of a parallel loop."""
    body = ROUND.format(sizes="", type=f"memref<{extent}xf32{scope}>", extent=extent)
    module = main(
        "%x: memref<64xf32>, %y: memref<6x64xf32> {tw.output}",
        body.replace("0 to 6 {", f"0 to 6 {kind} {{", 1),
        threads=2,
    )
    x = np.random.default_rng(0).random(64, np.float32)
    expected = np.stack([np.roll(x, -i)[(np.arange(64) + extent - 64) % 64] for i in range(6)])
    np.testing.assert_array_equal(module(x), expected)


def test_dynamic_allocation(main):
    module = main(
        "%x: memref<?xf32>, %y: memref<?xf32> {tw.output}",
        """
        %n = loop.dim %x, 0 : memref<?xf32>
        loop.bind %x shape [%n] strides [1] : memref<?xf32>
        loop.bind %y shape [%n] strides [1] : memref<?xf32>
        %t = loop.alloc (%n + 1, 2) : memref<?x?xf32>
        loop.for %i = 0 to %n {
          %v = loop.load %x[%i] : memref<?xf32>
          loop.store %v, %t[%i + 1, 1] : memref<?x?xf32>
        }
        %m = loop.dim %t, 0 : memref<?x?xf32>
        loop.for %i = 1 to %m {
          %v = loop.load %t[%i, 1] : memref<?x?xf32>
          loop.store %v, %y[%m - 1 - %i] : memref<?xf32>
        }""",
    )
    for n in (0, 1, 1000):
        x = np.random.default_rng(0).random(n, np.float32)
        np.testing.assert_array_equal(module(x), x[::-1])


def test_failed_allocation_is_an_error(main):
    from tilewright import TilewrightError

    for kind in ("", "kind parallel"):
        module = main(
            "%x: memref<?xf32>, %y: memref<1xf32> {tw.output}",
            f"""
            %n = loop.dim %x, 0 : memref<?xf32>
            loop.for %i = 0 to 2 {kind} {{
              %t = loop.alloc (%n * 1099511627776) : memref<?xf32>
              %u = loop.alloc (%n * 1099511627776) : memref<?xf32>
              %v = loop.load %x[0] : memref<?xf32>
              loop.store %v, %t[0] : memref<?xf32>
              loop.store %v, %u[0] : memref<?xf32>
              loop.store %v, %y[0] : memref<1xf32>
            }}""",
            threads=2,
        )
        with pytest.raises(TilewrightError, match="allocation failed") as caught:
            module(np.zeros(100000, np.float32))
        assert caught.value.code == "TW0708"


def test_views_share_memory(main):
    module = main(
        "%x: memref<2x3xf32>, %y: memref<6xf32> {tw.output}",
        """
        %base = loop.alloc : memref<256xi8>
        %a = loop.view %base[64] : memref<256xi8> to memref<2x3xf32>
        %b = loop.view %a[0] : memref<2x3xf32> to memref<6xf32>
        %c = loop.view %base[68] : memref<256xi8> to memref<5xf32>
        loop.for %i = 0 to 2 {
          loop.for %j = 0 to 3 {
            %v = loop.load %x[%i, %j] : memref<2x3xf32>
            loop.store %v, %a[%i, %j] : memref<2x3xf32>
          }
        }
        %z = arith.constant 9.0 : f32
        loop.store %z, %c[1] : memref<5xf32>
        loop.for %i = 0 to 6 {
          %v = loop.load %b[%i] : memref<6xf32>
          loop.store %v, %y[%i] : memref<6xf32>
        }""",
    )
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.testing.assert_array_equal(module(x), [0, 1, 9, 3, 4, 5])


@pytest.mark.parametrize(
    "element, text, expected",
    [
        ("f32", "dense<[1.5, -2.0, 3.25]>", np.float32([1.5, -2, 3.25])),
        ("f32", "dense<0.5>", np.full(3, 0.5, np.float32)),
        ("i64", "dense<[-1, 2, 9223372036854775807]>", np.array([-1, 2, 2**63 - 1])),
        ("i1", "dense<[true, false, true]>", np.array([True, False, True])),
        ("i1", "dense<true>", np.array([True, True, True])),
        ("f16", "dense<[1.0, 2.0, 3.5]>", np.float16([1, 2, 3.5])),
    ],
)
def test_constants(main, element, text, expected):
    module = main(
        f"%y: memref<3x{element}> {{tw.output}}",
        f"""
        %c = loop.constant {text} : memref<3x{element}>
        loop.for %i = 0 to 3 {{
          %v = loop.load %c[%i] : memref<3x{element}>
          loop.store %v, %y[%i] : memref<3x{element}>
        }}""",
    )
    np.testing.assert_array_equal(module(), expected)


CALLS = """
builtin.module {
  func.func private @scale(%x: memref<?xf32>, %y: memref<?xf32> {tw.output}) {
    %n = loop.dim %x, 0 : memref<?xf32>
    loop.bind %x shape [%n] strides [1] : memref<?xf32>
    loop.bind %y shape [%n] strides [1] : memref<?xf32>
    %c = loop.constant dense<[3.0]> : memref<1xf32>
    loop.for %i = 0 to %n kind parallel {
      %f = loop.load %c[0] : memref<1xf32>
      %v = loop.load %x[%i] : memref<?xf32>
      %w = arith.mulf %v, %f : f32
      loop.store %w, %y[%i] : memref<?xf32>
    }
    func.return
  }
  func.func private @twice(%x: memref<?xf32>, %y: memref<?xf32> {tw.output}) {
    %n = loop.dim %x, 0 : memref<?xf32>
    %t = loop.alloc (%n) : memref<?xf32>
    %c = loop.constant dense<[10.0]> : memref<1xf32>
    func.call @scale(%x, %t) : (memref<?xf32>, memref<?xf32>) -> ()
    func.call @scale(%t, %y) : (memref<?xf32>, memref<?xf32>) -> ()
    %f = loop.load %c[0] : memref<1xf32>
    %v = loop.load %y[0] : memref<?xf32>
    %w = arith.addf %v, %f : f32
    loop.store %w, %y[0] : memref<?xf32>
    func.return
  }
  func.func @main(%x: memref<?xf32> {tw.name = "x"}, %y: memref<?xf32> {tw.name = "y", tw.output}) {
    %n = loop.dim %x, 0 : memref<?xf32>
    loop.bind %y shape [%n] strides [1] : memref<?xf32>
    %c = loop.constant dense<[100.0]> : memref<1xf32>
    func.call @twice(%x, %y) : (memref<?xf32>, memref<?xf32>) -> ()
    %f = loop.load %c[0] : memref<1xf32>
    loop.store %f, %y[1] : memref<?xf32>
    func.return
  }
}
"""


def test_calls_pass_extents_constants_and_threads(compiled):
    x = np.arange(1, 8, dtype=np.float32)
    expected = x * 9
    expected[0] += 10
    expected[1] = 100
    for threads in (1, 2):
        np.testing.assert_array_equal(compiled(CALLS, threads)(x), expected)


def test_arguments_that_overlap_at_a_call_are_not_noalias(compiled):
    """@shift reads the element that it wrote one iteration before, through another argument."""
    module = compiled("""
    builtin.module {
      func.func private @shift(%x: memref<63xf32>, %y: memref<63xf32> {tw.output}) {
        loop.for %i = 0 to 63 {
          %v = loop.load %x[%i] : memref<63xf32>
          loop.store %v, %y[%i] : memref<63xf32>
        }
        func.return
      }
      func.func @main(%x: memref<64xf32>, %y: memref<64xf32> {tw.output}) {
        loop.for %i = 0 to 64 {
          %v = loop.load %x[%i] : memref<64xf32>
          loop.store %v, %y[%i] : memref<64xf32>
        }
        %a = loop.view %y[0] : memref<64xf32> to memref<63xf32>
        %b = loop.view %y[4] : memref<64xf32> to memref<63xf32>
        func.call @shift(%a, %b) : (memref<63xf32>, memref<63xf32>) -> ()
        func.return
      }
    }""")
    x = np.random.default_rng(0).random(64, np.float32)
    np.testing.assert_array_equal(module(x), np.full(64, x[0]))


def test_disjoint_views_keep_noalias(parse):
    from tilewright.backends.cpu.module import llvm_text

    text = """
    builtin.module {{
      func.func private @copy(%x: memref<16xf32>, %y: memref<16xf32> {{tw.output}}) {{
        %v = loop.load %x[0] : memref<16xf32>
        loop.store %v, %y[0] : memref<16xf32>
        func.return
      }}
      func.func @main(%y: memref<32xf32> {{tw.output}}) {{
        %a = loop.view %y[0] : memref<32xf32> to memref<16xf32>
        %b = loop.view %y[{offset}] : memref<32xf32> to memref<16xf32>
        func.call @copy(%a, %b) : (memref<16xf32>, memref<16xf32>) -> ()
        func.return
      }}
    }}"""
    for offset, parameters in ((64, "ptr noalias %a0, ptr noalias %a1"), (60, "ptr %a0, ptr %a1")):
        module = parse(text.format(offset=offset))
        assert "@tw.copy(ptr %a0, ptr %a1" in llvm_text(module)  # nothing is promised
        NoteAliasesPass().apply(context(), module)
        assert f"@tw.copy({parameters}" in llvm_text(module)
