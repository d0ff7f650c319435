"""Calls as programs of classic topi make them: names by target, keywords, schedules, references, refusals."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te, topi
from tilewright.diagnostics import TilewrightError


@pytest.fixture(autouse=True)
def object_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))


RNG = np.random.default_rng(0)


def f32(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape).astype("float32")


def run(call: Callable[..., Any], *arrays: np.ndarray) -> Any:
    """Return the results of a program of what `call` makes of placeholders, scheduled by name."""
    inputs = [te.placeholder(each.shape, each.dtype.name, f"x{k}") for k, each in enumerate(arrays)]
    made = call(*inputs)
    outs = list(made) if isinstance(made, (list, tuple)) else [made]
    program = tvm.build(topi.generic.schedule_injective(outs), [*inputs, *outs])
    results = [np.zeros(out.shape, out.dtype) for out in outs]
    program(*arrays, *results)
    return results if isinstance(made, (list, tuple)) else results[0]


A = np.arange(16, dtype="int32").reshape(4, 4)
X = f32(2, 6, 7, 8)
ROWS: dict[str, tuple[Callable[..., Any], tuple[np.ndarray, ...], Any]] = {
    "layout": (lambda a: topi.layout_transform(a, "NCHW", "NHWC"), (X,), X.transpose(0, 2, 3, 1)),
    "blocks": (
        lambda a: topi.layout_transform(a, "NCHW", "NCHW3c"),
        (X,),
        X.reshape(2, 2, 3, 7, 8).transpose(0, 1, 3, 4, 2),
    ),
    "reversed": (
        lambda a, n: topi.reverse_sequence(a, n, 0, 1),
        (A, np.array([1, 2, 3, 4], "int32")),
        [[0, 5, 10, 15], [4, 1, 6, 11], [8, 9, 2, 7], [12, 13, 14, 3]],
    ),
    "lengths beyond": (
        lambda a, n: topi.reverse_sequence(a, n, seq_axis=1, batch_axis=0),
        (A, np.array([-1, 0, 1, 5], "int32")),
        [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [15, 14, 13, 12]],
    ),
    "one diagonal": (topi.matrix_set_diag, (A * 0, np.array([1, 2, 3, 4], "int32")), np.diag([1, 2, 3, 4])),
    "unravel": (
        lambda i: topi.unravel_index(i, [5, 5, 5, 2]),
        (np.array([100, 13, 5], "int32"),),
        np.array(np.unravel_index([100, 13, 5], (5, 5, 5, 2))),
    ),
    "shape": (topi.shape, (X,), [2, 6, 7, 8]),
    "size": (topi.ndarray_size, (X,), X.size),
    "sparse to dense": (
        lambda i, v: topi.sparse_to_dense(i, [3, 4], v, -1),
        (np.array([[0, 0], [1, 2]], "int32"), np.array([1, 2], "int32")),
        [[1, -1, -1, -1], [-1, -1, 2, -1], [-1, -1, -1, -1]],
    ),
    "one place": (
        lambda i, v: topi.sparse_to_dense(i, [5], v),
        (np.array(1, "int32"), np.array(3, "int32")),
        [0, 3, 0, 0, 0],
    ),
    "points": (
        lambda a, i, j: topi.adv_index(a, [i, j]),
        (X, np.array([0, 1], "int32"), np.array([[1], [3]], "int32")),
        X[np.array([0, 1]), np.array([[1], [3]])],
    ),
    "one term": (lambda a: topi.elemwise_sum([a]), (X,), X),
    "order CDR": (
        lambda a: topi.nn.depth_to_space(a, 2, mode="CDR"),
        (f32(1, 4, 1, 2),),
        None,
    ),
    "indices of all": (
        lambda n, a: topi.argwhere(n, a),
        (np.zeros((15, 2), "int32"), A),
        np.argwhere(A),
    ),
    "indices and room": (
        lambda n, a: topi.argwhere(n, a),
        (np.zeros((4, 3), "int32"), np.array([[[0, np.nan, 0], [-0.0, 0, 2]]], "float32")),
        [[0, 0, 1], [0, 1, 2], [0, 0, 0], [0, 0, 0]],
    ),
    "indices of a vector": (
        lambda n, a: topi.argwhere(n, a),
        (np.zeros((1, 1), "int32"), np.array([True])),
        [[0]],
    ),
    "permutation": (topi.invert_permutation, (np.array([2, 0, 3, 1], "int32"),), [1, 3, 0, 2]),
    "places": (
        lambda a, b: topi.searchsorted(a, b, True, "int32"),
        (np.array([1, 2, 2, 3], "float32"), np.array([[2, 5.0]], "float32")),
        [[3, 4]],
    ),
    "running sum": (lambda a: topi.cumsum(a, dtype="int64"), (np.array([2, 3, 0], "int32"),), [2, 5, 5]),
    "running product": (lambda a: topi.cumprod(a, 0, exclusive=True), (np.array([2, 3, 0], "int32"),), [1, 2, 6]),
    "of conditions": (lambda a: topi.cumsum(a, dtype="int32"), (np.array([True, False, True]),), [1, 1, 2]),
    "where": (
        lambda c, a: topi.where(c, a, 0.0),
        (np.array([1, 0, np.nan], "float32"), np.array([5, 6, 7], "float32")),
        [5, 0, 7],
    ),
    "dilated": (lambda a: topi.nn.dilate(a, [1, 2], -1.0), (np.ones((2, 2), "float32"),), [[1, -1, 1]] * 2),
    "sizes of a slice": (lambda a: topi.strided_slice(a, [1, 1], [2, -1], slice_mode="size"), (A,), A[1:3, 1:]),
    "open bounds": (lambda a: topi.strided_slice(a, [None, 3], [2, None], [1, -2]), (A,), A[:2, 3::-2]),
    "empty slice": (lambda a: topi.strided_slice(a, [1, 0], [0, -1], slice_mode="size"), (A,), A[1:1]),
    "open slice": (lambda a: topi.strided_slice(a, [2], [4], [1]), (A,), A[2:4]),
    "set slice": (
        lambda a, v: topi.strided_set(a, v, [3, 0], [0, -1], [-2, 1]),
        (A, np.full((2, 3), -7, "int32")),
        [[0, 1, 2, 3], [-7, -7, -7, 7], [8, 9, 10, 11], [-7, -7, -7, 15]],
    ),
    "cut indices": (lambda a, i: topi.gather_nd(a, i), (A, np.array([[1.8, 0]], "float32")), A[[1, 0]]),
    "buffer": (lambda a, b: topi.nn.fifo_buffer(a, b, 0), (A[:1], A), np.concatenate([A[1:], A[:1]])),
    "grid": (lambda a, b: topi.meshgrid([a, b], "xy")[1], (A[0], A[:3, 1]), np.meshgrid(A[0], A[:3, 1])[1]),
    "enlarged in blocks": (
        lambda a: topi.nn.upsampling(a, 2, 3, "NCHW1n4c"),
        (f32(2, 3, 4, 2, 1, 4),),
        None,
    ),
    "keyword x": (lambda a: topi.exp(x=a), (X,), np.exp(X)),
    "same": (
        lambda a, w: topi.nn.conv2d(a, w, 2, "SAME", 1, layout="NCHW", out_dtype="float32"),
        (f32(1, 2, 5, 6), np.ones((1, 2, 2, 3), "float32")),
        None,
    ),
}  # fmt: skip


@pytest.mark.each("name", ROWS)
def test_calls(name: str) -> None:
    call, arrays, expected = ROWS[name]
    if name == "enlarged in blocks":
        expected = arrays[0].repeat(2, 2).repeat(3, 3)
    if name == "order CDR":
        expected = arrays[0].reshape(1, 1, 2, 2, 1, 2).transpose(0, 1, 4, 2, 5, 3).reshape(1, 1, 2, 4)
    if name == "same":
        expected = topi.testing.conv2d_nchw_python(*arrays, 2, (1, 1, 0, 1))
    np.testing.assert_allclose(run(call, *arrays), expected, rtol=1e-4, atol=1e-5)


def test_several_diagonals() -> None:
    for align in ("RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT"):
        a, d = f32(2, 3, 4), f32(2, 4, 3)
        expected = topi.testing.matrix_set_diag(a, d, (-1, 2), align)
        np.testing.assert_array_equal(
            run(lambda a, d, how=align: topi.matrix_set_diag(a, d, (-1, 2), how), a, d), expected
        )


def test_distinct_elements() -> None:
    values, indices, inverse, count, counts = run(
        lambda a: topi.unique(a, False, True), np.array([3, 1, 3, 2], "int32")
    )
    assert (values[:3].tolist(), indices[:3].tolist(), inverse.tolist()) == ([3, 1, 2], [0, 1, 3], [0, 1, 0, 2])
    assert (count.tolist(), counts[:3].tolist(), count.dtype) == ([3], [2, 1, 1], np.dtype("int32"))


def test_open_bounds_of_symbolic_sizes() -> None:
    x = te.placeholder((te.var("n"), 4), "int32", name="x")
    out = topi.strided_slice(x, [1, None], [None, 2], [2, 1])
    program = tvm.build(te.create_schedule(out.op), [x, out])
    for rows in (1, 2, 4):
        expected = A[:rows][1::2, :2]
        result = np.zeros(expected.shape, "int32")
        program(np.ascontiguousarray(A[:rows]), result)
        np.testing.assert_array_equal(result, expected)


POOLS: dict[str, Callable[[Any, str], Any]] = {
    "max": lambda a, layout: topi.nn.pool2d(a, (3, 2), (2, 1), 1, (1, 0, 1, 1), "max", False, layout),
    "avg": lambda a, layout: topi.nn.pool2d(a, (3, 2), (2, 1), 1, (1, 0, 1, 1), "avg", True, layout, False),
    "global max": lambda a, layout: topi.nn.global_pool(a, "max", layout),
    "global avg": lambda a, layout: topi.nn.global_pool(a, "avg", layout),
    "adaptive": lambda a, layout: topi.nn.adaptive_pool(a, (3, 2), "avg", layout),
}


@pytest.mark.parametrize("name", POOLS)
def test_pooling_of_blocks(name: str) -> None:
    x = f32(2, 6, 7, 5)
    blocks = np.ascontiguousarray(x.reshape(2, 2, 3, 7, 5).transpose(0, 1, 3, 4, 2))
    plain = run(lambda a: POOLS[name](a, "NCHW"), x)
    blocked = run(lambda a: POOLS[name](a, "NCHW3c"), blocks)
    np.testing.assert_allclose(blocked.transpose(0, 1, 4, 2, 3).reshape(plain.shape), plain, rtol=1e-5)


def test_bytes_in_blocks_of_four() -> None:
    x, w = (RNG.integers(-128, 128, shape).astype("int8") for shape in ((1, 8, 5, 6), (12, 4, 3, 3)))
    expected = topi.testing.conv2d_nchw_python(x.astype("int32"), w.astype("int32"), 1, 1, 2)
    blocks = expected.reshape(1, 3, 4, 5, 6).transpose(0, 1, 3, 4, 2)
    grouped = run(lambda a, b: topi.cuda.group_conv2d_NCHWc_int8(a, b, 1, 1, 1, 2, "int32"), x, w)
    np.testing.assert_array_equal(grouped, blocks)
    v = RNG.integers(-128, 128, (12, 8, 3, 3)).astype("int8")
    whole = run(lambda a, b: topi.cuda.conv2d_NCHWc_int8(a, b, (1, 1), 1, (1, 1), "NCHW", "int32"), x, v)
    expected = topi.testing.conv2d_nchw_python(x.astype("int32"), v.astype("int32"), 1, 1)
    np.testing.assert_array_equal(whole, expected.reshape(1, 3, 4, 5, 6).transpose(0, 1, 3, 4, 2))


def test_bytes_with_channels_last() -> None:
    x, w = (RNG.integers(-128, 128, shape).astype("int8") for shape in ((1, 5, 6, 4), (3, 3, 4, 7)))
    expected = topi.testing.conv2d_nhwc_python(x.astype("int32"), w.astype("int32"), 2, 1)
    for dtype in ("int32", "int8"):
        call = topi.arm_cpu.compute_conv2d_NHWC_quantized_interleaved
        actual = run(lambda a, b, t=dtype, f=call: f(a, b, (2, 2), (1, 1), (1, 1), t), x, w)
        np.testing.assert_array_equal(actual, expected.astype(dtype))


@pytest.mark.parametrize("layout", ["NHWC", "NCHW"])
def test_sparse_weights_of_a_convolution(layout: str) -> None:
    dense, parts = _csr(16, 12)
    x = f32(2, 3, 5, 12) if layout == "NHWC" else f32(2, 12, 3, 5)
    formula = "nhwc,oc->nhwo" if layout == "NHWC" else "nchw,oc->nohw"
    columns = (parts[0][:, None], *parts[1:])
    for given in (parts, columns):
        actual = run(lambda a, *m: topi.nn.sparse_conv2d(a, *m, layout), x, *given)
        np.testing.assert_allclose(actual, np.einsum(formula, x, dense), rtol=1e-4, atol=1e-5)


def windows_by_hand(x: np.ndarray, kernel: int, stride: int, before: int, after: int, fill: float) -> list[np.ndarray]:
    """Return windows along the last axis of a vector, as many as begin in it and its padding, the last ones filled
    up."""
    whole = np.pad(x, (before, after + stride - 1 + kernel), constant_values=fill)
    count = -(-(len(x) + before + after - kernel) // stride) + 1
    return [whole[i * stride : i * stride + kernel] for i in range(count)]


@pytest.mark.parametrize("size", [31, 30, 7])
def test_ceil_mode_is_tvms(size: int) -> None:
    x = f32(1, 1, size)
    for include in (True, False):
        call = lambda a, flag=include: topi.nn.pool1d(a, 3, 3, 1, (2, 2), "avg", True, "NCW", flag)  # noqa: E731
        rows = windows_by_hand(x[0, 0], 3, 3, 2, 2, np.nan)
        counts = [3 if include else max(1, np.isfinite(row).sum()) for row in rows]
        expected = [np.nansum(row) / count for row, count in zip(rows, counts, strict=True)]
        np.testing.assert_allclose(run(call, x)[0, 0], expected, rtol=1e-5, atol=1e-6)
    greatest = run(lambda a: topi.nn.pool1d(a, 3, 3, 1, (2, 2), "max", True), x)[0, 0]
    np.testing.assert_array_equal(greatest, [row.max() for row in windows_by_hand(x[0, 0], 3, 3, 2, 2, -np.inf)])


def test_reference_of_windows_in_padding_alone() -> None:
    x = -1 - np.arange(7, dtype="float32").reshape(1, 1, 7)
    given: tuple[Any, ...] = (x, (2,), (2,), (1,), (2,), (0,), "max")
    np.testing.assert_array_equal(topi.testing.poolnd_python(*given)[0, 0], [0, -1, -3, -5])
    least = topi.testing.poolnd_python(*given, False)[0, 0]
    np.testing.assert_array_equal(least, [-np.inf, -1, -3, -5])


def test_gradient_of_pooling_in_ceil_mode() -> None:
    x = f32(1, 1, 31, 5)
    window: tuple[Any, ...] = ((3, 1), (3, 1), (2, 0, 2, 0))
    grads = f32(1, 1, 12, 5)
    for kind in ("max", "avg"):
        result = run(lambda g, a, k=kind: topi.nn.pool_grad(g, a, *window, k, True, count_include_pad=False), grads, x)
        expected = np.zeros_like(x)
        for i, column in np.ndindex(12, 5):
            covered = [p for p in range(i * 3 - 2, i * 3 + 1) if 0 <= p < 31]
            if kind == "max" and covered:
                expected[0, 0, max(covered, key=lambda p: x[0, 0, p, column]), column] += grads[0, 0, i, column]
            for position in covered if kind == "avg" else ():
                expected[0, 0, position, column] += grads[0, 0, i, column] / len(covered)
        np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-6)


def test_modes_of_regions_have_numbers() -> None:
    x, rois = f32(1, 2, 6, 7), np.array([[0, 0.5, 1, 5, 4]], "float32")
    for number, name in enumerate(("avg", "max")):
        by_number = run(lambda a, r, m=number: topi.vision.roi_align_nchw(a, r, 2, 1.0, m), x, rois)
        by_name = topi.testing.roi_align_nchw_python(x, rois, 2, 1.0, -1, name)
        np.testing.assert_allclose(by_number, by_name, rtol=1e-5)
        np.testing.assert_array_equal(topi.testing.roi_align_nchw_python(x, rois, 2, 1.0, -1, number), by_name)


def test_crops() -> None:
    x, boxes = f32(2, 9, 8, 3), np.array([[0.1, 0.9, 0.8, 0.2], [0, 0, 1, 1.5]], "float32")
    which = np.array([1, 0], "int32")
    for method in ("bilinear", "nearest_neighbor"):
        actual = run(lambda *a, m=method: topi.image.crop_and_resize(*a, (4, 5), "NHWC", m, 0.5), x, boxes, which)
        expected = topi.testing.crop_and_resize_python(x, boxes, which, (4, 5), "NHWC", method, 0.5)
        np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=1e-6)
        assert (actual[1, :, -1] == 0.5).all()


BOXES = np.array(
    [[[0, 0.8, 1, 20, 25, 45], [1, 0.7, 30, 60, 50, 80], [0, 0.4, 4, 21, 19, 40], [2, 0.9, 35, 61, 52, 79], [9] * 6]],
    "float32",
)


@pytest.mark.parametrize("is_ascend", [True, False])
@pytest.mark.parametrize("dtype", ["float32", "int8"])
def test_order_of_the_elements_that_count(is_ascend: bool, dtype: str) -> None:
    x = RNG.integers(-128, 128, (3, 7, 2)).astype(dtype)
    if dtype == "float32":
        x[:2, 1], x[:2, 4] = np.nan, -np.inf
    else:
        x[:2, 1], x[:2, 4] = -128, 127
    counts = np.array([7, 5, 0], "int32")
    actual = run(lambda a, n: topi.argsort(a, n, 1, is_ascend, "int32"), x, counts)
    for row, count in enumerate(counts):
        whole = run(lambda a: topi.argsort(a, None, 1, is_ascend, "int32"), x[row : row + 1, :count]) if count else []
        expected = np.concatenate([np.reshape(whole, (-1, 2)), np.arange(count, 7)[:, None].repeat(2, 1)])
        np.testing.assert_array_equal(actual[row], expected)


def test_boxes_that_stay() -> None:
    valid, numbers = np.array([4], "int32"), np.array([[10, 11, 12, 13, 14]], "int32")

    def stay(**more: Any) -> Any:
        call = lambda *a: topi.vision.non_max_suppression(*a, iou_threshold=0.7, **more)  # noqa: E731
        return run(call, BOXES, valid, numbers)

    suppressed = stay(force_suppress=True, top_k=2, return_indices=False)
    np.testing.assert_array_equal(suppressed[0, :2], BOXES[0, [3, 0]])
    assert (suppressed[0, 2:] == -1).all()
    indices, count = stay(force_suppress=True, top_k=2)
    assert (indices.tolist(), count.tolist()) == ([[13, 10, -1, -1, -1]], [[2]])
    indices, count = stay(max_output_size=3, id_index=-1)
    assert (indices.tolist(), count.tolist()) == ([[13, 10, 11, -1, -1]], [[3]])


def test_boxes_with_a_score() -> None:
    count, boxes, indices = run(lambda a: topi.vision.get_valid_counts(a, 0.75, 0, 1), BOXES)
    np.testing.assert_array_equal(boxes[0, :3], BOXES[0, [0, 3, 4]])
    assert (boxes[0, 3:] == -1).all()
    assert (count.tolist(), indices.tolist()) == ([3], [[0, 3, 4, -1, -1]])


def test_more_indices_than_elements_are_refused() -> None:
    model, x = te.placeholder((17, 2), "int32"), te.placeholder((4, 4), "int32")
    with pytest.raises(TilewrightError, match="at most 16 rows, both numbers, but got 17") as caught:
        topi.argwhere(model, x)
    assert caught.value.code == "TW0446"


def _csr(rows: int, columns: int) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray, np.ndarray]]:
    dense = np.where(RNG.uniform(size=(rows, columns)) < 0.3, f32(rows, columns), 0).astype("float32")
    nonzero = [np.flatnonzero(row) for row in dense]
    indptr = np.cumsum([0, *map(len, nonzero)]).astype("int32")
    return dense, (dense[dense != 0], np.concatenate(nonzero).astype("int32"), indptr)


def test_sparse_matrices_of_any_size() -> None:
    dense, (data, indices, indptr) = _csr(16, 12)
    rows, count = te.var("rows"), te.var("count")
    matrix = tvm.contrib.sparse.placeholder((rows, te.var("columns")), count)
    b, c = te.placeholder((12, 3), name="b"), te.placeholder((rows,), name="c")
    product = topi.sparse.csrmm(matrix, b, c)
    arguments = [rows, matrix.data, matrix.indices, matrix.indptr, b, c, product]
    program = tvm.build(te.create_schedule(product.op), arguments)
    for part in (16, 5):
        stop = indptr[part]
        right, bias, result = f32(12, 3), f32(part), np.zeros((part, 3), "float32")
        program(part, data[:stop], indices[:stop], indptr[: part + 1], right, bias, result)
        np.testing.assert_allclose(result, dense[:part] @ right + bias[:, None], rtol=1e-4, atol=1e-5)


def test_transposed_sparse_matrix() -> None:
    dense, parts = _csr(9, 9)
    data, indices, indptr = run(topi.nn.sparse_transpose, *parts)
    whole = np.zeros((9, 9), "float32")
    for row in range(9):
        whole[row, indices[indptr[row] : indptr[row + 1]]] = data[indptr[row] : indptr[row + 1]]
    np.testing.assert_array_equal(whole, dense.T)


def test_sparse_matrices() -> None:
    dense, parts = _csr(16, 12)
    x, b = f32(5, 12), f32(12, 3)

    def matrix(d: Any, i: Any, p: Any) -> Any:
        return SimpleNamespace(data=d, indices=i, indptr=p)

    close = np.testing.assert_allclose
    close(run(lambda x, *m: topi.sparse.dense(x, matrix(*m)), x, *parts), x @ dense.T, rtol=1e-4, atol=1e-5)
    close(run(lambda x, *m: topi.nn.sparse_dense(x, *m, sparse_lhs=True), x, *parts), dense @ x.T, rtol=1e-4, atol=1e-5)
    close(run(lambda b, *m: topi.sparse.csrmm(matrix(*m), b), b, *parts), dense @ b, rtol=1e-4, atol=1e-5)
    close(run(lambda b, *m: topi.nn.sparse_add(b, *m), f32(16, 12) * 0, *parts), dense)


def test_gradients_of_depthwise_convolutions() -> None:
    """Both are adjoint to the convolution."""
    x, w, g = f32(2, 7, 8, 4), f32(3, 3, 4, 2), f32(2, 7, 8, 8)
    by_image = run(lambda w, g: topi.nn.depthwise_conv2d_backward_input_nhwc(w, g, g.shape, x.shape, 1, (1, 1)), w, g)
    by_filter = run(lambda x, g: topi.nn.depthwise_conv2d_backward_weight_nhwc(x, g, g.shape, w.shape, 1, (1, 1)), x, g)
    along = float((topi.testing.depthwise_conv2d_python_nhwc(x, w, 1, 1) * g).sum())
    np.testing.assert_allclose([(by_image * x).sum(), (by_filter * w).sum()], along, rtol=1e-3)


@pytest.mark.parametrize("target", ["x86", "cuda", "arm_cpu", "generic", "mali"])
def test_names_by_target(target: str) -> None:
    named = getattr(topi, target)
    x, w = f32(1, 3, 6, 5), f32(4, 3, 3, 3)
    a, b = te.placeholder(x.shape, "float32"), te.placeholder(w.shape, "float32")
    with tvm.target.Target("llvm"):
        c = named.conv2d_nchw(a, kernel=b, strides=1, padding=1, dilation=1, out_dtype="float32")
        s = named.schedule_conv2d_nchw([c])
        program = tvm.build(s, [a, b, c])
    result = np.zeros((1, 4, 6, 5), "float32")
    program(x, w, result)
    np.testing.assert_allclose(result, topi.testing.conv2d_nchw_python(x, w, 1, 1), rtol=1e-4, atol=1e-5)


def test_modules_are_found_by_import() -> None:
    from tilewright.topi.cuda import schedule_injective
    from tilewright.topi.nn.utils import get_pad_tuple
    from tilewright.topi.utils import get_const_int, get_const_tuple
    from tilewright.topi.x86.tensor_intrin import dot_16x1x16_uint8_int8_int32

    assert get_pad_tuple("SAME", (3, 2)) == (1, 1, 1, 0)
    assert (get_const_int(te.const(3, "int32")), get_const_tuple((te.const(2, "int32"), 5))) == (3, (2, 5))
    assert schedule_injective is topi.cuda.schedule_injective
    a, b, c = np.arange(4, dtype="uint8"), np.ones((16, 4), "int8"), np.zeros(16, "int32")
    dot_16x1x16_uint8_int8_int32().check()
    x, y = te.placeholder((4,), "uint8"), te.placeholder((16, 4), "int8")
    k = te.reduce_axis((0, 4), "k")
    z = te.compute((16,), lambda i: te.sum(x[k].astype("int32") * y[i, k].astype("int32"), axis=k), name="z")
    s = te.create_schedule(z.op)
    s[z].tensorize(z.op.axis[0], dot_16x1x16_uint8_int8_int32())
    tvm.build(s, [x, y, z])(a, b, c)
    assert c.tolist() == [6] * 16


def test_stages_that_calls_arrange_stay() -> None:
    a, b = te.placeholder((64, 48), name="A"), te.placeholder((48, 40), name="B")
    c = topi.matmul(a, b)
    d = topi.nn.relu(c)
    s = topi.generic.schedule_matmul(d)
    outer, inner = s[d].split(d.op.axis[1], factor=8)
    s[d].reorder(outer, d.op.axis[0], inner)
    text = str(tvm.lower(s, [a, b, d], simple_mode=True))
    assert "%i1o = 0 to 5" in text and text.index("%i1o = 0 to 5") < text.index("%i0 = 0 to 64")
    x, y = f32(64, 48), f32(48, 40)
    for target, device in (("llvm", None), ("cuda", "simulator")):
        s = topi.generic.schedule_matmul(d)
        outer, _ = s[d].split(d.op.axis[1], factor=8)
        if device is not None:
            s[d].bind(d.op.axis[0], te.thread_axis("blockIdx.x"))
            s[d].bind(outer, te.thread_axis("threadIdx.x"))
        result = np.zeros((64, 40), "float32")
        tvm.build(s, [a, b, d], target, device=device)(x, y, result)
        np.testing.assert_allclose(result, np.maximum(x @ y, 0), rtol=1e-4, atol=1e-4)


def test_inline_traversal() -> None:
    a = te.placeholder((4, 4), name="A")
    b = te.compute((4, 4), lambda i, j: a[i, j] + 1.0, name="B")
    k = te.reduce_axis((0, 4), "k")
    c = te.compute((4,), lambda i: te.sum(b[i, k], axis=k), name="C", tag="comm_reduce")
    d = te.compute((4,), lambda i: c[i] * 2.0, name="D")
    s = te.create_schedule(d.op)
    seen: list[str] = []
    topi.utils.traverse_inline(s, d.op, lambda op: seen.append(op.tag or op.name))
    assert seen == ["comm_reduce", "D"] and "inline" not in repr(s[c])


REFUSED = {
    "bits": (lambda: topi.nn.bitserial_dense(T, T), "TW0251", "'topi.nn.bitserial_dense' is not part of this package"),
    "library": (lambda: topi.cuda.schedule_conv2d_cudnn([T]), "TW0251", "products and convolutions are compiled"),
    "anchors": (lambda: topi.vision.ssd.multibox_prior(T), "TW0251", "anchor boxes"),
    "proposals": (lambda: topi.vision.rcnn.proposal(T), "TW0251", "'topi.vision.rcnn.proposal' is not part"),
    "packed": (lambda: topi.cuda.conv2d_hwnc_tensorcore(T), "TW0251", "packed for one instruction"),
    "counts": (lambda: topi.argsort(T, te.placeholder((4,), "int32"), 0), "TW0441", "another axis than the first"),
    "dilation": (lambda: topi.image.dilation2d_nchw(T, T), "TW0251", "morphological dilation is not part"),
    "sparse windows": (lambda: topi.nn.sparse_conv2d(T, T, T, T, "NHWC", 3), "TW0447", "windows of one element"),
    "unknown of regions": (lambda: topi.vision.rcnn.nothing, "TW0225", "has no attribute 'nothing'"),
    "unknown": (lambda: topi.cuda.conv9d, "TW0225", "'tilewright.topi.cuda' has no attribute 'conv9d'"),
    "batch": (lambda: topi.take(T, T, 0, 1), "TW0447", "expected no dimensions of a batch"),
    "layout": (
        lambda: topi.layout_transform(te.placeholder((1, 6, 2, 2)), "NCHW", "NCHW4c"),
        "TW0447", "expected 4 to divide",
    ),
    "no layout": (lambda: topi.layout_transform(T, "nc", "cn"), "TW0447", "expected a layout such as NCHW"),
    "blocks": (lambda: topi.nn.space_to_batch_nd(T, [3], [0], [0]), "TW0447", "a block that divides 4"),
    "crop": (lambda: topi.nn.batch_to_space_nd(T, [2], [9], [0]), "TW0447", "to cut at most"),
    "both names": (lambda: topi.nn.conv2d(T, T, layout="NCHW", data_layout="NCHW"), "TW0447", "but got both"),
    "coordinates": (
        lambda: topi.vision.roi_align_nchw(te.placeholder((1, 1, 2, 2)), T, 2, 1.0),
        "TW0444", "four coordinates",
    ),
    "gradients": (
        lambda: topi.nn.pool_grad(te.placeholder((1, 1, 3, 3)), te.placeholder((1, 1, 4, 4)), 3, 1, 0, "avg"),
        "TW0447", "expected gradients of shape",
    ),
    "matrix": (lambda: topi.sparse.dense(T, T), "TW0447", "expected one sparse matrix and one tensor"),
}  # fmt: skip
T = te.placeholder((4, 4), "int32", "T")


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str) -> None:
    call, code, message = REFUSED[name]
    with pytest.raises(TilewrightError) as raised:
        call()
    assert raised.value.code == code and message in str(raised.value)
