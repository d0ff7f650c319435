"""Random small loop programs, and comparing what they compute before and after passes."""

from __future__ import annotations

import random

import numpy as np
from tilewright import dialects
from tilewright.diagnostics.parsing import parse
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.semantics import run
from xdsl.dialects.builtin import ModuleOp

EXTENTS = (1, 1, 2, 3, 4, 5, 7, 8, 13, 16, 17, 21)
BINARY = ("arith.addf", "arith.subf", "arith.mulf", "arith.maximumf")
A, B, C, D, I = 37, 53, 61, 60, 19  # noqa: E741
"""Extents of the buffers: A and B are read, C and D are written, C is read too, I holds integers."""
SIGNATURE = (
    f"%A: memref<{A}xf32>, %B: memref<{B}xf32>, %I: memref<{I}xi32>, %n: index, "
    f"%C: memref<{C}xf32>, %D: memref<{D}xi32>"
)


class Generator:
    """Writes the text of a function; every access stays inside its buffer by its guard.

    `independent`: iterations of an innermost loop do not touch each other's elements, so that most are vectorised.
    """

    def __init__(self, seed: int, *, independent: bool = False) -> None:
        self.rng = random.Random(seed)
        self.independent = independent
        self.lines: list[str] = []
        self.count = 0

    def program(self) -> str:
        self.emit(1, "%zero = arith.constant 0.0 : f32")
        self.emit(1, "%one = arith.constant 1.0 : f32")
        self.emit(1, "%seven = arith.constant 7 : i32")
        for _ in range(self.rng.randint(1, 2)):
            self.loop(1, [], ["%zero", "%one"])
        body = "\n".join(self.lines)
        return f"func.func @main({SIGNATURE}) {{\n{body}\n  func.return\n}}\n"

    def emit(self, depth: int, text: str) -> None:
        self.lines.append("  " * depth + text)

    def name(self, stem: str) -> str:
        self.count += 1
        return f"%{stem}{self.count}"

    # Index expressions

    def affine(self, variables: list[str]) -> str:
        terms = [f"{v} * {self.rng.choice((1, 1, 1, 2, 3, 8, -1))}" for v in variables if self.rng.random() < 0.75]
        text = " + ".join([*terms, str(self.rng.randint(-2, 6))])
        if self.rng.random() < 0.15:
            text = f"({text}) {self.rng.choice(('floordiv', 'mod'))} {self.rng.choice((2, 3, 8))}"
        return text

    def inside(self, index: str, extent: int) -> str:
        return f"{index} >= 0, {index} < {extent}"

    def condition(self, variables: list[str]) -> str:
        return f"{self.affine(variables)} < {self.rng.choice(('3', '9', '14', '%n', '%n + 2'))}"

    # Statements

    def loop(self, depth: int, variables: list[str], values: list[str]) -> None:
        variable = self.name("i")
        kind = self.rng.choice(("", "", " kind vectorized", " kind vectorized", " kind unrolled"))
        extent: int | str = self.rng.choice(EXTENTS)
        lower: int | str = self.rng.choice((0, 0, 0, 1))
        upper: int | str = extent + int(lower)
        if variables and self.rng.random() < 0.3:
            outer = self.rng.choice(variables)
            lower, upper = f"{outer} * {extent}", f"{outer} * {extent} + {extent}"
            if kind != " kind unrolled" and self.rng.random() < 0.5:
                upper = f"min({upper}, {self.rng.choice(('%n', '20', '33'))})"
        elif kind != " kind unrolled" and self.rng.random() < 0.15:
            upper = "%n"
        carried = self.rng.random() < (0.1 if self.independent else 0.25)
        header = f"loop.for {variable} = {lower} to {upper}{kind}"
        inner = [*variables, variable]
        if not carried:
            self.emit(depth, header + " {")
            self.body(depth + 1, inner, list(values))
            self.emit(depth, "}")
            return
        result, argument = self.name("r"), self.name("c")
        initial = self.rng.choice(values)
        self.emit(depth, f"{result} = {header} iter_args({argument} = {initial}) -> (f32) {{")
        last = self.body(depth + 1, inner, [*values, argument])
        self.emit(depth + 1, f"loop.yield {last} : f32")
        self.emit(depth, "}")
        self.store(depth, variables, [result])

    def body(self, depth: int, variables: list[str], values: list[str]) -> str:
        """Append statements, and return a value of theirs."""
        private = self.rng.random() < 0.3
        if private:
            buffer = self.name("t")
            self.emit(depth, f"{buffer} = loop.alloc : memref<2xf32>")
            self.emit(depth, f"loop.store {self.rng.choice(values)}, {buffer}[1] : memref<2xf32>")
        for _ in range(self.rng.randint(1, 3)):
            values.append(self.value(depth, variables, values))
        if len(variables) < 3 and self.rng.random() < 0.6:
            self.loop(depth, variables, values)
        if private:
            loaded = self.name("p")
            self.emit(depth, f"{loaded} = loop.load {buffer}[1] : memref<2xf32>")
            values.append(loaded)
        if self.rng.random() < 0.4:
            self.conditional(depth, variables, values)
        else:
            self.store(depth, variables, values)
        return values[-1]

    def conditional(self, depth: int, variables: list[str], values: list[str]) -> None:
        conditions = ", ".join(self.condition(variables) for _ in range(self.rng.randint(1, 2)))
        self.emit(depth, f"loop.if ({conditions}) {{")
        self.store(depth + 1, variables, values)
        if self.rng.random() < 0.4:
            self.emit(depth, "} else {")
            self.store(depth + 1, variables, values)
        self.emit(depth, "}")

    def value(self, depth: int, variables: list[str], values: list[str]) -> str:
        result = self.name("v")
        choice = self.rng.random()
        if choice < 0.45:
            read = (("%A", A), ("%B", B)) if self.independent else (("%A", A), ("%A", A), ("%B", B), ("%C", C))
            buffer, extent = self.rng.choice(read)
            index = self.affine(variables)
            otherwise = self.rng.choice(values)
            guard = self.inside(index, extent)
            self.emit(
                depth, f"{result} = loop.load {buffer}[{index}] where ({guard}) else {otherwise} : memref<{extent}xf32>"
            )
        elif choice < 0.6:
            self.integer_value(depth, variables, result)
        elif choice < 0.7:
            test = self.name("b")
            self.emit(depth, f"{test} = loop.test ({self.condition(variables)}) : i1")
            a, b = self.rng.choice(values), self.rng.choice(values)
            self.emit(depth, f"{result} = arith.select {test}, {a}, {b} : f32")
        else:
            a, b = self.rng.choice(values), self.rng.choice(values)
            self.emit(depth, f"{result} = {self.rng.choice(BINARY)} {a}, {b} : f32")
        return result

    def integer_value(self, depth: int, variables: list[str], result: str) -> None:
        index, cast = self.name("x"), self.name("y")
        self.emit(depth, f"{index} = loop.apply ({self.affine(variables)}) : index")
        self.emit(depth, f"{cast} = arith.index_cast {index} : index to i32")
        if self.rng.random() < 0.4:
            guarded, quotient = self.affine(variables), self.name("q")
            loaded = self.name("z")
            # The elements of I are not zero, and neither is the else value.
            text = f"loop.load %I[{guarded}] where ({self.inside(guarded, I)}) else %seven : memref<{I}xi32>"
            self.emit(depth, f"{loaded} = {text}")
            self.emit(depth, f"{quotient} = arith.divsi {cast}, {loaded} : i32")
            cast = quotient
        self.emit(depth, f"{result} = arith.sitofp {cast} : i32 to f32")

    def store(self, depth: int, variables: list[str], values: list[str]) -> None:
        index = f"{variables[-1]} + 3" if self.independent and variables else self.affine(variables)
        value = values[-1] if self.rng.random() < 0.6 else self.rng.choice(values)
        if self.rng.random() < 0.25:
            cast = self.name("s")
            capped, bounded = self.name("m"), self.name("m")
            self.emit(depth, f"{capped} = arith.minimumf {value}, %one : f32")
            self.emit(depth, f"{bounded} = arith.maximumf {capped}, %zero : f32")
            self.emit(depth, f"{cast} = arith.fptosi {bounded} : f32 to i32")
            self.emit(depth, f"loop.store {cast}, %D[{index}] where ({self.inside(index, D)}) : memref<{D}xi32>")
        else:
            self.emit(depth, f"loop.store {value}, %C[{index}] where ({self.inside(index, C)}) : memref<{C}xf32>")


def module_of(text: str) -> ModuleOp:
    return parse(dialects.context(), text, "random.mlir")


def apply_passes(module: ModuleOp, pipeline: str) -> ModuleOp:
    """Return a verified copy of `module` after passes."""
    copy = module.clone()
    PassManager(parse_pipeline(pipeline)).run(dialects.context(), copy)
    return copy


def outputs(module: ModuleOp, seed: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the contents of C and D for integer-valued inputs, whose sums and products are mostly exact."""
    rng = np.random.default_rng(seed)
    a, b, c = (rng.integers(-3, 4, size).astype(np.float32) for size in (A, B, C))
    integers = rng.integers(1, 5, I).astype(np.int32)
    d = np.zeros(D, np.int32)
    run(module, "main", a, b, integers, n, c, d, step_budget=200_000)
    return c, d


def check_passes(text: str, pipeline: str, seed: int) -> ModuleOp:
    """Assert that passes keep what a program computes, bit for bit; returns the rewritten module."""
    before = module_of(text)
    after = apply_passes(before, pipeline)
    for n in (0, 1, 6, 19):
        for expected, got in zip(outputs(before, seed, n), outputs(after, seed, n), strict=True):
            np.testing.assert_array_equal(got, expected, err_msg=f"{pipeline}, n = {n}\n{text}\n{after}")
    return after
