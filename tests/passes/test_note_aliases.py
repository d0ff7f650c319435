"""`note-aliases` states aliasing of arguments in the IR, and the interpreter checks calls against it."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright
from tilewright import TilewrightError
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.dialects.loop.overlap import MAY_OVERLAP, may_overlap, overlap_attribute
from tilewright.ir.rewrites import count_rewrites
from tilewright.passes.framework.bisection import bisect
from tilewright.passes.framework.context import as_pass
from tilewright.passes.phase3.note_aliases import NoteAliasesPass
from tilewright.semantics import Program
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

SHIFT = """
func.func private @shift(%x: memref<63xf32>, %y: memref<63xf32> {tw.output}) {
  loop.for %i = 0 to 63 {
    %v = loop.load %x[%i] : memref<63xf32>
    loop.store %v, %y[%i] : memref<63xf32>
  }
  func.return
}
func.func @main(%a: memref<64xf32>, %m: memref<128xf32> {tw.output}) {
  loop.for %i = 0 to 64 {
    %v = loop.load %a[%i] : memref<64xf32>
    loop.store %v, %m[%i] : memref<128xf32>
    loop.store %v, %m[%i + 64] : memref<128xf32>
  }
  %x = loop.view %m[0] : memref<128xf32> to memref<63xf32>
  %y = loop.view %m[OFFSET] : memref<128xf32> to memref<63xf32>
  func.call @shift(%x, %y) : (memref<63xf32>, memref<63xf32>) -> ()
  func.return
}
"""


def module_of(offset: int) -> ModuleOp:
    return parse(context(), SHIFT.replace("OFFSET", str(offset)), "shift.mlir")


def shift_of(module: ModuleOp) -> FuncOp:
    return next(op for op in module.ops if isinstance(op, FuncOp) and op.sym_name.data == "shift")


@pytest.mark.parametrize(("offset", "expected"), [(4, {0, 1}), (248, {0, 1}), (252, set()), (256, set())])
def test_views_that_overlap_are_listed(offset: int, expected: set[int]) -> None:
    module = module_of(offset)
    with count_rewrites() as counter:
        NoteAliasesPass().apply(context(), module)
        NoteAliasesPass().apply(context(), module)
    assert counter.by_name == {"note aliases": 1}
    assert may_overlap(shift_of(module)) == expected
    assert may_overlap(next(f for f in module.ops if isinstance(f, FuncOp) and f.sym_name.data == "main")) is None
    x = np.arange(64, dtype=np.float32)
    whole = np.concatenate([x, x])
    for i in range(63):
        whole[offset // 4 + i] = whole[i]
    (result,) = Program(module).evaluate("main", x)
    np.testing.assert_array_equal(result, whole)
    np.testing.assert_array_equal(tilewright.compile(module)(x), whole)


def promise_all(module: ModuleOp) -> None:
    """Give a wrong answer about aliases."""
    shift_of(module).attributes[MAY_OVERLAP] = overlap_attribute([])


def test_the_interpreter_finds_a_broken_promise() -> None:
    module = module_of(4)
    promise_all(module)
    with pytest.raises(TilewrightError) as error:
        Program(module).evaluate("main", np.zeros(64, np.float32))
    assert error.value.code == "TW0726" and "arguments 0 and 1 of @shift" in error.value.message


def test_what_is_only_read_may_be_passed_twice() -> None:
    text = SHIFT.replace("%y = loop.view %m[OFFSET]", "%y = loop.view %m[256]")
    text = text.replace("@shift(%x: memref<63xf32>", "@shift(%x: memref<63xf32>, %z: memref<63xf32>")
    text = text.replace("@shift(%x, %y) : (", "@shift(%x, %x, %y) : (memref<63xf32>, ")
    module = parse(context(), text, "shift.mlir")
    NoteAliasesPass().apply(context(), module)
    assert may_overlap(shift_of(module)) == set()
    Program(module).evaluate("main", np.zeros(64, np.float32))


def test_validation_names_the_step_and_bisection_the_rewrite() -> None:
    """The answer for one function is wrong."""
    found = bisect(module_of(4), [NoteAliasesPass(), as_pass(promise_all)], 1)
    assert found.position == 2
    assert isinstance(found.error, TilewrightError) and "to be disjoint" in found.error.message
    assert found.rewrite is not None and found.rewrite.number == 1
