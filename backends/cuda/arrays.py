"""The arrays that kernels get: flat ones, of the host for the simulator and of the device for a GPU."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any, Protocol

import numpy as np
from xdsl.ir import Attribute, SSAValue

from ...dialects.constant_data import constant_array
from ...dialects.dtypes import numpy_dtype
from ...dialects.index_expr import Symbol
from ...dialects.loop import ConstantOp, ViewOp
from ...runtime.buffers import Array, address_of, aligned_empty
from ..kernels import HostFunction
from .emit.buffers import VECTOR_BYTES


class Memory(Protocol):
    """Where arrays are."""

    def empty(self, count: int, dtype: np.dtype[Any]) -> Any:
        """A flat array without values."""
        ...

    def upload(self, array: Array) -> Any:
        """The values of an array of the host."""
        ...

    def slice(self, array: Any, first: int, count: int, dtype: np.dtype[Any]) -> Any:
        """`count` elements of another type that begin `first` bytes after the start of an array."""
        ...


class HostMemory:
    """Arrays of numpy."""

    def empty(self, count: int, dtype: np.dtype[Any]) -> Array:
        """A flat array without values."""
        return aligned_empty((count,), dtype)

    def upload(self, array: Array) -> Array:
        """The array itself, where it lies as vectors want it, or a copy that does."""
        if address_of(array) % VECTOR_BYTES == 0:
            return array
        copy = aligned_empty(array.shape, array.dtype)
        copy[...] = array
        return copy

    def slice(self, array: Array, first: int, count: int, dtype: np.dtype[Any]) -> Array:
        """`count` elements of another type that begin `first` bytes after the start of an array."""
        return array.view(np.uint8)[first : first + count * dtype.itemsize].view(dtype)


def storage_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """What kernels see elements as: numpy's own types, and bf16 as its bits."""
    return np.dtype(np.uint16) if dtype.name == "bfloat16" else dtype


def _dtype(element: Attribute) -> np.dtype[Any]:
    return storage_dtype(numpy_dtype(element))


def flat(array: Array) -> Array:
    """The elements of an array from the first to the last in memory; strides reach from one to another."""
    dtype = storage_dtype(array.dtype)
    if array.flags.c_contiguous:
        return array.reshape(-1).view(dtype)
    span = 1 + sum((n - 1) * (s // array.itemsize) for n, s in zip(array.shape, array.strides, strict=True))
    count = span if array.size else 0
    return np.lib.stride_tricks.as_strided(array, (count,), (array.itemsize,)).view(dtype)


class Kept:
    """What a function keeps from call to call: constants, which are uploaded once, and its temporaries of fixed size.

    A call takes temporaries from the free list, or makes them where all are in use, and puts them back. Operations of
    lists are atomic under the interpreter's lock.
    """

    def __init__(self, host: HostFunction, memory: Memory) -> None:
        self._host = host
        self._memory = memory
        self._made: dict[SSAValue, Any] = {}
        self.free: list[dict[SSAValue, Any]] = []

    def take(self) -> dict[SSAValue, Any]:
        """Temporaries for one call, which gives them back."""
        try:
            return self.free.pop()
        except IndexError:
            return {
                value: self._memory.empty(max(prod(e.constant for e in extents), 1), _dtype(element))
                for value, (element, extents) in self._host.temporaries.items()
                if all(e.is_constant for e in extents)
            }

    def give_back(self, temporaries: dict[SSAValue, Any]) -> None:
        """The call that took them is over."""
        self.free.append(temporaries)

    def constant(self, op: ConstantOp) -> Any:
        """The elements of a constant."""
        if op.res not in self._made:
            self._made[op.res] = self._memory.upload(flat(np.ascontiguousarray(constant_array(op.value))))
        return self._made[op.res]


class Buffers:
    """The arrays of one call, by the buffers that they are."""

    def __init__(
        self,
        host: HostFunction,
        given: Sequence[Any],
        sizes: Mapping[str, int],
        memory: Memory,
        kept: Kept,
        temporaries: Mapping[SSAValue, Any],
    ) -> None:
        arguments = host.function.body.block.args
        first = len(arguments) - len(given)
        self._memory = memory
        self._kept = kept
        self._made: dict[SSAValue, Any] = {arguments[first + n]: array for n, array in enumerate(given)}
        self._made |= temporaries
        values = {Symbol(name): size for name, size in sizes.items()}
        for value, (element, extents) in host.temporaries.items():
            if value not in temporaries:
                count = prod(int(e.evaluate(values)) for e in extents)
                self._made[value] = memory.empty(max(count, 1), _dtype(element))

    def __getitem__(self, value: SSAValue) -> Any:
        if value not in self._made:
            self._made[value] = self._make(value)
        return self._made[value]

    def _make(self, value: SSAValue) -> Any:
        owner = value.owner
        if isinstance(owner, ConstantOp):
            return self._kept.constant(owner)
        assert isinstance(owner, ViewOp)
        dtype = _dtype(owner.res.type.element_type)
        count = prod(owner.res.type.get_shape())
        return self._memory.slice(self[owner.buffer], owner.byte_offset.constant, count, dtype)
