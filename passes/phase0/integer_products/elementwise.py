"""Sums, products, means and functions of quantised numbers, from integers to integers."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
from xdsl.dialects.builtin import f32, i1
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ....diagnostics.remarks import remark
from ....dialects import graph
from ....dialects.dtypes import dtype_name
from ....operators import OPERATORS, get_operator
from ....operators.quantization import dequantized
from .numbers import Quantized, Writer, epilogue_of, is_uniform, known_array, numbers_of, quantized_value

BYTES = ("int8", "uint8")
SHORT = ("int8", "uint8", "int16", "uint16")
EXACT_SUMS = 1 << 24
"""Integers below this are numbers of float32."""


def uniform(value: SSAValue) -> Quantized | None:
    """Return the numbers that a value represents, where they have at most 16 bits and one scale."""
    number = quantized_value(value)
    return number if isinstance(number, Quantized) and number.is_uniform and number.dtype in SHORT else None


def _distance(writer: Writer, number: Quantized, dtype: str) -> SSAValue:
    """Compute the integers less their zero point, in a wider type. They are subtracted as integers: of floats a product
    by a scale would be distributed over the difference, and each part be rounded."""
    integers = writer.plus(writer.cast(number.integers, "int32"), np.array(-number.zero_point, "int32"))
    return writer.cast(integers, dtype)


def _said(op: Operation, *numbers: Quantized) -> None:
    types = " and ".join(dict.fromkeys(number.dtype for number in numbers))
    remark("TW0780", f"{op.name} is computed on integers, {types}", op=op, kind="passed")


class IntegerSum(RewritePattern):
    """quantize(add(dequantize(a), dequantize(b))) → a times one quotient of scales and b times another, rounded."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, (graph.AddOp, graph.SubOp)):
            return
        a, b = (uniform(value) for value in op.operands)
        epilogue = epilogue_of(op.y, shifts=False)
        if epilogue.result is None or a is None or b is None:
            return
        writer, scale = Writer(rewriter, op), a.scale.reshape(())
        if scale == b.scale.reshape(()):
            total = writer.insert(type(op).of(_distance(writer, a, "int32"), _distance(writer, b, "int32")))
        else:
            # The smaller scale is the unit, so that neither quotient loses digits.
            scale = np.minimum(scale, b.scale.reshape(()))
            parts = [_in_units(writer, number, scale) for number in (a, b)]
            total = writer.insert(type(op).of(*parts))
        epilogue.replace(rewriter, op, epilogue.write(writer, total, scale))
        _said(op, a, b)


def _in_units(writer: Writer, number: Quantized, unit: np.ndarray) -> SSAValue:
    """Return numbers as multiples of a scale, in float32."""
    ratio = np.divide(number.scale.reshape(()), unit, dtype=np.float32)
    distance = _distance(writer, number, "float32")
    return distance if ratio == 1 else writer.times(distance, ratio)


class IntegerMultiple(RewritePattern):
    """quantize(mul(dequantize(a), dequantize(b))) → the product of integers, scaled and rounded."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, graph.MulOp):
            return
        a, b = (uniform(value) for value in op.operands)
        epilogue = epilogue_of(op.y, shifts=False)
        if epilogue.result is None or a is None or b is None or a.dtype.endswith("16") or b.dtype.endswith("16"):
            return
        if _looked_up(a.integers)[0] is _looked_up(b.integers)[0]:
            return  # a function of one number, which has a table
        writer = Writer(rewriter, op)
        total = writer.insert(graph.MulOp.of(_distance(writer, a, "int32"), _distance(writer, b, "int32")))
        factor = np.multiply(a.scale.reshape(()), b.scale.reshape(()), dtype=np.float32)
        epilogue.replace(rewriter, op, epilogue.write(writer, total, factor))
        _said(op, a, b)


class IntegerMean(RewritePattern):
    """pool(dequantize(x)) → pool(x - zero point) * scale, of means and sums: those of integers are exact in float32."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, _LINEAR) or (isinstance(op, graph.ResizeOp) and op.method.data != "linear"):
            return
        x = uniform(op.operands[0])
        if x is None or (terms := _terms(op)) is None or terms * max(map(abs, x.limits)) * 2 > EXACT_SUMS:
            return
        writer, epilogue = Writer(rewriter, op), epilogue_of(op.results[0], shifts=False)
        values: dict[str, Any] = op.values
        mean = writer.insert(type(op).of(_distance(writer, x, "float32"), **values))
        epilogue.replace(rewriter, op, epilogue.write(writer, mean, x.scale.reshape(())))
        _said(op, x)


_LINEAR = (
    graph.AvgPool2dOp,
    graph.AvgPool3dOp,
    graph.GlobalAvgPoolOp,
    graph.ReduceMeanOp,
    graph.ReduceSumOp,
    graph.ResizeOp,
)
"""Operators whose results are sums of elements times numbers that do not depend on these."""


def _terms(op: graph.GraphOp) -> int | None:
    """Return the most elements that a mean is of; None where that is not known."""
    match op:
        case graph.AvgPool2dOp() | graph.AvgPool3dOp():
            return prod(op.kernel.get_values())
        case graph.ResizeOp():
            return 1
        case graph.ReduceMeanOp() | graph.ReduceSumOp():
            shape = graph.shape_of(op.operands[0])
            sizes = [shape[axis] for axis in op.axes.get_values()]
        case _:
            sizes = list(graph.shape_of(op.operands[0])[2:4])
    known = [size for size in sizes if isinstance(size, int)]
    return prod(known) if len(known) == len(sizes) else None


class Requantize(RewritePattern):
    """quantize(dequantize(q) * gain + shift) → the integers times a quotient of scales, plus a constant, rounded."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, graph.DequantizeOp) or (x := uniform(op.y)) is None:
            return
        for use in [*op.y.uses]:
            epilogue = epilogue_of(op.y, first=use)
            if epilogue.result is not None:
                writer = Writer(rewriter, op)
                distance = _distance(writer, x, "float32")
                epilogue.replace(rewriter, op, epilogue.write(writer, distance, x.scale.reshape(())))


class FunctionTable(RewritePattern):
    """quantize(f(dequantize(q))) → lookup(q, table), for a function f of single elements and q of 8 bits."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, graph.QuantizeOp) or not is_uniform(op):
            return
        found = _Function()
        if not found.add(op) or found.integers is None or all(isinstance(step, _BOUNDS) for step in found.steps[:-1]):
            return
        table = found.table()
        if table is None:
            return
        writer = Writer(rewriter, op)
        value = writer.insert(graph.LookupOp.of(found.integers, writer.constant(table, "table")))
        last = found.steps[-2]
        rewriter.replace(op, [], [value])
        for each in reversed(found.steps[:-1]):
            if not each.results[0].uses:
                rewriter.erase(each)
        remark("TW0780", f"{last.name} is computed on integers, {found.dtype}", op=last, kind="passed")


_BOUNDS = (graph.ReluOp, graph.ClipOp)
"""Functions that become bounds in the operators that `Requantize` writes."""


def _constant(value: SSAValue) -> np.ndarray | None:
    """Return a constant of any type, or the numbers that constant integers represent."""
    array = known_array(value)
    return numbers_of(value) if array is None else array


MOST_STEPS = 32
"""The most operators that make a function."""


def _looked_up(integers: SSAValue) -> tuple[SSAValue, list[np.ndarray]]:
    """Return the integers of 8 bits of which these are a function, and the tables of that function, the last one
    first."""
    tables: list[np.ndarray] = []
    while isinstance(op := integers.owner, graph.LookupOp) and (table := known_array(op.table)) is not None:
        integers = op.x
        tables.append(table)
    return integers, tables


@dataclass
class _Function:
    """Operators on single elements that depend on quantised numbers of 8 bits alone."""

    integers: SSAValue | None = None
    """The integers that the numbers depend on."""
    starts: dict[SSAValue, np.ndarray] = field(default_factory=dict[SSAValue, np.ndarray])
    """The numbers that the operators read, for each bit pattern of `integers`."""
    steps: list[graph.GraphOp] = field(default_factory=list[graph.GraphOp])
    """In order; the last operator quantises."""

    @property
    def dtype(self) -> str:
        assert self.integers is not None
        return dtype_name(graph.element_of(self.integers))

    def add(self, op: graph.GraphOp) -> bool:
        """Add an operator behind its operands. Returns whether that is possible."""
        if op in self.steps:
            return True
        return len(self.steps) < MOST_STEPS and all(map(self._reads, op.operands)) and self._append(op)

    def _append(self, op: graph.GraphOp) -> bool:
        self.steps.append(op)
        return True

    def _reads(self, value: SSAValue) -> bool:
        owner = value.owner
        if _constant(value) is not None:
            return all(size == 1 for size in graph.shape_of(value))
        if isinstance(owner, graph.DequantizeOp):
            return self._reads_numbers(value)
        if not isinstance(owner, graph.GraphOp) or graph.element_of(value) not in (f32, i1):
            return False
        record = OPERATORS.get(owner.name.removeprefix("graph."))
        return record is not None and record.scalar is not None and self.add(owner)

    def _reads_numbers(self, value: SSAValue) -> bool:
        number = uniform(value)
        if number is None or number.dtype not in BYTES:
            return False
        integers, tables = _looked_up(number.integers)
        if self.integers is None:
            self.integers = integers
        if integers is not self.integers:
            return False
        every = np.arange(256, dtype=np.uint8).view(self.dtype)
        for table in reversed(tables):
            every = table[every.view(np.uint8)]
        zero = number.zero.astype(number.dtype).reshape(())
        self.starts[value] = dequantized(every, number.scale.reshape(()), zero, axis=0, to="float32")
        return True

    def table(self) -> np.ndarray | None:
        """Return the results for the bit patterns from 0 to 255. None where they depend on the host."""
        values = dict(self.starts)
        for step in self.steps:
            operands = [values[value] if value in values else _leaf(value) for value in step.operands]
            results = get_operator(step.name.removeprefix("graph.")).fold(step, *operands)
            if results is None:
                return None
            values[step.results[0]] = results[0]
        return np.broadcast_to(values[self.steps[-1].results[0]], 256).copy()


def _leaf(value: SSAValue) -> np.ndarray:
    array = _constant(value)
    assert array is not None, "as `_Function.add` has seen"
    return array.reshape(())
