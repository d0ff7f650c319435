"""Fusion at graph level: groups of operators move into `graph.fused` ops."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, FusedLoc, LocationAttr, ModuleOp, NoneAttr
from xdsl.ir import Block, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ....diagnostics.locations import is_known
from ....diagnostics.remarks import remark
from ....dialects import graph
from ....dialects.graph.structure import unfused_blocks
from ....ir import editor as edit
from ....ir.rewrites import may_rewrite
from ....schedule.decisions import decide, is_deciding
from ...shared.operator_key import operator_key
from .fusion_groups import fusion_groups

_NAMED_OPERATORS = 6
"""A group's name lists up to this many operators."""


def fuse_graph(module: ModuleOp) -> None:
    """Fuse the operators of every block that is not itself a fused group."""
    for block in unfused_blocks(module):
        ops = [op for op in block.ops if isinstance(op, graph.GraphOp) and not isinstance(op, graph.ConstantOp)]
        for group in [part for whole in fusion_groups(ops) for part in _decided_parts(whole)]:
            if may_rewrite("fuse", group[-1]):
                _fuse(group)


def _decided_parts(group: Sequence[graph.GraphOp]) -> list[Sequence[graph.GraphOp]]:
    """Return the groups of several operators into which a group is cut, as is decided; by default it stays whole."""
    if len(group) < 2:
        return []
    cuts = (n for n in range(1, len(group)) if all(_has_one_end(part) for part in (group[:n], group[n:])))
    cut = decide("fuse.cut", (0, *cuts), 0, block=operator_key(*group)) if is_deciding() else 0
    return [*_decided_parts(group[:cut]), *_decided_parts(group[cut:])] if cut else [group]


def _has_one_end(group: Sequence[graph.GraphOp]) -> bool:
    """Return whether the last operator alone has results that leave the group."""
    inside = set(group)
    return all(use.operation in inside for op in group[:-1] for result in op.results for use in result.uses)


def _fuse(group: Sequence[graph.GraphOp]) -> None:
    """Replace a group by one op at the position of its last member, which all others come before."""
    last = group[-1]
    members = set(group)
    inputs = list(dict.fromkeys(value for op in group for value in op.operands if not _is_inside(value, members)))
    block = Block(arg_types=[value.type for value in inputs])
    mapping: dict[SSAValue, SSAValue] = dict(zip(inputs, block.args, strict=True))
    for value, argument in mapping.items():
        edit.rename(argument, value.name_hint)
    for op in group:
        _move_copy(op, block, mapping)
    yielded = graph.YieldOp(*(mapping[result] for result in last.results))
    yielded.location = last.location
    edit.append(block, yielded)
    fused = graph.FusedOp(group_name(group), inputs, last.result_types, Region(block))
    fused.location = _joined_location(group)
    remark("TW0220", lambda: f"{len(group)} operators are fused: {group_name(group)}", op=last, kind="passed")
    for old, new in zip(last.results, fused.outputs, strict=True):
        edit.rename(new, old.name_hint)
    edit.insert(fused, InsertPoint.before(last))
    for old, new in zip(last.results, fused.outputs, strict=True):
        edit.replace_uses(old, new)
    owners = dict.fromkeys(value.owner for op in group for value in op.operands if _is_scalar_constant(value))
    scalars = [owner for owner in owners if isinstance(owner, graph.ConstantOp)]
    for op in (*reversed(group), *scalars):
        if not any(result.uses for result in op.results):
            edit.erase(op)


def _is_inside(value: SSAValue, members: set[graph.GraphOp]) -> bool:
    return value.owner in members or _is_scalar_constant(value)


def _is_scalar_constant(value: SSAValue) -> bool:
    """Return whether a value is a constant number, which goes along into the group; larger constants are passed in, so
    that groups can share one kernel."""
    sizes = graph.static_shape(value) if isinstance(value.owner, graph.ConstantOp) else None
    return sizes is not None and all(size == 1 for size in sizes)


def _move_copy(op: graph.GraphOp, block: Block, mapping: dict[SSAValue, SSAValue]) -> None:
    for value in op.operands:
        if value not in mapping:
            assert isinstance(value.owner, graph.ConstantOp)
            _move_copy(value.owner, block, mapping)
    copy = op.clone(mapping)
    copy.location = op.location
    edit.append(block, copy)
    for old, new in zip(op.results, copy.results, strict=True):
        edit.rename(new, old.name_hint)
        mapping[old] = new


def group_name(group: Sequence[graph.GraphOp]) -> str:
    """Return the operators' names in order; a long group's name ends in how many more there are."""
    names = [op.name.removeprefix("graph.") for op in group]
    more = len(names) - _NAMED_OPERATORS
    return "_".join(names[:_NAMED_OPERATORS]) + (f"_and_{more}_more" if more > 0 else "")


def _joined_location(group: Sequence[graph.GraphOp]) -> LocationAttr:
    known = list(dict.fromkeys(op.location for op in group if is_known(op.location)))
    if len(known) < 2:
        return known[0] if known else group[-1].location
    return FusedLoc(ArrayAttr(known), NoneAttr())
