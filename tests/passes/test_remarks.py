"""Remarks of passes: every loop that is to be vectorised has one, and others say what they did and what not."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from tilewright.diagnostics.locations import source_position
from tilewright.diagnostics.parsing import parse
from tilewright.diagnostics.remarks import Remark, collect_remarks
from tilewright.dialects import context, loop
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from xdsl.dialects.builtin import ModuleOp

TARGET = '#target.cpu<features ["fma"], vector_bits 256, caches [1, 1, 1], threads 1>'
LIT = Path(__file__).resolve().parents[2] / "lit"


def remarks_of(text: str, pipeline: str) -> tuple[ModuleOp, list[Remark]]:
    ctx = context()
    module = parse(ctx, text, "input.mlir")
    with collect_remarks() as found:
        PassManager(parse_pipeline(pipeline)).run(ctx, module)
    return module, found


def line_of(remark: Remark) -> int:
    position = source_position(remark.location)
    assert position is not None
    return position.line


@pytest.mark.parametrize("name", ["vectorize", "vectorize-strict", "vectorize-width"])
def test_every_loop_to_be_vectorised_has_one_remark(name: str) -> None:
    text = (LIT / "phase2" / f"{name}.mlir").read_text()
    for part in text.split("// -----\n"):
        lines = [number for number, line in enumerate(part.splitlines(), 1) if "kind vectorized" in line]
        lines = [number for number in lines if not part.splitlines()[number - 1].lstrip().startswith("//")]
        module, found = remarks_of(part, "vectorize")
        assert Counter(map(line_of, found)) == Counter(lines)
        assert {remark.kind for remark in found} <= {"passed", "missed"}
        missed = [remark for remark in found if remark.kind == "missed"]
        assert all(remark.code == "TW0510" and " is not vectorised: " in remark.message for remark in missed)
        assert not any(isinstance(op, loop.ForOp) and op.kind == loop.VECTORIZED for op in module.walk())


def test_nests_without_a_loop_worth_vectorising_say_why() -> None:
    _, found = remarks_of(
        """\
func.func @main(%A: memref<8x8xf32>, %B: memref<8x8xf32>) {
  loop.for %i = 0 to 8 {
    loop.for %j = 0 to 8 {
      %a = loop.load %A[%i, %j] : memref<8x8xf32>
      loop.store %a, %B[%j, %i * 0] : memref<8x8xf32>
    }
  }
  loop.for %k = 0 to 8 {
    %a = loop.load %A[0, %k] : memref<8x8xf32>
    loop.store %a, %B[0, %k] : memref<8x8xf32>
  }
  func.return
}
""",
        "vectorize{width=8}",
    )
    assert [(line_of(r), r.kind, r.message) for r in found] == [
        (3, "missed", "loop %j is not vectorised: its iterations do not store to successive elements"),
        (8, "passed", "loop %k is vectorised: 8 lanes"),
    ]


CASES = {
    "parallelize": (
        """\
func.func @main(%A: memref<8xf32>, %B: memref<9xf32>) {
  loop.for %i = 0 to 8 { loop.block "A" (%v = spatial(%i) in 8) {
    %a = loop.load %A[%v] : memref<8xf32>
    loop.store %a, %A[%v] : memref<8xf32>
  } }
  %zero = arith.constant 0.0 : f32
  loop.for %k = 0 to 8 { loop.block "S" (%w = reduce(%k) in 8) {
    loop.init { loop.store %zero, %B[0] : memref<9xf32> }
    %s = loop.load %B[0] : memref<9xf32>
    %t = arith.addf %s, %s : f32
    loop.store %t, %B[0] : memref<9xf32>
  } }
  func.return
}
""",
        [
            (2, "passed", "loop %i runs in parallel"),
            (7, "missed", "loop %k stays serial: its iterations depend on one another through %B"),
        ],
    ),
    "unroll{factor=8 max-ops=10}": (
        """\
func.func @main(%A: memref<8xf32>) {
  loop.for %i = 0 to 2 { %a = loop.load %A[%i] : memref<8xf32>  loop.store %a, %A[%i + 4] : memref<8xf32> }
  loop.for %i = 0 to 8 { %a = loop.load %A[%i] : memref<8xf32>  loop.store %a, %A[%i] : memref<8xf32> }
  loop.for %i = 0 to 20 { %a = loop.load %A[0] : memref<8xf32>  loop.store %a, %A[0] : memref<8xf32> }
  func.return
}
""",
        [
            (3, "missed", "loop %i is not unrolled: its iterations come to 16 operations, more than 10"),
            (2, "passed", "loop %i is unrolled: 2 iterations"),
        ],
    ),
    "fuse": (
        """\
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %m = te.compute "sum" [%i to 4] reduce [%k to 8] -> tensor<4xf32> {
    %a = te.read %x[%i, %k] : tensor<4x8xf32>
    te.reduce <add> %a : f32
  }
  %n = te.compute "neg" [%i to 4] -> tensor<4xf32> {
    %a = te.read %m[%i] : tensor<4xf32>
    %b = arith.negf %a : f32
    te.yield %b : f32
  }
  %y = te.compute "out" [%i to 4, %j to 8] -> tensor<4x8xf32> {
    %a = te.read %n[%i] : tensor<4xf32>
    te.yield %a : f32
  }
  func.return %y : tensor<4x8xf32>
}
""",
        [
            (2, "missed", "compute 'sum' is not inlined where it is read: it reduces"),
            (6, "passed", "compute 'neg' is inlined where it is read"),
        ],
    ),
    "partition-loops": (
        """\
func.func @main(%X: memref<100xf32>, %Y: memref<128xf32>, %n: index) {
  %z = arith.constant 0.0 : f32
  loop.for %i = 0 to 128 {
    %x = loop.load %X[%i] where (%i < 100) else %z : memref<100xf32>
    loop.store %x, %Y[%i] : memref<128xf32>
  }
  loop.for %j = 0 to 128 {
    %x = loop.load %X[%j] where (%j < 10) else %z : memref<100xf32>
    loop.store %x, %Y[%j] : memref<128xf32>
  }
  func.return
}
""",
        [
            (3, "passed", "loop %i is partitioned: its main part is free of a condition"),
            (
                7,
                "missed",
                "loop %j is not partitioned: no condition in it holds for at least half of its iterations in one range",
            ),
        ],
    ),
    "contract-fma": (
        """\
func.func @main(%A: memref<8xf32>) {
  %a = loop.load %A[0] : memref<8xf32>
  %p = arith.mulf %a, %a : f32
  %s = arith.addf %p, %a : f32
  %q = arith.mulf %a, %s : f32
  %t = arith.addf %q, %q : f32
  loop.store %t, %A[1] : memref<8xf32>
  func.return
}
""",
        [
            (4, "passed", "arith.mulf and arith.addf are one operation"),
            (6, "missed", "arith.addf of a product is not fused with it: the product has other uses"),
        ],
    ),
    "fuse-dot4": (
        """\
func.func @main(%A: memref<8xi32>) {
  %a = loop.load %A[0] : memref<8xi32>
  %d = loop.call_intrin "dot4_u8s8"(%a, %a) : (i32, i32) -> i32
  %s = arith.addi %a, %d : i32
  %e = loop.call_intrin "dot4_s8s8"(%a, %s) : (i32, i32) -> i32
  %t = arith.addi %e, %e : i32
  loop.store %t, %A[1] : memref<8xi32>
  func.return
}
""",
        [
            (4, "passed", "dot4_u8s8 and arith.addi are one operation"),
            (6, "missed", "arith.addi of dot4_s8s8 is not fused with it: the sum of products has other uses"),
        ],
    ),
}


@pytest.mark.parametrize("pipeline", CASES)
def test_passes_say_what_they_did_and_what_not(pipeline: str) -> None:
    text, expected = CASES[pipeline]
    if pipeline == "contract-fma":
        text = f"builtin.module attributes {{tw.target = {TARGET}}} {{\n{text}}}"
        expected = [(line + 1, kind, message) for line, kind, message in expected]
    _, found = remarks_of(text, pipeline)
    assert [(line_of(r), r.kind, r.message) for r in found] == expected
    assert {r.pass_name for r in found} == {pipeline.partition("{")[0]}
    assert {r.function for r in found} == {"main"}


def block(name: str, rows: int, columns: int, store: str, *, kind: str = "", more: str = "") -> str:
    """Return a function that stores x[i, j] at `store`."""
    extents = {"i": rows, "j": columns}
    loops = "".join(f"  loop.for %{axis} = 0 to {extent}{kind} {{\n" for axis, extent in extents.items())
    axes = ", ".join(f"%v{axis} = spatial(%{axis}) in {extent}" for axis, extent in extents.items())
    return f"""\
func.func @{name}(%x: memref<{rows}x{columns}xf32>, %y: memref<256x256xf32> {{tw.output}}) {{
{loops}    loop.block "{name}" ({axes}) {{
      %a = loop.load %x[%vi, %vj] : memref<{rows}x{columns}xf32>
      loop.store %a, %y[{store}] : memref<256x256xf32>
    }}
{more}  }} }}
  func.return
}}
"""


SHARED = """\
    loop.block "second" (%w = spatial(%i) in 64) {
      %a = loop.load %x[%w, 0] : memref<64x64xf32>
      loop.store %a, %y[%w, 255] : memref<256x256xf32>
    }
"""
ROW_SUM = """\
func.func @sum(%x: memref<64x64xf32>, %y: memref<64xf32> {tw.output}) {
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to 64 { loop.for %k = 0 to 64 {
    loop.block "sum" (%vi = spatial(%i) in 64, %vk = reduce(%k) in 64) {
      loop.init { loop.store %zero, %y[%vi] : memref<64xf32> }
      %s = loop.load %y[%vi] : memref<64xf32>
      %a = loop.load %x[%vi, %vk] : memref<64x64xf32>
      %t = arith.addf %s, %a : f32
      loop.store %t, %y[%vi] : memref<64xf32>
    }
  } }
  func.return
}
"""
REASONS = {
    block("copy", 64, 64, "%vi, %vj"): None,
    block("strided", 64, 64, "%vi, %vj * 2"): "its results do not lie side by side along one of its axes",
    block("narrow", 64, 2, "%vi, %vj"): "fewer than 4 of its results lie side by side, or fit a vector",
    block("turned", 64, 64, "%vj, %vi"): "its results do not lie side by side along its innermost loop",
    block("arranged", 64, 64, "%vi, %vj", kind=" kind unrolled"): "its loops are arranged already",
    block("first", 64, 64, "%vi, %vj", more=SHARED): "it shares loops with other blocks",
    ROW_SUM: "its operands are not contiguous along the axis of its results",
}


@pytest.mark.parametrize("text", REASONS, ids=lambda text: text.split("@")[1].split("(")[0])
def test_default_schedules_say_why_a_block_gets_no_vectors(text: str) -> None:
    _, found = remarks_of(f"builtin.module attributes {{tw.target = {TARGET}}} {{\n{text}}}", "auto-schedule")
    missed = [r.message.partition(": ")[2] for r in found if r.kind == "missed"]
    passed = [r.message for r in found if r.kind == "passed"]
    if REASONS[text] is None:
        assert missed == []
        assert [message.partition(" of the kinds ")[2] for message in passed] == ["vectorized, unrolled"]
    else:
        assert missed[0] == REASONS[text]


def test_operators_and_loops_that_stay_separate_say_why() -> None:
    _, found = remarks_of(
        """\
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %a = graph.relu %x : tensor<4x8xf32>
  %b = graph.softmax %a {axis = 1 : i64} : tensor<4x8xf32>
  %c = graph.relu %b : tensor<4x8xf32>
  %d = graph.neg %c : tensor<4x8xf32>
  func.return %d : tensor<4x8xf32>
}
""",
        "infer-types,fuse",
    )
    assert [(line_of(r), r.kind, r.message) for r in found] == [
        (
            2,
            "missed",
            "graph.relu is not fused with what reads it: graph.softmax does not take in what a group of kind "
            "elementwise computes",
        ),
        (
            3,
            "missed",
            "graph.softmax is not fused with what reads it: a group that holds opaque operators passes nothing on",
        ),
        (5, "passed", "2 operators are fused: relu_neg"),
    ]
