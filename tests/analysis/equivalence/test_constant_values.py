"""Elements of constants by value: the pairs that relations of any kind give, against a loop over all of them."""

from __future__ import annotations

import numpy as np
import pytest
from tilewright.analysis.equivalence.constant_values import first_unequal, is_known
from tilewright.analysis.equivalence.terms import Contents
from tilewright.analysis.integer_set import System
from tilewright.analysis.integer_set.calculus import Calculus, Undecided
from tilewright.analysis.integer_set.relation import Relation
from tilewright.analysis.polyhedral.expression_trees import constant
from tilewright.dialects.constant_data import dense_attr
from tilewright.dialects.index_expr import Index, Symbol
from xdsl.dialects.builtin import f32

R, J, K, P, Q = (Symbol(name) for name in "ijkpq")
i, j, k, p, q = map(Index.of, (R, J, K, P, Q))
CALCULUS = Calculus(())


def box(**extents: int) -> System:
    return System.box({Symbol(name): (0, extent) for name, extent in extents.items()})


def contents(array: np.ndarray) -> Contents:
    return Contents(None, dense_attr(array.astype(np.float32)), f32)


WEIGHTS = np.arange(48).reshape(6, 8)
RELATIONS = {
    "blocks of four columns": (
        CALCULUS.function((R, J), [j // 4, i, j % 4], [box(i=6, j=8)]),
        WEIGHTS.reshape(6, 2, 4).transpose(1, 0, 2),
    ),
    "blocks, the other way": (
        CALCULUS.relation((R, J), (P, K, Q), [box(i=6, j=8, p=2, k=6, q=4).equating([(p * 4 + q, j), (k, i)])]),
        WEIGHTS.reshape(6, 2, 4).transpose(1, 0, 2),
    ),
    "every other row": (
        CALCULUS.relation((R, J), (P, Q), [box(i=6, j=8, p=3, q=8).equating([(i, p * 2), (j, q)])]),
        WEIGHTS[::2],
    ),
    "a triangle": (
        CALCULUS.function((R, J), [j, i], [System((*box(i=6, j=8).nonnegative, j - i))]),
        WEIGHTS.T,
    ),
    "pairs of many to many": (
        CALCULUS.relation((R, J), (P, Q), [box(i=6, j=8, p=6, q=8).equating([((i + j) % 3, (p + q) % 3)])]),
        np.add.outer(np.arange(6), np.arange(8)) % 3,
    ),
}


@pytest.mark.each("name", RELATIONS)
def test_each_pair_of_a_relation_is_compared(name: str) -> None:
    relation, second = RELATIONS[name]
    first = second if name.startswith("pairs") else WEIGHTS
    assert first_unequal(contents(first), contents(second), relation) is None
    rng = np.random.default_rng(0)
    pairs = relation.points({})
    for _ in range(6):
        wrong = second.copy()
        at = tuple(rng.integers(0, n) for n in wrong.shape)
        wrong[at] += 100
        differ = [pair for pair in pairs if first[pair[:2]] != wrong[pair[2:]]]
        found = first_unequal(contents(first), contents(wrong), relation)
        assert (found is None) == (not differ)
        assert found is None or found.points({})[0] in differ


def test_numbers_are_compared_with_elements() -> None:
    whole: Relation = CALCULUS.set((R, J), [box(i=3, j=4)]).times(CALCULUS.set((K,), [box(k=5)]))
    zeros = np.zeros((3, 4))
    assert first_unequal(contents(zeros), constant(f32, 0), whole) is None
    assert first_unequal(constant(f32, 0), contents(zeros), whole.inverse()) is None
    zeros[2, 3] = -0.0  # another bit pattern
    assert first_unequal(contents(zeros), constant(f32, 0), whole) is not None


def test_symbolic_sizes_are_not_decided() -> None:
    n = Symbol("n")
    calculus = Calculus((n,))
    relation = calculus.function((R,), [i], [System.box({R: (0, Index.of(n))})])
    array = contents(np.arange(4))
    with pytest.raises(Undecided, match="at symbolic sizes"):
        first_unequal(array, array, relation)
    assert is_known(array) and not is_known(Contents(0, None, f32))
