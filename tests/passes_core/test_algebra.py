"""The declared effects of passes on arithmetic: all other passes keep each bit."""

from __future__ import annotations

import pytest
from tilewright.analysis.equivalence import EXACT, Algebra, Axiom
from tilewright.passes.framework.base import algebra_of, is_exact
from tilewright.passes.framework.registry import BUILTIN, get_pass

SUMS = Algebra(reassociates=True)
SCHEDULES = Algebra(reassociates=True, axioms=frozenset({Axiom.ADD_ZERO, Axiom.MULTIPLY_ZERO}))
DECLARED = {
    "apply-schedule": SCHEDULES,
    "auto-schedule": SCHEDULES,
    "block-channels": SUMS,
    "contract-fma": Algebra(contracts=True),
    "fold-constant": Algebra(reassociates=True, axioms=frozenset({Axiom.EXPAND_INTRINSIC})),
    "integer-products": SUMS,
    "lower-cross-thread-reduction": SUMS,
    "lower-graph": SUMS,
    "lower-intrinsics": Algebra(axioms=frozenset({Axiom.EXPAND_INTRINSIC})),
    "reorder": SUMS,
    "simplify-inference": SUMS,
    "widen-narrow-floats": SUMS,
    "winograd": SUMS,
}


@pytest.mark.each("name", BUILTIN)
def test_what_a_pass_declares(name: str) -> None:
    declared = algebra_of(get_pass(name))
    assert declared == DECLARED.get(name, EXACT)
    assert is_exact(get_pass(name)) == (declared == EXACT)
