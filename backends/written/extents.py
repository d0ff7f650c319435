"""Extents and strides that are known at run time only: of arguments, and in `loop.bind` and `loop.dim`."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import BlockArgument, Operation

from ...diagnostics import fail
from ...dialects.index_expr import Index, Symbol
from ...dialects.loop import BindOp, DimOp
from .buffers import Layout, dense
from .function import Writer


def layout_of_argument(writer: Writer[Any, Any], argument: BlockArgument, name: str) -> tuple[dict[int, str], Layout]:
    """Return the sizes of an argument, a buffer, that its type leaves open, by dimension, and its layout with them."""
    assert isinstance(argument.type, MemRefType)
    open_ = [d for d, n in enumerate(argument.type.get_shape()) if n == DYNAMIC_INDEX]
    sizes = {d: writer.names.fresh(_size_name(argument, d, name)) for d in open_}
    symbols = [Symbol(size) for size in sizes.values()]
    writer.ranges |= dict.fromkeys(symbols, (0, None))
    return sizes, dense(argument.type, list(map(Index.of, symbols)), writer.index)


def _size_name(argument: BlockArgument, dimension: int, name: str) -> str:
    for use in argument.uses:
        if isinstance(use.operation, DimOp) and use.operation.dimension.value.data == dimension:
            return use.operation.res.name_hint or f"{name}_size{dimension}"
    return f"{name}_size{dimension}"


def write_bind(writer: Writer[Any, Any], op: Operation) -> None:
    assert isinstance(op, BindOp)
    buffer = writer.buffer(op.buffer)
    buffer.extents[:] = op.index_list("shape")
    strides = [writer.index.resolve(e) for e in op.index_list("strides")]
    buffer.strides[:] = [e.constant if e.is_constant else writer.index.expression(e) for e in strides]


def write_dim(writer: Writer[Any, Any], op: Operation) -> None:
    assert isinstance(op, DimOp)
    extent = writer.buffer(op.buffer).extents[op.dimension.value.data]
    if extent is None:
        fail("TW0601", "expected the extents of this buffer to be stated by loop.bind before they are used", op=op)
    writer.define_index(op.res, extent)
