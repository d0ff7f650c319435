"""The programs in examples/ run; each asserts its own numbers. What they compile keeps the user's lines."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[1] / "examples"
COUNTING = Path(__file__).parent / "locations" / "example.py"
WITH_LOCATION = 0.95
"""The share of final operations that have a location of their own, at least."""
ELSEWHERE = {"resnet50.py", "batch_inference.py"}
"""The examples of `make demo` and `make test-cluster`."""
EXAMPLES = sorted(path.name for path in FOLDER.glob("*.py") if path.name not in ELSEWHERE)


@pytest.mark.needs("make", "cc")
def test_examples_in_c(tmp_path: Path) -> None:
    """Both programs print the scores that the interpreter computes: the Makefile compares them."""
    settings = [f"PYTHON={sys.executable}", f"OUT={tmp_path}", "TARGET=llvm -mcpu=x86-64-v3"]
    command = ["make", "check", *settings]
    run = subprocess.run(command, cwd=FOLDER / "c", capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "2 programs agree on 10 scores" in run.stdout


@pytest.mark.parametrize("name", EXAMPLES)
def test_example(name: str, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    command = [sys.executable, "-W", "error", COUNTING, notes, FOLDER / name]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout
    for known, total in (map(int, line.split()) for line in notes.read_text().splitlines()):
        assert known >= WITH_LOCATION * total
