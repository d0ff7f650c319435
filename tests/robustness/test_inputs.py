"""Inputs and options of `tilewright run` that do not fit the model, and unusual ones that do."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from .command import error, output

FLOAT = np.float32


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with `m.onnx`: left [n, 3] + right [3] -> sum [n, 3]."""
    folder = tmp_path_factory.mktemp("model")
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        [helper.make_node("Add", ["left", "right"], ["sum"])],
        "g",
        [value("left", TensorProto.FLOAT, ["n", 3]), value("right", TensorProto.FLOAT, [3])],
        [value("sum", TensorProto.FLOAT, ["n", 3])],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), folder / "m.onnx")
    return folder


def arrays(**changed: np.ndarray | None) -> dict[str, np.ndarray]:
    fitting = {"left": np.ones((2, 3), FLOAT), "right": np.ones(3, FLOAT)}
    return {name: array for name, array in (fitting | changed).items() if array is not None}


ARRAYS: dict[str, tuple[dict[str, Any], str]] = {
    "missing": (
        arrays(right=None),
        "error[TW0701]: expected 2 inputs ('left', 'right'), but got 1\nnote: missing: 'right'",
    ),
    "none": ({}, "error[TW0701]: expected 2 inputs ('left', 'right'), but got 0"),
    "one too many": (
        arrays(third=np.ones(3)),
        "error[TW0702]: expected inputs 'left', 'right', but got one named 'third'",
    ),
    "case of a name": (
        arrays(right=None) | {"Right": np.ones(3, FLOAT)},
        "error[TW0702]: expected inputs 'left', 'right', but got one named 'Right'",
    ),
    "odd name": (
        arrays() | {"../é /x\n": np.ones(3, FLOAT)},
        "error[TW0702]: expected inputs 'left', 'right', but got one named '../é /x\n'",
    ),
    "without names": (
        {"arr_0": np.ones((2, 3), FLOAT)},
        "error[TW0702]: expected inputs 'left', 'right', but got one named 'arr_0'",
    ),
    "wide": (
        arrays(right=np.ones(3)),
        "error[TW0703]: expected argument 'right' to have dtype float32, but got float64",
    ),
    "integers": (
        arrays(left=np.ones((2, 3), int)),
        "error[TW0703]: expected argument 'left' to have dtype float32, but got int64",
    ),
    "other byte order": (
        arrays(right=np.ones(3, ">f4")),
        "error[TW0703]: expected argument 'right' to have dtype float32, but got >f4",
    ),
    "texts": (
        arrays(right=np.array(["a", "b", "c"])),
        "error[TW0703]: expected argument 'right' to have dtype float32",
    ),
    "objects": (
        arrays(right=np.array([None, 1, 2], object)),
        "error[TW0204]: cannot read 'x.npz': expected an intact .npz file of numbers",
    ),
    "shape": (
        arrays(right=np.ones(4, FLOAT)),
        "error[TW0704]: expected argument 'right' to have shape [3], but got [4]",
    ),
    "rank": (
        arrays(left=np.ones(3, FLOAT)),
        "error[TW0704]: expected argument 'left' to have shape [n, 3], but got [3]",
    ),
    "scalar": (
        arrays(right=np.float32(1)),
        "error[TW0704]: expected argument 'right' to have shape [3], but got []",
    ),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_that_do_not_fit(name: str, folder: Path) -> None:
    given, message = ARRAYS[name]
    np.savez(folder / "x.npz", **given)
    assert error(folder, "tilewright", "run", "m.onnx", "--input", "x.npz").startswith(message)


def test_archives_that_hold_no_arrays(folder: Path) -> None:
    np.savez(folder / "x.npz", **arrays())
    whole = (folder / "x.npz").read_bytes()
    for content in (b"", b"PK\x03\x04", whole[:-30], b"left,right\n1,2\n"):
        (folder / "x.npz").write_bytes(content)
        message = error(folder, "tilewright", "run", "m.onnx", "--input", "x.npz")
        assert message.startswith("error[TW0204]: cannot read 'x.npz': expected an intact .npz file of numbers")
    with zipfile.ZipFile(folder / "x.npz", "w") as archive:
        archive.writestr("left", "no array")
    message = error(folder, "tilewright", "run", "m.onnx", "--input", "x.npz")
    assert message.startswith("error[TW0204]: cannot read 'x.npz': expected arrays, but 'left' in it is none")


def test_arrays_that_fit_in_another_order_in_memory(folder: Path) -> None:
    left = np.asfortranarray(np.arange(6, dtype=FLOAT).reshape(2, 3))
    np.savez(folder / "x.npz", left=left, right=np.array([0, 10, 20], FLOAT))
    output(folder, "tilewright", "run", "m.onnx", "--input", "x.npz", "--output", "y.npz")
    np.testing.assert_array_equal(np.load(folder / "y.npz")["sum"], left + np.array([0, 10, 20]))


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
def test_not_a_number_goes_through(backend: str, folder: Path) -> None:
    left = np.array([[np.nan, np.inf, -np.inf]], FLOAT)
    np.savez(folder / "x.npz", left=left, right=np.array([1, np.nan, 1], FLOAT))
    words = ("--input", "x.npz", "--output", "y.npz", "--backend", backend)
    assert "nan" in output(folder, "tilewright", "run", "m.onnx", *words)
    np.testing.assert_array_equal(np.load(folder / "y.npz")["sum"], np.array([[np.nan, np.nan, -np.inf]], FLOAT))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "error[TW0209]: input 'left' has a symbolic size 'n'\nhelp: give --size n=N, or --input"),
        (("--size", "m=4"), "error[TW0303]: a value was given for size 'm', which the model does not have"),
        (("--size", "n"), "error[TW0209]: expected --size NAME=N, but got 'n'"),
        (("--size", "n=-1"), "error[TW0209]: expected --size NAME=N, but got 'n=-1'"),
        (("--shape", "left=2,4"), "error[TW0303]: expected a shape for input 'left' that fits [n, 3], but got [2, 4]"),
        (("--shape", "middle=2,3"), "error[TW0303]: a shape was given for input 'middle'"),
        (("--shape", "left=2;3"), "error[TW0209]: expected --shape NAME=1,3,224,224, but got 'left=2;3'"),
        (
            ("--size", "n=1", "--random-seed", "-1"),
            "error[TW0209]: expected --random-seed to be at least 0, but got -1",
        ),
        (("--size", "n=1", "--threads", "0"), "error[TW0209]: expected --threads to be at least 1, but got 0"),
        (("--size", "n=1", "--repeat", "many"), "error[TW0209]: tilewright run: argument --repeat"),
        (
            ("--size", "n=1", "--output", "no/y.npz"),
            "error[TW0204]: cannot write 'no/y.npz': folder 'no' does not exist",
        ),
        (("--size", "n=1", "--output", "."), "error[TW0204]: cannot write '.': it is a folder"),
        (("--size", f"n={1 << 40}"), "error[TW0708]: expected enough memory, but an allocation failed"),
        (("--size", f"n={1 << 70}"), "error[TW0209]: expected sizes below 2^63, but got 'n="),
    ],
)
def test_options_that_do_not_fit(words: tuple[str, ...], message: str, folder: Path) -> None:
    assert error(folder, "tilewright", "run", "m.onnx", *words).startswith(message)


def test_sizes_from_the_command_line(folder: Path) -> None:
    for words in (("--size", "n=5"), ("--shape", "left=5,3"), ("--shape", "left=k,3", "--size", "k=5")):
        assert "float32[5, 3]" in output(folder, "tilewright", "run", "m.onnx", *words)
    output(folder, "tilewright", "import", "m.onnx", "--size", "n=5", "-o", "fixed.mlir")
    assert "float32[5, 3]" in output(folder, "tilewright", "run", "fixed.mlir")
    message = error(folder, "tilewright", "run", "fixed.mlir", "--shape", "left=5,3")
    assert message.startswith("error[TW0209]: expected an ONNX model where shapes, sizes or values are given")
    assert "size 'n'" in error(folder, "tilewright", "run", "fixed.mlir", "--size", "n=5")


NAMES = ("gpu_0/data_0", "0", "file", "allow_pickle", "naïve 日本", 'with "quotes"\\', "a.npy", "x_1")


def test_any_name_is_kept(tmp_path: Path) -> None:
    """Names of inputs, outputs, weights and sizes, through ONNX, IR text, weights file and .npz."""
    value = helper.make_tensor_value_info
    weights = {name: np.random.default_rng(k).standard_normal((40, 30)).astype(FLOAT) for k, name in enumerate(NAMES)}
    nodes, inputs, outputs, initializers = [], [], [], []
    for name in NAMES:
        nodes.append(helper.make_node("MatMul", [name, f"weight {name}"], [f"out {name}"], name=name))
        inputs.append(value(name, TensorProto.FLOAT, [f"size {name}", 40]))
        outputs.append(value(f"out {name}", TensorProto.FLOAT, None))
        initializers.append(onnx.numpy_helper.from_array(weights[name], f"weight {name}"))
    graph = helper.make_graph(nodes, "g", inputs, outputs, initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, tmp_path / "m.onnx")
    output(tmp_path, "tilewright", "import", "m.onnx", "-o", "m.mlir")
    sizes = [word for k, name in enumerate(NAMES) for word in ("--size", f"size {name}={k + 1}")]
    for file in ("m.onnx", "m.mlir"):
        output(tmp_path, "tilewright", "run", file, *sizes, "--output", "y.npz")
        with np.load(tmp_path / "y.npz") as found:
            assert {name: found[name].shape for name in found} == {
                f"out {name}": (k + 1, 30) for k, name in enumerate(NAMES)
            }


def test_outputs_of_any_name_are_saved(tmp_path: Path) -> None:
    value = helper.make_tensor_value_info("x", TensorProto.FLOAT, [3])
    nodes = [helper.make_node("Identity", ["x"], [name]) for name in NAMES]
    results = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [3]) for name in NAMES]
    graph = helper.make_graph(nodes, "g", [value], results)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), tmp_path / "m.onnx")
    np.savez(tmp_path / "x.npz", x=np.array([1, 2, 3], FLOAT))
    output(tmp_path, "tilewright", "run", "m.onnx", "--input", "x.npz", "--output", "y.npz")
    with np.load(tmp_path / "y.npz") as found:
        for name in NAMES:
            np.testing.assert_array_equal(found[name], [1, 2, 3])
