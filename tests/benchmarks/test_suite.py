"""The suite on rows that cost nothing: ratios, verdicts, wrong results, peers that are absent or break."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from hangs import HANG

ROOT = Path(__file__).resolve().parents[2]
ROWS = Path(__file__).with_name("fake_rows.py")


def suite(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "benchmarks" / "suite.py"), "--module", str(ROWS), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=HANG)


@cache
def measured() -> tuple[int, dict[str, dict[str, Any]], str, str]:
    """Return the exit status, the rows by name, the table and the plot."""
    folder = Path(mkdtemp())
    done = suite("--pairs", "6", "--threads", "1", "--output", str(folder))
    assert not done.stderr, done.stderr
    rows = {row["row"]: row for row in json.loads((folder / "results.json").read_text())["rows"]}
    return done.returncode, rows, (folder / "results.md").read_text(), (folder / "results.svg").read_text()


def test_ratios_are_theirs_over_ours() -> None:
    _, rows, table, plot = measured()
    ratio = rows["right"]["peers"]["slow"]["ratio"]
    assert (ratio["median"], ratio["low"], ratio["high"], ratio["samples"]) == (25.0, 25.0, 25.0, 6)
    assert rows["right"]["seconds"]["median"] == 1.0
    assert rows["right"]["error"] < 1e-6
    assert "slow 25.00 [25.00, 25.00] (25 s)" in table
    assert "25.00 x slow" in plot


def test_bars_hold_fall_short_or_cannot_be_judged() -> None:
    status, rows, table, _ = measured()
    assert [bar["holds"] for bar in rows["right"]["bars"]] == [True, False, None, True]
    assert "holds: >= 20 x slow" in table and "SHORT: >= 30 x slow" in table
    assert status == 1


def test_a_bar_holds_by_its_ratio_or_by_the_peak_and_names_which() -> None:
    _, rows, table, _ = measured()
    peak = "95 % of the peak"
    assert [bar["by"] for bar in rows["right"]["bars"]] == ["ratio", "", "", "seconds"], "no peak was measured"
    assert [bar["by"] for bar in rows["at-peak"]["bars"]] == ["ratio", peak, peak, "seconds"]
    assert all(bar["holds"] for bar in rows["at-peak"]["bars"])
    assert rows["at-peak"]["bars"][1]["found"] == "25.00 [25.00, 25.00] x slow", "the ratio is reported nevertheless"
    for name in ("below-peak", "plain-sum"):
        assert [bar["holds"] for bar in rows[name]["bars"]] == [True, False, None, True]
    assert f"holds: >= 30 x slow, by {peak}" in table and "holds: >= 20 x slow, by ratio" in table
    assert "SHORT: >= 30 x slow |" not in table and "SHORT: >= 30 x slow<br>" in table


def test_an_absent_peer_is_reported() -> None:
    _, rows, table, _ = measured()
    assert rows["right"]["problems"] == {"elsewhere": {"kind": "absent", "message": "library_that_nobody_has"}}
    assert "elsewhere absent" in table


def test_a_wrong_result_fails_its_row() -> None:
    _, rows, table, _ = measured()
    assert rows["wrong"]["seconds"] is None
    assert rows["wrong"]["problems"]["tilewright"]["kind"] == "wrong"
    assert "but got 5.0e-05" in rows["wrong"]["problems"]["tilewright"]["message"]
    assert rows["wrong"]["bars"][0]["holds"] is False
    assert "| wrong | 1 | **wrong** |" in table


def test_a_peer_that_breaks_fails_its_row_and_says_why() -> None:
    _, rows, table, _ = measured()
    assert rows["broken"]["problems"]["broken"]["kind"] == "failed"
    assert "broken failed: ValueError: it does not work" in table
    assert "6 rows: 10 bars hold, 4 fall short, 3 are not judged, 2 rows failed" in table


def test_rows_are_chosen_by_name_family_and_pattern() -> None:
    assert suite("--list", "--rows", "r*").stdout.split()[:2] == ["fake", "right"]
    assert len(suite("--list", "--rows", "fake").stdout.splitlines()) == 6
    done = suite("--list", "--rows", "nothing")
    assert (done.returncode, done.stderr) == (1, "error: no row or family matches 'nothing'; --list shows them\n")


def test_the_rows_of_the_suite_are_distinct_and_bars_name_their_systems() -> None:
    listed = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / "suite.py"), "--list"], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    names = [line.split()[1] for line in listed]
    assert len(set(names)) == len(names) > 40
    program = (
        "from rows import all_rows\n"
        "from harness.row import Bar\n"
        "assert all(peer in row.systems for row in all_rows() for bar in row.bars if isinstance(bar, Bar)"
        " for peer in bar.peers)"
    )
    subprocess.run([sys.executable, "-c", program], cwd=ROOT / "benchmarks", check=True)
