"""The polyhedral model of a function, for questions about all of its instances and all sizes.

`model_of` extracts the model from IR of blocks or loops, or returns the reason why there is none. `Flow` finds the last
writers of reads.
"""

from __future__ import annotations

from .builder import model_of
from .flow import Flow, Source, Sources
from .model import Assertion, Cell, Model, Obligation, ParallelLoop, Parameter, Read, Refusal, Statement

__all__ = [
    "Assertion",
    "Cell",
    "Flow",
    "Model",
    "Obligation",
    "ParallelLoop",
    "Parameter",
    "Read",
    "Refusal",
    "Source",
    "Sources",
    "Statement",
    "model_of",
]
