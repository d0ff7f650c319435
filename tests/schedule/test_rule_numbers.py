"""Every number of a rule is a fact of the target, a fitted coefficient, or listed as a limit of a space."""

from __future__ import annotations

import ast
import re

import pytest

from . import rule_numbers


def test_what_is_no_coefficient_is_listed_as_a_limit() -> None:
    listed = rule_numbers.LISTED.read_text("utf-8").splitlines()
    assert rule_numbers.limits() == listed, (
        "a fitted number goes to coefficients.py, a limit of a space into limits.txt"
    )


def test_coefficients_are_used_and_say_what_they_are() -> None:
    text = (rule_numbers.ROOT / rule_numbers.FITTED).read_text("utf-8")
    body = ast.parse(text).body[1:]
    named = [node for node in body if isinstance(node, ast.Assign)]
    names = [name for node in named for name in re.findall(r"[A-Z][A-Z_]+", ast.unparse(node.targets[0]))]
    assert len(names) > 60 and len(set(names)) == len(names)
    for node, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.Assign):
            assert isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant), ast.unparse(node)
    folders = [rule_numbers.ROOT / folder for folder in rule_numbers.FOLDERS]
    paths = [p for folder in folders for p in folder.rglob("*.py") if p.name != "coefficients.py"]
    used = {word for path in paths for word in re.findall(r"\b[A-Z][A-Z_]+\b", path.read_text("utf-8"))}
    assert not set(names) - used


def test_a_fraction_in_a_function_is_refused() -> None:
    source = 'MOST = 4\n"""Rows."""\n\n\ndef cost(rows):\n    return rows * 3 + 16\n'
    assert [*rule_numbers.lines_of(source, "rule.py")] == ["rule.py MOST = 4", "rule.py: 3 16"]
    with pytest.raises(ValueError, match=r"0\.75 in a function: name it in"):
        list(rule_numbers.lines_of(source.replace("16", "0.75"), "rule.py"))
