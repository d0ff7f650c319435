"""One isl context for the relations of a proof: their constructors, and the budget that ends a question.

Relations are built from systems of constraints through integer matrices, never from text. All relations of a calculus
have the same parameters in the same order, so that no operation has to align them.

Every isl error becomes `Undecided`, after which the calculus has a fresh context: one whose budget was spent stays
poisoned. Relations made before belong to the old one. Using them is `Undecided` too, so what has to outlive a question
is kept as systems.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NoReturn, TypeVar

from ...dialects.index_expr import Index, Symbol, Variable
from .solver import Rows, matrix_of
from .system import System

if TYPE_CHECKING:
    import islpy

    from .relation import IntegerSet, Relation

OPERATIONS = 5_000_000
"""isl operations that a question may take: some seconds, for relations that take long."""

T = TypeVar("T")


class Undecided(Exception):
    """A question that has no answer: the budget was spent, or isl failed."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Calculus:
    """Makes integer sets and relations over the parameters given, and holds the budget of the questions about them.

    `operations` bounds the isl operations and `seconds` the wall time from here or from the last `begin` on. The time
    is looked at before each operation on relations; one that runs is not interrupted.
    """

    def __init__(
        self, parameters: Sequence[Symbol] = (), *, operations: int = OPERATIONS, seconds: float | None = None
    ) -> None:
        import islpy as isl

        self.parameters = tuple(parameters)
        self.context = isl.Context()
        self._operations = operations
        self._seconds = seconds
        self._built: dict[tuple[Rows, int, int], islpy.Map] = {}
        self.begin()

    def begin(self, *, operations: int | None = None, seconds: float | None = None) -> None:
        """Begin a new question, whose budget starts here. A limit that is not given stays as it was."""
        self._operations = self._operations if operations is None else operations
        self._seconds = self._seconds if seconds is None else seconds
        self._deadline = None if self._seconds is None else time.monotonic() + self._seconds
        self.context.reset_operations()
        self.context.set_max_operations(self._operations)

    # Construction

    def set(self, variables: Sequence[Variable], systems: Sequence[System]) -> IntegerSet:
        """Return the tuples of `variables` at which one of the systems holds; other variables of it have some value."""
        return self.relation((), variables, systems).range()

    def relation(self, inputs: Sequence[Variable], outputs: Sequence[Variable], systems: Sequence[System]) -> Relation:
        """Return the pairs of tuples at which one of the systems holds.

        Variables of a system that are neither inputs, outputs nor parameters are there for some value. A variable may
        be an input and an output; inputs and outputs are each without repetition.
        """
        fresh = {v: Symbol(f"{k} (output)") for k, v in enumerate(outputs) if v in inputs}
        twins = [fresh.get(v, v) for v in outputs]
        same = list(fresh.items())
        columns = (*self.parameters, *inputs, *twins)
        rows = [system.equating(same).projected_rows(columns) for system in systems]
        return self._relation(rows, len(inputs), len(outputs))

    def function(self, inputs: Sequence[Variable], values: Sequence[Index], systems: Sequence[System]) -> Relation:
        """Map each tuple of `inputs` at which one of the systems holds to the values of the expressions."""
        outputs = [Symbol(f"{k} (output)") for k in range(len(values))]
        equal = list(zip(outputs, values, strict=True))
        return self.relation(inputs, outputs, [system.equating(equal) for system in systems])

    def universe(self, dimensions: int) -> IntegerSet:
        """Return all tuples of so many integers, for all parameters."""
        return self.set([Symbol(str(k)) for k in range(dimensions)], [System()])

    def number(self, value: int) -> IntegerSet:
        """Return the set of one integer, for all parameters."""
        x = Symbol("x")
        return self.set([x], [System().equating([(x, value)])])

    def empty(self, inputs: int, outputs: int) -> Relation:
        """Return the relation without a pair, of so many inputs and outputs."""
        return self._relation([], inputs, outputs)

    def _relation(self, rows: Sequence[Rows], inputs: int, outputs: int) -> Relation:
        from .relation import Relation

        def build() -> islpy.Map:
            parts = [self._part(row, inputs, outputs) for row in rows]
            whole = parts[0] if parts else _nothing(self.context, self.parameters, inputs, outputs)
            for part in parts[1:]:
                whole = whole.union(part)
            return whole

        return Relation(self, self.ask(build))

    def _part(self, rows: Rows, inputs: int, outputs: int) -> islpy.Map:
        if any(abs(value) >= 1 << 63 for row in (*rows.zero, *rows.nonnegative) for value in row):
            raise Undecided("a coefficient exceeds 64 bits")
        key = (rows, inputs, outputs)
        if key not in self._built:
            self._built[key] = _basic_map(self.context, rows, self.parameters, inputs, outputs).to_map()
        return self._built[key]

    # Questions

    def ask(self, question: Callable[[], T], *contexts: islpy.Context) -> T:
        """Return the answer of isl to one question. Raises Undecided where the budget is spent or isl fails.

        `contexts` are those of the relations that the question is about.
        """
        import islpy as isl

        if any(context is not self.context for context in contexts):
            raise Undecided("a relation was made before an earlier question failed")
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise Undecided(f"the time of {self._seconds} seconds is over")
        try:
            return question()
        except isl.Error as error:
            spent = "maximal number of operations" in str(error)
            self._fail(f"the budget of {self._operations} operations was spent" if spent else "the solver failed")

    def _fail(self, reason: str) -> NoReturn:
        import islpy as isl

        self.context = isl.Context()
        self._built.clear()
        self.context.set_max_operations(self._operations)
        raise Undecided(reason)


def _space(context: islpy.Context, parameters: Sequence[Symbol], inputs: int, outputs: int) -> islpy.Space:
    import islpy as isl

    space = isl.Space.alloc(context, len(parameters), inputs, outputs)
    for k in range(len(parameters)):
        space = space.set_dim_name(isl.dim_type.param, k, f"p{k}")
    return space


def _basic_map(
    context: islpy.Context, rows: Rows, parameters: Sequence[Symbol], inputs: int, outputs: int
) -> islpy.BasicMap:
    import islpy as isl

    kind = isl.dim_type
    return isl.BasicMap.from_constraint_matrices(
        _space(context, parameters, inputs, outputs),
        matrix_of(context, rows, rows.zero),
        matrix_of(context, rows, rows.nonnegative),
        kind.param,
        kind.in_,
        kind.out,
        kind.div,
        kind.cst,
    )


def _nothing(context: islpy.Context, parameters: Sequence[Symbol], inputs: int, outputs: int) -> islpy.Map:
    import islpy as isl

    return isl.Map.empty(_space(context, parameters, inputs, outputs))
