"""Kernels that are right with their barriers: without one of them, and without the wait for copies, a race is found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tilewright.backends.cuda import simulator
from tilewright.diagnostics import TilewrightError

FOLDER = Path(__file__).parent / "kernels"
SQUARE = [np.ones(64 * 64, np.float32) for _ in range(3)]

LAUNCHES: dict[str, tuple[str, Any, Any, list[Any]]] = {
    "tiled_matmul": ("plain.py", (1, 1), (16, 16), [*SQUARE, np.int32(64)]),
    "register_matmul": ("plain.py", 1, 64, SQUARE),
    "block_sum": ("plain.py", 1, 64, [*SQUARE[:2], np.int32(64)]),
    "double_buffered": ("tensor_cores.py", 1, 256, [*SQUARE, np.int32(64)]),
    "matmul_f16": ("tensor_cores.py", 1, 32, [np.ones(1024, np.float16)] * 2 + [SQUARE[2], np.int32(16), np.int32(64)]),
}
ORDERS = ("cuda.syncthreads()", "device.cp_async_wait(1)")


def source_of(name: str) -> list[str]:
    """Return the lines of a kernel's file."""
    return (FOLDER / LAUNCHES[name][0]).read_text().splitlines()


def orders(name: str) -> list[int]:
    """Return the lines of a kernel at which threads wait."""
    lines = source_of(name)
    start = next(i for i, line in enumerate(lines) if line.startswith(f"def {name}("))
    end = next((i for i in range(start + 1, len(lines)) if lines[i].startswith("def ")), len(lines))
    return [i for i in range(start, end) if lines[i].strip() in ORDERS]


def launch(name: str, lines: list[str]) -> None:
    _, grid, block, arguments = LAUNCHES[name]
    simulator.launch(simulator.parse("\n".join(lines), "kernel.py").function(name), grid, block, arguments)


@pytest.mark.parametrize("name", LAUNCHES)
def test_nothing_is_found_in_the_whole_kernel(name: str) -> None:
    launch(name, source_of(name))


@pytest.mark.parametrize(("name", "line"), [(name, line) for name in LAUNCHES for line in orders(name)])
def test_race_is_found_without(name: str, line: int) -> None:
    lines = source_of(name)
    lines[line] = lines[line].replace(lines[line].strip(), "pass")
    with pytest.raises(TilewrightError, match="TW0654"):
        launch(name, lines)
