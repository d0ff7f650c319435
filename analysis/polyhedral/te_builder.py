"""Builder of the polyhedral model of a function of te level; `builder` does the same for blocks and loops.

Tensors are cells. A compute becomes one statement for each of its results, over its axes. A reduction becomes two
statements: the init of each element, and an update over the reduce axes, which combines an element with a term. A
reshape is a window into the cell of its operand, through which reads are mapped. A result of the function is an
argument after the others: its compute writes it, or it is copied at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    Signedness,
    TensorType,
    i1,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import Pure

from ...dialects import te
from ...dialects.index_expr import Index, Symbol
from . import expression_trees as tree
from .expression_trees import Expression
from .guard_systems import EVERYWHERE, Decided, both, fails, holds
from .model import Assertion, Cell, CellKind, Model, Obligation, Read, Statement, Union
from .program_point import ProgramPoint
from .sizes import refuse
from .subscripts import linear, subscripts
from .te_sizes import TeSizes
from .trees import Trees, is_scalar_operation


@dataclass(frozen=True)
class Window:
    """A tensor as the elements of a cell in row-major order, and whether it has the cell's shape."""

    cell: Cell
    is_whole: bool


def has_tensors(function: func.FuncOp) -> bool:
    """Return whether a function takes or returns tensors, so that it is one of te level."""
    types = (*function.function_type.inputs, *function.function_type.outputs)
    return any(isinstance(type, TensorType) for type in types)


def buffers_of(function: func.FuncOp) -> list[Attribute]:
    """Return the types of the arguments of a function after bufferization: results come last."""
    types = [*function.function_type.inputs, *function.function_type.outputs]
    return [MemRefType(t.element_type, t.get_shape()) if isinstance(t, TensorType) else t for t in types]


class TeBuilder:
    """The state of one traversal of a function."""

    def __init__(self, function: func.FuncOp, fixed: Mapping[Symbol, int], shapes: Mapping[int, Sequence[int]]) -> None:
        self.function = function
        self.sizes = TeSizes(function, fixed)
        self.scalars: dict[SSAValue, Cell] = {}
        """Arguments that are numbers."""
        self.aliases: dict[SSAValue, SSAValue] = {}
        self.carried: dict[SSAValue, tuple[Cell, tuple[Index, ...]]] = {}
        self.windows: dict[SSAValue, Window] = {}
        """Tensors that are known so far."""
        self._shapes = shapes
        self._cells: list[Cell] = []
        self._outputs: dict[SSAValue, Cell] = {}
        """The output that a compute writes, by its result."""
        self._statements: list[Statement] = []
        self._reads: list[Read] = []
        self._assertions: list[Assertion] = []
        self._obligations: list[Obligation] = []
        self._names = count()
        self._variables: tuple[Symbol, ...] = ()

    def model(self) -> Model:
        if len(self.function.body.blocks) != 1:
            refuse(self.function, "the function has no body of one block")
        block = self.function.body.block
        for position, argument in enumerate(block.args):
            if isinstance(argument.type, TensorType):
                shape = self._shape(argument, self.function)
                self._argument(position, argument, shape)
            elif not isinstance(argument.type, IndexType):
                self.scalars[argument] = self._cell("argument", argument.type, (), argument, argument=position)
        copies = self._results(block)
        for position, op in enumerate(block.ops):
            self._operation(op, position)
        end = len(block.ops)
        for position, (cell, value) in enumerate(copies, start=end):
            self._copy(cell, value, position)
        return Model(
            tuple(self.sizes.parameters),
            self.sizes.context,
            tuple(self._assertions),
            tuple(self._cells),
            tuple(self._statements),
            tuple(self._reads),
            tuple(self._obligations),
            (),
            (Index.of(end + len(copies)),),
            given=self.sizes.context,
        )

    # Trees of a statement ask for

    def index_in(self, e: Index, lane: Index | None, op: Operation) -> Index:
        """Return an index expression of an operation over symbols; no value of te has lanes."""
        return self.sizes.index(e, op)

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
        self._reads.append(Read(number, op, statement, self._variables, domain, time, cell, tuple(element)))
        return tree.read_value(number, cell.type)

    def locate(
        self, tensor: SSAValue, index: Sequence[Index], domain: Union, op: Operation
    ) -> tuple[Cell, tuple[Index, ...]]:
        """Return the element of a cell that is an element of a tensor, at instances in a domain."""
        if tensor not in self.windows:
            refuse(op, "a tensor is none of an argument, a constant, a compute or a reshape")
        window = self.windows[tensor]
        if window.is_whole:
            return window.cell, tuple(index)
        position = linear(index, self._row_extents(self._shape(tensor, op), op))
        if not window.cell.shape:
            return window.cell, ()
        return window.cell, subscripts(position, self._row_extents(window.cell.shape, op), domain)

    # Cells

    def _cell(
        self,
        kind: CellKind,
        type: Attribute,
        shape: Sequence[Index],
        value: SSAValue,
        *,
        argument: int | None = None,
        data: Attribute | None = None,
        is_output: bool = False,
    ) -> Cell:
        op = value.owner if isinstance(value.owner, Operation) and not is_output else None
        name = value.name_hint or ("tensor" if argument is None else f"argument {argument}")
        cell = Cell(len(self._cells), kind, type, tuple(shape), name, op, argument, data, is_output)
        self._cells.append(cell)
        return cell

    def _argument(self, position: int, value: SSAValue, shape: Sequence[Index], *, is_output: bool = False) -> Cell:
        """Return the cell of an argument or a result, in the shape by which both functions name its elements."""
        seen = tuple(map(Index.of, self._shapes[position])) if position in self._shapes else tuple(shape)
        cell = self._cell("argument", _element(value), seen, value, argument=position, is_output=is_output)
        if not is_output:
            self.windows[value] = Window(cell, seen == tuple(shape))
        return cell

    def _results(self, block: Block) -> list[tuple[Cell, SSAValue]]:
        """Make the outputs; those that no compute writes in their shape, with the tensors that are copied to them."""
        copies: list[tuple[Cell, SSAValue]] = []
        values = block.last_op.operands if isinstance(block.last_op, func.ReturnOp) else ()
        shapes = iter(self.sizes.results)
        for position, value in enumerate(values, start=len(block.args)):
            if not isinstance(value.type, TensorType):
                refuse(self.function, "the function has a result that is no tensor")
            shape = next(shapes)
            cell = self._argument(position, value, shape, is_output=True)
            if isinstance(value.owner, te.ComputeOp) and value not in self._outputs and cell.shape == shape:
                self._outputs[value] = cell
            else:
                copies.append((cell, value))
        return copies

    def _shape(self, tensor: SSAValue, op: Operation) -> tuple[Index, ...]:
        known = self.sizes.tensor_shape(tensor)
        shape = tuple(e for e in known if e is not None)
        if len(shape) < len(known):
            refuse(op, "a tensor's size is no affine expression of sizes")
        return shape

    def _row_extents(self, shape: Sequence[Index], op: Operation) -> list[int]:
        if not all(n.is_constant for n in shape[1:]):
            refuse(op, "a reshape changes a shape of symbolic extents")
        return [n.constant for n in shape[1:]]

    # Operations

    def _operation(self, op: Operation, position: int) -> None:
        match op:
            case te.ComputeOp():
                self._compute(op, position)
            case te.ConstantOp():
                shape = self._shape(op.res, op)
                self.windows[op.res] = Window(
                    self._cell("constant", _element(op.res), shape, op.res, data=op.value), True
                )
            case te.ReshapeOp():
                self._reshape(op)
            case te.MatchOp():
                self._match(op)
            case te.DimOp() | te.ApplyOp() | te.BindOp() | func.ReturnOp():
                pass
            case _ if op.dialect_name() == "te" or op.regions or not (op.has_trait(Pure) or is_scalar_operation(op)):
                refuse(op, f"operation {op.name} is not modelled")
            case _:
                pass  # computes numbers from numbers

    def _reshape(self, op: te.ReshapeOp) -> None:
        """Bind the result to the same elements in another shape."""
        if _element(op.tensor) != _element(op.res):
            refuse(op, f"a reshape takes elements of {_element(op.tensor)} for {_element(op.res)}")
        if op.tensor not in self.windows:
            refuse(op, "a tensor is none of an argument, a constant, a compute or a reshape")
        cell = self.windows[op.tensor].cell
        self.windows[op.res] = Window(cell, self._shape(op.res, op) == cell.shape)

    def _match(self, op: te.MatchOp) -> None:
        """Bind the result to the same tensor; the sizes that its type states are checked when the function is
        called."""
        pairs = zip(self._shape(op.tensor, op), self._shape(op.res, op), strict=True)
        conditions = tuple(e for have, want in pairs if have != want for e in (have - want, want - have))
        if conditions:
            self._assertions.append(Assertion(op, (), EVERYWHERE, conditions))
        cell = self.windows[op.tensor].cell
        self.windows[op.res] = Window(cell, self._shape(op.res, op) == cell.shape)

    def _copy(self, cell: Cell, value: SSAValue, position: int) -> None:
        """Write a tensor to a result, at the end."""
        shape = self._shape(value, self.function)
        at = self._axes(ProgramPoint((), EVERYWHERE, (Index.of(position),)), [None] * len(shape), shape)
        index = [Index.of(v) for v in at.variables]
        self._variables = at.variables
        source, element = self.locate(value, index, at.domain, self.function)
        read = self.read(len(self._statements), self.function, at.domain, at.time, source, element)
        target = tuple(index)
        if cell.shape != shape:
            offset = linear(index, self._row_extents(shape, self.function))
            target = subscripts(offset, self._row_extents(cell.shape, self.function), at.domain) if cell.shape else ()
        op = value.owner if isinstance(value.owner, Operation) else self.function
        self._write(op, at, at.time, cell, target, read)

    # Computes

    def _compute(self, op: te.ComputeOp, position: int) -> None:
        cells = [self._target(result, op) for result in op.res]
        extents = [self.sizes.index(e, op) for e in (*op.spatial_extents, *op.reduce_extents)]
        at = ProgramPoint((), EVERYWHERE, (Index.of(position),))
        outer = self._axes(at, op.spatial_axes, extents[: op.rank])
        element = tuple(self.sizes.known[axis] for axis in op.spatial_axes)
        if isinstance(op.terminator, te.ReduceOp):
            self._start(op, op.terminator, outer, cells, element)
            within = self._axes(
                ProgramPoint(outer.variables, outer.domain, (*outer.time, Index.of(1))),
                op.reduce_axes,
                extents[op.rank :],
            )
        else:
            within = outer
        self._variables = within.variables
        self._oblige_all(op, within)
        for k, (cell, result) in enumerate(zip(cells, op.res, strict=True)):
            trees = TeTrees(self, len(self._statements), within.domain, within.time)
            value = self._value(op, k, trees, within, cells, element)
            self._write(op, within, (*within.time, Index.of(k + 1)), cell, element, value)
            self.windows[result] = Window(cell, True)

    def _target(self, result: OpResult, op: te.ComputeOp) -> Cell:
        if result in self._outputs:
            return self._outputs[result]
        return self._cell("allocation", _element(result), self._shape(result, op), result)

    def _axes(self, at: ProgramPoint, axes: Sequence[SSAValue | None], extents: Sequence[Index]) -> ProgramPoint:
        """Return the program point inside of axes, which become known."""
        symbols = [
            Symbol(f"{axis.name_hint if axis is not None and axis.name_hint else 'i'} {next(self._names)}")
            for axis in axes
        ]
        for axis, symbol in zip(axes, symbols, strict=True):
            if axis is not None:
                self.sizes.known[axis] = Index.of(symbol)
        bounds = [e for s, n in zip(symbols, extents, strict=True) for e in (Index.of(s), n - 1 - Index.of(s))]
        return at.entered(symbols, holds(bounds))

    def _start(
        self, op: te.ComputeOp, reduce: te.ReduceOp, at: ProgramPoint, cells: Sequence[Cell], element: tuple[Index, ...]
    ) -> None:
        """Write the first value of each element."""
        self._variables = at.variables
        for k, cell in enumerate(cells):
            if reduce.starts:
                value = TeTrees(self, len(self._statements), at.domain, at.time).of(reduce.starts[k], None)
            else:
                value = _identity(reduce, k)
            self._write(op, at, (*at.time, Index.of(0), Index.of(k)), cell, element, value)

    def _value(
        self,
        op: te.ComputeOp,
        k: int,
        trees: TeTrees,
        at: ProgramPoint,
        cells: Sequence[Cell],
        element: tuple[Index, ...],
    ) -> Expression:
        """Return the expression that a compute, or its update, writes to its result of a number."""
        end = op.terminator
        if not isinstance(end, te.ReduceOp):
            return trees.of(end.values[k], None)
        if end.by is None:
            before = self.read(trees.statement, op, at.domain, at.time, cells[k], element)
            assert end.kind is not None
            return _combined(end.kind, end.values[k].type, before, trees.of(end.values[k], None))
        block = end.by.block
        for cell, argument in zip(cells, block.args, strict=False):
            trees.define(argument, self.read(trees.statement, op, at.domain, at.time, cell, element))
        for value, argument in zip(end.values, block.args[len(cells) :], strict=True):
            trees.define(argument, trees.of(value, None))
        assert block.last_op is not None
        return trees.of(block.last_op.operands[k], None)

    def _oblige_all(self, op: te.ComputeOp, at: ProgramPoint) -> None:
        """Oblige every read to stay inside its tensor where its guard holds."""
        for read in op.body.block.ops:
            if isinstance(read, te.ReadOp):
                guarded = at.where(holds([self.sizes.index(e, read) for e in read.conditions]))
                shape = self._shape(read.tensor, read)
                index = [self.sizes.index(e, read) for e in read.index]
                inside = [c for e, n in zip(index, shape, strict=True) for c in (e, n - 1 - e)]
                left = tuple(e for e in inside if not e.is_constant or e.constant < 0)
                if left and guarded.domain:
                    what = "an access stays inside its buffer"
                    self._obligations.append(Obligation(read, what, guarded.variables, guarded.domain, left))

    def _write(
        self,
        op: Operation,
        at: ProgramPoint,
        time: tuple[Index, ...],
        cell: Cell,
        element: tuple[Index, ...],
        value: Expression,
    ) -> None:
        number = len(self._statements)
        self._statements.append(Statement(number, op, at.variables, at.domain, time, cell, element, value))


class TeTrees(Trees):
    """Expressions of the scalar operations in the body of a compute."""

    def __init__(self, builder: TeBuilder, statement: int, domain: Union, time: tuple[Index, ...]) -> None:
        super().__init__(builder, statement, domain)  # pyright: ignore[reportArgumentType]  (it asks for the same names)
        self.statement = statement
        self._te = builder
        self._time = time

    def define(self, value: SSAValue, expression: Expression) -> None:
        """Define the expression of a value that no operation defines."""
        self._known[value, None] = expression

    def _of(self, value: SSAValue, lane: Index | None) -> Expression:
        match value.owner:
            case te.ReadOp() as op:
                return self._element(op)
            case te.TestOp():
                chosen = self._choice(value, lane)
                assert chosen is not None
                return chosen
            case te.ApplyOp() as op if self._te.sizes.value(value) is None:
                return self.computed_index(op.index, None)
            case _:
                return super()._of(value, lane)

    def _where(self, value: SSAValue, lane: Index | None) -> Decided | None:
        if isinstance(value.owner, te.TestOp):
            return Decided.of([self._te.sizes.index(e, value.owner) for e in value.owner.conditions])
        return super()._where(value, lane)

    def _element(self, op: te.ReadOp) -> Expression:
        builder = self._te
        guard = [builder.sizes.index(e, op) for e in op.conditions]
        inside, outside = holds(guard), fails(guard)
        if not inside:
            assert op.otherwise is not None
            return self.of(op.otherwise, None)
        domain = both(self._domain, inside)
        index = [builder.sizes.index(e, op, "an index of te.read is data") for e in op.index]
        cell, element = builder.locate(op.tensor, index, domain, op)
        found = builder.read(self._statement, op, domain, self._time, cell, element)
        if op.otherwise is None or not outside:
            return found
        return tree.choice([(inside, found), (outside, self.of(op.otherwise, None))], op.res.type)


_FLOAT = {"add": "arith.addf", "mul": "arith.mulf", "max": "arith.maximumf", "min": "arith.minimumf"}
_SIGNED = {"add": "arith.addi", "mul": "arith.muli", "max": "arith.maxsi", "min": "arith.minsi"}
_UNSIGNED = _SIGNED | {"max": "arith.maxui", "min": "arith.minui"}


def _combined(kind: str, type: Attribute, before: Expression, term: Expression) -> Expression:
    """Combine two values by the combiner of this name."""
    if not isinstance(type, IntegerType):
        return tree.apply((_FLOAT if isinstance(type, AnyFloat) else _SIGNED)[kind], [], type, [before, term])
    if not _is_unsigned(type):
        return tree.apply(_SIGNED[kind], [], type, [before, term])
    plain = IntegerType(type.width.data)
    operands = [tree.apply("arith.bitcast", [], plain, [e]) for e in (before, term)]
    return tree.apply("arith.bitcast", [], type, [tree.apply(_UNSIGNED[kind], [], plain, operands)])


def _identity(reduce: te.ReduceOp, k: int) -> Expression:
    """Return the first value of a reduction that states none."""
    type = reduce.values[k].type
    if isinstance(reduce.identities, ArrayAttr):
        stated = reduce.identities.data[k]
        assert isinstance(stated, (FloatAttr, IntegerAttr))
        number = stated.value.data
    else:
        assert reduce.kind is not None
        number = _IDENTITIES[reduce.kind](type)
    if isinstance(type, AnyFloat):
        return tree.constant(type, int.from_bytes(type.pack([float(number)]), "little"))
    assert isinstance(type, IntegerType)
    bits = int(number) & ((1 << type.width.data) - 1)
    if not _is_unsigned(type):
        return tree.constant(type, bits)
    plain = tree.constant(IntegerType(type.width.data), bits)
    return tree.apply("arith.bitcast", [], type, [plain])


def _least(type: Attribute) -> float:
    if not isinstance(type, IntegerType):
        return float("-inf")
    return 0 if _is_unsigned(type) or type == i1 else -(1 << (type.width.data - 1))


def _largest(type: Attribute) -> float:
    if not isinstance(type, IntegerType):
        return float("inf")
    return (1 << (type.width.data - (type != i1 and not _is_unsigned(type)))) - 1


def _is_unsigned(type: IntegerType) -> bool:
    return type.signedness.data == Signedness.UNSIGNED


_IDENTITIES: dict[str, Callable[[Attribute], float]] = {
    "add": lambda _: 0,
    "mul": lambda _: 1,
    "max": _least,
    "min": _largest,
}
"""The value that leaves the other operand of a combiner as it is."""


def _element(tensor: SSAValue) -> Attribute:
    assert isinstance(tensor.type, TensorType)
    return tensor.type.element_type
