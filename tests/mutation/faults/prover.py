"""Proofs that could be had too cheaply, or not at all: faults planted in the prover itself."""

from __future__ import annotations

from .fault import Fault

_STEPS = ("tests/analysis/equivalence/test_steps.py",)
_SOUNDNESS = ("tests/analysis/equivalence/test_soundness.py",)
_REDUCTIONS = ("tests/analysis/equivalence/test_reductions.py",)
_ALGEBRA = "analysis/equivalence/algebra.py"
_CHAINS = "analysis/equivalence/chains.py"
_CLAIMS = "analysis/equivalence/claims.py"
_COMPARISON = "analysis/equivalence/comparison.py"
_MULTISETS = "analysis/equivalence/multisets.py"
_PROOF = "analysis/equivalence/proof.py"
_REWRITING = "analysis/equivalence/rewriting.py"
_TERMS = "analysis/equivalence/terms.py"

FAULTS = (
    Fault(
        "a claim answers for instances that it does not hold",
        _CLAIMS,
        "return known is not None and instances.is_subset(known)",
        "return known is not None",
        _STEPS,
    ),
    Fault(
        "a claim is widened to all pairs of instances",
        _CLAIMS,
        "return hull.on(first).into(second)",
        "return first.times(second)",
        _STEPS,
    ),
    Fault(
        "a claim is widened beyond the instances that there are",
        _CLAIMS,
        "return hull.on(first).into(second)",
        "return hull",
        _STEPS,
    ),
    Fault(
        "a claim is not widened",
        _COMPARISON,
        "depth = self.claims.depth(pair) if self.widens else 0",
        "depth = 0",
        _STEPS,
    ),
    Fault(
        "a claim is widened to sizes that there are not",
        _COMPARISON,
        "left.domain, right.domain).where(self.sizes)",
        "left.domain, right.domain)",
        _SOUNDNESS,
    ),
    Fault(
        "what a failed alternative claimed is kept",
        _CLAIMS,
        "self._claimed = dict(mark)",
        "self._claimed |= mark",
        _SOUNDNESS,
    ),
    Fault(
        "instances without a value are taken as proved",
        _TERMS,
        "if not read.is_subset(_union_of_domains(steps)):",
        "if read is None:",
        _SOUNDNESS,
    ),
    Fault(
        "instances outside of all cases are taken as proved",
        _COMPARISON,
        "if not steps or not asked.is_subset(program.cover(term, steps)):",
        "if asked is None:",
        _SOUNDNESS,
    ),
    Fault(
        "one of the writers of a read is compared",
        _COMPARISON,
        "        for step in steps:\n            back, forth",
        "        for step in steps[:1]:\n            back, forth",
        _STEPS,
    ),
    Fault(
        "the last operand is not compared",
        _COMPARISON,
        "        for one, other in zip(first, second, strict=True):\n            failure = self.compare(",
        "        for one, other in zip(first[:1], second[:1], strict=True):\n            failure = self.compare(",
        _STEPS,
    ),
    Fault(
        "the relation of the instances after is inverted",
        _COMPARISON,
        "& above, above.then(moves).coalesce()",
        "& above, above.then(moves.inverse()).coalesce()",
        _STEPS,
    ),
    Fault(
        "any element of an argument is as good as another",
        _COMPARISON,
        "            return right.domain.identity()\n",
        "            return left.domain.times(right.domain)\n",
        _STEPS,
    ),
    Fault(
        "what becomes undefined is taken as equal",
        _COMPARISON,
        "if isinstance(left.expression, Undefined):",
        "if isinstance(left.expression, Undefined) or isinstance(right.expression, Undefined):",
        _STEPS,
    ),
    Fault(
        "undefined elements are not counted",
        _COMPARISON,
        "            self.undefined.append(elements)\n",
        "            pass\n",
        _STEPS,
    ),
    Fault(
        "operations of two names are the same",
        _COMPARISON,
        "        first.name == second.name\n        and first.properties",
        "        first.properties",
        _STEPS,
    ),
    Fault(
        "properties of operations are ignored",
        _COMPARISON,
        "        and first.properties == second.properties\n",
        "",
        _SOUNDNESS,
    ),
    Fault(
        "indices that are data are equal",
        _COMPARISON,
        "return None if one is None or other is None else one.then(other.inverse())",
        "return None if one is None or other is None else left.domain.times(right.domain)",
        _SOUNDNESS,
    ),
    Fault(
        "differences commute",
        _ALGEBRA,
        "return name in COMMUTATIVE",
        'return name in COMMUTATIVE or name == "arith.subf"',
        _STEPS,
    ),
    Fault(
        "sums change order without a declaration",
        _ALGEBRA,
        "(self.reassociates and name in ROUNDED_ASSOCIATIVE)",
        "name in ROUNDED_ASSOCIATIVE",
        _REDUCTIONS,
    ),
    Fault(
        "a product has the identity of a sum",
        _ALGEBRA,
        '    "arith.mulf": "one",\n',
        '    "arith.mulf": "zero",\n',
        _SOUNDNESS,
    ),
    Fault(
        "a product and a sum are contracted without a declaration",
        _REWRITING,
        "if not isinstance(e, Apply) or not self.algebra.contracts:",
        "if not isinstance(e, Apply):",
        _STEPS,
    ),
    Fault(
        "a product of one negated factor is not negated",
        _REWRITING,
        "if _is_negation(a) != _is_negation(b):",
        "if False:",
        _STEPS,
    ),
    Fault(
        "a fused product has the wrong operands",
        _REWRITING,
        "for x in (a, b)]",
        "for x in (a, c)]",
        _STEPS,
    ),
    Fault(
        "any constant is a zero",
        _REWRITING,
        "return term.domain if e.bits == 0 else",
        "return term.domain if e.bits >= 0 else",
        _REDUCTIONS,
    ),
    Fault(
        "an axiom holds without a declaration",
        _REWRITING,
        'if e.name == "arith.addf" and self.algebra.holds(Axiom.ADD_ZERO):',
        'if e.name == "arith.addf":',
        _REDUCTIONS,
    ),
    Fault(
        "each case of a choice is taken at all instances",
        _TERMS,
        "domain=term.domain & inside), inside.identity(), False)",
        "domain=term.domain), term.domain.identity(), False)",
        _REDUCTIONS,
    ),
    Fault(
        "what an argument holds at the beginning is forgotten",
        _TERMS,
        "if not sources.initial.is_empty():",
        "if sources.initial is None:",
        _STEPS,
    ),
    Fault(
        "copies that go round are unfolded without end",
        _COMPARISON,
        "if moved and (self.before.is_passed_on(left) or self.after.is_passed_on(right)):",
        "if moved and self.before.is_passed_on(left) and self.after.is_passed_on(right):",
        _STEPS,
    ),
    Fault(
        "accesses may leave their buffers",
        _PROOF,
        "self._refusal_of_sizes() or self._leaving() or self._outputs()",
        "self._refusal_of_sizes() or self._outputs()",
        _STEPS,
    ),
    Fault(
        "sizes may be refused that were taken before",
        _PROOF,
        "self._refusal_of_sizes() or self._leaving() or self._outputs()",
        "self._leaving() or self._outputs()",
        _SOUNDNESS,
    ),
    Fault(
        "sizes that are refused before are compared",
        _PROOF,
        "- self.calculus.set((), violated)",
        "- self.calculus.set((), [])",
        _SOUNDNESS,
    ),
    Fault(
        "outputs that only the program after writes are left out",
        _PROOF,
        "for m in (self.before, self.after) for c in m.outputs",
        "for m in (self.before,) for c in m.outputs",
        _STEPS,
    ),
    Fault(
        "terms after a result belong to it",
        _CHAINS,
        "            members = members - self._earlier(update.statement, statement).inverse()\n",
        "",
        _REDUCTIONS,
    ),
    Fault(
        "terms before another write belong to a result",
        _CHAINS,
        "                members = members - moves.then(self._earlier(other, update.statement))\n",
        "                pass\n",
        _SOUNDNESS,
    ),
    Fault(
        "what a reduction begins with is ignored",
        _CHAINS,
        "            if not moves.is_empty():\n                yield self.program.root(other), moves\n",
        "            pass\n",
        _REDUCTIONS,
    ),
    Fault(
        "an update that is lost is a term",
        _CHAINS,
        "return Update(statement, read, tuple(leaves)) if self._is_adjacent(statement, read) else None",
        "return Update(statement, read, tuple(leaves))",
        _REDUCTIONS,
    ),
    Fault(
        "a partial sum that is added several times counts once",
        _CHAINS,
        "return members.is_single_valued() or moves.on(members.range()).is_injective()",
        "return True",
        _SOUNDNESS,
    ),
    Fault(
        "a term is paired with two",
        _MULTISETS,
        "if not _is_one_to_one(pairings) and not self._is_one_to_one_for_each(first, second, pairings, results):",
        "if not pairings:",
        _REDUCTIONS,
    ),
    Fault(
        "terms that only the program after has are left out",
        _MULTISETS,
        "for rest in (*left_open, *right_open):",
        "for rest in left_open:",
        _REDUCTIONS,
    ),
    Fault(
        "terms that only the program before has are left out",
        _MULTISETS,
        "for rest in (*left_open, *right_open):",
        "for rest in right_open:",
        _REDUCTIONS,
    ),
    Fault(
        "terms that are paired are not compared",
        _MULTISETS,
        "        for pairing in pairings:\n            one, other",
        "        for pairing in pairings[:0]:\n            one, other",
        _REDUCTIONS,
    ),
)
