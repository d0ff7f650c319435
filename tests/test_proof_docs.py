"""The blocks of docs/proof.md: they run in order, in one folder, and print what they show."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from tilewright.analysis.equivalence import Axiom
from tilewright.diagnostics import CODES
from tilewright.passes import registry
from tilewright.passes.base import algebra_of
from tilewright.passes.registry import get_pass
from tilewright.tools.lit_kit import shell

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "proof.md"
TEXT = PAGE.read_text(encoding="utf-8")
_BLOCK = re.compile(r"^```(?P<language>\w+)(?: (?P<file>\S+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


STATUS = {
    "opt-tool --load my_passes.py --validate --": 0,
    "opt-tool --load my_passes.py --validate=symbolic": 1,
    "opt-tool --load my_passes.py --bisect": 0,
    "tilewright prove left.mlir right.mlir --reassociates": 0,
    "tilewright prove left.mlir right.mlir": 1,
}
"""The exit status of the page's commands by how they begin."""


def _shows(expected: str, got: str) -> bool:
    """Whether a command wrote what the page shows; `…` stands for anything, also for lines."""
    pattern = re.escape(expected).replace(re.escape("\n…\n"), "\n(?:.*\n)*").replace("…", ".*")
    return re.fullmatch(pattern, got) is not None


def test_every_block_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"])
    monkeypatch.setattr(registry, "_user", {})
    for match in _BLOCK.finditer(TEXT):
        language, file, text = match["language"], match["file"], match["text"]
        if file is not None:
            Path(file).write_text(text, encoding="utf-8")
        elif language == "console":
            _console(text)
        else:
            namespace: dict[str, Any] = {"__name__": "proof_page"}
            line = TEXT.count("\n", 0, match.start()) + 1
            exec(compile("\n" * line + text, str(PAGE), "exec"), namespace)


def _console(text: str) -> None:
    for command in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        line, _, expected = command.partition("\n")
        registry._user.clear()  # pyright: ignore[reportPrivateUsage]  (the command starts afresh)
        result = shell.run(f"{line} 2>&1")
        assert _shows(expected, result.out), f"{line}\n{result.out}"
        assert result.status == next(status for start, status in STATUS.items() if line.startswith(start)), line


def test_what_is_compared_with_the_page_can_differ() -> None:
    assert _shows("a … b\n…\nc\n", "a 1 b\nx\ny\nc\n") and _shows("a … b\n…\nc\n", "a 1 b\nc\n")
    assert not _shows("a … b\n", "a 1 c\n") and not _shows("a\n…\nc\n", "a\nb\n") and not _shows("a\n", "a\nb\n")


def test_what_the_page_names_exists() -> None:
    for code in set(re.findall(r"TW0\d{3}", TEXT)):
        assert code in CODES
    rows = re.findall(r"^\| `(\w+) = (.*?)` \| .* \| (.*) \|$", TEXT, re.MULTILINE)
    assert {name for name, _, _ in rows} == {"reassociates", "contracts", "axioms"}
    labels = {label for _, value, _ in rows for label in re.findall(r'"([\w-]+)"', value)}
    assert labels == {axiom.label for axiom in Axiom}
    for name, value, users in rows:
        for user in re.findall(r"`([a-z-]+)`", users):
            declared = algebra_of(get_pass(user))
            given = eval(value)
            if name == "axioms":
                assert {axiom.label for axiom in declared.axioms} >= set(given)
            else:
                assert getattr(declared, name) == given
