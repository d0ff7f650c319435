"""Dependences: pairs of instances that touch one element, at least one of them writing it.

The two main questions: does a loop carry a dependence, so that its iterations cannot run at once? Does a new order of
nested or neighbouring loops reverse a dependence? Each question looks for two instances of a pair of accesses. The
variables defined inside the outermost loop in question are renamed for the second instance; both instances share the
variables outside. Mixed-radix reasoning on the index expressions decides nearly all kernels; the integer sets decide
the rest.

Updates of a recognised reduction commute, so the order among them is free; the order between them and `loop.init`
is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from xdsl.ir import Operation, SSAValue

from ..diagnostics.locations import name_of
from ..dialects import loop
from ..dialects.index_expr import LANE, Index, Symbol, Variable
from ..hardware import THREAD_INDEX
from .access import Access, accesses_in, blocks_in, have_disjoint_views, in_one_view
from .block_reductions import reduction_of
from .domain import is_inside, is_opaque, resolve, with_facts
from .init_nests import reduction_loops
from .integer_set import PROVED, Point, Refuted, System, is_empty, lexicographically_before
from .products import product_relations
from .radix import forced_equal


@dataclass(frozen=True)
class Conflict:
    """Two instances whose order matters, or accesses for which that could not be decided."""

    source: Access
    """The access whose instance runs first in the program as it is."""
    sink: Access
    unknown: str | None
    """Why the question is undecided; None where the points below are a counter-example."""
    source_point: Point
    sink_point: Point

    def element(self) -> tuple[int, ...] | None:
        """Return the element that both touch."""
        if self.unknown is not None or self.source.index is None:
            return None
        return tuple(e.evaluate(self.source_point) for e in self.source.index)

    def of_iterations(self) -> str:
        """Say in words that iterations of a loop conflict."""
        unknown = "" if self.unknown is None else f": {self.unknown}"
        return f"its iterations depend on one another through {name_of(self.source.buffer)}{unknown}"


def carried(op: loop.ForOp, but: Callable[[Access, Access], bool] = lambda source, sink: False) -> Conflict | None:
    """Return a dependence between two iterations of `op`, within one iteration of the loops around it.

    Pairs of accesses of which `but` holds do not count.
    """
    for source, sink in _pairs(op):
        if not but(source, sink) and (conflict := between_iterations(source, sink, op)) is not None:
            return conflict
    return None


def between_iterations(source: Access, sink: Access, op: loop.ForOp) -> Conflict | None:
    """Return instances that touch one element, the source's iteration of `op` before the sink's, within one iteration
    of the loops around it. One of the two accesses writes."""
    pair = _Pair(source, sink, (op,))
    if op.induction_variable in pair.equal:
        return None
    return pair.find(lexicographically_before(*pair.positions((op,))))


def reversed_by(old: Sequence[loop.ForOp], new: Sequence[loop.ForOp]) -> Conflict | None:
    """Return a dependence that a permutation of perfectly nested loops, outermost first, turns around."""
    for source, sink in _pairs(old[0]):
        if _commute(source, sink):
            continue
        pair = _Pair(source, sink, tuple(old))
        free_old = [op for op in old if op.induction_variable not in pair.equal]
        free_new = [op for op in new if op.induction_variable not in pair.equal]
        if free_old == free_new:
            continue
        if source.is_init and source.block is sink.block and _init_comes_first(source, free_old):
            continue
        if (conflict := pair.find(_turned_around(pair, free_old, free_new))) is not None:
            return conflict
    return None


def _turned_around(pair: _Pair, old: Sequence[loop.ForOp], new: Sequence[loop.ForOp]) -> Iterator[System]:
    """Yield the pairs of instances whose source comes first in the old order and whose sink comes first in the new one.

    `outer` decides the old order and `inner` the new one. `outer` is outside of `inner` before and inside of it after;
    other pairs of loops give contradictory conditions.
    """
    for a, outer in enumerate(old):
        for inner in old[a + 1 :]:
            b = new.index(inner)
            if b > new.index(outer):
                continue
            same = dict.fromkeys((*old[:a], *new[:b]))
            source, sink = pair.positions((*same, outer, inner))
            *equal, (low, high), (after, before) = zip(source, sink, strict=True)
            yield System().equating(equal).where(high - low - 1, after - before - 1)


def overlap(first: Access, second: Access, scope: Operation) -> Conflict | None:
    """Return instances that touch one element, at the same iterations of all loops but those inside `scope`."""
    return _Pair(first, second, (), scope).find([System()])


def runs_before(first: Access, second: Access, shared: Sequence[loop.ForOp]) -> Conflict | None:
    """Return instances that touch one element, the first of which runs before the second.

    `shared` are the loops around both that are looked at, outermost first; the loops around those run the same
    iteration.
    """
    if not shared:
        return (
            overlap(first, second, _outermost_around(first.op, second.op))
            if stands_before(first.op, second.op)
            else None
        )
    pair = _Pair(first, second, tuple(shared))
    source, sink = pair.positions(shared)
    orders = list(lexicographically_before(source, sink))
    if stands_before(first.op, second.op):
        orders.append(System().equating(zip(source, sink, strict=True)))
    return pair.find(orders)


def at_distance(source: Access, sink: Access, op: loop.ForOp, least: int, most: int) -> Conflict | None:
    """Return instances that touch one element, the sink's iteration of `op` being `least` to `most` after the source's.

    The loops around `op` run the same iteration; those over threads any, where the buffer is shared by the block.
    """
    around = [p for p in loop.enclosing(op, loop.ForOp) if isinstance(p, loop.ForOp)]
    threads = [p for p in around if p.kind.tag.data.startswith(THREAD_INDEX)]
    if loop.scope_of(source.buffer.type) != loop.SHARED or not threads:
        pair = _Pair(source, sink, (op,))
        if least > 0 and op.induction_variable in pair.equal:
            return None
        held: list[loop.ForOp] = []
    else:
        pair = _Pair(source, sink, (), threads[-1])
        held = [p for p in around if p not in threads and threads[-1].is_ancestor(p)]
    (first, *others), (second, *renamed) = pair.positions((op, *held))
    order = System().where(second - first - least, most - (second - first))
    return pair.find([order.equating(zip(others, renamed, strict=True))])


def reversed_by_merging(first: loop.ForOp, second: loop.ForOp) -> Conflict | None:
    """Return a dependence between two loops in a row that running their iterations together, one of each, turns
    around."""
    return _across(first, second, ahead=1)


def carried_by_merging(first: loop.ForOp, second: loop.ForOp) -> Conflict | None:
    """Return a dependence between two loops in a row that one loop of the iterations of both would carry."""
    return _across(first, second, ahead=-1)


def _across(first: loop.ForOp, second: loop.ForOp, ahead: int) -> Conflict | None:
    """Return instances that touch one element, the first loop's variable being the greater (`ahead` = 1) or lesser
    (-1)."""
    sinks = accesses_in(second)
    for source in accesses_in(first):
        for sink in sinks:
            if source.buffer is not sink.buffer or not (source.is_write or sink.is_write):
                continue
            pair = _Pair(source, sink, (), second)
            (_, (other,)) = pair.positions((second,))
            distance = Index.of(first.induction_variable) - other
            if (conflict := pair.find([System().where(distance * ahead - 1)])) is not None:
                return conflict
    return None


def stands_before(first: Operation, second: Operation) -> bool:
    """Return whether `first` precedes `second` in the innermost block around both."""
    path = {op.parent: op for op in _ancestors(first)}
    for op in _ancestors(second):
        if op.parent in path:
            return op is not path[op.parent] and path[op.parent].is_before_in_block(op)
    return False


def _outermost_around(first: Operation, second: Operation) -> Operation:
    """Return the outermost operation around `second`, or `second` itself, that does not contain `first`."""
    around = {*_ancestors(first)}
    return [op for op in _ancestors(second) if op not in around][-1]


def _ancestors(op: Operation) -> Iterator[Operation]:
    parent: Operation | None = op
    while parent is not None:
        yield parent
        parent = parent.parent_op()


def permutes_reduction(old: Sequence[loop.ForOp], new: Sequence[loop.ForOp]) -> bool:
    """Return whether a permutation may change the order in which some reduction combines its terms."""
    for block in blocks_in(old[0]):
        reduce = reduction_loops(block)
        if [op for op in old if op in reduce] != [op for op in new if op in reduce]:
            return True
    return False


def _pairs(scope: loop.ForOp) -> Iterator[tuple[Access, Access]]:
    """Yield ordered pairs of accesses inside `scope` to one buffer that outlives its iterations, one of them a
    write."""
    by_buffer: dict[SSAValue, list[Access]] = {}
    for access in accesses_in(scope):
        by_buffer.setdefault(access.buffer, []).append(access)
    for buffer, accesses in by_buffer.items():
        if not any(a.is_write for a in accesses) or is_inside(buffer, scope):
            continue
        for first, second in product(accesses, accesses):
            if first.is_write or second.is_write:
                yield first, second


def _commute(source: Access, sink: Access) -> bool:
    if source.block is None or source.block is not sink.block:
        return False
    reduction = reduction_of(source.block)
    return reduction is not None and {source.op, sink.op} <= {*reduction.loads, *reduction.stores}


def _init_comes_first(init: Access, free: Sequence[loop.ForOp]) -> bool:
    """Return whether each of the `free` loops is at its first iteration at all instances of the init.

    No permutation of these loops then changes when the init runs.
    """
    first = {op.induction_variable for op in init.domain.loops if _starts_at_zero(op)}
    zero: set[Variable] = set()
    for e in init.domain.system.zero:
        if e.constant == 0 and all(c > 0 and atom in first for atom, c in e.terms):
            zero.update(e.variables)
    return all(op.induction_variable in zero for op in free)


def _starts_at_zero(op: loop.ForOp) -> bool:
    return [e for e in op.lowers if not e.is_constant] == [] and max(e.constant for e in op.lowers) == 0


class _Pair:
    """An instance of `source` and one of `sink`, whose variables inside the outermost loop of the band are renamed.

    Without a band it is the variables inside `scope`.
    """

    def __init__(
        self, source: Access, sink: Access, band: tuple[loop.ForOp, ...], scope: Operation | None = None
    ) -> None:
        source, sink = in_one_view(source, sink)
        self.source = source
        self.sink = sink
        self.scope: Operation = scope or band[0]
        self.equal = forced_equal(source, sink, band) if band else frozenset[Variable]()
        self.renamed: dict[Variable, Symbol] = {}

    def positions(self, loops: Sequence[loop.ForOp]) -> tuple[list[Index], list[Index]]:
        """Return the iteration of `loops` at the source and at the sink."""
        variables = [Index.of(op.induction_variable) for op in loops]
        return variables, [self._rename(v) for v in variables]

    def find(self, orders: Iterable[System]) -> Conflict | None:
        """Return instances that touch one element in one of the orders."""
        if have_disjoint_views(self.source, self.sink):
            return None
        if self.source.index is None or self.sink.index is None:
            return self._conflict("it is not known which elements are touched")
        products = product_relations(self.source, self.sink, self.scope, self._rename)
        systems, parts = self._base(), [*self._delinearized(), *products]
        for order in orders:
            for part in product(*parts):
                system = systems & order
                for relation in part:
                    system = system & relation
                verdict = is_empty(system)
                if verdict != PROVED:
                    return self._conclude(system, verdict)
        return None

    def _base(self) -> System:
        assert self.source.index is not None and self.sink.index is not None
        source = with_facts(self.source.system, self.source.index)
        sink = with_facts(self.sink.system, self.sink.index)
        renamed = System(tuple(self._rename(e) for e in sink.nonnegative), tuple(self._rename(e) for e in sink.zero))
        touched = zip(self.source.index, (self._rename(e) for e in self.sink.index), strict=True)
        return (source & renamed).equating(touched)

    def _rename(self, e: Index) -> Index:
        for v in e.variables:
            if v in self.renamed or (isinstance(v, Symbol) and not isinstance(v, loop.Position)):
                continue
            if v is LANE or isinstance(v, loop.Position) or is_inside(v, self.scope):
                self.renamed[v] = Symbol(f"{'lane' if v is LANE else 'v'}{len(self.renamed)}'")
        return e.substitute(self.renamed)

    def _delinearized(self) -> list[list[System]]:
        """Return, for each delinearized index, the systems of which one holds: its parts compare as the whole does."""
        ops: dict[loop.DelinearizeOp, None] = {}
        for access in (self.source, self.sink):
            for v in (*access.system.variables, *(v for e in access.index or () for v in e.variables)):
                if isinstance(v, SSAValue) and isinstance(owner := v.owner, loop.DelinearizeOp):
                    ops[owner] = None
        return [self._compare(op) for op in ops if is_inside(op.res[0], self.scope)]

    def _compare(self, op: loop.DelinearizeOp) -> list[System]:
        whole = resolve(Index.of(op.fused))
        parts = [Index.of(r) for r in op.res]
        other, others = self._rename(whole), [self._rename(e) for e in parts]
        same = System().equating([(whole, other), *zip(parts, others, strict=True)])
        less = [s.where(other - whole - 1) for s in lexicographically_before(parts, others)]
        more = [s.where(whole - other - 1) for s in lexicographically_before(others, parts)]
        return [same, *less, *more]

    def _conclude(self, system: System, verdict: object) -> Conflict:
        if not isinstance(verdict, Refuted):
            return self._conflict(verdict.reason)  # pyright: ignore[reportAttributeAccessIssue]
        if any(isinstance(v, SSAValue) and is_opaque(v) for v in (*system.variables, *self.renamed)):
            return self._conflict("an index depends on data")
        if not (self.source.domain.is_exact and self.sink.domain.is_exact):
            return self._conflict("an `else` of several conditions is not analysed")
        # An unconstrained variable, such as a value from outside that both indices contain, may have any value.
        point = {v: 0 for e in self.source.index or () for v in e.variables} | verdict.point
        source: Point = {v: n for v, n in point.items() if isinstance(v, loop.Position) or not isinstance(v, Symbol)}
        sink = {**source, **{v: point[s] for v, s in self.renamed.items() if s in point}}
        return Conflict(self.source, self.sink, None, source, sink)

    def _conflict(self, reason: str) -> Conflict:
        return Conflict(self.source, self.sink, reason, {}, {})
