"""The tables of planted faults speak of the package as it is. Whether each is noticed, `planted.py` sees."""

from __future__ import annotations

from pathlib import Path

import pytest

from .faults import FAULTS, Fault

ROOT = Path(__file__).resolve().parents[2]
ROWS = [fault for part in FAULTS.values() for fault in part]


@pytest.mark.each("fault", ROWS, ids=lambda fault: fault.name)
def test_a_fault_can_be_planted(fault: Fault) -> None:
    assert (ROOT / fault.file).read_text().count(fault.mended) == 1, "the text to replace should occur once"
    assert fault.planted != fault.mended
    missing = [test for test in fault.tests if not (ROOT / test.split("::")[0]).is_file()]
    assert fault.tests and not missing


def test_names_distinguish_faults() -> None:
    assert len({fault.name for fault in ROWS}) == len(ROWS)
