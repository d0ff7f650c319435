"""share-weights: a weight that is read in several arrangements is stored in one of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeGuard

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import graph
from ...dialects.constant_data import has_data
from ...dialects.resource import ResourceAttr
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..base import Level, Pass

LEAST_ELEMENTS = 1 << 12
"""Constants of fewer elements stay as they are."""

_PIECE = 1 << 16
"""How many elements are compared at once: a piece that differs ends the comparison."""


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
    A transpose that is not packed is gathered from along its columns. Language models multiply by the matrix of their
    embeddings, which would be stored twice otherwise. An element of a row costs a cache line then, beside a product
    that computes with all elements of the matrix. Results have the same bits.

    Contents are compared, whatever computed them. A matrix that anything else reads stays. Needs weights to be packed.
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
    if not isinstance(op.value, ResourceAttr) or not has_data(op.value) or not op.y.uses:
        return False
    shape = graph.static_shape(op.y)
    return shape is not None and int(np.prod(shape)) >= LEAST_ELEMENTS


def _by_value(constants: Sequence[graph.ConstantOp]) -> dict[Attribute, list[graph.ConstantOp]]:
    """The constants of each value; regions have some of their own."""
    found: dict[Attribute, list[graph.ConstantOp]] = defaultdict(list)
    for constant in constants:
        found[constant.value].append(constant)
    return found


def _share_equal(constants: Sequence[graph.ConstantOp]) -> None:
    """Let constants of equal types and elements have one value."""
    for alike in _groups(constants):
        first: list[graph.ConstantOp] = []
        for constant in alike:
            same = next((each for each in first if _are_equal(each.array, constant.array)), None)
            if same is None:
                first.append(constant)
            elif same.value != constant.value and may_rewrite("use an equal value", constant):
                edit.change(constant).properties["value"] = same.value


def _groups(constants: Sequence[graph.ConstantOp]) -> Iterator[list[graph.ConstantOp]]:
    """Constants of the same type, of which there are several."""
    types: dict[Attribute, list[graph.ConstantOp]] = defaultdict(list)
    for constant in constants:
        types[constant.y.type].append(constant)
    return (alike for alike in types.values() if len(alike) > 1)


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
            _gather_from(source, gather)


def _takes_rows(user: Operation, table: SSAValue) -> TypeGuard[graph.GatherOp]:
    return isinstance(user, graph.GatherOp) and user.x is table and user.axis.value.data in (0, -2)


def _has_rows(source: graph.ConstantOp, table: graph.ConstantOp) -> bool:
    """Whether a constant that something else reads is the transpose of a matrix, or has its columns in blocks."""
    rows, terms = table.array.shape
    shape = graph.static_shape(source.y)
    assert shape is not None
    if graph.element_of(source.y) != graph.element_of(table.y) or source.value == table.value:
        return False
    if shape == (terms, rows):
        return _are_equal(source.array.T, table.array)
    if len(shape) != 3 or shape[1] != terms or shape[0] * shape[2] != rows:
        return False
    return _are_equal(source.array.swapaxes(1, 2), table.array.reshape(shape[0], shape[2], terms))


def _are_equal(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two arrays of one shape and type have the same bits."""
    if a is b:
        return True
    step = max(1, _PIECE // max(a[:1].size, 1))
    return all(_bits(a[n : n + step]) == _bits(b[n : n + step]) for n in range(0, len(a), step))


def _bits(array: np.ndarray) -> bytes:
    return np.ascontiguousarray(array).tobytes()


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
