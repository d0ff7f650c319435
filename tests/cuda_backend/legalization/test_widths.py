"""Widths of copies and of accesses: stated in the IR, checked by the interpreter, written out as stated."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from legal import legal
from tilewright.backends.cuda.module import build
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.dialects.loop import LoadOp, StoreOp
from tilewright.dialects.loop.widths import copy_bytes, width_of_access
from tilewright.passes.phase3 import select_copies, widen_accesses
from tilewright.semantics import evaluate
from tilewright.traversal import operations
from xdsl.dialects.builtin import ModuleOp


def staged(first: int = 0, lanes: int = 4, asynchronous: bool = True, element: str = "f32") -> str:
    """Return a kernel that copies neighbours of `first` to shared memory, and from there to the output."""
    copied = " attributes {tw.async}" if asynchronous else ""
    return f"""
    func.func @main(%x: memref<40x{element}>, %y: memref<32x{element}> {{tw.output}}) attributes {{tw.scheduled}} {{
      loop.for %b = 0 to 1 kind thread<"blockIdx.x"> {{
        %s = loop.alloc : memref<32x{element}, "shared">
        loop.for %t = 0 to {32 // lanes} kind thread<"threadIdx.x"> {{
          %v = loop.load %x[%t * {lanes} + lane + {first}] : memref<40x{element}>, vector<{lanes}x{element}>
          loop.store %v, %s[%t * {lanes} + lane]{copied} : vector<{lanes}x{element}>, memref<32x{element}, "shared">
          loop.async_commit
          loop.async_wait <0>
          loop.barrier <"shared">
          %w = loop.load %s[%t * {lanes} + lane] : memref<32x{element}, "shared">, vector<{lanes}x{element}>
          loop.store %w, %y[%t * {lanes} + lane] : vector<{lanes}x{element}>, memref<32x{element}>
        }}
      }}
      func.return
    }}"""


def legalized(text: str) -> ModuleOp:
    return legal(parse(context(), text, "program.mlir"), "cuda")


def stated(module: ModuleOp) -> list[tuple[int, int]]:
    """Return the bytes of copies and the widths of all accesses."""
    accesses = [op for op in operations(module) if isinstance(op, (LoadOp, StoreOp))]
    return [(copy_bytes(op), width_of_access(op)) for op in accesses]


@pytest.mark.parametrize(
    ("first", "lanes", "asynchronous", "element", "expected"),
    [
        (0, 4, True, "f32", [(16, 1), (16, 1), (0, 4), (0, 4)]),
        (2, 4, True, "f32", [(8, 1), (8, 1), (0, 4), (0, 4)]),
        (1, 4, True, "f32", [(4, 1), (4, 1), (0, 4), (0, 4)]),
        (1, 4, True, "f16", [(0, 1), (0, 4), (0, 4), (0, 4)]),
        (2, 8, True, "f16", [(4, 1), (4, 1), (0, 8), (0, 8)]),
        (4, 8, False, "f32", [(0, 4), (0, 4), (0, 4), (0, 4)]),
        (6, 8, False, "f32", [(0, 2), (0, 4), (0, 4), (0, 4)]),
        (0, 16, False, "i8", [(0, 16), (0, 16), (0, 16), (0, 16)]),
    ],
)
def test_the_widest_that_is_proved(
    first: int, lanes: int, asynchronous: bool, element: str, expected: list[tuple[int, int]]
) -> None:
    module = legalized(staged(first, lanes, asynchronous, element))
    assert stated(module) == expected
    x = np.arange(40).astype({"f": "float", "i": "int"}[element[0]] + element[1:])
    np.testing.assert_array_equal(evaluate(module, x)[0], x[first : first + 32])
    program = build(module, device="simulator")
    np.testing.assert_array_equal(program(x), x[first : first + 32])
    source = program.get_source()
    for copy, width in expected:
        assert not copy or f"device.cp_async{copy}(" in source
        assert width == 1 or f"device.load{width}(" in source


def test_a_view_of_a_part_begins_where_it_begins() -> None:
    """A kernel is given the part as an array of its own, whose first element lies at no multiple of four."""
    text = """
    func.func @main(%x: memref<300xf32>, %y: memref<128xf32> {tw.output}) attributes {tw.scheduled} {
      %part = loop.view %x[4] : memref<300xf32> to memref<128xf32>
      loop.for %t = 0 to 32 kind thread<"threadIdx.x"> {
        %v = loop.load %part[%t * 4 + lane] : memref<128xf32>, vector<4xf32>
        loop.store %v, %y[%t * 4 + lane] : vector<4xf32>, memref<128xf32>
      }
      func.return
    }"""
    module = legalized(text)
    assert stated(module) == [(0, 1), (0, 4)]
    x = np.arange(300, dtype=np.float32)
    np.testing.assert_array_equal(evaluate(module, x)[0], x[1:129])
    np.testing.assert_array_equal(build(module, device="simulator")(x), x[1:129])


def test_stating_again_changes_nothing() -> None:
    module = legalized(staged())
    before = str(module)
    assert str(legal(module, "cuda")) == before


WRONG = {
    "two lanes more": ("tw.width = 8 : i64", "they do not follow one another", "%t * 4 + (lane floordiv 4) * 3 + lane"),
    "no multiple": ("tw.width = 4 : i64", "they begin at element 2", "%t * 4 + lane + 2"),
    "no neighbours": ("tw.width = 2 : i64", "they do not follow one another", "%t * 4 + lane * 2"),
    "no part": ("tw.width = 3 : i64", "8 elements are no multiple of that", "%t * 4 + lane"),
    "no whole element": ("tw.copy_bytes = 2 : i64", "8 elements are no multiple of that", "%t * 4 + lane"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_no_instruction_makes_is_refused(wrong: str) -> None:
    attribute, message, index = WRONG[wrong]
    module = parse(
        context(),
        f"""func.func @main(%x: memref<64xf32>) {{
          loop.for %t = 0 to 4 {{
            %v = loop.load %x[{index}] attributes {{{attribute}}} : memref<64xf32>, vector<8xf32>
          }}
          func.return
        }}""",
        "wrong.mlir",
    )
    with pytest.raises(TilewrightError, match=message) as error:
        evaluate(module, np.zeros(64, np.float32))
    assert error.value.code == "TW0731"


@pytest.mark.parametrize(
    ("attributes", "guard", "message"),
    [
        ("tw.width = 4 : i64", "lane < 6", "its guard holds for a part of them"),
        ("tw.copy_bytes = 16 : i64", "lane < 4", "its guard does not hold"),
    ],
)
def test_guards_of_instructions(attributes: str, guard: str, message: str) -> None:
    module = parse(
        context(),
        f"""func.func @main(%x: memref<8xf32>) {{
          %o = arith.constant 0.0 : f32
          %v = loop.load %x[lane] where ({guard}) else %o attributes {{{attributes}}} : memref<8xf32>, vector<8xf32>
          func.return
        }}""",
        "guards.mlir",
    )
    with pytest.raises(TilewrightError, match=message) as error:
        evaluate(module, np.zeros(8, np.float32))
    assert error.value.code == "TW0731"


ILLEGAL = {
    "loop.load %x[lane] attributes {tw.width = 3 : i64} : memref<6xf32>, vector<6xf32>": "1, 2, 4, 8, 16 elements",
    "loop.load %x[lane] attributes {tw.width = 4 : i64} : memref<6xf32>, vector<6xf32>": "elements at once, but got 4",
    "loop.load %x[lane] attributes {tw.copy_bytes = 24 : i64} : memref<6xf32>, vector<6xf32>": "16, 8, 4 bytes",
    "loop.load %x[lane] attributes {tw.copy_bytes = 8 : i64} : memref<6xf32>, vector<6xf32>": "be copies of 8 bytes",
}


@pytest.mark.parametrize("load", ILLEGAL)
def test_what_has_no_instruction_is_not_written(load: str) -> None:
    text = f"""func.func @main(%x: memref<6xf32>) {{
      loop.for %t = 0 to 1 kind thread<"threadIdx.x"> {{ %v = {load} }}
      func.return
    }}"""
    with pytest.raises(TilewrightError, match=ILLEGAL[load]) as error:
        build(parse(context(), text, "illegal.mlir"), device="simulator")
    assert error.value.code == "TW0601"


@pytest.mark.parametrize("planted", [False, True])
def test_a_wrong_copy_width_is_found(
    planted: bool, found: Callable[..., tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each copy takes 16 bytes, wherever it begins."""
    if planted:
        monkeypatch.setattr(select_copies, "_takes", lambda op, width, facts: True)
    validated, bisected = found(staged(first=2))
    if not planted:
        assert validated == bisected == ""
        return
    assert "pass 'select-copies' changed what @main computes: it fails: expected loop." in validated
    assert "'select-copies'" in bisected and "rewrite is number 1 of 1 in this pass: copy on loop.store" in bisected


@pytest.mark.parametrize("planted", [False, True])
def test_a_wrong_width_is_found(
    planted: bool, found: Callable[..., tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one access whose first element lies at a multiple of two is taken for one at a multiple of four."""
    if planted:
        monkeypatch.setattr(widen_accesses, "is_multiple", lambda e, factor, facts: True)
    validated, bisected = found(staged(first=2, lanes=8, asynchronous=False))
    if not planted:
        assert validated == bisected == ""
        return
    assert "pass 'widen-accesses' changed what @main computes: it fails: expected loop.load" in validated
    assert "'widen-accesses'" in bisected and "rewrite is number 1 of 4 in this pass: width on loop.load" in bisected
