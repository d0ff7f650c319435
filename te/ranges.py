"""Ranges of axes."""

from __future__ import annotations

from dataclasses import dataclass

from .expr import Expr


@dataclass(frozen=True, eq=False)
class Range:
    """The numbers from `min` on, `extent` of them."""

    min: int | Expr
    extent: int | Expr

    @classmethod
    def from_min_extent(cls, min_value: int | Expr, extent: int | Expr) -> Range:
        return cls(min_value, extent)

    def __str__(self) -> str:
        return f"range(min={self.min}, ext={self.extent})"
