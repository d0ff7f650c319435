"""The declaration of a register tile as a kernel, common to the kernels of a family."""

from __future__ import annotations

from functools import cache

from ....schedule.product_kernels import ProductKernel
from ....schedule.tensor_intrinsics import TensorIntrin
from .declaration import declare
from .packing import declare_interleave
from .register_tile import RegisterTile

Pairs = tuple[tuple[str, str], ...]

BYTES = ("int8", "uint8")
ALL_BYTES: Pairs = tuple((left, right) for left in BYTES for right in BYTES)


def register_kernel(
    name: str,
    features: tuple[str, ...],
    operands: Pairs,
    packed: tuple[str, str],
    result: str,
    speed: float,
    tile: RegisterTile,
) -> ProductKernel:
    """Register a kernel whose results stay in vector registers."""

    @cache
    def declared(kernel: ProductKernel, rows: int, depth: int) -> TensorIntrin:
        return declare(kernel, rows, depth, tile.text(name))

    left, right = packed
    return ProductKernel(
        name,
        features,
        operands,
        left,
        right,
        result,
        tile.rows,
        tile.columns,
        speed,
        declared,
        declare_interleave,
        tile.left_offset,
        partial_rows=True,
    )
