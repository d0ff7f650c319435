"""set_kind: how the iterations of a loop are executed."""

from __future__ import annotations

from ...analysis.dependence import carried
from ...diagnostics import fail
from ...dialects import loop
from ..refusal import BAD_ARGUMENT, UNSUITABLE, loop_name, refuse_conflict

_ACTIVITY = {
    "parallel": "parallelizing",
    "vectorized": "vectorizing",
    "vthread": "interleaving",
    "thread": "binding",
}
_COUNTED = ("vectorized", "unrolled", "vthread")


def set_kind(op: loop.ForOp, kind: loop.LoopKindAttr, *, assert_legal: bool = False) -> None:
    """Run the iterations of a loop in parallel, as lanes of a vector, unrolled, by threads, or one after the other.

    But for unrolled and serial, no iteration may touch an element that another one writes: a loop that carries a
    reduction is refused. Vectorized, unrolled and vthread loops need a constant number of iterations.

    before:
    ```mlir
    loop.for %i = 0 to 64 { … }
    ```
    after `set_kind(i, "parallel")`:
    ```mlir
    loop.for %i = 0 to 64 kind parallel { … }
    ```
    """
    name = kind.kind.data
    if kind == op.kind:
        return
    if op.iter_args and name not in ("serial", "unrolled"):
        fail(UNSUITABLE, f"set_kind: loop {loop_name(op)} carries values from one iteration to the next", op=op)
    if name in _COUNTED and op.constant_trip_count is None:
        fail(
            BAD_ARGUMENT,
            f"set_kind: a loop that is {name} needs a constant number of iterations, but that of loop "
            f"{loop_name(op)} is symbolic",
            op=op,
            help="split it by a constant factor first",
        )
    if name in _ACTIVITY:
        conflict = carried(op)
        if conflict is not None and not (assert_legal and conflict.unknown is not None):
            refuse_conflict("set_kind", f"{_ACTIVITY[name]} loop {loop_name(op)}", conflict, (op,))
    op.kind = kind
