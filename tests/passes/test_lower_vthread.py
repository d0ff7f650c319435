"""Virtual threads in both forms, replicated and interleaved: the same values, interpreted and compiled."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tilewright import driver
from tilewright.dialects import context, loop
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.semantics import run
from xdsl.dialects.builtin import ModuleOp

from .test_phase1 import parse


def sums(threads: int, scope: str, is_symbolic: bool) -> str:
    """Return a kernel: each thread adds up columns of A, in a buffer of its own, some of them twice."""
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
    """Return the loops whose variable has this name."""
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
    is_replicated = threads < unroll_below or (scope == "register" and threads > 1)  # one thread needs no copies
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


class Statements:
    """Fillings and uses of buffers at two depths inside of virtual threads, some alike for all threads."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.lines: list[str] = []
        self.count = 0

    def program(self) -> str:
        self.level(["%s0", "%s1"], [], "0")
        self.lines.append("loop.for %k = 0 to 3 {")
        self.level(["%t0", "%t1"], ["%s0", "%s1"], "%k")
        self.lines.append("}")
        for _ in range(self.rng.randint(0, 2)):
            self.use(["%s0", "%s1"], "0")
        body = "\n".join(self.lines)
        return f"""
func.func @main(%A: memref<3x8xf32> {{tw.name = "A"}}, %C: memref<3x2xf32> {{tw.name = "C", tw.output}}) {{
  loop.for %v = 0 to 3 kind vthread {{
{body}
  }}
  func.return
}}"""

    def level(self, buffers: list[str], outer: list[str], row: str) -> None:
        self.lines += [f"{b} = loop.alloc : memref<2xf32>" for b in buffers]
        full: list[str] = list(outer)
        for b in buffers:
            self.fill(b, full, row)
            full.append(b)
        for _ in range(self.rng.randint(1, 4)):
            if self.rng.random() < 0.5:
                self.use(full, row)
            else:
                self.fill(self.rng.choice(full), full, row, condition=row != "0" and self.rng.random() < 0.3)

    def fill(self, target: str, full: list[str], row: str, *, condition: bool = False) -> None:
        self.count += 1
        n = self.count
        thread = self.rng.choice(("", "", "+ %v"))
        added = self.rng.choice([*full, None, None])
        if condition:
            self.lines.append("loop.if (%k >= 1) {")
        is_nest = self.rng.random() < 0.6
        index = f"%j{n}" if is_nest else str(self.rng.randint(0, 1))
        elements = [index] if is_nest or condition else ["0", "1"]
        if is_nest:
            self.lines.append(f"loop.for %j{n} = 0 to 2 {{")
        for p, element in enumerate(elements):
            value = f"%x{n}_{p}"
            self.lines.append(f"{value} = loop.load %A[{row}, {element} {thread}] : memref<3x8xf32>")
            if added is not None:
                self.lines.append(f"%y{n}_{p} = loop.load {added}[{element}] : memref<2xf32>")
                self.lines.append(f"%z{n}_{p} = arith.addf {value}, %y{n}_{p} : f32")
                value = f"%z{n}_{p}"
            self.lines.append(f"loop.store {value}, {target}[{element}] : memref<2xf32>")
        self.lines += ["}"] * (is_nest + condition)

    def use(self, full: list[str], row: str) -> None:
        self.count += 1
        n, element = self.count, self.rng.choice("01")
        self.lines += [
            f"%u{n} = loop.load {self.rng.choice(full)}[{element}] : memref<2xf32>",
            f"%c{n} = loop.load %C[%v, {element}] : memref<3x2xf32>",
            f"%w{n} = arith.addf %u{n}, %c{n} : f32",
            f"loop.store %w{n}, %C[%v, {element}] : memref<3x2xf32>",
        ]


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6))
def test_buffers_that_threads_may_have_in_common(seed: int) -> None:
    text = Statements(seed).program()
    a = np.random.default_rng(seed).integers(-4, 5, (3, 8)).astype(np.float32)
    expected, found = np.zeros((3, 2), np.float32), np.zeros((3, 2), np.float32)
    run(parse(text.replace(" kind vthread", "")), "main", a, expected)
    module = lowered(text, 16)
    run(module, "main", a, found)
    np.testing.assert_array_equal(found, expected, err_msg=f"{text}\n{module}")
