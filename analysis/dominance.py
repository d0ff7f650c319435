"""SSA dominance: every value is defined before it is used, on every path.

xDSL's verifier does not check it. Ops are numbered in program order, each with the range of numbers of the ops inside
it, so that the question inside one block is a comparison of integers; the dominator tree is only built for regions with
several blocks. Unreachable blocks are dominated by everything.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from xdsl.ir import Block, Operation, Region, SSAValue

from ..diagnostics import fail
from ..diagnostics.locations import describe, location_of, name_of

Node: TypeAlias = Operation | Block


class Dominance:
    """Answers whether a value may be used by an op. Valid until the IR changes."""

    def __init__(self, root: Operation) -> None:
        self._first: dict[Node, int] = {}
        self._last: dict[Node, int] = {}
        self._dominators: dict[Region, dict[Block, Block]] = {}
        self.ops: list[Operation] = []
        """All ops in program order, each before the ops inside it."""
        self._number(root)

    def dominates(self, value: SSAValue, user: Operation) -> bool:
        """Return whether `value` is defined on every path to `user`."""
        owner = value.owner
        block = owner if isinstance(owner, Block) else owner.parent
        if block is None or block not in self._first:
            return False
        if self._contains(block, user):
            return isinstance(owner, Block) or self._last[owner] < self._first[user]
        region = block.parent
        if region is None or region.first_block is region.last_block:
            return False
        other = region.find_ancestor_block_in_region(user.parent) if user.parent else None
        return other is not None and self._dominates_block(region, block, other)

    def _contains(self, node: Node, op: Operation) -> bool:
        return self._first[node] <= self._first[op] <= self._last[node]

    def _dominates_block(self, region: Region, block: Block, other: Block) -> bool:
        if region not in self._dominators:
            self._dominators[region] = immediate_dominators(region)
        tree = self._dominators[region]
        if other not in tree:  # unreachable
            return True
        while other is not block and tree[other] is not other:
            other = tree[other]
        return other is block

    def _number(self, root: Operation) -> None:
        stack: list[tuple[Node, Iterator[Node]]] = []

        def enter(node: Node) -> None:
            self._first[node] = len(self.ops)
            if isinstance(node, Operation):
                self.ops.append(node)
            stack.append((node, _children(node)))

        enter(root)
        while stack:
            node, children = stack[-1]
            child = next(children, None)
            if child is None:
                stack.pop()
                self._last[node] = len(self.ops) - 1
            else:
                enter(child)


def _children(node: Node) -> Iterator[Node]:
    if isinstance(node, Block):
        return iter(node.ops)
    return (block for region in node.regions for block in region.blocks)


def immediate_dominators(region: Region) -> dict[Block, Block]:
    """Return the immediate dominator of each reachable block of a region; the entry block is mapped to itself.

    Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm".
    """
    order = _reverse_post_order(region.blocks[0])
    number = {block: i for i, block in enumerate(order)}
    predecessors: dict[Block, list[Block]] = {block: [] for block in order}
    for block in order:
        for successor in _successors(block):
            predecessors[successor].append(block)
    idom = {order[0]: order[0]}

    def common(a: Block, b: Block) -> Block:
        while a is not b:
            while number[a] > number[b]:
                a = idom[a]
            while number[b] > number[a]:
                b = idom[b]
        return a

    changed = True
    while changed:
        changed = False
        for block in order[1:]:
            known = [p for p in predecessors[block] if p in idom]
            best = known[0]
            for predecessor in known[1:]:
                best = common(best, predecessor)
            if idom.get(block) is not best:
                idom[block] = best
                changed = True
    return idom


def _reverse_post_order(entry: Block) -> list[Block]:
    order: list[Block] = []
    seen = {entry}
    stack = [(entry, iter(_successors(entry)))]
    while stack:
        block, successors = stack[-1]
        successor = next(successors, None)
        if successor is None:
            stack.pop()
            order.append(block)
        elif successor not in seen:
            seen.add(successor)
            stack.append((successor, iter(_successors(successor))))
    return order[::-1]


def _successors(block: Block) -> tuple[Block, ...]:
    return tuple(block.last_op.successors) if block.last_op is not None else ()


def verify_dominance(root: Operation) -> None:
    """Check every use inside `root`. Raises TilewrightError TW0104 at the first op that breaks dominance."""
    dominance = Dominance(root)
    for op in dominance.ops:
        for operand in op.operands:
            if not dominance.dominates(operand, op):
                _fail(operand, op)


def _fail(value: SSAValue, user: Operation) -> None:
    owner = value.owner
    name = name_of(value)
    if owner is user:
        fail("TW0104", f"'{user.name}' uses its own result {name}", op=user)
    definition = owner if isinstance(owner, Operation) else owner.parent_op()
    notes: list[str] = []
    if definition is not None and location_of(definition) is not None:
        notes.append(f"{describe(definition)}{name} is defined here")
    fail("TW0104", f"value {name} is used where its definition does not reach", op=user, notes=notes)
