"""A row that takes as long as the package says: `tilewright.SECONDS`."""

from __future__ import annotations

import numpy as np
from harness.row import Arrays, Case, Row, gaussians


def rows() -> list[Row]:
    return [_row("steady", "one"), _row("slower", "one"), _row("wrong", "two"), _row("new", "two")]


def _row(name: str, family: str) -> Row:
    def system(arrays: Arrays, out: np.ndarray, threads: int) -> Case:
        import tilewright

        seconds: float = tilewright.SECONDS[name]  # type: ignore[attr-defined]
        factor = 3.0 if seconds < 0 else 2.0
        return Case(lambda: np.multiply(arrays[0], np.float32(factor), out=out), lambda count: abs(seconds))

    return Row(
        name,
        family,
        {"tilewright": system},
        inputs=lambda: gaussians((8,)),
        expected=lambda arrays: arrays[0].astype(np.float64) * 2,
        output=((8,), "float32"),
        threads=(1,),
    )
