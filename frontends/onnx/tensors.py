"""Tensors and element types of ONNX as numpy arrays and dtypes."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import numpy_helper

from ...diagnostics import TilewrightError, fail
from ...dialects.dtypes import element_type, numpy_dtype
from .external_data import TensorFiles, is_external
from .text_values import TEXT, as_text

_Type = onnx.TensorProto.DataType
_SHARING_BYTES = tuple(_Type.Value(name) for name in ("FLOAT4E2M1", "INT4", "UINT4", "INT2", "UINT2"))
"""The element types of which a byte of a file holds several."""


def dtype_of(code: int, what: str) -> str:
    """Return numpy's name of an ONNX element type. Raises TW0305 where the compiler has no such type."""
    try:
        name = np.dtype(onnx.helper.tensor_dtype_to_np_dtype(code)).name
        element_type(name)
    except (KeyError, TypeError, ValueError):
        label = _Type.Name(code) if code in _Type.values() else str(code)
        fail("TW0305", f"{what} has element type {label}, which is not supported")
    return name


def to_array(tensor: onnx.TensorProto, files: TensorFiles) -> np.ndarray:
    """Return the data of a tensor, from its message or from one of `files`, which is mapped; strings as `TEXT`."""
    is_string = tensor.data_type == _Type.Value("STRING")
    dtype = TEXT if is_string else numpy_dtype(dtype_of(tensor.data_type, f"tensor '{tensor.name}'"))
    if any(size < 0 for size in tensor.dims):
        fail("TW0301", f"the data of tensor '{tensor.name}' cannot be read: its shape is {list(tensor.dims)}")
    try:
        if is_string:
            return as_text(numpy_helper.to_array(tensor))
        if not is_external(tensor):
            return numpy_helper.to_array(tensor)
        if tensor.data_type in _SHARING_BYTES:
            return numpy_helper.to_array(files.with_data(tensor))
        return files.array(tensor, dtype)
    except TilewrightError:
        raise
    except (OSError, ValueError, TypeError, RuntimeError, onnx.checker.ValidationError) as error:
        fail("TW0301", f"the data of tensor '{tensor.name}' cannot be read: {error}")
