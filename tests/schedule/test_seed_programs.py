"""Programs that users of tensor compilers write, as they write them, each compared with numpy or read by its loops.

docs/seeds.md lists them by topic.
"""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import IRModule, te, tir, topi


def random(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).random(shape, dtype=np.float32)


def product() -> tuple[Any, list[Any], Any]:
    """Return an elementwise product of matrices of any size, and its schedule."""
    n, m = te.var("n"), te.var("m")
    A = te.placeholder((m, n), name="A")
    B = te.placeholder((m, n), name="B")
    C = te.compute((m, n), lambda i, j: A[i, j] * B[i, j], name="C")
    return te.create_schedule([C.op]), [A, B, C], C


def loops(module: IRModule) -> list[str]:
    """Return the headers of the loops, without their indentation."""
    lines = (line.strip() for line in module.script().splitlines())
    return [line.removeprefix("loop.for ").removesuffix(" {") for line in lines if line.startswith("loop.for ")]


def multiplies(schedule: Any, arguments: list[Any]) -> None:
    """Check that the schedule computes the product at sizes around its factors."""
    function = tvm.build(schedule, arguments, target="llvm", name="product")
    for shape in ((1, 1), (7, 9), (16, 8), (33, 65)):
        a, b = random(*shape), random(*shape) + 1
        c = np.full(shape, np.nan, np.float32)
        function(a, b, c)
        np.testing.assert_array_equal(c, a * b)


# Tensor expressions, lowering and building


def test_build_for_a_target_with_a_host() -> None:
    schedule, arguments, _ = product()
    target = tvm.target.Target(target="llvm", host="llvm")
    function = tvm.build(schedule, arguments, target=target, name="mult")
    assert "mult" in function.get_source()
    a, b = random(3, 5), random(3, 5)
    np.testing.assert_array_equal(function(a, b), a * b)
    assert loops(tvm.lower(schedule, arguments, simple_mode=True)) == ["%i = 0 to %m", "%j = 0 to %n"]


def test_a_function_of_a_module_built_and_scheduled() -> None:
    A = te.placeholder((8,), dtype="float32", name="A")
    B = te.compute((8,), lambda *i: A(*i) + 1.0, name="B")
    module = IRModule({"main": te.create_prim_func([A, B])})
    assert "func.func @main" in module.script()
    a, b = random(8), np.zeros(8, np.float32)
    tvm.build(module, target="llvm")(a, b)
    np.testing.assert_array_equal(b, a + 1)
    schedule = tir.Schedule(module)
    (i,) = schedule.get_loops(schedule.get_block("B"))
    i_0, i_1, i_2 = schedule.split(i, factors=[2, 2, 2])
    schedule.reorder(i_0, i_2, i_1)
    tvm.build(schedule.mod, target="llvm")(a, b)
    np.testing.assert_array_equal(b, a + 1)
    schedule.bind(i_0, "blockIdx.x")
    schedule.bind(i_2, "threadIdx.x")
    assert 'thread<"threadIdx.x">' in schedule.mod.script()


def test_sums_of_rows_written_out_and_by_name() -> None:
    n, m = te.var("n"), te.var("m")
    A = te.placeholder((n, m), name="A")
    k = te.reduce_axis((0, m), "k")
    B = te.compute((n,), lambda i: te.sum(A[i, k], axis=k), name="B")
    C = topi.sum(A, axis=1)
    a = random(5, 7)
    for tensor in (B, C):
        schedule = te.create_schedule(tensor.op)
        assert len(loops(tvm.lower(schedule, [A, tensor], simple_mode=True))) == 2
        np.testing.assert_allclose(tvm.build(schedule, [A, tensor])(a), a.sum(1), rtol=1e-6)


def test_operators_by_name() -> None:
    x, y = te.placeholder((4, 6), name="x"), te.placeholder((6,), name="y")
    a, b = random(4, 6), random(6)
    for tensor, expected in ((topi.broadcast_add(x, y), a + b), (topi.broadcast_mul(x, y), a * b)):
        schedule = te.create_schedule(tensor.op)
        np.testing.assert_array_equal(tvm.build(schedule, [x, y, tensor])(a, b), expected)
    softmax = topi.nn.softmax(x)
    e = np.exp(a - a.max(1, keepdims=True))
    np.testing.assert_allclose(tvm.build([x, softmax])(a), e / e.sum(1, keepdims=True), rtol=1e-5)


# A vector sum: describe, schedule, compile, save, load


def test_vector_sum_saved_and_loaded(tmp_path: Path) -> None:
    n = te.var("n")
    A = te.placeholder((n,), name="A")
    B = te.placeholder((n,), name="B")
    C = te.compute(A.shape, lambda i: A[i] + B[i], name="C")
    schedule = te.create_schedule(C.op)
    schedule[C].split(C.op.axis[0], factor=64)
    function = tvm.build(schedule, [A, B, C], "llvm", target_host="llvm", name="myadd")
    path = str(tmp_path / "myadd.so")
    function.save(path)
    a, b, c = random(100), random(100), np.zeros(100, np.float32)
    tvm.runtime.load_module(path)(a, b, c)
    np.testing.assert_array_equal(c, a + b)


# Primitives of stages, and what they change


def test_split() -> None:
    schedule, arguments, C = product()
    before = str(tvm.lower(schedule, arguments, simple_mode=True))
    schedule[C].split(C.op.axis[0], factor=32)
    after = tvm.lower(schedule, arguments, simple_mode=True)
    assert loops(after) == ["%io = 0 to ((%m + 31) floordiv 32)", "%ii = 0 to 32", "%j = 0 to %n"]
    changes = [line for line in difflib.ndiff(before.split("\n"), str(after).split("\n")) if line[0] in "+-"]
    assert any("loop.for %io" in line for line in changes) and not any("func.func" in line for line in changes)
    multiplies(schedule, arguments)


def test_split_by_parts() -> None:
    A = te.placeholder((57,), name="A")
    B = te.compute((57,), lambda i: A[i] * 2, name="B")
    schedule = te.create_schedule(B.op)
    schedule[B].split(B.op.axis[0], nparts=32)
    assert loops(tvm.lower(schedule, [A, B], simple_mode=True)) == ["%io = 0 to 32", "%ii = 0 to 2"]
    a = random(57)
    np.testing.assert_array_equal(tvm.build(schedule, [A, B])(a), a * 2)


def test_split_by_parts_of_an_extent_that_a_call_states() -> None:
    """As the classic program of primitives does it: 32 parts of m elements."""
    m = te.var("m")
    A = te.placeholder((m,), name="A")
    B = te.compute((m,), lambda i: A[i] * 2, name="B")
    schedule = te.create_schedule(B.op)
    bx, tx = schedule[B].split(B.op.axis[0], nparts=32)
    lowered = tvm.lower(schedule, [A, B], simple_mode=True)
    assert loops(lowered) == ["%io = 0 to 32", "%ii = 0 to ((%m + 31) floordiv 32)"]
    _, inner = schedule[B].split(tx, factor=4)
    schedule[B].vectorize(inner)
    schedule[B].parallel(bx)
    for target in ("llvm", "c", "interpreter"):
        program = tvm.build(schedule, [A, B], target)
        for size in (0, 1, 31, 32, 33, 1000):
            a = random(size)
            np.testing.assert_array_equal(program(a), a * 2)


@pytest.mark.parametrize("outer", ["blockIdx.x", "threadIdx.x"])
def test_split_by_parts_for_blocks_and_threads(outer: str) -> None:
    m = te.var("m")
    A = te.placeholder((m,), name="A")
    B = te.compute((m,), lambda i: A[i] + 1, name="B")
    C = te.compute((m,), lambda i: B[i] * 2, name="C")
    schedule = te.create_schedule(C.op)
    part, rest = schedule[C].split(C.op.axis[0], nparts=8)
    schedule[C].bind(part, te.thread_axis(outer))
    if outer == "blockIdx.x":
        schedule[C].bind(schedule[C].split(rest, factor=4)[1], te.thread_axis("threadIdx.x"))
    schedule[B].compute_inline()
    program = tvm.build(schedule, [A, C], "cuda", device="simulator")
    for size in (1, 7, 8, 9, 100):
        a = random(size)
        np.testing.assert_array_equal(program(a), (a + 1) * 2)


def test_a_sum_over_parts_of_an_extent_that_a_call_states() -> None:
    m = te.var("m")
    A = te.placeholder((3, m), name="A")
    k = te.reduce_axis((0, m), name="k")
    B = te.compute((3,), lambda i: te.sum(A[i, k], axis=k), name="B")
    schedule = te.create_schedule(B.op)
    schedule[B].split(schedule[B].op.reduce_axis[0], nparts=16)
    program = tvm.build(schedule, [A, B])
    for size in (0, 1, 15, 16, 17, 100):
        a = random(3, size)
        np.testing.assert_allclose(program(a), a.sum(1), rtol=1e-5, atol=1e-6)


def test_what_is_computed_for_a_part_of_an_extent_that_a_call_states() -> None:
    m = te.var("m")
    A = te.placeholder((m,), name="A")
    B = te.compute((m,), lambda i: A[i] + 1, name="B")
    C = te.compute((m,), lambda i: B[i] * 2, name="C")
    for number in (0, 1):
        schedule = te.create_schedule(C.op)
        parts = schedule[C].split(C.op.axis[0], nparts=5)
        schedule[B].compute_at(schedule[C], parts[number])
        copy = schedule.cache_read(A, "local", [B])
        schedule[copy].compute_at(schedule[C], parts[number])
        program = tvm.build(schedule, [A, C])
        for size in (0, 1, 4, 5, 6, 41):
            a = random(size)
            np.testing.assert_array_equal(program(a), (a + 1) * 2)


def test_tile() -> None:
    schedule, arguments, C = product()
    schedule[C].tile(C.op.axis[0], C.op.axis[1], x_factor=16, y_factor=8)
    assert [header.partition(" ")[0] for header in loops(tvm.lower(schedule, arguments, simple_mode=True))] == [
        "%io",
        "%jo",
        "%ii",
        "%ji",
    ]
    multiplies(schedule, arguments)


def test_fuse() -> None:
    schedule, arguments, C = product()
    schedule[C].fuse(C.op.axis[0], C.op.axis[1])
    assert len(loops(tvm.lower(schedule, arguments, simple_mode=True))) == 1
    multiplies(schedule, arguments)


def test_bind_reads_as_threads() -> None:
    schedule, arguments, C = product()
    co, ci = schedule[C].split(C.op.axis[0], factor=64)
    schedule[C].bind(co, te.thread_axis("blockIdx.x"))
    schedule[C].bind(ci, te.thread_axis("threadIdx.x"))
    text = tvm.lower(schedule, arguments, simple_mode=True).script()
    assert 'kind thread<"blockIdx.x">' in text and 'kind thread<"threadIdx.x">' in text


@pytest.mark.parametrize("order", [(1, 3, 0, 2), (0, 1, 2, 3)])
def test_reorder(order: tuple[int, ...]) -> None:
    schedule, arguments, C = product()
    axes = schedule[C].tile(C.op.axis[0], C.op.axis[1], x_factor=16, y_factor=8)
    schedule[C].reorder(*(axes[k] for k in order))
    names = [header.partition(" ")[0] for header in loops(tvm.lower(schedule, arguments, simple_mode=True))]
    assert names == [["%io", "%jo", "%ii", "%ji"][k] for k in order]
    multiplies(schedule, arguments)


@pytest.mark.parametrize("position", ["apart", "at", "inline", "root"])
def test_a_producer_in_its_consumer(position: str) -> None:
    m = te.var("m")
    A = te.placeholder((m,), name="A")
    B = te.compute((m,), lambda i: A[i] + 1, name="B")
    C = te.compute((m,), lambda i: B[i] * 2, name="C")
    schedule = te.create_schedule(C.op)
    if position in ("at", "root"):
        schedule[B].compute_at(schedule[C], C.op.axis[0])
    if position == "root":
        schedule[B].compute_root()
    if position == "inline":
        schedule[B].compute_inline()
    assert len(loops(tvm.lower(schedule, [A, C], simple_mode=True))) == {"apart": 2, "root": 2}.get(position, 1)
    a = random(13)
    np.testing.assert_array_equal(tvm.build(schedule, [A, C])(a), (a + 1) * 2)
    arguments = [A, B, C]
    if position != "inline":
        b, c = np.zeros_like(a), np.zeros_like(a)
        tvm.build(schedule, arguments)(a, b, c)
        np.testing.assert_array_equal(b, a + 1)
        np.testing.assert_array_equal(c, (a + 1) * 2)


def test_sigmoid() -> None:
    n = te.var("n")
    A = te.placeholder((n,), name="A")
    B = te.compute(A.shape, lambda i: te.sigmoid(A[i]), name="B")
    a = random(70)
    np.testing.assert_allclose(tvm.build(te.create_schedule(B.op), [A, B])(a), 1 / (1 + np.exp(-a)), rtol=1e-6)


# Notes on matrix products


def matmul(n: int) -> tuple[Any, list[Any], Any]:
    A = te.placeholder((n, n), name="A")
    B = te.placeholder((n, n), name="B")
    k = te.reduce_axis((0, n), "k")
    C = te.compute((n, n), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="C")
    return te.create_schedule(C.op), [A, B, C], C


def test_three_levels_of_tiles() -> None:
    n, outer, inner = 48, 16, 4
    s, arguments, C = matmul(n)
    mo, mi = s[C].split(C.op.axis[0], factor=outer)
    no, ni = s[C].split(C.op.axis[1], factor=outer)
    ko, ki = s[C].split(s[C].op.reduce_axis[0], factor=outer)
    mio, mii = s[C].split(mi, factor=inner)
    nio, nii = s[C].split(ni, factor=inner)
    kio, kii = s[C].split(ki, factor=inner)
    s[C].reorder(mo, no, ko, mio, nio, kio, mii, nii, kii)
    s[C].unroll(kii)
    assert len(loops(tvm.lower(s, arguments, simple_mode=True))) == 9 + 4  # and four that set a tile to zero
    a, b = random(n, n), random(n, n)
    np.testing.assert_allclose(tvm.build(s, arguments, name="mmult")(a, b), a @ b, rtol=1e-4)
    assert [axis.name for axis in s[C].op.axis] == ["i", "j"], "what was split keeps its axes"


def test_values_in_between_come_from_a_function() -> None:
    n, block = 8, 4
    A = te.placeholder((n, n), name="A")

    def body(io: Any, jo: Any) -> Any:
        first = io * block
        return A[first, jo * block] + te.const(1, "float32")

    C = te.compute((n // block, n // block), body, name="C")
    a = random(n, n)
    np.testing.assert_array_equal(tvm.build([A, C])(a), a[::block, ::block] + 1)


def test_two_outputs_of_one_compute_move_together() -> None:
    A = te.placeholder((6, 4), name="A")
    B0, B1 = te.compute((6, 4), lambda i, j: (A[i, j] + 2, A[i, j] * 3), name="B")
    C = te.compute((6, 4), lambda i, j: B0[i, j] + B1[i, j], name="C")
    s = te.create_schedule(C.op)
    s[B0].compute_at(s[C], C.op.axis[0])
    text = tvm.lower(s, [A, C], simple_mode=True)
    assert len(loops(text)) == 3
    a = random(6, 4)
    np.testing.assert_allclose(tvm.build(s, [A, C])(a), a + 2 + a * 3, rtol=1e-6)


def test_reduce_axes_take_part_in_a_reorder() -> None:
    n, block = 8, 4
    A = te.placeholder((n, n), name="A")
    k = te.reduce_axis((0, n), "k")
    C = te.compute(
        (n // block, n // block, block, block),
        lambda io, jo, ii, ji: te.sum(A[io * block + ii, k] * A[k, jo * block + ji], axis=k),
        name="C",
    )
    s = te.create_schedule(C.op)
    s[C].reorder(C.op.axis[0], C.op.axis[1], s[C].op.reduce_axis[0], C.op.axis[2], C.op.axis[3])
    a = random(n, n)
    expected = (a @ a).reshape(2, 4, 2, 4).transpose(0, 2, 1, 3)
    np.testing.assert_allclose(tvm.build(s, [A, C])(a), expected, rtol=1e-5)


def test_caches_of_what_is_read_and_written() -> None:
    s, arguments, C = matmul(16)
    CC = s.cache_write(C, "local")
    AA = s.cache_read(arguments[0], "local", [CC])
    i, j = s[C].op.axis
    io, ii = s[C].split(i, factor=4)
    s[C].reorder(io, j, ii)
    s[CC].compute_at(s[C], io)
    s[AA].compute_at(s[CC], s[CC].op.axis[0])
    s[C].parallel(io)
    a, b = random(16, 16), random(16, 16)
    np.testing.assert_allclose(tvm.build(s, arguments)(a, b), a @ b, rtol=1e-5)


def test_kinds_fused_and_bound_to_cores() -> None:
    s, arguments, C = product()
    fused = s[C].fuse(*C.op.axis)
    outer, inner = s[C].split(fused, factor=8)
    s[C].vectorize(inner)
    s[C].parallel(outer)
    multiplies(s, arguments)


def test_small_integers_stay_small() -> None:
    A = te.placeholder((8,), "int8", name="A")
    B = te.compute((8,), lambda i: A[i] + te.const(0, "int8"), name="B")
    assert B.dtype == "int8"
    a = np.arange(8, dtype=np.int8)
    np.testing.assert_array_equal(tvm.build([A, B])(a), a)
