"""Arrays, devices and modules of compiled programs, as old programs use them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te


def refused(code: str, message: str):
    return pytest.raises(tvm.TilewrightError, match=rf"(?s){code}.*{message}")


def doubled():
    A = te.placeholder((16,), name="A")
    B = te.compute((16,), lambda i: A[i] * 2.0, name="B")
    return te.create_schedule(B.op), [A, B]


def test_arrays_by_device_and_by_its_older_name() -> None:
    x = np.arange(6, dtype=np.int32).reshape(2, 3)
    for made in (tvm.nd.array(x), tvm.nd.array(x, tvm.cpu()), tvm.nd.array(x, ctx=tvm.cpu(0)), tvm.nd.array(x, "cpu")):
        assert isinstance(made, tvm.nd.NDArray) and (made.shape, made.dtype) == ((2, 3), np.int32)
        np.testing.assert_array_equal(made.numpy(), x)
        np.testing.assert_array_equal(made.asnumpy(), x)
        assert not np.shares_memory(made, x)
    assert tvm.nd.empty((2, 3), "int32", ctx=tvm.cpu()).dtype == np.int32
    assert tvm.nd.empty(4).shape == (4,) and tvm.nd.array(tvm.nd.array(x), tvm.cpu()).shape == (2, 3)
    assert tvm.runtime.ndarray.array is tvm.nd.array
    with refused("TW0725", "'device'"):
        tvm.nd.array(x, 3)
    with refused("TW0602", "a device of a known kind"):
        tvm.nd.array(x, "rocm")
    with refused("TW0602", "a device of a known kind"):
        tvm.nd.empty(4, "int32", tvm.device("opencl", 0))


def test_copies() -> None:
    x, y = tvm.nd.array(np.arange(4.0)), tvm.nd.empty((4,), "float64")
    assert x.copyto(y) is y
    np.testing.assert_array_equal(y.numpy(), np.arange(4.0))
    assert y.copyfrom([4, 3, 2, 1]) is y
    np.testing.assert_array_equal(y, [4, 3, 2, 1])
    fresh = y.copyto(tvm.cpu())
    np.testing.assert_array_equal(fresh, y)
    assert not np.shares_memory(fresh, y)
    for wrong in (lambda: x.copyto(tvm.nd.empty((5,))), lambda: x.copyfrom(np.zeros(3)), lambda: x.copyfrom(1.0)):
        with refused("TW0704", "expected an array of shape"):
            wrong()
    with refused("TW0725", "'target'"):
        x.copyto(3)


def test_modules_report_their_language_and_launches(tmp_path: Path) -> None:
    s, args = doubled()
    assert tvm.build(s, args, "llvm").type_key == "llvm" and tvm.build(s, args, "llvm").imported_modules == []
    assert tvm.build(s, args, "c").type_key == "c" and tvm.build(s, args, "interpreter").type_key == "interpreter"
    A, B = args
    s = te.create_schedule(B.op)
    block, thread = s[B].split(B.op.axis[0], factor=4)
    s[B].bind(block, te.thread_axis("blockIdx.x"))
    s[B].bind(thread, te.thread_axis("threadIdx.x"))
    kernels = tvm.build(s, args, "opencl")
    (device,) = kernels.imported_modules
    assert kernels.type_key == device.type_key == "opencl"
    device.save(str(tmp_path / "kernels.cl"))
    assert (tmp_path / "kernels.cl").read_text() == device.get_source()
    with refused("TW0614", "ends in .cl"):
        device.save(str(tmp_path / "kernels.spv"))
    simulated = tvm.build(s, args, "cuda", device="simulator")
    (device,) = simulated.imported_modules
    assert simulated.type_key == device.type_key == "cuda"
    device.save(str(tmp_path / "kernels.py"))
    simulated.save(str(tmp_path / "same.py"))
    assert (tmp_path / "kernels.py").read_text() == device.get_source() == (tmp_path / "same.py").read_text()
    with refused("TW0614", "ends in .py or .ptx"):
        device.save(str(tmp_path / "kernels.cubin"))


def test_functions_of_a_module_and_their_time() -> None:
    s, args = doubled()
    program = tvm.build(s, args, "llvm", name="twice")
    x, y = tvm.nd.array(np.arange(16, dtype=np.float32)), tvm.nd.empty((16,))
    program.get_function("twice")(x, y)
    np.testing.assert_array_equal(y.numpy(), 2 * x.numpy())
    program.get_function(program.entry_name)(x, y)
    timing = program.time_evaluator(program.entry_name, tvm.cpu(0), number=2, repeat=3)(x, y)
    assert len(timing.results) == 3 and timing.mean > 0
    with refused("TW0713", "'thrice'"):
        program.get_function("thrice")
