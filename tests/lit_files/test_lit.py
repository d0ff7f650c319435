"""Every lit file, run in process."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

_spec = importlib.util.spec_from_file_location("lit_shell", Path(__file__).with_name("shell.py"))
assert _spec is not None and _spec.loader is not None
shell = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(shell)


@pytest.mark.parametrize("path", shell.lit_files(), ids=lambda path: str(path.relative_to(shell.LIT_ROOT)))
def test_lit(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = shell.run_lines(path)
    assert lines, f"expected a RUN line in {path}"
    monkeypatch.chdir(tmp_path)
    for line in lines:
        command = shell.substituted(line, path, tmp_path)
        result = shell.run(command)
        assert result.status == 0, f"{command}\nexit status {result.status}\n{result.out}\n{result.err}"


def test_shell_pipes_and_negation() -> None:
    assert shell.run("not opt-tool --frob 2>&1 | cat").out.startswith("error[TW0209]: opt-tool: unknown argument")
    assert shell.run("opt-tool --frob").status == 1
    assert shell.run("not opt-tool --frob").status == 0
    assert shell.run("opt-tool --frob && opt-tool --version").out == ""


def test_shell_falls_back_to_bash() -> None:
    assert shell.run("printf 'a\\nb\\n' | grep b; echo c") == shell.Result(0, "b\nc\n", "")


def test_shell_runs_other_commands() -> None:
    assert shell.run("printf 'a\\nb\\n' | grep b") == shell.Result(0, "b\n", "")
    assert shell.run("false | cat").status == 1
