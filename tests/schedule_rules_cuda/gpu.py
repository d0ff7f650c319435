"""Running te programs by the default schedules for GPUs, in the simulator, and what became of their loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import tilewright
from tilewright import te
from tilewright.diagnostics.remarks import Remark, collect_remarks

RANDOM = np.random.default_rng(7)


def build(inputs: Sequence[te.Tensor], *outputs: te.Tensor, target: str = "cuda") -> Any:
    """Build a program of the default schedules; no rule was refused."""
    with collect_remarks() as found:
        program = tilewright.build(list(outputs), [*inputs, *outputs], target=target, device="simulator")
    refused = [str(r) for r in found if r.code == "TW0409"]
    assert not refused, refused
    program.remarks = found
    return program


def messages_of(program: Any, code: str = "TW0646") -> list[str]:
    """Return the remarks of rules on a program."""
    found: list[Remark] = program.remarks
    return [r.message for r in found if r.code == code]


def source(program: Any) -> str:
    """Return the kernels."""
    return program.imported_modules[0].get_source()


def draw(shape: Sequence[int], dtype: str = "float32") -> np.ndarray:
    """Return values that are exact in every type and whose sums are exact in narrow ones."""
    if dtype == "bool":
        return RANDOM.integers(0, 2, shape).astype(bool)
    if dtype.startswith(("int", "uint")):
        return RANDOM.integers(0, 5, shape).astype(dtype)
    return RANDOM.normal(size=shape).astype(dtype)
