"""Buffers that get another element type: the accesses that have to convert, and the new allocation."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute

from ...dialects import loop
from ...ir import editor as edit


def single_accesses(
    alloc: loop.AllocOp, refuse: Callable[[str], NoReturn]
) -> tuple[list[loop.LoadOp], list[loop.StoreOp]]:
    """Return the loads and stores of a buffer, each of one element; `refuse` gets the reason where it is used
    otherwise."""
    loads: list[loop.LoadOp] = []
    stores: list[loop.StoreOp] = []
    for use in alloc.res.uses:
        op = use.operation
        if isinstance(op, loop.LoadOp) and op.lanes is None and not op.conditions:
            loads.append(op)
        elif isinstance(op, loop.StoreOp) and op.lanes is None:
            stores.append(op)
        elif not isinstance(op, loop.DimOp):
            refuse(f"which {op.name} uses, and not single loads without a guard and stores")
    return loads, stores


def retyped(alloc: loop.AllocOp, element: Attribute) -> loop.AllocOp:
    """Return an allocation of the same shape, scope and attributes with elements of another type, not yet inserted."""
    shape = [n.constant if n.is_constant else DYNAMIC_INDEX for n in alloc.shape]
    type_ = loop.buffer_type(shape, element, loop.scope_of(alloc.res.type))
    fresh = loop.AllocOp(type_, [n for n in alloc.shape if not n.is_constant], alloc.res.name_hint)
    edit.change(fresh).attributes |= alloc.attributes
    fresh.location = alloc.location
    return fresh
