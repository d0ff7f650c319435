"""
Counter-based pseudorandom numbers: each is a function of the seed and of its position among the elements alone. They
are the same in every call, on every target, and for any number of threads.

The bits are a hash of the row-major position: two rounds of a 32-bit mixing function with keys derived from the seed
("lowbias32" of C. Wellons' search for such functions, 2018).
"""

from __future__ import annotations

import math
from typing import Any

from xdsl.irdl import operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..dialects.dtypes import dtype_name
from ..dialects.graph.base import GraphOp
from ..dialects.graph.families import Elements
from ..dialects.graph.properties import float_prop, int_prop, type_prop
from ..dialects.graph.types import Tensor, make_type, shape_of
from .declaration import register_operator
from .deferred import np, te
from .record import FusionKind

_ROUNDS = ((16, 0x7FEB352D), (15, 0x846CA68B))
_LAST = 16
_MASK = 0xFFFFFFFF


def _mixed(bits: Any, word: Any) -> Any:
    """Mix bits; `word` makes a constant of the bits' type."""
    for shift, factor in _ROUNDS:
        bits = (bits ^ (bits >> word(shift))) * word(factor)
    return bits ^ (bits >> word(_LAST))


def _keys(seed: int, draw: int) -> tuple[int, int]:
    """Return the keys of the two rounds of a draw."""
    state = (seed * 0x9E3779B97F4A7C15 + (draw + 1) * 0xD1B54A32D192ED03) & (1 << 64) - 1
    state ^= state >> 31
    return state & _MASK, state >> 32


def _bits(low: Any, high: Any, seed: int, draw: int, word: Any) -> Any:
    """Return 32 bits of the element whose number has these halves."""
    first, second = _keys(seed, draw)
    return _mixed(_mixed(low ^ word(first), word) ^ high ^ word(second), word)


def _unit_te(shape: Any, index: Any, seed: int, draw: int) -> te.Expr:
    """Return a float32 in [0, 1), a multiple of 2**-24."""
    position: Any = te.const(0, "int64")
    for size, i in zip(shape, index, strict=True):
        position = position * size + i
    low, high = position.astype("uint32"), (position // (1 << 32)).astype("uint32")
    bits = _bits(low, high, seed, draw, lambda value: te.const(value, "uint32"))
    return (bits >> te.const(8, "uint32")).astype("float32") * te.const(2.0**-24, "float32")


def _unit(shape: tuple[int, ...], seed: int, draw: int) -> np.ndarray:
    position = np.arange(math.prod(shape), dtype=np.uint64)
    low, high = position.astype(np.uint32), (position >> np.uint64(32)).astype(np.uint32)
    bits = _bits(low, high, seed, draw, np.uint32)
    return ((bits >> np.uint32(8)).astype(np.float32) * np.float32(2.0**-24)).reshape(shape)


def _uniform_te(x: te.Tensor, *, seed: int, low: float, high: float, to: str) -> te.Tensor:
    def element(*index: Any) -> te.Expr:
        unit = _unit_te(x.shape, index, seed, 0)
        return (unit * te.const(high - low, "float32") + te.const(low, "float32")).astype(to)

    return te.compute(x.shape, element, name="random_uniform")


def _uniform_reference(x: np.ndarray, *, seed: int, low: float, high: float, to: str) -> np.ndarray:
    from ..dialects.dtypes import numpy_dtype

    unit = _unit(x.shape, seed, 0)
    return (unit * np.float32(high - low) + np.float32(low)).astype(numpy_dtype(to))


def _normal_te(x: te.Tensor, *, seed: int, mean: float, scale: float, to: str) -> te.Tensor:
    def element(*index: Any) -> te.Expr:
        radius = te.sqrt(-2 * te.log(1 - _unit_te(x.shape, index, seed, 0)))
        unit = radius * te.cos(_unit_te(x.shape, index, seed, 1) * te.const(2 * math.pi, "float32"))
        return (unit * te.const(scale, "float32") + te.const(mean, "float32")).astype(to)

    return te.compute(x.shape, element, name="random_normal")


def _normal_reference(x: np.ndarray, *, seed: int, mean: float, scale: float, to: str) -> np.ndarray:
    from ..dialects.dtypes import numpy_dtype
    from ..semantics.host_independent import independent

    first, second = (independent(_unit(x.shape, seed, draw)) for draw in range(2))
    angle = (second * np.float32(2 * math.pi)).astype(np.float64)
    unit = np.sqrt(-2 * np.log(1.0 - first.astype(np.float64))) * np.cos(angle)
    return np.asarray((unit * scale + mean).astype(numpy_dtype(to)))


class _RandomOp(GraphOp):
    """Random numbers of the operand's shape; the elements of the operand are not read."""

    x = operand_def()
    y = result_def()

    seed = int_prop(0)
    to = type_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        Elements.FLOAT.check(self.to)
        if dtype_name(self.to) not in ("float16", "bfloat16", "float32", "float64"):
            raise VerifyException(f"expected random numbers of 16 bits at least, but got {self.to}")
        return (make_type(shape_of(self.x), self.to),)


@register_operator(kind=FusionKind.ELEMENTWISE, reference=_uniform_reference, te=_uniform_te)
class RandomUniformOp(_RandomOp):
    """
    Numbers from `low` to below `high`, all equally likely, of the operand's shape. They depend on the seed and on the
    position of each element alone, and have 24 random bits.

    ```mlir
    %y = graph.random_uniform %x seed 7 to f32 : tensor<4x8xf32>
    ```
    """

    name = "graph.random_uniform"

    low = float_prop(0.0)
    high = float_prop(1.0)


@register_operator(kind=FusionKind.ELEMENTWISE, reference=_normal_reference, te=_normal_te)
class RandomNormalOp(_RandomOp):
    """
    Numbers of a normal distribution, of the operand's shape, by the transformation of Box and Muller (1958). They
    depend on the seed and on the position of each element alone.

    ```mlir
    %y = graph.random_normal %x seed 7 to f32 : tensor<4x8xf32>
    ```
    """

    name = "graph.random_normal"

    mean = float_prop(0.0)
    scale = float_prop(1.0)
