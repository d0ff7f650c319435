"""A function of an upstream file with the types that the file declares, and the layout of its arguments in bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    MemRefType,
    ModuleOp,
    NoneAttr,
    StridedLayoutAttr,
    TensorType,
    VectorType,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from ...semantics.values import Array, dtype_of, is_index
from ...traversal import operations

_ALIGNMENT = 64
_EXECUTED = {
    *("affine", "arith", "bufferization", "builtin", "cf", "complex", "func", "index"),
    *("linalg", "math", "memref", "scf", "tensor", "ub", "vector"),
}
"""The dialects whose operations are executed: they reach no memory but buffers and call no function of another file."""


@dataclass(frozen=True)
class Original:
    """A function of an upstream file, before any conversion."""

    text: str
    """The whole file."""
    name: str
    inputs: tuple[Attribute, ...]
    results: tuple[Attribute, ...]
    shared: tuple[tuple[int, ...], ...] = ()
    """The inputs that are one buffer, by position: a tuple for each buffer of several."""
    foreign: str = ""
    """The name of an operation of the file by which code from elsewhere could run; empty where there is none."""

    def unsuited(self) -> str | None:
        """Return the reason why no driver calls the function, in a clause; None where one can."""
        if self.foreign:
            return f"'{self.foreign}' may run code that is not of the file"
        for type_ in (*self.inputs, *self.results):
            if isinstance(type_, MemRefType) and not isinstance(type_.layout, (NoneAttr, StridedLayoutAttr)):
                return f"a driver passes memrefs with strides, and not {type_}"
            is_shaped = isinstance(type_, (MemRefType, TensorType, VectorType))
            if not is_shaped and not is_index(type_) and not hasattr(type_, "bitwidth"):
                return f"a driver does not pass {type_}"
        return None


def original(text: str, module: ModuleOp, name: str, shared: tuple[tuple[int, ...], ...] = ()) -> Original:
    """Return the function of that name, called with some inputs as one buffer; `module` is the file's, parsed and not
    converted."""
    function = next(op for op in module.ops if isinstance(op, FuncOp) and op.sym_name.data == name)
    types = function.function_type
    return Original(text, name, tuple(types.inputs), tuple(types.outputs), shared, _foreign(module))


def _foreign(module: ModuleOp) -> str:
    """Return the first operation by which a file reaches beyond itself: a function without a body, or one of LLVM."""
    for op in operations(module):
        if isinstance(op, FuncOp) and not op.body.blocks:
            return f"func.func @{op.sym_name.data}"
        if op.dialect_name() not in _EXECUTED:
            return op.name
    return ""


@dataclass(frozen=True)
class Slot:
    """The bytes of one argument or result within the block that a driver reads and writes."""

    type: Attribute
    shape: tuple[int, ...]
    dtype: np.dtype[np.generic]
    offset: int

    @property
    def size(self) -> int:
        """Its bytes."""
        return int(np.prod(self.shape, dtype=np.int64)) * self.dtype.itemsize

    @property
    def dynamic(self) -> list[int]:
        """The extents that its type leaves open."""
        if not isinstance(self.type, (MemRefType, TensorType)):
            return []
        pairs = zip(self.type.get_shape(), self.shape, strict=True)
        return [extent for stated, extent in pairs if stated == DYNAMIC_INDEX]

    def of(self, block: bytes) -> Array:
        """Return the array at the slot of a block."""
        part = block[self.offset : self.offset + self.size]
        return np.frombuffer(part, dtype=self.dtype).reshape(self.shape)


@dataclass(frozen=True)
class Layout:
    """The block of bytes that a driver reads before a call and writes after it: a word that says whether the results
    have the expected shapes, then arguments and results, with a guard before and behind each."""

    inputs: tuple[Slot, ...]
    results: tuple[Slot, ...]
    size: int

    GUARD = 1024
    """Bytes between two buffers."""

    @classmethod
    def of(cls, function: Original, inputs: Sequence[Array], shapes: Sequence[tuple[int, ...]]) -> Layout:
        """Return the layout for inputs of these shapes; `shapes` has those of the results."""
        offset = _ALIGNMENT + cls.GUARD
        slots: list[Slot] = []
        types = [*function.inputs, *function.results]
        for type_, shape in zip(types, [*(np.shape(value) for value in inputs), *shapes], strict=True):
            dtype = np.dtype(np.int64) if is_index(type_) else dtype_of(type_)
            slot = Slot(type_, shape, dtype, offset)
            slots.append(slot)
            offset += -(-slot.size // _ALIGNMENT) * _ALIGNMENT + cls.GUARD
        for first, *others in function.shared:
            for other in others:
                slots[other] = slots[first]
        return cls(tuple(slots[: len(inputs)]), tuple(slots[len(inputs) :]), offset)

    def block(self, inputs: Sequence[Array], fill: int) -> bytes:
        """Return the block before a call; each byte that is no input is `fill`."""
        block = bytearray([fill]) * self.size
        for slot, value in reversed(
            list(zip(self.inputs, inputs, strict=True))
        ):  # of one buffer the first input counts
            block[slot.offset : slot.offset + slot.size] = np.ascontiguousarray(value, dtype=slot.dtype).tobytes()
        return bytes(block)

    def written_outside(self, block: bytes, fill: int) -> int | None:
        """Return the number of the input or result beside which a call wrote into a guard; None where it wrote into
        none."""
        slots = sorted({slot.offset: slot for slot in (*self.inputs, *self.results)}.values(), key=lambda s: s.offset)
        starts = [_ALIGNMENT, *(slot.offset + slot.size for slot in slots)]
        ends = [*(slot.offset for slot in slots), self.size]
        for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
            guard = np.frombuffer(block[start:end], dtype=np.uint8)
            changed = np.flatnonzero(guard != fill)
            if changed.size:
                is_nearer_to_next = int(changed[0]) * 2 > end - start
                nearest = min(number if is_nearer_to_next or number == 0 else number - 1, len(slots) - 1)
                return [*self.inputs, *self.results].index(slots[nearest])
        return None
