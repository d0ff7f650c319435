"""SSA dominance, compared with a direct reading of its definition."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tilewright.analysis.dominance import Dominance, immediate_dominators, verify_dominance
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.locations import source_position
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from xdsl.dialects import cf, func, test
from xdsl.dialects.builtin import i1
from xdsl.ir import Block, Region


def dominates_by_paths(region: Region, dominator: Block, block: Block) -> bool:
    """Return whether no path from the entry reaches `block` without `dominator`."""
    entry = region.first_block
    assert entry is not None
    reached: set[Block] = set()
    stack = [] if entry is dominator else [entry]
    while stack:
        current = stack.pop()
        if current in reached:
            continue
        reached.add(current)
        if current.last_op is not None:
            stack += [successor for successor in current.last_op.successors if successor is not dominator]
    return block not in reached


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=7))
@settings(deadline=None)
def test_dominators_of_random_graphs(edges: list[tuple[int, int]]) -> None:
    blocks = [Block() for _ in range(7)]
    for block in blocks:
        block.add_op(test.TestOp(result_types=[i1]))
    for block, (left, right) in zip(blocks, edges, strict=False):
        condition = test.TestOp(result_types=[i1])
        block.add_ops([condition, cf.ConditionalBranchOp(condition.results[0], blocks[left], [], blocks[right], [])])
    for block in blocks[len(edges) :]:
        block.add_op(func.ReturnOp())
    region = Region(blocks)
    root = test.TestOp(regions=[region])
    dominance = Dominance(root)
    reachable = immediate_dominators(region)
    for block in reachable:
        for other in reachable:
            if block is other:
                continue
            value, user = block.first_op.results[0], other.last_op  # type: ignore[union-attr]
            assert dominance.dominates(value, user) == dominates_by_paths(region, block, other)


@pytest.mark.parametrize(
    ("body", "line", "message"),
    [
        ("%b = arith.addi %c, %c : i32\n%c = arith.addi %a, %a : i32", 2, "value %c is used where its definition"),
        ("%b = arith.addi %b, %a : i32", 2, "'arith.addi' uses its own result %b"),
    ],
)
def test_errors(body: str, line: int, message: str) -> None:
    ctx = context()
    ctx.allow_unregistered = True
    module = parse(ctx, f"func.func @f(%a: i32) {{\n{body}\nfunc.return\n}}", "<text>")
    with pytest.raises(TilewrightError) as info:
        verify_dominance(module)
    assert info.value.code == "TW0104"
    assert message in info.value.message
    position = source_position(info.value.location)
    assert position is not None
    assert position.line == line


def test_values_inside_an_op_are_not_visible_outside_it() -> None:
    inner = [test.TestOp(result_types=[i1]) for _ in range(2)]
    op = test.TestOp(regions=[Region(Block([inner[0]])), Region(Block([inner[1]]))])
    after = test.TestOp()
    root = test.TestOp(regions=[Region(Block([op, after]))])
    dominance = Dominance(root)
    assert not dominance.dominates(inner[0].results[0], inner[1])
    assert not dominance.dominates(inner[0].results[0], op)
    assert not dominance.dominates(inner[0].results[0], after)


def test_values_of_surrounding_regions_are_visible() -> None:
    ctx = context()
    text = """
    func.func @f(%lb: index, %n: index, %step: index) {
      %c = arith.constant 1 : index
      scf.for %i = %lb to %n step %step {
        scf.for %j = %lb to %i step %c {
          %s = arith.addi %i, %j : index
        }
      }
      func.return
    }
    """
    verify_dominance(parse(ctx, text, "<text>"))


def test_a_note_names_the_definition() -> None:
    text = "func.func @f(%a: i32) {\n%b = arith.addi %c, %c : i32\n%c = arith.addi %a, %a : i32\nfunc.return\n}"
    with pytest.raises(TilewrightError) as info:
        verify_dominance(parse(context(), text, "<text>"))
    assert info.value.notes == ["<text>:3:6: %c is defined here"]
