"""
Element types and their numpy names, in one table.

The languages in Python (te, topi), the weights files and the frontends speak of dtypes by numpy's names ("float32",
"bool"); the IR speaks of `f32` and `i1`. Signless integers are numpy's signed ones. numpy itself is imported only
where an actual `numpy.dtype` is asked for.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    Signedness,
    VectorType,
)
from xdsl.ir import Attribute

if TYPE_CHECKING:
    import numpy as np


def _unsigned(width: int) -> IntegerType:
    return IntegerType(width, Signedness.UNSIGNED)


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
}
_NAME_OF: dict[Attribute, str] = {type_: name for name, type_ in _TYPE_OF.items()} | {IndexType(): "int64"}


def element_type(name: str) -> Attribute:
    """The IR type of a dtype name: `element_type("float32")` is `f32`. Raises KeyError for a name without one."""
    return _TYPE_OF[name]


def has_dtype(type_: Attribute) -> bool:
    """Whether arrays of this element type can be held."""
    return type_ in _NAME_OF


def dtype_name(type_: Attribute) -> str:
    """numpy's name of an element type: `f32` is "float32", `index` is "int64". Raises KeyError where there is none."""
    return _NAME_OF[type_]


def numpy_dtype(type_: Attribute | str) -> np.dtype:
    """The numpy dtype of an element type or of a dtype name; bfloat16 comes from ml_dtypes."""
    import numpy as np

    name = type_ if isinstance(type_, str) else dtype_name(type_)
    if name == "bfloat16":
        import ml_dtypes

        return np.dtype(ml_dtypes.bfloat16)
    return np.dtype(name)


def is_float(type_: Attribute) -> bool:
    return isinstance(type_, (Float64Type, Float32Type, Float16Type, BFloat16Type))


def is_bool(type_: Attribute) -> bool:
    return isinstance(type_, IntegerType) and type_.width.data == 1


def is_integer(type_: Attribute) -> bool:
    """Integers that arithmetic is done on: `i1` is not one."""
    return isinstance(type_, IntegerType) and type_.width.data > 1


@lru_cache(maxsize=1024)
def vector_type(element: Attribute, lanes: int) -> VectorType:
    """The type of `lanes` elements: one object for each, because xDSL takes long to make one."""
    return VectorType(element, [lanes])
