"""The blocks of the documentation's pages, run and compared with the output that the pages show."""

from __future__ import annotations

import os
import runpy
import sys
from pathlib import Path

import pytest
from tilewright.passes.framework import registry

from .pages import ROOT, SHOWN, blocks, forget, run, shows

PAGES = [page for page in sorted((ROOT / "docs").glob("**/*.md")) if page.parent.name != "reference" and blocks(page)]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_block_is_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"])
    monkeypatch.setattr(registry, "_user", {})
    try:
        assert run(page) >= any(block.language not in SHOWN for block in blocks(page))
    finally:
        forget()


def test_what_is_compared_with_a_page_can_differ() -> None:
    assert shows("a … b\n…\nc\n", "a 1 b\nx\ny\nc\n") and shows("a … b\n…\nc\n", "a 1 b\nc\n")
    assert shows("…\n", "a\nb\n") and shows("a\n", "a") and shows("a\n…\n", "a\nb\n")
    assert not shows("a … b\n", "a 1 c\n") and not shows("a\n…\nc\n", "a\nb\n") and not shows("a\n", "a\nb\n")


def test_pictures_are_as_their_command_draws_them() -> None:
    drawn = runpy.run_path(str(ROOT / "docs" / "pictures" / "draw.py"))["PICTURES"]
    folder = ROOT / "docs" / "pictures"
    assert sorted(drawn) == sorted(path.name for path in folder.glob("*.svg"))
    for name, draw in drawn.items():
        assert (folder / name).read_text(encoding="utf-8") == draw(), "run: python docs/pictures/draw.py"
