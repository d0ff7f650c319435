"""One proof about two models: all accesses are in bounds, and all outputs are equal; else the instances that differ.

There are two questions. For *equality*, a program before that is undefined at some sizes is faulty, and the answer is
undecided. For *refinement*, such sizes are left out: the program after may do anything there.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from ...dialects.index_expr import Index, IndexLike, Symbol, Variable
from ..integer_set.calculus import Calculus, Undecided
from ..integer_set.relation import IntegerSet, Sample
from ..polyhedral.expression_trees import Choice, Expression, IndexValue, Undefined, walk
from ..polyhedral.inside import violation_of
from ..polyhedral.model import Model, Obligation, Read, Statement
from ..polyhedral.parallel_races import Race, race_in, racing_pairs
from .algebra import Algebra
from .conditions import condition_of
from .divisions import REASON, Divisions
from .question import Refinement
from .search import SMALL, Search
from .term_comparison import Comparison, Failure
from .terms import RelationalModel
from .verdict import Computed, Fault, Proved, Refuted, UndefinedElements, Unknown, Verdict

BRANCHES = "a branch on poison is one of the two branches"
UNCERTAIN = "sizes at which an access below a condition on data may leave its buffer or race are left out"
READINGS = (
    "it depends on a reading that upstream leaves open: proved if memory that nobody has written is poison, not if it "
    "holds some number"
)


class Proof:
    """The programs, and one calculus for both."""

    def __init__(
        self,
        before: Model,
        after: Model,
        algebra: Algebra,
        operations: int,
        deadline: float,
        refinement: Refinement | None = None,
    ) -> None:
        self.before = before
        self.after = after
        self.algebra = algebra
        self.deadline = deadline
        self.refinement = refinement
        symbols = dict.fromkeys((*before.symbols, *after.symbols))
        self.calculus = Calculus(tuple(symbols), operations=operations)
        self._begin()
        self.undefined: list[UndefinedElements] = []
        self.assumptions: list[str] = []

    def verdict(self) -> Verdict:
        """Return the verdict: proved, refuted, or unknown where the budget is spent."""
        try:
            verdict = self._refusal_of_sizes() or self._leaving() or self._racing() or self._computing()
            return self._with_condition(verdict) if isinstance(verdict, Proved) else verdict
        except Undecided as undecided:
            over = time.monotonic() >= self.deadline
            reason = "the time that a proof may take is over" if over else undecided.reason
            return Unknown(reason, undefined=tuple(self.undefined))

    @cached_property
    def accepted(self) -> IntegerSet:
        """The sizes that are compared: those that the program before takes, and at which refinement has it defined."""
        sizes = self._accepted(self.before)
        if self.refinement is None:
            return sizes
        for obligation in self.before.obligations:
            if self._is_met(self.before, obligation):
                continue
            self._begin()
            outside = self._outside(obligation).parameters_only()
            if not obligation.is_certain and UNCERTAIN not in self.assumptions and not (sizes & outside).is_empty():
                self.assumptions.append(UNCERTAIN)
            sizes = (sizes - outside).coalesce()
        for parallel in self.before.parallel_loops:
            for pairs in racing_pairs(self.before, parallel, self.calculus):
                self._begin()
                racing = pairs.where(sizes).range().parameters_only()
                if racing.is_empty():
                    continue
                if _has_conditions(self.before) and UNCERTAIN not in self.assumptions:
                    self.assumptions.append(UNCERTAIN)
                sizes = (sizes - racing).coalesce()
        return sizes

    def _with_condition(self, proved: Proved) -> Verdict:
        """Return a proof with the condition on the sizes that it is about; unknown where no sizes are left."""
        if self.refinement is None:
            return proved
        self._begin()
        if self.accepted.is_empty():
            return Unknown(f"no sizes are left to compare: {self._undefined_everywhere()}", is_about_nothing=True)
        condition = condition_of(self.accepted, self._given(), self.refinement.names)
        branches = [BRANCHES] if _has_conditions(self.after) else []
        return replace(proved, condition=condition, assumptions=(*self.assumptions, *branches))

    def _given(self) -> IntegerSet:
        """Return the sizes that all callers of the program before may give, of which a condition chooses some."""
        if self.before.given == self.before.context:
            return self._accepted(self.before)
        return self.calculus.set((), [self.before.given])

    def _undefined_everywhere(self) -> str:
        if self._accepted(self.before).is_empty():
            return "the program before refuses all"
        return "the program before is undefined at all that it takes"

    def _begin(self) -> None:
        """Begin a new question: the operations start anew, and the time is the rest of the proof's."""
        self.calculus.begin(seconds=max(0.0, self.deadline - time.monotonic()))

    # The calls that are compared

    def _accepted(self, model: Model) -> IntegerSet:
        """Return the sizes that a program takes: a set without dimensions."""
        violated = [
            system.where(-condition - 1)
            for assertion in model.assertions
            for system in assertion.domain
            for condition in assertion.conditions
        ]
        return self.calculus.set((), [model.context]) - self.calculus.set((), violated)

    def _refusal_of_sizes(self) -> Verdict | None:
        """Check that the transformed program accepts the sizes that the original program accepts."""
        sample = (self.accepted - self._accepted(self.after)).sample()
        if sample is None:
            return None
        words = {} if self.refinement is None else self.refinement.names
        sizes = _named({Symbol(words.get(symbol.name, symbol.name)): n for symbol, n in sample.parameters.items()})
        return Unknown(f"the program after refuses sizes that the program before accepts: {sizes}")

    # Accesses

    def _leaving(self) -> Verdict | None:
        """Check that every access stays inside its buffer, for the sizes that the program before takes."""
        for obligation in self.before.obligations if self.refinement is None else ():
            if (sample := self._violation(self.before, obligation)) is not None:
                where = _named(sample.parameters) or "its sizes"
                return Unknown(f"before, it does not hold that {obligation.what}, at {where}", obligation.op)
        for obligation in self.after.obligations:
            if (sample := self._violation(self.after, obligation)) is not None:
                after = Computed(f"it does not hold that {obligation.what}", obligation.op)
                before = Computed("every access stays inside its buffer")
                point = self.after.iteration(obligation.variables, sample.point)
                return Refuted(_by_name(sample.parameters), None, point, before, after, Fault.OUTSIDE)
        return None

    def _violation(self, model: Model, obligation: Obligation) -> Sample | None:
        """Return an instance at which an obligation is not met, at sizes that are compared."""
        if self._is_met(model, obligation):
            return None
        self._begin()
        return (self._outside(obligation).where(self.accepted)).sample()

    def _is_met(self, model: Model, obligation: Obligation) -> bool:
        """Return whether an obligation is met at all sizes for certain, those that are refused included."""
        try:
            return violation_of(model, obligation) is None
        except Undecided:
            return False  # the budget of this question is small

    def _outside(self, obligation: Obligation) -> IntegerSet:
        """Return the instances at which an obligation is not met."""
        systems = [s.where(-condition - 1) for s in obligation.domain for condition in obligation.conditions]
        return self.calculus.set(obligation.variables, systems)

    # Races

    def _racing(self) -> Verdict | None:
        """Check that the iterations of parallel loops may run at once, for the sizes that the program before takes."""
        if self.refinement is None and (race := self._race(self.before)) is not None:
            where = _named(race.sizes) or "its sizes"
            return Unknown(f"before, {_race_text(race)} at {where}", race.loop.op)
        if (race := self._race(self.after)) is None:
            return None
        before = Computed("no two iterations of a parallel loop touch what one of them writes")
        point = (*race.around, *race.iterations[0])
        return Refuted(_by_name(race.sizes), None, point, before, Computed(_race_text(race), race.loop.op), Fault.RACE)

    def _race(self, model: Model) -> Race | None:
        for parallel in model.parallel_loops:
            self._begin()
            if (race := race_in(model, parallel, self.calculus, self.accepted)) is not None:
                return race
        return None

    # Divisions

    def _computing(self) -> Verdict:
        """Compare values, and where they do not differ, divisions."""
        verdict = self._outputs()
        if not self.after.divisions or isinstance(verdict, Refuted):
            return verdict
        self._begin()
        return self._dividing() or verdict

    def _dividing(self) -> Verdict | None:
        """Check that the program after divides by no number that may be 0 but those that the program before divides
        by."""
        before, after = (RelationalModel(model, self.calculus, self._begin) for model in (self.before, self.after))
        comparison = Comparison(before, after, self.algebra, self.accepted)
        found = Divisions(comparison, self.accepted).first_open()
        if found is None:
            return None
        shown = Computed(REASON, found.division.op), Computed("every divisor is one of the program before")
        refutations = [
            Refuted(_by_name(sample.parameters), None, sample.point, shown[1], shown[0], Fault.DIVISION)
            for sample in self._samples(found.instances)
        ]
        return replace(refutations[0], further=lambda: refutations)

    def _samples(self, instances: IntegerSet) -> list[Sample]:
        """Return some instance, and others at small sizes."""
        found = [instances.sample()]
        for size in SMALL if self.calculus.parameters else ():
            at = instances
            for parameter in self.calculus.parameters:
                fixed = at.fix(parameter, size)
                at = at if fixed.is_empty() else fixed
            found.append(at.sample())
        return [sample for sample in found if sample is not None]

    # Outputs

    def _outputs(self) -> Verdict:
        """Compare all outputs; where memory that nobody has written decides, both readings of it are tried."""
        verdict = self._compare_outputs()
        allocates = any(isinstance(s.value, Undefined) and not s.value.is_poison for s in self.before.statements)
        if isinstance(verdict, Proved) or self.refinement is None or not allocates:
            return verdict
        self.undefined.clear()
        self._begin()
        other = self._compare_outputs(memory_is_poison=True)
        return Unknown(READINGS, undefined=other.undefined) if isinstance(other, Proved) else verdict

    def _compare_outputs(self, *, memory_is_poison: bool = False) -> Verdict:
        """Compare the outputs. An argument that one of the programs writes is an output of both."""
        search = Search(self.before, self.after, self.algebra, self.calculus, self.accepted, self._begin)
        written = sorted({c.argument for m in (self.before, self.after) for c in m.outputs if c.argument is not None})
        for output in written:
            failure = self._compare(output, memory_is_poison=memory_is_poison)
            if failure is None or have_same_statements(self.before, self.after):
                continue
            undefined = tuple(self.undefined)
            verdict = search.verdict(output, failure, undefined)
            if isinstance(verdict, Unknown) and failure.instances is None and not self.calculus.parameters:
                failure = self._compare(output, widens=False, memory_is_poison=memory_is_poison)
                if failure is None:
                    continue
                verdict = search.verdict(output, failure, undefined)
            return verdict
        return Proved(undefined=tuple(self.undefined))

    def _compare(self, output: int, *, memory_is_poison: bool, widens: bool = True) -> Failure | None:
        before, after = (RelationalModel(model, self.calculus, self._begin) for model in (self.before, self.after))
        comparison = Comparison(
            before, after, self.algebra, self.accepted, widens=widens, memory_is_poison=memory_is_poison
        )
        left, right = comparison.before.output(output), comparison.after.output(output)
        instances = left.domain.identity().where(self.accepted)
        failure = comparison.compare(left, right, instances)
        if widens:
            self._count_undefined(output, comparison.undefined)
        return failure

    def _count_undefined(self, output: int, parts: list[IntegerSet]) -> None:
        """Count the undefined elements of an output, at sizes for which there are some."""
        if not parts:
            return
        whole = parts[0]
        for part in parts[1:]:
            whole = whole | part
        if (sample := whole.sample()) is not None:
            count = len(whole.points(sample.parameters))
            self.undefined.append(UndefinedElements(output, _by_name(sample.parameters), count))


def _has_conditions(model: Model) -> bool:
    """Return whether a program has conditions on data."""
    return any(cell.kind == "condition" for cell in model.cells)


def _race_text(race: Race) -> str:
    first, second = (", ".join(map(str, iteration)) for iteration in race.iterations)
    element = ", ".join(map(str, race.element))
    return f"iterations {first} and {second} of a parallel loop touch {race.cell.name}[{element}], which one writes"


def _by_name(sizes: Mapping[Symbol, int]) -> dict[str, int]:
    return {symbol.name: value for symbol, value in sizes.items()}


def _named(sizes: Mapping[Symbol, int]) -> str:
    return ", ".join(f"{symbol.name} = {value}" for symbol, value in sizes.items())


def have_same_statements(first: Model, second: Model) -> bool:
    """Return whether two programs have the same statements at the same times: they write the same values then.

    Such are a loop before and after it became parallel, and programs in which names differ. No relation of a
    recurrence has to be found for them.
    """
    return _memory_of(first) == _memory_of(second)


def _memory_of(model: Model) -> object:
    """Return the cells, the writes and the reads of a program, with numbers in place of names and references."""
    cells = [
        (c.kind, c.type, _numbered(c.around, c.shape, c.made_at), c.argument, c.data, c.is_output) for c in model.cells
    ]
    writes = [
        (_accessed(s), id(s.value) if _is_of_reads(s.value) else (id(s.value), s.variables), s.is_overlay)
        for s in model.statements
    ]
    reads = [(r.statement, _accessed(r)) for r in model.reads]
    return model.parameters, model.context, cells, writes, reads


def _accessed(access: Statement | Read) -> object:
    """Return the instances, times and elements of an access."""
    names: dict[Variable, IndexLike] = {v: Symbol(f"variable {k}") for k, v in enumerate(access.variables)}
    domain = [system.substitute(names) for system in access.domain]
    return access.cell.number, len(names), domain, _numbered(access.variables, access.time, access.element)


def _numbered(variables: Sequence[Symbol], *lists: Sequence[Index]) -> object:
    names = {v: Index.of(Symbol(f"variable {k}")) for k, v in enumerate(variables)}
    return [[e.substitute(names) for e in expressions] for expressions in lists]


def _is_of_reads(e: Expression) -> bool:
    """Return whether an expression names no variable."""
    return not any(isinstance(x, (IndexValue, Choice)) for x in walk(e))
