"""Random tensor expressions that read at indices which are data, each with what it computes, element by element."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from tilewright import te
from tilewright.driver.tensors import tensors_module

from .draw import Draw
from .index_values import DTYPES, Outside, Values, element, index_array, wrapped

SIZES = (0, 1, 1, 2, 3, 5, 8, 17, 33)
ROWS = (1, 2, 3, 7, 8, 9)
LIMITS = (0, 1, 2, 4, 7)

Axes = tuple[Any, ...]
Point = tuple[int, ...]


@dataclass(frozen=True)
class Term:
    """A part of a body: as an expression of the axes, and its value at one point."""

    expression: Callable[[Axes], Any]
    value: Callable[[Point, Values], Any]


@dataclass
class IndexedTe:
    """A program, the sizes that its symbols have, and its inputs by name."""

    tensors: list[te.Tensor]
    inputs: Values
    shape: tuple[int, ...]
    """Of the result."""
    expected: np.ndarray | None
    """None where an index is out of bounds."""
    can_be_refused: bool
    """True if some size may make the program invalid for all other sizes."""
    schedule: Callable[[], Any]
    reads_both: bool
    """True if the interpreter may read elements that compiled programs skip: both values of a `te.Select`."""

    @property
    def text(self) -> str:
        return str(tensors_module([*self.tensors], "main"))


class _Maker:
    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.values: Values = {}
        self.tensors: dict[str, te.Tensor] = {}
        self.shape = tuple(draw.one_of(SIZES) for _ in range(draw.between(1, 2)))
        self.is_symbolic = draw.chance(0.3)
        self.extents = tuple(te.var(f"n{d}") if self.is_symbolic else n for d, n in enumerate(self.shape))
        self.may_be_wrong = draw.chance(0.5)
        self.selects = False

    def input(self, stem: str, shape: tuple[Any, ...], values: np.ndarray) -> str:
        name = self.draw.name(stem)
        self.tensors[name] = te.placeholder(shape, name=name, dtype=values.dtype.name)
        self.values[name] = values
        return name

    # Indices

    def index(self, limit: int, depth: int = 2) -> Term:
        """Return an index of a dimension of that size, right or not."""
        kind = self.draw.one_of(("loaded", "loaded", "loaded", "indirect", "sum", "wrapped", "clipped", "halved"))
        if depth == 0 or kind == "loaded":
            return self.loaded(limit)
        if kind == "indirect":
            return self.indirect(limit, depth)
        inner = self.index(limit, depth - 1)
        if kind == "sum":
            step = self.draw.between(-2, 2)
            return Term(lambda a: inner.expression(a) + step, lambda p, v: wrapped(inner.value(p, v) + step))
        if kind == "halved":
            return Term(lambda a: te.floordiv(inner.expression(a), 2), lambda p, v: inner.value(p, v) // 2)
        if kind == "clipped":
            return Term(
                lambda a: te.max(te.min(inner.expression(a), limit - 1), 0),
                lambda p, v: max(min(inner.value(p, v), limit - 1), 0),
            )

        def value(point: Point, values: Values) -> int:
            number = inner.value(point, values)
            return wrapped(number + limit) if number < 0 else number

        def expression(axes: Axes) -> Any:
            number = inner.expression(axes)
            return te.Select(number < 0, number + limit, number)

        return Term(expression, value)

    def loaded(self, limit: int) -> Term:
        """Return an element of a tensor of integers over some of the axes."""
        chosen = self.draw.some_of(range(len(self.shape)), 1)
        shape, extents = tuple(self.shape[d] for d in chosen), tuple(self.extents[d] for d in chosen)
        numbers = index_array(self.draw, shape, limit, self.draw.one_of(DTYPES), wrong=self.may_be_wrong)
        name = self.input("I", extents, numbers)
        tensor = self.tensors[name]

        def value(point: Point, values: Values) -> int:
            return wrapped(int(values[name][tuple(point[d] for d in chosen)]))

        return Term(lambda a: tensor(*(a[d] for d in chosen)).astype("int64"), value)

    def indirect(self, limit: int, depth: int) -> Term:
        """Return an index that stands at an index."""
        size = self.draw.one_of(ROWS)
        numbers = index_array(self.draw, (size,), limit, self.draw.one_of(DTYPES), wrong=self.may_be_wrong)
        name = self.input("J", (size,), numbers)
        tensor, inner = self.tensors[name], self.index(size, depth - 1)
        return Term(
            lambda a: tensor(inner.expression(a)).astype("int64"),
            lambda p, v: wrapped(int(element(v, name, (inner.value(p, v),)))),
        )

    # Values

    def read(self) -> Term:
        """Return an element of a table, at an index that is data in one dimension and an axis in the others."""
        rows = self.draw.one_of(ROWS)
        beside = self.draw.some_of(range(len(self.shape))) if self.draw.chance(0.6) else []
        at = self.draw.between(0, len(beside))
        shape, extents = [self.shape[d] for d in beside], [self.extents[d] for d in beside]
        shape.insert(at, rows)
        extents.insert(at, rows)
        data = np.arange(1, 1 + int(np.prod(shape)), dtype=np.float32).reshape(shape)
        name = self.input("A", tuple(extents), data)
        tensor, index = self.tensors[name], self.index(rows)

        def expression(axes: Axes) -> Any:
            indices = [axes[d] for d in beside]
            indices.insert(at, index.expression(axes))
            return tensor(*indices)

        def value(point: Point, values: Values) -> float:
            indices = [point[d] for d in beside]
            indices.insert(at, index.value(point, values))
            return float(element(values, name, tuple(indices)))

        return self.guarded(Term(expression, value), index, rows)

    def guarded(self, read: Term, index: Term, rows: int) -> Term:
        """Return the read, or a choice that has it on one side."""
        kind = self.draw.one_of(("plain", "plain", "if", "if", "select", "axis"))
        limit = self.draw.one_of((rows, rows, *LIMITS))
        if kind == "plain":
            return read
        if kind == "axis":
            last = len(self.shape) - 1
            return Term(
                lambda a: te.if_then_else(a[last] < limit, read.expression(a), -1.0),
                lambda p, v: read.value(p, v) if p[last] < limit else -1.0,
            )
        both = self.draw.chance(0.6)
        self.selects |= kind == "select"

        def holds(point: Point, values: Values) -> bool:
            number = index.value(point, values)
            return number < limit and (number >= 0 or not both)

        def expression(axes: Axes) -> Any:
            number = index.expression(axes)
            condition = te.all(number >= 0, number < limit) if both else number < limit
            choose = te.if_then_else if kind == "if" else te.Select
            return choose(condition, read.expression(axes), te.const(-1.0, "float32"))

        return Term(expression, lambda p, v: read.value(p, v) if holds(p, v) else -1.0)

    def body(self) -> Term:
        first = self.read()
        if self.draw.chance(0.3):
            second = self.read()
            return Term(
                lambda a: first.expression(a) + second.expression(a),
                lambda p, v: first.value(p, v) + second.value(p, v),
            )
        return first


def indexed_te(draw: Draw) -> IndexedTe:
    """Return the program of a draw."""
    maker = _Maker(draw)
    body = maker.body()
    stages = [te.compute(maker.extents, lambda *axes: body.expression(axes), name="C")]
    expected = _computed(maker.shape, body, maker.values)
    shape, form = maker.shape, draw.one_of(("plain", "plain", "twice", "sum"))
    if form == "twice":
        stages.append(te.compute(maker.extents, lambda *axes: stages[0](*axes) * 2.0 + 1.0, name="D"))
        expected = None if expected is None else expected * 2 + 1
    elif form == "sum":
        k = te.reduce_axis((0, maker.extents[-1]), "k")
        shape, extents = maker.shape[:-1] or (1,), maker.extents[:-1] or (1,)
        is_vector = len(maker.extents) == 1
        stages.append(
            te.compute(extents, lambda *axes: te.sum(stages[0](*(() if is_vector else axes), k), axis=k), name="S")
        )
        if expected is not None:
            expected = expected.sum(axis=-1, dtype=np.float32).reshape(shape)
    tensors = [*maker.tensors.values(), stages[-1]]
    make = partial(_schedule, draw, stages)
    return IndexedTe(tensors, maker.values, shape, expected, maker.is_symbolic, make, maker.selects)


def _computed(shape: tuple[int, ...], body: Term, values: Mapping[str, np.ndarray]) -> np.ndarray | None:
    result = np.zeros(shape, np.float32)
    try:
        for point in itertools.product(*map(range, shape)):
            result[point] = body.value(point, dict(values))
    except Outside:
        return None
    return result


def _schedule(draw: Draw, stages: list[te.Tensor]) -> Any:
    """Return a schedule of a few primitives; None for the default one."""
    if draw.chance(0.5):
        return None
    schedule = te.create_schedule(stages[-1].op)
    if len(stages) > 1 and draw.chance(0.6):
        schedule[stages[0]].compute_inline()
    stage = schedule[stages[-1]]
    axis = stage.op.axis[-1]
    if draw.chance(0.7):
        outer, inner = stage.split(axis, factor=draw.one_of((2, 4, 8)))
        if draw.chance(0.5):
            stage.vectorize(inner)
        elif draw.chance(0.5):
            stage.unroll(inner)
        axis = outer
    if draw.chance(0.4):
        stage.parallel(axis if len(stage.op.axis) == 1 else stage.op.axis[0])
    return schedule
