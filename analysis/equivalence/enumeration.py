"""Enumeration of a model at fixed sizes: expressions of all elements of all outputs, instance by instance.

Nothing of the symbolic proof is used, neither flow nor relations between instances, so that a refutation stands on two
legs. It takes the sets of instances and runs them in the order of their times.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from typing import TypeAlias

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation

from ...dialects.constant_data import has_data
from ...dialects.index_expr import Index, IndexLike, Symbol, Variable
from ..integer_set import System, bounds
from ..integer_set.calculus import Calculus
from ..polyhedral.expression_trees import Apply, Choice, Constant, Expression, IndexValue, ReadValue
from ..polyhedral.model import Cell, Model, Read, Statement, Union
from ..polyhedral.trees import INDEX_BITS
from .constant_values import bits_of
from .numbered_values import NumberedValues
from .terms import signed

INSTANCES = 20_000
"""The greatest number of instances that are run, which takes some seconds."""

Point: TypeAlias = tuple[int, ...]


class TooLarge(Exception):
    """There are more instances than are run."""


@dataclass
class Memory:
    """Values by cell and element, and the operation that wrote each."""

    values: dict[tuple[int, Point], int] = field(default_factory=dict[tuple[int, Point], int])
    writers: dict[tuple[int, Point], Operation] = field(default_factory=dict[tuple[int, Point], Operation])


class Enumeration:
    """One run of a model at sizes."""

    def __init__(self, model: Model, calculus: Calculus, sizes: Mapping[Symbol, int], values: NumberedValues) -> None:
        self.model = model
        self.calculus = calculus
        self.sizes = sizes
        self.values = values
        self.memory = Memory()
        self._read: dict[tuple[int, Point], int] = {}
        self._cases: dict[Choice, list[frozenset[Point]]] = {}

    def run(self) -> Memory:
        """Run all statements. Raises TooLarge and Undecided."""
        self._check_size()
        events: list[tuple[Point, bool, Read | Statement, Point]] = []
        for access in (*self.model.reads, *self.model.statements):
            is_write = isinstance(access, Statement)
            for point in self._points(access.variables, access.domain):
                time = self._evaluate(access.time, access.variables, point)
                events.append((time, is_write, access, point))
        longest = max((len(time) for time, _, _, _ in events), default=0)
        events.sort(key=lambda e: ((*e[0], *(0,) * (longest - len(e[0]))), e[1]))
        for _, _, access, point in events:
            self._execute(access, point)
        return self.memory

    def at_end(self, cell: Cell, element: Point) -> int:
        """Return the number of the expression that an element of an output holds after the run."""
        return self.memory.values.get((cell.number, element), self._contents(cell, element))

    def writer_of(self, argument: int, element: Point) -> Operation | None:
        """Return the operation that wrote an element of an output last; None where nothing has."""
        return self.memory.writers.get((self.model.arguments[argument].number, element))

    def elements(self, cell: Cell) -> list[Point]:
        """Return the elements of a cell, of which there are not too many."""
        extents = [e.evaluate(self.sizes) for e in cell.shape]
        if prod(extents) > INSTANCES:
            raise TooLarge
        found: list[Point] = [()]
        for extent in extents:
            found = [(*e, k) for e in found for k in range(extent)]
        return found

    def _execute(self, access: Read | Statement, point: Point) -> None:
        element = self._evaluate(access.element, access.variables, point)
        location = (access.cell.number, element)
        if isinstance(access, Read):
            held = self.memory.values.get(location)
            self._read[access.number, point] = self._contents(access.cell, element) if held is None else held
        else:
            self.memory.values[location] = self._value(access.value, access, point)
            self.memory.writers[location] = access.op

    def _value(self, e: Expression, statement: Statement, point: Point) -> int:
        match e:
            case Apply():
                operands = [self._value(operand, statement, point) for operand in e.operands]
                return self.values.apply(e, operands, statement.op)
            case Constant():
                if isinstance(e.type, IndexType):
                    return self._integer(signed(e.bits, INDEX_BITS))
                return self.values.leaf(f"{e.bits:#x} : {e.type}", "constant", e.type, e.bits)
            case IndexValue():
                return self._integer(self._evaluate((e.index,), statement.variables, point)[0])
            case ReadValue():
                return self._read[e.read, point]
            case Choice():
                for inside, (_, chosen) in zip(self._inside(e, statement), e.cases, strict=True):
                    if point in inside:
                        return self._value(chosen, statement, point)
                raise AssertionError("an instance has no case")
            case _:
                return self.values.poison if e.is_poison else self.values.undefined

    def _integer(self, value: int) -> int:
        return self.values.leaf(str(value), "integer", value)

    def _inside(self, e: Choice, statement: Statement) -> list[frozenset[Point]]:
        if e not in self._cases:
            domain = self.calculus.set(statement.variables, statement.domain)
            cases = [domain & self.calculus.set(statement.variables, systems) for systems, _ in e.cases]
            self._cases[e] = [frozenset(case.points(self.sizes)) for case in cases]
        return self._cases[e]

    def _contents(self, cell: Cell, element: Point) -> int:
        if cell.kind not in ("argument", "constant"):
            return self.values.undefined
        if cell.data is not None and has_data(cell.data):
            bits = int(bits_of(cell.data)[element])
            return self.values.leaf(f"{bits:#x} : {cell.type}", "constant", cell.type, bits)
        text = f"{cell.name}[{', '.join(map(str, element))}]"
        return self.values.leaf(text, "contents", cell.argument, cell.data, cell.type, element)

    def _points(self, variables: tuple[Symbol, ...], domain: Union) -> list[Point]:
        return self.calculus.set(variables, domain).points(self.sizes)

    def _evaluate(self, index: tuple[Index, ...], variables: tuple[Symbol, ...], point: Point) -> Point:
        known = {**self.sizes, **dict(zip(variables, point, strict=True))}
        return tuple(e.evaluate(known) for e in index)

    def _check_size(self) -> None:
        """Raise TooLarge where intervals do not show that there are few enough instances."""
        total = 0
        fixed = dict[Variable, IndexLike](self.sizes.items())
        for access in (*self.model.reads, *self.model.statements):
            for system in access.domain:
                total += _most_points(system.substitute(fixed), access.variables)
                if total > INSTANCES:
                    raise TooLarge


def _most_points(system: System, variables: tuple[Symbol, ...]) -> int:
    count = 1
    for variable in variables:
        low, high = bounds(system, Index.of(variable))
        if low is None or high is None:
            raise TooLarge
        count *= max(0, high - low + 1)
    return count
