"""Proofs that two functions compute the same outputs for all sizes and inputs, by unfolding the outputs backwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...lazy import exports

if TYPE_CHECKING:
    from .algebra import EXACT as EXACT
    from .algebra import Algebra as Algebra
    from .algebra import Axiom as Axiom
    from .prove import equivalent as equivalent
    from .question import DEFAULT as DEFAULT
    from .question import Budget as Budget
    from .question import Refinement as Refinement
    from .verdict import Bounded as Bounded
    from .verdict import Computed as Computed
    from .verdict import Fault as Fault
    from .verdict import Proved as Proved
    from .verdict import Refuted as Refuted
    from .verdict import UndefinedElements as UndefinedElements
    from .verdict import Unknown as Unknown
    from .verdict import Verdict as Verdict

_EXPORTS: dict[str, str] = {
    "DEFAULT": "question:DEFAULT",
    "EXACT": "algebra:EXACT",
    "Algebra": "algebra:Algebra",
    "Axiom": "algebra:Axiom",
    "Bounded": "verdict:Bounded",
    "Budget": "question:Budget",
    "Computed": "verdict:Computed",
    "Fault": "verdict:Fault",
    "Proved": "verdict:Proved",
    "Refinement": "question:Refinement",
    "Refuted": "verdict:Refuted",
    "UndefinedElements": "verdict:UndefinedElements",
    "Unknown": "verdict:Unknown",
    "Verdict": "verdict:Verdict",
    "equivalent": "prove:equivalent",
}

__all__ = [
    "DEFAULT",
    "EXACT",
    "Algebra",
    "Axiom",
    "Bounded",
    "Budget",
    "Computed",
    "Fault",
    "Proved",
    "Refinement",
    "Refuted",
    "UndefinedElements",
    "Unknown",
    "Verdict",
    "equivalent",
]

__getattr__, __dir__ = exports(__name__, _EXPORTS)
