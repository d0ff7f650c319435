"""What the pages of the documentation show is what happens."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from tilewright.passes import registry

from .pages import ROOT, run, shows

TUTORIAL = sorted((ROOT / "docs" / "tutorial").glob("*.md"))


@pytest.mark.parametrize("page", [page for page in TUTORIAL if page.name != "index.md"], ids=lambda page: page.stem)
def test_every_block_is_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"])
    monkeypatch.setattr(registry, "_user", {})
    assert run(page) >= 3


def test_what_is_compared_with_a_page_can_differ() -> None:
    assert shows("a … b\n…\nc\n", "a 1 b\nx\ny\nc\n") and shows("a … b\n…\nc\n", "a 1 b\nc\n")
    assert shows("…\n", "a\nb\n") and shows("a\n", "a") and shows("a\n…\n", "a\nb\n")
    assert not shows("a … b\n", "a 1 c\n") and not shows("a\n…\nc\n", "a\nb\n") and not shows("a\n", "a\nb\n")
