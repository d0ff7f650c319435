"""Signatures of terms: the shape of their operations, and the elements of arguments that they read.

Values of reductions are left out of both, since the terms of a reduction may be in another order. Signatures guess
which terms correspond; no proof relies on them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import product

from ..integer_set.relation import IntegerSet, Relation
from ..polyhedral.expression_trees import Apply, Constant
from .chains import Chains
from .terms import Contents, Term

DEPTH = 12
"""The greatest number of statements through which a term is followed."""
MOST = 32
"""The greatest number of cases into which a term is split."""


@dataclass(frozen=True)
class TermSignature:
    """One of the cases of a term."""

    shape: Hashable
    elements: tuple[Relation, ...]
    """Instances to elements of arguments, in the order in which the shape names the arguments."""
    instances: IntegerSet


class Signatures:
    """The signatures of one program's terms."""

    def __init__(self, chains: Chains) -> None:
        self.chains = chains
        self._known: dict[Hashable, list[TermSignature]] = {}

    def of(self, term: Term) -> list[TermSignature]:
        """Return the cases of a term."""
        if term.key not in self._known:
            self._known[term.key] = list(self._find(term, DEPTH))
        return self._known[term.key]

    def _find(self, term: Term, depth: int) -> Iterator[TermSignature]:
        e = term.expression
        if depth == 0 or self.chains.is_update(term):
            yield TermSignature("a reduction", (), term.domain)
            return
        steps = self.chains.rewriting.steps(term)
        if steps is not None:
            for step in steps:
                for below in self._find(step.term, depth - 1):
                    yield TermSignature(
                        below.shape,
                        tuple(step.moves.then(e) for e in below.elements),
                        step.moves.into(below.instances).domain(),
                    )
        elif isinstance(e, Apply):
            yield from self._applied(term, e, depth)
        elif isinstance(e, Contents):
            yield TermSignature(e, (term.domain.identity(),), term.domain)
        else:
            yield TermSignature(e if isinstance(e, Constant) else type(e), (), term.domain)

    def _applied(self, term: Term, e: Apply, depth: int) -> Iterator[TermSignature]:
        """Yield the operands' signatures in all combinations, in sorted order where operands commute."""
        operands = [list(self._find(term.part(operand), depth)) for operand in e.operands]
        for count, parts in enumerate(product(*operands)):
            if count == MOST:
                return
            if self.chains.rewriting.algebra.commutes(e.name):
                parts = sorted(parts, key=lambda part: repr(part.shape))
            instances = term.domain
            for part in parts:
                instances = instances & part.instances
            if not instances.is_empty():
                elements = tuple(relation for part in parts for relation in part.elements)
                yield TermSignature((e.name, *(part.shape for part in parts)), elements, instances)
