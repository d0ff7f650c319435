"""The same kernels under numba's own simulator, through the calls that a GPU gets, on a driver that is the host.

Numba reads its switch when it is imported, so the programs run in a process of their own, all in one.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAMS = Path(__file__).with_name("numba_programs.py")
CASES = ("vector_add_and_copies", "shared_matmul", "tiled_matmul", "reduction_by_parts", "two_kernels_and_a_temporary")


def test_numba_agrees() -> None:
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    command = [sys.executable, str(PROGRAMS), *CASES]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
