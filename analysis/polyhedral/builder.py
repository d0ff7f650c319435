"""Builder of the polyhedral model of a function of blocks or loops.

Every operation is visited once, in program order. An operation that writes becomes a statement; the expression that it
writes is built from the definitions of its operands, each at the point of its definition. The iterations of loops of
all kinds are ordered as in a serial loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import count

from xdsl.dialects import func
from xdsl.dialects.builtin import IndexType, MemRefType, VectorType, i1
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.traits import Pure

from ...diagnostics import TilewrightError
from ...dialects import loop
from ...dialects.index_expr import LANE, Index, Symbol
from ...dialects.lane_constants import integer_in_lanes
from ...dialects.upstream.undefined import DIVISIONS, SIGNED, is_upstream
from ...ir import editor as edit
from ...traversal import operations
from ..init_nests import init_if_empty, reductions_by_first_loop
from ..integer_set import System
from ..ranges import Facts
from . import expression_trees as tree
from .buffer_cells import Buffers, is_workspace
from .expression_trees import Expression
from .fused import FusedLoop, fused_loop, radix_of
from .guard_systems import EVERYWHERE, Decided, both, conjunction, holds
from .model import Assertion, Cell, Division, Model, Obligation, ParallelLoop, Read, Refusal, Statement, Union
from .piecewise import cases_of, truth_of
from .program_point import ProgramPoint
from .sizes import RefusedError, Sizes, refuse
from .subscripts import linear
from .te_builder import TeBuilder, has_tensors
from .trees import Trees, element_type, is_scalar_operation, truth_or_index


def model_of(
    function: func.FuncOp,
    *,
    fixed: Mapping[Symbol, int] | None = None,
    shapes: Mapping[int, Sequence[int]] | None = None,
) -> Model | Refusal:
    """Return the model of a function at te, block or loop level, or the reason why there is none.

    `fixed` gives values to parameters: products and quotients by them are then affine, and the model is valid for these
    sizes only. `shapes` gives arguments of constant shape, by position, another shape with as many elements: that of
    the same argument in a function to compare with.
    """
    try:
        reader = TeBuilder if has_tensors(function) else Builder
        return reader(function, fixed or {}, shapes or {}).model()
    except RefusedError as error:
        return error.refusal


class Builder:
    """The state of one traversal of a function."""

    def __init__(self, function: func.FuncOp, fixed: Mapping[Symbol, int], shapes: Mapping[int, Sequence[int]]) -> None:
        self.function = function
        self.sizes = Sizes(function, fixed)
        self.buffers = Buffers(function, self.sizes, shapes)
        self.load_times: dict[Operation, tuple[Index, ...]] = {}
        """The time of each load."""
        self.carried: dict[SSAValue, tuple[Cell, tuple[Index, ...]]] = {}
        """Values that loops carry, with the time at which their cell holds them."""
        self.scalars: dict[SSAValue, Cell] = {}
        """Arguments that are numbers."""
        self.aliases: dict[SSAValue, SSAValue] = {}
        """Block arguments of regions, and the values that they have."""
        self._started_reductions = reductions_by_first_loop(function)
        self._origin: Operation | None = None
        """The init that the operations without a function come from."""
        self._names = count()
        self._statements: list[Statement] = []
        self._reads: list[Read] = []
        self._assertions: list[Assertion] = []
        self._obligations: list[Obligation] = []
        self._parallel_loops: list[ParallelLoop] = []
        self._divisions: list[Division] = []
        self._conditions: dict[object, list[tuple[ProgramPoint, Cell, tuple[Index, ...]]]] = {}
        """Conditions on data that have a cell: the point of its write, and the time after which it holds the value."""

    def model(self) -> Model:
        if len(self.function.body.blocks) != 1:
            refuse(self.function, "the function has no body of one block")
        clock, point = count(1), ProgramPoint((), EVERYWHERE, ())
        for position, argument in enumerate(self.function.body.block.args):
            if is_workspace(self.function, position):
                self._undefined(argument, self.function, point, clock)
            elif not isinstance(argument.type, (MemRefType, IndexType)):
                self.scalars[argument] = self.buffers.scalar(argument, position)
        self._block(self.function.body.block, point, clock)
        return Model(
            tuple(self.sizes.parameters),
            self.sizes.context,
            tuple(self._assertions),
            tuple(self.buffers.cells),
            tuple(self._statements),
            tuple(self._reads),
            tuple(self._obligations),
            tuple(self._parallel_loops),
            (Index.of(next(clock)),),
            tuple(self._divisions),
            self.sizes.given if is_upstream(self.function) else self.sizes.context,
            tuple(self.sizes.digits),
        )

    # Used by other modules

    def index_in(self, e: Index, lane: Index | None, op: Operation) -> Index:
        """Return an index expression of an operation over symbols; `lane` replaces its lane."""
        return self.sizes.index(e if lane is None else e.substitute({LANE: lane}), op)

    def owner(self, value: SSAValue) -> Operation:
        """Return the operation that makes a value, or that passes it to its region."""
        owner = value.block.parent_op() if isinstance(value, BlockArgument) else value.owner
        assert isinstance(owner, Operation)
        return owner

    def read(
        self,
        statement: int,
        op: Operation,
        domain: Union,
        time: tuple[Index, ...],
        cell: Cell,
        element: Sequence[Index],
    ) -> Expression:
        """Add a read to the statement that is being made, and return it."""
        number = len(self._reads)
        self._reads.append(
            Read(number, self._origin or op, statement, self._variables, domain, time, cell, tuple(element))
        )
        return tree.read_value(number, cell.type)

    # Operations

    def _block(self, block: Block, point: ProgramPoint, clock: Iterator[int]) -> ProgramPoint:
        """Read a block. Return its last point, which has the variables of the indices that were made in the block."""
        for op in block.ops:
            point = self._operation(op, point, clock)
        return point

    def _operation(self, op: Operation, point: ProgramPoint, clock: Iterator[int]) -> ProgramPoint:
        """Read one operation. Return the point of the next one, with the conditions that this one has checked."""
        match op:
            case loop.ForOp():
                self._loop(op, point, clock)
            case loop.IfOp():
                then, other = self._branches(op, point, clock)
                self._block(op.then_body.block, then, clock)
                if op.else_body.blocks:
                    self._block(op.else_body.block, other, clock)
            case loop.BlockOp():
                self._block_of_a_computation(op, point, clock)
            case loop.InitOp():
                block = op.parent_op()
                assert isinstance(block, loop.BlockOp)
                first = System(
                    (), tuple(self.sizes.known[v] for v, kind, _, _ in block.iteration() if kind == "reduce")
                )
                self._block(op.body.block, point.where((first,)), clock)
            case loop.LoadOp():
                self.load_times[op] = (*point.time, Index.of(next(clock)))
                self._access(op, op.lanes, point)
            case loop.StoreOp():
                self._store(op, point, clock)
            case loop.AllocOp():
                self._undefined(op.res, op, point, clock)
            case loop.AssertOp():
                if point.guards:
                    refuse(op, "an assertion stands below a condition on data")
                conditions = tuple(self.sizes.index(e, op) for e in op.conditions)
                self._assertions.append(Assertion(op, point.variables, point.domain, conditions))
                return replace(point, assumed=(*point.assumed, *conditions))
            case loop.YieldOp() | func.ReturnOp() | loop.BindOp() | loop.PrefetchOp() | loop.PrefetchAheadOp():
                if isinstance(op, func.ReturnOp) and op.operands:
                    refuse(op, "the function has results that are no buffers passed to it")
            case loop.DelinearizeOp():
                self._split(op, point)
            case loop.ViewOp():
                self._view(op, point)
            case _ if not op.has_trait(Pure) and not is_scalar_operation(op):
                refuse(op, f"operation {op.name} is not modelled")
            case _:
                if op.name in DIVISIONS and is_upstream(op):
                    self._division(op, point, clock)
                return self._one_of(op, point)
        return point

    def _one_of(self, op: Operation, point: ProgramPoint) -> ProgramPoint:
        """Add a variable for an index that is one of several expressions: each instance has one value of it."""
        cases = cases_of(op, self.sizes, partial(self._is_nonnegative, point))
        if cases is None:
            return point
        symbol = self._symbol(op.results[0])
        self.sizes.known[op.results[0]] = known = Index.of(symbol)
        systems = [s for e, where in cases for s in both(where, holds([known - e, e - known]))]
        return replace(point, variables=(*point.variables, symbol)).where(tuple(systems))

    def _is_nonnegative(self, point: ProgramPoint, e: Index) -> bool:
        return all(_follows(domain & self.sizes.context, e) for domain in point.domain)

    def _view(self, op: loop.ViewOp, point: ProgramPoint) -> None:
        have, want = loop.byte_size(op.buffer.type), loop.byte_size(op.res.type)
        if op.byte_offset == Index.of(0) and (have is None or want is None):
            return  # accesses through it are held inside the buffer
        if have is None or want is None:
            refuse(op, "a view lies within bytes whose number is symbolic")
        offset = self.sizes.index(op.byte_offset, op)
        self._oblige(op, "a view stays inside its buffer", point, (offset, have - want - offset))

    # Conditions

    def _branches(self, op: loop.IfOp, at: ProgramPoint, clock: Iterator[int]) -> tuple[ProgramPoint, ProgramPoint]:
        """Return the points of both branches of a condition.

        A condition on data is written to a cell first. If it fails, stores below it write the old value.
        """
        condition: Decided | None = Decided(EVERYWHERE, ())
        data: list[Index] = []
        for e in op.conditions:
            known = self.sizes.index_or_none(e)
            decided = truth_of(e, self.sizes.index_or_none) if known is None else Decided.of([known])
            if decided is None:
                data.append(e)
            else:
                condition = conjunction(condition, decided)
            if condition is None:
                refuse(op, "a condition has too many cases")
        then, rest = condition
        if not data or not then or not at.domain:
            return at.where(then), at.where(rest)
        key = tuple(truth_or_index(e) for e in op.conditions)
        inside, known_guard = at.where(then), self._known_guard(key, at)
        if known_guard is not None:
            cell, time = known_guard
            return inside.guarded(cell, time, is_then=True), at.guarded(cell, time, is_then=False)
        cell = self.buffers.condition(op, at)
        self._variables = at.variables
        trees = Trees(self, len(self._statements), at.domain)
        value, *others = (trees.nonnegative(e, op) for e in data)
        for other in others:
            value = tree.apply("arith.andi", [], i1, [value, other])
        cases = [(then, value), *([(rest, tree.constant(i1, 0))] if rest else [])]
        self._add(op, at, (*at.time, Index.of(next(clock))), cell, (), tree.choice(cases, i1))
        time = (*at.time, Index.of(next(clock)))
        self._conditions.setdefault(key, []).append((at, cell, time))
        return inside.guarded(cell, time, is_then=True), at.guarded(cell, time, is_then=False)

    def _known_guard(self, key: object, at: ProgramPoint) -> tuple[Cell, tuple[Index, ...]] | None:
        """Return the cell of a condition on the same values that was written before, wherever the point is reached."""
        for other, cell, time in self._conditions.get(key, ()):
            if at.time[: len(other.time)] == other.time and _is_part(at.domain, other.domain):
                return cell, time
        return None

    def _guards(self, op: Operation, at: ProgramPoint) -> list[Expression]:
        """Return the truth values of the conditions on data around a statement that is being made."""
        number = len(self._statements)
        return [self.read(number, op, at.domain, guard.time, guard.cell, ()) for guard in at.guards]

    def _guarded(
        self,
        op: Operation,
        at: ProgramPoint,
        time: tuple[Index, ...],
        cell: Cell,
        element: tuple[Index, ...],
        value: Expression,
    ) -> Expression:
        """Return a value where the conditions on data hold, else the previous value of the element."""
        if not at.guards:
            return value
        old = self.read(len(self._statements), op, at.domain, time, cell, element)
        for guard, holding in reversed(list(zip(at.guards, self._guards(op, at), strict=True))):
            cases = (value, old) if guard.is_then else (old, value)
            value = tree.apply("arith.select", [], cell.type, [holding, *cases])
        return value

    def _division(self, op: Operation, at: ProgramPoint, clock: Iterator[int]) -> None:
        """Add a statement of the operands of a division, or an obligation where a constant divisor is 0."""
        dividend, divisor = op.operands
        known, index = integer_in_lanes(divisor), self.sizes.value(divisor)
        if known is None and index is not None and index.is_constant:
            known = index.constant
        if known == 0:
            self._oblige(op, "a division has another divisor than 0", at, (Index.of(-1),))
        is_signed = op.name in SIGNED
        if known == 0 or (known is not None and not (is_signed and known == -1)):
            return
        cell = self.buffers.carried(element_type(divisor.type), _lanes_of(divisor), op.results[0], at)
        before, lane = at.time, None
        if (lanes := _lanes_of(divisor)) is not None:
            lane = Index.of(symbol := Symbol(f"lane {next(self._names)}"))
            at = at.entered([symbol], holds((lane, lanes - 1 - lane)))
        if not at.domain:
            return
        within = () if lane is None else (lane,)
        self._variables = at.variables
        number = len(self._statements)
        trees = Trees(self, number, at.domain)
        operands = [*(trees.of(value, lane) for value in (dividend, divisor)), *self._guards(op, at)]
        value = tree.apply(op.name, [], cell.type, operands)
        self._add(op, at, (*before, Index.of(next(clock)), *within), cell, within, value)
        self._divisions.append(Division(op, number, is_signed, tuple(g.is_then for g in at.guards)))

    # Loops

    def _loop(self, op: loop.ForOp, point: ProgramPoint, clock: Iterator[int]) -> None:
        for block in self._started_reductions.get(op, ()):
            self._init_of_nothing(block, point, clock)
        cells = [self._carry(op, k, point, clock) for k in range(len(op.iter_args))]
        position = Index.of(next(clock))
        inner = self._iterations(op, replace(point, time=(*point.time, position)))
        if op.kind == loop.PARALLEL:
            variables = inner.variables[len(point.variables) :]
            self._parallel_loops.append(ParallelLoop(op, point.variables, variables, inner.time))
        for cell, argument in zip(cells, op.body.block.args[1:], strict=True):
            self.carried[argument] = (cell, inner.time)
        within = count(1)
        end = self._block(op.body.block, inner, within)
        for cell, value in zip(
            cells, op.body.block.last_op.operands if cells and op.body.block.last_op else (), strict=True
        ):
            self._write(op.body.block.last_op or op, _lanes_of(value), end, within, cell, (), value)
        after = (*point.time, Index.of(next(clock)))
        for cell, result in zip(cells, op.res, strict=True):
            self.carried[result] = (cell, after)

    def _iterations(self, op: loop.ForOp, point: ProgramPoint) -> ProgramPoint:
        """Return the program point inside of a loop; `point` ends in the loop's position."""
        variable = op.induction_variable
        fused = fused_loop(op, self.sizes)
        if isinstance(fused, FusedLoop):
            parts = [self._symbol(r) for r in fused.values]
            self._need_sizes(op, fused, point)
            for value, symbol in fused.pairs(parts):
                self.sizes.known[value] = Index.of(symbol)
            box = System.box({s: (0, n) for s, n in zip(parts, fused.extents, strict=True)})
            return point.entered(parts, (box,))
        if (extent := op.constant_trip_count) is not None and op.lowers == (Index.of(0),) and len(op.uppers) == 1:
            parts = radix_of(variable, extent, operations(op))
            if len(parts) > 1:
                symbols = [self._symbol(variable) for _ in parts]
                return point.entered(symbols, (self.sizes.split(variable, extent, symbols, parts),))
        symbol = self._symbol(variable)
        self.sizes.known[variable] = i = Index.of(symbol)
        what = "a loop's bound is no affine expression"
        bounds = [i - self.sizes.index(e, op, what) for e in op.lowers]
        bounds += [self.sizes.index(e, op, what) - i - 1 for e in op.uppers]
        return point.entered([symbol], holds(bounds))

    def _carry(self, op: loop.ForOp, k: int, point: ProgramPoint, clock: Iterator[int]) -> Cell:
        value = op.iter_args[k]
        lanes = _lanes_of(value)
        cell = self.buffers.carried(element_type(value.type), lanes, op.res[k], point)
        self._write(op, lanes, point, clock, cell, (), value)
        return cell

    def _need_sizes(self, op: loop.ForOp, fused: FusedLoop, point: ProgramPoint) -> None:
        """Refuse a fused loop two of whose extents may be negative: it runs over the product, which would be
        positive."""
        for domain in point.domain:
            known = [n for n in fused.unsafe if not _follows(domain & self.sizes.context, n)]
            if len(known) > 1:
                refuse(op, "a fused loop runs over a product of sizes that may be negative")

    def _split(self, op: loop.DelinearizeOp, point: ProgramPoint) -> None:
        """Split an index into its positions within extents that are constant but for the first."""
        if all(r in self.sizes.known for r in op.res):
            return
        rest = self.sizes.index(Index.of(op.fused), op)
        extents = [self.sizes.index(e, op) for e in op.sizes]
        if not all(n.is_constant for n in extents[1:]):
            refuse(op, "a loop over a product of sizes is split before it is delinearized")
        total = extents[0]
        for n in extents[1:]:
            total = total * max(n.constant, 0)
        self._oblige(op, "a fused index stays below the product of its extents", point, (rest, total - 1 - rest))
        for result, n in zip(reversed(op.res[1:]), reversed(extents[1:]), strict=True):
            self.sizes.known[result] = rest % max(n.constant, 1)
            rest = rest // max(n.constant, 1)
        self.sizes.known[op.res[0]] = rest

    # Blocks

    def _block_of_a_computation(self, op: loop.BlockOp, point: ProgramPoint, clock: Iterator[int]) -> None:
        point = point.where(holds([self.sizes.index(e, op) for e in op.conditions]))
        inside: list[Index] = []
        for variable, _, binding, extent in op.iteration():
            self.sizes.known[variable] = e = self.sizes.index(binding, op)
            inside += [e, self.sizes.index(extent, op) - 1 - e]
        self._oblige(op, "an iteration variable stays below its extent", point, inside)
        self._block(op.body.block, point, clock)

    def _init_of_nothing(self, block: loop.BlockOp, point: ProgramPoint, clock: Iterator[int]) -> None:
        try:
            nest = init_if_empty(block, Facts({}))
        except TilewrightError as error:
            refuse(block, f"where there is nothing to reduce: {error.message}")
        if nest is not None:
            self._origin = block.init
            try:
                self._operation(nest, point, clock)
            finally:
                self._origin = None
                edit.erase(nest)  # or it stays a user of the function's values

    # Memory

    def _store(self, op: loop.StoreOp, point: ProgramPoint, clock: Iterator[int]) -> None:
        self._access(op, op.lanes, point)
        self._write(op, op.lanes, point, clock, op.buffer, op.index, op.value, op.conditions)

    def _write(
        self,
        op: Operation,
        lanes: int | None,
        point: ProgramPoint,
        clock: Iterator[int],
        target: SSAValue | Cell,
        index: Sequence[Index],
        value: SSAValue,
        guard: Sequence[Index] = (),
    ) -> None:
        """Add a statement for each lane, the last one last. A cell for `target` is the cell of a carried value."""
        before, lane = point.time, None
        if lanes is not None:
            symbol = Symbol(f"lane {next(self._names)}")
            lane = Index.of(symbol)
            point = point.entered([symbol], holds((lane, lanes - 1 - lane)))
        within = () if lane is None else (lane,)
        point = point.where(holds([self.index_in(e, lane, op) for e in guard]))
        if not point.domain:
            return
        if isinstance(target, Cell):
            cell, element = target, within
        else:
            element = tuple(self.index_in(e, lane, op) for e in index)
            cell, element = self.buffers.locate(target, element, point.domain, op)
        self._variables = point.variables
        written = Trees(self, len(self._statements), point.domain).of(value, lane)
        if not isinstance(target, Cell):  # a carried value is read only under the same condition
            written = self._guarded(op, point, (*before, Index.of(next(clock)), *within), cell, element, written)
        self._add(op, point, (*before, Index.of(next(clock)), *within), cell, element, written)
        for other, overlay in self.buffers.overlays.get(cell, ()):
            symbol = Symbol(f"element {next(self._names)}")
            touched = Index.of(symbol)
            inside = point.entered([symbol], holds(overlay.conditions(linear(element, ()), touched)))
            later = (*before, Index.of(next(clock)), *within, touched)
            self._add(op, inside, later, other, (touched,), tree.undefined(other.type), is_overlay=True)

    def _undefined(self, buffer: SSAValue, op: Operation, point: ProgramPoint, clock: Iterator[int]) -> None:
        """Add a statement that leaves all elements of memory undefined, which nobody has written."""
        for cell in self.buffers.allocated(buffer, point, op):
            symbols = [Symbol(f"element {next(self._names)}") for _ in cell.shape]
            element = tuple(map(Index.of, symbols))
            inside = point.entered(
                symbols, (System.box({s: (0, n) for s, n in zip(symbols, cell.shape, strict=True)}),)
            )
            time = (*point.time, Index.of(next(clock)), *element)
            self._add(op, inside, time, cell, element, tree.undefined(cell.type))

    def _add(
        self,
        op: Operation,
        point: ProgramPoint,
        time: tuple[Index, ...],
        cell: Cell,
        element: tuple[Index, ...],
        value: Expression,
        *,
        is_overlay: bool = False,
    ) -> None:
        number = len(self._statements)
        op = self._origin or op
        statement = Statement(number, op, point.variables, point.domain, time, cell, element, value, is_overlay)
        self._statements.append(statement)

    def _access(self, op: loop.LoadOp | loop.StoreOp, lanes: int | None, point: ProgramPoint) -> None:
        """Oblige an access to stay inside its buffer where its guard holds."""
        lane: Index | None = None
        if lanes is not None:
            symbol = Symbol(f"lane {next(self._names)}")
            lane = Index.of(symbol)
            point = point.entered([symbol], holds((lane, lanes - 1 - lane)))
        point = point.where(holds([self.index_in(e, lane, op) for e in op.conditions]))
        shape = self.sizes.shape(op.buffer)
        if shape is None:
            refuse(op, "a buffer's size is no affine expression of sizes")
        index = [self.index_in(e, lane, op) for e in op.index]
        inside = [c for e, n in zip(index, shape, strict=True) for c in (e, n - 1 - e)]
        self._oblige(op, "an access stays inside its buffer", point, inside)

    def _oblige(self, op: Operation, what: str, point: ProgramPoint, conditions: Sequence[Index]) -> None:
        left = tuple(e for e in conditions if not e.is_constant or e.constant < 0)
        if left and point.domain:
            domain = both(point.domain, holds(point.assumed))
            obliged = Obligation(self._origin or op, what, point.variables, domain, left, not point.guards)
            self._obligations.append(obliged)

    def _symbol(self, value: SSAValue) -> Symbol:
        return Symbol(f"{value.name_hint or 'i'} {next(self._names)}")


def _lanes_of(value: SSAValue) -> int | None:
    return value.type.get_shape()[0] if isinstance(value.type, VectorType) else None


def _is_part(domain: Union, whole: Union) -> bool:
    """Return whether each system of a domain has all constraints of one of another domain."""

    def extends(system: System, other: System) -> bool:
        return {*other.nonnegative} <= {*system.nonnegative} and {*other.zero} <= {*system.zero}

    return all(any(extends(system, other) for other in whole) for system in domain)


def _follows(system: System, e: Index) -> bool:
    from ..integer_set import PROVED, implies

    return implies(system, e) == PROVED
