"""Tests that need tools: skipped where one is missing, failed where it is required."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

PLANTED = """
import pytest
from needed_tools import skip_without, those_there

@pytest.mark.needs("gdb")
def test_a():
    pass

@pytest.mark.needs("gcc", "git")
def test_b():
    pass

def test_c():
    skip_without("gdb")

def test_d():
    assert those_there("gcc", "gdb") == ["gcc"]
"""


@pytest.mark.parametrize(
    ("required", "counts"),
    [
        ("", "2 passed, 2 skipped"),
        ("gcc, git", "2 passed, 2 skipped"),
        ("gcc gdb", "2 failed, 1 passed, 1 error"),
        ("gbd", "expected tools of addr2line"),
    ],
)
def test_a_required_tool_is_not_skipped(tmp_path: Path, required: str, counts: str) -> None:
    (tmp_path / "bin").mkdir()
    for name in ("gcc", "git"):
        (tmp_path / "bin" / name).touch(mode=0o755)
    (tmp_path / "test_one.py").write_text(PLANTED)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "conftest", "-c", str(ROOT / "pyproject.toml")]
    environment = os.environ | {
        "PYTHONPATH": str(ROOT / "tests"),
        "PATH": str(tmp_path / "bin"),
        "TILEWRIGHT_REQUIRE_TOOLS": required,
    }
    command += ["--rootdir", str(tmp_path.parent), str(tmp_path / "test_one.py")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert counts in done.stdout + done.stderr
    if "failed" in counts:
        assert done.stdout.count("TILEWRIGHT_REQUIRE_TOOLS names gdb, but tests do not find it") >= 3
