"""The editor: what a transaction takes back is as it was, whatever was done in it."""

from __future__ import annotations

import random

import pytest
from tilewright.analysis.access import blocks_in
from tilewright.dialects import loop
from tilewright.dialects.index_expr import Index
from tilewright.ir import editor as edit
from tilewright.traversal import operations
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import FloatAttr, IndexType, StringAttr, f64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue
from xdsl.rewriter import InsertPoint

from .programs import chain, conv, matmul, parse, verify


class Undone(Exception):
    """Ends a transaction."""


PROGRAMS = {"matmul": matmul(3, 4, 5), "chain": chain(6, 7), "conv": conv(2, 9, 4, 3)}


def function(name: str) -> FuncOp:
    found = parse(PROGRAMS[name])
    return found if isinstance(found, FuncOp) else next(op for op in found.walk() if isinstance(op, FuncOp))


def uses(root: Operation) -> set[tuple[Operation, int, SSAValue]]:
    """Return the uses of a program's values, from the use lists of the values."""
    ops = operations(root)
    arguments = [a for op in ops for region in op.regions for block in region.blocks for a in block.args]
    values: list[SSAValue] = [*arguments, *(result for op in ops for result in op.results)]
    return {(use.operation, use.index, value) for value in values for use in value.uses}


def operands(root: Operation) -> set[tuple[Operation, int, SSAValue]]:
    """Return the uses of a program's values, from the operands of the operations."""
    return {(op, k, value) for op in operations(root) for k, value in enumerate(op.operands)}


class Edits:
    """Random edits of one function, most of which make no sense."""

    def __init__(self, root: FuncOp, seed: int) -> None:
        self.root, self.choose = root, random.Random(seed)

    def ops(self) -> list[Operation]:
        return [op for op in operations(self.root) if op is not self.root]

    def op(self) -> Operation:
        return self.choose.choice(self.ops())

    def value(self) -> SSAValue:
        return self.choose.choice([v for op in self.ops() for v in op.operands])

    def block(self) -> Block:
        return self.choose.choice([b for op in operations(self.root) for r in op.regions for b in r.blocks])

    def make(self) -> None:
        if not any(op.operands for op in self.ops()):
            return  # all is gone
        kinds = [name for name in dir(self) if name.startswith("do_")]
        getattr(self, self.choose.choice(kinds))()

    def do_insert(self) -> None:
        edit.insert(ConstantOp(FloatAttr(1.0, f64)), InsertPoint.before(self.op()), of=self.op())

    def do_append(self) -> None:
        edit.append(self.block(), ConstantOp(FloatAttr(2.0, f64)))

    def do_erase(self) -> None:
        op = self.op()
        edit.erase(op, safe_erase=all(result.first_use is None for result in op.results))

    def do_move(self) -> None:
        op, at = self.op(), self.op()
        if not op.is_ancestor(at):
            edit.move(op, InsertPoint.before(at))

    def do_replace(self) -> None:
        op = self.op()
        if not any(isinstance(result, OpResult) and result.first_use for result in op.results):
            edit.replace(op, [ConstantOp(FloatAttr(3.0, f64))], [None] * len(op.results))

    def do_replace_uses(self) -> None:
        edit.replace_uses(self.value(), self.value(), lambda use: self.choose.random() < 0.5)

    def do_rename(self) -> None:
        edit.rename(self.value(), self.choose.choice(["i", "new", None]))

    def do_retype(self) -> None:
        edit.retype(self.value(), IndexType())

    def do_change(self) -> None:
        op = edit.change(self.op())
        op.attributes["tw.marked"] = StringAttr("once")
        if isinstance(op, loop.ForOp):
            op.kind = loop.PARALLEL

    def do_indices(self) -> None:
        op = self.op()
        if isinstance(op, loop.LoadOp):
            op.set_index_lists(indices=[e + 1 for e in op.index])
        elif isinstance(op, loop.BlockOp):
            op.set_index_lists(guard=(*op.conditions, Index.of(0)))

    def do_argument(self) -> None:
        block = self.block()
        if block.args and self.choose.random() < 0.5:
            edit.erase_argument(self.choose.choice(block.args), safe_erase=False)
        else:
            edit.insert_argument(block, IndexType(), self.choose.randrange(len(block.args) + 1))

    def do_inline(self) -> None:
        op = self.op()
        if op.regions and op.regions[0].blocks and not op.regions[0].blocks[0].args:
            edit.inline(op.regions[0].blocks[0], InsertPoint.before(op))

    def do_blocks(self) -> None:
        block = self.block()
        if block.parent is not None and block is not self.root.body.block and self.choose.random() < 0.3:
            edit.detach_block(block)
        elif block.parent is not None and block is not self.root.body.block:
            edit.append_block(block.parent, Block())

    def do_replace_body(self) -> None:
        op = self.op()
        if len(op.regions) == 1:
            edit.replace_body(op, Region(Block()))

    def do_transaction(self) -> None:
        with edit.transaction():
            self.make()


@pytest.mark.each("name", PROGRAMS)
@pytest.mark.parametrize("seed", range(40))
def test_a_transaction_that_fails_leaves_the_program_as_it_was(name: str, seed: int) -> None:
    root = function(name)
    text, ops, before = str(root), operations(root), uses(root)
    edits = Edits(root, seed)
    with pytest.raises(Undone), edit.transaction():
        for _ in range(1 + seed % 12):
            edits.make()
        raise Undone
    assert str(root) == text
    assert all(a is b for a, b in zip(operations(root), ops, strict=True))
    assert uses(root) == before == operands(root)
    verify(root)
    assert [block.label for block in blocks_in(root)]


def test_an_inner_transaction_is_taken_back_alone_and_with_the_outer_one() -> None:
    root = function("matmul")
    text = str(root)

    def mark(name: str) -> None:
        edit.change(blocks_in(root)[0]).attributes[name] = StringAttr("here")

    with pytest.raises(Undone), edit.transaction():
        mark("outer")
        between = str(root)
        with pytest.raises(Undone), edit.transaction():
            mark("failed")
            raise Undone
        assert str(root) == between
        with edit.transaction():
            mark("kept")
        assert "kept" in str(root)
        raise Undone
    assert str(root) == text


def test_a_transaction_that_ends_well_keeps_everything() -> None:
    root = function("chain")
    first = next(op for op in operations(root) if isinstance(op, loop.ForOp))
    with edit.transaction():
        edit.erase(first)
    assert first not in operations(root)
    assert uses(root) == operands(root)


def test_new_operations_take_the_location_of_what_they_are_made_for() -> None:
    root = function("matmul")
    old = next(op for op in operations(root) if isinstance(op, ConstantOp))
    new = ConstantOp(FloatAttr(4.0, f64))
    edit.replace(old, new)
    assert new.location == old.location
    other = ConstantOp(FloatAttr(5.0, f64))
    edit.insert(other, InsertPoint.after(new), of=new)
    assert other.location == old.location
