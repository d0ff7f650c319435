"""The table of the device operations: names, parameters and results.

Every operation has two implementations: an intrinsic of numba.cuda (`intrinsics/`), created when a kernel is compiled
for a device, and one on numpy (`reference/` for values, `simulator/` for memory and for operations of the lanes of a
warp together). Both are found by the names of this table.

Parameters and results are written as types: `f32`, `u32x4` for a tuple of four, `f` for any float (the same one
throughout), `array` and `index` for memory, `*` for a value of the array's element.
"""

from __future__ import annotations

from itertools import product
from typing import Literal, NamedTuple

from ....hardware import SWIZZLE_LINE_BYTES


class Operation(NamedTuple):
    """The signature of a device operation."""

    kind: Literal["load", "store", "scalar", "collective", "warpgroup", "copy", "wait", "print"]
    parameters: tuple[str, ...]
    result: str | None
    width: int = 1
    """Elements that are loaded or stored, matrices of ldmatrix, sums of a lane, bytes of a copy."""


class WarpgroupProduct(NamedTuple):
    """A product that four warps start together: 64 x `columns` float32 accumulators over 64 terms, 16 rows for each
    warp."""

    kind: str
    """"f16" or "bf16"."""
    columns: int
    left_transposed: bool
    """True if the left operand is stored with its rows contiguous instead of its terms."""
    right_transposed: bool
    """True if the right operand is stored with its terms contiguous instead of its columns."""

    @property
    def name(self) -> str:
        order = "".join("t" if transposed else "n" for transposed in self[2:])
        return f"wgmma_m64n{self.columns}k64_{self.kind}_{order}"

    @property
    def sums(self) -> int:
        """Of a lane."""
        return self.columns // 2


WARPGROUP_WARPS, WARP_ROWS = 4, 16
"""Of a product: the warps that begin it, and the rows of each."""

LINE_ELEMENTS = SWIZZLE_LINE_BYTES // 2
"""Elements of 2 bytes in a line of shared memory: the terms of a product, or neighbours along its rows or columns."""

WARPGROUP_COLUMNS = (64, 128, 256)

WARPGROUP_PRODUCTS: dict[str, WarpgroupProduct] = {
    each.name: each
    for kind, columns, left, right in product(("f16", "bf16"), WARPGROUP_COLUMNS, (False, True), (False, True))
    if (each := WarpgroupProduct(kind, columns, left, right))
}
"""By the names of their operations."""


def _memory() -> dict[str, Operation]:
    table: dict[str, Operation] = {}
    for width in (2, 4, 8, 16):
        table[f"load{width}"] = Operation("load", ("array", "index"), f"*x{width}", width)
        table[f"store{width}"] = Operation("store", ("array", "index", f"*x{width}"), None, width)
        table[f"put{width}"] = Operation("store", ("array", "index", f"*x{width}"), None, width)  # one by one
    for narrow in ("f16", "bf16"):
        table[f"load_{narrow}"] = Operation("load", ("array", "index"), "f32")
        table[f"store_{narrow}"] = Operation("store", ("array", "index", "f32"), None)
    return table


def _scalars() -> dict[str, Operation]:
    floats = dict.fromkeys(("rsqrt", "exp2", "cbrt", "rint", "round_away"), (("f",), "f"))
    floats |= dict.fromkeys(("minimum", "maximum", "minimum_number", "maximum_number"), (("f", "f"), "f"))
    floats |= {"fma": (("f", "f", "f"), "f")}
    fast = {f"fast_{name}": (("f32",), "f32") for name in ("exp", "exp2", "log", "log2", "sin", "cos", "tanh", "sqrt")}
    fast |= {"fast_rsqrt": (("f32",), "f32"), "fast_reciprocal": (("f32",), "f32")}
    fast |= {"fast_divide": (("f32", "f32"), "f32"), "fast_power": (("f32", "f32"), "f32")}
    casts = {
        "float_as_uint": (("f32",), "u32"),
        "uint_as_float": (("u32",), "f32"),
        "double_as_ulong": (("f64",), "u64"),
        "ulong_as_double": (("u64",), "f64"),
        "f16_bits": (("f32",), "u16"),
        "f16_value": (("u16",), "f32"),
        "bf16_bits": (("f32",), "u16"),
        "bf16_value": (("u16",), "f32"),
        "tf32_bits": (("f32",), "u32"),
        "pack_f16": (("f32", "f32"), "u32"),
        "pack_bf16": (("f32", "f32"), "u32"),
        "unpack_f16": (("u32",), "f32x2"),
        "unpack_bf16": (("u32",), "f32x2"),
        "pack_u16": (("u16", "u16"), "u32"),
    }
    return {name: Operation("scalar", *signature) for name, signature in (floats | fast | casts).items()}


def _warp() -> dict[str, Operation]:
    table: dict[str, Operation] = {}
    for count in (1, 2, 4):
        for suffix in ("", "_trans"):
            result = f"u32x{count}" if count > 1 else "u32"
            table[f"ldmatrix_x{count}{suffix}"] = Operation("collective", ("array", "index"), result, count)
    product = Operation("collective", ("u32x4", "u32x2", "f32x4"), "f32x4")
    return table | dict.fromkeys(("mma_m16n8k16_f16", "mma_m16n8k16_bf16", "mma_m16n8k8_tf32"), product)


def _warpgroup() -> dict[str, Operation]:
    """Return the operations of products that go on while threads work, and of waiting for them. The first array has a
    lane's sums."""
    parameters = ("array", "index") * 3
    table = {name: Operation("warpgroup", parameters, None, each.sums) for name, each in WARPGROUP_PRODUCTS.items()}
    sums = {each.sums for each in WARPGROUP_PRODUCTS.values()}
    return table | {f"wgmma_wait{n}": Operation("warpgroup", ("array", "index"), None, n) for n in sorted(sums)}


def _copies() -> dict[str, Operation]:
    table = {
        f"cp_async{size}": Operation("copy", ("array", "index", "array", "index"), None, size) for size in (4, 8, 16)
    }
    table |= {
        f"cp_async{size}_or_zero": Operation("copy", ("array", "index", "array", "index", "bool"), None, size)
        for size in (4, 8, 16)
    }
    table["cp_async_commit"] = Operation("wait", (), None)
    table["cp_async_wait"] = Operation("wait", ("constant",), None)
    table["cp_async_wait_all"] = Operation("wait", (), None)
    table["print_line"] = Operation("print", ("text", "constant", "..."), None)
    table["fence_async"] = Operation("wait", (), None)
    return table


OPERATIONS: dict[str, Operation] = _memory() | _scalars() | _warp() | _warpgroup() | _copies()
"""Every operation by its name."""
