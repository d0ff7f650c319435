"""Idioms of te programs: places that splits move, numbers of shapes, scalars beside tensors, `tvm.arith`."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te, tir
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.remarks import collect_remarks
from tilewright.driver.build_module import schedule_to_module


@pytest.mark.parametrize("fused", [False, True])
def test_a_stage_stays_at_an_axis_that_is_split_or_fused_later(fused: bool) -> None:
    A = te.compute((10, 6), lambda i, j: i * 2.0, name="A")
    B = te.compute((10, 6), lambda i, j: A[i, j] + j, name="B")
    s = te.create_schedule(B.op)
    s[A].compute_at(s[B], B.op.axis[1])
    if fused:
        s[B].fuse(*B.op.axis)
    else:
        s[B].split(B.op.axis[1], 4)
    actual = np.zeros((10, 6), np.float32)
    tvm.build(s, [B])(actual)
    np.testing.assert_array_equal(actual, 2 * np.arange(10)[:, None] + np.arange(6))


def test_constants_fold_and_are_sizes() -> None:
    n = tvm.runtime.convert(10)
    A = te.placeholder((n + 5,), name="A")
    assert A.shape == (15,) and A.shape[0].value == 15 and isinstance(A.shape[0], tir.IntImm)
    C = te.compute((n,), lambda i: A(n + 5 - i - 1), name="C")
    x, y = np.arange(15, dtype=np.float32), np.zeros(10, np.float32)
    tvm.build(te.create_schedule(C.op), [A, C])(x, y)
    np.testing.assert_array_equal(y, x[:4:-1])


def test_a_scalar_beside_a_tensor_makes_a_tensor() -> None:
    n, A = te.var("n"), te.placeholder((8,), name="A")
    B = n - A * te.const(2.0)
    x, y = np.arange(8, dtype=np.float32), np.zeros(8, np.float32)
    tvm.build(te.create_schedule(B.op), [n, A, B])(3, x, y)
    np.testing.assert_array_equal(y, 3 - 2 * x)


def test_an_analyzer_simplifies_and_proves() -> None:
    m, analyzer = te.var("m"), tvm.arith.Analyzer()
    assert str(analyzer.simplify(m * 4 + m - 2 * m)) == "m * 3"
    assert analyzer.can_prove(m * 2 >= m) and not analyzer.can_prove(m > 0)
    assert analyzer.simplify(tir.stmt_functor.substitute(m * 4, {m: 5})).value == 20


def test_what_was_said_of_loops_can_be_asked() -> None:
    A = te.compute((8, 8), lambda i, j: i + j, name="A")
    s = te.create_schedule(A.op)
    i, j = s[A].leaf_iter_vars
    s[A].unroll(i)
    s[A].vectorize(j)
    kinds = [s[A].iter_var_attrs[axis].iter_type for axis in (i, j)]
    assert kinds == [te.schedule.IterVar.Unrolled, te.schedule.IterVar.Vectorized]
    assert set(schedule_to_module(s).functions) == {"main"}


@pytest.mark.parametrize(
    ("combine", "expected"),
    [
        (lambda n, A: te.min(n, A), lambda n, a: np.minimum(n, a)),
        (lambda n, A: te.max(A, n), lambda n, a: np.maximum(n, a)),
        (lambda n, A: te.floormod(A, n), lambda n, a: a % n),
        (lambda n, A: n < A, lambda n, a: n < a),
        (lambda n, A: n >= A, lambda n, a: n >= a),
        (lambda n, A: 1 << A, lambda n, a: 1 << a),
        (lambda n, A: 12 & A, lambda n, a: 12 & a),
        (lambda n, A: te.compute(A.shape, lambda i: n < A[i]), lambda n, a: n < a),
    ],
)
def test_operators_of_a_size_and_a_tensor(combine: Callable[..., Any], expected: Callable[..., Any]) -> None:
    n, A = te.var("n"), te.placeholder((8,), "int32", name="A")
    B = combine(n, A)
    x = np.arange(8, dtype=np.int32)
    y = np.zeros(8, B.dtype)
    tvm.build(te.create_schedule(B.op), [n, A, B])(5, x, y)
    np.testing.assert_array_equal(y, expected(5, x))


@pytest.mark.parametrize("function", [te.truncdiv, te.truncmod, te.fmod])
def test_functions_of_scalars_alone_refuse_whole_tensors(function: Callable[..., Any]) -> None:
    n, A = te.var("n"), te.placeholder((8,), "int32", name="A")
    for operands in ((n, A), (A, n), (A, A)):
        with pytest.raises(TilewrightError, match="but got a whole tensor") as caught:
            function(*operands)
        assert caught.value.code == "TW0451"


def refused(code: str, message: str, act: Callable[[], Any]) -> None:
    with pytest.raises(TilewrightError, match=message) as caught:
        act()
    assert caught.value.code == code


def test_replacements_of_variables_have_their_type() -> None:
    n, x, substitute = te.var("n"), te.var("x", "float32"), tir.stmt_functor.substitute
    assert str(substitute(x * 2, {x: 3})) == "3.0 * 2.0"
    refused("TW0451", "a value of type int32 for 'n', but got `2.5`", lambda: substitute(n * 2, {n: 2.5}))
    refused("TW0451", "a value of type float32 for 'x', but got `n`", lambda: substitute(x * 2, {x: n}))
    refused("TW0255", "a variable of te.var or an axis, but got 'n'", lambda: substitute(n * 2, {"n": 2}))
    refused("TW0255", "a mapping of variables to values, but got 3", lambda: substitute(n * 2, 3))
    refused("TW0255", "statements to visit, but got 'n'", lambda: substitute("n", {n: 2}))


def test_an_analyzer_bounds_integers() -> None:
    A = te.compute((8, 4), lambda i, j: i + j, name="A")
    (i, j), n, analyzer = A.op.axis, te.var("n"), tvm.arith.Analyzer()
    bound = analyzer.const_int_bound(i * 4 - j + 1)
    assert (bound.min_value, bound.max_value) == (-2, 29)
    assert analyzer.const_int_bound(n).max_value == tvm.arith.ConstIntBound.POS_INF
    assert not analyzer.can_prove(te.var("signed", "int8") >= 0)
    analyzer.bind(n, 7)
    assert analyzer.const_int_bound(n * 2).min_value == 14
    refused("TW0451", "an integer to bound, but got", lambda: analyzer.const_int_bound(n / 2.0))
    refused("TW0451", "a value of type int32 for 'n'", lambda: analyzer.bind(n, 2.5))
    refused("TW0251", "'arith.IntervalSet' is not part", lambda: tvm.arith.IntervalSet(0, 1))
    refused("TW0251", "'arith.Analyzer.modular_set' is not part", lambda: analyzer.modular_set(n))


def test_a_script_read_from_text_gives_zero_where_nothing_is_written() -> None:
    @te.hybrid.script
    def evens(a):
        b = output_tensor((a.shape[0],), "int32")  # noqa: F821
        for i in range(a.shape[0]):
            if i % 2 == 0:
                b[i] = a[i]
        return b

    n = te.var("n")
    A = te.placeholder((n,), "int32", name="A")
    B = evens(A)
    module = te.hybrid.build(te.create_schedule(B.op), [A], [B])
    for _ in range(3):
        np.testing.assert_array_equal(module(np.full(64, 7, np.int32)), [7, 0] * 32)
    refused("TW0313", "a tensor of type", lambda: module(np.full(64, 7, np.float32)))


def test_integers_fold_as_python_computes_them() -> None:
    x, three, minus = te.var("x"), te.const(3), te.const(-7)
    assert [te.truncdiv(minus, three).value, te.truncmod(minus, three).value, (minus // three).value] == [-2, -1, -3]
    assert [((three | 4) ^ 1).value, (three & 6).value] == [6, 2]
    assert three < te.const(4) and three != te.const(4)
    assert all(same is x for same in (x + 0, 0 + x, x - 0, x * 1, 1 * x, x // 1))
    assert te.truncmod(x, 1).value == 0 and (x % 1).value == 0
    assert str(te.const(2**31 - 1) + 1) == "2147483647 + 1"
    refused("TW0452", "a condition known", lambda: bool(three))


def test_a_stage_of_a_step_stays_inside_its_scan() -> None:
    state, X = te.placeholder((4, 3)), te.placeholder((4, 3), name="X")
    init = te.compute((1, 3), lambda _, i: X[0, i], name="init")
    twice = te.compute((4, 3), lambda t, i: state[t - 1, i] * 2, name="twice")
    update = te.compute((4, 3), lambda t, i: twice[t, i] + X[t, i], name="update")
    s = te.create_schedule(te.scan(init, update, state).op)
    refused("TW0483", "belongs to the steps", lambda: s[twice].compute_at(s[init], init.op.axis[0]))


def test_pragmas_of_threads_change_nothing_and_say_so() -> None:
    A = te.placeholder((64,), name="A")
    B = te.compute((64,), lambda i: A[i] + 1.0, name="B")
    s = te.create_schedule(B.op)
    xo, xi = s[B].split(B.op.axis[0], factor=8)
    s[B].parallel(xo)
    for key in ("parallel_launch_point", "parallel_stride_pattern", "parallel_barrier_when_finish"):
        s[B].pragma(xo, key)
    s[B].pragma(xi, "vectorize")
    attributes = s[B].iter_var_attrs
    assert attributes[xo].pragma_keys[0].value == "parallel_launch_point"
    assert attributes[xi].iter_type == te.schedule.IterVar.Vectorized
    with collect_remarks() as remarks:
        program = tvm.build(s, [A, B])
    assert sorted(r.message.partition(":")[0] for r in remarks if r.code == "TW0260") == [
        f"pragma '{key}' changes nothing"
        for key in ("parallel_barrier_when_finish", "parallel_launch_point", "parallel_stride_pattern")
    ]
    x = np.arange(64, dtype=np.float32)
    np.testing.assert_array_equal(program(x), x + 1)


def test_sizes_of_factored_stages_are_constants() -> None:
    A = te.placeholder((64,), name="A")
    k = te.reduce_axis((0, 64), "k")
    B = te.compute((1,), lambda i: te.sum(A[k], axis=k), name="B")
    s = te.create_schedule(B.op)
    factored = s.rfactor(B, s[B].split(k, factor=4)[1])
    assert factored.shape[0].value == 4
    assert s[B].op.body[0].axis[0].dom.extent.value == 4


def test_a_list_of_lowered_functions_is_one_program() -> None:
    A = te.placeholder((8,), name="A")
    B = te.compute((8,), lambda i: A[i] + 1.0, name="B")
    s = te.create_schedule(B.op)
    program = tvm.build([tvm.lower(s, [A, B], name="one"), tvm.lower(s, [A, B], name="two")], "llvm")
    x = np.arange(8, dtype=np.float32)
    for name in ("one", "two"):
        np.testing.assert_array_equal(program[name](x), x + 1)
    with pytest.raises(tvm.TilewrightError, match="TW0610.*two named 'one'"):
        tvm.build([tvm.lower(s, [A, B], name="one")] * 2, "llvm")


@pytest.mark.parametrize("arranged", [False, True])
def test_results_that_arguments_leave_out_are_intermediate(arranged: bool) -> None:
    A = te.placeholder((20,), name="A")
    B = te.compute((20,), lambda i: A[i] + 1.0, name="B")
    C = te.compute((20,), lambda i: B[i] * 2.0, name="C")
    s = te.create_schedule([B.op, C.op])
    if arranged:
        s[B].compute_at(s[C], s[C].split(C.op.axis[0], 4)[0])
    x, y = np.arange(20, dtype=np.float32), np.zeros(20, np.float32)
    tvm.build(s, [A, C])(x, y)
    np.testing.assert_array_equal(y, (x + 1) * 2)
    both = tvm.build(s, [A])(x)
    np.testing.assert_array_equal(both[0], x + 1)
    np.testing.assert_array_equal(both[1], (x + 1) * 2)


def test_what_cannot_be_pickled_and_linked_says_so() -> None:
    A = te.placeholder((8,), name="A")
    B = te.compute((8,), lambda i: A[i] + 1.0, name="B")
    s = te.create_schedule(B.op)
    for value in (A[0] + 1, B):
        with pytest.raises(AttributeError, match="TW0251.*cannot be pickled"):
            pickle.dumps(value)
    assert isinstance(copy.deepcopy(A[0] + 1), te.Expr)
    program = tvm.build(s, [A, B])
    with pytest.raises(AttributeError, match="TW0251.*Module.import_module"):
        program.import_module(program)
    C = te.extern((8,), [A], lambda ins, outs: tir.call_packed("f", ins[0], outs[0]), name="C")
    with pytest.raises(AttributeError, match="TW0251.*an extern has no 'body'"):
        getattr(C.op, "body")  # noqa: B009


def test_attributes_and_texts_have_values() -> None:
    B = te.compute((8,), lambda i: i * 2, name="B", attrs={"count": 3, "layout": "NCHW", "sizes": [1, 2]})
    assert (B.op.attrs["count"].value, B.op.attrs["layout"].value, B.op.attrs["sizes"]) == (3, "NCHW", [1, 2])
    assert tir.StringImm("text") == tir.StringImm("text").value == "text"
    x = te.placeholder((4,), name="x")
    intrinsic = te.decl_tensor_intrin(te.compute((4,), lambda i: x[i] + 1.0, name="y").op)
    with pytest.raises(AttributeError, match="TW0251.*a tensor intrinsic has no 'reduce_axis'"):
        getattr(intrinsic, "reduce_axis")  # noqa: B009
