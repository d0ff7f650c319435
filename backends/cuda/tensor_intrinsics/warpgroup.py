"""Products of four warps together (`wgmma`) as tensor intrinsics: the part of one warp, with operands in shared memory.

The declaration of one warp's part covers 16 of the 64 rows and does not depend on the other warps. The left operand is
a tile of 16 rows, the right one of all columns, both with 64 terms and swizzled in shared memory; their storage order
is part of the intrinsic. The accumulators are adjacent tiles of `warp.mma_c`. The call that starts a product and the
call that waits for it are separate statements, so that a software pipeline can insert copies between them.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, f32
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from .... import te
from ....dialects import loop
from ....dialects.index_expr import Index
from ....passes.te_functions.tensor_intrin import decl_tensor_intrin
from ....schedule.tensor_cores import TensorCore
from ....schedule.tensor_intrinsics import TensorIntrin
from ..operations.table import LINE_ELEMENTS, WARP_ROWS, WARPGROUP_COLUMNS, WARPGROUP_WARPS, WarpgroupProduct
from .declarations import Pairs, access, over_lanes

_ROWS: Pairs = ((2, 8),)
_TERMS: Pairs = ((LINE_ELEMENTS, 1),)


def _pairs(*pairs: tuple[int, int]) -> Pairs:
    return tuple(pair for pair in pairs if pair[0] > 1)


@cache
def product(each: WarpgroupProduct) -> TensorIntrin:
    """Declare `c[m, n] += a[m, k] * b[k, n]` over 16 rows and all columns of a warp, sums in float32 of 64 terms.

    Operands lie as a[m, k] or, transposed, a[k, m], and as b[n // 64, k, n % 64] or, transposed, b[n, k].
    """
    dtype, columns = {"f16": "float16", "bf16": "bfloat16"}[each.kind], each.columns
    a = te.placeholder((LINE_ELEMENTS, WARP_ROWS) if each.left_transposed else (WARP_ROWS, LINE_ELEMENTS), dtype, "a")
    in_lines = (columns // LINE_ELEMENTS, LINE_ELEMENTS, LINE_ELEMENTS)  # side by side for each term
    b = te.placeholder((columns, LINE_ELEMENTS) if each.right_transposed else in_lines, dtype, "b")
    k = te.reduce_axis((0, LINE_ELEMENTS), name="k")

    def term(i: Any, j: Any) -> te.Expr:
        left = a[k, i] if each.left_transposed else a[i, k]
        right = b[j, k] if each.right_transposed else b[j // LINE_ELEMENTS, k, j % LINE_ELEMENTS]
        return te.sum(left.astype("float32") * right.astype("float32"), axis=k)

    c = te.compute((WARP_ROWS, columns), term, name="c")

    def update(builder: Builder, left: SSAValue, right: SSAValue, result: SSAValue) -> None:
        for callee in (each.name, f"wgmma_wait{each.sums}"):
            inner, _, group, member = over_lanes(builder)
            inner.insert(loop.CallExternOp(callee, _accesses(each, left, right, result, group, member * 2)))

    def reset(builder: Builder, left: SSAValue, right: SSAValue, result: SSAValue) -> None:
        inner, _, group, member = over_lanes(builder)
        zero = arith.ConstantOp(FloatAttr(0.0, f32))
        tiles = loop.ForOp(0, columns // 8, name_hint="tile")
        inner.insert(zero)
        inner.insert(tiles)
        inner = Builder(InsertPoint.at_end(tiles.body.block))
        tile = Index.of(tiles.induction_variable) * 8
        for row in (0, 8):
            for column in (0, 1):
                inner.insert(loop.StoreOp(zero.result, result, [group + row, tile + member * 2 + column]))

    return decl_tensor_intrin(c.op, lambda ins, outs: (None, reset, update), each.name)


def _accesses(
    each: WarpgroupProduct, left: SSAValue, right: SSAValue, result: SSAValue, row: Index, column: Index
) -> list[loop.AccessArgument]:
    """Return the accesses of a lane: its elements of the result, and the rows and columns of the operands that these
    take."""
    all_columns = _pairs((each.columns // 8, 8), (2, 1))
    rows = access("read", left, (0, row) if each.left_transposed else (row, 0), _turned(_ROWS, each.left_transposed))
    if each.right_transposed:
        columns = access("read", right, (column, 0), (all_columns, _TERMS))
    else:
        blocks = _pairs((each.columns // LINE_ELEMENTS, 1))
        columns = access("read", right, (0, 0, column), (blocks, _TERMS, _pairs((LINE_ELEMENTS // 8, 8), (2, 1))))
    return [access("update", result, (row, column), (_ROWS, all_columns)), rows, columns]


def _turned(rows: Pairs, transposed: bool) -> tuple[Pairs, Pairs]:
    return (_TERMS, rows) if transposed else (rows, _TERMS)


def _core(kind: str, dtype: str, columns: int) -> TensorCore:
    def declare(operand: str, left_transposed: bool, right_transposed: bool) -> TensorIntrin:
        return product(WarpgroupProduct(kind, columns, left_transposed, right_transposed))

    return TensorCore(
        f"wgmma_m64n{columns}k16_{kind}",
        dtype,
        "float32",
        WARP_ROWS,
        columns,
        LINE_ELEMENTS,
        (9, 0),
        ("shared", "shared", "warp.mma_c"),
        False,
        declare,
        warps=WARPGROUP_WARPS,
        arch="sm_90a",
    )


WARPGROUP_CORES: tuple[TensorCore, ...] = tuple(
    _core(kind, dtype, columns)
    for kind, dtype in (("f16", "float16"), ("bf16", "bfloat16"))
    for columns in WARPGROUP_COLUMNS
)
