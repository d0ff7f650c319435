"""Tensors whose data is in files: in the model's file, or in files beside it.

The files are mapped here rather than by the onnx package, so that a model can name files outside its folder only
with the setting `weights_outside`.
"""

from __future__ import annotations

import math
import os
import secrets
from dataclasses import dataclass, field
from typing import NoReturn

import numpy as np
import onnx

from ...diagnostics import fail
from ...diagnostics.files import path_inside, reason
from ...dialects.weights_file import StoredArray, WeightsFile
from ...passes.framework.context import PassContext


def is_external(tensor: onnx.TensorProto) -> bool:
    """Return if a tensor's data is not in its message."""
    return tensor.data_location == onnx.TensorProto.EXTERNAL


@dataclass
class _Mapped:
    """The bytes of a file, and the file itself if arrays can be read from it again."""

    data: np.ndarray
    file: WeightsFile | None

    def position_of(self, array: np.ndarray) -> int | None:
        """Return the position of an array that lies in these bytes."""
        at = array.ctypes.data - self.data.ctypes.data
        return at if at >= 0 and at + array.nbytes <= self.data.nbytes else None


@dataclass
class TensorFiles:
    """The files that the tensors of a model lie in, each mapped once."""

    directory: str = ""
    """The folder of the model, which holds its other files."""
    inner_location: str = field(default_factory=lambda: secrets.token_hex(16))
    """The location that refers to the content of the model's file: a random name, which no model can contain."""
    _files: dict[str, _Mapped] = field(default_factory=dict)

    def add_model(self, data: np.ndarray, file: WeightsFile | None = None) -> None:
        """Add the content of the model itself."""
        self._files[self.inner_location] = _Mapped(data, file)

    def array(self, tensor: onnx.TensorProto, dtype: np.dtype) -> np.ndarray:
        """Return the data of an external tensor as a read-only array of the file's pages, which are read when they are
        used.

        Raises TW0709 where it names a file outside of the directory, unless the setting `weights_outside` allows that,
        TW0301 where the file lacks what the tensor says.
        """
        shape = tuple(tensor.dims)
        data = self._bytes(tensor)
        if data.size != math.prod(shape) * dtype.itemsize:
            size = math.prod(shape) * dtype.itemsize
            _fail(tensor, f"expected {size} bytes for {dtype}{list(shape)}, but it says {data.size}")
        return data.view(dtype).reshape(shape)

    def with_data(self, tensor: onnx.TensorProto) -> onnx.TensorProto:
        """Return an external tensor with its data in it. Raises what `array` does."""
        inside = onnx.TensorProto()
        inside.CopyFrom(tensor)
        inside.ClearField("external_data")
        inside.ClearField("data_location")
        inside.raw_data = self._bytes(tensor).tobytes()
        return inside

    def stored(self, array: np.ndarray) -> StoredArray | None:
        """Return the position of an array of these files; None for one of memory."""
        for location, mapped in self._files.items():
            if mapped.file is not None and array.flags.c_contiguous and (at := mapped.position_of(array)) is not None:
                is_beside = location != self.inner_location
                return StoredArray(mapped.file, at, array.dtype.name, array.shape, may_stay=is_beside)
        return None

    def _bytes(self, tensor: onnx.TensorProto) -> np.ndarray:
        """Return the bytes that a tensor names."""
        named = {entry.key: entry.value for entry in tensor.external_data}
        offset, length = _number(tensor, named, "offset") or 0, _number(tensor, named, "length")
        location = named.get("location", "")
        mapped = self._files.get(location) or self._opened(tensor, location)
        end = mapped.data.size if length is None else offset + length
        if end > mapped.data.size or offset > mapped.data.size:
            where = os.path.join(self.directory, location)
            _fail(tensor, f"{where}: expected {end - offset} bytes from byte {offset} on, but the file ends before")
        return mapped.data[offset:end]

    def _opened(self, tensor: onnx.TensorProto, location: str) -> _Mapped:
        anywhere = PassContext.current().value("weights_outside", bool)
        path = path_inside(self.directory, location, f"the data of tensor '{tensor.name}'", anywhere=anywhere)
        try:
            file = WeightsFile(path)
            mapped = self._files[location] = _Mapped(file.mapped(), file)
        except OSError as error:
            _fail(tensor, f"{path}: {reason(error)}")
        return mapped


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
