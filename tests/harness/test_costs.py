"""Tests that take much memory or time pass, and the closing lines list them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PLANTED = """
import mmap, time

def test_large_and_slow():
    pages = mmap.mmap(-1, 2 << 30)
    for offset in range(0, len(pages), mmap.PAGESIZE):
        pages[offset] = 1
    pages.close()
    time.sleep(3)

def test_small():
    pass
"""


def test_two_gigabytes_and_three_seconds_pass_and_are_listed(tmp_path: Path) -> None:
    (tmp_path / "test_planted.py").write_text(PLANTED)
    command = [sys.executable, "-m", "pytest", "-q", "-n", "1", "-p", "conftest", str(tmp_path)]
    command += ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT)]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "tests"), "PYTEST_PLUGINS": ""}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    for heading in ("the most memory:", "the longest, with the processor time in it:"):
        assert lines[lines.index(heading) + 1].endswith("test_planted.py::test_large_and_slow"), done.stdout
