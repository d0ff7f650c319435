"""The command lines as programs: python -m, versions, doctor, completion, exit status, progress."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from tilewright.backends.cache import configured_root
from tilewright.diagnostics import progress
from tilewright.tools import cli, completion, doctor, opt

SUM = "func.func private @f(%x: f32) -> f32 {\n  %y = arith.addf %x, %x : f32\n  func.return %y : f32\n}\n"


def test_the_package_is_a_program() -> None:
    done = subprocess.run([sys.executable, "-m", "tilewright", "explain", "TW0201"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.startswith("TW0201: unknown pass\n")
    done = subprocess.run([sys.executable, "-m", "tilewright", "--frob"], capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.startswith("error[TW0209]: tilewright: ")


def test_versions_of_all_parts(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        cli.main(["--version"])
    first, *others = capsys.readouterr().out.splitlines()
    assert stop.value.code == 0 and first.startswith("tilewright ")
    found = dict(line.split() for line in others)
    for package in ("xdsl", "numpy", "llvmlite", "islpy", "rich", "onnx", "lit"):
        assert found[package] == metadata.version(package)


def test_doctor(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli.main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert f"  xdsl  {metadata.version('xdsl')}\n" in out and "MISSING" not in out
    assert "\ntarget: #target.cpu<" in out and f"\ncaches:\n  {configured_root()}: " in out
    assert "\n  lit, for lit files of a project: pytest, lit, tilewright update-checks: installed\n" in out
    assert re.search(r"\n  cc, for the target c, .*\nplugins:", out, re.DOTALL)
    monkeypatch.setattr(doctor, "installed", lambda name: None if name in ("islpy", "lit") else "1.0")
    assert cli.main(["doctor"]) == 1
    out = capsys.readouterr().out
    assert "  islpy  MISSING\n" in out and "\n  missing: pip install islpy\n" in out
    assert "\n  lit, for lit files of a project: pytest, lit, tilewright update-checks: missing lit\n" in out


def test_every_extra_has_a_purpose() -> None:
    assert set(doctor.extras()) == set(doctor.PURPOSES)
    assert "lit" in doctor.requirements("lit") and "lit" not in doctor.requirements()


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["--frob"], 2),
        (["--emit", "ams"], 2),
        (["--pass", "frob"], 1),
        (["--validate=0"], 2),
        (["--load", "none.py"], 1),
    ],
)
def test_status_2_is_for_a_command_line_that_cannot_be_used(
    arguments: list[str], status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "sum.mlir"
    path.write_text(SUM)
    try:
        found = opt.main([*arguments, str(path)])
    except SystemExit as stop:
        found = stop.code
    assert found == status
    assert ("error[TW0209]" in capsys.readouterr().err) == (status == 2)


def completed(line: str, script: str) -> list[str]:
    """Return bash's completions of a command line."""
    words = line.split(" ")
    quoted = " ".join(f"'{word}'" for word in words)
    function = f"_{words[0].replace('-', '_')}_completion"
    ask = (
        f'{script}\nCOMP_WORDS=({quoted}) COMP_CWORD={len(words) - 1}\n{function}\nprintf "%s\\n" "${{COMPREPLY[@]}}"\n'
    )
    done = subprocess.run(["bash", "--norc"], input=ask, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.split()


def test_completion_in_bash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.mlir").write_text(SUM)
    script = completion.completion("bash")
    assert completed("tilewright re", script) == ["records", "reduce"]
    assert completed("tilewright run --thr", script) == ["--threads"]
    assert completed("tilewright compile --emit as", script) == ["asm"]
    assert completed("tilewright run mo", script) == ["model.mlir"]
    assert completed("tilewright run --input mo", script) == ["model.mlir"]
    assert completed("opt-tool --pass winog", script) == ["winograd"]
    assert completed("opt-tool --verify-d", script) == ["--verify-diagnostics"]
    assert completed("opt-tool --emit = ll", script) == ["llvm"]
    assert completed("opt-tool mo", script) == ["model.mlir"]


def test_completion_in_other_shells() -> None:
    zsh = completion.completion("zsh")
    assert "bashcompinit\n_tilewright_completion() {\n" in zsh
    fish = completion.completion("fish").splitlines()
    assert (
        "complete -c tilewright -n __fish_use_subcommand -a doctor -d 'what is installed, and what is missing for what'"
        in fish
    )
    run = "complete -c tilewright -n '__fish_seen_subcommand_from run'"
    assert f"{run} -l backend -x -a 'cpu interpreter' -d 'default: cpu'" in fish
    assert any(line.startswith("complete -c opt-tool -s p -l pass -x -a 'align-storage ") for line in fish)
    assert all(line.count("'") % 2 == 0 or "\\'" in line for line in fish)


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, delay: float = 0) -> str:
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "DELAY", delay)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    with progress.progress_shown(), progress.task("files", 2) as step:
        step("a.mlir")
        with progress.task("passes") as inner:
            inner("cse")
        step("b.mlir")
    return stream.getvalue()


def test_progress_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    text = re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", shown(monkeypatch, _Terminal()))
    assert "0/2" in text and "files: a.mlir" in text and "0/?" in text and "passes: cse" in text
    assert "1/2" in text and "files: b.mlir" in text


def test_tables_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "DELAY", 0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    with progress.progress_shown(), progress.table(["task", "best"]) as draw:
        assert draw is not None
        draw([["0", "[1 ms]"]], "1 of 2 trials")
        with progress.task("passes") as step:
            step("cse")
        draw([["0", "500 us"]], "2 of 2 trials")
    text = re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", terminal.getvalue())
    for part in (r"task *best", r"0 *\[1 ms\]", "1 of 2 trials", "passes: cse", r"0 *500 us", "2 of 2 trials"):
        assert re.search(part, text), part
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress.progress_shown(), progress.table(["task"]) as draw:
        assert draw is None
    with progress.table(["task"]) as draw:
        assert draw is None


def test_no_progress_in_pipes_nor_of_short_work(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(monkeypatch, io.StringIO()) == ""
    assert shown(monkeypatch, _Terminal(), delay=60) == ""
    with progress.task("nobody asked", 1) as step:
        step("anything")


def test_passes_and_machine_code_report_how_far_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "sum.mlir"
    path.write_text(SUM)
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "DELAY", 0)
    assert opt.main(["--pass", "cse,simplify", "--target", "none", str(path), "-o", str(tmp_path / "out")]) == 0
    assert "passes: cse" in terminal.getvalue() and "passes: simplify" in terminal.getvalue()
