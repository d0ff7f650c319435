"""Modules that tests of classic topi import: what is inside of topi, contexts of configurations, kept references."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te, topi
from tilewright.diagnostics import TilewrightError

CALLS: list[int] = []
"""Sizes of the references that were computed."""


def test_names_inside_of_topi_can_be_imported_and_are_refused_when_called() -> None:
    from tilewright.topi.nn.conv2d import _get_workload
    from tilewright.topi.nn.depthwise_conv2d import _get_workload as depthwise
    from tilewright.topi.x86.conv2d_avx_common import _fallback_schedule

    names = ((_get_workload, "nn.conv2d"), (depthwise, "nn.depthwise_conv2d"), (_fallback_schedule, "x86.conv2d_avx"))
    for function, module in names:
        with pytest.raises(TilewrightError, match=rf"TW0251.*'topi\.{module}.*it is inside of classic topi"):
            function(None)


def test_a_module_with_an_operators_name_is_the_operator_too() -> None:
    import tilewright.topi.nn.conv2d  # noqa: F401

    rng = np.random.default_rng(0)
    image, weight = te.placeholder((1, 2, 5, 5), name="x"), te.placeholder((3, 2, 3, 1), name="w")
    result = topi.nn.conv2d(image, weight, 1, 0, 1)
    x, w = (rng.standard_normal(shape).astype("float32") for shape in ((1, 2, 5, 5), (3, 2, 3, 1)))
    y = np.zeros((1, 3, 3, 5), "float32")
    tvm.build(te.create_schedule(result.op), [image, weight, result], "llvm")(x, w, y)
    expected = sum(np.einsum("ncw,oc->now", x[:, :, k], w[:, :, k, 0]) for k in range(3))
    np.testing.assert_allclose(y[:, :, 0], expected, rtol=1e-5, atol=1e-5)


def test_modules_of_targets_have_schedules() -> None:
    from tilewright.topi.arm_cpu.conv2d_gemm import is_aarch64_arm
    from tilewright.topi.cuda.depthwise_conv2d import schedule_depthwise_conv2d_backward_input_nhwc
    from tilewright.topi.generic import conv2d

    assert conv2d.schedule_conv2d_nhwc is topi.generic.schedule_conv2d_nhwc
    assert schedule_depthwise_conv2d_backward_input_nhwc is topi.cuda.schedule_conv2d_nhwc
    assert not is_aarch64_arm()
    with tvm.target.Target("llvm -mtriple=aarch64-linux-gnu"):
        assert is_aarch64_arm()


def test_contexts_of_configurations_change_nothing() -> None:
    from tilewright import autotvm
    from tilewright.autotvm.task.space import FallbackConfigEntity

    class Ints(autotvm.FallbackContext):
        pass

    A = te.placeholder((4,), name="A")
    with autotvm.tophub.context("llvm"), Ints() as context:
        B = topi.nn.relu(A)
    assert context.memory == {} and FallbackConfigEntity().is_fallback
    y = np.zeros(4, "float32")
    tvm.build(te.create_schedule(B.op), [A, B], "llvm")(np.array([-1, 0, 2, np.nan], "float32"), y)
    np.testing.assert_array_equal(y, np.array([0, 0, 2, np.nan], "float32"))


def test_references_are_computed_once_for_their_arguments() -> None:
    from tilewright.contrib.pickle_memoize import memoize

    CALLS.clear()

    def reference_of(size: int) -> np.ndarray:
        @memoize("tests.topi.modules")
        def reference() -> np.ndarray:
            CALLS.append(size)
            return np.arange(size)

        return reference()

    assert reference_of(3) is reference_of(3)
    np.testing.assert_array_equal(reference_of(5), np.arange(5))
    assert CALLS == [3, 5]

    size = 2

    @memoize("tests.topi.modules")
    def later() -> int:
        return size

    assert later() == 2
    size = 4
    assert later() == 4


def test_matrices_of_compressed_rows() -> None:
    from tilewright.contrib import sparse

    rng = np.random.default_rng(1)
    dense = np.where(rng.random((5, 7)) < 0.4, rng.standard_normal((5, 7)), 0).astype("float32")
    dense[2] = 0
    stored = sparse.array(dense)
    np.testing.assert_array_equal(stored.numpy(), dense)
    again = sparse.array((stored.data, stored.indices, stored.indptr), shape=(5, 7))
    np.testing.assert_array_equal(again.asnumpy(), dense)
    assert (stored.dtype, stored.stype, stored.indptr[-1]) == (np.float32, "csr", np.count_nonzero(dense))
    with pytest.raises(TilewrightError, match="TW0447"):
        sparse.array((stored.data, stored.indices, stored.indptr))

    A = sparse.placeholder((5, 7), len(stored.data), "float32", "A")
    B, C = te.placeholder((7, 3), name="B"), te.placeholder((5,), name="C")
    D = topi.sparse.csrmm(A, B, C)
    program = tvm.build(te.create_schedule(D.op), [A.data, A.indices, A.indptr, B, C, D], "llvm")
    b, c = rng.standard_normal((7, 3)).astype("float32"), rng.standard_normal(5).astype("float32")
    d = np.zeros((5, 3), "float32")
    program(stored.data, stored.indices, stored.indptr, b, c, d)
    np.testing.assert_allclose(d, dense @ b + c[:, None], rtol=1e-5, atol=1e-5)


def run(result: te.Tensor, operands: list[te.Tensor], *arrays: np.ndarray) -> np.ndarray:
    y = np.zeros([int(n) for n in result.shape], result.dtype)
    tvm.build(te.create_schedule(result.op), [*operands, result], "llvm")(*arrays, y)
    return y


@pytest.mark.parametrize("size", [(3, 5), (1, 4), (1, 1)])
def test_grids_of_matrices_and_images_at_their_positions(size: tuple[int, int]) -> None:
    rng = np.random.default_rng(2)
    matrices = rng.standard_normal((2, 2, 3)).astype("float32")
    M = te.placeholder(matrices.shape, name="M")
    G = topi.image.affine_grid(M, size)
    grid = run(G, [M], matrices)
    np.testing.assert_allclose(grid, topi.testing.affine_grid_python(matrices, size), rtol=1e-5, atol=1e-5)
    image = rng.standard_normal((2, 3, 4, 7)).astype("float32")
    X, P = te.placeholder(image.shape, name="X"), te.placeholder(grid.shape, name="P")
    found = run(topi.image.grid_sample(X, P), [X, P], image, grid)
    np.testing.assert_allclose(found, bilinear(image, grid), rtol=1e-4, atol=1e-5)
    for call in (lambda: topi.image.grid_sample(X, P, layout="NHWC"), lambda: topi.image.affine_grid(X, size)):
        with pytest.raises(TilewrightError):
            call()


def bilinear(image: np.ndarray, grid: np.ndarray) -> np.ndarray:
    """Return images between their elements, one position after the other, zeros beyond the border."""
    n, channels, height, width = image.shape
    y = np.zeros((n, channels, *grid.shape[2:]), "float32")
    for b, i, j in np.ndindex(n, *grid.shape[2:]):
        column, row = (grid[b, 0, i, j] + 1) * (width - 1) / 2, (grid[b, 1, i, j] + 1) * (height - 1) / 2
        for r in (int(np.floor(row)), int(np.floor(row)) + 1):
            for c in (int(np.floor(column)), int(np.floor(column)) + 1):
                if 0 <= r < height and 0 <= c < width:
                    y[b, :, i, j] += image[b, :, r, c] * (1 - abs(row - r)) * (1 - abs(column - c))
    return y


def test_names_of_a_module_of_topi() -> None:
    assert topi.transform.one_hot is topi.one_hot and topi.transform.matrix_set_diag is topi.matrix_set_diag
    with pytest.raises(TilewrightError, match="TW0225"):
        _ = topi.transform.nothing
    x = np.array([1.5, -0.0, np.nan, np.inf], "float32")
    A = te.placeholder((4,), name="A")
    np.testing.assert_array_equal(run(topi.reinterpret(A, "int32"), [A], x), x.view(np.int32))
    assert topi.utils.nchw_pack_layout("NCHW1n16c") and not topi.utils.nchw_pack_layout("NCHW16c")
    assert topi.utils.get_shape((3, 2, 32, 48, 16), "NCHW16c", "NC16cWH") == (3, 2, 16, 48, 32)
    assert topi.utils.get_shape((2, 3, 32, 7, 16, 8), "OIHW16i8o", "HWO8oI16i") == (32, 7, 2, 8, 3, 16)
    with pytest.raises(TilewrightError, match="TW0447"):
        topi.utils.get_shape((1, 2, 3), "NCHW", "NHWC")
    assert topi.utils.nchw_xc_layout("NCHW16c") and not topi.utils.nchw_xc_layout("NCHW")


@pytest.mark.parametrize("reduction", ["none", "sum", "mean"])
def test_losses_are_those_of_their_reference(reduction: str) -> None:
    rng = np.random.default_rng(3)
    p, w = rng.standard_normal((5, 3, 2)).astype("float32"), rng.random(3).astype("float32") + 0.5
    t = rng.integers(-1, 3, (5, 2)).astype("int32")
    P, T, W = te.placeholder(p.shape, name="P"), te.placeholder(t.shape, "int32", "T"), te.placeholder((3,), name="W")
    expected = topi.testing.nll_loss(p, t, w, reduction, -1)
    if reduction == "sum":
        assert np.isclose(expected, -sum(p[n, t[n, k], k] * w[t[n, k]] for n, k in np.ndindex(5, 2) if t[n, k] >= 0))
    found = run(topi.nn.nll_loss(P, T, W, reduction, -1), [P, T, W], p, t, w)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


def test_numbers_of_one_hot_may_be_constants() -> None:
    A = te.placeholder((3,), "int32", "A")
    B = topi.one_hot(A, tvm.tir.const(2.5, "float32"), tvm.tir.const(-1.0, "float32"), 4, -1, "float32")
    found = run(B, [A], np.array([3, 0, 7], "int32"))
    np.testing.assert_array_equal(found, [[-1, -1, -1, 2.5], [2.5, -1, -1, -1], [-1, -1, -1, -1]])


@pytest.mark.parametrize("kind", ["max", "avg"])
def test_references_of_pools_read_layouts(kind: str) -> None:
    x = np.random.default_rng(4).standard_normal((2, 5, 7, 3)).astype("float32")
    given = ((2, 3), (1, 2), (1, 1), (0, 0), (0, 0), kind)
    found = topi.testing.poolnd_python(x, *given, layout="NHWC")
    windows = np.lib.stride_tricks.sliding_window_view(x, (2, 3), (1, 2))[:, :, ::2]
    np.testing.assert_allclose(found, (windows.max if kind == "max" else windows.mean)((-2, -1)), rtol=1e-5, atol=1e-6)
    first = topi.testing.poolnd_python(np.moveaxis(x, 3, 1), *given, layout="NCHW")
    np.testing.assert_array_equal(np.moveaxis(first, 1, 3), found)


@pytest.mark.parametrize("ascending", [True, False])
def test_values_in_the_order_of_their_keys(ascending: bool) -> None:
    from tilewright.topi.cuda import sort_by_key

    keys, values = te.placeholder((2, 6), "int32", "keys"), te.placeholder((2, 6), "float32", "values")
    with tvm.target.Target("cuda"):
        results = sort_by_key(keys, values, is_ascend=ascending)
        s = topi.cuda.schedule_sort([*results])
    k, v = np.array([[1, 4, 2, 8, 2, 7]] * 2, np.int32), np.arange(12, dtype=np.float32).reshape(2, 6)
    order = np.argsort(k if ascending else -k, axis=1, kind="stable")
    given = np.zeros_like(k), np.zeros_like(v)
    tvm.build(s, [keys, values, *results], "cuda", device="simulator")(k, v, *given)
    np.testing.assert_array_equal(given[0], np.take_along_axis(k, order, 1))
    np.testing.assert_array_equal(given[1], np.take_along_axis(v, order, 1))
