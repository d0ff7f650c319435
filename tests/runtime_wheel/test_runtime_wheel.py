"""The distribution of the runtime: the compiler's programs in processes that have numpy and its wheel alone."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from . import programs

ROOT = Path(__file__).resolve().parents[2]
BARE = Path(__file__).with_name("bare.py")
LARGEST_WHEEL = 300_000
"""Bytes."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from a copy of the sources."""
    folder = tmp_path_factory.mktemp("wheel")
    skip = shutil.ignore_patterns("__pycache__", "build", "*.egg-info")
    shutil.copytree(ROOT / "runtime", folder / "source", ignore=skip)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", str(folder), str(folder / "source")], check=True, capture_output=True)
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the wheel's content and numpy, all that a process finds beside the standard library."""
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    installed = Path(np.__file__).parents[1]
    for name in ("numpy", "numpy.libs"):
        if (installed / name).exists():
            (folder / name).symlink_to(installed / name)
    return folder


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("programs")
    programs.write_all(folder)
    programs.kernels(folder)
    return folder


def run_bare(folder: Path, *paths: str | Path, python: str = sys.executable, **environment: str) -> dict[str, Any]:
    """Return the outcomes of bare.py in a process that finds the standard library and the modules in `paths`."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    command = [python, "-S", "-E", "-W", "error", str(BARE), str(folder), *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, env={**kept, **environment})
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def without_quotes(text: str) -> str:
    """Return the text of an error without the line that the compiler quotes of a source, and the caret below it."""
    return re.sub(r"\n[^\n]*\n *\^(?=\n|$)", "", text)


def test_the_wheel_has_all_files_of_the_runtime_and_no_others(wheel: Path) -> None:
    assert wheel.stat().st_size < LARGEST_WHEEL
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        (metadata,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        text = archive.read(metadata).decode()
    files = {path.relative_to(ROOT / "runtime") for path in (ROOT / "runtime").rglob("*.py")}
    assert names == {f"tilewright_runtime/{path}" for path in files if path.parts[0] != "build"} | {
        "tilewright_runtime/py.typed"
    }
    assert re.findall(r"^(?:Requires-Dist|Requires-Python|License-Expression): (.*)$", text, re.MULTILINE) == [
        "Apache-2.0",
        ">=3.9",
        "numpy>=1.22",
    ]


def test_no_file_names_both_packages() -> None:
    """Imports of the runtime are relative, so that its files serve under both names."""
    for path in (ROOT / "runtime").rglob("*.py"):
        assert not re.search(r"^\s*(?:from|import) tilewright", path.read_text(), re.MULTILINE), path
    for folder in ("driver", "backends", "tools", "frontends", "classic"):
        for path in (ROOT / folder).rglob("*.py"):
            assert "import tilewright_runtime" not in path.read_text(), path


def test_the_compiler_needs_no_other_distribution_of_this_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = [*project["dependencies"], *(n for extra in project["optional-dependencies"].values() for n in extra)]
    assert [name for name in needed if name.startswith("tilewright")] == []


def test_programs_of_the_compiler_give_the_same_bits(site: Path, saved: Path) -> None:
    found = run_bare(saved, site)
    assert found["file"].startswith(str(site))
    assert (found["foreign"], found["warnings"]) == ([], [])
    assert found["programs"] == dict.fromkeys(programs.names_of(saved), "")
    assert [*found["programs"]] == sorted(f"{name}.{suffix}" for name in programs.PROGRAMS for suffix in ("so", "tar"))


def test_mistakes_end_in_the_same_errors(site: Path, saved: Path) -> None:
    expected = {k: without_quotes(text) for k, (_, text) in json.loads((saved / "mistakes.json").read_text()).items()}
    found = run_bare(saved, site)
    assert found["mistakes"] == expected
    assert [re.findall(r"TW\d+", text)[0] for text in expected.values()] == [
        "TW0704", "TW0703", "TW0702", "TW0714", "TW0730"
    ]  # fmt: skip


def test_loops_run_serially_where_there_is_no_openmp_runtime(site: Path, saved: Path) -> None:
    found = run_bare(saved, site, WITHOUT_OPENMP="1")
    assert not any(found["programs"].values())
    (warning,) = found["warnings"]
    assert warning.startswith("no OpenMP runtime found: parallel loops run serially")


def test_kernels_are_read_where_nothing_is_compiled(site: Path, saved: Path) -> None:
    found = run_bare(saved, site, CUDA_VISIBLE_DEVICES="")
    assert found["kernels"] == ["(A: float32[64]) -> (B: float32[64])", "TW0634"]


def old_pythons() -> list[str]:
    """Return pythons on the path that the compiler does not run on and the runtime does, with a numpy that they
    import."""
    found = [shutil.which(f"python3.{minor}") for minor in (9, 10)]
    probe = "import numpy, sys; sys.exit(sys.version_info[:2] not in ((3, 9), (3, 10)))"
    return [p for p in found if p and subprocess.run([p, "-c", probe], capture_output=True).returncode == 0]


def test_programs_run_on_older_pythons(site: Path, saved: Path, tmp_path: Path) -> None:
    pythons = old_pythons()
    if not pythons:
        pytest.skip("no Python 3.9 or 3.10 with numpy is on the path: `make test-runtime` installs some")
    (tmp_path / "tilewright_runtime").symlink_to(site / "tilewright_runtime")
    for python in pythons:
        where = [python, "-c", "import numpy, os; print(os.path.dirname(os.path.dirname(numpy.__file__)))"]
        installed = subprocess.run(where, capture_output=True, text=True, check=True).stdout.strip()
        found = run_bare(saved, tmp_path, installed, python=python)
        assert not any(found["programs"].values()), (python, found)


@pytest.mark.full
def test_resnet50_gives_the_same_bits(site: Path, tmp_path: Path) -> None:
    programs.write_all(tmp_path, {"resnet50": programs.resnet50})
    found = run_bare(tmp_path, site)
    assert (found["programs"], found["foreign"]) == ({"resnet50.so": "", "resnet50.tar": ""}, [])
