"""
Groups of operators that become one kernel, by post-dominators and union-find.

An operator may join its immediate post-dominator, the nearest operator through which all its results flow, together
with all operators on the paths between them, if the kinds allow it. Nothing is computed twice, and every group has one
operator whose results leave it. The rules are those of TVM's operator fusion (Chen et al. 2018, section 3.1). They are
applied in two rounds: convolutions get their epilogues before index-moving operators are grouped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Operation, SSAValue

from ....diagnostics.remarks import remark, remarks_wanted
from ....dialects import graph
from ....operators import get_operator
from ....operators.record import FusionKind

MAX_OPERATORS = 256
"""No group grows beyond this, so that the time to compile a kernel stays bounded."""


@dataclass(eq=False)
class FusionNode:
    """An operator, its group (a union-find tree), and its position in the post-dominator tree."""

    op: graph.GraphOp
    kind: FusionKind
    leaves: bool = False
    """True if a result is used by an operation that is no operator, or by none."""
    users: list[tuple[FusionNode, FusionKind]] = field(default_factory=list)
    dominator: FusionNode | None = None
    dominator_kind: FusionKind = FusionKind.OPAQUE
    """The most opaque way in which a path to the dominator uses a result."""
    depth: int = 0
    parent: FusionNode | None = None
    size: int = 1

    @property
    def root(self) -> FusionNode:
        node = self
        while node.parent is not None:
            node = node.parent
        return node


def fusion_groups(ops: Sequence[graph.GraphOp]) -> list[list[graph.GraphOp]]:
    """Return the groups of more than one operator among `ops` (one block's, in order), members in order; the last
    member of a group is the one whose results are used outside.
    """
    nodes = _build_nodes(ops)
    _find_dominators(nodes)
    for injective in (False, True):
        for node in nodes:
            if _may_fuse(node, injective):
                _join(node)
    if remarks_wanted():
        _separate(nodes)
    groups: dict[FusionNode, list[graph.GraphOp]] = {}
    for node in nodes:
        groups.setdefault(node.root, []).append(node.op)
    return [group for group in groups.values() if len(group) > 1]


def _build_nodes(ops: Sequence[graph.GraphOp]) -> list[FusionNode]:
    nodes: dict[Operation, FusionNode] = {op: FusionNode(op, kind_of(op)) for op in ops}
    for op, node in nodes.items():
        uses = [use.operation for result in op.results for use in result.uses]
        node.leaves = not uses or any(user not in nodes for user in uses)
        node.users = [
            (nodes[use.operation], _edge_kind(result, use.operation))
            for result in op.results
            for use in result.uses
            if use.operation in nodes
        ]
    return list(nodes.values())


def kind_of(op: graph.GraphOp) -> FusionKind:
    """Return the fusion kind of an operator. An alias is opaque: alone it costs nothing."""
    return FusionKind.OPAQUE if graph.is_alias(op) else get_operator(op.name.removeprefix("graph.")).kind


def _edge_kind(value: SSAValue, user: Operation) -> FusionKind:
    """Return the kind of one use. A broadcasting operator uses an operand of its result's shape element by element."""
    assert isinstance(user, graph.GraphOp)
    kind = kind_of(user)
    if kind is FusionKind.BROADCAST and graph.shape_of(value) == graph.shape_of(user.results[0]):
        return FusionKind.ELEMENTWISE
    return kind


# Post-dominators


def _find_dominators(nodes: Sequence[FusionNode]) -> None:
    for node in reversed(nodes):
        if not node.leaves:
            _find_dominator(node)
        node.depth = 1 if node.dominator is None else node.dominator.depth + 1


def _find_dominator(node: FusionNode) -> None:
    """Find the nearest common ancestor of all users, and the most opaque kind on the way there."""
    (common, kind), *others = node.users
    for user, edge in others:
        common, path = _common_ancestor(common, user)
        kind = max(kind, edge, path)
        if common is None:
            return
    node.dominator, node.dominator_kind = common, kind


def _common_ancestor(a: FusionNode, b: FusionNode) -> tuple[FusionNode | None, FusionKind]:
    kind = FusionKind.ELEMENTWISE
    first: FusionNode | None = a
    second: FusionNode | None = b
    while first is not second:
        if first is None or second is None:
            return None, kind
        if first.depth >= second.depth:
            kind, first, second = max(kind, first.dominator_kind), first.dominator, second
            continue
        kind, second = max(kind, second.dominator_kind), second.dominator
    return first, kind


# Rules


def _may_fuse(node: FusionNode, injective: bool) -> bool:
    """Return whether a node may join its dominator in this round, by the kind of its group and those on the paths."""
    dominator = node.dominator
    if dominator is None or node.root is dominator.root:
        return False
    if _joined_size(node) > MAX_OPERATORS:
        return False
    match node.root.kind:
        case FusionKind.ELEMENTWISE | FusionKind.BROADCAST:
            into = node.dominator_kind
            return into <= FusionKind.REDUCTION and _paths_allow(node, _after_broadcast)
        case FusionKind.INJECTIVE:
            return injective and _paths_allow(node, lambda kind, _: kind <= FusionKind.INJECTIVE)
        case FusionKind.OUT_ELEMENTWISE:
            if injective or _may_turn(node, dominator):
                return not injective
            elementwise = node.dominator_kind is FusionKind.ELEMENTWISE
            return elementwise and _paths_allow(node, lambda kind, _: kind <= FusionKind.BROADCAST)
        case _:
            return False


def _may_turn(node: FusionNode, dominator: FusionNode) -> bool:
    """Return whether the result of a convolution or product leaves blocks of channels in the kernel that computes it.

    False if the epilogue reads other values in blocks of channels, or if a later index-moving operator of the group
    would move the elements anyway.
    """
    moves_on = not dominator.leaves and dominator.dominator_kind is FusionKind.INJECTIVE
    alone = [user for user, _ in node.users] == [dominator]
    return alone and not moves_on and isinstance(dominator.op, graph.UnblockChannelsOp) and _reads_one_image(node.op)


def _reads_one_image(op: graph.GraphOp) -> bool:
    """Return whether the epilogue from a convolution or product up to `op` reads one value of the result's size."""
    while kind_of(op) is not FusionKind.OUT_ELEMENTWISE:
        images = [value for value in op.operands if graph.shape_of(value) == graph.shape_of(op.results[0])]
        if len(images) != 1 or not isinstance(images[0].owner, graph.GraphOp):
            return False
        op = images[0].owner
    return True


def _after_broadcast(kind: FusionKind, is_dominator: bool) -> bool:
    """Return whether elementwise work may fuse into `kind`: index-moving work on the paths, at the end also reductions
    and convolutions."""
    return kind <= (FusionKind.OUT_ELEMENTWISE if is_dominator else FusionKind.INJECTIVE)


def _between(node: FusionNode) -> list[FusionNode]:
    """Return the nodes on all paths from `node` to its dominator, the dominator included."""
    seen: dict[FusionNode, None] = {}
    stack = [user for user, _ in node.users]
    while stack:
        current = stack.pop()
        if current not in seen:
            seen[current] = None
            if current is not node.dominator:
                stack += [user for user, _ in current.users]
    return list(seen)


def _paths_allow(node: FusionNode, allowed: Callable[[FusionKind, bool], bool]) -> bool:
    return all(allowed(other.root.kind, other is node.dominator) for other in _between(node))


def _joined_size(node: FusionNode) -> int:
    return sum(root.size for root in {other.root for other in (node, *_between(node))})


def _join(node: FusionNode) -> None:
    """Put a node and everything on its paths into the group of its dominator."""
    assert node.dominator is not None
    target = node.dominator.root
    for other in (node, *_between(node)):
        root = other.root
        if root is not target:
            root.parent = target
            target.kind = max(target.kind, root.kind)
            target.size += root.size


# Remarks


def _separate(nodes: Sequence[FusionNode]) -> None:
    """Report the operators that were not fused with their readers, with the reason."""
    for node in nodes:
        if not node.leaves and (node.dominator is None or node.root is not node.dominator.root):
            remark("TW0221", f"{node.op.name} is not fused with what reads it: {_obstacle(node)}", op=node.op)


def _obstacle(node: FusionNode) -> str:
    if node.dominator is None:
        return "its results go separate ways"
    if _joined_size(node) > MAX_OPERATORS:
        return f"the group would have more than {MAX_OPERATORS} operators"
    if node.root.kind in (FusionKind.REDUCTION, FusionKind.TUPLE, FusionKind.OPAQUE):
        return f"a group that holds {node.root.kind.name.lower()} operators passes nothing on"
    return f"{node.dominator.op.name} does not take in what a group of kind {node.root.kind.name.lower()} computes"
