"""The numbers in rules and in phase 0, beside the list of those that are limits of spaces.

    python tests/schedule/rule_numbers.py      # writes limits.txt anew

Facts about the machine are read from the target, and what was fitted to measurements stands in
`schedule/rules/coefficients.py`. What is left are limits of spaces: the fewest and the most of something, sizes that
are tried, and widths that an instruction or a format has. A line of limits.txt is a file and a name with its value, or
a file and the integers in its functions.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LISTED = Path(__file__).with_name("limits.txt")
FOLDERS = ("schedule/rules", "passes/phase0")
FITTED = "schedule/rules/coefficients.py"
PLAIN = {0, 1, 2, 8, -1}
"""Integers that are counted with: ends of ranges, halves, bits of a byte."""


def limits() -> list[str]:
    """Return the lines of limits.txt as the files are."""
    return [line for path in _files() for line in lines_of(path.read_text("utf-8"), str(path.relative_to(ROOT)))]


def lines_of(text: str, name: str) -> Iterator[str]:
    """Yield a line for each number that a module names, and one for the others; raise ValueError for a fraction."""
    others: set[int] = set()
    for node in ast.parse(text).body:
        named = (
            node.targets[0]
            if isinstance(node, ast.Assign)
            else node.target
            if isinstance(node, ast.AnnAssign)
            else None
        )
        numbers = [n for n in _numbers(node) if isinstance(n, float) or n not in PLAIN or named is not None]
        if named is not None and numbers:
            assert isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None
            yield f"{name} {ast.unparse(named).strip('()')} = {ast.unparse(node.value).strip('()')}"
            continue
        for number in numbers:
            if isinstance(number, float):
                raise ValueError(f"{name}: {number} in a function: name it in {FITTED}")
            others.add(number)
    if others:
        yield f"{name}: {' '.join(map(str, sorted(others)))}"


def _files() -> list[Path]:
    found = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
    return [path for path in found if str(path.relative_to(ROOT)) != FITTED]


def _numbers(node: ast.AST) -> Iterator[int | float]:
    for each in ast.walk(node):
        if isinstance(each, ast.Constant) and type(each.value) in (int, float):
            whole = isinstance(each.value, float) and each.value.is_integer()
            yield int(each.value) if whole else each.value


if __name__ == "__main__":
    LISTED.write_text("\n".join(limits()) + "\n", encoding="utf-8")
