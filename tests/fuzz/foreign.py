"""Functions that random programs call by name: a scalar intrinsic, and foreign code with a reference."""

from __future__ import annotations

from typing import Any

import numpy as np
from tilewright.passes.framework.intrinsics import register_lowering
from tilewright.semantics import register_extern
from tilewright.semantics.intrinsics import find_intrinsic, register_intrinsic

from .scalars import INTRINSIC

FOREIGN = "fuzz_negate"


def register() -> None:
    """Make the functions known to the interpreter and to every target, once: tests know this file by two names."""
    if find_intrinsic(INTRINSIC) is not None:
        return
    register_extern(FOREIGN, _negate)
    register_intrinsic(INTRINSIC, reference=_blend, arity=2)
    register_lowering(INTRINSIC)(lambda op: (op.args[0] + op.args[1]) * 0.5)


def _negate(out: np.ndarray[Any, Any], x: np.ndarray[Any, Any]) -> None:
    out[...] = -x


def _blend(a: Any, b: Any) -> Any:
    return np.multiply(np.add(a, b), np.asarray(0.5, np.asarray(a).dtype))
