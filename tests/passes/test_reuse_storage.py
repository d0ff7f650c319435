"""Sharing buffers: programs of random lifetimes compute the same, interpreted and compiled."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from legal import legal
from tilewright import driver
from tilewright.backends.cpu.module import build
from tilewright.diagnostics.remarks import collect_remarks
from tilewright.dialects import context, loop
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.semantics import run
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp

from .test_phase1 import ops, parse

LENGTH = 12


class Generator:
    """Statements that each fill one of a few buffers from others that are full, in nests of several kinds."""

    def __init__(self, seed: int, scope: str) -> None:
        self.rng = random.Random(seed)
        self.scope = scope
        self.extents = [LENGTH + self.rng.choice((0, 0, 0, 4)) for _ in range(6)]
        self.lines: list[str] = []
        self.count = 0

    def type(self, buffer: int) -> str:
        return f'memref<{self.extents[buffer]}xf32, "{self.scope}">'

    def program(self, kind: str) -> str:
        self.group(range(3), ["%A"])
        head = f"loop.for %r = 0 to 3 kind {kind} {{"
        row = f"memref<3x{LENGTH}xf32>"
        body = "\n".join(self.lines)
        return f"""
func.func @main(%A: {row} {{tw.name = "A"}}, %C: {row} {{tw.name = "C", tw.output}}) {{
  {head}
{body}
  }}
  func.return
}}"""

    def group(self, buffers: range, full: list[str]) -> None:
        """Write buffers that live in one block, what they are filled from, and where the last one goes."""
        self.lines += [f"%b{b} = loop.alloc : {self.type(b)}" for b in buffers]
        for _ in range(self.rng.randint(2, 6)):
            if len(buffers) == 3 and buffers.start == 0 and self.rng.random() < 0.3:
                self.lines.append("loop.for %again = 0 to 2 {")
                inner = Generator(self.rng.randint(0, 999), self.scope)
                inner.extents, inner.count = self.extents, self.count + 100
                inner.group(range(3, 6), list(full))
                self.lines += [*inner.lines, "}"]
            target = f"%b{self.rng.choice(list(buffers))}"
            self.fill(target, self.rng.choice(full), self.rng.choice(full))
            full = [*dict.fromkeys([*full, target])]
        self.fill("%C", full[-1], self.rng.choice(full))

    def fill(self, target: str, first: str, second: str) -> None:
        self.count += 1
        k, kind = self.count, self.rng.choice(("serial", "serial", "vectorized", "unrolled"))
        self.lines += [
            f"loop.for %i{k} = 0 to {LENGTH} kind {kind} {{",
            f"  %x{k} = loop.load {self.element(first, k)}",
            f"  %y{k} = loop.load {self.element(second, k)}",
            f"  %s{k} = arith.addf %x{k}, %y{k} : f32",
            f"  loop.store %s{k}, {self.element(target, k, True)}",
            "}",
        ]

    def element(self, buffer: str, k: int, is_stored: bool = False) -> str:
        index = f"%i{k}" if is_stored else self.rng.choice((f"%i{k}", f"%i{k}", f"{LENGTH - 1} - %i{k}", "3"))
        if buffer in ("%A", "%C"):
            return f"{buffer}[%r, {index}] : memref<3x{LENGTH}xf32>"
        return f"{buffer}[{index}] : {self.type(int(buffer[2:]))}"


def rewritten(text: str, passes: str) -> ModuleOp:
    module = parse(text)
    PassManager(parse_pipeline(passes)).run(context(), module)
    module.verify()
    return module


@settings(max_examples=6, deadline=None)
@given(
    st.integers(0, 10**6),
    st.sampled_from(["local", "global"]),
    st.sampled_from(["serial", "parallel"]),
    st.sampled_from(["reuse-storage", "vectorize,reuse-storage", "flatten-buffers,vectorize,reuse-storage,cse"]),
)
def test_random_lifetimes(seed: int, scope: str, kind: str, passes: str) -> None:
    text = Generator(seed, scope).program(kind)
    a = np.random.default_rng(seed).integers(-4, 5, (3, LENGTH)).astype(np.float32)
    expected = np.zeros_like(a)
    run(parse(text), "main", a, expected)
    module = rewritten(text, passes)
    assert len(ops(module, loop.AllocOp)) <= len(ops(parse(text), loop.AllocOp))
    found = np.zeros_like(a)
    run(module, "main", a, found)
    np.testing.assert_array_equal(found, expected, err_msg=str(module))


@settings(max_examples=2, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["serial", "parallel"]))
def test_random_lifetimes_compiled(seed: int, kind: str) -> None:
    text = Generator(seed, "local").program(kind)
    a = np.random.default_rng(seed).integers(-4, 5, (3, LENGTH)).astype(np.float32)
    expected = np.zeros_like(a)
    run(parse(text), "main", a, expected)
    np.testing.assert_array_equal(driver.compile(parse(text), threads=2)(a), expected)


def chain(scope: str, extents: list[str], sizes: list[str], indices: list[str]) -> str:
    """Return A -> b0 -> b1 -> b2 -> C, each read at its index."""
    types = [f'memref<{e}xf32, "{scope}">' if scope != "global" else f"memref<{e}xf32>" for e in extents]
    lines = [f"%b{k} = loop.alloc {sizes[k]} : {types[k]}" for k in range(3)]
    buffers = ["%A", "%b0", "%b1", "%b2", "%C"]
    types = ["memref<?xf32>", *types, "memref<?xf32>"]
    for k in range(4):
        lines += [
            f"loop.for %i{k} = 0 to 8 {{",
            f"  %x{k} = loop.load {buffers[k]}[{indices[k].replace('i', f'%i{k}')}] : {types[k]}",
            f"  loop.store %x{k}, {buffers[k + 1]}[%i{k}] : {types[k + 1]}",
            "}",
        ]
    body = "\n".join(lines)
    return f"""
func.func @main(%A: memref<?xf32> {{tw.name = "A"}}, %C: memref<?xf32> {{tw.name = "C", tw.output}}) {{
  %n = loop.dim %A, 0 : memref<?xf32>
  loop.bind %C shape [%n] strides [1] : memref<?xf32>
  {body}
  func.return
}}"""


PLAIN = ["i", "i", "i", "i"]


@pytest.mark.parametrize(
    ("extents", "sizes", "indices", "shapes"),
    [
        (["8", "8", "8"], ["", "", ""], PLAIN, [(8,)]),
        (["8", "16", "12"], ["", "", ""], PLAIN, [(16,)]),
        # b0 is read backwards, so b1 cannot take over; b2 comes when b0 is dead.
        (["8", "8", "8"], ["", "", ""], ["i", "7 - i", "7 - i", "i"], [(8,), (8,)]),
        # Each element is read again later: i * 2 mod 8 meets an element that was written.
        (["8", "8", "8"], ["", "", ""], ["i", "(i * 2) mod 8", "i", "i"], [(8,), (8,)]),
        # The one element that is read is the last one that is written.
        (["16", "8", "8"], ["", "", ""], ["i", "7", "i", "i"], [(16,)]),
        (["?", "?", "?"], ["(%n)", "(%n + 1)", "(%n)"], PLAIN, [(DYNAMIC_INDEX,)]),
        (["?", "8", "?"], ["(%n)", "", "(%n)"], PLAIN, [(DYNAMIC_INDEX,), (8,)]),
    ],
)
def test_chains(extents: list[str], sizes: list[str], indices: list[str], shapes: list[tuple[int, ...]]) -> None:
    text = chain("local" if "?" not in extents else "global", extents, sizes, indices)
    with collect_remarks() as remarks:
        module = rewritten(text, "reuse-storage")
    assert [op.res.type.get_shape() for op in ops(module, loop.AllocOp)] == shapes
    assert [(r.code, r.kind) for r in remarks] == [("TW0544", "passed")]
    a = np.arange(8, dtype=np.float32)
    expected = a
    for index in indices[1:]:
        expected = expected[[eval(index.replace("floordiv", "//").replace("mod", "%"), {"i": i}) for i in range(8)]]
    found = np.zeros_like(a)
    run(module, "main", a, found)
    np.testing.assert_array_equal(found, expected)
    compiled = np.zeros_like(a)
    build(legal(module))(a, compiled)
    np.testing.assert_array_equal(compiled, expected)


def test_registers_and_other_types_keep_their_buffers() -> None:
    text = chain("register", ["1", "1", "1"], ["", "", ""], ["0", "0", "0", "0"]).replace("[%i", "[0 * %i")
    assert len(ops(rewritten(text.replace("%C[0 * ", "%C["), "reuse-storage"), loop.AllocOp)) == 3
    text = chain("local", ["8", "8", "8"], ["", "", ""], PLAIN)
    text = text.replace("%b1 = loop.alloc  :", "%b1 = loop.alloc attributes {other} :")
    assert len(ops(rewritten(text, "reuse-storage"), loop.AllocOp)) == 2


def test_a_size_that_is_larger_under_a_condition_alone() -> None:
    text = """
func.func @main(%A: memref<?xf32> {tw.name = "A"}, %C: memref<8xf32> {tw.name = "C", tw.output}) {
  %n = loop.dim %A, 0 : memref<?xf32>
  loop.for %r = 0 to 2 {
    %a = loop.alloc : memref<8xf32>
    loop.for %i = 0 to 8 { %x = loop.load %C[%i] : memref<8xf32> loop.store %x, %a[%i] : memref<8xf32> }
    loop.for %i = 0 to 8 { %x = loop.load %a[%i] : memref<8xf32> loop.store %x, %C[%i] : memref<8xf32> }
    loop.if (%n >= 9) {
      %b = loop.alloc (%n) : memref<?xf32>
      loop.for %i = 0 to %n { %x = loop.load %A[%i] : memref<?xf32> loop.store %x, %b[%i] : memref<?xf32> }
      loop.for %i = 0 to 8 { %x = loop.load %b[%i] : memref<?xf32> loop.store %x, %C[%i] : memref<8xf32> }
    }
  }
  func.return
}"""
    assert len(ops(rewritten(text, "reuse-storage"), loop.AllocOp)) == 2
