"""The two tiers: which tests each has, and what the quick one says of those that it leaves out."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

PLANTED = """
import pytest

def test_a():
    pass

@pytest.mark.full
def test_b():
    pass

@pytest.mark.parametrize("n", [1, pytest.param(2, marks=pytest.mark.full)])
def test_c(n):
    pass

@pytest.mark.sampled(3)
@pytest.mark.parametrize("n", range(5))
def test_d(n):
    assert n % 3 == 0 or n in (1, 2, 4)
"""


@pytest.mark.parametrize(
    ("tier", "workers", "counts"),
    [("quick", "0", "4 passed, 5 deselected"), ("rest", "0", "5 passed, 4 deselected"), ("quick", "1", "4 passed")],
)
def test_a_tier_runs_its_tests(tmp_path: Path, tier: str, workers: str, counts: str) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "test_one.py").write_text(PLANTED)
    command = [sys.executable, "-m", "pytest", "-q", "-n", workers, "-p", "conftest", "--tier", tier]
    command += ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(tmp_path.parent), str(tmp_path / "one")]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "tests")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert lines[-1].startswith(counts), done.stdout + done.stderr
    said = ["left out, 5 tests: one 5", "`make test-all` runs them too"]
    assert [line for line in said if line in lines] == (said if tier == "quick" else [])
