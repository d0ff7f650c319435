"""What stands in kernels for the calls of `declarations.py`, and what they mean to the interpreter.

The interpreter runs a call for each lane: of a product it computes the lane's own results, out of the rows and columns
of the operands that these take, and of a load it copies the lane's own elements.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from ....semantics.foreign import ForeignReference
from ..device_calls import DeviceCall, Rule

PRODUCTS = ("mma_m16n8k16_f16", "mma_m16n8k16_bf16", "mma_m16n8k8_tf32")
LOADS = tuple(f"ldmatrix_x{count}{suffix}" for count in (2, 4) for suffix in ("", "_trans"))
_ROW_BYTES = 16
"""Of a row that `ldmatrix` reads, which its address is a multiple of."""


def _product(name: str, call: DeviceCall) -> None:
    c, a, b = (call.registers(n) for n in range(3))
    call.assign(c, f"device.{name}({call.group(a)}, {call.group(b)}, {call.group(c)})")


def _load(name: str, call: DeviceCall) -> None:
    """Arguments: the lane's elements of the fragment, of memory, and the row of memory whose address it gives."""
    call.require_alignment(2, _ROW_BYTES)
    call.assign(call.registers(0), f"device.{name}({call.place(2)})")


CALLS: dict[str, Rule] = {
    **{name: partial(_product, name) for name in PRODUCTS},
    **{f"mma_{order}_{name[4:]}": partial(_product, name) for name in PRODUCTS for order in ("nt", "tn", "tt")},
    **{name: partial(_load, name) for name in LOADS},
}


def _tf32(values: np.ndarray) -> np.ndarray:
    """Rounded to the 10 bits after the point that tf32 has, to nearest, ties away from zero."""
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    rounded = (bits + np.uint32(0x1000)) & np.uint32(0xFFFFE000)
    return np.where(np.isfinite(values), rounded.view(np.float32), values)


def _multiply(name: str, order: str, c: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    left, right = (x if side == "n" else x.T for x, side in zip((a, b), order, strict=True))
    if name.endswith("tf32"):
        left, right = _tf32(left), _tf32(right)
    sums = left.astype(np.float64) @ right.astype(np.float64)
    c[...] = (sums.reshape(c.shape) + c).astype(np.float32)


def _copy(target: np.ndarray, source: np.ndarray, row: np.ndarray) -> None:
    target[...] = source


REFERENCES: dict[str, ForeignReference] = {
    **{name: partial(_multiply, name, "nn") for name in PRODUCTS},
    **{f"mma_{o}_{name[4:]}": partial(_multiply, name, o) for name in PRODUCTS for o in ("nt", "tn", "tt")},
    **dict.fromkeys(LOADS, _copy),
}
