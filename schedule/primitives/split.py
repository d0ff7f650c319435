"""split: one loop into several nested ones."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NoReturn

from xdsl.dialects.arith import MuliOp
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint

from ...diagnostics import fail
from ...dialects import loop
from ...dialects.index_expr import Index
from ...ir import editor as edit
from ..engine import Engine
from ..handles import LoopRV
from ..loop_rewriting import guard_body, only_op, substitute_variable, wrap
from ..primitive_declaration import LOOPS, register_primitive
from ..refusal import BAD_ARGUMENT, NEEDS_GUARD, UNSUITABLE, check_iterations, loop_name


@register_primitive(LOOPS)
def split(
    sch: Engine,
    loop: LoopRV,
    factors: Sequence[int | None] | None = None,
    *,
    factor: int | None = None,
    nparts: int | None = None,
    preserve_unit_iters: bool = True,
    disable_predication: bool = False,
) -> tuple[LoopRV, ...]:
    """Split a loop into nested loops by `factors`, outermost first, by an inner `factor`, or into `nparts` outer parts.

    One of `factors` may be None: that extent is computed. Returns the loops. If the product of the factors exceeds the
    extent, the body gets a guard. If the extent is symbolic, one of the factors must be None, and its loop gets a
    ceildiv bound; the start of an outer part is then a product, `arith.muli`. The order of iterations stays, so every
    split is legal. A nest of 2^63 iterations or more is refused, because indices cannot count them.

    `preserve_unit_iters` keeps the variables of loops of one iteration in the expressions of the body.
    `disable_predication` refuses factors that need a guard.

    before:
    ```mlir
    loop.for %i = 0 to 57 {
      loop.block "B" (%vi = spatial(%i) in 57) { … }
    }
    ```
    after `split(i, [None, 8])`:
    ```mlir
    loop.for %io = 0 to 8 {
      loop.for %ii = 0 to 8 {
        loop.block "B" (%vi = spatial(%io * 8 + %ii) in 57) where (%io * 8 + %ii < 57) { … }
      }
    }
    ```
    """
    op = sch.loop(loop)
    given = [x for x in (factors, factor, nparts) if x is not None]
    if len(given) != 1:
        fail(BAD_ARGUMENT, f"split: expected one of factors, factor and nparts, but got {len(given)}", op=op)
    parts = split_loop(
        op,
        factors if factors is not None else [None, factor] if factor is not None else [nparts, None],
        preserve_unit_iters=preserve_unit_iters,
        disable_predication=disable_predication,
    )
    sch.retire(op, "split")
    return sch.handles_of(parts)


def split_loop(
    op: loop.ForOp,
    factors: Sequence[int | None],
    *,
    preserve_unit_iters: bool = False,
    disable_predication: bool = False,
) -> tuple[loop.ForOp, ...]:
    """Apply the primitive `split` to operations."""
    lower, extent = _single_bounds(op)
    _check_factors(op, factors)
    extents = _infer(op, factors, extent)
    check_iterations("split", [op], extents)
    is_exact = _is_exact(extents, extent)
    if disable_predication and not is_exact:
        _refuse_guard(op, factors, extent)
    name = op.induction_variable.name_hint or "i"
    names = _part_names(name, len(factors))
    outer = [loop.ForOp(0, n, name_hint=hint) for n, hint in zip(extents[:-1], names[:-1], strict=True)]
    for part in outer:
        part.location = op.location
        wrap(op, part)
    op.set_index_lists(lower=[Index.of(0)], upper=[extents[-1]])
    loops = (*outer, op)
    position, products = _position(loops, extents)
    keep = products[-1] if products else None
    edit.insert(products, InsertPoint.at_start(_innermost_before_uses(op).body.block))
    substitute_variable(op, lower + position, ranges_at=op, keep=keep, preserve_unit_iters=preserve_unit_iters)
    edit.rename(op.induction_variable, names[-1])
    if not is_exact:
        guard_body(op, extent - position - 1)
    return loops


def _single_bounds(op: loop.ForOp) -> tuple[Index, Index]:
    """Lower bound and extent."""
    if op.iter_args:
        fail(UNSUITABLE, f"split: loop {loop_name(op)} carries values from one iteration to the next", op=op)
    if len(op.lowers) != 1 or len(op.uppers) != 1:
        fail(UNSUITABLE, f"split: loop {loop_name(op)} has several bounds; its extent is no index expression", op=op)
    if op.kind != loop.SERIAL:
        kind = op.kind.kind.data
        fail(BAD_ARGUMENT, f"split: loop {loop_name(op)} is {kind}; split it before its kind is set", op=op)
    return op.lowers[0], op.uppers[0] - op.lowers[0]


def _check_factors(op: loop.ForOp, factors: Sequence[int | None]) -> None:
    if sum(f is None for f in factors) > 1 or len(factors) < 2:
        fail(
            BAD_ARGUMENT,
            f"split: expected two or more factors, at most one of them None, but got {list(factors)}",
            op=op,
        )
    for f in factors:
        if f is not None and (type(f) is not int or f < 1):
            fail(BAD_ARGUMENT, f"split: expected positive integers as factors, but got {f!r}", op=op)


def _infer(op: loop.ForOp, factors: Sequence[int | None], extent: Index) -> list[Index]:
    """Return the extents of the parts."""
    known = prod(f for f in factors if f is not None)
    if not extent.is_constant and None not in factors:
        fail(
            BAD_ARGUMENT,
            f"split: the extent of loop {loop_name(op)} is symbolic ({extent}), so one of the factors must be None",
            op=op,
        )
    if None not in factors and known < extent.constant:
        fail(
            BAD_ARGUMENT,
            f"split: the factors {list(factors)} give {known} iterations, too few for the {extent.constant} of loop "
            f"{loop_name(op)}",
            op=op,
        )
    return [extent.ceildiv(known) if f is None else Index.of(f) for f in factors]


def _position(loops: Sequence[loop.ForOp], extents: Sequence[Index]) -> tuple[Index, list[Operation]]:
    """Return the old variable as an expression of those of the parts, and the operations that it needs.

    Where the loops around one of symbolic extent run, each of their iterations is a product with that extent, which is
    no index expression: `arith.muli` computes it.
    """
    symbolic = next((k for k, n in enumerate(extents) if k and not n.is_constant), 0)
    inner = prod(n.constant for n in extents[symbolic + 1 :])
    position = _weighted(loops[symbolic:], extents[symbolic:])
    if not symbolic:
        return position, []
    parts = loop.ApplyOp(_weighted(loops[:symbolic], extents[:symbolic]))
    length = loop.ApplyOp(extents[symbolic] * inner)
    first = MuliOp(parts.res, length.res)
    for op in (parts, length, first):
        op.location = loops[-1].location
    edit.rename(first.result, f"{loops[-1].induction_variable.name_hint or 'i'}_first")
    return Index.of(first.result) + position, [parts, length, first]


def _innermost_before_uses(op: loop.ForOp) -> loop.ForOp:
    """Return the innermost loop of the nest `op` whose body has all uses of its variable: the nest stays one."""
    inner = only_op(op)
    while isinstance(inner, loop.ForOp) and op.induction_variable not in inner.operands:
        op, inner = inner, only_op(inner)
    return op


def _weighted(loops: Sequence[loop.ForOp], extents: Sequence[Index]) -> Index:
    """Return the position of nested loops' iterations in the order of all of them."""
    position, stride = Index.of(0), 1
    for op, n in zip(reversed(loops), reversed(extents), strict=True):
        position = Index.of(op.induction_variable) * stride + position
        stride *= n.constant if n.is_constant else 1
    return position


def _is_exact(extents: Sequence[Index], extent: Index) -> bool:
    total = Index.of(prod(n.constant for n in extents if n.is_constant))
    for n in extents:
        total = total if n.is_constant else n * total.constant
    return total == extent


def _refuse_guard(op: loop.ForOp, factors: Sequence[int | None], extent: Index) -> NoReturn:
    fail(
        NEEDS_GUARD,
        f"split: cannot prove that the factors {list(factors)} divide the extent {extent} of loop {loop_name(op)}, so "
        "its parts need a guard",
        op=op,
        help="choose factors that divide it, or leave out disable_predication",
    )


def _part_names(name: str, count: int) -> list[str]:
    if count == 2:
        return [f"{name}o", f"{name}i"]
    return [f"{name}{chr(ord('a') + k)}" for k in range(count)]
