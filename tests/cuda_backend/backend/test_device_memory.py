"""Device memory of a program: allocated once, used by every call, freed with the program."""

from __future__ import annotations

import gc
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright import te
from tilewright.diagnostics import TilewrightError


def stepwise(extent: Any = None) -> tuple[Any, list[Any]]:
    """Schedule C = (A + A) reversed, plus 1, in two kernels with an array between them."""
    n = te.var("n") if extent is None else extent
    a = te.placeholder((n,), name="A")
    b = te.compute((n,), lambda i: a[i] + a[i], name="B")
    c = te.compute((n,), lambda i: b[n - 1 - i] + 1.0, name="C")
    schedule = te.create_schedule(c.op)
    for stage in (b, c):
        block, thread = schedule[stage].split(stage.op.axis[0], factor=8)
        schedule[stage].bind(block, te.thread_axis("blockIdx.x"))
        schedule[stage].bind(thread, te.thread_axis("threadIdx.x"))
    return schedule, [a, c]


def ramp(n: int = 20) -> np.ndarray:
    return np.arange(n, dtype=np.float32)


def with_constant(parse):
    return parse(
        """
        func.func @main(%x: memref<4xf32>, %y: memref<4xf32> {tw.output}) attributes {tw.scheduled} {
          %c = loop.constant dense<[1.0, 2.0, 3.0, 4.0]> : memref<4xf32>
          loop.for %i = 0 to 4 kind thread<"threadIdx.x"> {
            %a = loop.load %x[%i] : memref<4xf32>
            %b = loop.load %c[%i] : memref<4xf32>
            %s = arith.addf %a, %b : f32
            loop.store %s, %y[%i] : memref<4xf32>
          }
          func.return
        }"""
    )


@pytest.mark.parametrize("extent", [20, None])
def test_calls_in_the_steady_state_allocate_nothing(driver, drivers, extent) -> None:
    module = tilewright.build(*stepwise(extent), "cuda")
    given, output = drivers.CudaArray(driver, ramp()), drivers.CudaArray(driver, ramp())
    module(given, output)
    assert len(driver.asked("allocate")) == len(driver.asked("load")) == 1  # the array between the kernels
    driver.log.clear()
    for _ in range(3):
        module(given, output)
    assert {entry[0] for entry in driver.log} == {"launch"} and len(driver.log) == 6
    np.testing.assert_array_equal(output.values, 2 * ramp()[::-1] + 1)


def test_arrays_between_kernels_share_an_arena(driver, drivers) -> None:
    """Of five kernels with guards, each reads one half of it and writes the other, where nothing else is in use."""
    n = 20
    a = last = te.placeholder((n,), name="A")
    stages = []
    for number in range(5):
        last = te.compute((n,), lambda i, source=last: source[n - 1 - i] + 1.0, name=f"B{number}")
        stages.append(last)
    schedule = te.create_schedule(last.op)
    for stage in stages:
        block, thread = schedule[stage].split(stage.op.axis[0], factor=8)
        schedule[stage].bind(block, te.thread_axis("blockIdx.x"))
        schedule[stage].bind(thread, te.thread_axis("threadIdx.x"))
    module = tilewright.build(schedule, [a, last], "cuda")
    assert "syncthreads" not in module.get_source()
    output = drivers.CudaArray(driver, np.zeros(n, np.float32))
    module(drivers.CudaArray(driver, ramp(n)), output)
    np.testing.assert_array_equal(output.values, ramp(n)[::-1] + 5)
    assert driver.asked("allocate") == [("allocate", 256)]
    simulated = tilewright.build(schedule, [a, last], "cuda", device="simulator")
    np.testing.assert_array_equal(simulated(ramp(n)), ramp(n)[::-1] + 5)


def test_memory_grows_with_sizes_and_stays(driver, drivers) -> None:
    module = tilewright.build(*stepwise(), "cuda")
    for size in (10, 1000, 10, 500, 1000):
        output = drivers.CudaArray(driver, np.zeros(size, np.float32))
        module(drivers.CudaArray(driver, ramp(size)), output)
        np.testing.assert_array_equal(output.values, 2 * ramp(size)[::-1] + 1)
    assert [entry[1] for entry in driver.asked("allocate")] == [256, 4096]
    assert driver.allocated == 1


def test_streams_share_no_memory(driver, drivers) -> None:
    """Nothing says which of two streams comes first; the calls of one follow one another."""
    module = tilewright.build(*stepwise(), "cuda")
    given, output = drivers.CudaArray(driver, ramp()), drivers.CudaArray(driver, ramp())
    for stream in (0, 5, 0, 5, 6):
        module(given, output, stream=stream)
    assert driver.allocated == 3
    assert not driver.asked("synchronize", "wait")


def test_each_thread_has_a_default_stream(driver, drivers) -> None:
    module = tilewright.build(*stepwise(), "cuda")
    given, output = drivers.CudaArray(driver, ramp()), drivers.CudaArray(driver, ramp())
    for _ in range(2):
        module(given, output, stream=2)
        thread = threading.Thread(target=lambda: module(given, output, stream=2))
        thread.start()
        thread.join()
    assert driver.allocated >= 2


def test_constants_are_uploaded_once(driver, drivers, parse) -> None:
    module = tilewright.compile(with_constant(parse), "cuda")
    for _ in range(3):
        x = drivers.CudaArray(driver, ramp(4))
        np.testing.assert_array_equal(module(x).numpy(), ramp(4) + [1, 2, 3, 4])
    assert [entry[1] for entry in driver.asked("upload")] == [16]


def test_a_program_that_goes_frees_its_memory(use_driver, drivers, parse) -> None:
    driver = use_driver(drivers.HostDriver(devices=2))
    constant, steps = tilewright.compile(with_constant(parse), "cuda"), tilewright.build(*stepwise(), "cuda")
    for device in (0, 1):
        for module, size in ((constant, 4), (steps, 20)):
            output = drivers.CudaArray(driver, np.zeros(size, np.float32), device)
            module(drivers.CudaArray(driver, ramp(size), device), output)
    assert driver.allocated == 4
    function = steps["main"]
    del steps, constant, module
    gc.collect()
    assert driver.allocated == 2 and len(driver.asked("unload")) == 2  # the function keeps its program
    del function
    gc.collect()
    assert driver.allocated == 0 and len(driver.asked("unload")) == 4
    assert driver.current is None


def test_results_free_their_memory(driver, drivers) -> None:
    module = tilewright.build(*stepwise(), "cuda")
    result = module(drivers.CudaArray(driver, ramp()))
    assert driver.allocated == 2
    del result
    gc.collect()
    assert driver.allocated == 1


def test_several_threads_call_one_program(driver, drivers) -> None:
    module = tilewright.build(*stepwise(), "cuda")
    sizes = [3, 40, 17, 8, 25, 64, 1, 33]
    given = [drivers.CudaArray(driver, ramp(n)) for n in sizes]
    outputs = [drivers.CudaArray(driver, np.zeros(n, np.float32)) for n in sizes]
    driver.use(0)
    driver.use = lambda device: None  # threads have a current device each, this driver one for all
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(module, given, outputs))
    for size, output in zip(sizes, outputs, strict=True):
        np.testing.assert_array_equal(output.values, 2 * ramp(size)[::-1] + 1)
    assert len(driver.asked("load")) == 1
    assert driver.allocated <= 4


def test_memory_comes_back_from_calls_that_fail(driver, drivers) -> None:
    module = tilewright.build(*stepwise(), "cuda")
    given = drivers.CudaArray(driver, ramp())
    output = drivers.CudaArray(driver, ramp())
    driver.fail_at = "launch"
    for _ in range(3):
        with pytest.raises(TilewrightError, match="TW0642"):
            module(given, output)
    driver.fail_at = None
    module(given, output)
    assert driver.allocated == 1
    np.testing.assert_array_equal(output.values, 2 * ramp()[::-1] + 1)


def test_copies_of_host_arrays_reuse_their_memory(driver) -> None:
    module = tilewright.build(*stepwise(), "cuda", copy=True)
    for _ in range(3):
        np.testing.assert_array_equal(module(ramp()), 2 * ramp()[::-1] + 1)
    assert driver.allocated == 1


def test_timing_waits_for_the_device(driver, drivers) -> None:
    module = tilewright.build(*stepwise(), "cuda")
    given, output = drivers.CudaArray(driver, ramp()), drivers.CudaArray(driver, ramp())
    module.time_evaluator(number=2, repeat=3)(given, output, stream=4)
    assert len(driver.asked("launch")) == 2 * 7
    assert driver.asked("synchronize") == [("synchronize", 4)] * 4  # after the first call and after each round
