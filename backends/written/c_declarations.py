"""C declarations of the arguments of programs: names, types of elements, and sizes that other sizes determine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ...runtime.arguments import Signature
from ...runtime.extent import Combination, Dimension, Division, Extent
from .c_names import HEADER_RESERVED
from .fresh_names import name_text

_TYPES = {"bool": "uint8_t", "float16": "uint16_t", "float32": "float", "float64": "double"}

SIZE_FUNCTIONS = """\
static inline int64_t tw_size_floordiv(int64_t a, int64_t b) {
  return b == 0 ? 0 : a / b - (a % b != 0 && (a < 0) != (b < 0));
}
static inline int64_t tw_size_min(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t tw_size_max(int64_t a, int64_t b) { return a > b ? a : b; }
static inline int64_t tw_size_mod(int64_t a, int64_t b) { return a - b * tw_size_floordiv(a, b); }
"""
"""The functions that `size_text` calls."""


def element_type(dtype: np.dtype[Any]) -> str:
    """Return the C type of elements; elements without a C type are passed as their bits."""
    if dtype.isbuiltin == 2:
        return f"uint{8 * dtype.itemsize}_t"
    return _TYPES.get(dtype.name) or f"{dtype.name}_t"


def argument_names(signature: Signature, reserved: Iterable[str] = ()) -> tuple[dict[str, str], dict[str, str]]:
    """Return C identifiers of the arguments, and of the open sizes and strides, all different and none of
    `reserved`."""
    taken = set(reserved)
    arguments = {a.name: identifier(a.name, taken) for a in signature.arguments}
    numbers = (*size_names(signature), *stride_names(signature))
    return arguments, {name: identifier(name, taken) for name in numbers}


def size_names(signature: Signature) -> list[str]:
    """Return the open sizes in the order in which shapes name them."""
    dims = (d for a in signature.arguments for d in a.shape if isinstance(d, Extent))
    return list(dict.fromkeys(d.name for d in dims if d.name is not None))


def stride_names(signature: Signature) -> list[str]:
    """Return names of the strides in elements that callers pass."""
    given = ((a.name, d, s) for a in signature.arguments for d, s in enumerate(a.strides or ()))
    return [f"{name}_stride{d}" for name, d, stride in given if stride is None]


def size_text(dimension: Dimension, names: Mapping[str, str]) -> str:
    """Return a size as an expression of open sizes, whose C names are given."""
    if isinstance(dimension, int):
        return str(dimension)
    parts = [str(dimension.constant)] if dimension.constant or not dimension.terms else []
    for atom, coefficient in dimension.terms:
        match atom:
            case str():
                value = names[atom]
            case Division():
                value = f"tw_size_{atom.kind}({size_text(atom.numerator, names)}, {atom.divisor})"
            case Combination():
                lhs, rhs = size_text(atom.lhs, names), size_text(atom.rhs, names)
                value = f"(({lhs}) * ({rhs}))" if atom.kind == "*" else f"tw_size_{atom.kind}({lhs}, {rhs})"
        parts.append(value if coefficient == 1 else f"{coefficient} * {value}")
    return " + ".join(parts)


def identifier(name: str, taken: set[str]) -> str:
    """Return a C identifier like a name that is not in `taken`, and add it there."""
    text = name_text(name)
    if text in HEADER_RESERVED or not text or text[0].isdigit() or text[0] == "_":
        text = f"tw_{text}"
    while text in taken:
        text += "_"
    taken.add(text)
    return text


def comment_text(text: str) -> str:
    """Return a text as a comment of C may hold it: it ends no comment, begins none, and is no trigraph."""
    return text.replace("*/", "* /").replace("/*", "/ *").replace("??", "? ?")


def string_text(text: str) -> str:
    """Return a text as a string of C, in UTF-8."""
    return f'"{"".join(map(_character, text.encode()))}"'


def _character(byte: int) -> str:
    printable = 32 <= byte < 127 and byte not in b'"\\?'
    return chr(byte) if printable else f"\\{byte:03o}"
