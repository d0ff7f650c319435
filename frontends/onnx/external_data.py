"""Tensors whose data is in files beside the model: read here, so that a model names no other file than it may."""

from __future__ import annotations

from typing import NoReturn

import onnx

from ...diagnostics import fail
from ...diagnostics.files import open_file, path_inside, reason
from ...passes.context import PassContext


def with_data(tensor: onnx.TensorProto, directory: str) -> onnx.TensorProto:
    """The tensor with its data in it.

    Raises TW0709 where it names a file outside of `directory`, unless the setting `weights_outside` allows that, TW0301
    where the file lacks what the tensor says.
    """
    if tensor.data_location != onnx.TensorProto.EXTERNAL:
        return tensor
    named = {entry.key: entry.value for entry in tensor.external_data}
    anywhere = PassContext.current().value("weights_outside", bool)
    path = path_inside(directory, named.get("location", ""), f"the data of tensor '{tensor.name}'", anywhere=anywhere)
    inside = onnx.TensorProto()
    inside.CopyFrom(tensor)
    inside.ClearField("external_data")
    inside.ClearField("data_location")
    offset, length = _number(tensor, named, "offset"), _number(tensor, named, "length")
    try:
        with open_file(path) as file:
            file.seek(offset or 0)
            inside.raw_data = file.read() if length is None else file.read(length)
    except OSError as error:
        _fail(tensor, f"{path}: {reason(error)}")
    if length is not None and len(inside.raw_data) != length:
        _fail(tensor, f"{path}: expected {length} bytes from byte {offset or 0} on, but the file ends before")
    return inside


def _number(tensor: onnx.TensorProto, named: dict[str, str], key: str) -> int | None:
    text = named.get(key)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and int(text) < 1 << 62):
        _fail(tensor, f"its {key} is {text!r}")
    return int(text)


def _fail(tensor: onnx.TensorProto, why: str) -> NoReturn:
    fail(
        "TW0301",
        f"the data of tensor '{tensor.name}' cannot be read: {why}",
        help="keep the files that came with the model beside it",
    )
