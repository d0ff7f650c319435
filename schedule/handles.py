"""What a schedule gives out for blocks and loops: names that stay valid while the IR behind them is rewritten."""

from __future__ import annotations

from dataclasses import dataclass


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
