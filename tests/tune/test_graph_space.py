"""The space of phase 0: algorithms, blocks, packed weights and cuts of groups, which compute what the default does."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import onnx
import onnx.parser
import pytest
from onnx import numpy_helper
from tilewright.backends.cpu import host
from tilewright.diagnostics import TilewrightError
from tilewright.dialects.target import CpuTargetAttr
from tilewright.dialects.target_text import cpu_target
from tilewright.driver import compile as compile_module
from tilewright.frontends.onnx import import_model
from tilewright.passes.shared.scheduling import SCHEDULED
from tilewright.tune.graph_space import GraphSpace
from tilewright.tune.space import Built, Space
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.dialects.func import FuncOp

MACHINE = "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3 -caches=32K,512K,8M -threads=2"
CONVOLUTIONS = """<ir_version: 10, opset_import: ["" : 22]> g (float[1,16,10,10] x) => (float y) {
  a = Conv <pads = [1, 1, 1, 1]> (x, w) b = Relu (a) c = Conv <pads = [1, 1, 1, 1]> (b, v) y = Add (c, x)
}"""
PRODUCT = """<ir_version: 10, opset_import: ["" : 22]> g (float[9,32] x) => (float y) {
  a = MatMul (x, w) b = Relu (a) y = Add (b, x)
}"""
SHAPES = {CONVOLUTIONS: {"w": (16, 16, 3, 3), "v": (16, 16, 3, 3)}, PRODUCT: {"w": (32, 32)}}


def target() -> CpuTargetAttr:
    return cpu_target(MACHINE, host.host_architecture(), host.host_target)


@cache
def space(text: str) -> GraphSpace:
    model, rng = onnx.parser.parse_model(text), np.random.default_rng(0)
    for name, shape in SHAPES[text].items():
        weights = rng.standard_normal(shape).astype(np.float32) / 10
        model.graph.initializer.append(numpy_helper.from_array(weights, name))
    return GraphSpace(import_model(model), target())


def run(built: Built, argument: np.ndarray) -> np.ndarray:
    module = built.function.parent_op()
    assert isinstance(module, ModuleOp)
    copy = module.clone()
    for function in copy.ops:
        if isinstance(function, FuncOp):
            function.attributes[SCHEDULED] = UnitAttr()
    return np.asarray(compile_module(copy)(argument))


def key(text: str, name: str, index: int = 0) -> str:
    """Return the key of a decision of that name."""
    return [d.key for d in space(text).decisions({}) if d.name == name][index]


POINTS: list[tuple[str, dict[tuple[str, int], Any]]] = [
    (CONVOLUTIONS, {("block_channels", 0): False}),
    (CONVOLUTIONS, {("block_size", 0): 4}),
    (CONVOLUTIONS, {("winograd", 0): True}),
    (CONVOLUTIONS, {("fuse.cut", 0): 1}),
    (PRODUCT, {("pack_weights", 0): 0}),
    (PRODUCT, {("fuse.cut", 0): 1}),
    (PRODUCT, {("fuse.cut", 0): 2}),
]


@pytest.mark.native("runs machine code for a stated target where the machine at hand has its instructions")
@pytest.mark.sampled(2)
@pytest.mark.each(("text", "answers"), POINTS, shards=2)
def test_points_compute_what_the_default_does(text: str, answers: dict[tuple[str, int], Any]) -> None:
    found = space(text)
    assert isinstance(found, Space)
    point = {key(text, *asked): value for asked, value in answers.items()}
    default, built = found.build({}), found.build(point)
    assert str(built.function.parent_op()) != str(default.function.parent_op())
    assert built.point.items() >= point.items()
    assert str(found.build(built.point).function.parent_op()) == str(built.function.parent_op())
    if not host.obstacle_here(target()):
        rank = 4 if text == CONVOLUTIONS else 2
        x = np.random.default_rng(1).standard_normal(((1, 16, 10, 10), (9, 32))[rank == 2]).astype(np.float32)
        np.testing.assert_allclose(run(built, x), run(default, x), rtol=2e-4, atol=2e-4)


def test_keys_name_operators_shapes_and_attributes() -> None:
    assert {d.name for d in space(CONVOLUTIONS).decisions({})} == {
        "block_channels",
        "block_size",
        "winograd",
        "fuse.cut",
    }
    name = key(CONVOLUTIONS, "block_channels")
    assert name.startswith("conv2d(1x16x10x10xf32, 16x16x3x3xf32, ") and "padding=" in name and "dense" not in name
    cut = key(PRODUCT, "fuse.cut")
    assert cut.startswith("packed_matmul(9x32xf32, 2x32x16xf32); relu(%0); add(%1, 9x32xf32)"), cut


def test_misfits_are_refused() -> None:
    with pytest.raises(TilewrightError, match="is asked by no rule") as refusal:
        space(PRODUCT).build({"matmul(1x1xf32):pack_weights": 16})
    assert refusal.value.code == "TW0801"
    with pytest.raises(TilewrightError, match="candidates of decision") as refusal:
        space(PRODUCT).build({key(PRODUCT, "pack_weights"): 8})
    assert refusal.value.code == "TW0801"
