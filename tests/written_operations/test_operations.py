"""Every operation of arith and math in C, and in kernels of CUDA in the simulator, against the interpreter.

One program computes a row of its output for each operation, so a table of operations costs one run of the compiler: of
scalars in the first half of the rows, of vectors in the second, in loops or each element by a thread.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from legal import legal
from tilewright.backends.c.module import build as build_c
from tilewright.backends.cuda.module import build as build_cuda
from tilewright.backends.interpreter import build as interpret
from tilewright.dialects import context
from tilewright.runtime import Module
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

N = 32
KINDS = {"c": "serial", "cuda": 'thread<"threadIdx.x">'}
"""Target -> the kind of the loops over elements."""


@pytest.fixture(params=KINDS)
def target(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))
    return request.param


def parse(text: str) -> ModuleOp:
    module = Parser(context(), text).parse_module()
    module.verify()
    return module


def compiled(text: str, target: str) -> Module:
    """Compile a module given as text, legalized, its loops of the kind that the target has."""
    if target == "c":
        return build_c(parse(text))
    module = legal(parse(text.replace("kind serial", f"kind {KINDS[target]}")), target)
    return build_cuda(module, device="simulator")


ARITHMETIC = ("addf", "subf", "mulf", "divf", "maximumf", "minimumf", "maxnumf", "minnumf", "remf")
EXACT = [
    *(f"arith.{op} %a, %b : {{t}}" for op in ARITHMETIC),
    "arith.negf %a : {t}",
    *(f"math.{op} %a : {{t}}" for op in ("absf", "ceil", "floor", "roundeven", "round", "trunc", "sqrt")),
    "math.copysign %a, %b : {t}",
]
LIBRARY = ("acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "cosh", "erf", "exp", "exp2", "expm1")
APPROXIMATE = [
    *(f"math.{op} %a : {{t}}" for op in (*LIBRARY, "log", "log10", "log1p", "log2", "sin", "sinh", "tan", "tanh")),
    "math.rsqrt %a : {t}",
    "math.powf %a, %b : {t}",
    "math.atan2 %a, %b : {t}",
]
BINARY = ("addi", "subi", "muli", "andi", "ori", "xori", "shli", "shrui", "shrsi", "minsi", "maxsi", "minui", "maxui")
DIVISIONS = ("divsi", "divui", "remsi", "remui", "floordivsi", "ceildivsi", "ceildivui")
INTEGER = [
    *(f"arith.{op} %a, %b : {{t}}" for op in (*BINARY, *DIVISIONS)),
    *(f"math.{op} %a : {{t}}" for op in ("absi", "ctpop", "ctlz", "cttz")),
    "math.ipowi %a, %b : {t}",
]
FLOAT_PREDICATES = (
    *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"),
)
INTEGER_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


def program(element: str, result: str, ops: list[str]) -> str:
    """Return a program: row r of %out is operation r on the elements of %x and %y; the second half of the rows is made
    by vectors."""

    def loop(extent: int, index: str, first: int, vector: bool) -> str:
        def typed(type_: str) -> str:
            return f"vector<8x{type_}>" if vector else type_

        suffix = f", {typed(element)}" if vector else ""
        lines = [
            f"loop.for %i = 0 to {extent} kind serial {{",
            f"%a = loop.load %x[{index}] : memref<{N}x{element}>{suffix}",
            f"%b = loop.load %y[{index}] : memref<{N}x{element}>{suffix}",
        ]
        for row, op in enumerate(ops):
            lines.append(f"%r{row} = {op.format(t=typed(element), r=typed(result))}")
            stored = f"{typed(result)}, " if vector else ""
            lines.append(
                f"loop.store %r{row}, %out[{first + row}, {index}] : {stored}memref<{2 * len(ops)}x{N}x{result}>"
            )
        return "\n".join([*lines, "}"])

    return f"""
    func.func @main(%x: memref<{N}x{element}>, %y: memref<{N}x{element}>,
                    %out: memref<{2 * len(ops)}x{N}x{result}> {{tw.output}}) {{
      {loop(N, "%i", 0, False)}
      {loop(N // 8, "%i * 8 + lane", len(ops), True)}
      func.return
    }}"""


def floats(dtype: object, seed: int) -> np.ndarray:
    values = np.random.default_rng(seed).normal(0, 3, N)
    values[:8] = np.roll([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 0.5], seed)
    return values.astype(dtype)


def integers(dtype: type, seed: int) -> np.ndarray:
    info = np.iinfo(dtype)
    values = np.random.default_rng(seed).integers(info.min, info.max, N, dtype, endpoint=True)
    values[:8] = np.roll(np.array([info.min, info.max, 0, -1, 1, 2, -7, 5], dtype), seed)
    return values


def compare(target, text: str, arrays: list[np.ndarray], tolerance: float = 0.0) -> None:
    module = parse(f"builtin.module {{{text}}}")
    with np.errstate(all="ignore"):
        expected = interpret(module)(*arrays)
    actual = compiled(f"builtin.module {{{text}}}", target)(*arrays)
    assert actual.dtype == expected.dtype
    if expected.dtype.kind not in "iub":
        actual, expected = actual.astype(np.float64), expected.astype(np.float64)
    np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance)


FLOATS = {"f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16"}


@pytest.mark.parametrize("element", FLOATS)
def test_float_operations(target, element):
    import ml_dtypes

    dtype = ml_dtypes.bfloat16 if element == "bf16" else FLOATS[element]
    arrays = [floats(dtype, seed) for seed in (0, 1)]
    compare(target, program(element, element, EXACT), arrays)


@pytest.mark.parametrize("element, tolerance", [("f64", 1e-14), ("f32", 3e-7), ("f16", 1e-3)])
def test_mathematics(target, element, tolerance):
    arrays = [floats(FLOATS[element], seed) for seed in (0, 1)]
    compare(target, program(element, element, APPROXIMATE), arrays, tolerance)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("width", [8, 32, 64])
def test_integer_operations(target, width):
    arrays = [integers(np.dtype(f"int{width}").type, seed) for seed in (0, 1)]
    compare(target, program(f"i{width}", f"i{width}", INTEGER), arrays)


@pytest.mark.parametrize("element, kind", [("f32", "cmpf"), ("i32", "cmpi")])
def test_comparisons(target, element, kind):
    predicates = FLOAT_PREDICATES if kind == "cmpf" else INTEGER_PREDICATES
    arrays = [floats("float32", s) if kind == "cmpf" else integers(np.int32, s) for s in (0, 1)]
    ops = [f"arith.{kind} {p}, %a, %b : {{t}}" for p in predicates]
    compare(target, program(element, "i1", ops), arrays)


CASTS = [
    ("f32", "i32", ["bitcast"]),
    ("i32", "f32", ["bitcast", "sitofp", "uitofp"]),
    ("f32", "f64", ["extf"]),
    ("f64", "f32", ["truncf"]),
    ("f64", "f16", ["truncf"]),
    ("f64", "bf16", ["truncf"]),
    ("f16", "f32", ["extf"]),
    ("bf16", "f64", ["extf"]),
    ("f16", "i16", ["bitcast"]),
    ("i16", "bf16", ["bitcast"]),
    ("i8", "i64", ["extsi", "extui"]),
    ("i64", "i8", ["trunci"]),
    ("i32", "i1", ["trunci"]),
    ("i1", "i32", ["extsi", "extui"]),
    ("i1", "f32", ["sitofp", "uitofp"]),
    ("i32", "bf16", ["sitofp"]),
    ("i64", "f16", ["sitofp", "uitofp"]),
]


def test_casts(target):
    """All in one program: a function for each pair of types."""
    functions: list[str] = []
    for number, (source, result, ops) in enumerate(CASTS):
        rows = [f"arith.{op} %a : {{t}} to {{r}}" for op in ops]
        functions.append(program(source, result, rows).replace("@main", f"@cast{number}"))
    text = "builtin.module {" + "\n".join(functions) + "}"
    expected, actual = interpret(parse(text)), compiled(text, target)
    for number, (source, result, _) in enumerate(CASTS):
        array = operands_of(source)
        with np.errstate(all="ignore"):
            wanted = expected[f"cast{number}"](array, array)
        got = actual[f"cast{number}"](array, array)
        assert got.dtype == wanted.dtype
        if result == "bf16":  # of a NaN, too, only that it is one is promised
            is_number = wanted == wanted
            np.testing.assert_array_equal(got == got, is_number)
            got, wanted = got[is_number], wanted[is_number]
        np.testing.assert_array_equal(got.view(f"u{got.itemsize}"), wanted.view(f"u{got.itemsize}"), str(CASTS[number]))


def operands_of(element: str) -> np.ndarray:
    import ml_dtypes

    if element == "i1":
        return np.arange(N) % 3 == 0
    if element.startswith("i"):
        return integers(np.dtype(f"int{element[1:]}").type, 2)
    values = floats("float64", 2)
    values[np.isnan(values)] = 7.0  # the bits of NaN are nobody's promise
    return values.astype(ml_dtypes.bfloat16 if element == "bf16" else FLOATS[element])
