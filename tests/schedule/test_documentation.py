"""The examples of primitives' docstrings: they run, give what they show, and replay in every form of a trace."""

from __future__ import annotations

from pathlib import Path

import pytest
from tilewright.schedule import Schedule
from tilewright.schedule.methods import DeclaredMethods
from tilewright.schedule.primitive_declaration import Primitive
from tilewright.schedule.tensor_intrinsics import TensorIntrin
from tilewright.tools import schedule_methods
from tilewright.tools.schedule_docs import examples
from tilewright.tools.schedule_methods import built_in
from xdsl.dialects.builtin import ModuleOp

from .calls import call
from .excerpts import excerpts
from .programs import parse, replay_equals, verify

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = Path(__file__).parent / "examples"
"""The programs that the examples start from, a file for each primitive."""


COPY_8 = """
func.func @copy(%A: memref<8xf32>, %B: memref<8xf32>) {
  loop.for %i = 0 to 8 {
    loop.block "B" (%vi = spatial(%i) in 8) {
      %a = loop.load %A[%vi] : memref<8xf32>
      loop.store %a, %B[%vi] : memref<8xf32>
    }
  }
  func.return
}"""
COPY_8_AT_ONCE = """
func.func @copy(%A: memref<8xf32>, %B: memref<8xf32>) {
  %a = loop.load %A[lane] : memref<8xf32>, vector<8xf32>
  loop.store %a, %B[lane] : vector<8xf32>, memref<8xf32>
  func.return
}"""


@pytest.fixture(scope="module", autouse=True)
def intrinsic_of_examples() -> None:
    TensorIntrin.register("copy_8", COPY_8, COPY_8_AT_ONCE, override=True)


def documented() -> list[tuple[Primitive, int]]:
    """Return the primitives with examples, each with the numbers of the programs that its examples start from."""
    counted = [(p, len({e.before for e in examples(p.documentation)})) for p in built_in()]
    return [(primitive, number) for primitive, count in counted for number in range(count)]


@pytest.mark.each(("primitive", "number"), documented(), ids=lambda value: getattr(value, "name", str(value)))
def test_examples_show_what_calls_change(primitive: Primitive, number: int) -> None:
    found = examples(primitive.documentation)
    before = list(dict.fromkeys(e.before for e in found))[number]
    shown = [example for example in found if example.before == before]
    program = (EXAMPLES / f"{primitive.name}.mlir").read_text().split("// -----\n")[number]
    after = [str(carried_out(example.call, program)) for example in shown]
    assert [before, *(example.after for example in shown)] == excerpts([str(parse(program)), *after])


def carried_out(text: str, program: str) -> ModuleOp:
    """Return the program after a call, which replays in every form of a trace."""
    module = parse(program)
    schedule = Schedule(module)
    call(schedule, text)
    verify(module)
    replay_equals(program, schedule)
    return module


@pytest.mark.each("primitive", [p for p in built_in() if not p.is_query], ids=lambda primitive: primitive.name)
def test_every_primitive_has_an_example(primitive: Primitive) -> None:
    assert any(example.call.startswith(f"{primitive.name}(") for example in examples(primitive.documentation))


def test_every_program_belongs_to_an_example() -> None:
    named = {primitive.name for primitive, _ in documented()}
    assert {path.stem for path in EXAMPLES.glob("*.mlir")} == named


def test_type_checkers_know_every_primitive() -> None:
    assert schedule_methods.OUTPUT.read_text() == schedule_methods.source(), (
        "run: python -m tilewright.tools.schedule_methods"
    )
    for primitive in built_in():
        assert getattr(DeclaredMethods, primitive.name) is primitive.call
