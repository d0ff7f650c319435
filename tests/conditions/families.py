"""Operators that are all alike, read from their declarations: tests need no table of their names."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.dialects.graph import Elements, GraphOp, ReduceOp
from tilewright.operators import OPERATORS, Operator

PROPERTIES = {ReduceOp: {"axes", "keepdims"}}
"""The properties that all members of a family have."""


def plain(*families: type[GraphOp]) -> Iterator[tuple[Operator, Elements]]:
    """The compiler's operators whose operation adds nothing to one of these families but a name and element types."""
    for _, operator in sorted(OPERATORS.items()):
        operation = operator.operation
        if operation is None or not operation.__module__.startswith("tilewright."):
            continue
        (base, *_) = operation.__bases__
        of_family = base in families and "infer_types" not in vars(operation)
        if of_family and operation.get_irdl_definition().properties.keys() == PROPERTIES.get(base, set()):
            yield operator, operation.ELEMENTS  # pyright: ignore[reportAttributeAccessIssue]
