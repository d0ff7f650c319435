"""`outline-parallel` states captured values in the IR; the interpreter checks bodies, emitters follow it."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
import tilewright
from tilewright import TilewrightError
from tilewright.backends.cpu.module import llvm_text
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.dialects.loop import PARALLEL, ForOp
from tilewright.driver.lowering import legalize
from tilewright.ir.rewrites import count_rewrites
from tilewright.passes.phase3.mark_written_out import MarkWrittenOutPass
from tilewright.passes.phase3.outline_parallel import OutlineParallelPass
from tilewright.passes.pipeline import LEGALIZATION
from tilewright.semantics import evaluate
from tilewright.traversal import operations
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import VerifyException

ROWS = """
func.func @main(%x: memref<8x16xf32>, %y: memref<8x16xf32> {tw.output}) {
  %two = arith.constant 2.0 : f32
  %first = loop.load %x[0, 0] : memref<8x16xf32>
  loop.for %i = 0 to 8 kind parallel {
    loop.for %j = 0 to 16 kind parallel {
      %v = loop.load %x[%i, %j] : memref<8x16xf32>
      %w = arith.mulf %v, %two : f32
      %u = arith.addf %w, %first : f32
      loop.store %u, %y[%i, %j] : memref<8x16xf32>
    }
  }
  func.return
}
"""
SHIFTED = """
func.func @main(%x: memref<32xf32>, %m: memref<64xf32> {tw.output}) {
  loop.for %i = 0 to 32 {
    %v = loop.load %x[%i] : memref<32xf32>
    loop.store %v, %m[%i] : memref<64xf32>
    loop.store %v, %m[%i + 32] : memref<64xf32>
  }
  %a = loop.view %m[0] : memref<64xf32> to memref<32xf32>
  %b = loop.view %m[OFFSET] : memref<64xf32> to memref<32xf32>
  loop.for %i = 0 to 4 kind parallel {
    loop.for %j = 0 to 4 {
      %v = loop.load %a[%i * 4 + %j] : memref<32xf32>
      loop.store %v, %b[%i * 4 + %j] : memref<32xf32>
    }
  }
  func.return
}
"""


def module_of(text: str) -> ModuleOp:
    return parse(context(), text, "loops.mlir")


def parallel_loops(module: ModuleOp) -> list[ForOp]:
    return [op for op in operations(module) if isinstance(op, ForOp) and op.kind == PARALLEL]


def names(loop: ForOp) -> list[str]:
    return [value.name_hint or "" for value in loop.captures]


def test_loops_state_what_they_capture() -> None:
    module = module_of(ROWS)
    with count_rewrites() as counter:
        OutlineParallelPass().apply(context(), module)
        OutlineParallelPass().apply(context(), module)
    assert counter.by_name == {"outline": 1, "run serially": 1}
    (loop,) = parallel_loops(module)
    assert names(loop) == ["x", "two", "first", "y"]
    assert [value.name_hint for value in loop.captured_disjoint] == ["x", "y"]
    again = parse(context(), str(module), "again.mlir")
    assert str(again) == str(module) and names(parallel_loops(again)[0]) == names(loop)
    x = np.random.default_rng(0).normal(size=(8, 16)).astype(np.float32)
    expected = x * 2 + x[0, 0]
    np.testing.assert_array_equal(evaluate(module, x)[0], expected)
    for target in ("llvm", "c"):
        for threads in (1, 2):
            np.testing.assert_array_equal(tilewright.compile(module_of(ROWS), target, threads=threads)(x), expected)


@pytest.mark.parametrize(("offset", "disjoint"), [(128, 0), (64, 0)])
def test_views_of_one_buffer_are_not_disjoint(offset: int, disjoint: int) -> None:
    module = legalize(module_of(SHIFTED.replace("OFFSET", str(offset))))
    (loop,) = parallel_loops(module)
    assert names(loop) == ["a", "b"] and len(loop.captured_disjoint) == disjoint
    x = np.random.default_rng(0).normal(size=32).astype(np.float32)
    (expected,) = evaluate(module, x)
    np.testing.assert_array_equal(tilewright.compile(module, threads=2)(x), expected)


def parameters_of_bodies(text: str) -> list[list[str]]:
    return [found.split(", ") for found in re.findall(r"define internal i32 @\S*\.body\((.*?)\) noinline", text)]


def test_the_emitter_writes_what_is_stated() -> None:
    module = legalize(module_of(ROWS))
    (parameters,) = parameters_of_bodies(llvm_text(module))
    assert parameters == ["i64 %begin", "i64 %end", "ptr noalias %c0", "float %c1", "ptr noalias %c2"]
    (loop,) = parallel_loops(module)
    loop.state_captures(loop.captures, [])
    (parameters,) = parameters_of_bodies(llvm_text(module))
    assert parameters == ["i64 %begin", "i64 %end", "ptr %c0", "float %c1", "ptr %c2"]


def drop_one(module: ModuleOp) -> None:
    (loop,) = parallel_loops(module)
    loop.state_captures([v for v in loop.captures if v.name_hint != "first"], loop.captured_disjoint)


def state_nothing(module: ModuleOp) -> None:
    (loop,) = parallel_loops(module)
    loop.drop_captures()


def nest(module: ModuleOp) -> None:
    (loop,) = parallel_loops(module)
    (inner,) = (op for op in operations(loop) if isinstance(op, ForOp) and op is not loop)
    inner.kind = PARALLEL


@pytest.mark.parametrize("target", ["llvm", "c"])
@pytest.mark.parametrize(
    ("change", "message"),
    [(state_nothing, "states its captures"), (nest, "no parallel loop within another")],
)
def test_emitters_refuse_what_is_not_stated(change: Callable[[ModuleOp], None], message: str, target: str) -> None:
    module = legalize(module_of(ROWS))
    change(module)
    from tilewright.backends.c.module import c_text

    with pytest.raises(TilewrightError) as error:
        (llvm_text if target == "llvm" else c_text)(module)
    assert error.value.code == "TW0601" and message in error.value.message


def test_what_is_not_captured_is_not_used() -> None:
    module = legalize(module_of(ROWS))
    drop_one(module)
    with pytest.raises(TilewrightError) as error:
        evaluate(module, np.zeros((8, 16), np.float32))
    assert error.value.code == "TW0729" and "%first" in error.value.message
    with pytest.raises(TilewrightError) as error:
        llvm_text(module)
    assert error.value.code == "TW0601" and "it uses %first" in error.value.message


def test_disjoint_buffers_share_no_memory() -> None:
    for offset, shares in ((64, True), (128, False)):
        module = legalize(module_of(SHIFTED.replace("OFFSET", str(offset))))
        (loop,) = parallel_loops(module)
        loop.state_captures(loop.captures, [*loop.captures])
        if not shares:
            evaluate(module, np.zeros(32, np.float32))
            continue
        with pytest.raises(TilewrightError) as error:
            evaluate(module, np.zeros(32, np.float32))
        assert error.value.code == "TW0729" and "%a and %b to be disjoint" in error.value.message


def test_captures_are_verified() -> None:
    module = legalize(module_of(ROWS))
    (loop,) = parallel_loops(module)
    scalar = next(value for value in loop.captures if value.name_hint == "two")
    for change, message in (
        (lambda: loop.state_captures(loop.captures, [scalar]), "expected `apart` to list captured buffers"),
        (lambda: loop.properties.pop("apart"), "with the attribute `apart`"),
    ):
        change()
        with pytest.raises(VerifyException, match=message):
            module.verify()


def test_loops_of_one_iteration_are_written_out() -> None:
    text = ROWS.replace("%i = 0 to 8 kind parallel", "%i = 3 to 4 kind parallel")
    module = module_of(text)
    with count_rewrites() as counter:
        MarkWrittenOutPass().apply(context(), module)
    assert counter.by_name == {"write out": 1}
    x = np.random.default_rng(0).normal(size=(8, 16)).astype(np.float32)
    legal = legalize(module_of(text))
    assert [loop.constant_trip_count for loop in parallel_loops(legal)] == [16]
    np.testing.assert_array_equal(evaluate(legal, x)[0][3], x[3] * 2 + x[0, 0])
    np.testing.assert_array_equal(tilewright.compile(legal, threads=2)(x)[3], x[3] * 2 + x[0, 0])


def test_the_pipeline_ends_with_it() -> None:
    assert LEGALIZATION[-1] == "outline-parallel" and LEGALIZATION.index("mark-written-out") == 1


def hoist_constants(module: ModuleOp) -> None:
    """Move the constants of parallel loops in front of them."""
    for loop in parallel_loops(module):
        for op in operations(loop):
            if isinstance(op, ConstantOp):
                op.detach()
                loop.parent.insert_op_before(op, loop)  # pyright: ignore[reportOptionalMemberAccess]


def test_what_passes_of_users_move_is_captured() -> None:
    text = ROWS.replace("  %two = arith.constant 2.0 : f32\n", "").replace(
        "%v = loop.load", "%two = arith.constant 2.0 : f32\n      %v = loop.load"
    )
    x = np.random.default_rng(0).normal(size=(8, 16)).astype(np.float32)
    with tilewright.PassContext(add_lower_pass=[(3, hoist_constants)]):
        program = tilewright.compile(module_of(text), threads=2)
    np.testing.assert_array_equal(program(x), x * 2 + x[0, 0])
