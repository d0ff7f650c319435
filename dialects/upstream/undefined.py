"""`tw.upstream`: marks operations whose undefined behaviour is that of upstream MLIR.

Integer division by 0 and signed overflow of a quotient are defined in this IR, and undefined in upstream MLIR. A shift
by the width of the type or more, and a conversion of a float outside of the integer type's range, give poison in
upstream MLIR. Proofs about files of upstream MLIR read the mark. On a function the mark states that sizes are equal
where an operation would be undefined otherwise; a `loop.load` with the mark yields poison.
"""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType, ModuleOp, UnitAttr, VectorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation

from ...ir import editor as edit

UPSTREAM = "tw.upstream"
SIGNED = frozenset({"arith.divsi", "arith.remsi", "arith.ceildivsi", "arith.floordivsi"})
DIVISIONS = SIGNED | {"arith.divui", "arith.remui", "arith.ceildivui"}
SHIFTS = frozenset({"arith.shli", "arith.shrsi", "arith.shrui"})
TO_INTEGERS = frozenset({"arith.fptosi", "arith.fptoui"})


def mark_upstream(module: ModuleOp, *, but_indices: bool = False) -> None:
    """Mark the functions of a module, its divisions, shifts and casts to integers.

    `but_indices` leaves out those of indices: after conversions, such ones count iterations and are no part of the
    file that was read.
    """
    for op in module.walk():
        if isinstance(op, FuncOp):
            edit.change(op).attributes[UPSTREAM] = UnitAttr()
        if op.name in DIVISIONS | SHIFTS | TO_INTEGERS and not (but_indices and isinstance(_element(op), IndexType)):
            edit.change(op).attributes[UPSTREAM] = UnitAttr()


def is_upstream(op: Operation) -> bool:
    """Return whether an operation has the mark."""
    return UPSTREAM in op.attributes


def _element(op: Operation) -> Attribute:
    type = op.results[0].type
    return type.element_type if isinstance(type, VectorType) else type
