"""Hybrid script: loops in Python as tensors. Each is interpreted, compiled and run by Python, which agree."""
# ruff: noqa: F821, RET504, B007, F841  (scripts use names of their language, and return what they name)
# pyright: reportUndefinedVariable=false

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import TilewrightError, te
from tilewright.diagnostics.locations import source_position
from tilewright.semantics import evaluate
from tilewright.te.hybrid import script

from .running import expect


def data(*shape: int, dtype: str = "float32") -> np.ndarray:
    return np.random.default_rng(7).integers(-5, 6, shape).astype(dtype)


def check(function: Any, tensors: list[te.Tensor], arrays: list[np.ndarray], *others: Any, rtol: float = 0.0) -> None:
    """Check that the interpreter, machine code and Python give one result."""
    made = function(*tensors, *others)
    outputs = made if isinstance(made, list) else [made]
    given = function(*(x.copy() for x in arrays), *others)
    wanted = list(given) if isinstance(given, tuple) else [given]
    module = te.to_module([*tensors, *outputs])
    compiled = tvm.compile(module)(*arrays)
    for found in (evaluate(module, *arrays), list(compiled) if isinstance(compiled, (tuple, list)) else [compiled]):
        for have, want in zip(found, wanted, strict=True):
            assert (have.shape, have.dtype) == (want.shape, want.dtype)
            np.testing.assert_allclose(have, want, rtol=rtol, atol=rtol)


@script
def outer_product(n, m, a, b):
    """Compute an outer product, whose sizes are arguments, too."""
    c = output_tensor((n, m), a.dtype)
    for i in range(n):
        for j in range(m):
            assert i < n and j < m, "index out of range!"
            c[i, j] = a[i] * b[j]
    return c


def test_sizes_are_arguments() -> None:
    n, m = te.size_var("n"), te.size_var("m")
    a, b = te.placeholder((n,), name="a"), te.placeholder((m,), name="b")
    c = outer_product(n, m, a, b)
    assert (c.shape, c.dtype, c.op.name) == ((n, m), "float32", "outer_product")
    x, y, z = data(9), data(7), np.zeros((9, 7), np.float32)
    tvm.build(te.create_schedule(c.op), [n, m, a, b, c])(9, 7, x, y, z)
    np.testing.assert_array_equal(z, np.outer(x, y))
    np.testing.assert_array_equal(outer_product(9, 7, x, y), np.outer(x, y))


def test_a_name_with_several_values_is_a_variable() -> None:
    @script
    def means(a):
        three = 3.0
        b = output_tensor((a.shape[0] - 2,), a.dtype)
        for i in range(a.shape[0] - 2):
            total = 0.0
            for j in range(3):
                total += a[i + j]
            total = total / three
            b[i] = total
        return b

    check(means, [te.placeholder((10,), name="a")], [data(10)], rtol=1e-6)
    n = te.size_var("n")
    a = te.placeholder((n,), name="a")
    b = means(a)
    assert str(b.shape[0]) == "n - 2"
    x = data(10)
    expect([a, b], [x], np.convolve(x, np.ones(3, np.float32), "valid") / np.float32(3), rtol=1e-6)


def test_kinds_of_loops() -> None:
    @script
    def kinds(a, b, c):
        d = output_tensor((16,), "int32")
        e = output_tensor((16,), "int32")
        f = output_tensor((16, 2), "int32")
        for i in parallel(16):
            d[i] = a[i]
        for j in vectorize(16):
            e[j] = b[j] + 1
        for k in unroll(16):
            for q, r in grid(1, 2):
                f[k, q + r] = c[k] * r
        return d, e, f

    tensors = [te.placeholder((16,), "int32", name) for name in "abc"]
    check(kinds, tensors, [data(16, dtype="int32") + k for k in range(3)])
    d, e, f = kinds(*tensors)
    text = str(te.to_module([*tensors, d, e, f]))
    for kind in ("parallel", "vectorized", "unrolled"):
        assert f"kind {kind}" in text, kind


def test_conditions() -> None:
    @script
    def conditions(a):
        b = output_tensor((10,), "int32")
        c = output_tensor((10,), "int32")
        for i in range(10):
            b[i] = -1 if i % 2 == 0 else 1
        for i in range(10):
            if 0 <= i < 5 or a[i] == 3:
                c[i] = a[i]
            else:
                if i > 7 and a[i] != 2:
                    c[i] = b[i] + a[i]
                else:
                    c[i] = b[i]
        return b, c

    check(conditions, [te.placeholder((10,), "int32", "a")], [np.array([3, 2, 1] * 4, "int32")[:10]])


def test_functions_of_scalars() -> None:
    @script
    def functions(a):
        b = output_tensor((12,), "float32")
        b[0] = sqrt(a[0])
        b[1] = log(a[1])
        b[2] = exp(a[2] / 10.0)
        b[3] = sigmoid(a[3])
        b[4] = power(a[4], a[5])
        b[5] = tanh(a[5])
        b[6] = min(a[4], a[5])
        b[7] = max(a[5], a[6])
        b[8] = rsqrt(a[7])
        b[9] = round(a[0] * 1.3)
        b[10] = float32(int32(a[1] * 1.5) // 2)
        b[11] = ceil_div(7, 2) + len(a)
        return b

    check(functions, [te.placeholder((8,), name="a")], [np.arange(2, 10, dtype=np.float32)], rtol=1e-6)

    @script
    def bits(a):
        b = output_tensor((1,), "int32")
        b[0] = popcount(a[0])
        return b

    check(bits, [te.placeholder((1,), "int32", "a")], [np.array([114514], "int32")])


def test_loops_that_begin_elsewhere() -> None:
    @script
    def triangle(a, b):
        c = output_tensor((10, 10), dtype="float32")
        for i in range(10):
            for j in range(10):
                c[i, j] = 0.0
            for j in range(i, 10):
                c[i, j] = a[i] * b[j]
        return c

    check(triangle, [te.placeholder((10,), name="a"), te.placeholder((10,), name="b")], [data(10), data(10) + 1])

    @script
    def blur(a):
        b = output_tensor((6, 6), "float32")
        for i in range(2, 8):
            for j in range(2, 8):
                s = 0.0
                for di in range(3):
                    for dj in range(3):
                        s += a[i - di, j - dj]
                b[i - 2, j - 2] = s / 9.0
        return b

    check(blur, [te.placeholder((8, 8), name="a")], [data(8, 8)], rtol=1e-6)


def test_buffers() -> None:
    @script
    def blur(a):
        b = output_tensor((6, 6), "float32")
        for i in range(6):
            rows = allocate((3, 6), "float32")
            for j in range(3):
                for k in range(6):
                    rows[j, k] = a[i + j, k] + a[i + j, k + 1] + a[i + j, k + 2]
            for j in range(6):
                b[i, j] = (rows[0, j] + rows[1, j] + rows[2, j]) / 9.0
        return b

    check(blur, [te.placeholder((8, 8), name="a")], [data(8, 8)], rtol=1e-6)


def test_between_computes() -> None:
    @script
    def scaled(a):
        b = output_tensor((20,), "float32")
        for i in range(20):
            b[i] = a[i] * i
        return b

    a, b = te.placeholder((20,), name="a"), te.placeholder((20,), name="b")
    added = te.compute((20,), lambda x: a[x] + b[x], name="added")
    middle = scaled(added)
    after = te.compute((20,), lambda x: middle[x] + 1.0, name="after")
    x, y = data(20), data(20) + 2
    expect([a, b, after], [x, y], (x + y) * np.arange(20, dtype=np.float32) + 1)
    out = np.zeros(20, np.float32)
    tvm.build(te.create_schedule(after.op), [a, b, after])(x, y, out)
    np.testing.assert_array_equal(out, (x + y) * np.arange(20) + 1)


def test_constants_and_lists() -> None:
    number = 8
    pair, table = (10, number), [[1, 2], [3, number]]
    which = 1

    @script
    def captured(a):
        c = output_tensor((pair[1],), "int32")
        for i in range(pair[1]):
            c[i] = a[i] + table[1][which]
        return c

    check(captured, [te.placeholder((8,), "int32", "a")], [data(8, dtype="int32")])

    @script
    def added(a, b):
        c = output_tensor((11,), "int32")
        for i in range(11):
            c[i] = a[i] + b
        return c

    a = te.placeholder((11,), "int32", "a")
    check(added, [a], [data(11, dtype="int32")], 11)
    x = data(11, dtype="int32")
    expect([a, added(a, tvm.tir.const(11, "int32"))], [x], x + 11)


def test_written_out_loops() -> None:
    @script
    def tables(a, b):
        c = output_tensor(a.shape, a.dtype)
        d = output_tensor(a.shape, "int32")
        for i in const_range(2):
            for j in const_range(5):
                c[i, j] = float32(int32(a[i, j]) + b[i][j])
        for i in const_range(len(b)):
            for j in const_range(len(b[0])):
                d[i, j] = int32(a[i, j] + b[i][j])
        return c, d

    check(tables, [te.placeholder((2, 5), name="a")], [data(2, 5)], [[1, 2, 3, 4, 5], [5, 4, 3, 2, 1]])

    @script
    def halves(a, b):
        c = output_tensor(a.shape, a.dtype)
        count = len(b)
        for i in const_range(count * 2):
            if i < count:
                c[i] = a[i] + b[i]
            else:
                c[i - count] = a[i - count] + b[i - count] * 2
        return c

    check(halves, [te.placeholder((5,), "int32", "a")], [data(5, dtype="int32")], [1, 2, 3, 4, 5])

    @script
    def last(a, b):
        c = output_tensor(a.shape, a.dtype)
        for i in range(a.shape[0]):
            for j in const_range(len(b)):
                d = a[i] * b[j]
                d += a[i] + b[j]
                c[i] = d
        return c

    check(last, [te.placeholder((5,), "int32", "a")], [data(5, dtype="int32")], [1, 2, 3])


def test_lists_of_tensors() -> None:
    @script
    def total(inputs):
        out = output_tensor((10,), inputs[0].dtype)
        n = len(inputs)
        for i in range(10):
            out[i] = 0.0
            for j in const_range(n):
                out[i] += inputs[j][i]
        return out

    inputs = [te.placeholder((10,), name=f"t{k}") for k in range(5)]
    out = total(tvm.runtime.convert(inputs))
    assert len(out.op.inputs) == 5
    arrays = [data(10) + k for k in range(5)]
    expect([*inputs, out], arrays, sum(arrays))


def test_scripts_call_scripts_and_arguments_keep_their_values() -> None:
    @script
    def both(a, b):
        for i in range(len(a)):
            a[i] = i + 1.0
        for i in range(len(a)):
            b[i] = b[i] + a[i]
        c = outer_product(10, 10, a, b)
        d = output_tensor(c.shape, c.dtype)
        for i in range(10):
            for j in range(10):
                d[i, j] = c[i, j] + i * j
        return d

    a, b = te.placeholder((10,), name="a"), te.placeholder((10,), name="b")
    check(both, [a, b], [data(10), data(10)])
    x, y = data(10), data(10)
    out = np.zeros((10, 10), np.float32)
    d = both(a, b)
    tvm.build(te.create_schedule(d.op), [a, b, d])(x, y, out)
    np.testing.assert_array_equal(x, data(10))
    assert out[3, 4] == 4 * (y[4] + 5) + 12


def test_results_in_the_order_of_the_return() -> None:
    @script
    def first(a):
        b = output_tensor((16,), "int32")
        c = output_tensor((4, 4), "int32")
        for i in range(16):
            b[i] = a[i] + 2
            c[i // 4, i % 4] = a[i] + 1
        return c, b

    @script
    def second(b, a):
        c = output_tensor((4, 4), "int32")
        for i in range(4):
            for j in range(4):
                c[i, j] = a[i * 4 + j] * b[i, j]
        return c

    a = te.placeholder((16,), "int32", "a")
    c, b = first(a)
    x = data(16, dtype="int32")
    expect([a, second(c, b)], [x], (x + 2).reshape(4, 4) * (x + 1).reshape(4, 4))


def test_threads() -> None:
    @script
    def added(a, b):
        c = output_tensor((1000,), "float32")
        for bx in bind("blockIdx.x", ceil_div(1000, 128)):
            for tx in bind("threadIdx.x", 128):
                if bx * 128 + tx < 1000:
                    c[bx * 128 + tx] = a[bx * 128 + tx] + b[bx * 128 + tx]
        return c

    @script
    def shared_sum(a, b):
        c = output_tensor((256,), "float32")
        shared = allocate((256,), "float32", "shared")
        local = allocate((1,), "float32", "local")
        for i in bind("threadIdx.x", 256):
            shared[i] = a[i]
            local[0] = b[i]
            c[i] = shared[i] + local[0]
        return c

    @script
    def row_sums(a):
        c = output_tensor((a.shape[0],), a.dtype)
        for i in bind("threadIdx.x", a.shape[0]):
            total = 0.0
            for k in const_range(a.shape[1]):
                total += a[i, k]
            c[i] = total
        return c

    for function, shapes in ((added, [(1000,)] * 2), (shared_sum, [(256,)] * 2), (row_sums, [(8, 4)])):
        tensors = [te.placeholder(shape, name=f"a{k}") for k, shape in enumerate(shapes)]
        result = function(*tensors)
        program = tvm.build(te.create_schedule(result.op), [*tensors, result], target="cuda", device="simulator")
        arrays = [data(*shape) + k for k, shape in enumerate(shapes)]
        out = np.zeros([int(n) for n in result.shape], np.float32)
        program(*arrays, out)
        np.testing.assert_array_equal(out, function(*arrays))


def test_schedules_are_kept_as_scripts(tmp_path: Path) -> None:
    n, m = te.size_var("n"), te.size_var("m")
    a, b = te.placeholder((n,), name="a"), te.placeholder((m,), name="b")
    c = outer_product(n, m, a, b)
    kept = te.hybrid.build(te.create_schedule(c.op), [n, m, a, b], [c], name="outer")
    path = tmp_path / f"{kept.name}.py"
    kept.save(path)
    read = te.hybrid.HybridModule()
    read.load(path)
    assert (read.name, read.get_source()) == ("outer", kept.get_source())
    again = read(n, m, a, b)
    assert (again.shape, again.dtype, again.op.name) == ((n, m), "float32", "outer")
    x, y = data(9), data(7)
    expect([a, b, again], [x, y], np.outer(x, y))
    np.testing.assert_array_equal(read(9, 7, x, y), np.outer(x, y))
    static = read(te.placeholder((4,), name="a"), te.placeholder((3,), name="b"))
    assert static.shape == (4, 3)


def failure(function: Any, *arguments: Any) -> tuple[str, str, str]:
    """Return code, message, and the text at which the error points."""
    with pytest.raises(TilewrightError) as caught:
        function(*arguments)
    position = source_position(caught.value.location)
    assert position is not None
    assert position.file == __file__
    line = Path(__file__).read_text(encoding="utf-8").split("\n")[position.line - 1]
    return caught.value.code, caught.value.message, line[position.column - 1 :]


def test_mistakes_are_reported_at_their_line() -> None:
    a = te.placeholder((8,), name="a")

    @script
    def unknown(a):
        b = output_tensor((8,), "float32")
        for i in range(8):
            b[i] = sqroot(a[i])
        return b

    code, message, text = failure(unknown, a)
    assert (code, text) == ("TW0312", "sqroot(a[i])")
    assert message == "'sqroot' has no value here; did you mean 'sqrt' or 'rsqrt'?"

    @script
    def endless(a):
        b = output_tensor((8,), "float32")
        while True:
            b[0] = a[0]
        return b

    assert failure(endless, a)[::2] == ("TW0314", "while True:")

    @script
    def unreturned(a):
        b = output_tensor((8,), "float32")
        c = output_tensor((8,), "float32")
        return b

    assert failure(unreturned, a)[:2] == ("TW0313", "expected 'unreturned' to return its result 'c'")

    @script
    def silent(a):
        b = output_tensor((8,), "float32")
        b[0] = a[0]

    assert failure(silent, a)[:2] == ("TW0313", "expected 'silent' to return what it computes")

    @script
    def wrong(a):
        b = output_tensor((8,), "float32")
        for i in range(8):
            b[i] = a[i]
        return a

    code, message, text = failure(wrong, a)
    assert (code, message) == ("TW0313", "expected a result of output_tensor, but got a whole buffer")
    assert text == "return a"

    @script
    def twice(a):
        b = output_tensor((8,), "float32")
        return b, b

    assert failure(twice, a)[1] == "expected a result of output_tensor, but got a result twice"


def test_mistakes_in_values() -> None:
    a = te.placeholder((8,), name="a")

    @script
    def kinds(a):
        b = output_tensor((8,), "float32")
        for i in range(8):
            total = 0
            total += a[i]
            b[i] = total
        return b

    code, message, text = failure(kinds, a)
    assert (code, text) == ("TW0313", "total += a[i]")
    assert message == "expected a value of type int32, which 'total' began with, but got float32"

    @script
    def late(a):
        b = output_tensor((8,), "float32")
        for i in range(8):
            total += a[i]
            b[i] = total
        return b

    assert failure(late, a)[::2] == ("TW0313", "total += a[i]")

    @script
    def inside(a):
        for i in range(8):
            b = output_tensor((8,), "float32")
        return b

    assert failure(inside, a)[::2] == ("TW0314", 'output_tensor((8,), "float32")')

    @script
    def shaped(a):
        b = output_tensor((int32(a[0]),), "float32")
        return b

    assert failure(shaped, a)[1] == "expected a shape of numbers and sizes of arguments"

    @script
    def long(a):
        b = output_tensor((8,), "float32")
        for i in const_range(100000):
            b[0] = a[0]
        return b

    assert failure(long, a)[1] == "expected at most 4096 iterations to write out, but got 100000"

    @script
    def threads(a):
        b = output_tensor((8,), "float32")
        for i in bind("threadIdx.w", 8):
            b[i] = a[i]
        return b

    assert failure(threads, a)[::2] == ("TW0313", '"threadIdx.w", 8):')


def test_wrong_arguments() -> None:
    a, b = te.placeholder((8,), name="a"), te.placeholder((8,), name="b")
    assert failure(outer_product, a, b)[1] == "expected 4 arguments of 'outer_product', but got 2"
    code, message, text = failure(outer_product, te.var("n"), te.var("m"), a, b)
    assert message == "expected a tensor with a dimension of size 'n' among the arguments, but got none"
    assert (code, text.startswith("n, m, a, b")) == ("TW0313", True)
    with pytest.raises(TilewrightError, match="TW0314.*expected a function"):
        script(3)
    with pytest.raises(TilewrightError, match="TW0313.*it is empty"):
        te.hybrid.HybridModule()(a)
    c = outer_product(8, 8, a, b)
    kept = te.hybrid.build(te.create_schedule(c.op), [a, b], [c])
    with pytest.raises(TilewrightError, match="TW0313.*expected a tensor of type memref<8xf32> as argument 'b'"):
        kept(a, te.placeholder((9,), name="b"))
    with pytest.raises(TilewrightError, match="TW0313.*expected 2 tensors"):
        kept(a)


def test_loops_of_a_script_are_no_axes() -> None:
    @te.hybrid.script
    def twice(a):
        b = output_tensor(a.shape, a.dtype)  # pyright: ignore[reportUndefinedVariable]
        for i in range(4):
            b[i] = a[i] * 2.0
        return b

    B = twice(te.placeholder((4,), name="A"))
    with pytest.raises(AttributeError, match="TW0251.*has no 'axis'"):
        _ = B.op.axis
    assert te.extern((4,), [B], lambda ins, outs: outs[0].vstore(0, 1.0)).op.axis == ()


def test_constants_of_several_dimensions() -> None:
    @te.hybrid.script
    def shifted(a, b):
        c = output_tensor(a.shape, a.dtype)  # pyright: ignore[reportUndefinedVariable]
        for i in const_range(2):  # pyright: ignore[reportUndefinedVariable]
            for j in const_range(len(b[0])):  # pyright: ignore[reportUndefinedVariable]
                c[i, j] = a[i, j] + float32(b[i, j])  # pyright: ignore[reportUndefinedVariable]
        return c

    rows = [[1, 2, 3], [4, 5, 6]]
    A = te.placeholder((2, 3), name="A")
    C = shifted(A, tvm.runtime.convert(rows))
    a = np.ones((2, 3), np.float32)
    np.testing.assert_array_equal(tvm.build(te.create_schedule(C.op), [A, C])(a), a + np.array(rows))
