"""The list of stable names is that of the code, and holds no internals."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from types import ModuleType

import pytest
import tilewright
from tilewright.classic import import_paths
from tilewright.diagnostics import CODES

from .pages import ROOT, blocks
from .public_names import LIST, find, is_module, names_of, public_names, sections

NAMES = LIST.read_text(encoding="utf-8").split()
LANGUAGE = ("tilewright.script.tir", "tilewright.script.ir")
"""The names in these are those of TVMScript, which its page lists."""
PAGES = sorted((ROOT / "docs").glob("*.md")) + sorted((ROOT / "docs" / "tutorial").glob("*.md"))


def test_the_list_is_in_step() -> None:
    current = public_names()
    gone, new = sorted({*NAMES} - {*current}), sorted({*current} - {*NAMES})
    assert current == NAMES, (
        f"gone: {gone}; new: {new}. A name that goes is deprecated first, as docs/compatibility.md says. "
        "Then run: python tests/docs/public_names.py"
    )


def test_no_internals_are_stable() -> None:
    modules, single = sections()
    for name in NAMES:
        assert not any(part.startswith("_") for part in name.split(".")), name
        owner = name.rpartition(".")[0]
        assert owner in modules or name in single or owner == "tilewright.Schedule", f"{name}: no table lists {owner}"
        assert not is_module(find(name)), name


def test_every_part_of_the_front_door_is_listed() -> None:
    modules, _ = sections()
    assert {f"tilewright.{name}" for name in (*tilewright._MODULES, *import_paths.MODULES)} <= {*modules}
    assert {f"tilewright.{name}" for name in tilewright._EXPORTS} <= {*NAMES}


def test_names_without_a_list_are_those_loaded_on_first_use() -> None:
    assert {"carried", "proves", "Access"} <= {*names_of("tilewright.analysis")}
    assert {"exp", "Schedule", "decl_buffer"} <= {*names_of("tilewright.tir")}
    assert not {"compute", "unknown_name", "Any"} & {*names_of("tilewright.tir")}
    assert {*names_of("tilewright.dialects.te")} >= {"ComputeOp", "ReadOp"}


@pytest.mark.each("page", PAGES, ids=lambda page: page.stem)
def test_pages_import_stable_names_alone(page: Path) -> None:
    stable = {*NAMES, *sections()[0], *LANGUAGE}
    for block in blocks(page):
        for node in ast.walk(ast.parse(block.text if block.language == "python" else "")):
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "tilewright":
                imported = {_stated(f"{node.module}.{alias.name}") for alias in node.names}
                assert imported <= stable, (page.name, block.line)


def _stated(name: str) -> str:
    """Return the name of a module that a face hands on, such as `tilewright.passes.editor`, as the page lists it."""
    found = find(name) if name.startswith("tilewright.passes.") else None
    return found.__name__ if isinstance(found, ModuleType) else name


def test_codes_that_the_page_names_are_known() -> None:
    text = (ROOT / "docs" / "compatibility.md").read_text(encoding="utf-8")
    assert set(re.findall(r"TW\d{4}", text)) <= {*CODES}
