"""The distributions of examples/, built as wheels and installed together, without the network."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


class Site(NamedTuple):
    """A folder with installed distributions, which programs see beside tilewright."""

    path: Path

    def run(self, *command: str, stdin: str = "", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        """Run Python with these arguments."""
        environment = {**os.environ, "PYTHONPATH": str(self.path)}
        words = [sys.executable, *command]
        return subprocess.run(words, input=stdin, capture_output=True, text=True, check=False, env=environment, cwd=cwd)


@pytest.fixture(scope="session")
def examples_site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Return a folder into which pip has installed wheels of copies of all example distributions."""
    folder = tmp_path_factory.mktemp("examples")
    sources = [
        str(shutil.copytree(made.parent, folder / made.parent.name, ignore=shutil.ignore_patterns("__pycache__")))
        for made in sorted(EXAMPLES.glob("*/pyproject.toml"))
    ]
    pip = [sys.executable, "-m", "pip"]
    offline = ["--quiet", "--no-deps", "--no-index"]
    build = [*pip, "wheel", *offline, "--no-build-isolation", "-w", str(folder / "wheels"), *sources]
    made = subprocess.run(build, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    wheels = [str(wheel) for wheel in (folder / "wheels").glob("*.whl")]
    assert len(wheels) == len(sources) == 3
    put = [*pip, "install", *offline, "--target", str(folder / "site"), *wheels]
    assert subprocess.run(put, capture_output=True).returncode == 0
    return Site(folder / "site")
