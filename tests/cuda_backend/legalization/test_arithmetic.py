"""Arithmetic that kernels do not have: expanded in the IR by rules; the interpreter and the simulator agree on it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from legal import legal
from tilewright.backends.cuda.module import build
from tilewright.backends.cuda.rules import integer_division
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.dialects.dtypes import numpy_dtype
from tilewright.passes.framework.intrinsics import register_lowering, unregister_lowering
from tilewright.semantics import evaluate
from xdsl.dialects import arith
from xdsl.dialects.builtin import BFloat16Type
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter

DIVISIONS = ("divsi", "divui", "remsi", "remui", "floordivsi", "ceildivsi", "ceildivui")
BFLOAT16 = numpy_dtype(BFloat16Type())


def elementwise(line: str, n: int, types: tuple[str, ...], result: str, lanes: int = 1) -> str:
    """Return a kernel that computes `%r` of the elements %a, %b, … of the arguments, by as many threads as there are
    vectors."""
    names = "abc"[: len(types)]
    vector, lane = (f", vector<{lanes}x{{}}>", " + lane") if lanes > 1 else ("", "")
    arguments = ", ".join(f"%{x}s: memref<{n}x{t}>" for x, t in zip(names, types, strict=True))
    loads = "\n".join(
        f"%{x} = loop.load %{x}s[%i * {lanes}{lane}] : memref<{n}x{t}>{vector.format(t)}"
        for x, t in zip(names, types, strict=True)
    )
    stored = f"vector<{lanes}x{result}>, " if lanes > 1 else ""
    return f"""func.func @main({arguments}, %y: memref<{n}x{result}> {{tw.output}}) attributes {{tw.scheduled}} {{
      loop.for %g = 0 to {max(n // lanes // 256, 1)} kind thread<"blockIdx.x"> {{
        loop.for %t = 0 to {min(n // lanes, 256)} kind thread<"threadIdx.x"> {{
          %i = loop.apply (%g * 256 + %t) : index
          {loads}
          {line}
          loop.store %r, %y[%i * {lanes}{lane}] : {stored}memref<{n}x{result}>
        }}
      }}
      func.return
    }}"""


def bits(x: np.ndarray) -> np.ndarray:
    return x.view(f"u{x.dtype.itemsize}")


def agree(text: str, *arrays: np.ndarray) -> str:
    """Assert that a program computes the same before and after legalization and in the simulator; return its kernels'
    source."""
    expected = evaluate(parse(context(), text, "program.mlir"), *arrays)[0]
    module = legal(parse(context(), text, "program.mlir"), "cuda")
    program = build(module, device="simulator")
    for found in (evaluate(module, *arrays)[0], program(*arrays)):
        is_number = expected == expected
        np.testing.assert_array_equal(bits(found)[is_number], bits(expected)[is_number])
        np.testing.assert_array_equal(found == found, is_number)
    return program.get_source()


@pytest.mark.parametrize("operation", DIVISIONS)
def test_quotients_of_all_bytes(operation: str) -> None:
    numbers = np.array([-128, -127, -100, -7, -3, -2, -1, 0, 1, 2, 3, 5, 64, 100, 126, 127], np.int8)
    a, b = (np.ascontiguousarray(x.ravel()) for x in np.meshgrid(numbers, numbers))
    for lanes in (1, 4):
        type_ = "i8" if lanes == 1 else f"vector<{lanes}xi8>"
        agree(elementwise(f"%r = arith.{operation} %a, %b : {type_}", 256, ("i8", "i8"), "i8", lanes), a, b)


@pytest.mark.parametrize("type_", ["i32", "i64"])
@pytest.mark.parametrize("operation", DIVISIONS)
def test_quotients_of_long_numbers(operation: str, type_: str) -> None:
    least = np.iinfo(type_.replace("i", "int")).min
    numbers = [least, least + 1, -5, -1, 0, 1, 7, 1000, -(least + 2), -(least + 1), 12345, -9876, 2, -2, 3, -3]
    a, b = (x.ravel().astype(type_.replace("i", "int")) for x in np.meshgrid(numbers, numbers))
    agree(elementwise(f"%r = arith.{operation} %a, %b : {type_}", 256, (type_, type_), type_), a, b)


@pytest.mark.each("operation", DIVISIONS)
@pytest.mark.parametrize("divisor", [7, 1, -1, -7])
def test_quotients_by_constants(operation: str, divisor: int) -> None:
    """Only those by positive ones need no choice."""
    line = f"%d = arith.constant {divisor} : i32\n%r = arith.{operation} %a, %d : i32"
    source = agree(elementwise(line, 256, ("i32",), "i32"), np.arange(-128, 128, dtype=np.int32) * 1001)
    if operation in ("divui", "remui", "floordivsi") and divisor > 0:
        assert " if " not in source


@pytest.mark.parametrize("operation", DIVISIONS)
def test_quotients_of_bits(operation: str) -> None:
    a, b = np.array([0, 0, 1, 1], bool), np.array([0, 1, 0, 1], bool)
    agree(elementwise(f"%r = arith.{operation} %a, %b : i1", 4, ("i1", "i1"), "i1"), a, b)


@pytest.mark.parametrize("operation", ["ctpop", "ctlz", "cttz"])
@pytest.mark.parametrize("type_", ["i8", "i16", "i64"])
def test_counts_of_bits(operation: str, type_: str) -> None:
    width = int(type_[1:])
    numbers = np.array([1 << (n % width) for n in range(128)] + [(1 << width) - 1 - n * n for n in range(128)], object)
    x = np.array([int(n) & ((1 << width) - 1) for n in numbers], f"u{width // 8}").view(f"i{width // 8}")
    x[0], x[1] = 0, -1
    assert "while" not in agree(elementwise(f"%r = math.{operation} %a : {type_}", 256, (type_,), type_), x)


def doubles() -> np.ndarray:
    """Return half-way cases of both narrow types, what lies right beside them, and what is too large or too small."""
    exact = np.concatenate([np.arange(0x3C00, 0x3C10, dtype=np.uint16).view(np.float16).astype(float), [65504.0, 2e-8]])
    ties = [np.nextafter(x * (1 + 2.0**-k), x * t) for x in exact for k in (8, 9, 11, 12) for t in (0, 2)]
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, 65519.99, 65520.0, 1e300, 5e-324, 2.0**-24, 2.0**-25, 3 * 2.0**-26]
    found = np.array([*exact, *ties, *special, *(exact * (1 + 2.0**-11)), *(exact * (1 + 2.0**-9))])
    return np.resize(np.concatenate([found, -found]), 256)


@pytest.mark.parametrize("result", ["f16", "bf16"])
def test_doubles_are_rounded_once(result: str) -> None:
    agree(elementwise(f"%r = arith.truncf %a : f64 to {result}", 256, ("f64",), result), doubles())


@pytest.mark.parametrize("result", ["f16", "bf16"])
@pytest.mark.parametrize("operation", ["sitofp", "uitofp"])
@pytest.mark.parametrize("source", ["i8", "i32", "i64"])
def test_integers_are_rounded_once(source: str, operation: str, result: str) -> None:
    width = int(source[1:])
    numbers = [*range(-4, 4), *((1 << k) + d for k in range(4, 63) for d in (-1, 1)), *(257 << k for k in range(50))]
    x = np.array([((n + (1 << (width - 1))) & ((1 << width) - 1)) - (1 << (width - 1)) for n in numbers])
    x = np.resize(x, 256).astype(source.replace("i", "int"))
    agree(elementwise(f"%r = arith.{operation} %a : {source} to {result}", 256, (source,), result), x)


@pytest.mark.parametrize(
    ("line", "types", "result", "message"),
    [
        ("%r = arith.divsi %a, %b : i32", ("i32", "i32"), "i32", "an operation that the cuda backend executes"),
        ("%r = arith.floordivsi %a, %b : i32", ("i32", "i32"), "i32", "a divisor of arith.floordivsi"),
        ("%r = arith.addf %a, %b : f16", ("f16", "f16"), "f16", "arith.addf to be computed in f32, but got f16"),
        ("%r = arith.truncf %a : f64 to bf16", ("f64",), "bf16", "arith.truncf to bf16 by way of f32"),
        ("%r = math.ctpop %a : i32", ("i32",), "i32", "an operation that the cuda backend executes"),
    ],
)
def test_what_no_rule_has_expanded_is_not_written(line: str, types: tuple[str, ...], result: str, message: str) -> None:
    with pytest.raises(TilewrightError, match=message) as error:
        build(parse(context(), elementwise(line, 4, types, result), "plain.mlir"), device="simulator")
    assert error.value.code == "TW0601"


@pytest.mark.parametrize(("operation", "divisor"), [("floordivsi", 0), ("floordivsi", -1), ("divui", 0)])
def test_what_is_stated_to_be_defined_is(operation: str, divisor: int) -> None:
    line = f"%r = arith.{operation} %a, %b {{tw.safe_divisor}} : i32"
    module = parse(context(), elementwise(line, 4, ("i32", "i32"), "i32"), "stated.mlir")
    a = np.arange(4, dtype=np.int32)
    np.testing.assert_array_equal(evaluate(module, a, np.full(4, 3, np.int32))[0], a // 3)
    with pytest.raises(TilewrightError, match="expected a divisor that is neither") as error:
        evaluate(module, a, np.full(4, divisor, np.int32))
    assert error.value.code == "TW0732"


def test_a_user_rule_comes_first() -> None:
    """Of numbers that are known to be positive."""

    @register_lowering("arith.divsi", target="cuda", level=99, exact=True)
    def expand(op: Operation, rewriter: PatternRewriter) -> bool:
        rewriter.replace(op, arith.DivUIOp(*op.operands))
        return True

    try:
        text = elementwise("%r = arith.divsi %a, %b : i32", 4, ("i32", "i32"), "i32")
        assert "arith.floordivsi" not in str(legal(parse(context(), text, "own.mlir"), "cuda"))
        agree(text, np.arange(4, dtype=np.int32), np.full(4, 3, np.int32))
    finally:
        unregister_lowering("arith.divsi", "cuda", 99)


@pytest.mark.parametrize("planted", [False, True])
def test_a_wrong_rule_is_found(
    planted: bool, found: Callable[..., tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Remainders keep the sign that Python gives them."""
    right = integer_division._rounded  # pyright: ignore[reportPrivateUsage]
    if planted:
        monkeypatch.setattr(
            integer_division, "_rounded", lambda lanes, kind, a, b: right(lanes, kind.replace("div", "floordiv"), a, b)
        )
    line = "%d = arith.constant 3 : i32\n%s = arith.remsi %a, %d : i32\n%r = arith.divsi %a, %d : i32"
    validated, bisected = found(elementwise(line, 16, ("i32",), "i32"))
    if not planted:
        assert validated == bisected == ""
        return
    assert "pass 'expand-operations' changed what @main computes" in validated
    assert "'expand-operations'" in bisected and "in this pass" in bisected
