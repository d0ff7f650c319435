"""Pass `relax-guards`: removes the guards of tails that only private buffers receive.

The argument. Let b be a buffer that the function allocates, and S its stores. A condition around a store is expressed
over the element that the store writes and the variables around the allocation: f(x) >= 0. Say that every instance of
every store of S, as the program stands, writes only elements with f(x) >= 0. Dropping the condition adds instances
that write elements with f(x) < 0, which nothing wrote before: in the program as it stands such an element is
unspecified, and stays so after writes of the added instances. The elements that were written keep their values, because
no added instance writes one. This holds for several conditions at once: an added instance fails one of them.

Further conditions make the added instances harmless: their stores stay inside b; their loads from other buffers are
guarded by the condition, or are provably inside the buffer, which may be enlarged for that; no operation in them can
trap; and nested bounds and conditions are expressions of loop variables and sizes.

The tail of a reduction keeps its condition, because its instances write elements that other instances write too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.traits import Pure

from ...analysis.bounds import inside_conditions
from ...analysis.divergence import DIVISIONS
from ...analysis.domain import is_inside, is_opaque, resolve
from ...analysis.ranges import Facts, RangeAnalysis
from ...analysis.touched_region import is_inside_block, unguarded_ranges
from ...dialects.index_expr import FloorDiv, Index, Mod, Range, Symbol, Variable
from ...dialects.loop import REGISTER, AllocOp, DimOp, ForOp, IfOp, LoadOp, StoreOp, YieldOp, buffer_type, scope_of
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass
from ..shared.guards import Zeros
from .lower_blocks import inline_under


@dataclass(frozen=True)
class RelaxGuardsPass(Pass):
    """Drop conditions around statements that write only elements of private buffers that no other statement writes.

    ```mlir
    loop.if (%jo * 16 + %ji < 60) {
      %b = loop.load %B[%k, %jo * 16 + %ji] : memref<64x60xf32>
      …
      loop.store %s, %acc[%ji] : memref<16xf32, "register">
    }
    // becomes
    %b = loop.load %B[%k, %jo * 16 + %ji] where (%jo * 16 + %ji < 60) else %zero : memref<64x60xf32>
    …
    loop.store %s, %acc[%ji] : memref<16xf32, "register">
    ```
    The docstring of the module contains the proof. A statement that writes to an argument keeps its guard.

    Needs: `sink-allocations`, whose buffers include the tails; flat ones can be given room for reads beyond the end.
    Grants: the inner loops of a tiled computation hold no condition but those of reduction tails; private tiles are
    computed whole, and only loads and final stores are masked.
    """

    name = "relax-guards"
    phase = 1
    levels = (Level.LOOP,)
    opt_level = 2

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        candidates = [
            c for nested in operations(op) if isinstance(nested, IfOp) and (c := _candidate(nested)) is not None
        ]
        buffers, zeros = _Buffers(candidates), Zeros()
        for candidate in candidates:
            if may_rewrite("relax the guard", candidate.op):
                _relax(candidate, buffers, zeros)


@dataclass(frozen=True)
class _Candidate:
    """A guarded statement whose only effects are on buffers that the function allocates."""

    op: IfOp
    stores: tuple[StoreOp, ...]


def _candidate(op: IfOp) -> _Candidate | None:
    if op.else_body.blocks:
        return None
    stores: list[StoreOp] = []
    for inner in operations(op):
        if inner is op:
            continue
        if isinstance(inner, StoreOp):
            if not isinstance(inner.buffer.owner, AllocOp):
                return None
            stores.append(inner)
        elif not isinstance(inner, LoadOp) and not _is_harmless(inner, op):
            return None
    return _Candidate(op, tuple(stores)) if stores else None


def _is_harmless(op: Operation, within: IfOp) -> bool:
    """Return whether `op` may run on unspecified values."""
    if isinstance(op, (ForOp, IfOp)):
        return not any(_is_computed(e, within) for expressions in op.index_lists().values() for e in expressions)
    if isinstance(op, DIVISIONS):
        divisor = op.operands[1].owner
        return (
            isinstance(divisor, arith.ConstantOp) and isinstance(n := divisor.value, IntegerAttr) and n.value.data > 0
        )
    return isinstance(op, YieldOp) or op.has_trait(Pure) or op.dialect_name() in ("arith", "math")


def _is_computed(e: Index, within: IfOp) -> bool:
    """Return whether `e` contains values from inside `within` that are neither loop variables nor sizes."""
    return any(isinstance(v, SSAValue) and is_inside(v, within) and is_opaque(v) for v in resolve(e).variables)


class _Buffers:
    """The stores to the buffers that candidates write, with the conditions at each store before any guard was
    relaxed."""

    def __init__(self, candidates: Sequence[_Candidate]) -> None:
        self._known: dict[StoreOp, list[tuple[tuple[Index, ...], Facts]]] = {}
        ranges = RangeAnalysis()
        for buffer in dict.fromkeys(store.buffer for c in candidates for store in c.stores):
            users = [use.operation for use in buffer.uses]
            if all(isinstance(user, (LoadOp, StoreOp, DimOp)) for user in users):
                stores = [user for user in users if isinstance(user, StoreOp)]
                known = [(_index(op), ranges.at(op).where(*op.conditions)) for op in stores]
                self._known.update(dict.fromkeys(stores, known))

    def confines(self, store: StoreOp, condition: Index) -> bool:
        """Return whether every store of the buffer writes only elements for which `condition`, stated of `store`,
        holds."""
        known = self._known.get(store)
        alloc = store.buffer.owner
        if known is None or not isinstance(alloc, AllocOp) or alloc.parent is None:
            return False
        elements = [Symbol(f"element {d}") for d in range(len(store.index))]
        stated = _of_element(resolve(condition), store, elements, alloc.parent)
        return stated is not None and all(
            facts.proves(stated.substitute(dict(zip(elements, index, strict=True)))) for index, facts in known
        )


def _index(op: StoreOp) -> tuple[Index, ...]:
    return tuple(resolve(e) for e in op.index)


def _of_element(condition: Index, store: StoreOp, elements: Sequence[Symbol], block: Block) -> Index | None:
    """Return `condition` over the element that `store` writes and values that are fixed while the buffer at `block`
    lives.

    None where it cannot be stated so. A variable that moves is a digit of an index: c * variable + lower digits.
    """
    ranges = unguarded_ranges(store)
    for e, element in zip(_index(store), elements, strict=True):
        condition = condition.substitute(_sum_as_unit(e, element, block))
        if _moves(condition, block):
            condition = condition.substitute(_digits(e, element, block, ranges))
    return None if _moves(condition, block) else condition


def _moves(e: Index, block: Block) -> bool:
    return any(not isinstance(v, Symbol) and is_inside_block(v, block) for v in e.variables)


def _sum_as_unit(e: Index, element: Symbol, block: Block) -> dict[Variable, Index]:
    """Return a variable of coefficient 1 in terms of the rest: conditions on the whole sum then lose all of its
    variables."""
    for variable, c in e.terms:
        if c == 1 and not isinstance(variable, (FloorDiv, Mod)) and is_inside_block(variable, block):
            return {variable: element - (e - Index.of(variable))}
    return {}


def _digits(e: Index, element: Symbol, block: Block, ranges: Mapping[Variable, Range]) -> dict[Variable, Index]:
    """Return the moving variables of `e` in terms of its value, as far as they are digits of it."""
    moving = [(v, c) for v, c in e.terms if _moves(Index.of_atom(v), block)]
    value = element - (e - Index(tuple(moving), 0))
    digits: dict[Variable, Index] = {}
    moving.sort(key=lambda term: -term[1])
    for k, (variable, c) in enumerate(moving):
        lo, hi = Index(tuple(moving[k + 1 :]), 0).bounds(ranges)
        if isinstance(variable, (FloorDiv, Mod)) or c <= 0 or lo is None or lo < 0 or hi is None or hi >= c:
            break
        digits[variable] = value // c
        value = value % c
    return digits


def _relax(candidate: _Candidate, buffers: _Buffers, zeros: Zeros) -> None:
    op = candidate.op
    dropped = _drop(candidate, [c for c in op.conditions if all(buffers.confines(s, c) for s in candidate.stores)])
    if not dropped:
        return
    ranges = RangeAnalysis()
    for load in [inner for inner in operations(op) if isinstance(inner, LoadOp)]:
        _guard(load, dropped, ranges.at(load), zeros)
    if not op.conditions:
        inline_under(op, op.then_body.block, ())


def _drop(candidate: _Candidate, confined: Sequence[Index]) -> list[Index]:
    """Drop those of the conditions without which all stores stay inside their buffers: all at once, or one by one."""
    if _stays_without(candidate, confined):
        return list(confined)
    return [condition for condition in confined if len(confined) > 1 and _stays_without(candidate, [condition])]


def _stays_without(candidate: _Candidate, dropped: Sequence[Index]) -> bool:
    """Drop conditions, unless a store would then leave its buffer."""
    before = candidate.op.conditions
    candidate.op.set_index_lists(guard=[e for e in before if e not in dropped])
    ranges = RangeAnalysis()
    if all(_stays_inside(store, ranges.at(store)) for store in candidate.stores):
        return True
    candidate.op.set_index_lists(guard=before)
    return False


def _stays_inside(op: LoadOp | StoreOp, facts: Facts) -> bool:
    conditions = inside_conditions(op)
    return conditions is not None and facts.where(*op.conditions).proves_all(conditions)


def _guard(load: LoadOp, dropped: Sequence[Index], facts: Facts, zeros: Zeros) -> None:
    """Load under as few of the dropped conditions as keep it inside its buffer; elsewhere it gives zero."""
    inside = inside_conditions(load)
    facts = facts.where(*load.conditions)
    needed = list(dropped)
    for condition in dropped if inside is not None else ():
        others = [e for e in needed if e is not condition]
        if inside is not None and facts.where(*others).proves_all(inside):
            needed = others
    if needed and not make_room(load, facts):
        otherwise = load.otherwise or zeros.before(load)
        guarded = LoadOp(load.buffer, load.index, [*load.conditions, *needed], otherwise, load.lanes)
        guarded.location = load.location
        edit.change(guarded).attributes |= load.attributes
        edit.rename(guarded.res, load.res.name_hint)
        edit.replace(load, guarded)


LEAST_ROOM = 64
"""Elements that a buffer may always grow by: a few vectors."""

MOST_GROWTH = 8
"""The part of a buffer, as a divisor, that it may grow by."""


def make_room(load: LoadOp, facts: Facts) -> bool:
    """Lengthen the flat buffer that the function allocates and `load` reads, so that the read stays inside of it.

    Answers whether it does. Buffers of more dimensions are left alone: a read beyond a row would have to name another
    row's element.
    """
    alloc = load.buffer.owner
    if not isinstance(alloc, AllocOp) or scope_of(alloc.res.type) == REGISTER:
        return False
    shape = alloc.res.type.get_shape()
    if len(shape) != 1 or shape[0] == DYNAMIC_INDEX or not _has_plain_users(alloc.res):
        return False
    lo, hi = facts.bounds(load.index[0])
    if lo is None or hi is None or lo < 0 or hi >= shape[0] + max(LEAST_ROOM, shape[0] // MOST_GROWTH):
        return False
    if hi >= shape[0]:
        _lengthen(alloc, hi + 1)
    return True


def _has_plain_users(buffer: SSAValue) -> bool:
    return all(isinstance(use.operation, (LoadOp, StoreOp)) for use in buffer.uses)


def _lengthen(alloc: AllocOp, extent: int) -> None:
    type = alloc.res.type
    longer = AllocOp(buffer_type([extent], type.element_type, scope_of(type)), (), alloc.res.name_hint)
    edit.change(longer).attributes |= alloc.attributes
    edit.insert(longer, InsertPoint.before(alloc), of=alloc)
    edit.replace_uses(alloc.res, longer.res)
    edit.erase(alloc)
