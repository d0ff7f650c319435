"""Programs of the classic gallery in words of our own: recurrences, reductions, several results, functions of Python
and of GPUs, operators by name with the schedules of a target.

Others of the gallery stand where their subject does; docs/seeds.md lists all of them.
"""

from __future__ import annotations

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te, tir, topi
from tilewright.contrib import cblas, nvcc
from tilewright.passes.framework.intrinsics import unregister_lowering

RNG = np.random.default_rng(0)


def random(*shape: int) -> np.ndarray:
    return RNG.random(shape, np.float32)


def on_gpu(s: te.Schedule, args: list[te.Tensor], shape: tuple[int, ...], *inputs: np.ndarray) -> np.ndarray:
    """Return the result of a program whose kernels the simulator runs."""
    device = tvm.device("simulator")
    out = tvm.nd.array(np.zeros(shape, np.float32), device)
    tvm.build(s, args, "cuda", device="simulator")(*(tvm.nd.array(x, device) for x in inputs), out)
    return out.numpy()


def by_threads(s: te.Schedule, stage: te.Tensor, threads: int = 16) -> None:
    block, thread = s[stage].split(stage.op.axis[-1], factor=threads)
    s[stage].bind(block, te.thread_axis("blockIdx.x"))
    s[stage].bind(thread, te.thread_axis("threadIdx.x"))


def called(s: te.Schedule, args: list[te.Tensor], shape: tuple[int, ...], *inputs: np.ndarray) -> np.ndarray:
    out = np.zeros(shape, np.float32)
    tvm.build(s, args, "llvm")(*inputs, out)
    return out


# Recurrences


def test_running_sums_whose_columns_are_cut_in_parts() -> None:
    m, n = te.var("m"), te.var("n")
    X, state = te.placeholder((m, n), name="X"), te.placeholder((m, n))
    first = te.compute((1, n), lambda _, i: X[0, i])
    update = te.compute((m, n), lambda t, i: state[t - 1, i] + X[t, i])
    result = te.scan(first, update, state, inputs=[X])
    s = te.create_schedule(result.op)
    for stage in (first, update):
        _, inner = s[stage].split(stage.op.axis[1], factor=4)
        s[stage].vectorize(inner)
    x = random(5, 11)
    np.testing.assert_allclose(called(s, [X, result], (5, 11), x), np.cumsum(x, axis=0), rtol=1e-6)


def test_a_recurrence_of_two_stages() -> None:
    m, n = te.var("m"), te.var("n")
    X, state = te.placeholder((m, n), name="X"), te.placeholder((m, n))
    first = te.compute((1, n), lambda _, i: X[0, i])
    doubled = te.compute((m, n), lambda t, i: state[t - 1, i] * 2, name="doubled")
    update = te.compute((m, n), lambda t, i: doubled[t, i] + X[t, i], name="update")
    result = te.scan(first, update, state, inputs=[X])
    s = te.create_schedule(result.op)
    outer, _ = s[update].split(update.op.axis[1], factor=32)
    s[doubled].compute_at(s[update], outer)
    x = random(4, 40)
    expected = [x[0]]
    for row in x[1:]:
        expected.append(expected[-1] * 2 + row)
    np.testing.assert_allclose(called(s, [X, result], (4, 40), x), np.stack(expected), rtol=1e-6)


def test_two_states_of_different_sizes() -> None:
    m, n, width = te.var("m"), te.var("n"), te.var("width")
    X = te.placeholder((m, n), name="X")
    states = te.placeholder((m, n)), te.placeholder((m, width))
    inits = te.compute((1, n), lambda _, i: X[0, i]), te.compute((1, width), lambda _, i: 0.0)
    updates = (
        te.compute((m, n), lambda t, i: states[0][t - 1, i] + X[t, i]),
        te.compute((m, width), lambda t, i: states[1][t - 1, i] + states[0][t - 1, 0]),
    )
    sums, counts = te.scan([*inits], [*updates], [*states], inputs=[X])
    s = te.create_schedule(sums.op)
    x, a, b = random(4, 3), np.zeros((4, 3), np.float32), np.zeros((4, 2), np.float32)
    tvm.build(s, [X, sums, counts], "llvm")(x, a, b)
    running = np.cumsum(x, axis=0)
    np.testing.assert_allclose(a, running, rtol=1e-6)
    np.testing.assert_allclose(b[1:], np.cumsum(running[:-1, :1], axis=0).repeat(2, axis=1), rtol=1e-6)
    assert not b[0].any()


def test_running_sums_by_threads() -> None:
    m, n = te.var("m"), te.var("n")
    X, state = te.placeholder((m, n), name="X"), te.placeholder((m, n))
    first = te.compute((1, n), lambda _, i: X[0, i])
    update = te.compute((m, n), lambda t, i: state[t - 1, i] + X[t, i])
    result = te.scan(first, update, state, inputs=[X])
    s = te.create_schedule(result.op)
    for stage in (first, update):
        by_threads(s, stage)
    x = random(4, 37)
    np.testing.assert_allclose(on_gpu(s, [X, result], (4, 37), x), np.cumsum(x, axis=0), rtol=1e-6)


# Reductions


@pytest.mark.parametrize("is_factored", [False, True])
def test_sums_of_rows_in_parts(is_factored: bool) -> None:
    n, m = te.var("n"), te.var("m")
    A = te.placeholder((n, m), name="A")
    k = te.reduce_axis((0, m), "k")
    B = te.compute((n,), lambda i: te.sum(A[i, k], axis=k), name="B")
    s = te.create_schedule(B.op)
    _, inner = s[B].split(B.op.reduce_axis[0], factor=16)
    if is_factored:
        partial = s.rfactor(B, inner)
        s[partial].compute_at(s[B], s[B].op.axis[0])
    else:
        s[B].split(B.op.axis[0], factor=32)
    x = random(37, 45)
    np.testing.assert_allclose(called(s, [A, B], (37,), x), x.sum(axis=1), rtol=1e-4)


def test_sums_of_rows_by_threads_that_add_up_together() -> None:
    n, m = te.var("n"), te.var("m")
    A = te.placeholder((n, m), name="A")
    k = te.reduce_axis((0, m), "k")
    B = te.compute((n,), lambda i: te.sum(A[i, k], axis=k), name="B")
    s = te.create_schedule(B.op)
    _, inner = s[B].split(B.op.reduce_axis[0], factor=8)
    partial = s.rfactor(B, inner)
    row, lane = s[B].split(s[B].op.axis[0], factor=4)
    s[B].bind(row, te.thread_axis("blockIdx.x"))
    s[B].bind(lane, te.thread_axis("threadIdx.y"))
    thread = te.thread_axis("threadIdx.x")
    s[B].bind(s[B].op.reduce_axis[0], thread)
    s[partial].compute_at(s[B], s[B].op.reduce_axis[0])
    s[B].set_store_predicate(thread.var.equal(0))
    x = random(10, 45)
    np.testing.assert_allclose(on_gpu(s, [A, B], (10,), x), x.sum(axis=1), rtol=1e-5)


def test_windows_of_an_image() -> None:
    n = te.var("n")
    image, weights = te.placeholder((n, n), name="image"), te.placeholder((3, 3), name="weights")
    di, dj = te.reduce_axis((0, 3), "di"), te.reduce_axis((0, 3), "dj")
    out = te.compute(
        (n - 2, n - 2), lambda i, j: te.sum(image[i + di, j + dj] * weights[di, dj], axis=[di, dj]), name="out"
    )
    x, w = random(9, 9), random(3, 3)
    expected = sum(w[r, c] * x[r : r + 7, c : c + 7] for r in range(3) for c in range(3))
    result = called(te.create_schedule(out.op), [image, weights, out], (7, 7), x, w)
    np.testing.assert_allclose(result, expected, rtol=1e-5)


def test_products_by_a_reducer_of_the_program() -> None:
    n, m = te.var("n"), te.var("m")
    product = te.comm_reducer(lambda x, y: x * y, lambda t: tir.const(1, dtype=t), name="product")
    A = te.placeholder((n, m), name="A")
    k = te.reduce_axis((0, m), name="k")
    B = te.compute((n,), lambda i: product(A[i, k], axis=k), name="B")
    x = random(6, 5) + 0.5
    np.testing.assert_allclose(called(te.create_schedule(B.op), [A, B], (6,), x), x.prod(axis=1), rtol=1e-5)


# Several results


def test_two_results_of_one_compute() -> None:
    n, m = te.var("n"), te.var("m")
    A, B = te.placeholder((m, n), name="A"), te.placeholder((m, n), name="B")
    sums, products = te.compute((m, n), lambda i, j: (A[i, j] + 2, B[i, j] * A[i, j]), name="pair")
    s = te.create_schedule(sums.op)
    x, y, a, b = random(3, 4), random(3, 4), np.zeros((3, 4), np.float32), np.zeros((3, 4), np.float32)
    tvm.build(s, [A, B, sums, products], "llvm")(x, y, a, b)
    np.testing.assert_array_equal(a, x + 2)
    np.testing.assert_array_equal(b, y * x)


def test_the_index_of_the_largest_element() -> None:
    def combine(x, y):
        return tir.Select((x[1] >= y[1]), x[0], y[0]), tir.Select((x[1] >= y[1]), x[1], y[1])

    def identity(index, value):
        return tir.const(-1, index), te.min_value(value)

    largest = te.comm_reducer(combine, identity, name="largest")
    m, n = te.var("m"), te.var("n")
    indices, values = te.placeholder((m, n), "int32", "indices"), te.placeholder((m, n), name="values")
    k = te.reduce_axis((0, n), "k")
    found, best = te.compute((m,), lambda i: largest((indices[i, k], values[i, k]), axis=k), name="best")
    x = random(4, 9)
    where, what = np.zeros(4, np.int32), np.zeros(4, np.float32)
    program = tvm.build(te.create_schedule(found.op), [indices, values, found, best], "llvm")
    program(np.tile(np.arange(9, dtype=np.int32), (4, 1)), x, where, what)
    np.testing.assert_array_equal(where, x.argmax(axis=1))
    np.testing.assert_array_equal(what, x.max(axis=1))


def test_two_results_inside_a_loop_of_their_consumer() -> None:
    n, m = te.var("n"), te.var("m")
    A = te.placeholder((m, n), name="A")
    sums, products = te.compute((m, n), lambda i, j: (A[i, j] + 2, A[i, j] * 3), name="pair")
    out = te.compute((m, n), lambda i, j: sums[i, j] + products[i, j], name="out")
    s = te.create_schedule(out.op)
    s[sums].compute_at(s[out], out.op.axis[0])
    x = random(3, 5)
    np.testing.assert_allclose(called(s, [A, out], (3, 5), x), x * 4 + 2, rtol=1e-6)


# Functions of Python


def test_a_function_of_python_between_stages() -> None:
    @tvm.register_func("gallery.product", override=True)
    def product(a: tvm.nd.NDArray, b: tvm.nd.NDArray, c: tvm.nd.NDArray, turned: int) -> None:
        c.copyfrom(a.numpy() @ (b.numpy().T if turned else b.numpy()))

    A, B = te.placeholder((6, 4), name="A"), te.placeholder((4, 5), name="B")
    C = te.extern(
        (6, 5), [A, B], lambda ins, outs: tir.call_packed("gallery.product", ins[0], ins[1], outs[0], 0), name="C"
    )
    D = te.compute(C.shape, lambda i, j: C[i, j] + 10.0, name="D")
    x, y = random(6, 4), random(4, 5)
    np.testing.assert_allclose(called(te.create_schedule(D.op), [A, B, D], (6, 5), x, y), x @ y + 10, rtol=1e-5)


def test_a_product_by_the_library_and_a_stage_after_it() -> None:
    assert tvm.get_global_func("tvm.contrib.cblas.matmul", allow_missing=True) is not None
    bias = te.var("bias", dtype="float32")
    A, B = te.placeholder((6, 4), name="A"), te.placeholder((4, 5), name="B")
    by_name = te.extern(
        (6, 5),
        [A, B],
        lambda ins, outs: tir.call_packed("tvm.contrib.cblas.matmul", ins[0], ins[1], outs[0], False, False),
    )
    x, y = random(6, 4), random(4, 5)
    for C in (by_name, cblas.matmul(A, B)):
        D = te.compute(C.shape, lambda i, j, C=C: C[i, j] + bias, name="D")
        out = np.zeros((6, 5), np.float32)
        tvm.build(te.create_schedule(D.op), [A, B, D, bias], "llvm")(x, y, out, 10.0)
        np.testing.assert_allclose(out, x @ y + 10, rtol=1e-5)


# Functions of GPUs


@pytest.mark.parametrize("how", ["by its own name", "by a rule"])
def test_exponentials_of_a_gpu(how: str) -> None:
    def rule(call):
        assert isinstance(call, tir.Call) and call.op.name == "tir.exp"
        seen.append(call.dtype)
        return tir.call_pure_extern("float32", f"{call.op.name.removeprefix('tir.')}f", call.args[0])

    seen: list[str] = []
    n = te.var("n")
    A = te.placeholder((n,), name="A")
    function = te.exp if how == "by a rule" else lambda x: tir.call_pure_extern("float32", "__expf", x)
    B = te.compute(A.shape, lambda i: function(A[i]), name="B")
    s = te.create_schedule(B.op)
    by_threads(s, B, 64)
    if how == "by a rule":
        tvm.ir.register_intrin_lowering("tir.exp", target="cuda", f=rule, level=99)
    x = random(100)
    try:
        np.testing.assert_allclose(on_gpu(s, [A, B], (100,), x), np.exp(x), rtol=1e-5)
    finally:
        if how == "by a rule":
            unregister_lowering("tir.exp", target="cuda", level=99)
    assert set(seen) == ({"float32"} if how == "by a rule" else set())


def test_tensor_cores_are_asked_for() -> None:
    assert nvcc.have_tensorcore(tvm.device("simulator").compute_version)


# Operators by name, with the schedules of a target


def test_a_whole_sum_of_operators() -> None:
    a, b = te.placeholder((6, 3, 5), name="a"), te.placeholder((3, 5), name="b")
    total = topi.sum(topi.elemwise_sum([a + b, a * b]) / 2.0)
    with tvm.target.cuda():
        s = topi.cuda.schedule_reduce(total)
        assert "func.func @main" in str(tvm.lower(s, [a, b], simple_mode=True))
    assert total in [t for stage in s.stages for t in stage.op.outputs]
    x, y = random(6, 3, 5), random(3, 5)
    np.testing.assert_allclose(on_gpu(s, [a, b, total], (), x, y), ((x + y + x * y) / 2).sum(), rtol=1e-5)


def test_shares_of_rows() -> None:
    rows = te.placeholder((7, 33), name="rows")
    shares = topi.nn.softmax(rows)
    with tvm.target.Target("cuda"):
        s = topi.cuda.schedule_softmax(shares)
    x = random(7, 33)
    e = np.exp(x - x.max(axis=1, keepdims=True))
    np.testing.assert_allclose(on_gpu(s, [rows, shares], (7, 33), x), e / e.sum(axis=1, keepdims=True), rtol=1e-5)


def test_a_convolution_and_what_follows_it() -> None:
    image, kernel = te.placeholder((1, 2, 6, 6), name="image"), te.placeholder((3, 2, 3, 3), name="kernel")
    with tvm.target.Target("cuda"):
        out = topi.nn.relu(topi.cuda.conv2d_nchw(image, kernel, 1, 1, 1))
        s = topi.cuda.schedule_conv2d_nchw([out])
    x, w = random(1, 2, 6, 6) - 0.5, random(3, 2, 3, 3) - 0.5
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
    expected = np.maximum(np.einsum("bchwij,ocij->bohw", windows, w), 0)
    np.testing.assert_allclose(on_gpu(s, [image, kernel, out], (1, 3, 6, 6), x, w), expected, rtol=1e-4, atol=1e-6)
