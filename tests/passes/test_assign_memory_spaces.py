"""Memory spaces of buffers are stated in the IR, and the interpreter uses them, so that a wrong one shows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import tilewright
from tilewright import TilewrightError
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.dialects.loop import AllocOp
from tilewright.dialects.loop.memory_spaces import (
    ARENA_BYTES,
    IN_ARENA,
    IN_REGISTERS,
    OF_THREAD,
    THREAD_BYTES,
    MemorySpaceAttr,
    bytes_attribute,
    memory_space_of,
)
from tilewright.ir.rewrites import count_rewrites
from tilewright.passes.framework.bisection import bisect
from tilewright.passes.phase3 import assign_memory_spaces
from tilewright.passes.phase3.assign_memory_spaces import AssignMemorySpacesPass
from tilewright.passes.phase3.assign_memory_spaces import storage_plan as storage_plan
from tilewright.semantics import evaluate
from tilewright.traversal import operations
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Operation

N = 20_000
ROWS = f"""
func.func private @row(%x: memref<8x{N}xf32>, %y: memref<8x{N}xf32> {{tw.output}}, %i: index) {{
  loop.for %p = 0 to 2 kind parallel {{
    %t = loop.alloc : memref<{N}xf32, "local">
    loop.for %j = %p * {N // 2} to %p * {N // 2} + {N // 2} {{
      %v = loop.load %x[%i, %j] : memref<8x{N}xf32>
      %w = arith.addf %v, %v : f32
      loop.store %w, %t[%j] : memref<{N}xf32, "local">
    }}
    loop.for %j = %p * {N // 2} to %p * {N // 2} + {N // 2} {{
      %v = loop.load %t[%j] : memref<{N}xf32, "local">
      loop.store %v, %y[%i, %j] : memref<8x{N}xf32>
    }}
  }}
  func.return
}}
func.func @main(%x: memref<8x{N}xf32>, %y: memref<8x{N}xf32> {{tw.output}}) {{
  %a = loop.alloc : memref<8xf32>
  %b = loop.alloc : memref<8xf32>
  %s = loop.alloc : memref<4xf32, "register">
  loop.for %i = 0 to 4 {{
    %v = loop.load %x[%i, 0] : memref<8x{N}xf32>
    loop.store %v, %a[%i] : memref<8xf32>
  }}
  loop.for %i = 0 to 4 {{
    %v = loop.load %x[%i, 1] : memref<8x{N}xf32>
    loop.store %v, %b[%i] : memref<8xf32>
  }}
  loop.for %i = 0 to 4 kind unrolled {{
    %v = loop.load %a[%i] : memref<8xf32>
    %w = loop.load %b[%i] : memref<8xf32>
    %u = arith.subf %v, %w : f32
    loop.store %u, %s[%i] : memref<4xf32, "register">
  }}
  loop.for %i = 0 to 8 kind parallel {{
    %t = loop.alloc : memref<{N}xf32, "local">
    loop.for %j = 0 to {N} {{
      %v = loop.load %x[%i, %j] : memref<8x{N}xf32>
      loop.store %v, %t[%j] : memref<{N}xf32, "local">
    }}
    func.call @row(%x, %y, %i) : (memref<8x{N}xf32>, memref<8x{N}xf32>, index) -> ()
    loop.for %j = 0 to {N} {{
      %v = loop.load %t[%j] : memref<{N}xf32, "local">
      %w = loop.load %y[%i, %j] : memref<8x{N}xf32>
      %u = arith.addf %v, %w : f32
      loop.store %u, %y[%i, %j] : memref<8x{N}xf32>
    }}
  }}
  loop.for %i = 0 to 4 kind unrolled {{
    %v = loop.load %s[%i] : memref<4xf32, "register">
    loop.store %v, %y[%i, 0] : memref<8x{N}xf32>
  }}
  func.return
}}
"""


def rows(n: int = N) -> ModuleOp:
    return parse(context(), ROWS.replace(str(N // 2), str(n // 2)).replace(str(N), str(n)), "rows.mlir")


def expected(x: np.ndarray) -> np.ndarray:
    result = 3 * x
    result[:4, 0] = x[:4, 0] - x[:4, 1]
    return result


def test_programs_compute_the_same_in_their_memory_spaces() -> None:
    module = rows()
    with count_rewrites() as counter:
        AssignMemorySpacesPass().apply(context(), module)
        AssignMemorySpacesPass().apply(context(), module)
    assert counter.by_name == {"assign memory space": 6}
    kinds = [space.kind for op in operations(module) if (space := memory_space_of(op)) is not None]
    assert sorted(kinds) == ["arena", "arena", "register", "thread", "thread", "thread"]
    x = np.random.default_rng(0).integers(-9, 9, (8, N)).astype(np.float32)
    for threads in (1, 2):
        for target in ("llvm", "c"):
            np.testing.assert_array_equal(tilewright.compile(rows(), target, threads=threads)(x), expected(x))


def test_the_interpreter_lays_buffers_out_as_stated() -> None:
    """Memory of a thread is used if the IR states it, for any size."""
    module = small()
    x = np.random.default_rng(0).integers(-9, 9, (8, 40)).astype(np.float32)
    np.testing.assert_array_equal(evaluate(module, x)[0], expected(x))
    for name, size in ((ARENA_BYTES, 0), (THREAD_BYTES, 64)):
        cut = module.clone()
        main = next(op for op in cut.ops if isinstance(op, FuncOp) and op.sym_name.data == "main")
        main.attributes[name] = bytes_attribute(size)
        with pytest.raises(TilewrightError) as error:
            evaluate(cut, x)
        assert error.value.code == "TW0727"


def small() -> ModuleOp:
    """Return the same program on rows that stacks would hold, placed as large ones are."""
    large, module = rows(), rows(40)
    AssignMemorySpacesPass().apply(context(), large)
    for op, large_op in zip(operations(module), operations(large), strict=True):
        space = memory_space_of(large_op)
        if space is not None:
            start = 192 if space.kind == OF_THREAD and space.start else space.number.data
            op.attributes["tw.place"] = MemorySpaceAttr.get(space.kind, start)
        if isinstance(op, FuncOp):
            op.attributes[THREAD_BYTES] = bytes_attribute(192 if op.sym_name.data == "row" else 384)
            op.attributes[ARENA_BYTES] = bytes_attribute(128)
    return module


Wrong = Callable[[Operation], MemorySpaceAttr | None]
"""A place that is wrong for an operation, or None."""


def is_call(op: Operation) -> bool:
    return isinstance(op, CallOp)


def shape_of(op: Operation) -> tuple[int, ...]:
    return tuple(op.res.type.get_shape()) if isinstance(op, AllocOp) else ()


FAULTS: dict[str, Wrong] = {
    "two buffers of the arena at one place": lambda op: MemorySpaceAttr.get(IN_ARENA) if shape_of(op) == (8,) else None,
    "a call is lent what its caller uses": lambda op: MemorySpaceAttr.get(OF_THREAD) if is_call(op) else None,
    "a buffer that a variable indexes is in registers": (
        lambda op: MemorySpaceAttr.get(IN_REGISTERS, 1) if shape_of(op) == (8,) else None
    ),
    "memory behind the end": lambda op: MemorySpaceAttr.get(IN_ARENA, 1 << 20) if shape_of(op) == (8,) else None,
}


@pytest.mark.parametrize("fault", FAULTS)
def test_validation_names_the_step_and_bisection_the_rewrite(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last place of its kind is wrong."""
    wrong, plan = FAULTS[fault], storage_plan.storage_in

    def faulty(*args: object, **options: object) -> storage_plan.Storage:
        result = plan(*args, **options)  # pyright: ignore[reportArgumentType]
        affected = [op for op in result.of if wrong(op) is not None]
        if affected:
            result.of[affected[-1]] = wrong(affected[-1])  # pyright: ignore[reportArgumentType]
        return result

    monkeypatch.setattr(assign_memory_spaces, "storage_in", faulty)
    monkeypatch.setattr(storage_plan, "STACK_LIMIT_BYTES", 64)
    found = bisect(rows(40), [AssignMemorySpacesPass()], 1)
    assert found.position == 1 and isinstance(found.error, TilewrightError)
    assert found.rewrite is not None and "assign memory space" in str(found.rewrite)


def test_registers_have_no_addresses() -> None:
    module = parse(
        context(),
        """
        func.func @main(%x: memref<4xf32>, %y: memref<4xf32> {tw.output}) {
          %s = loop.alloc attributes {tw.place = #loop.place<register 1>} : memref<4xf32, "register">
          loop.for %i = 0 to 4 {
            %v = loop.load %x[%i] : memref<4xf32>
            loop.store %v, %s[%i] : memref<4xf32, "register">
          }
          func.return
        }""",
        "registers.mlir",
    )
    with pytest.raises(TilewrightError) as error:
        evaluate(module, np.zeros(4, np.float32))
    assert error.value.code == "TW0728" and "got %i" in error.value.message
