"""remove_unit_loops: loops of one iteration give way to their body."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.func import FuncOp
from xdsl.rewriter import InsertPoint

from ...diagnostics import fail
from ...dialects import loop
from ...ir import editor as edit
from ...traversal import operations
from ..engine import Engine
from ..handles import LoopRV
from ..loop_rewriting import substitute_variable
from ..primitive_declaration import LOOPS, register_primitive
from ..refusal import UNSUITABLE, loop_name


@register_primitive(LOOPS)
def remove_unit_loops(sch: Engine, *loops: LoopRV) -> None:
    """Replace serial loops of one iteration by their bodies: the loops given, or all such loops of the function.

    Without arguments, loops of other kinds and loops with annotations stay. A loop that is given and cannot be removed
    is an error.

    before:
    ```mlir
    loop.for %i = 0 to 64 {
      loop.for %u = 0 to 1 {
        loop.block "B" (%vi = spatial(%i + %u) in 64) { … }
      }
    }
    ```
    after `remove_unit_loops()`:
    ```mlir
    loop.for %i = 0 to 64 {
      loop.block "B" (%vi = spatial(%i) in 64) { … }
    }
    ```
    """
    for op in _remove_unit_loops(sch.func, [sch.loop(handle) for handle in loops]):
        sch.retire(op, "removed")


def _remove_unit_loops(function: FuncOp, only: Sequence[loop.ForOp] = ()) -> list[loop.ForOp]:
    for op in only:
        if not _runs_once(op):
            fail(
                UNSUITABLE, f"remove_unit_loops: expected a serial loop that runs once, but got {loop_name(op)}", op=op
            )
    loops = only or [op for op in operations(function) if isinstance(op, loop.ForOp) and _runs_once(op)]
    for op in loops:
        substitute_variable(op, op.lowers[0], ranges_at=op)
        for nested in list(op.body.block.ops):
            edit.move(nested, InsertPoint.before(op))
        edit.erase(op)
    return list(loops)


def _runs_once(op: loop.ForOp) -> bool:
    return op.constant_trip_count == 1 and op.kind == loop.SERIAL and not op.iter_args and not op.attributes
