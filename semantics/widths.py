"""Accesses of several elements by one instruction, as `tw.width` and `tw.copy_bytes` state them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..analysis.positions import first_element
from ..diagnostics import fail
from ..diagnostics.locations import name_of
from ..dialects.loop import LoadOp, StoreOp
from ..dialects.loop.widths import copy_bytes, stated_width
from .values import Array


class WideAccess:
    """Checks the positions of an access whose instructions move `width` elements each."""

    def __init__(self, op: LoadOp | StoreOp) -> None:
        self.op = op
        self.width = stated_width(op) or 0
        self.lanes = op.lanes or 1
        self.is_copy = copy_bytes(op) > 0
        self.first = first_element(op.buffer)
        if self.width < 1 or self.lanes % self.width:
            self._refuse(f"{self.lanes} elements are no multiple of that")
        if self.first is None:
            self._refuse("where its memory begins comes at run time")

    def __call__(self, buffer: Array, index: Sequence[Any], mask: Any = True) -> None:
        """Raise TW0731 where an instruction would not move elements that the lanes name, all or none of them."""
        lanes = (self.lanes,)
        active = np.broadcast_to(mask, lanes).reshape(-1, self.width)
        strides = [stride // buffer.itemsize for stride in buffer.strides]
        steps = [np.broadcast_to(np.asarray(e), lanes) * stride for e, stride in zip(index, strides, strict=True)]
        positions = (np.sum(steps, axis=0, dtype=np.int64) + (self.first or 0)).reshape(-1, self.width)
        started = active.any(axis=1)
        if self.is_copy and not active.all():
            self._refuse("its guard does not hold")
        if (started & ~active.all(axis=1)).any():
            self._refuse("its guard holds for a part of them")
        first = positions[:, 0]
        if (started & (first % self.width != 0)).any():
            self._refuse(f"they begin at element {int(first[started & (first % self.width != 0)][0])}")
        if (started & (positions != first[:, None] + np.arange(self.width)).any(axis=1)).any():
            self._refuse("they do not follow one another")

    def _refuse(self, reason: str) -> None:
        fail(
            "TW0731",
            f"expected {self.op.name} to access {self.width} elements of {name_of(self.op.buffer)} at once, all or "
            f"none of them, from a multiple of {self.width} on, but {reason}",
            op=self.op,
        )
