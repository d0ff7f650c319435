"""Random numbers, sorting and products by functions of Python."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te, tir
from tilewright.contrib import cblas, random

RNG = np.random.default_rng(1)


def built(*tensors: te.Tensor):
    return tvm.build(te.create_schedule([t.op for t in tensors]), [*tensors], "llvm")


def test_random_tensors() -> None:
    program = built(
        random.uniform(2, 3, size=(50, 40)), random.normal(5.0, 0.5, (50, 40)), random.randint(-3, 4, (500,), "int8")
    )
    tvm.get_global_func("tvm.contrib.random.seed")(7)
    uniform, normal, integers = program()
    assert 2 <= uniform.min() < 2.01 and 2.99 < uniform.max() < 3 and abs(uniform.mean() - 2.5) < 0.05
    assert abs(normal.mean() - 5) < 0.05 and abs(normal.std() - 0.5) < 0.05
    assert integers.dtype == np.int8 and {*integers.tolist()} == {*range(-3, 4)}
    again = program()
    assert not np.array_equal(again[0], uniform)
    random.seed(7)
    for one, other in zip(program(), (uniform, normal, integers), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("ascending", [True, False])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_sorting_keeps_the_order_of_equal_elements(axis: int, ascending: bool) -> None:
    A = te.placeholder((5, 7), name="A")
    kinds = [("argsort", "int32"), ("sort", "float32")]
    results = [
        te.extern(
            (5, 7), [A], lambda i, o, k=k: tir.call_packed(f"tvm.contrib.sort.{k}", i[0], o[0], axis, ascending),
            name=k, dtype=d,
        )
        for k, d in kinds
    ]  # fmt: skip
    program = tvm.build(te.create_schedule([r.op for r in results]), [A, *results], "llvm")
    x = np.random.default_rng(0).integers(0, 3, (5, 7)).astype(np.float32)
    indices, values = program(x)
    np.testing.assert_array_equal(indices, np.argsort(x if ascending else -x, axis, kind="stable"))
    np.testing.assert_array_equal(values, np.take_along_axis(x, indices, axis))


@pytest.mark.parametrize("ascending", [True, False])
def test_the_first_elements_of_rows_are_sorted(ascending: bool) -> None:
    A, counts = te.placeholder((2, 6, 3), name="A"), te.placeholder((2, 3), "int32", "counts")
    indices = te.extern(
        A.shape,
        [A, counts],
        lambda i, o: tir.call_packed("tvm.contrib.sort.argsort_nms", i[0], i[1], o[0], 1, ascending),
        dtype="int32",
    )
    x, first = RNG.integers(0, 4, (2, 6, 3)).astype(np.float32), np.array([[0, 1, 4], [6, 9, -1]], np.int32)
    found = tvm.build(te.create_schedule(indices.op), [A, counts, indices], "llvm")(x, first)
    for i, j in np.ndindex(2, 3):
        n, row = min(max(first[i, j], 0), 6), x[i, :, j] if ascending else -x[i, :, j]
        np.testing.assert_array_equal(found[i, :, j], [*np.argsort(row[:n], kind="stable"), *range(n, 6)])


@pytest.mark.parametrize("k", [0, 2])
@pytest.mark.parametrize("kind", ["both", "values", "indices"])
def test_the_largest_elements(kind: str, k: int) -> None:
    A = te.placeholder((3, 5), name="A")
    dtypes = ["float32", "int32"] if kind == "both" else [{"values": "float32", "indices": "int32"}[kind]]
    results = te.extern(
        [(3, k or 5)] * len(dtypes),
        [A],
        lambda i, o: tir.call_packed("tvm.contrib.sort.topk", i[0], *o, k, -1, kind, False),
        dtype=dtypes,
    )
    results = results if isinstance(results, list) else [results]
    x = RNG.random((3, 5), np.float32)
    found = tvm.build(te.create_schedule(results[0].op), [A, *results], "llvm")(x)
    indices = np.argsort(-x, axis=1)[:, : k or 5]
    wanted = {"values": np.take_along_axis(x, indices, 1), "indices": indices}
    for given, name in zip(found if kind == "both" else [found], wanted if kind == "both" else [kind], strict=True):
        np.testing.assert_array_equal(given, wanted[name])


def test_sorts_of_what_is_not_there() -> None:
    x = tvm.nd.array(np.zeros((2, 3), np.float32))
    for name, arguments, message in (
        ("sort", (x, x, 2), "TW0441.*an axis from -2 to 1, but got 2"),
        ("argsort_nms", (x, x, x, 1), "TW0444.*counts of shape .2,., but got .2, 3."),
        ("topk", (x, x, 1, 0, "all", True), "TW0443.*unknown kind of result 'all'"),
    ):
        with pytest.raises(tvm.TilewrightError, match=message):
            tvm.get_global_func(f"tvm.contrib.sort.{name}")(*arguments)


def test_functions_of_the_package_can_be_replaced() -> None:
    tvm.register_func("tvm.contrib.random.uniform", lambda low, high, y: y.copyfrom(np.full(y.shape, high)))
    try:
        np.testing.assert_array_equal(built(random.uniform(0, 9, (3,)))(), [9, 9, 9])
    finally:
        tvm._ffi.remove_global_func("tvm.contrib.random.uniform")
    assert tvm.get_global_func("tvm.contrib.random.uniform") is random.fill_uniform
    assert tvm.get_global_func("tvm.contrib.mkl.matmul", allow_missing=True) is None


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("transa", "transb"), [(False, False), (True, False), (False, True), (True, True)])
def test_products_of_matrices_by_the_library(transa: bool, transb: bool, dtype: str) -> None:
    a, b = RNG.random((5, 4)).astype(dtype), RNG.random((4, 3)).astype(dtype)
    given = [np.ascontiguousarray(x.T) if turned else x for x, turned in ((a, transa), (b, transb))]
    A, B = (te.placeholder(x.shape, dtype, name) for x, name in zip(given, "AB", strict=True))
    bias = te.var("bias", dtype)
    C = cblas.matmul(A, B, transa, transb)
    D = te.compute(C.shape, lambda i, j: C[i, j] + bias, name="D")
    assert C.op.name == "C" and C.dtype == dtype
    d = np.zeros((5, 3), dtype)
    tvm.build(te.create_schedule(D.op), [A, B, D, bias], "llvm")(*given, d, 10.0)
    np.testing.assert_allclose(d, a @ b + 10, rtol=1e-6)


@pytest.mark.parametrize("iterative", [False, True])
@pytest.mark.parametrize("batches", [(3, 3), (1, 3), (3, 1)])
def test_products_of_batches_by_the_library(batches: tuple[int, int], iterative: bool) -> None:
    a, b = (RNG.random((n, *shape)).astype(np.float32) for n, shape in zip(batches, ((2, 5), (4, 5)), strict=True))
    A, B = te.placeholder(a.shape, name="A"), te.placeholder(b.shape, name="B")
    C = cblas.batch_matmul(A, B, transb=True, iterative=iterative)
    np.testing.assert_allclose(
        tvm.build(te.create_schedule(C.op), [A, B, C], "llvm")(a, b), a @ b.swapaxes(1, 2), rtol=1e-6
    )


@pytest.mark.parametrize(
    ("call", "code", "message"),
    [
        (lambda m: cblas.matmul(m(2, 3), m(2, 3)), "TW0444", "the depth of"),
        (lambda m: cblas.matmul(m(2, 3), m(3)), "TW0444", "the right operand to have 2 dimensions"),
        (lambda m: cblas.matmul(m(2, 3), None), "TW0447", "expected a tensor as the right operand"),
        (lambda m: cblas.matmul(m(2, 3), m(3, 2, dtype="float64")), "TW0447", "but got float32 and float64"),
        (lambda m: cblas.matmul(*[m(3, 3, dtype="int8")] * 2), "TW0447", "topi.matmul multiplies matrices of every"),
        (lambda m: cblas.batch_matmul(m(2, 3, 3), m(3, 3, 3)), "TW0444", "batches of one length"),
        (lambda m: cblas.matmul(m(te.var("n"), 3), m(3, 3)), "TW0466", "expected constant sizes"),
    ],
)
def test_products_that_the_library_does_not_make(call, code: str, message: str) -> None:
    def matrix(*shape: object, dtype: str = "float32") -> te.Tensor:
        return te.placeholder(shape, dtype)

    with pytest.raises(tvm.TilewrightError, match=rf"(?s){code}.*{message}"):
        call(matrix)


@pytest.mark.parametrize(
    ("shapes", "dtype", "message"),
    [
        (((2, 3), (3, 4), (2, 5)), "float32", r"TW0444.*product has shape \(2, 5\), but got \(2, 3\) and \(3, 4\)"),
        (((3,), (3, 4), (2, 4)), "float32", r"TW0444.*but got \(3,\) and \(3, 4\)"),
        (((2, 3), (3, 4), (2, 4)), "int32", "TW0447.*but got int32, int32, int32"),
    ],
)
def test_arrays_that_a_program_hands_to_the_library(shapes, dtype: str, message: str) -> None:
    product = tvm.get_global_func("tvm.contrib.cblas.matmul")
    with pytest.raises(tvm.TilewrightError, match=message):
        product(*(np.zeros(shape, dtype) for shape in shapes))
