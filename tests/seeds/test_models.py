"""Networks as users bring them: from a file to a program, and what is done to their graphs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import tilewright as tvm
from numpy.lib.stride_tricks import sliding_window_view
from onnx import save
from small_network import network
from tilewright.dialects import context
from tilewright.dialects.loop import AllocOp, ViewOp, byte_size
from tilewright.driver.lowering import lower_module
from tilewright.frontends.onnx import import_model
from tilewright.passes import collect_remarks
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser


def test_a_network_from_a_file(tmp_path: Path) -> None:
    save(network(), tmp_path / "network.onnx")
    program = tvm.compile(str(tmp_path / "network.onnx"), target="llvm")
    x = np.random.default_rng(1).standard_normal((1, 3, 16, 16), np.float32)
    expected = onnxruntime.InferenceSession(str(tmp_path / "network.onnx")).run(None, {"data": x})[0]
    np.testing.assert_allclose(program(x), expected, rtol=1e-4, atol=1e-5)


def parsed(body: str) -> ModuleOp:
    """Return a function on images, weights of a convolution and a matrix."""
    arguments = "%x: tensor<1x8x8x8xf32>, %w: tensor<8x8x3x3xf32>, %b: tensor<8x8xf32>"
    result = body.rpartition(": ")[2]
    return Parser(context(), f"func.func @main({arguments}) -> {result} {{\n{body}\n}}").parse_module()


def after(passes: str, body: str) -> str:
    """Return the function after some passes."""
    module = parsed(body)
    PassManager(parse_pipeline(passes)).run(context(), module)
    return str(module)


IMAGE = "tensor<1x8x8x8xf32>"
CONV = f"%c = graph.conv2d %x, %w padding [1, 1, 1, 1] : {IMAGE}"
RULES = {
    "elementwise behind a convolution": (f"{CONV}\n%r = graph.relu %c : {IMAGE}\nfunc.return %r : {IMAGE}", True),
    "elementwise behind elementwise": (
        "%r = graph.relu %b : tensor<8x8xf32>\n%e = graph.exp %r : tensor<8x8xf32>\nfunc.return %e : tensor<8x8xf32>",
        True,
    ),
    "elementwise before a reduction": (
        "%e = graph.exp %b : tensor<8x8xf32>\n%s = graph.reduce_sum %e axes [1] : tensor<8xf32>\n"
        "func.return %s : tensor<8xf32>",
        True,
    ),
    "a convolution behind another": (
        f"{CONV}\n%d = graph.conv2d %c, %w padding [1, 1, 1, 1] : {IMAGE}\nfunc.return %d : {IMAGE}",
        False,
    ),
}


def convolved(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Return a convolution of windows of 3 x 3 with a border of zeros."""
    windows = sliding_window_view(np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1))), (3, 3), (2, 3))
    return np.einsum("nchwij,ocij->nohw", windows, w)


EXPECTED = {
    "elementwise behind a convolution": lambda x, w, b: np.maximum(convolved(x, w), 0),
    "elementwise behind elementwise": lambda x, w, b: np.exp(np.maximum(b, 0)),
    "elementwise before a reduction": lambda x, w, b: np.exp(b).sum(1),
    "a convolution behind another": lambda x, w, b: convolved(convolved(x, w), w),
}


@pytest.mark.parametrize("rule", RULES)
def test_which_operators_become_one_kernel(rule: str) -> None:
    """The kernels that groups become, and the values of the whole, beside numpy."""
    body, is_one = RULES[rule]
    assert after("fuse", body).count("graph.fused") == int(is_one)
    kernels = after("fuse,outline", body).count("func.call @")
    assert kernels == (1 if is_one else 2)
    rng = np.random.default_rng(2)
    x, w, b = (rng.standard_normal(shape, np.float32) for shape in ((1, 8, 8, 8), (8, 8, 3, 3), (8, 8)))
    for target in ("llvm", "c"):
        values = tvm.compile(parsed(body), target=target)(x, w, b)
        np.testing.assert_allclose(values, EXPECTED[rule](x, w, b), rtol=1e-4, atol=1e-4)


def test_a_graph_as_text_and_as_source_of_c() -> None:
    """The graph of a network, its weights by their names, and the C that it becomes."""
    module = import_model(network())
    x = np.random.default_rng(1).standard_normal((1, 3, 16, 16), np.float32)
    program = tvm.compile(module, target="c")
    assert "graph.conv2d %data, %w0" in str(module) and "static void main_1(" in program.get_source()
    np.testing.assert_allclose(program(x), tvm.compile(module, target="interpreter")(x), rtol=1e-4, atol=1e-5)


def test_what_is_constant_is_computed_while_compiling() -> None:
    body = (
        "%two = graph.constant dense<2.0> : tensor<f32>\n%three = graph.constant dense<3.0> : tensor<f32>\n"
        "%five = graph.add %two, %three : tensor<f32>\n%y = graph.mul %b, %five : tensor<8x8xf32>\n"
        "func.return %y : tensor<8x8xf32>"
    )
    text = after("fold-constant", body)
    assert "graph.add" not in text and "dense<5.0" in text


def test_images_get_the_layout_of_the_machine_and_memory_is_planned() -> None:
    """The bytes that a call takes are those of the buffers that live at once, fewer than all buffers have."""
    module = import_model(network())
    with collect_remarks() as remarks:
        lowered = lower_module(module)
    assert "TW0758" in {remark.code for remark in remarks}, "operators on blocks of channels"
    assert "@main: 6 buffers, 19456 bytes, in an arena of 12096 bytes" in {remark.message for remark in remarks}
    (main,) = (op for op in lowered.ops if isinstance(op, func.FuncOp) and op.sym_name.data == "main")
    (arena,) = (op for op in main.walk() if isinstance(op, AllocOp))
    views = [op for op in main.walk() if isinstance(op, ViewOp) and op.buffer is arena.res]
    sizes = [-(-byte_size(view.res.type) // 64) * 64 for view in views]
    assert byte_size(arena.res.type) == 12096 < sum(sizes) == 19456
    ends = [view.byte_offset.constant + size for view, size in zip(views, sizes, strict=True)]
    assert max(ends) == 12096
