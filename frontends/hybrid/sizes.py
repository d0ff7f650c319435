"""Conversion of extents in the IR to sizes of te."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from xdsl.ir import SSAValue

from ...dialects.index_expr import FloorDiv, Index, Mod
from ...te.shapes import Size


def size_of(extent: Index, sizes: Mapping[SSAValue, Size]) -> Size | None:
    """Return an extent as te writes it, with the sizes that values stand for; None where it has others."""
    total: Any = None
    for atom, factor in extent.terms:
        match atom:
            case FloorDiv() | Mod():
                inner: Any = size_of(atom.numerator, sizes)
                term = (
                    None
                    if inner is None
                    else inner // atom.divisor
                    if isinstance(atom, FloorDiv)
                    else inner % atom.divisor
                )
            case SSAValue():
                term = sizes.get(atom)
            case _:
                term = None
        if term is None:
            return None
        scaled = term if factor == 1 else term * factor
        total = scaled if total is None else total + scaled
    constant = extent.constant
    if total is None or not constant:
        return constant if total is None else total
    return total - -constant if constant < 0 else total + constant
