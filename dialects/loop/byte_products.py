"""The names of builtin intrinsics for sums of four products of bytes in words; `semantics.byte_products` defines
them."""

from __future__ import annotations

from typing import Final

SIGNEDNESS: Final = {
    "dot4_u8s8": (False, True),
    "dot4_s8s8": (True, True),
    "dot4_u8u8": (False, False),
    "dot4_u8s8_fits": (False, True),
}
"""A sum of products -> the signs of both operands' bytes, True for types with a sign."""

ADDED: Final = {name: f"{name}_add" for name in SIGNEDNESS}
"""A sum of products -> the same added to an accumulator, which is the first operand."""

PLAIN: Final = {added: name for name, added in ADDED.items()}
"""The inverse of `ADDED`."""


def signedness(name: str) -> tuple[bool, bool]:
    """Return the signs of both operands' bytes, of a sum of products with an accumulator or without."""
    return SIGNEDNESS[PLAIN.get(name, name)]
