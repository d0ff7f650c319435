"""Output does not depend on the order of sets: five hash seeds of Python give the same bytes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from hangs import HANG

PROGRAM = Path(__file__).with_name("outputs.py")
SEEDS = ("0", "1", "2", "31", "4242")


def outputs(seed: str) -> dict[str, str]:
    """Return the program's output under a hash seed."""
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run(
        [sys.executable, PROGRAM], capture_output=True, text=True, check=False, env=environment, timeout=HANG
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_five_hash_seeds_give_the_same_bytes() -> None:
    with ThreadPoolExecutor(2) as pool:
        first, *others = pool.map(outputs, SEEDS)
    assert all(first.values())
    for seed, other in zip(SEEDS[1:], others, strict=True):
        assert other.keys() == first.keys()
        for name, text in other.items():
            assert text == first[name], f"{name} differs under PYTHONHASHSEED={seed}"
