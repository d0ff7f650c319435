"""The rewrite driver: ends, keeps locations, names patterns that do not end."""

from __future__ import annotations

import pytest
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.locations import source_position
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.ir.rewrites import count_rewrites
from tilewright.passes import editor as edit
from tilewright.passes.framework.context import PassContext
from tilewright.passes.framework.rewriting import rewrite
from xdsl.dialects import arith, builtin, func, scf
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import BlockInsertPoint, InsertPoint

TEXT = """\
func.func @f(%a: i32, %b: i32) -> i32 {
  %c = arith.addi %a, %b : i32
  %d = arith.muli %c, %c : i32
  func.return %d : i32
}
"""


class Commute(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: arith.AddiOp, rewriter: PatternRewriter) -> None:
        rewriter.replace(op, arith.AddiOp(op.rhs, op.lhs))


class SquareToIf(RewritePattern):
    """Replaces an op by several, one of them with a region."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: arith.MuliOp, rewriter: PatternRewriter) -> None:
        condition = arith.ConstantOp.from_int_and_width(1, 1)
        branches = [[inner := arith.AddiOp(op.lhs, op.rhs), scf.YieldOp(inner)] for _ in range(2)]
        rewriter.replace(op, [condition, scf.IfOp(condition, [op.result.type], *branches)])


class Broken(RewritePattern):
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        raise KeyError("broken")


def module() -> builtin.ModuleOp:
    return parse(context(), TEXT, "<text>")


def lines(root: builtin.ModuleOp) -> list[tuple[str, int | None]]:
    positions = ((op.name, source_position(op.location)) for op in root.body.walk())
    return [(name, position.line if position else None) for name, position in positions]


def test_patterns_that_do_not_end_are_named() -> None:
    with pytest.raises(TilewrightError) as info:
        rewrite(module(), [Commute()])
    assert info.value.code == "TW0206"
    assert info.value.message.endswith("the last to fire: Commute")
    position = source_position(info.value.location)
    assert position is not None
    assert position.line == 2


def test_the_budget_can_be_set() -> None:
    with PassContext(config={"rewrite_budget": 1}), pytest.raises(TilewrightError):
        rewrite(module(), [Commute()])
    with pytest.raises(TilewrightError):
        rewrite(module(), [Commute()], budget=3)


def test_once_applied_patterns_may_commute() -> None:
    root = module()
    assert rewrite(root, [Commute()], recursive=False)
    assert "arith.addi %b, %a" in str(root)


def test_nothing_to_do() -> None:
    root = module()
    before = str(root)
    assert not rewrite(root, [])
    assert str(root) == before


def test_new_ops_and_those_inside_them_get_the_matched_location() -> None:
    root = module()
    assert rewrite(root, [SquareToIf()])
    assert lines(root) == [
        ("func.func", 1),
        ("arith.addi", 2),
        ("arith.constant", 3),
        ("scf.if", 3),
        ("arith.addi", 3),
        ("scf.yield", 3),
        ("arith.addi", 3),
        ("scf.yield", 3),
        ("func.return", 4),
    ]


def test_the_first_pattern_that_fires_wins() -> None:
    root = module()
    assert rewrite(root, [SquareToIf(), Commute()], recursive=False)
    assert "scf.if" in str(root)
    assert "arith.addi %b, %a" in str(root)


def test_exceptions_of_patterns_pass_through_unchanged() -> None:
    with pytest.raises(KeyError) as info:
        rewrite(module(), [Broken()])
    assert not getattr(info.value, "__notes__", [])


class MulToAdd(RewritePattern):
    """x * x is x + x here: a product becomes a sum, which the next pattern sees."""

    matches = (arith.MuliOp,)

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: arith.MuliOp, rewriter: PatternRewriter) -> None:
        rewriter.replace(op, arith.AddiOp(op.lhs, op.rhs))


class Mark(RewritePattern):
    """Mark an op that stays, once."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: arith.AddiOp, rewriter: PatternRewriter) -> None:
        if "marked" not in op.attributes:
            edit.change(op).attributes["marked"] = builtin.UnitAttr()
            rewriter.notify_op_modified(op)


def test_in_order_each_op_is_tried_once_and_what_replaces_it_next() -> None:
    root = module()
    with count_rewrites() as counter:
        assert rewrite(root, [Mark(), MulToAdd(), SquareToIf()], in_order=True)
    assert [op.name for op in root.body.walk()] == ["func.func", "arith.addi", "arith.addi", "func.return"]
    assert str(root).count("marked") == 2
    assert counter.by_name == {"Mark": 2, "MulToAdd": 1}
    assert lines(root) == [("func.func", 1), ("arith.addi", 2), ("arith.addi", 3), ("func.return", 4)]


@pytest.mark.parametrize("limit", range(4))
def test_in_order_a_limit_stops_all_patterns(limit: int) -> None:
    root = module()
    with count_rewrites(limit) as counter:
        rewrite(root, [Mark(), MulToAdd()], in_order=True)
    assert counter.count == limit
    assert (str(root).count("marked"), str(root).count("muli")) == ((0, 1), (1, 1), (1, 0), (2, 0))[limit]


def test_in_order_patterns_that_do_not_end_are_named() -> None:
    with pytest.raises(TilewrightError, match="TW0206.*the last to fire: Commute"):
        rewrite(module(), [Commute()], in_order=True)


class Undone(Exception):
    """Ends a transaction."""


class Everything(RewritePattern):
    """Uses each method of the rewriter, in a function that has a call of another block."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if isinstance(op, func.ReturnOp):
            new = rewriter.insert(arith.AddiOp(op.operands[0], op.operands[0]))
            rewriter.replace_uses_with_if(op.operands[0], new.result, lambda use: use.operation is op)
            block = op.parent_block()
            assert block is not None
            argument = rewriter.insert_block_argument(block, 1, builtin.i64)
            rewriter.replace_value_with_new_type(argument, builtin.i32)
            rewriter.erase_block_argument(block.args[1])
        elif isinstance(op, scf.IfOp):
            region = rewriter.move_region_contents_to_new_regions(op.false_region)
            rewriter.inline_region(region, BlockInsertPoint.at_start(op.false_region))
            inner = op.true_region.block
            rewriter.erase(inner.last_op or op)
            rewriter.inline_block(inner, InsertPoint.before(op))
            rewriter.replace_all_uses_with(op.results[0], op.cond)
            rewriter.erase(op)


@pytest.mark.parametrize("patterns", [[Everything()], [MulToAdd()], [SquareToIf(), Everything()]])
@pytest.mark.parametrize("in_order", [False, True])
def test_a_transaction_takes_back_what_patterns_do(patterns: list[RewritePattern], in_order: bool) -> None:
    root = module()
    with_if = module()
    rewrite(with_if, [SquareToIf()])
    for each in (root, with_if):
        before, ops = str(each), list(each.walk())
        with pytest.raises(Undone), edit.transaction():
            assert rewrite(each, patterns, recursive=False, in_order=in_order) or each is with_if
            raise Undone
        assert str(each) == before
        assert all(a is b for a, b in zip(each.walk(), ops, strict=True))
        each.verify()
