"""Stubs, which show type checkers the names that modules hand on from above."""

from __future__ import annotations

import ast

import pytest
from tilewright import te
from tilewright.dialects import graph
from tilewright.tools.face_stubs import stub_path, stubs


@pytest.mark.parametrize("face", stubs())
def test_a_stub_is_what_the_tables_say(face: str) -> None:
    message = "python -m tilewright.tools.face_stubs writes it anew"
    assert stub_path(face).read_text(encoding="utf-8") == stubs()[face], message


def test_stubs_have_the_public_names() -> None:
    for face, module in (("te", te), ("dialects.graph", graph)):
        tree = ast.parse(stubs()[face])
        names = {alias.asname for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names}
        names |= {node.target.id for node in tree.body if isinstance(node, ast.AnnAssign)}  # type: ignore[union-attr]
        assert set(module.__all__) <= names
