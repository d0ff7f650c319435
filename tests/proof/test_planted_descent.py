"""Faults in what ends the pipeline: whatever it decides, validation names the pass and bisection the rewrite."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import tilewright
from tilewright.dialects.loop.divisors import SAFE_DIVISOR, state_safe_divisor
from tilewright.dialects.loop.memory_spaces import IN_REGISTERS, ON_STACK, MemorySpaceAttr
from tilewright.passes.phase3 import assign_memory_spaces, note_aliases, outline_parallel, shuffle_columns
from tilewright.passes.phase3.assign_memory_spaces import storage_plan
from tilewright.passes.pipeline import LEGALIZATION
from tilewright.passes.shared import register_file
from tilewright.tools.opt import main as opt_tool
from xdsl.dialects import arith
from xdsl.dialects.builtin import BFloat16Type, IntegerAttr, f32, i32
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter

LOCAL = """
func.func @main(%x: memref<8xf32>, %y: memref<8xf32> {tw.output}) {
  %a = loop.alloc : memref<8xf32, "local">
  %b = loop.alloc : memref<2xf32, "register">
  %f = loop.load %x[0] : memref<8xf32>
  loop.store %f, %b[0] : memref<2xf32, "register">
  loop.for %i = 0 to 8 {
    %v = loop.load %x[%i] : memref<8xf32>
    loop.store %v, %a[%i] : memref<8xf32, "local">
  }
  loop.for %i = 0 to 8 {
    %v = loop.load %a[%i] : memref<8xf32, "local">
    loop.store %v, %y[%i] : memref<8xf32>
  }
  %w = loop.load %b[0] : memref<2xf32, "register">
  loop.store %w, %y[3] : memref<8xf32>
  func.return
}
"""
TURNED = """
func.func @main(%x: memref<16xf32>, %y: memref<16xf32> {tw.output}) {
  %r = loop.alloc : memref<4x4xf32, "register">
  loop.for %u = 0 to 4 kind unrolled {
    %v = loop.load %x[%u * 4 + lane] : memref<16xf32>, vector<4xf32>
    loop.store %v, %r[%u, lane] : vector<4xf32>, memref<4x4xf32, "register">
  }
  loop.for %u = 0 to 4 kind unrolled {
    %v = loop.load %r[lane, %u] : memref<4x4xf32, "register">, vector<4xf32>
    loop.store %v, %y[%u * 4 + lane] : vector<4xf32>, memref<16xf32>
  }
  func.return
}
"""
SUMS = """
func.func @main(%x: memref<64xbf16>, %y: memref<64xbf16> {tw.output}) {
  loop.for %i = 0 to 64 {
    %v = loop.load %x[%i] : memref<64xbf16>
    %p = arith.mulf %v, %v : bf16
    %s = arith.addf %p, %v : bf16
    loop.store %s, %y[%i] : memref<64xbf16>
  }
  func.return
}
"""
TEAMS = """
func.func @main(%x: memref<8x8xf32>, %y: memref<8x8xf32> {tw.output}) {
  %first = loop.load %x[0, 0] : memref<8x8xf32>
  loop.for %i = 0 to 8 kind parallel {
    loop.for %j = 0 to 8 kind parallel {
      %v = loop.load %x[%i, %j] : memref<8x8xf32>
      loop.store %v, %y[%i, %j] : memref<8x8xf32>
    }
  }
  loop.for %i = 0 to 8 kind parallel {
    loop.for %j = 0 to 8 {
      %v = loop.load %y[%i, %j] : memref<8x8xf32>
      %u = arith.addf %v, %first : f32
      loop.store %u, %y[%i, %j] : memref<8x8xf32>
    }
  }
  func.return
}
"""
VIEWS = """
func.func @main(%x: memref<32xf32>, %m: memref<64xf32> {tw.output}) {
  loop.for %i = 0 to 32 {
    %v = loop.load %x[%i] : memref<32xf32>
    loop.store %v, %m[%i] : memref<64xf32>
    loop.store %v, %m[%i + 32] : memref<64xf32>
  }
  %a = loop.view %m[0] : memref<64xf32> to memref<32xf32>
  %b = loop.view %m[96] : memref<64xf32> to memref<32xf32>
  loop.for %i = 0 to 4 kind parallel {
    loop.for %j = 0 to 2 {
      %v = loop.load %a[%i * 2 + %j] : memref<32xf32>
      loop.store %v, %b[%i * 2 + %j] : memref<32xf32>
    }
  }
  func.return
}
"""
SHIFTED = """
func.func private @shift(%x: memref<32xf32>, %y: memref<32xf32> {tw.output}) {
  loop.for %i = 0 to 32 {
    %v = loop.load %x[%i] : memref<32xf32>
    loop.store %v, %y[%i] : memref<32xf32>
  }
  func.return
}
func.func @main(%a: memref<32xf32>, %m: memref<64xf32> {tw.output}) {
  loop.for %i = 0 to 32 {
    %v = loop.load %a[%i] : memref<32xf32>
    loop.store %v, %m[%i] : memref<64xf32>
    loop.store %v, %m[%i + 32] : memref<64xf32>
  }
  %x = loop.view %m[0] : memref<64xf32> to memref<32xf32>
  %y = loop.view %m[4] : memref<64xf32> to memref<32xf32>
  func.call @shift(%x, %y) : (memref<32xf32>, memref<32xf32>) -> ()
  func.return
}
"""
BRANCH = """
func.func @main(%x: memref<4xf32>, %y: memref<4xf32> {tw.output}) {
  %zero = arith.constant 0.0 : f32
  %s = loop.alloc : memref<2xf32, "register">
  loop.store %zero, %s[0] : memref<2xf32, "register">
  loop.store %zero, %s[1] : memref<2xf32, "register">
  loop.for %i = 0 to 4 {
    %v = loop.load %x[%i] : memref<4xf32>
    loop.if (%i >= 2) {
      loop.store %v, %s[0] : memref<2xf32, "register">
      loop.store %v, %s[1] : memref<2xf32, "register">
    }
    %a = loop.load %s[0] : memref<2xf32, "register">
    loop.store %a, %y[%i] : memref<4xf32>
  }
  func.return
}
"""

QUOTIENTS = """
func.func @main(%x: memref<8xi32>, %y: memref<8xi32> {tw.output}) {
  %four = arith.constant 4 : i32
  loop.for %i = 0 to 8 {
    %v = loop.load %x[%i] : memref<8xi32>
    %n = arith.index_cast %i : index to i32
    %d = arith.subi %n, %four : i32
    %a = arith.divsi %v, %four : i32
    %q = arith.divsi %a, %d : i32
    loop.store %q, %y[%i] : memref<8xi32>
  }
  func.return
}
"""

Plant = Callable[[pytest.MonkeyPatch], None]


def put_a_local_buffer_in_registers(patch: pytest.MonkeyPatch) -> None:
    plan = storage_plan.storage_in

    def faulty(*args: Any, **options: Any) -> storage_plan.Storage:
        result = plan(*args, **options)
        of = {op: MemorySpaceAttr.get(IN_REGISTERS, 1) if p.kind == ON_STACK else p for op, p in result.of.items()}
        return storage_plan.Storage(of, result.thread_bytes, result.arena_bytes)

    patch.setattr(assign_memory_spaces, "storage_in", faulty)


def forget_a_capture(patch: pytest.MonkeyPatch) -> None:
    """Leave a scalar out of the captured values."""
    found = outline_parallel.captured_values
    patch.setattr(outline_parallel, "captured_values", lambda op: tuple(v for v in found(op) if v.name_hint != "first"))


def take_views_for_disjoint(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(outline_parallel, "root_of", lambda value: value)


def take_half_a_chunk(patch: pytest.MonkeyPatch) -> None:
    found = shuffle_columns._column_of  # pyright: ignore[reportPrivateUsage]
    patch.setattr(shuffle_columns, "_column_of", lambda load: 3 if found(load) else 0)


def deny_aliases(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(note_aliases, "overlapping_arguments", lambda functions: frozenset())


def lose_a_register(patch: pytest.MonkeyPatch) -> None:
    """Keep only the last chunk of what a branch assigns."""
    leave = register_file.RegisterFile[Any].leave_branch

    def faulty(self: register_file.RegisterFile[Any]) -> dict[register_file.Chunk, Any]:
        return dict([*leave(self).items()][-1:])

    patch.setattr(register_file.RegisterFile, "leave_branch", faulty)


def cut_sums_off(patch: pytest.MonkeyPatch) -> None:
    """Cut sums of bfloat16 off instead of rounding them."""
    tilewright.register_lowering("arith.addf", target="cpu", level=99, dtypes=["bfloat16"], exact=True)(_cut_off)


def _cut_off(op: Operation, rewriter: PatternRewriter) -> bool:
    if not isinstance(op.results[0].type, BFloat16Type):
        return False
    a, b = (arith.ExtFOp(v, f32) for v in op.operands)
    total = arith.AddfOp(a.result, b.result)
    bits = arith.BitcastOp(total.result, i32)
    mask = arith.ConstantOp(IntegerAttr(-(1 << 16), i32))
    kept = arith.AndIOp(bits.result, mask.result)
    whole = arith.BitcastOp(kept.result, f32)
    rewriter.replace(op, [a, b, total, bits, mask, kept, whole, arith.TruncFOp(whole.result, BFloat16Type())])
    return True


def promise_divisors(patch: pytest.MonkeyPatch) -> None:
    """State that every divisor is safe."""
    tilewright.register_lowering("arith.divsi", target="cpu", level=99, exact=True)(_promise)


def _promise(op: Operation, rewriter: PatternRewriter) -> bool:
    if SAFE_DIVISOR in op.attributes:
        return False
    made = type(op).create(operands=op.operands, result_types=[op.results[0].type])
    state_safe_divisor(made)
    rewriter.replace(op, made)
    return True


RULES = {cut_sums_off: "arith.addf", promise_divisors: "arith.divsi"}
"""The operation of each planted rule."""


@dataclass(frozen=True)
class Fault:
    """A fault, a program that shows it, the pass that it is in, and what the rewrite is called."""

    plant: Plant
    program: str
    pass_: str
    rewrite: str
    number: int = 1
    """The number of the rewrite in the pass."""
    passes: tuple[str, ...] = LEGALIZATION


FAULTS = {
    "register choice": Fault(put_a_local_buffer_in_registers, LOCAL, "assign-memory-spaces", "assign memory space"),
    "registers as values": Fault(
        lose_a_register, BRANCH, "expand-registers", "expand registers", passes=(*LEGALIZATION, "expand-registers")
    ),
    "outlining": Fault(forget_a_capture, TEAMS, "outline-parallel", "outline", 3),
    "captured buffers": Fault(take_views_for_disjoint, VIEWS, "outline-parallel", "outline"),
    "divisors": Fault(promise_divisors, QUOTIENTS, "expand-operations", "arith.divsi", 2),
    "narrow float rule": Fault(cut_sums_off, SUMS, "expand-operations", "arith.addf", 5),
    "lane shuffle": Fault(take_half_a_chunk, TURNED, "shuffle-columns", "column"),
    "alias answer": Fault(deny_aliases, SHIFTED, "note-aliases", "note aliases"),
}


@contextmanager
def planted(fault: Fault) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        fault.plant(patch)
        try:
            yield
        finally:
            if fault.plant in RULES:
                tilewright.unregister_lowering(RULES[fault.plant], "cpu", 99)


@pytest.fixture(params=FAULTS)
def fault(request: pytest.FixtureRequest) -> Fault:
    return FAULTS[request.param]


def run(fault: Fault, folder: Path, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, str]:
    """Return opt-tool's exit status and output for a program with a fault."""
    path = folder / "program.mlir"
    path.write_text(fault.program)
    arguments = [*options, "--pass", ",".join(fault.passes), "--target", "llvm -mcpu=x86-64-v3", str(path)]
    status = opt_tool(arguments)
    streams = capsys.readouterr()
    return status, streams.out + streams.err


def test_validation_names_the_pass(fault: Fault, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with planted(fault):
        status, text = run(fault, tmp_path, capsys, "--validate")
    assert status == 1 and f"'{fault.pass_}'" in text, text
    others = [name for name in fault.passes if name != fault.pass_ and f"'{name}'" in text]
    assert not others, text


def test_bisection_names_the_rewrite(fault: Fault, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with planted(fault):
        status, text = run(fault, tmp_path, capsys, "--bisect")
    position = fault.passes.index(fault.pass_) + 1
    assert status == 0, text
    assert f"the first bad pass is number {position}, '{fault.pass_}'" in text, text
    report = next(line for line in text.splitlines() if line.startswith("the first bad rewrite"))
    assert f"is number {fault.number} of " in report and fault.rewrite in report, text


@pytest.mark.sampled(4)
def test_the_same_program_is_right_without(fault: Fault, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, text = run(fault, tmp_path, capsys, "--validate")
    assert status == 0 and "error" not in text, text
    status, text = run(fault, tmp_path, capsys, "--bisect")
    assert status == 1 and "TW0554" in text, text
