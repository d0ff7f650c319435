"""Functions of Python that compiled code calls."""

from __future__ import annotations

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
    """`test.scale`, and what it was called with."""
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
    """A + 1, scaled by a function of Python, and that plus 1."""
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


def test_bad_arguments() -> None:
    with refused("TW0466", "the name of a registered function"):
        tir.call_packed(3)
    with refused("TW0466", "buffers, numbers and texts as arguments of 'f'"):
        tir.call_packed("f", [1])
    n = te.var("n")
    with refused("TW0466", "constant sizes of buffer 'b'"):
        tir.call_packed("f", tir.decl_buffer((n,), name="b"))
