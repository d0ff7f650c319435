"""Matrix products of a warp on numpy: the lane and the register of each element, and the arithmetic.

From NVIDIA's PTX ISA, "Warp Level Matrix Multiply-Accumulate Instructions": "Matrix Fragments for mma.m16n8k16 with
floating point type", "Matrix Fragments for mma.m16n8k8", "Warp-level matrix load instruction: ldmatrix". With
`group = lane >> 2` and `column = lane & 3`:

`mma.m16n8k16` with 16-bit elements; a register holds two, the one of the lower column (A) or row (B) in its low bits:

    A (16 x 16, row)   a0: row group      columns 2*column, +1       a1: row group + 8, the same columns
                       a2: row group      columns 2*column + 8, +9   a3: row group + 8, the same columns
    B (16 x 8, col)    b0: rows 2*column, +1      column group       b1: rows 2*column + 8, +9   column group
    C, D (16 x 8)      c0, c1: row group       columns 2*column, 2*column + 1
                       c2, c3: row group + 8   the same columns

`mma.m16n8k8` with tf32 elements, one a register:

    A (16 x 8, row)    a0: (group, column)   a1: (group + 8, column)
                       a2: (group, column + 4)   a3: (group + 8, column + 4)
    B (8 x 8, col)     b0: (column, group)   b1: (column + 4, group)
    C, D               as above

`ldmatrix.m8n8.xN.b16`: lane `8*m + r` gives the address of row r of matrix m (16 bytes, aligned to 16; m < N).
Register m of a lane receives the elements 2*column and 2*column + 1 of row `group` of matrix m; with .trans, the
elements (2*column, group) and (2*column + 1, group). So ldmatrix_x4 on the four 8 x 8 quarters of a row-major A (rows
0-7 and 8-15 of columns 0-7, then of columns 8-15) gives mma's A fragment, and ldmatrix_x2_trans on the two halves of a
row-major B (rows 0-7, 8-15) gives its B fragment.

The products are exact in float32 (11-bit mantissas). They are added here in float64 and rounded once; the hardware adds
with less precision and in an unspecified order (Fasi et al., "Numerical behavior of NVIDIA tensor cores", 2021), which
tolerances have to allow for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .....hardware import WARP_THREADS

Registers = np.ndarray
"""uint32 or float32 registers, of shape (32 lanes, registers)."""

_LANE = np.arange(WARP_THREADS)
GROUP, COLUMN = _LANE >> 2, _LANE & 3


def halves(registers: Registers, kind: str) -> np.ndarray:
    """Return the two elements of each register as float64, of shape (32, registers, 2)."""
    bits = np.ascontiguousarray(registers, np.uint32).view(np.uint16).reshape(*registers.shape, 2)
    if kind == "f16":
        return bits.view(np.float16).astype(np.float64)
    return (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)


def _accumulator_coordinates() -> tuple[np.ndarray, np.ndarray]:
    """Return the row and the column of each lane's four elements of C and D."""
    rows = np.stack([GROUP, GROUP, GROUP + 8, GROUP + 8], axis=1)
    columns = np.stack([2 * COLUMN, 2 * COLUMN + 1] * 2, axis=1)
    return rows, columns


ACCUMULATOR = _accumulator_coordinates()


def mma_m16n8k16(a: Registers, b: Registers, c: Registers, kind: str) -> Registers:
    """Compute `D = A B + C` from the lanes' registers: a (32, 4) and b (32, 2) uint32, c and the result (32, 4)
    float32."""
    left, right = np.empty((16, 16)), np.empty((16, 8))
    for register, (row, column) in enumerate([(0, 0), (8, 0), (0, 8), (8, 8)]):
        for half in range(2):
            left[GROUP + row, 2 * COLUMN + column + half] = halves(a, kind)[:, register, half]
    for register in range(2):
        for half in range(2):
            right[2 * COLUMN + 8 * register + half, GROUP] = halves(b, kind)[:, register, half]
    return _product(left, right, c)


def mma_m16n8k8_tf32(a: Registers, b: Registers, c: Registers) -> Registers:
    """Compute `D = A B + C` with tf32 elements, whose low 13 bits are not looked at."""
    values = [(np.ascontiguousarray(r, np.uint32) & np.uint32(0xFFFFE000)).view(np.float32) for r in (a, b)]
    left, right = np.empty((16, 8)), np.empty((8, 8))
    for register, (row, column) in enumerate([(0, 0), (8, 0), (0, 4), (8, 4)]):
        left[GROUP + row, COLUMN + column] = values[0][:, register]
    for register in range(2):
        right[COLUMN + 4 * register, GROUP] = values[1][:, register]
    return _product(left, right, c)


def _product(left: np.ndarray, right: np.ndarray, c: Registers) -> Registers:
    total = np.empty((16, 8))
    total[ACCUMULATOR] = c
    return (left @ right + total).astype(np.float32)[ACCUMULATOR]


def ldmatrix(rows: np.ndarray, transposed: bool) -> Registers:
    """Return the lanes' registers (32, N) from `rows`, the 8 elements (uint16) at each of the 8 * N addresses."""
    matrices = rows.reshape(-1, 8, 8).astype(np.uint32)
    if transposed:
        matrices = matrices.transpose(0, 2, 1)
    low, high = matrices[:, GROUP, 2 * COLUMN], matrices[:, GROUP, 2 * COLUMN + 1]
    return (low | high << np.uint32(16)).T


def unpacked(registers: Registers) -> list[Any]:
    """Return the registers of each lane as Python integers or numpy floats, in tuples."""
    if registers.dtype == np.uint32:
        return [tuple(row) for row in registers.tolist()]
    return [tuple(row) for row in registers]
