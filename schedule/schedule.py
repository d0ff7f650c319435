"""`Schedule`: the interactive face of the engine.

Blocks and loops are named by handles. Each primitive checks its legality and rewrites the function at
once, and enters the trace. The primitives themselves work on operations and live in `primitives/`; the methods that
call them stand in `methods/`, by subject.
"""

from __future__ import annotations

from .methods.buffers import BufferMethods
from .methods.loops import LoopMethods
from .methods.names import NameMethods
from .methods.placement import PlacementMethods
from .methods.queries import QueryMethods
from .methods.reductions import ReductionMethods


class Schedule(QueryMethods, LoopMethods, PlacementMethods, BufferMethods, ReductionMethods, NameMethods):
    """Transforms one function of loop IR in place, legally, one primitive at a time."""
