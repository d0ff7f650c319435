"""First checks on a card: kernels compile, run and are right, before anything is timed."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from .machine import Machine

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
RNG = np.random.default_rng(0)


def checks(machine: Machine) -> Iterator[tuple[str, bool, str]]:
    """Run the checks one after another; yield the name, whether it holds, and the finding."""
    for check in (compiles, adds, takes_arrays_of_torch, uses_much_shared_memory, multiplies_on_tensor_cores, launches):
        start = time.perf_counter()
        try:
            found = check(machine)
        except Exception as error:  # the checks are for such errors
            said = str(error).strip().splitlines() or [""]
            yield check.__name__, False, f"{type(error).__name__}: {said[0]}"
        else:
            yield check.__name__, True, f"{found} ({time.perf_counter() - start:.1f} s)"


def vector_add(factor: int = 256) -> tuple[Any, list[Any]]:
    """Add vectors by blocks of `factor` threads; the size comes with the call."""
    from tilewright import te

    n = te.var("n")
    a, b = te.placeholder((n,), name="A"), te.placeholder((n,), name="B")
    c = te.compute((n,), lambda i: a[i] + b[i], name="C")
    schedule = te.create_schedule(c.op)
    block, thread = schedule[c].split(c.op.axis[0], factor=factor)
    schedule[c].bind(block, te.thread_axis("blockIdx.x"))
    schedule[c].bind(thread, te.thread_axis("threadIdx.x"))
    return schedule, [a, b, c]


def compiles(machine: Machine) -> str:
    """Check that NVVM is found and makes PTX."""
    import tilewright

    ptx = tilewright.build(*vector_add(), machine.target).get_source("ptx")
    return f"PTX for {next(line for line in ptx.splitlines() if line.startswith('.target')).split()[1]}"


def adds(machine: Machine) -> str:
    """Add arrays of the host, copied there and back."""
    import tilewright

    options: dict[str, Any] = {"device": machine.device} if machine.device else {"copy": True}
    module = tilewright.build(*vector_add(), machine.target, **options)
    for size in (1, 255, 256, 1000):
        x, y = RNG.normal(size=(2, size)).astype(np.float32)
        np.testing.assert_array_equal(module(x, y), x + y)
    return "sizes 1 to 1000 are right"


def takes_arrays_of_torch(machine: Machine) -> str:
    """Pass tensors in and take a tensor out."""
    import tilewright

    if machine.device:
        return "not asked of the simulator"
    torch = machine.torch
    module = tilewright.build(*vector_add(), machine.target)
    x, y = (torch.randn(1000, device="cuda") for _ in range(2))
    z = module(x, y)
    assert isinstance(z, torch.Tensor), f"expected a tensor, but got {type(z).__name__}"
    assert torch.equal(z, x + y)
    return "a tensor comes back"


def uses_much_shared_memory(machine: Machine) -> str:
    """Use more than the 48 KiB of shared memory that any kernel may have."""
    import tilewright
    from tilewright import te

    width = 12288 + 1024
    a = te.placeholder((2, width), name="A")
    b = te.compute((2, width), lambda i, j: a[i, width - 1 - j], name="B")
    schedule = te.create_schedule(b.op)
    copy = schedule.cache_read(a, "shared", [b])
    schedule[b].bind(b.op.axis[0], te.thread_axis("blockIdx.x"))
    _, thread = schedule[b].split(b.op.axis[1], factor=32)
    schedule[b].bind(thread, te.thread_axis("threadIdx.x"))
    schedule[copy].compute_at(schedule[b], b.op.axis[0])
    _, thread = schedule[copy].split(copy.op.axis[1], factor=32)
    schedule[copy].bind(thread, te.thread_axis("threadIdx.x"))
    options: dict[str, Any] = {"device": machine.device} if machine.device else {"copy": True}
    module = tilewright.build(schedule, [a, b], f"{machine.target} -shared=65536", **options)
    x = RNG.normal(size=(2, width)).astype(np.float32)
    np.testing.assert_array_equal(module(x), x[:, ::-1])
    return f"{4 * width} bytes"


def multiplies_on_tensor_cores(machine: Machine) -> str:
    """Compare the example's product, in each type, with float64."""
    import tilewright

    product = _of_example("tensor_core_matmul", "product")
    found: list[str] = []
    for dtype in ("float16", "bfloat16"):
        schedule, arguments = product(60, 72, 50, dtype)
        options: dict[str, Any] = {"device": machine.device} if machine.device else {"copy": True}
        module = tilewright.build(schedule, arguments, machine.target, **options)
        given = [RNG.normal(size=tuple(map(int, t.shape))).astype(_numpy(t.dtype)) for t in arguments[:-1]]
        a, b, bias = (x.astype(np.float64) for x in given)
        expected = np.maximum(a @ b + bias, 0)
        error = np.abs(module(*given) - expected).max() / np.abs(expected).max()
        assert error < 1e-5, f"{dtype}: error {error:.1e} of the output's scale"
        found.append(f"{dtype} {error:.0e}")
    return ", ".join(found)


def launches(machine: Machine) -> str:
    """Return the host time of a call of a kernel that does nearly nothing, as text."""
    import tilewright

    module = tilewright.build(*vector_add(), machine.target, device=machine.device)
    if machine.device:
        arrays: list[Any] = [np.zeros(256, np.float32) for _ in range(3)]
    else:
        arrays = [machine.torch.zeros(256, device="cuda") for _ in range(3)]
    module(*arrays)
    return f"{_host_time(lambda: module(*arrays), machine) * 1e6:.0f} us a call"


def _host_time(run: Callable[[], object], machine: Machine) -> float:
    times: list[float] = []
    for _ in range(5 if machine.device else 200):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    machine.synchronize()
    return median(times)


def _of_example(file: str, name: str) -> Any:
    spec = importlib.util.spec_from_file_location(file, EXAMPLES / f"{file}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


def _numpy(name: str) -> Any:
    if name == "bfloat16":
        import ml_dtypes

        return ml_dtypes.bfloat16
    return name
