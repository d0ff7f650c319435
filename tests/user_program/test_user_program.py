"""A user's program that touches every public module runs, and mypy and pyright find nothing in it against an installed
copy. `make lint` installs both and runs this."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest
import tilewright
from tilewright.classic import import_paths

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(__file__).with_name("user_program.py")
NO_PACKAGE = (".*", "__pycache__", "build", "dist", "*.egg-info", "tests", "lit", "docs", "benchmarks", "examples")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install a copy of the package in an environment with the dependencies of this one; return its interpreter."""
    folder = tmp_path_factory.mktemp("installed") / "venv"
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin" / "python"
    command = [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    packages = Path(subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip())
    shutil.copytree(ROOT, packages / "tilewright", ignore=shutil.ignore_patterns(*NO_PACKAGE))
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return python


def check(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env={**os.environ})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_runs() -> None:
    assert check([sys.executable, str(PROGRAM)], ROOT) == "done\n"


def test_it_touches_every_public_module() -> None:
    text = PROGRAM.read_text(encoding="utf-8")
    assert not [name for name in (*tilewright._MODULES, *import_paths.MODULES) if not re.search(rf"\b{name}\.\w", text)]


@pytest.mark.needs("mypy")
def test_mypy_finds_nothing(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM.read_text(encoding="utf-8") + REVEALED, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(installed), "program.py"]
    types = re.findall(r'Revealed type is "(.*)"', check(command, tmp_path))
    assert [re.sub(r"[A-Za-z_][\w.]*\.", "", text) for text in types] == ["Tensor", "tuple[Tensor, ...]", "TensorSlice"]


@pytest.mark.needs("pyright")
def test_pyright_finds_nothing(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "pyrightconfig.json").write_text(json.dumps({"typeCheckingMode": "standard"}), encoding="utf-8")
    shutil.copy(PROGRAM, tmp_path / "program.py")
    command = [sys.executable, "-m", "pyright", "--pythonpath", str(installed), "program.py"]
    assert "0 errors" in check(command, tmp_path)


REVEALED = """

A = te.placeholder((4, 4), name="A")
reveal_type(te.compute((4, 4), lambda i, j: A[i, j] + 1))
reveal_type(te.compute((4, 4), lambda i, j: (A[i, j], A[j, i])))
reveal_type(A[0, 1])
"""
