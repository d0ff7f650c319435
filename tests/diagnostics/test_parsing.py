"""The parser's locations and errors."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.locations import source_position
from tilewright.diagnostics.parsing import MAX_NESTING, parse
from tilewright.diagnostics.verification import verify
from tilewright.dialects import context

FUNCTION = """\
func.func @f(%lb: index, %n: index) {
  %one = arith.constant 1 : index
  scf.for %i = %lb to %n step %one {
    %a, %b = arith.addui_extended %i, %i : index, i1
    "test.missing"() : () -> ()
  }
  func.return
}
"""


def error_of(text: str) -> TilewrightError:
    with pytest.raises(TilewrightError) as info:
        verify(parse(context(), text, "<text>"))
    return info.value


def nested(depth: int) -> str:
    opening = '"builtin.module"() ({\n' * (depth - 1)
    return f"{opening}builtin.module {{}}{'}) : () -> ()' * (depth - 1)}"


def test_every_op_has_the_position_of_its_name() -> None:
    text = FUNCTION.replace('    "test.missing"() : () -> ()\n', "    scf.yield\n")
    module = parse(context(), text, "<text>")
    positions = {op.name: source_position(op.location) for op in module.walk()}
    assert positions == {
        "builtin.module": None,
        "func.func": ("<text>", 1, 1),
        "arith.constant": ("<text>", 2, 10),
        "scf.for": ("<text>", 3, 3),
        "arith.addui_extended": ("<text>", 4, 14),
        "scf.yield": ("<text>", 5, 5),
        "func.return": ("<text>", 7, 3),
    }


def test_a_written_location_is_kept() -> None:
    module = parse(context(), '"builtin.module"() ({}) : () -> () loc("other":7:8)', "<text>")
    assert source_position(module.location) == ("other", 7, 8)


@pytest.mark.parametrize(
    ("text", "code", "position", "message"),
    [
        ("", "TW0106", (1, 1), "the input is empty"),
        ("// only a comment\n", "TW0106", (1, 17), "the input is empty"),
        ("garbage here", "TW0101", (1, 1), "expected an operation, but got 'garbage'"),
        ("\x00\x01\x02", "TW0101", (1, 1), "Unexpected character"),
        ('"never closed', "TW0101", (1, 1), "closing string literal"),
        ('"never closed' + " and on" * 1000, "TW0101", (1, 1), "closing string literal"),
        ("func.func @f() {\n", "TW0101", (1, 16), "but the input ends"),
        (FUNCTION, "TW0101", (5, 5), "unknown dialect 'test'"),
        ("func.func @f() { %0 = arith.cnstant 1 : i32 }", "TW0101", (1, 23), "did you mean 'arith.constant'"),
        ("func.func @f() {\n  return %x : i32\n}", "TW0102", (2, 10), "value %x is used but not defined"),
        ("func.func @f(%a: i32) -> f32 {\n  return %a : i32\n}", "TW0103", (2, 3), "'func.return'"),
        ("func.func @f(%a: i32) {\n  %0 = arith.addf %a, %a : i32\n}", "TW0103", (2, 8), "'arith.addf' cannot be read"),
        ('%a = "arith.addi"() : () -> i32', "TW0103", (1, 6), "operand"),
        (nested(300), "TW0105", (MAX_NESTING + 1, 1), f"nested at most {MAX_NESTING} deep"),
        ('"builtin.module"() {a = ' + "[" * 5000, "TW0105", (1, 1), "nested"),
    ],
)
def test_errors(text: str, code: str, position: tuple[int, int], message: str) -> None:
    error = error_of(text)
    assert (error.code, source_position(error.location)) == (code, ("<text>", *position))
    assert message in error.message


def test_several_undefined_values_are_all_reported() -> None:
    error = error_of("func.func @f(%abc: i32) {\n  %0 = arith.addi %abd, %abc : i32\n  return %z : i32\n}")
    assert error.message == "value %abd is used but not defined; did you mean '%abc'?"
    assert error.notes == ["<text>:3:10: %z is not defined either"]


def test_nesting_up_to_the_limit_is_fine() -> None:
    module = parse(context(), nested(MAX_NESTING + 1), "<text>")
    verify(module)
    assert sum(1 for _ in module.walk()) == MAX_NESTING + 1


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_damaged_text_never_escapes_as_another_exception(data: st.DataObject) -> None:
    """Cut, doubled or replaced pieces of valid text: a module or one error with a position."""
    text = FUNCTION.replace('    "test.missing"() : () -> ()\n', "")
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(start + 12, len(text))))
    piece = data.draw(
        st.sampled_from(["", "%", "}", "{", "(", ":", "f32", "0x", '"', "#", "!", "loop.for ", text[start:end] * 2])
    )
    try:
        verify(parse(context(), text[:start] + piece + text[end:], "<text>"))
    except TilewrightError as error:
        assert error.code in {"TW0101", "TW0102", "TW0103"}
        assert source_position(error.location) is not None
