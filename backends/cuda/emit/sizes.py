"""Sizes of a launch that the host computes: products, minima and maxima of sizes, which are no index expressions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

from ....dialects.index_expr import Index, Range, Symbol
from .index import PythonIndexWriter

Kind = Literal["*", "min", "max"]
_KINDS: dict[type[Operation], Kind] = {arith.MuliOp: "*", arith.MinSIOp: "min", arith.MaxSIOp: "max"}
_SIZE: Range = (0, None)


@dataclass(frozen=True)
class CombinedSize(Symbol):
    """Two sizes combined, which the host evaluates: `kind` as in `runtime.extent.Combination`."""

    kind: Kind
    lhs: Index
    rhs: Index


def size_of(e: Index, writer: PythonIndexWriter) -> Index:
    """Return a size as an expression over names of sizes, products and extremes of them; values that are neither
    stay."""
    e = writer.resolve(e)
    known: dict[SSAValue, Index] = {}
    for value in e.values():
        combined = _combined(value.owner, writer)
        if combined is not None:
            known[value] = Index.of(combined)
    return e.substitute(known)


def _combined(owner: Any, writer: PythonIndexWriter) -> CombinedSize | None:
    kind = _KINDS.get(type(owner))
    if kind is None:
        return None
    lhs, rhs = (size_of(Index.of(v), writer) for v in owner.operands)
    if lhs.values() or rhs.values():
        return None
    name = f"({lhs} {kind} {rhs})"
    return CombinedSize(name, kind, lhs, rhs)
