"""
Data of constants: as numpy arrays, and as text with its type.

Small and uniform data is inline, `dense<[1.0, 2.0]> : tensor<2xf32>`; the rest are resources,
`resource<"w"> : memref<64xf32>`. The bound on inline data keeps modules readable: eight elements fit on a line, a
weight matrix does not. The attribute always has a tensor type, also for constants of memref type, so that data moves
between the dialects unchanged.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import BytesAttr, DenseIntOrFPElementsAttr, MemRefType, TensorType
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.printer import Printer

from .dtypes import element_type, numpy_dtype
from .resource import Resource, ResourceAttr, resource_attr

if TYPE_CHECKING:
    import numpy as np

    from .weights_file import StoredArray

INLINE_ELEMENTS = 8
"""Arrays up to this many elements are written into the text."""


def constant_array(value: Attribute) -> np.ndarray:
    """Return the array, read-only, of a `dense` or resource attribute. Raises TypeError for other attributes."""
    import numpy as np

    if isinstance(value, ResourceAttr):
        return value.data.array
    if not isinstance(value, DenseIntOrFPElementsAttr):
        raise TypeError(f"expected a dense or resource attribute, but got {value}")
    flat = np.frombuffer(value.data.data, dtype=numpy_dtype(value.get_element_type()))
    return flat.reshape(value.get_shape())


def has_data(value: Attribute) -> bool:
    """Return whether `constant_array` has data to return: false for a resource whose weights file was not given."""
    return not isinstance(value, ResourceAttr) or value.data.is_resolved


def dense_attr(array: np.ndarray) -> DenseIntOrFPElementsAttr:
    """Return `dense<…>` with the exact bytes of `array`."""
    type_ = TensorType(element_type(array.dtype.name), array.shape)
    return DenseIntOrFPElementsAttr(cast(Any, type_), BytesAttr(array.tobytes()))


def constant_attr(array: np.ndarray, name: str, stored: StoredArray | None = None) -> Attribute:
    """Return `array` as an attribute: inline when small, else a resource called `name`, read from where it is
    `stored`."""
    if array.size <= INLINE_ELEMENTS:
        return dense_attr(array)
    return resource_attr(name, array) if stored is None else ResourceAttr(Resource(name, stored=stored))


def dense_array(array: np.ndarray, dtype: np.dtype | None = None) -> np.ndarray:
    """Return the elements of `array` in row-major order, rounded to `dtype`: the array itself if it is so already.

    A large copy is allocated in separate pages, which return to the system when the copy is freed. Memory from the
    allocator would stay with the process because of fragmentation, and passes copy a model's weights many times.
    """
    import numpy as np

    from ..runtime.buffers import large_block

    wanted = dtype or array.dtype
    if array.flags.c_contiguous and array.dtype == wanted:
        return array

    copy = large_block(array.size * wanted.itemsize).view(wanted).reshape(array.shape)
    np.copyto(copy, array, casting="unsafe")
    return copy


def derived_name(name: str, array: np.ndarray) -> str:
    """Return a resource name for data computed from that of `name`: the same bytes give the same name, others another
    one.

    Passes run in any order and on parts of a module, so uniqueness comes from the content, not from a counter.
    """
    # Processors have instructions for SHA-256: of the digests in hashlib it is the fastest on a hundred megabytes.
    digest = hashlib.sha256(f"{array.dtype.name}{array.shape}".encode())
    digest.update(memoryview(_bytes(array)))  # pyright: ignore[reportArgumentType]
    return f"{name.split('#', 1)[0]}#{digest.hexdigest()[:8]}"


def _bytes(array: np.ndarray) -> np.ndarray:
    """Return the bytes of an array in row-major order, not copied where they lie so."""
    import numpy as np

    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def print_data(printer: Printer, value: Attribute, type: Attribute) -> None:
    if isinstance(value, ResourceAttr):
        printer.print_string("resource")
        value.print_parameter(printer)
        printer.print_string(" : ")
        printer.print_attribute(type)
    elif isinstance(value, DenseIntOrFPElementsAttr):
        printer.print_attribute(DenseIntOrFPElementsAttr(cast(Any, type), value.data))
    else:
        printer.print_attribute(value)
        printer.print_string(" : ")
        printer.print_attribute(type)


def parse_data(parser: Parser) -> tuple[Attribute, Attribute]:
    """Parse the attribute and the constant's type."""
    if parser.parse_optional_keyword("resource"):
        value = ResourceAttr(ResourceAttr.parse_parameter(parser))
        parser.parse_punctuation(":")
        return value, parser.parse_type()
    if not parser.parse_optional_keyword("dense"):
        parser.raise_error("expected `dense<…>` or `resource<…>`")
    parsed = parser.parse_dense_int_or_fp_elements_attr(None)
    return as_tensor_data(parsed), cast(Attribute, parsed.type)


def as_tensor_data(value: DenseIntOrFPElementsAttr) -> DenseIntOrFPElementsAttr:
    """Return the same elements with a tensor type."""
    if isinstance(value.type, MemRefType):
        tensor = TensorType(value.get_element_type(), value.get_shape())
        return DenseIntOrFPElementsAttr(cast(Any, tensor), value.data)
    return value
