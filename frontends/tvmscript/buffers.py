"""Statements that declare buffers: allocations, views, and parts of other buffers."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable

from xdsl.dialects.builtin import VectorType

from ...dialects import loop
from ...dialects.dtypes import numpy_dtype
from ...dialects.index_expr import Index
from . import expressions, rows
from .literals import type_from
from .script_values import BufferValue, HandleValue, Region, Value, kind_of
from .state import BAD_ARGUMENT, UNSUPPORTED, State
from .syntax import allocation_type

_DECLARED = {
    "shape": rows.REQUIRED, "dtype": "float32", "data": None, "strides": None, "elem_offset": None, "scope": "global",
    "align": None, "offset_factor": None, "buffer_type": None, "axis_separators": None,
}  # fmt: skip


def allocate(s: State, call: ast.Call, target: ast.expr) -> Value:
    """Read `A = T.allocate([n], "float32", "local")`. One of vectors holds their lanes: indices count elements."""
    defaults = {"extents": rows.REQUIRED, "dtype": rows.REQUIRED, "scope": "global", "condition": None,
                "annotations": None}  # fmt: skip
    given = rows.bound(s, call, defaults, "T.allocate")
    if "condition" in given and expressions.evaluate(s, given["condition"]) not in (True, 1):
        s.fail(UNSUPPORTED, "expected an allocation without a condition", given["condition"])
    shape = rows.indices(s, given["extents"])
    element = rows.type_of(s, given["dtype"])
    if isinstance(element, VectorType) and shape:
        (lanes,), element = element.get_shape(), element.element_type
        shape = (*shape[:-1], shape[-1] * lanes)
    scope = expressions.constant(s, given["scope"], str, "a scope") if "scope" in given else loop.GLOBAL
    op = loop.AllocOp(allocation_type(shape, element, scope), [e for e in shape if not e.is_constant])
    rows.set_attributes(s, op, given.get("annotations"))
    return rows.result_of(s.add(op))


def declare(s: State, call: ast.Call, target: ast.expr) -> Value:
    """Read `B = T.decl_buffer(shape, dtype, data=A.data, elem_offset=8)`: a view of A; without data an allocation."""
    given = rows.bound(s, call, _DECLARED, "T.decl_buffer")
    shape = rows.indices(s, given["shape"])
    element = rows.type_of(s, given["dtype"]) if "dtype" in given else type_from("float32")
    if "strides" in given and not are_dense(shape, expressions.evaluate(s, given["strides"])):
        s.fail(UNSUPPORTED, "expected a view without strides", given["strides"], help="index the buffer itself")
    source = expressions.evaluate(s, given["data"]) if "data" in given else None
    if isinstance(source, HandleValue):
        source = source.buffer
    if source is None:
        scope = expressions.constant(s, given["scope"], str, "a scope") if "scope" in given else loop.GLOBAL
        op = loop.AllocOp(allocation_type(shape, element, scope), [e for e in shape if not e.is_constant])
        return rows.result_of(s.add(op))
    if not isinstance(source, BufferValue) or source.base is not None:
        s.fail(BAD_ARGUMENT, f"expected the data of a buffer, but got {kind_of(source)}", given["data"])
    offset = expressions.index(s, given["elem_offset"]) if "elem_offset" in given else Index.of(0)
    type = allocation_type(shape, element, source.scope)
    if type == source.value.type and shape == source.shape and offset == Index.of(0):
        return BufferValue(source.value, shape)
    return BufferValue(s.add(loop.ViewOp(source.value, offset * numpy_dtype(element).itemsize, type)).res, shape)


def are_dense(shape: tuple[Index, ...], strides: Value) -> bool:
    """Return whether strides, where some are given, are those of a buffer without gaps."""
    if not strides:
        return strides is not False
    if not all(e.is_constant for e in shape[1:]):
        return False
    dense = [math.prod(e.constant for e in shape[d + 1 :]) for d in range(len(shape))]
    return isinstance(strides, (tuple, list)) and [*strides] == dense


def realize(s: State, call: ast.Call) -> None:
    """Read `T.realize(A[0:n, 0:m], "local")`: the buffer is whole where it was declared, so that nothing is left to
    do."""
    names = {"buffer_slice": rows.REQUIRED, "scope": "", "condition": None}
    given = rows.bound(s, call, names, "T.realize")
    region = region_of(s, given["buffer_slice"])
    scope = expressions.constant(s, given["scope"], str, "a scope") if "scope" in given else ""
    if not isinstance(region, Region) or scope not in ("", region.buffer.scope):
        s.fail(
            UNSUPPORTED,
            f"expected a buffer that is declared in scope {scope!r}",
            call,
            help=f"declare it so: T.decl_buffer(shape, dtype, scope={scope!r})",
        )


def match(s: State, call: ast.Call, target: ast.expr) -> Value:
    """Read `B = T.match_buffer(A[i:i + 4, j:j + 4], (4, 4))`: a part of a buffer under a new name."""
    defaults = {"param": rows.REQUIRED, **_DECLARED, "shape": None}
    given = rows.bound(s, call, defaults, "T.match_buffer")
    node = given["param"]
    source = region_of(s, node)
    if isinstance(source, HandleValue):
        s.fail(BAD_ARGUMENT, f"expected the buffer of '{source.name}' to be declared at the top of the function", node)
    shape = rows.indices(s, given["shape"]) if "shape" in given else tuple(e for _, e in source.box)
    extents = [e for _, e in source.box]
    while len(extents) > len(shape) and extents[0] == Index.of(1):
        extents.pop(0)
    if len(shape) != len(extents):
        s.fail(
            UNSUPPORTED,
            f"expected a shape of {len(extents)} dimensions, those of the region, but got {len(shape)}",
            given.get("shape", node),
            help="only dimensions of extent 1 in front of the others can be left out",
        )
    if any(have != want for have, want in zip(extents, shape, strict=True)):
        s.fail(BAD_ARGUMENT, "expected the shape of the region", given.get("shape", node))
    base = source.buffer.at(tuple(low for low, _ in source.box))
    whole = len(base) - source.buffer.extra
    return BufferValue(source.buffer.value, shape, base=base[:whole], extra=source.buffer.extra)


def region_of(s: State, node: ast.expr) -> Region | HandleValue:
    """Return a region that is written as slices or single elements, without reading any."""
    if isinstance(node, ast.Subscript):
        buffer = expressions.evaluate(s, node.value)
        if isinstance(buffer, BufferValue):
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            with s.at(node):
                return expressions.region(s, buffer, list(parts))
    value = expressions.evaluate(s, node)
    if isinstance(value, BufferValue):
        return Region(value, tuple((Index.of(0), e) for e in value.shape))
    if isinstance(value, (Region, HandleValue)):
        return value
    return s.fail(BAD_ARGUMENT, f"expected a buffer or a region of one, but got {kind_of(value)}", node)


BINDINGS: dict[str, Callable[[State, ast.Call, ast.expr], Value]] = {
    "allocate": allocate,
    "Buffer": declare,
    "decl_buffer": declare,
    "buffer_decl": declare,
    "match_buffer": match,
}
