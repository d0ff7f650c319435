"""Nested graphs of a model: the branches of If, the bodies of Loop and Scan.

A nested graph sees the names of the graphs around it. Its nodes are converted at the importer's insertion point: into a
region, or in line if the taken branch is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from typing import TYPE_CHECKING

import onnx
from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Block

from ...diagnostics import TilewrightError, fail
from .value_inputs import VALUE_HELP

if TYPE_CHECKING:
    from .importer import Importer
    from .listed import AnyValue
    from .node import Node


class DependsOnIteration(TilewrightError):
    """TW0304 for a value in a region that has to be a constant, but depends on a block argument of the region."""

    block: Block
    """The block of the region."""

    @staticmethod
    def of(block: Block, message: str, location: LocationAttr | None) -> DependsOnIteration:
        """Return the error for a value that depends on an argument of a block."""
        error = DependsOnIteration("TW0304", message, location=location, help=VALUE_HELP)
        error.block = block
        return error


def all_nodes(graph: onnx.GraphProto) -> Iterator[onnx.NodeProto]:
    """Yield the nodes of a graph and of the graphs in their attributes."""
    for node in graph.node:
        yield node
        for inner in graphs_of(node):
            yield from all_nodes(inner)


def graphs_of(node: onnx.NodeProto) -> Iterator[onnx.GraphProto]:
    """Yield the graphs in a node's attributes."""
    for attribute in node.attribute:
        yield from attribute.graphs
        if attribute.HasField("g"):
            yield attribute.g


def used_names(graph: onnx.GraphProto) -> set[str]:
    """Return the names that nodes read, in graphs within too, and those of the results."""
    used = {name for node in graph.node for name in node.input} | {output.name for output in graph.output}
    for node in graph.node:
        for inner in graphs_of(node):
            used |= used_names(inner)
    return used


def in_order(graph: onnx.GraphProto) -> onnx.GraphProto:
    """Return the graph, or a copy of it whose nodes stand behind those that compute their inputs. Converters to float16
    append casts of inputs behind all other nodes, and onnxruntime takes a graph in any order. Nodes of a cycle stay
    last.
    """
    producers = {name: index for index, node in enumerate(graph.node) for name in node.output if name}
    needed = [{producers[name] for name in _read(node) if name in producers} for node in graph.node]
    if all(index > max(before, default=-1) for index, before in enumerate(needed)):
        return graph
    readers: list[list[int]] = [[] for _ in needed]
    for index, before in enumerate(needed):
        for each in before:
            readers[each].append(index)
    counts = [len(before) for before in needed]
    ready = [index for index, count in enumerate(counts) if not count]
    order: list[int] = []
    while ready:
        order.append(index := heappop(ready))  # the first in the file of those that can be computed
        for reader in readers[index]:
            counts[reader] -= 1
            if not counts[reader]:
                heappush(ready, reader)
    order += [index for index, count in enumerate(counts) if count]
    nodes = [graph.node[index] for index in order]
    sorted_graph = onnx.GraphProto()
    sorted_graph.CopyFrom(graph)
    del sorted_graph.node[:]
    sorted_graph.node.extend(nodes)
    return sorted_graph


def _read(node: onnx.NodeProto) -> set[str]:
    """Return the names that a node reads, those of its graphs among them."""
    return set(node.input).union(*map(used_names, graphs_of(node)))


def convert_graph(node: Node, graph: onnx.GraphProto, inputs: Sequence[AnyValue]) -> list[AnyValue]:
    """Convert a graph for these inputs, at the importer's insertion point, and return its results."""
    importer = node.importer
    if len(inputs) != len(graph.input):
        node.fail("TW0303", f"expected {len(inputs)} inputs of graph '{graph.name}', but got {len(graph.input)}")
    with importer.names_of(graph):
        for declared, value in zip(graph.input, inputs, strict=True):
            importer.define(declared.name, value)
        importer.convert_all(graph.node, node.opset)
        return [_result(importer, node, output.name) for output in graph.output]


def _result(importer: Importer, node: Node, name: str) -> AnyValue:
    if (value := importer.find(name)) is None:
        fail("TW0303", f"output '{name}' of a graph in node '{node.label}' is computed by no node")
    return value
