"""Random schedules for a GPU compute numpy's results or are refused, and the simulator misses no planted race.

`make fuzz` draws more, with run.py.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from tilewright.backends.cuda import simulator

from .access_log import meetings
from .races import Planted
from .trial import run

DRAWS = 12


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path / "cache"))


def test_random_schedules() -> None:
    start = int(os.environ.get("TILEWRIGHT_SEED", "0"))
    outcomes = [run(seed) for seed in range(start, start + DRAWS)]
    right = [outcome for outcome in outcomes if not outcome.code]
    planted = sum((outcome.planted for outcome in outcomes), Planted())
    print(f"\n{len(right)} of {DRAWS} schedules ran; {planted}")
    assert len(right) * 3 > DRAWS
    assert planted.caught + planted.harmless + planted.unjudged == planted.planted


REVERSED = """
from numba import cuda, float32, int64

def reverse(A, B):
    t = int64(cuda.threadIdx.x)
    tile = cuda.shared.array(8, float32)
    tile[t] = A[t]
    {barrier}
    B[t] = tile[7 - t]
"""


def test_the_access_log_finds_races_of_its_own() -> None:
    arrays = [np.arange(8, dtype=np.float32), np.zeros(8, np.float32)]
    right, wrong = (
        simulator.parse(REVERSED.format(barrier=text), "kernel.py").function("reverse")
        for text in ("cuda.syncthreads()", "pass")
    )
    assert not list(meetings(right, (1, 1, 1), (8, 1, 1), arrays))
    found = list(meetings(wrong, (1, 1, 1), (8, 1, 1), arrays))
    assert len(found) == 8 and all(name == "shared 1" for name, *_ in found)
    # Two blocks of one thread each write one element: nothing orders them.
    assert list(meetings(right, (2, 1, 1), (8, 1, 1), arrays))
