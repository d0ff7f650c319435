"""Pass `collapse-dimensions`: fewer dimensions where a kernel uses several only together.

A pointwise convolution is a matrix product over the flattened image, and an elementwise kernel one long loop; the
accesses determine which dimensions can be merged. Two neighbouring axes of a compute become one axis if every access
indexes neighbouring dimensions of the same sizes with them, and nothing else uses either axis. This condition ties axes
and dimensions into classes (union-find). A class is merged if all of its members can be merged. Dimensions of size 1
are always dropped.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count
from math import prod
from typing import TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    IndexType,
    ModuleOp,
    TensorType,
)
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import loop, te
from ...dialects.graph.sizes import Dim
from ...dialects.graph.types import make_type
from ...dialects.index_expr import Index
from ...dialects.names import NAME_ATTRIBUTE
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass
from ..shared.axes.named_kernels import (
    NamedSizes,
    axis_sizes,
    is_named_kernel,
    product,
    read_sizes_of_arguments,
    sizes_of,
)
from ..shared.axes.split_dimensions import split_dimensions
from ..shared.axes.te_kernels import (
    Classes,
    calls_by_callee,
    change_signature,
    is_static,
    is_static_kernel,
    outlined,
    replace_axes,
)

Group: TypeAlias = "tuple[int, ...]"
"""Positions of dimensions that are merged into one, in order."""


@dataclass(frozen=True)
class CollapseDimensionsPass(Pass):
    """Merge neighbouring dimensions that a te kernel only uses together, and drop those of size 1.

    First, a dimension that every access splits into a quotient and a remainder, as in `%X[%c floordiv 16, %c mod 16]`,
    becomes two dimensions.

    ```mlir
    %r = te.compute "relu" [%n to 1, %c to 64, %h to 56, %w to 56] -> tensor<1x64x56x56xf32> {
      %x = te.read %X[%n, %c, %h, %w] …
    ```
    becomes
    ```mlir
    %r = te.compute "relu" [%c to 200704] -> tensor<200704xf32> { %x = te.read %X[%c] … }
    ```
    with `te.reshape` at the calls. Only private functions are rewritten. In functions with named sizes, constant
    dimensions along which loops are vectorized are not merged with named ones:
    `tensor<?x?x4x8xf32, #graph.dims<m, n, _, _>>` becomes `tensor<?x32xf32, #graph.dims<"m * n", _>>`.
    The body of a public function whose reduction has axes to merge moves to a private function, which the public one
    calls. The effect is fewer loops, with inner loops as long as the data allows.
    """

    name = "collapse-dimensions"
    phase = 0
    levels = (Level.TE,)
    opt_level = 1

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in list(op.ops):
            if isinstance(function, func.FuncOp) and _is_worth_a_kernel(function):
                outlined(function, _kernel_name(op, function))
        calls = calls_by_callee(op)
        for function in list(op.ops):
            if not isinstance(function, func.FuncOp):
                continue
            if is_named_kernel(function):
                read_sizes_of_arguments(function)
            if is_static_kernel(function) or is_named_kernel(function):
                _collapse_function(function, split_dimensions(function, calls.get(function.sym_name.data, [])))
        _compose_reshapes(op)


# Public functions


def _is_worth_a_kernel(function: func.FuncOp) -> bool:
    """Return whether a public function has a reduction with axes to merge, which makes its tiles larger.

    The signature of the public function stays, because callers that pass strides rely on it.
    """
    visibility = function.sym_visibility
    if (visibility is not None and visibility.data == "private") or not is_static(function):
        return False
    if any(attributes.data.keys() - {NAME_ATTRIBUTE} for attributes in function.arg_attrs or ()):
        return False
    computes = [op for op in function.body.block.ops if isinstance(op, te.ComputeOp)]
    classes = _classify(computes)
    reductions = [compute for compute in computes if compute.rank < len(axis_sizes(compute))]
    return any(len(group) > 1 for compute in reductions for group in _axis_groups(classes, compute))


def _kernel_name(module: ModuleOp, function: func.FuncOp) -> str:
    taken = {op.sym_name.data for op in module.ops if isinstance(op, func.FuncOp)}
    name = f"{function.sym_name.data}_kernel"
    return next(n for n in chain([name], (f"{name}_{k}" for k in count())) if n not in taken)


# The dimensions that are merged


def _nontrivial(sizes: Sequence[Dim]) -> list[int]:
    return [position for position, size in enumerate(sizes) if size != 1]


def _neighbours(positions: Sequence[int]) -> Iterator[tuple[int, int]]:
    return zip(positions, positions[1:], strict=False)


def _classify(computes: Sequence[te.ComputeOp]) -> Classes:
    classes = Classes()
    for compute in computes:
        sizes = axis_sizes(compute)
        spatial = _nontrivial(sizes[: compute.rank])
        for j, _ in _neighbours(spatial):
            for result in compute.res:
                classes.tie((compute, j), (result, j))
        for op in compute.body.block.ops:
            if isinstance(op, te.ReadOp):
                _classify_read(classes, compute, op)
            elif isinstance(op, te.TestOp):
                _classify_conditions(classes, compute, op.conditions)
            elif isinstance(op, (te.ApplyOp, loop.PrintOp)):
                _forbid_axes(classes, compute, [e for es in op.index_lists().values() for e in es])
            else:
                axes = set(compute.body.block.args)
                _forbid_axes(classes, compute, [Index.of(v) for v in op.operands if v in axes])
    return classes


def _classify_read(classes: Classes, compute: te.ComputeOp, read: te.ReadOp) -> None:
    sizes, shape, index = axis_sizes(compute), sizes_of(read.tensor), _without_unit_axes(compute, read.index)
    together: set[tuple[int, int]] = set()
    for d, e in _neighbours(_walked(compute, shape, index)):
        j, k = _axis_of(compute, index[d] - index[d].constant), _axis_of(compute, index[e])
        if j is not None and k is not None and k == _next_axis(compute, sizes, j) and sizes[k] == shape[e]:
            # The first row may be any constant one, where the distance of rows is a number.
            if (sizes[j], index[d].constant) != (shape[d], 0) and not _are_numbers(sizes[j], sizes[k]):
                classes.forbid((read.tensor, d))
                continue
            classes.tie((read.tensor, d), (compute, j))
            together.add((j, k))
        else:
            classes.forbid((read.tensor, d))
    used = {a for e in index for a in _axes_in(compute, e)}
    counts = {a: sum(a in _axes_in(compute, e) for e in index) for a in used}
    for j, k in _neighbours(_nontrivial(sizes)):
        touched = {j, k} & used
        if touched and ((j, k) not in together or counts[j] != 1 or counts[k] != 1):
            classes.forbid((compute, j))
    _classify_conditions(classes, compute, read.conditions)


def _walked(compute: te.ComputeOp, shape: Sequence[Dim], index: Sequence[Index]) -> list[int]:
    """Return the dimensions along which a tensor is walked: one of size 1 is where a guard says which step reads it."""
    return [d for d, size in enumerate(shape) if size != 1 or _axes_in(compute, index[d])]


def _are_numbers(*sizes: Dim) -> bool:
    return all(isinstance(size, int) for size in sizes)


def _classify_conditions(classes: Classes, compute: te.ComputeOp, conditions: Sequence[Index]) -> None:
    """Turn a condition on one axis alone into one on the axis that begins with it; forbid the axes of any other
    condition."""
    sizes, others = axis_sizes(compute), list[Index]()
    for condition in _without_unit_axes(compute, conditions):
        j = _bounded_axis(compute, condition)
        following = None if j is None else _next_axis(compute, sizes, j)
        if j is None or following is None or not _are_numbers(sizes[j], sizes[following]):
            others.append(condition)
            continue
        for before, axis in _neighbours(_nontrivial(sizes)):
            if axis == j:
                classes.forbid((compute, before))
    _forbid_axes(classes, compute, others)


def _bounded_axis(compute: te.ComputeOp, condition: Index) -> int | None:
    """Return the axis that a condition bounds which holds nothing else but a constant."""
    linear = condition - condition.constant
    axis = _axis_of(compute, linear)
    return axis if axis is not None else _axis_of(compute, -linear)


def _without_unit_axes(compute: te.ComputeOp, expressions: Sequence[Index]) -> list[Index]:
    arguments, sizes = compute.body.block.args, axis_sizes(compute)
    zero = {axis: Index.of(0) for axis, size in zip(arguments, sizes, strict=True) if size == 1}
    return [e.substitute(zero) for e in expressions]


def _next_axis(compute: te.ComputeOp, sizes: Sequence[Dim], j: int) -> int | None:
    """Return the next axis after `j` that is not of size 1 and, like it, spatial or reduce."""
    following = [k for k in _nontrivial(sizes) if k > j]
    return following[0] if following and (following[0] < compute.rank) == (j < compute.rank) else None


def _axis_of(compute: te.ComputeOp, expression: Index) -> int | None:
    """Return the position of the axis that an expression consists of."""
    if expression.constant or len(expression.terms) != 1 or expression.terms[0][1] != 1:
        return None
    atom = expression.terms[0][0]
    return atom.index if isinstance(atom, BlockArgument) and atom.block is compute.body.block else None


def _axes_in(compute: te.ComputeOp, expression: Index) -> set[int]:
    block = compute.body.block
    return {v.index for v in expression.values() if isinstance(v, BlockArgument) and v.block is block}


def _forbid_axes(classes: Classes, compute: te.ComputeOp, expressions: Sequence[Index]) -> None:
    used = {a for e in expressions for a in _axes_in(compute, e)}
    for j, k in _neighbours(_nontrivial(axis_sizes(compute))):
        if j in used or k in used:
            classes.forbid((compute, j))


def _groups(classes: Classes, owner: Hashable, sizes: Sequence[Dim], start: int = 0) -> list[Group]:
    """Return the melted positions of a tensor or of a range of a compute's axes, from `start`, in order; never
    empty."""
    positions = [p + start for p in _nontrivial(sizes)]
    if not positions:
        return [(start,)]
    groups: list[list[int]] = [[positions[0]]]
    for j, k in _neighbours(positions):
        if classes.may_change((owner, j)):
            groups[-1].append(k)
        else:
            groups.append([k])
    return [tuple(g) for g in groups]


def _axis_groups(classes: Classes, compute: te.ComputeOp) -> list[Group]:
    """Return the melted axes of a compute, spatial ones first."""
    sizes, rank = axis_sizes(compute), compute.rank
    spatial = _groups(classes, compute, sizes[:rank]) if rank else []
    return [*spatial, *(_groups(classes, compute, sizes[rank:], rank) if sizes[rank:] else [])]


# Rewriting


def _collapse_function(function: func.FuncOp, calls: Sequence[func.CallOp]) -> None:
    block = function.body.block
    computes = [op for op in block.ops if isinstance(op, te.ComputeOp)]
    classes = _classify(computes)
    named = is_named_kernel(function)
    if named:
        for compute in computes:
            _keep_row_axis(classes, compute)
        for owner in (*block.args, *computes, *(r for compute in computes for r in compute.res)):
            _keep_unknown_sizes(classes, owner)
    tensors: dict[SSAValue, list[Group]] = {v: _groups(classes, v, sizes_of(v)) for v in block.args}
    for compute in computes:
        tensors |= {r: _groups(classes, r, sizes_of(r)) for r in compute.res}
    names = NamedSizes(function, tensors)
    melts = any(len(group) > 1 for v in block.args for group in tensors[v])
    if named and not (
        (melts or any(1 in sizes_of(v) for v in tensors))
        and names.are_known({compute: _axis_groups(classes, compute) for compute in computes})
    ):
        return
    if all(len(groups) == len(sizes_of(value)) for value, groups in tensors.items()):
        return
    if not may_rewrite("collapse dimensions of", function):
        return
    types: dict[SSAValue, TensorType] = {v: _collapsed_type(v, groups) for v, groups in tensors.items()}
    for compute in computes:
        _collapse_compute(classes, compute, tensors, types, names)
    if named:
        names.renumber()
    change_signature(function, types, calls)


def _keep_row_axis(classes: Classes, compute: te.ComputeOp) -> None:
    """Keep contiguous axes of constant extent separate from named sizes, because loops over them are vectorized.

    These are the last spatial axes, unless they pick results of a reduction whose operands do not move along them, and
    the last axes of a reduction.
    """
    sizes, rank = axis_sizes(compute), compute.rank
    reads = [op for op in compute.body.block.ops if isinstance(op, te.ReadOp)]
    spatial, reduced = _nontrivial(sizes[:rank]), [n for n in _nontrivial(sizes) if n >= rank]
    ends = [reduced] if reduced else []
    if not reduced or any(op.index and spatial and spatial[-1] in _axes_in(compute, op.index[-1]) for op in reads):
        ends.append(spatial)
    for axes in ends:
        for j, k in reversed([*_neighbours(axes)]):
            if isinstance(sizes[k], str) or not classes.may_change((compute, j)):
                break
            if isinstance(sizes[j], str):
                classes.forbid((compute, j))


def _keep_unknown_sizes(classes: Classes, owner: SSAValue | te.ComputeOp) -> None:
    """Keep dimensions of unknown size separate."""
    sizes = axis_sizes(owner) if isinstance(owner, te.ComputeOp) else sizes_of(owner)
    for j, k in _neighbours(_nontrivial(sizes)):
        if None in (sizes[j], sizes[k]):
            classes.forbid((owner, j))


def _collapsed_type(value: SSAValue, groups: Sequence[Group]) -> TensorType:
    type, shape = cast(TensorType, value.type), sizes_of(value)
    return make_type([product([shape[d] for d in group]) for group in groups] if shape else [], type.element_type)


def _collapse_compute(
    classes: Classes,
    compute: te.ComputeOp,
    tensors: dict[SSAValue, list[Group]],
    types: dict[SSAValue, TensorType],
    names: NamedSizes,
) -> None:
    old, groups = compute.body.block, _axis_groups(classes, compute)
    spatial = [group for group in groups if group[0] < compute.rank]
    new = Block(arg_types=[IndexType()] * len(groups))
    axes: dict[SSAValue, Index] = {axis: Index.of(0) for axis in old.args}
    for argument, group in zip(new.args, groups, strict=True):
        edit.rename(argument, old.args[group[0]].name_hint)
        axes[old.args[group[0]]] = Index.of(argument)
    merged = _Merged(compute, groups, axes)
    for op in list(old.ops):
        merged.rewrite(op, tensors)
        edit.append(new, edit.detach(op))
        replace_axes(op, axes)
    extents = [names.extent(compute, group) for group in groups]
    results = [types[r] for r in compute.res]
    replacement = te.ComputeOp(compute.label, extents[: len(spatial)], extents[len(spatial) :], results, Region(new))
    replacement.location = compute.location
    edit.change(replacement).attributes |= compute.attributes
    edit.insert(replacement, InsertPoint.before(compute))
    for before, after in zip(compute.res, replacement.res, strict=True):
        edit.rename(after, before.name_hint)
        tensors[after] = tensors.pop(before)
        edit.replace_uses(before, after)
    edit.erase(compute)


class _Merged:
    """The axes of a compute, and those that they become."""

    def __init__(self, compute: te.ComputeOp, groups: Sequence[Group], axes: dict[SSAValue, Index]) -> None:
        self.compute, self.axes, sizes = compute, axes, axis_sizes(compute)
        self.within: dict[int, int] = {}
        """First axis of several that become one -> the number of iterations of the merged axis for one of the first
        axis."""
        for first, *others in groups:
            steps = [sizes[k] for k in others]
            if others and _are_numbers(*steps):
                self.within[first] = prod(cast(Sequence[int], steps))

    def rewrite(self, op: Operation, tensors: dict[SSAValue, list[Group]]) -> None:
        """Rewrite the index expressions of an operation of the body."""
        if isinstance(op, te.ReadOp):
            index = op.index
            groups = tensors[op.tensor]
            kept = [self.position(index, group, groups) for group in groups] if index else []
            op.set_index_lists(indices=kept, guard=[self.condition(e) for e in op.conditions])
        elif isinstance(op, te.TestOp):
            op.set_index_lists(guard=[self.condition(e) for e in op.conditions])
        elif isinstance(op, (te.ApplyOp, loop.PrintOp)):
            op.substitute_indices(self.axes)

    def position(self, index: Sequence[Index], group: Group, groups: Sequence[Group]) -> Index:
        """Return the index along the dimension that a group of dimensions becomes. Dimensions in none of the groups
        have size 1."""
        first = group[0]
        plain = _without_unit_axes(self.compute, index)
        lead, larger = first, {d for each in groups for d in each}
        while lead > 0 and lead - 1 not in larger:
            lead -= 1
            # A guarded dimension of size 1, along which the axis begins that goes on in the group.
            axis = _axis_of(self.compute, plain[lead] - plain[lead].constant)
            following = _axis_of(self.compute, plain[first])
            if axis in self.within and following is not None and self.axes[self._argument(following)] == Index.of(0):
                first = lead
        axis = _axis_of(self.compute, plain[first] - plain[first].constant)
        if axis is None or axis not in self.within:
            return index[first].substitute(self.axes)
        return self.axes[self._argument(axis)] + plain[first].constant * self.within[axis]

    def condition(self, condition: Index) -> Index:
        (plain,) = _without_unit_axes(self.compute, [condition])
        axis = _bounded_axis(self.compute, plain)
        if axis is None or axis not in self.within:
            return condition.substitute(self.axes)
        merged, steps = self.axes[self._argument(axis)], self.within[axis]
        if plain.coefficient(self._argument(axis)) > 0:
            return merged + plain.constant * steps
        return (plain.constant + 1) * steps - 1 - merged

    def _argument(self, axis: int) -> SSAValue:
        return self.compute.body.block.args[axis]


def _compose_reshapes(module: ModuleOp) -> None:
    """Let a reshape of a reshape read the first one's source; drop those that change nothing and those that are
    unused."""
    reshapes = [op for op in operations(module) if isinstance(op, te.ReshapeOp)]
    for op in reshapes:
        source = op.tensor.owner
        if isinstance(source, te.ReshapeOp) and may_rewrite("compose reshapes", op):
            edit.change(op).operands[0] = source.tensor
        if op.tensor.type == op.res.type and op.res.first_use is not None and may_rewrite("drop a reshape", op):
            edit.replace_uses(op.res, op.tensor)
    for op in reversed(reshapes):
        if op.res.first_use is None and may_rewrite("drop a reshape", op):
            edit.erase(op)
