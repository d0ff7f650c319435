"""transform_block_layout: the loops of a block over other coordinates of its domain."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, IndexType, StringAttr
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...analysis.access import Access
from ...analysis.block_reductions import Reduction, reduction_of
from ...analysis.dependence import carried
from ...analysis.domain import domain_of, is_inside, loops_around, loops_behind, with_facts
from ...analysis.instances import runs_all_of, runs_each_once
from ...analysis.integer_set import PROVED, Unknown, box_hull
from ...analysis.ranges import facts_at
from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...dialects.index_expr import FloorDiv, Index, Mod, Range, Variable
from ...ir import editor as edit
from ..block_moves import exclusive_nest, values_used
from ..engine import Engine
from ..forms import stores_distinct_elements, unsuitable
from ..handles import BlockRV
from ..index_map import BAD_MAP, IndexMap, MapLike
from ..primitive_declaration import LOOPS, register_primitive
from ..refusal import UNPROVED, loop_name, refuse_conflict
from ..regions import Span, defined_before, guard_around, iteration_box, nest_over
from .domain_guard import check_padding, keep_in_domain
from .transform_layout import mapped_extents

_NAME = "transform_block_layout"


@register_primitive(LOOPS)
def transform_block_layout(sch: Engine, block: BlockRV, index_map: MapLike) -> None:
    """Replace the iteration variables of a block by the results of an index map, with a loop for each.

    All loops around the block alone are replaced. If a size does not divide, the padding instances load 0 and store
    nothing, or store into padding that nothing reads. The terms of a reduction may be combined in another order.

    before:
    ```mlir
    loop.for %i = 0 to 8 {
      loop.for %j = 0 to 12 {
        loop.block "B" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 12) {
          %a = loop.load %A[%vi, %vj] : memref<8x12xf32>
          loop.store %a, %B[%vi, %vj] : memref<8x12xf32>
        }
      }
    }
    ```
    after `transform_block_layout(B, lambda i, j: (j // 4, i, j % 4))`:
    ```mlir
    loop.for %jo = 0 to 3 {
      loop.for %i = 0 to 8 {
        loop.for %ji = 0 to 4 {
          loop.block "B" (%vjo = spatial(%jo) in 3, %vi = spatial(%i) in 8, %vji = spatial(%ji) in 4) {
            %a = loop.load %A[%vi, %vjo * 4 + %vji] : memref<8x12xf32>
            loop.store %a, %B[%vi, %vjo * 4 + %vji] : memref<8x12xf32>
          }
        }
      }
    }
    ```
    """
    sch.note_algebra(reassociates=_transform_block_layout(sch.block(block), IndexMap.of(index_map)))


def _transform_block_layout(block: loop.BlockOp, index_map: IndexMap) -> bool:
    rows = list(block.iteration())
    shape = mapped_extents(_NAME, block, index_map, [n for *_, n in rows], f"block {block.label!r}")
    inverse = index_map.inverse([n for *_, n in rows])
    if inverse is None:
        fail(
            BAD_MAP,
            f"{_NAME}: {index_map} has no inverse that quotients and remainders express, so block {block.label!r} "
            "cannot find its iteration variables again",
            op=block,
            help="write the map with quotients and remainders by one factor for each variable",
        )
    kinds = _kinds(block, index_map)
    if not index_map.is_onto([n for *_, n in rows]):
        check_padding(_NAME, block)
    top = exclusive_nest(block)
    loops = [op for op in loops_around(block) if op is top or top.is_ancestor(op)]
    reassociates = _check_order(block, loops)
    old = _whole_box(block, top, loops)
    spans = _mapped_spans(block, top, index_map, old, shape)
    _check_visible(block, top)
    names = _names(index_map, [v.name_hint or "v" for v in block.variables])
    facts = facts_at(top)
    point = InsertPoint.after(top)  # `top` may be the block
    around = guard_around(block, top)
    edit.detach(block)
    extents = [n for *_, n in rows]
    _take_variables(block, kinds, shape, names, inverse)
    keep_in_domain(block, [(e, n) for e, n in zip(inverse(*block.variables), extents, strict=True)])
    nest_over(block, spans, point, facts, unit_loops=True, where=around)
    _guard(block, inverse, old, extents)
    if top is not block:
        edit.erase(top)
    return reassociates


def _kinds(block: loop.BlockOp, index_map: IndexMap) -> list[str]:
    known = dict(zip(index_map.symbols, block.kinds, strict=True))
    found: list[str] = []
    for e in index_map.results:
        kinds = sorted({known[v] for v in e.variables if v in known})  # pyright: ignore[reportArgumentType]
        if len(kinds) > 1:
            unsuitable(_NAME, block, f"would have spatial and reduce variables in one, by {index_map}")
        found.append(kinds[0] if kinds else "spatial")
    return found


def _check_order(block: loop.BlockOp, loops: Sequence[loop.ForOp]) -> bool:
    """Refuse unless any order of the instances computes the same; returns whether a reduction's rounding may change."""
    spatial = frozenset[loop.ForOp]().union(
        *(loops_behind(b) for _, kind, b, _ in block.iteration() if kind != "reduce")
    )
    reduction = reduction_of(block)
    reassociates = False
    for op in loops:
        if op.kind != loop.SERIAL:
            unsuitable(_NAME, block, f"is in loop {loop_name(op)}, which is {op.kind.kind.data}; kinds come afterwards")
        if carried(op) is None:
            continue
        # Terms of one sum have no order, and its init comes first in any: there the variables of the sum are 0.
        terms = _Terms(block, reduction) if reduction is not None else None
        are_free = terms is not None and (op not in spatial or terms.of_one_instance)
        conflict = carried(op, terms) if terms is not None and are_free else carried(op)
        if conflict is not None:
            refuse_conflict(_NAME, f"running loop {loop_name(op)} in another order", conflict, (op,))
        reassociates = True
    return reassociates


class _Terms:
    """A predicate on pairs of accesses: both are terms of the block's reduction, or its init and a term."""

    def __init__(self, block: loop.BlockOp, reduction: Reduction) -> None:
        self._block = block
        self._ops = {*reduction.loads, *reduction.stores}
        self._store = reduction.store

    @property
    def of_one_instance(self) -> bool:
        """Return whether the accesses of one element belong to one value of the spatial variables."""
        stores = {op for op in self._ops if isinstance(op, loop.StoreOp)}
        return all(op.index == self._store.index for op in stores) and stores_distinct_elements(
            self._block, self._store
        )

    def __call__(self, source: Access, sink: Access) -> bool:
        return all(a.block is self._block and (a.is_init or a.op in self._ops) for a in (source, sink))


def _whole_box(block: loop.BlockOp, top: Operation, loops: Sequence[loop.ForOp]) -> list[Span]:
    """Return the box of iteration variables that one run of `top` executes, each instance once."""
    box = iteration_box(block, top)
    targets = [(Index.of(v), lower, count) for v, (lower, count) in zip(block.variables, box, strict=True)]
    extents = [n for *_, n in block.iteration()]
    if runs_all_of(block, targets, top, extents) != PROVED or runs_each_once(block, loops) != PROVED:
        fail(
            UNPROVED,
            f"{_NAME}: cannot prove that the loops around block {block.label!r} run a box of its domain, each instance "
            "once",
            op=block,
            help="transform the block before its loops are cut to parts of its domain",
        )
    return box


def _mapped_spans(
    block: loop.BlockOp, top: Operation, index_map: IndexMap, old: Sequence[Span], shape: Sequence[Index]
) -> list[Span]:
    """Return the spans of the map's results: boxes of constant extent, or their whole domain."""
    if all(lower == Index.of(0) and count == n for (lower, count), (*_, n) in zip(old, block.iteration(), strict=True)):
        return [(Index.of(0), n) for n in shape]
    body = top.parent
    assert body is not None
    outer, found = defined_before(body, top), domain_of(block)
    system = with_facts(found.system)
    spans: list[Span] = []
    for e, n in zip(index_map(*(found.bindings[v] for v in block.variables)), shape, strict=True):
        fixed = [v for v in dict.fromkeys((*system.variables, *e.variables)) if outer(v)]
        hull = box_hull([(system, (e,))], fixed)
        whole = isinstance(hull, Unknown) or (n.is_constant and hull[0].extent >= n.constant)
        spans.append((Index.of(0), n) if whole else (hull[0].offset, Index.of(hull[0].extent)))  # pyright: ignore
    return spans


def _check_visible(block: loop.BlockOp, top: Operation) -> None:
    hidden = next((v for v in values_used(block) if is_inside(v, top) and top is not block), None)
    if hidden is not None:
        unsuitable(_NAME, block, f"uses {name_of(hidden)}, which the loops around it define")


def _names(index_map: IndexMap, old: Sequence[str]) -> list[str]:
    """Return `vio` for a quotient of `vi`, `vii` for a remainder; `f0` and so on for expressions of several
    variables."""
    known = dict(zip(index_map.symbols, old, strict=True))
    found: list[str] = []
    for position, e in enumerate(index_map.results):
        atom = e.terms[0][0] if len(e.terms) == 1 and not e.constant else None
        variables = Index.of_atom(atom).variables if atom is not None else ()
        name = f"vf{position}"
        if len(variables) == 1:
            suffix = "o" if isinstance(atom, FloorDiv) else "i" if isinstance(atom, Mod) else ""
            name = known[variables[0]] + suffix  # pyright: ignore[reportArgumentType]
        found.append(name if name not in found else f"{name}{position}")
    return found


def _take_variables(
    block: loop.BlockOp, kinds: Sequence[str], extents: Sequence[Index], names: Sequence[str], inverse: IndexMap
) -> None:
    """Give a detached block other iteration variables, and its body the old ones as expressions of them."""
    body, old = block.body.block, block.variables
    fresh = [edit.insert_argument(body, IndexType(), len(old) + k) for k in range(len(kinds))]
    for argument, name in zip(fresh, names, strict=True):
        edit.rename(argument, name)
    ranges: dict[Variable, Range] = {
        v: (0, n.constant - 1 if n.is_constant else None) for v, n in zip(fresh, extents, strict=True)
    }
    back = [e.with_ranges(ranges) for e in inverse(*fresh)]
    values: dict[SSAValue, Index] = dict(zip(old, back, strict=True))
    for op in list(block.walk()):
        if op is not block:
            _substitute(op, values, ranges)
    for argument in old:
        edit.erase_argument(argument)
    edit.change(block).properties["iteration_kinds"] = ArrayAttr(StringAttr(kind) for kind in kinds)
    block.set_index_lists(bindings=[Index.of(0)] * len(kinds), extents=extents, guard=())


def _substitute(op: Operation, values: dict[SSAValue, Index], ranges: dict[Variable, Range]) -> None:
    if isinstance(op, loop.IndexedOp) and any(v in values for v in op.operands):
        lists = op.index_lists().items()
        op.set_index_lists(**{name: [e.substitute(values).with_ranges(ranges) for e in es] for name, es in lists})
    for position, operand in enumerate(op.operands):
        if operand in values:
            apply = loop.ApplyOp(values[operand])
            edit.insert(apply, InsertPoint.before(op))
            edit.change(op).operands[position] = apply.res


def _guard(block: loop.BlockOp, inverse: IndexMap, old: Sequence[Span], extents: Sequence[Index]) -> None:
    """Guard the block against instances that the map adds to the old box, where the box is a part of the domain."""
    bindings = [binding for _, _, binding, _ in block.iteration()]
    facts = facts_at(block).where(*block.conditions)
    guard = list(block.conditions)
    for e, (lower, count), n in zip(inverse(*bindings), old, extents, strict=True):
        if (lower, count) != (Index.of(0), n):
            guard += [facts.simplify(c) for c in (e - lower, lower + count - e - 1) if not facts.proves(c)]
    block.set_index_lists(guard=guard)
