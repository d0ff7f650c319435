"""Reports of miscompilations in passes of MLIR: each pair is decided as its discussion says."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from tilewright.tools import judging
from tilewright.tools.cli import main

FOLDER = Path(__file__).parent / "reports"


@dataclass(frozen=True)
class Report:
    """A row of the table."""

    number: str
    verdict: str
    at: str

    @property
    def files(self) -> tuple[str, str]:
        """The input and the output of the pass."""
        return str(FOLDER / f"{self.number}.mlir"), str(FOLDER / f"{self.number}.after.mlir")


def reports() -> list[Report]:
    """Return the rows of the table in README.md."""
    rows = re.findall(r"^\| (\d+) \| `[^|]+` \| (\w+) \| ([^|]*?) *\| ", (FOLDER / "README.md").read_text(), re.M)
    return [Report(*row) for row in rows]


def test_all_files_are_in_the_table() -> None:
    named = {Path(path).name for report in reports() for path in report.files}
    assert named == {path.name for path in FOLDER.glob("*.mlir")}
    assert len(reports()) >= 10


@pytest.mark.each("report", reports())
def test_verdict(report: Report, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "judge", lambda *_: judging.Finding(judging.Shown.NOT_RUN, ""))
    status = main(["prove", "--json", *report.files])
    (record,) = json.loads(capsys.readouterr().out)
    assert (record["verdict"], status) == (report.verdict, int(report.verdict == "refuted"))
    if report.verdict == "refuted":
        assert record["reason"] == f"at {report.at}"


@pytest.mark.needs("mlir-runner")
@pytest.mark.each("report", [r for r in reports() if r.verdict == "refuted" and r.number != "198235"])
def test_mlir_runner_confirms(report: Report, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", "--json", *report.files]) == 1
    (record,) = json.loads(capsys.readouterr().out)
    assert record["difference"]["executed"].startswith("executed: mlir-runner finds ")
