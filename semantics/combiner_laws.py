"""The laws of user-defined combiners: a combiner is commutative and associative, and its identity is neutral.

A transformation that combines terms in another order, or in groups, needs

    combine(x, y) == combine(y, x)
    combine(combine(x, y), z) == combine(x, combine(y, z))
    combine(x, combine(identity, y)) == combine(x, y)

Each law is evaluated at all combinations of a set of values: small integers, simple fractions, limits of the type, the
constants of the combiner and their neighbours, and combinations of two of these. A component that is the same constant
in every term has no other values among the terms, so a count is never negative.

Two kinds of differences are allowed. Floats may differ by rounding, so they are evaluated as float64 and compared with
the tolerance of a narrower type. A component that is selected and never compared, such as the index in an argmax, may
come from either of two operands whose compared components are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import ArrayAttr, FloatAttr, IntegerAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ..dialects.dtypes import is_float
from ..dialects.loop import CallIntrinOp, CombineOp
from .constants import constant_value, scalar
from .elementwise import ELEMENTWISE, implementation
from .intrinsics import find_intrinsic
from .random_streams import Purpose, generator
from .values import Array, Function, dtype_of

Value: TypeAlias = "tuple[Array, ...]"
"""Operands of a combiner: an array for each component, one element for each sample."""
Combine: TypeAlias = "Callable[[Value, Value], Value]"

_INTEGERS = (0, 1, -1, 2, -2, 3, -3, 5)
_FRACTIONS = (0, 1, -1, 2, 0.5, -3, 1.25)
_MOST_VALUES = 36
"""Operands of a law of three: it is evaluated at the cube of them."""
_ROUNDING = 1e-5
"""A difference of two floats that is rounding, as a part of the largest number involved."""
_LARGEST = 1e9
"""Numbers beyond this one, made of small ones, are quotients by a difference that rounding keeps from 0."""


class _Law(NamedTuple):
    property: str
    operands: int
    left: tuple[str, Callable[[Combine, Sequence[Value]], Value]]
    """The text, in `{}` for operands, and the function of one side of the equation."""
    right: tuple[str, Callable[[Combine, Sequence[Value]], Value]]


_COMMUTATIVE = _Law(
    "is not commutative",
    2,
    ("combine({0}, {1})", lambda f, v: f(v[0], v[1])),
    ("combine({1}, {0})", lambda f, v: f(v[1], v[0])),
)
_ASSOCIATIVE = _Law(
    "is not associative",
    3,
    ("combine(combine({0}, {1}), {2})", lambda f, v: f(f(v[0], v[1]), v[2])),
    ("combine({0}, combine({1}, {2}))", lambda f, v: f(v[0], f(v[1], v[2]))),
)
_NEUTRAL = _Law(
    "has an identity that is not neutral",
    3,
    ("combine({0}, combine({1}, {2}))", lambda f, v: f(v[0], f(v[1], v[2]))),
    ("combine({0}, {2})", lambda f, v: f(v[0], v[2])),
)

_VERDICTS: dict[object, str | None] = {}


def broken_law(op: CombineOp, *, is_started: bool = True) -> str | None:
    """Describe values at which a combiner breaks a law; None where none are found, or an operation has no reference.

    `is_started`: the reduction starts from the identity, so accumulated values are combinations of the identity.
    """
    terms = tuple(_constants_of(v) for v in op.added)
    key = (_structure(op.combiner.block), op.identities, terms, is_started)
    if key not in _VERDICTS:
        with np.errstate(all="ignore"):
            _VERDICTS[key] = _find(op, terms, is_started)
    return _VERDICTS[key]


def _find(op: CombineOp, terms: Sequence[tuple[Any, ...] | None], is_started: bool) -> str | None:
    steps = [_function(each) for each in op.combiner.block.ops if each is not op.combiner.block.last_op]
    if any(step is None for step in steps):
        return None
    combine = _evaluator(op.combiner.block)
    assert isinstance(op.identities, ArrayAttr)
    types = [v.type for v in op.res]
    identity: Value = tuple(
        np.array([constant_value(a, t, op)], _wide(t)) for a, t in zip(op.identities.data, types, strict=True)
    )
    leaves = _leaves(op, terms, types)
    values = _distinct([leaves, combine(*_combinations(leaves, leaves))])
    accumulated = _distinct([combine(*_combinations(identity, values))]) if is_started else values
    selected = _selected_components(op.combiner.block)
    for law, operands in (
        (_COMMUTATIVE, (values, values)),
        (_ASSOCIATIVE, (values, values, values)),
        (_NEUTRAL, (accumulated, identity, values)),
    ):
        samples = _labelled(_combinations(*operands), selected)
        if (found := _counter_example(law, combine, samples, selected)) is not None:
            return found
    return None


# Evaluation


def _evaluator(block: Block) -> Combine:
    """Return the combiner as a function of arrays."""
    *steps, last = [(op, _function(op)) for op in block.ops]

    def combine(x: Value, y: Value) -> Value:
        known: dict[SSAValue, Any] = dict(zip(block.args, (*x, *y), strict=True))
        for op, function in steps:
            assert function is not None
            known[op.results[0]] = function(*(known[v] for v in op.operands))
        return tuple(np.broadcast_to(known[v], x[0].shape) for v in last[0].operands)

    return combine


def _function(op: Operation) -> Function | None:
    """Return an operation of a combiner as a function of arrays; None where nothing states its value."""
    if len(op.results) != 1 or (isinstance(op, arith.BitcastOp) and _is_float(op.results[0].type, op.operands[0].type)):
        return None
    dtype = _wide(op.results[0].type)
    if isinstance(op, arith.ConstantOp):
        value = dtype.type(constant_value(op.value, op.result.type, op))
        return lambda: value
    if op.name in ELEMENTWISE:
        function = implementation(op)
        return lambda *operands: np.asarray(function(*operands)).astype(dtype, copy=False)
    intrinsic = find_intrinsic(op.symbol) if isinstance(op, CallIntrinOp) else None
    if intrinsic is None or (reference := intrinsic.reference) is None:
        return None
    return lambda *operands: np.asarray(reference(*operands)).astype(dtype, copy=False)


def _wide(type: Attribute) -> np.dtype[Any]:
    """Return the dtype that values of a type are evaluated in."""
    return np.dtype(np.float64) if is_float(type) else dtype_of(type)


def _is_float(*types: Attribute) -> bool:
    return any(is_float(t) for t in types)


def _structure(block: Block) -> tuple[object, ...]:
    """Return a structure that is equal for blocks that compute the same by the same operations."""
    number: dict[SSAValue, int] = {a: n for n, a in enumerate(block.args)}
    found: list[object] = [tuple(a.type for a in block.args)]
    for op in block.ops:
        stated = tuple(sorted((*op.properties.items(), *op.attributes.items()), key=lambda item: item[0]))
        found.append((op.name, tuple(number[v] for v in op.operands), stated, tuple(r.type for r in op.results)))
        number.update((r, len(number) + n) for n, r in enumerate(op.results))
    return tuple(found)


# Values


def _leaves(op: CombineOp, terms: Sequence[tuple[Any, ...] | None], types: Sequence[Attribute]) -> Value:
    """Return terms that the reduction may meet, the simplest first."""
    constants = [
        n for each in op.combiner.block.ops for n in _constants_of(each.results[0] if each.results else None) or ()
    ]
    choices = [_choices(_wide(t), constants) if known is None else known for known, t in zip(terms, types, strict=True)]
    few = max(2, int(_MOST_VALUES ** (1 / len(choices))))
    rows = list(product(*(c[:few] for c in choices)))
    rng = generator(Purpose.COMBINER_TERMS, 0)
    rows += [tuple(c[int(rng.integers(len(c)))] for c in choices) for _ in range(_MOST_VALUES // 2)]
    return _distinct([tuple(np.array([scalar(r[n], _wide(t)) for r in rows]) for n, t in enumerate(types))])


def _choices(dtype: np.dtype[Any], constants: Sequence[Any]) -> tuple[Any, ...]:
    """Return values of one component, without negative ones where the type has none."""
    if dtype.kind == "b":
        return (False, True)
    numbers = _INTEGERS if dtype.kind in "iu" else _FRACTIONS
    near = [n + step for n in constants if abs(n) < 1e6 for step in (0, -1, 1)]
    return tuple(dict.fromkeys(n for n in (*numbers, *near) if n >= 0 or dtype.kind != "u"))


def _constants_of(value: SSAValue | None) -> tuple[Any, ...] | None:
    """Return the numbers that a value may be, where constants and selections of constants make it; None for all
    others."""
    match value.owner if value is not None else None:
        case arith.ConstantOp() as op if isinstance(op.value, (IntegerAttr, FloatAttr)):
            return (op.value.value.data,)
        case arith.SelectOp() as op:
            one, other = _constants_of(op.lhs), _constants_of(op.rhs)
            return None if one is None or other is None else tuple(dict.fromkeys((*one, *other)))
        case _:
            return None


def _distinct(parts: Sequence[Value]) -> Value:
    """Return the finite values among the parts, each once: those of the first part, then a choice of the others."""
    rows = [row for part in parts for row in zip(*(c.tolist() for c in part), strict=True)]
    finite = [row for row in dict.fromkeys(rows) if all(np.isfinite(v) for v in row)]
    first = len(dict.fromkeys(rows[: len(parts[0][0])]))
    if len(finite) > _MOST_VALUES:
        rng = generator(Purpose.COMBINER_TERMS, 1)
        start = min(first, _MOST_VALUES // 2)
        others = rng.permutation(len(finite) - start)[: _MOST_VALUES - start]
        finite = finite[:start] + [finite[start + n] for n in sorted(others.tolist())]
    return tuple(np.array([row[n] for row in finite]).astype(c.dtype) for n, c in enumerate(parts[0]))


def _combinations(*operands: Value) -> tuple[Value, ...]:
    """Return every combination of one value of each operand."""
    grids = np.meshgrid(*(np.arange(len(o[0])) for o in operands), indexing="ij")
    return tuple(tuple(c[g.reshape(-1)] for c in o) for o, g in zip(operands, grids, strict=True))


# Differences


def _counter_example(
    law: _Law, combine: Combine, operands: Sequence[Value], selected: dict[int, frozenset[int]]
) -> str | None:
    left, right = law.left[1](combine, operands), law.right[1](combine, operands)
    involved = [*operands, left, right]
    if law.operands == 3:
        involved += [combine(operands[0], operands[1]), combine(operands[1], operands[2])]
    valid = np.logical_and.reduce([_is_conditioned(c, law) for value in involved for c in value])
    differs = np.zeros(len(valid), bool)
    for n, (a, b) in enumerate(zip(left, right, strict=True)):
        if n in selected:
            differs |= _from_unequal(a, b, operands, selected[n])
        elif a.dtype.kind in "iub":
            differs |= a != b
        else:
            differs |= _beyond_rounding(a, b, involved)
    found = np.flatnonzero(differs & valid)
    if not found.size:
        return None
    at = int(found[0])
    texts = [_text(value, at) for value in operands]
    (one, _), (other, _) = law.left, law.right
    return (
        f"its combiner {law.property}: {one.format(*texts)} is {_text(left, at)}, "
        f"but {other.format(*texts)} is {_text(right, at)}"
    )


def _is_conditioned(component: Array, law: _Law) -> Array:
    if component.dtype.kind in "iub":
        return np.ones(component.shape, bool)
    return np.isfinite(component) & ((law is _NEUTRAL) | (np.abs(component) < _LARGEST))


def _beyond_rounding(a: Array, b: Array, involved: Sequence[Value]) -> Array:
    floats = [np.abs(c) for value in involved for c in value if c.dtype.kind == "f"]
    return np.abs(a - b) > _ROUNDING * np.maximum.reduce(floats)


def _from_unequal(a: Array, b: Array, operands: Sequence[Value], compared: frozenset[int]) -> Array:
    """Find samples with components of operands whose compared components differ; labels number the operands."""
    one, other = a.astype(np.int64), b.astype(np.int64)
    differs = np.zeros(len(a), bool)
    for n in compared:
        key = np.stack([value[n] for value in operands])
        at = np.arange(len(a))
        differs |= key[one, at] != key[other, at]
    return differs


def _text(value: Value, at: int) -> str:
    numbers = [f"{c[at].item():g}" if c.dtype.kind == "f" else str(c[at].item()) for c in value]
    return numbers[0] if len(numbers) == 1 else f"({', '.join(numbers)})"


# Components that are selected


def _selected_components(block: Block) -> dict[int, frozenset[int]]:
    """Return the components that are selected and never compared, and for each the components that its choice depends
    on."""
    assert block.last_op is not None
    results = list(block.last_op.operands)
    count = len(results)
    component: dict[SSAValue, int] = {a: n % count for n, a in enumerate(block.args)}
    selected = {
        n for n, v in enumerate(results) if dtype_of(v.type).kind != "b" and isinstance(v.owner, arith.SelectOp)
    }
    while True:
        kept = {n for n in selected if _selects_only(results[n], component, selected)}
        for op in block.ops:
            moves = isinstance(op, arith.SelectOp)
            used = op.operands[0:1] if moves else () if op is block.last_op else op.operands
            kept -= {n for v in used for n in _components(v, component)}
        kept -= {n for k, v in enumerate(results) if k not in kept for n in _components(v, component)}
        if kept == selected:
            break
        selected = kept
    return {n: _deciding(results[n], component) for n in selected if _deciding(results[n], component)}


def _selects_only(value: SSAValue, component: dict[SSAValue, int], selected: set[int]) -> bool:
    if isinstance(value.owner, arith.SelectOp):
        return all(_selects_only(v, component, selected) for v in (value.owner.lhs, value.owner.rhs))
    return component.get(value) in selected


def _components(value: SSAValue, component: dict[SSAValue, int]) -> frozenset[int]:
    """Return the components that a value is computed from."""
    if value in component:
        return frozenset({component[value]})
    operands = value.owner.operands if isinstance(value.owner, Operation) else ()
    return frozenset[int]().union(*(_components(v, component) for v in operands))


def _deciding(value: SSAValue, component: dict[SSAValue, int]) -> frozenset[int]:
    """Return the components that the conditions of nested selections depend on."""
    if not isinstance(value.owner, arith.SelectOp):
        return frozenset()
    op = value.owner
    return _components(op.cond, component) | _deciding(op.lhs, component) | _deciding(op.rhs, component)


def _labelled(operands: Sequence[Value], selected: dict[int, frozenset[int]]) -> tuple[Value, ...]:
    """Return the operands with the number of the operand in each selected component."""
    return tuple(
        tuple(np.full_like(c, number) if n in selected else c for n, c in enumerate(value))
        for number, value in enumerate(operands)
    )
