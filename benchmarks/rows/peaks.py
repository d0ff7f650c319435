"""The peak performance of the machine: multiply-adds on registers, and passes over memory of two sizes."""

from __future__ import annotations

from harness.row import ROOFLINE, Row, Work

GIGA = 1e9
SIZES = {"16MiB": 16 << 20, "1GiB": 1 << 30}


def rows() -> list[Row]:
    products = {f"peak-{short}": Work(GIGA, dtype=dtype) for short, dtype in TYPES.items()}
    triads = {f"triad-{name}": Work(read=size * 2 / 3, written=size / 3) for name, size in SIZES.items()}
    reads = {f"read-{name}": Work(read=size) for name, size in SIZES.items()}
    return [
        Row(name, "peaks", systems={}, work=work, subject=ROOFLINE)
        for name, work in (products | triads | reads).items()
    ]


TYPES = {"f32": "float32", "bf16": "bfloat16", "int8": "int8"}
