"""Ranges of axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from ..lazy import missing_field
from .expr import Expr


class Range:
    """The numbers from `min` on, `extent` of them.

    As Python's `range`, it is constructed from a start (inclusive) and a stop (exclusive), or from the stop alone.
    """

    __slots__ = ("extent", "min")

    def __init__(self, begin: int | Expr, end: int | Expr | None = None) -> None:
        self.min: int | Expr = 0 if end is None else begin
        self.extent: int | Expr = begin if end is None else end - begin

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            raise missing_field(self, "a range", name)

    @classmethod
    def from_min_extent(cls, min_value: int | Expr, extent: int | Expr) -> Range:
        made = cls(extent)
        made.min = min_value
        return made

    def __str__(self) -> str:
        return f"range(min={self.min}, ext={self.extent})"
