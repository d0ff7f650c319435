"""Runs pytest, on all cores, and lit side by side and ends with one line that counts both.

python tests/run.py [arguments for pytest]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO, NamedTuple
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[1]


class Count(NamedTuple):
    """How many tests passed and failed; tests that were skipped count as neither."""

    passed: int
    failed: int


def main(arguments: list[str]) -> int:
    """The exit status: 0 when everything passed. Lit runs beside pytest; its output comes after."""
    with tempfile.TemporaryDirectory() as folder:
        reports = [Path(folder) / "pytest.xml", Path(folder) / "lit.xml"]
        with open(Path(folder) / "lit.txt", "w+") as output:
            command = ["-c", "from lit.main import main; main()", "--quiet", "-j", "1", "lit"]
            lit = start([*command, "--xunit-xml-output", str(reports[1])], output)
            command = ["-m", "pytest", "-q", "-c", "tests/pytest.ini", "--rootdir", "tests", "--durations", "10"]
            command += ["-n", "auto", "--dist", "loadfile"]
            pytest = start([*command, "--junit-xml", str(reports[0]), *arguments])
            statuses = [pytest.wait(), lit.wait()]
            output.seek(0)
            print(output.read(), end="")
        counts = [count(report, status) for report, status in zip(reports, statuses, strict=True)]
    passed, failed = (sum(numbers) for numbers in zip(*counts, strict=True))
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 and passed > 0 else 1


def start(arguments: list[str], output: IO[str] | None = None) -> subprocess.Popen[bytes]:
    """Start Python on `arguments` in the project's folder."""
    environment = {**os.environ, "PATH": os.path.dirname(sys.executable) + os.pathsep + os.environ.get("PATH", "")}
    return subprocess.Popen([sys.executable, *arguments], cwd=ROOT, env=environment, stdout=output, stderr=output)


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
