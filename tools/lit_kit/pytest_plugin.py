"""A pytest plugin: the lit files below a folder with a `lit.cfg.py` are tests, run in the process of pytest.

`pytest tests/lit` runs all files, `pytest tests/lit/fuse.mlir` one. `-p no:tilewright_lit` disables the plugin.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .suite import Suite

_SUITES = pytest.StashKey["dict[Path, Suite | None]"]()
_RUN = "RUN:"


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a lit file of a suite."""
    if file_path.suffix == ".py":  # most files: no suite is looked for
        return None
    suite = _suite_of(file_path, parent.config)
    if suite is None or not suite.holds(file_path) or _RUN not in file_path.read_text(encoding="utf-8"):
        return None
    return LitFile.from_parent(parent, path=file_path)


def _suite_of(path: Path, config: pytest.Config) -> Suite | None:
    from .suite import suite_of

    known = config.stash.setdefault(_SUITES, {})
    if path.parent not in known:
        suite = suite_of(path, config.rootpath)
        # One object for a suite: its file is read once.
        known[path.parent] = next((other for other in known.values() if other == suite), suite)
    return known[path.parent]


class LitFile(pytest.File):
    """A lit file, which is one test."""

    def collect(self) -> Iterator[LitItem]:
        """Yield the test."""
        yield LitItem.from_parent(self, name="lit")


class LitItem(pytest.Item):
    """The RUN lines of a lit file and the cases that it announces."""

    def runtest(self) -> None:
        """Run the lines in a temporary folder."""
        from .runner import run_file

        suite = _suite_of(self.path, self.config)
        assert suite is not None, "only files of suites are collected"
        with tempfile.TemporaryDirectory(prefix="tilewright-lit-") as folder:
            run_file(self.path, suite, Path(folder))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the failed command and its output, without the traceback of the runner."""
        from ...diagnostics import TilewrightError
        from .cases import LitFailure
        from .shell import UnknownSyntax

        if isinstance(excinfo.value, (LitFailure, TilewrightError, UnknownSyntax)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return the path and the name of the test in reports."""
        return self.path, None, os.path.relpath(self.path, self.config.rootpath)
