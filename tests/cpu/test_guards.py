"""Guards that hold in some iterations of an outer loop: what stands in place of an element, and what is loaded."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

pytestmark = pytest.mark.hosts

COLUMNS, LANES = 8, 4
CHOICES = {
    "parts": ("%p >= 2", "%p < 2"),
    "three parts": ("%p >= 3", "%p + %j < 5", "%p < 1"),
    "both loops": ("%p - %j >= 0", "%j - %p >= 1", "%p >= 1"),
    "every other": ("%p mod 2 >= 1", "-(%p mod 2) >= 0"),
}
"""Guards in the IR's text; Python evaluates the same text without its percent signs."""


def holds(guard: str, p: int, j: int) -> bool:
    return bool(eval(guard.replace("%", "").replace(" mod ", " % "), {"p": p, "j": j}))


@pytest.mark.parametrize("rows", [range(4), range(1, 3)])
@pytest.mark.parametrize("otherwise", [0.0, 7.0])
@pytest.mark.parametrize("lanes", [None, LANES])
@pytest.mark.each("choice", CHOICES)
def test_loads_under_guards_of_an_outer_loop(
    main, choice: str, lanes: int | None, otherwise: float, rows: range
) -> None:
    """Each guard loads from two buffers; rows of the result differ in which guards hold, none or several."""
    type_ = "f32" if lanes is None else f"vector<{lanes}xf32>"
    tail, lane = ("", "") if lanes is None else (f", {type_}", " + lane")
    terms: list[str] = []
    total = "%x0"
    for number, guard in enumerate(CHOICES[choice], 1):
        terms.append(f"""
          %s{number} = loop.load %s[%j] where ({guard}) else %pad : memref<{COLUMNS}xf32>
          %b{number} = loop.load %b[%j{lane}] where ({guard}) else %pad : memref<{COLUMNS + LANES}xf32>{tail}""")
        scale = f"%s{number}"
        if lanes is not None:
            terms.append(f"%v{number} = vector.broadcast %s{number} : f32 to {type_}")
            scale = f"%v{number}"
        terms.append(f"%x{number} = math.fma {total}, {scale}, %b{number} : {type_}")
        total = f"%x{number}"
    width = lanes or 1
    stored = f"{tail[2:] + ', ' if tail else ''}memref<{rows.stop * COLUMNS * width}xf32>"
    body = f"""
    %pad = arith.constant {otherwise:e} : f32
    loop.for %p = {rows.start} to {rows.stop} {{ loop.for %j = 0 to {COLUMNS} {{
      %x0 = loop.load %x[%j{lane}] : memref<{COLUMNS + LANES}xf32>{tail}
      {chr(10).join(terms)}
      loop.store {total}, %y[%p * {COLUMNS * width} + %j * {width}{lane}] : {stored}
    }} }}"""
    arguments = (
        f"%x: memref<{COLUMNS + LANES}xf32>, %s: memref<{COLUMNS}xf32>, %b: memref<{COLUMNS + LANES}xf32>, "
        f"%y: memref<{rows.stop * COLUMNS * width}xf32> {{tw.output}}"
    )
    x, s, b = (np.random.default_rng(n).integers(1, 5, COLUMNS + LANES).astype(np.float32) for n in range(3))
    expected = np.full((rows.stop, COLUMNS, width), -1.0, np.float32)
    for p, j in product(rows, range(COLUMNS)):
        expected[p, j] = x[j : j + width]
        for guard in CHOICES[choice]:
            is_read = holds(guard, p, j)
            scale, shift = (s[j], b[j : j + width]) if is_read else (otherwise, otherwise)
            expected[p, j] = expected[p, j] * np.float32(scale) + shift
    result = np.full(expected.size, -1.0, np.float32)
    main(arguments, body)(x, s[:COLUMNS], b, result)
    np.testing.assert_array_equal(result, expected.reshape(-1))
