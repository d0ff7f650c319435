"""Pass `check-bounds`: proves or checks that each access stays inside its buffer, for any data.

The pass runs while buffers still have the shapes that users know. The ranges of loop variables, guards and exact sets
prove that nearly all accesses stay inside. An access that certainly leaves its buffer is an error of the program. The
remaining accesses, mostly at loaded indices, are checked at run time; `check_placement` chooses the insertion point.

A thread of a GPU cannot end its kernel while others wait for it at a barrier. A failed check in a kernel is therefore
recorded, and the kernel continues. The checked condition also guards the access, so that nothing is accessed where the
condition fails.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ....analysis.bounds import Outside, extents_of, outside
from ....analysis.domain import resolve
from ....analysis.integer_ranges import IntegerRanges, type_range
from ....analysis.ranges import UNBOUNDED, Facts, RangeAnalysis
from ....diagnostics import fail
from ....diagnostics.locations import location_of, name_of
from ....diagnostics.remarks import remark
from ....dialects import loop
from ....dialects.index_expr import LANE, Index, Range, Variable, format_index
from ....dialects.target import target_of
from ....ir import editor as edit
from ....ir.rewrites import may_rewrite
from ....traversal import operations
from ...framework.base import Level, Pass
from ...shared.guards import Zeros
from ...shared.loops import substitute
from .check_placement import CheckPoint, CheckWriter, Demand, Slicer, levels_around


@dataclass(frozen=True)
class CheckBoundsPass(Pass):
    """Check the indices of loads and stores against the shapes of their buffers while the program runs.

    ```mlir
    loop.for %i = 0 to 64 {
      loop.for %j = 0 to 16 {
        %0 = loop.load %I[%i] : memref<64xi32>
        %k = arith.index_cast %0 : i32 to index
        %a = loop.load %A[%k, %j] : memref<8x16xf32>
      }
    }
    // becomes
    loop.for %i = 0 to 64 {
      %1 = loop.load %I[%i] : memref<64xi32>
      %2 = arith.index_cast %1 : i32 to index
      loop.assert (%2 >= 0, %2 < 8), "expected an index within [8, 16], but A[{}, {}] is read" (%2, 0)
      loop.for %j = 0 to 16 {
        %0 = loop.load %I[%i] : memref<64xi32>
        %k = arith.index_cast %0 : i32 to index
        %a = loop.load %A[%k, %j] : memref<8x16xf32>
      }
    }
    ```
    Accesses that provably stay inside have no check, and equal accesses of a block share one. Assertions of the program
    before an access count as proved. The check of a guarded access has the same guard. The check of a vector tests each
    lane that is not masked, or only the first and the last lane if the others lie between them. The boxes of foreign
    calls are checked as a whole. A check that fails ends the call with an error; its outputs may be partly written. In
    a loop over threads the failure is recorded, and the checked condition guards the access. Kernels of OpenCL have no
    checks: remark TW0561 states the number of their accesses without a proof.

    An access that leaves its buffer for any data is an error: with constant bounds if one iteration leaves the buffer,
    with symbolic bounds if that happens for all sizes.

    `checks`: whether accesses without a proof are checked. The default pipeline turns checks off under the setting
    `unchecked`, which makes the caller responsible for all indices.

    Needs: loop level; before buffers are flattened, for messages in terms of the user's shapes.
    Grants: no access outside of a buffer, whatever the data.
    """

    name = "check-bounds"
    phase = 1
    levels = (Level.LOOP,)

    checks: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = target_of(op)
        reports_in_kernels = target is None or target.kernels_report
        for function in op.ops:
            if isinstance(function, FuncOp) and function.body.blocks:
                _name_sizes_once(function)
                _Checker(function, checks=self.checks, reports_in_kernels=reports_in_kernels).visit(function)


@dataclass(frozen=True)
class _Access:
    """The box of elements that an operation accesses at once: one element, except for foreign calls."""

    op: Operation
    buffer: SSAValue
    index: tuple[Index, ...]
    box: tuple[int, ...]
    guard: tuple[Index, ...]
    verb: str

    @property
    def lanes(self) -> int | None:
        return self.op.lanes if isinstance(self.op, (loop.LoadOp, loop.StoreOp)) else None


class _Checker:
    """Proves or checks the accesses of one function. `reports_in_kernels`: whether a failed check of a kernel reaches
    the caller."""

    def __init__(self, function: FuncOp, *, checks: bool, reports_in_kernels: bool) -> None:
        self.checks = checks
        self.ranges = RangeAnalysis()
        self.integers = IntegerRanges(function)
        self.reports_in_kernels = reports_in_kernels
        self.slicer = Slicer(self._stated_before)
        self.zeros = Zeros()
        self.proved = 0
        self.checked = 0
        self.unchecked = 0
        self.unreported = 0
        self.made: dict[tuple[Block | None, SSAValue, Index, int, tuple[Index, ...]], Operation] = {}
        """The access that each check was made for."""
        self.stated: dict[Block, list[loop.AssertOp]] = {}
        """The assertions of the program by their blocks, without those of kernels, which do not end the program."""
        for op in operations(function):
            if isinstance(op, loop.AssertOp) and op.parent is not None and not _is_in_kernel(op):
                self.stated.setdefault(op.parent, []).append(op)

    def visit(self, function: FuncOp) -> None:
        for op in operations(function):
            for access in _accesses(op):
                self._visit_access(access)
        name, n = function.sym_name.data, self.proved + self.checked + self.unreported + self.unchecked
        text = f"of {n} accesses in @{name} {self.proved} stay inside their buffers, {self.checked} are checked"
        remark("TW0546", text, op=function, kind="analysis")
        if self.unreported:
            text = f"{self.unreported} accesses of kernels in @{name} are not checked: the target cannot report one"
            remark("TW0561", text, op=function, kind="missed")

    def _visit_access(self, access: _Access) -> None:
        extents, facts = _extents(access), self._facts(access)
        wanted = {
            d: conditions
            for d, each in enumerate(_conditions(access.index, extents, access.box))
            if (conditions := [c for c in each if not facts.proves(c)])
        }
        if not wanted:
            self.proved += 1
            return
        _refuse_outside(access, extents, [c for each in wanted.values() for c in each])
        if not self.checks or not may_rewrite("check an index", access.op):
            self.unchecked += 1
            return
        is_kernel = _is_in_kernel(access.op)
        if is_kernel and not self.reports_in_kernels:
            self.unreported += 1
            return
        self.checked += 1
        for d in wanted:
            key = (access.op.parent, access.buffer, access.index[d], d, access.guard)
            if key not in self.made:
                self.made[key] = access.op
                self._check(access, extents, d, facts, in_front=is_kernel)
            elif self.made[key] in self.slicer.pinned:
                self.slicer.pinned.add(access.op)
        if is_kernel:
            self._guard(access, [c for each in wanted.values() for c in each])

    def _check(
        self, access: _Access, extents: Sequence[Index], dimension: int, facts: Facts, *, in_front: bool
    ) -> None:
        """Check one index of an access in all its lanes: right in front of it, or wherever that costs least."""
        demands = [d for lane in _lanes_to_check(access) if (d := _demand(access, lane, extents, dimension, facts))]
        levels = None if in_front else levels_around(access.op)
        point = CheckPoint(None) if levels is None else CheckPoint.of(self.slicer, levels, demands)
        if point.slice is None:
            self.slicer.pinned.add(access.op)
        location = location_of(access.op) or access.op.location
        CheckWriter(access.op, levels or (), demands, self.zeros, location).write(point)

    def _guard(self, access: _Access, conditions: Sequence[Index]) -> None:
        """Let an access of a kernel touch nothing where it would leave its buffer."""
        op = access.op
        match op:
            case loop.LoadOp():
                otherwise = op.otherwise or self.zeros.before(op)
                made = loop.LoadOp(op.buffer, op.index, [*op.conditions, *conditions], otherwise, op.lanes)
                edit.rename(made.res, op.res.name_hint)
            case loop.StoreOp():
                made = loop.StoreOp(op.value, op.buffer, op.index, [*op.conditions, *conditions])
            case _:
                fail(
                    "TW0562",
                    f"expected what a kernel passes on of {name_of(access.buffer)} to stay inside of it, whatever the "
                    "data is",
                    op=op,
                    help="bring the index into range, as with te.max(te.min(i, n - 1), 0)",
                )
        edit.change(made).attributes, made.location = dict(op.attributes), op.location
        edit.replace(op, made)

    def _stated_before(self, op: Operation) -> Iterator[loop.AssertOp]:
        """Yield the assertions of the program that certainly hold where `op` is executed."""
        at: Operation | None = op if self.stated else None
        while at is not None and (block := at.parent) is not None:
            for assertion in self.stated.get(block, ()):
                if assertion.is_before_in_block(at):
                    yield assertion
            at = block.parent_op()

    def _facts(self, access: _Access) -> Facts:
        """Return the facts that hold at an access, with the ranges of indices that are computed from data."""
        stated = [resolve(e) for assertion in self._stated_before(access.op) for e in assertion.conditions]
        facts = self.ranges.at(access.op).where(*access.guard, *stated)
        computed: dict[Variable, Range] = {}
        for value in (v for e in access.index for v in resolve(e).values()):
            interval = self.integers[value]
            if value not in facts.ranges and interval != type_range(value.type):
                computed[value] = interval or UNBOUNDED
        return Facts({**facts.ranges, **computed}, facts.nonnegative) if computed else facts


def _is_in_kernel(op: Operation) -> bool:
    return any(isinstance(p, loop.ForOp) and p.kind.tag.data for p in loop.enclosing(op, loop.ForOp))


def _name_sizes_once(function: FuncOp) -> None:
    """Let a size that `loop.bind` states of a buffer be the value that is stated, so that guards speak of extents."""
    for bind in [op for op in function.body.block.ops if isinstance(op, loop.BindOp)]:
        stated = bind.index_list("shape")
        for dim in [use.operation for use in bind.buffer.uses if isinstance(use.operation, loop.DimOp)]:
            extent, around = stated[dim.dimension.value.data], function.body.block.find_ancestor_op_in_block(dim)
            if dim.res not in extent.values() and around is not None and bind.is_before_in_block(around):
                users = [use.operation for use in dim.res.uses]
                substitute(users, {dim.res: extent})


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
    """Return the extents of a buffer; one that no operation names gets a name."""
    return tuple(
        _name_extent(access, d) if extent is None else extent for d, extent in enumerate(extents_of(access.buffer))
    )


def _name_extent(access: _Access, dimension: int) -> Index:
    dim, owner = loop.DimOp(access.buffer, dimension), access.buffer.owner
    dim.location = access.op.location
    at = InsertPoint.after(owner) if isinstance(owner, Operation) else InsertPoint.at_start(owner)
    edit.insert(dim, at)
    return Index.of(dim.res)


def _conditions(index: Sequence[Index], extents: Sequence[Index], box: Sequence[int]) -> list[tuple[Index, Index]]:
    """Return, for each dimension, the expressions that are >= 0 where a box lies inside its buffer."""
    return [(resolve(e), extent - resolve(e) - size) for e, extent, size in zip(index, extents, box, strict=True)]


def _lanes_to_check(access: _Access) -> Iterator[int | None]:
    """Yield the lanes that have to be inside for all to be; None for a scalar."""
    lanes = access.lanes
    varying = [e for e in access.index if e.uses_lane]
    if lanes is None or not varying:
        yield None if lanes is None else 0
        return
    is_linear = all(not (e - Index.of(LANE) * e.coefficient(LANE)).uses_lane for e in varying)
    is_masked = any(e.uses_lane for e in access.guard)
    yield from sorted({0, lanes - 1}) if is_linear and not is_masked else range(lanes)


def _demand(access: _Access, lane: int | None, extents: Sequence[Index], dimension: int, facts: Facts) -> Demand | None:
    """Return the check that one index of an access needs; None where the facts prove it for this lane."""

    def here(e: Index) -> Index:
        return e if lane is None else e.substitute({LANE: lane})

    index = [here(e) for e in access.index]
    conditions = [c for c in _conditions(index, extents, access.box)[dimension] if not facts.proves(c)]
    if not conditions:
        return None
    known = {v for e in (index[dimension], *access.guard) for v in resolve(e).values() if _is_computed(v)}
    message_values: list[Index] = [extent for extent in extents if not extent.is_constant]
    texts: list[str] = []
    for e, size in zip(index, access.box, strict=True):
        if any(_is_computed(v) and v not in known for v in resolve(e).values()):
            texts.append("_")
            continue
        texts.append("{}" if size == 1 else "{}:{}")
        message_values += [e] if size == 1 else [e, e + size]
    shape = ", ".join(str(extent) if extent.is_constant else "{}" for extent in extents)
    message = f"expected an index within [{shape}], but {_name(access)}[{', '.join(texts)}] is {access.verb}"
    return Demand(tuple(map(here, access.guard)), tuple(conditions), message, tuple(map(resolve, message_values)))


def _is_computed(value: SSAValue) -> bool:
    """Return whether a value is neither a loop's variable nor a size. A message names such a value only if the check
    needs it."""
    return isinstance(value.owner, Operation) and not isinstance(value.owner, loop.DimOp)


def _name(access: _Access) -> str:
    return name_of(access.buffer).lstrip("%")


def _refuse_outside(access: _Access, extents: Sequence[Index], conditions: Sequence[Index]) -> None:
    """Raise TilewrightError TW0560 for an access that leaves its buffer with certainty."""
    found = outside(access.op, conditions, access.guard, access.lanes)
    if found is None:
        return
    shape = ", ".join(_printed(e) for e in extents)
    fail(
        "TW0560",
        f"expected an index within [{shape}], but {_name(access)}[{_index_text(access, found)}] is {access.verb}"
        + ("" if found.point is not None else ", whatever the sizes are"),
        op=access.op,
        help="guard it, as te.if_then_else(i < n, A[i], 0) does, or let its loop, or the tensor's shape, end earlier",
    )


def _index_text(access: _Access, found: Outside) -> str:
    """Return the index of an access, as numbers where a point is known."""
    if found.point is None:
        return ", ".join(_printed(resolve(e)) for e in access.index)
    missing = dict.fromkeys((v for e in access.index for v in resolve(e).variables if v not in found.point), 0)
    first = [resolve(e).evaluate({**missing, **found.point}) for e in access.index]
    return ", ".join(str(n) if size == 1 else f"{n}:{n + size}" for n, size in zip(first, access.box, strict=True))


def _printed(e: Index) -> str:
    return format_index(e, lambda value: name_of(value).lstrip("%"))
