"""Programs of the CUDA backend's tests run in the simulator; their source goes to a folder of the test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from legal import legal
from tilewright.backends.cuda.module import build
from tilewright.dialects import context
from tilewright.runtime import Module
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache" / "cuda"


@pytest.fixture
def parse() -> Callable[[str], ModuleOp]:
    def parse_text(text: str) -> ModuleOp:
        module = Parser(context(), text).parse_module()
        module.verify()
        return module

    return parse_text


@pytest.fixture
def simulated(parse: Callable[[str], ModuleOp]) -> Callable[[str], Module]:
    """Build a module given as text, legalized, for the simulator."""
    return lambda text: build(legal(parse(text), "cuda"), device="simulator")
