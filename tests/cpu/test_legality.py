"""Operations that the emitter refuses, with the operation and its location."""

from __future__ import annotations

import pytest
from tilewright import TilewrightError
from tilewright.backends.cpu.module import llvm_text

Y = "%y: memref<8xf32> {tw.output}"
STORE = "loop.store %c, %y[%i] : memref<8xf32>"
CONSTANT = "%c = arith.constant 1.0 : f32"
CASES = {
    "expected a loop of kind serial, parallel or unrolled, but got vectorized": (
        Y, f"{CONSTANT} loop.for %i = 0 to 8 kind vectorized {{ {STORE} }}",
    ),
    "expected an operation that the cpu backend executes, but got loop.block": (
        Y, f'{CONSTANT} loop.for %j = 0 to 8 {{ loop.block "b" (%i = spatial(%j) in 8) {{ {STORE} }} }}',
    ),
    "expected a buffer of scope global, local or register, but got shared": (
        Y, '%s = loop.alloc : memref<8xf32, "shared">',
    ),
    "expected an unrolled loop to have a constant number of iterations": (
        f"%x: memref<?xf32>, {Y}",
        f"{CONSTANT} %n = loop.dim %x, 0 : memref<?xf32> loop.for %i = 0 to %n kind unrolled {{ {STORE} }}",
    ),
    "expected indices of registers to be constants and variables of unrolled loops": (
        Y,
        f"""{CONSTANT} %r = loop.alloc : memref<8xf32, "register">
        loop.for %i = 0 to 8 {{ loop.store %c, %r[%i] : memref<8xf32, "register"> }}""",
    ),
    "expected a register buffer to be allocated within the parallel loop": (
        Y,
        f"""{CONSTANT} %r = loop.alloc : memref<8xf32, "register">
        loop.for %i = 0 to 8 kind parallel {{ loop.store %c, %r[0] : memref<8xf32, "register"> }}""",
    ),
    "expected a register buffer to be used by loads and stores only, but got loop.dim": (
        Y, '%r = loop.alloc : memref<8xf32, "register"> %n = loop.dim %r, 0 : memref<8xf32, "register">',
    ),
    "expected elements of f64, f32, f16, bf16, index, i1 to i64 or a type that is only stored, but got i7": (
        f"%x: memref<8xi7>, {Y}", "",
    ),
    "expected arithmetic of wider elements, but got arith.addi of i4": (
        f"%x: memref<8xi4>, {Y}", "%c = loop.load %x[0] : memref<8xi4> %d = arith.addi %c, %c : i4",
    ),
    "expected arithmetic of wider elements, but got arith.mulf of f8E5M2": (
        f"%x: memref<8xf8E5M2>, {Y}", "%c = loop.load %x[0] : memref<8xf8E5M2> %d = arith.mulf %c, %c : f8E5M2",
    ),
    "expected a vector of rank 1, but got": (
        Y, "%c = arith.constant dense<1.0> : vector<2x2xf32> %d = arith.addf %c, %c : vector<2x2xf32>",
    ),
    "expected a parallel loop to carry no values": (
        Y,
        f"""{CONSTANT}
        %r = loop.for %i = 0 to 8 kind parallel iter_args(%a = %c) -> (f32) {{ loop.yield %a : f32 }}""",
    ),
    "expected the extents of this buffer to be stated by loop.bind before its first access": (
        Y,
        """%b = loop.alloc : memref<64xi8>
        %v = loop.view %b[0] : memref<64xi8> to memref<?x?xf32>
        %c = loop.load %v[0, 0] : memref<?x?xf32>""",
    ),
    "expected a buffer in row-major order": (f"%x: memref<8xf32, strided<[2]>>, {Y}", ""),
    "expected argument 'argument0' of @main to be a buffer, but got index": (f"%0: index, {Y}", ""),
    "expected the outputs of @main after its inputs": (f"{Y}, %x: memref<8xf32>", ""),
}  # fmt: skip


@pytest.mark.parametrize("message", CASES)
def test_refusals(main, message):
    arguments, body = CASES[message]
    with pytest.raises(TilewrightError) as caught:
        main(arguments, body)
    assert caught.value.code == ("TW0728" if message.startswith("expected indices of registers") else "TW0601")
    assert message in caught.value.message


def test_modules_without_an_entry(compiled):
    with pytest.raises(TilewrightError, match="expected a function @main, but got @other"):
        compiled("builtin.module { func.func private @other() { func.return } }")


def test_results_and_recursion(compiled):
    with pytest.raises(TilewrightError, match="@main to write its results to arguments"):
        compiled("builtin.module { func.func @main() -> i32 { %c = arith.constant 1 : i32 func.return %c : i32 } }")
    with pytest.raises(TilewrightError, match="@f calls itself"):
        compiled("""builtin.module {
          func.func private @f() { func.call @f() : () -> () func.return }
          func.func @main() { func.call @f() : () -> () func.return }
        }""")
    with pytest.raises(TilewrightError, match="expected one block in function @f"):
        compiled("""builtin.module {
          func.func private @f()
          func.func @main() { func.call @f() : () -> () func.return }
        }""")


def test_the_location_is_named():
    from tilewright.diagnostics.parsing import parse as parse_located
    from tilewright.dialects import context

    text = (
        "builtin.module {\n  func.func @main() {\n    loop.for %i = 0 to 8 kind vectorized {}\n    func.return\n  }\n}"
    )
    with pytest.raises(TilewrightError, match=r"model.mlir:3:5: error\[TW0601\]"):
        llvm_text(parse_located(context(), text, "model.mlir"))


def test_names_that_llvm_or_libc_know(compiled):
    """Functions may be called anything."""
    import numpy as np

    module = compiled("""builtin.module {
      func.func private @exp(%y: memref<1xf32> {tw.output}) {
        %c = arith.constant 2.0 : f32
        loop.for %i = 0 to 1 kind parallel { loop.store %c, %y[%i] : memref<1xf32> }
        func.return
      }
      func.func private @"a \\22strange\\22 näme"(%y: memref<1xf32> {tw.output}) {
        func.call @exp(%y) : (memref<1xf32>) -> ()
        func.return
      }
      func.func @main(%y: memref<1xf32> {tw.output}) {
        func.call @"a \\22strange\\22 näme"(%y) : (memref<1xf32>) -> ()
        func.return
      }
    }""")
    np.testing.assert_array_equal(module(), [2])
