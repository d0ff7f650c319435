"""The blocks of docs/extend.md: they run in order, in one folder and one namespace, and print what they show."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tilewright.operators.declaration import registered, unregister_operator
from tilewright.passes import config, registry
from tilewright.passes.base import OWN_LEVELS
from tilewright.passes.own_dialects import unregister_dialect
from tilewright.plugins import GROUP
from tilewright.tools.lit_kit import shell

PAGE = Path(__file__).resolve().parents[1] / "docs" / "extend.md"
_BLOCK = re.compile(r"^```(?P<language>\w+)(?: (?P<file>\S+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    language: str
    file: str | None
    """Where the block belongs: blocks of one file follow one another."""
    text: str
    line: int


def blocks() -> list[Block]:
    text = PAGE.read_text(encoding="utf-8")
    found = [(match, text.count("\n", 0, match.start()) + 2) for match in _BLOCK.finditer(text)]
    return [Block(match["language"], match["file"], match["text"], line) for match, line in found]


@pytest.fixture(autouse=True)
def no_passes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(registry, "_user", {})
    yield
    _forget()


def test_every_block_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    module = type(sys)("extend_page")
    monkeypatch.setitem(sys.modules, module.__name__, module)  # dataclasses look their module up
    for block in blocks():
        if block.file is not None:
            with open(block.file, "a", encoding="utf-8") as file:
                file.write(block.text)
        _RUN[block.language](block, module.__dict__)


def _python(block: Block, namespace: dict[str, Any]) -> None:
    code = "\n" * (block.line - 1) + block.text  # errors name the page's line
    exec(compile(code, str(PAGE), "exec"), namespace)


def _console(block: Block, namespace: dict[str, Any]) -> None:
    _forget()  # the command starts afresh; this process has registered the page's passes, operators and dialects
    commands = re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]
    for command in commands:
        line, _, expected = command.partition("\n")
        result = shell.run(line)
        assert (result.status, result.out) == (0, expected), result.err
        _forget()
    for earlier in blocks():
        if (earlier.file or "").endswith(".py") and earlier.line < block.line:
            _python(earlier, namespace)


def _forget() -> None:
    registry._user.clear()
    for name in registered():
        unregister_operator(name)
    for name in OWN_LEVELS.copy():
        unregister_dialect(name)


def _toml(block: Block, namespace: dict[str, Any]) -> None:
    assert GROUP in tomllib.loads(block.text)["project"]["entry-points"]


def _mlir(block: Block, namespace: dict[str, Any]) -> None:
    assert block.file is not None
    path = Path(block.file).resolve()
    lines = shell.run_lines(path)
    if lines:
        registry._user.clear()
    for line in lines:
        result = shell.run(shell.substituted(line, path, path.parent))
        assert result.status == 0, result.err
    if lines:
        _console(Block("console", None, "", block.line), namespace)


_RUN = {"python": _python, "console": _console, "toml": _toml, "mlir": _mlir}


def test_table_of_settings_is_in_step() -> None:
    rows = [
        f"| `{key}` | {setting.type.__name__} | `{setting.default!r}` | {setting.doc} |"
        for key, setting in config.SETTINGS.items()
    ]
    written = re.findall(r"^\| `[\w.]+` \| (?:bool|int|str|list) .*$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert written == rows, "the table of settings is\n" + "\n".join(rows)
