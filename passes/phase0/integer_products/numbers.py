"""
Quantised numbers in the graph: integers with a known scale and zero point, and the way back to such integers.

A sum of products of quantised numbers is an integer times the product of the scales. `Epilogue` writes the rest:

    round(clip(sum * factor + shift, low - zero, high - zero)) + zero

with a factor of float32, ties to even. onnxruntime computes QLinearConv and its like in the same steps and types.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from xdsl.dialects.builtin import f32
from xdsl.ir import Operation, SSAValue, Use
from xdsl.pattern_rewriter import PatternRewriter

from ....dialects import graph
from ....dialects.constant_data import derived_name, has_data
from ....dialects.dtypes import dtype_name
from ....operators.quantization import dequantized, limits, quantized

INT32 = limits("int32")


class Reason(StrEnum):
    """The texts of remark TW0793, each behind "is not computed on integers: "."""

    NOT_QUANTIZED = "it reads numbers that are not quantised"
    UNKNOWN_SCALE = "its scale or zero point is not known"
    OTHER_FLOATS = "its numbers are not of float32"
    MOVED = "an operator before it moves its numbers, and not its integers"
    MIXED = "it is one of mixed types already"
    IMAGE_SCALES = "the scales of its image are a vector"
    UNKNOWN_WEIGHTS = "its weights are not known"
    WEIGHT_SCALES = "the scales of its weights are along another axis than that of the output channels"
    WIDE = "its integers have 32 bits"
    TERM_SCALES = "its scales are a vector along an axis that is summed over, or one of several matrices"
    UNKNOWN_TERMS = "the number of its terms is not known"
    LARGE_SUMS = "its sums may exceed 32 bits"
    NOT_REQUANTIZED = "its result is not quantised, or not by one known scale"
    NO_FORM = "there is no form of it on integers"


@dataclass(frozen=True)
class Quantized:
    """Integers that represent numbers of float32: `graph.dequantize` of a known scale, which is above 0."""

    integers: SSAValue
    scale: np.ndarray
    """float32, one for all or a vector along `axis`."""
    zero: np.ndarray
    """int64, as large as the scale or one for all."""
    axis: int

    @property
    def dtype(self) -> str:
        return dtype_name(graph.element_of(self.integers))

    @property
    def is_uniform(self) -> bool:
        """True where one scale and zero point are for all elements."""
        return self.scale.size == 1 and self.zero.size == 1

    @property
    def zero_point(self) -> int:
        return int(self.zero.reshape(-1)[0])

    @property
    def constant(self) -> np.ndarray | None:
        """The integers, where they are known."""
        return known_array(self.integers)

    @property
    def limits(self) -> tuple[int, int]:
        return limits(self.dtype)


def known_array(value: SSAValue) -> np.ndarray | None:
    """Return the elements of a constant whose data is there."""
    owner = value.owner
    return owner.array if isinstance(owner, graph.ConstantOp) and has_data(owner.value) else None


def quantized_value(value: SSAValue) -> Quantized | Reason:
    """Return the quantised numbers that a value is, or the reason why it is none."""
    op = value.owner
    if not isinstance(op, graph.DequantizeOp):
        return Reason.NOT_QUANTIZED
    parameters = known_parameters(op)
    if parameters is None:
        return Reason.UNKNOWN_SCALE
    if op.to != f32 or graph.element_of(op.scale) != f32:
        return Reason.OTHER_FLOATS
    return Quantized(op.x, *parameters, op.axis.value.data % max(len(graph.shape_of(op.x)), 1))


def known_parameters(op: graph.DequantizeOp | graph.QuantizeOp) -> tuple[np.ndarray, np.ndarray] | None:
    """Scale and zero point, where they are known, finite and above 0."""
    scale = known_array(op.scale)
    zero = np.array(0) if op.zero is None else known_array(op.zero)
    if scale is None or zero is None or not (np.isfinite(scale).all() and (scale > 0).all()):
        return None
    return scale, zero.astype(np.int64)


@dataclass
class Writer:
    """Inserts the operators and constants that replace a matched operator, before it."""

    rewriter: PatternRewriter
    op: Operation

    def insert(self, op: graph.GraphOp) -> SSAValue:
        return self.rewriter.insert(op).results[0]

    def constant(self, array: np.ndarray, name: str = "quantized") -> SSAValue:
        array = np.asarray(array)
        constant = graph.ConstantOp.from_array(array, derived_name(name, array), self.op.location)
        return self.rewriter.insert(constant).y

    def cast(self, value: SSAValue, to: str) -> SSAValue:
        if dtype_name(graph.element_of(value)) == to:
            return value
        return self.insert(graph.CastOp.of(value, to=to))

    def plus(self, value: SSAValue, addend: np.ndarray) -> SSAValue:
        """Return a value plus a constant of its type, where that is not 0."""
        return self.insert(graph.AddOp.of(value, self.constant(addend))) if addend.any() else value

    def times(self, value: SSAValue, factor: np.ndarray) -> SSAValue:
        return self.insert(graph.MulOp.of(value, self.constant(factor)))


@dataclass
class Epilogue:
    """The operators behind a sum, up to where it is quantised: a product by constants, their addition, then bounds."""

    result: graph.QuantizeOp | None
    """The operator that quantises the sum; None where the sum is wanted as it is."""
    chain: list[Operation] = field(default_factory=list[Operation])
    """The operators between the sum and `result`."""
    gain: np.ndarray | None = None
    """Numbers of float64 by which the sum is multiplied."""
    shift: np.ndarray | None = None
    """Numbers of float32 that are added to the sum."""
    bounds: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])

    def write(self, writer: Writer, total: SSAValue, factor: np.ndarray) -> SSAValue:
        """Write the result for a sum of integers with a scale of `factor`, which broadcasts with the sum."""
        if self.gain is not None:
            factor = (factor.astype(np.float64) * self.gain).astype(np.float32)
        if self.result is None:
            return writer.times(writer.cast(total, "float32"), factor)
        parameters = known_parameters(self.result)
        assert parameters is not None, "as `epilogue_of` has seen"
        scale, zero = (each.reshape(()) for each in parameters)
        to = dtype_name(self.result.to)
        steps = writer.times(writer.cast(total, "float32"), np.divide(factor, scale, dtype=np.float32))
        if self.shift is not None:
            steps = writer.plus(steps, np.divide(self.shift, scale, dtype=np.float32))
        low, high = (bound - int(zero) for bound in self._bounds(scale, zero.astype(to), to))
        # Bounds are integers, so that it is the same to bound numbers before they are rounded.
        steps = writer.insert(graph.ClipOp.of(steps, low=float(low), high=float(high)))
        whole = writer.cast(writer.insert(graph.RoundOp.of(steps)), "int32")
        return writer.cast(writer.plus(whole, zero.astype(np.int32)), to)

    def _bounds(self, scale: np.ndarray, zero: np.ndarray, to: str) -> tuple[int, int]:
        """Return the least and the largest integer: quantising keeps order, so it is the same to bound numbers or
        integers."""
        low, high = limits(to)
        for bounds in self.bounds:
            least, most = (int(quantized(np.asarray(each, np.float32), scale, zero, axis=0, to=to)) for each in bounds)
            low, high = (min(max(each, least), most) for each in (low, high))
        return low, high

    def replace(self, rewriter: PatternRewriter, op: Operation, value: SSAValue) -> None:
        """Replace the quantised result, or `op` itself, by `value`."""
        if self.result is None:
            rewriter.replace(op, [], [value])
            return
        rewriter.replace(self.result, [], [value])
        for each in reversed(self.chain):
            rewriter.erase(each)
        if not op.results[0].uses:
            rewriter.erase(op)


def epilogue_of(value: SSAValue, shifts: bool = True, first: Use | None = None) -> Epilogue:
    """Return the operators that follow a sum alone: where `shifts`, first products by constants and an addition of one;
    then relu and clip. `first` is one of several uses to begin with."""
    found = Epilogue(None)
    shape = graph.shape_of(value)
    while (first is not None or value.has_one_use()) and graph.shape_of(value) == shape:
        use, first = first or next(iter(value.uses)), None
        match op := use.operation:
            case graph.ReluOp():
                found.bounds.append((0.0, np.inf))
            case graph.ClipOp():
                low, high = (each.value.data if each is not None else None for each in (op.low, op.high))
                found.bounds.append((-np.inf if low is None else low, np.inf if high is None else high))
            case graph.AddOp() | graph.SubOp() if shifts and found.shift is None and not found.bounds:
                addend = _beside(op, use.index, shape)
                if addend is None:
                    break
                found.shift = addend if isinstance(op, graph.AddOp) else -addend
            case graph.MulOp() | graph.DivOp() if shifts and found.shift is None and not found.bounds:
                gain = _beside(op, use.index, shape)
                if gain is None or not (np.isfinite(gain).all() and gain.all()):
                    break
                wide = gain.astype(np.float64)
                wide = wide if isinstance(op, graph.MulOp) else 1 / wide
                found.gain = wide if found.gain is None else found.gain * wide
            case graph.QuantizeOp() if use.index == 0 and is_uniform(op):
                found.result = op
                return found
            case _:
                break
        found.chain.append(op)
        value = op.results[0]
    return Epilogue(None)


def _beside(op: graph.BinaryOp, index: int, shape: graph.Shape) -> np.ndarray | None:
    """Return the constant that is the other operand of an operator, which keeps the shape; it comes second if it has
    to."""
    if graph.shape_of(op.y) != shape or (index == 1 and isinstance(op, (graph.SubOp, graph.DivOp))):
        return None
    return numbers_of(op.operands[1 - index])


def is_uniform(op: graph.QuantizeOp) -> bool:
    """Tell if an operator quantises by one scale and zero point, which are known."""
    parameters = known_parameters(op)
    return parameters is not None and all(each.size == 1 for each in parameters)


def numbers_of(value: SSAValue) -> np.ndarray | None:
    """Return a constant of float32, or the numbers that constant integers represent."""
    if graph.element_of(value) != f32:
        return None
    array = known_array(value)
    if array is not None:
        return array
    number = quantized_value(value)
    if isinstance(number, Reason) or number.constant is None:
        return None
    return dequantized(number.constant, number.scale, number.zero, axis=number.axis, to="float32")
