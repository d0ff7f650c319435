"""A function of a module, scheduled step by step: each step is checked and applied at once, and can be looked at.

python examples/interactive_schedule.py
"""

from __future__ import annotations

import numpy as np
import tilewright as tvm
from tilewright import te, tir


def main() -> None:
    # A function with its loops as plain as they come, in a module.
    a = te.placeholder((64, 64), name="A")
    b = te.placeholder((64, 64), name="B")
    k = te.reduce_axis((0, 64), "k")
    c = te.compute((64, 64), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")
    module = tvm.IRModule({"main": te.create_prim_func([a, b, c])})
    print(module.script())

    # Handles of blocks and loops stay valid while the loops around them change.
    sch = tir.Schedule(module)
    block = sch.get_block("C")
    i, j, k = sch.get_loops(block)
    i0, i1 = sch.split(i, factors=[None, 4])
    j0, j1 = sch.split(j, factors=[None, 16])
    sch.reorder(i0, j0, k, i1, j1)
    print(sch.mod.script())
    check(sch)

    # The sum of a tile in registers, written once.
    write = sch.cache_write(block, "C", "register")
    sch.reverse_compute_at(write, j0)
    sch.decompose_reduction(block, k)
    for tile in (block, sch.get_block("C_init"), write):
        *_, rows, columns = sch.get_loops(tile)
        sch.unroll(rows)
        sch.vectorize(columns)
    sch.parallel(i0)
    print(sch.mod.script())
    check(sch)

    # The calls form a trace, as Python, as MLIR or as JSON; it replays on a fresh module to the same text.
    print(sch.trace.as_python())
    again = tir.Schedule(module)
    sch.trace.apply_to(again)
    assert again.mod.script() == sch.mod.script()

    # A call that would change the result is refused with the reason.
    *_, inner = sch.get_loops(block)
    try:
        sch.parallel(sch.get_loops(block)[2])
    except tvm.TilewrightError as error:
        print(error)
    else:
        raise AssertionError("expected the loop over the sum to be refused")


def check(sch: tir.Schedule) -> None:
    x, y = (np.random.default_rng(s).integers(-4, 5, (64, 64)).astype(np.float32) for s in range(2))
    np.testing.assert_array_equal(tvm.build(sch)(x, y), x @ y)


if __name__ == "__main__":
    main()
