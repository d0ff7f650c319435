"""Scheduled loops as the cost model reads them: serial loops, the straight code between them, and its accesses.

Unrolled and vectorized loops that hold no serial loop are part of the straight code around them: a `Body` is what one
iteration of a serial or parallel loop runs between its inner loops, and each of its statements has the written-out
loops that repeat it. Loop IR is read with blocks, as schedules leave it, and without, as phase 3 leaves it, where
vectors are lanes of accesses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, VectorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import loop
from ...dialects.index_expr import LANE, FloorDiv, Index, Mod, Range, Variable
from ..domain import Domain, domain_of
from .coefficients import UNKNOWN_EXTENT

_WRITTEN_OUT = (loop.UNROLLED, loop.VECTORIZED)
_MANY = 1 << 30

SHORT_TRIPS, SHORT_OPERATIONS = 4, 64
"""The options of pass `unroll`: innermost loops up to this length, and this many operations, are written out."""


@dataclass(eq=False)
class Reference:
    """An access of memory or registers, with its stride in bytes for each loop variable."""

    op: loop.LoadOp | loop.StoreOp
    buffer: SSAValue
    """The argument, allocation or constant behind views."""
    element_bytes: int
    strides: Mapping[Variable, float]
    """Bytes for a step of a loop's variable, or of the lane."""
    start: float
    """Bytes from the buffer's first element where all variables are 0."""
    is_random: bool
    """True where an index is data."""

    @property
    def is_write(self) -> bool:
        return isinstance(self.op, loop.StoreOp)

    @property
    def scope(self) -> str:
        return loop.scope_of(self.buffer.type)

    @property
    def in_registers(self) -> bool:
        return self.scope == loop.REGISTER


@dataclass(eq=False)
class Statement:
    """Operations of one block, or of one loop's body, that run together."""

    operations: tuple[Operation, ...]
    references: tuple[Reference, ...]
    loops: tuple[loop.ForOp, ...]
    """All loops around it, outermost first."""
    inner: tuple[loop.ForOp, ...]
    """The ones among them that are written out as part of a body."""
    block: loop.BlockOp | None
    share: float = 1.0
    """The share of the iterations that runs it: the init of a reduction runs once for all terms."""

    @property
    def label(self) -> str:
        return "" if self.block is None else self.block.label

    @cached_property
    def vector_loop(self) -> loop.ForOp | None:
        """The innermost vectorized loop around it."""
        return next((op for op in reversed(self.loops) if op.kind == loop.VECTORIZED), None)

    @property
    def unrolled(self) -> tuple[loop.ForOp, ...]:
        return tuple(op for op in self.inner if op is not self.vector_loop)

    def tiles(self, condition: Index) -> tuple[float, float]:
        """Return the tiles of the serial loops that a condition of the block speaks of, and those that it lets run in
        part."""
        outer = [op for op in self.loops if op not in self.inner and op.induction_variable in condition.variables]
        steps = [-condition.coefficient(op.induction_variable) for op in outer]
        if not outer or min(steps) <= 0:
            return 1.0, 1.0
        count = float(prod(op.constant_trip_count or UNKNOWN_EXTENT for op in outer))
        return count, min(count, float(max(1, -(-(condition.constant + 1) // min(steps)))))

    @cached_property
    def executed(self) -> float:
        """The share of its tiles that lie within the conditions of the block; the others are left out."""
        if self.block is None:
            return 1.0
        shares = {frozenset(e.variables): self.tiles(e) for e in self.block.conditions}
        return prod(run / count for count, run in shares.values())


@dataclass(eq=False)
class Body:
    """One iteration of a serial or parallel loop, or the function: statements and inner loops, in program order."""

    loop: loop.ForOp | None
    outer: tuple[loop.ForOp, ...]
    """The loops around, outermost first, the loop itself among them."""
    parts: list[Statement | Body] = field(default_factory=list["Statement | Body"])

    @property
    def statements(self) -> list[Statement]:
        return [part for part in self.parts if isinstance(part, Statement)]

    @property
    def bodies(self) -> list[Body]:
        return [part for part in self.parts if isinstance(part, Body)]

    def walk(self) -> Iterator[Body]:
        """Yield this body and all bodies inside it, in program order."""
        yield self
        for body in self.bodies:
            yield from body.walk()

    @cached_property
    def all_statements(self) -> list[Statement]:
        """The statements inside, those of inner loops too, in program order."""
        return [s for part in self.parts for s in ([part] if isinstance(part, Statement) else part.all_statements)]


def trips_of(op: loop.ForOp, ranges: Mapping[Variable, Range]) -> float:
    """Return the iterations of a loop, at least 1; `UNKNOWN_EXTENT` where sizes decide that come at run time."""
    known = op.constant_trip_count
    if known is None:
        low, high = ranges.get(op.induction_variable, (None, None))
        known = UNKNOWN_EXTENT if low is None or high is None else high - low + 1
    return float(max(known, 1))


@dataclass(eq=False)
class Nests:
    """The loops of a function."""

    function: FuncOp
    root: Body
    trips: dict[Variable, float]
    """The iterations of each loop, by its variable; the lane of vectors is not among them."""


def nests_of(function: FuncOp) -> Nests:
    """Read the loops of a function, with blocks or without."""
    reader = _Reader()
    root = Body(None, ())
    for block in function.body.blocks:
        reader.read(block.ops, root, (), 1.0)
    reader.finish()
    return Nests(function, root, reader.trips)


@dataclass(eq=False)
class _Raw:
    """An access before the shape of its buffer is known."""

    op: loop.LoadOp | loop.StoreOp
    domain: Domain
    index: tuple[Index, ...]


class _Reader:
    def __init__(self) -> None:
        self.trips: dict[Variable, float] = {}
        self.domains: dict[object, Domain] = {}
        self.pending: list[tuple[Statement, list[_Raw]]] = []

    # The tree

    def read(self, ops: Iterable[Operation], body: Body, inner: tuple[loop.ForOp, ...], share: float) -> None:
        """Add the operations of a region to a body; `inner` are written-out loops between the two."""
        straight: list[Operation] = []
        for op in ops:
            match op:
                case loop.ForOp():
                    self._flush(straight, body, inner, share)
                    self._read_loop(op, body, inner, share)
                case loop.InitOp():
                    self.read(op.body.block.ops, body, inner, share / self._terms(op, (*body.outer, *inner)))
                case _ if op.regions:
                    self._flush(straight, body, inner, share)
                    for region in op.regions:
                        for block in region.blocks:
                            self.read(block.ops, body, inner, share)
                case _:
                    straight.append(op)
        self._flush(straight, body, inner, share)

    def _read_loop(self, op: loop.ForOp, body: Body, inner: tuple[loop.ForOp, ...], share: float) -> None:
        domain = self._domain(op.body.block.first_op or op)
        self.trips[op.induction_variable] = trips_of(op, domain.ranges)
        if is_written_out(op):
            self.read(op.body.block.ops, body, (*inner, op), share)
            return
        within = Body(op, (*body.outer, *inner, op))
        body.parts.append(within)
        self.read(op.body.block.ops, within, (), share)

    def _terms(self, init: loop.InitOp, loops: Sequence[loop.ForOp]) -> float:
        """Return the iterations of the loops that run over a reduction's terms."""
        block = init.parent_op()
        assert isinstance(block, loop.BlockOp)
        driving = {v for _, kind, e, _ in block.iteration() if kind == "reduce" for v in e.values()}
        return prod(self.trips[op.induction_variable] for op in loops if op.induction_variable in driving)

    def _flush(self, straight: list[Operation], body: Body, inner: tuple[loop.ForOp, ...], share: float) -> None:
        ops = tuple(straight)
        straight.clear()
        if not any(isinstance(op, (loop.LoadOp, loop.StoreOp)) or op.results for op in ops):
            return
        loops = (*body.outer, *inner)
        around = [p for p in loop.enclosing(ops[0], loop.BlockOp) if isinstance(p, loop.BlockOp)]
        statement = Statement(ops, (), loops, inner, around[-1] if around else None, share)
        raw = [self._raw(op) for op in ops if isinstance(op, (loop.LoadOp, loop.StoreOp))]
        if raw or any(op.name.split(".")[0] in ("arith", "math", "vector") for op in ops):
            body.parts.append(statement)
            self.pending.append((statement, raw))

    def _domain(self, op: Operation) -> Domain:
        if op.parent not in self.domains:
            self.domains[op.parent] = domain_of(op)
        return self.domains[op.parent]

    def _raw(self, op: loop.LoadOp | loop.StoreOp) -> _Raw:
        domain = self._domain(op)
        ranges = self._ranges(op, domain)
        return _Raw(op, domain, tuple(domain.resolve(e).with_ranges(ranges) for e in op.index))

    def _ranges(self, op: loop.LoadOp | loop.StoreOp, domain: Domain) -> Mapping[Variable, Range]:
        return domain.ranges if op.lanes is None else {**domain.ranges, LANE: (0, op.lanes - 1)}

    # The accesses

    def finish(self) -> None:
        """Give statements their references: buffers shrink to the elements that are accessed below their
        allocations."""
        shapes: dict[SSAValue, list[float]] = {}
        for _, accesses in self.pending:
            for raw in accesses:
                widths = self._widths(raw)
                known = shapes.setdefault(raw.op.buffer, widths)
                shapes[raw.op.buffer] = [max(a, b) for a, b in zip(known, widths, strict=True)]
        for statement, accesses in self.pending:
            statement.references = tuple(self._reference(raw, shapes[raw.op.buffer]) for raw in accesses)

    def _widths(self, raw: _Raw) -> list[float]:
        """Return the extent of each dimension: that of the type, or of the accesses below the allocation."""
        type_ = raw.op.buffer.type
        assert isinstance(type_, MemRefType)
        full = [float(UNKNOWN_EXTENT if n == DYNAMIC_INDEX else n) for n in type_.get_shape()]
        if not _is_inside_loop(raw.op.buffer):
            return full
        moving = self._inside(raw)
        ranges = self._ranges(raw.op, raw.domain)
        widths: list[float] = []
        for extent, e in zip(full, raw.index, strict=True):
            kept = Index(tuple(term for term in e.terms if _depends(term[0], moving)), 0)
            low, high = kept.bounds(ranges)
            widths.append(extent if low is None or high is None else min(extent, high - low + 1))
        return widths

    def _inside(self, raw: _Raw) -> frozenset[Variable]:
        """Return the variables of the loops that an allocation stands outside of, and the lane."""
        owner = raw.op.buffer.owner
        assert isinstance(owner, Operation)
        around = set(loop.enclosing(owner, loop.ForOp))
        return frozenset((LANE, *(op.induction_variable for op in raw.domain.loops if op not in around)))

    def _reference(self, raw: _Raw, shape: Sequence[float]) -> Reference:
        type_ = raw.op.buffer.type
        assert isinstance(type_, MemRefType)
        size = element_bytes(type_.element_type)
        moving = self._inside(raw) if _is_inside_loop(raw.op.buffer) else None
        strides: dict[Variable, float] = {}
        start, is_random, step = 0.0, False, float(size)
        for extent, e in zip(reversed(shape), reversed(raw.index), strict=True):
            for variable, c in _coefficients(e).items():
                if variable is not LANE and variable not in self.trips:
                    is_random |= not _is_size(variable)
                elif moving is None or variable in moving:
                    strides[variable] = strides.get(variable, 0.0) + c * step
            start += e.constant * step
            step *= extent
        return Reference(raw.op, _memory_of(raw.op.buffer), size, strides, start, is_random)


def element_bytes(type_: Attribute) -> int:
    """Return bytes of an element in memory; those of a word where the type states no width."""
    if isinstance(type_, VectorType):
        type_ = type_.element_type
    bits = getattr(type_, "bitwidth", None)
    return 8 if not isinstance(bits, int) else max(1, -(-bits // 8))


def _coefficients(e: Index) -> dict[Variable, float]:
    """Return the step of an expression for each variable; quotients and remainders move as their numerators do on
    average."""
    found: dict[Variable, float] = {}
    for atom, c in e.terms:
        if isinstance(atom, FloorDiv):
            parts = {v: k / atom.divisor for v, k in _coefficients(atom.numerator).items()}
        elif isinstance(atom, Mod):
            parts = {v: k % atom.divisor if k >= 0 else k for v, k in _coefficients(atom.numerator).items()}
        elif isinstance(atom, SSAValue) and isinstance(atom.owner, loop.DelinearizeOp):
            parts = _delinearized(atom, atom.owner)
        else:
            parts = {atom: 1.0}
        for variable, k in parts.items():
            found[variable] = found.get(variable, 0.0) + c * k  # pyright: ignore[reportArgumentType]
    return found


def _delinearized(value: SSAValue, op: loop.DelinearizeOp) -> dict[Variable, float]:
    position = list(op.res).index(value)  # pyright: ignore[reportArgumentType]
    inner = [e.constant if e.is_constant else UNKNOWN_EXTENT for e in op.sizes[position + 1 :]]
    return {op.fused: 1.0 / prod(inner)}


def _depends(atom: object, moving: frozenset[Variable]) -> bool:
    if isinstance(atom, (FloorDiv, Mod)):
        return any(v in moving for v in atom.numerator.variables)
    if isinstance(atom, SSAValue) and isinstance(atom.owner, loop.DelinearizeOp):
        return atom.owner.fused in moving
    return atom in moving


def _is_size(variable: Variable) -> bool:
    return isinstance(variable, SSAValue) and isinstance(variable.owner, loop.DimOp)


def _memory_of(buffer: SSAValue) -> SSAValue:
    while isinstance(buffer.owner, loop.ViewOp):
        buffer = buffer.owner.buffer
    return buffer


def _is_inside_loop(buffer: SSAValue) -> bool:
    """Return True for a buffer that each iteration of a loop allocates."""
    owner = buffer.owner
    return isinstance(owner, loop.AllocOp) and next(loop.enclosing(owner, loop.ForOp), None) is not None


def is_written_out(op: loop.ForOp) -> bool:
    """Return True for a loop whose iterations are one piece of straight code.

    Pass `unroll` writes out short innermost loops too.
    """
    key = op.kind in _WRITTEN_OUT or (op.kind == loop.SERIAL and (op.constant_trip_count or _MANY) <= SHORT_TRIPS)
    if not key or not all(is_written_out(inner) for inner in _loops_in(op.body.block.ops)):
        return False
    return op.kind in _WRITTEN_OUT or _size(op) <= SHORT_OPERATIONS


def _loops_in(ops: Iterable[Operation]) -> Iterator[loop.ForOp]:
    for op in ops:
        if isinstance(op, loop.ForOp):
            yield op
        else:
            for region in op.regions:
                for block in region.blocks:
                    yield from _loops_in(block.ops)


def _size(op: loop.ForOp) -> int:
    """Return operations of a loop that is written out; a vectorized one is one iteration."""
    trips = 1 if op.kind == loop.VECTORIZED else op.constant_trip_count or _MANY
    return trips * sum(_sizes(op.body.block.ops))


def _sizes(ops: Iterable[Operation]) -> Iterator[int]:
    for op in ops:
        if isinstance(op, loop.ForOp):
            yield _size(op)
        elif op.regions:
            for region in op.regions:
                for block in region.blocks:
                    yield from _sizes(block.ops)
        else:
            yield 1
