"""Checks that find faults planted in the backend's legalization passes: the tools of users."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tilewright.tools import opt


@pytest.fixture
def found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[str, str]]:
    """Run the pipeline of a target on a program, validated and bisected: what the tools say of it, each "" where they
    find nothing. Both have to agree on whether there is something."""

    def run(text: str, target: str = "cuda") -> tuple[str, str]:
        path = tmp_path / "program.mlir"
        path.write_text(text)
        options = ["--phase", "3", "--target", target, str(path)]
        said: list[str] = []
        codes: list[int] = []
        for option in ("--validate=1", "--bisect"):
            codes.append(opt.main([option, *options]))
            said.append("".join(capsys.readouterr()))
        is_clean = (codes[0] == 0, "TW0554" in said[1])
        assert is_clean in ((True, True), (False, False)), said
        return ("", "") if is_clean[0] else (said[0], said[1])

    return run
