"""Programs of the C backend's tests are written at the loop level and compiled as they stand."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from legal import legal
from tilewright.backends.c.module import build
from tilewright.dialects import context
from tilewright.runtime import Module
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser


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
    return lambda text, threads=None: build(legal(parse(text), "c"), threads)
