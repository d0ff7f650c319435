"""Operations and bytes against the usual formulas."""

from __future__ import annotations

import numpy as np
import pytest
from tilewright import te
from tilewright.analysis.work import Work, work_of
from tilewright.dialects import context
from tilewright.dialects.ir_module import IRModule
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser


def main_of(module: ModuleOp, pipeline: str = "") -> Work:
    if pipeline:
        PassManager(parse_pipeline(pipeline)).run(context(), module)
    functions = [f for f in IRModule(module).functions.values() if f.body.blocks]
    return work_of(functions[-1])


def graph(text: str) -> ModuleOp:
    return Parser(context(), f"func.func @main{text}").parse_module()


def matmul(m: int, n: int, k: int) -> ModuleOp:
    a, b = te.placeholder((m, k), name="a"), te.placeholder((k, n), name="b")
    r = te.reduce_axis((0, k), name="r")
    c = te.compute((m, n), lambda i, j: te.sum(a[i, r] * b[r, j], axis=r), name="c")
    return te.to_module([a, b, c], "main")


@pytest.mark.parametrize("pipeline", ["", "lower-te", "lower-te,lower-blocks"])
def test_product_of_matrices(pipeline: str) -> None:
    work = main_of(matmul(10, 12, 14), pipeline)
    assert work == Work(2 * 10 * 12 * 14, 4 * (10 * 14 + 14 * 12 + 10 * 12))


@pytest.mark.parametrize("schedule", ["tile{sizes=3,5}", "tile{sizes=4,4},vectorize{width=4}"])
def test_a_schedule_changes_nothing_at_block_level(schedule: str) -> None:
    first = schedule.partition("},")[0].rstrip("}") + "}"
    assert main_of(matmul(10, 12, 14), f"lower-te,{first}").flops == 2 * 10 * 12 * 14


def test_convolution() -> None:
    n, c, h, w, o, kh, kw = 2, 3, 9, 8, 5, 3, 3
    module = graph(
        f"(%x: tensor<{n}x{c}x{h}x{w}xf32>, %w: tensor<{o}x{c}x{kh}x{kw}xf32>) -> tensor<{n}x{o}x{h}x{w}xf32> {{\n"
        f"  %y = graph.conv2d %x, %w padding [1, 1, 1, 1] : tensor<{n}x{o}x{h}x{w}xf32>\n  func.return %y : "
        f"tensor<{n}x{o}x{h}x{w}xf32>\n}}"
    )
    work = main_of(module, "outline,lower-graph")
    out = n * o * h * w
    assert work == Work(2 * out * c * kh * kw, 4 * (n * c * h * w + o * c * kh * kw + out))


def test_elementwise_and_reductions() -> None:
    x = te.placeholder((6, 7), name="x")
    k = te.reduce_axis((0, 7), name="k")
    relu = te.compute((6, 7), lambda i, j: te.max(x[i, j], te.const(0.0, "float32")), name="relu")
    best = te.compute((6,), lambda i: te.max(relu[i, k], axis=k), name="best")
    scaled = te.compute((6,), lambda i: te.exp(best[i]) * 2.0 + 1.0, name="scaled")
    work = main_of(te.to_module([x, scaled], "main"))
    assert work == Work(6 * 7 + 6 * 7 + 6 * 3, 4 * (6 * 7 + 6))


def test_copies_and_integers_count_no_operations() -> None:
    x = te.placeholder((6, 7), name="x", dtype="int32")
    y = te.compute((7, 6), lambda i, j: x[j, i] * 2 + 1, name="y")
    assert main_of(te.to_module([x, y], "main")) == Work(0, 4 * 2 * 6 * 7)


def test_bytes_follow_the_type() -> None:
    x = te.placeholder((6,), name="x", dtype="float16")
    y = te.compute((6,), lambda i: x[i] + x[i], name="y")
    assert main_of(te.to_module([x, y], "main")) == Work(6, 2 * 2 * 6)


def test_symbolic_sizes_are_unknown() -> None:
    n = te.var("n")
    x = te.placeholder((n,), name="x")
    y = te.compute((n,), lambda i: x[i] + x[i], name="y")
    assert main_of(te.to_module([x, y], "main")) == Work(None, None)


def test_foreign_code_is_unknown() -> None:
    text = '(%x: memref<8xf32>, %y: memref<8xf32> {tw.output}) {\n  loop.call_extern "f"(write %y[0] box [8] : '
    text += "memref<8xf32>, read %x[0] box [8] : memref<8xf32>)\n  func.return\n}"
    assert main_of(graph(text)) == Work(None, 4 * 16)


def test_lanes_of_vectors_count_each() -> None:
    text = """(%x: memref<8x4xf32>, %y: memref<8x4xf32> {tw.output}) {
  loop.for %i = 0 to 8 {
    %a = loop.load %x[%i, lane] : memref<8x4xf32>, vector<4xf32>
    %b = math.fma %a, %a, %a : vector<4xf32>
    loop.store %b, %y[%i, lane] : vector<4xf32>, memref<8x4xf32>
  }
  func.return
}"""
    assert main_of(graph(text)).flops == 8 * 4 * 2 == int(np.prod((8, 4))) * 2
