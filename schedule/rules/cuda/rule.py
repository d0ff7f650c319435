"""What a rule is, and how one is left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from ....diagnostics import TilewrightError
from ....dialects import loop
from ....dialects.target import CudaTargetAttr
from ...schedule import Schedule


class Rule(Protocol):
    """Schedules a block whose structure it knows."""

    __name__: str

    def __call__(self, sch: Schedule, op: loop.BlockOp, target: CudaTargetAttr, /) -> Sequence[loop.BlockOp] | None:
        """The blocks that the rule took care of, `op` among them; None, and nothing changed, where it does not fit."""
        ...


class Refused(NamedTuple):
    """A rule that the engine refused for a block."""

    label: str
    rule: str


class RefusedRuleError(Exception):
    """A rule asked for what the engine refuses; the function is half scheduled."""

    def __init__(self, refused: Refused, error: TilewrightError) -> None:
        super().__init__(f"rule {refused.rule} for block '{refused.label}': {error.message}")
        self.refused = refused
        self.error = error
