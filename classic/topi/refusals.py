"""Operators and schedules of classic topi that this package does not have, each with a reason and a remedy."""

from __future__ import annotations

import re
from typing import NoReturn

from ...diagnostics.errors import UnknownNameError

_LIBRARY = ("products and convolutions are compiled", "take the operator without the library's name")
_BITS = ("operands of single bits have no kernels here", "compute with int8 operands: topi.nn.conv2d, topi.nn.dense")
_ANCHORS = (
    "anchor boxes of SSD are not part of it",
    "write them with te.compute, then topi.vision.non_max_suppression",
)

REFUSED: dict[str, tuple[str, str]] = {
    r".*_(cublas|cudnn|mkl|mkldnn|cblas|miopen|rocblas|thrust|nnpack).*": _LIBRARY,
    r"(schedule_)?(bitserial|bitpack|binarize|binary|bnn).*": _BITS,
    r"(schedule_)?(multibox|ssd).*": _ANCHORS,
    r"(schedule_)?proposal": ("region proposals are not part of it", "topi.vision.non_max_suppression orders boxes"),
    r"(schedule_)?correlation.*": ("correlation layers are not part of it", "write the sum with te.compute"),
    r"(schedule_)?deformable.*": (
        "convolutions at learned places are not part of it",
        "read the image at loaded places with te.compute",
    ),
    r"(schedule_)?(sparse_conv2d|spconv2d).*": ("weights of convolutions are dense", "topi.nn.conv2d"),
    r"random|threefry.*": ("random numbers are made outside of programs", "give them as arguments, from numpy"),
}
"""Patterns of names, and for each why it is missing and what to do instead."""


def refuse_name(module: str, name: str) -> None:
    """Raise TilewrightError TW0251 for a name that is refused; it is an AttributeError too."""
    for pattern, (reason, help) in REFUSED.items():
        if re.fullmatch(pattern, name):
            _fail(f"'{module}.{name}' is not part of this package: {reason}", help)


def _fail(message: str, help: str) -> NoReturn:
    raise UnknownNameError("TW0251", message, help=help)
