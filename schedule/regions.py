"""Regions of buffers, and nests of loops that compute them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ..analysis.access import Access
from ..analysis.domain import domain_of, is_inside, with_facts
from ..analysis.integer_set import Unknown, box_hull
from ..analysis.ranges import Facts
from ..dialects import loop
from ..dialects.index_expr import Index, Variable
from ..ir import editor as edit

Span = tuple[Index, Index]
"""The indices from an offset on, and how many."""


def touched_spans(
    accesses: Sequence[Access],
    shape: Sequence[Index],
    outer: Callable[[Variable], bool],
    position_of: Callable[[Sequence[Index]], Sequence[Index]] = tuple,
) -> list[Span]:
    """Return, for each dimension, the span that the accesses may touch, with an offset over the `outer` variables and a
    constant extent.

    A dimension whose span is unknown, or is all of it, has its whole extent. `position_of` maps the index of an element
    to its position in `shape`, if that has other dimensions than the buffer.
    """
    indexed = [(with_facts(a.system, a.index), position_of(a.index)) for a in accesses if a.index is not None]
    variables = {v for system, index in indexed for v in (*system.variables, *_variables(index))}
    fixed = [v for v in variables if outer(v)]
    spans: list[Span] = []
    for position, extent in enumerate(shape):
        whole = (Index.of(0), extent)
        if len(indexed) < len(accesses):
            spans.append(whole)
            continue
        hull = box_hull([(system, (index[position],)) for system, index in indexed], fixed)
        if isinstance(hull, Unknown) or (extent.is_constant and hull[0].extent >= extent.constant):
            spans.append(whole)
        else:
            spans.append((hull[0].offset, Index.of(hull[0].extent)))
    return spans


def iteration_box(block: loop.BlockOp, top: Operation) -> list[Span]:
    """Return the span of each iteration variable within one run of `top`: a box around the instances."""
    body = top.parent
    assert body is not None
    outer, found = defined_before(body, top), domain_of(block)
    system = with_facts(found.system, found.bindings.values())
    spans: list[Span] = []
    for variable, _, _, extent in block.iteration():
        binding = found.bindings[variable]
        fixed = [v for v in dict.fromkeys((*system.variables, *binding.variables)) if outer(v)]
        hull = box_hull([(system, (binding,))], fixed)
        if isinstance(hull, Unknown) or (extent.is_constant and hull[0].extent >= extent.constant):
            spans.append((Index.of(0), extent))
        else:
            spans.append((hull[0].offset, Index.of(hull[0].extent)))
    return spans


def _variables(index: Iterable[Index]) -> list[Variable]:
    return [v for e in index for v in e.variables]


def defined_before(body: Block, anchor: Operation | None) -> Callable[[Variable], bool]:
    """Return a predicate: whether a variable is known in `body` before `anchor`, or at its end for None."""
    parent = body.parent_op()

    def outer(variable: Variable) -> bool:
        if not isinstance(variable, SSAValue):
            return False
        if parent is None or not is_inside(variable, parent):
            return True
        owner = variable.owner
        if isinstance(owner, Block):
            return owner is body
        return owner.parent is body and (anchor is None or owner.is_before_in_block(anchor))

    return outer


def guard_around(block: loop.BlockOp, top: Operation) -> Sequence[Index]:
    """Return the conditions under which the nest `top` runs, as far as the block states them rather than the code
    around `top`.

    A block that is a nest by itself has a guard over the loops around it.
    """
    return block.conditions if top is block else ()


def nest_over(
    block: loop.BlockOp,
    spans: Sequence[Span],
    point: InsertPoint,
    facts: Facts,
    *,
    unit_loops: bool = False,
    where: Sequence[Index] = (),
) -> list[loop.ForOp]:
    """Insert loops around a detached block so that each iteration variable runs over its span.

    The block is guarded by `where`, and to its domain where the span is not proved to lie inside. Spatial spans of one
    index get no loop, unless `unit_loops` says so; reduce variables always do, so that a reduction can be decomposed
    there.
    """
    rows = list(block.iteration())
    loops: list[loop.ForOp] = []
    bindings: list[Index] = []
    for (variable, kind, _, _), (offset, count) in zip(rows, spans, strict=True):
        if count == Index.of(1) and kind == "spatial" and not unit_loops:
            bindings.append(offset)
            continue
        op = loop.ForOp(0, count, name_hint=loop_hint(variable.name_hint))
        op.location = block.location
        loops.append(op)
        bindings.append(offset + op.induction_variable)
        facts = facts.where(Index.of(op.induction_variable), count - op.induction_variable - 1)
    extents = [extent for _, _, _, extent in rows]
    guard = [e for b, n in zip(bindings, extents, strict=True) for e in (b, n - b - 1) if not facts.proves(e)]
    block.set_index_lists(bindings=bindings, guard=list(dict.fromkeys((*where, *guard))))
    nested: list[Operation] = [*loops, block]
    for outer, inner in zip(loops, nested[1:], strict=True):
        edit.append(outer.body.block, inner)
    edit.insert(nested[0], point)
    return loops


def loop_hint(variable: str | None) -> str:
    """Return the name of a loop over the iteration variable of a name: `i` for `vi`."""
    name = variable or "i"
    return name[1:] if name.startswith("v") and name[1:2].isalpha() else name
