"""Functions of Python that compiled code calls."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te, tir
from tilewright.dialects import context
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser


def refused(code: str, message: str):
    return pytest.raises(tvm.TilewrightError, match=rf"(?s){code}.*{message}")


@pytest.fixture
def scale() -> Iterator[list[object]]:
    """Register `test.scale`, and note what it is called with."""
    seen: list[object] = []

    @tvm.register_func("test.scale", override=True)
    def function(x, y, factor, name="", flag=None):
        seen.append((x.shape, type(x), factor, name, flag))
        if factor < 0:
            raise KeyError("negative")
        y.copyfrom(x.numpy() * factor)

    yield seen
    tvm._ffi.remove_global_func("test.scale")


def parsed(text: str) -> ModuleOp:
    return Parser(context(), text).parse_module()


def scaled(*rest: object, shape: tuple[int, ...] = (3, 4)):
    """Schedule A + 1, scaled by a function of Python, and that plus 1."""
    A = te.placeholder(shape, name="A")
    B = te.compute(shape, lambda *i: A[i] + 1.0, name="B")
    C = te.extern(shape, [B], lambda ins, outs: tir.call_packed("test.scale", ins[0], outs[0], *rest), name="C")
    D = te.compute(shape, lambda *i: C[i] + 1.0, name="D")
    return te.create_schedule(D.op), [A, D]


@pytest.mark.parametrize("target", ["llvm", "interpreter"])
def test_the_function_gets_arrays_numbers_and_texts(scale: list[object], target: str) -> None:
    program = tvm.build(*scaled(2.5, "text", True), target)
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    np.testing.assert_array_equal(program(x), (x + 1) * 2.5 + 1)
    assert scale == [((3, 4), tvm.nd.NDArray, 2.5, "text", True)]
    tvm.register_func("test.scale", lambda x, y, *_: y.copyfrom(x.numpy() - 1), override=True)
    np.testing.assert_array_equal(program(x), x + 1)


@pytest.mark.parametrize("target", ["llvm", "interpreter"])
def test_what_it_raises_is_what_the_call_raises(scale: list[object], target: str) -> None:
    program = tvm.build(*scaled(-1), target)
    x, out = np.zeros((3, 4), np.float32), np.zeros((3, 4), np.float32)
    for call in (
        lambda: program(x),
        lambda: program(x, out),
        lambda: program["main"](x),
        lambda: program.run({"A": x}),
    ):
        with pytest.raises(KeyError, match="negative"):
            call()
    assert [entry[2] for entry in scale] == [-1] * 4
    tvm.register_func("test.scale", lambda x, y, f: y.copyfrom(x.numpy()), override=True)
    np.testing.assert_array_equal(program(x), x + 2)
    tvm._ffi.remove_global_func("test.scale")
    with refused("TW0252", "no function is registered as 'test.scale'"):
        program(x)
    tvm.register_func("test.scale", len)  # which the fixture takes away


def test_a_function_may_run_programs(scale: list[object]) -> None:
    inner = tvm.build(*scaled(3))
    x = np.ones((2, 2), np.float32)
    tvm.register_func("test.scale", lambda x, y, f: y.copyfrom(x.numpy() * f), override=True)
    tvm.register_func("test.outer", lambda x, y: inner(np.ones((3, 4), np.float32)) is not None and y.copyfrom(x))
    A = te.placeholder((2, 2), name="A")
    B = te.extern((2, 2), [A], lambda i, o: tir.call_packed("test.outer", i[0], o[0]), name="B")
    try:
        np.testing.assert_array_equal(tvm.build(te.create_schedule(B.op), [A, B])(x), x)
    finally:
        tvm._ffi.remove_global_func("test.outer")


def test_other_targets_and_files_are_refused(scale: list[object], tmp_path: Path) -> None:
    s, args = scaled(2)
    with refused("TW0254", "for a CPU only, but the target is c"):
        tvm.build(s, args, "c")
    program = tvm.build(s, args, "llvm")
    for name in ("x.so", "x.o"):
        with refused("TW0254", "without functions of Python to be saved"):
            program.save(str(tmp_path / name))
    program.save(str(tmp_path / "x.mlir"))
    assert "packed [" in (tmp_path / "x.mlir").read_text() and "packed" in program.get_source("llvm")
    assert program.type_key == "llvm"


def test_calls_in_parallel_loops_are_refused(scale: list[object]) -> None:
    text = """
    func.func @main(%x: memref<4x8xf32>, %y: memref<4x8xf32> {tw.output}) {
      loop.for %i = 0 to 4 KIND {
        loop.call_extern "SYMBOL"(read %x[%i, 0] box [1, 8] : memref<4x8xf32>, index 1 : i32,
          write %y[%i, 0] box [1, 8] : memref<4x8xf32>, index 1 : i32, index 2 : i32) -> i32
      }
      func.return
    }
    """
    from tilewright.runtime.packed import symbol_of

    symbol = symbol_of("test.scale", [["float32", [8]], ["float32", [8]], "int32"])
    text = text.replace("SYMBOL", symbol.replace('"', '\\"'))
    x = np.arange(32, dtype=np.float32).reshape(4, 8)
    program = tvm.build(parsed(text.replace("KIND", "kind serial")), target="llvm")
    np.testing.assert_array_equal(program(x), 2 * x)
    with refused("TW0254", "outside of parallel loops"):
        tvm.build(parsed(text.replace("KIND", "kind parallel")), target="llvm")


@pytest.mark.parametrize("lowered", [False, True])
@pytest.mark.parametrize("target", ["llvm", "interpreter"])
def test_scripts_call_with_arrays_numbers_and_texts(scale: list[object], target: str, lowered: bool) -> None:
    array = (
        "T.tvm_stack_make_array({}.data, T.tvm_stack_make_shape(3, 4, dtype='handle'), 0, 2, 0.0, 0, dtype='handle')"
    )
    A, B = (array.format(name) if lowered else name for name in "AB")
    source = f"""
@T.prim_func
def main(a: T.handle, b: T.handle):
    A = T.match_buffer(a, (3, 4))
    B = T.match_buffer(b, (3, 4))
    with T.block("call"):
        T.reads([A[0:3, 0:4]])
        T.writes([B[0:3, 0:4]])
        T.evaluate(T.{"tvm_" * lowered}call_packed("test.scale", {A}, {B}, 2.5, "text", True, dtype="int32"))
"""
    program = tvm.build(tvm.script.from_source(source), target=target)
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    y = np.zeros((3, 4), np.float32)
    program(x, y)
    np.testing.assert_array_equal(y, x * 2.5)
    assert scale == [((3, 4), tvm.nd.NDArray, 2.5, "text", True)]


def test_scripts_call_with_indices_and_elements(watch: list[tuple[object, ...]]) -> None:
    source = """
@T.prim_func
def main(A: T.Buffer((3,), "float32"), B: T.Buffer((3,), "float32")):
    for i in range(3):
        B[i] = A[i] + T.float32(1)
        T.evaluate(T.call_packed("test.watch", i, 7, A[i]))
"""
    tvm.build(tvm.script.from_source(source))(np.array([1, 2, 3], np.float32))
    assert watch == [(0, 7, 1), (1, 7, 2), (2, 7, 3)]


def test_a_tensor_intrinsic_calls_with_buffers_addresses_and_strides() -> None:
    def add(x, y, z, stride, number):
        source = np.ctypeslib.as_array(ctypes.cast(y, ctypes.POINTER(ctypes.c_float)), (4,))
        z.copyfrom(x.numpy() + source + np.float32(stride + number))

    tvm.register_func("test.add", add, override=True)
    x, y = te.placeholder((4,), name="x"), te.placeholder((4,), name="y")
    z = te.compute((4,), lambda i: x[i] + y[i], name="z")
    intrinsic = te.decl_tensor_intrin(
        z.op,
        lambda ins, outs: tir.call_packed("test.add", ins[0], ins[1].data, outs[0], ins[1].strides[0], -1),
        default_buffer_params={"offset_factor": 1},
    )
    A, B = te.placeholder((12,), name="A"), te.placeholder((12,), name="B")
    C = te.compute((12,), lambda i: A[i] + B[i], name="C")
    s = te.create_schedule(C.op)
    s[C].tensorize(s[C].split(C.op.axis[0], factor=4)[1], intrinsic)
    a, b = np.arange(12, dtype=np.float32), np.ones(12, np.float32)
    for target in ("llvm", "interpreter"):
        np.testing.assert_array_equal(tvm.build(s, [A, B, C], target)(a, b), a + b)
    tvm._ffi.remove_global_func("test.add")


@pytest.mark.parametrize(("returned", "expected"), [(7, 7), (None, 0)])
def test_a_call_is_a_value(returned: int | None, expected: int) -> None:
    tvm.register_func("test.value", lambda *given: returned, override=True)
    X = te.compute((2,), lambda i: tir.call_packed("test.value", i, "text"), name="X")
    result = tvm.build(te.create_schedule(X.op), [X])()
    assert result.dtype == np.int32
    np.testing.assert_array_equal(result, [expected, expected])
    tvm._ffi.remove_global_func("test.value")


@pytest.fixture
def watch() -> Iterator[list[tuple[object, ...]]]:
    """Register `test.watch`, which gives twice the last number for odd first ones, and note what it is called with."""
    seen: list[tuple[object, ...]] = []

    def function(*values):
        seen.append(values)
        return values[-1] * 2 if values[0] % 2 else None

    tvm.register_func("test.watch", function, override=True)
    yield seen
    tvm._ffi.remove_global_func("test.watch")


@pytest.mark.parametrize("target", ["llvm", "interpreter"])
def test_addresses_sizes_and_expressions(watch: list[tuple[object, ...]], target: str) -> None:
    def fill(source, result, size, number):
        values = [ctypes.cast(each, ctypes.POINTER(ctypes.c_float)) for each in (source, result)]
        for i in range(size):
            values[1][i] = values[0][i] + number

    n = te.var("n")
    A = te.placeholder((n,), name="A")
    tvm.register_func("test.fill", fill, override=True)

    def body(ins, outs):
        return tir.call_packed("test.fill", ins[0].data, outs[0].access_ptr("w"), n // 2 + 4, n * 10)

    x = te.placeholder((8,), name="x")
    B = te.extern((8,), [x, A], body, name="B")
    program = tvm.build(te.create_schedule(B.op), [x, A, B], target)
    given = np.arange(8, dtype=np.float32)
    np.testing.assert_array_equal(program(given, np.zeros(8, np.float32)), given + 80)
    tvm._ffi.remove_global_func("test.fill")


def test_a_builder_calls_with_elements_and_loop_variables(watch: list[tuple[object, ...]]) -> None:
    n = te.var("n")
    buffer = tir.decl_buffer((n,), "int64")
    ib = tir.ir_builder.create()
    A = ib.buffer_ptr(buffer)
    with ib.for_range(0, n - 1, "i") as i:
        A[i + 1] = A[i] + 3
        ib.emit(tir.call_packed("test.watch", i, A[i], A[i] > 3))
    program = tvm.build(tvm.IRModule.from_expr(tir.PrimFunc([buffer], ib.get())))
    x = np.zeros(4, np.int64)
    program(x)
    np.testing.assert_array_equal(x, [0, 3, 6, 9])
    assert watch == [(0, 0, False), (1, 3, False), (2, 6, True)]


@pytest.mark.parametrize("target", ["llvm", "interpreter"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64", "uint8", "float16"])
def test_a_traced_value_is_what_the_function_returns(watch: list[tuple[object, ...]], target: str, dtype: str) -> None:
    n = te.var("n")
    A = te.placeholder((n,), dtype, name="A")
    B = te.compute((n,), lambda i: tir.trace([i, A[i]], "test.watch") + 1, name="B")
    x = np.array([3, 1, 2, 5]).astype(dtype)
    result = tvm.build(te.create_schedule(B.op), [A, B], target)(x)
    assert result.dtype == dtype
    np.testing.assert_array_equal(result, [4, 3, 3, 11])
    assert watch == [(0, 3), (1, 1), (2, 2), (3, 5)]


def test_each_element_of_a_large_stage_is_traced_once_in_order(watch: list[tuple[object, ...]]) -> None:
    n = 70000
    A = te.placeholder((n,), "int32", name="A")
    B = te.compute((n,), lambda i: te.trace([A[i]], "test.watch"), name="B")
    C = te.compute((n,), lambda i: B[i] + B[n - 1 - i], name="C")
    x = np.arange(n, dtype=np.int32)
    result = tvm.build(te.create_schedule(C.op), [A, C])(x)
    b = np.where(x % 2, 2 * x, x)
    np.testing.assert_array_equal(result, b + b[::-1])
    assert watch == [(i,) for i in range(n)]


def test_the_default_action_prints(capfd: pytest.CaptureFixture[str]) -> None:
    A = te.placeholder((2,), name="A")
    B = te.compute((2,), lambda i: tir.trace([i, A[i] > 1]), name="B")
    result = tvm.build(te.create_schedule(B.op), [A, B])(np.array([1, 2], np.float32))
    np.testing.assert_array_equal(result, [False, True])
    assert capfd.readouterr().out == "[0, False]\n[1, True]\n"


def test_where_a_trace_cannot_stand(watch: list[tuple[object, ...]]) -> None:
    A = te.placeholder((64,), name="A")
    B = te.compute((64,), lambda i: tir.trace([A[i]], "test.watch"), name="B")
    C = te.compute((64,), lambda i: B[i] + 1.0, name="C")
    s = te.create_schedule(C.op)
    s[B].parallel(B.op.axis[0])
    with refused("TW0254", "outside of parallel loops"):
        tvm.build(s, [A, C])
    s = te.create_schedule(C.op)
    s[B].compute_inline()
    with refused("TW0406", "block 'B' calls a function for each instance"):
        tvm.lower(s, [A, C])
    D = te.compute((64,), lambda i: te.if_then_else(i > 3, tir.trace([A[i]], "test.watch"), 0.0), name="D")
    with refused("TW0254", "'test.watch' to be called for every element"):
        tvm.build(te.create_schedule(D.op), [A, D])
    with refused("TW0466", "a value to trace by 'test.watch'"):
        tir.trace([], "test.watch")


def test_bad_arguments() -> None:
    with refused("TW0466", "the name of a registered function"):
        tir.call_packed(3)
    with refused("TW0466", "buffers, numbers and texts as arguments of 'f'"):
        tir.call_packed("f", [1])
    n = te.var("n")
    with refused("TW0466", "constant sizes of buffer 'b'"):
        tir.call_packed("f", tir.decl_buffer((n,), name="b"))
