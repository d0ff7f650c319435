"""The programs of examples/upstream_miscompilations are refuted where its table says."""

from __future__ import annotations

import re
from math import inf
from pathlib import Path

import pytest

from .verdicts import verdict

FOLDER = Path(__file__).resolve().parents[3] / "examples" / "upstream_miscompilations"
ROWS = re.findall(r"^\| `(\w+)` \| `[\w-]+` \| ([^|]+) \|", (FOLDER / "README.md").read_text(encoding="utf-8"), re.M)


def test_all_files_are_in_the_table() -> None:
    named = {f"{name}{ending}" for name, _ in ROWS for ending in (".mlir", ".after.mlir")}
    assert named == {path.name for path in FOLDER.glob("*.mlir")}


@pytest.mark.each(("name", "at"), ROWS)
def test_refuted(name: str, at: str) -> None:
    before, after = ((FOLDER / f"{name}{end}").read_text(encoding="utf-8") for end in (".mlir", ".after.mlir"))
    (function,) = re.findall(r"func\.func @(\w+)", before)
    found = verdict(before, after, function, inf, executes=False)
    assert (found.word, found.reason) == ("refuted", f"at {at}")
