"""The closing lines of `make test` and `make test-hosts`."""

from __future__ import annotations

import importlib.util
from pathlib import Path

_spec = importlib.util.spec_from_file_location("tests_run", Path(__file__).with_name("run.py"))
assert _spec is not None and _spec.loader is not None
run = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(run)

REPORT = """<testsuites><testsuite errors="1" failures="1" skipped="4" tests="10">
<testcase name="a"><skipped message="needs chromium" /></testcase>
<testcase name="b"><skipped message="values are not checked: this machine has no avx2" /></testcase>
<testcase name="c"><skipped message="needs chromium" /></testcase>
<testcase name="d"><skipped message="values are not checked: this machine has no fma" /></testcase>
</testsuite></testsuites>"""


def counted(tmp_path: Path, status: int, text: str = REPORT):
    path = tmp_path / "report.xml"
    path.write_text(text)
    return run.count(path, status)


def test_the_last_line_counts_and_the_ones_before_give_reasons(tmp_path: Path) -> None:
    first, second = counted(tmp_path, 1), run.Count(5, 0, run.Counter({"needs gdb": 1}))
    assert (first.passed, first.failed) == (4, 2)
    lines = run.closing([first, second], plans_too=False)
    assert lines[0] == "    2 skipped: needs chromium" and len(lines) == 6
    assert lines[-1] == "9 passed, 2 failed, 5 skipped"


def test_what_was_compared_without_values_is_counted_by_itself(tmp_path: Path) -> None:
    lines = run.closing([counted(tmp_path, 1)], plans_too=True)
    counts = "4 passed, 2 passed but for values that this machine cannot compute, 2 failed, 2 skipped"
    assert lines[-1] == counts


def test_a_part_is_a_folder_a_file_or_names_of_tests() -> None:
    tests = Path(__file__).parent
    chosen = {
        "schedule": [str(tests / "schedule")],
        "tests/cpu/": [str(tests / "cpu")],
        "split": ["-k", "split"],
        "": [],
    }
    for text, part in chosen.items():
        assert run.chosen_part(["-q", "--match", text, "-x"]) == (part, ["-q", "-x"])
    assert run.chosen_part(["-x"]) == ([], ["-x"])


def test_a_run_without_a_report_has_failed(tmp_path: Path) -> None:
    assert run.count(tmp_path / "none.xml", 0).failed == 1
    assert counted(tmp_path, 3, '<testsuites><testsuite tests="2" /></testsuites>').failed == 1
