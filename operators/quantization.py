"""
Quantisation and dequantisation: with scale s and zero point z, the integer q represents (q - z) * s.

The steps and their types are those of ONNX's QuantizeLinear and DequantizeLinear.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import operand_def, opt_operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..dialects.dtypes import is_integer, numpy_dtype
from ..dialects.graph.base import GraphOp
from ..dialects.graph.families import Elements, require_vector
from ..dialects.graph.properties import int_prop, type_prop
from ..dialects.graph.types import Tensor, element_of, make_type, normalize_axis, shape_of
from ..te.dtypes import dtype_info
from .declaration import register_operator
from .deferred import np, te
from .record import Blocks, FusionKind


def limits(dtype: str) -> tuple[int, int]:
    """Return the least and the largest integer that a type holds."""
    bits = dtype_info(dtype).bits
    return (0, 2**bits - 1) if dtype.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def less_zero_point(integers: np.ndarray, zero: np.ndarray, may_stay: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Return integers of 8 or 16 bits less their zero points in the narrowest type, and zero points that stay, of
    int64.

    Where int8 does not hold the difference, and zero points `may_stay`, int8 has integers and zero points less 128 of
    uint8, or both as they are.
    """
    less = integers.astype(np.int64) - zero
    for dtype in ("int8", "int16"):
        low, high = limits(dtype)
        if low <= less.min(initial=0) and less.max(initial=0) <= high:
            return less.astype(dtype), np.zeros_like(zero)
        if dtype == "int8" and may_stay and integers.dtype == np.uint8:
            return (integers.astype(np.int64) - 128).astype(np.int8), np.asarray(zero - 128)
        if dtype == "int8" and may_stay and integers.dtype == np.int8:
            return integers, zero
    return less.astype(np.int32), np.zeros_like(zero)


def windows_of_groups(weights: Sequence[int], groups: int) -> np.ndarray:
    """Return the weights [groups, C / groups, ...] of ones, by which a convolution sums the windows of each group."""
    return np.ones((groups, *weights[1:]), np.int8)


def groups_of_outputs(outputs: int, groups: int) -> np.ndarray | None:
    """Return the group of each output channel; None where sums of groups broadcast with output channels as they are."""
    return None if groups in (1, outputs) else np.repeat(np.arange(groups), outputs // groups)


def quantized(x: np.ndarray, scale: np.ndarray, zero: np.ndarray | None = None, *, axis: int, to: str) -> np.ndarray:
    """Return the reference of `graph.quantize`."""
    element = x.dtype if _is_float(x) else scale.dtype
    quotient = x.astype(element) / _along(scale, axis, x.ndim).astype(element)
    whole = np.round(quotient.astype(np.float32))
    if zero is not None:
        whole = whole + _along(zero, axis, x.ndim).astype(np.float32)
    low, high = limits(to)
    return np.minimum(np.maximum(whole, np.float32(low)), np.float32(high)).astype(to)


def dequantized(x: np.ndarray, scale: np.ndarray, zero: np.ndarray | None = None, *, axis: int, to: str) -> np.ndarray:
    """Return the reference of `graph.dequantize`."""
    number = x.astype(np.float32)
    if zero is not None:
        number = number - _along(zero, axis, x.ndim).astype(np.float32)
    return (number * _along(scale, axis, x.ndim).astype(np.float32)).astype(numpy_dtype(to))


def _is_float(x: np.ndarray) -> bool:
    return "float" in x.dtype.name


def _along(parameter: np.ndarray, axis: int, rank: int) -> np.ndarray:
    """Reshape a scale or zero point so that it broadcasts with the tensor that it belongs to."""
    if parameter.size == 1 or parameter.ndim == 0:
        return parameter.reshape(())
    return parameter.reshape([-1 if d == axis % rank else 1 for d in range(rank)])


def _quantize_te(x: te.Tensor, scale: te.Tensor, zero: te.Tensor | None = None, *, axis: int, to: str) -> te.Tensor:
    element = x.dtype if "float" in x.dtype else scale.dtype
    low, high = limits(to)

    def quantize(*index: Any) -> te.Expr:
        quotient = x(*index).astype(element) / _at(scale, axis, index).astype(element)
        whole = te.round(quotient.astype("float32"))
        if zero is not None:
            whole = whole + _at(zero, axis, index).astype("float32")
        return te.minimum(te.maximum(whole, float(low)), float(high)).astype(to)

    return te.compute(x.shape, quantize, name="quantize")


def _dequantize_te(x: te.Tensor, scale: te.Tensor, zero: te.Tensor | None = None, *, axis: int, to: str) -> te.Tensor:
    def dequantize(*index: Any) -> te.Expr:
        number = x(*index).astype("float32")
        if zero is not None:
            number = number - _at(zero, axis, index).astype("float32")
        return (number * _at(scale, axis, index).astype("float32")).astype(to)

    return te.compute(x.shape, dequantize, name="dequantize")


def _at(parameter: te.Tensor, axis: int, index: tuple[Any, ...]) -> te.Expr:
    """Return the scale or zero point that belongs to an index."""
    if parameter.ndim == 0:
        return parameter()
    return parameter(0 if parameter.shape[0] == 1 else index[axis])


PATTERNS = 256
"""Bit patterns of 8 bits."""


def looked_up(x: np.ndarray, table: np.ndarray) -> np.ndarray:
    """Return the reference of `graph.lookup`."""
    return table[np.ascontiguousarray(x).view(np.uint8)].reshape(x.shape)


def _lookup_te(x: te.Tensor, table: te.Tensor) -> te.Tensor:
    return te.compute(x.shape, lambda *i: table(x(*i).astype("uint8").astype("int32")), name="lookup")


def _lookup_in_blocks(op: GraphOp, blocks: Blocks) -> GraphOp | str:
    """Rewrite a lookup on blocks, with one table for all channels."""
    image, table = op.operands
    if (size := blocks.size_of(image, filled=True)) is None:
        return "the image that it reads is not in blocks"
    return LookupOp.of(blocks.image(image, size), table)


@register_operator(kind=FusionKind.OPAQUE, reference=looked_up, te=_lookup_te, in_blocks=_lookup_in_blocks)
class LookupOp(GraphOp):
    """
    A function of integers of 8 bits, by a table of 256 elements that is indexed by the bit pattern.

    y[i] = table[x[i] mod 256]

    It fuses with nothing: a fused loop could not be vectorized over bytes.

    ```mlir
    %y = graph.lookup %x, %table : tensor<1x64x56x56xui8>
    ```
    """

    name = "graph.lookup"

    x = operand_def()
    table = operand_def()
    y = result_def()

    def infer_types(self) -> tuple[Tensor, ...]:
        element = element_of(self.x)
        if not is_integer(element) or element.width.data != 8:
            raise VerifyException(f"expected integers of 8 bits, but got {element}")
        require_vector(self.table, PATTERNS, "table")
        return (make_type(shape_of(self.x), element_of(self.table)),)


class _ScaledOp(GraphOp):
    """An operator with a scale and an optional zero point, each one number or one number for each index of an axis."""

    x = operand_def()
    scale = operand_def()
    zero = opt_operand_def()
    y = result_def()

    axis = int_prop(1)
    to = type_prop()

    def _check(self, integers: Attribute) -> None:
        """Check scale and zero point; the latter is of the type of the integers."""
        if self.zero is not None and element_of(self.zero) != integers:
            raise VerifyException(f"expected a zero point of {integers}, but got {element_of(self.zero)}")
        Elements.FLOAT.check(element_of(self.scale))
        for parameter, what in ((self.scale, "scale"), (self.zero, "zero point")):
            if parameter is not None:
                self._check_shape(parameter, what)

    def _check_shape(self, parameter: SSAValue, what: str) -> None:
        if shape_of(parameter) in ((), (1,)):
            return
        shape = shape_of(self.x)
        require_vector(parameter, shape[normalize_axis(self.axis.value.data, len(shape))], what)


@register_operator(kind=FusionKind.BROADCAST, reference=quantized, te=_quantize_te)
class QuantizeOp(_ScaledOp):
    """
    x / scale, rounded to the nearest integer (ties to even), plus the zero point, and saturated. Scale and zero
    point are one number each, or one for each index of `axis`. The quotient has the type of x, or of the scale where x
    has integers; it is rounded in float32.

    ```mlir
    %q = graph.quantize %x, %scale, %zero to ui8 : tensor<1x64x56x56xui8>
    ```
    """

    name = "graph.quantize"

    def infer_types(self) -> tuple[Tensor, ...]:
        Elements.NUMBER.check(element_of(self.x))
        if not isinstance(self.to, IntegerType) or self.to.width.data not in (8, 16):
            raise VerifyException(f"expected integers of 8 or 16 bits, but got {self.to}")
        self._check(self.to)
        return (make_type(shape_of(self.x), self.to),)


@register_operator(kind=FusionKind.BROADCAST, reference=dequantized, te=_dequantize_te)
class DequantizeOp(_ScaledOp):
    """
    (x - zero point) * scale in float32, rounded to the type `to`. Scale and zero point are one number each, or one for
    each index of `axis`.

    ```mlir
    %x = graph.dequantize %q, %scale, %zero to f32 : tensor<1x64x56x56xf32>
    ```
    """

    name = "graph.dequantize"

    def infer_types(self) -> tuple[Tensor, ...]:
        integers = element_of(self.x)
        if not is_integer(integers) or integers.width.data > 32:
            raise VerifyException(f"expected integers of 8 to 32 bits, but got {integers}")
        self._check(integers)
        return (make_type(shape_of(self.x), Elements.FLOAT.check(self.to)),)
