"""Random contractions and windows, tiled and reordered at random, with described intrinsics put into them."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tilewright import TilewrightError, te
from tilewright.dialects.ir_module import IRModule
from tilewright.schedule import Schedule
from tilewright.semantics import evaluate

from .budget import draws


def window(m: int, n: int, d: int, step: int, transposed: bool) -> tuple[te.Tensor, ...]:
    """Return `C[i, j] = sum over k of A[i * step + k, j] * B[j, k]`, or with B transposed."""
    A = te.placeholder((step * (m - 1) + d, n), name="A")
    B = te.placeholder((d, n) if transposed else (n, d), name="B")
    k = te.reduce_axis((0, d), name="k")

    def element(i: Any, j: Any) -> Any:
        return te.sum(A[i * step + k, j] * (B[k, j] if transposed else B[j, k]), axis=k)

    return A, B, te.compute((m, n), element, name="C")


@st.composite
def programs(draw: st.DrawFn) -> tuple[Any, ...]:
    tile = [draw(st.integers(1, 3)) for _ in range(3)]
    size = [t * draw(st.integers(1, 3)) + draw(st.sampled_from([0, 0, 0, 1])) for t in tile]
    form = draw(st.integers(1, 2)), draw(st.booleans())
    declared = draw(st.sampled_from([form, form, form, (3 - form[0], form[1])]))
    kinds = {axis: draw(st.sampled_from(["serial", "unrolled", "vectorized"])) for axis in "ij"}
    return tile, size, form, declared, kinds, draw(st.permutations(range(3))), draw(st.permutations(range(3)))


@draws(25)
@given(programs())
def test_what_is_accepted_computes_the_same(drawn: tuple[Any, ...]) -> None:
    tile, size, form, declared, kinds, outside, inside = drawn
    args = window(*size, *form)
    s = Schedule(IRModule({"main": te.create_prim_func(args)}))
    loops = s.get_loops(s.get_block("C"))
    parts = [s.split(x, factors=[None, n]) for x, n in zip(loops, tile, strict=True)]
    s.reorder(*(parts[x][0] for x in outside), *(parts[x][1] for x in inside))
    assert s.mod is not None
    rng = np.random.default_rng(0)
    inputs = [rng.integers(-4, 5, [int(n) for n in t.shape]).astype(np.float32) for t in args[:2]]
    before = str(s.func)
    expected = evaluate(s.mod.clone().op, *inputs)
    intrin = te.decl_tensor_intrin(window(*tile, *declared)[2], lambda ins, outs: te.described(**kinds), name="window")
    whole = all(n % t == 0 for n, t in zip(size, tile, strict=True))
    try:
        s.tensorize(parts[inside[0]][1], intrin)
    except TilewrightError as refusal:
        assert refusal.code == ("TW0426" if whole else "TW0434")
        assert not whole or form != declared
        assert str(s.func) == before
        return
    assert whole
    np.testing.assert_array_equal(evaluate(s.mod.op, *inputs)[0], expected[0])
