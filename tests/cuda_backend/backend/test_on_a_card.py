"""Properties that only a card can show; skipped on machines without one.

- NVVM is found, the driver takes the PTX, values are numpy's (elementwise, a tiled product with shared memory and
  vectors);
- more than 48 KiB of shared memory, blocks of 1024 threads;
- tensors of torch by both protocols and bfloat16, results as tensors, torch's streams, another stream than the current;
- no allocation and no synchronisation in the steady state, memory given back, several threads;
- what a launch costs on the host.
"""

from __future__ import annotations

import gc
import importlib.util
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tilewright
from hangs import HANG
from tilewright import te
from tilewright.diagnostics import TilewrightError
from tilewright.runtime.kernels.device_array import DeviceArray
from tilewright.runtime.kernels.driver import cuda_driver


def _reason() -> str | None:
    try:
        cuda_driver()
    except TilewrightError as error:
        return error.message
    return None


_WHY = _reason()
pytestmark = [
    pytest.mark.skipif(_WHY is not None, reason=_WHY or ""),
    # Those of the packages that only a card's machine has; warnings of this one stay errors.
    pytest.mark.filterwarnings(r"ignore::DeprecationWarning:(?!tilewright\b)"),
]
SEEDS = Path(__file__).resolve().parents[1] / "seeds" / "test_tensors.py"


@pytest.fixture(scope="module")
def target() -> str:
    """Return the architecture of the card, as far as the compiler knows it."""
    from tilewright.dialects.target import capability_of
    from tilewright.hardware import SHARED_BYTES_OF_ARCH

    known = [a for a in SHARED_BYTES_OF_ARCH if not a.endswith("a") and capability_of(a) <= cuda_driver().capability(0)]
    return f"cuda -arch={max(known, key=capability_of)}"


def elementwise(target: str, dtype: str = "float32", function: Any = lambda v: v * 2.0 + 1.0, **options: Any):
    n = te.var("n")
    a = te.placeholder((n,), dtype, name="A")
    b = te.compute((n,), lambda i: function(a[i]), name="B")
    schedule = te.create_schedule(b.op)
    block, thread = schedule[b].split(b.op.axis[0], factor=256)
    schedule[b].bind(block, te.thread_axis("blockIdx.x"))
    schedule[b].bind(thread, te.thread_axis("threadIdx.x"))
    return tilewright.build(schedule, [a, b], target, **options)


def tiled_matmul(target: str, n: int = 512, vector: int = 4):
    spec = importlib.util.spec_from_file_location("cuda_seed_programs", SEEDS)
    assert spec is not None and spec.loader is not None
    programs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(programs)
    return tilewright.build(*programs.tiled_matmul(n, 16, 4, 16, vector), target)


def normal(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).normal(size=shape).astype(np.float32)


# Values


@pytest.mark.parametrize("size", [1, 255, 256, 100_001])
def test_elementwise(target: str, size: int) -> None:
    x = normal(size)
    module = elementwise(target, function=lambda v: te.exp(v) * te.sigmoid(v))
    np.testing.assert_allclose(module(DeviceArray.of(x)).numpy(), np.exp(x) / (1 + np.exp(-x)), rtol=1e-5)


def test_tiled_matmul(target: str) -> None:
    x, y = normal(512, 512), normal(512, 512).T.copy()
    vector = 4 if importlib.util.find_spec("numba_cuda") else 1
    result = tiled_matmul(target, vector=vector)(DeviceArray.of(x), DeviceArray.of(y)).numpy()
    np.testing.assert_allclose(result, x.astype(np.float64) @ y, rtol=0, atol=1e-5 * np.abs(x @ y).max())


def test_much_shared_memory(target: str) -> None:
    """A block that holds 64 KiB: it asks for them at launch."""
    width = 16384
    a = te.placeholder((2, width), name="A")
    b = te.compute((2, width), lambda i, j: a[i, width - 1 - j], name="B")
    schedule = te.create_schedule(b.op)
    copy = schedule.cache_read(a, "shared", [b])
    schedule[b].bind(b.op.axis[0], te.thread_axis("blockIdx.x"))
    for stage in (b, copy):
        _, thread = schedule[stage].split(stage.op.axis[1], factor=1024)
        schedule[stage].bind(thread, te.thread_axis("threadIdx.x"))
    schedule[copy].compute_at(schedule[b], b.op.axis[0])
    x = normal(2, width)
    module = tilewright.build(schedule, [a, b], f"{target} -shared={4 * width}")
    np.testing.assert_array_equal(module(DeviceArray.of(x)).numpy(), x[:, ::-1])


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("turned", ["", "A", "B", "AB"])
@pytest.mark.parametrize("size", [(2048, 4096, 512), (1024, 2048, 2048), (1990, 2000, 1000)])
def test_products_of_warpgroups(torch, dtype: str, turned: str, size: tuple[int, int, int]) -> None:
    """Both orders of both operands, whole tiles and filled-up ones, against torch in double precision."""
    if cuda_driver().capability(0) != (9, 0):
        pytest.skip("sm_90a alone has them")
    m, n, k = size
    a = te.placeholder((k, m) if "A" in turned else (m, k), dtype, "A")
    b = te.placeholder((n, k) if "B" in turned else (k, n), dtype, "B")
    t = te.reduce_axis((0, k), "t")

    def term(i: Any, j: Any) -> te.Expr:
        left, right = a[t, i] if "A" in turned else a[i, t], b[j, t] if "B" in turned else b[t, j]
        return te.sum(left.astype("float32") * right.astype("float32"), axis=t)

    c = te.compute((m, n), term, name="C")
    module = tilewright.build([a, b, c], [a, b, c], "cuda -arch=sm_90a")
    assert "device.wgmma" in module.get_source()
    x, y = (torch.randn([int(e) for e in p.shape], device="cuda", dtype=getattr(torch, dtype)) for p in (a, b))
    left, right = x.double().T if "A" in turned else x.double(), y.double().T if "B" in turned else y.double()
    wanted = left @ right
    assert (module(x, y).double() - wanted).abs().max() <= 1e-5 * wanted.abs().max()


def test_arrays_of_the_host_that_may_be_copied(target: str) -> None:
    x = normal(1000)
    np.testing.assert_allclose(elementwise(target, copy=True)(x), x * 2 + 1, rtol=1e-6)
    with pytest.raises(TilewrightError, match="TW0633"):
        elementwise(target)(x)


def test_saved_and_loaded(target: str, tmp_path: Path) -> None:
    path = tmp_path / "kernels.ptx"
    elementwise(target).save(path)
    x = normal(1000)
    np.testing.assert_allclose(tilewright.load_module(path)(DeviceArray.of(x)).numpy(), x * 2 + 1, rtol=1e-6)


# Tensors


@pytest.fixture
def torch() -> Any:
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("this build of torch finds no card")
    return torch


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16", "float64"])
def test_tensors_in_and_tensors_out(torch, target: str, dtype: str) -> None:
    x = torch.randn(1000, device="cuda", dtype=getattr(torch, dtype))
    result = elementwise(target, dtype)(x)
    assert isinstance(result, torch.Tensor) and result.dtype == x.dtype and result.device == x.device
    torch.testing.assert_close(result, x * 2 + 1)
    output = torch.empty_like(x)
    assert elementwise(target, dtype)(x, output) is None
    torch.testing.assert_close(output, x * 2 + 1)


def test_what_tensors_are_refused(torch, target: str) -> None:
    module = elementwise(target)
    for wrong, code in (
        (torch.ones(8), "TW0633"),
        (torch.ones(8, device="cuda", dtype=torch.float64), "TW0703"),
        (torch.ones(8, 2, device="cuda")[:, 0], "TW0707"),
        (torch.ones(8, device="cuda", requires_grad=True), "TW0707"),
    ):
        with pytest.raises(TilewrightError, match=code):
            module(wrong)


def test_torch_s_streams(torch, target: str) -> None:
    """A long chain in one stream: each call sees what the ones before it wrote, whichever way the stream is named."""
    module = elementwise(target, function=lambda v: v + 1.0)
    stream = torch.cuda.Stream()
    x = torch.zeros(1 << 22, device="cuda")
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(50):
            x = module(x)
    for _ in range(50):
        x = module(x, stream=stream)
    stream.synchronize()
    assert bool((x == 100).all())


def test_calls_return_before_the_device_is_done(torch, target: str) -> None:
    """The device waits for this thread, before the kernel, until after the call."""
    cuda = pytest.importorskip("numba.cuda")
    module = elementwise(target)
    x, y = torch.ones(1 << 20, device="cuda"), torch.empty(1 << 20, device="cuda")
    stream, released = torch.cuda.Stream(), threading.Event()
    module(x, y, stream=stream)
    stream.synchronize()
    cuda.external_stream(stream.cuda_stream).add_callback(lambda *_: released.wait(HANG))
    module(x, y, stream=stream)
    is_done = stream.query()
    released.set()
    stream.synchronize()
    assert not is_done


def test_other_libraries_take_our_arrays(torch, target: str) -> None:
    ours = elementwise(target)(DeviceArray.of(normal(100)))
    torch.testing.assert_close(torch.as_tensor(ours, device="cuda").cpu().numpy(), normal(100) * 2 + 1)


def test_arrays_of_numba(target: str) -> None:
    cuda = pytest.importorskip("numba.cuda")
    x = normal(100)
    result = elementwise(target)(cuda.to_device(x))
    np.testing.assert_allclose(result.copy_to_host(), x * 2 + 1, rtol=1e-6)


def test_arrays_of_cupy(target: str) -> None:
    cupy = pytest.importorskip("cupy")
    x = normal(100)
    result = elementwise(target)(cupy.asarray(x))
    assert isinstance(result, cupy.ndarray)
    np.testing.assert_allclose(result.get(), x * 2 + 1, rtol=1e-6)


# Memory and threads


def test_memory_is_kept_and_given_back(torch, target: str) -> None:
    n = 1 << 24
    a = te.placeholder((n,), name="A")
    b = te.compute((n,), lambda i: a[i] + 1.0, name="B")
    c = te.compute((n,), lambda i: b[n - 1 - i] * 2.0, name="C")
    schedule = te.create_schedule(c.op)
    for stage in (b, c):
        block, thread = schedule[stage].split(stage.op.axis[0], factor=256)
        schedule[stage].bind(block, te.thread_axis("blockIdx.x"))
        schedule[stage].bind(thread, te.thread_axis("threadIdx.x"))
    module = tilewright.build(schedule, [a, c], target)
    x, y = torch.ones(n, device="cuda"), torch.empty(n, device="cuda")
    free_before = torch.cuda.mem_get_info()[0]
    module(x, y)
    torch.cuda.synchronize()
    free_after = torch.cuda.mem_get_info()[0]
    assert free_before - free_after >= 4 * n
    for _ in range(10):
        module(x, y)
    torch.cuda.synchronize()
    assert torch.cuda.mem_get_info()[0] == free_after
    del module
    gc.collect()
    assert torch.cuda.mem_get_info()[0] - free_after >= 4 * n
    assert bool((y == 4).all())


def test_several_threads(torch, target: str) -> None:
    module = elementwise(target)
    tensors = [torch.full((n,), float(n), device="cuda") for n in (10, 1000, 100_000, 17) * 4]
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(module, tensors))
    torch.cuda.synchronize()
    assert all(bool((r == 2 * t + 1).all()) for r, t in zip(results, tensors, strict=True))


def test_what_a_launch_costs(torch, target: str, capsys) -> None:
    """Printed, not judged: microseconds on the host for a call of one kernel with two arrays."""
    module = elementwise(target)
    x, y = torch.ones(32, device="cuda"), torch.empty(32, device="cuda")
    module(x, y)
    torch.cuda.synchronize()
    started = time.perf_counter()
    for _ in range(1000):
        module(x, y)
    cost = (time.perf_counter() - started) * 1e3
    torch.cuda.synchronize()
    with capsys.disabled():
        print(f"\n{cost:.1f} us for a call, {torch.cuda.get_device_name()}")
