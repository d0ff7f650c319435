"""Runs of `tilewright tune` that are killed and go on; as a program, on the light ResNet-50 (`make tune-resume`)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from hangs import HANG
from tilewright.schedule.records import TRIAL, VERDICT, read_records

MARK = "TILEWRIGHT_TEST_OF_TUNING"
"""A variable in the environment of a run and of all processes that it starts."""


def processes_of(mark: str) -> list[int]:
    """Return the processes that have the mark of a run, without those that have ended and wait for their parent."""
    found: list[int] = []
    for entry in filter(str.isdecimal, os.listdir("/proc")):
        try:
            environment = Path(f"/proc/{entry}/environ").read_bytes()
            state = Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if f"{MARK}={mark}".encode() in environment.split(b"\0") and state != "Z":
            found.append(int(entry))
    return found


def wait_until(condition: Callable[[], bool], what: str) -> None:
    """Wait for a condition; AssertionError where it never comes true."""
    end = time.monotonic() + HANG
    while not condition():
        assert time.monotonic() < end, f"{what} takes more than {HANG} s"
        time.sleep(0.05)


def lines_of(path: Path) -> int:
    """Return the number of whole lines of a file."""
    return path.read_bytes().count(b"\n") if path.exists() else 0


def kill_run(model: Path, path: Path, lines: int, options: Sequence[str] = ()) -> int:
    """Start a run, kill it when the file has so many lines more; the records that it left.

    AssertionError where it fails before, where a process is left, or where a whole line is no record.
    """
    before, mark = lines_of(path), str(path)
    with tempfile.TemporaryFile() as errors:
        command, environment = _command(model, path, options), _environment(mark)
        running = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=errors)
        try:
            wait_until(lambda: lines_of(path) >= before + lines or running.poll() is not None, "measuring")
        finally:
            running.send_signal(signal.SIGKILL)
            running.wait()
        errors.seek(0)
        assert running.returncode in (0, -signal.SIGKILL), errors.read().decode()
    wait_until(lambda: not processes_of(mark), "the end of the processes of a killed run")
    found = read_records(path)
    assert len(found.records) + len(found.problems) in (lines_of(path), lines_of(path) + 1)
    assert len(found.problems) <= lines_of(path)
    return len(found.records)


def finish_run(model: Path, path: Path, options: Sequence[str] = ()) -> str:
    """Let a run come to its end; its output. AssertionError where it changes what the file had, or leaves a process."""
    before = path.read_bytes()
    command, mark = _command(model, path, options), str(path)
    end = subprocess.run(command, env=_environment(mark), capture_output=True, text=True)
    assert end.returncode == 0, end.stderr
    assert path.read_bytes().startswith(before)
    assert processes_of(mark) == []
    return end.stdout


def firsts_of(path: Path) -> list[tuple[str, str]]:
    """Return the tasks and points whose first samples the file has, a line each."""
    return [(r.task, str(sorted(r.decisions.items()))) for r in read_records(path).records if r.role == TRIAL]


def _command(model: Path, path: Path, options: Sequence[str]) -> list[str]:
    return [sys.executable, "-m", "tilewright", "tune", str(model), "-o", str(path), "--resume", *options]


def _environment(mark: str) -> dict[str, str]:
    return {**os.environ, MARK: mark}


def main() -> None:
    """Kill runs on the light ResNet-50 while they begin, while they search and while they finish; then end one."""
    from tilewright.frontends.onnx.light_models import light_model_path

    model, trials = light_model_path("resnet50"), 60
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "records.jsonl"
        options = ("--trials", str(trials))
        for lines in (3, 20, 30):
            records = kill_run(model, path, lines, options)
            print(
                f"killed: {records} records, {len(read_records(path).problems)} torn lines, no process left", flush=True
            )
            assert len(firsts_of(path)) == len(set(firsts_of(path)))
        wait = finish_run(model, path, options)
        print(wait)
        firsts, records = firsts_of(path), read_records(path).records
        assert len(firsts) == len(set(firsts)) == trials, (len(firsts), len(set(firsts)))
        tasks = {record.task for record in records}
        assert tasks == {record.task for record in records if record.role == VERDICT}
        before = path.read_bytes()
        finish_run(model, path, options)
        assert path.read_bytes() == before, "a run with nothing to do writes nothing"
        print(f"{len(records)} records of {len(tasks)} tasks, {trials} points, none measured twice, no whole line lost")


if __name__ == "__main__":
    main()
