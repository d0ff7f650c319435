"""Conversion of index expressions to and from affine maps, the form in which operations store them.

A map has dims only, no symbols. Its operands are in the order of first use, so that equal expressions give equal maps.
If an expression uses LANE, that is the dim after the operands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from xdsl.ir import SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)

from .index_expr import LANE, FloorDiv, Index, Mod, Variable


def to_map(expressions: Sequence[Index]) -> tuple[AffineMap, tuple[SSAValue, ...]]:
    """Return an affine map over dims only, and its operands in order of first use. LANE, where used, is the last
    dim."""
    positions: dict[Variable, int] = {}
    uses_lane = False
    for expression in expressions:
        for variable in expression.variables:
            if variable is LANE:
                uses_lane = True
            elif variable not in positions:
                positions[variable] = len(positions)
    operands = tuple(positions)
    if uses_lane:
        positions[LANE] = len(operands)
    results = tuple([_to_affine(e, positions) for e in expressions])
    return AffineMap(len(positions), 0, results), operands  # pyright: ignore[reportReturnType] (no symbol stands here)


def _to_affine(expression: Index, positions: Mapping[Any, int]) -> AffineExpr:
    result: AffineExpr | None = None
    for atom, c in expression.terms:
        if isinstance(atom, FloorDiv):
            affine = _to_affine(atom.numerator, positions) // atom.divisor
        elif isinstance(atom, Mod):
            affine = _to_affine(atom.numerator, positions) % atom.divisor
        else:
            affine = _dimension(positions[atom])
        affine = affine if c == 1 else AffineBinaryOpExpr(AffineBinaryOpKind.Mul, affine, _constant(c))
        result = affine if result is None else AffineBinaryOpExpr(AffineBinaryOpKind.Add, result, affine)
    if result is None:
        return _constant(expression.constant)
    if expression.constant:
        return AffineBinaryOpExpr(AffineBinaryOpKind.Add, result, _constant(expression.constant))
    return result


@lru_cache(maxsize=64)
def _dimension(position: int) -> AffineExpr:
    return AffineExpr.dimension(position)


@lru_cache(maxsize=1024)
def _constant(value: int) -> AffineExpr:
    return AffineConstantExpr(value)


def from_map(map: AffineMap, operands: Sequence[SSAValue]) -> tuple[Index, ...]:
    """Return the expressions of a map over `operands`. A dim beyond the operands is LANE.

    Raises ValueError where the map has symbols or is not quasi-affine.
    """
    if map.num_symbols or map.num_dims not in (len(operands), len(operands) + 1):
        raise ValueError(
            f"expected a map over {len(operands)} dims (one more for the lane) and no symbols, "
            f"but got {map.num_dims} dims and {map.num_symbols} symbols"
        )
    if not map.results:
        return ()
    variables = [Index.of(v) for v in operands]
    if map.num_dims > len(operands):
        variables.append(Index.of(LANE))
    return tuple([_from_affine(e, variables) for e in map.results])


def _from_affine(expression: AffineExpr, variables: Sequence[Index]) -> Index:
    if isinstance(expression, AffineConstantExpr):
        return Index((), expression.value)
    if isinstance(expression, AffineDimExpr):
        return variables[expression.position]
    if not isinstance(expression, AffineBinaryOpExpr):
        raise ValueError(f"expected an expression over dims, but got {expression}")
    lhs = _from_affine(expression.lhs, variables)
    rhs = _from_affine(expression.rhs, variables)
    if expression.kind == AffineBinaryOpKind.Add:
        return lhs + rhs
    if not rhs.is_constant and expression.kind == AffineBinaryOpKind.Mul:
        lhs, rhs = rhs, lhs
    if not rhs.is_constant:
        raise ValueError(f"expected a constant right operand, but got {expression}")
    match expression.kind:
        case AffineBinaryOpKind.Mul:
            return lhs * rhs.constant
        case AffineBinaryOpKind.FloorDiv:
            return lhs // rhs.constant
        case AffineBinaryOpKind.Mod:
            return lhs % rhs.constant
        case _:
            return lhs.ceildiv(rhs.constant)
