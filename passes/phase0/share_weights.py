"""Pass `share-weights`: a weight that is read in several layouts is stored in one of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import TypeGuard

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...diagnostics.remarks import remark
from ...dialects import graph
from ...dialects.constant_data import has_data
from ...dialects.resource import ResourceAttr
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass

LEAST_ELEMENTS = 1 << 12
"""Constants of fewer elements stay as they are."""

_PART = 1 << 16
"""The number of elements that are compared at once: the first part that differs ends the comparison."""


@dataclass(frozen=True)
class ShareWeightsPass(Pass):
    """Store equal constants once, and read rows of a matrix from its transpose or its packed columns.

    ```mlir
    %e = graph.gather %w, %ids axis 0 : tensor<4x768xf32>
    %y = graph.packed_matmul %h, %packed : tensor<4x50304xf32>
    ```
    becomes, where `%packed` has the columns of the transpose of `%w` in blocks,
    ```mlir
    %e = graph.packed_gather %packed, %ids : tensor<4x768xf32>
    %y = graph.packed_matmul %h, %packed : tensor<4x50304xf32>
    ```
    If the transpose is not packed, rows are gathered along its columns. Language models multiply by the matrix of their
    embeddings, which would otherwise be stored twice. An element of a row then costs a cache line, which is little
    beside the product with the whole matrix. Results have the same bits.

    Constants are compared by contents. A matrix with other users stays. Needs weights to be packed.
    """

    name = "share-weights"
    phase = 0
    levels = (Level.GRAPH,)
    opt_level = 2

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        constants = [each for each in operations(op) if isinstance(each, graph.ConstantOp) and _is_large(each)]
        _share_equal(constants)
        for tables in _by_value(constants).values():
            _share_rows(tables, constants)


def _is_large(op: graph.ConstantOp) -> bool:
    shape = graph.static_shape(op.y)
    return has_data(op.value) and bool(op.y.uses) and shape is not None and prod(shape) >= LEAST_ELEMENTS


def _by_value(constants: Sequence[graph.ConstantOp]) -> dict[Attribute, list[graph.ConstantOp]]:
    """Return the constants of each value. Regions contain separate constants."""
    found: dict[Attribute, list[graph.ConstantOp]] = defaultdict(list)
    for constant in constants:
        found[constant.value].append(constant)
    return found


def _share_equal(constants: Sequence[graph.ConstantOp]) -> None:
    """Let constants of equal types and elements have one value."""
    known: dict[Hashable, list[graph.ConstantOp]] = defaultdict(list)
    for constant in constants:
        alike = known[constant.y.type, _head(constant)]
        same = next((each for each in alike if _are_equal(each, constant)), None)
        if same is None:
            alike.append(constant)
        elif same.value != constant.value and may_rewrite("use an equal value", constant):
            edit.change(constant).properties["value"] = same.value


def _head(constant: graph.ConstantOp) -> bytes:
    """Return the bits of the first row."""
    return next(_parts(constant))[:1].tobytes()


def _are_equal(a: graph.ConstantOp, b: graph.ConstantOp) -> bool:
    """Return if constants of the same type have the same bits."""
    if a.value == b.value:
        return True
    array = a.array
    return _all_equal(_parts(b), lambda first, last: array[first:last])


def _share_rows(tables: Sequence[graph.ConstantOp], constants: Sequence[graph.ConstantOp]) -> None:
    """Gather rows of a matrix, which `tables` are, from another constant that has its elements."""
    users = [(use.operation, table.y) for table in tables for use in table.y.uses]
    gathers = [user for user, table in users if _takes_rows(user, table)]
    if len(graph.shape_of(tables[0].y)) != 2 or len(gathers) < len(users):
        return
    source = next((each for each in constants if _has_rows(each, tables[0])), None)
    if source is None:
        return
    for gather in gathers:
        if may_rewrite("gather packed rows for", gather):
            remark("TW0766", "graph.gather reads rows of weights as a product has them", op=gather, kind="passed")
            _gather_from(source, gather)


def _takes_rows(user: Operation, table: SSAValue) -> TypeGuard[graph.GatherOp]:
    return isinstance(user, graph.GatherOp) and user.x is table and user.axis.value.data in (0, -2)


def _has_rows(source: graph.ConstantOp, table: graph.ConstantOp) -> bool:
    """Return if a constant is the transpose of a matrix, or has its columns in blocks."""
    shape, known = graph.static_shape(source.y), graph.static_shape(table.y)
    assert shape is not None and known is not None, "those of constants"
    rows, terms = known
    if graph.element_of(source.y) != graph.element_of(table.y) or source.value == table.value:
        return False
    array = source.array
    if shape == (terms, rows):
        return _all_equal(_parts(table), lambda first, last: array.T[first:last])
    if len(shape) != 3 or shape[1] != terms or shape[0] * shape[2] != rows:
        return False

    def packed(first: int, last: int) -> np.ndarray:
        block, column = np.divmod(np.arange(first, last), shape[2])
        return array[block, :, column]

    return _all_equal(_parts(table), packed)


def _parts(constant: graph.ConstantOp) -> Iterator[np.ndarray]:
    """Yield the elements, some rows at once."""
    value = constant.value
    for part in value.data.parts() if isinstance(value, ResourceAttr) else [constant.array]:
        step = max(1, _PART // max(part[:1].size, 1))
        yield from (part[at : at + step] for at in range(0, len(part), step))


def _all_equal(parts: Iterator[np.ndarray], rows: Callable[[int, int], np.ndarray]) -> bool:
    """Return if parts of an array have the bits of `rows` of the same numbers."""
    at = 0
    for part in parts:
        if np.ascontiguousarray(rows(at, at + len(part))).tobytes() != np.ascontiguousarray(part).tobytes():
            return False
        at += len(part)
    return True


def _gather_from(source: graph.ConstantOp, gather: graph.GatherOp) -> None:
    """Replace a gather of rows by one from `source`; the constant stands where the gather is, in its region."""
    constant = graph.ConstantOp.create(properties={"value": source.value}, result_types=[source.y.type])
    constant.location = source.location
    edit.rename(constant.y, source.y.name_hint)
    edit.insert(constant, InsertPoint.before(gather))
    if len(graph.shape_of(source.y)) == 3:
        new: graph.GraphOp = graph.PackedGatherOp.of(constant.y, gather.indices)
    else:
        columns = graph.GatherOp.of(constant.y, gather.indices, axis=1)
        columns.location = gather.location
        edit.insert(columns, InsertPoint.before(gather))
        rank = len(graph.shape_of(columns.y))
        new = graph.TransposeOp.of(columns.y, permutation=(*range(1, rank), 0))
    new.location = gather.location
    edit.replace(gather, new)
