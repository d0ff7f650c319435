"""The simulator and numba's own give the same results, to the bit where no sum is reordered."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tilewright.backends.cuda import simulator

KERNELS = Path(__file__).parent / "kernels" / "plain.py"

_RUN = """
import importlib.util, sys
import numpy as np
from numba import cuda
specification = importlib.util.spec_from_file_location("kernels", sys.argv[1])
kernels = importlib.util.module_from_spec(specification)
specification.loader.exec_module(kernels)
with np.load(sys.argv[2]) as given, np.errstate(all="ignore"):
    arguments = [given[name] if given[name].shape else given[name][()] for name in sorted(given)]
    cuda.jit(getattr(kernels, sys.argv[3]))[eval(sys.argv[4]), eval(sys.argv[5])](*arguments)
np.savez(sys.argv[6], *arguments)
"""


def floats(*shape: int) -> np.ndarray:
    return np.random.default_rng(list(shape)).standard_normal(shape).astype(np.float32)


CASES = [
    ("vector_add", 2, 64, [floats(100), floats(100) * 2, np.zeros(100, np.float32), np.int32(100)]),
    ("tiled_matmul", (2, 2), (16, 16), [floats(1024), floats(1024) * 3, np.zeros(1024, np.float32), np.int32(32)]),
    ("block_sum", 2, 64, [floats(100), np.zeros(1, np.float32), np.int32(100)]),
    ("histogram", 2, 64, [np.arange(128, dtype=np.int32) % 7, np.zeros(7, np.int32)]),
    ("softmax_row", 1, 4, [floats(64), np.zeros(64, np.float32), np.int32(16)]),
]


@pytest.mark.parametrize(("name", "grid", "block", "arguments"), CASES, ids=[case[0] for case in CASES])
def test_numba_agrees(name: str, grid: object, block: object, arguments: list, tmp_path: Path) -> None:
    given, made = tmp_path / "given.npz", tmp_path / "made.npz"
    np.savez(given, **{f"a{i}": argument for i, argument in enumerate(arguments)})
    command = [sys.executable, "-c", _RUN, str(KERNELS), str(given), name, repr(grid), repr(block), str(made)]
    done = subprocess.run(command, env=os.environ | {"NUMBA_ENABLE_CUDASIM": "1"}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    simulated = [argument.copy() for argument in arguments]
    simulator.launch(simulator.load(KERNELS).function(name), grid, block, simulated)  # pyright: ignore[reportArgumentType]
    with np.load(made) as theirs:
        for i, result in enumerate(simulated):
            assert np.allclose(theirs[f"arr_{i}"], result, rtol=1e-6, atol=1e-7)
            if name in ("vector_add", "tiled_matmul", "histogram"):
                assert np.array_equal(theirs[f"arr_{i}"], result)
