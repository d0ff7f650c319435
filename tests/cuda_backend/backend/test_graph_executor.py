"""Executors whose arrays are on a GPU."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import relay, te
from tilewright.contrib import graph_executor
from tilewright.runtime.kernels.device_array import DeviceArray


def library() -> Any:
    """Return a program of one kernel."""
    a = te.placeholder((32,), name="A")
    b = te.compute((32,), lambda i: a[i] + 1.0, name="B")
    schedule = te.create_schedule(b.op)
    block, thread = schedule[b].split(b.op.axis[0], factor=8)
    schedule[b].bind(block, te.thread_axis("blockIdx.x"))
    schedule[b].bind(thread, te.thread_axis("threadIdx.x"))
    return tvm.build(schedule, [a, b], "cuda", name="plus")


def graph() -> str:
    """Return a graph: x in another shape, plus 1, plus 1, and a copy of that."""
    calls = [("__nop", 0), ("plus", 1), ("plus", 2), ("__copy", 3)]
    nodes: list[dict[str, Any]] = [{"op": "null", "name": "x", "inputs": []}]
    for number, (name, source) in enumerate(calls):
        attributes = {"func_name": name, "num_inputs": "1", "num_outputs": "1", "flatten_data": "0"}
        nodes.append({"op": "tvm_op", "name": f"n{number}", "inputs": [[source, 0, 0]], "attrs": attributes})
    attributes = {
        "dltype": ["list_str", ["float32"] * 5],
        "shape": ["list_shape", [[4, 8], *[[32]] * 4]],
        "storage_id": ["list_int", [0, 0, 1, 2, 3]],
        "device_index": ["list_int", [2] * 5],
    }
    rest = {"arg_nodes": [0], "heads": [[4, 0, 0]], "node_row_ptr": [*range(6)], "attrs": attributes}
    return json.dumps({"nodes": nodes, **rest})


def test_arrays_of_the_host_are_copied_to_the_device(driver: Any) -> None:
    executor = graph_executor.create(graph(), library(), tvm.cuda(0))
    for scale in (1, 2):
        x = scale * np.arange(32, dtype=np.float32).reshape(4, 8)
        executor.run(x=x)
        result = executor.get_output(0)
        assert isinstance(result, DeviceArray)
        np.testing.assert_array_equal(result.numpy(), x.ravel() + 2)
        out = np.empty(32, np.float32)
        np.testing.assert_array_equal(executor.get_output(0, out), x.ravel() + 2)
    given = DeviceArray.of(x)
    executor.set_input_zero_copy("x", given)
    executor.run()
    np.testing.assert_array_equal(executor.get_output(0).numpy(), x.ravel() + 2)
    assert executor.get_input("x") is given
    with pytest.raises(tvm.TilewrightError, match=r"TW0707.*expected an array on cuda\(0\)"):
        executor.set_input_zero_copy("x", x)
    executor.set_input("x", DeviceArray.of(3 * x))
    executor.run()
    np.testing.assert_array_equal(executor.get_output(0).numpy(), 3 * x.ravel() + 2)
    assert executor.benchmark(tvm.cuda(0), repeat=2, number=1, end_to_end=True).mean > 0
    with pytest.raises(tvm.TilewrightError, match=r"TW0725.*a device of the kind cuda"):
        graph_executor.create(graph(), library(), tvm.cpu())


def test_memory_goes_with_the_executor(driver: Any) -> None:
    executor = graph_executor.create(graph(), library(), tvm.cuda(0))
    executor.run(x=np.zeros((4, 8), np.float32))
    made = len(driver.asked("allocate"))
    assert made == 4  # the input and three results
    executor.run()
    assert len(driver.asked("allocate")) == made
    del executor
    assert len(driver.asked("free")) == made


def test_a_model_built_for_a_gpu(driver: Any) -> None:
    """The programs of 2018 with `target.cuda()`: kernels keep their constants, so that there are no parameters."""
    x, w = relay.var("x", shape=(2, 6), dtype="float32"), relay.var("w", shape=(2, 6), dtype="float32")
    weights, data = np.full((2, 6), 2, np.float32), np.linspace(-1, 1, 12, dtype=np.float32).reshape(2, 6)
    graph, lib, params = tvm.compiler.build(
        relay.Function([x, w], relay.nn.relu(x * w)), tvm.target.cuda(), {"w": weights}
    )
    module = tvm.runtime.create(graph, lib, tvm.cuda(0))
    module.set_input(**params)
    module.run(x=data)
    output = tvm.nd.empty((2, 6), ctx=tvm.cuda(0))
    module.get_output(0, output)
    assert params == {}
    np.testing.assert_array_equal(output.numpy(), np.maximum(2 * data, 0))
