"""Side effects of operations of a loop module: the conditions for removing, repeating or moving an operation."""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.traits import Pure

from ..dialects import loop
from .divergence import DIVISIONS, is_nonzero_constant


def is_pure(op: Operation) -> bool:
    """Return whether `op` computes its results from its operands and has no effect.

    xDSL marks some of the arith operations only, so the dialect decides.
    """
    return not op.regions and (op.has_trait(Pure) or op.dialect_name() in ("arith", "math")) and not _ends_region(op)


def is_speculatable(op: Operation) -> bool:
    """Return whether `op` may run where the program does not run it: it is pure and defined for all operands."""
    if isinstance(op, loop.DelinearizeOp):
        return False  # extents may be 0 there
    return is_pure(op) and not (isinstance(op, DIVISIONS) and not is_nonzero_constant(op.operands[1]))


def is_unused(op: Operation) -> bool:
    """Return whether `op` can be erased: it has no effect and none of its results is used."""
    if not op.results or any(result.first_use is not None for result in op.results):
        return False
    return is_pure(op) or isinstance(op, (loop.LoadOp, loop.AllocOp))


def _ends_region(op: Operation) -> bool:
    return isinstance(op, loop.YieldOp)
