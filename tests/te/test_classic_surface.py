"""The classic te surface: calls have their classic meaning, or are refused with a remedy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te, topi
from tilewright.diagnostics import TilewrightError


def refused(code: str, match: str) -> Any:
    return pytest.raises(TilewrightError, match=rf"(?s)error\[{code}\].*{match}")


def test_axes_are_found_in_lists() -> None:
    A = te.placeholder((te.var("m"), 8), name="A")
    B = te.compute(A.shape, lambda i, j: A[i, j] * 2, name="B")
    i, j = B.op.axis
    assert j in list(B.op.axis)
    assert list(B.op.axis).index(j) == 1
    schedule = te.create_schedule(B.op)
    assert i in schedule[B].leaf_iter_vars
    outer, inner = schedule[B].split(i, factor=4)
    leaves = schedule[B].leaf_iter_vars
    assert [axis in leaves for axis in (i, j, outer, inner)] == [False, True, True, True]
    assert j not in [i]
    assert i != j


def test_equality_of_values_is_no_condition_of_python() -> None:
    A = te.placeholder((8,), name="A")
    with refused("TW0452", "te.if_then_else"):
        te.compute((8,), lambda i: A[i] if i == 0 else A[0])
    n = te.var("n")
    assert n == n
    assert n != te.var("n")
    assert n.same_as(n)
    chosen = te.compute((4, 4), lambda i, j: te.Select(i == j, 1, 0), name="diagonal")
    np.testing.assert_array_equal(tvm.build([chosen], [chosen])(), np.eye(4))


def test_a_reducer_combines_two_values() -> None:
    largest = te.comm_reducer(lambda x, y: te.Select(x > y, x, y), te.min_value, name="largest")
    A, B = (te.placeholder((5,), name=name) for name in "AB")
    C = te.compute((5,), lambda i: largest(A[i], B[i]), name="C")
    a, b = np.float32([1, 5, 2, 7, 0]), np.float32([3, 4, 2, -7, 1])
    np.testing.assert_array_equal(tvm.build([A, B, C], [A, B, C])(a, b), np.maximum(a, b))
    k = te.reduce_axis((0, 5), "k")
    D = te.compute((1,), lambda i: largest(A[k], axis=k), name="D")
    np.testing.assert_array_equal(tvm.build([A, D], [A, D])(a), [7])
    with refused("TW0451", "expected a scalar expression"):
        largest(A[0], "axis")


@pytest.mark.parametrize("scheduled", [False, True])
def test_outputs_of_one_name(scheduled: bool) -> None:
    A = te.placeholder((4, 6), name="A")
    parts = topi.split(A, 3, axis=1)
    assert len({part.name for part in parts}) == 1
    args = [parts[2], A, *parts[:2]]
    program = tvm.build(te.create_schedule([p.op for p in parts]) if scheduled else args, args)
    a = np.arange(24, dtype=np.float32).reshape(4, 6)
    first, second, third = (np.zeros((4, 2), np.float32) for _ in range(3))
    program(third, a, first, second)
    for actual, expected in zip((first, second, third), np.split(a, 3, 1), strict=True):
        np.testing.assert_array_equal(actual, expected)


def test_inputs_of_one_name() -> None:
    a, b = te.placeholder((3,)), te.placeholder((3,))
    c = te.compute((3,), lambda i: a[i] - b[i], name="placeholder_1")
    program = tvm.build([a, b, c], [a, b, c])
    np.testing.assert_array_equal(program(np.float32([5, 6, 7]), np.float32([1, 2, 4])), [4, 4, 3])
    with refused("TW0459", "'placeholder' twice"):
        tvm.build([a, a, c], [a, a, c])


def test_a_variable_that_is_no_size_is_an_argument() -> None:
    k, n, scale, wide = te.var("k"), te.var("n"), te.var("scale", "float32"), te.var("wide", "int64")
    A = te.placeholder((n,), name="A")
    B = te.compute((n,), lambda i: A[i] * scale + k + te.if_then_else(i < k, wide, 0), name="B")
    a = np.float32([1, 2, 3, 4])
    expected = a * 2.5 + 3 + np.where(np.arange(4) < 3, 100, 0)
    args = [scale, A, k, n, wide, B]
    for program in (tvm.build(args, args), tvm.build(te.create_schedule(B.op), args)):
        b = np.zeros(4, np.float32)
        program(2.5, a, 3, 4, 100, b)
        np.testing.assert_array_equal(b, expected)
        np.testing.assert_array_equal(program(np.float32(2.5), a, np.int32(3), 4, np.int64(100)), expected)
        for wrong in (2**40, 1.5, True):
            with refused("TW0703", f"type int32 for argument 'k', but got {wrong}"):
                program(2.5, a, wrong, 4, 100, b)
        with refused("TW0707", "'k' to be a numpy array, but got str"):
            program(2.5, a, "3", 4, 100, b)
    with refused("TW0458", "'k'.*list it among the arguments"):
        tvm.build([scale, wide, A, B], [scale, wide, A, B])


def test_tags_of_scopes() -> None:
    @te.tag_scope("conv")
    def doubled(extent: int) -> Any:
        return te.compute((extent,), lambda i: i * 2, name="doubled")

    with te.tag_scope(tag="gemm"):
        C = te.compute((4,), lambda i: i, name="C", attrs={"hello": 1})
    assert (C.op.tag, C.op.attrs["hello"], doubled(4).op.tag) == ("gemm", 1, "conv")
    assert te.compute((4,), lambda i: i, tag="own").op.tag == "own"
    with refused("TW0453", "te.tag_scope\\('conv'\\) stands in that of 'gemm'"), te.tag_scope(tag="gemm"):
        doubled(4)
    assert te.compute((4,), lambda i: i).op.tag == ""


def test_ranges_of_axes() -> None:
    n = te.var("n")
    A = te.placeholder((n, 8), name="A")
    k = te.reduce_axis((2, 8), "k")
    B = te.compute((n,), lambda i: te.sum(A[i, k], axis=k), name="B")
    (i,) = B.op.axis
    assert i.var is i
    assert (i.dom.min, i.dom.extent) == (0, n)
    assert (k.dom.min, k.dom.extent) == (2, 6)
    assert B.op.body[0].axis == [k]
    outer, inner = te.create_schedule(B.op)[B].split(k, factor=3)
    assert (outer.dom.extent, inner.dom.extent, inner.var.name) == (2, 3, "ki")


@pytest.mark.parametrize("values", [{"axis": 1}, {"axis": 0}, {"axis": 1, "keepdims": True}, {"axis": None}])
def test_indices_of_extremes_are_int32(values: dict[str, Any]) -> None:
    A = te.placeholder((4, 6), name="A")
    B = topi.argmax(A, **values)
    assert B.dtype == "int32"
    assert topi.argmin(A, 0, dtype="int64").dtype == "int64"
    a = np.random.default_rng(0).random((4, 6), np.float32)
    b = np.zeros([int(size) for size in B.shape], np.int32)
    tvm.build(te.create_schedule(B.op), [A, B])(a, b)
    np.testing.assert_array_equal(b, np.argmax(a, **values))


def _twice(extent: int) -> Any:
    a = te.placeholder((extent,), name="a")
    b = te.compute((extent,), lambda i: a[i] * 2.0, name="b")

    def body(ins: Any, outs: Any) -> Any:
        ib = tvm.tir.ir_builder.create()
        ib.emit(tvm.tir.call_extern("int32", f"twice{extent}", ins[0].access_ptr("r"), outs[0].access_ptr("w")))
        return ib.get()

    binds = {t: tvm.tir.decl_buffer(t.shape, t.dtype, name=t.name, strides=[1]) for t in (a, b)}
    return te.decl_tensor_intrin(b.op, body, binds=binds)


def test_of_two_intrinsics_for_a_loop_the_later_one_is_taken() -> None:
    A = te.placeholder((8, 64), name="A")
    B = te.compute((8, 64), lambda i, j: A[i, j] * 2.0, name="B")
    schedule = te.create_schedule(B.op)
    _, inner = schedule[B].split(B.op.axis[1], 16)
    schedule[B].tensorize(inner, _twice(32))
    schedule[B].tensorize(inner, _twice(16))
    text = str(tvm.lower(schedule, [A, B]))
    assert "twice16" in text
    assert "twice32" not in text


def test_the_offset_of_an_address_may_count_elements() -> None:
    buffer = tvm.tir.decl_buffer((8, 64), "float32", name="tile")
    assert buffer.access_ptr("rw", offset=100).offset == (1, 36)
    assert buffer.access_ptr("rw", offset=(1, 36)).offset == (1, 36)
    assert buffer.access_ptr("r").offset == (0, 0)
    for offset in (512, -1, (8, 0), (1,), "x", 1.5):
        with refused("TW0430", "offset"):
            buffer.access_ptr("r", offset=offset)


def test_a_target_may_be_a_dictionary() -> None:
    assert tvm.target.Target({"kind": "llvm"}) == tvm.target.Target("llvm")
    options = {"kind": "llvm", "mcpu": "x86-64-v3", "mattr": ["+fma", "+avx2"]}
    assert str(tvm.target.Target(options)) == "llvm -mcpu=x86-64-v3 -mattr=+fma,+avx2"
    assert tvm.target.Target({"kind": "cuda", "host": "llvm"}).host == tvm.target.Target("llvm")
    assert tvm.target.Target("llvm -mcpu=x86-64-v3").kind.name == "llvm" == tvm.target.Target("llvm").kind
    for wrong in ({}, {"kind": 3}, {"kind": "llvm", "mcpu": ""}, {"kind": "llvm", "nosuch": 1}, 7):
        with refused("TW0612", "expected"):
            tvm.target.Target(wrong)
    with refused("TW0602", "'llwm'"):
        tvm.target.Target({"kind": "llwm"})


def test_small_spellings() -> None:
    A = te.placeholder((8, 8), name="A")
    k = te.reduce_axis((0, 8), "k")
    assert k.var is k
    assert A[0, 0].astype("float").dtype == "float32"
    assert str(A[0, 0].equal(1)) == str(A[0, 0] == 1)
    assert te.thread_axis((0, 2), "vthread", name="vx").extent == 2
    narrow = (A + 1).astype("int8")
    a = np.arange(64, dtype=np.float32).reshape(8, 8) / 4
    np.testing.assert_array_equal(tvm.build([A, narrow], [A, narrow])(a), (a + 1).astype(np.int8))
    assert tvm.build([A, narrow], [A, narrow]).get_function("main") is not None
    target = tvm.nd.array(np.zeros(3))
    np.testing.assert_array_equal(target.copyfrom(np.ones(3)), [1, 1, 1])
    with refused("TW0450", "element type"):
        A[0, 0].astype("floatish")


@pytest.mark.parametrize(
    "keywords",
    [
        {"offset_factor": -1},
        {"scope": "wmma.other"},
        {"data_alignment": "64"},
        {"elem_offset": 4},
        {"data": te.var("data")},
        {"buffer_type": "compact"},
    ],
    ids=str,
)
def test_a_buffer_of_foreign_code_lies_anywhere(keywords: dict[str, object]) -> None:
    """Promises that foreign code may not rely on are refused."""
    assert tvm.tir.decl_buffer((4,), offset_factor=1, scope="global", data_alignment=4, elem_offset=None).shape == (4,)
    with refused("TW0430", f"(to lie anywhere|without data), but got {next(iter(keywords))} "):
        tvm.tir.decl_buffer((4,), **keywords)


def test_vectors_of_single_elements() -> None:
    A = te.placeholder((10,), name="A")
    one = tvm.tir.const(1, "float32x2")

    def pairs(ins, outs):
        ib = tvm.tir.ir_builder.create()
        with ib.for_range(0, 5) as i:
            ib.emit(outs[0].vstore(i * 2, ins[0].vload(i * 2, "float32x2") * ins[0].vload(0) + one))
            ib.emit(outs[0].vstore(i * 2, outs[0].vload(i * 2, "float32x2") - one))
        return ib.get()

    a = np.arange(2, 12, dtype=np.float32)
    B = te.extern((10,), [A], pairs, name="B")
    whole = te.extern((10,), [A], lambda ins, outs: outs[0].vstore(0, ins[0].vload([0], "float32x10") * 2.0))
    for target in ("llvm", "c", "interpreter"):
        np.testing.assert_array_equal(tvm.build(te.create_schedule(B.op), [A, B], target)(a), a * 2)
        np.testing.assert_array_equal(tvm.build(te.create_schedule(whole.op), [A, whole], target)(a), a * 2)
    S = tvm.tir.decl_buffer((10,), name="S")
    with refused("TW0466", "to read each element where it is stored"):
        S.vstore(1, S.vload(0, "float32x4"))
    ib = tvm.tir.ir_builder.create()
    flat = ib.buffer_ptr(S)
    with refused("TW0466", "to read each element where it is stored"):
        ib.emit(S.vstore(1, tvm.tir.Broadcast(flat[1], 4)))
    with refused("TW0430", "an element of type float32"):
        S.vload(0, "int32x4")
    with refused("TW0450", "vectors of one length"):
        S.vstore(0, S.vload(0, "float32x2") + S.vload(0, "float32x4"))


def test_whole_tensors_lie_where_the_compiler_puts_them() -> None:
    at = tvm.tir.decl_buffer((4,), name="at", offset_factor=16, data_alignment=64, elem_offset=te.var("at"))
    A = te.placeholder((4,), name="A")
    B = te.extern((4,), [A], lambda ins, outs: outs[0].vstore(0, ins[0].vload(1)), in_buffers=[at], name="B")
    s = te.create_schedule(B.op)
    assert tvm.build(s, [A, B], binds={A: at})(np.array([1, 5, 2, 3], np.float32))[0] == 5
    local = tvm.tir.decl_buffer((4,), name="local", scope="local")
    for use in (
        lambda: te.extern((4,), [A], lambda ins, outs: outs[0].vstore(0, 1.0), in_buffers=[local]),
        lambda: tvm.tir.PrimFunc([local], tvm.tir.Evaluate(tvm.tir.call_extern("int32", "f", local))),
        lambda: tvm.lower(s, [A, B], binds={A: local}),
    ):
        with refused("TW0430", "asks for scope 'local'"):
            use()


def test_single_elements_of_buffers_as_statements() -> None:
    A = te.placeholder((8,), name="A")
    B = te.extern((1,), [A], lambda ins, outs: outs[0].vstore(0, ins[0].vload([2], "float32") * 2 + 1), name="B")
    a = np.arange(8, dtype=np.float32)
    np.testing.assert_array_equal(tvm.build([A, B], [A, B])(a), [5])
    buffer = tvm.tir.decl_buffer((4,), "float32", name="buffer")
    with refused("TW0430", "an element of type float32 of buffer 'buffer', but got 'float64'"):
        buffer.vload(0, "float64")
    with refused("TW0430", "expected 1 indices of buffer 'buffer'"):
        buffer.vstore([0, 1], 1.0)
    with refused("TW0466", "a value of type float32 for buffer 'buffer'"):
        buffer.vstore(0, te.const(1, "float64"))
    with refused("TW0466", "on the buffers given, but it uses 'buffer'"):
        tvm.build([A, te.extern((1,), [A], lambda ins, outs: buffer.vstore(0, 1.0), name="C")])
    with refused("TW0458", "a dimension of size 'q'"):
        tvm.build([A, te.extern((1,), [A], lambda ins, outs: outs[0].vstore(te.var("q"), 1.0), name="D")])


def test_a_quotient_without_remainder_is_a_size() -> None:
    A = te.placeholder((32 / 4,), name="A")
    k = te.reduce_axis((0, 16 / 2), "k")
    B = te.compute((6 / 2,), lambda i: te.sum(A[k] * (i + 1), axis=k), name="B")
    assert (A.shape, k.extent, B.shape) == ((8,), 8, (3,))
    a = np.arange(8, dtype="float32")
    np.testing.assert_array_equal(tvm.build([A, B], [A, B])(a), a.sum() * np.float32([1, 2, 3]))
    for bad, shown in ((33 / 4, "8.25"), (float("inf"), "inf"), (float("nan"), "nan"), (2.0**60, "1.15")):
        with refused("TW0457", f"dimension 0 of 'P', but got {shown}"):
            te.placeholder((bad,), name="P")
    with refused("TW0457", "not to be negative, but got -2"):
        te.placeholder((-8 / 4,), name="P")
