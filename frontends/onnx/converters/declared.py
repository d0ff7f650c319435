"""Conversion of operators whose declaration names an ONNX operator (`onnx=`): operands in order, attributes by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.irdl import OptPropertyDef

from ....dialects.dtypes import STORAGE_TYPES
from ....dialects.graph import CastOp, GraphOp
from ....dialects.graph.families import Elements, UnaryOp
from ....operators.declaration import operators_of_onnx
from ..node import FLOATS, Node, Value, dtype, in_float


def same_operator(node: Node) -> Value | Sequence[Value]:
    """Emit the operator that was declared; an attribute that the node lacks has ONNX's default, else the property's."""
    operation = operators_of_onnx()[node.operator].operation
    assert operation is not None
    values: dict[str, Any] = {}
    for name, property_ in operation.get_irdl_definition().properties.items():
        value = node.attr(name)
        if value is None and not isinstance(property_, OptPropertyDef) and property_.default_value is None:
            node.fail("TW0303", f"expected attribute '{name}'")
        values[name] = bool(value) if operation.codec(name).is_flag else value
    count = max((index + 1 for index in range(node.input_count) if node.has(index)), default=0)
    operands = [node.input(index) for index in range(count)]
    if _takes_floats_alone(node, operation, operands):
        return _of_floats(node, operation, operands[0], values)
    results = node.emit_all(operation, *operands, **values)
    return results[0] if len(results) == 1 else results


def _takes_floats_alone(node: Node, operation: type[GraphOp], operands: Sequence[Value]) -> bool:
    """Tell if an operation on one operand takes floats alone, where ONNX allows the operand's type, which is none."""
    if not issubclass(operation, UnaryOp) or operation.ELEMENTS is not Elements.FLOAT or len(operands) != 1:
        return False
    return dtype(operands[0]) not in FLOATS and node.has_allowed_types()


def _of_floats(node: Node, operation: type[GraphOp], x: Value, properties: dict[str, Any]) -> Value:
    """Emit the operation on the elements as floats; the result of a predicate is a bool, another one has the elements'
    type."""

    def result(floats: Value) -> Value:
        return node.emit(operation, floats, **properties)

    if dtype(x) in STORAGE_TYPES and dtype(answer := result(node.emit(CastOp, x, to="float32"))) == "bool":
        return answer
    return in_float(node, x, result)
