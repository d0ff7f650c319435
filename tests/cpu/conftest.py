"""Programs of the CPU backend's tests are written at the loop level and compiled as they stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from legal import legal
from tilewright.backends.cpu.module import build
from tilewright.dialects import context
from tilewright.runtime import Module
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser


@pytest.fixture(autouse=True)
def object_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Provide an object cache of each test's own."""
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))
    yield tmp_path


@pytest.fixture
def parse() -> Callable[[str], ModuleOp]:
    def parse_text(text: str) -> ModuleOp:
        module = Parser(context(), text).parse_module()
        module.verify()
        return module

    return parse_text


@pytest.fixture
def compiled(parse: Callable[[str], ModuleOp]) -> Callable[..., Module]:
    """Compile a module given as text."""
    return lambda text, threads=None: build(legal(parse(text)), threads)


@pytest.fixture
def main(compiled: Callable[..., Module]) -> Callable[..., Module]:
    """Compile a module of one function, given its arguments and its body."""

    def compile_main(arguments: str, body: str, threads: int | None = None) -> Module:
        return compiled(f"builtin.module {{\nfunc.func @main({arguments}) {{\n{body}\nfunc.return\n}}\n}}", threads)

    return compile_main
