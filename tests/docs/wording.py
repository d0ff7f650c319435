"""Docstrings and identifiers against docs/glossary.md.

python tests/docs/wording.py      # prints the offenders of all sources; the exit status is 1 if there are any
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GLOSSARY = ROOT / "docs" / "glossary.md"
REPLACED = "## Words that are replaced"
"""The heading of the glossary's table whose first column holds the replaced words."""
QUESTION = re.compile(r"(What|Which|Whether|Where|How|Those)\b")
NOUN_PHRASE = re.compile(r"(The|An?|All|Another|Both|Each|Every|Its|One|That|These|This|True|Two)\b")
"""The beginning of a docstring that is no verb. ruff's rule D401 knows more of them."""
PROPERTIES = {"property", "cached_property"}
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
"""A word of an identifier in snake case or in camel case."""
OUTSIDE = {"build", "node_modules"}

Uses = Counter[tuple[str, str]]
"""Uses by kind and text."""


def replaced_words() -> set[tuple[str, ...]]:
    """Return the words and phrases of the glossary's table of replaced words, each as its words in lower case."""
    table = GLOSSARY.read_text("utf-8").split(REPLACED)[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("|")][2:]
    return {tuple(phrase.lower().split()) for row in rows for phrase in row.split(",")}


def sources() -> Iterator[Path]:
    """Yield the project's Python files."""
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).parts
        if parts[0] not in OUTSIDE and not any(part.startswith(".") for part in parts):
            yield path


def offenders(text: str, words: set[tuple[str, ...]]) -> Uses:
    """Return the docstrings of the source `text` that begin with a question word, those of functions that begin with a
    noun phrase, and its definitions of identifiers that contain one of `words`."""
    found: Uses = Counter()
    for node in ast.walk(ast.parse(text)):
        found.update(("docstring", first) for first in _docstrings(node) if QUESTION.match(first))
        found.update(("function", first) for first in _docstrings_of_functions(node) if NOUN_PHRASE.match(first))
        found.update(("identifier", name) for name in _identifiers(node) if _contains(name, words))
    return found


def _docstrings(node: ast.AST) -> Iterator[str]:
    """Yield the first line of the docstring of `node` and of those of the values that it assigns."""
    if not isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
        return
    if text := ast.get_docstring(node):
        yield text.splitlines()[0]
    for assigned, after in zip(node.body, node.body[1:], strict=False):
        if isinstance(assigned, (ast.Assign, ast.AnnAssign)) and isinstance(after, ast.Expr):
            value = after.value
            if isinstance(value, ast.Constant) and isinstance(value.value, str) and value.value.strip():
                yield value.value.strip().splitlines()[0]


def _docstrings_of_functions(node: ast.AST) -> Iterator[str]:
    """Yield the first line of the docstring of `node`, if it is a function, and neither a property nor a test."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not node.name.startswith("test_"):
        decorators = {ast.unparse(each).rpartition(".")[2] for each in node.decorator_list}
        if (text := ast.get_docstring(node)) and not PROPERTIES & decorators:
            yield text.splitlines()[0]


def _identifiers(node: ast.AST) -> Iterator[str]:
    """Yield the identifier that `node` defines."""
    if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
        yield node.name
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, ast.arg):
        yield node.arg


def _contains(identifier: str, words: set[tuple[str, ...]]) -> bool:
    """Return whether an identifier contains one of `words` outside of the term "in place"."""
    lower = identifier.lower()
    if not any(word[0] in lower for word in words):
        return False
    parts = [part.lower() for part in WORD.findall(identifier)]
    found = (i for word in words for i in range(len(parts)) if tuple(parts[i : i + len(word)]) == word)
    return any(parts[i] != "place" or parts[max(i - 1, 0)] != "in" for i in found)


def uses() -> Uses:
    """Return the offenders of all sources."""
    words = replaced_words()
    return sum((offenders(path.read_text("utf-8"), words) for path in sources()), Counter())


if __name__ == "__main__":
    found = [f"{kind}: {text}" for kind, text in sorted(uses())]
    print("\n".join(found))
    sys.exit(1 if found else 0)
