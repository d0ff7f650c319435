"""
What the compiler knows about an operator beyond its syntax and types: one `Operator` each.

A record has two definitions of the same function. `reference` computes it on numpy arrays and is the meaning; `te`
writes it as tensor expressions and is what gets compiled. Both take the operands in order and the op's properties as
keyword arguments with the names that they have in the IR, so that a test can hold one against the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    from ..dialects.graph import GraphOp
    from ..te import Tensor


class FusionKind(IntEnum):
    """How an operator's outputs depend on its inputs, which decides what it fuses with; greater is more opaque."""

    ELEMENTWISE = 0
    """Each element from the same element of operands of the same shape."""
    BROADCAST = 1
    """Each element from one element of each operand, operands stretched."""
    INJECTIVE = 2
    """Each element from one element of an operand, found by index arithmetic."""
    REDUCTION = 3
    """Elements combined along axes."""
    OUT_ELEMENTWISE = 4
    """A larger computation whose output elementwise work can join."""
    TUPLE = 7
    """Several values passed on together."""
    OPAQUE = 8
    """Fuses with nothing."""


@dataclass(frozen=True)
class Operator:
    """An operator: its name in the graph dialect, how it fuses, what it computes, how it is expressed."""

    name: str
    kind: FusionKind
    reference: Callable[..., np.ndarray | Sequence[np.ndarray]]
    te: Callable[..., Tensor | Sequence[Tensor]]

    def evaluate(self, op: GraphOp, *arrays: np.ndarray) -> tuple[np.ndarray, ...]:
        """The results of `op` on these operands, rounded to the element types of its results."""
        import numpy as np

        with np.errstate(all="ignore"):
            results = _as_tuple(self.reference(*arrays, **op.values))
        # numpy gives scalars for operands of rank 0.
        return tuple(np.asarray(result) for result in results)

    def trace(self, op: GraphOp, *tensors: Tensor) -> tuple[Tensor, ...]:
        """The results of `op` as tensor expressions over these tensors."""
        return _as_tuple(self.te(*tensors, **op.values))


def _as_tuple(result: Any) -> tuple[Any, ...]:
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
