"""Reshapes of tensors whose first sizes are known only when the program is called; onnxruntime is compared."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx.parser
import pytest
import tilewright
from onnx.helper import make_node
from tilewright import TilewrightError
from tilewright.dialects import context, graph
from tilewright.dialects.graph.types import UnknownSize, make_type, shape_of
from tilewright.frontends.onnx import import_model
from tilewright.frontends.onnx.shape_values import apply
from tilewright.operators import get_operator
from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.parser import Parser
from xdsl.utils.test_value import create_ssa_value

from .models import model_of, onnxruntime_results


@pytest.fixture(autouse=True)
def object_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))


RELU, FLAT = make_node("Relu", ["x"], ["r"]), make_node("Flatten", ["r"], ["f"], axis=2)
SHAPES = {
    "all in one row": [-1],
    "rows of the last size": [-1, 4],
    "halves of the rows": [-1, 2, 3],
    "the batch and what is left": [0, -1],
    "a size between": [3, -1, 2],
}
NODES: dict[str, Sequence[onnx.NodeProto]] = {
    **{f"flattened at {axis}": [make_node("Flatten", ["x"], ["y"], axis=axis)] for axis in range(4)},
    **{f"computed, at {axis}": [RELU, make_node("Flatten", ["r"], ["y"], axis=axis)] for axis in range(4)},
    **{name: [RELU, make_node("Reshape", ["r", name], ["y"])] for name in SHAPES},
    "computed on": [RELU, FLAT, make_node("Exp", ["f"], ["y"])],
    "added to itself": [RELU, FLAT, make_node("Flatten", ["x"], ["g"], axis=2), make_node("Sub", ["f", "g"], ["y"])],
    "multiplied": [RELU, FLAT, make_node("MatMul", ["f", "w"], ["y"])],
    "reduced": [RELU, FLAT, make_node("ReduceSum", ["f", "one"], ["y"], keepdims=0)],
    "of a transpose": [
        make_node("Transpose", ["x"], ["t"], perm=[2, 0, 1]),
        make_node("Flatten", ["t"], ["y"], axis=1),
    ],
    "of a batch twice": [make_node("Concat", ["x", "x"], ["t"], axis=0), make_node("Flatten", ["t"], ["y"], axis=2)],
    "repeated": [RELU, make_node("Tile", ["r", "three times"], ["y"])],
    "repeated twice": [
        make_node("Tile", ["x", "three times"], ["t"]),
        make_node("Relu", ["t"], ["r"]),
        make_node("Tile", ["r", "three times"], ["y"]),
    ],
    "repeated and flattened": [
        make_node("Tile", ["x", "three times"], ["t"]),
        make_node("Flatten", ["t"], ["y"], axis=2),
    ],
    "repeated and reduced": [
        make_node("Tile", ["x", "three times"], ["t"]),
        make_node("ReduceSum", ["t", "one"], ["y"], keepdims=0),
    ],
    "there and back": [RELU, FLAT, make_node("Exp", ["f"], ["e"]), make_node("Reshape", ["e", "back"], ["y"])],
}
CONSTANTS = {
    **{name: np.array(shape) for name, shape in SHAPES.items()},
    "w": np.random.default_rng(1).standard_normal((4, 5)).astype(np.float32),
    "one": np.array([1]),
    "three times": np.array([3, 2, 1]),
    "back": np.array([-1, 3, 4]),
}


def read_module(text: str) -> ModuleOp:
    module = Parser(context(), text).parse_module()
    module.verify()
    return module


def model_for(nodes: Sequence[onnx.NodeProto], sizes: Sequence[int | str]) -> onnx.ModelProto:
    used = {name for node in nodes for name in node.input}
    constants = {name: array for name, array in CONSTANTS.items() if name in used}
    return model_of(nodes, {"x": ("float32", sizes)}, ["y"], constants)


def compare(model: onnx.ModelProto, shapes: Sequence[tuple[int, ...]]) -> None:
    program = tilewright.compile(import_model(model), threads=1)
    for shape in shapes:
        x = np.random.default_rng(sum(shape)).standard_normal(shape).astype(np.float32)
        (expected,) = onnxruntime_results(model, x)
        found = program(x)
        assert found.shape == expected.shape
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.each("name", NODES)
def test_one_symbolic_size(name: str) -> None:
    empty = [] if 0 in CONSTANTS.get(name, []) else [(0, 3, 4)]  # onnxruntime leaves -1 beside no element open
    compare(model_for(NODES[name], ["n", 3, 4]), [(1, 3, 4), (2, 3, 4), (5, 3, 4), *empty])


@pytest.mark.each("name", [n for n in NODES if n not in ("there and back", "a size between", "halves of the rows")])
def test_two_symbolic_sizes(name: str) -> None:
    compare(model_for(NODES[name], ["n", "m", 4]), [(1, 3, 4), (2, 1, 4), (3, 5, 4)])


def test_a_name_that_is_a_product_is_checked_at_the_call() -> None:
    module = read_module("""
    func.func @main(%a: tensor<?x4xf32, #graph.dims<"3 * n", _>> {tw.name = "a"},
                    %x: tensor<?x3x4xf32, #graph.dims<n, _, _>>) -> tensor<?x4xf32, #graph.dims<"3 * n", _>> {
      %r = graph.flatten %x axis 2 : tensor<?x4xf32, #graph.dims<"3 * n", _>>
      %s = graph.sub %a, %r : tensor<?x4xf32, #graph.dims<"3 * n", _>>
      func.return %s : tensor<?x4xf32, #graph.dims<"3 * n", _>>
    }""")
    program = tilewright.compile(module, threads=1)
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    np.testing.assert_array_equal(program(np.ones((6, 4), np.float32), x), 1 - x.reshape(6, 4))
    for rows in (0, 5, 7):
        with pytest.raises(TilewrightError, match=f"expected size n \\* 3 of argument 'a' to be 6, but got {rows}"):
            program(np.ones((rows, 4), np.float32), x)


def test_a_product_is_one_size_whatever_the_order_of_its_factors() -> None:
    x, y = (create_ssa_value(make_type(shape, f32)) for shape in (("n", 2, "m", 3), ("m", 3, "n", 2)))
    assert shape_of(graph.FlattenOp.of(x, axis=4).y) == shape_of(graph.FlattenOp.of(y, axis=4).y) == ("6 * m * n", 1)
    assert shape_of(graph.ReshapeOp.of(x, shape=(0, -1, 3)).y) == ("n", "2 * m", 3)
    back = graph.ReshapeOp.of(graph.FlattenOp.of(x, axis=2).y, shape=(-1, 2, 3)).y
    assert shape_of(back) == ("m * n", 2, 3)
    assert shape_of(graph.FlattenOp.of(create_ssa_value(make_type(("n", 0), f32)), axis=2).y) == (0, 1)


@pytest.mark.parametrize(
    ("operator", "operands", "expected"),
    [
        ("add", [["n", 3], 0], ["n", 3]),
        ("add", [["n", "m + n"], [1, "n"]], ["n + 1", "m + 2 * n"]),
        ("sub", [["n", 3], ["n", 1]], [0, 2]),
        ("sub", [["n", "m + n"], ["m", "n"]], ["n - m", "m"]),
        ("mul", [["n", "m", 2], ["m", 3, 4]], ["m * n", "3 * m", 8]),
        ("mul", [["2 * n", -3], [3, 2]], ["6 * n", -6]),
        ("mul", [["n", "n + 1"], [-1, 0]], ["-1 * n", 0]),
        ("div", [["6 * n", 7, -7, "n + 1"], [2, 2, 2, 2]], ["3 * n", 3, -3, "(n + 1) floordiv 2"]),
        ("floor_mod", [["6 * n", 7, "n"], 3], [0, 1, "n - 3 * (n floordiv 3)"]),
        ("equal", [["n", "n", 3, "3 * n", "n + 1"], [-1, "n", 3, 4, "n"]], [False, True, True, False, False]),
        ("less", [["n", -1, "n", "n"], [0, "n", "n", "m + n + 1"]], [False, True, False, True]),
        ("greater_equal", [["n", 4], [0, 5]], [True, False]),
        ("maximum", [["n", "n", 4, "n"], [0, "n", 5, 1]], ["n", "n", 5, "max(n, 1)"]),
        ("minimum", [["n", "n", 4, "n"], [0, "n", 5, "n + m"]], [0, "n", 4, "n"]),
        ("where", [[True, False], ["n", 1], [2, "m"]], ["n", "m"]),
        ("abs", [["n", -2]], ["n", 2]),
    ],
)
def test_arithmetic_on_sizes(operator: str, operands: list[list[object]], expected: list[object]) -> None:
    result = apply(get_operator(operator).operation, [np.array(each, object) for each in operands], {})
    assert result.tolist() == expected
    kinds = {type(each) for each in expected}
    assert result.dtype == (np.bool_ if kinds == {bool} else np.int64 if kinds == {int} else object)


@pytest.mark.parametrize(
    ("operator", "operands"),
    [
        ("div", [["n"], ["n"]]),
        ("div", [["n - m"], [2]]),
        ("div", [["n"], [-2]]),
        ("floor_mod", [["n"], [-2]]),
        ("equal", [["n"], [3]]),
        ("less", [["n"], [1]]),
        ("abs", [["n - 1"]]),
        ("sqrt", [["n"]]),
    ],
)
def test_arithmetic_that_depends_on_the_size(operator: str, operands: list[list[object]]) -> None:
    with pytest.raises(UnknownSize, match="expected sizes that are numbers"):
        apply(get_operator(operator).operation, [np.array(each, object) for each in operands], {})


def test_shapes_that_are_computed_leave_one_program_for_all_sizes() -> None:
    model = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
    g (float[n, 2, 6] x) => (float[] y, float[] z)
    <int64[1] first = {0}, int64[1] six = {6}, int64[1] two = {2}, int64[1] last = {4}, int64[3] ones = {1, 1, 1},
     int64[3] minus = {-1, -1, -1}> {
      sizes = Shape(x)
      batch = Gather(sizes, first)
      many = Mul(batch, six)
      rows = Div(many, two)
      shape = Concat<axis = 0>(rows, last)
      y = Reshape(x, shape)
      open = Equal(sizes, minus)
      target = Where(open, ones, sizes)
      z = Expand(x, target)
    }""")
    program = tilewright.compile(model)
    assert str(program.signature) == "(x: float32[n, 2, 6]) -> (y: float32[n * 3, 4], z: float32[n, 2, 6])"
    for n in (1, 4):
        x = np.random.default_rng(n).random((n, 2, 6), np.float32)
        y, z = program(x)
        np.testing.assert_array_equal(y, x.reshape(3 * n, 4))
        np.testing.assert_array_equal(z, x)
