"""Arrays of other libraries, their streams and devices, on a driver whose devices are the host.

What only a card can show is in test_on_a_card.py.
"""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import tilewright
from tilewright import te, tir
from tilewright.diagnostics import TilewrightError
from tilewright.runtime.kernels.device_array import DeviceArray
from tilewright.runtime.kernels.foreign import stream_handle


def twice(dtype: str = "float32", extent: Any = None, vector: int = 1, rank: int = 1, **options: Any):
    """Build B = A + A for a GPU."""
    n = te.var("n") if extent is None else extent
    a = te.placeholder((n,) if rank == 1 else (n, 4), dtype, name="A")
    b = te.compute(a.shape, lambda *i: a(*i) + a(*i), name="B")
    schedule = te.create_schedule(b.op)
    block, thread = schedule[b].split(b.op.axis[0], factor=8 * vector)
    if vector > 1:
        thread, lanes = schedule[b].split(thread, factor=vector)
        schedule[b].vectorize(lanes)
    schedule[b].bind(block, te.thread_axis("blockIdx.x"))
    schedule[b].bind(thread, te.thread_axis("threadIdx.x"))
    if options.pop("strided", False):
        options["binds"] = {a: tir.decl_buffer(a.shape, a.dtype, strides=[te.var(), 1])}
    return tilewright.build(schedule, [a, b], "cuda", **options)


def ramp(n: int = 10, dtype: Any = np.float32) -> np.ndarray:
    return (np.arange(n) % 7).astype(dtype)


def refused(code: str, act: Any) -> TilewrightError:
    with pytest.raises(TilewrightError) as raised:
        act()
    assert raised.value.code == code, raised.value
    return raised.value


# Protocols


@pytest.mark.parametrize("form", ["CudaArray", "DlpackArray"])
@pytest.mark.parametrize("dtype", ["float32", "float16", "int32", "int8", "float64", "bool"])
def test_both_protocols(driver, drivers, form: str, dtype: str) -> None:
    a = te.placeholder((10,), dtype, name="A")
    b = te.compute((10,), lambda i: a[9 - i], name="B")
    schedule = te.create_schedule(b.op)
    schedule[b].bind(b.op.axis[0], te.thread_axis("threadIdx.x"))
    module = tilewright.build(schedule, [a, b], "cuda")
    x = ramp(dtype=dtype)
    given = getattr(drivers, form)(driver, x)
    result = module(given)
    assert isinstance(result, DeviceArray) and result.dtype == x.dtype and result.shape == x.shape
    np.testing.assert_array_equal(result.numpy(), x[::-1])
    output = getattr(drivers, form)(driver, np.zeros_like(x))
    assert module(given, output) is None
    np.testing.assert_array_equal(output.values, x[::-1])
    assert module(given, out=output) is output
    np.testing.assert_array_equal(module(A=given).numpy(), x[::-1])
    np.testing.assert_array_equal(module.run({"A": given})["B"].numpy(), x[::-1])


def test_bfloat16_comes_by_dlpack(driver, drivers) -> None:
    """The array interface has no word for it."""
    x = ramp(dtype=ml_dtypes.bfloat16)
    given = drivers.DlpackArray(driver, x)
    given.__cuda_array_interface__ = {"shape": x.shape, "typestr": "<V2", "data": (0, False), "version": 3}
    result = twice("bfloat16")(given)
    np.testing.assert_array_equal(result.numpy().astype(np.float32), 2 * x.astype(np.float32))
    assert result.dtype == ml_dtypes.bfloat16
    np.testing.assert_array_equal(twice("bfloat16")(result).numpy().astype(np.float32), 4 * x.astype(np.float32))


def test_arrays_that_are_brought_to_the_device(driver) -> None:
    """Seed 004's third error is mended so: `tvm.nd.array(a, dev)` for `tvm.nd.array(a)`."""
    device = tilewright.device("cuda", 0)
    given, output = tilewright.nd.array(ramp(), device), tilewright.nd.empty((10,), "float32", device)
    assert given.device == device == tilewright.cuda()
    twice()(given, output)
    np.testing.assert_array_equal(output.numpy(), 2 * ramp())
    assert repr(output) == "<array on cuda(0): float32[10]>"


def test_results_are_arguments_again(driver, drivers) -> None:
    module = twice()
    x = ramp()
    once = module(drivers.CudaArray(driver, x))
    np.testing.assert_array_equal(module(once).numpy(), 4 * x)
    assert once.__cuda_array_interface__["data"][0] == once.address and (once.ndim, once.size) == (1, 10)


def test_strides(driver, drivers) -> None:
    rows = np.arange(10 * 8, dtype=np.float32).reshape(10, 8)
    given = drivers.CudaArray(driver, rows[:, :4])
    assert "C-contiguous" in refused("TW0707", lambda: twice(rank=2)(given)).message
    module = twice(rank=2, strided=True)
    np.testing.assert_array_equal(module(given).numpy(), 2 * rows[:, :4])
    driver.register_array(rows)
    np.testing.assert_array_equal(module(drivers.DlpackArray(driver, rows[::2, :4])).numpy(), 2 * rows[::2, :4])
    for wrong in (rows[:, :8:2], rows[::-1, :4]):
        refused("TW0707", lambda wrong=wrong: module(drivers.CudaArray(driver, wrong)))


def test_extents_of_one_have_any_stride(driver, drivers) -> None:
    given = drivers.CudaArray(driver, ramp(4).reshape(1, 4), strides=(1024, 4))
    np.testing.assert_array_equal(twice(rank=2)(given).numpy(), 2 * ramp(4).reshape(1, 4))


def test_empty_arrays(driver, drivers) -> None:
    given = drivers.CudaArray(driver, ramp(0), data=(0, False))
    assert twice()(given).numpy().shape == (0,)
    assert not driver.asked("launch")


# What is refused


def test_arrays_of_the_host(driver, drivers) -> None:
    """Seed 004's third error: the array was never brought to the device."""
    module = twice()
    for value in (ramp(), drivers.DlpackArray(driver, ramp(), kind=1), [1.0], 3):
        error = refused("TW0633", lambda value=value: module(value))
        assert "expected argument 'A' to be an array of the GPU" in error.message
        assert "to_device" in (error.help or "") and "copy=True" in (error.help or "")
    given = drivers.CudaArray(driver, ramp())
    assert "'B'" in refused("TW0633", lambda: module(given, ramp())).message
    assert not driver.asked("launch", "allocate")


def test_tensors_of_torch_on_the_host(driver) -> None:
    torch = pytest.importorskip("torch")
    error = refused("TW0633", lambda: twice()(torch.ones(4)))
    assert "Tensor of the host" in error.message


def test_dtypes_shapes_and_numbers(driver, drivers) -> None:
    module = twice(extent=8)
    good = drivers.CudaArray(driver, ramp(8))
    refused("TW0703", lambda: module(drivers.CudaArray(driver, ramp(8, np.float64))))
    refused("TW0703", lambda: module(drivers.DlpackArray(driver, ramp(8, np.int32))))
    refused("TW0703", lambda: module(drivers.DlpackArray(driver, ramp(8), lanes=2)))
    refused("TW0704", lambda: module(drivers.CudaArray(driver, ramp(7))))
    refused("TW0704", lambda: module(drivers.CudaArray(driver, ramp(8).reshape(2, 4))))
    refused("TW0704", lambda: module(good, drivers.CudaArray(driver, ramp(9))))
    refused("TW0701", lambda: module(good, good, good))
    refused("TW0702", lambda: module(X=good))


def test_outputs_that_cannot_be_written(driver, drivers) -> None:
    module = twice(extent=8)
    given, memory = drivers.CudaArray(driver, ramp(8)), ramp(16)
    address = driver.register_array(memory)
    fixed = drivers.CudaArray(driver, ramp(8), data=(address, True))
    assert "read-only" in refused("TW0707", lambda: module(given, fixed)).message
    np.testing.assert_array_equal(module(fixed).numpy(), 2 * memory[:8])
    refused("TW0706", lambda: module(given, given))
    front, behind = drivers.CudaArray(driver, memory[:8]), drivers.CudaArray(driver, memory[7:15])
    refused("TW0706", lambda: module(front, behind))
    assert module(front, drivers.CudaArray(driver, memory[8:])) is None


def test_masks_and_libraries_that_refuse(driver, drivers) -> None:
    module = twice()
    refused("TW0707", lambda: module(drivers.CudaArray(driver, ramp(), mask=object())))

    class Tracked(drivers.DlpackArray):
        def __dlpack__(self, *, stream: Any = None) -> Any:
            raise BufferError("Can't export tensors that require gradient, use tensor.detach()")

    assert "detach" in refused("TW0707", lambda: module(Tracked(driver, ramp()))).message


def test_vectors_want_aligned_arrays(driver, drivers) -> None:
    """Arrays that start within a vector are refused before a kernel faults; kernels without vectors accept them."""
    memory = np.zeros(72, np.float32)
    start = -(memory.__array_interface__["data"][0] // 4) % 4  # the first element at a multiple of 16 bytes
    aligned, misaligned = memory[start : start + 64], memory[start + 1 : start + 65]
    wide, narrow = twice(extent=64, vector=4), twice(extent=64)
    assert "device.load4" in wide.get_source() and "device.load4" not in narrow.get_source()
    error = refused("TW0640", lambda: wide(drivers.CudaArray(driver, misaligned)))
    assert "multiple of 16 bytes, but it is 4 bytes past one" in error.message
    assert "multiple of 4 elements" in (error.help or "")
    assert not driver.asked("launch")
    wide(drivers.CudaArray(driver, aligned))
    narrow(drivers.CudaArray(driver, misaligned))
    refused("TW0640", lambda: wide(drivers.CudaArray(driver, aligned.copy()), drivers.CudaArray(driver, misaligned)))


def test_what_the_driver_refuses(driver, drivers) -> None:
    module = twice()
    driver.fail_at = "launch"
    refused("TW0642", lambda: module(drivers.CudaArray(driver, ramp())))
    driver.fail_at = None
    elsewhere = drivers.CudaArray(driver, ramp(), data=(64, False))
    refused("TW0642", lambda: module(elsewhere))
    assert module(drivers.CudaArray(driver, ramp())).numpy()[1] == 2


def test_a_gpu_that_is_too_old(use_driver, drivers) -> None:
    driver = use_driver(drivers.HostDriver(capability=(8, 0)))
    error = refused("TW0644", lambda: twice()(drivers.CudaArray(driver, ramp())))
    assert "sm_90" in error.message and "host 0 (sm_80)" in error.message and "-arch=sm_80" in (error.help or "")
    a = te.placeholder((4,), name="A")
    b = te.compute((4,), lambda i: a[i] + 1.0, name="B")
    schedule = te.create_schedule(b.op)
    schedule[b].bind(b.op.axis[0], te.thread_axis("threadIdx.x"))
    module = tilewright.build(schedule, [a, b], "cuda -arch=sm_75")
    assert module(drivers.CudaArray(driver, ramp(4))).numpy()[1] == 2


# Devices


def test_calls_run_where_their_arrays_are(use_driver, drivers) -> None:
    driver = use_driver(drivers.HostDriver(devices=3))
    module = twice()
    for device in (2, 0, 2):
        result = module(drivers.CudaArray(driver, ramp(), device))
        assert result.device.index == device and driver.device_of(result.address) == device
    assert driver.current is None  # as it was before the calls
    assert len(driver.asked("load")) == 2  # once for each device
    here, there = drivers.CudaArray(driver, ramp()), drivers.CudaArray(driver, ramp(), 1)
    error = refused("TW0641", lambda: module(here, there))
    assert "argument 'B' on GPU 0" in error.message and "GPU 1" in error.message
    refused("TW0641", lambda: module(drivers.DlpackArray(driver, ramp(), 2), there))


# Streams


def launched_in(driver: Any) -> list[int]:
    return [entry[2] for entry in driver.asked("launch")]


def test_the_stream_of_a_call(driver, drivers) -> None:
    module = twice()
    given = drivers.CudaArray(driver, ramp())
    module(given)
    module(given, stream=7)
    module(given, stream=SimpleNamespace(cuda_stream=8))
    assert launched_in(driver) == [0, 7, 8]
    assert not driver.asked("synchronize", "wait")  # no call waits


def test_streams_that_arrays_come_from(driver, drivers) -> None:
    """A call runs in the stream of its first array that names one, and lets it wait for the others."""
    a, b = (te.placeholder((4,), name=name) for name in "AB")
    c = te.compute((4,), lambda i: a[i] + b[i], name="C")
    schedule = te.create_schedule(c.op)
    schedule[c].bind(c.op.axis[0], te.thread_axis("threadIdx.x"))
    module = tilewright.build(schedule, [a, b, c], "cuda")

    def array(stream: int | None) -> Any:
        return drivers.CudaArray(driver, ramp(4), stream=stream)

    module(array(None), array(None))
    module(array(1), array(1))
    module(array(None), array(5))
    module(array(5), array(6))
    assert launched_in(driver) == [0, 0, 5, 5]
    assert driver.asked("wait") == [("wait", 5, 6)]
    module(array(5), array(6), stream=9)
    assert launched_in(driver)[-1] == 9
    assert driver.asked("wait")[1:] == [("wait", 9, 5), ("wait", 9, 6)]
    driver.log.clear()
    module(array(5), array(5), stream=5)
    module(array(1), array(1), stream=0)
    assert not driver.asked("wait")
    refused("TW0707", lambda: module(array(0), array(0)))


def test_dlpack_is_given_the_stream(driver, drivers) -> None:
    module, given = twice(), drivers.DlpackArray(driver, ramp())
    module(given)
    module(given, stream=12)
    assert given.streams == [1, 12]  # 1 is the default stream there


def test_results_name_their_stream(driver, drivers) -> None:
    module = twice()
    result = module(drivers.CudaArray(driver, ramp()), stream=3)
    assert result.__cuda_array_interface__["stream"] == 3
    module(result)
    assert launched_in(driver) == [3, 3]
    driver.log.clear()
    result.numpy()
    assert driver.asked("download") == [("download", 40, 3)]


@pytest.mark.parametrize(
    ("stream", "handle"),
    [
        (0, 0),
        (140, 140),
        (SimpleNamespace(cuda_stream=5), 5),
        (SimpleNamespace(ptr=6), 6),
        (SimpleNamespace(handle=SimpleNamespace(value=7)), 7),
        (SimpleNamespace(handle=SimpleNamespace(value=None)), 0),
        (SimpleNamespace(__cuda_stream__=lambda: (0, 9)), 9),
        (SimpleNamespace(__cuda_stream__=(0, 10)), 10),
    ],
)
def test_streams_of_libraries(stream: Any, handle: int) -> None:
    assert stream_handle(stream) == handle


@pytest.mark.parametrize("stream", ["default", -1, True, 1.5])
def test_what_is_no_stream(driver, drivers, stream: Any) -> None:
    refused("TW0645", lambda: twice()(drivers.CudaArray(driver, ramp()), stream=stream))


# The caller's kind


@pytest.fixture
def torch_like(monkeypatch: pytest.MonkeyPatch, driver, drivers) -> ModuleType:
    """Provide a module named torch, whose tensors lie on the host's device and which is working in stream 21."""
    torch: Any = ModuleType("torch")
    torch.float32, torch.log = np.float32, []

    class Tensor(drivers.CudaArray):
        pass

    class Within:
        def __init__(self, stream: Any) -> None:
            self.stream = stream

        def __enter__(self) -> None:
            torch.log.append(("enter", self.stream.cuda_stream))

        def __exit__(self, *error: object) -> None:
            torch.log.append(("leave",))

    def empty(shape: tuple[int, ...], dtype: Any, device: str) -> Any:
        torch.log.append(("empty", shape, device))
        return Tensor(driver, np.zeros(shape, dtype))

    Tensor.__module__ = "torch"
    torch.Tensor, torch.empty = Tensor, empty
    torch.cuda = SimpleNamespace(
        current_stream=lambda device: SimpleNamespace(cuda_stream=21),
        ExternalStream=lambda handle, device: SimpleNamespace(cuda_stream=handle),
        stream=Within,
    )
    monkeypatch.setitem(sys.modules, "torch", torch)
    return torch


def test_tensors_in_and_tensors_out(driver, torch_like) -> None:
    """In torch's own stream, and memory from torch's pool of that stream."""
    module = twice()
    given = torch_like.Tensor(driver, ramp())
    result = module(given)
    assert type(result) is torch_like.Tensor
    np.testing.assert_array_equal(result.values, 2 * ramp())
    assert launched_in(driver) == [21]
    module(given, stream=4)
    assert torch_like.log == [("empty", (10,), "cuda:0"), ("enter", 4), ("empty", (10,), "cuda:0"), ("leave",)]
    assert launched_in(driver) == [21, 4]
    assert not driver.asked("synchronize", "wait", "allocate")


@pytest.mark.parametrize("library", ["cupy", "cupy 14", "numba"])
def test_arrays_of_cupy_and_numba(driver, drivers, monkeypatch, library: str) -> None:
    """They are made by the library as well, in its current stream where it has one."""

    class Array(drivers.CudaArray):
        pass

    class Within:
        def __init__(self, *arguments: Any) -> None: ...
        def __enter__(self) -> None: ...
        def __exit__(self, *error: object) -> None: ...

    def empty(shape: tuple[int, ...], dtype: Any) -> Any:
        return Array(driver, np.zeros(shape, dtype))

    def from_external(stream: Any) -> Within:
        wrapped.append(stream.__cuda_stream__())
        return Within()

    wrapped: list[tuple[int, int]] = []
    Array.__module__ = "numba.cuda.cudadrv.devicearray" if library == "numba" else "cupy._core.core"
    streams = {"Stream": SimpleNamespace(from_external=from_external)}
    if library == "cupy":
        streams = {"Stream": SimpleNamespace(), "ExternalStream": Within}
    cuda = SimpleNamespace(
        get_current_stream=lambda device: SimpleNamespace(ptr=31),
        Device=Within,
        device_array=empty,
        gpus=[Within()],
        **streams,
    )
    monkeypatch.setitem(sys.modules, "cupy", SimpleNamespace(cuda=cuda, empty=empty))
    monkeypatch.setitem(sys.modules, "numba.cuda", cuda)
    result = twice()(Array(driver, ramp()))
    assert type(result) is Array
    np.testing.assert_array_equal(result.values, 2 * ramp())
    assert launched_in(driver) == [0 if library == "numba" else 31]
    assert wrapped == ([(0, 31)] if library == "cupy 14" else [])


# Copies that were asked for


def test_arrays_of_the_host_that_may_be_copied(driver, drivers) -> None:
    module = twice(copy=True)
    np.testing.assert_array_equal(module(ramp()), 2 * ramp())
    y = np.zeros(10, np.float32)
    assert module(ramp(), y) is None
    np.testing.assert_array_equal(y, 2 * ramp())
    result = module(drivers.CudaArray(driver, ramp()))
    assert isinstance(result, DeviceArray)
    np.testing.assert_array_equal(result.numpy(), 2 * ramp())
    refused("TW0633", lambda: module(drivers.CudaArray(driver, ramp()), y))
