"""The tensor-expression language: types, promotion, text, shapes and axes."""

from __future__ import annotations

import numpy as np
import pytest
from tilewright import te
from tilewright.te.dtypes import dtype_info, promote

DTYPES = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "float16", "bfloat16", "float32", "float64",
]  # fmt: skip


def element(dtype: str = "float32"):
    return te.placeholder((4,), dtype, name="A")[0]


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_has_a_short_spelling_and_an_ir_type(dtype: str) -> None:
    info = dtype_info(dtype)
    assert dtype_info(info.short) is info
    assert element(info.short).dtype == dtype


def test_numpy_dtypes_are_accepted() -> None:
    assert te.placeholder((1,), np.float64).dtype == "float64"
    assert te.placeholder((1,), np.dtype("int8")).dtype == "int8"


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("bool", "int8", "int8"),
        ("int8", "int32", "int32"),
        ("int64", "float16", "float16"),
        ("float16", "float32", "float32"),
        ("float16", "bfloat16", "float32"),
        ("uint8", "int8", "int16"),
        ("uint8", "int16", "int16"),
        ("uint8", "int32", "int32"),
        ("uint32", "int32", "int64"),
        ("uint64", "int64", "int64"),
        ("index", "int32", "int64"),
        ("index", "float32", "float32"),
        ("float32", "float64", "float64"),
    ],
)
def test_promotion(a: str, b: str, expected: str) -> None:
    assert promote(a, b) == expected
    assert promote(b, a) == expected


def test_promotion_is_numpys_except_for_wide_integers_with_floats() -> None:
    shared = ["bool", "int8", "int16", "int32", "int64", "uint8", "float32", "float64"]
    for a in shared:
        for b in shared:
            if "float" in a + b and {a, b} & {"int32", "int64"}:
                continue  # numpy gives float64, so that every integer fits
            assert promote(a, b) == np.promote_types(a, b).name, (a, b)


def test_python_numbers_take_the_other_type() -> None:
    assert (element("float16") + 1).dtype == "float16"
    assert (2 * element("int8")).dtype == "int8"
    assert (element("int8") * 0.5).dtype == "float32"
    assert te.Select(element("bool"), 1, 0).dtype == "int32"
    assert (element("float64") + 0.1).rhs.value == 0.1
    assert (np.float64(2) * element("float32")).dtype == "float64"


def test_comparisons_and_conditions_are_bool() -> None:
    a, b = element(), element("bool")
    for expr in (a < 1, a <= 1, a > 1, a >= 1, a == 1, a != 1, te.all(a < 1, b), te.any(b, ~b), b & b, b ^ b):
        assert expr.dtype == "bool"


def test_functions_keep_floats_and_make_integers_float() -> None:
    for f in (te.exp, te.log, te.sqrt, te.rsqrt, te.tanh, te.sigmoid, te.erf, te.sin, te.cos):
        assert f(element("float16")).dtype == "float16"
        assert f(element("int32")).dtype == "float32"
    for f in (te.floor, te.ceil, te.round, te.abs):
        assert f(element("int32")).dtype == "int32"
        assert f(element("float32")).dtype == "float32"
    i = element("int32")
    assert te.floor(i) is i


def test_casts() -> None:
    a = element()
    assert a.astype("float32") is a
    assert a.astype("i8").dtype == "int8"
    assert str(a.astype("bool")) == "A[0] != 0.0"


def test_limits() -> None:
    assert te.min_value("int8").value == -128
    assert te.max_value("uint8").value == 255
    for dtype in ("float16", "float32", "float64"):
        assert te.max_value(dtype).value == float(np.finfo(dtype).max)
        assert te.min_value(dtype).value == float(np.finfo(dtype).min)


@pytest.mark.parametrize(
    ("build", "text"),
    [
        (lambda a, b: (a + b) * 2, "(a[0] + b[0]) * 2.0"),
        (lambda a, b: a - (b - a), "a[0] - (b[0] - a[0])"),
        (lambda a, b: a - b - a, "a[0] - b[0] - a[0]"),
        (lambda a, b: -a * b, "-a[0] * b[0]"),
        (lambda a, b: -(a * b), "-(a[0] * b[0])"),
        (lambda a, b: (a < b) & ~(b == a), "(a[0] < b[0]) & ~(b[0] == a[0])"),
        (lambda a, b: te.maximum(a, te.exp(b)), "max(a[0], exp(b[0]))"),
        (lambda a, b: a**2, "a[0] ** 2.0"),
        (lambda a, b: te.if_then_else(a > 0, a, b), "if_then_else(a[0] > 0.0, a[0], b[0])"),
        (lambda a, b: te.Select(a > 0, a, b), "Select(a[0] > 0.0, a[0], b[0])"),
        (lambda a, b: a.astype("int32") // 3 % 2, "int32(a[0]) // 3 % 2"),
    ],
)
def test_text_is_python(build, text: str) -> None:
    a, b = (te.placeholder((4,), name=n)[0] for n in "ab")
    assert str(build(a, b)) == text


def test_tensors_axes_and_shapes() -> None:
    n = te.var("n")
    a = te.placeholder((n, 64), name="A")
    k = te.reduce_axis((0, 64), "k")
    c = te.compute((n, 32), lambda i, j: te.sum(a[i, k] * a[i, j], axis=k), name="C")
    assert repr(a) == "Tensor(name='A', shape=(n, 64), dtype='float32')"
    assert str(c.op) == "C[i, j] = sum(A[i, k] * A[i, j], axis=[k])"
    assert [x.name for x in c.op.axis] == ["i", "j"]
    assert c.op.reduce_axis == (k,)
    assert c.op.inputs == (a,)
    assert c.shape[0] is n
    assert c.shape[1] == 32
    assert str(te.compute((n // 4, n + 1), lambda i, j: 0.0).shape) == "(n // 4, n + 1)"


def test_axes_are_named_after_parameters() -> None:
    assert [a.name for a in te.compute((2, 3), lambda *i: 1.0).op.axis] == ["i0", "i1"]
    assert [a.name for a in te.compute((2, 3), lambda x, *rest: 1.0).op.axis] == ["x", "rest0"]
    assert [a.name for a in te.compute((2,), lambda x, scale=2: x * scale).op.axis] == ["x"]
    assert te.compute((), lambda: 1.0).shape == ()


def test_several_results() -> None:
    a = te.placeholder((4,), name="A")
    lo, hi = te.compute((4,), lambda i: (te.minimum(a[i], 0), a[i] > 0), name="S")
    assert (lo.dtype, hi.dtype) == ("float32", "bool")
    assert (lo.name, hi.name) == ("S.v0", "S.v1")
    assert lo.op is hi.op
    assert lo != hi


def test_elements_that_are_indices_become_int64() -> None:
    assert te.compute((4,), lambda i: i * 2).dtype == "int64"
    k = te.reduce_axis((0, 4))
    assert te.compute((4,), lambda i: te.max(i + k, axis=k)).dtype == "int64"


def test_max_and_min_reduce_or_compare() -> None:
    a = te.placeholder((4, 4), name="A")
    k = te.reduce_axis((0, 4), "k")
    assert str(te.compute((4,), lambda i: te.max(a[i, k], axis=k), name="M").op) == "M[i] = max(A[i, k], axis=[k])"
    assert str(te.max(a[0, 0], 0)) == "max(A[0, 0], 0.0)"
    assert str(te.min(a[0, 0], a[0, 1])) == "min(A[0, 0], A[0, 1])"


def test_indices_one_after_the_other() -> None:
    a = te.placeholder((4, 5, 6), name="A")
    assert str(a[1][2][3]) == "A[1, 2, 3]"
    assert str(a[1, 2][3] + a[1][2, 3]) == "A[1, 2, 3] + A[1, 2, 3]"
    assert str(a[1, 2]) == "A[1, 2]"
    assert str(te.compute((6,), lambda i: a[0][1][i], name="row").op) == "row[i] = A[0, 1, i]"


def test_axes_and_definitions_print_what_they_are() -> None:
    n = te.var("n")
    a = te.placeholder((n, 8), name="A")
    k = te.reduce_axis((0, 8), name="k")
    c = te.compute((n,), lambda i: te.sum(a[i, k], axis=k, init=1.0), name="C", tag="rows", attrs={"level": 2})
    assert str(c.op.axis) == "(Axis(i in [0, n), spatial),)"
    assert str(c.op.reduce_axis[0]) == "Axis(k in [0, 8), reduce)"
    assert repr(c.op) == "C[i] = sum(A[i, k], axis=[k], init=1.0)"
    assert repr(a.op) == "placeholder A: float32(n, 8)"
    assert str(c.shape) == "(n,)"
    assert (c.op.tag, c.op.attrs) == ("rows", {"level": 2})
    assert c.op.input_tensors == [a]
    assert c.op.output(0) == c


def test_thread_axes() -> None:
    first, second = te.thread_axis("blockIdx.x"), te.thread_axis(None, "blockIdx.x")
    assert first != second  # each is one of its own, as axes are
    assert (first.thread_tag, first.extent) == (second.thread_tag, second.extent) == ("blockIdx.x", None)
    axis = te.thread_axis((0, 32), "threadIdx.y")
    assert (axis.thread_tag, axis.extent, str(axis)) == ("threadIdx.y", 32, "thread_axis(threadIdx.y, extent 32)")
    assert te.thread_axis(4, "vthread").extent == 4
    named = te.thread_axis("threadIdx.x", name="tx")
    assert (named.name, named.thread_tag, axis.name) == ("tx", "threadIdx.x", "threadIdx.y")
    assert str(named) == "thread_axis(threadIdx.x, name tx)"


def test_sizes_have_an_integer_type() -> None:
    assert te.var("n", "int64").dtype == te.size_var("m").dtype == "index"


def test_reductions_of_tuples() -> None:
    a, k = te.placeholder((3, 5), name="A"), te.reduce_axis((0, 5), "k")
    argmax = te.comm_reducer(
        lambda x, y: (te.Select(x[1] >= y[1], x[0], y[0]), te.Select(x[1] >= y[1], x[1], y[1])),
        lambda t0, t1: (te.const(-1, t0), te.min_value(t1)),
        name="argmax",
    )
    first, second = te.compute((3,), lambda i: argmax((k, a[i, k]), axis=k, where=k < 4), name="T")
    assert (first.dtype, second.dtype) == ("int64", "float32")
    assert first.op.reduce_axis == (k,)
    assert str(first.op) == (
        "T[i] = argmax(if_then_else(k < 4, int64(k), -1), axis=[k])[0], "
        "argmax(if_then_else(k < 4, A[i, k], -3.4028234663852886e+38), axis=[k])[1]"
    )
