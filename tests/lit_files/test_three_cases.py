"""Every pass has a case that it changes, one that it leaves alone and one that it refuses, and each is what it says."""

from __future__ import annotations

import importlib.util
import re
import sys
from functools import cache
from pathlib import Path

import pytest
from tilewright.passes.registry import BUILTIN, get_pass


def _load(name: str):
    spec = importlib.util.spec_from_file_location(f"lit_{name}", Path(__file__).with_name(f"{name}.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


shell = _load("shell")
lit = _load("cases")

FILES = [path for path in shell.lit_files() if path.parent.name.startswith("phase") and lit.pass_of(path)]


@cache
def files_of(name: str) -> list[Path]:
    return [path for path in FILES if lit.pass_of(path) == name]


@pytest.mark.parametrize("name", BUILTIN)
def test_pass_has_three_cases(name: str) -> None:
    found = {case.kind for path in files_of(name) for case in lit.cases_of(path.read_text(encoding="utf-8"))}
    assert lit.FIRES in found, f"expected a lit file of '{name}' with a comment '// CASE fires: ...'"
    assert lit.LEAVES_ALONE in found, f"expected a lit file of '{name}' with a comment '// CASE leaves alone: ...'"
    assert found & {lit.ERRS, lit.REMARKS}, f"expected a lit file of '{name}' with a comment '// CASE errs: ...'"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(shell.LIT_ROOT)))
def test_cases_are_what_they_say(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    name = lit.pass_of(path)
    text = path.read_text(encoding="utf-8")
    assert path.parent.name == f"phase{get_pass(name).phase}"
    assert not lit.malformed_cases(text)
    lines = [shell.substituted(line, path, tmp_path) for line in shell.run_lines(path)]
    runs = [outcomes for line in lines if (outcomes := lit.outcomes(line, path, name))]
    for case in lit.cases_of(text):
        outcomes = [run[min(case.part, len(run) - 1)] for run in runs]
        where = f"{path.name}:{case.line}: "
        _CHECKS[case.kind](where, name, case, text, outcomes)


def _check_fires(where: str, name: str, case, text: str, outcomes: list) -> None:
    assert any(_changed(case, outcome) for outcome in outcomes), f"{where}expected '{name}' to change it"
    assert case.is_checked, f"{where}expected CHECK lines that say what it becomes"


def _check_leaves_alone(where: str, name: str, case, text: str, outcomes: list) -> None:
    assert any(outcome.changes for outcome in outcomes), f"{where}expected '{name}' to run"
    assert not any(_changed(case, outcome) for outcome in outcomes), f"{where}expected '{name}' to leave it alone"


def _check_errs(where: str, name: str, case, text: str, outcomes: list) -> None:
    errors = [outcome.error for outcome in outcomes if outcome.is_announced and outcome.error is not None]
    said = ["\n".join([error.message, *error.notes]) for error in errors]
    assert any(f"pass '{name}" in words for words in said), f"{where}expected an error of '{name}', but got {said}"


def _check_remarks(where: str, name: str, case, text: str, outcomes: list) -> None:
    said = {code for outcome in outcomes for code in re.findall(r"remark\[(TW\d+)\]", outcome.stderr)}
    prefixes = "|".join(lit.prefixes_of(text))
    expected = set(re.findall(rf"^\s*// (?:{prefixes})[A-Z-]*: .*remark\[(TW\d+)\]", text, re.MULTILINE))
    assert said & expected, f"{where}expected a remark of {sorted(expected)}, but got {sorted(said)}"


_CHECKS = {
    lit.FIRES: _check_fires,
    lit.LEAVES_ALONE: _check_leaves_alone,
    lit.ERRS: _check_errs,
    lit.REMARKS: _check_remarks,
}


def _changed(case, outcome) -> bool:
    return any(before.get(case.function) != after.get(case.function) for before, after in outcome.changes)


@pytest.mark.parametrize("name", ["fuse-te", "lower-te-invalid", "simplify-inference", "fuse", "levels"])
def test_file_belongs_to_the_longest_name(name: str) -> None:
    expected = {
        "fuse-te": "fuse",
        "lower-te-invalid": "lower-te",
        "simplify-inference": "simplify-inference",
        "fuse": "fuse",
        "levels": None,
    }
    assert lit.pass_of(Path(f"lit/phase0/{name}.mlir")) == expected[name]


def test_malformed_announcements_are_found() -> None:
    assert lit.malformed_cases("// CASE fires: a\n// CASE fire: b\n//CASE errs\n") == ["// CASE fire: b", "//CASE errs"]


def test_case_belongs_to_the_function_below_in_its_part() -> None:
    text = (
        "// CASE fires: a\n// CHECK: x\nfunc.func @f() {\n}\n// CASE leaves alone: b\n// -----\nfunc.func @g() {\n}\n"
    )
    first, second = lit.cases_of(text)
    assert (first.function, first.part, first.is_checked) == ("f", 0, True)
    assert (second.function, second.part, second.is_checked) == ("", 0, False)
