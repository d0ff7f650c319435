"""Modules of WebAssembly: what they export, and where calls fail."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest
import tilewright
from tilewright import te, tir, topi
from tilewright.runtime.description import HEADER, MAGIC, VERSION
from tilewright.runtime.package_info import package_info

from .emulated import WASM32, Instance

pytestmark = pytest.mark.needs(*WASM32.tools)

N = te.var("n")
X = te.placeholder((N,), name="x")


def test_a_module_describes_itself(tmp_path: Path) -> None:
    """A host finds inputs and outputs in the module's memory; nobody else's code is needed."""
    y = te.placeholder((3, 2), name="y")
    module = tilewright.build({"first": [X, topi.exp(X)], "a second": [y, topi.add(y, y)]}, target="wasm32")
    module.save(tmp_path / "m.wasm")
    instance = Instance(tmp_path / "m.wasm")
    functions = {"memory", "tilewright_module", "tilewright_allocate", "tilewright_free", "first", "a second"}
    assert {*instance.exports.keys()} == functions
    address = instance.exports["tilewright_module"].value(instance.store)
    magic, version, length, distance, _ = HEADER.unpack(instance.read(address, HEADER.size))
    assert (magic, version, address % 64, distance % 64) == (MAGIC, VERSION, 0, 0)
    described = json.loads(instance.read(address + HEADER.size, length))
    assert [entry["name"] for entry in described["entries"]] == ["first", "a second"]
    assert described["entries"][1]["inputs"][0]["shape"] == [3, 2]
    info = package_info(tmp_path / "m.wasm")
    assert (info.form, info.machine) == ("WebAssembly module", "wasm32")
    assert str(info).endswith("threads: one")


def test_memory_that_is_not_there_is_a_status(tmp_path: Path) -> None:
    """A buffer beyond 32 bits, and one beyond the memory that an engine grants; the next call has its memory."""
    wide = te.compute((N, 1 << 20), lambda i, j: X[i] + j.astype("float32"), name="wide")
    k = te.reduce_axis((0, 1 << 20), "k")
    y = te.compute((N,), lambda i: te.max(wide[i, k], axis=k), name="y")
    tilewright.build(te.create_schedule(y.op), [X, y], target="wasm32").save(tmp_path / "m.wasm")
    instance = Instance(tmp_path / "m.wasm")
    x = np.arange(2000, dtype=np.float32)
    addresses = [instance.address_of(array) for array in (x, np.zeros_like(x))]
    for size in (1000, 1023, 1024, 2000):
        assert instance.call("main", *addresses, size, 1) == 1
    assert instance.call("main", *addresses, 3, 1) == 0
    found = struct.unpack("<3f", instance.read(addresses[1], 12))
    np.testing.assert_allclose(found, x[:3] + (1 << 20) - 1)


def test_an_index_out_of_bounds_is_a_status(tmp_path: Path) -> None:
    k = te.placeholder((4,), "int32", name="k")
    y = te.compute((4,), lambda i: X[k[i]], name="y")
    tilewright.build([X, k, y], target="wasm32").save(tmp_path / "m.wasm")
    instance = Instance(tmp_path / "m.wasm")
    x = np.arange(9, dtype=np.float32)
    for numbers, status in (([8, 0, 3, 3], 0), ([8, 9, 0, 0], 1), ([-10, 0, 0, 0], 1)):
        addresses = [instance.address_of(a) for a in (x, np.array(numbers, np.int32), np.zeros(4, np.float32))]
        assert instance.call("main", *addresses, 9, 1) == status
        if status == 0:
            assert instance.read(addresses[2], 16) == x[numbers].tobytes()


def test_loops_that_are_parallel_run_on_one_thread(tmp_path: Path) -> None:
    y = te.compute((N,), lambda i: X[i] * 2 + 1, name="y")
    schedule = te.create_schedule(y.op)
    schedule[y].parallel(y.op.axis[0])
    module = tilewright.build(schedule, [X, y], target="wasm32")
    x = np.arange(37, dtype=np.float32)
    ((found,),) = WASM32.run(module, [("main", [x])], tmp_path)
    np.testing.assert_array_equal(found, x * 2 + 1)


def test_strides_that_callers_state(tmp_path: Path) -> None:
    """Strides are 32 bits wide in the table of arguments, as pointers are."""
    a = te.placeholder((3, 4), name="a")
    b = te.compute((3, 4), lambda i, j: a[i, j] + 1, name="b")
    strided = tir.decl_buffer(a.shape, a.dtype, strides=[te.var("s"), 1])
    module = tilewright.build(te.create_schedule(b.op), [a, b], target="wasm32", binds={a: strided})
    module.save(tmp_path / "m.wasm")
    instance = Instance(tmp_path / "m.wasm")
    x = np.arange(3 * 7, dtype=np.float32).reshape(3, 7)
    addresses = [instance.address_of(array) for array in (x, np.zeros((3, 4), np.float32))]
    assert instance.call("main", *addresses, 7, 1) == 0
    found = np.frombuffer(instance.read(addresses[1], 48), np.float32).reshape(3, 4)
    np.testing.assert_array_equal(found, x[:, :4] + 1)
