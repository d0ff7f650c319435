"""LLVM's names of types, and literals.

Some element types have another LLVM type: `i1` and integers of fewer than 8 bits take a byte in memory, as in numpy;
`index` is `i64`; `bf16` is an `i16` of its bits, because LLVM lowers conversions to `bfloat` to calls of a support
library on CPUs without the instruction; floats of 8 and 4 bits are an `i8` and an `i4` of their bits.
"""

from __future__ import annotations

import struct
from functools import cache
from typing import Any

from xdsl.dialects.builtin import (
    BFloat16Type,
    DenseIntOrFPElementsAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    ReducedPrecisionFloatType,
    VectorType,
)
from xdsl.ir import Attribute

from ....dialects.dtypes import is_storage, storage_bits

_FLOATS: dict[type[Attribute], tuple[str, int]] = {
    Float64Type: ("double", 8),
    Float32Type: ("float", 4),
    Float16Type: ("half", 2),
    BFloat16Type: ("i16", 2),
}


def element_of(type_: Attribute) -> Attribute:
    return type_.element_type if isinstance(type_, VectorType) else type_


def lanes_of(type_: Attribute) -> int | None:
    """Return the number of lanes; None for a scalar."""
    return type_.get_shape()[0] if isinstance(type_, VectorType) else None


def with_lanes(element: str, lanes: int | None) -> str:
    return element if lanes is None else f"<{lanes} x {element}>"


@cache
def value_type(type_: Attribute) -> str:
    """Return the LLVM type of an SSA value."""
    element = element_of(type_)
    if isinstance(element, IndexType):
        name = "i64"
    elif isinstance(element, IntegerType):
        name = f"i{element.width.data}"
    elif isinstance(element, ReducedPrecisionFloatType):
        name = f"i{element.bitwidth}"
    else:
        name = _FLOATS[type(element)][0]
    return with_lanes(name, lanes_of(type_))


@cache
def storage_type(element: Attribute) -> tuple[str, int]:
    """Return the LLVM type of an element in memory, and its bytes."""
    if isinstance(element, IndexType):
        return "i64", 8
    if isinstance(element, IntegerType):
        width = max(8, element.width.data)
        return f"i{width}", width // 8
    if isinstance(element, ReducedPrecisionFloatType):
        return "i8", 1
    return _FLOATS[type(element)]


def splat(element: str, literal: str, lanes: int | None) -> str:
    """Return a literal in every lane."""
    return literal if lanes is None else f"splat ({element} {literal})"


def literal(value: Any, element: Attribute) -> str:
    """Return a Python number as an LLVM literal of the element type."""
    if isinstance(element, Float32Type):
        single = struct.unpack("<f", struct.pack("<f", value))[0]
        return f"0x{struct.unpack('<Q', struct.pack('<d', single))[0]:016X}"
    if isinstance(element, Float64Type):
        return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
    if isinstance(element, Float16Type):
        return f"0xH{struct.unpack('<H', struct.pack('<e', value))[0]:04X}"
    if isinstance(element, BFloat16Type):
        return str(_bf16_bits(value))
    if is_storage(element):
        return str(storage_bits(value, element))
    if value_type(element) == "i1":
        return "true" if value else "false"
    return str(int(value))


def constant_literal(attribute: Attribute, type_: Attribute) -> str:
    """Return the value of an `arith.constant` of a scalar or vector type."""
    element = element_of(type_)
    if isinstance(attribute, (IntegerAttr, FloatAttr)):
        return literal(attribute.value.data, element)
    assert isinstance(attribute, DenseIntOrFPElementsAttr)
    lanes = lanes_of(type_)
    assert lanes is not None
    values = [literal(v, element) for v in attribute.get_values()]
    name = value_type(element)
    if len(set(values)) == 1:
        return splat(name, values[0], lanes)
    return f"<{', '.join(f'{name} {v}' for v in values)}>"


def mangled(type_: str) -> str:
    """Return an LLVM type as it stands in the name of an overloaded intrinsic: `<8 x float>` is `v8f32`."""
    if type_.startswith("<"):
        lanes, _, element = type_[1:-1].partition(" x ")
        return f"v{lanes}{mangled(element)}"
    return {"float": "f32", "double": "f64", "half": "f16"}.get(type_, type_)


def intrinsic(name: str, type_: str) -> str:
    """Return the symbol of an intrinsic overloaded on one type. LLVM declares intrinsics by itself."""
    return f"@{name}.{mangled(type_)}"


def _bf16_bits(value: float) -> int:
    """Return the bits of a number rounded to bfloat16, to nearest even; as a signed 16-bit integer."""
    if value != value:
        return 0x7FC0
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16) & 0xFFFF
    return rounded - 0x10000 if rounded >= 0x8000 else rounded
