"""Every lit file: its RUN lines run once, in process, and do what its cases announce."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import described_hosts
import lit_shell
import pytest

from . import cases


def run(path: Path, temporary: Path) -> None:
    """Run the RUN lines of a file, in order, up to the first that fails."""
    lines = lit_shell.run_lines(path)
    assert lines, f"expected a RUN line in {path}"
    for line in lines:
        command = lit_shell.substituted(line, path, temporary)
        result = lit_shell.run(command)
        assert result.status == 0, f"{command}\nexit status {result.status}\n{result.out}\n{result.err}"


@pytest.mark.parametrize("path", lit_shell.lit_files(), ids=lambda path: str(path.relative_to(lit_shell.LIT_ROOT)))
def test_lit(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    name = cases.pass_announced(path)
    with nullcontext([]) if name is None else cases.recording(name, monkeypatch) as outcomes:
        run(path, tmp_path)
    if name is not None:
        cases.check_cases(path, name, outcomes)


def test_both_runners_describe_the_same_host() -> None:
    assert lit_shell.configuration().environment["TILEWRIGHT_HOST"] == described_hosts.DEFAULT
