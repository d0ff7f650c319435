"""Reading model files: every way in which a file can be no model ends in TW0301, before anything is converted."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import onnx
from google.protobuf.message import DecodeError

from ...diagnostics import fail
from ...diagnostics.file_kinds import fail_as, kind_of
from ...diagnostics.files import check_kind, read_bytes

OLDEST_OPSET = 1


def load_model(model: str | os.PathLike[str] | bytes | onnx.ModelProto) -> tuple[onnx.ModelProto, str]:
    """
    The model, checked to have a graph and an opset that can be imported, and the folder of its external data.

    Raises TW0301 where there is no readable model, TW0302 for an opset out of range.
    """
    given = model
    if isinstance(model, onnx.ModelProto):
        name, directory = "the model", ""
    elif isinstance(model, bytes):
        name, directory = "the model", ""
        model = _decoded(model, "the model")
    else:
        name, directory = f"'{os.fspath(model)}'", str(Path(model).parent)
        model = read_model(Path(model))
    if not model.HasField("graph") or not model.graph.output:
        if isinstance(given, (str, os.PathLike)):
            check_kind(given, but="onnx")
        fail("TW0301", f"{name} holds no graph with outputs", help="the file may be truncated, or not be a model")
    for text in chain(_names_of_graph(model.graph), *map(_names_of_function, model.functions)):
        if not isinstance(text, str):  # protobuf hands over what it cannot decode
            fail("TW0301", f"expected names in UTF-8 in {name}, but got {text!r}", help="the file may be damaged")
    opset = opset_of(model)
    newest = onnx.defs.onnx_opset_version()
    if not OLDEST_OPSET <= opset <= newest:
        fail(
            "TW0302",
            f"expected an opset from {OLDEST_OPSET} to {newest} in {name}, but got {opset}",
            help="convert it with onnx.version_converter, or install a newer onnx" if opset > newest else None,
        )
    return model, directory


def _names_of_graph(graph: onnx.GraphProto) -> Iterator[object]:
    """The names in a graph, and in those within it."""
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


def read_model(path: Path) -> onnx.ModelProto:
    """What a file holds, unchecked. Raises TW0301 where that is no model."""
    if path.is_dir():
        check_kind(path)
    content = read_bytes(path, "TW0301")
    if not content:
        fail("TW0301", f"'{path}' is empty")
    return _decoded(content, f"'{path}'")


def _decoded(content: bytes, name: str) -> onnx.ModelProto:
    try:
        return onnx.load_model_from_string(content)
    except DecodeError:
        kind = kind_of(content)
        if kind not in (None, "onnx"):
            fail_as(kind, name.strip("'"))
        if kind is None and b"func.func" in content:
            fail(
                "TW0301",
                f"{name} is IR, not an ONNX model",
                help="it needs no import: name it .mlir, and compile or run it",
            )
        fail("TW0301", f"{name} is not an ONNX model, or it is truncated")


def opset_of(model: onnx.ModelProto) -> int:
    """The version of the standard operator set that the model uses; 1 where it states none."""
    return next((entry.version for entry in model.opset_import if entry.domain in ("", "ai.onnx")), 1)
