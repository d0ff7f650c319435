"""A compiled program on a cluster of two processes: the same scores as in one, and nothing lost with a worker."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hangs import HANG

distributed = pytest.importorskip("distributed", reason="dask is not installed: `make test-cluster` installs it")

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "batch_inference.py"
pytestmark = pytest.mark.filterwarnings("ignore")  # of dask, about ports and the sizes of messages


@pytest.fixture(scope="module")
def example() -> Any:
    spec = importlib.util.spec_from_file_location("batch_inference", EXAMPLE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_example(tmp_path: Path) -> None:
    run = subprocess.run([sys.executable, EXAMPLE], cwd=tmp_path, capture_output=True, text=True, timeout=HANG)
    assert run.returncode == 0, run.stderr
    assert run.stdout == ("10000 images in 40 batches on two processes: the scores of one process, bit for bit\n")


def scores_of(program: Any, batch: np.ndarray[Any, Any], folder: str, number: int) -> tuple[int, np.ndarray[Any, Any]]:
    """Return the process, and the scores; a note of each process that runs a batch lies in the folder."""
    Path(folder, f"{number}-{os.getpid()}").touch()
    time.sleep(0.05)
    return os.getpid(), program.run({"images": batch}, threads=1)["scores"]


def test_a_killed_worker_loses_nothing(example: Any, tmp_path: Path) -> None:
    """One worker is killed while it has batches to do; another process does them."""
    program = example.model()
    numbers = range(40)
    expected = [example.classify(program, number) for number in numbers]
    options: dict[str, Any] = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        shipped = client.scatter(program, broadcast=True)
        batches = [example.images(number) for number in numbers]
        folder = [str(tmp_path)] * len(batches)
        tasks = client.map(scores_of, [shipped] * len(batches), batches, folder, numbers)
        started = time.monotonic()
        while len(ran := sorted(tmp_path.iterdir())) < 4:
            assert time.monotonic() < started + HANG
            time.sleep(0.01)
        killed = int(ran[-1].name.partition("-")[2])
        os.kill(killed, signal.SIGKILL)
        answers = client.gather(tasks)
    for found, wanted in zip(answers, expected, strict=True):
        np.testing.assert_array_equal(found[1], wanted)
    processes = {process for process, _ in answers}
    assert killed in {int(path.name.partition("-")[2]) for path in tmp_path.iterdir()}
    assert processes - {killed}
