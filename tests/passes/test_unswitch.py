"""Conditions that `hoist` takes out of loops: random loops with conditions of all kinds compute the same afterwards."""

from __future__ import annotations

import random

import numpy as np
import pytest
from tilewright import dialects
from tilewright.backends import backend_for_kind
from tilewright.diagnostics.parsing import parse
from tilewright.ir.rewrites import count_rewrites
from tilewright.semantics import run
from xdsl.dialects.builtin import ModuleOp

from .loop_programs import Generator, apply_passes, check_passes

ARGUMENTS = "%n: index, %m: index, %C: memref<16xi64> {tw.output}"
SIZES = (0, 1, 3)


class Conditional:
    """Text of nested loops whose bodies are stores under conditions on %n, on %m and on the loops' variables.

    Every store adds to a sum, so that none may be lost, repeated or put under another condition.
    """

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.lines: list[str] = []
        self.count = 0

    def text(self) -> str:
        self.loop(1, [])
        body = "\n".join(self.lines)
        return f"func.func @main({ARGUMENTS}) {{\n{body}\n  func.return\n}}\n"

    def emit(self, depth: int, text: str) -> None:
        self.lines.append("  " * depth + text)

    def loop(self, depth: int, variables: list[str]) -> None:
        self.count += 1
        variable = f"%i{self.count}"
        kind = self.rng.choice(("", "", " kind unrolled"))
        upper = self.rng.choice((1, 3, 4)) if kind else self.rng.choice((2, 3, "%n"))
        self.emit(depth, f"loop.for {variable} = 0 to {upper}{kind} {{")
        for _ in range(self.rng.choice((1, 1, 2, 3))):
            self.statement(depth + 1, [*variables, variable])
        self.emit(depth, "}")

    def statement(self, depth: int, variables: list[str]) -> None:
        kind = self.rng.random()
        if kind < 0.25 and len(variables) < 3:
            self.loop(depth, variables)
        elif kind < 0.75 and depth < 8:
            conditions = ", ".join(self.condition(variables) for _ in range(self.rng.choice((1, 1, 2))))
            self.emit(depth, f"loop.if ({conditions}) {{")
            self.statement(depth + 1, variables)
            if self.rng.random() < 0.4:
                self.emit(depth, "} else {")
                self.statement(depth + 1, variables)
            self.emit(depth, "}")
        else:
            self.store(depth)

    def condition(self, variables: list[str]) -> str:
        left = self.rng.choice(("%n", "%m", "%n - %m", *variables))
        return f"{left} {self.rng.choice(('<', '>='))} {self.rng.randint(0, 3)}"

    def store(self, depth: int) -> None:
        self.count += 1
        k, at = self.count, self.rng.randrange(16)
        self.emit(depth, f"%k{k} = arith.constant {self.rng.randint(1, 1 << 20)} : i64")
        self.emit(depth, f"%o{k} = loop.load %C[{at}] : memref<16xi64>")
        self.emit(depth, f"%x{k} = arith.muli %o{k}, %k{k} : i64")
        self.emit(depth, f"%s{k} = arith.addi %x{k}, %k{k} : i64")
        self.emit(depth, f"loop.store %s{k}, %C[{at}] : memref<16xi64>")


def parsed(seed: int) -> ModuleOp:
    return parse(dialects.context(), Conditional(seed).text(), "conditional.mlir")


@pytest.mark.parametrize("pipeline", ["hoist", "hoist{max_ops=30}", "simplify,hoist,cse,remove-no-op,hoist"])
def test_random_conditions(pipeline: str) -> None:
    for seed in range(10):
        before, after = parsed(seed), apply_passes(parsed(seed), pipeline)
        for n in SIZES:
            results = [np.ones(16, np.int64), np.ones(16, np.int64)]
            for module, result in zip((before, after), results, strict=True):
                run(module, "main", n, 3 - n, result)
            np.testing.assert_array_equal(*results, str(before))


@pytest.mark.parametrize("target", ["cpu", "c"])
def test_compiled_code_computes_the_same(target: str) -> None:
    """Sizes of buffers stand for the numbers: a compiled function takes arrays."""
    signature = "%N: memref<?xi8>, %M: memref<?xi8>, %C: memref<16xi64> {tw.output}"
    sizes = "  %n = loop.dim %N, 0 : memref<?xi8>\n  %m = loop.dim %M, 0 : memref<?xi8>"
    for seed in range(3 if target == "c" else 6):
        text = Conditional(seed).text().replace(ARGUMENTS, signature, 1)
        head, rest = text.split("\n", 1)
        module = parse(dialects.context(), f"{head}\n{sizes}\n{rest}", "conditional.mlir")
        function = backend_for_kind(target).make(apply_passes(module, "hoist"), 1)
        for n in SIZES:
            expected, result = np.ones(16, np.int64), np.ones(16, np.int64)
            run(parsed(seed), "main", n, 2, expected)
            function(np.zeros(n, np.int8), np.zeros(2, np.int8), result)
            np.testing.assert_array_equal(result, expected)


def test_conditions_are_taken_out() -> None:
    with count_rewrites() as counter:
        taken = 0
        for seed in range(10):
            copy = apply_passes(parsed(seed), "hoist")
            taken += _depths(copy) < _depths(parsed(seed))
    assert counter.count > 10 and taken > 3


def _depths(module: ModuleOp) -> int:
    """Return how many loops are around conditions, all together."""
    total = 0
    for op in module.walk():
        parent = op.parent_op() if op.name == "loop.if" else None
        while parent is not None:
            total += parent.name == "loop.for"
            parent = parent.parent_op()
    return total


def test_random_programs_compute_the_same() -> None:
    for seed in range(80, 82):
        check_passes(Generator(seed).program(), "hoist", seed)
