"""Whole models: names, sizes left open, shapes that models compute, and what is refused."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import onnx
import pytest
import tilewright
from onnx import helper, numpy_helper
from tilewright import TilewrightError
from tilewright.dialects import graph
from tilewright.dialects.resource import save_resources
from tilewright.frontends.onnx import import_model
from tilewright.frontends.onnx.external_data import TensorFiles
from tilewright.frontends.onnx.light_models import LIGHT_MODELS, light_model, light_model_path
from tilewright.frontends.onnx.tensors import to_array
from xdsl.dialects.builtin import ModuleOp, NameLoc, StringAttr
from xdsl.dialects.func import FuncOp

from .models import model_of, node_model, onnxruntime_results, reference_results

FLOAT, INT64 = "float32", "int64"


def main(module: ModuleOp) -> FuncOp:
    (function,) = (op for op in module.body.block.ops if isinstance(op, FuncOp))
    return function


def names(module: ModuleOp) -> tuple[list[str], list[str]]:
    function = main(module)
    assert function.arg_attrs is not None and function.res_attrs is not None
    inputs, outputs = (
        [entry.data["tw.name"].data for entry in attrs] for attrs in (function.arg_attrs, function.res_attrs)
    )
    return inputs, outputs


def operators(module: ModuleOp) -> list[str]:
    return [op.name.removeprefix("graph.") for op in module.walk() if isinstance(op, graph.GraphOp)]


def failure(model: Any, **options: Any) -> TilewrightError:
    with pytest.raises(TilewrightError) as caught:
        import_model(model, **options)
    return caught.value


# The light models


LARGE = ("bvlc_alexnet", "vgg19", "zfnet512")
"""Hundreds of megabytes of weights each: comparing them with onnxruntime is left to the tests of compiled models."""


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", LARGE)
def test_large_light_models_are_read(name: str) -> None:
    module = import_model(light_model_path(name))
    module.verify()
    assert operators(module).count("dense") == 3


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", [name for name in LIGHT_MODELS if name not in LARGE])
def test_light_models_agree_with_onnxruntime(name: str) -> None:
    model = light_model(name)
    module = import_model(model)
    module.verify()
    x = np.random.default_rng(3).standard_normal((1, 3, 224, 224)).astype(FLOAT)
    (actual,), (expected,) = reference_results(module, x), onnxruntime_results(model, x)
    assert actual.shape == expected.shape
    assert np.abs(actual - expected).max() < 1e-5 * np.ptp(expected)
    # The outputs differ by more than rounding hides, and less than a softmax saturates on.
    assert 0.5 < np.ptp(expected) < 500


def test_random_weights_are_seeded() -> None:
    model = light_model("squeezenet", seed=5)
    assert light_model("squeezenet", seed=5).SerializeToString() == model.SerializeToString()
    assert light_model("squeezenet", seed=6).SerializeToString() != model.SerializeToString()


# Names


def test_inputs_and_outputs_keep_their_names() -> None:
    nodes = [helper.make_node("Relu", ["gpu_0/data_0"], ["0"]), helper.make_node("Neg", ["0"], ["out:1"])]
    module = import_model(model_of(nodes, {"gpu_0/data_0": (FLOAT, [2])}, ["out:1", "0"]))
    assert names(module) == (["gpu_0/data_0"], ["out:1", "0"])
    text = str(module)
    assert "%gpu_0_data" in text and "%v0" in text and "%out" in text


def test_locations_name_the_nodes() -> None:
    nodes = [helper.make_node("Relu", ["x"], ["y"], name="first"), helper.make_node("Neg", ["y"], ["z"])]
    module = import_model(model_of(nodes, {"x": (FLOAT, [2])}, ["z"]))
    locations = [op.location for op in module.walk() if isinstance(op, graph.GraphOp)]
    assert [loc.desc.data for loc in locations if isinstance(loc, NameLoc)] == ["first", "z"]


def test_initializers_among_the_inputs() -> None:
    """Before IR version 4 initializers are listed as inputs; an input that nothing uses stays one."""
    nodes = [helper.make_node("Add", ["x", "w"], ["y"])]
    inputs = {"x": (FLOAT, [2]), "w": (FLOAT, [2]), "unused": (FLOAT, [5])}
    module = import_model(model_of(nodes, inputs, ["y"], {"w": np.ones(2, FLOAT)}, opset=9, ir_version=3))
    assert names(module)[0] == ["x", "unused"]


def test_output_that_is_an_input_or_a_constant() -> None:
    nodes = [helper.make_node("Identity", ["x"], ["y"])]
    module = import_model(model_of(nodes, {"x": (FLOAT, [2])}, ["x", "c", "y"], {"c": np.ones(3, FLOAT)}))
    x = np.array([1, 2], FLOAT)
    results = reference_results(module, x)
    for actual, expected in zip(results, (x, np.ones(3), x), strict=True):
        np.testing.assert_array_equal(actual, expected)


def test_shared_and_unused_constants() -> None:
    nodes = [helper.make_node("Add", ["x", "w"], ["a"]), helper.make_node("Mul", ["a", "w"], ["y"])]
    constants = {"w": np.ones(2, FLOAT), "never": np.ones((99, 99), FLOAT)}
    module = import_model(model_of(nodes, {"x": (FLOAT, [2])}, ["y"], constants))
    assert operators(module) == ["constant", "add", "mul"]


# Sizes


def test_named_sizes() -> None:
    nodes = [helper.make_node("Relu", ["x"], ["y"])]
    model = model_of(nodes, {"x": (FLOAT, ["batch", 3, None])}, ["y"])
    argument = main(import_model(model)).body.block.args[0]
    assert graph.shape_of(argument) == ("batch", 3, "x_dim2")
    for options, expected in (
        ({"batch": 4}, (4, 3, "x_dim2")),
        ({"sizes": {"batch": 2}}, (2, 3, "x_dim2")),
        ({"shapes": {"x": (1, 3, 5)}}, (1, 3, 5)),
        ({"shapes": {"x": ("n", 3, "n")}}, ("n", 3, "n")),
    ):
        argument = main(import_model(model, **options)).body.block.args[0]
        assert graph.shape_of(argument) == expected


def test_shapes_must_fit_the_model() -> None:
    model = model_of([helper.make_node("Relu", ["x"], ["y"])], {"x": (FLOAT, ["n", 3])}, ["y"])
    error = failure(model, shapes={"x": (1, 4)})
    assert error.code == "TW0303" and "expected a shape for input 'x' that fits [n, 3], but got [1, 4]" in error.message
    error = failure(model, shapes={"y": (1, 3)})
    assert error.code == "TW0303" and "which the model does not have" in error.message
    error = failure(model, sizes={"m": 4})
    assert error.code == "TW0303" and "size 'm', which the model does not have" in error.message
    assert error.help == "its sizes without a value are n"
    error = failure(model, sizes={"n": -4})
    assert error.code == "TW0303" and "expected size 'n' to be at least 0, but got -4" in error.message
    argument = main(import_model(model, shapes={"x": ("k", 3)}, sizes={"k": 4})).body.block.args[0]
    assert graph.shape_of(argument) == (4, 3)


def flattening_chain(batch: int | str) -> onnx.ModelProto:
    """Return torch's export of `x.view(x.size(0), -1)` before a linear layer."""
    nodes = [
        helper.make_node("Relu", ["x"], ["r"]),
        helper.make_node("Shape", ["r"], ["shape"]),
        helper.make_node("Constant", [], ["zero"], value_int=0),
        helper.make_node("Gather", ["shape", "zero"], ["size"], axis=0),
        helper.make_node("Unsqueeze", ["size", "axes"], ["sizes"]),
        helper.make_node("Concat", ["sizes", "rest"], ["target"], axis=0),
        helper.make_node("Reshape", ["r", "target"], ["flat"]),
        helper.make_node("Gemm", ["flat", "w"], ["y"], transB=1),
    ]
    constants = {
        "axes": np.array([0]),
        "rest": np.array([-1]),
        "w": np.random.default_rng(0).standard_normal((2, 12)).astype(FLOAT),
    }
    return model_of(nodes, {"x": (FLOAT, [batch, 3, 4])}, ["y"], constants)


@pytest.mark.parametrize("batch", [5, "n"])
def test_shape_chains_leave_nothing(batch: int | str) -> None:
    model = flattening_chain(batch)
    module = import_model(model)
    module.verify()
    assert operators(module) == ["relu", "reshape", "constant", "dense"]
    x = np.random.default_rng(1).standard_normal((5, 3, 4)).astype(FLOAT)
    np.testing.assert_allclose(reference_results(module, x)[0], onnxruntime_results(model, x)[0], rtol=1e-5, atol=1e-6)


def test_sizes_computed_from_an_open_size() -> None:
    nodes = [
        helper.make_node("Shape", ["x"], ["shape"]),
        helper.make_node("Div", ["one", "shape"], ["smaller"]),
        helper.make_node("ConstantOfShape", ["smaller"], ["y"]),
    ]
    model = model_of(nodes, {"x": (FLOAT, ["n"])}, ["y"], {"one": np.array([1])})
    error = failure(model)
    assert error.code == "TW0304" and "(ConstantOfShape, opset 22)" in error.message and "'smaller'" in error.message
    assert reference_results(import_model(model, batch=3), np.zeros(3, FLOAT))[0].shape == (0,)


def test_shape_from_data() -> None:
    nodes = [helper.make_node("Reshape", ["x", "s"], ["y"], name="view")]
    error = failure(model_of(nodes, {"x": (FLOAT, [4]), "s": (INT64, [2])}, ["y"]))
    assert error.code == "TW0304"
    assert "node 'view' (Reshape, opset 22)" in error.message and "'s' depends on the model's inputs" in error.message


def test_open_size_where_a_number_is_needed() -> None:
    model = node_model("Conv", [], [np.ones((1, 1, 3, 3), FLOAT)], auto_pad="SAME_UPPER")
    model.graph.node[0].input.insert(0, "x")
    model.graph.input.append(helper.make_tensor_value_info("x", 1, [1, 1, "h", 8]))
    error = failure(model)
    assert error.code == "TW0304" and "'the_node' (Conv, opset 22)" in error.message
    assert error.help is not None and "--size h=N" in error.help


# What is refused


def test_unknown_operators_are_all_named() -> None:
    nodes = [
        helper.make_node("Relu", ["x"], ["a"]),
        helper.make_node("ImageDecoder", ["a"], ["b"], name="nz"),
        helper.make_node("Magic", ["b"], ["c"], domain="com.example"),
        helper.make_node("ImageDecoder", ["c"], ["y"]),
    ]
    error = failure(model_of(nodes, {"x": (FLOAT, [2])}, ["y"]))
    assert error.code == "TW0302"
    assert "ImageDecoder (2×, first at node 'nz')" in error.message
    assert "com.example.Magic (1×, first at node 'c')" in error.message and "Relu" not in error.message


@pytest.mark.parametrize("opset", [0, 999])
def test_opset_out_of_range(opset: int) -> None:
    error = failure(model_of([helper.make_node("Relu", ["x"], ["y"])], {"x": (FLOAT, [2])}, ["y"], opset=opset))
    assert error.code == "TW0302" and "expected an opset from 1 to" in error.message


IMAGE = np.zeros((1, 3, 8, 8), FLOAT)
VECTOR = np.ones(3, FLOAT)

REFUSED: list[tuple[str, str, Sequence[np.ndarray], Sequence[np.ndarray | None], dict[str, Any]]] = [
    ("training mode", "BatchNormalization", [IMAGE], [VECTOR] * 4, {"opset": 9, "outputs": 2}),
    ("spatial = 0", "BatchNormalization", [IMAGE], [VECTOR] * 4, {"spatial": 0, "opset": 7}),
    ("training mode", "Dropout", [IMAGE], [None, np.array(True)], {"opset": 12}),
    ("indices", "MaxPool", [np.zeros((1, 1, 2, 2, 2), FLOAT)], [], {"kernel_shape": [2, 2, 2], "outputs": 2}),
    (
        "one to three spatial dimensions",
        "Conv",
        [np.zeros((1, 1, 2, 2, 2, 2), FLOAT)],
        [np.ones((1, 1, 1, 1, 1, 1), FLOAT)],
        {},
    ),
]


@pytest.mark.parametrize(
    ("message", "operator", "inputs", "constants", "rest"), REFUSED, ids=[f"{r[1]}-{r[0]}" for r in REFUSED]
)
def test_unsupported_forms(
    message: str,
    operator: str,
    inputs: Sequence[np.ndarray],
    constants: Sequence[np.ndarray | None],
    rest: dict[str, Any],
) -> None:
    error = failure(node_model(operator, inputs, constants, **rest))
    assert error.code == "TW0302" and message in error.message
    assert f"node 'the_node' ({operator}, opset {rest.get('opset', 22)})" in error.message


INVALID: list[tuple[str, str, Sequence[np.ndarray], Sequence[np.ndarray], dict[str, Any]]] = [
    ("expected shapes that broadcast", "Add", [IMAGE, np.zeros(5, FLOAT)], [], {}),
    ("expected operands of one element type", "Add", [IMAGE, np.zeros(8)], [], {}),
    ("expected attribute 'kernel_shape'", "MaxPool", [IMAGE], [], {}),
    ("Expected 2 operands, but got 1", "Add", [IMAGE], [], {}),
    ("expected at most 1 inputs, but got 2", "Relu", [IMAGE, IMAGE], [], {}),
    ("expected at most 1 inputs, but got 2", "Softmax", [IMAGE], [VECTOR], {}),
    ("expected input 1", "Conv", [IMAGE], [], {}),
    ("expected kernel_shape [3, 3]", "Conv", [IMAGE], [np.ones((1, 3, 3, 3), FLOAT)], {"kernel_shape": [2, 2]}),
    (
        "expected strides, dilations and pads for 2 axes",
        "MaxPool",
        [IMAGE],
        [],
        {"kernel_shape": [2, 2], "pads": [1, 1]},
    ),
    ("expected auto_pad to be", "MaxPool", [IMAGE], [], {"kernel_shape": [2, 2], "auto_pad": "SOME"}),
    ("inputs or attributes do not fit", "Transpose", [IMAGE], [], {"perm": "ab"}),
    ("expected an axis from -4 to 3, but got 7", "Concat", [IMAGE, IMAGE], [], {"axis": 7}),
    ("expected an axis from -4 to 3, but got -5", "Split", [IMAGE], [np.array([1])], {"axis": -5}),
    ("expected an axis from -4 to 3, but got 4", "Slice", [IMAGE], [np.array([0]), np.array([1]), np.array([4])], {}),
    ("expected an axis from -4 to 3, but got 4", "Softmax", [IMAGE], [], {"axis": 4}),
    ("expected as many elements", "Reshape", [IMAGE], [np.array([5])], {}),
]


@pytest.mark.parametrize(
    ("message", "operator", "inputs", "constants", "rest"), INVALID, ids=[f"{r[1]}-{r[0][:30]}" for r in INVALID]
)
def test_invalid_nodes(
    message: str,
    operator: str,
    inputs: Sequence[np.ndarray],
    constants: Sequence[np.ndarray],
    rest: dict[str, Any],
) -> None:
    error = failure(node_model(operator, inputs, constants, **rest))
    assert error.code == "TW0303" and message in error.message
    assert f"node 'the_node' ({operator}, opset 22)" in error.message


def test_nodes_are_converted_in_the_order_of_what_they_read() -> None:
    branch = helper.make_graph(
        [helper.make_node("Neg", ["y"], ["b"])], "branch", [], [helper.make_empty_tensor_value_info("b")]
    )
    nodes = [
        helper.make_node("If", ["c"], ["z"], then_branch=branch, else_branch=branch),
        helper.make_node("Add", ["y", "x"], ["s"]),
        helper.make_node("Relu", ["x"], ["y"]),
        helper.make_node("Mul", ["s", "z"], ["m"]),
    ]
    x = np.array([-2, 3], np.float32)
    model = model_of(nodes, {"x": x}, ["m"], {"c": np.array(True)})
    before = model.SerializeToString()
    (result,) = reference_results(import_model(model), x)
    np.testing.assert_array_equal(result, [0, -18])
    assert model.SerializeToString() == before


@pytest.mark.parametrize(("axis", "added"), [(0, [0]), (1, []), (-1, [1])])
def test_rows_from_zero_on_are_a_slice_whose_error_names_the_size(axis: int, added: list[int]) -> None:
    """Positions of tokens, as exporters count them: `Range(0, length)`."""
    nodes = [
        helper.make_node("Shape", ["x"], ["shape"]),
        helper.make_node("Squeeze", ["shape"], ["length"]),
        helper.make_node("Range", ["zero", "length", "one"], ["range"]),
        helper.make_node("Unsqueeze", ["range", "added"], ["positions"]),
        helper.make_node("Gather", ["table", "positions" if added else "range"], ["y"], axis=axis),
    ]
    table = np.arange(20, dtype=np.float32).reshape(4, 5)
    constants = {"zero": np.array(0), "one": np.array(1), "added": np.array(added), "table": table}
    model = model_of(
        nodes[:3] + nodes[3 if added else 4 :], {"x": (np.dtype(np.float32), ["length"])}, ["y"], constants
    )
    program, most = tilewright.compile(model), table.shape[axis]
    for length in range(1, most + 1):
        indices = np.arange(length).reshape([1, length] if added == [0] else [length, 1] if added else [length])
        np.testing.assert_array_equal(program(np.zeros(length, np.float32)), np.take(table, indices, axis))
    with pytest.raises(TilewrightError, match=rf"expected sizes min\(length, {most}\) and length to be equal"):
        program(np.zeros(most + 1, np.float32))


def test_cycle_of_nodes() -> None:
    nodes = [
        helper.make_node("Add", ["x", "z"], ["y"]),
        helper.make_node("Relu", ["y"], ["z"]),
        helper.make_node("Relu", ["x"], ["w"]),
    ]
    error = failure(model_of(nodes, {"x": (FLOAT, [2])}, ["z"]))
    assert error.code == "TW0303" and "expected 'z' to be the output of an earlier node" in error.message
    assert error.help is not None and "node 'z' computes it" in error.help and "cycle" in error.help


@pytest.mark.parametrize("name", ["x", "w", "y"])
def test_value_computed_twice(name: str) -> None:
    nodes = [helper.make_node("Relu", ["x"], ["y"]), helper.make_node("Neg", ["x"], [name], name="second")]
    error = failure(model_of(nodes, {"x": (FLOAT, [2])}, ["y"], {"w": np.ones(2, FLOAT)}))
    assert error.code == "TW0303"
    assert f"node 'second' (Neg, opset 22): expected '{name}' to be computed once" in error.message


def test_tensor_of_negative_size() -> None:
    model = node_model("Add", [np.zeros(4, FLOAT)], [np.zeros(4, FLOAT)])
    model.graph.initializer[0].dims[0] = -4
    error = failure(model)
    assert error.code == "TW0301" and "tensor 'c0' cannot be read: its shape is [-4]" in error.message


def test_output_that_nothing_computes() -> None:
    error = failure(model_of([helper.make_node("Relu", ["x"], ["y"])], {"x": (FLOAT, [2])}, ["q"]))
    assert error.code == "TW0303" and "output 'q' of the model is computed by no node" in error.message


def test_inputs_of_other_types() -> None:
    model = model_of([helper.make_node("Identity", ["x"], ["y"])], {}, ["y"])
    model.graph.input.append(helper.make_tensor_sequence_value_info("x", 1, [2]))
    error = failure(model)
    assert error.code == "TW0304" and "it is not known how many tensors input 'x', a sequence, has" in error.message
    model.graph.input[0].CopyFrom(helper.make_tensor_value_info("x", onnx.TensorProto.STRING, [2]))
    error = failure(model)
    assert error.code == "TW0305" and "STRING" in error.message


def test_input_without_a_shape() -> None:
    model = model_of([helper.make_node("Relu", ["x"], ["y"])], {}, ["y"])
    model.graph.input.append(helper.make_tensor_value_info("x", 1, None))
    error = failure(model)
    assert error.code == "TW0304" and "input 'x' has no shape" in error.message
    assert graph.shape_of(main(import_model(model, shapes={"x": (2, 3)})).body.block.args[0]) == (2, 3)


# Files


@pytest.mark.parametrize("keep", [0, 1, 7, 100, 5000, 15000])
def test_truncated_files(keep: int, tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(light_model_path("squeezenet").read_bytes()[:keep])
    error = failure(path)
    assert error.code == "TW0301" and str(path) in error.message


@pytest.mark.parametrize("content", [b"\x00" * 64, b"not a model\n", bytes(range(256)) * 4, b'{"a": 1}'])
def test_garbage(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(content)
    assert failure(path).code == "TW0301"


def test_no_file(tmp_path: Path) -> None:
    error = failure(tmp_path / "gone.onnx")
    assert error.code == "TW0301" and "cannot read" in error.message
    assert failure(tmp_path).code == "TW0301"


def test_external_data(tmp_path: Path) -> None:
    weight = np.random.default_rng(0).standard_normal((40, 30)).astype(FLOAT)
    model = node_model("MatMul", [np.zeros((2, 40), FLOAT)], [weight])
    path = tmp_path / "model.onnx"
    onnx.save(model, path, save_as_external_data=True, location="data.bin", size_threshold=0)
    x = np.ones((2, 40), FLOAT)
    np.testing.assert_allclose(reference_results(import_model(path), x)[0], x @ weight, rtol=1e-5)
    (tmp_path / "data.bin").unlink()
    error = failure(path)
    assert error.code == "TW0301" and "tensor 'c0' cannot be read" in error.message


def test_external_data_is_mapped(tmp_path: Path) -> None:
    """The array is the file: its bytes are not read before they are used, however many there are."""
    size = 3 << 30
    weight = onnx.TensorProto(
        name="w", data_type=onnx.TensorProto.FLOAT, dims=[size // 4], data_location=onnx.TensorProto.EXTERNAL
    )
    weight.external_data.add(key="location", value="w.bin")
    (tmp_path / "w.bin").touch()
    os.truncate(tmp_path / "w.bin", size)  # a file of zeros that takes no room
    array = to_array(weight, TensorFiles(str(tmp_path)))
    assert (array.dtype, array.shape, array.flags.writeable) == (np.dtype(np.float32), (size // 4,), False)
    with (tmp_path / "w.bin").open("r+b") as file:
        file.seek(size - 4)
        file.write(np.float32(2.5).tobytes())
    assert array[-1] == 2.5 and array[0] == 0


def test_external_data_of_another_size_is_refused(tmp_path: Path) -> None:
    weight = np.ones((4, 3), FLOAT)
    model = node_model("MatMul", [np.zeros((2, 4), FLOAT)], [weight])
    path = tmp_path / "model.onnx"
    onnx.save(model, path, save_as_external_data=True, location="data.bin", size_threshold=0)
    proto = onnx.load(path, load_external_data=False)
    proto.graph.initializer[0].dims[1] = 4
    path.write_bytes(proto.SerializeToString())
    error = failure(path)
    assert error.code == "TW0301" and "expected 64 bytes for float32[4, 4], but it says 48" in error.message


def test_external_data_of_four_bits_is_unpacked(tmp_path: Path) -> None:
    codes = np.arange(-8, 8, dtype=np.int8).astype(ml_dtypes.int4)
    weight = numpy_helper.from_array(codes, "w")
    (tmp_path / "w.bin").write_bytes(weight.raw_data)
    weight.ClearField("raw_data")
    weight.data_location = onnx.TensorProto.EXTERNAL
    weight.external_data.add(key="location", value="w.bin")
    np.testing.assert_array_equal(to_array(weight, TensorFiles(str(tmp_path))).astype(np.int8), np.arange(-8, 8))


def test_weights_go_beside_the_text(tmp_path: Path) -> None:
    module = import_model(light_model("squeezenet"))
    save_resources(module, tmp_path / "squeezenet.safetensors")
    assert module.attributes["tw.weights"] == StringAttr("squeezenet.safetensors")
    assert len(str(module)) < 50_000


def test_arrays_that_converters_compute_have_names_of_their_content(tmp_path: Path) -> None:
    """Recurrent weights are put in order while importing: several arrays without names in the model."""
    random = np.random.default_rng(2)
    x = random.standard_normal((3, 2, 8)).astype(np.float32)
    weights = {name: random.standard_normal((2, 32, 8)).astype(np.float32) for name in "wr"}
    node = helper.make_node("LSTM", ["x", "w", "r"], ["y"], hidden_size=8, direction="bidirectional")
    model = model_of([node], {"x": x}, ["y"], weights, opset=18)
    module = import_model(model)
    save_resources(module, tmp_path / "lstm.safetensors")
    path = tmp_path / "lstm.mlir"
    path.write_text(str(module))
    np.testing.assert_allclose(tilewright.compile(path)(x), onnxruntime_results(model, x)[0], rtol=1e-5, atol=1e-5)
