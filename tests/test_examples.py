"""The programs in examples/ run; each asserts its own numbers. What they compile keeps the user's lines."""

from __future__ import annotations

import os
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


def test_proofs_of_another_optimizer(tmp_path: Path) -> None:
    """A folder is proved file by file: refutations and failures of the tool are told, undecided files counted."""
    reports = FOLDER.parent / "tests" / "upstream" / "reports"
    for name in ("152077", "210490"):
        (tmp_path / f"{name}.mlir").write_text((reports / f"{name}.mlir").read_text())

    def run(command: str) -> subprocess.CompletedProcess[str]:
        words = ["sh", FOLDER / "foreign_passes" / "prove-all.sh", command, tmp_path, tmp_path / "results"]
        bin = Path(sys.executable).parent
        environment = {**os.environ, "PATH": f"{bin}{os.pathsep}{os.environ['PATH']}"}
        return subprocess.run(words, capture_output=True, text=True, check=False, env=environment)

    wrong, failing = run("sed s/%whole.%i./%whole[0]/"), run("sed s/x")
    assert wrong.returncode == 1 and wrong.stdout.endswith("proved 1, undecided 0, refuted 1, not run 0\n")
    assert "error[TW0250]" in wrong.stdout
    assert len(list((tmp_path / "results" / "210490").glob("*.mlir"))) == 2
    assert failing.returncode == 2 and "error[TW0249]" in failing.stdout
