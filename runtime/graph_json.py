"""Graphs in JSON: nodes that call functions of a library, and the arrays between them.

    {
      "nodes": [
        {"op": "null", "name": "data", "inputs": []},
        {"op": "null", "name": "p0", "inputs": []},
        {"op": "tvm_op", "name": "tvmgen_default_main", "inputs": [[0, 0, 0], [1, 0, 0]],
         "attrs": {"func_name": "tvmgen_default_main", "num_inputs": "2", "num_outputs": "1", "flatten_data": "0"}}
      ],
      "arg_nodes": [0, 1],
      "heads": [[2, 0, 0]],
      "node_row_ptr": [0, 1, 2, 3],
      "attrs": {
        "dltype": ["list_str", ["float32", "float32", "float32"]],
        "shape": ["list_shape", [[1, 3], [3, 4], [1, 4]]],
        "storage_id": ["list_int", [0, 1, 2]]
      }
    }

An entry is an output of a node, in the order of the nodes: `node_row_ptr` is the number of each node's first entry.
Entries of one storage id share memory. A node of op "null" is an argument, which callers set. `__nop` gives its first
input in another shape, `__copy` copies it. "device_index" lists the number of a device for each entry, "storage_scope"
its kind of memory.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, NoReturn

import numpy as np

from .description import read_dtype
from .errors import fail
from .expectations import expect_type

NOP, COPY = "__nop", "__copy"
_MOST_DIMENSIONS = 32
_LARGEST = 1 << 62


@dataclass(frozen=True)
class GraphNode:
    """A node of a graph: an argument, or the call of a function."""

    name: str
    function: str | None = None
    """The name of the function; None for an argument."""
    inputs: tuple[int, ...] = ()
    """Entries."""
    outputs: tuple[int, ...] = ()
    """Entries."""
    is_flat: bool = False
    """The function takes its arrays without their dimensions."""


@dataclass(frozen=True)
class Entry:
    """An array of a graph."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    storage: int

    @property
    def nbytes(self) -> int:
        return prod(self.shape) * self.dtype.itemsize

    def __str__(self) -> str:
        return f"{self.dtype.name}[{', '.join(map(str, self.shape))}]"


@dataclass(frozen=True)
class Graph:
    """A graph whose nodes come in the order in which they run."""

    nodes: tuple[GraphNode, ...]
    entries: tuple[Entry, ...]
    arguments: tuple[int, ...]
    """The nodes that callers set, in the order of their numbers for callers."""
    heads: tuple[int, ...]
    """The entries that are results."""
    device: int | None = None
    """The number of the kind of device that it states, by DLPack."""

    def to_json(self) -> str:
        """Return the graph as text."""
        nodes: list[dict[str, Any]] = []
        position = {
            entry: (number, k) for number, node in enumerate(self.nodes) for k, entry in enumerate(node.outputs)
        }
        for node in self.nodes:
            written: dict[str, Any] = {"op": "null", "name": node.name}
            if node.function is not None:
                attributes = {
                    "func_name": node.function,
                    "num_inputs": len(node.inputs),
                    "num_outputs": len(node.outputs),
                    "flatten_data": int(node.is_flat),
                }
                written |= {"op": "tvm_op", "attrs": {key: str(value) for key, value in attributes.items()}}
            nodes.append({**written, "inputs": [[*position[entry], 0] for entry in node.inputs]})
        rows = [0]
        for node in self.nodes:
            rows.append(rows[-1] + len(node.outputs))
        attributes = {
            "dltype": ["list_str", [entry.dtype.name for entry in self.entries]],
            "shape": ["list_shape", [[*entry.shape] for entry in self.entries]],
            "storage_id": ["list_int", [entry.storage for entry in self.entries]],
        }
        if self.device is not None:
            attributes["device_index"] = ["list_int", [self.device] * len(self.entries)]
        data = {
            "nodes": nodes,
            "arg_nodes": [*self.arguments],
            "heads": [[*position[entry], 0] for entry in self.heads],
            "attrs": attributes,
            "node_row_ptr": rows,
        }
        return _text(data)


def _text(data: Mapping[str, Any]) -> str:
    """Return a graph as text: one line for each node, and for each attribute of the arrays."""
    lines = ",\n".join(f"    {json.dumps(node)}" for node in data["nodes"])
    attributes = ",\n".join(f"    {json.dumps(key)}: {json.dumps(value)}" for key, value in data["attrs"].items())
    rest = [f"  {json.dumps(key)}: {json.dumps(data[key])}" for key in ("arg_nodes", "heads")]
    parts = [
        f'  "nodes": [\n{lines}\n  ]',
        *rest,
        f'  "attrs": {{\n{attributes}\n  }}',
        f'  "node_row_ptr": {json.dumps(data["node_row_ptr"])}',
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def refuse(why: str) -> NoReturn:
    """Refuse a graph (TW0779)."""
    fail("TW0779", f"expected a graph that the executor runs, but {why}")


def read_graph(text: str | bytes) -> Graph:
    """Return the graph that a text is. Raises TilewrightError TW0779 for one that is malformed, or that contradicts
    itself."""
    expect_type("graph_json_str", text, str, bytes, bytearray)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        refuse(f"its text is no JSON: {error}")
    _Value(data, "it").keys("nodes", "arg_nodes", "heads", "node_row_ptr", "attrs", optional=("metadata",))
    return _Reader(data).graph()


class _Reader:
    """Reads the parts of a graph."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = data
        self._nodes = [_Value(node, f"node {k}") for k, node in enumerate(_Value(data["nodes"], "'nodes'").list())]
        self._rows = [0]

    def graph(self) -> Graph:
        nodes: list[GraphNode] = []
        for number, value in enumerate(self._nodes):
            nodes.append(self._node(number, value))
            self._rows.append(self._rows[-1] + len(nodes[-1].outputs))
        if _Value(self._data["node_row_ptr"], "'node_row_ptr'").list() != self._rows:
            refuse(f"'node_row_ptr' is not the running sum of the nodes' outputs, {self._rows}")
        if not nodes:
            refuse("it has no nodes")
        entries, device = self._entries(_Value(self._data["attrs"], "'attrs'"))
        heads = [self._entry(head, "'heads'", len(nodes)) for head in _Value(self._data["heads"], "'heads'").list()]
        if not heads:
            refuse("it has no results in 'heads'")
        graph = Graph(tuple(nodes), entries, self._arguments(nodes), tuple(heads), device)
        _check_storage(graph)
        return graph

    def _node(self, number: int, value: _Value) -> GraphNode:
        value.keys("op", "name", "inputs", optional=("attrs", "attr", "control_deps"))
        name, op = value["name"].text(), value["op"].text()
        if op not in ("null", "tvm_op"):
            refuse(f"node '{name}' has the op '{op}', which is neither 'null' nor 'tvm_op'")
        inputs = [self._entry(each, f"input of '{name}'", number) for each in value["inputs"].list()]
        for each in value["control_deps"].list() if "control_deps" in value else ():
            _Value(each, f"'control_deps' of '{name}'").count(number)
        first = self._rows[number]
        if op == "null":
            if inputs:
                refuse(f"node '{name}' of op 'null' has inputs")
            return GraphNode(name, None, (), (first,))
        attributes = value["attrs" if "attrs" in value else "attr"]
        attributes.keys("func_name", "num_inputs", "num_outputs", "flatten_data", others=True)
        count = attributes["num_outputs"].number(1, 1 << 20)
        if attributes["num_inputs"].number(0, 1 << 20) != len(inputs):
            refuse(f"node '{name}' states {attributes['num_inputs'].value} inputs, but has {len(inputs)}")
        is_flat = attributes["flatten_data"].number(0, 2) == 1
        node = GraphNode(
            name, attributes["func_name"].text(), tuple(inputs), tuple(range(first, first + count)), is_flat
        )
        if node.function in (NOP, COPY) and (count != 1 or not inputs or (node.function == COPY and len(inputs) > 1)):
            refuse(f"node '{name}' of {node.function} has {len(inputs)} inputs and {count} outputs")
        return node

    def _entry(self, data: Any, what: str, before: int) -> int:
        """Return the entry that [node, index, version] is, of a node whose number is less than `before`."""
        value = _Value(data, what)
        parts = [_Value(part, what).count(_LARGEST) for part in value.list()]
        if len(parts) not in (2, 3) or parts[2:] not in ([], [0]):
            refuse(f"{what} is {data!r}, which is no [node, index, 0]")
        node, index = parts[:2]
        if node >= before or index >= self._rows[node + 1] - self._rows[node]:
            refuse(f"{what} is {data!r}, and no node before it has such an output")
        return self._rows[node] + index

    def _arguments(self, nodes: Sequence[GraphNode]) -> tuple[int, ...]:
        found = _Value(self._data["arg_nodes"], "'arg_nodes'").counts()
        wanted = [number for number, node in enumerate(nodes) if node.function is None]
        if sorted(found) != wanted:
            refuse(f"'arg_nodes' are {found}, but the nodes of op 'null' are {wanted}")
        names = [nodes[number].name for number in found]
        if len({*names}) < len(names):
            refuse(f"two arguments have the name '{next(name for name in names if names.count(name) > 1)}'")
        return tuple(found)

    def _entries(self, attributes: _Value) -> tuple[tuple[Entry, ...], int | None]:
        attributes.keys("dltype", "shape", "storage_id", others=True)
        dtypes = self._listed(attributes, "dltype", "list_str")
        shapes = self._listed(attributes, "shape", "list_shape")
        storages = self._listed(attributes, "storage_id", "list_int")
        entries = tuple(
            Entry(_dtype(dtype), _shape(shape), storage.count(_LARGEST))
            for dtype, shape, storage in zip(dtypes, shapes, storages)
        )
        device = None
        if "device_index" in attributes:
            devices = {each.count(1 << 16) for each in self._listed(attributes, "device_index", "list_int")}
            if len(devices) > 1:
                refuse(f"its arrays live on several devices, of the kinds {sorted(devices)}")
            device = next(iter(devices))
        if "storage_scope" in attributes:
            for scope in self._listed(attributes, "storage_scope", "list_str"):
                if scope.text() not in ("", "global"):
                    refuse(f"an array lives in the memory '{scope.value}'")
        return entries, device

    def _listed(self, attributes: _Value, name: str, form: str) -> list[_Value]:
        parts = attributes[name].list()
        if len(parts) != 2 or parts[0] != form:
            refuse(f"'{name}' is no [\"{form}\", [..]]")
        listed = [_Value(each, f"'{name}'") for each in _Value(parts[1], f"'{name}'").list()]
        if len(listed) != self._rows[-1]:
            refuse(f"'{name}' lists {len(listed)} arrays, but the nodes have {self._rows[-1]} outputs")
        return listed


class _Value:
    """A value of a JSON text, with accessors that check its type."""

    def __init__(self, value: Any, what: str) -> None:
        self.value = value
        self._what = what

    def __contains__(self, key: str) -> bool:
        return key in self.value

    def __getitem__(self, key: str) -> _Value:
        return _Value(self.value[key], f"'{key}' of {self._what}")

    def keys(self, *wanted: str, optional: Sequence[str] = (), others: bool = False) -> None:
        """Refuse a value that is no object with these keys, and with no more than the optional ones."""
        if not isinstance(self.value, dict):
            refuse(f"{self._what} is no object, but {_shown(self.value)}")
        missing = next((key for key in wanted if key not in self.value), None)
        if missing is not None:
            refuse(f"{self._what} has no '{missing}'")
        more = next((key for key in self.value if key not in (*wanted, *optional)), None)
        if more is not None and not others:
            refuse(f"{self._what} has '{more}', which is not known")

    def list(self) -> list[Any]:
        if not isinstance(self.value, list):
            refuse(f"{self._what} is no list, but {_shown(self.value)}")
        return self.value

    def text(self) -> str:
        if not isinstance(self.value, str):
            refuse(f"{self._what} is no text, but {_shown(self.value)}")
        return self.value

    def count(self, end: int) -> int:
        """Return a number that is less than `end`."""
        if type(self.value) is not int or not 0 <= self.value < end:
            refuse(f"{self._what} is no number from 0 to {end - 1}, but {_shown(self.value)}")
        return self.value

    def counts(self) -> list[int]:
        return [_Value(each, self._what).count(_LARGEST) for each in self.list()]

    def number(self, least: int, end: int) -> int:
        """Return a number from `least` on, as a text."""
        digits = self.text()
        if not digits.isdecimal() or len(digits) > 9 or not least <= int(digits) < end:
            refuse(f"{self._what} is no text of a number from {least} to {end - 1}, but {_shown(digits)}")
        return int(digits)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _dtype(value: _Value) -> np.dtype[Any]:
    name = value.text()
    try:
        dtype = read_dtype(name)
    except (TypeError, AttributeError, ValueError):
        refuse(f"it has an array of {name!r}, which is no type of numbers")
    if dtype.name != name:  # numpy has other spellings, with an order of bytes
        refuse(f"it has an array of {name!r}, which is no type of numbers")
    return dtype


def _shape(value: _Value) -> tuple[int, ...]:
    sizes = value.list()
    if any(type(size) is int and size < 0 for size in sizes):
        refuse(f"it has an array of the open shape {sizes}")
    shape = tuple(value.counts())
    if len(shape) > _MOST_DIMENSIONS or prod(shape) >= _LARGEST:
        refuse(f"it has an array of shape {_shown(sizes)}")
    return shape


def _check_storage(graph: Graph) -> None:
    """Refuse a graph of which a node reads memory that another entry was written to in between, and one that writes to
    the memory of its arguments, which the next run reads again."""
    holder: dict[int, int] = {}
    kept: set[int] = set()
    root: dict[int, int] = {}
    for number in graph.arguments:
        (entry,) = graph.nodes[number].outputs
        storage = graph.entries[entry].storage
        if storage in kept:
            refuse(f"argument '{graph.nodes[number].name}' shares storage {storage} with another one")
        kept.add(storage)
        holder[storage] = root[entry] = entry

    def expect_held(entry: int, reader: str) -> None:
        if holder.get(graph.entries[entry].storage) != root[entry]:
            refuse(f"{reader} reads storage {graph.entries[entry].storage} after another array was written there")

    for node in graph.nodes:
        if node.function is None:
            continue
        for entry in node.inputs:
            expect_held(entry, f"node '{node.name}'")
        if node.function == NOP:
            source, result = graph.entries[node.inputs[0]], graph.entries[node.outputs[0]]
            if source.storage != result.storage or source.nbytes != result.nbytes or source.dtype != result.dtype:
                refuse(f"node '{node.name}' of {NOP} makes {result} of {source} in other memory or of another size")
            root[node.outputs[0]] = root[node.inputs[0]]
            continue
        for entry in node.outputs:
            storage = graph.entries[entry].storage
            if storage in kept or (storage in holder and holder[storage] in node.outputs):
                refuse(f"node '{node.name}' writes to storage {storage} of an argument, or twice")
            holder[storage] = root[entry] = entry
    for entry in graph.heads:
        expect_held(entry, "a result")
