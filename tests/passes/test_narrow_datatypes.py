"""`narrow-datatypes` and the intervals behind it: on random integer programs nothing changes, in any backend."""

from __future__ import annotations

import random

import numpy as np
import pytest
from tilewright import dialects, te
from tilewright.analysis.integer_ranges import IntegerRanges
from tilewright.diagnostics.parsing import parse
from tilewright.driver import build, compile
from tilewright.semantics import run
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from .loop_programs import apply_passes

BINARY = (
    *("addi", "subi", "muli", "minsi", "maxsi", "minui", "maxui", "andi", "ori", "xori"),
    *("divsi", "floordivsi", "ceildivsi", "remsi", "divui", "remui", "ceildivui", "divsi", "floordivsi", "remsi"),
)
SHIFTS = ("shli", "shrsi", "shrui")
N = 16
"""Iterations; the program stores what it computes in each."""


class Program:
    """Text of integer arithmetic on the variable of a loop, constants and loaded bytes; every value is stored."""

    def __init__(self, seed: int, length: int = 9) -> None:
        self.rng = random.Random(seed)
        self.lines: list[str] = []
        self.values: list[str] = []
        self.count = 0
        for source in (self._variable, self._byte, self._short, self._constant):
            source()
        for _ in range(length):
            self._operation()
        self.values = self.values[4:]

    def text(self, kind: str = "") -> str:
        stores = "".join(
            f"    loop.store {v}, %O[{k}, %i] : memref<{len(self.values)}x{N}xi64>\n" for k, v in enumerate(self.values)
        )
        signature = f"%B: memref<{N}xi8>, %S: memref<{N}xi16>, %O: memref<{len(self.values)}x{N}xi64> {{tw.output}}"
        body = "".join(f"    {line}\n" for line in self.lines)
        return (
            f"func.func @main({signature}) {{\n  loop.for %i = 0 to {N}{kind} {{\n{body}{stores}  }}\n  func.return\n}}"
        )

    def _emit(self, text: str) -> str:
        self.count += 1
        self.lines.append(f"%v{self.count} = {text}")
        return f"%v{self.count}"

    def _variable(self) -> None:
        scale, shift = self.rng.choice((1, 1, 3, -2, 1 << 26)), self.rng.randint(-9, 9)
        index = self._emit(f"loop.apply (%i * {scale} + {shift}) : index")
        self.values.append(self._emit(f"arith.index_cast {index} : index to i64"))

    def _byte(self) -> None:
        loaded = self._emit(f"loop.load %B[%i] : memref<{N}xi8>")
        extend = self.rng.choice(("extsi", "extui"))
        self.values.append(self._emit(f"arith.{extend} {loaded} : i8 to i64"))

    def _short(self) -> None:
        loaded = self._emit(f"loop.load %S[%i] : memref<{N}xi16>")
        wide = self._emit(f"arith.extsi {loaded} : i16 to i32")
        self.values.append(self._emit(f"arith.extsi {wide} : i32 to i64"))

    def _constant(self) -> None:
        value = self.rng.choice((0, 1, -1, 3, 7, -5, 1 << 20, (1 << 31) - 1, -(1 << 31)))
        self.values.append(self._emit(f"arith.constant {value} : i64"))

    def _operation(self) -> None:
        draw = self.rng.random()
        a, b = self.rng.choice(self.values), self.rng.choice(self.values)
        if draw < 0.1:
            amount = self._emit(f"arith.constant {self.rng.randint(0, 9)} : i64")
            self.values.append(self._emit(f"arith.{self.rng.choice(SHIFTS)} {a}, {amount} : i64"))
        elif draw < 0.2:
            predicate = self.rng.choice(("eq", "ne", "slt", "sge", "ult", "uge"))
            bit = self._emit(f"arith.cmpi {predicate}, {a}, {b} : i64")
            self.values.append(self._emit(f"arith.select {bit}, {b}, {a} : i64"))
        elif draw < 0.28:
            narrow = self._emit(f"arith.trunci {a} : i64 to {self.rng.choice(('i8', 'i16', 'i32'))}")
            width = self.lines[-1].rsplit(" ", 1)[1]
            self.values.append(self._emit(f"arith.extsi {narrow} : {width} to i64"))
        elif draw < 0.34:
            self.values.append(self._emit(f"math.absi {a} : i64"))
        else:
            self.values.append(self._emit(f"arith.{self.rng.choice(BINARY)} {a}, {b} : i64"))


def parsed(program: Program, kind: str = "") -> ModuleOp:
    return parse(dialects.context(), program.text(kind), "random.mlir")


def stored(module: ModuleOp, program: Program) -> np.ndarray:
    rng = np.random.default_rng(3)
    out = np.zeros((len(program.values), N), np.int64)
    run(module, "main", rng.integers(-128, 128, N, np.int8), rng.integers(-(2**15), 2**15, N, np.int16), out)
    return out


@pytest.mark.parametrize("seed", range(12))
def test_intervals_hold_what_is_computed(seed: int) -> None:
    program = Program(seed, length=30)
    module = parsed(program)
    (function,) = (op for op in module.ops if isinstance(op, func.FuncOp))
    ranges = IntegerRanges(function)
    stores = [op for op in function.walk() if op.name == "loop.store"]
    for op, values in zip(stores, stored(module, program), strict=True):
        interval = ranges[op.operands[0]]
        assert interval is not None and interval[0] <= values.min() and values.max() <= interval[1]


def test_intervals_are_narrow() -> None:
    """Intervals would be sound and useless if they were those of the types."""
    narrowed = [str(apply_passes(parsed(Program(s)), "narrow-datatypes")).count(": i32\n") for s in range(20)]
    assert sum(count > 2 for count in narrowed) > 8


@pytest.mark.parametrize("kind", ["", " kind vectorized"])
def test_the_interpreter_sees_no_difference(kind: str) -> None:
    for seed in range(100, 108):
        program = Program(seed)
        module = apply_passes(parsed(program, kind), "vectorize")
        narrowed = apply_passes(module, "narrow-datatypes")
        np.testing.assert_array_equal(stored(module, program), stored(narrowed, program), str(module))


@pytest.mark.parametrize("target", ["cpu", "c"])
def test_compiled_code_computes_the_same(target: str) -> None:
    for seed in range(200, 203 if target == "c" else 206):
        program = Program(seed)
        rng = np.random.default_rng(3)
        bytes_, shorts = rng.integers(-128, 128, N, np.int8), rng.integers(-(2**15), 2**15, N, np.int16)
        result = compile(parsed(program, " kind vectorized"), target, threads=1)(bytes_, shorts)
        np.testing.assert_array_equal(result, stored(parsed(program), program))


def test_a_tensor_expression_divides_narrow_vectors() -> None:
    a = te.placeholder((24, 40), name="A")
    c = te.compute((24, 40), lambda i, j: ((i * j) // (j + 3)).astype("float32") * a[i, j], name="C")
    module = build([a, c])
    text = module.get_source("mlir")
    assert "xindex>" not in text and "divsi %" in text
    x = np.arange(960, dtype=np.float32).reshape(24, 40)
    i, j = np.indices((24, 40))
    np.testing.assert_array_equal(module(x), ((i * j) // (j + 3)).astype(np.float32) * x)
