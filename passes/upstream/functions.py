"""Upstream functions: those on tensors, the conversion of arguments, and unique labels of blocks."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DictionaryAttr,
    IntAttr,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    StringAttr,
    TensorType,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation

from ...dialects.dtypes import has_dtype
from ...dialects.loop import BlockOp
from ...dialects.names import NAME_ATTRIBUTE
from ...traversal import operations
from .refusal import refuse_form, refuse_operation


def on_tensors(function: FuncOp) -> bool:
    """Return whether a function takes, gives or computes tensors."""
    types: list[Attribute] = [*function.function_type.inputs, *function.function_type.outputs]
    types += [result.type for op in operations(function) for result in op.results]
    return any(isinstance(type_, TensorType) for type_ in types)


def return_of(function: FuncOp) -> ReturnOp:
    """Return the operation that ends a function of one block. Raises TilewrightError TW0570 where there are more."""
    if len(function.body.blocks) != 1:
        branch = function.body.blocks[0].last_op or function
        refuse_operation(branch, help="raise branches to loops and conditions: mlir-opt --lift-cf-to-scf")
    last = function.body.block.last_op
    if not isinstance(last, ReturnOp):
        refuse_operation(last or function)
    return last


def check_buffer_type(op: Operation, type: MemRefType) -> None:
    """Raise TilewrightError TW0571 for a memref that the loop dialect cannot express: strided, or in a memory space."""
    if not isinstance(row_major(type).layout, NoneAttr):
        refuse_form(
            op,
            f"expected buffers in row-major order where functions pass them, but got {type}",
            help="pass the whole buffer and take the view inside of the function",
        )
    space = type.memory_space
    if not isinstance(space, NoneAttr) and not (isinstance(space, IntegerAttr) and space.value.data == 0):
        refuse_form(op, f"expected buffers without a memory space, but got {type}", help="leave the memory space out")


def row_major(type: MemRefType) -> MemRefType:
    """Return a type without a layout, where its layout is that of row-major order or leaves all strides to the caller.

    Functions are for arguments in row-major order: a caller's other strides are refused.
    """
    layout = type.layout
    if not isinstance(layout, StridedLayoutAttr):
        return type
    strides = [stride.data if isinstance(stride, IntAttr) else None for stride in layout.strides]
    offset = layout.offset.data if isinstance(layout.offset, IntAttr) else None
    shape, expected = type.get_shape(), [1]
    for size in reversed(shape[1:]):
        expected.append(size * expected[-1])
    is_open = all(stride is None for stride in strides[:-1]) and strides[-1:] in ([], [None], [1]) and not offset
    is_known = DYNAMIC_INDEX not in shape[1:] and strides == expected[::-1] and offset == 0
    return MemRefType(type.element_type, shape, memory_space=type.memory_space) if is_open or is_known else type


def is_scalar(type: Attribute) -> bool:
    """Return whether a buffer of rank 0 can hold a value of the type."""
    return has_dtype(type)


def output_names(hints: Sequence[str | None]) -> list[DictionaryAttr]:
    """Return attributes that give the outputs of a function different names, where their values have none or the
    same."""
    if len(hints) < 2 or (None not in hints and len(set(hints)) == len(hints)):
        return [DictionaryAttr({}) for _ in hints]
    return [DictionaryAttr({NAME_ATTRIBUTE: StringAttr(f"out{number}")}) for number in range(len(hints))]


class Labels:
    """The labels of a function's blocks."""

    def __init__(self, function: FuncOp) -> None:
        self._taken = {op.label for op in operations(function) if isinstance(op, BlockOp)}

    def fresh(self, name: str) -> str:
        """Return `name`, with a number where it is taken."""
        label, count = name, 0
        while label in self._taken:
            count += 1
            label = f"{name}_{count}"
        self._taken.add(label)
        return label
