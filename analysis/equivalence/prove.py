"""Proofs that two functions compute the same outputs.

The values of all elements of all outputs are unfolded backwards on both sides, pair by pair, until constants and
elements of arguments are met (Verdoolaege, Janssens, Bruynooghe, "Equivalence checking of static affine programs using
widening to handle recurrences", TOPLAS 2012). Where the proof fails, a difference is searched for at small sizes,
instance by instance.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, product
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, FunctionType, IndexType, MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.rewriter import InsertPoint

from ...dialects import loop
from ...dialects.index_expr import Symbol
from ...ir import editor as edit
from ..polyhedral.buffer_cells import is_workspace
from ..polyhedral.builder import model_of
from ..polyhedral.model import Model, Refusal
from ..polyhedral.sizes import is_size, parameter_symbol
from ..polyhedral.te_builder import buffers_of
from .algebra import EXACT, Algebra
from .callers import compare_callers, has_calls, operators_of
from .model_proof import Proof
from .question import DEFAULT, Budget, Refinement
from .verdict import Bounded, Proved, Refuted, Unknown, Verdict

FIXED = (3, 4, 1, 0)
"""The values of sizes that are fixed, where products of them are no index expressions. At those above 0 statements have
instances, so that a difference of expressions is one of values."""


def equivalent(
    before: FuncOp,
    after: FuncOp,
    algebra: Algebra = EXACT,
    budget: Budget = DEFAULT,
    refinement: Refinement | None = None,
) -> Verdict:
    """Decide whether `after` computes the same outputs as `before`, for all sizes and inputs, under an algebra.

    Every access has to stay inside its buffer: without `refinement` for all sizes in both functions, with it in `after`
    at the sizes at which `before` is defined. An element that `before` leaves undefined may have any value; such
    elements are counted. Arguments are assumed not to overlap, and loops of all kinds run in order.
    """
    start = time.monotonic()
    try:
        verdict = _Question(algebra, budget, start + budget.seconds, refinement).answer(before, after)
    except RecursionError:
        verdict = Unknown("the expressions are nested too deeply")
    return replace(verdict, seconds=time.monotonic() - start)


@dataclass(frozen=True)
class _Question:
    """One question about two functions, and its bounds."""

    algebra: Algebra
    budget: Budget
    deadline: float
    refinement: Refinement | None

    def answer(self, before: FuncOp, after: FuncOp) -> Verdict:
        if any(has_calls(f) or operators_of(f) for f in (before, after)):
            return compare_callers(before, after, self.budget, self.deadline)
        functions = Functions.of(before, after)
        if isinstance(functions, Unknown):
            return functions
        models = functions.models({})
        if isinstance(models, Refusal):
            return self._bounded(functions, models)
        return self._about(*models)

    def _about(self, before: Model, after: Model) -> Verdict:
        proof = Proof(before, after, self.algebra, self.budget.operations, self.deadline, self.refinement)
        return proof.verdict()

    def _at(self, functions: Functions, sizes: Mapping[Symbol, int]) -> Verdict:
        """Return the verdict with values for some sizes."""
        models = functions.models(sizes)
        return Unknown(models.reason, models.op) if isinstance(models, Refusal) else self._about(*models)

    def _bounded(self, functions: Functions, refusal: Refusal) -> Verdict:
        """Return the verdict with as few sizes fixed as it takes, at several values each."""
        fixings = functions.sizes_to_fix()
        tried: list[tuple[Mapping[str, int], Proved]] = []
        for number, sizes in enumerate(fixings):
            verdict = self._at(functions, sizes)
            if isinstance(verdict, Refuted):
                return replace(verdict, further=partial(self._further, verdict, functions, fixings[number + 1 :]))
            if isinstance(verdict, Unknown) and verdict.is_about_nothing:
                continue
            if not isinstance(verdict, Proved):
                return verdict
            tried.append(({symbol.name: value for symbol, value in sizes.items()}, verdict))
        if not tried:
            return Unknown(refusal.reason, refusal.op)
        tried.sort(key=lambda each: tuple(each[0].values()))
        undefined = tuple(part for _, verdict in tried for part in verdict.undefined)
        sizes = tuple(each for each, _ in tried)
        assumptions = tuple(dict.fromkeys(a for _, verdict in tried for a in verdict.assumptions))
        return Bounded(sizes, undefined=undefined, condition=self._conditions(tried), assumptions=assumptions)

    def _conditions(self, tried: Sequence[tuple[Mapping[str, int], Proved]]) -> str | None:
        """Return the conditions at all sizes that were fixed, each with these where they differ."""
        if len({verdict.condition for _, verdict in tried}) == 1:
            return tried[0][1].condition
        assert self.refinement is not None
        words = [", ".join(f"{self.refinement.word(n)} = {v}" for n, v in sizes.items()) for sizes, _ in tried]
        pairs = zip(words, (verdict.condition for _, verdict in tried), strict=True)
        return "; ".join(f"at {sizes}: {condition or 'all'}" for sizes, condition in pairs)

    def _further(
        self, first: Refuted, functions: Functions, others: Sequence[Mapping[Symbol, int]]
    ) -> Iterator[Refuted]:
        """Yield the further refutations with the first fixed sizes, then those with others."""
        yield from first.further()
        for sizes in others:
            verdict = self._at(functions, sizes)
            if isinstance(verdict, Refuted):
                yield verdict


@dataclass(frozen=True)
class Functions:
    """Two functions of the same arguments, and the shapes by which the arguments' elements are named in both."""

    before: FuncOp
    after: FuncOp
    shapes: tuple[Mapping[int, Sequence[int]], Mapping[int, Sequence[int]]]
    """For each function, by position: the shapes of arguments that are read under another than the declared shape."""

    @staticmethod
    def of(before: FuncOp, after: FuncOp) -> Functions | Unknown:
        """Pair two functions. Arguments of constant shape may have another one with as many elements: the shape of more
        dimensions names the elements.

        A workspace that the caller passes counts as memory that the function allocates.
        """
        before, after = map(without_workspaces, (before, after))
        first, second = map(buffers_of, (before, after))
        if len(first) != len(second):
            return Unknown("the functions have different arguments", after)
        shapes: tuple[dict[int, Sequence[int]], dict[int, Sequence[int]]] = ({}, {})
        for position, (one, other) in enumerate(zip(first, second, strict=True)):
            if one == other:
                continue
            if not isinstance(one, MemRefType) or not isinstance(other, MemRefType) or not _hold_the_same(one, other):
                return Unknown(f"argument {position} is a {one} before and a {other} after", after)
            mine, yours = one.get_shape(), other.get_shape()
            shapes[0 if len(mine) < len(yours) else 1][position] = max(mine, yours, key=len)
        return Functions(before, after, shapes)

    def models(self, fixed: Mapping[Symbol, int]) -> tuple[Model, Model] | Refusal:
        """Return both models, with values for some sizes."""
        found: list[Model] = []
        for function, shapes in zip((self.before, self.after), self.shapes, strict=True):
            model = model_of(function, fixed=fixed, shapes=shapes)
            if isinstance(model, Refusal):
                return model
            found.append(model)
        return found[0], found[1]

    def sizes_to_fix(self) -> list[dict[Symbol, int]]:
        """Return values for as few sizes as it takes for both functions to have models, in all combinations of `FIXED`.

        Products of sizes are no index expressions, but where all sizes but one have values they are. Nothing where that
        does not help.
        """
        symbols = self._sizes()
        for count in range(1, len(symbols) + 1):
            for chosen in combinations(symbols, count):
                if not isinstance(self.models(dict.fromkeys(chosen, FIXED[-1])), Refusal):
                    return [dict(zip(chosen, values, strict=True)) for values in product(FIXED, repeat=count)]
        return []

    def _sizes(self) -> list[Symbol]:
        symbols: list[Symbol] = []
        arguments = self.before.body.block.args
        for position, type in enumerate(buffers_of(self.before)):
            if isinstance(type, MemRefType):
                extents = enumerate(type.get_shape())
                symbols += [parameter_symbol(position, d) for d, extent in extents if extent == DYNAMIC_INDEX]
                holds_size = position < len(arguments) and is_size(arguments[position])
                symbols += [parameter_symbol(position)] if holds_size else []
            elif isinstance(type, IndexType):
                symbols.append(parameter_symbol(position))
        return symbols


def _hold_the_same(one: MemRefType, other: MemRefType) -> bool:
    """Return whether two types have the same element type and the same constant number of elements."""
    shapes = (one.get_shape(), other.get_shape())
    constant = all(extent != DYNAMIC_INDEX for shape in shapes for extent in shape)
    return constant and one.element_type == other.element_type and prod(shapes[0]) == prod(shapes[1])


def without_workspaces(function: FuncOp) -> FuncOp:
    """Return the function or, where it has workspaces, a copy that allocates them. Their content before and after is
    undefined, as that of an allocation is."""
    lent = [k for k, type in enumerate(function.function_type.inputs) if _is_lent(function, k, type)]
    if not lent or len(function.body.blocks) != 1:
        return function
    copy = function.clone()
    block = copy.body.block
    for position in reversed(lent):
        argument = block.args[position]
        type_ = argument.type
        assert isinstance(type_, MemRefType)
        alloc = loop.AllocOp(type_, name_hint=argument.name_hint)
        edit.insert(alloc, InsertPoint.at_start(block))
        edit.replace_uses(argument, alloc.res)
        edit.erase_argument(argument)
    kept = [k for k in range(len(function.function_type.inputs)) if k not in lent]
    types = function.function_type
    edit.change(copy).function_type = FunctionType.from_lists([types.inputs.data[k] for k in kept], types.outputs.data)
    if copy.arg_attrs is not None:
        edit.change(copy).arg_attrs = ArrayAttr([copy.arg_attrs.data[k] for k in kept])
    return copy


def _is_lent(function: FuncOp, position: int, type: object) -> bool:
    return is_workspace(function, position) and isinstance(type, MemRefType) and loop.byte_size(type) is not None
