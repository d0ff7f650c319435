"""Split of a model with strings into three parts: nodes on strings run on the host, around a compiled program.

The first part has the nodes on strings that depend on inputs and on one another alone. The last part has the nodes on
strings that depend on numbers that the model computes, and all nodes that depend on these. The middle part, all other
nodes, has no strings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import onnx
from onnx import TensorProto, shape_inference

from ...diagnostics import fail
from ..by_value import OpenInput
from ..host_parts import TEXT_DTYPE, NeedsHost
from .external_data import TensorFiles, is_external
from .inputs import SizeOverrides, declared_shape, open_sizes
from .listed import is_structured
from .subgraphs import graphs_of, used_names
from .tensors import dtype_of
from .text_values import TEXT

Values = Mapping[str, np.ndarray]
Evaluate = Callable[[onnx.ModelProto, Values], dict[str, np.ndarray]]
"""The outputs of a model by name, computed on the host."""


def needs_host(model: onnx.ModelProto, files: TensorFiles, overrides: SizeOverrides, evaluate: Evaluate) -> NeedsHost:
    """Return the exception that the frontend raises for a model with strings as inputs or outputs. Raises TW0305 where
    it has sequences too."""
    values = (*model.graph.input, *model.graph.output)
    if (listed := next(filter(is_structured, values), None)) is not None:
        fail("TW0305", f"a sequence or an optional, '{listed.name}', in a model with strings is not supported")
    if overrides.values:
        fail("TW0305", "values of inputs that a program is for are not supported in a model with strings")
    model, whole = onnx.ModelProto(), model
    model.CopyFrom(whole)
    fixed = {tensor.name for tensor in model.graph.initializer}
    inputs: list[OpenInput] = []
    for value in (each for each in model.graph.input if each.name not in fixed):
        tensor = value.type.tensor_type
        shape = overrides.shape_of(value.name, declared_shape(value))
        is_text = tensor.elem_type == TensorProto.STRING
        dtype = TEXT_DTYPE if is_text else dtype_of(tensor.elem_type, f"input '{value.name}'")
        inputs.append(OpenInput(value.name, dtype, tuple(shape)))
        del tensor.shape.dim[:]
        for dim in shape:
            tensor.shape.dim.add(**{"dim_value" if isinstance(dim, int) else "dim_param": dim})
    overrides.check([each.name for each in inputs], [size for each in whole.graph.input for size in open_sizes(each)])
    parts = parts_of_text(model, files, evaluate)
    name = next(value.name for value in values if _is_text(value))
    return NeedsHost.of(parts, inputs, [each.name for each in model.graph.output], name)


def has_text(model: onnx.ModelProto) -> bool:
    """Return whether a model has strings as inputs or outputs."""
    return any(_is_text(value) for value in (*model.graph.input, *model.graph.output))


@dataclass(frozen=True)
class TextParts:
    """A model in three parts, each with the inputs that it needs and the outputs that others need."""

    first: onnx.ModelProto
    centre: onnx.ModelProto
    last: onnx.ModelProto
    evaluate: Evaluate

    @property
    def has_middle(self) -> bool:
        """True if anything is compiled."""
        return bool(self.centre.graph.output)

    @property
    def middle_inputs(self) -> list[str]:
        """The inputs of the middle."""
        return [each.name for each in self.centre.graph.input]

    def before(self, given: Values) -> dict[str, np.ndarray]:
        """Return the values that are computed from strings of the caller."""
        return self._run(self.first, given)

    def after(self, given: Values) -> dict[str, np.ndarray]:
        """Return the values that are computed from results of the middle."""
        return self._run(self.last, given)

    def middle_model(self, given: Values) -> tuple[tuple[int, ...], onnx.ModelProto]:
        """Return the ranks of the middle part's inputs for given values, and the middle part with these ranks."""
        model = onnx.ModelProto()
        model.CopyFrom(self.centre)
        ranks = tuple(given[each.name].ndim for each in model.graph.input)
        for each, rank in zip(model.graph.input, ranks, strict=True):
            shape = each.type.tensor_type.shape
            if len(shape.dim) != rank or not each.type.tensor_type.HasField("shape"):
                del shape.dim[:]
                shape.dim.extend(onnx.TensorShapeProto.Dimension() for _ in range(rank))
                shape.SetInParent()
        return ranks, model

    def _run(self, part: onnx.ModelProto, given: Values) -> dict[str, np.ndarray]:
        if not part.graph.output:
            return {}
        return as_results(self.evaluate(part, as_values({each.name: given[each.name] for each in part.graph.input})))


def parts_of_text(model: onnx.ModelProto, files: TensorFiles, evaluate: Evaluate) -> TextParts:
    """Return the parts of a model that takes or gives strings."""
    types = _types(model)
    text = {name for name, value in types.items() if _is_text(value)}
    text |= {tensor.name for tensor in model.graph.initializer if tensor.data_type == TensorProto.STRING}
    known = {tensor.name for tensor in model.graph.initializer}
    first, last = {value.name for value in model.graph.input}, set[str]()
    before, middle, after, constant = (list[onnx.NodeProto]() for _ in range(4))
    results = [output.name for output in model.graph.output]
    for node in model.graph.node:
        needs = {*_needs(node)}
        is_on_text = not text.isdisjoint((*needs, *node.output))
        if needs <= known and not (is_on_text and not {*results}.isdisjoint(node.output)):
            known.update(node.output)
            constant.append(node)
        elif not needs.isdisjoint(last) or (is_on_text and not needs <= known | first):
            last.update(node.output)
            after.append(node)
        elif is_on_text:
            first.update(node.output)
            before.append(node)
        else:
            middle.append(node)
    part = _Parts(model, files, types, constant)
    wanted = [*results, *(name for node in after for name in _needs(node))]
    end = part.of(after, results)
    centre = part.of(middle, wanted)
    start = part.of(before, [*wanted, *(name for node in middle for name in _needs(node))])
    return TextParts(start, centre, end, evaluate)


@dataclass(frozen=True)
class _Parts:
    model: onnx.ModelProto
    files: TensorFiles
    types: Mapping[str, onnx.ValueInfoProto]
    constant: Sequence[onnx.NodeProto]

    def of(self, nodes: Sequence[onnx.NodeProto], wanted: Iterable[str]) -> onnx.ModelProto:
        """Return a model of some nodes: its inputs are the values that these read, its outputs the wanted results."""
        made = {name for node in nodes for name in node.output if name}
        outputs = [name for name in dict.fromkeys(wanted) if name in made]
        needs = dict.fromkeys(name for node in nodes for name in _needs(node))
        constant = self._constants({*needs})
        needs |= dict.fromkeys(name for node in constant for name in _needs(node))
        made.update(name for node in constant for name in node.output)
        tensors = [tensor for tensor in self.model.graph.initializer if tensor.name in needs]
        fixed = {tensor.name for tensor in tensors}
        inputs = [name for name in needs if name not in made and name not in fixed]
        part = onnx.ModelProto()
        part.CopyFrom(self.model)
        part.ClearField("graph")
        part.graph.name = self.model.graph.name
        part.graph.node.extend([*constant, *nodes])
        part.graph.initializer.extend(self.files.with_data(t) if is_external(t) else t for t in tensors)
        part.graph.input.extend(self._declared(name) for name in inputs)
        part.graph.output.extend(self._declared(name) for name in outputs)
        return part

    def _constants(self, needed: set[str]) -> list[onnx.NodeProto]:
        """Return the nodes that depend on no input and that names need."""
        found: list[onnx.NodeProto] = []
        for node in reversed(self.constant):
            if not needed.isdisjoint(node.output):
                needed.update(_needs(node))
                found.insert(0, node)
        return found

    def _declared(self, name: str) -> onnx.ValueInfoProto:
        if (declared := self.types.get(name)) is None:
            fail("TW0305", f"the type of '{name}', which a model with strings hands over, is not known")
        return declared


def _types(model: onnx.ModelProto) -> dict[str, onnx.ValueInfoProto]:
    """Return the types of values as far as they are known, without those of weights."""
    bare = onnx.ModelProto()
    bare.CopyFrom(model)
    try:
        bare = shape_inference.infer_shapes(bare)
    except (ValueError, RuntimeError, shape_inference.InferenceError) as error:
        fail("TW0305", f"the types of a model with strings cannot be inferred: {error}")
    return {each.name: each for each in (*bare.graph.value_info, *bare.graph.input, *bare.graph.output)}


def _needs(node: onnx.NodeProto) -> list[str]:
    """Return the names that a node reads, those that graphs within it take from outside among them."""
    inner = {name for graph in graphs_of(node) for name in used_names(graph) - _defined_names(graph)}
    return [name for name in (*node.input, *sorted(inner)) if name]


def _defined_names(graph: onnx.GraphProto) -> set[str]:
    defined = {value.name for value in (*graph.input, *graph.initializer)}
    for node in graph.node:
        defined.update(node.output)
        for inner in graphs_of(node):
            defined |= _defined_names(inner)
    return defined


def _is_text(value: onnx.ValueInfoProto) -> bool:
    return value.type.tensor_type.elem_type == TensorProto.STRING


def as_values(arrays: Values) -> dict[str, np.ndarray]:
    """Return the arrays of a caller as values of a model: strings are objects of Python there."""
    return {name: array.astype(TEXT) if array.dtype.kind == "O" else array for name, array in arrays.items()}


def as_results(values: Values) -> dict[str, np.ndarray]:
    """Return values of a model as arrays of a caller."""
    return {name: value.astype(object) if value.dtype == TEXT else value for name, value in values.items()}
