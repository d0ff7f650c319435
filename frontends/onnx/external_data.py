"""Tensors whose data is in files beside the model: mapped here, so that a model names no other file than it may."""

from __future__ import annotations

import math
import mmap
from typing import NoReturn

import numpy as np
import onnx

from ...diagnostics import fail
from ...diagnostics.files import open_file, path_inside, reason
from ...passes.context import PassContext


def is_external(tensor: onnx.TensorProto) -> bool:
    """Whether a tensor's data is in a file of its own."""
    return tensor.data_location == onnx.TensorProto.EXTERNAL


def external_array(tensor: onnx.TensorProto, directory: str, dtype: np.dtype) -> np.ndarray:
    """The data of such a tensor as a read-only array of the file's pages, which are read when they are used.

    Raises TW0709 where it names a file outside of `directory`, unless the setting `weights_outside` allows that, TW0301
    where the file lacks what the tensor says.
    """
    shape = tuple(tensor.dims)
    data = _mapped(tensor, directory)
    if data.size != math.prod(shape) * dtype.itemsize:
        size = math.prod(shape) * dtype.itemsize
        _fail(tensor, f"expected {size} bytes for {dtype}{list(shape)}, but it says {data.size}")
    return data.view(dtype).reshape(shape)


def with_data(tensor: onnx.TensorProto, directory: str) -> onnx.TensorProto:
    """The tensor with its data in it, of elements that several share a byte. Raises what `external_array` does."""
    inside = onnx.TensorProto()
    inside.CopyFrom(tensor)
    inside.ClearField("external_data")
    inside.ClearField("data_location")
    inside.raw_data = _mapped(tensor, directory).tobytes()
    return inside


def _mapped(tensor: onnx.TensorProto, directory: str) -> np.ndarray:
    """The bytes that a tensor names."""
    named = {entry.key: entry.value for entry in tensor.external_data}
    anywhere = PassContext.current().value("weights_outside", bool)
    path = path_inside(directory, named.get("location", ""), f"the data of tensor '{tensor.name}'", anywhere=anywhere)
    offset, length = _number(tensor, named, "offset") or 0, _number(tensor, named, "length")
    try:
        with open_file(path) as file:
            size = file.seek(0, 2)
            data = np.frombuffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b"", np.uint8)
    except OSError as error:
        _fail(tensor, f"{path}: {reason(error)}")
    end = size if length is None else offset + length
    if end > size or offset > size:
        _fail(tensor, f"{path}: expected {end - offset} bytes from byte {offset} on, but the file ends before")
    return data[offset:end]


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
