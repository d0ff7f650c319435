"""The examples of primitives' docstrings: they run, give what they show, and replay in every form of a trace."""

from __future__ import annotations

from pathlib import Path

import pytest
from tilewright.schedule import Schedule
from tilewright.schedule.tensor_intrinsics import TensorIntrin
from tilewright.schedule.trace import METHODS
from tilewright.tools.schedule_docs import Example, all_examples, markdown

from .calls import call
from .programs import parse, replay_equals, verify

ROOT = Path(__file__).resolve().parents[2]


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


@pytest.mark.parametrize("example", all_examples(), ids=lambda example: example.call)
def test_example_does_what_it_shows(example: Example) -> None:
    module = parse(example.before)
    schedule = Schedule(module)
    call(schedule, example.call)
    verify(module)
    assert str(module) == str(parse(example.after))
    replay_equals(example.before, schedule)


QUERIES = {name for name in METHODS if name.startswith("get_")}


@pytest.mark.parametrize("method", sorted(set(METHODS) - QUERIES))
def test_every_method_has_an_example(method: str) -> None:
    assert any(example.call.startswith(f"{method}(") for example in all_examples()), f"{method} has no example"


def test_page_is_in_step() -> None:
    assert (ROOT / "docs" / "schedules.md").read_text() == markdown(), (
        "run: python -m tilewright.tools.schedule_docs > docs/schedules.md"
    )
