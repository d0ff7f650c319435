"""Arguments that are not dense: `binds` gives them the strides that callers' arrays have, without copies."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te, tir
from tilewright.dialects import context
from xdsl.parser import Parser

RANDOM = np.random.default_rng(0)


def refused(code: str, message: str):
    return pytest.raises(tvm.TilewrightError, match=rf"(?s){code}.*{message}")


def strided(tensor, *strides):
    given = [te.var(f"s{k}") if s is None else s for k, s in enumerate(strides)]
    return tir.decl_buffer(tensor.shape, tensor.dtype, strides=given)


def difference(shape, binds, width=None, **options):
    A, B = te.placeholder(shape, name="A"), te.placeholder(shape, name="B")
    C = te.compute(shape, lambda i, j: A[i, j] - B[i, j], name="C")
    schedule = te.create_schedule(C.op)
    if width is not None:
        schedule[C].vectorize(schedule[C].split(C.op.axis[1], factor=width)[1])
    tensors = {"A": A, "B": B, "C": C}
    buffers = {tensors[name]: strided(tensors[name], *strides) for name, strides in binds.items()}
    return tvm.build(schedule, [A, B, C], binds=buffers, name="difference", **options)


LAYOUTS = {
    "dense": lambda m, n: np.zeros((m, n), np.float32),
    "transposed": lambda m, n: np.zeros((n, m), np.float32).T,
    "wide rows": lambda m, n: np.zeros((m, n + 5), np.float32)[:, 3 : 3 + n],
    "every other": lambda m, n: np.zeros((2 * m, 3 * n), np.float32)[::2, ::3],
    "backwards": lambda m, n: np.zeros((m, n), np.float32)[::-1, ::-1],
}


@pytest.mark.parametrize("width", [None, 8])
@pytest.mark.parametrize("fixed", [False, True])
def test_any_strides(width, fixed):
    shape = (6, 21)
    sizes = shape if fixed else (te.var("m"), te.var("n"))
    program = difference(sizes, {"A": (None, None), "C": (None, None)}, width)
    b = RANDOM.random(shape, np.float32)
    for make in LAYOUTS.values():
        a = make(*shape)
        a[...] = RANDOM.random(shape)
        for make_output in LAYOUTS.values():
            whole = make_output(*shape)
            assert program(a, b, whole) is None
            np.testing.assert_array_equal(whole, a - b)
        np.testing.assert_array_equal(program(a, b), a - b)


def test_rows_of_neighbours_are_vectors():
    program = difference((te.var("m"), te.var("n")), {"A": (None, None), "C": (None, None)}, 8)
    text = program.get_source("mlir")
    dense = text[text.index("private @difference_dense(") :]
    assert "loop.if (%A_stride1 >= 1, %A_stride1 < 2, %C_stride1 >= 1, %C_stride1 < 2)" in text
    assert "+ lane] : memref<?x?xf32>, vector<8xf32>" in dense[: dense.index("func.return")]


def test_elements_between_rows_are_left_alone():
    program = difference((te.var("m"), te.var("n")), {"C": (None, 1)}, 8)
    a, b = RANDOM.random((2, 5, 13), np.float32)
    memory = np.full((5, 20), 7, np.float32)
    program(a, b, memory[:, 4:17])
    np.testing.assert_array_equal(memory[:, 4:17], a - b)
    assert (memory[:, :4] == 7).all() and (memory[:, 17:] == 7).all()


def test_inputs_are_not_copied():
    """A broadcast array of a hundred million elements is read in place."""
    n = te.var("n")
    A = te.placeholder((n, n), name="A")
    B = te.compute((n,), lambda i: A[i, i] + 1.0, name="B")
    program = tvm.build(te.create_schedule(B.op), [A, B], binds={A: strided(A, None, None)})
    a = np.broadcast_to(np.float32(3), (10**6, 10**6))
    np.testing.assert_array_equal(program(a), np.full(10**6, 4.0))


def test_strides_that_do_not_fit():
    program = difference((te.var("m"), te.var("n")), {"A": (32, 1), "C": (None, 1)})
    a, b = np.ones((4, 40), np.float32)[:, :32], np.ones((4, 32), np.float32)
    np.testing.assert_array_equal(program(a, b), np.zeros((4, 32)))
    with refused("TW0707", r"'A' to have strides of \[128, 4\] bytes.*got strides \[124, 4\]"):
        program(np.ones((4, 31), np.float32), b[:, :31])
    for bad in (
        np.zeros((4, 64), np.float32)[:, ::2],
        np.lib.stride_tricks.as_strided(np.zeros(99, np.float32), (4, 32), (4, 4)),
        np.frombuffer(bytearray(4 * 4 * 33 + 1), np.uint8)[1:].view(np.float32).reshape(4, 33)[:, :32],
    ):
        with refused("TW0707", "'C' to have strides of .any, 4. bytes"):
            program(a, b, bad)


def test_strides_are_saved(tmp_path):
    program = difference((te.var("m"), te.var("n")), {"A": (None, None), "C": (None, 1)})
    program.save(tmp_path / "x.so")
    assert (
        "int64_t m, int64_t n, int64_t A_stride0, int64_t A_stride1, int64_t C_stride0"
        in (tmp_path / "x.h").read_text()
    )
    a, b = RANDOM.random((7, 5), np.float32).T, RANDOM.random((5, 7), np.float32)
    c = np.zeros((5, 9), np.float32)[:, 1:8]
    tvm.load_module(tmp_path / "x.so")(a, b, c)
    np.testing.assert_array_equal(c, a - b)


def test_tensors_without_a_schedule():
    A = te.placeholder((12, 16), name="A")
    k = te.reduce_axis((0, 16), "k")
    B = te.compute((12,), lambda i: te.sum(A[i, k], axis=k), name="B")
    program = tvm.build([A, B], binds={A: strided(A, None, None)})
    a = RANDOM.random((16, 12), np.float32).T
    np.testing.assert_allclose(program(a), a.sum(axis=1), rtol=1e-5)


def test_what_cannot_be_bound():
    A = te.placeholder((4, 4), name="A")
    B = te.compute((4, 4), lambda i, j: A[i, j] + 1.0, name="B")
    other = te.placeholder((4, 4), name="other")
    for binds, message in (
        ({other: strided(other, None, 1)}, "'other' is none"),
        ({A: 3}, "2 dimensions of float32 for 'A', but got int"),
        ({A: tir.decl_buffer((4,), "float32")}, "but got 1 dimensions of float32"),
        ({A: tir.decl_buffer((4, 4), "int8")}, "but got 2 dimensions of int8"),
    ):
        with refused("TW0615", message):
            tvm.build([A, B], binds=binds)
    function = tvm.lower([A, B])["main"]
    with refused("TW0615", "one public function beside binds, but got @f, @g"):
        tvm.build(tvm.IRModule({"f": function, "g": function}), binds={A: strided(A, None, 1)})


def test_bound_arguments_are_loaded_and_stored_only():
    text = """builtin.module {
    func.func @main(%x: memref<8xf32> {tw.name = "x"}, %y: memref<8xf32> {tw.name = "y", tw.output}) {
      func.call @copy(%x, %y) : (memref<8xf32>, memref<8xf32>) -> ()
      func.return
    }
    func.func private @copy(%x: memref<8xf32>, %y: memref<8xf32>) {
      loop.for %i = 0 to 8 {
        %v = loop.load %x[%i] : memref<8xf32>
        loop.store %v, %y[%i] : memref<8xf32>
      }
      func.return
    }
    }"""
    module = Parser(context(), text).parse_module()
    x = te.placeholder((8,), name="x")
    with refused("TW0615", "loaded and stored only, but func.call takes it"):
        tvm.build(module, binds={x: strided(x, None)})
