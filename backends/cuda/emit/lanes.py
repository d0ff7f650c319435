"""Memory of scope "warp": its last dimension is the lane, and each lane has the elements there in registers.

A lane writes only the elements at its index. An element of another lane is read by a shuffle, which the attribute
`tw.shuffle` of the load states.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DYNAMIC_INDEX

from ....analysis.domain import resolve
from ....analysis.warp_memory import is_of_warps, is_warp_of_row
from ....diagnostics import fail
from ....dialects.index_expr import Index
from ....dialects.loop import AllocOp, LoadOp, StoreOp
from ....dialects.loop.shuffles import SAME_LANE, XOR, shuffle_of
from ....hardware import WARP_MASK
from ...written.text import Expression, call, loaded
from .fragments import NOT_OF_LANE
from .types import value_type

if TYPE_CHECKING:
    from .buffers import Buffer
    from .function import KernelWriter

LANE_KIND = "lane"
"""The `Buffer.kind` of such memory."""
_NARROW = ("boolean", "int8", "int16", "uint8", "uint16")
"""Types that are shuffled as int32."""


def write_lanes(writer: KernelWriter, op: AllocOp, buffer: Buffer) -> None:
    """Declare the registers that a lane has."""
    shape = op.res.type.get_shape()
    if DYNAMIC_INDEX in shape or not shape:
        fail(NOT_OF_LANE, f"expected a constant size of {buffer.name}, which lies in the registers of lanes", op=op)
    buffer.kind = LANE_KIND
    warps = (d for d in range(len(shape) - 1) if is_of_warps(op.res, d) or is_warp_of_row(op.res, d))
    buffer.of_warps = frozenset(warps)
    count = prod(n for d, n in enumerate(shape[:-1]) if d not in buffer.of_warps)
    writer.lines.line(f"{buffer.name} = cuda.local.array({count}, {value_type(op.res.type.element_type)})")


def load_lane(writer: KernelWriter, op: LoadOp, buffer: Buffer) -> Expression:
    """Return an element of the running lane, or of another one by a shuffle."""
    shuffle, register = shuffle_of(op), _register(writer, buffer, op.index)
    assert shuffle is not None
    if shuffle.kind == SAME_LANE:
        return loaded(register, op)
    type_ = value_type(buffer.type.element_type)
    operand = f"int32({register})" if type_ in _NARROW else register
    if shuffle.kind == XOR:
        text = f"cuda.shfl_xor_sync({WARP_MASK:#x}, {operand}, {shuffle.mask})"
    else:
        lane = call("int32", writer.index.expression(resolve(op.index[-1]).with_ranges(writer.index.ranges)))
        text = f"cuda.shfl_sync({WARP_MASK:#x}, {operand}, {lane})"
    text = f"({text} != 0)" if type_ == "boolean" else f"{type_}({text})" if type_ in _NARROW else text
    return loaded(text, op)


def store_lane(writer: KernelWriter, op: StoreOp, buffer: Buffer, value: Expression) -> str:
    """Return the statement that writes an element of the running lane."""
    return f"{_register(writer, buffer, op.index)} = {value}{writer.remark(op)}"


def _register(writer: KernelWriter, buffer: Buffer, index: Sequence[Index]) -> str:
    number, shape = Index.of(0), buffer.type.get_shape()
    for d, e in enumerate(index[:-1]):
        number = number if d in buffer.of_warps else number * shape[d] + resolve(e)
    number = number.with_ranges(writer.index.ranges)
    text = writer.index.expression(number)
    return f"{buffer.name}[{text if number.is_constant else call('uint64', text)}]"
