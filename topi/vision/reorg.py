"""Reorganisation of pixels into channels, as in networks of the YOLO family."""

from __future__ import annotations

from ...te import Tensor
from ..arguments import a_tensor, an_integer, apply, refuse


def reorg(data: Tensor, stride: int) -> Tensor:
    """Return an NCHW image whose channels, cut into `stride` squared parts, are laid out as blocks of pixels of a
    larger image, which is then read as one of smaller height and width and more channels.
    """
    x = a_tensor(data, "an NCHW image", 4)
    step = an_integer(stride, "the stride", 1, code="TW0442")
    n, c, h, w = x.shape
    known = isinstance(c, int) and isinstance(h, int) and isinstance(w, int)
    if not known or c % (step * step) or h % step or w % step:
        refuse("TW0442", f"expected channels, height and width that {step} divides, but got {(c, h, w)}")
    larger = apply("depth_to_space", x, block=step, mode="DCR")
    return apply("reshape", larger, shape=(n, c * step * step, h // step, w // step), literal=True)
