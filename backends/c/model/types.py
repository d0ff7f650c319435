"""The C types with which the functions of a model access memory.

The arena holds elements of different types at the same addresses over time, which C's strict aliasing rules forbid. So
the types have the attribute `may_alias` where the compiler has it.
"""

from __future__ import annotations

import re

from xdsl.ir import Attribute

from ..types import storage_type

_NAMES = {
    "double": "tw_f64",
    "float": "tw_f32",
    "bool": "tw_bit",
    **{f"int{width}_t": f"tw_i{width}" for width in (8, 16, 32, 64)},
    **{f"uint{width}_t": f"tw_u{width}" for width in (8, 16, 32, 64)},
}
_ALIASING = """\
#ifdef __GNUC__
#define TW_MAY_ALIAS __attribute__((__may_alias__))
#else
#define TW_MAY_ALIAS
#endif"""


def alias_of(element: Attribute) -> str:
    """Return the name of the type of an element in memory."""
    return _NAMES[storage_type(element)]


def alias_definitions(body: str) -> str:
    """Return the definitions of those types that C source names."""
    used = set(re.findall(r"\btw_(?:bit|[fiu][0-9]+)\b", body))
    return "\n".join([_ALIASING, *(f"typedef {t} {name} TW_MAY_ALIAS;" for t, name in _NAMES.items() if name in used)])
