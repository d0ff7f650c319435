"""Seeded random arguments for a function of any level.

Floats lie in [-1, 1), so that sums stay in range and products neither vanish nor grow; integers are small. Dynamic
sizes that are known to be equal, by a name in the type or by a `loop.bind`, get the same number.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from xdsl.dialects import arith, func
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, MemRefType, ModuleOp, TensorType, VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from ..diagnostics import fail
from ..dialects.graph.types import shape_of
from ..dialects.index_expr import Index
from ..dialects.loop import ApplyOp, BindOp, DimOp
from ..dialects.te import BindOp as TensorBindOp
from ..dialects.te import DimOp as TensorDimOp
from ..traversal import operations
from .arguments import Argument, inputs_of
from .elementwise import ELEMENTWISE, scalar_implementation
from .integers import NARROW_BITS, from_bits
from .random_streams import Purpose, generator
from .values import dtype_of, is_index

DEFAULT_SIZE = 5
"""The size of dynamic dimensions that have no given size: prime, and no multiple of a tile."""


def random_inputs(
    module: ModuleOp, name: str = "main", seed: int = 0, sizes: Mapping[str, int] | None = None
) -> list[Any]:
    """Return a value for each argument of a function that is not an output, the same for the same seed.

    `sizes` maps names to dynamic sizes. The name of a size is that in the tensor types, or that of the `loop.dim`'s
    result; the name of an index argument is that of the argument.
    """
    function = next((op for op in module.ops if isinstance(op, func.FuncOp) and op.sym_name.data == name), None)
    if function is None or not function.body.blocks:
        fail("TW0723", f"expected a function @{name} with a body, but there is none", op=module)
    rng = generator(Purpose.INPUTS, seed)
    shapes = _Shapes(function, sizes or {})
    return [_draw(rng, a, shapes) for a in inputs_of(function)]


def random_array(rng: np.random.Generator, shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Return an array of values that arithmetic in its dtype can bear."""
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(dtype)
    if dtype.kind in "iu":
        return rng.integers(0 if dtype.kind == "u" else -8, 8, shape).astype(dtype)
    if bits := NARROW_BITS.get(dtype.name):
        return from_bits(rng.integers(0, 1 << bits, shape).astype(np.uint8), dtype)
    if dtype.name == "float8_e8m0fnu":
        return np.asarray(np.exp2(rng.integers(-8, 8, shape).astype(np.float32))).astype(dtype)
    return np.asarray(rng.uniform(-1.0, 1.0, shape)).astype(dtype)


def _draw(rng: np.random.Generator, argument: Argument, shapes: _Shapes) -> Any:
    type = argument.type
    if is_index(type):
        return shapes.named(argument.name)
    if isinstance(type, VectorType):
        return random_array(rng, type.get_shape(), dtype_of(type))
    if isinstance(type, (MemRefType, TensorType)):
        return random_array(rng, shapes.shape(argument.value, type), dtype_of(type))
    return random_array(rng, (), dtype_of(type))[()]


class _Shapes:
    """Numbers for the dynamic sizes of a function's arguments."""

    def __init__(self, function: func.FuncOp, sizes: Mapping[str, int]) -> None:
        self._sizes = sizes
        self._binds = {op.buffer: op.index_list("shape") for op in operations(function) if isinstance(op, BindOp)}
        self._tensor_binds = {op.tensor: op.sizes for op in operations(function) if isinstance(op, TensorBindOp)}
        self._names = {
            (op.buffer, op.dimension.value.data): op.res.name_hint
            for op in operations(function)
            if isinstance(op, DimOp)
        }

    def named(self, name: str) -> int:
        return self._sizes.get(name, DEFAULT_SIZE)

    def shape(self, value: SSAValue, type: Attribute) -> tuple[int, ...]:
        if value in self._tensor_binds:
            return tuple(map(self._index, self._tensor_binds[value]))
        if isinstance(type, TensorType):
            return self._named_shape(type)
        assert isinstance(type, MemRefType)
        return tuple(self._extent(value, d) if n == DYNAMIC_INDEX else n for d, n in enumerate(type.get_shape()))

    def _named_shape(self, type: Attribute) -> tuple[int, ...]:
        assert isinstance(type, TensorType)
        return tuple(n if isinstance(n, int) else self.named(n or "") for n in shape_of(type))

    def _extent(self, buffer: SSAValue, dimension: int) -> int:
        if buffer in self._binds:
            return self._index(self._binds[buffer][dimension])
        return self.named(self._names.get((buffer, dimension)) or "")

    def _index(self, expression: Index) -> int:
        return int(expression.evaluate({v: self._value(v) for v in expression.values()}))

    def _value(self, value: SSAValue) -> int:
        match value.owner:
            case ApplyOp() as op:
                return self._index(op.index)
            case TensorDimOp(tensor=tensor) as op:
                dimension = op.dimension.value.data
                stated = self._tensor_binds.get(tensor)
                if stated is None or stated[dimension] == Index.of(value):  # bound to nothing but itself
                    return self._named_shape(tensor.type)[dimension]
                return self._index(stated[dimension])
            case DimOp(buffer=buffer) as op if self._is_unbound(op, value):
                return self.named(self._names.get((buffer, op.dimension.value.data)) or "")
            case DimOp(buffer=buffer) as op:
                return self._extent(buffer, op.dimension.value.data)
            case arith.ConstantOp(value=IntegerAttr() as constant):
                return constant.value.data
            case Operation() as op if op.name in ELEMENTWISE:
                return int(scalar_implementation(op)(*map(self._value, op.operands)))
            case _:
                return self.named(value.name_hint or "")

    def _is_unbound(self, op: DimOp, value: SSAValue) -> bool:
        """Return whether the extent is bound to no other expression."""
        stated = self._binds.get(op.buffer)
        return stated is None or stated[op.dimension.value.data] == Index.of(value)
