"""Operators that were declared as the same as ONNX's: operands in order, attributes by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.irdl import OptPropertyDef

from ....operators.declaration import operators_of_onnx
from ..node import Node, Value


def same_operator(node: Node) -> Value | Sequence[Value]:
    """The operator that was declared; an attribute that the node lacks has ONNX's default, else the property's."""
    operation = operators_of_onnx()[node.operator].operation
    assert operation is not None
    values: dict[str, Any] = {}
    for name, property_ in operation.get_irdl_definition().properties.items():
        value = node.attr(name)
        if value is None and not isinstance(property_, OptPropertyDef) and property_.default_value is None:
            node.fail("TW0303", f"expected attribute '{name}'")
        values[name] = bool(value) if operation.codec(name).is_flag else value
    count = max((index + 1 for index in range(node.input_count) if node.has(index)), default=0)
    results = node.emit_all(operation, *(node.input(index) for index in range(count)), **values)
    return results[0] if len(results) == 1 else results
