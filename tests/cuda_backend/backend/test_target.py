"""The target "cuda": how it is named, and what passes read of it."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest
import tilewright
from tilewright import te
from tilewright.diagnostics import TilewrightError
from tilewright.dialects.target import CudaTargetAttr
from tilewright.driver import Target
from tilewright.runtime.devices import Device
from tilewright.runtime.kernels.driver import no_cuda
from xdsl.utils.exceptions import VerifyException

from .host_driver import HostDriver


def test_options_make_the_attribute() -> None:
    assert Target("cuda").attribute() == CudaTargetAttr.get("sm_90", 1024, 49152, 32)
    attribute = Target("cuda -arch=sm_80 -max-threads=512 -shared=98304").attribute()
    assert attribute == CudaTargetAttr.get("sm_80", 512, 98304)
    assert isinstance(attribute, CudaTargetAttr)
    assert attribute.capability == (8, 0)
    assert CudaTargetAttr.get("sm_120").capability == (12, 0)


@pytest.mark.parametrize(
    ("capability", "arch", "shared"), [((9, 0), "sm_90", 227), ((8, 6), "sm_86", 99), ((10, 3), "sm_100", 227)]
)
def test_the_gpu_that_is_here(monkeypatch, capability: tuple[int, int], arch: str, shared: int) -> None:
    """Its kind, or the latest before it, and all the shared memory of a block, unless the target asks for less."""
    here = HostDriver(capability=capability)
    monkeypatch.setattr("tilewright.runtime.kernels.driver.cuda_driver", lambda: here)
    assert Target("cuda -arch=native").attribute() == CudaTargetAttr.get(arch, 1024, shared << 10)
    small = Target("cuda -arch=native -max-threads=256 -shared=1024").attribute()
    assert small == CudaTargetAttr.get(arch, 256, 1024)
    with pytest.raises(TilewrightError, match=f"TW0612.*at most {shared << 10} bytes of shared memory on {arch}"):
        Target(f"cuda -arch=native -shared={(shared << 10) + 1}").attribute()


def test_no_gpu_is_here(monkeypatch) -> None:
    monkeypatch.setattr("tilewright.runtime.kernels.driver.cuda_driver", lambda: no_cuda("there is none"))
    with pytest.raises(TilewrightError, match="TW0634"):
        Target("cuda -arch=native").attribute()
    old = HostDriver(capability=(7, 0))
    monkeypatch.setattr("tilewright.runtime.kernels.driver.cuda_driver", lambda: old)
    with pytest.raises(
        TilewrightError, match="TW0612.*expected a GPU of sm_75 or later, but the first one here is sm_70"
    ):
        Target("cuda -arch=native").attribute()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("cuda -arch=sm_1", "-arch=native or -arch= with one of sm_75"),
        ("cuda -max-threads=2048", "from 1 to 1024"),
        ("cuda -shared=lots", "a number of bytes"),
        ("cuda -arch=sm_75 -shared=65537", "at most 65536 bytes of shared memory on sm_75"),
        ("cuda -mcpu=native", "-arch=, -max-threads= or -shared="),
    ],
)
def test_options_that_make_no_sense(text: str, problem: str) -> None:
    with pytest.raises(TilewrightError, match="TW0612") as raised:
        Target(text)
    assert problem in raised.value.message


@pytest.mark.parametrize("values", [("sm_1",), ("sm_90", 0), ("sm_90", 1024, 1 << 20), ("sm_90", 1024, 0, 64)])
def test_attributes_that_name_no_gpu(values: tuple) -> None:
    with pytest.raises(VerifyException):
        CudaTargetAttr.get(*values)


def program() -> tuple:
    a = te.placeholder((4,), name="A")
    b = te.compute((4,), lambda i: a[i] * 2.0 + 1.0, name="B")
    schedule = te.create_schedule(b.op)
    schedule[b].bind(b.op.axis[0], te.thread_axis("threadIdx.x"))
    return schedule, [a, b]


def test_products_and_sums_are_contracted() -> None:
    assert "device.fma(" in tilewright.build(*program(), "cuda", device="simulator").get_source()


@pytest.mark.parametrize(
    ("target", "options"),
    [("cpu", {"device": "simulator"}), ("opencl", {"copy": True}), ("cuda", {"device": "moon"})],
)
def test_devices_that_there_are_none_of(target: str, options: dict) -> None:
    with pytest.raises(TilewrightError, match="TW0612"):
        tilewright.build(*program(), target, **options)


def test_the_simulator_needs_no_numba() -> None:
    code = """
import sys
import numpy as np
import tilewright
from tilewright import te
a = te.placeholder((8,), name="A")
b = te.compute((8,), lambda i: te.exp(a[i]), name="B")
s = te.create_schedule(b.op)
s[b].bind(b.op.axis[0], te.thread_axis("threadIdx.x"))
assert tilewright.build(s, [a, b], "cuda", device="simulator")(np.zeros(8, np.float32)).sum() == 8
print("numba" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_schedules_that_bind_nothing_are_refused() -> None:
    a = te.placeholder((4,), name="A")
    b = te.compute((4,), lambda i: a[i] + 1.0, name="B")
    with pytest.raises(TilewrightError, match="TW0630"):
        tilewright.build(te.create_schedule(b.op), [a, b], target="cuda", device="simulator")


def test_a_rule_of_the_user_replaces_a_function() -> None:
    """Rules for "cuda" come before what the backend writes by itself."""
    from tilewright.passes.framework.intrinsics import unregister_lowering

    @tilewright.register_lowering("math.exp", target="cuda", level=99)
    def slowly(call):
        return te.call_pure_extern("float32", "powf", te.const(2.718281828, "float32"), call.args[0])

    try:
        a = te.placeholder((4,), name="A")
        b = te.compute((4,), lambda i: te.exp(a[i]), name="B")
        schedule = te.create_schedule(b.op)
        schedule[b].bind(b.op.axis[0], te.thread_axis("threadIdx.x"))
        source = tilewright.build(schedule, [a, b], "cuda", device="simulator").get_source()
    finally:
        unregister_lowering("math.exp", "cuda", 99)
    assert "math.pow(float32(2.7182817), A[uint64(i)])" in source


def test_models_are_compiled_for_a_device_as_well(tmp_path) -> None:
    path = tmp_path / "add.mlir"
    path.write_text(
        """
        func.func @main(%x: memref<4xf32>, %y: memref<4xf32> {tw.output}) attributes {tw.scheduled} {
          loop.for %i = 0 to 4 kind thread<"threadIdx.x"> {
            %a = loop.load %x[%i] : memref<4xf32>
            %b = arith.addf %a, %a : f32
            loop.store %b, %y[%i] : memref<4xf32>
          }
          func.return
        }"""
    )
    import numpy as np

    x = np.arange(4, dtype=np.float32)
    np.testing.assert_array_equal(tilewright.compile(path, "cuda", device="simulator")(x), x + x)


def test_what_devices_report(monkeypatch) -> None:
    """Numbers of the driver for a GPU, those that kernels are checked against for the simulator, nothing for others."""
    names = (
        "compute_version", "device_name", "max_threads_per_block", "max_thread_dimensions",
        "max_shared_memory_per_block", "warp_size", "multi_processor_count", "max_clock_rate", "api_version",
    )  # fmt: skip

    def reported(device: Device) -> list[object]:
        return [getattr(device, name) for name in names]

    monkeypatch.setattr("tilewright.runtime.kernels.driver.cuda_driver", lambda: HostDriver(capability=(8, 6)))
    here = [1001, [1002, 1003, 1004], 1008, 1010, 1016, 1013, None]
    assert reported(tilewright.cuda()) == ["8.6", "host 0", *here]
    simulator = tilewright.device("simulator")
    assert reported(simulator) == ["9.0", "simulator of sm_90", 1024, [1024, 1024, 64], 49152, 32, 1, None, None]
    assert reported(tilewright.cpu()) == reported(tilewright.device("opencl")) == [None] * len(names)
    assert simulator.exist and simulator.sync() is None and tilewright.cuda().exist and not tilewright.cuda(-1).exist
    assert isinstance(tilewright.nd.array([1, 2], simulator), np.ndarray)
    with pytest.raises(TilewrightError, match=r"TW0634.*cuda\(1\) is not among the 1 of this system"):
        _ = tilewright.cuda(1).warp_size
    with pytest.raises(TilewrightError, match="TW0225.*a device has no attribute 'warpsize'; did you mean 'warp_size'"):
        _ = tilewright.cpu().warpsize
    with pytest.raises(TilewrightError, match="TW0251.*'runtime.Device.set_raw_stream' is not part"):
        tilewright.cuda().set_raw_stream(0)
    assert not hasattr(tilewright.cpu(), "texture_spatial_limit")
    assert pickle.loads(pickle.dumps(simulator)) == simulator
