"""Loops fused from symbolic extents: proofs that the parts of a `loop.delinearize` take all of their values.

No linear constraint relates a fused index to its parts, so a system that contains both lets each have any value. That
is safe where the system is an over-approximation (a may-set). Where it has to be exact or an under-approximation (a
must-set, such as the cover of a set), the parts must be known to take all of their values: the fused index runs from 0
to the product of their sizes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from xdsl.dialects.arith import MuliOp
from xdsl.ir import Operation, SSAValue

from ..dialects import loop
from ..dialects.index_expr import Index, Symbol
from .domain import is_inside, resolve
from .integer_set import PROVED, System, covers

_WHOLE = Symbol("whole'")


def with_free_parts(system: System, used: Sequence[Index], scope: Operation) -> System | None:
    """Return the system without the loops inside `scope` of which all parts take all their values, in each combination.

    `used` are expressions asked about. None where the parts are not known to do so, or where a loop behind them is
    constrained or used besides.
    """
    variables = dict.fromkeys((*system.variables, *(v for e in used for v in e.variables)))
    owners = dict.fromkeys(v.owner for v in variables if isinstance(v, SSAValue))
    for owner in owners:
        if isinstance(owner, loop.DelinearizeOp) and is_inside(owner.res[0], scope):
            freed = _freed(system, used, owner, scope)
            if freed is None:
                return None
            system = freed
    return system


def _freed(system: System, used: Sequence[Index], parts: loop.DelinearizeOp, scope: Operation) -> System | None:
    whole = resolve(Index.of(parts.fused))
    behind = {v for v in whole.variables if is_inside(v, scope)}
    about = [e for e in system.nonnegative if not behind.isdisjoint(e.variables)]
    others = [e for e in system.nonnegative if behind.isdisjoint(e.variables)]
    if any(not behind.isdisjoint(e.variables) for e in (*system.zero, *used)):
        return None
    sizes = Counter(map(resolve, parts.sizes))
    extent = next((end for e in about if Counter(_factors(end := e + whole + 1)) == sizes), None)
    if extent is None or any(is_inside(v, scope) for e in about for v in e.variables if v not in behind):
        return None
    target = System.box({_WHOLE: (0, extent)})
    outside = [
        v for v in dict.fromkeys((*target.variables, *(v for e in about for v in e.variables))) if v not in behind
    ]
    taken = System(tuple(about)).equating([(_WHOLE, whole)])
    if covers(taken, target, outside) != PROVED:
        return None
    return System(tuple(others), system.zero)


def _factors(e: Index) -> list[Index]:
    """Return the factors of a product that a value computes."""
    values = e.values()
    if len(values) == 1 and e == Index.of(values[0]) and isinstance(owner := values[0].owner, MuliOp):
        return [factor for operand in owner.operands for factor in _factors(Index.of(operand))]
    return [resolve(e)]
