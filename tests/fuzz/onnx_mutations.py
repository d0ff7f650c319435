"""Damage to ONNX models: attributes, names, order, types, constants, graphs within, and files beside them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, helper, numpy_helper

from .onnx_makers import MAKERS

Mutation = Callable[[random.Random, ModelProto], None]

_NUMBERS = (0, 1, -1, 2, 3, 7, -5, 255, 2**31 - 1, 2**31, -(2**31), 2**40, 2**62, -(2**63), 2**63 - 1)
_FLOATS = (0.0, -1.0, 1e-45, 3e38, float("inf"), float("-inf"), float("nan"))
_TEXTS = ("", "x", "NOTSET", "reflect", "\0", "é", "a" * 300, "linear", "..")
WEIGHTS = "w.bin"
"""The file of constants that are not in the model."""


def mutated(random_: random.Random, model: ModelProto) -> ModelProto:
    """Return a copy with one to three faults."""
    result = ModelProto()
    result.CopyFrom(model)
    for _ in range(random_.choice((1, 1, 1, 2, 3))):
        random_.choice(MUTATIONS)(random_, result)
    return result


def _graphs(model: ModelProto) -> list[GraphProto]:
    """Return all graphs, the outermost first."""
    found = [model.graph]
    for graph in found:
        found += [attribute.g for node in graph.node for attribute in node.attribute if attribute.HasField("g")]
    return found


def _node(random_: random.Random, model: ModelProto) -> NodeProto:
    nodes = [node for graph in _graphs(model) for node in graph.node]
    return random_.choice(nodes) if nodes else model.graph.node.add(op_type="Relu")


def _name(random_: random.Random, model: ModelProto) -> str:
    """Return a name of the model, or one that nothing has."""
    graphs = _graphs(model)
    names = [name for graph in graphs for node in graph.node for name in (*node.input, *node.output)]
    names += [value.name for graph in graphs for value in (*graph.input, *graph.output, *graph.initializer)]
    return random_.choice([*names, "nowhere"])


def _attributed(random_: random.Random, model: ModelProto) -> AttributeProto:
    attributes = [a for graph in _graphs(model) for node in graph.node for a in node.attribute]
    if attributes:
        return random_.choice(attributes)
    attribute = _node(random_, model).attribute.add()
    attribute.CopyFrom(helper.make_attribute("axis", 1))
    return attribute


def change_attribute(random_: random.Random, model: ModelProto) -> None:
    """Change an attribute to another value of the same type."""
    attribute = _attributed(random_, model)
    if attribute.type == AttributeProto.INT:
        attribute.i = random_.choice(_NUMBERS)
    elif attribute.type == AttributeProto.FLOAT:
        attribute.f = random_.choice(_FLOATS)
    elif attribute.type == AttributeProto.STRING:
        attribute.s = random_.choice((*(text.encode() for text in _TEXTS), b"\xff\xfe"))
    elif attribute.ints:
        match random_.randrange(3):
            case 0:
                attribute.ints[random_.randrange(len(attribute.ints))] = random_.choice(_NUMBERS)
            case 1:
                del attribute.ints[-1]
            case _:
                attribute.ints.append(random_.choice(_NUMBERS))
    elif attribute.HasField("t"):
        _damage_tensor(random_, attribute.t)
    elif attribute.strings:
        attribute.strings[0] = random_.choice(_TEXTS).encode()


def retype_attribute(random_: random.Random, model: ModelProto) -> None:
    """Give an attribute a value of another type, or a type that does not fit the value."""
    attribute = _attributed(random_, model)
    values = (3, 0.5, "text", [1, -1], [0.5], ["a"], numpy_helper.from_array(np.ones((2, 2), np.float32)), model.graph)
    if random_.random() < 0.3:
        attribute.type = random_.randrange(15)  # pyright: ignore[reportAttributeAccessIssue]
    else:
        attribute.CopyFrom(helper.make_attribute(attribute.name, random_.choice(values)))


def lose_attribute(random_: random.Random, model: ModelProto) -> None:
    node = _node(random_, model)
    if node.attribute:
        del node.attribute[random_.randrange(len(node.attribute))]


def rename_attribute(random_: random.Random, model: ModelProto) -> None:
    """Give an attribute another name, or put it twice, or let it refer to one that only a function's node has."""
    attribute = _attributed(random_, model)
    match random_.randrange(3):
        case 0:
            attribute.name = random_.choice(("axis", "axes", "pads", "body", "to", "", "odd"))
        case 1:
            attribute.ref_attr_name = "outer"
        case _:
            _node(random_, model).attribute.add().CopyFrom(attribute)


def change_input(random_: random.Random, model: ModelProto) -> None:
    """Change an input to another value, or to none: later values make a cycle."""
    node = _node(random_, model)
    if node.input:
        node.input[random_.randrange(len(node.input))] = random_.choice(("", _name(random_, model)))


def count_inputs(random_: random.Random, model: ModelProto) -> None:
    node = _node(random_, model)
    if node.input and random_.random() < 0.6:
        del node.input[random_.randrange(len(node.input))]
    else:
        node.input.append(_name(random_, model))


def cycle(random_: random.Random, model: ModelProto) -> None:
    """Let a node read its own result, or two read each other's."""
    first, second = _node(random_, model), _node(random_, model)
    for a, b in ((first, second), (second, first)):
        if a.output and b.input:
            b.input[0] = a.output[0]


def change_output(random_: random.Random, model: ModelProto) -> None:
    """Give an output a name that is taken, or none, or add one more."""
    node = _node(random_, model)
    name = random_.choice(("", "odd", _name(random_, model)))
    if node.output and random_.random() < 0.7:
        node.output[random_.randrange(len(node.output))] = name
    else:
        node.output.append(name)


def change_operator(random_: random.Random, model: ModelProto) -> None:
    node = _node(random_, model)
    if random_.random() < 0.85:
        node.op_type = random_.choice(sorted(MAKERS))
    elif random_.random() < 0.5:
        node.domain = random_.choice(("odd", "ai.onnx", "com.microsoft", "ai.onnx.ml"))
    else:
        node.op_type = random_.choice(("", "Frobnicate", "StringConcat", "QuantizeLinear", "Gradient"))


def move_nodes(random_: random.Random, model: ModelProto) -> None:
    """Put nodes in another order, put one twice, or take one out."""
    graph = random_.choice(_graphs(model))
    nodes = [NodeProto.FromString(node.SerializeToString()) for node in graph.node]
    match random_.randrange(3):
        case 0:
            random_.shuffle(nodes)
        case 1 if nodes:
            nodes.insert(random_.randrange(len(nodes) + 1), random_.choice(nodes))
        case _ if nodes:
            del nodes[random_.randrange(len(nodes))]
    del graph.node[:]
    graph.node.extend(nodes)


def _damage_tensor(random_: random.Random, tensor: TensorProto) -> None:
    match random_.randrange(6):
        case 0:
            tensor.dims.append(random_.choice(_NUMBERS))
        case 1 if tensor.dims:
            tensor.dims[random_.randrange(len(tensor.dims))] = random_.choice(_NUMBERS)
        case 2:
            tensor.data_type = random_.randrange(30)
        case 3:
            tensor.raw_data = tensor.raw_data[: random_.randrange(len(tensor.raw_data) + 1)]
        case 4:
            tensor.float_data.append(1.0)
        case _:
            _other_elements(random_, tensor)


def _other_elements(random_: random.Random, tensor: TensorProto) -> None:
    """Put an extreme number into a tensor that is whole."""
    try:
        array = numpy_helper.to_array(tensor).copy()
    except (ValueError, TypeError, KeyError):
        return
    if array.size and array.dtype.kind in "iu":
        limits = np.iinfo(array.dtype)
        number = max(limits.min, min(limits.max, random_.choice(_NUMBERS)))
        array.reshape(-1)[random_.randrange(array.size)] = number
    elif array.size and array.dtype.kind == "f":
        array.reshape(-1)[random_.randrange(array.size)] = random_.choice((0.0, -1.0, float("inf"), float("nan")))
    tensor.CopyFrom(numpy_helper.from_array(array, tensor.name))


def damage_constant(random_: random.Random, model: ModelProto) -> None:
    constants = [tensor for graph in _graphs(model) for tensor in graph.initializer]
    if constants:
        _damage_tensor(random_, random_.choice(constants))


def rename_constant(random_: random.Random, model: ModelProto) -> None:
    """Give a constant a name that is taken, put one twice, or take one out."""
    constants = model.graph.initializer
    if not constants:
        return
    chosen = random_.randrange(len(constants))
    match random_.randrange(3):
        case 0:
            constants[chosen].name = _name(random_, model)
        case 1:
            constants.add().CopyFrom(constants[chosen])
        case _:
            del constants[chosen]


def externalize(random_: random.Random, model: ModelProto) -> None:
    """Put constants in a file that is short, elsewhere, or not there."""
    for tensor in model.graph.initializer:
        if not tensor.raw_data:
            continue
        entries = {"location": WEIGHTS, "offset": "0", "length": str(len(tensor.raw_data))}
        key = random_.choice((*entries, "none", "none"))
        locations = (WEIGHTS, "../canary.bin", "none.bin", "/etc/hostname", ".", "", "\0")
        if key in entries:
            others = locations if key == "location" else ("", "-1", "x", "1", str(2**64), str(2**40))
            entries[key] = random_.choice(others)
        if random_.random() < 0.2:
            del entries[random_.choice(("location", "offset", "length"))]
        tensor.ClearField("raw_data")
        tensor.data_location = TensorProto.EXTERNAL
        for name, text in entries.items():
            tensor.external_data.add(key=name, value=text)


def change_input_type(random_: random.Random, model: ModelProto) -> None:
    """Give an input a type or a size that does not fit, or none."""
    values = [value for graph in _graphs(model) for value in graph.input]
    if not values:
        return
    value = random_.choice(values)
    dims = value.type.tensor_type.shape.dim
    match random_.randrange(6):
        case 0:
            value.type.tensor_type.elem_type = random_.randrange(30)
        case 1 if dims:
            dims[random_.randrange(len(dims))].dim_value = random_.choice(_NUMBERS)
        case 2 if dims:
            dims[random_.randrange(len(dims))].dim_param = random_.choice(("n", "m", "2 * n", "", "x y", "é"))
        case 3:
            dims.add().dim_value = random_.choice((1, 2, 0))
        case 4:
            value.ClearField("type")
        case _:
            tensor = onnx.TypeProto.FromString(value.type.SerializeToString())
            value.type.CopyFrom(
                random_.choice((helper.make_sequence_type_proto, helper.make_optional_type_proto))(tensor)
            )


def change_ends(random_: random.Random, model: ModelProto) -> None:
    """Put an input or output of a graph twice, give it another name, take it out, or add one."""
    graph = random_.choice(_graphs(model))
    values = random_.choice((graph.input, graph.output))
    match random_.randrange(4):
        case 0 if values:
            values.add().CopyFrom(random_.choice(values))
        case 1 if values:
            random_.choice(values).name = _name(random_, model)
        case 2 if values:
            del values[random_.randrange(len(values))]
        case _:
            values.add(name=_name(random_, model))


def change_version(random_: random.Random, model: ModelProto) -> None:
    match random_.randrange(4):
        case 0:
            model.ir_version = random_.choice(_NUMBERS)
        case 1:
            del model.opset_import[:]
        case 2:
            model.opset_import.add(domain=random_.choice(("", "ai.onnx", "odd")), version=random_.choice((1, 9, 500)))
        case _:
            for entry in model.opset_import:
                entry.version = random_.choice((*range(1, 30), *_NUMBERS))


def state_types(random_: random.Random, model: ModelProto) -> None:
    """State types of values within that are not those that nodes compute."""
    kind = random_.choice((TensorProto.FLOAT, TensorProto.INT64, TensorProto.STRING, 0))
    shape = random_.choice((None, [], [1], [2, 3], [-1], ["n"]))
    model.graph.value_info.add().CopyFrom(helper.make_tensor_value_info(_name(random_, model), kind, shape))


def exchange_graphs(random_: random.Random, model: ModelProto) -> None:
    """Replace a graph within by another one, that of the model too."""
    graphs = _graphs(model)
    if len(graphs) > 1:
        other = GraphProto.FromString(random_.choice(graphs).SerializeToString())
        random_.choice(graphs[1:]).CopyFrom(other)


def add_function(random_: random.Random, model: ModelProto) -> None:
    """Add a function that stands for an operator; some call themselves, or compute nothing."""
    node = _node(random_, model)
    domain = random_.choice(("odd", node.domain))
    node.domain = domain
    called = random_.choice((node.op_type, "Relu"))
    body = [helper.make_node(called, ["a"], [random_.choice(("b", "c"))], domain=random_.choice((domain, "")))]
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("odd", 1)]
    model.functions.add().CopyFrom(helper.make_function(domain, node.op_type, ["a"], ["b"], body, opsets))


MUTATIONS: Sequence[Mutation] = (
    change_attribute,
    change_attribute,
    retype_attribute,
    lose_attribute,
    rename_attribute,
    change_input,
    change_input,
    count_inputs,
    cycle,
    change_output,
    change_operator,
    change_operator,
    move_nodes,
    damage_constant,
    damage_constant,
    rename_constant,
    externalize,
    change_input_type,
    change_input_type,
    change_ends,
    change_version,
    state_types,
    exchange_graphs,
    add_function,
)


def write_weights(random_: random.Random, model: ModelProto, folder: Path) -> None:
    """Write the file of the constants that lie there: whole, short or empty."""
    longest = max((int(np.prod(t.dims, dtype=np.float64)) for t in model.graph.initializer), default=0)
    data = np.arange(min(max(longest, 0), 4096), dtype=np.float64).tobytes()
    (folder / WEIGHTS).write_bytes(data[: random_.choice((len(data), len(data), len(data) // 2, 3, 0))])
