"""Entries of the operations of builtin dialects: syntax by example, operands, attributes, regions, results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from xdsl.ir import Attribute, Operation
from xdsl.irdl import (
    IRDLOperation,
    OptOperandDef,
    OptPropertyDef,
    OptRegionDef,
    OptResultDef,
    VarOperandDef,
    VarRegionDef,
    VarResultDef,
)

from ...dialects import DIALECTS, factory
from .entry import Entry, Kind, documentation, first_sentence, joined, table

_OPTIONAL = (OptOperandDef, OptResultDef, OptRegionDef, OptPropertyDef)
_VARIADIC = (VarOperandDef, VarResultDef, VarRegionDef)
"""xDSL derives definitions of optional parts from those of variadic ones."""


def operation_entries() -> Iterator[Entry]:
    """Yield every operation and attribute of every dialect of ours."""
    for name in DIALECTS:
        dialect = factory(name)()
        for operation in sorted(dialect.operations, key=lambda op: op.name):
            yield _operation(dialect.name, operation)
        for attribute in sorted(dialect.attributes, key=lambda attribute: attribute.name):
            yield _attribute(dialect.name, attribute)


def _operation(dialect: str, operation: type[Operation]) -> Entry:
    text = _documentation(operation)
    parts = [text, table(("part", "kind"), _parts(operation))]
    if dialect == "graph":
        parts.append(_operator(operation.name.removeprefix("graph.")))
    return Entry(Kind.OPERATION, operation.name, dialect, first_sentence(text), joined(parts))


def _attribute(dialect: str, attribute: type[Attribute]) -> Entry:
    text = _documentation(attribute)
    return Entry(Kind.OPERATION, f"#{attribute.name}", dialect, first_sentence(text), text)


def _documentation(item: type[Any]) -> str:
    """Return the docstring; xDSL derives a class from the class in the source, which has the docstring."""
    return next((text for cls in item.__mro__ if (text := documentation(cls))), "")


def _parts(operation: type[Operation]) -> Iterator[tuple[str, str]]:
    assert issubclass(operation, IRDLOperation)
    definition = operation.get_irdl_definition()
    for what, named in (
        ("operand", definition.operands),
        ("property", definition.properties.items()),
        ("region", definition.regions),
        ("result", definition.results),
    ):
        for name, part in named:
            yield f"`{name}`", _described(what, part)


def _described(what: str, part: Any) -> str:
    if isinstance(part, _OPTIONAL):
        return f"{what}, optional"
    if isinstance(part, _VARIADIC):
        return f"{what}, any number"
    default = getattr(part, "default_value", None)
    return what if default is None else f"{what}, `{default}` unless given"


_FUSION = {
    "ELEMENTWISE": "injective (elementwise): each element is computed from the same element of the operands",
    "BROADCAST": "injective (broadcast): each element is computed from one element of each operand",
    "INJECTIVE": "injective: each element is read from one element of an operand, found by index arithmetic",
    "REDUCTION": "reduction: elements are combined along axes",
    "OUT_ELEMENTWISE": "complex-out-fusable: elementwise operators that use its result join its kernel",
    "TUPLE": "tuple: several values are passed on together",
    "OPAQUE": "opaque: it fuses with no other operator",
}
"""Fusion kinds in the words of Chen et al., "TVM: An Automated End-to-End Optimizing Compiler for Deep Learning"."""


def _operator(name: str) -> str:
    from ...operators import OPERATORS, get_operator

    if name not in OPERATORS:
        return ""
    record = get_operator(name)
    lines = [f"- Fusion kind: {_FUSION[record.kind.name]}."]
    if record.accumulator is not None:
        lines.append("- Accumulator: float32 for float16 and bfloat16, else the type of the result.")
    return "\n".join(lines)
