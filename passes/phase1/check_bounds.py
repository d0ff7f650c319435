"""Pass `check-bounds`: accesses check their indices while the program runs.

It stands where buffers have the shapes that users know. What the ranges of loop variables, guards and exact sets prove
is not checked; that is nearly everything but indices that were themselves loaded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.bounds import extents_of
from ...analysis.domain import resolve
from ...analysis.integer_ranges import IntegerRanges, type_range
from ...analysis.ranges import UNBOUNDED, Facts, RangeAnalysis
from ...diagnostics.locations import location_of, name_of
from ...diagnostics.remarks import remark
from ...dialects import loop
from ...dialects.index_expr import LANE, Index, Range, Variable
from ...traversal import operations
from ..base import Level, Pass
from ..rewrite_limit import may_rewrite


@dataclass(frozen=True)
class CheckBoundsPass(Pass):
    """Check the indices of loads and stores against the shapes of their buffers while the program runs.

    ```mlir
    %k = arith.index_cast %0 : i32 to index
    %a = loop.load %A[%k] : memref<8xf32>
    // becomes
    %k = arith.index_cast %0 : i32 to index
    loop.assert (%k >= 0, %k < 8), "expected an index within [8], but A[{}] is read" (%k)
    %a = loop.load %A[%k] : memref<8xf32>
    ```
    Accesses that provably stay inside have no check, and equal ones of a block one between them. The check of a guarded
    access is guarded alike; that of a vector looks at each lane that is not masked, or at the first and the last where
    the others lie between. The boxes of foreign calls are checked as a whole. A check that fails ends the call with an
    error; its outputs may be partly written.

    It runs where it is asked for: with the setting `check_bounds`, or by name.

    Needs: loop level; before buffers are flattened, for messages in terms of the user's shapes.
    Grants: no access outside of a buffer, whatever the data.
    """

    name = "check-bounds"
    phase = 1
    levels = (Level.LOOP,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, FuncOp) and function.body.blocks:
                _Checker(function).visit(function)


@dataclass(frozen=True)
class _Access:
    """A box of elements that an operation touches at once, one element but for foreign calls."""

    op: Operation
    buffer: SSAValue
    index: tuple[Index, ...]
    box: tuple[int, ...]
    guard: tuple[Index, ...]
    verb: str


class _Checker:
    def __init__(self, function: FuncOp) -> None:
        self.ranges = RangeAnalysis()
        self.integers = IntegerRanges(function)
        self.proved = 0
        self.checked = 0
        self.made: set[tuple[Block | None, SSAValue, tuple[Index, ...], tuple[Index, ...]]] = set()

    def visit(self, function: FuncOp) -> None:
        for op in operations(function):
            for access in _accesses(op):
                self._visit_access(access)
        name, n = function.sym_name.data, self.proved + self.checked
        told = f"of {n} accesses in @{name} {self.proved} stay inside their buffers, {self.checked} are checked"
        remark("TW0546", told, op=function, kind="analysis")

    def _visit_access(self, access: _Access) -> None:
        extents = _extents(access)
        facts = self._facts(access)
        if facts.proves_all(_conditions(access.index, extents, access.box)):
            self.proved += 1
            return
        if not may_rewrite("check an index", access.op):
            return
        self.checked += 1
        key = (access.op.parent, access.buffer, access.index, access.guard)
        if key not in self.made:
            self.made.add(key)
            for at in _lanes_to_check(access):
                _insert_check(access, at, extents, facts)

    def _facts(self, access: _Access) -> Facts:
        """What is known where the access is made, of indices that are computed from data too."""
        facts = self.ranges.at(access.op).where(*access.guard)
        computed: dict[Variable, Range] = {}
        for value in (v for e in access.index for v in resolve(e).values()):
            interval = self.integers[value]
            if value not in facts.ranges and interval != type_range(value.type):
                computed[value] = interval or UNBOUNDED
        return Facts({**facts.ranges, **computed}, facts.nonnegative) if computed else facts


def _accesses(op: Operation) -> Iterator[_Access]:
    match op:
        case loop.LoadOp():
            yield _Access(op, op.buffer, op.index, (1,) * len(op.index), op.conditions, "read")
        case loop.StoreOp():
            yield _Access(op, op.buffer, op.index, (1,) * len(op.index), op.conditions, "written")
        case loop.CallExternOp():
            for _, passed in op.accesses:
                box = tuple(1 + sum((count - 1) * step for count, step in pairs) for pairs in passed.box)
                yield _Access(op, passed.buffer, passed.index, box, (), "passed on")
        case _:
            pass


def _extents(access: _Access) -> tuple[Index, ...]:
    """The extents of a buffer; one that no operation names gets a name."""
    return tuple(
        _name_extent(access, d) if extent is None else extent for d, extent in enumerate(extents_of(access.buffer))
    )


def _name_extent(access: _Access, dimension: int) -> Index:
    dim, owner = loop.DimOp(access.buffer, dimension), access.buffer.owner
    dim.location = access.op.location
    at = InsertPoint.after(owner) if isinstance(owner, Operation) else InsertPoint.at_start(owner)
    Rewriter.insert_op(dim, at)
    return Index.of(dim.res)


def _conditions(index: Sequence[Index], extents: Sequence[Index], box: Sequence[int]) -> list[Index]:
    """What is >= 0 where a box lies inside its buffer."""
    pairs = [(resolve(e), extent - resolve(e) - size) for e, extent, size in zip(index, extents, box, strict=True)]
    return [condition for pair in pairs for condition in pair]


def _lanes_to_check(access: _Access) -> Iterator[int | None]:
    """The lanes whose being inside says that all are; None for a scalar."""
    lanes = getattr(access.op, "lanes", None)
    varying = [e for e in access.index if e.uses_lane]
    if lanes is None or not varying:
        yield None if lanes is None else 0
        return
    is_linear = all(not (e - Index.of(LANE) * e.coefficient(LANE)).uses_lane for e in varying)
    is_masked = any(e.uses_lane for e in access.guard)
    yield from sorted({0, lanes - 1}) if is_linear and not is_masked else range(lanes)


def _insert_check(access: _Access, lane: int | None, extents: Sequence[Index], facts: Facts) -> None:
    """Check one lane of an access in front of it."""

    def here(e: Index) -> Index:
        return e if lane is None else e.substitute({LANE: lane})

    index = [here(e) for e in access.index]
    is_symbolic = [not extent.is_constant for extent in extents]
    shape = ", ".join("{}" if symbolic else str(e) for symbolic, e in zip(is_symbolic, extents, strict=True))
    sizes = [extent for symbolic, extent in zip(is_symbolic, extents, strict=True) if symbolic]
    place = ", ".join("{}" if size == 1 else "{}:{}" for size in access.box)
    told = [end for e, size in zip(index, access.box, strict=True) for end in ([e] if size == 1 else [e, e + size])]
    message = f"expected an index within [{shape}], but {name_of(access.buffer).lstrip('%')}[{place}] is {access.verb}"
    conditions = [c for c in _conditions(index, extents, access.box) if not facts.proves(c)]
    if not conditions:
        return
    guard = [here(e) for e in access.guard]
    check: Operation = loop.AssertOp(conditions, message, [*sizes, *told])
    check.location = location_of(access.op) or access.op.location
    if guard:
        guarded = loop.IfOp(guard, Region(Block([check])))
        guarded.location = check.location
        check = guarded
    Rewriter.insert_op(check, InsertPoint.before(access.op))
