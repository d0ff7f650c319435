"""Runs pytest and lit one after the other and ends with one line that counts both.

python tests/run.py [arguments for pytest]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[1]


class Count(NamedTuple):
    """How many tests passed and failed; tests that were skipped count as neither."""

    passed: int
    failed: int


def main(arguments: list[str]) -> int:
    """The exit status: 0 when everything passed."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "pytest.xml"
        pytest = run(
            ["-m", "pytest", "-q", "-c", "tests/pytest.ini", "--rootdir", "tests", "--junit-xml", str(report)],
            arguments,
        )
        counts = [count(report, pytest)]
        report = Path(folder) / "lit.xml"
        lit = run(["-c", "from lit.main import main; main()", "--quiet", "--xunit-xml-output", str(report), "lit"], [])
        counts.append(count(report, lit))
    passed, failed = (sum(numbers) for numbers in zip(*counts, strict=True))
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 and passed > 0 else 1


def run(program: list[str], arguments: list[str]) -> int:
    """Run Python on `program` in the project's folder."""
    environment = {**os.environ, "PATH": os.path.dirname(sys.executable) + os.pathsep + os.environ.get("PATH", "")}
    return subprocess.run([sys.executable, *program, *arguments], cwd=ROOT, env=environment).returncode


def count(report: Path, status: int) -> Count:
    """The counts of a JUnit report. A run that failed without naming a failed test counts as one failure."""
    try:
        suites = list(ElementTree.parse(report).getroot().iter("testsuite"))
    except (OSError, ElementTree.ParseError):
        return Count(0, 1)

    def total(attribute: str) -> int:
        return sum(int(suite.get(attribute, "0")) for suite in suites)

    failed = total("failures") + total("errors")
    passed = total("tests") - failed - total("skipped")
    return Count(passed, failed or int(status != 0))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
