"""
The interface of a converter to its node: attributes with defaults, inputs, and methods that emit operations or errors.

A value is an SSA value or, while everything that it depends on is constant, a numpy array. An array of Python objects
is a shape with symbolic sizes: its elements are numbers and names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

import numpy as np
import onnx
from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import SSAValue

from ...diagnostics import fail
from ...dialects.dtypes import STORAGE_TYPES, dtype_name
from ...dialects.graph import CastOp, CutOp, Dim, ExtentsOp, GraphOp, IotaOp, Shape, element_of, shape_of
from ...renamed import with_earlier_members
from ..user_converters import STANDARD_DOMAINS
from .listed import Absent, AnyValue, Listed, kind_of

if TYPE_CHECKING:
    from .importer import Importer

Value: TypeAlias = SSAValue | np.ndarray

FLOATS = ("float16", "bfloat16", "float32", "float64")
"""The element types that operators on floats take."""

WITHOUT_EFFECT: dict[str, tuple[str, ...]] = {
    "BatchNormalization": ("momentum",),
    "Dropout": ("seed",),
    "MaxPool": ("storage_order",),
}
"""
Attributes that may have any value: those of training, of random numbers, and of indices as an output, where the
importer refuses all of these.
"""

WITHOUT_DEFINITION = ("SimplifiedLayerNormalization",)
"""Operators that onnxruntime has in the standard domain, where the standard has none of this name."""

BEFORE_THEIR_OPSET = {"LayerNormalization": 17}
"""Operators that onnxruntime has in every opset, by the one that brought them into the standard."""


def operator_name(node: onnx.NodeProto) -> str:
    """Return the operator's name: `Relu` in the standard domain, `com.example.SoftCap` in another one."""
    return node.op_type if node.domain in STANDARD_DOMAINS else f"{node.domain}.{node.op_type}"


@with_earlier_members
class Node:
    """A node with its resolved inputs: the argument of a converter."""

    def __init__(self, importer: Importer, proto: onnx.NodeProto, opset: int):
        self.importer = importer
        self.proto = proto
        self.opset = opset
        self._read: set[str] = set()

    @property
    def operator(self) -> str:
        """The operator as tables and messages name it; those of other domains than the standard one with theirs."""
        return operator_name(self.proto)

    @property
    def label(self) -> str:
        """The node's name, or where it has none that of its first output."""
        return self.proto.name or next((name for name in self.proto.output if name), self.operator)

    @property
    def location(self) -> LocationAttr:
        return self.importer.location(self.label)

    def fail(self, code: str, message: str, help: str | None = None) -> NoReturn:
        """Raise an error that names the node, its operator and the opset."""
        fail(code, self.described(message), location=self.location, help=help)

    def described(self, message: str) -> str:
        """Return a message about the node: its name, its operator and the opset stand before it."""
        return f"node '{self.label}' ({self.operator}, opset {self.opset}): {message}"

    # Attributes

    @cached_property
    def _attributes(self) -> dict[str, Any]:
        return {attr.name: onnx.helper.get_attribute_value(attr) for attr in self.proto.attribute}

    @cached_property
    def _schema(self) -> onnx.defs.OpSchema | None:
        """The operator's definition; None in a domain that is not the standard one, and where the standard has none."""
        if self.proto.domain not in STANDARD_DOMAINS or self.operator in WITHOUT_DEFINITION:
            return None
        try:
            opset = max(self.opset, BEFORE_THEIR_OPSET.get(self.operator, 1))
            return onnx.defs.get_schema(self.operator, opset, self.proto.domain)
        except onnx.defs.SchemaError:
            self.fail("TW0303", f"opset {self.opset} has no operator {self.operator}")

    def attr(self, name: str, default: Any = None) -> Any:
        """Return an attribute's value, else the default of this opset, else `default`. Strings are `str`."""
        self._read.add(name)
        value = self._attributes.get(name)
        if value is None and self._schema is not None and name in self._schema.attributes:
            declared = self._schema.attributes[name]
            if declared.required:
                self.fail("TW0303", f"expected attribute '{name}'")
            if declared.default_value.type != onnx.AttributeProto.UNDEFINED:
                value = onnx.helper.get_attribute_value(declared.default_value)
        if value is None:
            return default
        return value.decode() if isinstance(value, bytes) else value

    def has_attr(self, name: str) -> bool:
        self._read.add(name)
        return name in self._attributes

    def flag(self, name: str, default: int = 0) -> bool:
        """Return an attribute that is 0 or 1. Raises TW0303 for other numbers, which no two implementations read
        alike."""
        value = self.attr(name, default)
        if value not in (0, 1):
            self.fail("TW0303", f"expected '{name}' to be 0 or 1, but got {value}")
        return bool(value)

    def check_attributes(self) -> None:
        """Raise an error for an attribute that the operator does not have at this opset, and for one that the converter
        has not asked for, unless its value is the default or has no effect on results.
        """
        known = None if self._schema is None else self._schema.attributes
        for name, value in self._attributes.items():
            if known is not None and name not in known:
                self.fail("TW0303", f"expected an attribute of the operator, but got '{name}'")
            if name in self._read or name in WITHOUT_EFFECT.get(self.operator, ()):
                continue
            declared = None if known is None else known[name].default_value
            if (
                declared is None
                or declared.type == onnx.AttributeProto.UNDEFINED
                or value != onnx.helper.get_attribute_value(declared)
            ):
                shown = value.decode(errors="replace") if isinstance(value, bytes) else value
                self.fail("TW0306", f"attribute '{name}' with value {shown} is not supported")

    # Inputs

    def check_inputs(self) -> None:
        """Raise an error for inputs that the operator does not have at this opset, which a converter would not see."""
        if self._schema is not None and self.input_count > self._schema.max_input:
            self.fail("TW0303", f"expected at most {self._schema.max_input} inputs, but got {self.input_count}")

    def has_allowed_types(self) -> bool:
        """Tell if the operator's definition allows the element types of the inputs, or there is no definition."""
        if self._schema is None:
            return True
        allowed = {each.type_param_str: each.allowed_type_strs for each in self._schema.type_constraints}
        found: dict[str, str] = {}
        for index in range(self.input_count):
            formal = self._schema.inputs[min(index, len(self._schema.inputs) - 1)]
            if not self.has(index) or isinstance(value := self.any_input(index), (Listed, Absent)):
                continue
            text = f"tensor({element_text(value)})"
            if text not in allowed.get(formal.type_str, [formal.type_str]):
                return False
            if formal.is_homogeneous and found.setdefault(formal.type_str, text) != text:
                return False
        return True

    def inputs_of_types(self, wanted: set[str]) -> list[int]:
        """Return the inputs that are given and whose types, as the operator's definition has them, are these."""
        if self._schema is None:
            return []
        allowed = {each.type_param_str: set(each.allowed_type_strs) for each in self._schema.type_constraints}
        formals = enumerate(self._schema.inputs)
        return [index for index, formal in formals if self.has(index) and allowed.get(formal.type_str) == wanted]

    def is_accepted_by_standard(self, types: Sequence[onnx.TypeProto]) -> bool:
        """Tell if the standard's inference finds no fault in the node with inputs of these types."""
        if self._schema is None or not self.has_allowed_types():
            return False
        named = {name: each for name, each in zip(self.proto.input, types, strict=True) if name}
        opsets = [onnx.helper.make_opsetid(self.proto.domain, self.opset)]
        try:
            onnx.shape_inference.infer_node_outputs(self._schema, self.proto, named, opset_imports=opsets)
        except (onnx.shape_inference.InferenceError, RuntimeError):
            return False
        return True

    @property
    def input_count(self) -> int:
        return len(self.proto.input)

    def has(self, index: int) -> bool:
        return index < len(self.proto.input) and self.proto.input[index] != ""

    def any_input(self, index: int) -> AnyValue:
        """Return an input that may be a sequence or an optional too."""
        if not self.has(index):
            self.fail("TW0303", f"expected input {index}")
        return self.importer.lookup(self, self.proto.input[index])

    def input(self, index: int) -> Value:
        value = self.any_input(index)
        if isinstance(value, (Listed, Absent)):
            self.fail("TW0305", f"expected '{self.proto.input[index]}' to be a tensor, but got {kind_of(value)}")
        return value

    def optional(self, index: int) -> Value | None:
        return self.input(index) if self.has(index) else None

    def inputs(self) -> list[Value]:
        return [self.input(index) for index in range(self.input_count)]

    def constant(self, index: int, what: str) -> np.ndarray:
        """Return an input whose value must be known while importing; sizes may be symbolic."""
        value = self.importer.known(self.input(index))
        if isinstance(value, SSAValue):
            self.importer.need(self, self.proto.input[index], what)
        return value

    def numbers(self, index: int, what: str) -> np.ndarray:
        """Return the elements of an input that must all be numbers, one after another."""
        value = self.constant(index, what).reshape(-1)
        if value.dtype == object:
            self.fail("TW0304", f"expected {what} to be numbers, but got {list(value)}", help=OVERRIDE_HELP)
        return value

    def sizes(self, index: int, what: str) -> list[int | str]:
        """Return an input of integers that may be symbolic sizes."""
        return [item if isinstance(item, str) else int(item) for item in self.constant(index, what).reshape(-1)]

    def constant_ints(self, index: int, what: str) -> list[int]:
        """Return an input of integers that must all be numbers."""
        return [int(item) for item in self.numbers(index, what)]

    def ints(self, attribute: str, index: int, what: str) -> list[int] | None:
        """Return integers that are an attribute in some opsets and an input in others; None where they are left out."""
        if self.has_attr(attribute):
            return list(self.attr(attribute))
        return self.constant_ints(index, what) if self.has(index) else None

    def axis(self, axis: int, dims: int) -> int:
        """Return an axis counted from the front; raise an error where a value of so many dimensions has no such
        axis."""
        if not -dims <= axis < dims:
            self.fail("TW0303", f"expected an axis from {-dims} to {dims - 1}, but got {axis}")
        return axis % dims

    # Outputs

    def uses_output(self, index: int) -> bool:
        """Return whether an optional output is used."""
        return index < len(self.proto.output) and self.importer.is_used(self.proto.output[index])

    def emit(self, op: type[GraphOp], *values: Value, **properties: Any) -> Value:
        """Emit `op` on these operands and return its single result."""
        (result,) = self.emit_all(op, *values, **properties)
        return result

    def emit_later(self, op: type[GraphOp], *values: Value, **properties: Any) -> Value:
        """Emit `op`, which is not computed while importing where all operands are constant."""
        return self.importer.emit_later(self, op, values, properties)

    def emit_stated(
        self, op: type[GraphOp], *values: Value, dims: Mapping[str, Sequence[Any]], **properties: Any
    ) -> Value:
        """Emit an operation that states sizes: numbers, and names of sizes that inputs have."""
        (result,) = self.importer.emit_stated(self, op, values, dims, properties)
        return result

    def cut(self, value: Value, axis: int, start: Dim, count: Dim) -> Value:
        """Return elements along an axis from one on, as many as a size: all of them lie within the value."""
        starts, sizes = list[Dim]([0] * rank(value)), list(shape(value))
        starts[axis], sizes[axis] = start, count
        return self.emit_stated(CutOp, value, dims={"starts": starts, "shape": sizes}, steps=[1] * rank(value))

    def matched(self, value: Value, axis: int, size: Dim) -> Value:
        """Return a value whose size along an axis must be another one; where it is not known to be, calls are
        checked."""
        sizes = list(shape(value))
        if sizes[axis] == size:
            return value
        sizes[axis] = size
        return self.importer.matched(self, value, sizes)

    def extent(self, dim: Dim) -> Value:
        """Return a size as a tensor of one integer of 64 bits."""
        if isinstance(dim, int):
            return np.array([dim])
        return self.emit_stated(ExtentsOp, dims={"shape": [dim]})

    def positions(self, size: Dim) -> Value:
        """Return the numbers from 0 on, as many as a size."""
        return self.emit_stated(IotaOp, dims={"shape": [size]})

    def prefix(self, value: Value, count: Value) -> Value:
        """Return the first of a value's parts along its first dimension, as many as a count says that is data."""
        return self.prefixes([value], count)[0]

    def prefixes(self, values: Sequence[Value], count: Value) -> list[Value]:
        """Return the first parts of several values, as many of each."""
        return self.importer.prefixes(self, values, count)

    def emit_all(self, op: type[GraphOp], *values: Value, **properties: Any) -> Sequence[Value]:
        return self.importer.emit(self, op, values, properties)


OVERRIDE_HELP = "fix the sizes of the model's inputs (`--shape NAME=1,3,224,224`, or `import_model(..., shapes=...)`)"


def shape(value: Value) -> Shape:
    return shape_of(value) if isinstance(value, SSAValue) else value.shape


def rank(value: Value) -> int:
    return len(shape(value))


def dtype(value: Value) -> str:
    """Return numpy's name of the element type."""
    return dtype_name(element_of(value)) if isinstance(value, SSAValue) else value.dtype.name


def element_text(value: Value) -> str:
    """Return ONNX's name of the element type, as definitions of operators write it."""
    from ...dialects.dtypes import numpy_dtype

    if isinstance(value, np.ndarray) and value.dtype.kind in "OT":
        return "int64" if value.dtype == object else "string"
    code = onnx.helper.np_dtype_to_tensor_dtype(numpy_dtype(dtype(value)))
    return onnx.TensorProto.DataType.Name(code).lower()


def static_dim(node: Node, dim: Dim, what: str) -> int:
    """Return a size as a number; raise an error where it is dynamic."""
    if not isinstance(dim, int):
        node.fail("TW0304", f"expected {what} to be a number, but got {dim or '?'}", help=OVERRIDE_HELP)
    return dim


def check_signature(node: Node, required: int, names: str, refused: str = "", needed: str = "") -> None:
    """Raise an error for inputs of an operator without a definition that are missing, too many, or not supported.

    `names` are those of all inputs in order, `refused` those among them that have to be left out. The first `required`
    ones have to be given, and those that are `needed`.
    """
    known, others = names.split(), needed.split()
    if node.input_count > len(known):
        node.fail("TW0303", f"expected at most {len(known)} inputs, but got {node.input_count}")
    for index, name in enumerate(known):
        if (index < required or name in others) and not node.has(index):
            node.fail("TW0303", f"expected input '{name}'")
        if name in refused.split() and node.has(index):
            node.fail("TW0302", f"input '{name}' is not supported")


def as_type(node: Node, value: Value, to: str) -> Value:
    """Return a value converted to an element type, or the value itself if it has this type."""
    return value if dtype(value) == to else node.emit(CastOp, value, to=to)


def in_float(node: Node, x: Value, build: Callable[[Value], Value]) -> Value:
    """Apply `build` to the elements as floats, which hold all numbers of up to 32 bits; the fraction of a result is cut
    off.

    A truth is 1 or 0, and a result that is not 0 is true.
    """
    element = dtype(x)
    if element in FLOATS:
        return build(x)
    narrow = element == "bool" or element in STORAGE_TYPES or element.removeprefix("u") in ("int8", "int16")
    return node.emit(CastOp, build(node.emit(CastOp, x, to="float32" if narrow else "float64")), to=element)


def in_accumulator(node: Node, values: Sequence[Value], build: Callable[..., Value]) -> Value:
    """Apply `build` to these values in the type in which operators accumulate; the result is rounded once, to
    the type of the values."""
    from ...operators.record import WIDE

    common = dtype(values[0])
    if (wide := WIDE.of(common)) == common:
        return build(*values)
    result = build(*(node.emit(CastOp, value, to=wide) for value in values))
    return node.emit(CastOp, result, to=common)


def scalar(value: np.ndarray, like: Value) -> np.ndarray:
    """Return a constant converted to the element type of `like`."""
    from ...dialects.dtypes import numpy_dtype

    return np.asarray(value).astype(numpy_dtype(dtype(like)))
