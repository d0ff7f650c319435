"""The rewriter of patterns, which changes IR through the editor."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.builder import InsertOpInvT
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue, Use
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.rewriter import BlockInsertPoint, InsertPoint

from . import editor as edit


class EditingRewriter(PatternRewriter):
    """A `PatternRewriter` whose changes a transaction of the editor can undo."""

    def start(self, op: Operation) -> None:
        """Be the rewriter of another op, of which nothing is changed so far."""
        self.has_done_action = False
        self.insertion_point = InsertPoint.before(op)
        self._current_operation = op
        self._name_hint = None

    def insert(self, op: InsertOpInvT, insertion_point: InsertPoint | None = None) -> InsertOpInvT:
        if (journal := edit.active_journal()) is not None:
            journal.note_block((insertion_point or self.insertion_point).block)
        return super().insert(op, insertion_point)

    def erase(self, op: Operation, safe_erase: bool = True) -> None:
        self.has_done_action = True
        self.handle_operation_removal(op)
        edit.erase(op, safe_erase=safe_erase)

    def replace_all_uses_with(self, from_value: SSAValue, to_value: SSAValue | None, safe_erase: bool = True) -> None:
        _note_uses(from_value, to_value)
        super().replace_all_uses_with(from_value, to_value, safe_erase)

    def replace_uses_with_if(self, from_value: SSAValue, to_value: SSAValue, predicate: Callable[[Use], bool]) -> None:
        _note_uses(from_value, to_value)
        super().replace_uses_with_if(from_value, to_value, predicate)

    def replace_value_with_new_type(self, val: SSAValue, new_type: Attribute) -> SSAValue:
        self.has_done_action = True
        owner = val.owner.parent_op() if isinstance(val.owner, Block) else val.owner
        if owner is not None:
            self.handle_operation_modification(owner)
        return edit.retype(val, new_type)

    def insert_block_argument(self, block: Block, index: int, arg_type: Attribute) -> BlockArgument:
        self.has_done_action = True
        return edit.insert_argument(block, arg_type, index)

    def erase_block_argument(self, arg: BlockArgument, safe_erase: bool = True) -> None:
        if (journal := edit.active_journal()) is not None:
            journal.note_block(arg.block)
        super().erase_block_argument(arg, safe_erase)

    def inline_block(self, block: Block, insertion_point: InsertPoint, arg_values: Sequence[SSAValue] = ()) -> None:
        if (journal := edit.active_journal()) is not None:
            for argument, value in zip(block.args, arg_values, strict=False):
                _note_uses(argument, value)
            for changed in (block, insertion_point.block):
                journal.note_block(changed)
            if block.parent is not None:
                journal.note_region(block.parent)
        super().inline_block(block, insertion_point, arg_values)

    def inline_region(self, region: Region, insertion_point: BlockInsertPoint) -> None:
        if (journal := edit.active_journal()) is not None:
            journal.note_region(region)
            journal.note_region(insertion_point.region)
        super().inline_region(region, insertion_point)

    def move_region_contents_to_new_regions(self, region: Region) -> Region:
        self.has_done_action = True
        made = Region()
        if (journal := edit.active_journal()) is not None:
            journal.note_region(region)
            journal.note_region(made)
        region.move_blocks(made)
        return made


def _note_uses(value: SSAValue, by: SSAValue | None) -> None:
    """Let a transaction remember the users of a value, and the name of the value that they get."""
    if (journal := edit.active_journal()) is not None:
        journal.note_users(value)
        if by is not None:
            journal.note_name(by)
