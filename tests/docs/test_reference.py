"""The reference has an entry for everything that users can name, and answers on the terminal."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest
from tilewright.diagnostics import CODES, TilewrightError
from tilewright.dialects import DIALECTS, context, factory
from tilewright.passes.framework.registry import pass_names
from tilewright.schedule.methods import DeclaredMethods
from tilewright.tools.cli import main
from tilewright.tools.explain import explain, search_reference
from tilewright.tools.reference import Kind, entries, find, search, write_pages
from xdsl.parser import Parser

from .public_names import is_module, names_of

NAMES = {(entry.kind, entry.name) for entry in entries()}
FENCED = re.compile(r"```mlir\n(.*?)```", re.DOTALL)


def test_every_operation_has_an_entry() -> None:
    for dialect in DIALECTS:
        for operation in factory(dialect)().operations:
            assert (Kind.OPERATION, operation.name) in NAMES


@pytest.mark.parametrize(("kind", "names"), [
    (Kind.PASS, pass_names()),
    (Kind.PRIMITIVE, sorted(name for name in vars(DeclaredMethods) if not name.startswith("_"))),
    (Kind.CODE, sorted(CODES)),
])  # fmt: skip
def test_everything_that_has_a_name_has_an_entry(kind: Kind, names: list[str]) -> None:
    assert {name for of, name in NAMES if of is kind} == set(names)


def test_entries_say_something() -> None:
    for entry in entries():
        assert entry.text.strip(), entry.name
        assert entry.sentence and "\n" not in entry.sentence, entry.name


def test_an_entry_shows_operands_properties_and_the_fusion_kind() -> None:
    (entry,) = find("graph.conv2d")
    assert "| `bias` | operand, optional |" in entry.text
    assert "| `groups` | property, `1 : i64` unless given |" in entry.text
    assert "Fusion kind: complex-out-fusable" in entry.text
    assert "Accumulator: float32 for float16 and bfloat16" in entry.text
    (entry,) = find("graph.relu")
    assert "Fusion kind: injective (elementwise)" in entry.text and "Accumulator" not in entry.text


def test_a_pass_shows_options_and_its_position() -> None:
    (entry,) = [e for e in find("vectorize") if e.kind is Kind.PASS]
    assert "- Phase 2. Levels: loop." in entry.text and "| `width` |" in entry.text


def test_names_are_found_with_and_without_their_module() -> None:
    assert {entry.kind for entry in find("tile")} == {Kind.PASS, Kind.PRIMITIVE, Kind.OPERATION, Kind.NAME}
    assert [entry.name for entry in find("matmul") if entry.kind is Kind.OPERATION] == ["graph.matmul"]
    assert [entry.name for entry in find("te.compute") if entry.kind is Kind.NAME] == ["tilewright.te.compute"]


FACES = ("passes", "ir", "ir.editor", "analysis", "schedule", "dialects.graph", "dialects.te", "dialects.loop")


def test_names_for_those_who_write_passes_are_found() -> None:
    """Every name that a face exports, by the name under which a pass imports it."""
    missing = [
        f"{face}.{name}"
        for face in FACES
        for name in names_of(f"tilewright.{face}")
        if not is_module(getattr(import_module(f"tilewright.{face}"), name)) and not find(f"{face}.{name}")
    ]
    assert not missing


def test_explain_gives_signature_docstring_and_page() -> None:
    text = explain("may_rewrite")
    assert "may_rewrite(rewrite: str, op: Operation, *, is_needed: bool = False) -> bool\n" in text
    assert "Return whether a pass may change `op`, and count the change." in text
    assert text.endswith("Page: reference/api-tilewright-passes.html#api-tilewright-passes-may-rewrite")
    assert explain("passes.editor.replace") == explain("tilewright.ir.editor.replace")
    assert explain("passes.register_pass") == explain("tilewright.register_pass")
    assert "PadOp.of(x, *, before, after, value=..., mode=...)" in explain("graph.PadOp")
    assert "ForOp(\n    lower: IndexLike | Sequence[IndexLike],\n" in explain("loop.ForOp")


def test_signatures_have_lines_of_a_page() -> None:
    signatures = [e.text.split("```")[1].splitlines()[1:] for e in entries() if e.text.startswith("```python")]
    assert len(signatures) > 500
    calls = [lines for lines in signatures if len(lines) == 1]
    assert max(len(line) for (line,) in calls) <= 88


def test_passes_stand_in_the_order_of_phases(tmp_path: Path) -> None:
    write_pages(tmp_path)
    listed = re.findall(r"^passes-(phase-\d)$", (tmp_path / "passes.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert listed == ["phase-0", "phase-1", "phase-2", "phase-3"]


def test_search_ranks_names_before_sentences_before_texts() -> None:
    found = [entry.name for entry in search("vectorize")]
    assert found[0] == "vectorize" and len(found) > 3
    assert all("shared" in f"{e.name} {e.sentence} {e.text}".lower() for e in search("shared memory"))


QUESTIONS = {
    "loop interchange": "reorder",
    "canonicalize": "simplify",
    "loop-invariant code motion": "hoist",
    "licm": "hoist",
    "bufferized": "lower-te",
    "linalg.generic": "convert-linalg",
    "mem2reg": "expand-registers",
    "unroll and jam": "unroll",
    "tensor core": "tensorize",
    "cse": "cse",
    "dead code": "dead-code",
    "software pipeline": "software-pipeline",
    "shared memory": "assign-shared-offsets",
    "threadidx": "bind",
    "mask": "vectorize",
    "alias": "note-aliases",
    "register dialect": "tilewright.register_dialect",
    "register pass": "tilewright.register_pass",
    "affine": "convert-affine",
    "tile": "tile",
}
"""Questions of readers in MLIR's terms, and the entries that answer them."""


@pytest.mark.each(("words", "name"), QUESTIONS.items())
def test_words_of_mlir_are_found(words: str, name: str) -> None:
    assert name in [entry.name for entry in search(words)[:4]]


def test_the_terminal_answers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "graph.matmul"]) == 0
    assert capsys.readouterr().out.startswith("graph.matmul (operations)\n\n")
    assert main(["explain", "--search", "vectorize"]) == 0
    assert capsys.readouterr().out.splitlines()[0].startswith("vectorize ")
    assert explain("104").startswith("TW0104: ")


def test_what_is_not_there_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(TilewrightError, match="TW0209.*no 'graph.conv4d'; did you mean 'graph.conv"):
        explain("graph.conv4d")
    with pytest.raises(TilewrightError, match="TW0209.*says nothing of 'zzzz'"):
        search_reference("zzzz")


def test_pages_hold_every_entry(tmp_path: Path) -> None:
    pages = write_pages(tmp_path)
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert sorted(headings) == sorted(entry.name for entry in entries())
    assert not re.search(r"[^\n]\n```mlir", text), "a fence without an empty line before it"


def test_modules_in_entries_parse() -> None:
    shown = [text for entry in entries() if entry.kind is Kind.OPERATION for text in FENCED.findall(entry.text)]
    whole = [text for text in shown if text.startswith(("func.func", "builtin.module"))]
    for text in whole:
        Parser(context(), text).parse_module().verify()
    assert len(shown) > 100
