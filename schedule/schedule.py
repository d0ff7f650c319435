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
from .methods.tensors import TensorMethods
from .methods.views import ViewMethods


class Schedule(
    QueryMethods,
    LoopMethods,
    PlacementMethods,
    BufferMethods,
    ReductionMethods,
    TensorMethods,
    NameMethods,
    ViewMethods,
):
    """Transforms one function of loop IR, legally, one primitive at a time.

    ```python
    sch = tilewright.Schedule(module)
    i, j, k = sch.get_loops(sch.get_block("C"))
    io, ii = sch.split(i, factors=[None, 32])
    sch.reorder(io, j, k, ii)
    print(sch.mod.script())
    ```
    `root` holds the function: an `IRModule`, or a mapping of functions by name, is copied, and `mod` is what becomes of
    the copy; an operation, a module or a function, is transformed in place. `function` says which one where there are
    several with blocks. With `validate="symbolic"` each call is proved to keep what the function computes, for all
    sizes: one that does not raises TilewrightError TW0474, and `proofs.calls` has the verdicts.
    """
