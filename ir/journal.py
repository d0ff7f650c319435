"""A journal of the changes of a transaction, from which all of them can be undone.

The journal stores each operation, block and region as it was before the first change by the transaction. The cost is
proportional to the changes. A copy of a function would cost time proportional to the size of the program.
"""

from __future__ import annotations

from typing import NamedTuple

from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue, SSAValues

from ..traversal import operations


class _Operation(NamedTuple):
    operands: tuple[SSAValue, ...]
    results: tuple[OpResult, ...]
    attributes: dict[str, Attribute]
    properties: dict[str, Attribute]
    regions: tuple[Region, ...]


class _Block(NamedTuple):
    ops: tuple[Operation, ...]
    arguments: tuple[BlockArgument, ...]


class Journal:
    """Operations, blocks and regions in the state in which they were first recorded.

    Locations are not recorded, because neither the results nor the names of a program depend on them.
    """

    def __init__(self) -> None:
        self._operations: dict[Operation, _Operation] = {}
        self._blocks: dict[Block, _Block] = {}
        self._regions: dict[Region, tuple[Block, ...]] = {}
        self._names: dict[SSAValue, str | None] = {}

    def note_name(self, value: SSAValue) -> None:
        """Record the name hint of `value`."""
        self._names.setdefault(value, value.name_hint)

    def note_operation(self, op: Operation) -> None:
        """Record the operands, results, attributes, properties and regions of `op`."""
        if op not in self._operations:
            state = _Operation(
                tuple(op.operands), tuple(op.results), dict(op.attributes), dict(op.properties), tuple(op.regions)
            )
            self._operations[op] = state

    def note_users(self, value: SSAValue) -> None:
        """Remember the operations that use `value`."""
        for use in value.uses:
            self.note_operation(use.operation)

    def note_block(self, block: Block) -> None:
        """Remember which operations stand in `block`, and its arguments."""
        if block not in self._blocks:
            self._blocks[block] = _Block(tuple(block.ops), block.args)

    def note_region(self, region: Region) -> None:
        """Remember which blocks stand in `region`."""
        if region not in self._regions:
            self._regions[region] = tuple(region.blocks)

    def drop(self, op: Operation) -> None:
        """Drop the operands of `op` and of the operations inside it. Its regions stay, which xDSL would drop too."""
        for nested in operations(op):
            self.note_operation(nested)
            for operand, use in zip(nested._operands, nested._operand_uses, strict=False):  # pyright: ignore[reportPrivateUsage]
                operand.remove_use(use)
            nested._operand_uses = ()  # pyright: ignore[reportPrivateUsage]

    def join(self, inner: Journal) -> None:
        """Take over the records of a nested transaction; earlier records of this one are older and stay."""
        self._operations = inner._operations | self._operations
        self._blocks = inner._blocks | self._blocks
        self._regions = inner._regions | self._regions
        self._names = inner._names | self._names

    def undo(self) -> None:
        """Restore all recorded states."""
        for block in self._blocks:
            for op in list(block.ops):
                block.detach_op(op)
        for region in self._regions:
            for block in list(region.blocks):
                region.detach_block(block)
        for op, state in self._operations.items():
            _restore(op, state)
        for region, blocks in self._regions.items():
            region.add_block(blocks)
        for block, held in self._blocks.items():
            block._args = held.arguments  # pyright: ignore[reportPrivateUsage]
            for position, argument in enumerate(held.arguments):
                argument.index = position
            block.add_ops(held.ops)
        for value, name in self._names.items():
            value.name_hint = name


def _restore(op: Operation, state: _Operation) -> None:
    op.results = SSAValues(state.results)
    op.operands = state.operands
    op.attributes, op.properties = state.attributes, state.properties
    for region in [*op.regions, *state.regions]:
        region.parent = None
    op.regions = ()
    for region in state.regions:
        op.add_region(region)
