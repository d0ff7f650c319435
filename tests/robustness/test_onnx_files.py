"""ONNX files that are damaged, invalid or beyond what is supported: one error, through the command line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from tilewright.diagnostics import TilewrightError
from tilewright.frontends.onnx import import_model

from .command import error, output

INPUT = helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 3])
WEIGHT = numpy_helper.from_array(np.arange(12, dtype=np.float32).reshape(3, 4), "w")
PRODUCT = helper.make_node("MatMul", ["a", "w"], ["y"], name="product")


def model(*nodes: onnx.NodeProto, inputs: Sequence[onnx.ValueInfoProto] = (INPUT,)) -> onnx.ModelProto:
    result = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph(nodes, "g", inputs, [result], [WEIGHT])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def product() -> onnx.ModelProto:
    return model(helper.make_node("MatMul", ["x", "w"], ["y"], name="product"))


def test_the_model_that_is_damaged_below_runs(tmp_path: Path) -> None:
    onnx.save(product(), tmp_path / "m.onnx")
    assert output(tmp_path, "tilewright", "run", "m.onnx").startswith("y: float32[2, 4] min ")


@pytest.mark.parametrize("command", ["run", "import", "compile"])
@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: b"", "error[TW0301]: 'm.onnx' is empty"),
        (lambda data: data[: len(data) // 2], "error[TW0301]: 'm.onnx' is not an ONNX model, or it is truncated"),
    ],
    ids=["empty", "truncated"],
)
def test_no_model(damage: Callable[[bytes], bytes], message: str, command: str, tmp_path: Path) -> None:
    (tmp_path / "m.onnx").write_bytes(damage(product().SerializeToString()))
    assert error(tmp_path, "tilewright", command, "m.onnx").startswith(message)
    assert [path.name for path in tmp_path.iterdir()] == ["m.onnx"]


def test_garbage(tmp_path: Path) -> None:
    (tmp_path / "m.onnx").write_bytes(np.random.default_rng(0).bytes(5000))
    text = error(tmp_path, "tilewright", "run", "m.onnx")
    assert text.startswith("error[TW0301]: 'm.onnx' is not an ONNX model")


GRAPHS: dict[str, tuple[onnx.ModelProto, list[str]]] = {
    "unknown operator": (
        model(helper.make_node("Frobnicate", ["x"], ["y"], name="odd")),
        ["error[TW0302]", "not supported at opset 17: Frobnicate (1×, first at node 'odd')"],
    ),
    "cycle": (
        model(
            helper.make_node("Add", ["x", "b"], ["a"], name="first"),
            helper.make_node("Relu", ["a"], ["b"], name="second"),
            PRODUCT,
        ),
        ["error[TW0303]: node 'first' (Add, opset 17)", "expected 'b'", "node 'second' computes it", "cycle"],
    ),
    "input that nothing gives": (
        model(PRODUCT),
        ["error[TW0303]: node 'product' (MatMul, opset 17)", "expected 'a' to be the output of an earlier node"],
    ),
    "value computed twice": (
        model(
            helper.make_node("Relu", ["x"], ["a"], name="first"),
            helper.make_node("Neg", ["x"], ["a"], name="second"),
            PRODUCT,
        ),
        ["error[TW0303]: node 'second' (Neg, opset 17)", "expected 'a' to be computed once"],
    ),
    "shapes that do not fit": (
        model(helper.make_node("MatMul", ["w", "x"], ["y"], name="bad")),
        ["error[TW0303]: node 'bad' (MatMul, opset 17)", "expected rows of the second matrix to be 4, but got 2"],
    ),
    "element types that do not fit": (
        model(
            helper.make_node("Cast", ["x"], ["a"], to=TensorProto.INT64),
            helper.make_node("Add", ["x", "a"], ["y"], name="bad"),
        ),
        ["error[TW0303]: node 'bad' (Add, opset 17)", "expected operands of one element type, but got f32 and i64"],
    ),
    "an input left out": (
        model(helper.make_node("MatMul", ["x"], ["y"], name="bad")),
        ["error[TW0303]: node 'bad' (MatMul, opset 17)", "expected input 1"],
    ),
    "an attribute out of range": (
        model(helper.make_node("Transpose", ["x"], ["y"], name="bad", perm=[0, 5])),
        ["error[TW0303]: node 'bad' (Transpose, opset 17)", "expected a permutation of 2 axes, but got [0, 5]"],
    ),
    "operator of a branch": (
        model(
            helper.make_node(
                "If",
                ["c"],
                ["y"],
                name="choice",
                then_branch=helper.make_graph([], "t", [], [INPUT]),
                else_branch=helper.make_graph([helper.make_node("Nope", ["x"], ["i"])], "e", [], [INPUT]),
            ),
            inputs=[INPUT, helper.make_tensor_value_info("c", TensorProto.BOOL, [])],
        ),
        ["error[TW0302]", "Nope (1×, first at node 'i')"],
    ),
    "no output": (model(helper.make_node("Relu", ["x"], ["z"])), ["error[TW0303]", "output 'y' of the model"]),
    "strings": (
        model(
            helper.make_node("Identity", ["x"], ["y"]),
            inputs=[helper.make_tensor_value_info("x", TensorProto.STRING, [2])],
        ),
        ["error[TW0305]: 'x' has element type STRING, which no module holds"],
    ),
    "input without a shape": (
        model(
            helper.make_node("Relu", ["x"], ["y"]),
            inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, None)],
        ),
        ["error[TW0304]: input 'x' has no shape", "help: give one: `--shape x=1,3,224,224`"],
    ),
    "size that was left open": (
        model(
            helper.make_node("Relu", ["x"], ["y"]),
            inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 3])],
        ),
        ["error[TW0209]: input 'x' has a symbolic size 'batch'", "help: give --size batch=N, or --input"],
    ),
    "more than memory holds": (
        model(
            helper.make_node("Relu", ["x"], ["y"]),
            inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, [1 << 31, 1 << 31])],
        ),
        ["error[TW0708]: expected enough memory", "input 'x' has 2147483648 x 2147483648 elements"],
    ),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_graphs_that_cannot_be_used(name: str, tmp_path: Path) -> None:
    proto, words = GRAPHS[name]
    onnx.save(proto, tmp_path / "m.onnx")
    text = error(tmp_path, "tilewright", "run", "m.onnx")
    for word in words:
        assert word in text


@pytest.mark.parametrize(
    ("location", "size", "words"),
    [
        ("gone.bin", None, "gone.bin: no such file"),
        ("short.bin", 10, "short.bin: expected 48 bytes from byte 0 on, but the file ends before"),
    ],
)
def test_external_data_that_cannot_be_used(location: str, size: int | None, words: str, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    onnx.save(product(), folder / "m.onnx", save_as_external_data=True, location="w.bin", size_threshold=0)
    proto = onnx.load(folder / "m.onnx", load_external_data=False)
    (entry,) = (e for e in proto.graph.initializer[0].external_data if e.key == "location")
    entry.value = location
    (folder / "m.onnx").write_bytes(proto.SerializeToString())
    if size is not None:
        (folder / location).write_bytes(b"\0" * size)
    text = error(folder, "tilewright", "run", "m.onnx")
    assert text.startswith("error[TW0301]: the data of tensor 'w' cannot be read: ")
    assert words in text


def test_a_thousand_nodes_in_a_row(tmp_path: Path) -> None:
    names = ["x", *(f"a{k}" for k in range(999)), "y"]
    chain = [helper.make_node("Neg", [a], [b]) for a, b in zip(names, names[1:], strict=False)]
    onnx.save(model(*chain), tmp_path / "m.onnx")
    assert output(tmp_path, "tilewright", "run", "m.onnx").startswith("y: float32[2, 3]")


def test_names_that_are_not_utf8_are_refused() -> None:
    content = model(helper.make_node("Softplus", ["x"], ["y"])).SerializeToString().replace(b"Softplus", b"Soft\xfflus")
    with pytest.raises(TilewrightError, match=r"TW0301.*expected names in UTF-8 in the model, but got b'Soft.xfflus'"):
        import_model(content)


def test_an_output_that_is_named_twice_is_refused() -> None:
    twice = product()
    twice.graph.output.append(twice.graph.output[0])
    with pytest.raises(TilewrightError, match="TW0303.*output 'y' of the model is named twice"):
        import_model(twice)
