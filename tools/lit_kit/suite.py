"""Test suites: folders of lit files, configured by a `lit.cfg.py`."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

from ...diagnostics import fail
from ...diagnostics.files import read_text

CONFIGURATION = "lit.cfg.py"


@dataclass(frozen=True)
class Suite:
    """The lit files below a folder with a `lit.cfg.py`."""

    root: Path

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The suffixes of the names of lit files."""
        return tuple(self._configuration.suffixes)

    @property
    def substitutions(self) -> tuple[tuple[str, str], ...]:
        """Pairs of a regular expression and its replacement in RUN lines."""
        return tuple((str(name), str(text)) for name, text in self._configuration.substitutions)

    @property
    def environment(self) -> dict[str, str]:
        """The variables that commands see beside those of this process."""
        return {str(name): str(value) for name, value in self._configuration.environment.items()}

    def holds(self, path: Path) -> bool:
        """Return whether lit takes this file for one of the suite's."""
        parts = path.relative_to(self.root).parts
        is_excluded = any(part in self._configuration.excludes for part in parts)
        return path.name.endswith(self.suffixes) and not is_excluded and "Output" not in parts[:-1]

    def files(self) -> list[Path]:
        """Return all lit files, sorted."""
        return sorted(path for path in self.root.rglob("*") if path.is_file() and self.holds(path))

    @contextmanager
    def environment_set(self) -> Generator[None]:
        """Give this process the variables of `environment`, inside the `with`."""
        before = {name: os.environ.get(name) for name in self.environment}
        os.environ.update(self.environment)
        try:
            yield
        finally:
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value

    @cached_property
    def _configuration(self) -> SimpleNamespace:
        """The attributes that the file assigns to `config`. Raises TilewrightError TW0230."""
        path = self.root / CONFIGURATION
        config = SimpleNamespace(
            name=self.root.name,
            suffixes=[],
            excludes=[],
            substitutions=[],
            environment={"PATH": os.environ.get("PATH", "")},
            available_features=set[str](),
            test_source_root=None,
            test_exec_root=None,
        )
        said: dict[str, Any] = {"config": config, "lit_config": _Messages(), "__file__": str(path)}
        try:
            exec(compile(read_text(str(path)), str(path), "exec"), said)
        except Exception as error:
            fail("TW0230", f"cannot read '{path}': {type(error).__name__}: {error}")
        return config


class _Messages:
    """The object `lit_config` for a `lit.cfg.py`, with the functions that this runner supports."""

    params: dict[str, str] = {}

    def note(self, message: str) -> None:
        print(f"note: {message}", file=sys.stderr)

    warning = note

    def fatal(self, message: str) -> NoReturn:
        raise ValueError(message)


def suite_of(path: Path, top: Path | None = None) -> Suite | None:
    """Return the suite of the nearest `lit.cfg.py` in the folders above `path`, up to `top`; None where there is
    none."""
    for folder in path.resolve().parents:
        if (folder / CONFIGURATION).is_file():
            return Suite(folder)
        if folder == top:
            break
    return None
