"""Layouts of images and weights, and the windows of convolutions and pooling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....topi.nn.windows import one_each, read_padding, with_overhang
from ..building import apply, permuted, refuse, tensor
from ..expr import Expr

__all__ = ["FIRST", "KERNELS", "laid_out", "one_each", "read_padding", "with_overhang"]

FIRST = {1: "NCW", 2: "NCHW", 3: "NCDHW"}
"""Channels first, as the operations of the graph dialect have them, by the number of spatial dimensions."""

KERNELS = {1: "OIW", 2: "OIHW", 3: "OIDHW"}
"""The order of weights beside these images."""


def laid_out(given: Any, source: str, target: str) -> Expr:
    """Return a tensor of one layout in another one. Layouts with blocks, as NCHW16c, are rearranged."""
    x = tensor(given)
    if source == target:
        return x
    if sorted(source) == sorted(target) and len(set(source)) == len(source):
        return permuted(x, [source.index(letter) for letter in target])
    if {letter for letter in source if letter.isupper()} != {letter for letter in target if letter.isupper()}:
        refuse(f"expected a layout of the letters of {target}, but got {source!r}")
    return apply("layout_transform", x, src_layout=source, dst_layout=target)


def flat_window(given: Sequence[int]) -> tuple[int, ...]:
    """Return a window of one dimension as one of two, the first of which has one element."""
    return (1, *given)


def flat_padding(given: Sequence[int]) -> tuple[int, ...]:
    """Return the padding before and after one dimension, as that of two."""
    before, after = given
    return (0, before, 0, after)
