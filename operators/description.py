"""Descriptions of operators, from their operations and records."""

from __future__ import annotations

from inspect import cleandoc

from xdsl.irdl import OptOperandDef, OptPropertyDef, VarOperandDef

from ..diagnostics import fail
from ..diagnostics.locations import caller_location
from ..diagnostics.text import did_you_mean
from ..dialects.graph.base import GraphOp
from ..dialects.graph.operations import all_operations
from .record import OPERATORS, FusionKind

KINDS: dict[FusionKind, str] = {
    FusionKind.ELEMENTWISE: "elementwise: each element from the same element of operands of the same shape",
    FusionKind.BROADCAST: "broadcast: each element from one element of each operand, operands stretched",
    FusionKind.INJECTIVE: "injective: each element from one element of an operand, found by index arithmetic",
    FusionKind.REDUCTION: "reduction: elements combined along axes",
    FusionKind.OUT_ELEMENTWISE: "out_elementwise: a larger computation whose output elementwise work can join",
    FusionKind.TUPLE: "tuple: several values passed on together",
    FusionKind.OPAQUE: "opaque: fuses with nothing",
}
"""Descriptions of the fusion kinds (Chen et al., "TVM", 2018, section 3.1)."""


def describe(name: str) -> str:
    """Return a section of Markdown about the operator `graph.<name>`: its semantics with an example, operands,
    properties with defaults, fusion kind and accumulator. Raises TilewrightError TW0227 for an unknown operator."""
    known = all_operations()
    operation = known.get(name)
    if operation is None or not issubclass(operation, GraphOp):
        guess = did_you_mean(name, known)
        fail(
            "TW0227", f"expected an operator of the graph dialect, but got '{name}'{guess}", location=caller_location()
        )
    definition = operation.get_irdl_definition()
    lines = [f"## graph.{name}", "", cleandoc(operation.__doc__ or ""), ""]
    operands = [f"`{operand}`{_how_many(kind)}" for operand, kind in definition.operands]
    lines.append(f"- operands: {', '.join(operands) or 'none'}")
    lines += [f"- property {_property(operation, key)}" for key in definition.properties]
    if name in OPERATORS:
        record = OPERATORS[name]
        lines.append(f"- fusion: {KINDS[record.kind]}")
        if record.accumulator is not None:
            lines.append("- sums and steps of float16 and bfloat16 are float32")
        if record.onnx:
            lines.append(f"- ONNX: {record.onnx}")
    return "\n".join(lines) + "\n"


def _how_many(kind: object) -> str:
    if isinstance(kind, OptOperandDef):
        return " (may be absent)"
    return " (any number)" if isinstance(kind, VarOperandDef) else ""


def _property(operation: type[GraphOp], name: str) -> str:
    """Return a property and its meaning where it is not given."""
    property_, codec = operation.get_irdl_definition().properties[name], operation.codec(name)
    if codec.is_flag:
        return f"`{name}`, a flag"
    if property_.default_value is not None:
        return f"`{name}`, {codec.to_python(property_.default_value)!r} unless given"
    return f"`{name}`" + (", may be absent" if isinstance(property_, OptPropertyDef) else "")


def describe_all() -> str:
    """Return the description of all operators of the graph dialect, as one page of Markdown."""
    names = sorted(name for name, operation in all_operations().items() if issubclass(operation, GraphOp))
    return "\n".join(["# Operators", "", *(describe(name) for name in names)])
