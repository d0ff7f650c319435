"""Convolutions and matrix products of quantised numbers as sums of products of integers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects.builtin import f32
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ....diagnostics.remarks import remark
from ....dialects import graph
from ....operators.quantization import groups_of_outputs, less_zero_point, limits, windows_of_groups
from .numbers import INT32, Epilogue, Quantized, Reason, Writer, epilogue_of, known_array, numbers_of, quantized_value

Convolution: TypeAlias = "graph.Conv2dOp | graph.Conv3dOp"
Product: TypeAlias = "graph.DenseOp | graph.MatmulOp"

BYTES = ("int8", "uint8")
LONGEST = 65_793
"""The most terms of which a sum of products of bytes, uint8 by int8, is below 2 to the power 31 for certain."""
SAME_SCALE = 1e-6
"""The relative distance that the scale of a bias may have from the product of the scales of the factors."""


class IntegerConvolution(RewritePattern):
    """conv(dequantize(x), dequantize(w), bias) → (conv of integers + bias of integers) * scale."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, (graph.Conv2dOp, graph.Conv3dOp)) or isinstance(plan := plan_convolution(op), Reason):
            return
        writer, epilogue = Writer(rewriter, op), epilogue_of(op.y, shifts=op.bias is None)
        x, factor = plan.x, plan.factor
        bias, rest = _split_bias(op.bias, factor)
        addend = plan.constant_part + (0 if bias is None else bias.astype(np.int64))
        total = _convolved(writer, op, plan, addend)
        if plan.zero.any():
            total = _less_windows(writer, op, plan, total)
        spatial = (-1, *(1,) * (len(graph.shape_of(op.x)) - 2))
        _finish(writer, epilogue, op, total, factor.reshape(spatial) if factor.size > 1 else factor, rest, spatial)
        remark("TW0780", f"{op.name} is computed on integers, {x.dtype} by {plan.weight.dtype}", op=op, kind="passed")


class IntegerProduct(RewritePattern):
    """matmul(dequantize(a), dequantize(b)) → (matmul of integers - zero points by sums of rows and columns) * scale."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, (graph.DenseOp, graph.MatmulOp)) or isinstance(plan := plan_product(op), Reason):
            return
        writer = Writer(rewriter, op)
        given = op.bias if isinstance(op, graph.DenseOp) else None
        epilogue = epilogue_of(op.results[0], shifts=given is None)
        bias, rest = _split_bias(given, plan.factor)
        total = plan.write(writer, op, None if bias is None else bias.astype(np.int64))
        types = f"{plan.left.dtype} by {plan.right.dtype}"
        _finish(writer, epilogue, op, total, plan.factor, rest, (-1,))
        remark("TW0780", f"{op.name} is computed on integers, {types}", op=op, kind="passed")


def _finish(
    writer: Writer,
    epilogue: Epilogue,
    op: Operation,
    total: SSAValue,
    factor: np.ndarray,
    bias: SSAValue | None,
    along: tuple[int, ...],
) -> None:
    """Write the operators after a sum of integers, including a bias that is not such an integer, and replace the
    product."""
    known = None if bias is None else numbers_of(bias)
    if known is not None and epilogue.result is not None:
        epilogue.shift, bias = known.reshape(along), None
    elif bias is not None:
        epilogue = Epilogue(None)
    value = epilogue.write(writer, total, factor)
    if bias is not None:
        if len(along) > 1:
            bias = writer.insert(graph.UnsqueezeOp.of(bias, axes=tuple(range(1, len(along)))))
        value = writer.insert(graph.AddOp.of(value, bias))
    epilogue.replace(writer.rewriter, op, value)


def _split_bias(bias: SSAValue | None, factor: np.ndarray) -> tuple[np.ndarray | None, SSAValue | None]:
    """Return a bias as integers of the sum's scale; or the bias, where it is of none or of another one."""
    if bias is None:
        return None, None
    number = quantized_value(bias)
    if isinstance(number, Reason) or number.constant is None or number.zero.any() or number.dtype != "int32":
        return None, bias
    is_same = np.allclose(number.scale, factor, rtol=SAME_SCALE, atol=0)
    return (number.constant, None) if is_same else (None, bias)


# Convolutions


@dataclass(frozen=True)
class ConvolutionPlan:
    """A convolution on integers."""

    x: Quantized
    weight: Weight
    zero: np.ndarray
    """The zero points that weights keep, by output channel: sums of windows are multiplied by them and subtracted."""
    factor: np.ndarray
    constant_part: np.ndarray
    """The part of the sums that depends on zero points and weights alone, one number an output channel."""


@dataclass(frozen=True)
class Weight:
    """Constant weights of a product, in a type that suits it."""

    integers: np.ndarray

    @property
    def dtype(self) -> str:
        return self.integers.dtype.name


def plan_convolution(op: Convolution) -> ConvolutionPlan | Reason:
    """Return the plan of a convolution on integers, or the reason why there is none."""
    x, weight = quantized_value(op.x), quantized_value(op.weight)
    if isinstance(x, Reason):
        return x
    if isinstance(weight, Reason):
        return weight
    if op.out_dtype is not None or op.pad_value.value.data:
        return Reason.MIXED
    if not x.is_uniform:
        return Reason.IMAGE_SCALES
    if (known := weight.constant) is None:
        return Reason.UNKNOWN_WEIGHTS
    if (weight.scale.size > 1 or weight.zero.size > 1) and weight.axis != 0:
        return Reason.WEIGHT_SCALES
    if x.dtype.endswith("32") or weight.dtype.endswith("32"):
        return Reason.WIDE
    outputs = known.shape[0]
    zero = np.broadcast_to(weight.zero.reshape(-1), outputs)
    zero = zero.reshape(-1, *(1,) * (known.ndim - 1))
    # Sums of the windows of a group cost as much as its products where it has few output channels.
    is_kept = op.groups.value.data != 1 and not zero.any()
    factors, zero = (known, zero) if is_kept else less_zero_point(known, zero, may_stay=True)
    zero, terms = zero.reshape(-1), factors[0].size
    sums = factors.reshape(outputs, -1).astype(np.int64).sum(1)
    constant = x.zero_point * (terms * zero - sums)
    if _largest(factors, x, constant, op.bias) + int(np.abs(zero).max()) * terms * _magnitude(x) > INT32[1]:
        return Reason.LARGE_SUMS
    return ConvolutionPlan(x, Weight(factors), zero, _product_of_scales(x, weight), constant)


def _product_of_scales(a: Quantized, b: Quantized) -> np.ndarray:
    """Return the scale of the sum of integers; a vector where one of the scales is a vector."""
    factor = np.multiply(a.scale.reshape(-1), b.scale.reshape(-1), dtype=np.float32)
    return factor.reshape(()) if factor.size == 1 else factor


def _magnitude(x: Quantized) -> int:
    return max(map(abs, x.limits))


def _largest(factors: np.ndarray, x: Quantized, constant: np.ndarray, bias: SSAValue | None) -> int:
    """Return an upper bound of the sums: of magnitudes of weights times the largest magnitude of the image, and of the
    addends."""
    rows = np.abs(factors.reshape(len(factors), -1).astype(np.int64)).sum(1) * _magnitude(x) + np.abs(constant)
    number = None if bias is None else quantized_value(bias)
    added = number.constant if isinstance(number, Quantized) else None
    return int(rows.max(initial=0)) + (0 if added is None else int(np.abs(added.astype(np.int64)).max(initial=0)))


def _convolved(writer: Writer, op: Convolution, plan: ConvolutionPlan, addend: np.ndarray) -> SSAValue:
    operands = [plan.x.integers, writer.constant(plan.weight.integers, "weights")]
    if addend.any():
        operands.append(writer.constant(np.broadcast_to(addend, len(plan.weight.integers)).astype(np.int32), "bias"))
    values: dict[str, Any] = {**op.values, "pad_value": plan.x.zero_point, "out_dtype": "int32"}
    return writer.insert(type(op).of(*operands, **values))


def _less_windows(writer: Writer, op: Convolution, plan: ConvolutionPlan, total: SSAValue) -> SSAValue:
    """Return the sums less the zero points of the weights times the sums of windows, over the channels of a group."""
    shape, groups = plan.weight.integers.shape, op.groups.value.data
    values: dict[str, Any] = {**op.values, "pad_value": plan.x.zero_point, "out_dtype": "int32"}
    ones = writer.constant(windows_of_groups(shape, groups), "ones")
    windows = writer.insert(type(op).of(plan.x.integers, ones, **values))
    if (chosen := groups_of_outputs(shape[0], groups)) is not None:
        windows = writer.insert(graph.GatherOp.of(windows, writer.constant(chosen, "groups"), axis=1))
    zero = plan.zero.reshape(-1, *(1,) * (plan.weight.integers.ndim - 2)).astype(np.int32)
    return writer.insert(graph.SubOp.of(total, writer.times(windows, zero)))


# Matrix products


@dataclass(frozen=True)
class Side:
    """A factor of a matrix product: quantised numbers, whose scales may differ along rows (left) or columns (right)."""

    value: Quantized
    terms: int
    """The axis that is summed over."""
    known: np.ndarray | None
    """The integers to multiply, where they are known; else those of `value`."""
    zero: np.ndarray
    """Their zero points that stay: one, or one for each row or column."""

    @property
    def dtype(self) -> str:
        return self.value.dtype if self.known is None else self.known.dtype.name

    @property
    def zero_of_rows(self) -> np.ndarray:
        """The zero points of a left side: one, or a column of them."""
        return self.zero.reshape(-1, 1) if self.zero.size > 1 else self.zero.reshape(())

    def integers(self, writer: Writer) -> SSAValue:
        if self.known is None:
            return self.value.integers
        same = known_array(self.value.integers)
        return self.value.integers if same is self.known else writer.constant(self.known, "weights")

    def sums(self, writer: Writer, is_left: bool, zero: np.ndarray) -> SSAValue:
        """Return the sums over the terms of the integers less `zero`, as a column on the left and a row on the
        right."""
        if self.known is not None:
            total = (self.known.astype(np.int64) - zero).sum(self.terms).astype(np.int32)
            return writer.constant(np.expand_dims(total, -1 if is_left else -2))
        wide = writer.plus(writer.cast(self.value.integers, "int32"), (-zero).astype(np.int32))
        total = writer.insert(graph.ReduceSumOp.of(wide, axes=(self.terms,)))
        rank = len(graph.shape_of(total))
        return writer.insert(graph.UnsqueezeOp.of(total, axes=(rank if is_left else rank - 1,)))


@dataclass(frozen=True)
class ProductPlan:
    """A matrix product on integers."""

    left: Side
    right: Side
    factor: np.ndarray

    def write(self, writer: Writer, op: Product, bias: np.ndarray | None) -> SSAValue:
        """Write the sums of products of numbers, in the unit of the factor, with a bias in it."""
        constant = self._constant_part()
        added = constant if bias is None else bias + (0 if constant is None else constant)
        operands = [self.left.integers(writer), self.right.integers(writer)]
        if isinstance(op, graph.DenseOp):
            if added is not None and added.any():
                columns = graph.shape_of(op.y)[1]
                operands.append(writer.constant(np.broadcast_to(added, (columns,)).astype(np.int32), "bias"))  # pyright: ignore
                added = None
            total = writer.insert(graph.DenseOp.of(*operands, out_dtype="int32"))
        else:
            values: dict[str, Any] = {**op.values, "out_dtype": "int32"}
            total = writer.insert(graph.MatmulOp.of(*operands, **values))
        if added is not None:
            total = writer.plus(total, added.astype(np.int32))
        return self._less_sums(writer, total, with_columns=constant is None)

    def _constant_part(self) -> np.ndarray | None:
        """Return the part that depends on zero points and constant weights alone, one number a column; None where
        columns are not known and the left zero point is not 0."""
        right, zero = self.right, self.left.zero
        if not zero.any():
            return np.zeros((), np.int64)
        if zero.size > 1 or right.known is None or right.known.ndim != 2:
            return None
        sums = right.known.astype(np.int64).sum(right.terms)
        return zero.reshape(()) * (right.known.shape[right.terms] * right.zero - sums)

    def _less_sums(self, writer: Writer, total: SSAValue, with_columns: bool) -> SSAValue:
        """Subtract the zero points on either side times the sums of the other one. If the term of the columns is
        included, the sums of the rows are taken without their zero points, which accounts for the product of both.
        """
        left, right = self.left, self.right
        none = np.zeros((), np.int64)
        if right.zero.any():
            rows = left.sums(writer, True, left.zero_of_rows if with_columns else none)
            total = writer.insert(graph.SubOp.of(total, writer.times(rows, right.zero.astype(np.int32))))
        if with_columns and left.zero.any():
            columns = writer.times(right.sums(writer, False, none), left.zero_of_rows.astype(np.int32))
            total = writer.insert(graph.SubOp.of(total, columns))
        return total


def plan_product(op: Product) -> ProductPlan | Reason:
    """Return the plan of a matrix product on integers, or the reason why there is none."""
    a, b = (quantized_value(value) for value in op.operands[:2])
    if isinstance(a, Reason):
        return a
    if isinstance(b, Reason):
        return b
    is_dense = isinstance(op, graph.DenseOp)
    if op.out_dtype is not None and op.out_dtype != f32:
        return Reason.MIXED
    rank_a, rank_b = (len(graph.shape_of(each.integers)) for each in (a, b))
    transposed_a = not is_dense and op.transpose_a is not None
    transposed_b = is_dense or op.transpose_b is not None
    left = _side(a, rank_a - 2 if transposed_a else rank_a - 1)
    right = _side(b, rank_b - 1 if transposed_b else rank_b - 2)
    if isinstance(left, Reason):
        return left
    if isinstance(right, Reason):
        return right
    terms = graph.shape_of(a.integers)[left.terms]
    count = terms if isinstance(terms, int) else None
    if problem := _problem_of_sums(left, right, count):
        return problem
    rows = left.value.scale.reshape(-1, 1) if left.value.scale.size > 1 else left.value.scale.reshape(())
    columns = right.value.scale.reshape(-1) if right.value.scale.size > 1 else right.value.scale.reshape(())
    return ProductPlan(left, right, np.multiply(rows, columns, dtype=np.float32))


def _side(value: Quantized, terms: int) -> Side | Reason:
    """Return a factor with its terms along an axis; scales may differ along the other one of its matrix."""
    rank = len(graph.shape_of(value.integers))
    outer = 2 * rank - 3 - terms
    if value.dtype.endswith("32"):
        return Reason.WIDE
    if not value.is_uniform and value.axis != outer:
        return Reason.TERM_SCALES
    known, zero = value.constant, value.zero.reshape(-1)
    if known is None:
        return Side(value, terms, None, zero)
    along = np.expand_dims(zero, tuple(range(1, rank - value.axis))) if zero.size > 1 else zero
    factors, rest = less_zero_point(known, along, may_stay=True)
    return Side(value, terms, factors, rest.reshape(-1))


def _problem_of_sums(left: Side, right: Side, count: int | None) -> Reason | None:
    """Return the reason why 32 bits may not hold the sums, if there is one. Sums of an unknown number of terms are held
    for bytes up to `LONGEST`."""
    if count is None:
        is_bytes = left.dtype in BYTES and right.dtype in BYTES
        return None if is_bytes else Reason.UNKNOWN_TERMS
    most = [max(map(abs, limits(side.dtype))) + int(np.abs(side.zero).max()) for side in (left, right)]
    if count * most[0] * most[1] <= INT32[1]:
        return None
    for side, other in ((right, most[0]), (left, most[1])):
        if side.known is not None:
            sums = np.abs(side.known.astype(np.int64)).sum(side.terms) + count * int(np.abs(side.zero).max())
            if int(sums.max()) * other <= INT32[1]:
                return None
    return Reason.LARGE_SUMS
