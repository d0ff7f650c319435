"""Tests that go through many inputs: what fails, what is skipped, and the same as a test for each input."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PLANTED = """
import pytest

@pytest.mark.parametrize("other", [8, 9])
@pytest.mark.each("number", range(7), shards=2)
def test_small(number, other, tmp_path):
    (tmp_path / "made").mkdir()
    if number == 5:
        pytest.skip("five")
    assert number not in (2, 3, 4)

@pytest.mark.each(("word", "length"), [("a", 1), pytest.param("bb", 2, id="two")])
def test_pairs(word, length):
    assert len(word) == length
"""


def pytest(folder: Path, *options: str) -> list[str]:
    (folder / "test_planted.py").write_text(PLANTED)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "conftest", "-c", str(ROOT / "pyproject.toml")]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "tests")}
    done = subprocess.run([*command, *options, folder], env=environment, capture_output=True, text=True)
    return (done.stdout + done.stderr).splitlines()


def test_each_input_that_fails_is_named(tmp_path: Path) -> None:
    lines = pytest(tmp_path)
    text = "\n".join(lines)
    assert "3 of 4 inputs fail" not in text and "2 of 4 inputs fail" in text and "1 of 3 inputs fail" in text
    assert all(f"with number={n}" in text for n in (2, 3, 4)) and "with number=1" not in text
    assert "5 tests went through 16 inputs" in lines
    assert lines[-1].startswith("4 failed, 1 passed")


def test_there_is_a_test_for_each_input_on_demand(tmp_path: Path) -> None:
    assert pytest(tmp_path, "--each", "-k", "two or 3-")[-1].startswith("2 failed, 1 passed, 13 deselected")
    assert pytest(tmp_path, "--each")[-1].startswith("6 failed, 8 passed, 2 skipped")
