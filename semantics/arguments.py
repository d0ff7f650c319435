"""The arguments of a function by type and role, and checks of the arrays that are passed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects import arith, func
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, MemRefType, StringAttr, TensorType, VectorType
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from ..diagnostics import fail
from ..dialects.graph.types import shape_of
from ..dialects.index_expr import Index
from ..dialects.loop import ApplyOp, BindOp, DimOp
from .constants import scalar
from .elementwise import ELEMENTWISE, scalar_implementation
from .values import Array, dtype_of, is_index, poison


@dataclass(frozen=True)
class Argument:
    """An argument of a function; an output is a buffer that the function is called to fill."""

    value: BlockArgument
    name: str
    is_output: bool

    @property
    def type(self) -> Attribute:
        return self.value.type


def arguments_of(function: func.FuncOp) -> tuple[Argument, ...]:
    """Return the arguments of a function in order."""
    values = function.body.block.args
    attributes = [a.data for a in function.arg_attrs.data] if function.arg_attrs else [{}] * len(values)
    result: list[Argument] = []
    for value, attribute in zip(values, attributes, strict=True):
        name = attribute.get("tw.name")
        text = name.data if isinstance(name, StringAttr) else value.name_hint or f"argument{value.index}"
        result.append(Argument(value, text, "tw.output" in attribute))
    return tuple(result)


def inputs_of(function: func.FuncOp) -> tuple[Argument, ...]:
    """Return the arguments that are not outputs."""
    return tuple(a for a in arguments_of(function) if not a.is_output)


def check_arguments(function: func.FuncOp, arguments: Sequence[Argument], given: Sequence[Any]) -> list[Any]:
    """Return the values of these arguments of a function: arrays unchanged, numbers as scalars of their type.

    Raises TW0701 for a wrong count, TW0703 for a dtype, TW0704 for a shape, TW0707 for an object that is no array.
    """
    if len(given) != len(arguments):
        names = ", ".join(a.name for a in arguments)
        fail("TW0701", f"expected {len(arguments)} arguments ({names}), but got {len(given)}", op=function)
    values = [_check(a, value, function) for a, value in zip(arguments, given, strict=True)]
    _check_named_sizes(arguments, values, function)
    return values


def allocate_outputs(
    function: func.FuncOp, inputs: Sequence[Any], shapes: Mapping[int, tuple[int, ...]] | None = None
) -> list[Array]:
    """Return buffers for the outputs of a destination-passing function, nothing written to them.

    Dynamic extents are those of `shapes`, by the position of the argument, or that a `loop.bind` states, in terms of
    the inputs.
    """
    given = shapes or {}
    sizes = _Sizes(function, {a.value: i for a, i in zip(inputs_of(function), inputs, strict=True)})
    outputs = [a for a in arguments_of(function) if a.is_output]
    return [poison(given.get(a.value.index) or sizes.shape(a), dtype_of(a.type, function)) for a in outputs]


def _check(argument: Argument, value: Any, function: func.FuncOp) -> Any:
    type = argument.type
    if not isinstance(type, (MemRefType, TensorType, VectorType)):
        return int(value) if is_index(type) else scalar(value, dtype_of(type, function))
    what = f"expected argument '{argument.name}'"
    if not isinstance(value, np.ndarray):
        fail("TW0707", f"{what} to be a numpy array, but got {value.__class__.__name__}", op=function)
    dtype = dtype_of(type, function)
    if value.dtype != dtype:
        fail("TW0703", f"{what} to have dtype {dtype}, but got {value.dtype}", op=function)
    shape = type.get_shape()
    if len(shape) != value.ndim or any(n not in (DYNAMIC_INDEX, m) for n, m in zip(shape, value.shape, strict=True)):
        text = ", ".join("?" if n == DYNAMIC_INDEX else str(n) for n in shape)
        fail("TW0704", f"{what} to have shape [{text}], but got {[*value.shape]}", op=function)
    if isinstance(type, MemRefType) and not value.flags.c_contiguous:
        fail("TW0707", f"{what} to be C-contiguous, but got strides {[*value.strides]}", op=function)
    return value


def _check_named_sizes(arguments: Sequence[Argument], values: Sequence[Any], function: func.FuncOp) -> None:
    found: dict[str, int] = {}
    for argument, value in zip(arguments, values, strict=True):
        if not isinstance(argument.type, TensorType):
            continue
        for dim, size in zip(shape_of(argument.type), value.shape, strict=True):
            if isinstance(dim, str) and found.setdefault(dim, size) != size:
                message = f"expected size {dim} of argument '{argument.name}' to be {found[dim]}, but got {size}"
                fail("TW0704", message, op=function)


class _Sizes:
    """Extents computed from the shapes of the inputs."""

    def __init__(self, function: func.FuncOp, arrays: Mapping[SSAValue, Array]) -> None:
        self._function = function
        self._arrays = arrays
        self._binds = {op.buffer: op for op in function.body.block.ops if isinstance(op, BindOp)}

    def shape(self, argument: Argument) -> tuple[int, ...]:
        assert isinstance(argument.type, MemRefType)
        shape = argument.type.get_shape()
        if DYNAMIC_INDEX not in shape:
            return shape
        if argument.value not in self._binds:
            message = f"expected a loop.bind that states the extents of output '{argument.name}'"
            fail("TW0723", message, op=self._function)
        return tuple(self._index(e) for e in self._binds[argument.value].index_list("shape"))

    def _index(self, expression: Index) -> int:
        return int(expression.evaluate({v: self._value(v) for v in expression.values()}))

    def _value(self, value: SSAValue) -> int:
        match value.owner:
            case DimOp() as op if op.buffer in self._arrays:
                return self._arrays[op.buffer].shape[op.dimension.value.data]
            case ApplyOp() as op:
                return self._index(op.index)
            case arith.ConstantOp(value=IntegerAttr() as constant):
                return constant.value.data
            case _ if value in self._arrays:
                return int(self._arrays[value])
            case Operation() as op if op.name in ELEMENTWISE:
                return int(scalar_implementation(op)(*map(self._value, op.operands)))
            case _:
                fail("TW0723", "expected extents of outputs to be made of sizes of the inputs", op=self._function)
