"""Statements that `tir.ir_builder` collects: what kernels written by hand in it compute, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te, tir
from tilewright.diagnostics import TilewrightError
from tilewright.semantics import evaluate


def refused(code: str, match: str) -> Any:
    return pytest.raises(TilewrightError, match=rf"(?s)error\[{code}\].*{match}")


def extern(shape: Any, inputs: list[Any], body: Callable[..., Any], dtype: str = "float32") -> Any:
    """Return a tensor that the statements of `body(builder, *buffers)` compute."""

    def statements(ins: Any, outs: Any) -> Any:
        ib = tir.ir_builder.create()
        body(ib, *map(ib.buffer_ptr, (*ins, *outs)))
        return ib.get()

    return te.extern(shape, inputs, statements, name="made", dtype=dtype)


def built(inputs: list[Any], result: Any) -> Any:
    return tvm.build(te.create_schedule(result.op), [*inputs, result])


@pytest.mark.parametrize("extent", [37, te.var("n")], ids=["constant", "symbolic"])
@pytest.mark.parametrize("kind", ["serial", "parallel", "vectorize", "unroll"])
def test_loops_of_all_kinds(extent: Any, kind: str) -> None:
    A, B = (te.placeholder((extent,), name=name) for name in "AB")

    def body(ib: Any, a: Any, b: Any, c: Any) -> None:
        if kind in ("serial", "parallel"):
            with ib.for_range(0, extent, name="i", kind=kind) as i:
                c[i] = a[i] + b[i]
        else:
            with ib.for_range(0, extent, name="i") as i:
                c[i] = a[i]
            with ib.for_range(0, 32, name="j", kind=kind) as j:
                c[j] += b[j]

    C = extern((extent,), [A, B], body)
    a, b = np.random.default_rng(0).random((2, 37), np.float32)
    expected = a + b if kind in ("serial", "parallel") else a + np.where(np.arange(37) < 32, b, 0)
    np.testing.assert_array_equal(built([A, B], C)(a, b), expected)
    assert (
        f"kind {kind}"[:13] in str(tvm.lower(te.create_schedule(C.op), [A, B, C], simple_mode=True)) or kind == "serial"
    )


def test_conditions_allocations_and_values() -> None:
    A = te.placeholder((20,), name="A")

    def body(ib: Any, a: Any, c: Any) -> None:
        with ib.for_range(2, 20, name="i", kind="parallel") as i:
            pair = ib.allocate("float32", (2,), name="pair", scope="local")
            pair[0] = a[i] * 2
            doubled = ib.let("doubled", pair[0] + 1.0)
            pair[0] = 0.0
            pair[1] = doubled
            with ib.if_scope(ib.likely(tir.all(i >= 5, a[i] > 0.5))):
                c[i] = pair[1] + pair[0]
            with ib.else_scope():
                c[i] = tir.if_then_else(i < 19, a[i + 1], -1.0)
        with ib.for_range(0, 2, name="i", kind="unroll") as i:
            c[i] = i.astype("float32")

    C = extern((20,), [A], body)
    a = np.random.default_rng(1).random(20, np.float32)
    i = np.arange(20)
    expected = np.where((i >= 5) & (a > 0.5), a * 2 + 1, np.append(a[1:], -1)).astype(np.float32)
    expected[:2] = [0, 1]
    np.testing.assert_allclose(built([A], C)(a), expected, rtol=1e-6)
    (interpreted,) = evaluate(te.to_module([A, C]), a)
    np.testing.assert_allclose(interpreted, expected, rtol=1e-6)


def test_elements_by_number_and_integers_of_loops() -> None:
    A = te.placeholder((4, 6), "int32", name="A")

    def body(ib: Any, a: Any, c: Any) -> None:
        with ib.for_range(0, 24, name="i") as i:
            c[i] = a[i] + i * 2
        with ib.for_range(0, 4, name="i") as i:
            c[i, 3] = i

    C = extern((4, 6), [A], body, "int32")
    a = np.arange(24, dtype=np.int32).reshape(4, 6)
    expected = a + 2 * np.arange(24, dtype=np.int32).reshape(4, 6)
    expected[:, 3] = np.arange(4)
    np.testing.assert_array_equal(built([A], C)(a), expected)


def _collatz(n: int) -> int:
    steps = 0
    while n > 1:
        n = 3 * n + 1 if n % 2 else n >> 1
        steps += 1
    return steps


def test_while_with_branches() -> None:
    def body(ib: Any, c: Any) -> None:
        with ib.for_range(0, 30, name="n", kind="parallel") as n:
            count = ib.allocate("int32", (1,), name="count", scope="local")
            value = ib.allocate("int32", (1,), name="value", scope="local")
            count[0] = 0
            value[0] = n
            with ib.while_loop(value[0] > 1):
                with ib.if_scope(tir.floormod(value[0], 2) == 1):
                    value[0] = 3 * value[0] + 1
                with ib.else_scope():
                    value[0] = value[0] >> 1
                count[0] += 1
            c[n] = count[0]

    C = extern((30,), [], body, "int32")
    np.testing.assert_array_equal(built([], C)(), [_collatz(n) for n in range(30)])


def _sum_kernel(ib: Any, a: Any, b: Any, c: Any, n: Any) -> None:
    block, thread = te.thread_axis("blockIdx.x"), te.thread_axis("threadIdx.x", name="t")
    ib.scope_attr(block, "thread_extent", tir.indexdiv(n + 31, 32))
    ib.scope_attr(thread, "thread_extent", 32)
    index = block.var * 32 + thread
    with ib.if_scope(ib.likely(index < n)):
        c[index] = a[index] + b[index]


def _reversal_kernel(ib: Any, a: Any, c: Any) -> None:
    thread = te.thread_axis("threadIdx.x")
    ib.scope_attr(te.thread_axis("blockIdx.x"), "thread_extent", 1)
    ib.scope_attr(thread, "thread_extent", 32)
    shared = ib.allocate("float32", (32,), name="shared", scope="shared")
    shared[thread] = a[thread]
    ib.emit(tir.call_intrin(None, "tir.tvm_storage_sync", "shared"))
    c[thread] = shared[31 - thread]


def test_kernels_in_the_simulator() -> None:
    n = te.var("n")
    A, B = (te.placeholder((n,), name=name) for name in "AB")
    C = extern((n,), [A, B], lambda ib, a, b, c: _sum_kernel(ib, a, b, c, n))
    a, b = np.random.default_rng(2).random((2, 70), np.float32)
    program = tvm.build(te.create_schedule(C.op), [A, B, C], "cuda", device="simulator")
    np.testing.assert_array_equal(program(a, b), a + b)
    D = te.placeholder((32,), name="D")
    E = extern((32,), [D], _reversal_kernel)
    program = tvm.build(te.create_schedule(E.op), [D, E], "cuda", device="simulator")
    np.testing.assert_array_equal(program(a[:32].copy()), a[31::-1])


def test_functions_of_buffers_pointers_and_numbers() -> None:
    ib = tir.ir_builder.create()
    n, m = te.var("n"), te.var("m")
    table = tir.decl_buffer((n, 4), "float32", name="table")
    marks = ib.pointer("int32", name="marks")
    rows = ib.buffer_ptr(table)
    with ib.for_range(0, n, name="i") as i:
        with ib.for_range(0, 4, name="j", kind="unroll") as j:
            rows[i, j] = rows[i, j] + m
        marks[i] = i * 2
        rows[i * 4] *= 2.0
    function = tir.PrimFunc([n, table, m, marks], ib.get()).with_attr("global_symbol", "mine")
    program = tvm.build(tvm.IRModule.from_expr(function))
    values, numbers = np.zeros((3, 4), np.float32), np.full(5, -1, np.int32)
    program(3, values, 7, numbers)
    np.testing.assert_array_equal(values, [[14, 7, 7, 7]] * 3)
    np.testing.assert_array_equal(numbers, [0, 2, 4, -1, -1])
    values, numbers = np.zeros((3, 4), np.float32), np.full(5, -1, np.int32)
    tvm.build(tir.PrimFunc([n, table], ib.get()))(3, values, numbers, 7)  # those that are not named come last
    np.testing.assert_array_equal(values, [[14, 7, 7, 7]] * 3)
    np.testing.assert_array_equal(numbers, [0, 2, 4, -1, -1])
    with refused("TW0255", "expected buffers, pointers and variables, but got 3"):
        tir.PrimFunc([3], ib.get())
    with refused("TW0255", "expected statements, but got 3"):
        tir.PrimFunc([n, table], 3)


def test_numbers_that_are_no_integers_and_single_stores() -> None:
    ib = tir.ir_builder.create()
    n, factor = tir.Var("n", "int32"), tir.Var("factor", "float32")
    buffer = tir.decl_buffer((n,), "float32", name="buffer")
    elements = ib.buffer_ptr(buffer)
    with ib.for_range(0, n) as i:
        elements[i] *= factor
    ib.emit(buffer.vstore(0, buffer.vload(1) + factor))
    program = tvm.build(tir.PrimFunc([buffer, factor, n], ib.get()))
    values = np.ones(4, np.float32)
    program(values, 2.5, 4)
    np.testing.assert_array_equal(values, [5, 2.5, 2.5, 2.5])
    A = te.placeholder((4,), name="A")

    def body(inner: Any, a: Any, c: Any) -> None:
        with inner.for_range(0, 8 / 2) as i:
            c[i] = a[i] * factor

    with refused("TW0466", "on the buffers given, but they use 'factor'"):
        built([A], extern((4,), [A], body))


def test_statements_are_emitted_into_others() -> None:
    inner = tir.ir_builder.create()
    buffer = tir.decl_buffer((8,), "float32", name="buffer")
    elements = inner.buffer_ptr(buffer)
    with inner.for_range(0, 8, name="i") as i:
        elements[i] = elements[i] + 1.0
    statement = inner.get()
    assert isinstance(statement, tir.For)
    outer = tir.ir_builder.create()
    outer.emit(statement)
    outer.emit(statement)
    program = tvm.build(tir.PrimFunc([buffer], outer.get()))
    values = np.zeros(8, np.float32)
    program(values)
    np.testing.assert_array_equal(values, np.full(8, 2))


def test_what_the_builder_refuses() -> None:
    ib = tir.ir_builder.create()
    A = ib.buffer_ptr(tir.decl_buffer((4, te.var("n"), te.var("m")), "float32", name="A"))
    B = ib.allocate("float32", (4,), name="B")
    axis = te.compute((4,), lambda i: i).op.axis[0]
    thread = te.thread_axis("threadIdx.x")
    mistakes: list[tuple[Callable[[], Any], str]] = [
        (lambda: A[0, 1], "expected 3 indices of buffer 'A', or the number of an element, but got 2"),
        (lambda: A[0], "rows have a size that is known only when the program is called"),
        (lambda: B[0.5], "expected an integer to index buffer 'B'"),
        (lambda: B.__setitem__(0, te.const(1, "float64")), "a value of type float32 for buffer 'B', but got `1.0`"),
        (lambda: B.__setitem__(0, te.const(1, "bool")), "of type bool"),
        (lambda: B.__setitem__(thread, 1.0), "threads of threadIdx.x around, but none are started"),
        (lambda: B.__setitem__(axis, 1.0), "variables of the builder's loops, but got axis 'i'"),
        (lambda: B.__setitem__(0, te.placeholder((4,), name="P")[0]), "buffers, but got one of 'P'"),
        (lambda: ib.for_range(0, 4, kind="random"), "a loop of kind serial, parallel, vectorize, unroll"),
        (lambda: ib.for_range(0, 1.5), "expected an integer, but got `1.5`"),
        (lambda: ib.else_scope(), "right behind an if_scope"),
        (lambda: ib.scope_attr(thread, "double_buffer_scope", 1), "but got 'double_buffer_scope'"),
        (lambda: ib.scope_attr(A, "thread_extent", 1), "expected a te.thread_axis"),
        (lambda: ib.emit(3), "expected a statement or a call to emit, but got 3"),
        (lambda: ib.buffer_ptr(3), "expected a buffer, but got 3"),
        (lambda: ib.allocate("float32", (4,), axis_separators=[1]), "without axis separators"),
    ]
    for mistake, text in mistakes:
        with refused("TW0466", text):
            mistake()


def test_a_buffer_used_behind_the_loop_that_allocates_it() -> None:
    ib = tir.ir_builder.create()
    out = ib.pointer("int32", "out")
    with ib.for_range(0, 4) as i:
        inner = ib.allocate("int32", 4, name="inner")
        inner[i] = 1
    out[0] = inner[0]
    with refused("TW0255", "inside of the loop that allocates a buffer: value %inner is used where"):
        tir.PrimFunc([out], ib.get())
