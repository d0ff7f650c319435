"""Shuffles of lanes: stated in the IR, taken by the interpreter as stated, written out as stated."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from legal import legal
from tilewright.backends.cuda.module import build
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.dialects.loop.shuffles import XOR, ShuffleAttr, shuffle_of
from tilewright.passes.phase3.select_shuffles import _Exchange  # pyright: ignore[reportPrivateUsage]
from tilewright.semantics import evaluate
from tilewright.traversal import operations


def exchange(index: str, threads: int = 32, shuffle: str = "") -> str:
    """Return a kernel that hands each thread another one's element, by way of memory of the warp."""
    attributes, other = ("", "") if not shuffle else (" attributes {tw.shuffle = #loop.shuffle<own>}", shuffle)
    other = f" attributes {{tw.shuffle = #loop.shuffle<{other}>}}" if other else ""
    return f"""
    func.func @main(%x: memref<{threads}xf32>, %y: memref<{threads}xf32> {{tw.output}}) attributes {{tw.scheduled}} {{
      loop.for %b = 0 to 1 kind thread<"blockIdx.x"> {{
        %w = loop.alloc : memref<{threads}xf32, "warp">
        loop.for %t = 0 to {threads} kind thread<"threadIdx.x"> {{
          %v = loop.load %x[%t] : memref<{threads}xf32>
          loop.store %v, %w[%t]{attributes} : memref<{threads}xf32, "warp">
          loop.barrier <"warp">
          %o = loop.load %w[{index}]{other} : memref<{threads}xf32, "warp">
          loop.store %o, %y[%t] : memref<{threads}xf32>
        }}
      }}
      func.return
    }}"""


@pytest.mark.parametrize(
    ("index", "threads", "expected", "text"),
    [
        ("%t", 32, "own", "y[uint64(t)] = w[0]"),
        ("31 - %t", 32, "xor 31", "cuda.shfl_xor_sync(0xffffffff, w[0], 31)"),
        ("7 - %t", 8, "xor 7", "cuda.shfl_xor_sync(0xffffffff, w[0], 7)"),
        ("(%t + 1) mod 32", 32, "index", "cuda.shfl_sync(0xffffffff, w[0], int32(t + 1 & 31))"),
    ],
)
def test_each_access_states_its_shuffle(index: str, threads: int, expected: str, text: str) -> None:
    module = legal(parse(context(), exchange(index, threads), "program.mlir"), "cuda")
    assert [str(s) for op in operations(module) if (s := shuffle_of(op))] == [
        "#loop.shuffle<own>",
        f"#loop.shuffle<{expected}>",
    ]
    x, t = np.arange(threads, dtype=np.float32), np.arange(threads)
    wanted = x[{"own": t, "index": (t + 1) % 32}.get(expected, threads - 1 - t)]
    np.testing.assert_array_equal(evaluate(module, x)[0], wanted)
    program = build(module, device="simulator")
    np.testing.assert_array_equal(program(x), wanted)
    assert text in program.get_source()


def test_the_interpreter_takes_the_element_that_is_stated() -> None:
    """The index says another lane's."""
    module = parse(context(), exchange("31 - %t", shuffle="xor 4"), "stated.mlir")
    x = np.arange(32, dtype=np.float32)
    np.testing.assert_array_equal(evaluate(module, x)[0], x[np.arange(32) ^ 4])


def test_a_shuffle_has_lanes() -> None:
    text = """func.func @main(%y: memref<1xf32> {tw.output}) {
      %w = loop.alloc : memref<32xf32, "warp">
      %v = loop.load %w[0] attributes {tw.shuffle = #loop.shuffle<xor 1>} : memref<32xf32, "warp">
      func.return
    }"""
    with pytest.raises(TilewrightError, match=r"a shuffle within a loop over threadIdx\.x") as error:
        evaluate(parse(context(), text, "nowhere.mlir"))
    assert error.value.code == "TW0661"


@pytest.mark.parametrize("text", ["xor 32", "xor 0", "up 1", "own 3"])
def test_there_are_no_other_shuffles(text: str) -> None:
    with pytest.raises(TilewrightError):
        parse(context(), exchange("%t", shuffle=text), "none.mlir")


def test_what_states_no_shuffle_is_not_written() -> None:
    with pytest.raises(TilewrightError, match="state their shuffle") as error:
        build(parse(context(), exchange("31 - %t"), "illegal.mlir"), device="simulator")
    assert error.value.code == "TW0601"


@pytest.mark.parametrize("planted", [False, True])
def test_a_wrong_shuffle_is_found(
    planted: bool, found: Callable[..., tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An exclusive or takes one bit less."""
    right = _Exchange.shuffle

    def wrong(self: _Exchange) -> ShuffleAttr:
        shuffle = right(self)
        return ShuffleAttr.get(XOR, shuffle.mask >> 1) if shuffle.kind == XOR else shuffle

    if planted:
        monkeypatch.setattr(_Exchange, "shuffle", wrong)
    validated, bisected = found(exchange("7 - %t", 8))
    if not planted:
        assert validated == bisected == ""
        return
    assert "pass 'select-shuffles' changed what @main computes" in validated
    assert "'select-shuffles'" in bisected
    assert "rewrite is number 2 of 2 in this pass: shuffle on loop.load" in bisected
