"""Graphs in JSON: files of the classic stack are read and checked field by field, ours have the same form."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from small_network import network
from tilewright import te
from tilewright.contrib import graph_executor
from tilewright.runtime.graph_executor import graph_of
from tilewright.runtime.graph_json import read_graph

TEXT = Path(__file__).with_name("graph.json").read_text(encoding="utf-8")


def library() -> tvm.runtime.Module:
    """Return the functions that the graph of the classic stack calls."""
    data, bias = te.placeholder((2, 6), name="data"), te.placeholder((6,), name="bias")
    total = te.compute((2, 6), lambda i, j: data[i, j] + bias[j], name="total")
    whole = te.placeholder((3, 4), name="whole")
    left = te.compute((3, 2), lambda i, j: whole[i, j], name="left")
    right = te.compute((3, 2), lambda i, j: whole[i, j + 2], name="right")
    flat = te.placeholder((6,), name="flat")
    powers = te.compute((6,), lambda i: te.exp(flat[i]), name="powers")
    functions = {"add": [data, bias, total], "split": [whole, left, right], "exp": [flat, powers]}
    return tvm.build({f"tvmgen_default_fused_{name}": args for name, args in functions.items()})


def refused(message: str, code: str = "TW0779"):
    return pytest.raises(tvm.TilewrightError, match=rf"(?s){code}.*{message}")


def test_a_graph_of_the_classic_stack_runs() -> None:
    executor = graph_executor.create(TEXT, library(), tvm.cpu())
    rng = np.random.default_rng(0)
    data, bias = rng.random((2, 6), np.float32), rng.random(6, np.float32)
    assert (executor.get_num_inputs(), executor.get_num_outputs()) == (2, 2)
    for scale in (1, 2):  # a second run reads the same inputs again
        executor.set_input("p0", scale * bias)
        executor.run(data=data)
        left, right = np.hsplit((data + scale * bias).reshape(3, 4), 2)
        np.testing.assert_allclose(executor.get_output(0), np.exp(right), rtol=1e-6)
        np.testing.assert_array_equal(executor.get_output(1), left)
    executor.run()
    np.testing.assert_array_equal(executor.get_output(1), left)


def test_the_text_of_a_graph_reads_back() -> None:
    graph = read_graph(TEXT)
    assert read_graph(graph.to_json()) == graph == read_graph(TEXT.encode())
    written = json.loads(graph.to_json())
    wanted = json.loads(TEXT)
    for node in wanted["nodes"]:
        node.get("attrs", {}).pop("hash", None)
    assert written == wanted


def test_the_graph_of_a_compiled_model_has_the_classic_form() -> None:
    program = tvm.compile(network())
    graph, params = graph_of(program, "mine")
    signature = program.signature
    constants = list(program.entry.constants)
    names = [a.name for a in signature.inputs] + [f"p{k}" for k in range(len(constants))]
    shapes = [[*a.shape] for a in signature.inputs] + [[*c.shape] for c in constants]
    dtypes = [a.dtype.name for a in signature.inputs] + [c.dtype.name for c in constants]
    count = len(names)
    attributes = {"func_name": "tvmgen_mine_main", "num_inputs": str(count), "num_outputs": "1", "flatten_data": "0"}
    call = {
        "op": "tvm_op",
        "name": "tvmgen_mine_main",
        "inputs": [[k, 0, 0] for k in range(count)],
        "attrs": attributes,
    }
    (output,) = signature.outputs
    assert json.loads(graph.to_json()) == {
        "nodes": [*({"op": "null", "name": name, "inputs": []} for name in names), call],
        "arg_nodes": [*range(count)],
        "heads": [[count, 0, 0]],
        "node_row_ptr": [*range(count + 2)],
        "attrs": {
            "dltype": ["list_str", [*dtypes, output.dtype.name]],
            "shape": ["list_shape", [*shapes, [*output.shape]]],
            "storage_id": ["list_int", [*range(count + 1)]],
        },
    }
    assert constants and all(given is constant for given, constant in zip(params.values(), constants, strict=True))


def _changes() -> dict[str, tuple[str, Callable[[Any], Any]]]:
    """Return changes of the graph, by name: what the refusal says, and the change of the parsed text."""

    def at(*path: Any, value: Any) -> Callable[[Any], Any]:
        def change(data: Any) -> None:
            for key in path[:-1]:
                data = data[key]
            data[path[-1]] = value

        return change

    def without(*path: Any) -> Callable[[Any], Any]:
        def change(data: Any) -> None:
            for key in path[:-1]:
                data = data[key]
            del data[path[-1]]

        return change

    attrs = ("nodes", 2, "attrs")
    return {
        "no nodes": ("has no nodes", lambda data: {**data, "nodes": [], "node_row_ptr": [0], "arg_nodes": []}),
        "no key": ("it has no 'heads'", without("heads")),
        "unknown key": ("it has 'more', which is not known", at("more", value=1)),
        "nodes": ("'nodes' is no list", at("nodes", value={})),
        "node": ("node 0 is no object", at("nodes", 0, value=3)),
        "unknown key of a node": ("node 0 has 'more'", at("nodes", 0, "more", value=3)),
        "no name": ("node 0 has no 'name'", without("nodes", 0, "name")),
        "op": ("has the op 'call'", at("nodes", 0, "op", value="call")),
        "name": ("'name' of node 0 is no text", at("nodes", 0, "name", value=3)),
        "inputs of an argument": ("node 'p0' of op 'null' has inputs", at("nodes", 1, "inputs", value=[[0, 0, 0]])),
        "input": ("which is no \\[node, index, 0\\]", at("nodes", 2, "inputs", 0, value=[0])),
        "version": ("which is no \\[node, index, 0\\]", at("nodes", 2, "inputs", 0, value=[0, 0, 1])),
        "later input": ("no node before it", at("nodes", 2, "inputs", 0, value=[2, 0, 0])),
        "index": ("no node before it", at("nodes", 2, "inputs", 0, value=[0, 1, 0])),
        "bool": ("is no number", at("nodes", 2, "inputs", 0, value=[True, 0, 0])),
        "attributes": ("is no object", at(*attrs, value=[])),
        "no function": ("has no 'func_name'", without(*attrs, "func_name")),
        "function": ("none of the library's functions", at(*attrs, "func_name", value="tvmgen_default_fused_sub")),
        "number": ("is no text", at(*attrs, "num_outputs", value=1)),
        "digits": ("is no text of a number", at(*attrs, "num_outputs", value="one")),
        "count of inputs": ("states 3 inputs, but has 2", at(*attrs, "num_inputs", value="3")),
        "count of outputs": ("'node_row_ptr' is not", at(*attrs, "num_outputs", value="2")),
        "flatten": ("is no text of a number from 0 to 1", at(*attrs, "flatten_data", value="2")),
        "flat arrays": ("passes float32\\[2, 6\\] for argument", at(*attrs, "flatten_data", value="1")),
        "control": ("'control_deps' of", at("nodes", 2, "control_deps", value=[5])),
        "nop of two": ("has 1 inputs and 2 outputs", at("nodes", 4, "attrs", "func_name", value="__nop")),
        "rows": ("'node_row_ptr' is not the running sum", at("node_row_ptr", 0, value=1)),
        "fewer arguments": ("'arg_nodes' are \\[0\\]", at("arg_nodes", value=[0])),
        "argument twice": ("'arg_nodes' are \\[0, 0\\]", at("arg_nodes", value=[0, 0])),
        "same name": ("two arguments have the name 'data'", at("nodes", 1, "name", value="data")),
        "no heads": ("no results in 'heads'", at("heads", value=[])),
        "head": ("no node before it", at("heads", 0, value=[9, 0, 0])),
        "form": ('is no \\["list_str"', at("attrs", "dltype", 0, value="list")),
        "fewer types": ("'dltype' lists 1 arrays", at("attrs", "dltype", 1, value=["float32"])),
        "type": ("'float31', which is no type of numbers", at("attrs", "dltype", 1, 0, value="float31")),
        "handle": ("'handle', which is no type of numbers", at("attrs", "dltype", 1, 0, value="handle")),
        "lanes": ("'float32x4', which is no type of numbers", at("attrs", "dltype", 1, 0, value="float32x4")),
        "numpy's name": ("'>f4', which is no type of numbers", at("attrs", "dltype", 1, 0, value=">f4")),
        "other type": ("passes int32\\[2, 6\\] for argument", at("attrs", "dltype", 1, 0, value="int32")),
        "open shape": ("the open shape \\[-1, 6\\]", at("attrs", "shape", 1, 0, value=[-1, 6])),
        "rank": ("of shape", at("attrs", "shape", 1, 0, value=[1] * 33)),
        "huge": ("of shape", at("attrs", "shape", 1, 0, value=[1 << 40, 1 << 40])),
        "other shape": ("passes float32\\[2, 7\\]", at("attrs", "shape", 1, 0, value=[2, 7])),
        "copy of another shape": (
            "copies float32\\[3, 2\\] to float32\\[2, 3\\]",
            at("attrs", "shape", 1, 7, value=[2, 3]),
        ),
        "nop of another size": ("of another size", at("attrs", "shape", 1, 3, value=[3, 3])),
        "nop elsewhere": ("in other memory", at("attrs", "storage_id", 1, 3, value=7)),
        "storage": ("is no number", at("attrs", "storage_id", 1, 3, value=-1)),
        "shared arguments": ("shares storage 0", at("attrs", "storage_id", 1, 1, value=0)),
        "written argument": ("writes to storage 0 of an argument", at("attrs", "storage_id", 1, 6, value=0)),
        "written twice": ("of an argument, or twice", at("attrs", "storage_id", 1, 5, value=3)),
        "lost": ("reads storage 3 after another array", at("attrs", "storage_id", 1, 6, value=3)),
        "lost result": ("a result reads storage 5", at("attrs", "storage_id", 1, 6, value=5)),
        "devices": ("on several devices", at("attrs", "device_index", 1, 0, value=2)),
        "scope": ("in the memory 'texture'", at("attrs", "storage_scope", value=["list_str", ["texture"] * 8])),
    }


def test_changed_graphs_are_refused_with_one_code() -> None:
    functions, wrong = library(), list[str]()
    for name, (message, change) in _changes().items():
        data = copy.deepcopy(json.loads(TEXT))
        changed = change(data)
        try:
            graph_executor.create(json.dumps(data if changed is None else changed), functions, tvm.cpu())
        except tvm.TilewrightError as error:
            if error.code != "TW0779" or not re.search(message, error.message):
                wrong.append(f"{name}: {error.code} {error.message}")
        else:
            wrong.append(f"{name}: accepted")
    assert not wrong


def test_texts_that_are_no_json() -> None:
    for text in ("", "{", "[1, 2]", "nul", b"\xff", "[" * 100_000, "1" * 10_000):
        with refused("a graph that the executor runs"):
            read_graph(text)
    with refused("'graph_json_str'", "TW0725"):
        read_graph(3)  # type: ignore[arg-type]


def test_a_graph_and_a_library_of_other_builds() -> None:
    data = te.placeholder((4,), name="data")
    other = tvm.build([data, te.compute((4,), lambda i: data[i] + 1.0, name="out")], name="main")
    graph, _ = graph_of(tvm.compile(network()))
    with refused("beside the 0 constants of its code"):
        graph_executor.create(graph.to_json(), other, tvm.cpu())
    with refused("which is none of the library's functions \\['main'\\]"):
        graph_executor.create(TEXT, other, tvm.cpu())


def test_older_texts() -> None:
    data = json.loads(TEXT)
    for node in data["nodes"]:
        node["control_deps"] = []
        if "attrs" in node:
            node["attr"] = node.pop("attrs")
    data["heads"] = [head[:2] for head in data["heads"]]
    del data["attrs"]["device_index"]
    assert read_graph(json.dumps(data)).nodes == read_graph(TEXT).nodes


def test_a_graph_for_another_device() -> None:
    data = json.loads(TEXT)
    data["attrs"]["device_index"][1] = [2] * 8
    with refused("on a device of the kind 2, but it is to run on cpu"):
        graph_executor.create(json.dumps(data), library(), tvm.cpu())


def test_changed_bytes_end_in_one_code() -> None:
    rng, functions = random.Random(0), library()
    codes = set[str]()
    for _ in range(1500):
        text = bytearray(TEXT.encode())
        for _ in range(rng.choice((1, 1, 2, 8))):
            at = rng.randrange(len(text))
            match rng.randrange(4):
                case 0:
                    text[at] = rng.randrange(256)
                case 1:
                    del text[at : at + rng.choice((1, 5, 200))]
                case 2:
                    text[at:at] = text[at : at + 9]
                case _:
                    text[at] = ord(rng.choice('0123456789-"[]{},:'))
        try:
            graph_executor.create(bytes(text), functions, tvm.cpu())
        except tvm.TilewrightError as error:
            codes.add(error.code)
    assert codes == {"TW0779"}
