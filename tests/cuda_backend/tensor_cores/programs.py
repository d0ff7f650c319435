"""Matrix products on tensor cores, scheduled by hand."""

from __future__ import annotations

from typing import Any

from tilewright import te
from tilewright.backends import tensor_core

BLOCK, DEPTH = 32, 32


def transposed(axes: tuple[Any, Any], swap: bool) -> tuple[Any, Any]:
    return (axes[1], axes[0]) if swap else axes


def matmul(
    m: int, n: int, k: int, dtype: str, left_t: bool = False, right_t: bool = False, aligned: bool = True
) -> tuple[Any, list[Any]]:
    """Schedule C = A B; blocks of 32 x 32 results by 2 x 2 warps, operands through shared memory."""
    core = tensor_core(dtype)
    assert core is not None
    a = te.placeholder(transposed((m, k), left_t), dtype, "A")
    b = te.placeholder(transposed((k, n), right_t), dtype, "B")
    t = te.reduce_axis((0, k), name="t")

    def term(i: Any, j: Any) -> te.Expr:
        left, right = a[transposed((i, t), left_t)], b[transposed((t, j), right_t)]
        if dtype != "float32":
            left, right = left.astype("float32"), right.astype("float32")
        return te.sum(left * right, axis=t)

    c = te.compute((m, n), term, name="C")
    s = te.create_schedule(c.op)
    staged = [s.cache_read(x, "shared", [c]) for x in (a, b)]
    swaps = (left_t, right_t)
    parts = [
        s.cache_read(x, core.scope(side, swap), [c])
        for x, side, swap in zip(staged, ("left", "right"), swaps, strict=True)
    ]
    sums = s.cache_write(c, core.result_scope)
    lanes = te.thread_axis((0, 32), "threadIdx.x")
    warps = [te.thread_axis((0, 2), f"threadIdx.{tag}") for tag in "yz"]

    rows, columns = c.op.axis
    (by, rows), (bx, columns) = (s[c].split(axis, factor=BLOCK) for axis in (rows, columns))
    (wy, rows), (wx, columns) = (s[c].split(axis, nparts=2) for axis in (rows, columns))
    ty, rows = s[c].split(rows, factor=16)
    tx, columns = s[c].split(columns, factor=8)
    s[c].reorder(by, bx, wy, wx, ty, tx, rows, columns)
    share_among_lanes(s[c], rows, columns, lanes, 2)
    blocks = [te.thread_axis(f"blockIdx.{tag}") for tag in "yx"]
    for axis, thread in zip((by, bx, wy, wx), (*blocks, *warps), strict=True):
        s[c].bind(axis, thread)

    s[sums].compute_at(s[c], wx)
    outer, terms = s[sums].split(sums.op.reduce_axis[0], factor=DEPTH)
    step, terms = s[sums].split(terms, factor=core.terms)
    ty, rows = s[sums].split(sums.op.axis[0], factor=16)
    tx, columns = s[sums].split(sums.op.axis[1], factor=8)
    s[sums].reorder(outer, step, ty, tx, rows, columns, terms)
    s[sums].tensorize(rows, core.product(left_t, right_t))

    for stage in staged:
        s[stage].compute_at(s[sums], outer)
        if aligned:
            s[stage].storage_align(s[stage].op.axis[0], 16, 8)
        rest, vector = s[stage].split(s[stage].fuse(*s[stage].op.axis), factor=4)
        s[stage].vectorize(vector)
        for thread in (lanes, *warps):
            rest, inner = s[stage].split(rest, factor=thread.extent)
            s[stage].bind(inner, thread)
    for stage, side, swap in zip(parts, ("left", "right"), swaps, strict=True):
        s[stage].compute_at(s[sums], step)
        load = core.load(side, swap, tiles=2)
        # Along the result, along the terms; the axes of the copy are those of the tensor.
        along = transposed(tuple(s[stage].op.axis), (side == "right") != swap)
        results, rows = s[stage].split(along[0], factor=16 if load or side == "left" else 8)
        steps, terms = s[stage].split(along[1], factor=core.terms)
        tile = transposed((rows, terms), (side == "right") != swap)
        s[stage].reorder(results, steps, *tile)
        if load is not None:
            s[stage].tensorize(tile[0], load)
        else:
            share_among_lanes(s[stage], rows, terms, lanes, 1)
    return s, [a, b, c]


def share_among_lanes(stage: Any, grouped: Any, other: Any, lanes: Any, neighbours: int) -> None:
    """Share a tile among the lanes: 8 groups along `grouped`, 4 positions of so many neighbours along `other`."""
    repeats, groups = stage.split(grouped, factor=8)
    again, positions = stage.split(other, factor=4 * neighbours)
    positions, pair = stage.split(positions, factor=neighbours)
    stage.reorder(groups, positions, again, repeats, pair)
    stage.bind(stage.fuse(groups, positions), lanes)
    stage.unroll(again)
    stage.unroll(repeats)
    if neighbours > 1:
        stage.vectorize(pair)
