"""Every refusal has a place and a remedy: for each code, and in what tests see of all places that raise it."""

from __future__ import annotations

import re

import pytest
import refusals
from tilewright.diagnostics import CODES, TilewrightError, fail
from tilewright.diagnostics.locations import file_location
from tilewright.tools.explain import explain
from xdsl.dialects.builtin import ModuleOp

REMARKS = {code for code, entry in CODES.items() if re.search(r"\b[Aa] remark\b", entry.explanation)}
BOTH = {"TW0510", "TW0873"}
"""Remarks that are errors elsewhere: where a pass is told to be strict, where no line of a file is a record."""


@pytest.mark.each("code", CODES)
def test_a_code_has_a_remedy_unless_it_is_a_remark(code: str) -> None:
    remedy = CODES[code].remedy
    assert bool(remedy) == (code not in REMARKS or code in BOTH)
    if remedy:
        assert not remedy.endswith(".") and len(remedy) <= 160
        assert not remedy[0].isupper(), "it follows 'help: '"
        assert " ".join(explain(code).split()).endswith(f"help: {remedy}")


def test_an_error_shows_the_remedy_of_its_code() -> None:
    assert str(TilewrightError("TW0706", "m")).splitlines()[1:] == [f"help: {CODES['TW0706'].remedy}"]


def test_an_error_that_knows_better_shows_its_location() -> None:
    assert str(TilewrightError("TW0706", "m", help="do this")).splitlines()[1:] == ["help: do this"]


def test_remarks_are_no_refusals() -> None:
    with pytest.raises(TilewrightError) as raised:
        fail("TW0521", "m")
    assert raised.value.help is None and refusals.lacking(raised.value) == "TW0521 has no remedy: m"


@pytest.mark.parametrize("code", ["TW0103", "TW0401", "TW0451", "TW0501", "TW0601", "TW0654"])
def test_an_error_about_a_program_has_a_location(code: str) -> None:
    assert refusals.lacking(TilewrightError(code, "m")) == f"{code} has no place: m"
    assert refusals.lacking(TilewrightError(code, "m", location=file_location("f", 1, 1))) is None
    assert refusals.lacking(TilewrightError(code, "m", op=ModuleOp([]))) is None


@pytest.mark.parametrize("code", ["TW0201", "TW0302", "TW0612", "TW0704"])
def test_other_errors_need_none(code: str) -> None:
    assert refusals.lacking(TilewrightError(code, "m")) is None
