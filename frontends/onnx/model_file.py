"""Reading model files: every way in which a file can be no model ends in TW0301, before anything is converted."""

from __future__ import annotations

import os
from pathlib import Path

import onnx
from google.protobuf.message import DecodeError

from ...diagnostics import fail
from ...diagnostics.files import read_bytes

OLDEST_OPSET = 1


def load_model(model: str | os.PathLike[str] | bytes | onnx.ModelProto) -> tuple[onnx.ModelProto, str]:
    """
    The model, checked to have a graph and an opset that can be imported, and the folder of its external data.

    Raises TW0301 where there is no readable model, TW0302 for an opset out of range.
    """
    if isinstance(model, onnx.ModelProto):
        name, directory = "the model", ""
    elif isinstance(model, bytes):
        name, directory = "the model", ""
        model = _decoded(model, "the model")
    else:
        name, directory = f"'{os.fspath(model)}'", str(Path(model).parent)
        model = read_model(Path(model))
    if not model.HasField("graph") or not model.graph.output:
        fail("TW0301", f"{name} holds no graph with outputs", help="the file may be truncated, or not be a model")
    opset = opset_of(model)
    newest = onnx.defs.onnx_opset_version()
    if not OLDEST_OPSET <= opset <= newest:
        fail(
            "TW0302",
            f"expected an opset from {OLDEST_OPSET} to {newest} in {name}, but got {opset}",
            help="convert it with onnx.version_converter, or install a newer onnx" if opset > newest else None,
        )
    return model, directory


def read_model(path: Path) -> onnx.ModelProto:
    """What a file holds, unchecked. Raises TW0301 where that is no model."""
    content = read_bytes(path, "TW0301")
    if not content:
        fail("TW0301", f"'{path}' is empty")
    return _decoded(content, f"'{path}'")


def _decoded(content: bytes, name: str) -> onnx.ModelProto:
    try:
        return onnx.load_model_from_string(content)
    except DecodeError:
        fail("TW0301", f"{name} is not an ONNX model, or it is truncated")


def opset_of(model: onnx.ModelProto) -> int:
    """The version of the standard operator set that the model uses; 1 where it states none."""
    return next((entry.version for entry in model.opset_import if entry.domain in ("", "ai.onnx")), 1)
