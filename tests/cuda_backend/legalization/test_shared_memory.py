"""Shared memory that a kernel asks for: where buffers lie in it is stated, and laid out so by the interpreter."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from legal import legal
from tilewright.backends.cuda.module import build
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.dialects.loop import AllocOp
from tilewright.dialects.loop.memory_spaces import SHARED_BYTES, MemorySpaceAttr, bytes_of, memory_space_of
from tilewright.passes.phase3 import assign_shared_offsets
from tilewright.semantics import evaluate
from tilewright.traversal import operations
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

TARGET = "cuda -shared=65536"


def two(rows: int = 100, spaces: tuple[str, str] = ("", ""), size: int = 0) -> str:
    """Return the sum of an element and its neighbour, each by way of a shared buffer of its own."""
    stated = [f" attributes {{tw.place = #loop.place<{space}>}}" if space else "" for space in spaces]
    needed = f"tw.shared_bytes = {size} : i64" if size else "tw.scheduled"
    return f"""
    func.func @main(%x: memref<64xf32>, %y: memref<64xf32> {{tw.output}}) attributes {{{needed}}} {{
      loop.for %b = 0 to 2 kind thread<"blockIdx.x"> {{
        %s = loop.alloc{stated[0]} : memref<{rows}x64xf32, "shared">
        %r = loop.alloc{stated[1]} : memref<{rows}x64xf32, "shared">
        loop.for %t = 0 to 32 kind thread<"threadIdx.x"> {{
          %v = loop.load %x[%b * 32 + %t] : memref<64xf32>
          loop.store %v, %s[0, %t] : memref<{rows}x64xf32, "shared">
          %d = arith.addf %v, %v : f32
          loop.store %d, %r[0, 31 - %t] : memref<{rows}x64xf32, "shared">
          loop.barrier <"shared">
          %p = loop.load %s[0, 31 - %t] : memref<{rows}x64xf32, "shared">
          %q = loop.load %r[0, %t] : memref<{rows}x64xf32, "shared">
          %e = arith.addf %p, %q : f32
          loop.store %e, %y[%b * 32 + %t] : memref<64xf32>
        }}
      }}
      func.return
    }}"""


def planned(module: ModuleOp) -> tuple[list[str], int]:
    """Return the offsets of the buffers, and the memory that the function states."""
    (function,) = (op for op in operations(module) if isinstance(op, FuncOp))
    spaces = [memory_space_of(op) for op in operations(module) if isinstance(op, AllocOp)]
    return [str(space) for space in spaces if space is not None], bytes_of(function, SHARED_BYTES)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [(96, ([], 0)), (97, (["#loop.place<shared 0>", "#loop.place<shared 24832>"], 49664))],
)
def test_what_every_block_has_needs_no_offset(rows: int, expected: tuple[list[str], int]) -> None:
    module = legal(parse(context(), two(rows), "program.mlir"), TARGET)
    assert planned(module) == expected
    x = np.arange(64, dtype=np.float32)
    wanted = 3 * x.reshape(2, 32)[:, ::-1].ravel()
    np.testing.assert_array_equal(evaluate(module, x)[0], wanted)
    program = build(module, device="simulator")
    np.testing.assert_array_equal(program(x), wanted)
    assert ("cuda.shared.array(0, float32)" in program.get_source()) == bool(expected[1])


def test_the_interpreter_lays_buffers_out_as_stated() -> None:
    """Both lie at one place: the second one's elements are what is found in the first."""
    module = parse(context(), two(1, ("shared 0", "shared 0"), 256), "stated.mlir")
    x = np.arange(64, dtype=np.float32)
    found = evaluate(module, x)[0]
    assert (found != 3 * x.reshape(2, 32)[:, ::-1].ravel()).any()


def test_memory_ends() -> None:
    module = parse(context(), two(1, ("shared 0", "shared 256"), 256), "short.mlir")
    with pytest.raises(TilewrightError, match="memory for a buffer up to byte 512, but there are 256") as error:
        evaluate(module, np.zeros(64, np.float32))
    assert error.value.code == "TW0727"


@pytest.mark.parametrize("planted", [False, True])
def test_a_wrong_offset_is_found(
    planted: bool, found: Callable[..., tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second buffer begins where the first one does."""
    monkeypatch.setattr(assign_shared_offsets, "STATIC_SHARED_BYTES", 64)
    if planted:
        get = MemorySpaceAttr.get
        wrong = staticmethod(lambda memory, number=0: get(memory, 0))
        monkeypatch.setattr(assign_shared_offsets.MemorySpaceAttr, "get", wrong)
    validated, bisected = found(two(1))
    if not planted:
        assert validated == bisected == ""
        return
    assert "pass 'assign-shared-offsets' changed what @main computes" in validated
    assert "rewrite is number 1 of 1 in this pass: shared memory on loop.for" in bisected
