"""Scheduled programs against numpy: compiled, interpreted, and their loops."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from tilewright import te
from tilewright.diagnostics import TilewrightError
from tilewright.schedule.stages import create_schedule
from tilewright.te.tensor import Tensor

from .programs import Sizes, lower, run


def loops(text: str) -> list[str]:
    """Return the loops of a function in order: `i`, `j parallel`."""
    found = re.findall(r"loop\.for %(\w+) = .*? (?:kind (\S+) )?\{", text)
    return [f"{name} {kind}".strip() for name, kind in found]


def elementwise() -> tuple[Tensor, Tensor, Tensor, Sizes]:
    n, m = te.var("n"), te.var("m")
    A = te.placeholder((m, n), name="A")
    B = te.placeholder((m, n), name="B")
    C = te.compute((m, n), lambda i, j: A[i, j] * B[i, j], name="C")
    return A, B, C, {m: 19, n: 21}


def test_split_of_a_symbolic_axis():
    A, B, C, sizes = elementwise()
    s = create_schedule([C.op])
    xo, xi = s[C].split(C.op.axis[0], factor=32)
    assert [a.name for a in s[C].op.axis] == ["i", "j"]
    assert s[C].leaf_iter_vars[:2] == (xo, xi)
    a, b, c = run(s, [A, B, C], sizes)
    np.testing.assert_array_equal(c, a * b)
    assert loops(str(lower(s, [A, B, C]))) == ["io", "ii", "j"]


@pytest.mark.parametrize("inner_first", [False, True])
def test_tile_and_reorder(inner_first: bool):
    A, B, C, sizes = elementwise()
    s = create_schedule([C.op])
    xo, yo, xi, yi = s[C].tile(C.op.axis[0], C.op.axis[1], x_factor=16, y_factor=8)
    s[C].reorder(*((yo, yi, xo, xi) if inner_first else (xo, yo, xi, yi)))
    text = str(lower(s, [A, B, C]))
    assert loops(text) == (["jo", "ji", "io", "ii"] if inner_first else ["io", "jo", "ii", "ji"])
    if inner_first:
        a, b, c = run(s, [A, B, C], sizes)
        np.testing.assert_array_equal(c, a * b)


def test_fuse_of_symbolic_axes():
    A, B, C, sizes = elementwise()
    s = create_schedule([C.op])
    s[C].parallel(s[C].fuse(*C.op.axis))
    a, b, c = run(s, [A, B, C], sizes)
    np.testing.assert_array_equal(c, a * b)
    assert loops(str(lower(s, [A, B, C]))) == ["i_j parallel"]


def test_bind():
    A, B, C, _ = elementwise()
    s = create_schedule([C.op])
    bx, tx = s[C].split(C.op.axis[0], factor=64)
    s[C].bind(bx, te.thread_axis("blockIdx.x"))
    s[C].bind(tx, te.thread_axis("threadIdx.x"))
    assert loops(str(lower(s, [A, B, C]))) == ['io thread<"blockIdx.x">', 'ii thread<"threadIdx.x">', "j"]


def test_nparts_and_several_fuses():
    A = te.placeholder((6, 7, 5), name="A")
    B = te.compute((6, 7, 5), lambda i, j, k: A[i, j, k] + 1, name="B")
    s = create_schedule(B.op)
    i, j, k = B.op.axis
    jo, ji = s[B].split(j, nparts=2)
    s[B].reorder(jo, i, ji, k)
    fused = s[B].fuse(k, ji)
    assert fused.name == "ji_k" and fused.extent == 20
    outer = s[B].fuse(jo, i)
    s[B].parallel(outer)
    assert repr(s[B]) == "stage('B', [jo_i, ji_k])"
    assert s[B].all_iter_vars[:3] == s[B].roots
    a, b = run(s, [A, B])
    np.testing.assert_array_equal(b, a + 1)


def three_stages(n: Any) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    A = te.placeholder((n,), name="A")
    B = te.compute((n,), lambda i: A[i] + 1, name="B")
    C = te.compute((n,), lambda i: B[i] * 2, name="C")
    D = te.compute((n,), lambda i: C[i] - 3, name="D")
    return A, B, C, D


def test_compute_at_of_symbolic_extent():
    n = te.var("n")
    A, B, C, _ = three_stages(n)
    s = create_schedule(C.op)
    s[B].compute_at(s[C], C.op.axis[0])
    a, c = run(s, [A, C], {n: 9})
    np.testing.assert_array_equal(c, (a + 1) * 2)


def test_compute_at_of_an_argument():
    n = te.var("n")
    A, B, C, _ = three_stages(n)
    s = create_schedule(C.op)
    s[B].compute_at(s[C], C.op.axis[0])
    assert loops(str(lower(s, [A, B, C]))) == ["i"]
    a, b, c = run(s, [A, B, C], {n: 9})
    np.testing.assert_array_equal(b, a + 1)
    np.testing.assert_array_equal(c, (a + 1) * 2)


def test_compute_at_of_an_argument_that_is_read_in_part():
    A = te.placeholder((10,), name="A")
    B = te.compute((10,), lambda i: A[i] + 1, name="B")
    C = te.compute((9,), lambda i: B[i + 1] * 2, name="C")
    s = create_schedule(C.op)
    s[B].compute_at(s[C], C.op.axis[0])
    with pytest.raises(TilewrightError, match="no consumer is proved to read all of it"):
        lower(s, [A, B, C])
    a, c = run(s, [A, C])
    np.testing.assert_array_equal(c, (a[1:] + 1) * 2)


def test_compute_at_in_a_chain():
    A, B, C, D = three_stages(22)
    s = create_schedule(D.op)
    xo, xi = s[D].split(D.op.axis[0], factor=8)
    s[C].compute_at(s[D], xo)
    s[B].compute_at(s[C], C.op.axis[0])
    s[D].vectorize(xi)
    assert loops(str(lower(s, [A, D]))) == ["io", "i", "ii vectorized"]
    a, d = run(s, [A, D])
    np.testing.assert_array_equal(d, (a + 1) * 2 - 3)


def test_inline_and_back_to_the_root():
    A, B, C, D = three_stages(12)
    s = create_schedule(D.op)
    s[B].compute_inline()
    s[C].compute_inline()
    assert loops(str(lower(s, [A, D]))) == ["i"]
    s[C].compute_root()
    assert loops(str(lower(s, [A, D]))) == ["i", "i_1"]
    a, d = run(s, [A, D])
    np.testing.assert_array_equal(d, (a + 1) * 2 - 3)


def test_several_outputs():
    A, B, C, D = three_stages(12)
    s = create_schedule([B.op, D.op])
    s[C].compute_inline()
    xo, _ = s[D].split(D.op.axis[0], nparts=3)
    s[D].parallel(xo)
    s[B].vectorize(B.op.axis[0])
    assert [stage.name for stage in s.stages] == ["A", "B", "C", "D"]
    a, b, d = run(s, [A, B, D])
    np.testing.assert_array_equal(b, a + 1)
    np.testing.assert_array_equal(d, (a + 1) * 2 - 3)


def test_stencil_inside_its_consumer():
    A = te.placeholder((14, 18), name="A")
    B = te.compute((14, 18), lambda i, j: A[i, j] * 2, name="B")
    C = te.compute((12, 16), lambda i, j: B[i, j] + B[i + 1, j + 1] + B[i + 2, j + 2], name="C")
    s = create_schedule(C.op)
    xo, yo, xi, yi = s[C].tile(*C.op.axis, 5, 8)
    s[B].compute_at(s[C], yo)
    bo, bi = s[B].split(B.op.axis[1], factor=4)
    s[B].unroll(bo)
    s[B].vectorize(bi)
    s[C].vectorize(yi)
    assert loops(str(lower(s, [A, C]))) == ["io", "jo", "i", "jo_1 unrolled", "ji vectorized", "ii", "ji_1 vectorized"]
    a, c = run(s, [A, C])
    b = a * 2
    np.testing.assert_array_equal(c, b[:12, :16] + b[1:13, 1:17] + b[2:, 2:])


def test_partial_products_of_blocks():
    size, block = 16, 8
    half = block // 2
    A = te.placeholder((size, size), name="A")
    shape = (size // block, size // block, size // block, half, half)

    def corners(io: Any, jo: Any, ko: Any, i: Any, j: Any) -> Any:
        left = A[io * block + i, ko * block + j]
        return left + A[ko * block + i, jo * block + j]

    def products(io: Any, jo: Any, ko: Any, i: Any, j: Any) -> Any:
        k = te.reduce_axis((0, half), "k")
        return te.sum(M[io, jo, ko, i, k] * M[io, jo, ko, k, j], axis=k)

    M = te.compute(shape, corners, name="M")
    P = te.compute(shape, products, name="P")
    k = te.reduce_axis((0, size // block), "k")
    blocks = (size // block, size // block, block, block)
    C = te.compute(blocks, lambda io, jo, i, j: te.sum(P[io, jo, k, i // 2, j // 2], axis=k), name="C")
    s = create_schedule(C.op)
    s[P].compute_at(s[C], C.op.axis[1])
    s[M].compute_at(s[P], P.op.axis[4])
    s[C].reorder(*C.op.axis[:2], k, *C.op.axis[2:])
    a, c = run(s, [A, C])
    tiles = a.reshape(2, block, 2, block).transpose(0, 2, 1, 3)[:, :, :half, :half]
    m = tiles[:, None, :, :, :] + tiles.transpose(1, 0, 2, 3)[None, :, :, :, :]
    np.testing.assert_array_equal(c, (m @ m).sum(axis=2).repeat(2, axis=2).repeat(2, axis=3))


# The steps of a matrix product, each on the one before: blocks, vectors, order, packing, a write cache, threads.

BLOCK, SPLIT = 16, 4


def matmul(rows: int, columns: int, depth: int, *, packed: bool) -> tuple[Tensor, Tensor, Tensor | None, Tensor]:
    A = te.placeholder((rows, depth), name="A")
    B = te.placeholder((depth, columns), name="B")
    k = te.reduce_axis((0, depth), "k")
    if not packed:
        return A, B, None, te.compute((rows, columns), lambda m, n: te.sum(A[m, k] * B[k, n], axis=k), name="C")
    shape = (columns // BLOCK, depth, BLOCK)
    P = te.compute(shape, lambda bigN, k, littleN: B[k, bigN * BLOCK + littleN], name="packedB")
    C = te.compute((rows, columns), lambda m, n: te.sum(A[m, k] * P[n // BLOCK, k, n % BLOCK], axis=k), name="C")
    return A, B, P, C


def test_blocked_matmul_with_tails():
    A, B, _, C = matmul(35, 37, 18, packed=False)
    s = create_schedule(C.op)
    mo, no, mi, ni = s[C].tile(C.op.axis[0], C.op.axis[1], BLOCK, BLOCK)
    (k,) = s[C].op.reduce_axis
    ko, ki = s[C].split(k, factor=SPLIT)
    s[C].reorder(mo, no, ko, mi, ki, ni)
    s[C].vectorize(ni)
    nest = ["mo", "no"]
    text = str(lower(s, [A, B, C]))
    assert loops(text) == [*nest, "mi", "ni vectorized", "ko", "mi_1", "ki", "ni_1 vectorized"]
    a, b, c = run(s, [A, B, C])
    np.testing.assert_array_equal(c, a @ b)


def test_packed_matmul_with_a_write_cache():
    A, B, P, C = matmul(35, 48, 18, packed=True)
    assert P is not None
    s = create_schedule(C.op)
    CC = s.cache_write(C, "global")
    mo, no, _, _ = s[C].tile(C.op.axis[0], C.op.axis[1], BLOCK, BLOCK)
    s[CC].compute_at(s[C], no)
    mc, nc = s[CC].op.axis
    (kaxis,) = s[CC].op.reduce_axis
    ko, ki = s[CC].split(kaxis, factor=SPLIT)
    s[CC].reorder(ko, mc, ki, nc)
    s[CC].vectorize(nc)
    s[CC].unroll(ki)
    s[C].parallel(mo)
    bigN, _, littleN = s[P].op.axis
    s[P].vectorize(littleN)
    s[P].parallel(bigN)
    text = str(lower(s, [A, B, C]))
    assert loops(text)[:3] == ["bigN parallel", "k", "littleN vectorized"]
    assert loops(text)[3:7] == ["mo parallel", "no", "m", "n vectorized"]
    assert loops(text)[7:] == ["ko", "m_1", "ki unrolled", "n_1 vectorized", "mi", "ni"]
    assert 'loop.block "C.global"' in text and 'loop.block "C"' in text
    a, b, c = run(s, [A, B, C])
    np.testing.assert_array_equal(c, a @ b)


# Recurrences


def test_scan_with_scheduled_steps():
    m, n = te.var("m"), 10
    X = te.placeholder((m, n), name="X")
    state = te.placeholder((m, n), name="state")
    init = te.compute((1, n), lambda _, i: X[0, i], name="init")
    twice = te.compute((m, n), lambda t, i: state[t - 1, i] * 2, name="twice")
    update = te.compute((m, n), lambda t, i: twice[t, i] - X[t, i], name="update")
    S = te.scan(init, update, state, inputs=[X])
    s = create_schedule(S.op)
    assert [stage.name for stage in s.stages] == ["X", "init", "state", "twice", "update", "scan"]
    _, ii = s[init].split(init.op.axis[1], factor=4)
    s[init].vectorize(ii)
    io, ii = s[update].split(update.op.axis[1], factor=4)
    s[update].unroll(ii)
    s[twice].compute_at(s[update], io)
    with pytest.raises(TilewrightError, match="'scan' is no compute"):
        s[S].split(S.op.axis[0], factor=2)
    x, got = run(s, [X, S], {m: 6})
    want = [x[0]]
    for row in x[1:]:
        want.append(want[-1] * 2 - row)
    np.testing.assert_array_equal(got, want)


# Foreign code


def test_stages_around_foreign_code():
    A = te.placeholder((8, 6), name="A")
    B = te.compute((8, 6), lambda i, j: A[i, j] + 1, name="B")
    source = "int negate(float *x, float *y, int n) { for (int i = 0; i < n; ++i) y[i] = -x[i]; return 0; }"

    def call(inputs: Any, outputs: Any) -> Any:
        return te.call_extern("int32", "negate", inputs[0], outputs[0], 48)

    N = te.extern((8, 6), [B], call, name="N", c_source=source)
    C = te.compute((8, 6), lambda i, j: N[i, j] * 2, name="C")
    s = create_schedule(C.op)
    with pytest.raises(TilewrightError, match="'N' is no compute"):
        s[N].compute_inline()
    with pytest.raises(TilewrightError, match="expected computes that read 'B', but got 'N'"):
        s.cache_read(B, "local", [N])
    io, _ = s[C].split(C.op.axis[0], factor=4)
    NL = s.cache_read(N, "local", [C])
    s[NL].compute_at(s[C], io)
    s[B].vectorize(s[B].fuse(*B.op.axis))
    assert loops(str(lower(s, [A, C]))) == ["i_j vectorized", "io", "i", "j", "ii", "j_1"]
    a, c = run(s, [A, C])
    np.testing.assert_array_equal(c, -(a + 1) * 2)
