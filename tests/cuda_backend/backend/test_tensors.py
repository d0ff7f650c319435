"""Tensors of torch as calls read them, and calls that come again with other arrays, on a driver that is the host.

The tensors here have the attributes that are read, and no protocol. Those of torch itself are in test_on_a_card.py.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import tilewright
from tilewright import te, tir
from tilewright.diagnostics import TilewrightError
from tilewright.runtime.kernels import device_call, kinds


class Tensor:
    """A tensor over an array of numpy."""

    def __init__(self, driver: Any, values: np.ndarray, device: int = 0, **changes: Any) -> None:
        base = values
        while isinstance(base.base, np.ndarray):
            base = base.base
        driver.register_array(base, device)
        self.values, self.device = values, device
        self.is_cuda, self.requires_grad = True, False
        self.dtype: Any = _Dtype(values.dtype.name)
        self.shape = values.shape
        self.is_negative = self.is_conjugate = False
        self.has_storage = True
        vars(self).update(changes)

    def stride(self) -> tuple[int, ...]:
        return tuple(s // self.values.itemsize for s in self.values.strides)

    def data_ptr(self) -> int:
        if not self.has_storage:
            raise RuntimeError("Cannot access data pointer of Tensor that doesn't have storage")
        return self.values.__array_interface__["data"][0] if self.values.size else 0

    def get_device(self) -> int:
        return self.device

    def is_neg(self) -> bool:
        return self.is_negative

    def is_conj(self) -> bool:
        return self.is_conjugate


class _Dtype:
    def __init__(self, name: str) -> None:
        self.name = name

    def __str__(self) -> str:
        return f"torch.{self.name}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Dtype) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)


Tensor.__module__, Tensor.__qualname__ = "torch", "Tensor"


@pytest.fixture(autouse=True)
def torch(monkeypatch: pytest.MonkeyPatch, driver: Any) -> Any:
    def empty(shape: tuple[int, ...], dtype: str, device: str) -> Tensor:
        return Tensor(driver, np.zeros(shape, np.dtype(dtype)), int(device.removeprefix("cuda:")))

    names = {name: name for name in ("float32", "bfloat16")}
    cuda = SimpleNamespace(current_stream=lambda device: SimpleNamespace(cuda_stream=21))
    made = SimpleNamespace(empty=empty, cuda=cuda, Tensor=Tensor, **names)
    monkeypatch.setitem(sys.modules, "torch", made)
    kinds._kind.cache_clear()  # it would keep the torch of another test
    return made


def sums(dtype: str = "float32", vector: int = 1, **options: Any) -> Callable[..., Any]:
    """Build C = A + B on matrices of any sizes for a GPU."""
    n, m = te.var("n"), (te.var("m") if vector == 1 else 16)
    a, b = (te.placeholder((n, m), dtype, name=name) for name in "AB")
    c = te.compute((n, m), lambda i, j: a[i, j] + b[i, j], name="C")
    schedule = te.create_schedule(c.op)
    schedule[c].bind(c.op.axis[0], te.thread_axis("blockIdx.x"))
    rest = c.op.axis[1]
    if vector > 1:
        rest, inner = schedule[c].split(rest, factor=vector)
        schedule[c].vectorize(inner)
    schedule[c].bind(rest, te.thread_axis("threadIdx.x"))
    if options.pop("strided", False):
        options["binds"] = {x: tir.decl_buffer(x.shape, dtype, strides=[te.var(), 1]) for x in (a, b)}
    return tilewright.build(schedule, [a, b, c], "cuda", **options)


def refused(code: str, act: Callable[[], object]) -> TilewrightError:
    with pytest.raises(TilewrightError) as raised:
        act()
    assert raised.value.code == code, raised.value
    return raised.value


def ramp(*shape: int, dtype: Any = np.float32) -> np.ndarray:
    return np.arange(np.prod(shape)).reshape(shape).astype(dtype)


# What tensors say


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_tensors_are_read_without_protocols(driver: Any, dtype: str) -> None:
    x = ramp(4, 16, dtype=getattr(ml_dtypes, dtype, np.float32))
    given, output = Tensor(driver, x), Tensor(driver, np.zeros_like(x))
    module = sums(dtype)
    assert module(given, given, output) is None
    np.testing.assert_array_equal(output.values.astype(np.float32), 2 * x.astype(np.float32))
    result = module(given, given)
    assert type(result) is Tensor
    np.testing.assert_array_equal(result.values.astype(np.float32), 2 * x.astype(np.float32))
    assert driver.asked("launch") == [("launch", "main_kernel0", 21)] * 2  # torch's stream
    assert not driver.asked("wait", "synchronize", "allocate")


def test_the_raw_stream_where_torch_gives_it(driver: Any, torch: Any) -> None:
    torch._C = SimpleNamespace(_cuda_getCurrentRawStream=lambda device: 30 + device)
    x = Tensor(driver, ramp(4, 16))
    sums()(x, x)
    assert driver.asked("launch") == [("launch", "main_kernel0", 30)]


def test_strides(driver: Any) -> None:
    rows = ramp(8, 16)
    given = Tensor(driver, rows[::2, :5])
    assert "C-contiguous" in refused("TW0707", lambda: sums()(given, given)).message
    np.testing.assert_array_equal(sums(strided=True)(given, given).values, 2 * rows[::2, :5])


@pytest.mark.parametrize(
    ("changes", "code", "words"),
    [
        ({"requires_grad": True}, "TW0707", "tensor.detach()"),
        ({"is_negative": True}, "TW0707", "resolve_neg()"),
        ({"is_conjugate": True}, "TW0707", "resolve_conj()"),
        ({"has_storage": False}, "TW0707", "doesn't have storage"),
        ({"is_cuda": False}, "TW0633", "Tensor of the host"),
        ({"dtype": _Dtype("float16")}, "TW0703", "to have dtype float32, but got float16"),
        ({"dtype": _Dtype("qint8")}, "TW0703", "to have dtype float32, but got torch.qint8"),
    ],
)
def test_what_tensors_are_refused(driver: Any, changes: dict[str, Any], code: str, words: str) -> None:
    module, good = sums(), Tensor(driver, ramp(4, 16))
    module(good, good)
    bad = Tensor(driver, ramp(4, 16), **changes)
    for arguments in ((bad, good), (good, bad), (good, good, bad)):
        error = refused(code, lambda arguments=arguments: module(*arguments))
        assert words in f"{error.message} {error.help}"


def test_other_classes_keep_to_the_protocols(driver: Any, drivers: Any) -> None:
    """A subclass may mean something else by its attributes."""

    class Wrapped(Tensor):
        def data_ptr(self) -> int:
            raise AssertionError

    x = ramp(4, 16)
    wrapped = Wrapped(driver, x)
    assert refused("TW0633", lambda: sums()(wrapped, wrapped))
    wrapped.__cuda_array_interface__ = drivers.CudaArray(driver, x).__cuda_array_interface__
    np.testing.assert_array_equal(sums()(wrapped, wrapped).numpy(), 2 * x)


def test_tensors_of_several_devices(use_driver: Any, drivers: Any) -> None:
    """They say where they are: the driver is not asked."""
    driver = use_driver(drivers.HostDriver(devices=2))
    module = sums()
    here, there, output = (Tensor(driver, ramp(4, 16), device) for device in (0, 1, 1))
    module(there, there, output)
    np.testing.assert_array_equal(output.values, 2 * ramp(4, 16))
    module(here, here, Tensor(driver, ramp(4, 16)))
    assert "'B' on GPU 0" in refused("TW0641", lambda: module(here, there, output)).message
    assert "'C' on GPU 1" in refused("TW0641", lambda: module(there, there, here)).message
    assert len(driver.asked("launch")) == 2


# Calls that come again


def test_what_changes_between_calls_is_looked_at(driver: Any) -> None:
    """After calls that were right, each array is wrong in its turn; and then all is right again."""
    module = sums(vector=4)
    memory = np.zeros(4 * 16 + 8, np.float32)
    start = -(memory.__array_interface__["data"][0] // 4) % 4
    misaligned = memory[start + 1 :][: 4 * 16].reshape(4, 16)
    a, b, c = (Tensor(driver, ramp(4, 16)) for _ in range(3))
    wrong: list[tuple[str, Any]] = [
        ("TW0703", Tensor(driver, ramp(4, 16, dtype=np.float64))),
        ("TW0704", Tensor(driver, ramp(5, 16))),
        ("TW0704", Tensor(driver, ramp(4, 17))),
        ("TW0704", Tensor(driver, ramp(64))),
        ("TW0707", Tensor(driver, ramp(16, 4).T)),
        ("TW0707", Tensor(driver, ramp(8, 16)[::2])),
        ("TW0707", Tensor(driver, ramp(4, 16), requires_grad=True)),
        ("TW0640", Tensor(driver, misaligned)),
        ("TW0633", Tensor(driver, ramp(4, 16), is_cuda=False)),
    ]
    for code, bad in wrong:
        for arguments in ((bad, b, c), (a, bad, c), (a, b, bad)):
            module(a, b, c)
            np.testing.assert_array_equal(c.values, a.values + b.values)
            driver.log.clear()
            if arguments[0] is bad and bad.shape == (5, 16):
                assert "'B'" in refused(code, lambda arguments=arguments: module(*arguments)).message
            else:
                refused(code, lambda arguments=arguments: module(*arguments))
            assert not driver.asked("launch")
            c.values[:] = 0
    module(a, b, c)
    for shared in (a, b):
        refused("TW0706", lambda shared=shared: module(a, b, shared))
    memory = ramp(8, 16)
    refused("TW0706", lambda: module(Tensor(driver, memory[:4]), b, Tensor(driver, memory[3:7])))
    module(Tensor(driver, memory[:4]), b, Tensor(driver, memory[4:]))
    np.testing.assert_array_equal(memory[4:], ramp(4, 16) + b.values)


def test_read_only_outputs_between_calls(driver: Any, drivers: Any) -> None:
    module, (a, b, c) = sums(), (drivers.CudaArray(driver, ramp(4, 16)) for _ in range(3))
    module(a, b, c)
    fixed = drivers.CudaArray(driver, c.values, data=(driver.register_array(c.values), True))
    assert "read-only" in refused("TW0707", lambda: module(a, b, fixed)).message
    module(fixed, b, a)


def test_many_sizes_in_turn(driver: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """More than are remembered."""
    monkeypatch.setattr(device_call, "KEPT", 3)
    module = sums()
    for rows in (1, 2, 3, 4, 5, 1, 5, 2, 2, 1):
        a, b, c = (Tensor(driver, ramp(rows, 7) + k) for k in range(3))
        module(a, b, c)
        np.testing.assert_array_equal(c.values, a.values + b.values)
        np.testing.assert_array_equal(module(b, b).values, 2 * b.values)


def test_strides_that_change_between_calls(driver: Any) -> None:
    module, memory = sums(strided=True), ramp(12, 16)
    for view in (memory[:4, :4], memory[::3, :4], memory[:4, 1:5], memory[:4, :4]):
        given = Tensor(driver, view)
        np.testing.assert_array_equal(module(given, given).values, 2 * view)


def test_arrays_of_kinds_in_turn(driver: Any, drivers: Any) -> None:
    """One layout, whichever way it came."""
    module, x = sums(), ramp(4, 16)
    for make in (Tensor, drivers.CudaArray, drivers.DlpackArray):
        given, output = make(driver, x.copy()), make(driver, np.zeros_like(x))
        module(given, given, output)
        np.testing.assert_array_equal(output.values, 2 * x)


@pytest.mark.parametrize("kind", ["machine code", "Python"])
def test_launches_of_records(kind: str) -> None:
    """In order, until one is refused."""
    from tilewright.backends.cuda.launcher import launcher
    from tilewright.runtime.kernels.launcher import RECORD, launch_in_python
    from tilewright.runtime.slots import LAUNCHER

    assert LAUNCHER.value is launcher()
    launch_all = launcher() if kind == "machine code" else launch_in_python

    seen: list[tuple[Any, ...]] = []

    def launch(*arguments: Any) -> int:
        seen.append(arguments)
        return 7 if arguments[0] == 3 else 0

    word, number = ctypes.c_void_p, ctypes.c_uint
    function = ctypes.CFUNCTYPE(ctypes.c_int, word, *[number] * 7, word, word, word)(launch)
    address = ctypes.cast(function, word).value
    records = [[k, 2**31 - 1, 5, 6, 7, 8, 9, 1 << 17, 1 << 40, 1 << 41] for k in (1, 2, 3, 4)]
    assert {len(record) for record in records} == {RECORD}
    table = (ctypes.c_int64 * 40)(*[number for record in records for number in record])
    assert launch_all(address, table, 2) == 2 << 32
    assert seen == [(*record, None) for record in records[:2]]
    assert launch_all(address, table, 4) == (2 << 32) + 7
    assert len(seen) == 5
    assert launch_all(address, table, 0) == 0
    assert len(seen) == 5
