"""Proofs about the instances that the loops around a block run: all of its iteration domain, and each instance once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from ..dialects import loop
from ..dialects.index_expr import Index, Symbol, Variable
from .domain import domain_of, is_inside, is_opaque, loops_around, loops_behind, resolve, with_facts
from .fused_loops import with_free_parts
from .init_nests import reduction_loops
from .integer_set import (
    PROVED,
    System,
    Unknown,
    Verdict,
    cover_together,
    covers,
    lexicographically_before,
    none_satisfiable,
)
from .radix import determined

FUSED = Unknown("the parts of a fused index are not known to take all their values")


def runs_whole_reduction(block: loop.BlockOp, loops: Sequence[loop.ForOp]) -> Verdict:
    """Decide whether `loops`, the innermost ones around `block`, run every spatial instance with all its reduce
    instances."""
    return _runs_reduction(block, loops, lambda extent: extent)


def runs_init(block: loop.BlockOp, loops: Sequence[loop.ForOp]) -> Verdict:
    """Decide whether `loops`, the innermost ones around `block`, run each spatial instance with its first reduce
    instance."""
    return _runs_reduction(block, loops, lambda _: Index.of(1))


def _runs_reduction(block: loop.BlockOp, loops: Sequence[loop.ForOp], counted: Callable[[Index], Index]) -> Verdict:
    """Decide whether every spatial instance runs with its first reduce instances: as many as `counted` says of each
    extent."""
    if "reduce" not in block.kinds or _reduces_plainly(block, loops):
        return PROVED
    top = loops[0] if loops else block
    domain = with_facts(domain_of(block).system)
    shared: list[Variable] = [v for v in domain.variables if not is_inside(v, top)]
    spatial: list[tuple[Variable, Index]] = []
    reduce: list[tuple[Variable, Index]] = []
    extents: dict[Variable, tuple[Index, Index]] = {}
    for position, (_, kind, binding, extent) in enumerate(block.iteration()):
        variable = Symbol(f"v{position}'")
        (spatial if kind == "spatial" else reduce).append((variable, resolve(binding)))
        if kind == "reduce":
            extents[variable] = (Index.of(0), counted(resolve(extent)))
    if _depends_on_data(domain, [e for _, e in (*spatial, *reduce)]):
        return Unknown("which instances run depends on data")
    free = with_free_parts(domain, [e for _, e in (*spatial, *reduce)], top)
    if free is None:
        return FUSED
    # The target is not the domain itself: a block that runs none of its terms would then count as one that runs all of
    # them. Where there are no terms at all, the init is run.
    driving = frozenset[loop.ForOp]().union(*(loops_behind(e) for _, e in spatial))
    others = [op for op in loops_around(block) if op not in driving]
    target = with_facts(_without(domain, others, top).equating(spatial) & System.box(extents))
    target = target.where(*(resolve(n) - 1 for _, kind, _, n in block.iteration() if kind == "reduce"))
    cover = with_facts(free.equating((*spatial, *reduce)))
    return covers(cover, target, [*shared, *(v for v, _ in (*spatial, *reduce))])


def _without(domain: System, loops: Sequence[loop.ForOp], top: Operation) -> System:
    """Return the system without the constraints that mention the variables of those loops inside `top`."""
    gone: set[Variable] = {op.induction_variable for op in loops if top.is_ancestor(op)}
    kept = [e for e in domain.nonnegative if gone.isdisjoint(e.variables)]
    return System(tuple(kept), tuple(e for e in domain.zero if gone.isdisjoint(e.variables)))


def runs_all_of(
    block: loop.BlockOp,
    targets: Sequence[tuple[Index, Index, Index]],
    outer: Operation | None,
    limits: Sequence[Index] = (),
    *,
    without_terms: bool | None = None,
    at: Operation | None = None,
    or_idle: bool = False,
) -> Verdict:
    """Decide whether the instances of `block` give each expression of `targets` all values of its span.

    A target is a triple (expression, lower, count), over the block's iteration variables. Loops around `outer` run one
    iteration. With `limits` only the part of each span in [0, limit) counts. A span of one value asks whether the block
    runs at all.

    `without_terms` says whether results of a reduction count where the reduction has no terms. By default they count if
    the block has an init, which runs then; reads for the terms do not run. With `at`, an operation in the body, only
    instances that execute it count. With `or_idle` a loop that no expression depends on may have no iteration: this is
    for copies of data that is read, which are not needed if nothing reads it.
    """
    without_terms = block.init is not None and at is None if without_terms is None else without_terms
    if at is None and _takes_plainly(block, targets, outer, without_terms, or_idle):
        return PROVED
    found = domain_of(at or block)
    domain = with_facts(found.system)
    around = outer or next(iter(loops_around(block)), block)
    taken = [found.resolve(e) for e, _, _ in targets]
    free = with_free_parts(domain, taken, around)
    if free is None:
        return FUSED
    if _depends_on_data(domain, taken):
        return Unknown("what the block takes depends on data")
    shared: list[Variable] = [v for v in domain.variables if not is_inside(v, around)]
    variables = [Symbol(f"v{k}'") for k in range(len(targets))]
    extents: dict[Variable, tuple[Index, Index]] = {
        v: (lower, lower + count) for v, (_, lower, count) in zip(variables, targets, strict=True)
    }
    pairs = list(zip(variables, taken, strict=True))
    cover = [with_facts(free.equating(pairs))]
    if without_terms:
        cover += _taken_without_terms(block, free, pairs, around)
    target = System.box(extents) if outer is None else System.box(extents) & domain_of(outer).system
    for v, n in zip(variables, limits, strict=False):
        target = target.where(Index.of(v), n - v - 1)
    return cover_together(cover, with_facts(target, map(Index.of, shared)), [*shared, *variables])


def _taken_without_terms(
    block: loop.BlockOp, domain: System, pairs: Sequence[tuple[Symbol, Index]], top: Operation
) -> Iterator[System]:
    """Yield the values that a block gives to the expressions where an extent of its reduction is 0.

    Only loops that do not belong to the reduction run then.
    """
    loops = reduction_loops(block)
    variables = {op.induction_variable for op in loops if top.is_ancestor(op)}
    if any(v in variables for _, e in pairs for v in e.variables):
        return
    bare = _without(domain, loops, top).equating(pairs)
    for _, kind, _, extent in block.iteration():
        if kind == "reduce":
            yield with_facts(bare.where(-resolve(extent)))


@dataclass(frozen=True)
class Taken:
    """The values that the instances of a block give to some expressions, in each iteration of the loops around
    `outer`."""

    system: System
    values: tuple[Symbol, ...]
    """Stand for the expressions, by their positions."""
    shared: tuple[Variable, ...]
    """The variables that are defined outside of `outer`."""
    is_known: bool
    """True if each point belongs to an instance; if false, some points may belong to none."""

    def covers(self, other: Taken) -> Verdict:
        """Decide whether these values include all of `other`, in the same iterations of their common loops."""
        if not self.is_known:
            return Unknown("which instances run is not known")
        shared = dict.fromkeys((*self.shared, *other.shared))
        return covers(self.system, other.system, [*shared, *self.values])


def taken_by(block: loop.BlockOp, expressions: Sequence[Index], outer: Operation) -> Taken:
    """Return the values of expressions over a block's iteration variables; all iterations of `outer`, around it,
    run."""
    found = domain_of(block)
    taken = [found.resolve(e) for e in expressions]
    domain = with_facts(found.system)
    free = with_free_parts(domain, taken, outer)
    values = tuple(Symbol(f"v{k}'") for k in range(len(taken)))
    shared = tuple(v for v in domain.variables if not is_inside(v, outer))
    is_known = free is not None and found.is_exact and not _depends_on_data(domain, taken)
    system = with_facts((free or domain).equating(zip(values, taken, strict=True)))
    return Taken(system, values, shared, is_known)


def runs_each_once(block: loop.BlockOp, loops: Sequence[loop.ForOp]) -> Verdict:
    """Decide whether `loops`, the innermost ones around `block`, execute no instance twice."""
    if not loops:
        return PROVED
    bindings = [resolve(binding) for _, _, binding, _ in block.iteration()]
    if determined(bindings, loops_around(block), loops):
        return PROVED
    system = with_facts(domain_of(block).system)
    inside = [v for v in system.variables if is_inside(v, loops[0])]
    again: dict[Variable, Symbol] = {v: Symbol(f"v{k}'") for k, v in enumerate(inside)}
    both = system & system.substitute(again)
    both = both.equating((e, e.substitute(again)) for e in bindings)
    position = [Index.of(op.induction_variable) for op in loops]
    orders = lexicographically_before(position, [e.substitute(again) for e in position])
    return none_satisfiable(both & order for order in orders)


def runs_terms_in_order(block: loop.BlockOp, loops: Sequence[loop.ForOp]) -> Verdict:
    """Decide whether `loops`, the innermost ones around `block`, run the terms of a result in the order of their
    variables."""
    if not loops:
        return PROVED
    rows = [(kind, resolve(binding)) for _, kind, binding, _ in block.iteration()]
    terms = [e for kind, e in rows if kind == "reduce"]
    system = with_facts(domain_of(block).system)
    inside = [v for v in system.variables if is_inside(v, loops[0])]
    later: dict[Variable, Symbol] = {v: Symbol(f"v{k}'") for k, v in enumerate(inside)}
    both = system & system.substitute(later)
    both = both.equating((e, e.substitute(later)) for kind, e in rows if kind == "spatial")
    position = [Index.of(op.induction_variable) for op in loops]
    runs_later = lexicographically_before(position, [e.substitute(later) for e in position])
    comes_first = lexicographically_before([e.substitute(later) for e in terms], terms)
    return none_satisfiable(both & run & first for run in runs_later for first in comes_first)


def _depends_on_data(domain: System, expressions: Sequence[Index]) -> bool:
    """Return whether a value is known only at run time: a proof of coverage could choose any number for it."""
    variables = (*domain.variables, *(v for e in expressions for v in e.variables))
    return any(isinstance(v, SSAValue) and is_opaque(v) for v in variables)


def _takes_plainly(
    block: loop.BlockOp,
    targets: Sequence[tuple[Index, Index, Index]],
    outer: Operation | None,
    without_terms: bool,
    or_idle: bool,
) -> bool:
    """Return whether each expression is an iteration variable that is bound to a separate loop over exactly the span.

    The other loops certainly have an iteration: without one, nothing would run.
    """
    if block.conditions or any(True for _ in loop.enclosing(block, loop.IfOp)):
        return False
    loops = [op for op in loops_around(block) if outer is None or op is outer or outer.is_ancestor(op)]
    by_variable = {Index.of(op.induction_variable): op for op in loops}
    bindings = {Index.of(variable): binding for variable, _, binding, _ in block.iteration()}
    for e, lower, count in targets:
        binding = bindings.pop(e, None)
        if e == lower and count == Index.of(1):
            continue
        op = None if binding is None else by_variable.pop(binding, None)
        if op is None or op.lowers != (lower,) or op.uppers != (lower + count,):
            return False
    reducing = reduction_loops(block) if without_terms else ()
    idle = [op for op in by_variable.values() if op not in reducing and not op.constant_trip_count]
    if idle and not or_idle:
        return False
    bounds = [v for op in loops for e in (*op.lowers, *op.uppers) for v in e.values()]
    return not any(v is op.induction_variable for v in bounds for op in loops)


def _reduces_plainly(block: loop.BlockOp, loops: Sequence[loop.ForOp]) -> bool:
    """Return whether each reduce variable is bound to a separate loop over the whole extent, and nothing is
    guarded."""
    top = loops[0] if loops else block
    if block.conditions or any(top.is_ancestor(op) for op in loop.enclosing(block, loop.IfOp)):
        return False
    by_variable = {Index.of(op.induction_variable): op for op in loops}
    bindings = [(kind, binding, extent) for _, kind, binding, extent in block.iteration()]
    used = [v for kind, binding, _ in bindings if kind == "spatial" for v in binding.values()]
    for kind, binding, extent in bindings:
        if kind == "spatial" or (binding == Index.of(0) and extent == Index.of(1)):
            continue
        op = by_variable.pop(binding, None)
        if op is None or op.induction_variable in used or op.lowers != (Index.of(0),) or op.uppers != (extent,):
            return False
    if any(op.induction_variable not in used and not op.constant_trip_count for op in by_variable.values()):
        return False  # it may have no iteration
    bounds = [v for op in loops for e in (*op.lowers, *op.uppers) for v in e.values()]
    return not any(is_inside(v, top) for v in bounds)
