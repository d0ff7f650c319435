"""Every lit file: its RUN lines run once, in process, and do what its cases announce."""

from __future__ import annotations

import re
from pathlib import Path

import described_hosts
import pytest
from lit_suite import LIT_FILES, LIT_ROOT, SUITE
from tilewright.passes.framework.registry import BUILTIN, get_pass
from tilewright.tools.lit_kit import cases, runner

WHOLE = {"infer-types", "lower-te"}
"""Passes that make everything anew at once: they count no rewrites."""


@pytest.mark.each("path", LIT_FILES, ids=lambda path: str(path.relative_to(LIT_ROOT)), shards=4)
def test_lit(path: Path, tmp_path: Path) -> None:
    outcomes = runner.run_file(path, SUITE, tmp_path)
    name = cases.pass_of(path, BUILTIN)
    if not re.fullmatch(r"phase\d", path.parent.name) or name is None:
        return
    assert path.parent.name == f"phase{get_pass(name).phase}"
    uncounted = [run for outcome in outcomes for run in outcome.runs_of(name) if not run.is_counted]
    assert not uncounted or name in WHOLE, f"expected '{name}' to count what it makes: {uncounted[0].after['']}"


def test_both_runners_describe_the_same_host() -> None:
    assert SUITE.environment["TILEWRIGHT_HOST"] == described_hosts.DEFAULT
