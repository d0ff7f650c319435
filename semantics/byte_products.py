"""Sums of four products of bytes in words, and the instructions of processors for them, as pure intrinsics.

A word is an i32 of four bytes, the first one lowest. `dot4_u8s8(a, b)` is the sum of the products of a's bytes, without
sign, and b's, with sign, at equal positions; the names of the other intrinsics say the types of both operands' bytes in
the same way. No sum of four products leaves 32 bits. `dot4_u8s8_add(acc, a, b)` is acc + dot4_u8s8(a, b), which wraps
around as an addition does.

`dot4_u8s8_fits` is `dot4_u8s8` where the caller asserts that the sum of the first two products and the sum of the last
two fit in 16 bits (`pairs_fit` says so of constants). A target may saturate sums that do not.

Instructions are lane by lane functions of words too, but for `x86.vpermi2b`, which takes bytes from any lane: a rule
for a target writes calls of them, and its emitter has a text for each.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from ..dialects.loop.byte_products import ADDED, SIGNEDNESS

if TYPE_CHECKING:
    import numpy as np

Reference: TypeAlias = Callable[..., Any]

LARGEST_PIXEL = 255
"""The largest byte without sign."""
_LOWEST, _HIGHEST = -(1 << 15), (1 << 15) - 1
"""The range of 16 bits with sign."""


def pairs_fit(weights: np.ndarray) -> bool:
    """Return whether products of any bytes without sign and these int8 numbers, of which the last dimension holds the
    four of a word or several words', have sums of neighbours that fit in 16 bits."""
    pairs = weights.astype("int32").reshape(-1, 2)
    highest, lowest = pairs.clip(0, None).sum(1), pairs.clip(None, 0).sum(1)
    return bool((highest * LARGEST_PIXEL <= _HIGHEST).all() and (lowest * LARGEST_PIXEL >= _LOWEST).all())


def _parts(words: Any, bits: int, signed: bool) -> list[Any]:
    """Return the parts of a word, the lowest first, as int64."""
    wide, span = words.astype("int64"), 1 << bits
    parts = [(wide >> shift) & (span - 1) for shift in range(0, 32, bits)]
    return [part - (part >= span // 2) * span for part in parts] if signed else parts


def _wrapped(number: Any) -> Any:
    """Return the low 32 bits of an integer as an int32."""
    return number.astype("uint32").astype("int32")


def _dot(a: Any, b: Any, bits: int, signs: tuple[bool, bool]) -> Any:
    return sum(x * y for x, y in zip(_parts(a, bits, signs[0]), _parts(b, bits, signs[1]), strict=True))


def _dot4(signs: tuple[bool, bool]) -> Reference:
    return lambda a, b: _wrapped(_dot(a, b, 8, signs))


def _dot4_add(signs: tuple[bool, bool]) -> Reference:
    return lambda acc, a, b: _wrapped(acc.astype("int64") + _dot(a, b, 8, signs))


def _pmaddubsw(a: Any, b: Any) -> Any:
    """Return two sums of two products of a byte without sign and one with it, saturated to 16 bits: the halves of a
    word."""
    products = [x * y for x, y in zip(_parts(a, 8, False), _parts(b, 8, True), strict=True)]
    low, high = ((products[k] + products[k + 1]).clip(_LOWEST, _HIGHEST) for k in (0, 2))
    return _wrapped((high << 16) | (low & 0xFFFF))


def _pmaddwd(a: Any, b: Any) -> Any:
    """Return the sum of two products of 16-bit halves with sign."""
    return _wrapped(_dot(a, b, 16, (True, True)))


def _vpermi2b(low: Any, numbers: Any, high: Any) -> Any:
    """Select, for each byte of `numbers`, the byte of `low` followed by `high` at the index in its lower seven bits."""
    import numpy as np

    return np.concatenate((low, high), axis=-1)[..., numbers.astype("uint8") & 127]


INSTRUCTIONS: dict[str, tuple[int, Reference]] = {
    "x86.pmaddubsw": (2, _pmaddubsw),
    "x86.pmaddwd": (2, _pmaddwd),
    "x86.vpdpbssd": (3, _dot4_add(SIGNEDNESS["dot4_s8s8"])),
    "x86.vpdpbusd": (3, _dot4_add(SIGNEDNESS["dot4_u8s8"])),
    "x86.vpdpbuud": (3, _dot4_add(SIGNEDNESS["dot4_u8u8"])),
    "x86.vpermi2b": (3, _vpermi2b),
    "aarch64.sdot": (3, _dot4_add(SIGNEDNESS["dot4_s8s8"])),
    "aarch64.udot": (3, _dot4_add(SIGNEDNESS["dot4_u8u8"])),
    "aarch64.usdot": (3, _dot4_add(SIGNEDNESS["dot4_u8s8"])),
}
"""Instructions by name: the number of operands (words or bytes), the accumulator first if there is one, and the
function."""

OF_BYTES = ("x86.vpermi2b",)
"""The instructions whose operands and results are bytes."""

DOT4: dict[str, tuple[int, Reference]] = {
    **{name: (2, _dot4(signs)) for name, signs in SIGNEDNESS.items()},
    **{ADDED[name]: (3, _dot4_add(signs)) for name, signs in SIGNEDNESS.items()},
}
"""Sums of products by name: the number of operands, and the function."""
