"""Random chains of tensor expressions with their meaning in numpy, over sizes that may be symbolic, one or zero.

A stage reads any stages before it: elementwise, turned, shifted, wrapped around, transposed, broadcast or summed.
Elements stay small integers, so that sums in any order are exact in the element type.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from tilewright import te

from .programs import SIZES, Array, Program

_EXACT = {"float32": 1 << 22, "int32": 1 << 28, "float64": 1 << 50, "float16": 1 << 9}
"""Element type -> the largest magnitude that stages may reach."""
_INPUT = 3
"""The largest magnitude of an input's elements."""

Meaning = Callable[[dict[str, Array]], Array]


@dataclass(frozen=True)
class Stage:
    """A tensor of the program: its dimensions by number, and the largest magnitude of an element."""

    tensor: te.Tensor
    dims: tuple[int, ...]
    bound: int


class Chain:
    """A program that grows stage by stage."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.dtype = rng.choice(("float32", "float32", "float32", "int32", "float64", "float16"))
        numbers = [rng.choice(SIZES) for _ in range(2)]
        unknown = [rng.random() < 0.5 for _ in range(2)] if rng.random() < 0.4 else [False] * 2
        self.shape: list[Any] = [te.var(f"n{k}") if u else n for k, (n, u) in enumerate(zip(numbers, unknown))]  # noqa: B905
        self.sizes = [tuple(m if u else n for n, u, m in zip(numbers, unknown, given)) for given in self._given()]  # noqa: B905
        self.most = [max(size[k] for size in [*self.sizes, tuple(numbers)]) for k in range(2)]
        self.sizes = list(dict.fromkeys([tuple(numbers), *self.sizes]))
        self.inputs = [self._input("A", (0, 1)), self._input("B", rng.choice([(0, 1), (1,), (1, 0)]))]
        self.stages = list(self.inputs)
        self.meanings: list[tuple[str, Meaning]] = []

    def _given(self) -> list[tuple[int, int]]:
        draw = self.rng.choice
        return [(0, draw(SIZES)), (draw(SIZES), 0), (1, 1), (draw(SIZES), draw(SIZES))]

    def _input(self, name: str, dims: tuple[int, ...]) -> Stage:
        return Stage(te.placeholder([self.shape[d] for d in dims], self.dtype, name=name), dims, _INPUT)

    def draw(self) -> Program:
        for number in range(self.rng.randint(2, 5)):
            for _ in range(20):
                if self._extend(f"S{number}"):
                    break
        made = self.stages[len(self.inputs) :]
        outputs = [made[-1]]
        if len(made) > 1 and self.rng.random() < 0.25:
            outputs.insert(0, self.rng.choice(made[:-1]))
        names = [stage.tensor.name for stage in outputs]

        def reference(*arrays: Array) -> tuple[Array, ...]:
            values = dict(zip([stage.tensor.name for stage in self.inputs], arrays, strict=True))
            for name, meaning in self.meanings:
                values[name] = meaning(values).astype(self.dtype)
            return tuple(values[name] for name in names)

        def shapes(*sizes: int) -> list[tuple[int, ...]]:
            return [tuple(sizes[d] for d in stage.dims) for stage in self.inputs]

        args = [stage.tensor for stage in (*self.inputs, *outputs)]
        return Program("expressions", args, len(self.inputs), self.sizes, shapes, reference)

    def _extend(self, name: str) -> bool:
        """Add a stage, unless what was drawn does not fit."""
        make = self.rng.choice(
            (_scaled, _turned, _shifted, _wrapped, _transposed, _added, _added, _summed, _summed, _product)
        )
        found = make(self, name)
        if found is None or found[0].bound > _EXACT[self.dtype]:
            return False
        stage, meaning = found
        self.stages.append(stage)
        self.meanings.append((name, meaning))
        return True

    def one(self, value: float) -> Any:
        return te.const(value, self.dtype)

    def extents(self, dims: Sequence[int]) -> list[Any]:
        return [self.shape[d] for d in dims]

    def pick(self, rank: int | None = None) -> Stage | None:
        found = [stage for stage in self.stages if rank is None or len(stage.dims) == rank]
        return self.rng.choice(found[-3:]) if found else None


Made = tuple[Stage, Meaning] | None


def _scaled(chain: Chain, name: str) -> Made:
    a, factor = chain.pick(), chain.rng.randint(-2, 2)
    assert a is not None
    key = a.tensor.name
    c = te.compute(chain.extents(a.dims), lambda *i: a.tensor(*i) * chain.one(factor) + chain.one(1), name=name)
    return Stage(c, a.dims, a.bound * abs(factor) + 1), lambda v: v[key] * factor + 1


def _turned(chain: Chain, name: str) -> Made:
    a = chain.pick()
    assert a is not None
    key, last = a.tensor.name, chain.shape[a.dims[-1]]
    c = te.compute(chain.extents(a.dims), lambda *i: a.tensor(*i[:-1], last - 1 - i[-1]), name=name)
    return Stage(c, a.dims, a.bound), lambda v: v[key][..., ::-1]


def _shifted(chain: Chain, name: str) -> Made:
    a, by = chain.pick(), chain.rng.randint(1, 4)
    assert a is not None
    key = a.tensor.name

    def at(*i: Any) -> Any:
        return te.if_then_else(i[-1] >= by, a.tensor(*i[:-1], i[-1] - by), chain.one(0)) + a.tensor(*i)

    def meaning(v: dict[str, Array]) -> Array:
        shifted = np.zeros_like(v[key])
        shifted[..., by:] = v[key][..., :-by]
        return shifted + v[key]

    return Stage(te.compute(chain.extents(a.dims), at, name=name), a.dims, 2 * a.bound), meaning


def _wrapped(chain: Chain, name: str) -> Made:
    """Return a rotation of the last axis, only where its size is known and thus not zero: nothing is a remainder of
    zero."""
    a, by = chain.pick(), chain.rng.randint(1, 4)
    assert a is not None
    key, last = a.tensor.name, chain.shape[a.dims[-1]]
    if not isinstance(last, int):
        return None
    c = te.compute(chain.extents(a.dims), lambda *i: a.tensor(*i[:-1], te.floormod(i[-1] + by, last)), name=name)
    return Stage(c, a.dims, a.bound), lambda v: np.roll(v[key], -by, -1)


def _transposed(chain: Chain, name: str) -> Made:
    a = chain.pick(2)
    assert a is not None
    key = a.tensor.name
    c = te.compute(chain.extents(a.dims[::-1]), lambda i, j: a.tensor(j, i), name=name)
    return Stage(c, a.dims[::-1], a.bound), lambda v: np.ascontiguousarray(v[key].T)


def _added(chain: Chain, name: str) -> Made:
    """Return a sum of stages of the same dimensions, or with one along the last dimension."""
    a, b = chain.pick(2), chain.pick()
    assert a is not None and b is not None
    if b.dims not in (a.dims, a.dims[1:]):
        return None
    left, right = a.tensor.name, b.tensor.name
    c = te.compute(chain.extents(a.dims), lambda *i: a.tensor(*i) + b.tensor(*i[-len(b.dims) :]), name=name)
    return Stage(c, a.dims, a.bound + b.bound), lambda v: v[left] + v[right]


def _summed(chain: Chain, name: str) -> Made:
    a = chain.pick(2)
    assert a is not None
    key, over = a.tensor.name, chain.rng.randint(0, 1)
    k = te.reduce_axis((0, chain.shape[a.dims[over]]), f"k_{name}")
    kept = a.dims[1 - over]
    c = te.compute(
        (chain.shape[kept],), lambda i: te.sum(a.tensor(i, k) if over else a.tensor(k, i), axis=k), name=name
    )
    return Stage(c, (kept,), a.bound * chain.most[a.dims[over]]), lambda v: v[key].sum(over)


def _product(chain: Chain, name: str) -> Made:
    """Return the product of a matrix and another one, which is read across."""
    a, b = chain.pick(2), chain.pick(2)
    assert a is not None and b is not None
    if a.dims[1] != b.dims[1]:
        return None
    left, right = a.tensor.name, b.tensor.name
    k = te.reduce_axis((0, chain.shape[a.dims[1]]), f"k_{name}")
    dims = (a.dims[0], b.dims[0])
    c = te.compute(chain.extents(dims), lambda i, j: te.sum(a.tensor(i, k) * b.tensor(j, k), axis=k), name=name)
    return Stage(c, dims, a.bound * b.bound * chain.most[a.dims[1]]), lambda v: v[left] @ v[right].T


def expressions(rng: Random) -> Program:
    """Return a chain of two to five stages."""
    return Chain(rng).draw()
