"""Reader of model files. Every malformed file raises TW0301, before anything is converted."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import numpy as np
import onnx
from google.protobuf.message import DecodeError

from ...diagnostics import fail
from ...diagnostics.file_kinds import fail_as, kind_of
from ...diagnostics.files import check_file, check_kind, reason
from ...dialects.weights_file import WeightsFile
from .external_data import TensorFiles
from .raw_data import without_raw_data

OLDEST_OPSET = 1


def load_model(model: str | os.PathLike[str] | bytes | onnx.ModelProto) -> tuple[onnx.ModelProto, TensorFiles]:
    """Return the model, checked to have a graph and an opset that can be imported, and the files that its large tensors
    lie in.

    Raises TW0301 where there is no readable model, TW0302 for an opset out of range.
    """
    given = model
    if isinstance(model, onnx.ModelProto):
        name, files = "the model", TensorFiles()
    elif isinstance(model, bytes):
        name, files = "the model", TensorFiles()
        files.add_model(np.frombuffer(model, np.uint8))
        model = _decoded(memoryview(model), "the model", files)
    else:
        name = f"'{os.fspath(model)}'"
        model, files = read_model(Path(model))
    if not model.HasField("graph") or not model.graph.output:
        if isinstance(given, (str, os.PathLike)):
            check_kind(given, but="onnx")
        fail("TW0301", f"{name} holds no graph with outputs", help="the file may be truncated, or not be a model")
    for text in chain(_names_of_graph(model.graph), *map(_names_of_function, model.functions)):
        if not isinstance(text, str):  # protobuf returns bytes that it cannot decode
            fail("TW0301", f"expected names in UTF-8 in {name}, but got {text!r}", help="the file may be damaged")
    opset = opset_of(model)
    newest = onnx.defs.onnx_opset_version()
    if not OLDEST_OPSET <= opset <= newest:
        fail(
            "TW0302",
            f"expected an opset from {OLDEST_OPSET} to {newest} in {name}, but got {opset}",
            help="convert it with onnx.version_converter, or install a newer onnx" if opset > newest else None,
        )
    return model, files


def _names_of_graph(graph: onnx.GraphProto) -> Iterator[object]:
    """Yield the names in a graph, and in those within it."""
    yield graph.name
    yield from (tensor.name for tensor in graph.initializer)
    for value in chain(graph.input, graph.output, graph.value_info):
        yield value.name
        yield from (dim.dim_param for dim in value.type.tensor_type.shape.dim)
    yield from chain.from_iterable(map(_names_of_node, graph.node))


def _names_of_function(function: onnx.FunctionProto) -> Iterator[object]:
    yield from (function.name, function.domain, *function.input, *function.output, *function.attribute)
    yield from chain.from_iterable(map(_names_of_node, function.node))


def _names_of_node(node: onnx.NodeProto) -> Iterator[object]:
    yield from (node.name, node.op_type, node.domain, *node.input, *node.output)
    for attribute in node.attribute:
        yield attribute.name
        if attribute.HasField("g"):
            yield from _names_of_graph(attribute.g)
        yield from chain.from_iterable(map(_names_of_graph, attribute.graphs))


def read_model(path: Path) -> tuple[onnx.ModelProto, TensorFiles]:
    """Return the content of a file, unchecked, and the files that large tensors lie in. Raises TW0301 for a file that
    is no model."""
    if path.is_dir():
        check_kind(path)
    check_file(path, "TW0301")
    try:
        file = WeightsFile(path)
        content = file.mapped()
    except OSError as error:
        fail("TW0301", f"cannot read '{path}': {reason(error)}")
    if not content.size:
        fail("TW0301", f"'{path}' is empty")
    files = TensorFiles(str(path.parent))
    files.add_model(content, file)
    return _decoded(content.data, f"'{path}'", files), files


def _decoded(content: memoryview, name: str, files: TensorFiles) -> onnx.ModelProto:
    try:
        return onnx.load_model_from_string(without_raw_data(content, files.inner_location))
    except DecodeError:
        kind = kind_of(bytes(content))
        if kind not in (None, "onnx"):
            fail_as(kind, name.strip("'"))
        if kind is None and b"func.func" in bytes(content):
            fail(
                "TW0301",
                f"{name} is IR, not an ONNX model",
                help="it needs no import: name it .mlir, and compile or run it",
            )
        fail("TW0301", f"{name} is not an ONNX model, or it is truncated")


def opset_of(model: onnx.ModelProto) -> int:
    """Return the version of the standard operator set that the model uses; 1 where it states none."""
    return next((entry.version for entry in model.opset_import if entry.domain in ("", "ai.onnx")), 1)
