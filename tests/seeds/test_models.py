"""Networks as users bring them: from a file to a program, and what is done to their graphs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import tilewright as tvm
from onnx import save
from small_network import network
from tilewright.dialects import context
from tilewright.driver.lowering import lower_module
from tilewright.frontends.onnx import import_model
from tilewright.passes import collect_remarks
from tilewright.passes.manager import PassManager
from tilewright.passes.registry import parse_pipeline
from xdsl.parser import Parser


def test_a_network_from_a_file(tmp_path: Path) -> None:
    save(network(), tmp_path / "network.onnx")
    program = tvm.compile(str(tmp_path / "network.onnx"), target="llvm")
    x = np.random.default_rng(1).standard_normal((1, 3, 16, 16), np.float32)
    expected = onnxruntime.InferenceSession(str(tmp_path / "network.onnx")).run(None, {"data": x})[0]
    np.testing.assert_allclose(program(x), expected, rtol=1e-4, atol=1e-5)


def after(passes: str, body: str) -> str:
    """A function on images, weights of a convolution and a matrix, after some passes."""
    arguments = "%x: tensor<1x8x8x8xf32>, %w: tensor<8x8x3x3xf32>, %b: tensor<8x8xf32>"
    result = body.rpartition(": ")[2]
    module = Parser(context(), f"func.func @main({arguments}) -> {result} {{\n{body}\n}}").parse_module()
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


@pytest.mark.parametrize("rule", RULES)
def test_which_operators_become_one_kernel(rule: str) -> None:
    body, is_one = RULES[rule]
    assert after("fuse", body).count("graph.fused") == int(is_one)


def test_what_is_constant_is_computed_while_compiling() -> None:
    body = (
        "%two = graph.constant dense<2.0> : tensor<f32>\n%three = graph.constant dense<3.0> : tensor<f32>\n"
        "%five = graph.add %two, %three : tensor<f32>\n%y = graph.mul %b, %five : tensor<8x8xf32>\n"
        "func.return %y : tensor<8x8xf32>"
    )
    text = after("fold-constant", body)
    assert "graph.add" not in text and "dense<5.0" in text


def test_images_get_the_layout_of_the_machine_and_memory_is_planned() -> None:
    module = import_model(network())
    with collect_remarks() as remarks:
        lower_module(module)
    told = {remark.code for remark in remarks}
    assert {"TW0758", "TW0521"} <= told, "operators on blocks of channels, and buffers that share memory"
