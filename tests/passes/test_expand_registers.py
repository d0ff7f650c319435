"""Registers as values in IR: built as emitters build them, run by the interpreter, the same bits as machine code."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tilewright import TilewrightError
from tilewright.backends.cpu.module import build, llvm_text
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.dialects.loop import UNROLLED, AllocOp, ForOp, LoadOp, StoreOp
from tilewright.dialects.loop.memory_spaces import IN_REGISTERS, memory_space_of
from tilewright.dialects.target import TARGET_ATTRIBUTE
from tilewright.driver.lowering import legalize, lower_module
from tilewright.driver.targets import Target
from tilewright.passes.framework.bisection import bisect
from tilewright.passes.framework.validation.execution import draw_inputs, functions_of
from tilewright.passes.phase3.expand_registers import ExpandRegistersPass
from tilewright.passes.shared import register_file
from tilewright.semantics import evaluate
from tilewright.semantics.calls import prepare_call
from tilewright.traversal import operations
from xdsl.dialects.builtin import ModuleOp

from .small_kernels import Kernel, conv, matmul, softmax

sys.path.append(str(Path(__file__).resolve().parents[1]))

from fuzz.compiled import is_compilable
from fuzz.trial import draw_module

TARGET = "llvm -mcpu=x86-64-v3 -caches=32K,512K,8M -threads=2"
SEED = 4117

BRANCHES = """
func.func @main(%x: memref<16xf32>, %y: memref<16xf32> {tw.output}) {
  %one = arith.constant 1.0 : f32
  %ones = arith.constant dense<1.0> : vector<4xf32>
  %r = loop.alloc : memref<8xf32, "register">
  %s = loop.alloc : memref<2xf32, "register">
  loop.store %one, %s[0] : memref<2xf32, "register">
  loop.for %u = 0 to 2 kind unrolled {
    loop.store %ones, %r[%u * 4 + lane] : vector<4xf32>, memref<8xf32, "register">
  }
  loop.for %i = 0 to 4 {
    loop.if (%i >= 1, %i < 3) {
      %v = loop.load %x[%i * 4 + lane] : memref<16xf32>, vector<4xf32>
      loop.store %v, %r[lane + 4] : vector<4xf32>, memref<8xf32, "register">
      %e = loop.load %r[5] : memref<8xf32, "register">
      loop.store %e, %s[1] : memref<2xf32, "register">
    } else {
      %e = loop.load %s[0] : memref<2xf32, "register">
      %f = arith.addf %e, %one : f32
      loop.store %f, %s[0] : memref<2xf32, "register">
      %p = loop.load %r[lane + 2] : memref<8xf32, "register">, vector<4xf32>
      loop.store %p, %r[lane] where (%i < 3) : vector<4xf32>, memref<8xf32, "register">
    }
    %c = loop.load %s[0] where (%i >= 2) else %one : memref<2xf32, "register">
    loop.store %c, %r[%u0] : memref<8xf32, "register">
    %b = loop.load %r[7] : memref<8xf32, "register">, vector<4xf32>
    %w = loop.load %r[lane + 3] : memref<8xf32, "register">, vector<4xf32>
    %m = loop.load %r[lane * 2] : memref<8xf32, "register">, vector<4xf32>
    %t = arith.addf %b, %w : vector<4xf32>
    %z = arith.addf %t, %m : vector<4xf32>
    loop.store %z, %y[%i * 4 + lane] : vector<4xf32>, memref<16xf32>
  }
  func.return
}
""".replace("%u0", "3")


def expanded(module: ModuleOp) -> ModuleOp:
    result = module.clone()
    ExpandRegistersPass().apply(context(), result)
    result.verify()
    assert not [op for op in operations(result) if isinstance(op, ForOp) and op.kind == UNROLLED]
    registers = {op.res for op in operations(result) if isinstance(op, AllocOp) and is_in_registers(op)}
    assert not [op for op in operations(result) if isinstance(op, StoreOp) and op.buffer in registers]
    return result


def is_in_registers(op: AllocOp) -> bool:
    space = memory_space_of(op)
    return space is not None and space.kind == IN_REGISTERS


def compiled_bits(module: ModuleOp) -> list[bytes]:
    """Return the output bits of a legal module's machine code for drawn inputs; a failing call gives its code."""
    main = next(op for op in functions_of(module) if op.sym_name.data == "main")
    program = build(module.clone(), 1)
    found: list[bytes] = []
    for trial in range(2):
        call = prepare_call(main, draw_inputs(module, "main", trial), trial)
        try:
            results = program(*call.values)
        except TilewrightError as error:
            found.append(error.code.encode())
            continue
        listed: list[Any] = list(results) if isinstance(results, (list, tuple)) else [results] * (results is not None)
        values = call.outcome([np.asarray(result) for result in listed]).values
        found += [np.asarray(value).tobytes() for value in values]
    return found


def lowered(module: ModuleOp) -> ModuleOp:
    module.attributes[TARGET_ATTRIBUTE] = Target(TARGET).attribute()
    return lower_module(module)


KERNELS: dict[str, Kernel] = {
    "matmul": matmul(17, 33, 9, "float32", transposed=False, epilogue=True),
    "transposed": matmul(16, 16, 16, "float32", transposed=True, epilogue=False),
    "conv": conv(4, 16, 14, 3, 1, 1, 1, 1, "float32"),
    "softmax": softmax(9, 33, "float32"),
    "int8": matmul(16, 32, 16, "int8", transposed=False, epilogue=False),
}


@pytest.mark.parametrize("name", KERNELS)
def test_kernels_compute_the_same_bits(name: str) -> None:
    kernel = KERNELS[name]
    module = lowered(kernel.module())
    whole = expanded(module)
    assert llvm_text(whole) != llvm_text(module)
    assert compiled_bits(whole) == compiled_bits(module)
    for before, after in zip(evaluate(module, *kernel.arrays()), evaluate(whole, *kernel.arrays()), strict=True):
        np.testing.assert_array_equal(before.view(np.uint8), after.view(np.uint8))


LACKING = {"arith.addui_extended", "arith.mulsi_extended", "arith.mului_extended"}
"""Operations that the CPU backend refuses."""


def random_modules(count: int) -> list[ModuleOp]:
    """Return the first drawn modules that machine code can be made of."""
    drawn = (draw_module(SEED, number)[3] for number in itertools.count())
    return list(itertools.islice(filter(_is_executed, drawn), count))


def _is_executed(module: ModuleOp) -> bool:
    return is_compilable(module) and not LACKING.intersection(op.name for op in operations(module))


@pytest.mark.full
def test_random_modules_compute_the_same_bits() -> None:
    changed = 0
    for number, module in enumerate(random_modules(50)):
        module.attributes.pop(TARGET_ATTRIBUTE, None)
        module = lowered(module)
        whole = expanded(module)
        changed += llvm_text(whole) != llvm_text(module)
        assert compiled_bits(whole) == compiled_bits(module), number
    assert changed >= 5


def test_branches_and_parts_of_chunks() -> None:
    module = legalize(parse(context(), BRANCHES, "branches.mlir"))
    whole = expanded(module)
    x = np.random.default_rng(0).normal(size=16).astype(np.float32)
    (expected,) = evaluate(module, x)
    np.testing.assert_array_equal(evaluate(whole, x)[0], expected)
    for program in (build(module.clone(), 1), build(whole.clone(), 1)):
        np.testing.assert_array_equal(program(x), expected)
    again = parse(context(), str(whole), "again.mlir")
    np.testing.assert_array_equal(evaluate(again, x)[0], expected)
    assert not [op for op in operations(whole) if isinstance(op, LoadOp) and op.buffer.name_hint == "r"], "all is known"


def test_validation_names_the_step_and_bisection_the_rewrite(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what a branch assigns one chunk lives on: a fault in what the emitter shares."""
    leave = register_file.RegisterFile[Any].leave_branch

    def faulty(self: register_file.RegisterFile[Any]) -> dict[register_file.Chunk, Any]:
        return dict([*leave(self).items()][-1:])

    monkeypatch.setattr(register_file.RegisterFile, "leave_branch", faulty)
    module = legalize(parse(context(), BRANCHES, "branches.mlir"))
    found = bisect(module, [ExpandRegistersPass()], 1)
    assert found.position == 1 and found.rewrite is not None and "expand registers" in str(found.rewrite)
