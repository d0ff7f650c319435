"""Weights that stay in a model's file: cut out of the message, read when they are used, refused where it changed."""

from __future__ import annotations

import gc
import os
import struct
import weakref
from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
import onnx.parser
import pytest
import tilewright
from onnx import TensorProto, helper, numpy_helper
from tilewright.diagnostics import TilewrightError
from tilewright.dialects.resource import Resource, walk_resources
from tilewright.frontends.onnx import import_model
from tilewright.frontends.onnx.external_data import TensorFiles, is_external
from tilewright.frontends.onnx.raw_data import LEAST_BYTES, without_raw_data
from xdsl.dialects.builtin import ModuleOp

SIDE = 160
RNG = np.random.default_rng(0)


def matrix(seed: int, dtype: type | np.dtype = np.float32) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((SIDE, SIDE)).astype(dtype)


def product(seed: int = 0) -> onnx.ModelProto:
    model = onnx.parser.parse_model(
        f'<ir_version: 10, opset_import: ["" : 22]> g (float[4, {SIDE}] x) => (float[4, {SIDE}] y) '
        "{ y = MatMul (x, w) }"
    )
    model.graph.initializer.append(numpy_helper.from_array(matrix(seed), "w"))
    return model


def resources(module: ModuleOp) -> list[Resource]:
    return [attribute.data for _, _, attribute in walk_resources(module)]


def restored(model: onnx.ModelProto) -> onnx.ModelProto:
    """Return a model that was cut and put together again."""
    content = model.SerializeToString()
    files = TensorFiles()
    files.add_model(np.frombuffer(content, np.uint8))
    cut = without_raw_data(memoryview(content), files.inner_location)
    assert len(cut) < len(content)
    found = onnx.load_model_from_string(cut)
    for tensor in tensors_of(found.graph):
        if is_external(tensor):
            tensor.CopyFrom(files.with_data(tensor))
    return found


def tensors_of(graph: onnx.GraphProto) -> list[TensorProto]:
    """Return the tensors of a graph, of nodes' attributes and of graphs within."""
    found = [*graph.initializer]
    for attribute in (attribute for node in graph.node for attribute in node.attribute):
        if attribute.HasField("t"):
            found.append(attribute.t)
        for inner in [attribute.g] if attribute.HasField("g") else [*attribute.graphs]:
            found += tensors_of(inner)
    return found


def with_tensors_everywhere() -> onnx.ModelProto:
    """Return tensors of every element type whose bytes a file has, as initializers, in attributes, and in a branch."""
    types = (np.float32, np.float64, np.float16, np.int64, np.uint8, np.bool_, ml_dtypes.bfloat16, ml_dtypes.int4)
    model = onnx.ModelProto(ir_version=10)
    model.opset_import.add(version=22)
    for number, dtype in enumerate(types):
        array = np.resize(matrix(number), (SIDE, 4 * SIDE)).astype(dtype)
        model.graph.initializer.append(numpy_helper.from_array(array, f"w{number}"))
    inner = onnx.GraphProto(name="inner")
    inner.initializer.append(numpy_helper.from_array(matrix(20), "inside"))
    inner.node.append(helper.make_node("Constant", [], ["deep"], value=numpy_helper.from_array(matrix(21), "deep")))
    model.graph.node.append(helper.make_node("Constant", [], ["c"], value=numpy_helper.from_array(matrix(22), "c")))
    model.graph.node.append(helper.make_node("If", ["flag"], ["d"], then_branch=inner, else_branch=inner))
    model.graph.initializer.append(numpy_helper.from_array(matrix(23)[:2], "small"))
    return model


def test_models_are_put_together_again() -> None:
    model = with_tensors_everywhere()
    assert restored(model) == model


def test_tensors_whose_elements_are_no_bytes_stay() -> None:
    """Numbers in fields of their own, strings, external data, and elements that are stated twice."""
    many = [1.5] * (LEAST_BYTES // 2)
    packed = helper.make_tensor("packed", TensorProto.FLOAT, [len(many)], many)
    external = TensorProto(name="external", data_type=TensorProto.FLOAT, dims=[4], raw_data=bytes(LEAST_BYTES))
    external.data_location = TensorProto.EXTERNAL
    text = TensorProto(name="text", data_type=TensorProto.STRING, dims=[1], raw_data=bytes(LEAST_BYTES))
    once = TensorProto(name="twice", data_type=TensorProto.FLOAT, raw_data=bytes(LEAST_BYTES)).SerializeToString()
    for tensor in (packed, external, text, TensorProto.FromString(once)):
        model = onnx.ModelProto(ir_version=10)
        model.graph.initializer.append(tensor)
        content = model.SerializeToString()
        assert (without_raw_data(memoryview(content), "here") == content) == (tensor.name != "twice")
    field = once[once.index(b"J") :]  # tag 9 of bytes
    body = _field(7, _field(5, once + field))
    assert without_raw_data(memoryview(body), "here") == body


def _field(number: int, content: bytes) -> bytes:
    """Return a field with its length in four bytes."""
    size = len(content)
    digits = bytes([size & 127 | 128, size >> 7 & 127 | 128, size >> 14 & 127 | 128, size >> 21])
    return bytes([number << 3 | 2]) + digits + content


def test_what_is_no_message_is_left_to_the_decoder() -> None:
    content = product().SerializeToString()
    graph = content.index(struct.pack("B", 7 << 3 | 2))
    cut_short = [content[:size] for size in (len(content) - 1, len(content) // 2, graph + 1)]
    group, number, empty = b"\x3b" + bytes(LEAST_BYTES), b"\xff" * LEAST_BYTES, b""
    deep = bytes(LEAST_BYTES)
    for level in range(300):
        deep = _field((5, 6, 1)[level % 3], deep)
    for data in (*cut_short, group, number, empty, _field(7, deep)):
        assert without_raw_data(memoryview(data), "here") == data
    for data in cut_short:
        with pytest.raises(TilewrightError) as error:
            import_model(data)
        assert error.value.code == "TW0301"


@pytest.mark.parametrize("kind", ["inside", "beside", "bytes"])
def test_values(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "model.onnx"
    onnx.save(product(), path, save_as_external_data=kind == "beside", location="w.bin", size_threshold=0)
    x = RNG.standard_normal((4, SIDE)).astype(np.float32)
    found = tilewright.compile(path.read_bytes() if kind == "bytes" else path)(x)
    exact = x.astype(np.float64) @ matrix(0)
    assert np.abs(np.asarray(found) - exact).max() < 1e-5 * np.abs(exact).max()


@pytest.mark.parametrize("kind", ["inside", "beside"])
def test_weights_are_in_memory_while_somebody_uses_them(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "model.onnx"
    onnx.save(product(), path, save_as_external_data=kind == "beside", location="w.bin", size_threshold=0)
    (weight,) = resources(import_model(path))
    assert weight.is_resolved and not weight.is_in_memory
    array = weight.array
    assert weight.array is array
    np.testing.assert_array_equal(array, matrix(0))
    used = weakref.ref(array)
    del array
    gc.collect()
    assert used() is None
    np.testing.assert_array_equal(weight.array, matrix(0))
    np.testing.assert_array_equal(np.concatenate([part.copy() for part in weight.parts()]), matrix(0))


def test_another_file_of_the_name_changes_nothing(tmp_path: Path) -> None:
    path, other = tmp_path / "model.onnx", tmp_path / "other.onnx"
    onnx.save(product(), path)
    onnx.save(product(1), other)
    module = import_model(path)
    os.replace(other, path)
    np.testing.assert_array_equal(resources(module)[0].array, matrix(0))
    path.unlink()
    np.testing.assert_array_equal(resources(module)[0].array, matrix(0))


@pytest.mark.parametrize("size", [0, 1000, None])
def test_a_file_that_was_written_over_is_refused(tmp_path: Path, size: int | None) -> None:
    path = tmp_path / "model.onnx"
    onnx.save(product(), path)
    module = import_model(path)
    program = tilewright.compile(module)
    x = RNG.standard_normal((4, SIDE)).astype(np.float32)
    expected = np.asarray(program(x))
    with path.open("r+b") as file:
        file.write(product(1).SerializeToString())
        file.truncate(size)
    os.utime(path, (1, 1))
    np.testing.assert_array_equal(np.asarray(program(x)), expected)  # it has its own
    with pytest.raises(TilewrightError, match="changed while it was in use") as error:
        tilewright.compile(import_model_of_the_past(module))(x)
    assert error.value.code == "TW0705"


def import_model_of_the_past(module: ModuleOp) -> ModuleOp:
    """Return a module with weights that were not read yet."""
    for op, key, attribute in [*walk_resources(module)]:
        stored = attribute.data._stored  # pyright: ignore[reportPrivateUsage]
        op.properties[key] = type(attribute)(Resource(attribute.data.name, stored=stored))
    return module
