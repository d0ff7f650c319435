"""Random programs that read and write at indices which are data: a short draw, and what notices a fault."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tilewright.passes.phase1.check_bounds import CheckBoundsPass

from .index_values import Watched
from .indices import BAD, NOTICED, RIGHT, draw_one, draw_program


def test_results_are_right_or_the_error_is_coded() -> None:
    outcomes: set[str] = set()
    for number in range(24):
        found = draw_one(9, number)
        assert found.bad == []
        outcomes |= set(found.outcomes)
    assert {f"cpu {RIGHT}", f"cpu {NOTICED}", f"interpreter {NOTICED}"} <= outcomes


def test_a_number_names_a_program() -> None:
    for number in (3, 4):
        (_, first), (_, again) = draw_program(5, number), draw_program(5, number)
        assert first.text == again.text


def test_programs_without_checks_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reads that stay within the margins of an array go unnoticed there, and the campaign says so."""

    def nothing(self: CheckBoundsPass, *_: Any) -> None: ...

    monkeypatch.setattr(CheckBoundsPass, "apply", nothing)
    near = [n for n in range(60) if _is_near(n)]
    assert any(BAD in bad for number in near[:4] for bad in draw_one(9, number).bad)


def _is_near(number: int) -> bool:
    """Return whether a draw has wrong indices, none of them far from right ones."""
    _, program = draw_program(9, number)
    values = getattr(program, "inputs", None) or getattr(program, "arrays", {})
    indices = [array for name, array in values.items() if name[0] in "IJ" and array.size]
    return program.expected is None and all(abs(int(n)) < 40 for array in indices for n in array.reshape(-1))


def test_writes_beside_an_array_are_seen() -> None:
    watched = Watched()
    first, second = watched.add("A", np.zeros(5, np.float32)), watched.add("B", np.zeros(0, np.int8))
    assert watched.touched() is None and second.size == 0
    np.lib.stride_tricks.as_strided(first, (8,), (4,))[6] = 1
    assert watched.touched() == "A"
