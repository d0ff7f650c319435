"""docs/seeds.md is true: each row names a test that exists; some of a program that is refused."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
_TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
_PATH = re.compile(r"`((?:tests|lit|examples|benchmarks|docs)/[\w/.-]+)")


def rows(text: str) -> Iterator[tuple[str, str]]:
    """Yield the programs of a page's tables, and where each runs."""
    for line in text.splitlines():
        if line.startswith("| ") and not line.startswith("| program |"):
            program, where = (cell.strip() for cell in line.strip("|").split(" | "))
            yield program, where


def untrue(where: str) -> str | None:
    """Return the defect of the location that a row names, or None."""
    tests = _TEST.findall(where)
    if not tests:
        return "names no test"
    for path in _PATH.findall(where):
        if not (ROOT / path).exists():
            return f"names {path}, which does not exist"
    for path, name in tests:
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        if name not in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}:
            return f"names {name}, which {path} does not have"
    return None


ROWS = list(rows((ROOT / "docs" / "seeds.md").read_text(encoding="utf-8")))


@pytest.mark.each(("program", "where"), ROWS, ids=[program for program, _ in ROWS])
def test_a_program_has_a_test(program: str, where: str) -> None:
    assert untrue(where) is None, f"'{program}' {untrue(where)}"


def test_rows_are_found_and_what_is_untrue_is_seen() -> None:
    assert len(ROWS) > 70
    assert untrue("area: graphics cards") == "names no test"
    assert untrue("`tests/seeds/test_list.py`") == "names no test"
    assert untrue("`tests/seeds/test_list.py::test_rows_are_found_and_what_is_untrue_is_seen`") is None
    assert untrue("`tests/seeds/no.py::test_x`") == "names tests/seeds/no.py, which does not exist"
    missing = "names test_none, which tests/seeds/test_list.py does not have"
    assert untrue("`tests/seeds/test_list.py::test_none`") == missing
