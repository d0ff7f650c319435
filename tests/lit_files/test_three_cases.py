"""Every pass has a case that it changes, one that it leaves alone and one that it refuses."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from lit_suite import LIT_FILES
from tilewright.passes.framework.registry import BUILTIN
from tilewright.tools.lit_kit import cases


@cache
def files_of(name: str) -> list[Path]:
    return [path for path in LIT_FILES if path.parent.name.startswith("phase") and cases.pass_of(path, BUILTIN) == name]


@pytest.mark.each("name", BUILTIN)
def test_pass_has_three_cases(name: str) -> None:
    found = {case.kind for path in files_of(name) for case in cases.cases_of(path.read_text(encoding="utf-8"))}
    assert cases.FIRES in found, f"expected a lit file of '{name}' with a comment '// CASE fires: ...'"
    assert cases.LEAVES_ALONE in found, f"expected a lit file of '{name}' with a comment '// CASE leaves alone: ...'"
    assert found & {cases.ERRS, cases.REMARKS}, f"expected a lit file of '{name}' with a comment '// CASE errs: ...'"


@pytest.mark.parametrize("name", ["fuse-te", "lower-te-invalid", "simplify-inference", "fuse", "levels"])
def test_file_belongs_to_the_longest_name(name: str) -> None:
    expected = {
        "fuse-te": "fuse",
        "lower-te-invalid": "lower-te",
        "simplify-inference": "simplify-inference",
        "fuse": "fuse",
        "levels": None,
    }
    assert cases.pass_of(Path(f"lit/phase0/{name}.mlir"), BUILTIN) == expected[name]


def test_malformed_announcements_are_found() -> None:
    assert cases.malformed_cases("// CASE fires: a\n// CASE fire: b\n//CASE errs\n") == [
        "// CASE fire: b",
        "//CASE errs",
    ]


def test_case_belongs_to_the_function_below_in_its_part() -> None:
    text = (
        "// CASE fires: a\n// CHECK: x\nfunc.func @f() {\n}\n// CASE leaves alone: b\n// -----\nfunc.func @g() {\n}\n"
    )
    first, second = cases.cases_of(text)
    assert (first.function, first.part, first.is_checked) == ("f", 0, True)
    assert (second.function, second.part, second.is_checked) == ("", 0, False)
