"""Two revisions of a package that says how long its rows take, beside one another."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hangs import HANG

ROOT = Path(__file__).resolve().parents[2]
ROWS = Path(__file__).with_name("compared_rows.py")
pytestmark = pytest.mark.needs("git")

BEFORE = {"steady": 1.0, "slower": 1.0, "wrong": 1.0}
AFTER = {"steady": 0.5, "slower": 1.25, "wrong": -1.0, "new": 1.0}


def compare(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "benchmarks" / "compare.py"), *arguments, "--module", str(ROWS)]
    return subprocess.run(command, capture_output=True, text=True, timeout=HANG)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Commit the times of BEFORE, and put AFTER into the working tree."""
    folder = tmp_path / "package"
    folder.mkdir()
    (folder / "__init__.py").write_text(f"SECONDS = {BEFORE}\n")
    identity = ["-c", "user.name=test", "-c", "user.email=test@localhost"]
    for arguments in (["init", "-q"], ["add", "."], [*identity, "commit", "-q", "-m", "before"]):
        subprocess.run(["git", "-C", str(folder), *arguments], check=True)
    (folder / "__init__.py").write_text(f"SECONDS = {AFTER}\n")
    return folder


def test_rows_of_two_revisions(repository: Path, tmp_path: Path) -> None:
    done = compare("HEAD", "--repository", str(repository), "--pairs", "6", "--output", str(tmp_path / "out"))
    assert not done.stderr, done.stderr
    lines = done.stdout.splitlines()
    assert "| steady | 1 | 500 ms | 1 s | 2.000 [2.000, 2.000] |" in lines
    assert "| slower | 1 | 1.25 s | 1 s | 0.800 [0.800, 0.800] |" in lines
    assert "one: 1.265 [1.265, 1.265] over 2 rows" in lines, "the root of 2.0 * 0.8"
    assert lines[lines.index("1 rows are more than 8% slower") + 1] == "  slower, 1 threads: 0.800 [0.800, 0.800]"
    assert any("not measured: wrong, 1 threads: wrong in the working tree" in line for line in lines)
    assert any("not measured: new, 1 threads: failed in BASE: KeyError: 'new'" in line for line in lines)
    assert done.returncode == 1, "a wrong result"
    (table,) = (tmp_path / "out").iterdir()
    assert "| steady | 1 | 500 ms | 1 s |" in table.read_text() and table.suffix == ".md"


def test_what_only_base_lacks_is_no_failure(repository: Path) -> None:
    done = compare("HEAD", "--repository", str(repository), "--pairs", "6", "--rows", "new", "steady")
    assert done.returncode == 0, done.stdout


def test_a_revision_that_does_not_exist(repository: Path) -> None:
    done = compare("no-such-revision", "--repository", str(repository))
    assert done.returncode == 1 and "git knows no revision 'no-such-revision'" in done.stderr
