"""Operators and schedules of classic topi that this package does not have, each with a reason and a remedy.

Their names can be imported and stored, as tables of operators by target do; each call raises an error.
"""

from __future__ import annotations

import re
from typing import Any, NoReturn

from ..diagnostics.errors import UnknownNameError

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
        "convolutions at learned positions are not part of it",
        "read the image at loaded positions with te.compute",
    ),
    r"dilation2d.*": ("morphological dilation is not part of it", "write the maximum with te.compute"),
    r"(schedule_)?spconv2d.*": ("weights of windows of several elements are dense", "topi.nn.conv2d"),
    r"(schedule_)?conv2d_hwnc.*": (
        "layouts that are packed for one instruction are no separate operators",
        "take topi.nn.conv2d on int8 operands: the default schedule packs them",
    ),
    r"random|threefry.*": ("random numbers are made outside of programs", "give them as arguments, from numpy"),
}
"""Patterns of names, each with the reason for its absence and a remedy."""


class Refused:
    """A placeholder for a missing function: programs may store it, as in tables; a call of it or an attribute fails."""

    def __init__(self, module: str, name: str, reason: str, help: str) -> None:
        self._path, self._reason, self._help = f"{module}.{name}", reason, help

    def __call__(self, *given: Any, **named: Any) -> NoReturn:
        raise UnknownNameError("TW0251", f"'{self._path}' is not part of this package: {self._reason}", help=self._help)

    def __getattr__(self, name: str) -> Refused:
        if name.startswith("_"):
            raise AttributeError(f"{self._path!r} has no attribute {name!r}")
        return Refused(self._path, name, self._reason, self._help)

    def __repr__(self) -> str:
        return f"<{self._path}: refused>"


def refused_name(module: str, name: str) -> Refused | None:
    """Return the function of a name that raises TW0251 when it is called; None for other names."""
    for pattern, (reason, help) in REFUSED.items():
        if re.fullmatch(pattern, name):
            return Refused(module, name, reason, help)
    return None
