"""Te kernels of symbolic sizes: the extents of axes and dimensions, and the values of products of sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import IntegerAttr, TensorType, i64
from xdsl.ir import BlockArgument, SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import te
from ....dialects.graph.sizes import Dim, product_of
from ....dialects.graph.types import shape_of
from ....dialects.index_expr import Index
from ....ir import editor as edit

Groups = Mapping[SSAValue, Sequence[tuple[int, ...]]]
"""The dimensions of tensors that are merged into one, in order."""


def axis_sizes(compute: te.ComputeOp) -> list[Dim]:
    """Return the sizes of axes: numbers, and the names of dimensions of arguments; None for any other."""
    return [_size(extent) for extent in compute.index_list("extents")]


def _size(extent: Index) -> Dim:
    if extent.is_constant:
        return extent.constant
    value = extent.single_value
    owner = None if value is None else value.owner
    return shape_of(owner.tensor)[owner.dimension.value.data] if isinstance(owner, te.DimOp) else None


def sizes_of(tensor: SSAValue) -> Sequence[Dim]:
    """Return the sizes of a tensor: those of its type, and of a result those of its axes where the type has none."""
    owner, shape = tensor.owner, shape_of(tensor)
    if not isinstance(owner, te.ComputeOp):
        return shape
    return [axis if size is None else size for size, axis in zip(shape, axis_sizes(owner), strict=False)]


def is_named_kernel(function: func.FuncOp) -> bool:
    """Return whether a function is private, of te.compute alone, and has numbers and names as sizes of its arguments.

    Sizes of results may be any expression: their axes have no size that is known then (None).
    """
    visibility = function.sym_visibility
    if visibility is None or visibility.data != "private" or not function.body.blocks:
        return False
    if not all(isinstance(op, (te.ComputeOp, te.DimOp, func.ReturnOp)) for op in function.body.block.ops):
        return False
    arguments = function.body.block.args
    if not all(isinstance(argument.type, TensorType) for argument in arguments):
        return False
    sizes = [dim for argument in arguments for dim in shape_of(argument)]
    return None not in sizes and any(isinstance(size, str) for size in sizes)


def read_sizes_of_arguments(function: func.FuncOp) -> None:
    """Let the sizes of results be those of the arguments that have the same names."""
    block = function.body.block
    named = {
        size: (argument, d)
        for argument in reversed(block.args)
        for d, size in enumerate(shape_of(argument))
        if isinstance(size, str)
    }
    known: dict[tuple[SSAValue, int], SSAValue] = {}
    for op in [op for op in block.ops if isinstance(op, te.DimOp)]:
        position = op.dimension.value.data
        origin = named.get(str(shape_of(op.tensor)[position]), (op.tensor, position))
        if origin not in known and origin == (op.tensor, position):
            known[origin] = op.res
        elif origin not in known:
            new = te.DimOp(*origin, name_hint=op.res.name_hint)
            edit.insert(new, InsertPoint.before(op), of=op)
            known[origin] = new.res
        if known[origin] is not op.res:
            edit.replace_uses(op.res, known[origin])
            edit.erase(op)


def product(sizes: Sequence[Dim]) -> Dim:
    """Return the size of several dimensions that are one."""
    if all(isinstance(size, int) for size in sizes):
        return prod(cast(Sequence[int], sizes))
    return sizes[0] if len(sizes) == 1 else product_of(1, [str(size) for size in sizes])


class NamedSizes:
    """The sizes of merged axes, read from arguments in which the same dimensions are merged."""

    def __init__(self, function: func.FuncOp, groups: Groups) -> None:
        self._function = function
        self._groups = groups
        self._dims = [op for op in function.body.block.ops if isinstance(op, te.DimOp)]
        self._made: dict[tuple[Dim, ...], SSAValue] = {}

    def are_known(self, axes: Mapping[te.ComputeOp, Sequence[tuple[int, ...]]]) -> bool:
        """Return whether an argument has each of the merged sizes, and no size that vanishes is used elsewhere."""
        for compute, groups in axes.items():
            sizes = axis_sizes(compute)
            melted = {j for group in groups if len(group) > 1 for j in group}
            symbolic = [[sizes[j] for j in group] for group in groups if any(isinstance(sizes[j], str) for j in group)]
            if any(self._origin(group) is None for group in symbolic if len(group) > 1):
                return False
            extents = compute.index_list("extents")
            for op in self._dims:
                users = {j for j, extent in enumerate(extents) if op.res in extent.values()}
                if self._is_melted(op) and not users <= melted:
                    return False
        return all(isinstance(use.operation, te.ComputeOp) for op in self._dims for use in op.res.uses)

    def _origin(self, sizes: Sequence[Dim]) -> tuple[BlockArgument, int] | None:
        for argument in self._function.body.block.args:
            shape = shape_of(argument)
            for position, group in enumerate(self._groups[argument] if shape else ()):
                if [shape[d] for d in group] == list(sizes):
                    return argument, position
        return None

    def _is_melted(self, op: te.DimOp) -> bool:
        return any(len(group) > 1 and op.dimension.value.data in group for group in self._groups[op.tensor])

    def extent(self, compute: te.ComputeOp, group: Sequence[int]) -> Index:
        """Return the extent of merged axes, before any tensor has its new type."""
        sizes = axis_sizes(compute)
        if all(isinstance(sizes[j], int) for j in group):
            return Index.of(prod(cast(int, sizes[j]) for j in group))
        if len(group) == 1:
            return compute.index_list("extents")[group[0]]
        key = tuple(sizes[j] for j in group)
        if key not in self._made:
            origin = self._origin(key)
            assert origin is not None
            op = te.DimOp(*origin, name_hint="rows")
            edit.insert(op, InsertPoint.at_start(self._function.body.block), of=self._function)
            self._made[key] = op.res
        return Index.of(self._made[key])

    def renumber(self) -> None:
        """Let the sizes that are read one by one be those of the new dimensions; those that melted are not read."""
        for op in self._dims:
            if op.res.first_use is None:
                edit.erase(op)
                continue
            groups = self._groups[op.tensor]
            position = next(position for position, group in enumerate(groups) if op.dimension.value.data in group)
            edit.change(op).properties["dimension"] = IntegerAttr(position, i64)
