"""`Schedule`: the interactive face of the engine.

Blocks and loops are named by handles. Each primitive checks its legality, rewrites the function at once, and enters the
trace. The primitives stand in `primitives/`, each under its declaration (`register_primitive`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..lazy import Slot
from .methods import DeclaredMethods

HTML: Slot[Callable[[Any], str]] = Slot("schedule.schedule:HTML")
"""Prints a schedule for notebooks."""


class Schedule(DeclaredMethods):
    """Transforms one function of loop IR, legally, one primitive at a time.

    ```python
    sch = tilewright.Schedule(module)
    i, j, k = sch.get_loops(sch.get_block("C"))
    io, ii = sch.split(i, factors=[None, 32])
    sch.reorder(io, j, k, ii)
    print(sch.mod.script())
    ```
    `root` holds the function: an `IRModule`, or a mapping of functions by name, is copied, and `mod` is the copy in its
    current state; a function that `T.prim_func` or `te.create_prim_func` gave is copied as the function "main" of a
    module; a module operation, or an operation in one, is transformed in place. `function` names the function if
    several have blocks. With `validate="symbolic"` each call is proved to preserve the results of the function for all
    sizes: a call that does not raises TilewrightError TW0474, and `proofs.calls` has the verdicts.
    """

    arguments: tuple[Any, ...] = ()
    """The tensors from which the function was created, if any; `lower` and `build` may be given them beside it."""

    def _repr_html_(self) -> str:
        """Return the function and the calls, coloured, as notebooks show them."""
        return HTML.value(self)
