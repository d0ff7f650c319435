"""Virtual threads in both forms, replicated and interleaved: the same values, interpreted and compiled."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tilewright import driver
from tilewright.dialects import context, loop
from tilewright.passes.manager import PassManager
from tilewright.passes.registry import parse_pipeline
from tilewright.semantics import run
from xdsl.dialects.builtin import ModuleOp

from .test_phase1 import parse


def sums(threads: int, scope: str, is_symbolic: bool) -> str:
    """Each thread adds up columns of A, in a buffer of its own, some of them twice."""
    columns = 2 * threads
    rows = "?" if is_symbolic else "5"
    count = "%n" if is_symbolic else "5"
    private = f'memref<2xf32, "{scope}">'
    return f"""
func.func @main(%A: memref<{rows}x{columns}xf32> {{tw.name = "A"}},
                %C: memref<{columns}xf32> {{tw.name = "C", tw.output}}) {{
  %zero = arith.constant 0.0 : f32
  %n = loop.dim %A, 0 : memref<{rows}x{columns}xf32>
  loop.for %v = 0 to {threads} kind vthread {{
    %acc = loop.alloc : {private}
    loop.for %z = 0 to 2 kind unrolled {{ loop.store %zero, %acc[%z] : {private} }}
    loop.for %k = 0 to {count} {{
      loop.if (%k >= 1) {{
        loop.for %j = 0 to 2 kind unrolled {{
          %a = loop.load %A[%k, %v * 2 + %j] : memref<{rows}x{columns}xf32>
          %b = loop.load %acc[%j] : {private}
          %c = arith.addf %a, %b : f32
          loop.store %c, %acc[%j] : {private}
        }}
      }}
    }}
    loop.for %j = 0 to 2 kind unrolled {{
      %b = loop.load %acc[%j] : {private}
      loop.store %b, %C[%v * 2 + %j] : memref<{columns}xf32>
    }}
  }}
  func.return
}}"""


def lowered(text: str, unroll_below: int) -> ModuleOp:
    module = parse(text)
    PassManager(parse_pipeline(f"lower-vthread{{unroll_below={unroll_below}}}")).run(context(), module)
    return module


def loops(module: ModuleOp, name: str) -> list[loop.ForOp]:
    """The loops whose variable has this name."""
    found = [op for op in module.walk() if isinstance(op, loop.ForOp)]
    return [op for op in found if op.induction_variable.name_hint == name]


@settings(max_examples=12, deadline=None)
@given(
    st.integers(1, 18),
    st.sampled_from(["local", "register", "global"]),
    st.sampled_from([1, 4, 16]),
    st.one_of(st.none(), st.integers(0, 6)),
)
def test_both_forms(threads: int, scope: str, unroll_below: int, rows: int | None) -> None:
    module = lowered(sums(threads, scope, rows is not None), unroll_below)
    over_threads = loops(module, "v")
    is_replicated = scope == "register" or threads < unroll_below
    assert {op.kind for op in over_threads} == {loop.UNROLLED if is_replicated else loop.SERIAL}
    a = np.random.default_rng(threads).integers(-4, 5, (5 if rows is None else rows, 2 * threads)).astype(np.float32)
    c = np.zeros(2 * threads, np.float32)
    run(module, "main", a, c)
    np.testing.assert_array_equal(c, a[1:].sum(axis=0))


@pytest.mark.parametrize("threads", [3, 17])
@pytest.mark.parametrize("scope", ["local", "register"])
def test_compiled(threads: int, scope: str) -> None:
    a = np.random.default_rng(1).integers(-4, 5, (5, 2 * threads)).astype(np.float32)
    np.testing.assert_array_equal(driver.compile(parse(sums(threads, scope, False)), threads=1)(a), a[1:].sum(axis=0))


def test_the_threads_stand_inside_of_what_they_share() -> None:
    module = lowered(sums(4, "local", True), 1)
    (rows,) = loops(module, "k")
    (condition,) = rows.body.block.ops
    assert isinstance(condition, loop.IfOp)
    (columns,) = condition.then_body.block.ops
    assert isinstance(columns, loop.ForOp)
    (threads,) = columns.body.block.ops
    assert isinstance(threads, loop.ForOp)
    assert (columns.constant_bounds, threads.constant_bounds) == ((0, 2), (0, 4))
