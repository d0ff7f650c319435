"""Collapse dimensions that a kernel walks through together.

A pointwise convolution is a matrix product over the flattened image, and an elementwise kernel one long loop; which
dimensions melt together follows from the accesses alone. Two neighbouring axes of a compute are one axis when every
access uses them side by side, as the neighbouring dimensions of a tensor of the same sizes, and nothing else looks at
either. The condition ties axes and dimensions into classes (union-find), and a class melts when no member objects.
Dimensions of size 1 are dropped throughout.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects import arith, func
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FunctionType,
    IndexType,
    IntegerAttr,
    ModuleOp,
    SymbolRefAttr,
    TensorType,
)
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from ...dialects import te
from ...dialects.index_expr import Index
from ...traversal import operations
from ..base import Level, Pass
from ..rewrite_limit import may_rewrite

Pair: TypeAlias = "tuple[Hashable, int]"
"""The dimension (of a tensor) or axis (of a compute) at a position, and the next one that is not of size 1."""

Group: TypeAlias = "tuple[int, ...]"
"""Positions that melt into one, in order."""


@dataclass(frozen=True)
class CollapseDimensionsPass(Pass):
    """Merge neighbouring dimensions that a te kernel only uses together, and drop those of size 1.

    ```mlir
    %r = te.compute "relu" [%n to 1, %c to 64, %h to 56, %w to 56] -> tensor<1x64x56x56xf32> {
      %x = te.read %X[%n, %c, %h, %w] …
    ```
    becomes
    ```mlir
    %r = te.compute "relu" [%c to 200704] -> tensor<200704xf32> { %x = te.read %X[%c] … }
    ```
    with `te.reshape` at the calls. Only private functions of static shape are rewritten; symbolic ones stay as they
    are. Later passes meet fewer loops, and inner loops as long as the data allows.
    """

    name = "collapse-dimensions"
    phase = 0
    levels = (Level.TE,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        calls: dict[str, list[func.CallOp]] = {}
        for call in operations(op):
            if isinstance(call, func.CallOp):
                calls.setdefault(call.callee.string_value(), []).append(call)
        for function in list(op.ops):
            if isinstance(function, func.FuncOp) and _is_static_kernel(function):
                _collapse_function(function, calls.get(function.sym_name.data, []))
        _compose_reshapes(op)


def _is_static_kernel(function: func.FuncOp) -> bool:
    visibility = function.sym_visibility
    if visibility is None or visibility.data != "private" or not function.body.blocks:
        return False
    for op in function.body.block.ops:
        if isinstance(op, te.ComputeOp):
            if not all(e.is_constant for e in op.index_list("extents")):
                return False
        elif not isinstance(op, func.ReturnOp) and any(isinstance(r.type, TensorType) for r in op.results):
            return False
    types = [*function.function_type.inputs, *function.function_type.outputs]
    return all(isinstance(t, TensorType) and DYNAMIC_INDEX not in t.get_shape() for t in types)


# Which positions melt


@dataclass
class _Classes:
    """Union-find over pairs; a class that holds a forbidden pair stays apart."""

    parent: dict[Pair, Pair] = field(default_factory=lambda: dict[Pair, Pair]())
    forbidden: set[Pair] = field(default_factory=lambda: set[Pair]())

    def find(self, pair: Pair) -> Pair:
        self.parent.setdefault(pair, pair)
        while self.parent[pair] != pair:
            self.parent[pair] = self.parent[self.parent[pair]]
            pair = self.parent[pair]
        return pair

    def tie(self, a: Pair, b: Pair) -> None:
        a, b = self.find(a), self.find(b)
        self.parent[a] = b
        if a in self.forbidden:
            self.forbidden.add(b)

    def forbid(self, pair: Pair) -> None:
        self.forbidden.add(self.find(pair))

    def melts(self, pair: Pair) -> bool:
        return self.find(pair) not in self.forbidden


def _nontrivial(sizes: Sequence[int]) -> list[int]:
    return [position for position, size in enumerate(sizes) if size != 1]


def _neighbours(positions: Sequence[int]) -> Iterator[tuple[int, int]]:
    return zip(positions, positions[1:], strict=False)


def _shape(value: SSAValue) -> tuple[int, ...]:
    return cast(TensorType, value.type).get_shape()


def _extents(compute: te.ComputeOp) -> list[int]:
    return [e.constant for e in compute.index_list("extents")]


def _classify(computes: Sequence[te.ComputeOp]) -> _Classes:
    classes = _Classes()
    for compute in computes:
        sizes = _extents(compute)
        spatial = _nontrivial(sizes[: compute.rank])
        for j, _ in _neighbours(spatial):
            for result in compute.res:
                classes.tie((compute, j), (result, j))
        for op in compute.body.block.ops:
            if isinstance(op, te.ReadOp):
                _classify_read(classes, compute, op)
            elif isinstance(op, (te.ApplyOp, te.TestOp)):
                _forbid_axes(classes, compute, [e for es in op.index_lists().values() for e in es])
            else:
                axes = set(compute.body.block.args)
                _forbid_axes(classes, compute, [Index.of(v) for v in op.operands if v in axes])
    return classes


def _classify_read(classes: _Classes, compute: te.ComputeOp, read: te.ReadOp) -> None:
    sizes, shape, index = _extents(compute), _shape(read.tensor), _without_unit_axes(compute, read.index)
    dims = _nontrivial(shape)
    together: set[tuple[int, int]] = set()
    for d, e in _neighbours(dims):
        j, k = _axis_of(compute, index[d]), _axis_of(compute, index[e])
        follows = j is not None and k is not None and k == _next_axis(compute, sizes, j)
        if follows and (sizes[j], sizes[k]) == (shape[d], shape[e]):  # pyright: ignore[reportArgumentType, reportCallIssue]
            classes.tie((read.tensor, d), (compute, cast(int, j)))
            together.add((cast(int, j), cast(int, k)))
        else:
            classes.forbid((read.tensor, d))
    used = {a for e in index for a in _axes_in(compute, e)}
    counts = {a: sum(a in _axes_in(compute, e) for e in index) for a in used}
    for j, k in _neighbours(_nontrivial(sizes)):
        touched = {j, k} & used
        if touched and ((j, k) not in together or counts[j] != 1 or counts[k] != 1):
            classes.forbid((compute, j))
    _forbid_axes(classes, compute, _without_unit_axes(compute, read.conditions))


def _without_unit_axes(compute: te.ComputeOp, expressions: Sequence[Index]) -> list[Index]:
    arguments, sizes = compute.body.block.args, _extents(compute)
    zero = {axis: Index.of(0) for axis, size in zip(arguments, sizes, strict=True) if size == 1}
    return [e.substitute(zero) for e in expressions]


def _next_axis(compute: te.ComputeOp, sizes: Sequence[int], j: int) -> int | None:
    """The next axis after `j` that is not of size 1 and, like it, spatial or reduce."""
    following = [k for k in _nontrivial(sizes) if k > j]
    return following[0] if following and (following[0] < compute.rank) == (j < compute.rank) else None


def _axis_of(compute: te.ComputeOp, expression: Index) -> int | None:
    """The position of the axis that an expression consists of."""
    if expression.constant or len(expression.terms) != 1 or expression.terms[0][1] != 1:
        return None
    atom = expression.terms[0][0]
    return atom.index if isinstance(atom, BlockArgument) and atom.block is compute.body.block else None


def _axes_in(compute: te.ComputeOp, expression: Index) -> set[int]:
    block = compute.body.block
    return {v.index for v in expression.values() if isinstance(v, BlockArgument) and v.block is block}


def _forbid_axes(classes: _Classes, compute: te.ComputeOp, expressions: Sequence[Index]) -> None:
    used = {a for e in expressions for a in _axes_in(compute, e)}
    for j, k in _neighbours(_nontrivial(_extents(compute))):
        if j in used or k in used:
            classes.forbid((compute, j))


def _groups(classes: _Classes, owner: Hashable, sizes: Sequence[int], start: int = 0) -> list[Group]:
    """The melted positions of a tensor or of a range of a compute's axes, from `start`, in order; never empty."""
    positions = [p + start for p in _nontrivial(sizes)]
    if not positions:
        return [(start,)]
    groups: list[list[int]] = [[positions[0]]]
    for j, k in _neighbours(positions):
        if classes.melts((owner, j)):
            groups[-1].append(k)
        else:
            groups.append([k])
    return [tuple(g) for g in groups]


# Rewriting


def _collapse_function(function: func.FuncOp, calls: Sequence[func.CallOp]) -> None:
    block = function.body.block
    computes = [op for op in block.ops if isinstance(op, te.ComputeOp)]
    classes = _classify(computes)
    tensors: dict[SSAValue, list[Group]] = {v: _groups(classes, v, _shape(v)) for v in block.args}
    for compute in computes:
        tensors |= {r: _groups(classes, r, _shape(r)) for r in compute.res}
    if all(len(groups) == len(_shape(value)) for value, groups in tensors.items()):
        return
    if not may_rewrite("collapse dimensions of", function):
        return
    types: dict[SSAValue, TensorType] = {v: _collapsed_type(v, groups) for v, groups in tensors.items()}
    for compute in computes:
        _collapse_compute(classes, compute, tensors, types)
    returned = cast(func.ReturnOp, block.last_op)
    for argument in block.args:
        argument._type = types[argument]  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue]
    inputs, outputs = [a.type for a in block.args], [v.type for v in returned.arguments]
    function.properties["function_type"] = FunctionType.from_lists(inputs, outputs)
    for call in calls:
        _collapse_call(call, inputs, outputs)


def _collapsed_type(value: SSAValue, groups: Sequence[Group]) -> TensorType:
    type, shape = cast(TensorType, value.type), _shape(value)
    return TensorType(type.element_type, [prod(shape[d] for d in group) for group in groups] if shape else [])


def _collapse_compute(
    classes: _Classes,
    compute: te.ComputeOp,
    tensors: dict[SSAValue, list[Group]],
    types: dict[SSAValue, TensorType],
) -> None:
    sizes, rank, old = _extents(compute), compute.rank, compute.body.block
    spatial = _groups(classes, compute, sizes[:rank]) if rank else []
    reduce = _groups(classes, compute, sizes[rank:], rank) if sizes[rank:] else []
    groups = [*spatial, *reduce]
    new = Block(arg_types=[IndexType()] * len(groups))
    axes: dict[SSAValue, Index] = {axis: Index.of(0) for axis in old.args}
    for argument, group in zip(new.args, groups, strict=True):
        argument.name_hint = old.args[group[0]].name_hint
        axes[old.args[group[0]]] = Index.of(argument)
    for op in list(old.ops):
        op.detach()
        new.add_op(op)
        _collapse_body_op(op, axes, tensors)
        _replace_axes(op, axes)
    extents = [prod(sizes[j] for j in group) for group in groups]
    results = [types[r] for r in compute.res]
    replacement = te.ComputeOp(compute.label, extents[: len(spatial)], extents[len(spatial) :], results, Region(new))
    replacement.location = compute.location
    replacement.attributes |= compute.attributes
    block = cast(Block, compute.parent)
    block.insert_op_before(replacement, compute)
    for before, after in zip(compute.res, replacement.res, strict=True):
        after.name_hint = before.name_hint
        tensors[after] = tensors.pop(before)
        before.replace_all_uses_with(after)
    block.erase_op(compute)


def _collapse_body_op(op: Operation, axes: dict[SSAValue, Index], tensors: dict[SSAValue, list[Group]]) -> None:
    if isinstance(op, te.ReadOp):
        index = op.index
        groups = tensors[op.tensor]
        kept = [index[group[0]].substitute(axes) for group in groups] if index else []
        guard = [e.substitute(axes) for e in op.conditions]
        op.set_index_lists(indices=kept, guard=guard)
    elif isinstance(op, (te.ApplyOp, te.TestOp)):
        op.substitute_indices(axes)


def _replace_axes(op: Operation, axes: dict[SSAValue, Index]) -> None:
    """What an operation uses of the old axes as plain values; an axis of extent 1 is 0."""
    for position, operand in enumerate(op.operands):
        if operand not in axes:
            continue
        value = axes[operand].single_value
        if value is None:
            zero = arith.ConstantOp(IntegerAttr(0, IndexType()))
            cast(Block, op.parent).insert_op_before(zero, op)
            value = zero.result
        op.operands[position] = value


def _collapse_call(call: func.CallOp, inputs: Sequence[object], outputs: Sequence[object]) -> None:
    block = cast(Block, call.parent)
    arguments: list[SSAValue] = []
    for value, type in zip(call.arguments, inputs, strict=True):
        arguments.append(_reshaped(value, cast(TensorType, type), block, call))
    new = func.CallOp(SymbolRefAttr(call.callee.string_value()), arguments, cast(Sequence[TensorType], outputs))
    new.location = call.location
    block.insert_op_before(new, call)
    for before, after in zip(call.res, new.res, strict=True):
        after.name_hint = before.name_hint
        before.replace_all_uses_with(_reshaped(after, cast(TensorType, before.type), block, call))
    block.erase_op(call)


def _reshaped(value: SSAValue, type: TensorType, block: Block, before: Operation) -> SSAValue:
    if value.type == type:
        return value
    reshape = te.ReshapeOp(value, type)
    reshape.location = before.location
    reshape.res.name_hint = value.name_hint
    block.insert_op_before(reshape, before)
    return reshape.res


def _compose_reshapes(module: ModuleOp) -> None:
    """A reshape of a reshape reads the first one's source; one that changes nothing, and one unused, goes."""
    reshapes = [op for op in operations(module) if isinstance(op, te.ReshapeOp)]
    for op in reshapes:
        source = op.tensor.owner
        if isinstance(source, te.ReshapeOp) and may_rewrite("compose reshapes", op):
            op.operands[0] = source.tensor
        if op.tensor.type == op.res.type and op.res.first_use is not None and may_rewrite("drop a reshape", op):
            op.res.replace_all_uses_with(op.tensor)
    for op in reversed(reshapes):
        if op.res.first_use is None and may_rewrite("drop a reshape", op):
            cast(Block, op.parent).erase_op(op)
