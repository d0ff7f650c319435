"""Extents of buffers, and the conditions under which an access stays in bounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Operation, SSAValue

from ..dialects.index_expr import LANE, Index, Variable
from ..dialects.loop import AllocOp, BindOp, DimOp, LoadOp, StoreOp
from .domain import domain_of, resolve, with_facts
from .integer_set import PROVED, Point, Refuted, covers, is_empty

Extent: TypeAlias = "Index | None"


def extents_of(buffer: SSAValue) -> tuple[Extent, ...]:
    """Return the extents of a buffer over constants and sizes; None where no op names one."""
    assert isinstance(buffer.type, MemRefType)
    if isinstance(buffer.owner, AllocOp):
        return buffer.owner.shape
    shape = buffer.type.get_shape()
    if DYNAMIC_INDEX not in shape:
        return tuple(Index.of(n) for n in shape)
    named = _named_extents(buffer)
    return tuple(named.get(d) if n == DYNAMIC_INDEX else Index.of(n) for d, n in enumerate(shape))


def _named_extents(buffer: SSAValue) -> dict[int, Index]:
    named: dict[int, Index] = {}
    for use in buffer.uses:
        match use.operation:
            case BindOp() as bind:
                named.update(enumerate(bind.index_list("shape")))
            case DimOp() as dim:
                named.setdefault(dim.dimension.value.data, Index.of(dim.res))
            case _:
                pass
    return named


def inside_conditions(op: LoadOp | StoreOp) -> tuple[Index, ...] | None:
    """Return expressions that are all >= 0 exactly where the access is inside its buffer; None where an extent has no
    name."""
    conditions: list[Index] = []
    for e, extent in zip(op.index, extents_of(op.buffer), strict=True):
        if extent is None:
            return None
        conditions += [resolve(e), extent - resolve(e) - 1]
    return tuple(conditions)


@dataclass(frozen=True)
class Outside:
    """A condition that fails at `point` whenever it is reached: for constant sizes, or without a point, for all."""

    point: Point | None


def outside(op: Operation, conditions: Sequence[Index], guard: Sequence[Index], lanes: int | None) -> Outside | None:
    """Return a proof that an operation runs where `guard` holds and one of `conditions` fails, or None without a proof.

    With constant bounds one such iteration suffices. With symbolic sizes the operation has to run outside for all sizes
    for which it runs at all. None does not prove the contrary: bounds or guards may depend on data.
    """
    domain = domain_of(op)
    lane_bounds = [LANE, lanes - 1 - Index.of(LANE)] if lanes is not None else []
    system = with_facts(domain.system.where(*map(resolve, (*map(Index.of, lane_bounds), *guard))))
    known = {LANE, *(each.induction_variable for each in domain.loops)}
    conditions = [resolve(e) for e in conditions]
    used = [v for e in (*system.nonnegative, *system.zero, *conditions) for v in e.variables]
    sizes = list(dict.fromkeys(v for v in used if v not in known))
    if not domain.is_exact or not all(_is_size(v) for v in sizes):
        return None
    for condition in conditions:
        violated = system.where(-condition - 1)
        found = is_empty(violated)
        if isinstance(found, Refuted) and (not sizes or covers(violated, system, sizes) == PROVED):
            return Outside(None if sizes else found.point)
    return None


def _is_size(variable: Variable) -> bool:
    """Return whether a variable is a dimension of an argument, which may be any number >= 0."""
    return isinstance(variable, SSAValue) and isinstance(variable.owner, DimOp)
