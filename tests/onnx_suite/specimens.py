"""
Programs of one operator for an element type and a shape.

A triple is an operator, a version of its schema that is in force at opset 7 or later, and an element type that one of
its type constraints allows. `programs_of` makes one model a triple and form: ranks 0 to 4, and a shape with a size
of 0. Element values are multiples of a quarter, and small, so that all types hold them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import prod
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FORMS: dict[str, tuple[int, ...]] = {
    "0": (),
    "1": (4,),
    "2": (3, 4),
    "3": (2, 3, 4),
    "4": (2, 4, 3, 5),
    "empty": (2, 0, 3),
}
"""The forms of a triple, and the shape of the first operand where an operator takes any shape."""
FIRST_OPSET = 7
DEFAULTS = ("float", "int64", "int32", "uint8")
"""The element types of constraints that a program does not vary, the first that is allowed."""


class NoForm(Exception):
    """An operator has no program of a form: the reason."""


@dataclass(frozen=True)
class Triple:
    """An operator, the version of its schema, and the element type of one of its constraints."""

    operator: str
    version: int
    constraint: str
    element: str
    """As ONNX writes it, such as `float16`."""

    def __str__(self) -> str:
        return f"{self.operator}-{self.version} {self.constraint} {self.element}"


@dataclass
class Program:
    """A model of one operator, and the arrays of its inputs by name."""

    model: onnx.ModelProto
    inputs: dict[str, np.ndarray]


@cache
def schemas() -> list[onnx.defs.OpSchema]:
    """Return the schemas of the standard domain that are in force at opset 7 or later and not deprecated."""
    found = [each for each in onnx.defs.get_all_schemas_with_history() if each.domain == ""]
    later: dict[str, list[int]] = {}
    for each in found:
        later.setdefault(each.name, []).append(each.since_version)
    kept = [
        each
        for each in found
        if not each.deprecated
        and min((v for v in later[each.name] if v > each.since_version), default=FIRST_OPSET + 1) > FIRST_OPSET
    ]
    return sorted(kept, key=lambda each: (each.name, each.since_version))


def tensor_types(constraint: onnx.defs.OpSchema.TypeConstraintParam) -> list[str]:
    """Return the element types of the tensors that a constraint allows."""
    return sorted(text[7:-1] for text in constraint.allowed_type_strs if text.startswith("tensor("))


def triples() -> Iterator[Triple]:
    for schema in schemas():
        for constraint in schema.type_constraints:
            for element in tensor_types(constraint):
                yield Triple(schema.name, schema.since_version, constraint.type_param_str, element)


WIDEST = {"float16": "float", "bfloat16": "float", "double": "float", "bool": "bool", "string": "string"}


COMPUTE_IN_FLOATS = {"GridSample", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp"}
"""Operators that compute integers as floats, of which judges round each step."""


def _widened(operator: str, element: str) -> str:
    if element in WIDEST or element.startswith("complex"):
        return WIDEST.get(element, element)
    return "float" if element.startswith("float") or operator in COMPUTE_IN_FLOATS else "int64"


def element_code(element: str) -> int:
    return TensorProto.DataType.Value(element.upper())


def numpy_type(element: str) -> np.dtype[Any]:
    return helper.tensor_dtype_to_np_dtype(element_code(element))


@dataclass
class Draft:
    """A program while a maker writes it."""

    triple: Triple
    shape: tuple[int, ...]
    form: str
    wide: bool = False
    nodes: list[onnx.NodeProto] = field(default_factory=list[onnx.NodeProto])
    inputs: dict[str, np.ndarray] = field(default_factory=dict[str, np.ndarray])
    elements: dict[str, str] = field(default_factory=dict[str, str])
    constants: dict[str, np.ndarray] = field(default_factory=dict[str, np.ndarray])
    outputs: list[str] = field(default_factory=list[str])

    @property
    def operator(self) -> str:
        return self.triple.operator

    @property
    def opset(self) -> int:
        return max(self.triple.version, FIRST_OPSET)

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def is_empty(self) -> bool:
        return self.form == "empty"

    @property
    def schema(self) -> onnx.defs.OpSchema:
        return onnx.defs.get_schema(self.operator, self.opset, "")

    def require(self, holds: bool, reason: str) -> None:
        if not holds:
            raise NoForm(reason)

    def type_of(self, parameter: str) -> str:
        """Return the element type of a constraint, or of a type as schemas write it."""
        if "(" in parameter:
            return parameter.replace("seq(", "").replace("optional(", "").removeprefix("tensor(").rstrip(")")
        constraints = {each.type_param_str: each for each in self.schema.type_constraints}
        if parameter == self.triple.constraint:
            element = self.triple.element
        elif allowed := tensor_types(constraints[parameter]):
            element = next((each for each in DEFAULTS if each in allowed), allowed[0])
        else:
            element = "float"
        return _widened(self.operator, element) if self.wide else element

    def input_type(self, index: int) -> str:
        formal = self.schema.inputs[min(index, len(self.schema.inputs) - 1)]
        return self.type_of(formal.type_str)

    def output_type(self, index: int = 0) -> str:
        return self.type_of(self.schema.outputs[index].type_str)

    def input(self, index: int, shape: Sequence[int] | None = None, low: float = -2, high: float = 2) -> str:
        """Return an input of the model for an operand of the operator, with elements from `low` to `high`."""
        return self.given(self.input_type(index), self.shape if shape is None else shape, low, high)

    def given(self, element: str, shape: Sequence[int], low: float = -2, high: float = 2) -> str:
        name = f"x{len(self.inputs)}"
        self.inputs[name] = values(element, shape, low, high, len(self.inputs))
        self.elements[name] = element
        return name

    def taking(self, array: Any, index: int) -> str:
        """Return an input of the model with these elements, of an operand's type."""
        return self.taking_as(array, self.input_type(index))

    def taking_as(self, array: Any, element: str) -> str:
        name = f"x{len(self.inputs)}"
        self.inputs[name] = np.asarray(array).astype(numpy_type(element))
        self.elements[name] = element
        return name

    def constant(self, array: Any, index: int) -> str:
        """Return an initializer with these elements, of an operand's type."""
        return self.constant_as(array, self.input_type(index))

    def constant_as(self, array: Any, element: str) -> str:
        name = f"c{len(self.constants)}"
        self.constants[name] = np.asarray(array).astype(numpy_type(element))
        return name

    def step(self, operator: str, inputs: Sequence[str], **attributes: Any) -> str:
        """Return the result of a node beside the one of the triple."""
        name = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, list(inputs), [name], **attributes))
        return name

    def node(self, inputs: Sequence[str], outputs: int = 1, **attributes: Any) -> list[str]:
        """Add the node of the triple; its results are the model's."""
        names = [f"y{k}" for k in range(outputs)]
        made = helper.make_node(self.operator, list(inputs), names, name="the_node")
        made.attribute.extend(attribute(name, value) for name, value in attributes.items())
        self.nodes.append(made)
        self.outputs = names
        return names

    def hidden(self, inputs: Sequence[str], **attributes: Any) -> str:
        """Add the node of the triple, whose result is no output of the model."""
        (name,) = self.node(inputs, **attributes)
        return name

    def result(self, operator: str, inputs: Sequence[str], **attributes: Any) -> None:
        """Add a node behind that of the triple; its result is the model's."""
        self.nodes.append(helper.make_node(operator, list(inputs), ["result"], **attributes))
        self.outputs = ["result"]

    def program(self) -> Program:
        graph = helper.make_graph(
            self.nodes,
            "g",
            [
                helper.make_tensor_value_info(name, element_code(self.elements[name]), array.shape)
                for name, array in self.inputs.items()
            ],
            [helper.make_empty_tensor_value_info(name) for name in self.outputs],
            [tensor(name, array) for name, array in self.constants.items()],
        )
        opsets = [helper.make_opsetid("", self.opset)]
        return Program(helper.make_model(graph, opset_imports=opsets, ir_version=8), dict(self.inputs))


def attribute(name: str, value: Any) -> onnx.AttributeProto:
    """Return an attribute; an empty list is one of integers."""
    kind = onnx.AttributeProto.INTS if isinstance(value, list) and not value else None
    return helper.make_attribute(name, value, attr_type=kind)


def tensor(name: str, array: np.ndarray) -> onnx.TensorProto:
    if array.dtype.kind in "OU":
        return helper.make_tensor(name, TensorProto.STRING, array.shape, [str(each).encode() for each in array.flat])
    return numpy_helper.from_array(array, name)


def values(element: str, shape: Sequence[int], low: float, high: float, number: int = 0) -> np.ndarray:
    """Return elements from `low` to `high`, multiples of a quarter; whole ones where the type has no others."""
    count = prod(shape)
    if element == "string":
        return np.array([f"{'ab'[k % 2]}{k % 5}" for k in range(count)], dtype=object).reshape(shape)
    rng = np.random.default_rng([7, number, count])
    dtype = numpy_type(element)
    if element == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if not element.startswith(("float", "double", "bfloat", "complex")):
        least = 0.0 if element.startswith("uint") else -np.inf
        most = {"uint2": 3, "int2": 1, "int4": 7, "uint4": 15}.get(element, 100)
        first, last = int(np.ceil(max(low, least, {"int2": -2}.get(element, -100)))), int(np.floor(min(high, most)))
        return rng.integers(min(first, last), max(first, last) + 1, shape).astype(dtype)
    drawn = rng.integers(int(np.ceil(low * 4)), int(np.floor(high * 4)) + 1, shape) / 4
    if element.startswith("complex"):
        drawn = drawn + 1j * rng.integers(-4, 5, shape) / 4
    return np.asarray(drawn).astype(dtype)
