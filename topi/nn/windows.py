"""Arguments of convolution and pooling: layouts, strides and the accepted forms of padding."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ...operators.windows import Layout
from ...te import Tensor
from ...te.shapes import format_shape
from ..arguments import a_tensor, an_integer, one_of, refuse, require_size

LAYOUTS = {1: ("NCW", "NWC"), 2: ("NCHW", "NHWC"), 3: ("NCDHW", "NDHWC")}
"""Channels first and channels last, by the number of spatial dimensions."""


def an_image(data: Any, rank: int, layout: str, *, blocks: bool = False) -> tuple[Tensor, Layout]:
    """Return the image and where its dimensions stand; with `blocks` its channels may stand in some, as in NCHW16c."""
    first, last = LAYOUTS[rank]
    if blocks and re.fullmatch(first + r"[1-9]\d*c", str(layout)):
        x = a_tensor(data, f"an {layout} image", rank + 3)
        require_size(x.shape[-1], int(layout[len(first) : -1]), "the channels of a block")
        return x, Layout(blocked=True)
    one_of(layout, (first, last), "layout")
    return a_tensor(data, f"an {layout} image", rank + 2), Layout(channels_last=layout == last)


def one_each(value: Any, rank: int, what: str, least: int = 1) -> tuple[int, ...]:
    """Return one integer for each spatial dimension, from one for all of them or from a list."""
    given = list(value) if isinstance(value, (tuple, list)) else [value] * rank
    if len(given) != rank:
        refuse("TW0445", f"expected {what} to be one integer or {rank}, but got {given}")
    return tuple(an_integer(v, what, least, code="TW0445") for v in given)


def read_padding(padding: Any, kernel: Sequence[int], dilations: Sequence[int]) -> tuple[int, ...]:
    """Return the padding [before each dimension ..., after each dimension ...] from one number, one a dimension, or
    that list itself.

    "VALID" is no padding; "SAME" is the extent of a window minus one, split in halves, the odd element before.
    """
    rank = len(kernel)
    if isinstance(padding, str):
        if one_of(padding, ("VALID", "SAME"), "padding") == "VALID":
            return (0,) * (2 * rank)
        pairs = [_same(*pair) for pair in zip(kernel, dilations, strict=True)]
        return tuple(before for before, _ in pairs) + tuple(after for _, after in pairs)
    given = list(padding) if isinstance(padding, (tuple, list)) else [padding]
    if len(given) not in (1, rank, 2 * rank):
        refuse("TW0445", f"expected padding to be 1, {rank} or {2 * rank} integers, but got {given}")
    amounts = tuple(an_integer(v, "padding", 0, code="TW0445") for v in given)
    return amounts if len(amounts) == 2 * rank else amounts * (2 * rank // len(amounts))


def with_overhang(padding: Sequence[int], strides: Sequence[int], ceil_mode: bool) -> tuple[int, ...]:
    """Return the padding of pooling in ceil mode, as classic topi has it: one element less than a stride more after
    each axis, so that the last window may lie in padding alone."""
    rank = len(strides)
    more = [step - 1 if ceil_mode else 0 for step in strides]
    return (*padding[:rank], *(after + extra for after, extra in zip(padding[rank:], more, strict=True)))


def _same(kernel: int, dilation: int) -> tuple[int, int]:
    total = dilation * (kernel - 1)
    return total - total // 2, total // 2


def require_fit(
    x: Tensor, sizes: Sequence[Any], kernel: Sequence[int], padding: Sequence[int], dilations: Sequence[int]
) -> None:
    """Require every window to fit in the padded image."""
    rank = len(kernel)
    for axis, (size, extent, dilation) in enumerate(zip(sizes, kernel, dilations, strict=True)):
        reach = dilation * (extent - 1) + 1
        if isinstance(size, int) and size + padding[axis] + padding[rank + axis] < reach:
            refuse(
                "TW0445",
                f"expected a window of at most {size + padding[axis] + padding[rank + axis]} elements along spatial "
                f"dimension {axis}, but got {reach}",
                notes=[f"the image is {x.name!r} of shape {format_shape(x.shape)}"],
            )
