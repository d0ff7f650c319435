"""Lit files of a project: the pytest plugin, `tilewright init-lit`, `update-checks` and `not`."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib import reload
from pathlib import Path

import pytest
from lit_suite import LIT_ROOT
from tilewright.diagnostics import TilewrightError
from tilewright.tools.cli import main
from tilewright.tools.lit_kit import shell
from tilewright.tools.lit_kit.suite import Suite, suite_of
from tilewright.tools.lit_kit.update import update_file

RUN = "// RUN: opt-tool --pass cse %s | filecheck %s\n"
SQUARE = """\
func.func private @square(%x: f32) -> f32 {
  %a = arith.addf %x, %x : f32  // twice
  %b = arith.addf %x, %x : f32
  %c = arith.mulf %a, %b : f32
  func.return %c : f32
}
"""
CHECKS = """\
// CHECK-LABEL: func.func private @square(
// CHECK-SAME:    %[[X:.*]]: f32) -> f32 {
// CHECK-NEXT:    %[[A:.*]] = arith.addf %[[X]], %[[X]] : f32
// CHECK-NEXT:    %[[C:.*]] = arith.mulf %[[A]], %[[A]] : f32
// CHECK-NEXT:    func.return %[[C]] : f32
"""


def updated(tmp_path: Path, text: str, *, anew: bool = False) -> str:
    """Return an updated file; a second update changes nothing."""
    path = tmp_path / "file.mlir"
    path.write_text(text)
    update_file(path, anew=anew)
    once = path.read_text()
    assert not update_file(path, anew=anew) and path.read_text() == once
    return once


def test_checks_are_written_in_front_of_functions(tmp_path: Path) -> None:
    text = f"{RUN}\n// A sum is made once.\n{SQUARE}"
    assert updated(tmp_path, text) == f"{RUN}\n// A sum is made once.\n{CHECKS}{SQUARE}"


def test_old_checks_are_replaced_and_comments_stay(tmp_path: Path) -> None:
    old = "// CHECK-LABEL: @square(\n// Why.\n// CHECK-COUNT-2: arith.addf\n"
    assert updated(tmp_path, f"{RUN}\n{old}{SQUARE}// CHECK: }} end\n") == f"{RUN}\n// Why.\n{CHECKS}{SQUARE}"


def test_checks_that_hold_stay_unless_all_are_asked_for(tmp_path: Path) -> None:
    other = SQUARE.replace("square", "other")
    kept = "// CHECK-LABEL: @square(\n// CHECK-COUNT-1: arith.addf\n// CHECK-NOT: addf\n"
    text = f"{RUN}\n{kept}{SQUARE}\n// CHECK-LABEL: @wrong(\n{other}"
    others = CHECKS.replace("square", "other")
    assert updated(tmp_path, text) == f"{RUN}\n{kept}{SQUARE}\n{others}{other}"
    assert updated(tmp_path, f"{RUN}\n{kept}{SQUARE}") == f"{RUN}\n{kept}{SQUARE}"
    assert updated(tmp_path, text, anew=True) == f"{RUN}\n{CHECKS}{SQUARE}\n{others}{other}"


def test_parts_prefixes_and_errors(tmp_path: Path) -> None:
    runs = (
        "// RUN: opt-tool --split-input-file --pass cse %s | filecheck %s\n"
        "// RUN: not opt-tool --split-input-file --pass quux %s 2>&1 | filecheck %s --check-prefix=ERR\n"
    )
    nest = "func.func @f(%A: memref<8xf32>) {\n  loop.for %i = 0 to 8 {\n  }\n  func.return\n}\n"
    error = "\n// ERR:       error[TW0201]: unknown pass 'quux'\n// ERR-NEXT:  help: "
    new = updated(tmp_path, f"{runs}\n{SQUARE}\n// -----\n\n{nest}")
    assert new.startswith(runs + error)
    assert f"\n{CHECKS}{SQUARE}\n// -----\n\n// CHECK-LABEL: func.func @f(\n" in new
    assert "// CHECK-SAME:    %{{.*}}: memref<8xf32>) {\n// CHECK-NEXT:    loop.for %{{.*}} = 0 to 8 {\n" in new


def test_lines_in_files_move_with_the_checks(tmp_path: Path) -> None:
    text = f"// RUN: opt-tool --print-locations %s | filecheck %s\n\n{SQUARE}"
    location = '"{{.*}}file.mlir":{{[0-9]+}}:{{[0-9]+}}'
    assert f"arith.mulf %[[A]], %[[B]] : f32 loc({location})" in updated(tmp_path, text)


def test_functions_that_a_pass_makes_follow_the_one_before(tmp_path: Path) -> None:
    text = (
        "// RUN: opt-tool --pass fuse,outline %s | filecheck %s\n\n"
        "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  %y = graph.relu %x : tensor<4xf32>\n"
        "  func.return %y : tensor<4xf32>\n}\n"
    )
    new = updated(tmp_path, text)
    assert new.count("CHECK-LABEL") == 2
    assert new.endswith(text.partition("\n\n")[2])


def test_brackets_of_the_text_are_no_brackets_of_directives(tmp_path: Path) -> None:
    text = (
        (
            "// RUN: opt-tool %s | filecheck %s\n\nfunc.func private @f() {\n"
            '  %c = "test.op"() {value = dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>, text = "%c {{"} : () -> i32\n'
            "  func.return\n}\n"
        )
        .replace('"test.op"() {value = ', "arith.constant ")
        .replace(', text = "%c {{"} : () -> i32', "")
    )
    assert "arith.constant dense<{{\\[\\[}}1, 2], [3, 4]]> : tensor<2x2xi32>" in updated(tmp_path, text)


FILES = ["loop/round-trip.mlir", "te/round-trip.mlir", "phase0/fuse.mlir", "phase2/vectorize.mlir", "c/c.mlir"]
FILES = [name for name in FILES if (LIT_ROOT / name).exists()]


@pytest.mark.parametrize("name", FILES)
def test_files_of_the_compiler_can_be_written_anew(name: str, tmp_path: Path) -> None:
    path = Path(shutil.copy(LIT_ROOT / name, tmp_path))
    shutil.copy(LIT_ROOT / "lit.cfg.py", tmp_path)
    update_file(path, anew=True)
    assert not update_file(path) and not update_file(path, anew=True)
    comments = [line for line in (LIT_ROOT / name).read_text().splitlines() if line.startswith("// CASE")]
    assert [line for line in path.read_text().splitlines() if line.startswith("// CASE")] == comments


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (SQUARE, "expected a RUN line of '.*' that ends in '| filecheck %s', but there is none"),
        (f"// RUN: opt-tool --frob %s | filecheck %s\n{SQUARE}", "ends with status 2"),
        (f"// RUN: frob %s | filecheck %s\n{SQUARE}", "a RUN line cannot be followed: no command 'frob'"),
        (f"{RUN}// RUN: opt-tool %s | filecheck %s\n{SQUARE}", "print different texts for directives of the same"),
    ],
)
def test_a_file_without_output_to_check_is_left_alone(text: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "file.mlir"
    path.write_text(text)
    with pytest.raises(TilewrightError, match=reason) as error:
        update_file(path)
    assert error.value.code == "TW0232" and path.read_text() == text
    assert main(["update-checks", str(path)]) == 1


def project(tmp_path: Path, **texts: str) -> Path:
    """Return a project with lit files."""
    assert main(["init-lit", str(tmp_path / "lit")]) == 0
    for name, text in texts.items():
        (tmp_path / "lit" / f"{name}.mlir").write_text(text)
    return tmp_path


def run_pytest(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *args]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


ADDED = """\
import tilewright
from xdsl.dialects import arith

@tilewright.register_pass(phase=3)
def swap_sums(module):
    \"\"\"x + y is y + x.\"\"\"
    for op in module.walk():
        if isinstance(op, arith.AddfOp) and op.lhs is not op.rhs:
            op.operands = [op.rhs, op.lhs]
"""
SWAP = """\
// RUN: opt-tool --load %S/swap.py --pass swap-sums %s | filecheck %s

// CASE fires: the terms differ.
// CHECK-LABEL: @f(
// CHECK: arith.addf %y, %x : f32
func.func private @f(%x: f32, %y: f32) -> f32 {
  %z = arith.addf %x, %y : f32
  func.return %z : f32
}
"""
ERRS = """\
// RUN: opt-tool --verify-diagnostics %s
func.func private @f(%x: f32) {
  // expected-error @+1 {{value %y is used but not defined}}
  func.return %y : f32
}
"""


def test_pytest_runs_the_lit_files_of_a_project(tmp_path: Path) -> None:
    wrong = SWAP.replace("%y, %x : f32", "%x, %x : f32").replace("CASE fires", "Case")
    idle = SWAP.replace("%y, %x : f32", "%x, %x : f32").replace("%x, %y : f32\n", "%x, %x : f32\n")
    folder = project(tmp_path, **{"swap-sums": SWAP, "swap-sums-idle": idle, "wrong": wrong, "text": SQUARE})
    (folder / "lit" / "swap.py").write_text(ADDED)
    (folder / "test_plain.py").write_text("def test_plain():\n    assert True\n")
    done = run_pytest(folder, "-rA")
    assert "2 failed, 3 passed" in done.stdout, done.stdout
    passed = {line.split()[1] for line in done.stdout.splitlines() if line.startswith("PASSED")}
    assert passed == {"lit/example.mlir::lit", "lit/swap-sums.mlir::lit", "test_plain.py::test_plain"}
    assert "swap-sums-idle.mlir:3: expected 'swap-sums' to change it" in done.stdout
    assert "wrong.mlir:5" in done.stdout or "exit status 1" in done.stdout
    assert "Traceback" not in done.stdout


def test_llvms_runner_reads_the_configuration(tmp_path: Path) -> None:
    folder = project(tmp_path)
    command = [sys.executable, "-c", "from lit.main import main; main()", "--quiet", str(folder / "lit")]
    assert subprocess.run(command, check=False).returncode == 0


def test_expected_errors_and_environment(tmp_path: Path) -> None:
    folder = project(tmp_path, errs=ERRS)
    configuration = folder / "lit" / "lit.cfg.py"
    configuration.write_text(
        configuration.read_text()
        + 'config.environment["NAME"] = "here"\nconfig.substitutions.append(("WORDS+", "env"))\n'
    )
    (folder / "lit" / "variables.mlir").write_text("// RUN: WORDSS | grep NAME=here\n")
    done = run_pytest(folder, "lit")
    assert "3 passed" in done.stdout, done.stdout


def test_a_folder_is_configured_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project(tmp_path)
    assert main(["init-lit", str(tmp_path / "lit")]) == 1
    assert "error[TW0233]: expected a folder without lit files, but" in capsys.readouterr().err


def test_a_configuration_that_raises(tmp_path: Path) -> None:
    (tmp_path / "lit.cfg.py").write_text("config.frob()\n")
    suite = suite_of(tmp_path / "x.mlir")
    assert suite == Suite(tmp_path)
    with pytest.raises(TilewrightError, match=r"TW0230.*cannot read '.*lit\.cfg\.py': AttributeError"):
        suite.files()


def test_the_package_lit_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lit.ShUtil", None)
    with pytest.raises(TilewrightError, match=r"TW0231.*'lit' is not installed[^$]*pip install tilewright\[lit\]"):
        reload(shell)


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["false"], 0),
        (["true"], 1),
        (["--crash", "false"], 1),
        (["--crash", "sh", "-c", "kill -9 $$"], 0),
        (["sh", "-c", "kill -9 $$"], 1),
        (["sh", "-c", "exit 7"], 0),
    ],
)
def test_not(words: list[str], status: int) -> None:
    assert main(["not", *words]) == status


def test_not_without_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["not"]) == main(["not", "no-such-command"]) == 2
    err = capsys.readouterr().err
    assert "TW0209" in err and "expected a command" in err and "cannot run 'no-such-command'" in err
