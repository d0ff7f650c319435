"""Files of records with several writers, and the commands on them; a run that is killed and goes on."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hangs import HANG
from killed_runs import finish_run, firsts_of, kill_run
from tilewright.diagnostics import TilewrightError
from tilewright.schedule.records import VERDICT, Record, read_records
from tilewright.tools import cli
from tilewright.tools.tune import chosen_numbers
from tilewright.tune.records import RecordStore, best_records
from tuning_tasks import PRODUCT, TARGET, module_of, plain_kernels, record, tiled


def one(number: int = 1, **fields: Any) -> Record:
    (function,) = plain_kernels(module_of())
    return record(function, tiled(3), trial=number, **fields)


# Appending


def test_two_writers_tear_no_line(tmp_path: Path) -> None:
    path, count = tmp_path / "r.jsonl", 60
    code = (
        "import sys; from tilewright.schedule.records import Record; from tilewright.tune.records import RecordStore\n"
        "store = RecordStore(sys.argv[1])\n"
        f"for k in range({count}):\n"
        "    store.append(Record(sys.argv[2], 'x' * 20000, 't', {}, (), (1.0,), trial=k))\n"
    )
    writers = [subprocess.Popen([sys.executable, "-c", code, str(path), name]) for name in "ab"]
    assert [writer.wait(HANG) for writer in writers] == [0, 0]
    found = read_records(path)
    assert found.problems == () and len(found.records) == 2 * count
    for name in "ab":
        assert [r.trial for r in found.records if r.task == name] == list(range(count))


def test_a_torn_last_line_stays_alone(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    store, first = RecordStore(path), one()
    store.append(first)
    with path.open("a") as file:
        file.write(first.as_line()[:100])
    store.append(replace(first, trial=2))
    store.append(replace(first, trial=3))
    found = store.read()
    assert [problem.line for problem in found.problems] == [2]
    assert [r.trial for r in found.records] == [1, 2, 3]


def test_files_that_cannot_be_written(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none" / "r.jsonl"):
        with pytest.raises(TilewrightError) as refusal:
            RecordStore(path)
        assert refusal.value.code == "TW0204"


# Commands


def test_records_show_best_and_merge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    default = replace(one(0), samples=(2.0,) * 3, code="default")
    fast = replace(
        one(2), decisions={"b0:tile": 3}, samples=(1.0,) * 3, paired=(4.0,) * 3, beside="default", code="fast"
    )
    foreign = replace(fast, machine="another machine")
    failed = replace(one(3), decisions={"b0:tile": 4}, error="crash", samples=(), code="")
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    first.write_text(default.as_line() + fast.as_line() + "torn")
    second.write_text(fast.as_line() + foreign.as_line() + failed.as_line())

    assert cli.main(["records", "show", str(first), str(second)]) == 0
    shown = capsys.readouterr()
    assert f"{first}:3: warning[TW0820]" in shown.err
    here, other = shown.out.split("\n\n")
    assert here.splitlines()[0] == f"{fast.machine}, compiler {fast.compiler}"
    assert here.splitlines()[2].split()[1:] == [
        "matmul_relu",
        "3",
        "1",
        "2.000",
        "s",
        "1.000",
        "s",
        "4.00",
        "x",
        "trial",
        "2",
    ]
    assert other.startswith(f"another machine, compiler {fast.compiler}; not applied here: another machine\n")

    assert cli.main(["records", "merge", str(first), str(second), "-o", str(tmp_path / "c.jsonl")]) == 0
    assert read_records(tmp_path / "c.jsonl").records == (default, fast, foreign, failed)
    assert cli.main(["records", "best", str(tmp_path / "c.jsonl")]) == 0
    assert capsys.readouterr().out == fast.as_line() + foreign.as_line()
    assert best_records([default, fast, foreign, failed]) == [fast, foreign]
    assert cli.main(["records", "show", str(first), "-o", "x"]) == 2
    assert cli.main(["records", "show", str(tmp_path / "none")]) == 1


def test_records_of_other_tuners(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    classic = tmp_path / "classic.json"
    lines = [
        {"input": ["llvm", "conv2d", [], {}], "config": {"index": 3}, "result": [[0.1], 0, 1.0, 1.0], "version": 0.2},
        {"i": [["[]", "llvm"], [[], []]], "r": [[0.1], 0, 1.0, 1], "v": "v0.6"},
    ]
    classic.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert cli.main(["records", "show", str(classic)]) == 0
    shown = capsys.readouterr()
    assert shown.out == "no records\n" and shown.err.count("warning[TW0821]") == 2


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.mlir"
    path.write_text(PRODUCT)
    return path


def test_list_of_tasks(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["tune", str(model), "--tasks", "list", "--target", TARGET]) == 0
    head, line = capsys.readouterr().out.splitlines()
    assert head.split() == ["task", "kernel", "calls", "MFLOP", "MB", "key"]
    assert line.split()[:5] == ["0", "matmul_relu", "1", "0.06", "0.01"]


def test_list_of_tasks_with_open_sizes(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model.write_text(PRODUCT.replace("24x", "?x").replace("xf32>", "xf32, #graph.dims<rows, _>>").replace(
        "32x40xf32, #graph.dims<rows, _>", "32x40xf32"))  # fmt: skip
    command = ["tune", str(model), "--tasks", "list", "--target", TARGET]
    for options, limits in ([], "64..256"), (["--sizes", "rows=1..512"], "1..512"):
        assert cli.main([*command, *options]) == 0
        assert f"matmul_relu (rows={limits}) " in capsys.readouterr().out


def test_numbers_of_tasks() -> None:
    assert chosen_numbers("all", 3) == [0, 1, 2]
    assert chosen_numbers("0,2-4, 3", 5) == [0, 2, 3, 4]
    for wrong in ("", "x", "1-", "-1", "3-1", "0,5", "1.5"):
        with pytest.raises(TilewrightError) as refusal:
            chosen_numbers(wrong, 5)
        assert refusal.value.code == "TW0209"


@pytest.mark.parametrize(
    "options, message",
    [
        ([], "expected -o FILE.jsonl"),
        (["-o", "model.mlir"], "it is the model itself"),
        (["-o", "r.jsonl", "--trials", "0"], "expected --trials to be at least 1"),
        (["-o", "r.jsonl", "--tasks", "7"], "expected tasks from 0 to 0, but got '7'"),
        (["-o", "r.jsonl", "--budget", "-1"], "--budget"),
        (["-o", "r.jsonl", "--compile-timeout", "0"], "expected --compile-timeout to be at least 1"),
        (["-o", "r.jsonl", "--target", "opencl"], "error[TW0824]: expected a target with default schedules"),
        (["-o", "r.jsonl", "--target", "cuda", "--threads", "2"], "expected a CPU where a number of threads is given"),
        (["-o", "r.jsonl", "--sizes", "n=1"], "expected --sizes NAME=LOW..HIGH, but got 'n=1'"),
        (["-o", "r.jsonl", "--sizes", "n=1..8"], "error[TW0826]: expected the name of an open size (there are none)"),
        (["-o", "old.jsonl"], "expected --resume for 'old.jsonl', which has records"),
    ],
)
def test_command_lines_that_do_not_fit(
    options: list[str], message: str, model: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(model.parent)
    Path("old.jsonl").write_text(one().as_line())
    try:
        status = cli.main(["tune", "model.mlir", *options])
    except SystemExit as end:
        status = end.code
    assert status in (1, 2) and message in capsys.readouterr().err
    assert not Path("r.jsonl").exists()


# A run that is killed


def test_a_run_that_is_killed_goes_on(model: Path, tmp_path: Path) -> None:
    path, quick = tmp_path / "r.jsonl", ("--repeat", "1")
    kill_run(model, path, 5, (*quick, "--trials", "500"))
    known = len(firsts_of(path))
    assert known == len(set(firsts_of(path))) >= 2
    output = finish_run(model, path, (*quick, "--trials", str(known + 2)))
    assert f"{known} of {known + 2} trials in the file" in output
    assert len(firsts_of(path)) == len(set(firsts_of(path))) == known + 2
    assert read_records(path).records[-1].role == VERDICT
