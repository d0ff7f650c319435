"""Expansion of operators that are defined by a body of simpler operators.

The standard defines a body for many operators, some depending on attributes and types of inputs, and a model may
contain functions. A node without a converter is replaced by its body, whose names are prefixed with the node's name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import onnx

from ...diagnostics import fail
from ..user_converters import STANDARD_DOMAINS

Functions: TypeAlias = Mapping[tuple[str, str], onnx.FunctionProto]
"""The functions of a model by domain and name."""


@dataclass(frozen=True)
class Expansion:
    """The nodes that a node is expanded to."""

    nodes: tuple[onnx.NodeProto, ...]
    opset: int
    """The version of the standard operators that these are of."""


def functions_of(model: onnx.ModelProto) -> dict[tuple[str, str], onnx.FunctionProto]:
    """Return the functions that a model brings."""
    return {(function.domain, function.name): function for function in model.functions}


def has_body(
    node: onnx.NodeProto,
    opset: int,
    functions: Functions,
    is_converted: Callable[[onnx.NodeProto], bool],
    within: frozenset[tuple[str, str]] = frozenset(),
) -> bool:
    """Return whether a node is defined by nodes that are all converted or have bodies.

    A body that depends on types counts, because nothing is known of it before the types are. Raises TW0303 for a
    function that calls itself; `within` are the functions whose bodies are being examined.
    """
    key = (node.domain, node.op_type)
    if key in within:
        name = f"{node.domain}.{node.op_type}"
        fail("TW0303", f"expected functions that do not call themselves, but the body of '{name}' leads back to it")
    if key in functions or not _versions_by_types(node, opset):
        body = _stated_body(node, opset, functions)
        if body is None:
            return False
        inner = _opset_in(body, opset)
        deeper = within | {key}
        return all(is_converted(each) or has_body(each, inner, functions, is_converted, deeper) for each in body.node)
    return True


def expand(node: onnx.NodeProto, opset: int, functions: Functions, types: Sequence[onnx.TypeProto]) -> Expansion | None:
    """Return the nodes of a node's body, or None where it has none. `types` are those of its inputs."""
    body = _stated_body(node, opset, functions) or _body_for(node, opset, types)
    if body is None:
        return None
    renaming = dict(_names(node, body))
    prefix = f"{node.name or next(name for name in node.output if name)}/"
    given = _attributes(node, body, opset)
    return Expansion(tuple(_renamed(each, renaming, prefix, given) for each in body.node), _opset_in(body, opset))


def _schema(node: onnx.NodeProto, opset: int) -> Any:
    """Return the definition of a node's operator, or None; onnx's stubs lack its interface of functions."""
    try:
        return onnx.defs.get_schema(node.op_type, opset, "" if node.domain in STANDARD_DOMAINS else node.domain)
    except onnx.defs.SchemaError:
        return None


def _stated_body(node: onnx.NodeProto, opset: int, functions: Functions) -> onnx.FunctionProto | None:
    """Return the body that does not depend on types: of a model's function, or of the standard."""
    if (found := functions.get((node.domain, node.op_type))) is not None:
        return found
    schema = _schema(node, opset)
    if schema is None or not schema.has_function:
        return None
    version = _newest(schema.function_opset_versions, opset)
    text = schema.get_function_with_opset_version(version)
    return onnx.FunctionProto.FromString(text) if text else None


def _versions_by_types(node: onnx.NodeProto, opset: int) -> Sequence[int]:
    schema = _schema(node, opset)
    if schema is None or schema.has_function or not schema.has_context_dependent_function:
        return []
    return schema.context_dependent_function_opset_versions


def _body_for(node: onnx.NodeProto, opset: int, types: Sequence[onnx.TypeProto]) -> onnx.FunctionProto | None:
    """Return the body for these types of inputs."""
    schema, versions = _schema(node, opset), _versions_by_types(node, opset)
    if schema is None or not versions:
        return None
    text = schema.get_context_dependent_function_with_opset_version(
        _newest(versions, opset), node.SerializeToString(), [type_.SerializeToString() for type_ in types]
    )
    return onnx.FunctionProto.FromString(text) if text else None


def _newest(versions: Sequence[int], opset: int) -> int:
    return max((version for version in versions if version <= opset), default=min(versions))


def _opset_in(body: onnx.FunctionProto, opset: int) -> int:
    return next((each.version for each in body.opset_import if each.domain in STANDARD_DOMAINS), opset)


def _names(node: onnx.NodeProto, body: onnx.FunctionProto) -> Iterator[tuple[str, str]]:
    """Yield the names of a body's inputs and outputs with their names outside; an input that is left out has the empty
    name."""
    for k, name in enumerate(body.input):
        yield name, node.input[k] if k < len(node.input) else ""
    for k, name in enumerate(body.output):
        if k < len(node.output) and node.output[k]:
            yield name, node.output[k]


def _attributes(node: onnx.NodeProto, body: onnx.FunctionProto, opset: int) -> dict[str, onnx.AttributeProto]:
    """Return the attributes that a body can refer to: those given, else their defaults."""
    found = {attribute.name: attribute for attribute in body.attribute_proto}
    schema = _schema(node, opset)
    for name, declared in schema.attributes.items() if schema is not None else ():
        if declared.default_value.type != onnx.AttributeProto.UNDEFINED:
            found[name] = declared.default_value
    return found | {attribute.name: attribute for attribute in node.attribute}


def _renamed(
    node: onnx.NodeProto, renaming: dict[str, str], prefix: str, given: Mapping[str, onnx.AttributeProto]
) -> onnx.NodeProto:
    """Return a node of a body, with the names and the attributes that it has outside."""
    result = onnx.NodeProto()
    result.CopyFrom(node)
    result.name = f"{prefix}{node.name or node.op_type}"
    for names in (result.input, result.output):
        names[:] = [_outside(name, renaming, prefix) for name in names]
    del result.attribute[:]
    for attribute in node.attribute:
        if not attribute.ref_attr_name:
            copy = result.attribute.add()
            copy.CopyFrom(attribute)
            for graph in (*copy.graphs, *([copy.g] if copy.HasField("g") else [])):
                _rename_graph(graph, renaming, prefix, given)
        elif attribute.ref_attr_name in given:
            copy = result.attribute.add()
            copy.CopyFrom(given[attribute.ref_attr_name])
            copy.name = attribute.name
    return result


def _rename_graph(
    graph: onnx.GraphProto, renaming: dict[str, str], prefix: str, given: Mapping[str, onnx.AttributeProto]
) -> None:
    """Rename the values of a graph within a body: captured ones to their names outside, others get the prefix."""
    nodes = [_renamed(node, renaming, prefix, given) for node in graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
    for declared in (*graph.input, *graph.output, *graph.initializer):
        declared.name = _outside(declared.name, renaming, prefix)


def _outside(name: str, renaming: dict[str, str], prefix: str) -> str:
    return renaming.get(name, f"{prefix}{name}") if name else ""
