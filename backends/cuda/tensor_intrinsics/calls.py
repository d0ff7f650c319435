"""The device code of the calls of `declarations.py`, and their semantics for the interpreter.

The interpreter runs a call for each lane. For a product it computes the results that the lane holds, from the rows and
columns of the operands that they depend on; for a load it copies the elements that the lane holds.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from ....semantics.foreign import ForeignReference
from ..device_calls import DeviceCall, Rule
from ..operations.reference.scalars import tf32
from ..operations.table import LINE_ELEMENTS, WARP_ROWS, WARPGROUP_PRODUCTS, WARPGROUP_WARPS, WarpgroupProduct

PRODUCTS = ("mma_m16n8k16_f16", "mma_m16n8k16_bf16", "mma_m16n8k8_tf32")
LOADS = tuple(f"ldmatrix_x{count}{suffix}" for count in (2, 4) for suffix in ("", "_trans"))
_ROW_BYTES = 16
"""Of a row that `ldmatrix` reads, which its address is a multiple of."""


def _product(name: str, call: DeviceCall) -> None:
    c, a, b = (call.registers(n) for n in range(3))
    call.assign(c, f"device.{name}({call.group(a)}, {call.group(b)}, {call.group(c)})")


def _load(name: str, call: DeviceCall) -> None:
    """Write a load. Arguments: the lane's elements of the fragment, of memory, and the row of memory whose address it
    gives."""
    call.require_alignment(2, _ROW_BYTES)
    call.assign(call.registers(0), f"device.{name}({call.address(2)})")


def _warpgroup_product(each: WarpgroupProduct, call: DeviceCall) -> None:
    """Write a product of a warpgroup. Each warp passes the address of its rows; the rows of the four warps are
    contiguous, and all warps share the columns."""
    left = call.swizzled_address(1, WARPGROUP_WARPS, WARP_ROWS if each.left_transposed else WARP_ROWS * LINE_ELEMENTS)
    call.line(f"device.{each.name}({call.run(0)}, {left}, {call.swizzled_address(2, WARPGROUP_WARPS, 0)})")


def _warpgroup_wait(each: WarpgroupProduct, call: DeviceCall) -> None:
    call.line(f"device.wgmma_wait{each.sums}({call.run(0)})")


CALLS: dict[str, Rule] = {
    **{name: partial(_warpgroup_product, each) for name, each in WARPGROUP_PRODUCTS.items()},
    **{f"wgmma_wait{each.sums}": partial(_warpgroup_wait, each) for each in WARPGROUP_PRODUCTS.values()},
    **{name: partial(_product, name) for name in PRODUCTS},
    **{f"mma_{order}_{name[4:]}": partial(_product, name) for name in PRODUCTS for order in ("nt", "tn", "tt")},
    **{name: partial(_load, name) for name in LOADS},
}


def _multiply(name: str, order: str, c: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    left, right = (x if side == "n" else x.T for x, side in zip((a, b), order, strict=True))
    if name.endswith("tf32"):
        left, right = tf32(left), tf32(right)
    sums = left.astype(np.float64) @ right.astype(np.float64)
    c[...] = (sums.reshape(c.shape) + c).astype(np.float32)


def _multiply_group(each: WarpgroupProduct, c: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    left = a.astype(np.float64)
    right = b.astype(np.float64)
    left = left.T if each.left_transposed else left
    # As they lie: blocks of columns, terms, columns of a block; or columns, terms.
    right = right.reshape(-1, right.shape[-1]).T if each.right_transposed else np.moveaxis(_by_blocks(right), 1, 0)
    c[...] = ((left @ right.reshape(right.shape[0], -1)).reshape(c.shape) + c).astype(np.float32)


def _by_blocks(columns: np.ndarray) -> np.ndarray:
    """Return the columns of all blocks as (block, term, column): of one block there is no dimension."""
    return columns.reshape(-1, *columns.shape[-3:-2], columns.shape[-2] * columns.shape[-1])


def _wait(c: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    """Do nothing: in the interpreter each operation is complete when it returns."""


def _copy(target: np.ndarray, source: np.ndarray, row: np.ndarray) -> None:
    target[...] = source


REFERENCES: dict[str, ForeignReference] = {
    **{name: partial(_multiply, name, "nn") for name in PRODUCTS},
    **{f"mma_{o}_{name[4:]}": partial(_multiply, name, o) for name in PRODUCTS for o in ("nt", "tn", "tt")},
    **dict.fromkeys(LOADS, _copy),
    **{name: partial(_multiply_group, each) for name, each in WARPGROUP_PRODUCTS.items()},
    **{f"wgmma_wait{each.sums}": _wait for each in WARPGROUP_PRODUCTS.values()},
}
