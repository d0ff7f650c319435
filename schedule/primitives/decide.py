"""decide: the choice that a rule or a search made, as a step of a trace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...diagnostics import fail
from ..decisions import MISFIT, Decision
from ..engine import Engine
from ..primitive_declaration import NOTES, register_primitive
from ..trace import Instruction
from ..trace_arguments import recordable

_NAME = "decide"


@register_primitive(NOTES, is_query=True)
def decide(
    sch: Engine,
    key: str,
    candidates: Sequence[Any],
    decision: str | int | bool | Sequence[Any] | None = None,
    changes_sums: bool = False,
) -> None:
    """State that `decision` is chosen among `candidates`; the steps behind it are those of this choice.

    `key` is the block and the name of the choice, as in "C:panels.tile". Nothing is changed. `changes_sums` says that
    the candidates differ in the order of sums, and results in their last bits. A search writes these steps into the
    traces of the schedules that it finds.

    Raises TilewrightError TW0801 where the decision is none of the candidates.
    """
    if not any(type(each) is type(decision) and each == decision for each in candidates):  # True equals 1
        fail(
            MISFIT,
            f"{_NAME}: expected one of the {len(candidates)} candidates of decision '{key}', but got {decision!r}",
        )


def instruction_of(decision: Decision) -> Instruction:
    """Return the step that states a decision."""
    keywords: dict[str, Any] = {} if decision.value is None else {"decision": recordable(decision.value)}
    if decision.changes_sums:
        keywords["changes_sums"] = True
    return Instruction(_NAME, [decision.key, recordable(decision.candidates)], keywords, (), False)
