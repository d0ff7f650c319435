"""Products of tiles on tensor cores, and loads of their operands from shared memory, as tensor intrinsics.

Each declares a compute over one tile, and loop IR that implements it for a warp: a loop over `threadIdx.x`, the 32
lanes, around a call. A lane writes the elements of a fragment that it holds. For a product it reads whole rows and
columns, which other lanes hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, f32
from xdsl.ir import SSAValue

from .... import te
from ....dialects import loop
from ....dialects.index_expr import Index, IndexLike
from ....passes.te_functions.tensor_intrin import decl_tensor_intrin
from ....schedule.tensor_cores import over_lanes
from ....schedule.tensor_intrinsics import TensorIntrin

Pairs = tuple[tuple[int, int], ...]
_HALVES: Pairs = ((2, 8),)
_PAIRS: Pairs = ((2, 8), (2, 1))
_SHORT = {"float16": "f16", "bfloat16": "bf16", "float32": "tf32"}


def access(mode: str, buffer: SSAValue, index: Sequence[IndexLike], box: Sequence[Pairs]) -> loop.AccessArgument:
    return loop.AccessArgument(mode, buffer, tuple(map(Index.of, index)), tuple(box))


def _swapped(pair: Sequence[Any], swap: bool) -> list[Any]:
    return list(reversed(pair)) if swap else list(pair)


@cache
def product(dtype: str, left_transposed: bool = False, right_transposed: bool = False) -> TensorIntrin:
    """Declare `c[m, n] += a[m, k] * b[k, n]` over a tile of 16 x 8 results in float32, for operands of float16,
    bfloat16 (16 terms) or float32, which is rounded to tf32 (8 terms). A transposed operand is `a[k, m]`, `b[n, k]`."""
    depth = 8 if dtype == "float32" else 16
    orders = (
        "" if not (left_transposed or right_transposed) else f"{_order(left_transposed)}{_order(right_transposed)}_"
    )
    name = f"mma_{orders}m16n8k{depth}_{_SHORT[dtype]}"
    a = te.placeholder(_swapped((16, depth), left_transposed), dtype, "a")
    b = te.placeholder(_swapped((depth, 8), right_transposed), dtype, "b")
    k = te.reduce_axis((0, depth), name="k")

    def term(i: Any, j: Any) -> te.Expr:
        left, right = a[tuple(_swapped((i, k), left_transposed))], b[tuple(_swapped((k, j), right_transposed))]
        if dtype != "float32":
            left, right = left.astype("float32"), right.astype("float32")
        return te.sum(left * right, axis=k)

    c = te.compute((16, 8), term, name="c")

    def update(builder: Builder, left: SSAValue, right: SSAValue, result: SSAValue) -> None:
        inner, _, group, member = over_lanes(builder)
        rows, columns, terms = _HALVES, ((2, 1),), ((depth, 1),)
        arguments = [
            access("update", result, (group, member * 2), (rows, columns)),
            access("read", left, _swapped((group, 0), left_transposed), _swapped((rows, terms), left_transposed)),
            access(
                "read", right, _swapped((0, member * 2), right_transposed), _swapped((terms, columns), right_transposed)
            ),
        ]
        inner.insert(loop.CallExternOp(name, arguments))

    def reset(builder: Builder, left: SSAValue, right: SSAValue, result: SSAValue) -> None:
        inner, _, group, member = over_lanes(builder)
        zero = arith.ConstantOp(FloatAttr(0.0, f32))
        inner.insert(zero)
        for row in (0, 8):
            for column in (0, 1):
                inner.insert(loop.StoreOp(zero.result, result, [group + row, member * 2 + column]))

    return decl_tensor_intrin(c.op, lambda ins, outs: (None, reset, update), name)


def _order(transposed: bool) -> str:
    return "t" if transposed else "n"


@cache
def load(dtype: str, side: str, transposed: bool = False, tiles: int = 1) -> TensorIntrin:
    """Declare a copy of 16 x 16 elements of 16 bits from shared memory to the left operand's fragment (`side` "left"),
    or of one or two tiles beside one another to the right one's, by `ldmatrix`. Rows have to lie at multiples of 16
    bytes."""
    results = 16 if side == "left" or tiles == 2 else 8
    # If the rows in memory run along the result, the two terms of a register are in different rows: the transposed
    # load.
    terms_first = (side == "right") != transposed
    callee = f"ldmatrix_x{results // 4}{'_trans' if terms_first else ''}"
    source = te.placeholder(_swapped((results, 16), terms_first), dtype, "source")
    target = te.compute(source.shape, lambda i, j: source[i, j], name="target")

    def copy(builder: Builder, given: SSAValue, fragment: SSAValue) -> None:
        inner, lane, group, member = over_lanes(builder)
        index = _swapped((group, member * 2), terms_first)
        box = _swapped((_HALVES if results == 16 else (), _PAIRS), terms_first)
        row = _swapped(_row(lane, side, results, terms_first), terms_first)
        arguments = [
            access("write", fragment, index, box),
            access("read", given, index, box),
            access("read", given, row, ((), ((8, 1),))),
        ]
        inner.insert(loop.CallExternOp(callee, arguments))

    return decl_tensor_intrin(
        target.op, lambda ins, outs: copy, f"load_{side}{results}_{_order(transposed)}_{_SHORT[dtype]}"
    )


def _row(lane: Index, side: str, results: int, terms_first: bool) -> tuple[Index, Index]:
    """Return the start of the row whose address a lane gives, along the result and along the terms.

    Eight lanes give the rows of a quarter of the tile; quarters come in the order of the registers that receive them.
    """
    quarter = lane // 8
    first, second = quarter % 2 * 8, quarter // 2 * 8
    result, term = (first, second) if side == "left" else (second if results == 16 else Index.of(0), first)
    return (result, term + lane % 8) if terms_first else (result + lane % 8, term)
