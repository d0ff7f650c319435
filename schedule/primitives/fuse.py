"""fuse: nested loops into one."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects.arith import ConstantOp, MaxSIOp, MuliOp
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...analysis.access import blocks_in
from ...analysis.domain import loops_behind
from ...analysis.init_nests import extents_maybe_zero, reduction_loops
from ...analysis.ranges import facts_at
from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...dialects.index_expr import Index
from ...ir import editor as edit
from ..engine import Engine
from ..handles import LoopRV
from ..loop_rewriting import only_op, substitute_variable
from ..primitive_declaration import LOOPS, register_primitive
from ..refusal import BAD_ARGUMENT, NOT_NESTED, UNSUITABLE, check_iterations, loop_name, loop_names


@register_primitive(LOOPS)
def fuse(sch: Engine, *loops: LoopRV, preserve_unit_iters: bool = True) -> LoopRV:
    """Fuse nested loops, outermost first, into one loop over all their iterations. Returns the fused loop.

    Each loop may contain nothing but the next. The old variables become quotients and remainders of the fused variable.
    Where the extent of an inner loop is symbolic, `loop.delinearize` computes them. The order of iterations stays, so
    every fusion is legal. The loop has the annotations of all, which must not differ. `preserve_unit_iters` keeps the
    variables of loops of one iteration in the expressions of the body.

    before:
    ```mlir
    loop.for %i = 0 to 8 {
      loop.for %j = 0 to 4 {
        loop.block "B" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 4) { … }
      }
    }
    ```
    after `fuse(i, j)`:
    ```mlir
    loop.for %i_j = 0 to 32 {
      loop.block "B" (%vi = spatial((%i_j floordiv 4)) in 8, %vj = spatial((%i_j mod 4)) in 4) { … }
    }
    ```
    """
    ops = [sch.loop(handle) for handle in loops]
    fused = _fuse(ops, preserve_unit_iters=preserve_unit_iters)
    for op in ops:
        sch.retire(op, "fused")
    return sch.handle_of(fused)


def _fuse(loops: Sequence[loop.ForOp], *, preserve_unit_iters: bool = False) -> loop.ForOp:
    _check(loops)
    _check_inits(loops)
    noted = _annotations(loops)
    extents = [op.uppers[0] - op.lowers[0] for op in loops]
    check_iterations("fuse", loops, extents)
    lowers = [op.lowers[0] for op in loops]
    outermost, fused = loops[0], loops[-1]
    edit.move(fused, InsertPoint.before(outermost))
    delinearize = None
    if all(n.is_constant for n in extents[1:]):
        inner = [max(n.constant, 0) for n in extents[1:]]
        total = extents[0] * prod(inner)
        parts = _digits(fused, inner)
    else:
        total = Index.of(_product(fused, extents))
        delinearize = loop.DelinearizeOp(fused.induction_variable, extents)
        edit.insert(delinearize, InsertPoint.at_start(fused.body.block), of=outermost)
        parts = [Index.of(r) for r in delinearize.res]
    fused.set_index_lists(lower=[Index.of(0)], upper=[total])
    # The innermost first: the expressions of the others use its variable, which is the fused one then.
    for op, part, lower in reversed(list(zip(loops, parts, lowers, strict=True))):
        substitute_variable(
            op, lower + part, ranges_at=fused, keep=delinearize, preserve_unit_iters=preserve_unit_iters
        )
    edit.change(fused).kind = outermost.kind
    edit.rename(fused.induction_variable, "_".join(op.induction_variable.name_hint or "i" for op in loops))
    for key, value in noted.items():
        edit.change(fused).attributes[key] = value
    edit.erase(outermost)
    return fused


def _annotations(loops: Sequence[loop.ForOp]) -> dict[str, Attribute]:
    """Return the annotations of the user at any of the loops, for the fused loop; two loops must not differ in a
    value."""
    noted: dict[str, Attribute] = {}
    for op in loops:
        for key, value in op.attributes.items():
            if not key.startswith("tw.") and noted.setdefault(key, value) != value:
                fail(BAD_ARGUMENT, f"fuse: loops {loop_names(loops)} differ in annotation {key!r}", op=op)
    return noted


def _check(loops: Sequence[loop.ForOp]) -> None:
    if len(loops) < 2:
        fail(BAD_ARGUMENT, f"fuse: expected two or more loops, but got {len(loops)}", op=loops[0] if loops else None)
    for op in loops:
        if op.iter_args:
            fail(UNSUITABLE, f"fuse: loop {loop_name(op)} carries values from one iteration to the next", op=op)
        if len(op.lowers) != 1 or len(op.uppers) != 1:
            fail(UNSUITABLE, f"fuse: loop {loop_name(op)} has several bounds; its extent is no index expression", op=op)
    for outer, inner in zip(loops, loops[1:], strict=False):
        if only_op(outer) is not inner:
            fail(
                NOT_NESTED,
                f"fuse: expected loop {loop_name(outer)} to hold nothing but loop {loop_name(inner)}",
                op=inner,
            )
        if outer.kind != inner.kind:
            kinds = f"{outer.kind.kind.data} and {inner.kind.kind.data}"
            fail(BAD_ARGUMENT, f"fuse: loops {loop_names((outer, inner))} differ in kind: {kinds}", op=inner)
    variables = {op.induction_variable for op in loops}
    for op in loops:
        if any(v in variables for e in (*op.lowers, *op.uppers) for v in e.values()):
            fail(NOT_NESTED, f"fuse: the bounds of loop {loop_name(op)} depend on a loop it is fused with", op=op)


def _check_inits(loops: Sequence[loop.ForOp]) -> None:
    """Refuse where a reduction may have no terms, unless its init still covers all results.

    A loop over results that is fused with a loop over terms has no iteration then. The init takes the whole extent of
    the results' variable, so that loop must run over the whole extent.
    """
    for block in blocks_in(loops[0]):
        reducing = reduction_loops(block)
        if block.init is None or not set(reducing).intersection(loops):
            continue
        if not extents_maybe_zero(block, facts_at(loops[0])):
            continue
        for variable, kind, binding, extent in block.iteration():
            behind = loops_behind(binding)
            if kind != "spatial" or behind.isdisjoint(loops) or not behind.isdisjoint(reducing):
                continue
            (op, *others) = behind
            if (
                others
                or binding != Index.of(op.induction_variable)
                or op.lowers != (Index.of(0),)
                or op.uppers != (extent,)
            ):
                fail(
                    UNSUITABLE,
                    f"fuse: block {block.label!r} may have no terms to reduce, and loops {loop_names(loops)} run "
                    f"over a part of {name_of(variable)}: fused with the reduction, they do not determine which "
                    "results there are",
                    op=block,
                    help=f"decompose_reduction at loop {loop_name(loops[0])} first",
                )


def _digits(fused: loop.ForOp, inner: Sequence[int]) -> list[Index]:
    """Return the variables, outermost first, as quotients and remainders of the fused one.

    A loop without iterations has no values, so that any divisor serves.
    """
    rest = Index.of(fused.induction_variable)
    digits: list[Index] = []
    for n in [max(n, 1) for n in reversed(inner)]:
        digits.append(rest % n)
        rest = rest // n
    return [rest, *reversed(digits)]


def _product(before: Operation, extents: Sequence[Index]) -> SSAValue:
    """Return the product of symbolic extents, computed before `before`; two that are negative must not make a positive
    one."""
    ops: list[Operation] = []
    total: SSAValue | None = None
    facts = facts_at(before)
    negative = [n for n in extents if not facts.proves(n)]
    for n in extents:
        factor = _value(n, ops)
        if n in negative[1:]:
            ops += [zero := ConstantOp(IntegerAttr(0, IndexType())), MaxSIOp(factor, zero.result)]
            factor = ops[-1].results[0]
        if total is None:
            total = factor
            continue
        ops.append(MuliOp(total, factor))
        total = ops[-1].results[0]
    for op in ops:
        op.location = before.location
    edit.insert(ops, InsertPoint.before(before))
    assert total is not None
    edit.rename(total, total.name_hint or "extent")
    return total


def _value(e: Index, ops: list[Operation]) -> SSAValue:
    if e.is_constant:
        ops.append(ConstantOp(IntegerAttr(e.constant, IndexType())))
    elif e == Index.of(e.values()[0]):
        return e.values()[0]
    else:
        ops.append(loop.ApplyOp(e))
    return ops[-1].results[0]
