"""Values that differ between the lanes of a vectorized loop: loads and divisions under conditions on the lane."""

from __future__ import annotations

import pytest
from tilewright.analysis.divergence import Divergence
from tilewright.dialects import context, loop
from tilewright.dialects.index_expr import Index
from xdsl.dialects import arith
from xdsl.parser import Parser


def varies(body: str, kind: type[loop.LoadOp | arith.DivSIOp | arith.RemUIOp]) -> bool:
    """Return whether the only operation of a kind in a loop of eight lanes has another result in some of them."""
    module = Parser(
        context(),
        f"""
        func.func @main(%A: memref<4xf32>, %x: i32, %y: i32, %n: index) {{
          loop.for %i = 0 to 8 kind vectorized {{ {body} }}
          func.return
        }}""",
    ).parse_module()
    module.verify()
    ops = list(module.walk())
    (vectorized,) = (op for op in ops if isinstance(op, loop.ForOp))
    (found,) = (op for op in ops if isinstance(op, kind))
    return found.results[0] in Divergence(vectorized, Index.of(0)).varying


LOAD = "%a = loop.load %A[2] : memref<4xf32>"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (LOAD, False),
        (f"loop.if (%i < 5) {{ {LOAD} }}", False),
        (f"loop.if (%i < 5) {{ }} else {{ {LOAD} }}", False),
        (f"loop.if (%i < 5, %i < %n) {{ {LOAD} }}", False),
        (f"loop.if (%i < 5, %i < %n) {{ }} else {{ {LOAD} }}", True),
        (f"loop.if (%i < 5, %n >= 3) {{ }} else {{ {LOAD} }}", False),
        (f"loop.if (%i < 5, %i >= 2) {{ {LOAD} }}", True),
        (f"loop.if (%i < 5) {{ loop.if (%i < 2) {{ }} else {{ {LOAD} }} }}", True),
        (f"loop.if (%i < 5, %i < %n) {{ }} else {{ loop.if (%i < 7) {{ }} else {{ {LOAD} }} }}", True),
        (f"loop.if (%i < 5, %i < %n) {{ }} else {{ loop.if (%n >= 3) {{ {LOAD} }} else {{ }} }}", True),
    ],
)
def test_one_lane_loads_for_all_where_it_runs_if_any_does(body: str, expected: bool) -> None:
    assert varies(body, loop.LoadOp) == expected


@pytest.mark.parametrize("divisor", [-2, -1, 0, 1, 2])
def test_lanes_that_do_not_run_divide_by_nothing_that_traps(divisor: int) -> None:
    divide = f"%d = arith.constant {divisor} : i32 %q = arith.divsi %x, %d : i32"
    assert varies(f"loop.if (%i < 5) {{ {divide} }}", arith.DivSIOp) == (divisor in (0, -1))
    assert not varies(divide, arith.DivSIOp)
    assert varies("loop.if (%i < 5) { %q = arith.remui %x, %y : i32 }", arith.RemUIOp), "any number may be 0"
