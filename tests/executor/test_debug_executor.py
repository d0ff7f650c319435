"""The executor that times its nodes and keeps their results."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te
from tilewright.classic.executor.factory import factory_of
from tilewright.contrib.debugger import debug_executor, debug_runtime
from tilewright.runtime.params import unpack_params

GRAPH = {
    "nodes": [
        {"op": "null", "name": "x", "inputs": []},
        *(
            {
                "op": "tvm_op",
                "name": name,
                "attrs": {"func_name": name, "num_inputs": "1", "num_outputs": "1", "flatten_data": "0"},
                "inputs": [[k, 0, 0]],
            }
            for k, name in enumerate(["plus", "times"])
        ),
    ],
    "arg_nodes": [0],
    "heads": [[2, 0, 0]],
    "node_row_ptr": [0, 1, 2, 3],
    "attrs": {
        "dltype": ["list_str", ["float32"] * 3],
        "shape": ["list_shape", [[4]] * 3],
        "storage_id": ["list_int", [0, 1, 2]],
    },
}


def made(folder: Path | None) -> debug_executor.GraphModuleDebug:
    A = te.placeholder((4,), name="A")
    plus, times = te.compute((4,), lambda i: A[i] + 1.0), te.compute((4,), lambda i: A[i] * 2.0)
    library = tvm.build({"plus": [A, plus], "times": [A, times]})
    return debug_executor.create(json.dumps(GRAPH), library, tvm.cpu(), folder)


def test_a_run_leaves_a_dump(tmp_path: Path) -> None:
    executor, x = made(tmp_path), np.arange(4, dtype=np.float32)
    executor.run(x=x)
    np.testing.assert_array_equal(executor.get_output(0), 2 * (x + 1))
    folder = tmp_path / "_tvmdbg_device_CPU_0"
    assert executor.dump_path == folder
    assert [*json.loads((folder / "_tvmdbg_graph_dump.json").read_text())] == [*GRAPH][:3] + ["attrs", "node_row_ptr"]
    events = json.loads((folder / "_tvmdbg_execution_trace.json").read_text())["traceEvents"]
    assert [(e["name"], e["ph"]) for e in events] == [(n, p) for n in ("plus", "times") for p in "BE"]
    assert sorted(events, key=lambda e: e["ts"]) == events and events[0]["ts"] == 0
    outputs = unpack_params((folder / "output_tensors.params").read_bytes())
    assert [*outputs] == ["plus____topo-index:0____output-num:0", "times____topo-index:1____output-num:0"]
    np.testing.assert_array_equal(outputs["plus____topo-index:0____output-num:0"], x + 1)


def test_nodes_are_asked_for_one_by_one() -> None:
    executor, x = made(None), np.arange(4, dtype=np.float32)
    with pytest.raises(tvm.TilewrightError, match="TW0782"):
        executor.run()
    executor.set_input("x", x)
    times = executor.run_individual(2, repeat=3)
    assert [len(each) for each in times] == [3, 3]
    assert len(executor.run_individual_node(1, number=1, repeat=2).results) == 2
    for node in ("plus", 1):
        np.testing.assert_array_equal(executor.debug_get_output(node), x + 1)
    out = tvm.nd.empty((4,))
    assert executor.debug_get_output("plus", out) is out
    np.testing.assert_array_equal(out.numpy(), x + 1)
    for wrong in (lambda: executor.debug_get_output("plu"), lambda: executor.run_individual_node(2)):
        with pytest.raises(tvm.TilewrightError, match="TW0702"):
            wrong()
    executor.run()
    folder = executor.dump_path
    assert folder.exists()
    executor.exit()
    assert not folder.exists()
    assert debug_runtime.create is debug_executor.create


def test_an_executor_that_the_library_makes(tmp_path: Path) -> None:
    A = te.placeholder((4,), name="A")
    lib = factory_of(tvm.build([A, te.compute((4,), lambda i: A[i] * 2.0, name="B")]), "mine")
    x = np.arange(4, dtype=np.float32)
    for made in (lib["debug_create"]("mine", tvm.cpu()), lib.module["debug_create"]("default", tvm.cpu(0))):
        executor = debug_executor.GraphModuleDebug(made, [tvm.cpu()], lib.graph_json, dump_root=tmp_path)
        executor.run(A=x)
        np.testing.assert_array_equal(executor.get_output(0), 2 * x)
    with pytest.raises(tvm.TilewrightError, match="TW0713.*the model 'mine', but got 'default'"):
        lib["debug_create"]("default", tvm.cpu())
    with pytest.raises(tvm.TilewrightError, match="TW0725.*'device' to be cpu"):
        debug_executor.GraphModuleDebug(made, tvm.cuda(0), lib.graph_json)
    with pytest.raises(tvm.TilewrightError, match="TW0251.*programs are profiled whole"):
        executor.profile()
