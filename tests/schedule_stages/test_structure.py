"""Stages that calls make: caches and factored reductions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import tilewright
from tilewright import TilewrightError, te
from tilewright.schedule.stages import create_schedule
from tilewright.te.tensor import Tensor

from .programs import lower, run
from .test_programs import loops


def row_sums(rows: int, columns: int) -> tuple[Tensor, Tensor]:
    A = te.placeholder((rows, columns), name="A")
    k = te.reduce_axis((0, columns), "k")
    return A, te.compute((rows,), lambda i: te.sum(A[i, k], axis=k), name="B")


# Caches


def test_cache_write_names_and_axes():
    A, B = row_sums(10, 12)
    s = create_schedule(B.op)
    BC = s.cache_write(B, "local")
    assert BC.name == "B.local" and BC.shape == (10,) and BC.dtype == "float32"
    assert [a.name for a in BC.op.axis] == ["i"] and [a.name for a in BC.op.reduce_axis] == ["k"]
    assert [stage.name for stage in s.stages] == ["A", "B.local", "B"]
    assert str(s[B].op) == "B[i] = B.local[i]"
    assert s[B].op.reduce_axis == () and s[B] is s[s[B].op]
    (k,) = B.op.reduce_axis
    assert s[BC].split(k, factor=4)[0].stage is s[BC]
    text = str(lower(s, [A, B]))
    assert 'memref<10xf32, "local">' in text
    a, b = run(s, [A, B])
    np.testing.assert_array_equal(b, a.sum(axis=1))


def test_cache_write_takes_splits_over():
    A, B = row_sums(10, 12)
    s = create_schedule(B.op)
    io, ii = s[B].split(B.op.axis[0], factor=4)
    s[B].reorder(ii, io)
    BC = s.cache_write(B, "local")
    assert str(s[BC].op) == "B.local[ii, io] = sum(A[io * 4 + ii, k], axis=[k])"
    assert str(s[B].op) == "B[i] = B.local[i % 4, i // 4]"
    assert repr(s[BC]) == "stage('B.local', [ii, io, reduce k])" and repr(s[B]) == "stage('B', [i])"
    s[BC].unroll(BC.op.axis[0])
    assert loops(str(lower(s, [A, B])))[0] == "ii unrolled"
    s[B].vectorize(B.op.axis[0])
    a, b = run(s, [A, B])
    np.testing.assert_array_equal(b, a.sum(axis=1))


def test_a_cache_that_took_splits_over_is_computed_at_its_consumer():
    A, B = row_sums(16, 12)
    C = te.compute((16,), lambda i: B[i] + 1, name="C")
    s = create_schedule(C.op)
    s[B].split(B.op.axis[0], factor=4)
    BC = s.cache_write(B, "local")
    xo, _ = s[C].split(C.op.axis[0], factor=8)
    s[B].compute_at(s[C], xo)
    s[BC].compute_at(s[C], xo)
    assert loops(str(lower(s, [A, C]))) == ["io", "io_1", "ii", "k", "i", "ii_1"]
    a, c = run(s, [A, C])
    np.testing.assert_array_equal(c, a.sum(axis=1) + 1)


def test_cache_read_for_several_readers():
    A = te.placeholder((9, 8), name="A")
    B = te.compute((9, 8), lambda i, j: A[i, j] * 2, name="B")
    C = te.compute((9, 8), lambda i, j: A[i, 7 - j] + B[i, j], name="C")
    s = create_schedule(C.op)
    AL = s.cache_read(A, "local", [B, C])
    assert AL.name == "A.local" and str(s[C].op) == "C[i, j] = A.local[i, 7 - j] + B[i, j]"
    s[AL].compute_at(s[C], C.op.axis[0])
    s[B].compute_at(s[C], C.op.axis[0])
    s[AL].vectorize(AL.op.axis[1])
    text = str(lower(s, [A, C]))
    assert text.count("loop.load %A[") == 1
    assert loops(text) == ["i", "j vectorized", "j_1", "j_2"]
    a, c = run(s, [A, C])
    np.testing.assert_array_equal(c, a[:, ::-1] + a * 2)


def test_caches_of_caches():
    A = te.placeholder((16, 16), name="A")
    B = te.placeholder((16, 16), name="B")
    k = te.reduce_axis((0, 16), "k")
    C = te.compute((16, 16), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="C")
    s = create_schedule(C.op)
    AA, BB = s.cache_read(A, "global", [C]), s.cache_read(B, "global", [C])
    AL, BL = s.cache_read(AA, "local", [C]), s.cache_read(BB, "local", [C])
    CL = s.cache_write(C, "local")
    yo, xo, _, _ = s[C].tile(*C.op.axis, 8, 8)
    s[CL].compute_at(s[C], xo)
    ko, ki = s[CL].split(k, factor=4)
    s[CL].reorder(ko, ki, *CL.op.axis)
    for cache, axis in ((AA, ko), (BB, ko), (AL, ki), (BL, ki)):
        s[cache].compute_at(s[CL], axis)
    assert repr(s[AL]) == "stage('A.global.local', [i, j] at 'C.local'.ki)"
    assert s[AL].scope == "local"
    s[C].parallel(yo)
    a, b, c = run(s, [A, B, C])
    np.testing.assert_array_equal(c, a @ b)


def test_cache_read_of_what_is_inlined():
    A = te.placeholder((12,), name="A")
    P = te.compute((14,), lambda i: te.if_then_else(te.all(i >= 1, i < 13), A[i - 1], 0.0), name="P")
    C = te.compute((12,), lambda i: P[i] + P[i + 1] + P[i + 2], name="C")
    s = create_schedule(C.op)
    s[P].compute_inline()
    PL = s.cache_read(P, "local", [C])
    xo, _ = s[C].split(C.op.axis[0], factor=4)
    s[PL].compute_at(s[C], xo)
    a, c = run(s, [A, C])
    p = np.pad(a, 1)
    np.testing.assert_array_equal(c, p[:-2] + p[1:-1] + p[2:])


# Factored reductions


@pytest.mark.parametrize("factor_axis", [0, 1, -1])
def test_rfactor(factor_axis: int):
    A, B = row_sums(10, 24)
    s = create_schedule(B.op)
    ko, ki = s[B].split(B.op.reduce_axis[0], factor=8)
    BF = s.rfactor(B, ki, factor_axis)
    assert BF.name == "B.rf"
    assert BF.shape == ((8, 10) if factor_axis == 0 else (10, 8))
    assert str(s[BF].op.body[0]) == "sum(A[i, ko * 8 + ki], axis=[ko])"
    assert [a.name for a in s[B].op.reduce_axis] == ["ki"]
    assert ko.stage is s[BF] and ki.kind == "spatial"
    s[BF].compute_at(s[B], s[B].op.axis[0])
    s[BF].reorder(ko, ki)
    s[BF].vectorize(ki)
    text = str(lower(s, [A, B]))
    assert 'loop.block "B.rf"' in text
    a, b = run(s, [A, B])
    np.testing.assert_array_equal(b, a.sum(axis=1))


def test_rfactor_with_a_tail_inside_its_consumer():
    A, B = row_sums(9, 21)
    s = create_schedule(B.op)
    _, ki = s[B].split(B.op.reduce_axis[0], factor=8)
    BF = s.rfactor(B, ki)
    xo, _ = s[B].split(B.op.axis[0], factor=4)
    s[BF].compute_at(s[B], xo)
    a, b = run(s, [A, B])
    np.testing.assert_array_equal(b, a.sum(axis=1))


def test_rfactor_hands_other_splits_over():
    A, B = row_sums(10, 24)
    s = create_schedule(B.op)
    xo, xi = s[B].split(B.op.axis[0], factor=4)
    ko, ki = s[B].split(B.op.reduce_axis[0], factor=8)
    s[B].reorder(xo, ko, xi, ki)
    BF = s.rfactor(B, ko)
    assert repr(s[BF]) == "stage('B.rf', [io, ko, ii, reduce ki])"
    assert repr(s[B]) == "stage('B', [i, reduce ko])"
    s[BF].parallel(xo)
    s[BF].unroll(xi)
    s[B].split(B.op.axis[0], factor=5)
    text = str(lower(s, [A, B]))
    assert loops(text)[:4] == ["io parallel", "ko", "ii unrolled", "ki"]
    a, b = run(s, [A, B])
    np.testing.assert_array_equal(b, a.sum(axis=1))


@pytest.mark.parametrize("order", ["lko", "kol", "olk", "okl"])
@pytest.mark.parametrize("factored", ["fused", "part", "other"])
def test_rfactor_beside_axes_that_were_fused_across_others(order: str, factored: str):
    A = te.placeholder((4, 6, 3, 5), name="A")
    axes = {n: te.reduce_axis((0, extent), n) for n, extent in (("k", 6), ("l", 3), ("o", 5))}
    B = te.compute((4,), lambda i: te.sum(A[i, axes["k"], axes["l"], axes["o"]], axis=list(axes.values())), name="B")
    s = create_schedule(B.op)
    s[B].reorder(*(axes[n] for n in order))
    fused = s[B].fuse(axes[order[0]], axes[order[1]])
    if factored == "part":
        _, fused = s[B].split(fused, factor=4)
    s.rfactor(B, axes[order[2]] if factored == "other" else fused, -1)
    a, b = run(s, [A, B])
    np.testing.assert_array_equal(b, a.sum(axis=(1, 2, 3)))


def test_rfactor_of_all_of_a_symbolic_sum():
    n = te.var("n")
    A = te.placeholder((n,), name="A")
    k = te.reduce_axis((0, n), "k")
    B = te.compute((1,), lambda i: te.sum(A[k], axis=k), name="B")
    s = create_schedule(B.op)
    _, ki = s[B].split(k, factor=8)
    BF = s.rfactor(B, ki)
    s[BF].unroll(BF.op.axis[0])
    a, b = run(s, [A, B], {n: 29})
    np.testing.assert_array_equal(b, [a.sum()])


def test_argmax_with_split_axes():
    A = te.placeholder((11, 18), name="A")
    k = te.reduce_axis((0, 18), "k")
    argmax = te.comm_reducer(
        lambda x, y: (te.Select(x[1] >= y[1], x[0], y[0]), te.Select(x[1] >= y[1], x[1], y[1])),
        lambda t0, t1: (te.const(-1, t0), te.min_value(t1)),
    )
    T0, T1 = te.compute((11,), lambda i: argmax((k, A[i, k]), axis=k), name="T")
    s = create_schedule(T1.op)
    assert s[T0] is s[T1]
    xo, _ = s[T1].split(T1.op.axis[0], factor=4)
    s[T1].split(k, factor=8)
    s[T1].parallel(xo)
    a, i, v = run(s, [A, T0, T1])
    np.testing.assert_array_equal(i, a.argmax(axis=1))
    np.testing.assert_array_equal(v, a.max(axis=1))


def test_caches_of_several_outputs():
    A = te.placeholder((8, 3), name="A")
    B0, B1 = te.compute((8,), lambda i: (A[i, 0] + 1, A[i, 1] * 2), name="B")
    C = te.compute((8,), lambda i: B0[i] - B1[i], name="C")
    s = create_schedule(C.op)
    L0, L1 = s.cache_write([B0, B1], "local")
    assert (L0.name, L1.name) == ("B.local.v0", "B.local.v1") and s[L0] is s[L1]
    assert str(s[B0].op) == "B[i] = B.local.v0[i], B.local.v1[i]"
    R = s.cache_read(B1, "local", [C])
    assert str(s[C].op) == "C[i] = B.v0[i] - B.v1.local[i]"
    io, _ = s[C].split(C.op.axis[0], factor=4)
    for stage in (s[R], s[B0], s[L1]):
        stage.compute_at(s[C], io)
    s[L0].vectorize(L0.op.axis[0])
    a, c = run(s, [A, C])
    np.testing.assert_array_equal(c, a[:, 0] + 1 - a[:, 1] * 2)


def test_factored_twice_and_cached():
    A, B = row_sums(6, 24)
    s = create_schedule(B.op)
    ko, ki = s[B].split(B.op.reduce_axis[0], factor=4)
    BF = s.rfactor(B, ki, 1)
    koo, _ = s[BF].split(ko, factor=3)
    BFF = s.rfactor(BF, koo, 2)
    assert (BF.shape, BFF.shape) == ((6, 4), (6, 4, 2))
    BL = s.cache_write(BFF, "local")
    text = str(lower(s, [A, B]))
    nests = [["i", "ki", "koo", "koi"], ["i_1", "ki_1", "koo_1"], ["i_2", "ki_2", "koo_2"], ["i_3", "ki_3"]]
    assert loops(text) == sum(nests, [])
    i, ki_axis, koo_axis = BL.op.axis
    s[BL].unroll(ki_axis)
    s[BFF].vectorize(s[BFF].op.axis[1])
    s[BF].parallel(s[BF].op.axis[1])
    assert "4 kind unrolled" in str(lower(s, [A, B])) and "4 kind vectorized" in str(lower(s, [A, B]))
    assert "4 kind parallel" in str(lower(s, [A, B]))
    a, b = run(s, [A, B])
    np.testing.assert_array_equal(b, a.sum(axis=1))


@pytest.mark.parametrize(
    "how",
    [
        lambda t, i, j: t.tile(i, j, 4, 8),
        lambda t, i, j: t.tile(i, i, 4, 8),
        lambda t, i, j: t.tile(i, i, 4, 0),
        lambda t, i, j: t.tile(i, "k", 4, 8),
    ],
    ids=["the second is annotated", "twice the same", "no iterations", "no axis"],
)
def test_a_tile_that_is_refused_splits_no_loop(how: Callable[..., object]) -> None:
    a = te.placeholder((16, 16), name="A")
    c = te.compute((16, 16), lambda i, j: a[i, j] + 1, name="C")
    s = te.create_schedule(c.op)
    i, j = c.op.axis
    s[c].pragma(j, "auto_unroll_max_step", 8)
    before = s[c].all_iter_vars, s[c].leaf_iter_vars
    with pytest.raises(TilewrightError):
        how(s[c], i, j)
    assert (s[c].all_iter_vars, s[c].leaf_iter_vars) == before


# Arguments that are computed inline


@pytest.mark.parametrize("size", [11, None])
def test_an_argument_that_is_computed_inline_is_stored_too(size: int | None) -> None:
    n = te.var("n") if size is None else size
    A = te.placeholder((n,), name="A")
    B = te.compute((n,), lambda i: A[i] + 1, name="B")
    C = te.compute((n,), lambda i: B[i] * B[n - 1 - i], name="C")
    s = create_schedule(C.op)
    s[B].compute_inline()
    text = str(lower(s, [A, B, C]))
    assert text.count("loop.block") == 2 and "loop.load %B[" not in text
    x, b, c = np.arange(11, dtype=np.float32), np.zeros(11, np.float32), np.zeros(11, np.float32)
    tilewright.build(s, [A, B, C], "llvm")(x, b, c)
    np.testing.assert_array_equal(b, x + 1)
    np.testing.assert_array_equal(c, b * b[::-1])
