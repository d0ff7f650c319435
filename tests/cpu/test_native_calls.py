"""Calls by the native entry: the same results and the same errors as checked calls, with nothing lost on the way."""

from __future__ import annotations

import gc
import sys
import threading
import weakref
from collections.abc import Callable

import ml_dtypes
import numpy as np
import pytest
import tilewright
from legal import legal
from tilewright import TilewrightError
from tilewright.dialects import context
from tilewright.runtime import Argument, Signature, buffers, native_call, object_layout
from tilewright.runtime.checked_call import CheckedCall
from xdsl.parser import Parser

ADD = """
builtin.module {
func.func @main(%a: memref<3x4xf32> {tw.name = "a"}, %b: memref<3x4xf32> {tw.name = "b"},
                %y: memref<3x4xf32> {tw.name = "y", tw.output}) {
  %t = loop.alloc : memref<3x4xf32>
  loop.for %i = 0 to 3 {
    loop.for %j = 0 to 4 {
      %u = loop.load %a[%i, %j] : memref<3x4xf32>
      %v = loop.load %b[2 - %i, 3 - %j] : memref<3x4xf32>
      %w = arith.addf %u, %v : f32
      loop.store %w, %t[%i, %j] : memref<3x4xf32>
    }
  }
  loop.for %i = 0 to 3 {
    loop.for %j = 0 to 4 {
      %u = loop.load %t[%i, %j] : memref<3x4xf32>
      loop.store %u, %y[%i, %j] : memref<3x4xf32>
    }
  }
  func.return
}
}"""

A = np.arange(12, dtype=np.float32).reshape(3, 4)
B = A * 10
SUM = A + B[::-1, ::-1]


class Subclass(np.ndarray):
    """Arrays that are not numpy's own."""


def built(text: str, threads: int = 1) -> tilewright.Module:
    from tilewright.backends.cpu.module import build

    return build(legal(Parser(context(), text).parse_module()), threads)


def forget_layout(patch: pytest.MonkeyPatch) -> None:
    """Let objects of this process lie in memory as nobody knows."""
    for module in (native_call, buffers):
        patch.setattr(module, "is_known", lambda: False)


@pytest.fixture(params=["native", "ctypes"])
def path(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Set the way that calls of functions take which are built from here on."""
    if request.param == "ctypes":
        forget_layout(monkeypatch)
    return request.param


def test_the_layout_is_known_here() -> None:
    """The fast path of calls is active on all supported interpreters."""
    assert object_layout.is_known()
    assert built(ADD).entry.is_native


def test_a_layout_that_differs_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    fields = ["TUPLE_ITEMS", "ARRAY_DATA", "ARRAY_RANK", "ARRAY_SHAPE", "ARRAY_STRIDES", "ARRAY_DTYPE", "ARRAY_FLAGS"]
    for field in fields:
        with monkeypatch.context() as patch:
            patch.setattr(object_layout, field, getattr(object_layout, field) + 8)
            assert not object_layout.is_known.__wrapped__(), field


def test_calls(path: str) -> None:
    add = built(ADD)
    assert add.entry.is_native is (path == "native")
    for _ in range(3):
        np.testing.assert_array_equal(add(A, B), SUM)
        y = np.zeros((3, 4), np.float32)
        assert add(A, B, y) is None
        np.testing.assert_array_equal(y, SUM)
        assert add(A, B, out=y) is y
        np.testing.assert_array_equal(add(b=B, a=A), SUM)
        np.testing.assert_array_equal(add(A, B, threads=2), SUM)
        np.testing.assert_array_equal(add["main"](A, B), SUM)
        np.testing.assert_array_equal(add.run({"a": A, "b": B})["y"], SUM)
    assert add(A, B).ctypes.data % 64 == 0


def test_arrays_that_need_a_copy_or_a_look(path: str) -> None:
    add = built(ADD)
    unaligned = np.frombuffer(b"\0" + B.tobytes(), np.uint8)[1:].view(np.float32).reshape(3, 4)
    constant = A.copy()
    constant.flags.writeable = False
    same_dtype = A.view(np.dtype(np.float32, metadata={"unit": "m"}))
    ways = [
        np.asfortranarray(A),
        np.repeat(A, 2, 1)[:, ::2],
        A.view(Subclass),
        constant,
        same_dtype,
        A[:, ::-1][:, ::-1],
    ]
    for a in ways:
        np.testing.assert_array_equal(add(a, B), SUM)
        y = np.zeros((3, 4), np.float32)
        add(a, unaligned, y)
        np.testing.assert_array_equal(y, SUM)
    buffer = np.zeros(20, np.float32)
    buffer[:12] = A.ravel()
    y = buffer[4:16].reshape(3, 4)
    add(buffer[:12].reshape(3, 4), B, y)
    np.testing.assert_array_equal(y, SUM)


def bad_calls() -> list[Callable[[tilewright.Module], object]]:
    y, shared = np.zeros((3, 4), np.float32), np.zeros(24, np.float32)
    constant = y.copy()
    constant.flags.writeable = False
    return [
        lambda f: f(),
        lambda f: f(A),
        lambda f: f(A, B, y, y),
        lambda f: f(A, A, A, A, A),
        lambda f: f(None, B),
        lambda f: f(A, 1.0, y),
        lambda f: f(A.tolist(), B),
        lambda f: f(A, np.float32(1)),
        lambda f: f(A.astype(np.float64), B),
        lambda f: f(A, B.astype(">f4"), y),
        lambda f: f(A.view(np.int32), B),
        lambda f: f(A.T.copy(), B),
        lambda f: f(A.ravel(), B, y),
        lambda f: f(A[:0], B),
        lambda f: f(A, B[None]),
        lambda f: f(A, B, y[:2]),
        lambda f: f(A, B, y.astype(np.int32)),
        lambda f: f(A, B, constant),
        lambda f: f(A, B, shared.reshape(3, 8)[:, ::2]),
        lambda f: f(A, B, np.asfortranarray(y)),
        lambda f: f(A, B, y.tolist()),
        lambda f: f(A, B, out=[y, y]),
        lambda f: f(A, B, out={"z": y}),
        lambda f: f(A, c=B),
        lambda f: f(A, a=B),
        lambda f: f(A, B, y, out=y),
    ]


def test_errors_are_the_same_on_both_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    native = built(ADD)
    with monkeypatch.context() as patch:
        forget_layout(patch)
        checked = built(ADD)
    assert native.entry.is_native and not checked.entry.is_native
    for number, call in enumerate(bad_calls()):
        errors: list[Exception] = []
        for function in (native, checked):
            with pytest.raises((TilewrightError, TypeError)) as caught:
                call(function)
            errors.append(caught.value)
        assert type(errors[0]) is type(errors[1]) and str(errors[0]) == str(errors[1]), number
    np.testing.assert_array_equal(native(A, B), SUM)


def test_several_outputs_and_their_order(path: str) -> None:
    """Positions are as the function was defined; outputs that share memory are refused."""
    te = tilewright.te
    a = te.placeholder((5,), name="a", dtype="int32")
    c = te.compute((5,), lambda i: a[i] * 3, name="c")
    d = te.compute((5,), lambda i: a[i] + 1, name="d")
    module = tilewright.build([c, a, d], threads=1)
    x = np.arange(5, dtype=np.int32)
    three, one = np.zeros(5, np.int32), np.zeros(5, np.int32)
    assert module(three, x, one) is None
    np.testing.assert_array_equal([three, one], [x * 3, x + 1])
    results = module(x)
    assert type(results) is tuple
    np.testing.assert_array_equal(results, [x * 3, x + 1])
    buffer = np.zeros(8, np.int32)
    with pytest.raises(TilewrightError, match="TW0706"):
        module(buffer[:5], x, buffer[3:])
    module(buffer[3:], x, three)
    np.testing.assert_array_equal(buffer[3:], x * 3)


def test_other_dtypes_ranks_and_empty_arrays(main: Callable[..., tilewright.Module], path: str) -> None:
    module = main(
        "%a: memref<bf16>, %e: memref<0x2xi8>, %y: memref<bf16> {tw.output}, %z: memref<0x3xi1> {tw.output}",
        """
        %v = loop.load %a[] : memref<bf16>
        %w = arith.addf %v, %v : bf16
        loop.store %w, %y[] : memref<bf16>""",
    )
    assert module.entry.is_native is (path == "native")
    a, e = np.array(3, ml_dtypes.bfloat16), np.empty((0, 2), np.int8)
    y, z = module(a, e)
    assert y == 6 and z.shape == (0, 3) and z.dtype == bool
    y[()] = 0
    assert module(a, e, y, z) is None and y == 6


def test_strided_arguments(path: str) -> None:
    """Strides that a program states are compared; extents of 1 have none."""
    te = tilewright.te
    a = te.placeholder((4, 1, 3), name="a")
    b = te.compute((4, 1, 3), lambda i, j, k: a[i, j, k] + 1, name="b")
    row = tilewright.tir.decl_buffer(b.shape, b.dtype, name="row", strides=[8, 77, 2])
    module = tilewright.build([a, b], threads=1, binds={b: row})
    assert module.entry.is_native is (path == "native")
    x = np.random.default_rng(0).random((4, 1, 3), np.float32)
    memory = np.zeros((4, 1, 8), np.float32)
    module(x, memory[:, :, :6:2])
    np.testing.assert_array_equal(memory[:, :, :6:2], x + 1)
    assert not memory[:, :, 1::2].any()
    with pytest.raises(TilewrightError, match="TW0707"):
        module(x, np.zeros((4, 1, 3), np.float32))
    around = np.zeros(40, np.float32)
    inside = around[1:33].reshape(4, 1, 8)[:, :, :6:2]
    shared = around[:12].reshape(4, 1, 3)
    shared[:] = x
    module(shared, inside)
    np.testing.assert_array_equal(inside, x + 1)


def test_what_is_not_plain_goes_through_ctypes(main: Callable[..., tilewright.Module]) -> None:
    module = main(
        "%x: memref<?xf32>, %y: memref<?xf32> {tw.output}",
        """
        %n = loop.dim %x, 0 : memref<?xf32>
        loop.bind %x shape [%n] strides [1] : memref<?xf32>
        loop.bind %y shape [%n] strides [1] : memref<?xf32>""",
    )
    assert not module.entry.is_native and module(np.zeros(3, np.float32)).shape == (3,)
    many = tuple(Argument(f"a{n}", np.dtype(np.int8), (1,)) for n in range(native_call.MAX_ARGUMENTS + 1))
    assert not native_call._is_plain(Signature(many, ()))
    assert native_call._is_plain(Signature(many[1:], ()))
    twice = Argument("y", np.dtype(np.int8), (3, 3), (1, 1))
    assert not native_call._is_plain(Signature((), (twice,)))


def test_many_arguments() -> None:
    names = [f"%a{n}" for n in range(native_call.MAX_ARGUMENTS - 1)]
    loads = "\n".join(f"%v{n} = loop.load {name}[0] : memref<1xi64>" for n, name in enumerate(names))
    stores = "\n".join(f"loop.store %v{n}, %y[{n}] : memref<{len(names)}xi64>" for n in range(len(names)))
    arguments = ", ".join(f"{name}: memref<1xi64>" for name in names)
    module = built(
        f"builtin.module {{ func.func @main({arguments}, %y: memref<{len(names)}xi64> {{tw.output}}) {{"
        f"{loads}\n{stores}\nfunc.return }} }}"
    )
    assert module.entry.is_native
    np.testing.assert_array_equal(module(*[np.array([n]) for n in range(len(names))]), np.arange(len(names)))


def test_references_are_kept_as_they_were(path: str) -> None:
    add, y = built(ADD), np.zeros((3, 4), np.float32)
    add(A, B, y)
    watched = [A, B, y, add.entry.call, A.dtype]
    gc.collect()
    before = [sys.getrefcount(value) for value in watched]
    nones = sys.getrefcount(None)
    for _ in range(1000):
        add(A, B, y)
        add(A, B)
        with pytest.raises(TilewrightError):
            add(A)
    gc.collect()
    assert [sys.getrefcount(value) for value in watched] == before
    assert abs(sys.getrefcount(None) - nones) < 100
    result = add(A, B)
    assert sys.getrefcount(result) == 2


def test_functions_go_when_nothing_holds_them(path: str) -> None:
    """Without help from the collector: weights and arenas are large."""
    gc.disable()
    try:
        add = built(ADD)
        add(A, B)
        arena = weakref.ref(add.entry._call.arenas.free[0])
        call = add.entry.call
        del add
        np.testing.assert_array_equal(call(A, B), SUM)  # a callable holds what it needs
        del call
        assert arena() is None
    finally:
        gc.enable()


def test_failures_of_the_program_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the kernel fails, the checked call repeats it and reports the reason; lack of memory is an error."""
    add = built(ADD)
    monkeypatch.setattr(native_call, "aligned_empty", _no_memory)
    monkeypatch.setattr("tilewright.runtime.arguments.aligned_empty", _no_memory)
    with pytest.raises(TilewrightError, match="TW0708.*output 'y'"):
        add(A, B)


def _no_memory(*_: object) -> None:
    raise MemoryError("none left")


SPIN = """
builtin.module {
func.func @main(%x: memref<1xi64>, %y: memref<1xi64> {tw.output}) {
  %f = arith.constant 6364136223846793005 : i64
  loop.for %i = 0 to 100000000 {
    %v = loop.load %x[0] : memref<1xi64>
    %w = loop.load %y[0] : memref<1xi64>
    %m = arith.muli %w, %f : i64
    %s = arith.addi %m, %v : i64
    loop.store %s, %y[0] : memref<1xi64>
  }
  func.return
}
}"""


def test_other_threads_run_during_a_call(path: str) -> None:
    """The interpreter's lock is released: a thread that sleeps and counts does so while a long kernel runs.

    With the lock held it counts at most twice: once before the kernel and once after. A busy machine may let it wait
    during a call, but not during all of them.
    """
    module = built(SPIN)
    x, y = np.ones(1, np.int64), np.zeros(1, np.int64)
    counted, ended = 0, threading.Event()

    def count() -> None:
        nonlocal counted
        while not ended.wait(0.001):
            counted += 1

    thread = threading.Thread(target=count)
    thread.start()
    during = 0
    for _ in range(1000):
        before = counted
        module(x, y)
        during = counted - before
        if during > 5:
            break
    ended.set()
    thread.join()
    assert during > 5


@pytest.mark.parametrize("threads", [1, 2])
def test_many_threads_call_one_module(path: str, threads: int) -> None:
    """Each call has an arena of its own; values never meet."""
    n = 512
    square = f"""
        loop.for %i = 0 to {n} kind parallel {{
          loop.for %j = 0 to 8 {{
            %v = loop.load %FROM[%i, %j] : memref<{n}x8xf32>
            %w = arith.mulf %v, %v : f32
            loop.store %w, %TO[%i, %j] : memref<{n}x8xf32>
          }}
        }}"""
    text = (
        f"builtin.module {{ func.func @main(%x: memref<{n}x8xf32>, %y: memref<{n}x8xf32> {{tw.output}}) {{"
        f"%t = loop.alloc : memref<{n}x8xf32>"
        + square.replace("FROM", "x").replace("TO", "t")
        + square.replace("FROM", "t").replace("TO", "y")
        + "func.return } }"
    )
    module = built(text, threads)
    wrong: list[int] = []

    def call(seed: int) -> None:
        x = np.random.default_rng(seed).random((n, 8), np.float32)
        expected, y = (x * x) * (x * x), np.zeros_like(x)
        for turn in range(60):
            y[:] = 0
            if turn % 3:
                module(x, y)
            else:
                y = module(x)
            if not np.array_equal(y, expected):
                wrong.append(seed)

    workers = [threading.Thread(target=call, args=(seed,)) for seed in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong
    call_ = module.entry._call
    assert isinstance(call_, CheckedCall) and 1 <= len(call_.arenas.free) <= len(workers)
    assert len({id(block) for block in call_.arenas.free}) == len(call_.arenas.free)
