"""Errors: codes, rendering, locations."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path

import pytest
from tilewright import te
from tilewright.diagnostics import CODES, TilewrightError, fail
from tilewright.diagnostics.locations import (
    caller_location,
    file_location,
    location_of,
    set_missing_locations,
    source_position,
)
from tilewright.diagnostics.rendering import register_source
from tilewright.diagnostics.text import did_you_mean
from tilewright.tools.explain import explain
from xdsl.builder import Builder
from xdsl.dialects import arith, builtin, func
from xdsl.dialects.builtin import FusedLoc, NameLoc, NoneAttr, StringAttr, UnknownLoc

ROOT = Path(__file__).resolve().parents[2]
RUNTIME_CODES = ROOT / "runtime" / "error_codes.py"
_CODE_ENTRY = re.compile(r'"(TW\d{4})": ErrorCode\(')
CODE_TABLES = sorted((ROOT / "diagnostics" / "code_table").glob("[a-z]*.py"))


def test_a_code_stands_in_one_table() -> None:
    """The runtime's table is written to CODES, which the others are added to."""
    tables = [import_module(f"tilewright.diagnostics.code_table.{path.stem}") for path in CODE_TABLES]
    codes = [code for table in tables for code in getattr(table, "CODES", ())]
    codes += _CODE_ENTRY.findall(RUNTIME_CODES.read_text())
    assert sorted(codes) == sorted(CODES)


def test_rendering_with_source_line_notes_and_help() -> None:
    register_source("<rendering>", "first\n  %0 = bad op\n")
    error = TilewrightError(
        "TW0103",
        "expected f32, but got f64",
        location=file_location("<rendering>", 2, 8),
        notes=["a note"],
        help="mend it",
    )
    assert str(error) == (
        "<rendering>:2:8: error[TW0103]: expected f32, but got f64\n"
        "  %0 = bad op\n"
        "       ^\n"
        "note: a note\n"
        "help: mend it"
    )


def test_rendering_without_location() -> None:
    assert str(TilewrightError("TW0201", "unknown pass 'x'", help="h")) == "error[TW0201]: unknown pass 'x'\nhelp: h"


def test_rendering_without_source_text() -> None:
    error = TilewrightError("TW0301", "message", location=file_location("/no/such/file", 3, 1), help="h")
    assert str(error) == "/no/such/file:3:1: error[TW0301]: message\nhelp: h"


def test_caret_stands_under_its_column_after_tabs() -> None:
    register_source("<tabs>", "\t\top %a")
    lines = str(TilewrightError("TW0101", "m", location=file_location("<tabs>", 1, 6))).splitlines()
    assert lines[1:3] == ["\t\top %a", "\t\t   ^"]


def test_long_lines_are_cut_and_control_characters_replaced() -> None:
    register_source("<long>", "x" * 5000 + "\x1b!" + "y" * 5000)
    line, caret = str(TilewrightError("TW0101", "m", location=file_location("<long>", 1, 5002))).splitlines()[1:3]
    assert len(line) == 160
    assert line[len(caret) - 1] == "!"
    assert line[len(caret) - 2] == "\N{REPLACEMENT CHARACTER}"


def test_fail_takes_the_location_of_an_op_or_of_one_around_it() -> None:
    module = builtin.ModuleOp([inner := arith.ConstantOp.from_int_and_width(1, 32)])
    module.location = file_location("f", 4, 2)
    with pytest.raises(TilewrightError) as info:
        fail("TW0501", "message", op=inner)
    assert source_position(info.value.location) == ("f", 4, 2)
    inner.location = file_location("f", 5, 1)
    assert location_of(inner) == file_location("f", 5, 1)


def test_unknown_code_is_a_fault_of_the_caller() -> None:
    with pytest.raises(ValueError, match="TW9999"):
        fail("TW9999", "message")


def test_source_position_looks_inside_locations() -> None:
    location = file_location("f", 1, 2)
    assert source_position(NameLoc(StringAttr("n"), location)) == ("f", 1, 2)
    assert source_position(FusedLoc([UnknownLoc(), location], NoneAttr())) == ("f", 1, 2)
    assert source_position(UnknownLoc()) is None


def test_caller_location_is_the_users_line() -> None:
    position = source_position(caller_location())
    assert position is not None
    assert position.file == __file__
    assert "caller_location()" in Path(__file__).read_text().splitlines()[position.line - 1]


def test_set_missing_locations_reaches_nested_ops_and_keeps_known_ones() -> None:
    location = file_location("f", 1, 1)

    @Builder.implicit_region([])
    def body(_: tuple[()]) -> None:
        known = arith.ConstantOp.from_int_and_width(1, 32)
        known.location = file_location("g", 2, 2)
        func.ReturnOp()

    op = func.FuncOp("f", ((), ()), body)
    set_missing_locations(op, location)
    assert [source_position(nested.location) for nested in op.walk()] == [("f", 1, 1), ("g", 2, 2), ("f", 1, 1)]


def test_did_you_mean() -> None:
    assert did_you_mean("fuze", ["fuse", "tile"]) == "; did you mean 'fuse'?"
    assert did_you_mean("size", ["sizes", "length", "sized"]) == "; did you mean 'sizes' or 'sized'?"
    assert did_you_mean("zzz", ["fuse"]) == ""


@pytest.mark.each("code", CODES)
def test_codes_are_well_formed(code: str) -> None:
    assert re.fullmatch(r"TW0[1-8]\d\d", code)
    title, explanation, *_ = CODES[code]
    assert title[0].islower() or title.split()[0].isupper()
    assert not title.endswith(".")
    assert explanation.endswith(".")
    assert len(explanation.split()) >= 4


_CODE = re.compile(r"TW0[1-8]\d\d")
_ANNOUNCED = re.compile(r"(?:error|warning|remark)\[(TW\d+)\]|expected-error.*?\{\{.*?(TW\d+)")
_MAKERS = {"fail", "remark", "TilewrightError", "Remark"}
"""Names that construct an error of a code, as opposed to expecting one."""


def test_every_code_is_raised() -> None:
    folders = {"tests", "lit", "build", "docs", "benchmarks"}  # examples raise what is for passes of users
    sources = [path for path in ROOT.rglob("*.py") if path.relative_to(ROOT).parts[0] not in folders]
    sources.append(ROOT / "include" / "tilewright.c")
    tables = {*CODE_TABLES, RUNTIME_CODES, ROOT / "diagnostics" / "codes.py"}
    raised = {code for path in _visible(sources) if path not in tables for code in _CODE.findall(path.read_text())}
    in_c = set(_CODE.findall((ROOT / "include" / "tilewright.c").read_text()))
    assert sorted(set(CODES) - raised - in_c) == []
    assert sorted(in_c - set(CODES)) == []


def test_every_code_is_expected_by_a_test() -> None:
    """In a directive of a lit file, or in a string of a test that neither makes the error nor is in a set of codes."""
    expected: set[str] = set()
    for path in _visible((ROOT / "lit").rglob("*.mlir")):
        expected |= {code for match in _ANNOUNCED.findall(path.read_text()) for code in match}
    for path in _visible((ROOT / "tests").rglob("*.py")):
        source = path.read_text()
        if expected.issuperset(_CODE.findall(source)):
            continue
        for text in _expectations(ast.parse(source)):
            expected.update(_CODE.findall(text))
    assert sorted(set(CODES) - expected) == []


def test_expectations_are_distinguished_from_makers_and_lists() -> None:
    source = """
with pytest.raises(TilewrightError, match="TW0101.*x"): f()
fail("TW0102", "message")
ALL = {"TW0103", "TW0104"}
assert error.code == "TW0105"
CASES = [(f, f"TW0106.*{x}")]
"""
    assert [code for text in _expectations(ast.parse(source)) for code in _CODE.findall(text)] == [
        "TW0101",
        "TW0105",
        "TW0106",
    ]


def _expectations(node: ast.AST) -> Iterator[str]:
    """Yield the strings of a test in which a code is expected."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    if isinstance(node, ast.Set) or (isinstance(node, ast.Call) and _name(node.func) in _MAKERS):
        return
    for child in ast.iter_child_nodes(node):
        yield from _expectations(child)


def _name(function: ast.expr) -> str | None:
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", None)


def _visible(paths: Iterable[Path]) -> Iterator[Path]:
    return (p for p in sorted(paths) if not any(part.startswith(".") for part in p.relative_to(ROOT).parts))


@pytest.mark.parametrize("written", ["TW0101", "tw0101", "0101", "101"])
def test_explain(written: str) -> None:
    text = explain(written)
    assert text.startswith("TW0101: syntax error\n\nThe text is not valid IR.")


def test_explain_lists_all_codes() -> None:
    assert len(explain(None).splitlines()) == len(CODES)


def test_explain_unknown_code() -> None:
    with pytest.raises(TilewrightError, match="TW0209.*unknown error code 'TW0198'"):
        explain("TW0198")


@pytest.mark.parametrize("module", ["", ".te", ".tir", ".runtime", ".analysis", ".backends.cuda.operations"])
def test_a_name_that_a_module_does_not_have(module: str) -> None:
    found = import_module(f"tilewright{module}")
    with pytest.raises(TilewrightError, match=f"module 'tilewright{module}' has no attribute 'convert_'") as error:
        _ = found.convert_
    assert error.value.code == "TW0225" and not hasattr(found, "convert_")
    assert getattr(found, "convert_", 3) == 3


def test_a_name_near_one_that_a_module_has() -> None:
    with pytest.raises(AttributeError, match="did you mean 'placeholder'"):
        _ = te.placehoder  # pyright: ignore[reportAttributeAccessIssue]
