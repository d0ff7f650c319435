"""Random modules of graph operators.

A graph says no order of its sums, so what is compared after lowering is compared within a tolerance. Errors stay small
because each value carries a bound of its magnitude and whether any rounding made it: whole numbers, comparisons and
indices of extremes are taken of leaves only, and what amplifies errors ends a chain.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeGuard

import numpy as np
from tilewright.dialects import graph
from tilewright.dialects.dtypes import is_bool, is_float, numpy_dtype
from tilewright.dialects.graph import Dim, make_type, shape_of
from tilewright.semantics.drawn_inputs import random_array
from xdsl.dialects.builtin import Float16Type, Float32Type, Float64Type, IntegerType, ModuleOp, i1
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.utils.exceptions import VerifyException

from .draw import Draw
from .scalars import FLOATS, INTEGERS, UNSIGNED

f64 = Float64Type()
ELEMENTS = (*FLOATS, *FLOATS, *FLOATS, *INTEGERS, i1, *UNSIGNED)
SIZES = (1, 1, 2, 3, 4, 5)


@dataclass(frozen=True)
class Value:
    """A tensor in scope."""

    ssa: SSAValue
    bound: float
    """No element is larger in magnitude."""
    is_leaf: bool

    @property
    def element(self) -> Attribute:
        return graph.element_of(self.ssa)

    @property
    def shape(self) -> tuple[Dim, ...]:
        return shape_of(self.ssa)

    @property
    def static(self) -> tuple[int, ...] | None:
        return graph.static_shape(self.ssa)


def _most(element: Attribute) -> float:
    """Return the largest bound at which rounding stays well below the tolerance."""
    match element:
        case Float32Type():
            return 500.0
        case Float64Type():
            return 1e4
        case Float16Type():
            return 16.0
        case _:
            return 8.0


class GraphWriter:
    """Appends random operators to a block."""

    def __init__(self, draw: Draw, numbers: np.random.Generator) -> None:
        self.draw = draw
        self.numbers = numbers
        self.block = Block()
        self.values: list[Value] = []
        self.ends: list[SSAValue] = []
        """Results that nothing reads on."""

    # Values

    def argument(self, type_: graph.Tensor) -> Value:
        value = self.block.insert_arg(type_, len(self.block.args))
        value.name_hint = self.draw.name("x")
        bound = 1.0 if is_float(type_.element_type) else 8.0
        self.values.append(Value(value, bound, True))
        return self.values[-1]

    def constant(self, element: Attribute, *shape: int, positive: bool = False, ascending: bool = False) -> Value:
        """Return random numbers; `ascending` along the last axis."""
        array = random_array(self.numbers, shape, numpy_dtype(element))
        if ascending:
            array = np.sort(array, axis=-1)
        if positive:
            array = np.abs(array) + np.asarray(0.5 if is_float(element) else 1, array.dtype)
        op = graph.ConstantOp.from_array(np.asarray(array).astype(numpy_dtype(element)), self.draw.name("w"))
        self.block.add_op(op)
        return Value(op.y, 1.5 if is_float(element) else 9.0, True)

    def indices(self, count: int, *shape: int) -> Value:
        """Return indices below `count`; negative ones count from the end."""
        return self.integers(self.numbers.integers(-count, count, shape), count)

    def integers(self, numbers: np.ndarray | int, bound: int) -> Value:
        """Return a constant of these numbers, none of them larger than `bound` in magnitude."""
        array = np.asarray(numbers, self.draw.one_of((np.int32, np.int64)))
        op = graph.ConstantOp.from_array(array, self.draw.name("w"))
        self.block.add_op(op)
        return Value(op.y, float(bound), True)

    def given(self, array: np.ndarray, bound: float) -> Value:
        """Return a constant of these numbers, in their type."""
        op = graph.ConstantOp.from_array(np.asarray(array), self.draw.name("w"))
        self.block.add_op(op)
        return Value(op.y, bound, True)

    def emit(
        self, op: type[graph.GraphOp], operands: Sequence[Value], bound: float, *, exact: bool = False,
        ends: bool = False, **values: object,
    ) -> None:  # fmt: skip
        """Append the operator if its operands are valid; `ends`: nothing reads its result."""
        floats = is_float(operands[0].element)
        if floats and not ends and bound > _most(operands[0].element):
            return
        try:
            made = op.of(*(v.ssa for v in operands), **values)  # pyright: ignore[reportArgumentType]
        except VerifyException:
            return
        self.block.add_op(made)
        leaf = all(v.is_leaf for v in operands) and exact
        for result in made.results:
            element = graph.element_of(result)
            if ends:
                self.ends.append(result)
            else:
                self.values.append(Value(result, bound if is_float(element) else 8.0, leaf or not is_float(element)))

    # Choices

    def pick(self, accepts: Callable[[Value], bool] = lambda v: True) -> Value | None:
        known = [v for v in self.values if accepts(v)]
        return self.draw.one_of(known[-6:]) if known else None

    def fresh(self, accepts: Callable[[Attribute], bool], rank: int | None = None) -> Value:
        """Return a constant, where nothing in scope fits."""
        element = self.draw.one_of([e for e in ELEMENTS if accepts(e)])
        rank = self.draw.between(0, 3) if rank is None else rank
        return self.constant(element, *(self.draw.one_of(SIZES) for _ in range(rank)))

    def need(
        self, accepts: Callable[[Attribute], bool], rank: int | None = None, *, leaf: bool = False, static: bool = False
    ) -> Value:
        """Return a value whose elements are accepted, of that rank."""

        def fits(v: Value) -> bool:
            shaped = (rank is None or len(v.shape) == rank) and (not static or v.static is not None)
            return accepts(v.element) and shaped and (v.is_leaf or not leaf)

        return self.pick(fits) or self.fresh(accepts, rank)

    def beside(self, x: Value) -> Value:
        """Return a value that broadcasts against `x`."""
        same = self.pick(lambda v: v.element == x.element and (v.shape == x.shape or not v.shape))
        if same is not None and self.draw.chance(0.6):
            return same
        shape = [d if isinstance(d, int) and self.draw.chance(0.6) else 1 for d in x.shape]
        return self.constant(x.element, *shape[self.draw.between(0, len(shape)) :])


def is_number(element: Attribute) -> bool:
    return is_float(element) or (isinstance(element, IntegerType) and not is_bool(element))


def has_elements(size: Dim) -> TypeGuard[int]:
    """Return whether a size is known and not 0."""
    return isinstance(size, int) and size > 0


def any_element(element: Attribute) -> bool:
    return True


def graph_module(draw: Draw) -> ModuleOp:
    """Return a module with one function of operators and groups of operators."""
    from .graph_operators import MAKERS, moved_result

    writer = GraphWriter(draw, np.random.default_rng(draw.between(0, 2**31)))
    names = ("n", "m") if draw.chance(0.25) else ()
    for position in range(draw.between(1, 3)):
        dims: list[Dim] = [draw.one_of(SIZES) for _ in range(draw.one_of((0, 1, 2, 2, 3, 4, 4)))]
        if names and dims and (position == 0 or draw.chance(0.5)):
            dims[draw.between(0, len(dims) - 1)] = draw.one_of(names)
        elif dims and draw.chance(0.12):
            dims[draw.between(0, len(dims) - 1)] = 0
        writer.argument(make_type(dims, draw.one_of(ELEMENTS)))
    if draw.chance(0.08):
        moved_result(writer)
    kinds = list(MAKERS.values())
    for _ in range(draw.between(1, 7)):
        if draw.chance(0.1):
            _add_group(writer)
        else:
            draw.one_of(kinds)(writer)
    return ModuleOp([_function(writer)])


def _function(writer: GraphWriter) -> FuncOp:
    made = [v.ssa for v in writer.values if not isinstance(v.ssa.owner, Block)]
    last = [*writer.ends[-2:], *made[-1:]] or [writer.values[-1].ssa]
    more = writer.draw.some_of(made[:-1])[:2]
    results = list(dict.fromkeys([*last, *more]))
    writer.block.add_op(ReturnOp(*results))
    types = ([a.type for a in writer.block.args], [v.type for v in results])
    return FuncOp("main", types, Region(writer.block))


def _add_group(writer: GraphWriter) -> None:
    """Add a group of operators that takes values in scope as its arguments."""
    from .graph_operators import GROUPED

    draw = writer.draw
    inner = GraphWriter(draw, writer.numbers)
    given = draw.some_of(writer.values[-4:], 1)
    for value in given:
        argument = inner.block.insert_arg(value.ssa.type, len(inner.block.args))
        inner.values.append(Value(argument, value.bound, value.is_leaf))
    for _ in range(draw.between(1, 3)):
        draw.one_of(GROUPED)(inner)
    made = [v for v in inner.values if not isinstance(v.ssa.owner, Block)]
    if not made:
        return
    chosen = [made[-1], *(draw.some_of(made[:-1])[:1] if draw.chance(0.3) else [])]
    inner.block.add_op(graph.YieldOp(*(v.ssa for v in chosen)))
    types = [v.ssa.type for v in chosen]
    op = graph.FusedOp(draw.name("group"), [v.ssa for v in given], types, Region(inner.block))
    writer.block.add_op(op)
    writer.values += [Value(r, v.bound, v.is_leaf) for r, v in zip(op.outputs, chosen, strict=True)]
