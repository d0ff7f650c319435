"""The runner of lit files: what makes a file fail, and what of the shell it knows."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from lit_suite import LIT_FILES, LIT_ROOT, SUITE
from tilewright.tools.lit_kit import runner, shell
from tilewright.tools.lit_kit.cases import LitFailure
from tilewright.tools.lit_kit.shell import Result, UnknownSyntax

FUNCTION = "func.func @f(%A: memref<8xf32>) {\n  return\n}\n"
RIGHT = f"// RUN: opt-tool %s | filecheck %s\n// CHECK: func.func @f(\n{FUNCTION}"


def ran(tmp_path: Path, text: str) -> None:
    path = tmp_path / "file.mlir"
    path.write_text(text)
    runner.run_file(path, SUITE, tmp_path)


def test_llvms_runner_finds_the_same_files() -> None:
    command = [sys.executable, "-c", "from lit.main import main; main()", "--show-tests", str(LIT_ROOT)]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    expected = {str(path.relative_to(LIT_ROOT)) for path in LIT_FILES}
    assert set(re.findall(r"^  tilewright :: (\S+)$", shown, re.MULTILINE)) == expected


def test_a_file_whose_checks_hold_passes(tmp_path: Path) -> None:
    ran(tmp_path, RIGHT)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(RIGHT.replace("CHECK: func.func @f", "CHECK: func.func @g"), id="CHECK"),
        pytest.param(RIGHT + "// CHECK-NOT: return\n", id="CHECK-NOT"),
        pytest.param(RIGHT.replace("| filecheck %s", "| filecheck %s --check-prefix NONE"), id="no directive"),
        pytest.param(RIGHT.replace("opt-tool %s", "opt-tool --frob %s"), id="status"),
        pytest.param(RIGHT.replace("opt-tool", "not opt-tool"), id="not"),
        pytest.param(RIGHT.replace("return", "nothing.known"), id="invalid IR"),
        pytest.param(RIGHT.replace("| filecheck %s", "| cat %t.none | filecheck %s"), id="no such file"),
        pytest.param("// RUN: opt-tool --pass cse %s && false\n" + RIGHT, id="and"),
        pytest.param("// RUN: opt-tool --frob %s | cat\n" + RIGHT, id="first of a pipeline"),
        pytest.param("// RUN: opt-tool %s -o %t.mlir \\\n// RUN: && opt-tool %t.none\n" + RIGHT, id="continued"),
        pytest.param("// RUN: opt-tool --verify-diagnostics %s\n// expected-error @+1 {{TW}}\n" + FUNCTION, id="error"),
        pytest.param(FUNCTION, id="no RUN line"),
    ],
)
def test_a_file_fails(tmp_path: Path, text: str) -> None:
    with pytest.raises((AssertionError, FileNotFoundError)):
        ran(tmp_path, text)


@pytest.mark.parametrize(
    "line",
    [
        "RUN: opt-tool %s &",
        "RUN: opt-tool %s |",
        "RUN: | opt-tool %s",
        "RUN: opt-tool %s >& %t",
        "RUN: opt-tool %s << END",
        "RUN: (opt-tool %s)",
        "RUN: no-such-tool %s",
        "RUN: not no-such-tool %s",
        "RUN: not --crash opt-tool %s",
        "RUN: not",
        "RUN: opt-tool %{basename}",
        "RUN: opt-tool %T/x",
        "RUN: opt-tool %s \\",
        "REQUIRES: cuda",
        "XFAIL: *",
        "DEFINE: %{x} = y",
        "END.",
    ],
)
def test_what_is_not_known_is_refused(tmp_path: Path, line: str) -> None:
    with pytest.raises(UnknownSyntax):
        ran(tmp_path, f"{RIGHT}// {line}\n")


def test_pipes_and_negation() -> None:
    assert shell.run("not opt-tool --frob 2>&1 | cat").out.startswith("error[TW0209]: opt-tool: unknown argument")
    assert shell.run("opt-tool --frob").status == 2
    assert shell.run("not opt-tool --frob").status == 0
    assert shell.run("opt-tool --frob && opt-tool --version").out == ""
    assert shell.run("opt-tool --frob || opt-tool --version").out.startswith("tilewright ")


def test_other_commands_are_started() -> None:
    assert shell.run("printf 'a\\nb\\n' | grep b; echo c") == Result(0, "b\nc\n", "")
    assert shell.run("false | cat").status == 1
    assert shell.run("ls /none || echo c").out == "c\n"


def test_redirections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert shell.run("printf a > x && printf b >> x && cat < x && cat ?") == Result(0, "abab", "")
    assert shell.run("not ls none 2> err") == Result(0, "", "") and "none" in Path("err").read_text()
    assert shell.run("not opt-tool --frob &> both; cat both").out.startswith("error[TW0209]")
    assert "none" in shell.run("not ls none 2>&1").out


FIRES = """// RUN: opt-tool --pass cse %s | filecheck %s
// CASE {kind}: a.
// CHECK-LABEL: @f(
func.func @f(%A: memref<8xf32>) -> f32 {{
  %0 = arith.constant 1.0 : f32
  %1 = arith.constant {second} : f32
  %2 = arith.addf %0, %1 : f32
  return %2 : f32
}}
"""


@pytest.mark.parametrize(
    ("kind", "second", "is_so"),
    [
        ("fires", "1.0", True),
        ("fires", "2.0", False),
        ("leaves alone", "2.0", True),
        ("leaves alone", "1.0", False),
        ("errs", "1.0", False),
        ("remarks", "1.0", False),
    ],
)
def test_cases_are_compared_with_what_ran(tmp_path: Path, kind: str, second: str, is_so: bool) -> None:
    path = tmp_path / "cse-equal.mlir"
    path.write_text(FIRES.format(kind=kind, second=second))
    if is_so:
        runner.run_file(path, SUITE, tmp_path)
    else:
        with pytest.raises(LitFailure, match="cse-equal.mlir:2: expected"):
            runner.run_file(path, SUITE, tmp_path)


def test_a_file_with_cases_is_about_a_pass(tmp_path: Path) -> None:
    path = tmp_path / "mine.mlir"
    path.write_text(FIRES.format(kind="fires", second="1.0"))
    with pytest.raises(LitFailure, match="mine.mlir: expected a file with cases to begin with the name of the pass"):
        runner.run_file(path, SUITE, tmp_path)
