"""Instance domains: for which values of the loop variables around it an operation is executed.

A domain is a system of constraints over loop variables and sizes: block iteration variables are replaced by their
bindings, results of `loop.apply` and constants by their expressions. The extents of iteration variables are not
constraints of the domain: only a block's guard decides which instances run, so a question about a guard never presumes
its answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from xdsl.dialects.arith import ConstantOp as ArithConstantOp
from xdsl.dialects.arith import MuliOp
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from ..dialects import loop
from ..dialects.index_expr import Index, Range, Variable
from .integer_set import System


@dataclass(frozen=True)
class Domain:
    """The instances of an operation. Their constraints are computed on first use: indices alone often decide."""

    path: tuple[Operation, ...]
    """The operations around it, outermost first, and itself."""
    bindings: dict[SSAValue, Index]
    """Iteration variables of the block around it, as expressions of the loops' variables."""

    def resolve(self, e: Index) -> Index:
        """Return `e` over loop variables, sizes and values that no expression defines."""
        return resolve(e.substitute(self.bindings))

    @cached_property
    def loops(self) -> tuple[loop.ForOp, ...]:
        """The loops around it, outermost first."""
        return tuple([p for p in self.path[:-1] if isinstance(p, loop.ForOp)])

    @cached_property
    def ranges(self) -> dict[Variable, Range]:
        """Inclusive ranges of the loops' variables."""
        return loop_ranges(self.loops)

    @cached_property
    def is_exact(self) -> bool:
        """Return whether every point of the system is an instance; if not, the system is a superset of the
        instances."""
        return not any(
            isinstance(parent, loop.IfOp) and len(parent.conditions) != 1 and not _is_inside_then(child, parent)
            for parent, child in pairwise(self.path)
        )

    @cached_property
    def system(self) -> System:
        """The constraints that hold at each instance."""
        constraints: list[Index] = []
        zero: list[Index] = []
        for parent, child in pairwise(self.path):
            match parent:
                case loop.ForOp():
                    variable = Index.of(parent.induction_variable)
                    constraints += [variable - self.resolve(e) for e in parent.lowers]
                    constraints += [self.resolve(e) - variable - 1 for e in parent.uppers]
                case loop.IfOp():
                    conditions = [self.resolve(e) for e in parent.conditions]
                    if _is_inside_then(child, parent):
                        constraints += conditions
                    elif len(conditions) == 1:
                        constraints.append(-conditions[0] - 1)
                case loop.BlockOp():
                    constraints += [self.resolve(e) for e in parent.conditions]
                case loop.InitOp():
                    block = parent.parent_op()
                    assert isinstance(block, loop.BlockOp)
                    zero += [self.bindings[v] for v, kind, _, _ in block.iteration() if kind == "reduce"]
                case _:
                    pass
        last = self.path[-1]
        if isinstance(last, loop.BlockOp):
            constraints += [self.resolve(e) for e in last.conditions]
        return System(tuple(constraints), tuple(zero))


def _is_inside_then(op: Operation, conditional: loop.IfOp) -> bool:
    return op.parent_region() is conditional.then_body


def resolve(e: Index) -> Index:
    """Replace values that `loop.apply` and constants define by their expressions."""
    if not e.terms:
        return e
    known: dict[SSAValue, Index] = {}
    for value in e.values():
        if isinstance(value, BlockArgument):  # nearly all are variables of loops
            continue
        owner = value.owner
        if isinstance(owner, loop.ApplyOp):
            known[value] = resolve(owner.index)
        elif isinstance(owner, ArithConstantOp) and isinstance(owner.value, IntegerAttr):
            known[value] = Index.of(owner.value.value.data)
    return e.substitute(known) if known else e


def domain_of(op: Operation) -> Domain:
    """Return the domain of `op` within its function."""
    path = _path_from_function(op)
    bindings: dict[SSAValue, Index] = {}
    for block in path:
        if isinstance(block, loop.BlockOp):
            bindings.update({v: resolve(e.substitute(bindings)) for v, _, e, _ in block.iteration()})
    return Domain(tuple(path), bindings)


def _path_from_function(op: Operation) -> list[Operation]:
    path = [op]
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, FuncOp):
        path.append(parent)
        parent = parent.parent_op()
    return path[::-1]


def loops_behind(e: Index) -> frozenset[loop.ForOp]:
    """Return the loops that drive an expression, through `loop.apply` and `loop.delinearize` too."""
    found: set[loop.ForOp] = set()
    for value in resolve(e).values():
        owner = value.owner
        if isinstance(owner, loop.DelinearizeOp):
            found |= loops_behind(Index.of(owner.fused))
        elif isinstance(owner, MuliOp):
            found |= loops_behind(Index.of(owner.lhs)) | loops_behind(Index.of(owner.rhs))
        elif isinstance(value, BlockArgument) and isinstance(parent := value.block.parent_op(), loop.ForOp):
            found.add(parent)
    return frozenset(found)


def with_facts(system: System, index: Iterable[Index] = ()) -> System:
    """Return the system with the constraints that the definitions of its variables, and of those of an index, imply.

    Sizes are >= 0, delinearized indices within extents.
    """
    facts: list[Index] = []
    pending = [v for v in dict.fromkeys((*system.variables, *_variables(index))) if isinstance(v, SSAValue)]
    seen = set(pending)
    while pending:
        found = _facts_of(pending.pop())
        facts += found
        for e in found:
            fresh = [v for v in e.values() if v not in seen]
            seen.update(fresh)
            pending += fresh
    return system.where(*facts)


def _variables(index: Iterable[Index]) -> list[Variable]:
    return [v for e in index for v in e.variables]


def _facts_of(value: SSAValue) -> list[Index]:
    owner = value.owner
    if isinstance(owner, loop.DimOp):
        return [Index.of(value)]
    if isinstance(owner, loop.DelinearizeOp):
        extent = resolve(owner.sizes[owner.res.index(value)])  # pyright: ignore[reportArgumentType]
        return [Index.of(value), extent - value - 1]
    product = product_of(value)
    return [] if product is None else product.facts()


@dataclass(frozen=True)
class Product:
    """The product `count * length` with `length` >= 0: the start of a part of a loop of symbolic extent.

    No loop variable drives `length`.
    """

    value: SSAValue
    count: Index
    length: Index
    counts: Range
    """The inclusive range of `count`."""

    def facts(self) -> list[Index]:
        """Return the expressions that are >= 0 because of the range of the count."""
        low, high = self.counts
        facts = [] if low is None else [Index.of(self.value) - self.length * low]
        return facts if high is None else [*facts, self.length * high - self.value]


def product_of(value: SSAValue) -> Product | None:
    """Return the product of an index expression of loops with a size; None for other values."""
    owner = value.owner
    if not isinstance(owner, MuliOp) or not isinstance(value.type, IndexType):
        return None
    factors = [resolve(Index.of(owner.lhs)), resolve(Index.of(owner.rhs))]
    for count, length in (factors, factors[::-1]):
        if length.is_constant or loops_behind(length) or any(is_opaque(v) for v in length.values()):
            continue
        sizes = {v: (0, None) for v in length.values() if isinstance(v.owner, loop.DimOp)}
        least = length.bounds(sizes)[0]
        if least is not None and least >= 0:
            return Product(value, count, length, count.bounds(loop_ranges(loops_around(owner))))
    return None


def is_opaque(value: SSAValue) -> bool:
    """Return whether a value inside loops is known only at run time, such as a loaded index."""
    owner = value.owner
    if isinstance(value, BlockArgument):
        parent = value.block.parent_op()
        return not isinstance(parent, (FuncOp, loop.ForOp)) or (
            isinstance(parent, loop.ForOp) and value is not parent.induction_variable
        )
    if isinstance(owner, (loop.DelinearizeOp, loop.DimOp)):
        return False
    assert isinstance(owner, Operation)
    return any(True for _ in loop.enclosing(owner, (loop.ForOp, loop.BlockOp)))


def is_inside(value: Variable, op: Operation) -> bool:
    """Return whether a value is defined in a region of `op`."""
    if not isinstance(value, SSAValue):
        return False
    parent = value.owner.parent_op()
    while parent is not None and parent is not op:
        parent = parent.parent_op()
    return parent is op


def loop_ranges(loops: Iterable[loop.ForOp]) -> dict[Variable, Range]:
    """Return inclusive ranges of the variables of nested loops, given outermost first, by interval arithmetic."""
    ranges: dict[Variable, Range] = {}
    for op in loops:
        lowers = [resolve(e).bounds(ranges)[0] for e in op.lowers]
        uppers = [resolve(e).bounds(ranges)[1] for e in op.uppers]
        low = max((n for n in lowers if n is not None), default=None)
        high = min((n for n in uppers if n is not None), default=None)
        ranges[op.induction_variable] = (low, None if high is None else high - 1)
    return ranges


def loops_around(op: Operation) -> tuple[loop.ForOp, ...]:
    """Return the loops around `op`, outermost first."""
    found = [p for p in loop.enclosing(op, loop.ForOp) if isinstance(p, loop.ForOp)]
    return tuple(reversed(found))
