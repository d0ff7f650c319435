"""Files of tuning records: lines read and written, what is no record, and the best of each task."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tilewright.diagnostics import TilewrightError
from tilewright.schedule.records import (
    AGAIN,
    VERDICT,
    Record,
    Winners,
    parse_record,
    parse_records,
    points,
    read_records,
)

FULL = Record(
    task="ab12",
    name="matmul_relu",
    target="#target.cpu<…>",
    decisions={"b0:panels.tile": (6, 2), "b0:rule": "panels", "b0:share": False, "b1:scope": None},
    trace=({"method": "get_block", "positional": ["b0"]},),
    samples=(0.5, 0.25),
    paired=(0.5, 0.5),
    beside="c0",
    trial=3,
    seed=7,
    predicted=0.125,
    machine="this",
    compiler="c1",
    code="c2",
    flops=12e9,
    sizes={"a0[0]": (1, None), "a1[1]": (16, 64)},
)


def test_line_of_a_record() -> None:
    line = FULL.as_line()
    assert line.endswith("\n") and line.count("\n") == 1
    assert parse_record(line) == FULL
    assert set(json.loads(line)) >= {
        "task", "trace", "decisions", "samples", "error", "seed", "machine", "compiler", "version"
    }  # fmt: skip


def test_line_of_a_failure() -> None:
    failed = Record("ab12", "f", "t", {}, error="crash", detail="signal 11", machine="this", compiler="c1", trial=4)
    data = json.loads(failed.as_line())
    assert data["trace"] is None and data["samples"] == [] and data["error"] == "crash"
    assert parse_record(failed.as_line()) == failed
    assert not failed.is_valid


def line_with(**changes: Any) -> str:
    return json.dumps({**json.loads(FULL.as_line()), **changes})


DAMAGED = {
    FULL.as_line()[:-30]: "the line is no JSON",
    "[1, 2]": "got list",
    '"version"': "got str",
    line_with(samples=[0.5, "1"]): "samples is no number",
    line_with(samples=[0.0]): "samples has a time of 0 seconds",
    line_with(samples=[-1.0]): "samples is no number",
    line_with(paired=[0.5]): "it has 2 samples, but 1 times beside them",
    line_with(samples=7): "samples is no list",
    line_with(decisions=[]): "decisions is no dictionary",
    line_with(decisions={"a": 1.5}): "decision a has the value 1.5",
    line_with(trace="x"): "trace is no list",
    line_with(trial=True): "trial is no whole number",
    line_with(role="winner"): "role is none of trial, again, verdict",
    line_with(sizes={"n": [1]}): "sizes of n is no pair",
    line_with(error=3): "error is no text",
    FULL.as_line().replace("0.125", "NaN"): "NaN is no number of JSON",
    '{"version": 1, "task": "a"}': "it has no name, target, trace",
    "[" * 100000: "",
    "\x00\x01": "the line is no JSON",
}


@pytest.mark.each("line, reason", DAMAGED.items())
def test_damaged_lines(line: str, reason: str) -> None:
    found = parse_records(FULL.as_line().encode() + line.strip().encode() + b"\n" + FULL.as_line().encode())
    assert [problem.line for problem in found.problems] == [2]
    assert found.problems[0].code == "TW0820" and reason in found.problems[0].message
    assert (found.records, found.lines) == ((FULL, FULL), (1, 3))


@pytest.mark.parametrize("version", [0.2, 2, "v0.6", None, True])
def test_other_versions(version: object) -> None:
    found = parse_records(line_with(version=version).encode() + b"\n" + FULL.as_line().encode())
    assert [(p.line, p.code) for p in found.problems] == [(1, "TW0821")]
    assert found.records == (FULL,)


def test_bytes_that_are_no_text() -> None:
    found = parse_records(b'{"version": 1, "task": "\xff"}\n')
    assert "no UTF-8: byte 0xff" in found.problems[0].message


def test_a_problem_is_logged_once_for_each_state_of_the_file(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text(FULL.as_line() + "torn")
    with caplog.at_level(logging.WARNING, "tilewright.records"):
        assert read_records(path) is read_records(path)
    assert [r.getMessage().partition(": ")[0] for r in caplog.records] == [f"{path}:2"]
    path.write_text(FULL.as_line() * 2 + "torn")
    with caplog.at_level(logging.WARNING, "tilewright.records"):
        assert len(read_records(path).records) == 2
    assert len(caplog.records) == 2


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(TilewrightError) as missing:
        read_records(tmp_path / "none.jsonl")
    with pytest.raises(TilewrightError) as folder:
        read_records(tmp_path)
    assert (missing.value.code, folder.value.code) == ("TW0204", "TW0204")


# The samples of a point


def test_samples_of_a_point_are_joined() -> None:
    first = trial(1, 1.0, paired=(2.0,) * 3, beside="c0")
    same, other = replace(first, role=AGAIN, trace=None), replace(first, role=AGAIN, beside="c9", samples=(3.0,) * 3)
    assert points([first, trial(2, 1.0), same])[0] == replace(first, samples=(1.0,) * 6, paired=(2.0,) * 6)
    assert points([first, other])[0] == replace(first, samples=(1.0,) * 3 + (3.0,) * 3, paired=(), beside="")
    assert not points([first, replace(same, error="crash", samples=(), paired=())])[0].is_valid
    assert points([replace(first, role=VERDICT)]) == []


# The best of each task


def default(seconds: float = 1.0, **fields: Any) -> Record:
    return replace(trial(0, seconds), code="default", **fields)


def trial(number: int, seconds: float, **fields: Any) -> Record:
    measured = {"samples": (seconds,) * 3, "paired": (), "beside": "", "code": f"c{number}"}
    record = replace(FULL, trial=number, decisions={"n": number}, **measured)  # type: ignore[arg-type]
    return replace(record, **fields)


def best(*records: Record) -> Record:
    return Winners.of(records, "this", "c1").best["ab12"]


def test_the_least_ratio_to_the_default_wins() -> None:
    ones = [default(), trial(1, 1.2), trial(2, 0.9), trial(3, 0.95)]
    assert best(*ones).trial == 2
    beside = trial(4, 2.0, paired=(4.0,) * 3, beside="default")  # slower by the clock, in a slower hour
    assert best(*ones, beside).trial == 4
    beside_another = trial(5, 2.0, paired=(4.0,) * 3, beside="c1")
    assert best(*ones, beside_another).trial == 2


def test_the_default_wins_where_nothing_is_faster() -> None:
    assert best(default(), trial(1, 1.2)).is_default
    assert best(default(), trial(1, 0.9, code="default")).is_default


def test_the_last_verdict_wins() -> None:
    ones = [default(), trial(1, 0.5), trial(2, 0.9)]
    assert best(*ones, trial(2, 0.9, role=VERDICT)).trial == 2
    assert best(*ones, trial(2, 0.9, role=VERDICT), default(role=VERDICT)).is_default
    assert best(*ones, trial(2, 0.9, role=VERDICT), trial(1, 0.5, role=AGAIN)).trial == 2


def test_medians_count_and_failures_do_not() -> None:
    outlier = trial(1, 1.0, samples=(0.01, 1.5, 1.5))
    failed = trial(2, 0.1, error="wrong result")
    assert best(default(), outlier, failed, trial(3, 0.99)).trial == 3
    assert Winners.of([failed], "this", "c1").best == {}


def test_other_machines_and_compilers_do_not_count() -> None:
    foreign = [trial(1, 0.1, machine="that"), trial(2, 0.2, compiler="c9")]
    assert Winners.of(foreign, "this", "c1").best == {}
    assert best(default(), *foreign, trial(3, 0.5)).trial == 3


def test_digest_of_the_winners() -> None:
    def digest(*records: Record, of_target: str = FULL.target) -> str:
        return Winners.of(records, "this", "c1").digest(of_target)

    tuned = digest(default(), trial(1, 0.5))
    assert digest() == digest(default()) == digest(default(), trial(1, 1.5)) == ""
    assert tuned == digest(default(), trial(1, 0.5), trial(2, 0.9)) == digest(trial(1, 0.4), default(2.0))
    assert tuned != digest(default(), trial(1, 0.5, trace=())) != ""
    assert digest(default(), trial(1, 0.5), of_target="another") == ""
