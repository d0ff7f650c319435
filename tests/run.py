"""Runs pytest, on all cores, and LLVM's lit side by side and ends with one line that counts both.

    python tests/run.py --tier quick    `make test`: shows that every part works, leaves out what is marked 'full'
    python tests/run.py                 `make test-all`: everything
    python tests/run.py --tier rest     `make test-all REST=1`: what `make test` leaves out
    python tests/run.py --hosts         `make test-hosts`: what is marked 'hosts', once for each described machine

`--match TEXT` runs a part: a folder or file of tests/ (schedule, schedule/test_split.py), else the tests whose names
have the text, as pytest's -k. All other arguments are pytest's.

pytest runs all lit files in process (lit_files/). LLVM's lit, which starts processes for each command, runs those of
LIT_FILES, so that what it alone understands differently is found; `make lit` has it run all. It runs where the quick
tier does, unless a part is chosen.

Where the environment forbids byte code beside sources, it goes to a folder of this run: hundreds of tests start
processes, each of which would compile all modules again.

The closing lines of pytest list the tests that took most memory and time and what the tier leaves out; then come the
reasons of skips, how often, and the processor time of everything.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import IO, NamedTuple
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[1]
HOSTS, MATCH = "--hosts", "--match"
WITHOUT_LIT = frozenset({HOSTS, "rest"})
"""The arguments with which LLVM's lit does not run."""
MARK = "pytest.mark.hosts"
LIT_FILES = ("errors/nesting", "schedule/parts", "tools/print-ir", "tools/remarks", "tools/round-trip")
"""The files of lit/ that LLVM's lit runs too: among them, their RUN lines use all of the shell that any file
uses: pipes, files, streams, quotes, substitutions, expected failures and other programs."""
NOT_RUN = "values are not checked:"
"""The beginning of the reasons of skips on machines that lack instructions of a program (conftest.py)."""


class Count(NamedTuple):
    """The numbers of passed and failed tests, and the reasons of skips."""

    passed: int
    failed: int
    skipped: Counter[str]


def main(arguments: list[str]) -> int:
    """Run the tests, and return the exit status: 0 when everything passed. Lit runs beside pytest; its output comes
    after."""
    with tempfile.TemporaryDirectory() as folder:
        if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
            os.environ["PYTHONPYCACHEPREFIX"] = str(Path(folder) / "pycache")
        report = Path(folder) / "pytest.xml"
        part, arguments = chosen_part(arguments)
        command = ["-m", "pytest", "-q"]
        command += ["-n", "auto", "--dist", "worksteal"]  # a core that is through takes half of what another has left
        pytest = start([*command, "--junit-xml", str(report), *arguments, *part, *_files(arguments)])
        counts = [] if part or not WITHOUT_LIT.isdisjoint(arguments) else [_lit(Path(folder))]
        counts.append(count(report, pytest.wait()))
    print("\n".join(closing(counts, plans_too=HOSTS in arguments)))
    passed, failed = sum(c.passed for c in counts), sum(c.failed for c in counts)
    return 0 if failed == 0 and passed > 0 else 1


def chosen_part(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the arguments of pytest for `--match TEXT`, none where TEXT is empty, and the other arguments."""
    if MATCH not in arguments:
        return [], list(arguments)
    position = arguments.index(MATCH)
    rest = [*arguments[:position], *arguments[position + 2 :]]
    text = "".join(arguments[position + 1 : position + 2])
    if not text:
        return [], rest
    paths = [ROOT / "tests" / text, ROOT / text]
    found = next((str(path) for path in paths if path.is_relative_to(ROOT / "tests") and path.exists()), None)
    return ([found] if found is not None else ["-k", text]), rest


def _files(arguments: Sequence[str]) -> list[str]:
    """Return the files with tests that are marked 'hosts', where those alone run: collecting all others takes
    longer."""
    if HOSTS not in arguments or any(Path(argument.split("::")[0]).exists() for argument in arguments):
        return []
    return [str(path) for path in sorted((ROOT / "tests").rglob("test_*.py")) if MARK in path.read_text("utf-8")]


def _lit(folder: Path) -> Count:
    """Run LLVM's lit on LIT_FILES, print what it says, count."""
    report = folder / "lit.xml"
    with open(folder / "lit.txt", "w+") as output:
        command = ["-c", "from lit.main import main; main()", "--quiet", "-j", "1"]
        command += [f"lit/{name}.mlir" for name in LIT_FILES]
        status = start([*command, "--xunit-xml-output", str(report)], output).wait()
        output.seek(0)
        print(output.read(), end="", flush=True)
    return count(report, status)


def closing(counts: Sequence[Count], *, plans_too: bool) -> list[str]:
    """Return the last lines: skips by reason, then one line that counts everything.

    With `plans_too` tests that compared all but values, because the machine lacks what they were compiled for, are
    counted by themselves.
    """
    skipped = sum((c.skipped for c in counts), Counter[str]())
    lines = [f"{number:5} skipped: {reason}" for reason, number in skipped.most_common()]
    passed, failed = sum(c.passed for c in counts), sum(c.failed for c in counts)
    without = sum(number for reason, number in skipped.items() if reason.startswith(NOT_RUN))
    last = f"{passed} passed, {failed} failed, {skipped.total()} skipped"
    if plans_too:
        last = f"{passed} passed, {without} passed but for values that this machine cannot compute, {failed} failed, "
        last += f"{skipped.total() - without} skipped"
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    lines.append(f"{spent.ru_utime + spent.ru_stime:.0f} s of processor time with what starts and collects the tests")
    return [*lines, last]


def start(arguments: list[str], output: IO[str] | None = None) -> subprocess.Popen[bytes]:
    """Start Python on `arguments` in the project's folder."""
    environment = {**os.environ, "PATH": os.path.dirname(sys.executable) + os.pathsep + os.environ.get("PATH", "")}
    return subprocess.Popen([sys.executable, *arguments], cwd=ROOT, env=environment, stdout=output, stderr=output)


def count(report: Path, status: int) -> Count:
    """Return the counts of a JUnit report. A run that failed without naming a failed test counts as one failure."""
    try:
        suites = list(ElementTree.parse(report).getroot().iter("testsuite"))
    except (OSError, ElementTree.ParseError):
        return Count(0, 1, Counter())

    def total(attribute: str) -> int:
        return sum(int(suite.get(attribute, "0")) for suite in suites)

    failed = total("failures") + total("errors")
    passed = total("tests") - failed - total("skipped")
    reasons = Counter(s.get("message") or "no reason" for suite in suites for s in suite.iter("skipped"))
    return Count(passed, failed or int(status != 0), reasons)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
