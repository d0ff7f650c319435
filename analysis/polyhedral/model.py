"""The polyhedral model of a function: its statements, each with domain, schedule, access relation and written value.

All of it is Python data over index expressions; no isl object is kept, so that a model outlives the calculus of one
question. Loop variables are symbols, the same ones in all statements inside a loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from xdsl.ir import Attribute, Operation

from ...dialects.index_expr import Index, Symbol
from ..integer_set import System
from .expression_trees import Expression

Union: TypeAlias = tuple[System, ...]
"""The points at which one of the systems holds. Variables that are none of the tuple's have some value."""

Digits: TypeAlias = tuple[tuple[Symbol, int], ...]
"""Variables that replace the variable of a fused loop, the outermost first, each with its stride in that variable."""

CellKind: TypeAlias = Literal["argument", "constant", "allocation", "carried", "condition"]


@dataclass(frozen=True)
class Refusal:
    """The reason why a function has no model, and the operation that causes it."""

    reason: str
    op: Operation


@dataclass(frozen=True)
class Parameter:
    """A size that is known when the function is called: an extent of an argument, or an argument itself.

    Its symbol is named by its position, so that the same argument's extents are the same parameters in two functions.
    """

    symbol: Symbol
    argument: int
    """The position among the function's arguments."""
    dimension: int | None
    """The dimension of the argument that it is the extent of; None for an argument that is an index itself."""


@dataclass(frozen=True, eq=False)
class Cell:
    """Memory whose elements have tuples of integers as names.

    - "argument": a buffer that is passed; at the beginning it holds what the caller put there;
    - "constant": read-only data;
    - "allocation": a buffer that the function allocates; each `loop.alloc` writes "undefined" to all its elements;
    - "carried": a value that a loop carries from one iteration to the next; a vector has a dimension for its lanes;
    - "condition": the truth value of a condition on data.
    """

    number: int
    kind: CellKind
    type: Attribute
    """Of the elements."""
    shape: tuple[Index, ...]
    """The extents, over parameters and the variables of loops around the allocation."""
    name: str
    op: Operation | None = None
    """The operation that makes the cell; None for an argument."""
    argument: int | None = None
    """The position among the function's arguments."""
    data: Attribute | None = None
    """Of a constant."""
    is_output: bool = False
    """True for an argument whose final content is a result: it is marked as an output, or is written."""
    around: tuple[Symbol, ...] = ()
    """The variables of the loops around an allocation, or around a loop that carries a value: all accesses of the cell
    are inside of them, and no iteration of them reads a value of another one."""
    made_at: tuple[Index, ...] = ()
    """The common prefix of the times of all accesses of the cell, over the variables of `around`."""


@dataclass(frozen=True, eq=False)
class Read:
    """The element that a statement reads at each of its instances where the value is used."""

    number: int
    op: Operation
    statement: int
    variables: tuple[Symbol, ...]
    """The variables of the statement."""
    domain: Union
    time: tuple[Index, ...]
    cell: Cell
    element: tuple[Index, ...]


@dataclass(frozen=True, eq=False)
class Statement:
    """A write of one element at each instance.

    Times of all instances of all statements and reads are compared lexicographically, missing entries at the end being
    0; no two instances that write have the same time.
    """

    number: int
    op: Operation
    variables: tuple[Symbol, ...]
    domain: Union
    time: tuple[Index, ...]
    cell: Cell
    element: tuple[Index, ...]
    value: Expression
    is_overlay: bool = False
    """True for the effect of a write to another cell at the same bytes, which leaves no value of this cell's type."""


@dataclass(frozen=True, eq=False)
class Obligation:
    """A condition that has to hold wherever an operation runs, such as an access inside its buffer.

    The program is undefined where it fails.
    """

    op: Operation
    what: str
    variables: tuple[Symbol, ...]
    domain: Union
    conditions: tuple[Index, ...]
    """All are to be >= 0."""
    is_certain: bool = True
    """True where the operation runs at all instances; false below a condition on data."""


@dataclass(frozen=True, eq=False)
class Division:
    """A division of upstream MLIR: undefined where the divisor is 0, a signed one also where the quotient overflows.

    A statement of the model writes its operands and the conditions on data around it, in a cell that nothing reads.
    """

    op: Operation
    statement: int
    is_signed: bool
    branches: tuple[bool, ...]
    """Of the conditions on data around it, the outermost first, the branch that it is in."""


@dataclass(frozen=True, eq=False)
class Assertion:
    """A condition that the function checks while it runs, as an operation that ends the call where it fails."""

    op: Operation
    variables: tuple[Symbol, ...]
    domain: Union
    conditions: tuple[Index, ...]
    """All are to be >= 0."""


@dataclass(frozen=True, eq=False)
class ParallelLoop:
    """A loop whose iterations may run at once. The times of statements order its iterations as in a serial loop."""

    op: Operation
    around: tuple[Symbol, ...]
    """The variables of the loops around it."""
    variables: tuple[Symbol, ...]
    """The variables of the loop: one for each part of a fused loop."""
    time: tuple[Index, ...]
    """The prefix of the times of all operations inside."""


@dataclass(frozen=True, eq=False)
class Model:
    """The accesses of a function to memory, for all sizes."""

    parameters: tuple[Parameter, ...]
    context: System
    """The constraints on parameters: sizes are >= 0, and those of `loop.bind`. A call that violates one is refused."""
    assertions: tuple[Assertion, ...]
    cells: tuple[Cell, ...]
    statements: tuple[Statement, ...]
    """By number."""
    reads: tuple[Read, ...]
    """By number."""
    obligations: tuple[Obligation, ...]
    parallel_loops: tuple[ParallelLoop, ...]
    end: tuple[Index, ...]
    """A time after all others."""
    divisions: tuple[Division, ...] = ()
    given: System = System()
    """The constraints on parameters for all callers: the context, but for a function of upstream MLIR, in which
    `loop.bind` states sizes to be equal because an operation is undefined otherwise."""

    digits: tuple[Digits, ...] = ()

    def iteration(self, variables: Sequence[Symbol], point: Sequence[int]) -> tuple[int, ...]:
        """Return the values of loops' variables at a point: digits of one are that one."""
        values = dict(zip(variables, point, strict=True))
        groups = {digits[0][0]: digits for digits in self.digits}
        later = {symbol for digits in self.digits for symbol, _ in digits[1:]}
        return tuple(
            sum(values[symbol] * stride for symbol, stride in groups.get(v, ((v, 1),)))
            for v in variables
            if v not in later
        )

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """The parameters as variables of index expressions."""
        return tuple(p.symbol for p in self.parameters)

    @cached_property
    def arguments(self) -> dict[int, Cell]:
        """The buffers that are passed, by position."""
        return {c.argument: c for c in self.cells if c.argument is not None}

    @property
    def outputs(self) -> tuple[Cell, ...]:
        """The arguments whose content at the end is a result, by position."""
        return tuple(c for c in self.cells if c.is_output)

    def writers(self, cell: Cell) -> tuple[Statement, ...]:
        """Return the statements that write a cell, by number."""
        return self._writers.get(cell, ())

    @cached_property
    def _writers(self) -> dict[Cell, tuple[Statement, ...]]:
        found: dict[Cell, tuple[Statement, ...]] = {}
        for statement in self.statements:
            found[statement.cell] = (*found.get(statement.cell, ()), statement)
        return found
