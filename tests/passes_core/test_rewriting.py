"""The rewrite driver: ends, keeps locations, names patterns that do not end."""

from __future__ import annotations

import pytest
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.locations import source_position
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.passes.framework.context import PassContext
from tilewright.passes.framework.rewriting import rewrite
from xdsl.dialects import arith, builtin, scf
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

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
