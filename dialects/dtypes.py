"""
Element types and their numpy names, in one table.

The languages in Python (te, topi), the weights files and the frontends use numpy's names of dtypes ("float32", "bool");
the IR uses `f32` and `i1`. Signless integers are numpy's signed integers. numpy is imported only when a `numpy.dtype`
object is needed.

Storage types (floats of 8 and 4 bits, integers of 4 and 2 bits) are only moved and converted, never computed with. In
memory an element of a storage type takes one byte; unused upper bits are zero.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeGuard

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float4E2M1FNType,
    Float8E4M3FNType,
    Float8E4M3FNUZType,
    Float8E5M2FNUZType,
    Float8E5M2Type,
    Float8E8M0FNUType,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    ReducedPrecisionFloatType,
    Signedness,
    VectorType,
)
from xdsl.ir import Attribute

if TYPE_CHECKING:
    import numpy as np


def _unsigned(width: int) -> IntegerType:
    return IntegerType(width, Signedness.UNSIGNED)


STORAGE_TYPES: dict[str, Attribute] = {
    "float8_e4m3fn": Float8E4M3FNType(),
    "float8_e4m3fnuz": Float8E4M3FNUZType(),
    "float8_e5m2": Float8E5M2Type(),
    "float8_e5m2fnuz": Float8E5M2FNUZType(),
    "float8_e8m0fnu": Float8E8M0FNUType(),
    "float4_e2m1fn": Float4E2M1FNType(),
    "int4": IntegerType(4),
    "int2": IntegerType(2),
    "uint4": _unsigned(4),
    "uint2": _unsigned(2),
}
"""The types that are only moved and converted, by the names that ml_dtypes has for them."""
_TYPE_OF: dict[str, Attribute] = {
    "float64": Float64Type(),
    "float32": Float32Type(),
    "float16": Float16Type(),
    "bfloat16": BFloat16Type(),
    "int64": IntegerType(64),
    "int32": IntegerType(32),
    "int16": IntegerType(16),
    "int8": IntegerType(8),
    "uint64": _unsigned(64),
    "uint32": _unsigned(32),
    "uint16": _unsigned(16),
    "uint8": _unsigned(8),
    "bool": IntegerType(1),
    **STORAGE_TYPES,
}
_NAME_OF: dict[Attribute, str] = {type_: name for name, type_ in _TYPE_OF.items()} | {IndexType(): "int64"}
_STORAGE = frozenset(STORAGE_TYPES.values())


def element_type(name: str) -> Attribute:
    """Return the IR type of a dtype name: `element_type("float32")` is `f32`. Raises KeyError for a name without
    one."""
    return _TYPE_OF[name]


def has_dtype(type_: Attribute) -> bool:
    """Return whether arrays of this element type can be held."""
    return type_ in _NAME_OF


def dtype_name(type_: Attribute) -> str:
    """Return numpy's name of an element type: `f32` is "float32", `index` is "int64". Raises KeyError where there is
    none."""
    return _NAME_OF[type_]


def numpy_dtype(type_: Attribute | str) -> np.dtype:
    """Return the numpy dtype of an element type or of a dtype name; bfloat16 and storage types come from ml_dtypes."""
    import numpy as np

    name = type_ if isinstance(type_, str) else dtype_name(type_)
    if name == "bfloat16" or name in STORAGE_TYPES:
        import ml_dtypes

        return np.dtype(getattr(ml_dtypes, name))
    return np.dtype(name)


def is_storage(type_: Attribute) -> bool:
    """Return whether the elements of a type can only be moved and converted."""
    return type_ in _STORAGE


def storage_bits(value: float, type_: Attribute) -> int:
    """Return the bits that a number has in a storage type, as an unsigned integer."""
    if isinstance(type_, IntegerType):
        return int(value) & ((1 << type_.width.data) - 1)
    assert isinstance(type_, ReducedPrecisionFloatType)
    return type_.encode_bits(value)


def is_float(type_: Attribute) -> bool:
    """Return whether a type is a float that arithmetic is done on."""
    return isinstance(type_, (Float64Type, Float32Type, Float16Type, BFloat16Type))


def is_bool(type_: Attribute) -> TypeGuard[IntegerType]:
    return isinstance(type_, IntegerType) and type_.width.data == 1


def is_integer(type_: Attribute) -> TypeGuard[IntegerType]:
    """Return whether a type is an integer that arithmetic is done on: `i1` is not one, nor are those of fewer than 8
    bits."""
    return isinstance(type_, IntegerType) and type_.width.data >= 8


@lru_cache(maxsize=1024)
def vector_type(element: Attribute, lanes: int) -> VectorType:
    """Return the type of `lanes` elements: one object for each, because xDSL takes long to make one."""
    return VectorType(element, [lanes])
