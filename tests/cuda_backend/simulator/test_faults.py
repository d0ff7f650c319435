"""Every fault that the simulator knows, planted: its code, its thread and block, its line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tilewright.backends.cuda import simulator
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.locations import source_position

PATH = Path(__file__).parent / "kernels" / "faults.py"
FILE = simulator.load(PATH)

CASES = [
    ("missing_barrier", 1, "TW0654", (0, 0), "thread (63, 0, 0) of block (0, 0, 0) wrote it in line"),
    ("missing_barrier_after_reading", 1, "TW0654", (1, 0), "thread (0, 0, 0) of block (0, 0, 0) read it in line"),
    ("two_writers", 1, "TW0654", (1, 0), "thread (0, 0, 0) of block (0, 0, 0) wrote it in line"),
    ("warps_without_barrier", 1, "TW0654", (0, 0), "thread (32, 0, 0) of block (0, 0, 0) wrote it in line"),
    ("blocks_write_the_same", 2, "TW0655", (0, 1), "thread (0, 0, 0) of block (0, 0, 0) wrote it in line"),
    ("block_reads_another", 2, "TW0655", (0, 1), "thread (0, 0, 0) of block (0, 0, 0) wrote it in line"),
    ("block_overwrites_what_another_read", 2, "TW0655", (0, 1), "thread (0, 0, 0) of block (0, 0, 0) read it in line"),
    ("atomic_and_plain", 1, "TW0655", (1, 0), "thread (0, 0, 0) of block (0, 0, 0) read it in line"),
    ("divergent_barrier", 1, "TW0651", (0, 0), "thread (40, 0, 0) has ended"),
    ("different_barriers", 1, "TW0651", (0, 0), "thread (40, 0, 0) waits at the barrier in line"),
    ("early_return", 1, "TW0651", (0, 0), "thread (40, 0, 0) has ended"),
    ("beyond_the_end", 3, "TW0652", (0, 2), "element 128 of 'A', global memory, which has 128 elements"),
    ("below_zero", 1, "TW0652", (0, 0), "element -1 of 'A'"),
    ("beyond_shared", 1, "TW0652", (32, 0), "element 32 of 'tile', shared memory, which has 32 elements"),
    ("beyond_local", 1, "TW0652", (4, 0), "element 4 of 'acc', local memory, which has 4 elements"),
    ("race_in_a_product_with_zero", 1, "TW0654", (0, 0), "element 63 of 'tile'"),
    ("uninitialised_shared", 1, "TW0653", (0, 0), "element 0 of 'tile'"),
    ("uninitialised_local", 1, "TW0653", (0, 0), "'acc', local memory"),
    ("stored_uninitialised_local", 1, "TW0653", (0, 0), "'acc', local memory"),
    ("decides_by_nothing", 1, "TW0653", (0, 0), "element 0 of 'tile', shared memory"),
    ("misaligned_global", 1, "TW0657", (0, 0), "access of 16 bytes at element 1 of 'A'"),
    ("misaligned_shared", 1, "TW0657", (0, 0), "alignment=16"),
    ("absent_lane", 1, "TW0656", (32, 0), "waits for lane 8, thread (40, 0, 0), which has ended"),
    ("absent_in_another_branch", 1, "TW0656", (0, 0), "thread (1, 0, 0), which waits at the barrier in line"),
    ("unnamed_lane", 1, "TW0656", (16, 0), "by lane 16, which it does not name"),
    ("copy_not_waited_for", 1, "TW0654", (0, 0), "is copying to it in line"),
    ("copy_without_barrier", 1, "TW0654", (0, 0), "thread (1, 0, 0) of block (0, 0, 0)"),
    ("divides_by_zero", 1, "TW0659", (3, 0), "integer division by zero"),
    ("shifts_too_far", 1, "TW0659", (2, 0), "shift of a 64-bit integer by 64"),
    ("row_of_another_thread", 1, "TW0655", (0, 0), "different threads have disjoint elements"),
    ("rows_taken_in_turns", 1, "TW0655", (0, 0), "thread (1, 0, 0) of block (0, 0, 0) wrote it in line"),
    ("row_of_another_lane", 1, "TW0655", (0, 0), "thread (1, 0, 0) of block (0, 0, 0) wrote it in line"),
    ("row_that_nobody_wrote", 1, "TW0653", (0, 0), "element 0 of 'T', global memory"),
    ("row_of_another_block", 2, "TW0655", (0, 1), "different blocks have disjoint elements"),
    ("row_of_a_block_that_nobody_wrote", 1, "TW0653", (0, 0), "element 0 of 'T', global memory"),
    ("unassigned", 1, "TW0653", (0, 0), "cannot access local variable 'last'"),
]


def line_of(kernel: str) -> int:
    """Return the line of the kernel that is marked."""
    lines = PATH.read_text().splitlines()
    start = lines.index(next(line for line in lines if line.startswith(f"def {kernel}(")))
    return next(number for number, line in enumerate(lines[start:], start + 1) if line.endswith("# fault"))


@pytest.mark.each(("name", "blocks", "code", "who", "said"), CASES, ids=[case[0] for case in CASES])
def test_fault_is_found(name: str, blocks: int, code: str, who: tuple[int, int], said: str) -> None:
    kernel = FILE.function(name)
    with pytest.raises(TilewrightError) as caught:
        simulator.launch(kernel, blocks, 64, [np.ones(128, np.float32) for _ in kernel.parameters])
    error = caught.value
    assert error.code == code
    assert f"in thread ({who[0]}, 0, 0) of block ({who[1]}, 0, 0) of '{name}'" in error.message
    position = source_position(error.location)
    assert position is not None
    assert (position.file, position.line) == (str(PATH), line_of(name))
    assert said in str(error)
    assert "# fault" in str(error)  # the line is quoted


def test_every_kernel_is_a_case() -> None:
    kernels = [line[4 : line.index("(")] for line in PATH.read_text().splitlines() if line.startswith("def ")]
    assert kernels == [case[0] for case in CASES]
