"""The plugin of pytest, named in `pyproject.toml`, for which the root is a folder like others.

The root is a package whose name is not that of its folder. As a package it would be imported a second time, under the
name of the folder.
"""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Return a plain folder for the root; None for others, which pytest collects as it does anyway."""
    return pytest.Dir.from_parent(parent, path=path) if path == ROOT else None
