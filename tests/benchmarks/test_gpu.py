"""benchmarks/gpu.py without a card: what it says, that every row runs in the simulator, and its tables."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hangs import HANG

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture(autouse=True)
def on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))


def gpu(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCHMARKS / "gpu.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=HANG, **options)


def test_without_a_card_it_says_so() -> None:
    done = gpu()
    if done.returncode != 2:
        pytest.skip("there is a card")
    assert done.stderr.startswith("error: expected a GPU with CUDA, but ")
    assert "--simulate" in done.stderr and not done.stdout


def test_every_row_runs_in_the_simulator(tmp_path: Path) -> None:
    done = gpu("--simulate", "--output", str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads((tmp_path / "results.json").read_text())
    assert found["machine"]["card"] == "none: the simulator"
    assert not [line for line in found["checks"] if "FAILED" in line and not line.startswith("compiles")]
    assert all("problem" not in row and row["error"] < 1e-2 for row in found["rows"]), found["rows"]
    names = [row["row"] for row in found["rows"]]
    assert len(names) == len(set(names)) >= 15
    table = (tmp_path / "results.md").read_text()
    assert all(f"| {name} |" in table for name in names)


def test_rows_are_distinct_and_bars_name_their_peers() -> None:
    from gpu.rows import rows

    for tiny in (False, True):
        found = rows(tiny)
        assert len({row.name for row in found}) == len(found)
        for row in found:
            assert set(row.bars) <= {"torch", "copy"} and ("copy" in row.bars) == row.is_copying, row.name


def test_bytes_and_operations() -> None:
    from gpu.rows import PROBLEMS, convolution, matmul, softmax

    assert matmul("float16", 4096).bytes == 3 * 2 * 4096**2
    assert matmul("float32", 4096).operations == 2 * 4096**3
    assert softmax(8192).bytes == 2 * 4 * 8192**2
    assert convolution(PROBLEMS[0]).operations == 2 * 64 * 9 * 64 * 56 * 56


ESTIMATE = {"median": 2.0, "low": 1.0, "high": 3.0, "level": 0.96, "samples": 15}


def result(**changes: Any) -> dict[str, Any]:
    seconds = dict.fromkeys(("median", "low", "high"), 1e-3) | {"level": 0.96, "samples": 15}
    peer = {"ratio": ESTIMATE, "seconds": seconds}
    return {
        "row": "a",
        "bytes": 3e9,
        "operations": 0.0,
        "bars": {"torch": 1.0, "copy": 2.5, "absent": 1.0},
        "seconds": seconds,
        "host_seconds": 1e-5,
        "error": 1e-7,
        "peers": {"torch": peer, "copy": peer},
    } | changes


def test_bars_are_judged() -> None:
    from gpu import report

    assert report.verdicts(result()) == {"torch": True, "copy": False, "absent": None}
    cells = report.cells(result())
    assert cells[:3] == ["a", "1 ms", "3000 GB/s"] and "torch 2.00 [1.00, 3.00] (1 ms)" in cells[3]
    failed = result(problem=["wrong", "error 1|2"])
    assert report.cells(failed)[1] == "**wrong**" and "1/2" in report.cells(failed)[3]
    assert report.verdicts(failed) == {"torch": False, "copy": False, "absent": False}
    assert report.summary([result(), failed]) == (
        "2 rows: 1 bars hold, 4 fall short, 1 are not judged, 1 rows have no result"
    )
    assert report.folder_name("NVIDIA H100 80GB HBM3") == "nvidia-h100-80gb-hbm3"


def test_wrong_results_and_refusals_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from gpu.machine import Simulated
    from gpu.measure import SIMULATED, measure_row
    from gpu.rows import multiply_add_relu

    row = multiply_add_relu(10)
    found = measure_row(row, Simulated(), SIMULATED)
    assert "problem" not in found and found["peers"]["numpy"]["ratio"]["samples"] == 2
    wrong = measure_row(replace(row, numpy=lambda a, b, c: a), Simulated(), SIMULATED)
    assert wrong["problem"][0] == "wrong"

    def refuse(*_: Any) -> Any:
        raise ValueError("no\nmore")

    refused = measure_row(replace(row, define=refuse), Simulated(), SIMULATED)
    assert refused["problem"] == ["not available", "ValueError: no"]


def test_wheels_stand_in_for_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import zipfile

    from gpu import paths

    monkeypatch.setattr(paths, "WHEELS", tmp_path)
    with zipfile.ZipFile(tmp_path / "carried_thing-1.0-py3-none-any.whl", "w") as archive:
        archive.writestr("carried_thing/__init__.py", "VALUE = 7\n")
    (folder,) = paths._unpacked(["carried_thing"])
    assert (Path(folder) / "carried_thing" / "__init__.py").exists()
    with pytest.raises(SystemExit, match="gpu-wheels"):
        paths._unpacked(["carried_thing", "another"])


def test_each_row_has_a_process_and_the_card_alone() -> None:
    """The way of a card's rows, with workers that simulate."""
    import time

    spec = importlib.util.spec_from_file_location("gpu_command", BENCHMARKS / "gpu.py")
    assert spec is not None and spec.loader is not None
    command = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(command)
    arguments = command.parse(["--simulate"])
    chosen = [row for row in command.all_rows(True) if row.name.startswith(("sum-7", "relu", "network"))]
    found = list(command.in_processes(chosen, arguments, time.monotonic()))
    assert [row["row"] for row in found] == [row.name for row in chosen]
    assert all("problem" not in row for row in found), found
    late = command.ask_in_time("sum-7", arguments, time.monotonic() - command.BUDGET)
    assert "were over" in late["lines"][0]
    missing = command.ask("no such row", arguments, HANG)
    assert "StopIteration" in missing["lines"][0]
