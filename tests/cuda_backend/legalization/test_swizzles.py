"""Permuted pieces of shared memory: stated in the IR, laid out and accessed by the interpreter as stated."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from legal import legal
from tilewright.backends.cuda.module import build
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.dialects.loop import LoadOp
from tilewright.dialects.loop.swizzles import SwizzleAttr, swizzle_of
from tilewright.passes.phase3 import swizzle_addresses
from tilewright.semantics import evaluate
from tilewright.semantics.swizzles import moved
from tilewright.traversal import operations
from xdsl.ir import Operation


def turned(n: int, element: str = "f32", store: str = "", load: str = "", buffer: str = "", lanes: int = 1) -> str:
    """Return the transpose of an n by n matrix by way of shared memory, n threads; rows are stored in vectors."""
    vector = "" if lanes == 1 else f", vector<{lanes}x{element}>"
    value = "" if lanes == 1 else f"vector<{lanes}x{element}>, "
    lane = "" if lanes == 1 else " + lane"
    attributes = [f" attributes {{{a}}}" if a else "" for a in (buffer or "tw.storage_swizzle", store, load)]
    return f"""
    func.func @main(%x: memref<{n * n}x{element}>, %y: memref<{n * n}x{element}> {{tw.output}})
        attributes {{tw.scheduled}} {{
      loop.for %b = 0 to 1 kind thread<"blockIdx.x"> {{
        %s = loop.alloc{attributes[0]} : memref<{n * n}x{element}, "shared">
        loop.for %t = 0 to {n} kind thread<"threadIdx.x"> {{
          loop.for %j = 0 to {n // lanes} {{
            %v = loop.load %x[%t * {n} + %j * {lanes}{lane}] : memref<{n * n}x{element}>{vector}
            loop.store %v, %s[%t * {n} + %j * {lanes}{lane}]{attributes[1]} :
              {value}memref<{n * n}x{element}, "shared">
          }}
          loop.barrier <"shared">
          loop.for %j = 0 to {n} {{
            %w = loop.load %s[%j * {n} + %t]{attributes[2]} : memref<{n * n}x{element}, "shared">
            loop.store %w, %y[%t * {n} + %j] : memref<{n * n}x{element}>
          }}
        }}
      }}
      func.return
    }}"""


def matrix(n: int, element: str) -> np.ndarray:
    return np.arange(n * n).astype({"f": "float", "i": "int"}[element[0]] + element[1:])


@pytest.mark.parametrize(
    ("n", "element", "lanes", "expected"),
    [(16, "f32", 4, "4 of 32"), (16, "f16", 8, "8 of 64"), (10, "f64", 1, "2 of 16"), (12, "i8", 1, "16 of 128")],
)
def test_elements_lie_where_accesses_say(n: int, element: str, lanes: int, expected: str) -> None:
    module = legal(parse(context(), turned(n, element, lanes=lanes), "program.mlir"), "cuda")
    stated = [str(swizzle) for op in operations(module) if (swizzle := swizzle_of(op)) is not None]
    assert stated == [f"#loop.swizzle<{expected}>"] * 3
    x = matrix(n, element)
    wanted = x.reshape(n, n).T.ravel()
    np.testing.assert_array_equal(evaluate(module, x)[0], wanted)
    program = build(module, device="simulator")
    np.testing.assert_array_equal(program(x), wanted)
    assert " ^ " in program.get_source()


def test_a_permutation_of_each_line() -> None:
    swizzle = SwizzleAttr.get(4, 32)
    positions = moved(swizzle, np.arange(512))
    np.testing.assert_array_equal(np.sort(positions), np.arange(512))
    np.testing.assert_array_equal(positions // 32, np.arange(512) // 32)
    assert positions[32 * 3 + 4 * 5 + 2] == 32 * 3 + 4 * (5 ^ 3) + 2


def test_the_interpreter_reads_at_the_stated_address() -> None:
    """The store permutes and the load does not: what a thread finds is what lies there."""
    swizzle = "tw.swizzle = #loop.swizzle<4 of 32>"
    text = turned(16, store=swizzle, buffer=swizzle)
    x = matrix(16, "f32")
    memory = np.empty(256, np.float32)
    memory[moved(SwizzleAttr.get(4, 32), np.arange(256))] = x
    found = evaluate(parse(context(), text, "stated.mlir"), x)[0]
    np.testing.assert_array_equal(found, memory.reshape(16, 16).T.ravel())


def test_no_access_leaves_its_memory() -> None:
    """Nothing says that the memory has whole lines."""
    swizzle = "tw.swizzle = #loop.swizzle<4 of 32>"
    text = turned(10, load=swizzle, store=swizzle, buffer="tw.other")
    with pytest.raises(TilewrightError) as error:
        evaluate(parse(context(), text, "short.mlir"), matrix(10, "f32"))
    assert error.value.code == "TW0721"


@pytest.mark.parametrize("text", ["0 of 32", "5 of 32", "4 of 12"])
def test_there_are_no_other_swizzles(text: str) -> None:
    with pytest.raises(TilewrightError, match="expected pieces, a power of two of them in a line"):
        parse(context(), turned(4, load=f"tw.swizzle = #loop.swizzle<{text}>"), "none.mlir")


def test_what_states_no_swizzle_is_not_written() -> None:
    with pytest.raises(TilewrightError, match="state how its pieces are permuted") as error:
        build(parse(context(), turned(16), "illegal.mlir"), device="simulator")
    assert error.value.code == "TW0601"


@pytest.mark.parametrize("planted", [False, True])
def test_a_wrong_swizzle_is_found(
    planted: bool, found: Callable[..., tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Loads take pieces for half as long as they are."""
    right = swizzle_addresses._swizzle_for  # pyright: ignore[reportPrivateUsage]

    def wrong(op: Operation) -> SwizzleAttr:
        swizzle = right(op)
        return SwizzleAttr.get(swizzle.piece // 2, swizzle.line) if isinstance(op, LoadOp) else swizzle

    if planted:
        monkeypatch.setattr(swizzle_addresses, "_swizzle_for", wrong)
    validated, bisected = found(turned(16))
    if not planted:
        assert validated == bisected == ""
        return
    assert "pass 'swizzle-addresses' changed what @main computes" in validated
    assert "'swizzle-addresses'" in bisected
    assert "rewrite is number 1 of 1 in this pass: swizzle on loop.alloc" in bisected
