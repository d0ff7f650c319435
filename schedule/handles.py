"""Handles of blocks and loops, valid while the IR behind them is rewritten, and values that a schedule draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self


@dataclass(frozen=True, eq=False)
class BlockRV:
    """A block of the function being scheduled."""

    name: str = "?"
    """Its name in the trace, such as b0. A handle that a program makes by itself stands for nothing."""
    label: str = "?"

    def __repr__(self) -> str:
        return f"<block {self.label!r}>"


@dataclass(frozen=True, eq=False)
class LoopRV:
    """A loop of the function being scheduled."""

    name: str = "?"
    """Its name in the trace, such as l0. A handle that a program makes by itself stands for nothing."""
    variable: str = "?"

    def __repr__(self) -> str:
        return f"<loop %{self.variable}>"


class ValueRV(int):
    """A number that a schedule has drawn: an int with its name in the trace, so that calls with the number as an
    argument refer to the name."""

    name: str

    def __new__(cls, value: int = 0, name: str = "?") -> Self:
        made = super().__new__(cls, value)
        made.name = name
        return made

    def __getnewargs__(self) -> Any:
        return int(self), self.name
