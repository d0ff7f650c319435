"""`pytest` without options, in the root and in folders of tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PYTEST = Path(sys.executable).with_name("pytest")


def pytest(folder: Path, *arguments: str) -> str:
    done = subprocess.run([PYTEST, "-q", *arguments], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_root_is_collected_without_a_path() -> None:
    found = pytest(ROOT, "--collect-only", "--ignore-glob=tests/?*/*")
    assert "tests/test_layers.py::" in found and "harness" not in found


def test_a_path_from_the_root_and_a_file_in_its_folder() -> None:
    for folder, path in ((ROOT, "tests/dialects/test_sizes.py"), (ROOT / "tests" / "dialects", "test_sizes.py")):
        assert " passed" in pytest(folder, path)
