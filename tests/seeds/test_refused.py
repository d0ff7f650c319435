"""Programs of the list that end at the first use of a part that this package lacks: docs/classic.md says the same."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from tilewright.diagnostics import TilewrightError

CLASSIC = (Path(__file__).resolve().parents[2] / "docs" / "classic.md").read_text(encoding="utf-8")


def refused(use: Any, page: str) -> None:
    """Assert that a use ends in TW0251, and that the row of docs/classic.md for it says so."""
    with pytest.raises(TilewrightError) as raised:
        use()
    assert raised.value.code == "TW0251"
    rows = [line for line in CLASSIC.splitlines() if line.startswith("|") and page in line]
    assert rows and all("TW0251" in row for row in rows), page


def attribute(path: str) -> Any:
    """The value of a dotted name below the package."""
    module, _, name = path.rpartition(".")
    return getattr(import_module(f"tilewright.{module}"), name)


def test_a_search_over_schedules() -> None:
    refused(lambda: attribute("meta_schedule.tune_tir"), "`auto_scheduler`, `meta_schedule`")
