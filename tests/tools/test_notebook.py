"""Coloured programs: the lexer, and what notebooks show."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
import tilewright
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Error, Keyword, Name, Number, String
from tilewright import te
from tilewright.tools.notebook.lexer import MlirLexer

LIT = Path(__file__).resolve().parents[2] / "lit"
TAGS = re.compile(r"<[^>]*>")

LINE = '%c = loop.load %A[%i * 4] attributes {tw.note = "x"} : memref<8x?xbf16, "shared"> // why'


def test_kinds_of_words() -> None:
    found = [(kind, text) for kind, text in MlirLexer().get_tokens(LINE) if text.strip()]
    for kind, text in (
        (Name.Variable, "%c"),
        (Keyword, "loop.load"),
        (Number.Integer, "4"),
        (Name, "attributes"),
        (Keyword, "tw.note"),
        (String.Double, '"x"'),
        (Keyword.Type, "memref"),
        (Number.Integer, "?"),
        (Keyword.Type, "bf16"),
        (Comment.Single, "// why"),
    ):
        assert (kind, text) in found


@pytest.mark.each("path", sorted(LIT.rglob("*.mlir")), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_lit_file_is_read(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    tokens = list(MlirLexer(stripnl=False, ensurenl=False).get_tokens(text))
    assert "".join(part for _, part in tokens) == text
    assert [part for kind, part in tokens if kind is Error] == []


def test_pygments_knows_it() -> None:
    assert isinstance(get_lexer_by_name("tilewright"), MlirLexer)


def scheduled() -> tilewright.Schedule:
    a = te.placeholder((8, 16), name="A")
    b = te.compute((8, 16), lambda i, j: a[i, j] * 2.0, name="B")
    schedule = tilewright.Schedule(te.create_prim_func([a, b]))
    schedule.split(schedule.get_loop("i"), factors=[None, 4])
    return schedule


def shown(html: str) -> str:
    return unescape(TAGS.sub("", html))


def test_a_module_folds_by_function() -> None:
    module = scheduled().mod
    html = module._repr_html_()  # pyright: ignore[reportPrivateUsage]
    assert html.count("<details open><summary>@") == len(module) == html.count("</details>")
    (function,) = module.functions.values()
    assert str(function) in shown(html)


def test_a_schedule_shows_its_function_and_its_calls() -> None:
    schedule = scheduled()
    html = schedule._repr_html_()  # pyright: ignore[reportPrivateUsage]
    assert schedule.trace.as_python().strip() in shown(html) and "2 calls" in html
    assert schedule.trace._repr_html_() in html  # pyright: ignore[reportPrivateUsage]


def test_long_functions_are_folded() -> None:
    lines = "\n".join(f"  %c{n} = arith.constant {n} : i32" for n in range(60))
    text = f"func.func @long() {{\n{lines}\n  func.return\n}}\nfunc.func @short() {{\n  func.return\n}}\n"
    from tilewright.dialects import context
    from tilewright.dialects.ir_module import IRModule
    from xdsl.parser import Parser

    html = IRModule(Parser(context(), text).parse_module())._repr_html_()  # pyright: ignore[reportPrivateUsage]
    assert "<details><summary>@long: 61 operations" in html and "<details open><summary>@short: 1 operation<" in html
